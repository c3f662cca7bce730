// SPDX-License-Identifier: Apache-2.0
// Bodies under finite deformation for tests: every law on every kind of element, and random states.
#ifndef TESTS_FEM_FINITE_CASES_H
#define TESTS_FEM_FINITE_CASES_H

#include "patch_case.h"
#include "problem.h"

#include "fem/finite.h"
#include "fem/material.h"
#include "linalg/lu.h"

static const Case cases[] = {
    {STICK_QUAD4, STICK_PLANE_STRAIN, true, false},  {STICK_QUAD4, STICK_PLANE_STRAIN, false, false},
    {STICK_TRI3, STICK_PLANE_STRAIN, false, false},  {STICK_TRI6, STICK_PLANE_STRAIN, false, false},
    {STICK_QUAD8, STICK_PLANE_STRAIN, false, false}, {STICK_HEX8, STICK_PLANE_STRAIN, true, false},
    {STICK_HEX8, STICK_PLANE_STRAIN, false, false},  {STICK_TET4, STICK_PLANE_STRAIN, false, false},
    {STICK_QUAD4, STICK_AXISYMMETRIC, true, false},  {STICK_QUAD4, STICK_AXISYMMETRIC, true, true},
    {STICK_QUAD4, STICK_AXISYMMETRIC, false, false}, {STICK_TRI3, STICK_AXISYMMETRIC, false, true},
    {STICK_TRI6, STICK_AXISYMMETRIC, false, false},  {STICK_QUAD8, STICK_AXISYMMETRIC, false, false},
};
enum { NCASES = sizeof cases / sizeof *cases };

// Moduli at small strains: shear 2, bulk 20.
enum { SHEAR = 2, BULK = 20 };
#define SMALL_STRAINS                                                               \
    .shear = SHEAR, .bulk = BULK, .young = 9.0 * BULK * SHEAR / (3 * BULK + SHEAR), \
    .poisson = (3.0 * BULK - 2 * SHEAR) / (2 * (3.0 * BULK + SHEAR)), .density = 1

static StickProny relaxing[] = {{0.3, 0.5}, {0.2, 5}};
static const StickMaterial materials[] = {
    {.name = (char *)"neo-hookean", .law = STICK_MATERIAL_NEO_HOOKEAN, .a1 = SHEAR / 2.0, SMALL_STRAINS},
    {.name = (char *)"mooney-rivlin",
     .law = STICK_MATERIAL_MOONEY_RIVLIN,
     .a1 = 0.6,
     .a2 = 0.4,
     SMALL_STRAINS},
    {.name = (char *)"relaxing",
     .law = STICK_MATERIAL_MOONEY_RIVLIN,
     .a1 = 0.6,
     .a2 = 0.4,
     .nprony = 2,
     .prony = relaxing,
     SMALL_STRAINS},
    {.name = (char *)"j2",
     .law = STICK_MATERIAL_J2,
     .hardening = {.yield = 0.2, .modulus = 2, .saturation = 0.3, .rate = 6},
     SMALL_STRAINS},
};
enum { NMATERIALS = sizeof materials / sizeof *materials };

typedef struct FiniteBody {
    Body body;
    StickFinite *finite;
    int ndofs, nhistory, nvalues;
    double tolerance; // of residuals, relative to forces; rounding is bulk times 1e-16
    double *past, *next, *force, *tangent;
} FiniteBody;

static inline Grid case_grid(const Case *c, int cells)
{
    static const double A[3][3] = {{1.2, 0.3, -0.1}, {-0.2, 0.9, 0.2}, {0.1, -0.3, 1.1}};
    static const double I[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    Grid grid = grid_make(c->shape, cells, cells, cells > 2 ? 2 : cells);
    int dim = grid.mesh.dim;
    bool ring = c->plane == STICK_AXISYMMETRIC;
    bool *axis = grid_take((size_t)grid.mesh.nnodes, sizeof *axis);
    for (int i = 0; i < grid.mesh.nnodes; i++)
        axis[i] = c->on_axis && grid.mesh.x[i * dim] == 0;
    grid_distort(&grid, 0.15 / (cells * grid_cells[c->shape].step));
    grid_map(&grid, ring ? I : A, (double[3]){ring && !c->on_axis ? 0.7 : 0, 0.2, 0.1});
    for (int i = 0; i < grid.mesh.nnodes; i++)
        if (axis[i])
            grid.mesh.x[i * dim] = 0;
    free(axis);
    return grid;
}

static inline void finite_init(StickContext *ctx, FiniteBody *it, Grid grid, const Case *c,
                               const StickMaterial *material)
{
    *it = (FiniteBody){0};
    body_init(&it->body, grid, material);
    it->body.continuum.plane = c->plane;
    it->body.continuum.mean_dilatation = c->mean_dilatation;
    it->body.continuum.mesh = &it->body.grid.mesh;
    body_assemble(ctx, &it->body);
    assert_ok(ctx, stick_finite_create(ctx, &it->body.continuum, &it->body.K, &it->finite));
    it->tolerance = 1e-12;
    it->ndofs = it->body.K.cols;
    it->nvalues = it->body.K.start[it->ndofs];
    it->nhistory = stick_finite_history(it->finite);
    it->past = grid_take((size_t)it->nhistory, sizeof(double));
    it->next = grid_take((size_t)it->nhistory, sizeof(double));
    it->force = grid_take((size_t)it->ndofs, sizeof(double));
    it->tangent = grid_take((size_t)it->nvalues, sizeof(double));
    stick_finite_rest(it->finite, it->past);
}

static inline void finite_drop(StickContext *ctx, FiniteBody *it)
{
    stick_finite_destroy(it->finite);
    free(it->past);
    free(it->next);
    free(it->force);
    free(it->tangent);
    body_drop(ctx, &it->body);
}

static inline StickFiniteTask evaluate(StickContext *ctx, FiniteBody *it, const double *q, double h)
{
    StickFiniteTask task = {
        .q = q, .h = h, .past = it->past, .next = it->next, .force = it->force, .tangent = it->tangent};
    assert_ok(ctx, stick_finite_evaluate(it->finite, &task));
    return task;
}

// The last computed history becomes the past one.
static inline void accept(FiniteBody *it)
{
    memcpy(it->past, it->next, (size_t)it->nhistory * sizeof(double));
}

static inline double random_number(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state / 2147483648.0 - 1;
}

// A random smooth deformation, u = A x + quadratic terms, of the given size; of a ring u_r = 0 on the axis. A does not
// change the volume to first order: strong compression is unstable.
static inline void random_motion(const FiniteBody *it, double size, uint32_t *state, double *q)
{
    const StickMesh *mesh = &it->body.grid.mesh;
    bool ring = it->body.continuum.plane == STICK_AXISYMMETRIC;
    double A[3][3], B[3][3];
    int dim = mesh->dim;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            A[i][j] = size * random_number(state);
            B[i][j] = 0.3 * size * random_number(state);
        }
    }
    A[dim - 1][dim - 1] = dim == 3 ? -A[0][0] - A[1][1] : ring ? -2 * A[0][0] : -A[0][0];
    for (int node = 0; node < mesh->nnodes; node++) {
        const double *x = mesh->x + node * dim;
        for (int i = 0; i < dim; i++) {
            double u = 0;
            for (int j = 0; j < dim; j++)
                u += A[i][j] * x[j] + B[i][j] * x[j] * x[(j + 1) % dim];
            q[node * dim + i] = ring && i == 0 ? x[0] * (A[0][0] + B[0][0] * x[0] + B[0][1] * x[1]) : u;
        }
    }
}

// Sum over free degrees of freedom of the squares of f - F_int, and its root over that of all forces.
static inline double residual(const FiniteBody *it, const double *f, double *rest)
{
    double sum = 0, all = 0;
    for (int i = 0; i < it->ndofs; i++) {
        rest[i] = f[i] - it->force[i];
        sum += it->body.held[i] ? 0 : rest[i] * rest[i];
        all += it->force[i] * it->force[i] + f[i] * f[i];
    }
    return sqrt(sum / (all > 0 ? all : 1));
}

// dq = T^-1 rest on the free degrees of freedom, 0 elsewhere; T need not be definite. False: it is singular.
static inline bool solve_free(StickContext *ctx, const FiniteBody *it, const double *rest, double *dq)
{
    int n = it->ndofs, nfree = 0, *place = grid_take((size_t)n, sizeof *place);
    double *b = grid_take((size_t)n, sizeof *b), *x = grid_take((size_t)n, sizeof *x);
    for (int i = 0; i < n; i++) {
        place[i] = it->body.held[i] ? -1 : nfree;
        if (!it->body.held[i])
            b[nfree++] = rest[i];
    }
    StickSparse T = it->body.K, A = {0};
    StickLu *lu = NULL;
    T.value = it->tangent;
    assert_ok(ctx, stick_sparse_extract(ctx, &T, place, nfree, place, nfree, &A));
    assert_ok(ctx, stick_lu_create(ctx, &A, "tangent", &lu));
    bool done = stick_lu_factor(lu, A.value) == STICK_OK && stick_lu_solve(lu, b, x) == STICK_OK;
    for (int i = 0; i < n; i++)
        dq[i] = done && place[i] >= 0 ? x[place[i]] : 0;
    stick_lu_destroy(lu);
    stick_sparse_destroy(ctx, &A);
    free(place);
    free(b);
    free(x);
    return done;
}

enum { MOST_ITERATIONS = 30 };

// Newton's iterations on the free degrees of freedom for forces f; returns how many it took, or -1, and the largest
// change of q in each.
static inline int newton(StickContext *ctx, FiniteBody *it, const double *f, double h,
                         double change[MOST_ITERATIONS + 1])
{
    double *rest = grid_take((size_t)it->ndofs, sizeof *rest), *dq = grid_take((size_t)it->ndofs, sizeof *dq);
    int count = -1;
    for (int k = 0; k <= MOST_ITERATIONS && count < 0; k++) {
        if (evaluate(ctx, it, it->body.q, h).bad_element >= 0)
            break;
        if (residual(it, f, rest) < it->tolerance) {
            count = k;
            break;
        }
        if (!solve_free(ctx, it, rest, dq))
            break;
        change[k] = largest(dq, it->ndofs);
        for (int i = 0; i < it->ndofs; i++)
            it->body.q[i] += dq[i];
    }
    free(rest);
    free(dq);
    return count;
}

#endif
