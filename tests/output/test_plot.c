// SPDX-License-Identifier: Apache-2.0
#include "output/scratch.h"

#include "output/plot.h"

#include <sys/stat.h>

static const double x[] = {0, 1, 2, 3}, y[] = {1, -2, NAN, 4};
static const StickPlotSeries curves[] = {{"force", STICK_PLOT_LINE, 4, x, y},
                                         {"closed form", STICK_PLOT_REFERENCE, 4, x, x},
                                         {"published", STICK_PLOT_MARKERS, 2, x, y}};
static const StickPlotPanel panels[] = {{"force [N]", false, 3, curves}, {"gap [m]", false, 1, curves}};
static const StickPlot two_panels = {.title = "Impact", .x_label = "t [s]", .npanels = 2, .panel = panels};

static StickText script_of(StickContext *ctx, const StickPlot *plot)
{
    StickText text;
    stick_text_init(&text, ctx);
    stick_plot_script(&text, plot);
    assert_ok(ctx, stick_text_status(&text));
    return text;
}

// A series alone in its panel, without words.
static StickText script_of_curve(StickContext *ctx, size_t count, const double *at, const double *value,
                                 bool log)
{
    StickPlotSeries series = {NULL, STICK_PLOT_LINE, count, at, value};
    StickPlotPanel panel = {NULL, log, 1, &series};
    StickPlot plot = {.npanels = 1, .panel = &panel};
    return script_of(ctx, &plot);
}

// ---- words

static const char hostile[] =
    "'\nsystem('touch HACKED')\n' `touch HACKED` \"`touch HACKED`\" @x $1 \\n <b>&\x01\xFF {/=20 A}_b^c";
static const char harmless[] =
    "'’ system(’touch HACKED’) ’ ‘touch HACKED‘ \"‘touch HACKED‘\" @x $1 \\n <b>& � {/=20 A}_b^c'";

static StickPlot hostile_plot(StickPlotPanel *panel, StickPlotSeries *series)
{
    *series = (StickPlotSeries){hostile, STICK_PLOT_LINE, 4, x, y};
    *panel = (StickPlotPanel){hostile, false, 1, series};
    static const StickPlotMark mark = {1, hostile};
    return (StickPlot){
        .title = hostile, .x_label = hostile, .npanels = 1, .panel = panel, .nmarks = 1, .mark = &mark};
}

static void words_stand_in_single_quotes_on_one_line(void **state)
{
    StickPlotPanel panel;
    StickPlotSeries series;
    StickPlot plot = hostile_plot(&panel, &series);
    StickText script = script_of(*state, &plot);
    int labels = 0;
    for (char *line = strtok(script.bytes, "\n"); line; line = strtok(NULL, "\n")) {
        char *found = strstr(line, "HACKED");
        if (!found)
            continue;
        labels++;
        assert_int_equal(strncmp(line, "set label ", 10), 0);
        assert_int_equal(strncmp(line + 10, harmless, strlen(harmless)), 0);
        assert_null(strstr(line + 10 + strlen(harmless), "HACKED"));
        assert_non_null(strstr(line, " noenhanced "));
    }
    assert_int_equal(labels, 5);
    stick_text_destroy(&script);
}

static void gnuplot_runs_no_words(void **state)
{
    Scratch *scratch = *state;
    StickPlotPanel panel;
    StickPlotSeries series;
    StickPlot plot = hostile_plot(&panel, &series);
    char here[512];
    bool made = false;
    if (!have_program("gnuplot"))
        skip();
    assert_non_null(getcwd(here, sizeof here));
    assert_int_equal(chdir(scratch->folder), 0);
    StickStatus status = stick_plot_write(scratch->ctx, "|touch HACKED; '`touch HACKED`.svg", &plot, &made);
    bool hacked = stick_file_exists("HACKED"),
         drawn = stick_file_exists("|touch HACKED; '`touch HACKED`.svg");
    assert_int_equal(chdir(here), 0);
    assert_ok(scratch->ctx, status);
    assert_true(made && drawn);
    assert_false(hacked);
    assert_ok(scratch->ctx, stick_plot_write(scratch->ctx, scratch_path(scratch, "words.svg"), &plot, &made));
    assert_well_formed_xml(scratch->path);
}

// ---- pictures

static void a_picture_is_made(void **state)
{
    Scratch *scratch = *state;
    const char *path = scratch_path(scratch, "it's.svg");
    bool made = false;
    char *first, *second;
    size_t count;
    if (!have_program("gnuplot"))
        skip();
    assert_ok(scratch->ctx, stick_plot_write(scratch->ctx, path, &two_panels, &made));
    assert_true(made);
    assert_ok(scratch->ctx, stick_file_read(scratch->ctx, path, &first, &count));
    assert_non_null(strstr(first, "<svg"));
    assert_non_null(strstr(first, "</svg>"));
    static const char *const words[] = {"Impact",  "t [s]",       "force [N]",
                                        "gap [m]", "closed form", "published"};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        assert_non_null(strstr(first, words[k]));
    assert_ok(scratch->ctx, stick_plot_write(scratch->ctx, path, &two_panels, &made));
    assert_ok(scratch->ctx, stick_file_read(scratch->ctx, path, &second, &count));
    assert_string_equal(first, second);
    assert_int_equal(stick_diagnostic_count(scratch->ctx), 0);
    assert_false(stick_file_exists(scratch_path(scratch, "it's.svg.new")));
    stick_free(scratch->ctx, first);
    stick_free(scratch->ctx, second);
}

static void odd_data_are_drawn_without_complaint(void **state)
{
    Scratch *scratch = *state;
    static const double gaps[] = {NAN, INFINITY, -INFINITY, 1e305}, same[] = {5, 5, 5, 5},
                        tiny[] = {1, 1 + 4e-16, 1, 1};
    static const double wide[] = {-1e300, 1e299, 5e-324, 0};
    static const double *const odd[] = {gaps, same, tiny, wide};
    if (!have_program("gnuplot"))
        skip();
    for (int k = 0; k < 8; k++) {
        StickPlotSeries series = {"odd", STICK_PLOT_LINE, k == 7 ? 0 : 4, x, odd[k % 4]};
        StickPlotPanel panel = {NULL, k >= 4, 1, &series};
        StickPlot plot = {.npanels = 1, .panel = &panel, .log_x = k >= 4};
        bool made = false;
        const char *path = scratch_path(scratch, "odd.svg");
        assert_ok(scratch->ctx, stick_plot_write(scratch->ctx, path, &plot, &made));
        assert_true(made);
        assert_well_formed_xml(path);
    }
}

// ---- without gnuplot, and with one that fails

static StickStatus write_with_path(Scratch *scratch, const char *search, const char *picture, bool *made)
{
    char before[4096];
    snprintf(before, sizeof before, "%s", getenv("PATH"));
    setenv("PATH", search, 1);
    StickStatus status = stick_plot_write(scratch->ctx, picture, &two_panels, made);
    setenv("PATH", before, 1);
    return status;
}

static void without_gnuplot_there_is_a_warning(void **state)
{
    Scratch *scratch = *state;
    bool made = true;
    const char *path = scratch_path(scratch, "a.svg");
    assert_ok(scratch->ctx, write_with_path(scratch, scratch->folder, path, &made));
    assert_false(made);
    assert_int_equal(stick_diagnostic_count(scratch->ctx), 1);
    assert_int_equal(stick_diagnostic(scratch->ctx, 0)->severity, STICK_WARNING);
    assert_non_null(strstr(stick_diagnostic(scratch->ctx, 0)->text, "no gnuplot"));
    assert_false(stick_file_exists(path));
    assert_false(stick_file_exists(scratch_path(scratch, "a.svg.new")));
}

static void when_gnuplot_fails_the_old_picture_stays(void **state)
{
    Scratch *scratch = *state;
    static const char fake[] = "#!/bin/sh\necho half a picture\necho 'line 0: it broke' >&2\nexit 3\n";
    bool made = true;
    const char *program = scratch_path(scratch, "gnuplot");
    assert_ok(scratch->ctx, stick_file_write(scratch->ctx, program, fake, strlen(fake)));
    assert_int_equal(chmod(program, 0755), 0);
    const char *path = scratch_path(scratch, "a.svg");
    assert_ok(scratch->ctx, stick_file_write(scratch->ctx, path, "old", 3));
    assert_int_equal(write_with_path(scratch, scratch->folder, path, &made), STICK_IO);
    assert_false(made);
    assert_error_says(scratch->ctx, "exit code 3): line 0: it broke");
    assert_file_is(scratch->ctx, path, "old");
    assert_false(stick_file_exists(scratch_path(scratch, "a.svg.new")));
}

// Ctrl-C reaches gnuplot as well.
static void an_interrupt_of_gnuplot_is_an_interrupt(void **state)
{
    Scratch *scratch = *state;
    static const char fake[] = "#!/bin/sh\nkill -INT $$\n";
    bool made = true;
    const char *program = scratch_path(scratch, "gnuplot");
    assert_ok(scratch->ctx, stick_file_write(scratch->ctx, program, fake, strlen(fake)));
    assert_int_equal(chmod(program, 0755), 0);
    const char *path = scratch_path(scratch, "a.svg");
    assert_int_equal(write_with_path(scratch, scratch->folder, path, &made), STICK_INTERRUPTED);
    assert_false(made);
    assert_error_says(scratch->ctx, "interrupted while gnuplot drew");
    assert_false(stick_file_exists(scratch_path(scratch, "a.svg.new")));
}

static void wrong_plots_are_refused(void **state)
{
    Scratch *scratch = *state;
    bool made;
    StickPlotPanel none = {0};
    StickPlot plot = {.npanels = 1, .panel = &none}, narrow = two_panels, flat = two_panels;
    const char *path = scratch_path(scratch, "a.svg");
    assert_int_equal(stick_plot_write(scratch->ctx, path, &plot, &made), STICK_BAD_INPUT);
    assert_error_says(scratch->ctx, "panel 1");
    narrow.width = 100;
    assert_int_equal(stick_plot_write(scratch->ctx, path, &narrow, &made), STICK_BAD_INPUT);
    flat.panel_height = 1;
    assert_int_equal(stick_plot_write(scratch->ctx, path, &flat, &made), STICK_BAD_INPUT);
    plot.npanels = 0;
    assert_int_equal(stick_plot_write(scratch->ctx, path, &plot, &made), STICK_BAD_INPUT);
    if (have_program("gnuplot"))
        assert_int_equal(
            stick_plot_write(scratch->ctx, scratch_path(scratch, "no/a.svg"), &two_panels, &made), STICK_IO);
}

// ---- curves

static void values_that_cannot_be_drawn_make_gaps(void **state)
{
    StickText linear = script_of_curve(*state, 4, x, y, false), log = script_of_curve(*state, 4, x, y, true);
    assert_non_null(strstr(linear.bytes, "$s0 << EOD\n0 1\n1 -2\n\n3 4\nEOD\n"));
    assert_non_null(strstr(linear.bytes, "set xrange [0:3]\n"));
    assert_non_null(strstr(linear.bytes, "set yrange [-2.36:4.36]\n"));
    assert_non_null(strstr(log.bytes, "$s0 << EOD\n0 1\n\n\n3 4\nEOD\n"));
    assert_non_null(strstr(log.bytes, "set logscale y\n"));
    stick_text_destroy(&linear);
    stick_text_destroy(&log);
}

// A logarithmic axis of a few decades is labelled by them, a shorter one has numbers between them.
static void short_logarithmic_axes_have_numbers(void **state)
{
    static const struct {
        double high;
        const char *tics;
    } axes[] = {{1e4, "set ytics autofreq\n"},
                {30, "set ytics (1e+00, 2e+00, 5e+00, 1e+01, 2e+01)\n"},
                {3, "set ytics (1e+00, 2e+00, 3e+00)\n"}};
    for (size_t k = 0; k < sizeof axes / sizeof *axes; k++) {
        double values[2] = {1, axes[k].high};
        StickText script = script_of_curve(*state, 2, x, values, true);
        assert_non_null(strstr(script.bytes, axes[k].tics));
        assert_non_null(strstr(script.bytes, "set xtics autofreq\n"));
        stick_text_destroy(&script);
    }
}

// A spike of one sample among a million must be seen.
// Marks are lines through all panels, with words in the first; those beyond the curves are left out.
static void marks_stand_where_the_curves_are(void **state)
{
    static const double at[] = {0, 1, 2}, value[] = {0, 3, 4};
    StickPlotSeries series = {NULL, STICK_PLOT_DOTS, 3, at, value};
    StickPlotPanel panel[] = {{NULL, false, 1, &series}, {NULL, false, 1, &series}};
    StickPlotMark mark[] = {{0.5, "early"}, {2, "late"}, {2.5, "beyond"}};
    StickPlot plot = {.npanels = 2, .panel = panel, .nmarks = 3, .mark = mark};
    StickText script = script_of(*state, &plot);
    int lines = 0;
    for (const char *c = script.bytes; (c = strstr(c, "set arrow from 0.5, graph 0 to 0.5, graph 1")); c++)
        lines++;
    assert_int_equal(lines, 2);
    assert_non_null(
        strstr(script.bytes, "set label 'early' at 0.5, graph 0.03 left rotate")); // below the curve
    assert_null(strstr(strstr(script.bytes, "'early'") + 1, "'early'"));
    assert_non_null(strstr(script.bytes, "set label 'late'"));
    assert_null(strstr(script.bytes, "beyond"));
    assert_non_null(strstr(script.bytes, "points pointtype 7"));
    stick_text_destroy(&script);
}

static void long_curves_keep_their_extremes(void **state)
{
    enum { N = 1000000 };
    double *at = calloc(N, sizeof *at), *value = calloc(N, sizeof *value);
    for (int k = 0; k < N; k++) {
        at[k] = k;
        value[k] = sin(k * 1e-4);
    }
    value[123457] = 77;
    value[654321] = -55;
    StickText script = script_of_curve(*state, N, at, value, false);
    assert_non_null(strstr(script.bytes, "\n123457 77\n"));
    assert_non_null(strstr(script.bytes, "\n654321 -55\n"));
    assert_non_null(strstr(script.bytes, "\n0 0\n"));
    assert_non_null(strstr(script.bytes, "\n999999 "));
    assert_in_range(script.length, 1000, 300000);
    stick_text_destroy(&script);
    free(at);
    free(value);
}

// Legends stand above the area where the curves are, whatever their number.
static void legends_never_cover_curves(void **state)
{
    StickPlotSeries many[20];
    for (int k = 0; k < 20; k++)
        many[k] = (StickPlotSeries){"velocity of some body", STICK_PLOT_LINE, 4, x, y};
    for (int n = 1; n <= 20; n++) {
        StickPlotPanel panel = {NULL, false, n, many};
        StickPlot plot = {.npanels = 1, .panel = &panel};
        StickText script = script_of(*state, &plot);
        double top = strtod(strstr(script.bytes, "set tmargin at screen ") + 22, NULL);
        int entries = 0;
        for (const char *c = script.bytes; (c = strstr(c, "set label 'velocity")); c++, entries++) {
            double at_x, at_y;
            assert_int_equal(sscanf(strstr(c, "at screen"), "at screen %lf, screen %lf", &at_x, &at_y), 2);
            assert_true(at_y > top && at_y < 1 && at_x > 0 && at_x < 0.9);
        }
        assert_int_equal(entries, n);
        stick_text_destroy(&script);
    }
}

static StickStatus write_plot(StickContext *ctx, void *path)
{
    bool made;
    return stick_plot_write(ctx, path, &two_panels, &made);
}

static void every_allocation_may_fail(void **state)
{
    char path[512];
    snprintf(path, sizeof path, "%s", scratch_path(*state, "a.svg"));
    assert_survives_failing_memory(write_plot, path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(words_stand_in_single_quotes_on_one_line),
        test_with_scratch(gnuplot_runs_no_words),
        test_with_scratch(a_picture_is_made),
        test_with_scratch(odd_data_are_drawn_without_complaint),
        test_with_scratch(without_gnuplot_there_is_a_warning),
        test_with_scratch(when_gnuplot_fails_the_old_picture_stays),
        test_with_scratch(an_interrupt_of_gnuplot_is_an_interrupt),
        test_with_scratch(wrong_plots_are_refused),
        test_with_context(values_that_cannot_be_drawn_make_gaps),
        test_with_context(short_logarithmic_axes_have_numbers),
        test_with_context(marks_stand_where_the_curves_are),
        test_with_context(long_curves_keep_their_extremes),
        test_with_context(legends_never_cover_curves),
        test_with_scratch(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("output.plot", tests, NULL, NULL);
}
