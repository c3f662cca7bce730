// SPDX-License-Identifier: Apache-2.0
#include "linalg/factor.h"

#include "base/memory.h"
#include "linalg/cholmod_view.h"

#include <string.h>

struct StickFactor {
    StickContext *ctx;
    cholmod_common common;
    cholmod_factor *L;
    cholmod_dense *X, *Y, *E; // kept by cholmod_solve2 from call to call
};

StickStatus stick_factor_create(StickContext *ctx, const StickSparse *A, StickFactor **factor)
{
    StickFactor *F;
    STICK_ALLOC(ctx, F, 1);
    F->ctx = ctx;
    cholmod_start(&F->common);
    F->common.print = 0;
    F->common.error_handler = NULL;
    F->common.final_ll = 1; // LL', so that a negative pivot shows; LDL' would take it
    cholmod_sparse view = stick_cholmod_upper(A);
    F->L = cholmod_analyze(&view, &F->common);
    if (!F->L) {
        int reason = F->common.status;
        stick_factor_destroy(F);
        return stick_fail(ctx, reason == CHOLMOD_OUT_OF_MEMORY ? STICK_NO_MEMORY : STICK_INTERNAL,
                          "analysis of a sparse matrix of order %d failed (CHOLMOD %d)", A->rows, reason);
    }
    *factor = F;
    return STICK_OK;
}

void stick_factor_destroy(StickFactor *F)
{
    if (!F)
        return;
    cholmod_free_dense(&F->X, &F->common);
    cholmod_free_dense(&F->Y, &F->common);
    cholmod_free_dense(&F->E, &F->common);
    cholmod_free_factor(&F->L, &F->common);
    cholmod_finish(&F->common);
    stick_free(F->ctx, F);
}

StickStatus stick_factor_try(StickFactor *F, const StickSparse *A, bool *definite)
{
    cholmod_sparse view = stick_cholmod_upper(A);
    cholmod_factorize(&view, F->L, &F->common);
    if (F->common.status == CHOLMOD_OUT_OF_MEMORY)
        return stick_fail(F->ctx, STICK_NO_MEMORY, "no memory for the factors of a matrix of order %d",
                          A->rows);
    *definite = F->common.status == CHOLMOD_OK && F->L->minor == F->L->n;
    return STICK_OK;
}

StickStatus stick_factor_refactor(StickFactor *F, const StickSparse *A)
{
    bool definite;
    STICK_TRY(stick_factor_try(F, A, &definite));
    STICK_CHECK(F->ctx, definite, STICK_NOT_SOLVED,
                "a matrix of order %d is not positive definite (pivot %zu)", A->rows, F->L->minor + 1);
    return STICK_OK;
}

StickStatus stick_factor_solve(StickFactor *F, const double *B, int k, double *X)
{
    size_t n = F->L->n;
    if (n == 0 || k == 0)
        return STICK_OK;
    cholmod_dense right = {
        .nrow = n,
        .ncol = (size_t)k,
        .nzmax = n * (size_t)k,
        .d = n,
        .x = (double *)B,
        .xtype = CHOLMOD_REAL,
        .dtype = CHOLMOD_DOUBLE,
    };
    int good = cholmod_solve2(CHOLMOD_A, F->L, &right, NULL, &F->X, NULL, &F->Y, &F->E, &F->common);
    STICK_CHECK(F->ctx, good, F->common.status == CHOLMOD_OUT_OF_MEMORY ? STICK_NO_MEMORY : STICK_INTERNAL,
                "a sparse solve of order %zu failed (CHOLMOD %d)", n, F->common.status);
    memcpy(X, F->X->x, n * (size_t)k * sizeof *X);
    return STICK_OK;
}

double stick_factor_entries(const StickFactor *F)
{
    return F->L->is_super ? (double)F->L->xsize : (double)F->L->nzmax;
}

double stick_factor_bytes(const StickFactor *F)
{
    return F->L->is_super ? 8.0 * (double)F->L->xsize + 4.0 * (double)F->L->ssize
                          : 12.0 * (double)F->L->nzmax;
}
