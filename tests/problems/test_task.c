// SPDX-License-Identifier: Apache-2.0
#include "problems/task.h"

#include "problems/mixed.h"
#include "problems/texts.h"

static StickAttempt attempt(StickContext *ctx, const StickTask *task, const char *solver,
                            const StickAttemptOptions *options)
{
    StickAttempt made;
    assert_ok(ctx, stick_task_attempt(task, solver, options, &made));
    return made;
}

// One contact in the plane, W = [2 0; 0 3], u_free = (-1, 0.5), mu = 0.1: it slips, r = (0.5, -0.05).
static const char slipping[] = "2 1 0 2 2 2 2 2 0 0 3 -1 0.5 0.1";

static void every_solver_solves_and_is_certified(void **state)
{
    StickProblemFile *file;
    StickTask task;
    StickAttemptOptions options = {.tolerance = 1e-8};
    assert_ok(*state, read_text(*state, slipping, STICK_PROBLEM_FRICTION, &file));
    assert_ok(*state, stick_task_create(*state, file, &task));
    for (int k = 0; stick_task_solver(&task, k); k++) {
        StickAttempt made = attempt(*state, &task, stick_task_solver(&task, k), &options);
        assert_true(made.certified);
        assert_near(made.solution.r[0], 0.5, 1e-6);
        assert_near(made.solution.r[1], -0.05, 1e-6);
        assert_near(made.solution.u[1], 0.35, 1e-6);
        assert_near(made.tolerance, 1e-8, 0);
        stick_attempt_destroy(*state, &made);
    }
    stick_task_destroy(&task);
    stick_problem_destroy(file);
}

static void options_and_guess_are_used(void **state)
{
    StickProblemFile *file;
    StickTask task;
    const StickOverride set[] = {{"iterations", "1"}, {"tolerance", "1e-3"}};
    const double solution[] = {0.5, -0.05};
    StickAttemptOptions options = {.set = set, .nset = 2, .guess = solution};
    assert_ok(*state, read_text(*state, slipping, STICK_PROBLEM_FRICTION, &file));
    assert_ok(*state, stick_task_create(*state, file, &task));
    StickAttempt made = attempt(*state, &task, "gauss-seidel", &options);
    assert_near(made.tolerance, 1e-3, 0);
    assert_true(made.certified);
    stick_attempt_destroy(*state, &made);
    const StickOverride wrong[] = {{"iteration", "1"}};
    options.set = wrong;
    options.nset = 1;
    assert_int_equal(stick_task_attempt(&task, "gauss-seidel", &options, &made), STICK_BAD_INPUT);
    assert_non_null(strstr(stick_last_error(*state), "did you mean 'iterations'"));
    assert_int_equal(stick_task_attempt(&task, "gaus-seidel", &options, &made), STICK_BAD_INPUT);
    assert_non_null(strstr(stick_last_error(*state), "did you mean 'gauss-seidel'"));
    assert_int_equal(stick_task_attempt(&task, "connect-disconnect", &options, &made), STICK_BAD_INPUT);
    assert_non_null(strstr(stick_last_error(*state), "for a friction problem; known: auto, "));
    stick_task_destroy(&task);
    stick_problem_destroy(file);
}

static void complementarity_problem(void **state)
{
    StickProblemFile *file;
    StickTask task;
    StickAttemptOptions options = {0};
    assert_ok(*state, read_text(*state, SMALL_LCP, STICK_PROBLEM_LCP, &file));
    assert_ok(*state, stick_task_create(*state, file, &task));
    assert_string_equal(stick_task_default_solver(&task), "lemke");
    StickAttempt made = attempt(*state, &task, "lemke", &options);
    assert_true(made.certified);
    assert_below(made.error_scale_free, 1e-14);
    assert_near(made.solution.r[0], 0.5, 1e-15); // M = [2 0; 1 3] by rows, q = (-1, -2)
    assert_near(made.solution.r[1], 0.5, 1e-15);
    assert_near(made.solution.u[0], 0, 1e-15);
    stick_attempt_destroy(*state, &made);
    stick_task_destroy(&task);
    stick_problem_destroy(file);
}

// u_free of ONE_GLOBAL is (2.5, -1), (1, 2): both contacts open, v = M^-1 f.
static void global_problem_gets_its_velocity(void **state)
{
    StickProblemFile *file;
    StickTask task;
    StickAttemptOptions options = {0};
    assert_ok(*state, read_text(*state, ONE_GLOBAL, STICK_PROBLEM_GLOBAL, &file));
    assert_ok(*state, stick_task_create(*state, file, &task));
    StickAttempt made = attempt(*state, &task, stick_task_default_solver(&task), &options);
    assert_null(made.solution.v);
    assert_ok(*state, stick_task_complete(&task, &made));
    static const double v[] = {2, -1, 1, 2};
    for (int k = 0; k < 4; k++)
        assert_near(made.solution.v[k], v[k], 1e-14);
    assert_below(made.equilibrium, 1e-14);
    assert_true(made.certified);
    stick_attempt_destroy(*state, &made);
    // r that does not belong to the problem: v follows it, but u does not
    made = attempt(*state, &task, stick_task_default_solver(&task), &options);
    made.solution.r[0] = 1;
    assert_ok(*state, stick_task_complete(&task, &made));
    assert_false(made.certified);
    stick_attempt_destroy(*state, &made);
    stick_task_destroy(&task);
    stick_problem_destroy(file);
}

// One contact in the plane with two bilateral rows, R = -1/3 [1 1; 1 1 + e], V with two equal columns: the
// smaller e, the less the eliminated W has to do with the file.
typedef struct Nearly {
    int W_start[3], W_row[2], full_start[3], full_row[4];
    double W[2], V[4], R[4], q[2], s[2], mu[1];
    StickProblemFile file;
} Nearly;

static void make_nearly_singular(StickContext *ctx, double e, Nearly *made)
{
    *made = (Nearly){.W_start = {0, 1, 2},
                     .W_row = {0, 1},
                     .full_start = {0, 2, 4},
                     .full_row = {0, 1, 0, 1},
                     .W = {2, 3},
                     .V = {0.3, 1, 0.3, 1},
                     .R = {-1. / 3, -1. / 3, -1. / 3, -(1 + e) / 3},
                     .q = {-1, 0.5},
                     .s = {2, 1},
                     .mu = {0.5}};
    made->file.kind = STICK_PROBLEM_FRICTION;
    made->file.mixed = (StickMixedData){{2, 2, made->W_start, made->W_row, made->W},
                                        {2, 2, made->full_start, made->full_row, made->V},
                                        {2, 2, made->full_start, made->full_row, made->R},
                                        made->q,
                                        made->s};
    made->file.friction = (StickFrictionData){.dim = 2, .ncontacts = 1, .mu = made->mu};
    assert_ok(ctx, stick_mixed_eliminate(ctx, &made->file.mixed, &made->file.friction));
}

static bool is_certified(StickContext *ctx, double e)
{
    Nearly nearly;
    StickTask task;
    StickAttemptOptions options = {.tolerance = 1e-8};
    make_nearly_singular(ctx, e, &nearly);
    assert_ok(ctx, stick_task_create(ctx, &nearly.file, &task));
    StickAttempt made = attempt(ctx, &task, "gauss-seidel", &options);
    assert_true(made.certified);
    assert_ok(ctx, stick_task_complete(&task, &made));
    bool certified = made.certified;
    assert_true(certified == (made.equilibrium <= 1e-8));
    stick_attempt_destroy(ctx, &made);
    stick_task_destroy(&task);
    nearly.file.friction.mu = NULL;
    stick_friction_data_destroy(ctx, &nearly.file.friction);
    return certified;
}

static void bilateral_rows_are_certified_as_they_stand(void **state)
{
    assert_true(is_certified(*state, 1));
    assert_true(is_certified(*state, 1e-3));
    assert_false(is_certified(*state, 5e-15));
}

// One kind of problem may accept options that another one rejects.
static void options_are_checked_without_a_problem(void **state)
{
    const StickOverride facets[] = {{"facets", "8"}}, odd[] = {{"facets", "6"}}, unknown[] = {{"foo", "1"}};
    bool both[STICK_METHOD_KINDS] = {true, true}, lcp[STICK_METHOD_KINDS] = {false, true};
    StickAttemptOptions options = {.set = facets, .nset = 1};
    assert_ok(*state, stick_attempt_check(*state, &options, both));
    assert_true(both[0] && !both[1]);
    assert_int_equal(stick_attempt_check(*state, &options, lcp), STICK_USAGE);
    assert_true(lcp[1]);
    options.set = odd;
    assert_int_equal(stick_attempt_check(*state, &options, both), STICK_USAGE);
    assert_non_null(strstr(stick_last_error(*state), "multiple of 4"));
    options.set = unknown;
    assert_int_equal(stick_attempt_check(*state, &options, both), STICK_USAGE);
    assert_non_null(strstr(stick_last_error(*state), "'foo'"));
    assert_int_equal(stick_attempt_check(*state, &(StickAttemptOptions){.tolerance = 2}, both), STICK_USAGE);
}

static StickStatus solve(StickContext *ctx, void *data)
{
    StickProblemFile *file;
    StickTask task = {0};
    StickAttempt made = {0};
    StickAttemptOptions options = {0};
    (void)data;
    STICK_TRY(read_text(ctx, ONE_GLOBAL, STICK_PROBLEM_GLOBAL, &file));
    StickStatus status = stick_task_create(ctx, file, &task);
    if (status == STICK_OK)
        status = stick_task_attempt(&task, "gauss-seidel", &options, &made);
    if (status == STICK_OK)
        status = stick_task_complete(&task, &made);
    stick_attempt_destroy(ctx, &made);
    stick_task_destroy(&task);
    stick_problem_destroy(file);
    return status;
}

static void memory_may_fail(void **state)
{
    assert_survives_failing_memory(solve, *state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(every_solver_solves_and_is_certified),
        test_with_context(options_and_guess_are_used),
        test_with_context(complementarity_problem),
        test_with_context(global_problem_gets_its_velocity),
        test_with_context(bilateral_rows_are_certified_as_they_stand),
        test_with_context(options_are_checked_without_a_problem),
        test_with_context(memory_may_fail),
    };
    return cmocka_run_group_tests_name("problems.task", tests, NULL, NULL);
}
