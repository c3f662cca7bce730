// SPDX-License-Identifier: Apache-2.0
#include "problems/condense_global.h"

#include "base/memory.h"
#include "problems/blocks.h"
#include "problems/factors.h"

#include <math.h>
#include <string.h>

// ---- bilateral rows joined to the equations of motion

static StickStatus add_block(StickContext *ctx, const StickSparse *A, int row, int col, bool transposed,
                             StickTriplets *T)
{
    for (int j = 0; j < A->cols; j++)
        for (int k = A->start[j]; k < A->start[j + 1]; k++)
            STICK_TRY(stick_triplets_add(ctx, T, row + (transposed ? j : A->row[k]),
                                         col + (transposed ? A->row[k] : j), A->value[k]));
    return STICK_OK;
}

// [M G; G' 0]
static StickStatus join_matrix(StickContext *ctx, const StickGlobalData *global, StickTriplets *T)
{
    int n = global->M.rows;
    T->rows = T->cols = n + global->G.cols;
    STICK_TRY(add_block(ctx, &global->M, 0, 0, false, T));
    STICK_TRY(add_block(ctx, &global->G, 0, n, false, T));
    return add_block(ctx, &global->G, n, 0, true, T);
}

static StickStatus from_triplets(StickContext *ctx, StickStatus status, StickTriplets *T, StickSparse *A)
{
    if (status == STICK_OK)
        status = stick_sparse_from_triplets(ctx, T, A);
    stick_triplets_destroy(ctx, T);
    return status;
}

// The same problem without bilateral rows, in the unknowns (v, -l).
typedef struct Joined {
    StickSparse M, H;
    double *f;
    const char *name;
} Joined;

static void destroy_joined(StickContext *ctx, Joined *joined)
{
    stick_sparse_destroy(ctx, &joined->M);
    stick_sparse_destroy(ctx, &joined->H);
    stick_free(ctx, joined->f);
}

static StickStatus join(StickContext *ctx, const StickGlobalData *global, Joined *joined)
{
    int n = global->M.rows, p = global->G.cols;
    StickTriplets K = {0}, H = {.rows = n + p, .cols = global->H.cols};
    joined->name = p > 0 ? "M with its bilateral rows G" : "M";
    STICK_TRY(from_triplets(ctx, join_matrix(ctx, global, &K), &K, &joined->M));
    STICK_TRY(from_triplets(ctx, add_block(ctx, &global->H, 0, 0, false, &H), &H, &joined->H));
    STICK_ALLOC(ctx, joined->f, (size_t)n + (size_t)p);
    memcpy(joined->f, global->f, (size_t)n * sizeof *joined->f);
    for (int k = 0; k < p; k++)
        joined->f[n + k] = -global->b[k];
    return STICK_OK;
}

// ---- condensation

static StickStatus condense_matrix(const StickFactors *factors, const StickSparse *H, int dim,
                                   StickBlocks *blocks)
{
    StickTriplets T = {.rows = H->cols, .cols = H->cols};
    StickSparse W = {0};
    StickStatus status = from_triplets(factors->ctx, stick_factors_condense(factors, H, 1, &T), &T, &W);
    if (status == STICK_OK)
        status = stick_blocks_from_sparse(factors->ctx, &W, dim, blocks);
    stick_sparse_destroy(factors->ctx, &W);
    return status;
}

static StickStatus fill(const StickFactors *factors, const Joined *joined, const StickGlobalData *global,
                        StickFrictionData *local)
{
    StickContext *ctx = factors->ctx;
    size_t m = (size_t)global->H.cols, nc = (size_t)global->ncontacts;
    double *x;
    STICK_TRY(condense_matrix(factors, &joined->H, global->dim, &local->W));
    STICK_ALLOC(ctx, local->u_free, m);
    STICK_ALLOC(ctx, local->mu, nc);
    memcpy(local->u_free, global->w, m * sizeof *local->u_free);
    memcpy(local->mu, global->mu, nc * sizeof *local->mu);
    // u_free = H' M^-1 f + w
    STICK_ALLOC(ctx, x, joined->M.rows);
    StickStatus status = stick_factors_solve(factors, joined->f, 1, x);
    if (status == STICK_OK)
        stick_sparse_multiply_transposed(&joined->H, 1, x, local->u_free);
    stick_free(ctx, x);
    return status;
}

StickStatus stick_condense_global(StickContext *ctx, const StickGlobalData *global, StickFrictionData *local)
{
    StickFactors factors = {0};
    StickFrictionData made = {.dim = global->dim, .ncontacts = global->ncontacts};
    Joined joined = {0};
    StickStatus status = join(ctx, global, &joined);
    if (status == STICK_OK)
        status = stick_factors_create(ctx, &joined.M, joined.name, &factors);
    if (status == STICK_OK)
        status = fill(&factors, &joined, global, &made);
    stick_factors_destroy(&factors);
    destroy_joined(ctx, &joined);
    if (status != STICK_OK)
        stick_friction_data_destroy(ctx, &made);
    else
        *local = made;
    return status;
}

// ---- back to the unknowns

StickStatus stick_global_velocity(StickContext *ctx, const StickGlobalData *global, const double *r,
                                  double *v, double *l)
{
    int n = global->M.rows, p = global->G.cols;
    StickFactors factors = {0};
    Joined joined = {0};
    double *x;
    STICK_ALLOC(ctx, x, (size_t)n + (size_t)p);
    StickStatus status = join(ctx, global, &joined);
    if (status == STICK_OK)
        status = stick_factors_create(ctx, &joined.M, joined.name, &factors);
    if (status == STICK_OK) {
        stick_sparse_multiply(&joined.H, 1, r, joined.f);
        status = stick_factors_solve(&factors, joined.f, 1, x);
    }
    if (status == STICK_OK) {
        memcpy(v, x, (size_t)n * sizeof *v);
        for (int k = 0; k < p; k++)
            l[k] = -x[n + k];
    }
    stick_factors_destroy(&factors);
    destroy_joined(ctx, &joined);
    stick_free(ctx, x);
    return status;
}

static double length(const double *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i] * x[i];
    return sqrt(sum);
}

// y += A x, or A' x; returns the norm of the added vector; t: workspace
static double add_term(const StickSparse *A, double a, const double *x, bool transposed, double *t, double *y)
{
    int n = transposed ? A->cols : A->rows;
    memset(t, 0, (size_t)n * sizeof *t);
    if (transposed)
        stick_sparse_multiply_transposed(A, a, x, t);
    else
        stick_sparse_multiply(A, a, x, t);
    for (int i = 0; i < n; i++)
        y[i] += t[i];
    return length(t, n);
}

static double relative(double error, double size)
{
    double ratio = error == 0 ? 0 : error / size;
    return isfinite(ratio) ? ratio : INFINITY;
}

StickStatus stick_global_equilibrium(StickContext *ctx, const StickGlobalData *global, const double *r,
                                     const double *v, const double *l, double *error)
{
    int n = global->M.rows, p = global->G.cols;
    size_t most = (size_t)(n > p ? n : p);
    double *y;
    STICK_ALLOC(ctx, y, 2 * most);
    double *t = y + most, size = length(global->f, n);
    for (int i = 0; i < n; i++)
        y[i] = -global->f[i];
    size = fmax(size, add_term(&global->M, 1, v, false, t, y));
    size = fmax(size, add_term(&global->H, -1, r, false, t, y));
    if (p > 0)
        size = fmax(size, add_term(&global->G, -1, l, false, t, y));
    double worst = relative(length(y, n), size);
    if (p > 0) {
        memcpy(y, global->b, (size_t)p * sizeof *y);
        size = fmax(length(global->b, p), length(v, n));
        size = fmax(size, add_term(&global->G, 1, v, true, t, y));
        worst = fmax(worst, relative(length(y, p), size));
    }
    stick_free(ctx, y);
    *error = worst;
    return STICK_OK;
}
