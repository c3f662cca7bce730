// SPDX-License-Identifier: Apache-2.0
// A symmetric matrix in CHOLMOD's format: the upper triangle of a matrix that is stored in full. Integers have 64
// bits, because factors of large matrices in space have more than 2^31 numbers.
#ifndef LINALG_CHOLMOD_VIEW_H
#define LINALG_CHOLMOD_VIEW_H

#include "base/memory.h"

#include <stickslip/sparse.h>

#include <suitesparse/cholmod.h>

// The pattern of a matrix.
typedef struct StickCholmodPattern {
    SuiteSparse_long *start, *row;
} StickCholmodPattern;

static inline void stick_cholmod_pattern_destroy(StickContext *ctx, StickCholmodPattern *pattern)
{
    stick_free(ctx, pattern->start);
    stick_free(ctx, pattern->row);
    *pattern = (StickCholmodPattern){0};
}

// In case of an error the caller destroys it.
static inline StickStatus stick_cholmod_pattern_create(StickContext *ctx, const StickSparse *A,
                                                       StickCholmodPattern *pattern)
{
    STICK_ALLOC(ctx, pattern->start, A->cols + 1);
    STICK_ALLOC(ctx, pattern->row, A->start[A->cols]);
    for (int j = 0; j <= A->cols; j++)
        pattern->start[j] = A->start[j];
    for (int k = 0; k < A->start[A->cols]; k++)
        pattern->row[k] = A->row[k];
    return STICK_OK;
}

static inline cholmod_sparse stick_cholmod_upper(const StickSparse *A, const StickCholmodPattern *pattern)
{
    return (cholmod_sparse){
        .nrow = (size_t)A->rows,
        .ncol = (size_t)A->cols,
        .nzmax = (size_t)A->start[A->cols],
        .p = pattern->start,
        .i = pattern->row,
        .x = A->value,
        .stype = 1,
        .itype = CHOLMOD_LONG,
        .xtype = CHOLMOD_REAL,
        .dtype = CHOLMOD_DOUBLE,
        .sorted = 1,
        .packed = 1,
    };
}

#endif
