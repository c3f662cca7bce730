// SPDX-License-Identifier: Apache-2.0
#include "solve/lcp_cases.h"

enum { ROOM = 32 };

static StickSolveInfo enumerate(StickContext *ctx, StickLcp lcp, StickLcpSolutions *solutions)
{
    StickSolveInfo info;
    assert_ok(ctx, stick_lcp_enumerate(ctx, &lcp, solutions, &info));
    return info;
}

// The solutions of a case, one after the other.
static void assert_all(StickContext *ctx, const Case *given, int count, const double *expected)
{
    double M[16], z[4 * ROOM];
    StickLcpSolutions solutions = {ROOM, z, -1};
    columns_of(given, M);
    StickSolveInfo info = enumerate(ctx, (StickLcp){given->n, M, given->q}, &solutions);
    assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
    assert_int_equal(info.iterations, 1 << given->n);
    assert_below(info.residual, 1e-14);
    assert_int_equal(solutions.count, count);
    for (int k = 0; k < count * given->n; k++)
        assert_near(z[k], expected[k], 1e-15);
}

static void textbook_problems_have_all_their_solutions(void **state)
{
    assert_all(*state, &murty_2, 1, murty_2.z);
    assert_all(*state, &line, 2, (double[]){1, 0, 0, 1});
    assert_all(*state, &cps_447, 1, cps_447.z);
    assert_all(*state, &cps_4416, 1, cps_4416.z);
    assert_all(*state, &bimatrix, 3,
               (double[]){0.1, 0, 0.1, 0, 0, 1.0 / 15, 0, 1.0 / 15, 1.0 / 30, 1.0 / 45, 1.0 / 30, 1.0 / 45});
    assert_all(*state, &ortiz, 1, ortiz.z);
    assert_all(*state, &cyclic, 1, cyclic.z);
    assert_all(*state, &three_solutions, 3, (double[]){0, 0, 1, 0, 0, 1});
    assert_all(*state, &four_solutions, 4, (double[]){0, 0, 1, 0, 0, 1, 1, 1});
    assert_all(*state, &infeasible_2, 0, NULL);
    assert_all(*state, &infeasible_3, 0, NULL);
}

// q = 0 makes every basis of a P-matrix the solution 0.
static void degenerate_bases_give_one_solution(void **state)
{
    double M[100], q[10] = {0}, z[20];
    StickLcpSolutions solutions = {2, z, 0};
    triangle(10, true, M);
    assert_int_equal(enumerate(*state, (StickLcp){10, M, q}, &solutions).end, STICK_SOLVE_CONVERGED);
    assert_int_equal(solutions.count, 1);
    for (int i = 0; i < 10; i++)
        assert_true(z[i] == 0);
}

static void p_matrices_have_one_solution(void **state)
{
    double M[100], q[10], exact[10], z[20];
    StickRandom random = stick_random_seed(4);
    for (int n = 1; n <= 10; n++) {
        StickLcpSolutions solutions = {2, z, 0};
        manufacture(&random, n, false, M, q, exact);
        assert_int_equal(enumerate(*state, (StickLcp){n, M, q}, &solutions).end, STICK_SOLVE_CONVERGED);
        assert_int_equal(solutions.count, 1);
        for (int i = 0; i < n; i++)
            assert_near(z[i], exact[i], 1e-12);
    }
}

// -I and q = e of order 4 has all 16 corners of the cube.
static void lack_of_room_is_said(void **state)
{
    double M[16] = {0}, q[4] = {1, 1, 1, 1}, z[64];
    for (int i = 0; i < 4; i++)
        M[5 * i] = -1;
    StickLcpSolutions enough = {16, z, 0}, few = {5, z, 0}, none = {0, NULL, 0};
    StickSolveInfo info = enumerate(*state, (StickLcp){4, M, q}, &enough);
    assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
    assert_int_equal(enough.count, 16);
    info = enumerate(*state, (StickLcp){4, M, q}, &few);
    assert_int_equal(info.end, STICK_SOLVE_LIMIT);
    assert_int_equal(few.count, 5);
    assert_string_equal(info.detail, "more than 5 solutions");
    assert_int_equal(enumerate(*state, (StickLcp){4, M, q}, &none).end, STICK_SOLVE_LIMIT);
    assert_int_equal(enumerate(*state, (StickLcp){0, NULL, NULL}, &none).end, STICK_SOLVE_LIMIT);
}

static void wrong_input_is_refused_and_memory_is_not_taken(void **state)
{
    static double M[21 * 21];
    double q[21] = {0}, z[4];
    StickContext *ctx = *state;
    StickLcpSolutions solutions = {1, z, -7};
    StickSolveInfo info = {.iterations = -5};
    assert_int_equal(stick_lcp_enumerate(ctx, &(StickLcp){21, M, q}, &solutions, &info), STICK_BAD_INPUT);
    assert_non_null(strstr(stick_last_error(ctx), "order 21"));
    q[1] = NAN;
    assert_int_equal(stick_lcp_enumerate(ctx, &(StickLcp){2, M, q}, &solutions, &info), STICK_BAD_INPUT);
    assert_non_null(strstr(stick_last_error(ctx), "q2"));
    solutions.capacity = -1;
    assert_int_equal(stick_lcp_enumerate(ctx, &(StickLcp){1, M, q}, &solutions, &info), STICK_BAD_INPUT);
    assert_true(solutions.count == -7 && info.iterations == -5);
    size_t calls = stick_memory_calls(ctx);
    solutions.capacity = 1;
    enumerate(ctx, (StickLcp){1, M, q}, &solutions);
    assert_int_equal(stick_memory_calls(ctx), calls);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(textbook_problems_have_all_their_solutions),
        test_with_context(degenerate_bases_give_one_solution),
        test_with_context(p_matrices_have_one_solution),
        test_with_context(lack_of_room_is_said),
        test_with_context(wrong_input_is_refused_and_memory_is_not_taken),
    };
    return cmocka_run_group_tests_name("solve.lcp_enumerate", tests, NULL, NULL);
}
