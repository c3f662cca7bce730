// SPDX-License-Identifier: Apache-2.0
// How CHOLMOD sees a symmetric matrix of ours: the upper triangle of one that is stored in full.
#ifndef LINALG_CHOLMOD_VIEW_H
#define LINALG_CHOLMOD_VIEW_H

#include <stickslip/sparse.h>

#include <suitesparse/cholmod.h>

static inline cholmod_sparse stick_cholmod_upper(const StickSparse *A)
{
    return (cholmod_sparse){
        .nrow = (size_t)A->rows,
        .ncol = (size_t)A->cols,
        .nzmax = (size_t)A->start[A->cols],
        .p = A->start,
        .i = A->row,
        .x = A->value,
        .stype = 1,
        .itype = CHOLMOD_INT,
        .xtype = CHOLMOD_REAL,
        .dtype = CHOLMOD_DOUBLE,
        .sorted = 1,
        .packed = 1,
    };
}

#endif
