// SPDX-License-Identifier: Apache-2.0
#include "problems/mixed.h"

#include "base/memory.h"
#include "problems/blocks.h"
#include "problems/factors.h"

#include <string.h>

// W - V R^-1 V'
static StickStatus eliminate_matrix(const StickFactors *factors, const StickMixedData *mixed, int dim,
                                    StickBlocks *blocks)
{
    StickContext *ctx = factors->ctx;
    const StickSparse *W = &mixed->W;
    StickTriplets T = {.rows = W->rows, .cols = W->cols};
    StickSparse Vt = {0}, all = {0};
    StickStatus status = stick_sparse_transpose(ctx, &mixed->V, &Vt);
    for (int j = 0; j < W->cols && status == STICK_OK; j++)
        for (int k = W->start[j]; k < W->start[j + 1] && status == STICK_OK; k++)
            status = stick_triplets_add(ctx, &T, W->row[k], j, W->value[k]);
    if (status == STICK_OK)
        status = stick_factors_condense(factors, &Vt, -1, &T);
    if (status == STICK_OK)
        status = stick_sparse_from_triplets(ctx, &T, &all);
    if (status == STICK_OK)
        status = stick_blocks_from_sparse(ctx, &all, dim, blocks);
    stick_sparse_destroy(ctx, &all);
    stick_sparse_destroy(ctx, &Vt);
    stick_triplets_destroy(ctx, &T);
    return status;
}

// q - V R^-1 s
static StickStatus eliminate_vector(const StickFactors *factors, const StickMixedData *mixed, double **u_free)
{
    double *x;
    STICK_ALLOC(factors->ctx, *u_free, mixed->W.rows);
    memcpy(*u_free, mixed->q, (size_t)mixed->W.rows * sizeof **u_free);
    STICK_ALLOC(factors->ctx, x, mixed->R.rows);
    StickStatus status = stick_factors_solve(factors, mixed->s, 1, x);
    if (status == STICK_OK)
        stick_sparse_multiply(&mixed->V, -1, x, *u_free);
    stick_free(factors->ctx, x);
    return status;
}

static const char matrix_name[] = "the matrix R of the bilateral rows";

StickStatus stick_mixed_eliminate(StickContext *ctx, const StickMixedData *mixed, StickFrictionData *local)
{
    StickFactors factors;
    StickBlocks W = {0};
    double *u_free = NULL;
    StickStatus status = stick_factors_create(ctx, &mixed->R, matrix_name, &factors);
    if (status == STICK_OK)
        status = eliminate_matrix(&factors, mixed, local->dim, &W);
    if (status == STICK_OK)
        status = eliminate_vector(&factors, mixed, &u_free);
    stick_factors_destroy(&factors);
    if (status != STICK_OK) {
        stick_blocks_destroy(ctx, &W);
        stick_free(ctx, u_free);
        return status;
    }
    local->W = W;
    local->u_free = u_free;
    return STICK_OK;
}

StickStatus stick_mixed_multipliers(StickContext *ctx, const StickMixedData *mixed, const double *r,
                                    double *l)
{
    StickFactors factors;
    double *x;
    STICK_ALLOC(ctx, x, mixed->R.rows);
    StickStatus status = stick_factors_create(ctx, &mixed->R, matrix_name, &factors);
    if (status == STICK_OK) {
        for (int k = 0; k < mixed->R.rows; k++)
            x[k] = -mixed->s[k];
        stick_sparse_multiply_transposed(&mixed->V, -1, r, x);
        status = stick_factors_solve(&factors, x, 1, l);
    }
    stick_factors_destroy(&factors);
    stick_free(ctx, x);
    return status;
}
