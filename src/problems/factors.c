// SPDX-License-Identifier: Apache-2.0
#include "problems/factors.h"

#include "base/memory.h"

#include <string.h>
#include <suitesparse/umfpack.h>

enum { SOLVE_BLOCK = 32 };            // right-hand sides per solve
static const double ROUND = 1e-14;    // asymmetry that Cholesky may overlook
static const double SINGULAR = 1e-15; // ratio of pivots below which nothing is left of a solution

void stick_factors_destroy(StickFactors *factors)
{
    stick_factor_destroy(factors->cholesky);
    if (factors->lu)
        umfpack_di_free_numeric(&factors->lu);
    stick_free(factors->ctx, factors->reals);
    stick_free(factors->ctx, factors->integers);
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

static StickStatus check_lu(const StickFactors *factors, int result)
{
    STICK_CHECK(factors->ctx, result != UMFPACK_ERROR_out_of_memory, STICK_NO_MEMORY,
                "no memory for the factors of %s", factors->name);
    STICK_CHECK(factors->ctx, result != UMFPACK_WARNING_singular_matrix, STICK_NOT_SOLVED,
                "%s, of order %d, is singular", factors->name, factors->A->rows);
    STICK_CHECK(factors->ctx, result == UMFPACK_OK, STICK_INTERNAL,
                "factors of %s, of order %d, failed (UMFPACK %d)", factors->name, factors->A->rows, result);
    return STICK_OK;
}

static StickStatus factor_lu(StickFactors *factors)
{
    const StickSparse *A = factors->A;
    void *symbolic = NULL;
    double info[UMFPACK_INFO];
    STICK_ALLOC(factors->ctx, factors->reals, 5 * (size_t)A->rows);
    STICK_ALLOC(factors->ctx, factors->integers, A->rows);
    int result = umfpack_di_symbolic(A->rows, A->cols, A->start, A->row, A->value, &symbolic, NULL, info);
    if (result == UMFPACK_OK)
        result = umfpack_di_numeric(A->start, A->row, A->value, symbolic, &factors->lu, NULL, info);
    if (symbolic)
        umfpack_di_free_symbolic(&symbolic);
    if (result == UMFPACK_OK && info[UMFPACK_RCOND] < SINGULAR)
        result = UMFPACK_WARNING_singular_matrix;
    return check_lu(factors, result);
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
        STICK_TRY(
            check_lu(factors, umfpack_di_wsolve(UMFPACK_A, A->start, A->row, A->value, X + at, B + at,
                                                factors->lu, NULL, NULL, factors->integers, factors->reals)));
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
