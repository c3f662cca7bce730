// SPDX-License-Identifier: Apache-2.0
#include "problems/condense_global.h"

#include "base/memory.h"
#include "linalg/factor.h"
#include "problems/blocks.h"

#include <string.h>
#include <suitesparse/umfpack.h>

enum { SOLVE_BLOCK = 32 };         // right-hand sides per solve
static const double ROUND = 1e-14; // asymmetry that Cholesky may overlook

// Factors of M, Cholesky's or LU.
typedef struct Factors {
    StickContext *ctx;
    const StickSparse *M;
    StickContext *aside; // hears that M is not positive definite, which is no error here
    StickFactor *cholesky;
    void *lu;
} Factors;

static void destroy_factors(Factors *factors)
{
    stick_factor_destroy(factors->cholesky);
    if (factors->lu)
        umfpack_di_free_numeric(&factors->lu);
    stick_context_destroy(factors->aside);
}

static StickStatus factor_cholesky(Factors *factors)
{
    factors->aside = stick_context_create(NULL);
    if (!factors->aside)
        return stick_fail(factors->ctx, STICK_NO_MEMORY, "no memory for the factors of M");
    StickStatus status = stick_factor_create(factors->aside, factors->M, &factors->cholesky);
    if (status == STICK_OK)
        status = stick_factor_refactor(factors->cholesky, factors->M);
    if (status == STICK_OK || status == STICK_NOT_SOLVED)
        return status;
    return stick_fail(factors->ctx, status, "%s", stick_last_error(factors->aside));
}

static StickStatus check_lu(const Factors *factors, int result)
{
    STICK_CHECK(factors->ctx, result != UMFPACK_ERROR_out_of_memory, STICK_NO_MEMORY,
                "no memory for the factors of M");
    STICK_CHECK(factors->ctx, result != UMFPACK_WARNING_singular_matrix, STICK_NOT_SOLVED,
                "M, of order %d, is singular", factors->M->rows);
    STICK_CHECK(factors->ctx, result == UMFPACK_OK, STICK_INTERNAL,
                "factors of M, of order %d, failed (UMFPACK %d)", factors->M->rows, result);
    return STICK_OK;
}

static StickStatus factor_lu(Factors *factors)
{
    const StickSparse *M = factors->M;
    void *symbolic = NULL;
    int result = umfpack_di_symbolic(M->rows, M->cols, M->start, M->row, M->value, &symbolic, NULL, NULL);
    if (result == UMFPACK_OK)
        result = umfpack_di_numeric(M->start, M->row, M->value, symbolic, &factors->lu, NULL, NULL);
    if (symbolic)
        umfpack_di_free_symbolic(&symbolic);
    return check_lu(factors, result);
}

static StickStatus factor(Factors *factors)
{
    double asymmetry;
    STICK_TRY(stick_sparse_asymmetry(factors->ctx, factors->M, &asymmetry));
    if (asymmetry <= ROUND) {
        StickStatus status = factor_cholesky(factors);
        if (status != STICK_NOT_SOLVED)
            return status;
        stick_factor_destroy(factors->cholesky);
        factors->cholesky = NULL;
    }
    return factor_lu(factors);
}

// X = M^-1 B, k columns
static StickStatus solve(const Factors *factors, const double *B, int k, double *X)
{
    const StickSparse *M = factors->M;
    if (factors->cholesky)
        return stick_factor_solve(factors->cholesky, B, k, X);
    for (int j = 0; j < k; j++) {
        size_t at = (size_t)j * (size_t)M->rows;
        STICK_TRY(check_lu(factors, umfpack_di_solve(UMFPACK_A, M->start, M->row, M->value, X + at, B + at,
                                                     factors->lu, NULL, NULL)));
    }
    return STICK_OK;
}

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

// Columns first ... first + count - 1 of W = H' M^-1 H
static StickStatus add_columns(const Factors *factors, const StickSparse *H, int first, int count,
                               Workspace *work, StickTriplets *W)
{
    size_t n = (size_t)H->rows;
    memset(work->B, 0, n * (size_t)count * sizeof *work->B);
    for (int j = 0; j < count; j++)
        for (int k = H->start[first + j]; k < H->start[first + j + 1]; k++)
            work->B[(size_t)j * n + (size_t)H->row[k]] = H->value[k];
    STICK_TRY(solve(factors, work->B, count, work->X));
    for (int j = 0; j < count; j++) {
        memset(work->y, 0, (size_t)H->cols * sizeof *work->y);
        stick_sparse_multiply_transposed(H, 1, work->X + (size_t)j * n, work->y);
        for (int i = 0; i < H->cols; i++)
            if (work->y[i] != 0)
                STICK_TRY(stick_triplets_add(factors->ctx, W, i, first + j, work->y[i]));
    }
    return STICK_OK;
}

static StickStatus condense_matrix(const Factors *factors, const StickGlobalData *global, Workspace *work,
                                   StickBlocks *blocks)
{
    const StickSparse *H = &global->H;
    StickTriplets T = {.rows = H->cols, .cols = H->cols};
    StickSparse W = {0};
    StickStatus status = STICK_OK;
    for (int j = 0; j < H->cols && status == STICK_OK; j += SOLVE_BLOCK) {
        int count = H->cols - j < SOLVE_BLOCK ? H->cols - j : SOLVE_BLOCK;
        status = add_columns(factors, H, j, count, work, &T);
    }
    if (status == STICK_OK)
        status = stick_sparse_from_triplets(factors->ctx, &T, &W);
    if (status == STICK_OK)
        status = stick_blocks_from_sparse(factors->ctx, &W, global->dim, blocks);
    stick_sparse_destroy(factors->ctx, &W);
    stick_triplets_destroy(factors->ctx, &T);
    return status;
}

static StickStatus fill(const Factors *factors, const StickGlobalData *global, Workspace *work,
                        StickFrictionData *local)
{
    size_t m = (size_t)global->H.cols, nc = (size_t)global->ncontacts;
    STICK_TRY(make_workspace(factors->ctx, &global->H, work));
    STICK_TRY(condense_matrix(factors, global, work, &local->W));
    STICK_ALLOC(factors->ctx, local->u_free, m);
    STICK_ALLOC(factors->ctx, local->mu, nc);
    memcpy(local->u_free, global->w, m * sizeof *local->u_free);
    memcpy(local->mu, global->mu, nc * sizeof *local->mu);
    // u_free = H' M^-1 f + w
    STICK_TRY(solve(factors, global->f, 1, work->X));
    stick_sparse_multiply_transposed(&global->H, 1, work->X, local->u_free);
    return STICK_OK;
}

StickStatus stick_condense_global(StickContext *ctx, const StickGlobalData *global, StickFrictionData *local)
{
    Factors factors = {.ctx = ctx, .M = &global->M};
    StickFrictionData made = {.dim = global->dim, .ncontacts = global->ncontacts};
    Workspace work = {0};
    StickStatus status = factor(&factors);
    if (status == STICK_OK)
        status = fill(&factors, global, &work, &made);
    destroy_workspace(ctx, &work);
    destroy_factors(&factors);
    if (status != STICK_OK)
        stick_friction_data_destroy(ctx, &made);
    else
        *local = made;
    return status;
}
