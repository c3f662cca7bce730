// SPDX-License-Identifier: Apache-2.0
// Sums and products of sparse matrices.
#ifndef LINALG_SPARSE_PRODUCT_H
#define LINALG_SPARSE_PRODUCT_H

#include <stickslip/sparse.h>

StickStatus stick_sparse_identity(StickContext *ctx, int n, StickSparse *A);

// C = A B
StickStatus stick_sparse_product(StickContext *ctx, const StickSparse *A, const StickSparse *B,
                                 StickSparse *C);

// B = Y' A Z
StickStatus stick_sparse_project(StickContext *ctx, const StickSparse *Y, const StickSparse *A,
                                 const StickSparse *Z, StickSparse *B);

// C = a A + b B, on the union of their patterns
StickStatus stick_sparse_sum(StickContext *ctx, double a, const StickSparse *A, double b,
                             const StickSparse *B, StickSparse *C);

// S = (A + A') / 2, symmetric to the bit
StickStatus stick_sparse_symmetric(StickContext *ctx, const StickSparse *A, StickSparse *S);

#endif
