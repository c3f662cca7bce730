// SPDX-License-Identifier: Apache-2.0
#include "study/blocks.h"

#include "study/results.h"

static const StickMark nowhere = {NULL, 0, 0};
static const StickMark somewhere = {"model.yaml", 3, 7};

static double reduced(Scratch *scratch, const char *name, const char *how, double from, double to)
{
    StickSeries series;
    double value = NAN;
    assert_ok(scratch->ctx, stick_series_load(scratch->ctx, scratch->folder, name, nowhere, &series));
    assert_ok(scratch->ctx, stick_series_reduce(scratch->ctx, &series, how, from, to, nowhere, &value));
    stick_series_destroy(scratch->ctx, &series);
    return value;
}

// ---- reductions

// 0, -1, 4, 16 at t = 0, 1, 2, 4, uneven on purpose: every number by hand.
static void test_reductions_by_hand(void **state)
{
    Scratch *scratch = *state;
    write_table(scratch, "force", "t [s],force [N],exact [N]\n0,0,1\n1,-1,1\n2,4,1\n4,16,1\n");
    double all = INFINITY;
    assert_near(reduced(scratch, "force", "first", -all, all), 0, 0);
    assert_near(reduced(scratch, "force", "final", -all, all), 16, 0);
    assert_near(reduced(scratch, "force", "max", -all, all), 16, 0);
    assert_near(reduced(scratch, "force", "min", -all, all), -1, 0);
    assert_near(reduced(scratch, "force", "largest", -all, all), 16, 0);
    assert_near(reduced(scratch, "force", "mean", -all, all), 4.75, 1e-15);
    assert_near(reduced(scratch, "force", "rms", -all, all), sqrt(273 / 4.0), 1e-14);
    assert_near(reduced(scratch, "force", "std", -all, all), sqrt(273 / 4.0 - 4.75 * 4.75), 1e-14);
    assert_near(reduced(scratch, "force", "integral", -all, all), -0.5 + 1.5 + 20, 1e-15);
    assert_near(reduced(scratch, "force.exact", "integral", -all, all), 4, 1e-15);
}

// A window takes the rows from its first to its last time, both included.
static void test_window(void **state)
{
    Scratch *scratch = *state;
    write_table(scratch, "force", "t [s],force [N]\n0,0\n1,-10\n2,4\n4,16\n");
    assert_near(reduced(scratch, "force", "first", 1, 2), -10, 0);
    assert_near(reduced(scratch, "force", "final", 1, 2), 4, 0);
    assert_near(reduced(scratch, "force", "largest", 1, 2), 10, 0);
    assert_near(reduced(scratch, "force", "mean", 1, 2), -3, 1e-15);
    assert_near(reduced(scratch, "force", "std", 1, 2), 7, 1e-14);
    assert_near(reduced(scratch, "force", "integral", 1, 2), -3, 1e-15);
    assert_near(reduced(scratch, "force", "std", 4, 9), 0, 0);
}

// The mean square minus the square of the mean would be all rounding here.
static void test_spread_of_a_large_value(void **state)
{
    Scratch *scratch = *state;
    write_table(scratch, "force", "t [s],force [N]\n0,1000000000000\n1,1000000000001\n2,1000000000002\n");
    assert_near(reduced(scratch, "force", "std", -1, 9), sqrt(2.0 / 3), 1e-12);
}

// A gap without antagonist is nan: extremes and means pass over it, and without any number there is none to pass a check.
static void test_rows_without_a_number(void **state)
{
    Scratch *scratch = *state;
    write_table(scratch, "gap", "t [s],gap [m]\n0,nan\n1,-3\n2,2\n3,nan\n");
    assert_near(reduced(scratch, "gap", "max", 0, 3), 2, 0);
    assert_near(reduced(scratch, "gap", "min", 0, 3), -3, 0);
    assert_near(reduced(scratch, "gap", "largest", 0, 3), 3, 0);
    assert_near(reduced(scratch, "gap", "mean", 0, 3), -0.5, 1e-15);
    assert_near(reduced(scratch, "gap", "std", 0, 3), 2.5, 1e-15);
    assert_near(reduced(scratch, "gap", "rms", 0, 3), sqrt(6.5), 1e-15);
    assert_true(isnan(reduced(scratch, "gap", "mean", 3, 3)));
    assert_true(isnan(reduced(scratch, "gap", "final", 0, 3)));
    assert_true(isnan(reduced(scratch, "gap", "integral", 0, 3)));
    assert_true(isnan(reduced(scratch, "gap", "max", 3, 3)));
    assert_true(isnan(reduced(scratch, "gap", "min", 3, 3)));
    assert_true(isnan(reduced(scratch, "gap", "largest", 3, 3)));
}

// A profile has many rows at one time; its integral is over the surface.
static void test_profile(void **state)
{
    Scratch *scratch = *state;
    StickSeries series;
    double value = 7;
    assert_ok(scratch->ctx, stick_folder_create(scratch->ctx, scratch_path(scratch, "profiles")));
    static const char text[] =
        "t [s],s [m],area [m^2],pressure [N/m^2],reserve\n1,0,2,3,nan\n1,4,4,5,0.5\n2,0,2,1,0\n";
    assert_ok(scratch->ctx, stick_file_write(scratch->ctx, scratch_path(scratch, "profiles/stress.csv"), text,
                                             strlen(text)));
    assert_near(reduced(scratch, "stress.pressure", "integral", 1, 1), 2 * 3 + 4 * 5, 0);
    assert_near(reduced(scratch, "stress.pressure", "integral", 1.5, 9), 2, 0);
    assert_near(reduced(scratch, "stress.pressure", "max", 0, 9), 5, 0);
    assert_near(reduced(scratch, "stress.reserve", "min", 1, 1), 0.5, 0);
    assert_ok(scratch->ctx,
              stick_series_load(scratch->ctx, scratch->folder, "stress.pressure", nowhere, &series));
    assert_int_equal(stick_series_reduce(scratch->ctx, &series, "integral", 0, 9, somewhere, &value),
                     STICK_BAD_INPUT);
    assert_non_null(strstr(stick_last_error(scratch->ctx), "'from' and 'to' enclose t = 1 and 2"));
    assert_near(value, 7, 0);
    stick_series_destroy(scratch->ctx, &series);
}

static void test_reductions_that_cannot_be(void **state)
{
    Scratch *scratch = *state;
    StickSeries series;
    double value = 7;
    write_table(scratch, "force", "t [s],force [N]\n0,0\n1,1\n");
    assert_ok(scratch->ctx, stick_series_load(scratch->ctx, scratch->folder, "force", nowhere, &series));
    assert_int_equal(stick_series_reduce(scratch->ctx, &series, "max", 5, 6, somewhere, &value),
                     STICK_BAD_INPUT);
    assert_error_says(scratch->ctx, "no row of the series lies between t = 5 and 6");
    assert_int_equal(stick_series_reduce(scratch->ctx, &series, "maen", 0, 1, somewhere, &value),
                     STICK_BAD_INPUT);
    assert_error_says(scratch->ctx, "did you mean 'mean'?");
    const StickDiagnostic *said = stick_diagnostic(scratch->ctx, stick_diagnostic_count(scratch->ctx) - 1);
    assert_string_equal(said->file, "model.yaml");
    assert_int_equal(said->line, 3);
    assert_near(value, 7, 0);
    stick_series_destroy(scratch->ctx, &series);
}

// ---- names

static void test_columns_of_the_books(void **state)
{
    Scratch *scratch = *state;
    write_table(scratch, "momentum", "t [s],momentum.x [N s],contact_impulse.y [N s],error\n0,1,2,3\n");
    assert_near(reduced(scratch, "momentum.momentum.x", "final", 0, 0), 1, 0);
    assert_near(reduced(scratch, "momentum.contact_impulse.y", "final", 0, 0), 2, 0);
    assert_near(reduced(scratch, "momentum.error", "final", 0, 0), 3, 0);
}

static void test_one_node_of_a_history_of_each_node(void **state)
{
    Scratch *scratch = *state;
    StickSeries series;
    write_table(scratch, "places", "t [s],places.1 [m],places.12 [m]\n0,5,6\n");
    assert_near(reduced(scratch, "places.12", "final", 0, 0), 6, 0);
    // the first column would pass for all of them
    assert_int_equal(stick_series_load(scratch->ctx, scratch->folder, "places", somewhere, &series),
                     STICK_BAD_INPUT);
    assert_error_says(scratch->ctx, "has a column for each node");
    assert_int_equal(stick_series_load(scratch->ctx, scratch->folder, "places.2", somewhere, &series),
                     STICK_BAD_INPUT);
    assert_error_says(scratch->ctx, "there is no series 'places.2'");
}

// What will be there is known before anything runs.
static void test_series_before_the_run(void **state)
{
    Scratch *scratch = *state;
    StickContext *ctx = scratch->ctx;
    Study study;
    make_study(ctx, BAR_MODEL, &study);
    static const char *const good[] = {"speed",        "speed.exact",         "places.1",         "places.3",
                                       "energy.total", "momentum.momentum.x", "contact.least_gap"};
    static const char *const bad[] = {"sped",         "speed.1", "places",      "places.4",
                                      "places.exact", "energy",  "energy.heat", "momentum.momentum.y"};
    for (size_t k = 0; k < sizeof good / sizeof *good; k++)
        assert_ok(ctx, stick_series_exists(ctx, study.system, good[k], nowhere));
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
        assert_int_equal(stick_series_exists(ctx, study.system, bad[k], somewhere), STICK_BAD_INPUT);
    assert_int_equal(stick_series_exists(ctx, study.system, "sped", somewhere), STICK_BAD_INPUT);
    assert_error_says(ctx, "did you mean 'speed'?");
    drop_study(&study);
}

// ---- numbers

static void test_numbers_of_a_run(void **state)
{
    Scratch *scratch = *state;
    StickContext *ctx = scratch->ctx;
    Study study;
    double value;
    make_study(ctx, BAR_MODEL, &study);
    assert_ok(ctx, stick_simulation_start(study.run, NULL));
    for (int k = 0; k < 5; k++)
        assert_ok(ctx, stick_simulation_step(study.run));
    // half a unit of mass times the square of speed 1, and nothing touches yet
    assert_ok(ctx, stick_number(ctx, study.run, "energy.initial", nowhere, &value));
    assert_near(value, 0.5, 1e-15);
    assert_ok(ctx, stick_number(ctx, study.run, "energy.ratio", nowhere, &value));
    assert_near(value, 1, 1e-13);
    assert_ok(ctx, stick_number(ctx, study.run, "contact.most_active", nowhere, &value));
    assert_near(value, 0, 0);
    assert_int_equal(stick_number(ctx, study.run, "energy.rato", somewhere, &value), STICK_BAD_INPUT);
    assert_error_says(ctx, "did you mean 'energy.ratio'?");
    drop_study(&study);
}

// Errors are held against the loosest tolerance of the steps that ran, and of no later one.
static void test_certified_by_the_tolerances_of_the_steps(void **state)
{
    Scratch *scratch = *state;
    StickContext *ctx = scratch->ctx;
    Study study;
    make_study(ctx, BAR_MODEL, &study);
    StickStatistics *record = &study.run->record;
    assert_true(stick_run_certified(study.run));
    double *const errors[] = {&record->worst_error, &record->worst_scale_free, &record->worst_consistency};
    for (int k = 0; k < 3; k++) {
        *errors[k] = 0.99e-8;
        assert_true(stick_run_certified(study.run));
        *errors[k] = 1.01e-8;
        assert_false(stick_run_certified(study.run));
        *errors[k] = NAN;
        assert_false(stick_run_certified(study.run));
        *errors[k] = 0;
    }
    // steps that were accepted beyond the tolerance, by whichever of these errors: up to 100 times the tolerance
    record->accepted = 1;
    for (int k = 0; k < 3; k++) {
        *errors[k] = 0.99e-6;
        assert_true(stick_run_certified(study.run));
        *errors[k] = 1.01e-6;
        assert_false(stick_run_certified(study.run));
        *errors[k] = 0;
    }
    record->accepted = 0;
    record->worst_error = 1e-4;
    study.model->step[0].tolerance = 1e-3;
    assert_true(stick_run_certified(study.run));
    drop_study(&study);
}

// ---- memory

static StickStatus load_and_reduce(StickContext *ctx, void *data)
{
    Scratch *scratch = data;
    StickSeries series;
    double value;
    STICK_TRY(stick_series_load(ctx, scratch->folder, "force", nowhere, &series));
    StickStatus status = stick_series_reduce(ctx, &series, "max", 0, 1, nowhere, &value);
    stick_series_destroy(ctx, &series);
    return status;
}

static void test_every_allocation_fails_once(void **state)
{
    Scratch *scratch = *state;
    write_table(scratch, "force", "t [s],force [N]\n0,0\n1,1\n");
    assert_survives_failing_memory(load_and_reduce, scratch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_scratch(test_reductions_by_hand),
        test_with_scratch(test_window),
        test_with_scratch(test_spread_of_a_large_value),
        test_with_scratch(test_profile),
        test_with_scratch(test_rows_without_a_number),
        test_with_scratch(test_reductions_that_cannot_be),
        test_with_scratch(test_columns_of_the_books),
        test_with_scratch(test_one_node_of_a_history_of_each_node),
        test_with_scratch(test_series_before_the_run),
        test_with_scratch(test_numbers_of_a_run),
        test_with_scratch(test_certified_by_the_tolerances_of_the_steps),
        test_with_scratch(test_every_allocation_fails_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
