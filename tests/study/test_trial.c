// SPDX-License-Identifier: Apache-2.0
#include "study/trial.h"

#include "base/clock.h"
#include "problems/texts.h"

static const char slipping[] = "2 1 0 2 2 2 2 2 0 0 3 -1 0.5 0.1";

static StickTrial run(StickContext *ctx, const StickTrialOptions *options, const char *text,
                      StickProblemKind kind)
{
    StickProblemFile *file;
    StickTask task;
    StickTrial trial;
    assert_ok(ctx, read_text(ctx, text, kind, &file));
    assert_ok(ctx, stick_task_create(ctx, file, &task));
    assert_ok(ctx, stick_trial_run(&task, options, &trial));
    stick_task_destroy(&task);
    stick_problem_destroy(file);
    return trial;
}

static void solved_again_and_again(void **state)
{
    StickTrialOptions options = {
        .solver = "gauss-seidel", .attempt = {.tolerance = 1e-8}, .limit = 10, .repeats = 5};
    StickTrial trial = run(*state, &options, slipping, STICK_PROBLEM_FRICTION);
    assert_true(trial.reached);
    assert_int_equal(trial.repeats, 5);
    assert_int_equal(trial.end, STICK_SOLVE_CONVERGED);
    assert_true(trial.seconds > 0 && trial.error <= 1e-8);
}

// Sweeps that all but stand still, without a limit of their number: the solver would be at work for hours.
static void one_that_hangs_is_stopped(void **state)
{
    static const char crawling[] = "2 0 2 2 2 2 1 0.9999999999 0.9999999999 1 -1 -1";
    const StickOverride set[] = {{"iterations", "1000000000"}};
    StickTrialOptions options = {.solver = "projected",
                                 .attempt = {.tolerance = 1e-15, .set = set, .nset = 1},
                                 .limit = 0.2,
                                 .repeats = 3};
    double start = stick_clock_wall();
    StickTrial trial = run(*state, &options, crawling, STICK_PROBLEM_LCP);
    assert_below(stick_clock_wall() - start, 5);
    assert_true(trial.stopped);
    assert_false(trial.reached);
    assert_true(isinf(trial.error));
}

static void one_that_refuses_is_counted(void **state)
{
    StickTrialOptions options = {.solver = "no-such", .limit = 1, .repeats = 1};
    StickTrial trial = run(*state, &options, slipping, STICK_PROBLEM_FRICTION);
    assert_true(trial.failed && !trial.reached);
    assert_int_equal(trial.repeats, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(solved_again_and_again),
        test_with_context(one_that_hangs_is_stopped),
        test_with_context(one_that_refuses_is_counted),
    };
    return cmocka_run_group_tests_name("study.trial", tests, NULL, NULL);
}
