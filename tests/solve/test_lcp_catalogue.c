// SPDX-License-Identifier: Apache-2.0
// The LCPs of the literature by every method: which one solves which, and how the others end.
#include "solve/lcp_cases.h"

#include <stickslip/certificate.h>

enum { NMETHODS = STICK_LCP_NEWTON_FISCHER + 1, MOST_ORDER = 50 };

typedef enum End {
    REFUSED, // the diagonal is not that of the method's class
    SOLVED,
    RAY,  // it is shown that there is perhaps no solution
    LEFT, // at a limit, or M is not of the method's class
} End;

typedef struct Row {
    const char *name;
    const Case *given;
    int basic;         // solutions of complementary bases
    bool isolated;     // they are all that there are
    End end[NMETHODS]; // lemke, least-index, keller, projected, newton-min, newton-fischer
} Row;

// clang-format off
static const Row catalogue[] = {
    {"Murty, p. 2",             &murty_2,         1, true,  {SOLVED, SOLVED, SOLVED, SOLVED,  SOLVED, SOLVED}},
    {"Cottle et al., 4.1.14",   &line,            2, false, {SOLVED, SOLVED, SOLVED, SOLVED,  SOLVED, SOLVED}},
    {"Cottle et al., 4.4.7",    &cps_447,         1, true,  {SOLVED, LEFT,   SOLVED, REFUSED, SOLVED, SOLVED}},
    {"Cottle et al., 4.4.16",   &cps_4416,        1, true,  {SOLVED, SOLVED, SOLVED, SOLVED,  SOLVED, SOLVED}},
    {"Cottle et al., 4.4.23",   &bimatrix,        3, true,  {RAY,    LEFT,   RAY,    REFUSED, SOLVED, SOLVED}},
    {"Ortiz",                   &ortiz,           1, true,  {SOLVED, SOLVED, SOLVED, SOLVED,  SOLVED, SOLVED}},
    {"cyclic",                  &cyclic,          1, true,  {SOLVED, SOLVED, SOLVED, LEFT,    SOLVED, SOLVED}},
    {"three solutions",         &three_solutions, 3, true,  {SOLVED, SOLVED, SOLVED, REFUSED, SOLVED, SOLVED}},
    {"four solutions",          &four_solutions,  4, true,  {SOLVED, SOLVED, SOLVED, REFUSED, SOLVED, SOLVED}},
    {"no solution, order 2",    &infeasible_2,    0, true,  {RAY,    RAY,    RAY,    REFUSED, LEFT,   LEFT}},
    {"no solution, order 3",    &infeasible_3,    0, true,  {RAY,    RAY,    RAY,    REFUSED, LEFT,   LEFT}},
};
// clang-format on

static void assert_certified(StickContext *ctx, StickLcp lcp, const double *z)
{
    StickLcpCertificate certificate;
    assert_ok(ctx, stick_certify_lcp(ctx, &lcp, z, 1e-10, &certificate));
    assert_true(certificate.certified);
}

static End solve_row(StickContext *ctx, StickLcpMethod method, StickLcp lcp, double *z)
{
    StickLcpSolver *solver;
    StickSolveInfo info;
    StickLcpOptions options = options_of(method);
    assert_ok(ctx, stick_lcp_create(ctx, &options, &solver));
    StickStatus status = stick_lcp_solve(solver, &lcp, z, &info);
    stick_lcp_destroy(solver);
    if (status == STICK_BAD_INPUT)
        return REFUSED;
    assert_int_equal(status, STICK_OK);
    // who does not solve says why
    assert_true(info.end == STICK_SOLVE_CONVERGED || strlen(info.detail) > 0);
    return info.end == STICK_SOLVE_CONVERGED ? SOLVED : info.end == STICK_SOLVE_RAY ? RAY : LEFT;
}

// The solution found is in the list of all solutions, if their number is limited.
static void assert_listed(StickContext *ctx, const Row *row, StickLcp lcp, const double *z)
{
    double all[4 * 4], nearest = INFINITY;
    StickLcpSolutions solutions = {4, all, 0};
    StickSolveInfo info;
    assert_ok(ctx, stick_lcp_enumerate(ctx, &lcp, &solutions, &info));
    assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
    assert_int_equal(solutions.count, row->basic);
    for (int k = 0; k < solutions.count; k++) {
        double distance = 0;
        for (int i = 0; i < lcp.n; i++)
            distance = fmax(distance, fabs(z[i] - all[k * lcp.n + i]));
        nearest = fmin(nearest, distance);
    }
    if (row->isolated)
        assert_below(nearest, 1e-9);
}

static void check_row(StickContext *ctx, const Row *row, StickLcpMethod method)
{
    double M[16], z[4] = {0};
    columns_of(row->given, M);
    StickLcp lcp = {row->given->n, M, row->given->q};
    End end = solve_row(ctx, method, lcp, z);
    if (end != row->end[method])
        fail_msg("%s by %s: ended as %d, not %d", row->name, stick_lcp_method_name((int)method), (int)end,
                 (int)row->end[method]);
    if (end != SOLVED)
        return;
    assert_certified(ctx, lcp, z);
    assert_listed(ctx, row, lcp, z);
}

static void every_method_ends_as_its_class_of_matrices_says(void **state)
{
    for (size_t k = 0; k < sizeof catalogue / sizeof *catalogue; k++)
        for (int method = 0; method < NMETHODS; method++)
            check_row(*state, &catalogue[k], (StickLcpMethod)method);
}

// ---- families

// Solves, and expects `value` at one place and zero elsewhere.
static int solve_for_one(StickContext *ctx, StickLcpMethod method, StickLcp lcp, int place, double value)
{
    double z[MOST_ORDER] = {0};
    StickSolveInfo info = solve_with(ctx, options_of(method), lcp, z);
    if (info.end != STICK_SOLVE_CONVERGED)
        fail_msg("order %d by %s: %s %s", lcp.n, stick_lcp_method_name((int)method),
                 stick_solve_end_name(info.end), info.detail);
    assert_certified(ctx, lcp, z);
    for (int i = 0; i < lcp.n; i++)
        assert_near(z[i], i == place ? value : 0, 1e-9 * value);
    return info.iterations;
}

// All but least index, whose number of pivots doubles with every order.
static void fathi_is_solved_at_any_order(void **state)
{
    static double M[MOST_ORDER * MOST_ORDER];
    double q[MOST_ORDER];
    for (int n = 1; n <= MOST_ORDER; n++)
        for (int upper = 0; upper < 2; upper++) {
            fathi(n, upper, M, q);
            for (int method = 0; method < NMETHODS; method++)
                if (method != STICK_LCP_LEAST_INDEX || !upper)
                    solve_for_one(*state, (StickLcpMethod)method, (StickLcp){n, M, q}, upper ? n - 1 : 0, 1);
        }
}

// Murty's U or L and q = -e, or the q that makes Lemke go through all bases of it.
static void murty(int n, bool upper, bool graded, double *M, double *q)
{
    triangle(n, upper, M);
    for (int i = 0; i < n; i++)
        q[i] = graded ? -(ldexp(1, n + 1) - ldexp(1, upper ? i + 1 : n - i)) : -1;
}

// U needs all bases by the two principal pivoting methods, L one pivot; the others don't mind.
static void murty_is_solved_at_any_order(void **state)
{
    static double M[MOST_ORDER * MOST_ORDER];
    double q[MOST_ORDER];
    for (int n = 1; n <= MOST_ORDER; n++)
        for (int upper = 0; upper < 2; upper++) {
            murty(n, upper, false, M, q);
            for (int method = 0; method < NMETHODS; method++) {
                bool pivots = method == STICK_LCP_LEAST_INDEX || method == STICK_LCP_KELLER;
                if (pivots && upper)
                    continue;
                int count =
                    solve_for_one(*state, (StickLcpMethod)method, (StickLcp){n, M, q}, upper ? n - 1 : 0, 1);
                assert_true(count <= (pivots ? 1 : 100));
            }
        }
}

// 2^n - 1 pivots by least index and by Keller for either q, 2^n by Lemke, the one of z0 among them.
static void murty_takes_all_bases_by_the_methods_that_pivot(void **state)
{
    static double M[144];
    double q[12];
    for (int n = 2; n <= 12; n++)
        for (int graded = 0; graded < 2; graded++) {
            StickLcp lcp = {n, M, q};
            double value = graded ? ldexp(1, n) : 1;
            murty(n, true, graded, M, q);
            assert_int_equal(solve_for_one(*state, STICK_LCP_LEAST_INDEX, lcp, n - 1, value), (1 << n) - 1);
            assert_int_equal(solve_for_one(*state, STICK_LCP_KELLER, lcp, n - 1, value), (1 << n) - 1);
            int lemke = solve_for_one(*state, STICK_LCP_LEMKE, lcp, n - 1, value);
            assert_int_equal(lemke, graded ? 1 << n : 4);
            murty(n, false, graded, M, q);
            lemke = solve_for_one(*state, STICK_LCP_LEMKE, lcp, 0, value);
            assert_int_equal(lemke, graded ? 1 << n : 2);
        }
}

// Sweeps and Newton solve what takes Lemke all 2^n bases.
static void graded_murty_is_solved_at_any_order_without_pivots(void **state)
{
    static double M[MOST_ORDER * MOST_ORDER];
    double q[MOST_ORDER];
    for (int n = 1; n <= MOST_ORDER; n++)
        for (int method = STICK_LCP_PROJECTED; method < NMETHODS; method++) {
            murty(n, true, true, M, q);
            int count =
                solve_for_one(*state, (StickLcpMethod)method, (StickLcp){n, M, q}, n - 1, ldexp(1, n));
            assert_true(count <= 100);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(every_method_ends_as_its_class_of_matrices_says),
        test_with_context(fathi_is_solved_at_any_order),
        test_with_context(murty_is_solved_at_any_order),
        test_with_context(murty_takes_all_bases_by_the_methods_that_pivot),
        test_with_context(graded_murty_is_solved_at_any_order_without_pivots),
    };
    return cmocka_run_group_tests_name("solve.lcp_catalogue", tests, NULL, NULL);
}
