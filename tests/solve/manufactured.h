// SPDX-License-Identifier: Apache-2.0
// Friction problems with a known solution: y at random, r = its projection on the cone, r - y = u + mu |u_T|
// n, and u_free = u - W r for any W.
#ifndef TESTS_SOLVE_MANUFACTURED_H
#define TESTS_SOLVE_MANUFACTURED_H

#include "base/random.h"

#include <stickslip/friction.h>

enum { MOST_CONTACTS = 24, MOST_ROWS = 3 * MOST_CONTACTS, MOST_BLOCKS = MOST_CONTACTS * MOST_CONTACTS };

typedef struct Manufactured {
    int start[MOST_CONTACTS + 1];
    int col[MOST_BLOCKS];
    double value[9 * MOST_BLOCKS];
    double u_free[MOST_ROWS], mu[MOST_CONTACTS];
    double r[MOST_ROWS], u[MOST_ROWS]; // the solution
    StickBlocks W;
    StickFrictionProblem problem;
} Manufactured;

static inline double *manufactured_entry(Manufactured *made, int i, int j)
{
    int d = made->problem.dim, n = made->problem.ncontacts;
    return &made->value[(i / d * n + j / d) * d * d + i % d * d + j % d];
}

// W = I + coupling * A A' / n with all blocks stored; normal and tangential parts apart if decoupled.
static inline void manufacture_W(Manufactured *made, StickRandom *random, double coupling, int decoupled)
{
    static double A[MOST_ROWS * MOST_ROWS];
    int d = made->problem.dim, nc = made->problem.ncontacts, n = d * nc;
    made->W = (StickBlocks){d, nc, made->start, made->col, made->value};
    for (int i = 0; i < nc; i++) {
        made->start[i + 1] = (i + 1) * nc;
        for (int j = 0; j < nc; j++)
            made->col[i * nc + j] = j;
    }
    for (int k = 0; k < n * n; k++)
        A[k] = stick_random_uniform(random, -1, 1);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int k = 0; k < n; k++)
                sum += A[i * n + k] * A[j * n + k];
            int apart = decoupled && (i % d == 0) != (j % d == 0);
            *manufactured_entry(made, i, j) = (i == j) + (apart ? 0 : coupling * sum / n);
        }
}

// u_free = u - W r
static inline void manufacture_u_free(Manufactured *made)
{
    int n = made->problem.dim * made->problem.ncontacts;
    for (int i = 0; i < n; i++) {
        made->u_free[i] = made->u[i];
        for (int j = 0; j < n; j++)
            made->u_free[i] -= *manufactured_entry(made, i, j) * made->r[j];
    }
}

// Another W, of a third of the rank that it could have, as many contacts of few bodies give.
static inline void manufacture_low_rank(Manufactured *made, StickRandom *random)
{
    static double B[MOST_ROWS * MOST_ROWS];
    int n = made->problem.dim * made->problem.ncontacts, rank = (n + 2) / 3;
    for (int k = 0; k < n * rank; k++)
        B[k] = stick_random_uniform(random, -1, 1);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double *entry = manufactured_entry(made, i, j);
            *entry = 0;
            for (int k = 0; k < rank; k++)
                *entry += B[i * rank + k] * B[j * rank + k];
        }
    manufacture_u_free(made);
}

// One contact: open, stuck or sliding as chance has it.
static inline void manufacture_contact(StickRandom *random, int dim, double mu, double *r, double *u)
{
    double y[3] = {0}, t = 0;
    for (int k = 0; k < dim; k++)
        y[k] = stick_random_uniform(random, -1, 1);
    y[0] += 0.2;
    for (int k = 1; k < dim; k++)
        t = hypot(t, y[k]);
    double normal = y[0], along = 1;
    if (y[0] <= -mu * t)
        normal = along = 0;
    else if (t > mu * y[0])
        normal = (y[0] + mu * t) / (1 + mu * mu), along = mu * normal / t;
    r[0] = normal;
    for (int k = 1; k < dim; k++) {
        r[k] = along * y[k];
        u[k] = r[k] - y[k];
    }
    double slide = 0;
    for (int k = 1; k < dim; k++)
        slide = hypot(slide, u[k]);
    u[0] = r[0] - y[0] - mu * slide;
    if (r[0] > 0)
        u[0] = 0;
}

static inline void manufacture(Manufactured *made, StickRandom *random, int dim, int ncontacts,
                               double most_mu, double coupling)
{
    memset(made, 0, sizeof *made);
    made->problem = (StickFrictionProblem){
        .dim = dim, .ncontacts = ncontacts, .W = &made->W, .u_free = made->u_free, .mu = made->mu};
    manufacture_W(made, random, coupling, 0);
    for (int c = 0; c < ncontacts; c++) {
        made->mu[c] = dim == 1 ? 0 : stick_random_uniform(random, 0.05, most_mu);
        manufacture_contact(random, dim, made->mu[c], made->r + dim * c, made->u + dim * c);
    }
    manufacture_u_free(made);
}

// Solves from the guess r with default options but for the tolerance and the facets (0: the default ones).
static inline StickSolveInfo solve_friction_on(StickContext *ctx, const char *name,
                                               const StickFrictionProblem *problem, double tolerance,
                                               int facets, double *r, double *u)
{
    StickSolver *solver;
    StickSolveInfo info;
    StickSolverOptions options = stick_solver_options_default();
    options.tolerance = tolerance;
    if (facets > 0)
        options.facets = facets;
    assert_ok(ctx, stick_solver_create(ctx, name, &options, &solver));
    assert_ok(ctx, stick_solver_solve(solver, problem, r, u, &info));
    stick_solver_destroy(solver);
    return info;
}

// The same from zero.
static inline StickSolveInfo solve_friction(StickContext *ctx, const char *name,
                                            const StickFrictionProblem *problem, double tolerance, int facets,
                                            double *r, double *u)
{
    for (int i = 0; i < problem->dim * problem->ncontacts; i++)
        r[i] = 0;
    return solve_friction_on(ctx, name, problem, tolerance, facets, r, u);
}

#endif
