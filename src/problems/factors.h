// SPDX-License-Identifier: Apache-2.0
// Factors of a square sparse matrix: Cholesky's if it is symmetric positive definite, LU otherwise.
#ifndef PROBLEMS_FACTORS_H
#define PROBLEMS_FACTORS_H

#include "linalg/factor.h"
#include "linalg/lu.h"

#include <stickslip/sparse.h>

typedef struct StickFactors {
    StickContext *ctx;
    const StickSparse *A; // must stay as long as the factors
    const char *name;     // of A, for messages
    StickContext *aside;  // receives the message that A is not positive definite, which is not an error here
    StickFactor *cholesky;
    StickLu *lu;
} StickFactors;

// A singular A is STICK_NOT_SOLVED. To be destroyed also after a failure.
StickStatus stick_factors_create(StickContext *ctx, const StickSparse *A, const char *name,
                                 StickFactors *factors);
void stick_factors_destroy(StickFactors *factors);

// X = A^-1 B, k columns, in room that the factors have: one solve at a time.
StickStatus stick_factors_solve(const StickFactors *factors, const double *B, int k, double *X);

// T += a H' A^-1 H
StickStatus stick_factors_condense(const StickFactors *factors, const StickSparse *H, double a,
                                   StickTriplets *T);

#endif
