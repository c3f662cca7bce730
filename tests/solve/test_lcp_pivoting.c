// SPDX-License-Identifier: Apache-2.0
#include "solve/lcp_cases.h"

static const StickLcpMethod both[] = {STICK_LCP_LEAST_INDEX, STICK_LCP_KELLER};

static void textbook_p_matrices_are_solved_by_both(void **state)
{
    for (int k = 0; k < 2; k++) {
        assert_case_solved(*state, both[k], &murty_2, 1e-14);
        assert_case_solved(*state, both[k], &ortiz, 1e-14);
        assert_case_solved(*state, both[k], &cyclic, 1e-14);
        assert_case_solved(*state, both[k], &three_solutions, 0);
        assert_case_solved(*state, both[k], &four_solutions, 0);
    }
}

// Both also do these, though 1 1; 1 1 and 1 -1; -1 1 are no P-matrices.
static void semidefinite_matrices_are_solved(void **state)
{
    for (int k = 0; k < 2; k++) {
        double z[2];
        assert_case_solved(*state, both[k], &cps_4416, 1e-14);
        assert_int_equal(solve_case(*state, both[k], &line, z).end, STICK_SOLVE_CONVERGED);
        assert_true(z[0] >= 0 && z[1] >= 0);
        assert_near(z[0] + z[1], 1, 1e-15);
    }
}

// Zero diagonals need pivots on two pairs; least index says that it can't.
static void keller_pivots_on_two_pairs_where_the_diagonal_is_zero(void **state)
{
    static const Case cases[] = {
        {2, {0, -1, 1, 0}, {1, -2}, {2, 1}},
        {2, {0, 1, -1, 1}, {-1, -1}, {0, 1}}, // the first pair is driven while the other one is negative
        {4, {1, 0, -1, 0, 0, 2, 0, -1, 1, 0, 0, 0, 0, 1, 0, 0}, {-1, -4, -3, -1}, {3, 2, 2, 0}},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        assert_case_solved(*state, STICK_LCP_KELLER, &cases[k], 1e-14);
    double z[4] = {0};
    StickSolveInfo info = solve_case(*state, STICK_LCP_LEAST_INDEX, &cases[0], z);
    assert_int_equal(info.end, STICK_SOLVE_LIMIT);
    assert_non_null(strstr(info.detail, "not a P-matrix: pair 2"));
}

static void infeasible_problems_end_on_a_ray_and_z_stays(void **state)
{
    static const Case *const cases[] = {&infeasible_2, &infeasible_3};
    for (int k = 0; k < 4; k++) {
        double M[16], z[3] = {7, 7, 7};
        const Case *given = cases[k % 2];
        columns_of(given, M);
        StickLcp lcp = {given->n, M, given->q};
        StickSolveInfo info = solve_with(*state, options_of(both[k / 2]), lcp, z);
        assert_int_equal(info.end, STICK_SOLVE_RAY);
        assert_true(strlen(info.detail) > 0 && isinf(info.residual));
        assert_true(z[0] == 7 && z[1] == 7 && z[2] == 7);
    }
}

// Semidefinite and infeasible: w = A' A z + q with q outside the range and no way out.
static void keller_finds_the_ray_of_a_semidefinite_matrix(void **state)
{
    static const Case given = {2, {1, -1, -1, 1}, {-2, 1}, {0}};
    double z[2];
    StickSolveInfo info = solve_case(*state, STICK_LCP_KELLER, &given, z);
    assert_int_equal(info.end, STICK_SOLVE_RAY);
    assert_string_equal(info.detail, "ray: nothing blocks z1");
}

// Copositive, not semidefinite: there are solutions, but neither method has a right to find them.
static void matrices_of_no_class_are_not_called_solved(void **state)
{
    double z[4];
    StickSolveInfo info = solve_case(*state, STICK_LCP_LEAST_INDEX, &bimatrix, z);
    assert_int_equal(info.end, STICK_SOLVE_LIMIT);
    assert_string_equal(info.detail, "M is not a P-matrix: pair 1 has the pivot 0.0e+00");
    assert_int_equal(solve_case(*state, STICK_LCP_KELLER, &bimatrix, z).end, STICK_SOLVE_RAY);
}

// U and q = -e: z = e_n after all 2^n - 1 other bases.
static void murty_takes_2_to_the_n_minus_1_pivots_by_least_index(void **state)
{
    double M[144], q[12], z[12];
    for (int n = 1; n <= 12; n++) {
        triangle(n, true, M);
        for (int i = 0; i < n; i++)
            q[i] = -1;
        StickSolveInfo info = solve_with(*state, options_of(STICK_LCP_LEAST_INDEX), (StickLcp){n, M, q}, z);
        assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
        assert_int_equal(info.iterations, (1 << n) - 1);
        for (int i = 0; i < n; i++)
            assert_near(z[i], i == n - 1, 1e-15);
        info = solve_with(*state, options_of(STICK_LCP_KELLER), (StickLcp){n, M, q}, z);
        assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
        assert_near(z[n - 1], 1, 1e-15);
    }
}

static void assert_fathi(StickContext *ctx, StickLcpMethod method, int n)
{
    static double M[2500];
    double q[50], z[50];
    for (int upper = 0; upper < 2; upper++) {
        fathi(n, upper, M, q);
        StickSolveInfo info = solve_with(ctx, options_of(method), (StickLcp){n, M, q}, z);
        assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
        for (int i = 0; i < n; i++)
            assert_near(z[i], i == (upper ? n - 1 : 0), 1e-9);
    }
}

// Least index takes 2^n - 1 bases for it, too.
static void fathi_is_solved(void **state)
{
    static const int orders[] = {2, 5, 10, 20, 50};
    for (int k = 0; k < 5; k++)
        assert_fathi(*state, STICK_LCP_KELLER, orders[k]);
    for (int k = 0; k < 3; k++)
        assert_fathi(*state, STICK_LCP_LEAST_INDEX, orders[k]);
}

static void random_p_matrices_agree_with_lemke(void **state)
{
    for (int k = 0; k < 4; k++)
        assert_agrees_with_lemke(*state, options_of(both[k / 2]), k % 2);
}

// A A' of rank n / 2 with q in its range or above: solvable, z not unique, w is.
static void keller_solves_symmetric_matrices_of_half_rank(void **state)
{
    enum { N = 24 };
    static double A[N * N], M[N * N];
    double q[N], z[N];
    StickRandom random = stick_random_seed(5);
    for (int k = 0; k < 20; k++) {
        for (int i = 0; i < N * N; i++)
            A[i] = i < N * N / 2 ? stick_random_uniform(&random, -1, 1) : 0;
        times_transposed(N, A, M);
        for (int i = 0; i < N; i++) {
            double kind = stick_random_uniform(&random, 0, 1);
            z[i] = kind < 0.5 ? stick_random_uniform(&random, 0, 1) : 0;
            q[i] = kind < 0.5 ? 0 : stick_random_uniform(&random, 0, 1);
        }
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                q[i] -= M[j * N + i] * z[j];
        StickLcp lcp = {N, M, q};
        StickSolveInfo info = solve_with(*state, options_of(STICK_LCP_KELLER), lcp, z);
        if (info.end != STICK_SOLVE_CONVERGED)
            fail_msg("%d: %s: %s", k, stick_solve_end_name(info.end), info.detail);
        assert_solves(lcp, z, 1e-9);
    }
}

// [Q -A'; A 0] of small quadratic programs in integers, full of ties: Lemke and Keller end alike.
static void keller_ends_as_lemke_on_quadratic_programs(void **state)
{
    StickRandom random = stick_random_seed(1);
    int solved = 0;
    for (int k = 0; k < 1000; k++) {
        double B[36], Q[36], M[144] = {0}, q[12], z[12];
        int m = 2 + k % 5, n = m + 1 + k % 6;
        for (int i = 0; i < m * m; i++)
            B[i] = i < m * (m / 2) ? stick_random_uniform(&random, -1, 1) : 0;
        times_transposed(m, B, Q);
        for (int i = 0; i < n; i++) {
            q[i] = round(stick_random_uniform(&random, -2, 2));
            for (int j = 0; j < m; j++) {
                double a = round(stick_random_uniform(&random, -2, 2));
                M[j * n + i] = i < m ? Q[j * m + i] : a;
                M[i * n + j] = i < m ? Q[j * m + i] : -a;
            }
        }
        StickLcp lcp = {n, M, q};
        StickSolveInfo lemke = solve_with(*state, options_of(STICK_LCP_LEMKE), lcp, z);
        StickSolveInfo info = solve_with(*state, options_of(STICK_LCP_KELLER), lcp, z);
        assert_int_equal(info.end, lemke.end);
        if (info.end == STICK_SOLVE_CONVERGED)
            assert_solves(lcp, z, 1e-9);
        solved += info.end == STICK_SOLVE_CONVERGED;
    }
    assert_true(solved > 200 && solved < 1000);
}

static void limit_of_pivots_is_an_end(void **state)
{
    double M[100], q[10], z[10] = {5};
    StickLcpOptions options = options_of(STICK_LCP_LEAST_INDEX);
    options.iterations = 1022;
    triangle(10, true, M);
    for (int i = 0; i < 10; i++)
        q[i] = -1;
    StickSolveInfo info = solve_with(*state, options, (StickLcp){10, M, q}, z);
    assert_int_equal(info.end, STICK_SOLVE_LIMIT);
    assert_int_equal(info.iterations, 1022);
    assert_true(z[0] == 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(textbook_p_matrices_are_solved_by_both),
        test_with_context(semidefinite_matrices_are_solved),
        test_with_context(keller_pivots_on_two_pairs_where_the_diagonal_is_zero),
        test_with_context(infeasible_problems_end_on_a_ray_and_z_stays),
        test_with_context(keller_finds_the_ray_of_a_semidefinite_matrix),
        test_with_context(matrices_of_no_class_are_not_called_solved),
        test_with_context(murty_takes_2_to_the_n_minus_1_pivots_by_least_index),
        test_with_context(fathi_is_solved),
        test_with_context(random_p_matrices_agree_with_lemke),
        test_with_context(keller_solves_symmetric_matrices_of_half_rank),
        test_with_context(keller_ends_as_lemke_on_quadratic_programs),
        test_with_context(limit_of_pivots_is_an_end),
    };
    return cmocka_run_group_tests_name("solve.lcp_pivoting", tests, NULL, NULL);
}
