// SPDX-License-Identifier: Apache-2.0
// Pairs of bodies with known behaviour, and families of random ones.
#ifndef SOLVE_MLCP_CASES_H
#define SOLVE_MLCP_CASES_H

#include "check.h"

#include "base/random.h"

#include <stickslip/mlcp.h>

enum { MOST_PAIRS = 40, MOST_MOTIONS = 3 };

// Matrices by rows, as they are printed.
typedef struct MatesCase {
    const char *name;
    int m, l;
    double A[9], B[6], C[6], eps[3], lambda[2];
} MatesCase;

static const MatesCase deadlock3 = {"deadlock3", 3,         1,         {4, -3, -3, -5, 7, 6, -3, 4, 5},
                                    {1, 5, 1},   {1, 1, 1}, {7, 0, 1}, {5}};
static const MatesCase deadlock2 = {"deadlock2", 2, 1, {9, 2, 2, 1}, {1, 0.1}, {1, 1}, {0, 7}, {2}};
static const MatesCase redundant2 = {"redundant2", 2, 1, {2, 1, 1, 2}, {1, 1}, {1, 1}, {0, 10}, {3}};
static const MatesCase unstable_beam2 = {"unstable_beam2", 2,   2,     {0.1, 0, 0, 0.1}, {1, 1, -1, 1},
                                         {1, -1, 1, 1},    {0}, {1, 2}};
static const MatesCase unstable_beam3 = {
    "unstable_beam3",      3,   2,     {0.1, 0, 0, 0, 0.1, 0, 0, 0, 0.1}, {1, 1, 1, -1, 1, 0.5},
    {1, -1, 1, 1, 1, 0.5}, {0}, {1, 2}};
static const MatesCase stable_beam3 = {
    "stable_beam3",      3,         2,     {0.1, 0, 0, 0, 0.1, 0, 0, 0, 0.1}, {1, 1, 1, -1, 1, 3},
    {1, -1, 1, 1, 1, 3}, {0, 0, 1}, {1, 2}};
static const MatesCase unstable_one = {"unstable_one", 1, 2, {0.1}, {1, 0.5}, {1, 0.5}, {0}, {1, 1}};

// A problem with its numbers, by columns, and room for its answer.
typedef struct MatesBox {
    double A[MOST_PAIRS * MOST_PAIRS], B[MOST_PAIRS * MOST_MOTIONS], C[MOST_PAIRS * MOST_MOTIONS];
    double eps[MOST_PAIRS], lambda[MOST_MOTIONS];
    double p[MOST_PAIRS], d[MOST_PAIRS], theta[MOST_MOTIONS], motion[MOST_MOTIONS];
    bool connected[MOST_PAIRS];
    StickMixedLcp mates;
    StickMlcpSolution solution;
    StickMlcpInfo info;
} MatesBox;

static inline void open_box(MatesBox *box, int m, int l)
{
    memset(box, 0, sizeof *box);
    box->mates = (StickMixedLcp){
        .m = m, .l = l, .A = box->A, .B = box->B, .C = box->C, .eps = box->eps, .lambda = box->lambda};
    box->solution = (StickMlcpSolution){box->p, box->d, box->theta, box->motion, box->connected};
}

static inline void put_case(const MatesCase *given, MatesBox *box)
{
    int m = given->m, l = given->l;
    open_box(box, m, l);
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++)
            box->A[j * m + i] = given->A[i * m + j];
    for (int i = 0; i < m; i++)
        for (int k = 0; k < l; k++) {
            box->B[i * l + k] = given->B[k * m + i];
            box->C[k * m + i] = given->C[i * l + k];
        }
    memcpy(box->eps, given->eps, (size_t)m * sizeof *box->eps);
    memcpy(box->lambda, given->lambda, (size_t)l * sizeof *box->lambda);
}

static inline StickMlcpOptions mates_options(StickMlcpMethod method, StickMlcpOrder order)
{
    StickMlcpOptions options = stick_mlcp_options_default();
    options.method = method;
    options.order = order;
    return options;
}

static inline StickSolveEnd solve_box(StickContext *ctx, StickMlcpOptions options, const bool *start,
                                      MatesBox *box)
{
    StickMlcpSolver *solver;
    assert_ok(ctx, stick_mlcp_create(ctx, &options, &solver));
    assert_ok(ctx, stick_mlcp_solve(solver, &box->mates, start, &box->solution, &box->info));
    stick_mlcp_destroy(solver);
    return box->info.solve.end;
}

static inline StickSolveEnd solve_by(StickContext *ctx, StickMlcpMethod method, MatesBox *box)
{
    return solve_box(ctx, mates_options(method, STICK_MLCP_LARGEST), NULL, box);
}

// Properties that users rely on: balance, signs and complementarity, from the raw numbers.
static inline void assert_box_solved(const MatesBox *box, double tolerance)
{
    int m = box->mates.m, l = box->mates.l;
    double force = 1, gap = 1;
    for (int i = 0; i < m; i++) {
        force = fmax(force, box->p[i]);
        gap = fmax(gap, box->d[i]);
    }
    for (int i = 0; i < m; i++) {
        double d = box->eps[i];
        for (int j = 0; j < m; j++)
            d += box->A[j * m + i] * box->p[j];
        for (int k = 0; k < l; k++)
            d += box->C[k * m + i] * box->theta[k];
        assert_near(d, box->d[i], tolerance * (gap + force));
        assert_true(box->p[i] >= 0 && box->d[i] >= 0);
        assert_true(box->p[i] == 0 || box->d[i] <= tolerance * gap);
    }
    for (int k = 0; k < l; k++) {
        double load = 0;
        for (int j = 0; j < m; j++)
            load += box->B[j * l + k] * box->p[j];
        assert_near(load, box->lambda[k], tolerance * force);
    }
}

// A motion that no pair resists and along which the load works: B'y >= 0, lambda'y < 0, |y| = 1.
static inline void assert_free_motion(const MatesBox *box)
{
    int l = box->mates.l;
    double work = 0, length = 0;
    for (int k = 0; k < l; k++) {
        work += box->lambda[k] * box->motion[k];
        length += box->motion[k] * box->motion[k];
    }
    assert_true(work < 0);
    assert_near(length, 1, 1e-12);
    for (int j = 0; j < box->mates.m; j++) {
        double resists = 0;
        for (int k = 0; k < l; k++)
            resists += box->B[j * l + k] * box->motion[k];
        assert_true(resists >= -1e-9);
    }
}

// A = R R' / m (+ shift), C random about the first motion, B = C' (1 + friction), loads that forces of some
// pairs balance. Some pairs are copies of others, some separations are zero.
static inline void make_random(StickRandom *random, int m, int l, double friction, bool awkward,
                               MatesBox *box)
{
    double R[MOST_PAIRS * MOST_PAIRS];
    open_box(box, m, l);
    for (int k = 0; k < m * m; k++)
        R[k] = stick_random_uniform(random, -1, 1);
    for (int k = 0; k < m * l; k++)
        box->C[k] = (k < m ? 1 : 0) + stick_random_uniform(random, -0.8, 0.8);
    for (int i = 0; i < m; i++)
        box->eps[i] = stick_random_uniform(random, -0.2, 1);
    for (int i = 1; i < m && awkward; i++) {
        double kind = stick_random_uniform(random, 0, 1);
        int twin = (int)stick_random_uniform(random, 0, i);
        if (kind < 0.3) {
            for (int k = 0; k < m; k++)
                R[k * m + i] = R[k * m + twin];
            for (int k = 0; k < l; k++)
                box->C[k * m + i] = box->C[k * m + twin];
            box->eps[i] = kind < 0.15 ? box->eps[twin] : box->eps[i];
        } else if (kind < 0.4) {
            box->eps[i] = 0;
        }
    }
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++) {
            double sum = i == j && !awkward ? 0.05 : 0;
            for (int k = 0; k < m; k++)
                sum += R[k * m + i] * R[k * m + j] / m;
            box->A[j * m + i] = sum;
        }
    for (int j = 0; j < m; j++)
        for (int k = 0; k < l; k++)
            box->B[j * l + k] = box->C[k * m + j] + friction * stick_random_uniform(random, -1, 1);
    for (int i = 0; i < m * m && friction > 0; i++)
        box->A[i] += friction * 0.3 * stick_random_uniform(random, -1, 1);
    for (int j = 0; j < m; j++) {
        double force = stick_random_uniform(random, -1, 1);
        for (int k = 0; k < l && force > 0; k++)
            box->lambda[k] += box->B[j * l + k] * force;
    }
}

#endif
