// SPDX-License-Identifier: Apache-2.0
// stickslip compare as a user starts it.
#include "cli/models.h"

#include <sys/stat.h>

static void run_model_with(Scratch *scratch, const char *folder, const char *defines)
{
    char line[256];
    snprintf(line, sizeof line, "run model.yaml -o %s --quiet %s", folder, defines);
    Outcome outcome = run_line(scratch->folder, line);
    assert_code(outcome, 0);
    forget(&outcome);
}

// The output of a line that ends so.
static char *output_of(Scratch *scratch, const char *line, int code)
{
    Outcome outcome = run_line(scratch->folder, line);
    assert_code(outcome, code);
    char *out = outcome.out;
    outcome.out = NULL;
    forget(&outcome);
    return out;
}

// ---- the schemes of two bars

// What the end of the study says of its exact solution is what compare says, and these are its numbers.
static void test_schemes_of_two_bars(void **state)
{
    Scratch *scratch = *state;
    static const char *const lines[] = {
        "contact_velocity against the exact solution (relative to its largest value)\n",
        "  theta                          0.1559      +0.0204\n",
        "  theta-euler                    0.1847      +0.0548\n",
        "  modified-theta                 0.1383      +0.0209\n",
        "  newmark                         1.379     -0.02221\n",
        "contact_force against the exact solution (relative to its largest value)\n",
        "  theta                         0.08503     -0.01259\n",
        "  theta-euler                    0.1338     -0.03708\n",
        "  modified-theta                0.07958     -0.01309\n",
        "  newmark                        0.7309     +0.01764\n",
    };
    char *study = output_of(scratch, "run " STICKSLIP_EXAMPLES "/two-bars.yaml -o bars.out", 0);
    char *compared = output_of(scratch, "compare bars.out", 0);
    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
        assert_says(study, lines[k]);
        assert_says(compared, lines[k]);
    }
    assert_says(compared, "theta-euler              finished        0       yes");
    assert_says(compared, "For information");
    free(study);
    free(compared);
    compared = output_of(scratch, "compare bars.out --tol 0.01", 3); // as a test they are not the same
    assert_says(compared,
                "contact_force of 'modified-theta' differs from 'theta' by 0.0242 (r.m.s., relative)");
    free(compared);
    compared = output_of(scratch, "compare bars.out --base modified-theta", 0);
    assert_says(compared, "modified-theta\n  theta-euler ");
    free(compared);
    expect(scratch->folder, "compare bars.out bars.out", 0, "");
}

// ---- as a test that nothing has changed

static void test_same_and_different_runs(void **state)
{
    Scratch *scratch = *state;
    write_text(scratch->folder, "model.yaml", blocks_model);
    run_model_with(scratch, "a", "");
    run_model_with(scratch, "b", "");
    run_model_with(scratch, "c", "-D h=0.5e-5 -D steps=120");
    char *out = output_of(scratch, "compare a b", 0);
    assert_says(out, "\nThe same bits\n");
    free(out);
    expect(scratch->folder, "compare a c", 3, "error: the runs differ: force of 'c' differs from 'a' by ");
    out = output_of(scratch, "compare a c --tol 0.5", 0);
    assert_says(out, "The same within 0.5; the largest r.m.s. difference is ");
    free(out);
    out = output_of(scratch, "compare a b c --tol 0.5 --json", 0);
    write_text(scratch->folder, "out.json", out);
    assert_json(scratch, "out.json");
    assert_says(out, "\"verdict\": \"within tolerance\"");
    assert_near(json_number(out, "tolerance"), 0.5, 0);
    free(out);
    expect(scratch->folder, "compare a c --json", 3, "error: the runs differ: ");
}

// A run that was stopped is none to agree with.
static void test_interrupted_run(void **state)
{
    Scratch *scratch = *state;
    write_text(scratch->folder, "model.yaml", blocks_model);
    run_model_with(scratch, "a", "");
    run_model_with(scratch, "b", "");
    char *summary = read_text(scratch->folder, "b/summary.json");
    char *found = strstr(summary, "\"finished\"");
    assert_non_null(found);
    memcpy(found, "\"running\" ", 10);
    write_text(scratch->folder, "b/summary.json", summary);
    free(summary);
    expect(scratch->folder, "compare a b", 3, "'b' is not finished: its state is 'running'");
}

// ---- files

static void test_folder_of_a_comparison(void **state)
{
    Scratch *scratch = *state;
    write_text(scratch->folder, "model.yaml", blocks_model);
    run_model_with(scratch, "a", "");
    run_model_with(scratch, "b", "");
    Outcome outcome = run_with(scratch->folder, true, "compare a b -o both");
    assert_code(outcome, 0);
    assert_says(outcome.out, "comparison in both: ");
    char *csv = read_text(scratch->folder, "both/compare.csv");
    assert_says(csv, "history,unit,run,compared_with,first,final,min,max,");
    assert_says(csv, "\nforce,N,b,a,0,");
    free(csv);
    if (have_program("gnuplot"))
        assert_true(exists(scratch->folder, "both/force.svg"));
    bool page = strstr(outcome.out, "compare.html") != NULL; // a program without it says so
    assert_true(page == exists(scratch->folder, "both/compare.html"));
    forget(&outcome);
    expect(scratch->folder, "compare a b -o both", 2, "'both' is there already; --force writes into it");
    expect(scratch->folder, "compare a b -o both --force", 0, "");
    expect(scratch->folder, "compare a b -o a --force", 2, "'a' holds the results of a run");
    expect(scratch->folder, "compare a b -o model.yaml --force", 2, "'model.yaml' is a file");
}

// The page says what the terminal says: that both runs are certified does not make them the same.
static void test_page_of_a_comparison(void **state)
{
    Scratch *scratch = *state;
    write_text(scratch->folder, "model.yaml", blocks_model);
    run_model_with(scratch, "a", "");
    run_model_with(scratch, "b", "");
    run_model_with(scratch, "c", "-D mu=0.4");
    expect(scratch->folder, "compare a b -o same", 0, "");
    expect(scratch->folder, "compare a c -o other", 3, "the runs differ");
    if (!exists(scratch->folder, "same/compare.html"))
        skip(); // this program has no page
    char *same = read_text(scratch->folder, "same/compare.html");
    char *other = read_text(scratch->folder, "other/compare.html");
    assert_says(same, "<header id=\"verdict\" data-level=\"good\">");
    assert_says(same, "<p class=\"headline\">The same</p>");
    assert_says(other, "<header id=\"verdict\" data-level=\"bad\">");
    assert_says(other, "<p class=\"headline\">Different</p>");
    assert_says(other, "<p class=\"detail\">");
    assert_says(strstr(other, "<p class=\"detail\">"), "of &#39;c&#39; differs from &#39;a&#39; by ");
    free(same);
    free(other);
}

// ---- signals

// Starts the line with a standard output that takes no more, so that it can't end, and sends the signal as soon as the
// file is there: nothing may be left that waits for a second one.
static void expect_end_by_signal(Scratch *scratch, const char *line, const char *file, int signal_number)
{
    static const char full[4096];
    int reader;
    unlink(scratch_path(scratch, "stdout.txt"));
    assert_int_equal(mkfifo(scratch_path(scratch, "stdout.txt"), 0666), 0);
    reader = open(scratch_path(scratch, "stdout.txt"), O_RDWR | O_NONBLOCK);
    assert_true(reader >= 0);
    while (write(reader, full, sizeof full) > 0)
        continue;
    pid_t child = start_line(scratch->folder, line);
    double end = clock_now() + STARTED_DEADLINE;
    while (!exists(scratch->folder, file) && clock_now() < end)
        wait_seconds(0.002);
    assert_true(exists(scratch->folder, file));
    kill(child, signal_number);
    assert_int_equal(wait_for(child, 10), -signal_number);
    close(reader);
    unlink(scratch_path(scratch, "stdout.txt"));
}

// What has no state to save ends at the first signal, also the page at the end of a run.
static void test_first_signal_ends_it(void **state)
{
    Scratch *scratch = *state;
    write_text(scratch->folder, "model.yaml", blocks_model);
    run_model_with(scratch, "a", "");
    run_model_with(scratch, "b", "");
    expect_end_by_signal(scratch, "compare a b -o c", "c/compare.csv", SIGINT);
    expect_end_by_signal(scratch, "compare a b -o d", "d/compare.csv", SIGTERM);
    expect(scratch->folder, "compare a b -o e", 0, "");
    if (!exists(scratch->folder, "e/compare.html"))
        return; // this program has no page
    expect_end_by_signal(scratch, "report a", "a/report.html", SIGINT);
    expect_end_by_signal(scratch, "run model.yaml -o f --report", "f/report.html", SIGTERM);
}

// ---- what makes no sense

static void test_wrong_arguments(void **state)
{
    Scratch *scratch = *state;
    write_text(scratch->folder, "model.yaml", blocks_model);
    run_model_with(scratch, "a", "");
    expect(scratch->folder, "compare", 2, "'stickslip compare' takes result folders");
    expect(scratch->folder, "compare a", 2, "'a' is one run: name another folder to compare it with");
    expect(scratch->folder, "compare a nowhere", 4, "there is no result folder 'nowhere'");
    expect(scratch->folder, "compare a model.yaml", 4, "'model.yaml' is a file");
    expect(scratch->folder, "compare a a/history", 4, "no result folder");
    expect(scratch->folder, "compare a a --tol 0", 2, "--tol");
    expect(scratch->folder, "compare a a --base x", 2, "there is no run 'x'");
    expect(scratch->folder, "compare a a --base", 2, "needs a value");
    write_model(scratch->folder, "other.yaml", "title: Two blocks",
                "units: {length: m, mass: kg, time: s, force: kN}");
    expect(scratch->folder, "run other.yaml -o b --quiet", 0, "");
    expect(scratch->folder, "compare a b", 4, "force is in 'N' in 'a', but in 'kN' in 'b'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_scratch(test_schemes_of_two_bars),  test_with_scratch(test_same_and_different_runs),
        test_with_scratch(test_interrupted_run),      test_with_scratch(test_folder_of_a_comparison),
        test_with_scratch(test_wrong_arguments),      test_with_scratch(test_page_of_a_comparison),
        test_with_scratch(test_first_signal_ends_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
