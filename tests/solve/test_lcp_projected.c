// SPDX-License-Identifier: Apache-2.0
#include "solve/lcp_cases.h"

static StickLcpOptions relaxed(double relaxation)
{
    StickLcpOptions options = options_of(STICK_LCP_PROJECTED);
    options.tolerance = 1e-13;
    options.relaxation = relaxation;
    return options;
}

static void textbook_problems_are_solved(void **state)
{
    double z[2];
    assert_case_solved(*state, STICK_LCP_PROJECTED, &murty_2, 1e-9);
    assert_case_solved(*state, STICK_LCP_PROJECTED, &cps_4416, 1e-9);
    assert_case_solved(*state, STICK_LCP_PROJECTED, &ortiz, 1e-9);
    assert_int_equal(solve_case(*state, STICK_LCP_PROJECTED, &line, z).end, STICK_SOLVE_CONVERGED);
    assert_near(z[0] + z[1], 1, 1e-9);
}

// Gauss-Seidel on [2 1; 1 2] z = (5, 6): the error of z2 falls by exactly 4 a sweep.
static void error_falls_as_the_theory_says(void **state)
{
    double M[4] = {2, 1, 1, 2}, q[2] = {-5, -6};
    double error = 7.0 / 3;
    for (int sweeps = 1; sweeps < 10; sweeps++) {
        double z[2] = {0, 0};
        StickLcpOptions options = relaxed(1);
        options.iterations = sweeps;
        StickSolveInfo info = solve_with(*state, options, (StickLcp){2, M, q}, z);
        assert_int_equal(info.end, STICK_SOLVE_LIMIT);
        assert_int_equal(info.iterations, sweeps);
        if (sweeps > 1)
            assert_near(fabs(z[1] - 7.0 / 3), error / 4, 1e-14);
        error = fabs(z[1] - 7.0 / 3);
    }
}

static void symmetric_problems_agree_with_lemke_at_any_relaxation(void **state)
{
    assert_agrees_with_lemke(*state, relaxed(0.7), true);
    assert_agrees_with_lemke(*state, relaxed(1), true);
    assert_agrees_with_lemke(*state, relaxed(1.5), true);
}

// -1 2 -1 of order 60, all in contact: the best omega needs far fewer sweeps.
static void over_relaxation_saves_sweeps(void **state)
{
    enum { N = 60 };
    static double M[N * N];
    double q[N], z[N] = {0}, faster[N] = {0};
    for (int k = 0; k < N * N; k++)
        M[k] = k / N == k % N ? 2 : abs(k / N - k % N) == 1 ? -1 : 0;
    for (int i = 0; i < N; i++)
        q[i] = -1;
    double best = 2 / (1 + sin(acos(-1) / (N + 1)));
    StickSolveInfo plain = solve_with(*state, options_of(STICK_LCP_PROJECTED), (StickLcp){N, M, q}, z);
    StickLcpOptions options = options_of(STICK_LCP_PROJECTED);
    options.relaxation = best;
    StickSolveInfo over = solve_with(*state, options, (StickLcp){N, M, q}, faster);
    assert_int_equal(plain.end, STICK_SOLVE_CONVERGED);
    assert_int_equal(over.end, STICK_SOLVE_CONVERGED);
    assert_true(over.iterations * 10 < plain.iterations);
    // z_i = i (N + 1 - i) / 2
    for (int i = 0; i < N; i++)
        assert_near(faster[i], (i + 1) * (N - i) / 2.0, 1e-5);
}

static void guess_is_used_and_kept_if_nothing_is_better(void **state)
{
    double M[4] = {2, 1, 1, 2}, q[2] = {-5, -6}, z[2] = {4.0 / 3, 7.0 / 3};
    StickSolveInfo info = solve_with(*state, options_of(STICK_LCP_PROJECTED), (StickLcp){2, M, q}, z);
    assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
    assert_int_equal(info.iterations, 0);
    // a saddle: the iterates run away
    double start[2] = {0.25, 0.125};
    StickLcpOptions options = relaxed(1.9);
    double away[4] = {1, -9, -9, 1};
    info = solve_with(*state, options, (StickLcp){2, away, q}, start);
    assert_int_equal(info.end, STICK_SOLVE_NOT_FINITE);
    assert_true(start[0] == 0.25 && start[1] == 0.125);
}

static void zero_diagonal_is_refused_by_name(void **state)
{
    StickContext *ctx = *state;
    StickLcpSolver *solver;
    StickSolveInfo info = {.iterations = -5};
    double M[4] = {1, 0, 0, 0}, q[2] = {-1, -1}, z[2] = {5, 5};
    StickLcpOptions options = options_of(STICK_LCP_PROJECTED);
    assert_ok(ctx, stick_lcp_create(ctx, &options, &solver));
    assert_int_equal(stick_lcp_solve(solver, &(StickLcp){2, M, q}, z, &info), STICK_BAD_INPUT);
    assert_non_null(strstr(stick_last_error(ctx), "M(2,2)"));
    assert_true(z[0] == 5 && z[1] == 5 && info.iterations == -5);
    stick_lcp_destroy(solver);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(textbook_problems_are_solved),
        test_with_context(error_falls_as_the_theory_says),
        test_with_context(symmetric_problems_agree_with_lemke_at_any_relaxation),
        test_with_context(over_relaxation_saves_sweeps),
        test_with_context(guess_is_used_and_kept_if_nothing_is_better),
        test_with_context(zero_diagonal_is_refused_by_name),
    };
    return cmocka_run_group_tests_name("solve.lcp_projected", tests, NULL, NULL);
}
