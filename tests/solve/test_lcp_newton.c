// SPDX-License-Identifier: Apache-2.0
#include "solve/lcp_cases.h"

static const StickLcpMethod both[] = {STICK_LCP_NEWTON_MIN, STICK_LCP_NEWTON_FISCHER};

static void textbook_problems_are_solved(void **state)
{
    for (int k = 0; k < 2; k++) {
        double z[2];
        assert_case_solved(*state, both[k], &murty_2, 1e-14);
        assert_case_solved(*state, both[k], &cps_447, 1e-13);
        assert_case_solved(*state, both[k], &cps_4416, 1e-9);
        assert_case_solved(*state, both[k], &ortiz, 1e-14);
        assert_case_solved(*state, both[k], &cyclic, 1e-14);
        assert_int_equal(solve_case(*state, both[k], &line, z).end, STICK_SOLVE_CONVERGED);
        assert_near(z[0] + z[1], 1, 1e-9);
    }
}

// What Lemke with d = e can't: one of the three equilibria.
static void bimatrix_game_is_solved(void **state)
{
    for (int k = 0; k < 2; k++) {
        double M[16], z[4];
        columns_of(&bimatrix, M);
        StickSolveInfo info = solve_case(*state, both[k], &bimatrix, z);
        assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
        assert_solves((StickLcp){4, M, bimatrix.q}, z, 1e-10);
    }
}

static void infeasible_problems_are_not_solved(void **state)
{
    static const Case *const cases[] = {&infeasible_2, &infeasible_3};
    for (int k = 0; k < 4; k++) {
        double z[4];
        StickSolveInfo info = solve_case(*state, both[k / 2], cases[k % 2], z);
        assert_int_equal(info.end, STICK_SOLVE_LIMIT);
        assert_true(info.residual > 0.1 && strlen(info.detail) > 0);
    }
}

static void fathi_takes_6_steps_at_any_order(void **state)
{
    static double M[2500];
    static const int orders[] = {2, 5, 10, 20, 50};
    for (int k = 0; k < 20; k++) {
        double q[50], z[50] = {0};
        int n = orders[k / 4];
        bool upper = k % 2;
        fathi(n, upper, M, q);
        StickSolveInfo info = solve_with(*state, options_of(both[k / 2 % 2]), (StickLcp){n, M, q}, z);
        assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
        for (int i = 0; i < n; i++)
            assert_near(z[i], i == (upper ? n - 1 : 0), 1e-9);
        assert_true(info.iterations <= 6);
    }
}

static void random_p_matrices_agree_with_lemke(void **state)
{
    for (int k = 0; k < 4; k++)
        assert_agrees_with_lemke(*state, options_of(both[k / 2]), k % 2);
}

// Finite: with the right sides known, min takes one step to the solution.
static void min_takes_one_step_from_nearby(void **state)
{
    double M[4] = {2, 1, 1, 2}, q[2] = {-5, -6}, z[2] = {4.0 / 3 + 0.1, 7.0 / 3 - 0.1};
    StickSolveInfo info = solve_with(*state, options_of(STICK_LCP_NEWTON_MIN), (StickLcp){2, M, q}, z);
    assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
    assert_int_equal(info.iterations, 1);
    assert_near(z[0], 4.0 / 3, 1e-15);
    assert_near(z[1], 7.0 / 3, 1e-15);
}

static void units_do_not_matter(void **state)
{
    enum { N = 20 };
    static double M[N * N];
    double q[N], exact[N], unit[N], z[N];
    StickRandom random = stick_random_seed(2);
    for (int k = 0; k < 20; k++) {
        manufacture(&random, N, k % 4 < 2, M, q, exact);
        for (int i = 0; i < N; i++)
            unit[i] = pow(10, stick_random_uniform(&random, -4, 4));
        for (int i = 0; i < N; i++) {
            z[i] = 0;
            q[i] *= unit[i] * 1e-9;
            for (int j = 0; j < N; j++)
                M[j * N + i] *= unit[i] * unit[j];
        }
        StickSolveInfo info = solve_with(*state, options_of(both[k % 2]), (StickLcp){N, M, q}, z);
        assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
        for (int i = 0; i < N; i++)
            assert_near(z[i] * unit[i] * 1e9, exact[i], 1e-9);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(textbook_problems_are_solved),
        test_with_context(bimatrix_game_is_solved),
        test_with_context(infeasible_problems_are_not_solved),
        test_with_context(fathi_takes_6_steps_at_any_order),
        test_with_context(random_p_matrices_agree_with_lemke),
        test_with_context(min_takes_one_step_from_nearby),
        test_with_context(units_do_not_matter),
    };
    return cmocka_run_group_tests_name("solve.lcp_newton", tests, NULL, NULL);
}
