// SPDX-License-Identifier: Apache-2.0
// Result folders made by hand, so that every difference is known.
#include "output/scratch.h"

#include "output/table.h"
#include "study/compare.h"

static const double pi = 3.14159265358979323846;

// ---- folders

#define MODEL(units, what, cases)                                                                     \
    "stickslip: 1\n"                                                                                  \
    "title: By hand\n" units "materials: {steel: {law: elastic, young: 1, poisson: 0, density: 1}}\n" \
    "bodies: {bar: {mesh: {bar: {length: 1, elements: 2}}, material: steel, velocity: [1]}}\n"        \
    "obstacles: {wall: {plane: {point: [2], normal: [-1]}}}\n"                                        \
    "contacts: [{between: [bar.end, wall], friction: 0}]\n"                                           \
    "parameters: {push: 1}\n"                                                                         \
    "steps: [{name: fly, dynamics: {scheme: theta-euler, step: 0.1, end: 1}}]\n" cases                \
    "output: {history: [{name: speed, of: bar.end, what: " what ", exact: \"1\"},\n"                  \
    "                   {name: places, of: bar, what: displacement.x, each: true}]}\n"

static const char plain_model[] = MODEL("", "velocity.x", "");
static const char two_cases[] = MODEL("", "velocity.x", "cases: {slow: {push: 1}, fast: {push: 2}}\n");
static const char three_cases[] =
    MODEL("", "velocity.x", "cases: {slow: {push: 1}, fast: {push: 2}, last: {push: 3}}\n");

#define SUMMARY(state, certified)                                                                 \
    "{\"stickslip\": \"0.1.0\", \"state\": \"" state "\", \"exit_code\": 0,\n"                    \
    " \"step\": {\"scheme\": \"theta-euler\", \"time_step\": 0.1, \"steps\": 10},\n"              \
    " \"certificate\": {\"certified\": " certified "},\n"                                         \
    " \"numbers\": {\"energy.ratio\": 0.5, \"momentum.scale\": 10, \"contact.iterations\": 7},\n" \
    " \"seconds\": {\"all\": 0.25},\n"                                                            \
    " \"checks\": [{\"that\": \"max(speed)\", \"passed\": true}], \"messages\": []}\n"

static const char good_summary[] = SUMMARY("finished", "true");

static void put(Scratch *scratch, const char *folder, const char *name, const char *text)
{
    char path[200], parent[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    snprintf(parent, sizeof parent, "%s/%s", scratch->folder, path);
    *strrchr(parent, '/') = '\0';
    assert_ok(scratch->ctx, stick_folder_create(scratch->ctx, parent));
    assert_ok(scratch->ctx, stick_file_write(scratch->ctx, scratch_path(scratch, path), text, strlen(text)));
}

static void put_books(Scratch *scratch, const char *folder)
{
    put(scratch, folder, "history/energy.csv", "t [s],kinetic [N m],total [N m],closure\n0,2,2,0\n1,1,2,0\n");
    put(scratch, folder, "history/momentum.csv", "t [s],momentum.x [N s],error\n0,1e-15,0\n1,2e-15,0\n");
    put(scratch, folder, "history/contact.csv", "t [s],error,error_scale_free\n0,0,0\n1,0,0\n");
}

static void make_run(Scratch *scratch, const char *folder)
{
    put(scratch, folder, "model.yaml", plain_model);
    put(scratch, folder, "summary.json", good_summary);
    put(scratch, folder, "history/speed.csv", "t [s],speed [m/s],exact [m/s]\n0,1,1\n0.5,2,1\n1,-4,1\n");
    put(scratch, folder, "history/places.csv", "t [s],places.1 [m],places.2 [m]\n0,0,0\n1,1,1\n");
    put_books(scratch, folder);
}

static void make_study(Scratch *scratch, const char *folder, const char *model)
{
    char one[64];
    put(scratch, folder, "model.yaml", model);
    for (int k = 0; k < 2; k++) {
        snprintf(one, sizeof one, "%s/cases/%s", folder, k ? "fast" : "slow");
        make_run(scratch, one);
    }
}

// ---- comparing

typedef struct Scene {
    char path[4][320];
    const char *folder[4];
    int count;
} Scene;

static Scene scene_of(Scratch *scratch, const char *a, const char *b)
{
    const char *names[] = {a, b};
    Scene scene = {.count = b ? 2 : 1};
    for (int k = 0; k < scene.count; k++)
        snprintf(scene.path[k], sizeof scene.path[k], "%s/%s", scratch->folder, names[k]);
    return scene;
}

static StickStatus compare(Scratch *scratch, Scene scene, double tolerance, const char *base,
                           StickComparison *comparison)
{
    for (int k = 0; k < scene.count; k++)
        scene.folder[k] = scene.path[k];
    StickCompareOptions options = {
        .folder = scene.folder, .nfolders = scene.count, .base = base, .tolerance = tolerance};
    return stick_compare(scratch->ctx, &options, comparison);
}

// Compares a and b, expects the verdict and a reason with these words.
static void expect(Scratch *scratch, double tolerance, StickCompareVerdict verdict, const char *words)
{
    StickComparison comparison;
    assert_ok(scratch->ctx, compare(scratch, scene_of(scratch, "a", "b"), tolerance, NULL, &comparison));
    if (comparison.verdict != verdict)
        fail_msg("%s: %s", stick_compare_verdict_name(comparison.verdict),
                 comparison.nreasons ? comparison.reason[0] : "");
    assert_true(!words == (comparison.nreasons == 0));
    if (words && !strstr(comparison.reason[0], words))
        fail_msg("'%s' is not in '%s'", words, comparison.reason[0]);
    stick_comparison_destroy(&comparison);
}

static void expect_failure(Scratch *scratch, Scene scene, const char *base, StickStatus status,
                           const char *words)
{
    StickComparison comparison;
    assert_int_equal(compare(scratch, scene, 0, base, &comparison), status);
    assert_error_says(scratch->ctx, words);
}

static int series_of(const StickComparison *comparison, const char *name)
{
    for (int s = 0; s < comparison->nseries; s++)
        if (strcmp(comparison->series[s].name, name) == 0)
            return s;
    fail_msg("no series %s", name);
    return -1;
}

// ---- the same, nearly the same, and not

static void test_same_bits(void **state)
{
    Scratch *scratch = *state;
    make_run(scratch, "a");
    make_run(scratch, "b");
    expect(scratch, 0, STICK_COMPARE_SAME_BITS, NULL);
    // a column that is not compared by its value still has bits
    put(scratch, "b", "history/contact.csv", "t [s],error,error_scale_free\n0,0,0\n1,0,1e-17\n");
    expect(scratch, 0, STICK_COMPARE_WITHIN, NULL);
}

static void test_within_tolerance(void **state)
{
    Scratch *scratch = *state;
    StickComparison comparison;
    make_run(scratch, "a");
    make_run(scratch, "b");
    put(scratch, "b", "history/speed.csv",
        "t [s],speed [m/s],exact [m/s]\n0,1.04,1\n0.5,2.04,1\n1,-3.96,1\n");
    expect(scratch, 0.011, STICK_COMPARE_WITHIN, NULL);
    expect(scratch, 0.009, STICK_COMPARE_DIFFERENT, "speed of 'b' differs from 'a' by 0.01 ");
    expect(scratch, 0, STICK_COMPARE_DIFFERENT, "speed of 'b'");
    assert_ok(scratch->ctx, compare(scratch, scene_of(scratch, "a", "b"), 1, NULL, &comparison));
    int s, k;
    assert_true(stick_compare_worst(&comparison, &s, &k));
    assert_string_equal(comparison.series[s].name, "speed");
    assert_string_equal(comparison.series[s].unit, "m/s");
    const StickCompareCell *cell = stick_compare_cell(&comparison, s, k);
    assert_near(cell->rms, 0.01, 1e-15);
    assert_near(cell->largest, 0.01, 1e-15);
    assert_near(cell->final, -3.96, 0);
    assert_near(cell->min, -3.96, 0);
    assert_near(cell->max, 2.04, 0);
    assert_near(cell->exact.rms, sqrt((0.04 * 0.04 + 1.04 * 1.04 + 4.96 * 4.96) / 3), 1e-14);
    assert_near(cell->exact.mean, (0.04 + 1.04 - 4.96) / 3, 1e-15);
    stick_comparison_destroy(&comparison);
}

static void put_sine(Scratch *scratch, const char *folder, int steps)
{
    char path[64];
    const char *const columns[] = {"t [s]", "speed [m/s]", "exact [m/s]"};
    StickTable *table;
    snprintf(path, sizeof path, "%s/history/speed.csv", folder);
    assert_ok(scratch->ctx,
              stick_table_create(scratch->ctx, scratch_path(scratch, path), columns, 3, &table));
    for (int k = 0; k <= steps; k++) {
        double t = 2 * pi * k / steps;
        assert_ok(scratch->ctx, stick_table_row(table, (double[]){t, sin(t), sin(t)}));
    }
    assert_ok(scratch->ctx, stick_table_close(table));
}

// Half the time step: what linear interpolation misses, and nothing else (tests/study/test_difference.c).
static void test_other_time_steps(void **state)
{
    Scratch *scratch = *state;
    StickComparison comparison;
    make_run(scratch, "a");
    make_run(scratch, "b");
    put_sine(scratch, "a", 40);
    put_sine(scratch, "b", 80);
    assert_ok(scratch->ctx, compare(scratch, scene_of(scratch, "a", "b"), 0.01, NULL, &comparison));
    const StickCompareCell *cell = stick_compare_cell(&comparison, series_of(&comparison, "speed"), 1);
    assert_near(cell->rms, (1 - cos(pi / 40)) / sqrt(6), 1e-13);
    assert_near(cell->exact.rms, 0, 0);
    assert_int_equal(comparison.verdict, STICK_COMPARE_WITHIN);
    stick_comparison_destroy(&comparison);
}

// Momenta that cancel leave rounding, which is no difference, whatever it is relative to itself.
static void test_rounding_is_no_difference(void **state)
{
    Scratch *scratch = *state;
    make_run(scratch, "a");
    make_run(scratch, "b");
    put(scratch, "b", "history/momentum.csv", "t [s],momentum.x [N s],error\n0,-3e-15,0\n1,7e-15,0\n");
    expect(scratch, 0, STICK_COMPARE_WITHIN, NULL);
    put(scratch, "b", "history/momentum.csv", "t [s],momentum.x [N s],error\n0,-3e-10,0\n1,7e-15,0\n");
    expect(scratch, 0, STICK_COMPARE_DIFFERENT, "momentum of 'b' differs");
}

static void test_base_that_is_zero(void **state)
{
    Scratch *scratch = *state;
    make_run(scratch, "a");
    make_run(scratch, "b");
    put(scratch, "a", "history/speed.csv", "t [s],speed [m/s],exact [m/s]\n0,0,1\n1,0,1\n");
    expect(scratch, 1e6, STICK_COMPARE_DIFFERENT, "speed of 'b' differs from 'a' by inf");
}

static void test_number_in_one_run_only(void **state)
{
    Scratch *scratch = *state;
    make_run(scratch, "a");
    make_run(scratch, "b");
    put(scratch, "b", "history/speed.csv", "t [s],speed [m/s],exact [m/s]\n0,nan,1\n0.5,2,1\n1,-4,1\n");
    expect(scratch, 0.4, STICK_COMPARE_DIFFERENT,
           "speed is a number in only one of 'b' and 'a' for 0.5 of the time");
    expect(scratch, 0.6, STICK_COMPARE_WITHIN, NULL);
}

static void test_infinite_in_one_run_only(void **state)
{
    Scratch *scratch = *state;
    static const char infinite[] = "t [s],speed [m/s],exact [m/s]\n0,1,1\n0.5,inf,1\n1,-4,1\n";
    make_run(scratch, "a");
    make_run(scratch, "b");
    put(scratch, "b", "history/speed.csv", infinite);
    expect(scratch, 1e6, STICK_COMPARE_DIFFERENT, "speed of 'b' differs from 'a' by inf");
    put(scratch, "a", "history/speed.csv", infinite);
    expect(scratch, 0, STICK_COMPARE_SAME_BITS, NULL);
    put(scratch, "b", "history/speed.csv", "t [s],speed [m/s],exact [m/s]\n0,1,1\n0.5,-inf,1\n1,-4,1\n");
    expect(scratch, 1e6, STICK_COMPARE_DIFFERENT, "speed of 'b' differs from 'a' by inf");
}

// ---- what cannot be compared

static void test_units_must_agree(void **state)
{
    Scratch *scratch = *state;
    Scene scene = scene_of(scratch, "a", "b");
    make_run(scratch, "a");
    make_run(scratch, "b");
    put(scratch, "b", "history/speed.csv", "t [s],speed [mm/s],exact [mm/s]\n0,1,1\n1,1,1\n");
    expect_failure(scratch, scene, NULL, STICK_BAD_INPUT, "speed is in 'm/s' in 'a', but in 'mm/s' in 'b'");
    put(scratch, "b", "history/speed.csv", "t [ms],speed [m/s],exact [m/s]\n0,1,1\n1,1,1\n");
    expect_failure(scratch, scene, NULL, STICK_BAD_INPUT, "time is in 's' in 'a', but in 'ms' in 'b'");
}

static void test_quantities_must_agree(void **state)
{
    Scratch *scratch = *state;
    make_run(scratch, "a");
    make_run(scratch, "b");
    put(scratch, "b", "model.yaml", MODEL("", "displacement.x", ""));
    expect_failure(scratch, scene_of(scratch, "a", "b"), NULL, STICK_BAD_INPUT,
                   "history 'speed' is velocity.x in 'a', but displacement.x in 'b'");
}

static void test_runs_without_a_common_time(void **state)
{
    Scratch *scratch = *state;
    make_run(scratch, "a");
    make_run(scratch, "b");
    put(scratch, "b", "history/speed.csv", "t [s],speed [m/s],exact [m/s]\n3,1,1\n4,1,1\n");
    expect_failure(scratch, scene_of(scratch, "a", "b"), NULL, STICK_BAD_INPUT, "no time in common");
    put(scratch, "b", "history/speed.csv", "t [s],speed [m/s],exact [m/s]\n3,1,1\n2,1,1\n");
    expect_failure(scratch, scene_of(scratch, "a", "b"), NULL, STICK_BAD_INPUT,
                   "time goes from 3 to 2 in row 2");
}

static void test_folders_without_results(void **state)
{
    Scratch *scratch = *state;
    make_run(scratch, "a");
    put(scratch, "empty", "notes.txt", "");
    put(scratch, "begun", "model.yaml", plain_model);
    put(scratch, "begun", "history/speed.csv", "t [s],speed [m/s]\n");
    put_books(scratch, "begun");
    make_run(scratch, "cut");
    put(scratch, "cut", "summary.json", "{\"state\": \"fin");
    expect_failure(scratch, scene_of(scratch, "a", "nowhere"), NULL, STICK_BAD_INPUT,
                   "there is no result folder");
    expect_failure(scratch, scene_of(scratch, "a", "empty"), NULL, STICK_BAD_INPUT, "is no result folder");
    expect_failure(scratch, scene_of(scratch, "begun", "a"), NULL, STICK_BAD_INPUT,
                   "there is no summary.json");
    expect_failure(scratch, scene_of(scratch, "a", "cut"), NULL, STICK_BAD_INPUT, "can't be read");
    expect_failure(scratch, scene_of(scratch, "a", NULL), NULL, STICK_USAGE,
                   "is one run: name another folder");
    make_run(scratch, "other");
    expect_failure(scratch, scene_of(scratch, "a", "other"), "othr", STICK_USAGE, "did you mean 'other'?");
}

// ---- runs that are not as they should be

static void test_failed_and_uncertified_runs(void **state)
{
    Scratch *scratch = *state;
    make_run(scratch, "a");
    make_run(scratch, "b");
    put(scratch, "b", "summary.json", SUMMARY("failed", "true"));
    expect(scratch, 1, STICK_COMPARE_DIFFERENT, "'b' is not finished: its state is 'failed'");
    put(scratch, "b", "summary.json", SUMMARY("finished", "false"));
    expect(scratch, 1, STICK_COMPARE_DIFFERENT, "'b' is not certified");
}

static void test_run_that_ended_early(void **state)
{
    Scratch *scratch = *state;
    make_run(scratch, "a");
    make_run(scratch, "b");
    put(scratch, "b", "history/energy.csv", "t [s],kinetic [N m],total [N m],closure\n0,2,2,0\n0.5,1,2,0\n");
    expect(scratch, 0.1, STICK_COMPARE_DIFFERENT, "'b' has t = 0 to 0.5, but 'a' has 0 to 1");
    expect(scratch, 0.6, STICK_COMPARE_WITHIN, NULL);
}

// The energy goes on to the end, but a history does not, at its end or at its start; no other word is said of it.
static void test_history_that_ended_early(void **state)
{
    Scratch *scratch = *state;
    make_run(scratch, "a");
    make_run(scratch, "b");
    put(scratch, "b", "history/speed.csv", "t [s],speed [m/s],exact [m/s]\n0,1,1\n0.5,2,1\n");
    expect(scratch, 0.1, STICK_COMPARE_DIFFERENT, "speed: 'b' has t = 0 to 0.5, but 'a' has 0 to 1");
    expect(scratch, 0.6, STICK_COMPARE_WITHIN, NULL);
    put(scratch, "b", "history/speed.csv", "t [s],speed [m/s],exact [m/s]\n0.5,2,1\n1,-4,1\n");
    expect(scratch, 0.1, STICK_COMPARE_DIFFERENT, "speed: 'b' has t = 0.5 to 1, but 'a' has 0 to 1");
}

// One reason where a whole run ended early: its tables have the same times.
static void test_early_end_is_told_once(void **state)
{
    Scratch *scratch = *state;
    StickComparison comparison;
    make_run(scratch, "a");
    make_run(scratch, "b");
    put(scratch, "b", "history/energy.csv", "t [s],kinetic [N m],total [N m],closure\n0,2,2,0\n0.5,1,2,0\n");
    put(scratch, "b", "history/momentum.csv", "t [s],momentum.x [N s],error\n0,1e-15,0\n0.5,1e-15,0\n");
    put(scratch, "b", "history/speed.csv", "t [s],speed [m/s],exact [m/s]\n0,1,1\n0.5,2,1\n");
    put(scratch, "b", "history/places.csv", "t [s],places.1 [m],places.2 [m]\n0,0,0\n0.5,0.5,0.5\n");
    assert_ok(scratch->ctx, compare(scratch, scene_of(scratch, "a", "b"), 0.1, NULL, &comparison));
    assert_int_equal(comparison.verdict, STICK_COMPARE_DIFFERENT);
    assert_int_equal(comparison.nreasons, 1);
    assert_string_equal(comparison.reason[0], "'b' has t = 0 to 0.5, but 'a' has 0 to 1");
    stick_comparison_destroy(&comparison);
}

// Both models ask for it: that no run has it makes them no more the same.
static void test_history_that_no_run_has(void **state)
{
    Scratch *scratch = *state;
    make_run(scratch, "a");
    make_run(scratch, "b");
    for (int k = 0; k < 2; k++)
        put(scratch, k ? "a" : "b", "history/places.csv", "t [s],places.1 [m],places.2 [m]\n");
    expect(scratch, 1, STICK_COMPARE_DIFFERENT, "neither 'b' nor 'a' has rows of places");
    for (int k = 0; k < 2; k++)
        assert_int_equal(remove(scratch_path(scratch, k ? "a/history/places.csv" : "b/history/places.csv")),
                         0);
    expect(scratch, 1, STICK_COMPARE_DIFFERENT, "neither 'b' nor 'a' has rows of places");
}

static void test_missing_histories_and_other_nodes(void **state)
{
    Scratch *scratch = *state;
    make_run(scratch, "a");
    make_run(scratch, "b");
    put(scratch, "b", "history/places.csv", "t [s],places.1 [m],places.3 [m]\n0,0,0\n1,1,1\n");
    expect(scratch, 1, STICK_COMPARE_DIFFERENT, "places has other columns in 'b' than in 'a'");
    put(scratch, "b", "history/places.csv", "t [s],places.1 [m],places.2 [m]\n");
    expect(scratch, 1, STICK_COMPARE_DIFFERENT, "'b' has no rows of places, which 'a' has");
}

// ---- cases

static void test_cases_of_one_folder(void **state)
{
    Scratch *scratch = *state;
    StickComparison comparison;
    make_study(scratch, "a", three_cases); // the last one was not run
    put(scratch, "a", "cases/fast/history/speed.csv", "t [s],speed [m/s],exact [m/s]\n0,7,1\n1,7,1\n");
    assert_ok(scratch->ctx, compare(scratch, scene_of(scratch, "a", NULL), 0, NULL, &comparison));
    assert_int_equal(comparison.runs.count, 3);
    assert_int_equal(comparison.verdict, STICK_COMPARE_INFORMATION);
    assert_string_equal(comparison.runs.run[1].name, "fast");
    assert_string_equal(stick_past_run_state(&comparison.runs.run[2]), "no results");
    assert_false(comparison.runs.run[2].there);
    assert_int_equal(comparison.base[1], 0);
    stick_comparison_destroy(&comparison);
    assert_ok(scratch->ctx, compare(scratch, scene_of(scratch, "a", NULL), 10, "fast", &comparison));
    assert_int_equal(comparison.verdict, STICK_COMPARE_DIFFERENT); // the one that was not run
    assert_int_equal(comparison.nreasons, 1);
    assert_int_equal(comparison.base[0], 1);
    stick_comparison_destroy(&comparison);
    put(scratch, "a", "cases/last/summary.json", SUMMARY("failed", "false")); // before it had any rows
    assert_ok(scratch->ctx, compare(scratch, scene_of(scratch, "a", NULL), 0, NULL, &comparison));
    assert_string_equal(stick_past_run_state(&comparison.runs.run[2]), "failed");
    assert_false(comparison.runs.run[2].there);
    stick_comparison_destroy(&comparison);
}

// Two studies: case by case.
static void test_two_studies(void **state)
{
    Scratch *scratch = *state;
    StickComparison comparison;
    make_study(scratch, "a", two_cases);
    make_study(scratch, "b", two_cases);
    for (int k = 0; k < 2; k++)
        put(scratch, k ? "a" : "b", "cases/fast/history/speed.csv",
            "t [s],speed [m/s],exact [m/s]\n0,7,1\n1,7,1\n");
    expect(scratch, 0, STICK_COMPARE_SAME_BITS, NULL);
    assert_ok(scratch->ctx, compare(scratch, scene_of(scratch, "a", "b"), 0, NULL, &comparison));
    assert_string_equal(comparison.runs.run[3].name, "b/fast");
    assert_int_equal(comparison.base[3], 1);
    assert_int_equal(comparison.base[1], 1);
    stick_comparison_destroy(&comparison);
    make_study(scratch, "b", three_cases);
    make_run(scratch, "b/cases/last");
    expect(scratch, 100, STICK_COMPARE_DIFFERENT, "'b/last' has no counterpart in '");
    put(scratch, "a", "model.yaml", three_cases);
    make_run(scratch, "a/cases/last");
    put(scratch, "b", "model.yaml", two_cases);
    expect(scratch, 100, STICK_COMPARE_DIFFERENT, "'a/last' has no counterpart in '");
}

// ---- texts and files

// A folder whose name is hostile, and one whose base is zero: the JSON is one all the same.
static void test_json_reads_back(void **state)
{
    Scratch *scratch = *state;
    StickContext *ctx = scratch->ctx;
    StickComparison comparison;
    StickText text;
    StickArena arena;
    StickYaml *root;
    const char *name = "b \"x\" <script>,\\";
    make_run(scratch, "a");
    make_run(scratch, name);
    put(scratch, "a", "history/speed.csv", "t [s],speed [m/s],exact [m/s]\n0,0,1\n1,0,1\n");
    assert_ok(ctx, compare(scratch, scene_of(scratch, "a", name), 0.5, NULL, &comparison));
    stick_text_init(&text, ctx);
    stick_arena_init(&arena, ctx);
    stick_compare_json(&comparison, &text);
    assert_ok(ctx, stick_text_status(&text));
    assert_ok(ctx, stick_yaml_parse(&arena, &(StickYamlSource){"json", text.bytes, text.length}, &root));
    assert_string_equal(stick_summary_text(root, "verdict"), "different");
    assert_near(stick_summary_number(root, "tolerance"), 0.5, 0);
    const StickYaml *runs = stick_summary_find(root, "runs"), *second = runs->first->next;
    assert_int_equal(runs->count, 2);
    assert_string_equal(stick_summary_text(second, "name"), name);
    assert_string_equal(stick_summary_text(second, "compared_with"), "a");
    assert_near(stick_summary_number(stick_summary_find(second, "numbers"), "contact.iterations"), 7, 0);
    const StickYaml *speed = stick_summary_find(root, "histories")->first;
    const StickYaml *cell = stick_summary_find(speed, "runs")->first->next;
    assert_true(
        stick_yaml_is_null(stick_summary_find(stick_summary_find(cell, "difference"), "rms"))); // infinite
    assert_near(stick_summary_number(stick_summary_find(cell, "exact"), "rms"), sqrt(26.0 / 3), 1e-15);
    stick_text_clear(&text);
    stick_compare_csv(&comparison, &text);
    assert_non_null(strstr(text.bytes, "\nspeed,m/s,\"b \"\"x\"\" <script>,\\\",a,1,-4,-4,2,0,1,inf,inf,"));
    stick_arena_destroy(&arena);
    stick_text_destroy(&text);
    stick_comparison_destroy(&comparison);
}

// What the page of the comparison of a and b says at its top.
static void expect_page(Scratch *scratch, double tolerance, const char *level, const char *headline,
                        const char *words)
{
    StickComparison comparison;
    StickText top, detail;
    assert_ok(scratch->ctx, compare(scratch, scene_of(scratch, "a", "b"), tolerance, NULL, &comparison));
    stick_text_init(&top, scratch->ctx);
    stick_text_init(&detail, scratch->ctx);
    assert_string_equal(stick_compare_page(&comparison, &top, &detail), level);
    assert_string_equal(top.bytes, headline);
    if (!strstr(detail.bytes, words))
        fail_msg("'%s' is not in '%s'", words, detail.bytes);
    stick_text_destroy(&top);
    stick_text_destroy(&detail);
    stick_comparison_destroy(&comparison);
}

static void test_verdict_of_the_page(void **state)
{
    Scratch *scratch = *state;
    StickComparison comparison;
    StickText text;
    make_run(scratch, "a");
    make_run(scratch, "b");
    expect_page(scratch, 0, "good", "The same", "All tables are the same, byte by byte.");
    put(scratch, "b", "history/speed.csv",
        "t [s],speed [m/s],exact [m/s]\n0,1.04,1\n0.5,2.04,1\n1,-3.96,1\n");
    expect_page(scratch, 0.1, "good", "The same",
                "Within the tolerance of 0.1; the largest r.m.s. difference is 0.01 (speed of 'b').");
    expect_page(scratch, 0, "bad", "Different", "speed of 'b' differs from 'a' by 0.01 ");
    put(scratch, "b", "history/places.csv", "t [s],places.1 [m],places.2 [m]\n");
    expect_page(scratch, 0, "bad", "Different", "; speed of 'b' differs");
    // runs may be the same and wrong
    make_run(scratch, "b");
    put(scratch, "b", "summary.json",
        "{\"state\": \"finished\", \"exit_code\": 3, \"certificate\": {\"certified\": true},\n"
        " \"checks\": [{\"that\": \"max(speed)\", \"passed\": false}], \"messages\": []}\n");
    expect_page(scratch, 0, "warning", "The same", "; a check failed in 1 of 2 runs.");
    // cases for information: what they say themselves
    make_study(scratch, "c", two_cases);
    assert_ok(scratch->ctx, compare(scratch, scene_of(scratch, "c", NULL), 0, NULL, &comparison));
    stick_text_init(&text, scratch->ctx);
    assert_null(stick_compare_page(&comparison, &text, &text));
    assert_int_equal(text.length, 0);
    stick_text_destroy(&text);
    stick_comparison_destroy(&comparison);
}

static void test_text_for_people(void **state)
{
    Scratch *scratch = *state;
    StickComparison comparison;
    StickText text;
    make_run(scratch, "a");
    make_run(scratch, "b");
    assert_ok(scratch->ctx, compare(scratch, scene_of(scratch, "a", "b"), 0, NULL, &comparison));
    stick_text_init(&text, scratch->ctx);
    stick_compare_text(&comparison, &text);
    assert_non_null(strstr(text.bytes, "  b                        finished        0       yes"));
    assert_non_null(strstr(text.bytes, "\nspeed [m/s]\n"));
    assert_non_null(strstr(text.bytes, "\nThe same bits\n"));
    stick_text_destroy(&text);
    stick_comparison_destroy(&comparison);
}

static void test_files(void **state)
{
    Scratch *scratch = *state;
    StickComparison comparison;
    make_run(scratch, "a");
    make_run(scratch, "b");
    assert_ok(scratch->ctx, compare(scratch, scene_of(scratch, "a", "b"), 0, NULL, &comparison));
    assert_ok(scratch->ctx, stick_compare_write(&comparison, scratch_path(scratch, "c")));
    assert_true(stick_file_exists(scratch_path(scratch, "c/compare.csv")));
    if (have_program("gnuplot")) {
        assert_well_formed_xml(scratch_path(scratch, "c/speed.svg"));
        assert_true(stick_file_exists(scratch_path(scratch, "c/energy.total.svg")));
        assert_false(stick_file_exists(scratch_path(scratch, "c/places.svg")));
    }
    stick_comparison_destroy(&comparison);
}

// ---- memory

static StickStatus compare_and_write(StickContext *ctx, void *data)
{
    const Scene *scene = data;
    StickComparison comparison;
    StickCompareOptions options = {.folder = scene->folder, .nfolders = scene->count, .tolerance = 1e-3};
    STICK_TRY(stick_compare(ctx, &options, &comparison));
    StickText text;
    stick_text_init(&text, ctx);
    stick_compare_text(&comparison, &text);
    stick_compare_json(&comparison, &text);
    stick_compare_csv(&comparison, &text);
    stick_compare_page(&comparison, &text, &text);
    StickStatus status = stick_text_status(&text);
    stick_text_destroy(&text);
    stick_comparison_destroy(&comparison);
    return status;
}

static void test_every_allocation_fails_once(void **state)
{
    Scratch *scratch = *state;
    Scene scene = scene_of(scratch, "a", "b");
    make_run(scratch, "a");
    make_run(scratch, "b");
    put(scratch, "b", "history/speed.csv", "t [s],speed [m/s],exact [m/s]\n0,2,1\n1,nan,1\n");
    for (int k = 0; k < scene.count; k++)
        scene.folder[k] = scene.path[k];
    assert_survives_failing_memory(compare_and_write, &scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_scratch(test_same_bits),
        test_with_scratch(test_within_tolerance),
        test_with_scratch(test_other_time_steps),
        test_with_scratch(test_rounding_is_no_difference),
        test_with_scratch(test_base_that_is_zero),
        test_with_scratch(test_number_in_one_run_only),
        test_with_scratch(test_infinite_in_one_run_only),
        test_with_scratch(test_units_must_agree),
        test_with_scratch(test_quantities_must_agree),
        test_with_scratch(test_runs_without_a_common_time),
        test_with_scratch(test_folders_without_results),
        test_with_scratch(test_failed_and_uncertified_runs),
        test_with_scratch(test_run_that_ended_early),
        test_with_scratch(test_history_that_ended_early),
        test_with_scratch(test_early_end_is_told_once),
        test_with_scratch(test_history_that_no_run_has),
        test_with_scratch(test_missing_histories_and_other_nodes),
        test_with_scratch(test_cases_of_one_folder),
        test_with_scratch(test_two_studies),
        test_with_scratch(test_json_reads_back),
        test_with_scratch(test_verdict_of_the_page),
        test_with_scratch(test_text_for_people),
        test_with_scratch(test_files),
        test_with_scratch(test_every_allocation_fails_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
