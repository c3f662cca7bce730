// SPDX-License-Identifier: Apache-2.0
// LCPs of the literature and families with known solutions, for the tests of every method.
#ifndef TESTS_SOLVE_LCP_CASES_H
#define TESTS_SOLVE_LCP_CASES_H

#include "check.h"

#include "base/random.h"

#include <stickslip/lcp.h>

#include <float.h>
#include <stdbool.h>

enum { MOST = 64 };

typedef struct Case {
    int n;
    double M[16]; // by rows, as it is printed in books
    double q[4];
    double z[4]; // the solution, where there is one
} Case;

static const Case murty_2 = {2, {2, 1, 1, 2}, {-5, -6}, {4.0 / 3, 7.0 / 3}};
static const Case line = {2, {1, 1, 1, 1}, {-1, -1}, {0}}; // all z1 + z2 = 1
static const Case cps_447 = {3, {0, 2, -1, -1, 0, 1, 2, -2, 0}, {-3, 6, -1}, {6, 1.5, 0}};
static const Case cps_4416 = {2, {1, -1, -1, 1}, {1, -1}, {0, 1}};
static const Case bimatrix = {
    4, {0, 0, 10, 30, 0, 0, 20, 15, 10, 30, 0, 0, 20, 15, 0, 0}, {-1, -1, -1, -1}, {0}};
static const Case ortiz = {
    4, {3, -1, 0, 0, 1, 2, 1, 0, 0, 1, 3, 1, -1, 1, -1, 2}, {-2, 1, -1, 1}, {2.0 / 3, 0, 1.0 / 3, 0}};
static const Case cyclic = {3, {1, 2, 0, 0, 1, 2, 2, 0, 1}, {-1, -1, -1}, {1.0 / 3, 1.0 / 3, 1.0 / 3}};
static const Case three_solutions = {2, {-1, 2, 2, -1}, {1, 1}, {0}};
static const Case four_solutions = {2, {-1, 0, 0, -1}, {1, 1}, {0}};
static const Case infeasible_2 = {2, {-1, 0, 0, -1}, {-1, -1}, {0}};
static const Case infeasible_3 = {3, {0, 1, -1, -1, 0, 0, -1, 0, 0}, {0, -1, 1}, {0}};

static inline void columns_of(const Case *given, double *M)
{
    for (int i = 0; i < given->n; i++)
        for (int j = 0; j < given->n; j++)
            M[j * given->n + i] = given->M[i * given->n + j];
}

static inline StickLcpOptions options_of(StickLcpMethod method)
{
    StickLcpOptions options = stick_lcp_options_default();
    options.method = method;
    return options;
}

static inline StickSolveInfo solve_with(StickContext *ctx, StickLcpOptions options, StickLcp lcp, double *z)
{
    StickLcpSolver *solver;
    StickSolveInfo info;
    assert_ok(ctx, stick_lcp_create(ctx, &options, &solver));
    assert_ok(ctx, stick_lcp_solve(solver, &lcp, z, &info));
    stick_lcp_destroy(solver);
    return info;
}

// From the guess zero.
static inline StickSolveInfo solve_case(StickContext *ctx, StickLcpMethod method, const Case *given,
                                        double *z)
{
    double M[16];
    columns_of(given, M);
    memset(z, 0, (size_t)given->n * sizeof *z);
    return solve_with(ctx, options_of(method), (StickLcp){given->n, M, given->q}, z);
}

static inline void assert_case_solved(StickContext *ctx, StickLcpMethod method, const Case *given,
                                      double tolerance)
{
    double z[4];
    StickSolveInfo info = solve_case(ctx, method, given, z);
    if (info.end != STICK_SOLVE_CONVERGED)
        fail_msg("%s: %s", stick_lcp_method_name((int)method), info.detail);
    for (int i = 0; i < given->n; i++)
        assert_near(z[i], given->z[i], tolerance);
}

// min(z) >= -tol, min(w) >= -tol, |z.w| <= tol plus the effect of rounding of w where z is large
static inline void assert_solves(StickLcp lcp, const double *z, double tolerance)
{
    double product = 0, rounding = 0;
    for (int i = 0; i < lcp.n; i++) {
        double w = lcp.q[i], size = fabs(w);
        for (int j = 0; j < lcp.n; j++) {
            w += lcp.M[j * lcp.n + i] * z[j];
            size += fabs(lcp.M[j * lcp.n + i] * z[j]);
        }
        assert_true(z[i] >= -tolerance && w >= -tolerance);
        product += z[i] * w;
        rounding += DBL_EPSILON * z[i] * size;
    }
    assert_below(fabs(product), tolerance + rounding);
}

// U: unit upper triangular with 2 above; L its transpose. By columns.
static inline void triangle(int n, bool upper, double *M)
{
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            M[j * n + i] = i == j ? 1 : (i < j) == upper ? 2 : 0;
}

// A A'
static inline void times_transposed(int n, const double *A, double *M)
{
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            double sum = 0;
            for (int k = 0; k < n; k++)
                sum += A[k * n + i] * A[k * n + j];
            M[j * n + i] = sum;
        }
}

// Fathi: U U' with z = e_n, or L L' with z = e_1; q = -e.
static inline void fathi(int n, bool upper, double *M, double *q)
{
    static double A[MOST * MOST];
    triangle(n, upper, A);
    times_transposed(n, A, M);
    for (int i = 0; i < n; i++)
        q[i] = -1;
}

// M = A A' / n + skew part + small diagonal: positive definite, so a P-matrix with one solution, symmetric
// without the skew part. z and w are chosen complementary, q = w - M z; some pairs are degenerate.
static inline void manufacture(StickRandom *random, int n, bool symmetric, double *M, double *q, double *z)
{
    static double A[MOST * MOST];
    for (int k = 0; k < n * n; k++)
        A[k] = stick_random_uniform(random, -1, 1);
    times_transposed(n, A, M);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            double skew = symmetric ? 0 : i < j ? A[j * n + i] : i > j ? -A[i * n + j] : 0;
            M[j * n + i] = M[j * n + i] / n + skew + (i == j ? 0.1 : 0);
        }
    for (int i = 0; i < n; i++) {
        double kind = stick_random_uniform(random, 0, 1);
        z[i] = kind < 0.5 ? stick_random_uniform(random, 0.1, 1) : 0;
        q[i] = kind > 0.6 ? stick_random_uniform(random, 0.1, 1) : 0;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            q[i] -= M[j * n + i] * z[j];
}

// Random problems agree with Lemke and with the solution that they were made from.
static inline void assert_agrees_with_lemke(StickContext *ctx, StickLcpOptions options, bool symmetric)
{
    static double M[MOST * MOST];
    double q[MOST], exact[MOST], z[MOST], lemke[MOST];
    StickRandom random = stick_random_seed(1);
    for (int n = 1; n <= 40; n++) {
        StickLcp lcp = {n, M, q};
        manufacture(&random, n, symmetric, M, q, exact);
        memset(z, 0, sizeof z);
        StickSolveInfo info = solve_with(ctx, options, lcp, z);
        if (info.end != STICK_SOLVE_CONVERGED)
            fail_msg("n = %d: %s after %d: %s", n, stick_solve_end_name(info.end), info.iterations,
                     info.detail);
        assert_int_equal(solve_with(ctx, options_of(STICK_LCP_LEMKE), lcp, lemke).end, STICK_SOLVE_CONVERGED);
        for (int i = 0; i < n; i++) {
            assert_near(z[i], lemke[i], 1e-9);
            assert_near(z[i], exact[i], 1e-9);
        }
    }
}

#endif
