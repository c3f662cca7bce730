// SPDX-License-Identifier: Apache-2.0
#include "problems/factors.h"

#include "base/memory.h"

#include <string.h>

enum { SOLVE_BLOCK = 32 };         // right-hand sides per solve
static const double ROUND = 1e-14; // asymmetry that Cholesky may overlook

void stick_factors_destroy(StickFactors *factors)
{
    stick_factor_destroy(factors->cholesky);
    stick_lu_destroy(factors->lu);
    stick_context_destroy(factors->aside);
    *factors = (StickFactors){0};
}

static StickStatus factor_cholesky(StickFactors *factors)
{
    factors->aside = stick_context_create(NULL);
    if (!factors->aside)
        return stick_fail(factors->ctx, STICK_NO_MEMORY, "no memory for the factors of %s", factors->name);
    StickStatus status = stick_factor_create(factors->aside, factors->A, &factors->cholesky);
    if (status == STICK_OK)
        status = stick_factor_refactor(factors->cholesky, factors->A);
    if (status == STICK_OK || status == STICK_NOT_SOLVED)
        return status;
    return stick_fail(factors->ctx, status, "%s", stick_last_error(factors->aside));
}

static StickStatus factor_lu(StickFactors *factors)
{
    STICK_TRY(stick_lu_create(factors->ctx, factors->A, factors->name, &factors->lu));
    return stick_lu_factor(factors->lu, factors->A->value);
}

StickStatus stick_factors_create(StickContext *ctx, const StickSparse *A, const char *name,
                                 StickFactors *factors)
{
    double asymmetry;
    *factors = (StickFactors){.ctx = ctx, .A = A, .name = name};
    if (A->rows == 0)
        return STICK_OK;
    STICK_TRY(stick_sparse_asymmetry(ctx, A, &asymmetry));
    if (asymmetry <= ROUND) {
        StickStatus status = factor_cholesky(factors);
        if (status != STICK_NOT_SOLVED)
            return status;
        stick_factor_destroy(factors->cholesky);
        factors->cholesky = NULL;
    }
    return factor_lu(factors);
}

StickStatus stick_factors_solve(const StickFactors *factors, const double *B, int k, double *X)
{
    const StickSparse *A = factors->A;
    if (A->rows == 0)
        return STICK_OK;
    if (factors->cholesky)
        return stick_factor_solve(factors->cholesky, B, k, X);
    for (int j = 0; j < k; j++) {
        size_t at = (size_t)j * (size_t)A->rows;
        STICK_TRY(stick_lu_solve(factors->lu, B + at, X + at));
    }
    return STICK_OK;
}

// ---- condensation

typedef struct Workspace {
    double *B; // n x SOLVE_BLOCK
    double *X; // n x SOLVE_BLOCK
    double *y; // columns of H
} Workspace;

static void destroy_workspace(StickContext *ctx, Workspace *work)
{
    stick_free(ctx, work->B);
    stick_free(ctx, work->X);
    stick_free(ctx, work->y);
}

static StickStatus make_workspace(StickContext *ctx, const StickSparse *H, Workspace *work)
{
    STICK_ALLOC(ctx, work->B, (size_t)H->rows * SOLVE_BLOCK);
    STICK_ALLOC(ctx, work->X, (size_t)H->rows * SOLVE_BLOCK);
    STICK_ALLOC(ctx, work->y, H->cols);
    return STICK_OK;
}

// Columns first ... first + count - 1 of a H' A^-1 H
static StickStatus add_columns(const StickFactors *factors, const StickSparse *H, int first, int count,
                               double a, Workspace *work, StickTriplets *T)
{
    size_t n = (size_t)H->rows;
    memset(work->B, 0, n * (size_t)count * sizeof *work->B);
    for (int j = 0; j < count; j++)
        for (int k = H->start[first + j]; k < H->start[first + j + 1]; k++)
            work->B[(size_t)j * n + (size_t)H->row[k]] = H->value[k];
    STICK_TRY(stick_factors_solve(factors, work->B, count, work->X));
    for (int j = 0; j < count; j++) {
        memset(work->y, 0, (size_t)H->cols * sizeof *work->y);
        stick_sparse_multiply_transposed(H, a, work->X + (size_t)j * n, work->y);
        for (int i = 0; i < H->cols; i++)
            if (work->y[i] != 0)
                STICK_TRY(stick_triplets_add(factors->ctx, T, i, first + j, work->y[i]));
    }
    return STICK_OK;
}

StickStatus stick_factors_condense(const StickFactors *factors, const StickSparse *H, double a,
                                   StickTriplets *T)
{
    Workspace work = {0};
    StickStatus status = make_workspace(factors->ctx, H, &work);
    for (int j = 0; j < H->cols && status == STICK_OK; j += SOLVE_BLOCK) {
        int count = H->cols - j < SOLVE_BLOCK ? H->cols - j : SOLVE_BLOCK;
        status = add_columns(factors, H, j, count, a, &work, T);
    }
    destroy_workspace(factors->ctx, &work);
    return status;
}
