// SPDX-License-Identifier: Apache-2.0
#include "solve/lcp_cases.h"

enum { NMETHODS = STICK_LCP_NEWTON_FISCHER + 1 };

static void every_method_has_a_name_and_a_text(void **state)
{
    StickContext *ctx = *state;
    for (int k = 0; k < NMETHODS; k++) {
        StickLcpOptions options = stick_lcp_options_default();
        assert_true(strlen(stick_lcp_method_text(k)) > 0);
        assert_ok(ctx, stick_options_set(ctx, stick_lcp_options_table, &options, "method",
                                         stick_lcp_method_name(k), (StickMark){0}));
        assert_int_equal(options.method, k);
    }
    assert_string_equal(stick_lcp_method_name(STICK_LCP_KELLER), "keller");
    assert_string_equal(stick_lcp_method_name(STICK_LCP_NEWTON_FISCHER), "newton-fischer");
    assert_null(stick_lcp_method_name(NMETHODS));
    assert_null(stick_lcp_method_text(-1));
}

static void forgotten_defaults_are_refused_by_name(void **state)
{
    StickContext *ctx = *state;
    StickLcpSolver *solver = NULL;
    StickLcpOptions options = {0};
    assert_int_equal(stick_lcp_create(ctx, &options, &solver), STICK_BAD_INPUT);
    assert_non_null(strstr(stick_last_error(ctx), "tolerance"));
    options = stick_lcp_options_default();
    options.relaxation = 2;
    assert_int_equal(stick_lcp_create(ctx, &options, &solver), STICK_BAD_INPUT);
    options = stick_lcp_options_default();
    options.method = (StickLcpMethod)NMETHODS;
    assert_int_equal(stick_lcp_create(ctx, &options, &solver), STICK_BAD_INPUT);
    assert_non_null(strstr(stick_last_error(ctx), "method"));
    assert_null(solver);
}

// What all six must do, for M is symmetric and positive definite.
static void all_methods_agree_on_symmetric_problems(void **state)
{
    static double M[MOST * MOST];
    double q[MOST], exact[MOST];
    StickRandom random = stick_random_seed(6);
    for (int n = 1; n <= 30; n++) {
        manufacture(&random, n, true, M, q, exact);
        for (int k = 0; k < NMETHODS; k++) {
            double z[MOST] = {0};
            StickLcpOptions options = options_of((StickLcpMethod)k);
            options.tolerance = 1e-12;
            StickSolveInfo info = solve_with(*state, options, (StickLcp){n, M, q}, z);
            assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
            assert_below(info.residual, 1e-12);
            for (int i = 0; i < n; i++)
                assert_near(z[i], exact[i], 1e-9);
        }
    }
}

// U of Murty is a P-matrix, not definite: sweeps may need any number of iterations, the other methods are exact.
static void murty_is_solved_by_all(void **state)
{
    double M[144], q[12];
    for (int n = 2; n <= 12; n++) {
        triangle(n, true, M);
        for (int i = 0; i < n; i++)
            q[i] = -1;
        for (int k = 0; k < NMETHODS; k++) {
            double z[12] = {0};
            StickSolveInfo info = solve_with(*state, options_of((StickLcpMethod)k), (StickLcp){n, M, q}, z);
            assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
            for (int i = 0; i < n; i++)
                assert_near(z[i], i == n - 1, 1e-9);
        }
    }
}

static void nothing_to_do_is_done(void **state)
{
    for (int k = 0; k < NMETHODS; k++) {
        double M[4] = {1, 0, 0, 1}, q[2] = {0, 3}, z[2] = {5, 5};
        StickSolveInfo info = solve_with(*state, options_of((StickLcpMethod)k), (StickLcp){2, M, q}, z);
        assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
        assert_int_equal(info.iterations, 0);
        assert_true(z[0] == 0 && z[1] == 0 && info.residual == 0);
        info = solve_with(*state, options_of((StickLcpMethod)k), (StickLcp){0, NULL, NULL}, NULL);
        assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
    }
}

static void assert_refused(StickLcpSolver *solver, StickContext *ctx, StickLcp lcp, double *z,
                           const char *name)
{
    StickSolveInfo info = {.iterations = -5};
    double before = z[1];
    assert_int_equal(stick_lcp_solve(solver, &lcp, z, &info), STICK_BAD_INPUT);
    assert_non_null(strstr(stick_last_error(ctx), name));
    assert_true(z[1] == before && info.iterations == -5);
}

static void wrong_input_is_refused_by_name(void **state)
{
    StickContext *ctx = *state;
    for (int k = 0; k < NMETHODS; k++) {
        StickLcpSolver *solver;
        double M[4] = {1, 0, 0, 1}, q[2] = {-1, -1}, z[2] = {5, 5};
        StickLcpOptions options = options_of((StickLcpMethod)k);
        assert_ok(ctx, stick_lcp_create(ctx, &options, &solver));
        M[2] = NAN;
        assert_refused(solver, ctx, (StickLcp){2, M, q}, z, "M(1,2)");
        M[2] = 0, q[1] = INFINITY;
        assert_refused(solver, ctx, (StickLcp){2, M, q}, z, "q2");
        q[1] = -1;
        assert_refused(solver, ctx, (StickLcp){-1, M, q}, z, "order -1");
        z[0] = NAN;
        if (k >= STICK_LCP_PROJECTED)
            assert_refused(solver, ctx, (StickLcp){2, M, q}, z, "guess of z1");
        stick_lcp_destroy(solver);
    }
}

static void reserved_solve_allocates_nothing(void **state)
{
    static double M[MOST * MOST];
    double q[MOST], exact[MOST];
    StickContext *ctx = *state;
    StickRandom random = stick_random_seed(3);
    manufacture(&random, 30, true, M, q, exact);
    for (int k = 0; k < NMETHODS; k++) {
        StickLcpSolver *solver;
        StickSolveInfo info;
        double z[MOST] = {0};
        StickLcpOptions options = options_of((StickLcpMethod)k);
        assert_ok(ctx, stick_lcp_create(ctx, &options, &solver));
        assert_ok(ctx, stick_lcp_reserve(solver, 30));
        size_t calls = stick_memory_calls(ctx);
        assert_ok(ctx, stick_lcp_solve(solver, &(StickLcp){30, M, q}, z, &info));
        assert_ok(ctx, stick_lcp_solve(solver, &(StickLcp){2, M, q}, z, &info));
        assert_int_equal(stick_memory_calls(ctx), calls);
        stick_lcp_destroy(solver);
    }
}

static void same_input_gives_the_same_bits(void **state)
{
    static double M[MOST * MOST];
    double q[MOST], exact[MOST];
    StickRandom random = stick_random_seed(8);
    manufacture(&random, 40, true, M, q, exact);
    for (int k = 0; k < NMETHODS; k++) {
        double first[MOST] = {0}, second[MOST] = {0};
        solve_with(*state, options_of((StickLcpMethod)k), (StickLcp){40, M, q}, first);
        solve_with(*state, options_of((StickLcpMethod)k), (StickLcp){40, M, q}, second);
        assert_memory_equal(first, second, sizeof first);
    }
}

static StickStatus create_and_solve(StickContext *ctx, void *data)
{
    StickLcpSolver *solver;
    StickSolveInfo info;
    StickLcpOptions options = options_of(*(StickLcpMethod *)data);
    double M[4] = {2, 1, 1, 2}, q[2] = {-5, -6}, z[2] = {0};
    STICK_TRY(stick_lcp_create(ctx, &options, &solver));
    StickStatus status = stick_lcp_reserve(solver, 1);
    if (status == STICK_OK)
        status = stick_lcp_solve(solver, &(StickLcp){2, M, q}, z, &info);
    stick_lcp_destroy(solver);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    StickLcpMethod some[] = {STICK_LCP_LEMKE, STICK_LCP_KELLER};
    (void)state;
    assert_survives_failing_memory(create_and_solve, &some[0]);
    assert_survives_failing_memory(create_and_solve, &some[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(every_method_has_a_name_and_a_text),
        test_with_context(forgotten_defaults_are_refused_by_name),
        test_with_context(all_methods_agree_on_symmetric_problems),
        test_with_context(murty_is_solved_by_all),
        test_with_context(nothing_to_do_is_done),
        test_with_context(wrong_input_is_refused_by_name),
        test_with_context(reserved_solve_allocates_nothing),
        test_with_context(same_input_gives_the_same_bits),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("solve.lcp", tests, NULL, NULL);
}
