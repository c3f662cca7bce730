// SPDX-License-Identifier: Apache-2.0
// LU factors of a square sparse matrix, real or complex (UMFPACK): the pattern is analysed once, values are factored as
// often as they change, a solve takes no memory.
#ifndef LINALG_LU_H
#define LINALG_LU_H

#include <stickslip/sparse.h>

typedef struct StickLu StickLu;

typedef struct StickLuReport {
    double rcond; // smallest over largest pivot, of rows scaled to sums of one: a rough guess of 1/condition
    double entries; // of L and U
    double bytes;   // of the factors
    double flops;   // of the factorisation
} StickLuReport;

// A determinant that cannot overflow: mantissa * 10^exponent.
typedef struct StickDeterminant {
    double _Complex mantissa;
    double exponent;
} StickDeterminant;

// Prepares factors of matrices with the pattern of A. A must stay in memory; its values are not read. `name` must
// stay in memory, too; messages use it. The same interface serves real and complex matrices.
StickStatus stick_lu_create(StickContext *ctx, const StickSparse *A, const char *name, StickLu **lu);
StickStatus stick_lu_create_complex(StickContext *ctx, const StickSparse *A, const char *name, StickLu **lu);
void stick_lu_destroy(StickLu *lu);

// Factors the matrix; `value` follows the pattern and must stay in memory until the next call. A singular matrix
// gives STICK_NOT_SOLVED, an entry that is not finite STICK_BAD_INPUT; in both cases there are no factors to solve
// with.
StickStatus stick_lu_factor(StickLu *lu, const double *value);
StickStatus stick_lu_factor_complex(StickLu *lu, const double _Complex *value);

// x = A^-1 b with at most `steps` steps of iterative refinement (2 if this is never called).
void stick_lu_refine(StickLu *lu, int steps);
StickStatus stick_lu_solve(StickLu *lu, const double *b, double *x);
StickStatus stick_lu_solve_complex(StickLu *lu, const double _Complex *b, double _Complex *x);

StickLuReport stick_lu_report(const StickLu *lu);

// Of the matrix factored last.
StickStatus stick_lu_determinant(StickLu *lu, StickDeterminant *determinant);

#endif
