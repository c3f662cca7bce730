// SPDX-License-Identifier: Apache-2.0
// Static problems for tests: prescribed displacements on some degrees of freedom, the rest solved.
#ifndef TESTS_FEM_PROBLEM_H
#define TESTS_FEM_PROBLEM_H

#include "grid.h"

#include "linalg/factor.h"

// Solves K q = f for the degrees of freedom that are not held; q holds the prescribed ones on entry.
static inline StickStatus solve_held(StickContext *ctx, const StickSparse *K, const double *f,
                                     const bool *held, double *q)
{
    int n = K->cols, free_dofs = 0;
    int *place = grid_take((size_t)n, sizeof *place);
    double *rest = grid_take((size_t)n, sizeof *rest), *b = grid_take((size_t)n, sizeof *b);
    for (int i = 0; i < n; i++) {
        place[i] = held[i] ? -1 : free_dofs++;
        rest[i] = f ? f[i] : 0;
        q[i] = held[i] ? q[i] : 0;
    }
    stick_sparse_multiply(K, -1, q, rest);
    for (int i = 0; i < n; i++)
        if (!held[i])
            b[place[i]] = rest[i];
    StickSparse A = {0};
    StickFactor *factor = NULL;
    StickStatus status = stick_sparse_extract(ctx, K, place, free_dofs, place, free_dofs, &A);
    if (status == STICK_OK)
        status = stick_factor_create(ctx, &A, &factor);
    if (status == STICK_OK)
        status = stick_factor_refactor(factor, &A);
    if (status == STICK_OK)
        status = stick_factor_solve(factor, b, 1, b);
    for (int i = 0; i < n && status == STICK_OK; i++)
        if (!held[i])
            q[i] = b[place[i]];
    stick_factor_destroy(factor);
    stick_sparse_destroy(ctx, &A);
    free(place);
    free(rest);
    free(b);
    return status;
}

// A body with its matrices and everything of one static problem.
typedef struct Body {
    Grid grid;
    StickContinuum continuum;
    StickSparse M, C, K;
    double *q, *f;
    bool *held;
} Body;

// Takes the grid, whose nodes may still be moved until the matrices are made.
static inline void body_init(Body *body, Grid grid, const StickMaterial *material)
{
    size_t n = (size_t)(grid.mesh.nnodes * grid.mesh.dim);
    *body = (Body){.grid = grid};
    body->continuum = (StickContinuum){.mesh = &body->grid.mesh, .material = material, .thickness = 1};
    body->q = grid_take(n, sizeof *body->q);
    body->f = grid_take(n, sizeof *body->f);
    body->held = grid_take(n, sizeof *body->held);
}

static inline void body_assemble(StickContext *ctx, Body *body)
{
    assert_ok(ctx, stick_fem_matrices(ctx, &body->continuum, &body->M, &body->C, &body->K));
}

static inline void body_drop(StickContext *ctx, Body *body)
{
    stick_sparse_destroy(ctx, &body->M);
    stick_sparse_destroy(ctx, &body->C);
    stick_sparse_destroy(ctx, &body->K);
    free(body->q);
    free(body->f);
    free(body->held);
    grid_destroy(&body->grid);
}

static inline double largest(const double *x, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++)
        most = fabs(x[i]) > most ? fabs(x[i]) : most;
    return most;
}

// Traction of a constant stress.
static inline StickStatus constant_stress_traction(void *user, const double place[3], const double normal[3],
                                                   double traction[3])
{
    const double *s = user;
    (void)place;
    traction[0] = s[0] * normal[0] + s[3] * normal[1] + s[5] * normal[2];
    traction[1] = s[3] * normal[0] + s[1] * normal[1] + s[4] * normal[2];
    traction[2] = s[5] * normal[0] + s[4] * normal[1] + s[2] * normal[2];
    return STICK_OK;
}

#endif
