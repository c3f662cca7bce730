// SPDX-License-Identifier: Apache-2.0
// Sparse LU of a matrix stored by d x d blocks whose pattern is nearly symmetric: ordering and allocation once for a
// pattern, then factors for changing values, of the whole matrix or of some of its block rows and columns, without
// any allocation. Pivoting is restricted to rows that are eliminated together. Therefore check the report after a
// factorisation, or the residual of a refinement.
#ifndef LINALG_BLOCK_LU_H
#define LINALG_BLOCK_LU_H

#include <stickslip/context.h>

#include <stdbool.h>

typedef struct StickBlockLu StickBlockLu;

// How well a factorisation went.
typedef struct StickBlockLuReport {
    double
        pivot; // smallest pivot over the largest entry of A in its diagonal block; 0: singular, don't solve
    double growth; // largest multiplier: 1 or less with full exchange of rows
    double flops;  // of this factorisation
} StickBlockLuReport;

StickStatus stick_block_lu_create(StickContext *ctx, StickBlockLu **lu);
void stick_block_lu_destroy(StickBlockLu *lu);

// Limits the number of doubles in the factors of patterns analysed from now on. If an analysis needs more, it ends
// without an error and without a pattern, and its flops are infinite.
void stick_block_lu_limit(StickBlockLu *lu, double most_numbers);

// Factors and solutions of large matrices use the threads of the context; the bits are the same. Must not be used
// inside a task of the pool.
void stick_block_lu_threads(StickBlockLu *lu, bool has_threads);

// Ordering by minimum degree and room for a pattern by block rows: start (n + 1), col (start[n], ascending in a row,
// with all diagonal blocks). d = 1, 2 or 3. No cost if the pattern has not changed. After an error there is no
// pattern.
StickStatus stick_block_lu_analyse(StickBlockLu *lu, int n, const int *start, const int *col, int d);

// Of a factorisation of the whole matrix, from the pattern alone.
double stick_block_lu_flops(const StickBlockLu *lu);

// Number of doubles in the factors of the whole matrix, from the pattern alone: a solve takes twice as many
// operations.
double stick_block_lu_numbers(const StickBlockLu *lu);

// value: the blocks in the order of the pattern, each by rows. active: ascending block rows (nactive of them)
// that the factored matrix consists of, or NULL for all. Blocks outside are not looked at.
StickBlockLuReport stick_block_lu_factor(StickBlockLu *lu, const double *value, const int *active,
                                         int nactive);

// A x = b (n * d each, may be the same memory). Rows that are not active are not changed.
void stick_block_lu_solve(StickBlockLu *lu, const double *b, double *x);

// One step of iterative refinement: x += A^-1 (b - A x). Returns the largest |b - A x| before it, relative to
// the largest |b|.
double stick_block_lu_refine(StickBlockLu *lu, const double *value, const double *b, double *x);

#endif
