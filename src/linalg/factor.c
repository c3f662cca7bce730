// SPDX-License-Identifier: Apache-2.0
#include "linalg/factor.h"

#include "base/memory.h"
#include "linalg/cholmod_view.h"

#include <cblas.h>
#include <string.h>

struct StickFactor {
    StickContext *ctx;
    cholmod_common common;
    cholmod_factor *L;
    cholmod_dense *X, *Y, *E; // kept by cholmod_solve2 from call to call
    // of stick_factor_compliance
    int *column; // n: of L, by the place in A; NULL: not known yet
    int *block;  // n: supernode of a column of L
    int *row;    // n: of a column of L, in Z
    bool *reached;
    double *Z, *below;
    size_t Z_capacity, below_capacity;
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
    stick_free(F->ctx, F->column);
    stick_free(F->ctx, F->block);
    stick_free(F->ctx, F->row);
    stick_free(F->ctx, F->reached);
    stick_free(F->ctx, F->Z);
    stick_free(F->ctx, F->below);
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

// ---- compliance of few degrees of freedom: S = (L^-1 E)' (L^-1 E)

static StickStatus index_blocks(StickFactor *F)
{
    const cholmod_factor *L = F->L;
    const int *perm = L->Perm, *super = L->super;
    if (F->row)
        return STICK_OK;
    if (!F->column)
        STICK_ALLOC(F->ctx, F->column, L->n);
    if (!F->block)
        STICK_ALLOC(F->ctx, F->block, L->n);
    if (!F->reached)
        STICK_ALLOC(F->ctx, F->reached, L->nsuper);
    for (size_t j = 0; j < L->n; j++)
        F->column[perm[j]] = (int)j;
    for (size_t s = 0; s < L->nsuper; s++)
        for (int j = super[s]; j < super[s + 1]; j++)
            F->block[j] = (int)s;
    STICK_ALLOC(F->ctx, F->row, L->n);
    return STICK_OK;
}

// Columns of a supernode, and its rows, which begin with these.
typedef struct Block {
    int first, columns, rows;
    const int *row;
    const double *value; // rows x columns
} Block;

static Block block_of(const StickFactor *F, size_t s)
{
    const cholmod_factor *L = F->L;
    const int *super = L->super, *pi = L->pi, *px = L->px, *rows = L->s;
    return (Block){super[s], super[s + 1] - super[s], pi[s + 1] - pi[s], rows + pi[s],
                   (const double *)L->x + px[s]};
}

// Marks the supernodes that the places reach on their way up the tree, and numbers their columns; returns how many.
static int mark_reached(StickFactor *F, const int *place, int k, int *most_below)
{
    int count = 0;
    memset(F->reached, 0, F->L->nsuper * sizeof *F->reached);
    for (int i = 0; i < k; i++) {
        for (int s = F->block[F->column[place[i]]]; s >= 0 && !F->reached[s];) {
            Block block = block_of(F, (size_t)s);
            F->reached[s] = true;
            s = block.rows > block.columns ? F->block[block.row[block.columns]] : -1;
        }
    }
    *most_below = 0;
    for (size_t s = 0; s < F->L->nsuper; s++) {
        Block block = block_of(F, s);
        int below = block.rows - block.columns;
        for (int j = 0; j < block.columns && F->reached[s]; j++)
            F->row[block.first + j] = count++;
        *most_below = F->reached[s] && below > *most_below ? below : *most_below;
    }
    return count;
}

// Z = L^-1 Z over the rows that are reached.
static void solve_reached(StickFactor *F, int m, int k)
{
    for (size_t s = 0; s < F->L->nsuper; s++) {
        if (!F->reached[s])
            continue;
        Block block = block_of(F, s);
        int below = block.rows - block.columns;
        double *Z = F->Z + F->row[block.first];
        cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, block.columns, k, 1,
                    block.value, block.rows, Z, m);
        if (below == 0)
            continue;
        cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, below, k, block.columns, 1,
                    block.value + block.columns, block.rows, Z, m, 0, F->below, below);
        for (int c = 0; c < k; c++)
            for (int i = 0; i < below; i++)
                F->Z[(size_t)c * (size_t)m + (size_t)F->row[block.row[block.columns + i]]] -=
                    F->below[(size_t)c * (size_t)below + (size_t)i];
    }
}

// Numbers of Z: more than this is too much.
static const double much_memory = 5e7;

StickStatus stick_factor_compliance(StickFactor *F, const int *place, int k, double *S, bool *found)
{
    int below;
    *found = false;
    if (!F->L->is_super || !F->L->x || k == 0)
        return STICK_OK;
    STICK_TRY(index_blocks(F));
    int m = mark_reached(F, place, k, &below);
    size_t size = (size_t)m * (size_t)k;
    if ((double)size > much_memory)
        return STICK_OK;
    STICK_RESERVE(F->ctx, F->Z, F->Z_capacity, size);
    STICK_RESERVE(F->ctx, F->below, F->below_capacity, (size_t)below * (size_t)k + 1);
    memset(F->Z, 0, size * sizeof *F->Z);
    for (int c = 0; c < k; c++)
        F->Z[(size_t)c * (size_t)m + (size_t)F->row[F->column[place[c]]]] = 1;
    solve_reached(F, m, k);
    cblas_dsyrk(CblasColMajor, CblasLower, CblasTrans, k, m, 1, F->Z, m, 0, S, k);
    for (int j = 0; j < k; j++)
        for (int i = 0; i < j; i++)
            S[(size_t)j * (size_t)k + (size_t)i] = S[(size_t)i * (size_t)k + (size_t)j];
    *found = true;
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
