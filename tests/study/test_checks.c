// SPDX-License-Identifier: Apache-2.0
#include "study/blocks.h"

#include "study/checks.h"

enum { MOST_CHECKS = 16 };

// Evaluates the checks, given as lines of the model, on a table of the history "speed": 1, 2, 6.
static StickStatus judge(Scratch *scratch, const char *checks, StickCheckVerdict verdict[MOST_CHECKS],
                         int *failed)
{
    char text[4096];
    Study study;
    snprintf(text, sizeof text, BAR_MODEL "checks:\n%s", checks);
    write_table(scratch, "speed", "t [s],speed [m/s],exact [m/s]\n0,1,1\n0.5,2,1\n1,6,1\n");
    make_study(scratch->ctx, text, &study);
    assert_true(study.model->nchecks <= MOST_CHECKS);
    StickStatus status = stick_checks_evaluate(scratch->ctx, study.run, scratch->folder, verdict, failed);
    drop_study(&study);
    return status;
}

static void test_bounds(void **state)
{
    Scratch *scratch = *state;
    StickCheckVerdict verdict[MOST_CHECKS];
    int failed;
    static const bool expected[] = {true, false, true, false, true, true, false, true, false};
    assert_ok(scratch->ctx, judge(scratch,
                                  "  - {that: max(speed), at-most: 6}\n"
                                  "  - {that: max(speed), at-most: 5.999}\n"
                                  "  - {that: min(speed), at-least: 1}\n"
                                  "  - {that: min(speed), at-least: 1.001}\n"
                                  "  - {that: mean(speed), is: 3, within: 0}\n"
                                  "  - {that: final(speed), is: 5, within: 1}\n"
                                  "  - {that: final(speed), is: 5, within: 0.99}\n"
                                  "  - {that: final(speed), is: 5, within-percent: 21}\n"
                                  "  - {that: final(speed), is: 5, within-percent: 19}\n",
                                  verdict, &failed));
    for (size_t k = 0; k < sizeof expected / sizeof *expected; k++)
        assert_int_equal(verdict[k].passed, expected[k]);
    assert_int_equal(failed, 4);
    assert_error_says(scratch->ctx, "check failed: final(speed) is 6, not within 0.95 of 5");
}

static void test_window_of_a_check(void **state)
{
    Scratch *scratch = *state;
    StickCheckVerdict verdict[MOST_CHECKS];
    int failed;
    assert_ok(scratch->ctx, judge(scratch,
                                  "  - {that: max(speed), from: 0, to: 0.5, is: 2, within: 0}\n"
                                  "  - {that: integral(speed), from: 0.5, to: 1, is: 2, within: 1e-14}\n"
                                  "  - {that: mean(speed.exact), is: 1, within: 0}\n",
                                  verdict, &failed));
    assert_int_equal(failed, 0);
}

static void test_numbers(void **state)
{
    Scratch *scratch = *state;
    StickCheckVerdict verdict[MOST_CHECKS];
    int failed;
    assert_ok(scratch->ctx,
              judge(scratch, "  - {that: contact.solves, is: 0, within: 0}\n", verdict, &failed));
    assert_int_equal(failed, 0);
    assert_near(verdict[0].value, 0, 0);
}

// nan is neither above nor below anything: a check never passes by it.
static void test_no_number_passes_no_check(void **state)
{
    Scratch *scratch = *state;
    Study study;
    StickCheckVerdict verdict[MOST_CHECKS];
    int failed;
    make_study(scratch->ctx,
               BAR_MODEL "checks:\n  - {that: max(speed), at-most: 1}\n  - {that: max(speed), at-least: -1}\n"
                         "  - {that: largest(speed), is: 0, within: 1}\n"
                         "  - {that: integral(speed), at-most: 1}\n",
               &study);
    write_table(scratch, "speed", "t [s],speed [m/s],exact [m/s]\n0,nan,1\n");
    assert_ok(scratch->ctx,
              stick_checks_evaluate(scratch->ctx, study.run, scratch->folder, verdict, &failed));
    assert_int_equal(failed, 3);
    // whatever the sign that the processor gives it
    write_table(scratch, "speed", "t [s],speed [m/s],exact [m/s]\n0,inf,1\n1,-inf,1\n");
    assert_ok(scratch->ctx,
              stick_checks_evaluate(scratch->ctx, study.run, scratch->folder, verdict, &failed));
    assert_error_says(scratch->ctx, "integral(speed) is nan, not at most 1");
    drop_study(&study);
}

// A check that cannot be evaluated is said, and the ones behind it are judged all the same.
static void test_the_others_are_judged(void **state)
{
    Scratch *scratch = *state;
    StickCheckVerdict verdict[MOST_CHECKS];
    int failed;
    assert_int_equal(judge(scratch,
                           "  - {that: max(speed), from: 5, to: 6, at-most: 1}\n"
                           "  - {that: max(speed), at-most: 1}\n  - {that: max(speed), at-most: 7}\n",
                           verdict, &failed),
                     STICK_BAD_INPUT);
    assert_int_equal(failed, 1);
    assert_false(verdict[0].passed);
    assert_true(isnan(verdict[0].value));
    assert_false(verdict[1].passed);
    assert_true(verdict[2].passed);
}

// What a check speaks of is looked up before the run, all of it.
static void test_validation(void **state)
{
    Scratch *scratch = *state;
    StickContext *ctx = scratch->ctx;
    Study study;
    make_study(ctx,
               BAR_MODEL "checks:\n  - {that: max(spede), at-most: 1}\n  - {that: energy.ratoi, at-most: 1}\n"
                         "  - {that: max(energy.total), at-most: 1}\n",
               &study);
    size_t before = stick_diagnostic_count(ctx);
    assert_int_equal(stick_checks_validate(ctx, study.run), STICK_BAD_INPUT);
    assert_int_equal(stick_diagnostic_count(ctx) - before, 2);
    assert_string_equal(stick_diagnostic(ctx, before)->text,
                        "there is no series 'spede'; did you mean 'speed'?");
    assert_int_equal(stick_diagnostic(ctx, before)->line, 10);
    drop_study(&study);
}

static void test_bound_as_text(void **state)
{
    (void)state;
    char text[128];
    StickCheckSpec check = {.kind = STICK_CHECK_IS, .value = 5, .within = 0.1};
    stick_check_bound(&check, text, sizeof text);
    assert_string_equal(text, "within 0.1 of 5");
    check.kind = STICK_CHECK_AT_MOST;
    stick_check_bound(&check, text, sizeof text);
    assert_string_equal(text, "at most 5");
    check.kind = STICK_CHECK_AT_LEAST;
    stick_check_bound(&check, text, sizeof text);
    assert_string_equal(text, "at least 5");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_scratch(test_bounds),
        test_with_scratch(test_window_of_a_check),
        test_with_scratch(test_numbers),
        test_with_scratch(test_no_number_passes_no_check),
        test_with_scratch(test_the_others_are_judged),
        test_with_scratch(test_validation),
        cmocka_unit_test(test_bound_as_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
