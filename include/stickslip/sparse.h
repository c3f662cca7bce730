// SPDX-License-Identifier: Apache-2.0
// Sparse matrices by compressed columns. A symmetric matrix is stored in full, so that a product gathers by columns.
#ifndef STICKSLIP_SPARSE_H
#define STICKSLIP_SPARSE_H

#include <stickslip/context.h>

#include <stdbool.h>

typedef struct StickSparse {
    int rows;
    int cols;
    int *start;    // cols + 1
    int *row;      // start[cols], ascending in every column
    double *value; // start[cols]
} StickSparse;

// Entries in any order, repeated ones are summed.
typedef struct StickTriplets {
    int rows;
    int cols;
    size_t count;
    size_t capacity;
    int *row;
    int *col;
    double *value;
} StickTriplets;

StickStatus stick_triplets_add(StickContext *ctx, StickTriplets *triplets, int row, int col, double value);
void stick_triplets_destroy(StickContext *ctx, StickTriplets *triplets);

StickStatus stick_sparse_from_triplets(StickContext *ctx, const StickTriplets *triplets, StickSparse *A);
StickStatus stick_sparse_copy(StickContext *ctx, const StickSparse *A, StickSparse *B);
StickStatus stick_sparse_transpose(StickContext *ctx, const StickSparse *A, StickSparse *At);
void stick_sparse_destroy(StickContext *ctx, StickSparse *A);

// Position of entry (row, col) in value, or -1.
int stick_sparse_find(const StickSparse *A, int row, int col);

// y += a A x
void stick_sparse_multiply(const StickSparse *A, double a, const double *x, double *y);
// y += a A' x; for a symmetric A the faster of the two
void stick_sparse_multiply_transposed(const StickSparse *A, double a, const double *x, double *y);

// x' A y
double stick_sparse_form(const StickSparse *A, const double *x, const double *y);

// A[keep_row, keep_col]: new_row and new_col give the new place of each old row and column, -1 drops it.
StickStatus stick_sparse_extract(StickContext *ctx, const StickSparse *A, const int *new_row, int rows,
                                 const int *new_col, int cols, StickSparse *B);

// Largest |A - A'| entry over largest |A| entry.
StickStatus stick_sparse_asymmetry(StickContext *ctx, const StickSparse *A, double *asymmetry);

#endif
