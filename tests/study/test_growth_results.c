// SPDX-License-Identifier: Apache-2.0
// Growth and frequency from the table of a disturbance.
#include "study/blocks.h"

#include "output/table.h"
#include "study/checks.h"
#include "study/growth_results.h"

#include <math.h>

#define STEPS                                                                      \
    BLOCK_ON_PLATE                                                                 \
    "steps: [{name: drag, quasistatic: {end: 3}}, {name: table, stability: {}},\n" \
    "        {name: shake, dynamics: {step: 0.1, end: 4, perturb: {random: 1}}}]\n"

// What a table says: a = amplitude exp((growth + i omega) t), its part of the disturbance, and what happens late.
typedef struct Course {
    int rows;
    double h, amplitude, growth, omega;
    double others;     // displacement of the rest at the start, which stays
    double drift;      // of the mode by something else, constant
    double fast, late; // speeds are too fast, statuses change from here on
    double rounding;
    double predicted_growth, predicted_frequency;
} Course;

static void write_course(Scratch *scratch, const Course *c)
{
    static const char *const columns[] = {"t [s]",       "real [m]",    "imaginary [m]", "amplitude [m]",
                                          "largest [m]", "speed_ratio", "changed"};
    static const char *const predicted[] = {"t [s]", "mode", "growth [1/s]", "frequency [1/s]",
                                            "rounding [m]"};
    StickContext *ctx = scratch->ctx;
    StickTable *table;
    assert_ok(ctx, stick_folder_create(ctx, scratch_path(scratch, "history")));
    assert_ok(ctx, stick_folder_create(ctx, scratch_path(scratch, "stability/shake")));
    assert_ok(ctx,
              stick_table_create(ctx, scratch_path(scratch, "history/shake-growth.csv"), columns, 7, &table));
    for (int k = 0; k < c->rows; k++) {
        double t = k * c->h, grown = c->amplitude * exp(c->growth * t);
        double real = grown * cos(c->omega * t) + c->drift, imaginary = grown * sin(c->omega * t);
        double size = hypot(real, imaginary);
        const double row[] = {3 + t,
                              real,
                              imaginary,
                              size,
                              size + c->others,
                              k == 0         ? NAN
                              : t >= c->fast ? 0.2
                                             : 0.01,
                              t >= c->late ? 2 : 0};
        assert_ok(ctx, stick_table_row(table, row));
    }
    assert_ok(ctx, stick_table_close(table));
    const double row[] = {3, 5, c->predicted_growth, c->predicted_frequency, c->rounding};
    assert_ok(ctx, stick_table_create(ctx, scratch_path(scratch, "stability/shake/mode.csv"), predicted, 5,
                                      &table));
    assert_ok(ctx, stick_table_row(table, row));
    assert_ok(ctx, stick_table_close(table));
}

static const double two_pi = 6.283185307179586;

// 10 periods of 1 s.
static Course plain(void)
{
    return (Course){.rows = 501,
                    .h = 0.02,
                    .amplitude = 1e-6,
                    .growth = 0.5,
                    .omega = two_pi,
                    .fast = 100,
                    .late = 100,
                    .rounding = 1e-16,
                    .predicted_growth = 0.4,
                    .predicted_frequency = 0.8};
}

typedef struct Numbers {
    double growth, frequency, predicted_growth, predicted_frequency, growth_error, frequency_error,
        linear_until, from, to;
} Numbers;

static Numbers numbers_of(Scratch *scratch, const Course *course)
{
    Study study;
    Numbers numbers;
    double value[STICK_GROWTH_NUMBERS];
    write_course(scratch, course);
    make_study(scratch->ctx, STEPS, &study);
    assert_ok(scratch->ctx,
              stick_growth_numbers(scratch->ctx, scratch->folder, &study.model->step[2], value));
    stick_diagnostics_clear(scratch->ctx);
    assert_ok(scratch->ctx, stick_growth_warn(scratch->ctx, scratch->folder, &study.model->step[2]));
    assert_int_equal(stick_diagnostic_count(scratch->ctx) > 0, isnan(value[0]));
    memcpy(&numbers, value, sizeof numbers);
    drop_study(&study);
    return numbers;
}

static void a_pure_mode_is_measured(void **state)
{
    Course course = plain();
    Numbers n = numbers_of(*state, &course);
    assert_near(n.growth, 0.5, 1e-12);
    assert_near(n.frequency, 1, 1e-12);
    assert_near(n.growth_error, 0.25, 1e-12);
    assert_near(n.frequency_error, 0.25, 1e-12);
    assert_true(n.predicted_growth == 0.4 && n.predicted_frequency == 0.8);
    assert_true(isnan(n.linear_until));
    assert_near(n.from, 3, 1e-12);
    assert_near(n.to, 13, 1e-12);
    assert_null(stick_growth_number_name(STICK_GROWTH_NUMBERS));
}

// Before, the mode is buried; later, sliding changes too much, and then statuses do.
static void only_small_and_seen_motion_counts(void **state)
{
    Course course = plain();
    course.others = 1e-3; // 99 times the mode at exp(0.5 t) = 10.1
    course.fast = 8.5;
    course.late = 9;
    Numbers n = numbers_of(*state, &course);
    assert_near(n.growth, 0.5, 1e-12);
    assert_near(n.from, 3 + 2 * log(1000.0 / 99), 0.021);
    assert_near(n.to, 3 + 8.5, 0.021);
    assert_near(n.linear_until, 12, 1e-9);
    course = plain();
    course.amplitude = 1e-12; // above 1e5 times rounding from exp(0.5 t) = 10 on
    n = numbers_of(*state, &course);
    assert_near(n.from, 3 + 2 * log(10), 0.021);
}

// Less than two periods, or too few rows, are no measurement.
static void too_little_is_nothing(void **state)
{
    Course course = plain();
    course.late = 2.4;
    Numbers n = numbers_of(*state, &course); // 1.9 predicted periods
    assert_true(isnan(n.growth) && isnan(n.frequency) && isnan(n.growth_error) && isnan(n.from));
    assert_near(n.linear_until, 5.4, 1e-9);
    assert_true(n.predicted_growth == 0.4);
    course.late = 2.6;
    assert_near(numbers_of(*state, &course).growth, 0.5, 1e-12);
    course = plain();
    course.rows = 9;
    course.h = 0.5;
    assert_true(isnan(numbers_of(*state, &course).growth));
    course = plain();
    course.others = 1;
    assert_true(isnan(numbers_of(*state, &course).growth));
}

// Where something else moves the mode, it is measured once it has outgrown that, or not at all.
static void drifts_are_not_taken_for_growth(void **state)
{
    Course course = plain();
    course.drift = 3e-7;
    Numbers n = numbers_of(*state, &course);
    assert_true(n.from > 3 + 3);
    assert_near(n.growth, 0.5, 0.01);
    assert_near(n.frequency, 1, 0.002);
    course.drift = 1e-4;
    n = numbers_of(*state, &course);
    assert_true(isnan(n.growth) && isnan(n.frequency) && isnan(n.from));
}

// Without an oscillation, one time constant is enough.
static void a_divergence_has_no_frequency(void **state)
{
    Course course = plain();
    course.omega = course.predicted_frequency = 0;
    Numbers n = numbers_of(*state, &course);
    assert_near(n.growth, 0.5, 1e-12);
    assert_true(n.frequency == 0 && isnan(n.frequency_error));
    course.late = 2.4; // predicted: 2.5
    assert_true(isnan(numbers_of(*state, &course).growth));
}

static void checks_use_numbers_and_the_table(void **state)
{
    Scratch *scratch = *state;
    Study study;
    StickCheckVerdict verdict[8];
    int failed;
    Course course = plain();
    write_course(scratch, &course);
    make_study(scratch->ctx,
               STEPS "checks:\n"
                     "  - {that: shake.growth, is: 0.5, within: 1e-9}\n"
                     "  - {that: shake.growth_error, at-most: 0.1}\n"
                     "  - {that: max(shake-growth.amplitude), is: 1.4841e-4, within: 1e-8}\n",
               &study);
    assert_ok(scratch->ctx, stick_checks_validate(scratch->ctx, study.run));
    assert_ok(scratch->ctx,
              stick_checks_evaluate(scratch->ctx, study.run, scratch->folder, verdict, &failed));
    assert_int_equal(failed, 1);
    assert_true(verdict[0].passed && !verdict[1].passed && verdict[2].passed);
    drop_study(&study);
    make_study(scratch->ctx, STEPS "checks: [{that: shake.grwth, at-most: 0}]\n", &study);
    assert_int_equal(stick_checks_validate(scratch->ctx, study.run), STICK_BAD_INPUT);
    assert_error_says(scratch->ctx,
                      "the disturbance of step 'shake' has no number 'grwth'; did you mean 'growth'?");
    drop_study(&study);
    make_study(scratch->ctx, STEPS "checks: [{that: max(shake-growth.amplitud), at-most: 0}]\n", &study);
    assert_int_equal(stick_checks_validate(scratch->ctx, study.run), STICK_BAD_INPUT);
    drop_study(&study);
}

static void names_are_not_taken_twice(void **state)
{
    StickContext *ctx = ((Scratch *)*state)->ctx;
    Study study;
    make_study(ctx, STEPS "output: {history: [{name: shake-growth, of: block, what: displacement.x}]}\n",
               &study);
    assert_int_equal(stick_growth_check_names(ctx, study.model), STICK_BAD_INPUT);
    assert_error_says(ctx, "step 'shake' writes a table 'shake-growth', but there is another one");
    drop_study(&study);
}

static StickStatus read_all(StickContext *ctx, void *data)
{
    Scratch *scratch = data;
    const StickStepSpec step = {.name = (char[]){"shake"}};
    double value[STICK_GROWTH_NUMBERS];
    return stick_growth_numbers(ctx, scratch->folder, &step, value);
}

static void every_allocation_fails_once(void **state)
{
    Course course = plain();
    course.rows = 20;
    write_course(*state, &course);
    assert_survives_failing_memory(read_all, *state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_pure_mode_is_measured, make_scratch, drop_scratch),
        cmocka_unit_test_setup_teardown(only_small_and_seen_motion_counts, make_scratch, drop_scratch),
        cmocka_unit_test_setup_teardown(too_little_is_nothing, make_scratch, drop_scratch),
        cmocka_unit_test_setup_teardown(drifts_are_not_taken_for_growth, make_scratch, drop_scratch),
        cmocka_unit_test_setup_teardown(a_divergence_has_no_frequency, make_scratch, drop_scratch),
        cmocka_unit_test_setup_teardown(checks_use_numbers_and_the_table, make_scratch, drop_scratch),
        cmocka_unit_test_setup_teardown(names_are_not_taken_twice, make_scratch, drop_scratch),
        cmocka_unit_test_setup_teardown(every_allocation_fails_once, make_scratch, drop_scratch),
    };
    return cmocka_run_group_tests_name("growth_results", tests, NULL, NULL);
}
