// SPDX-License-Identifier: Apache-2.0
// Signs of the eigenvalues of a symmetric sparse matrix, from its LDL' (Sylvester). With M positive definite, the
// number of negative ones of K - s M is the number of eigenvalues of K x = value M x below s: a proof that none was
// missed.
#ifndef LINALG_INERTIA_H
#define LINALG_INERTIA_H

#include <stickslip/sparse.h>

typedef struct StickInertia {
    int negative;
    int positive;
} StickInertia;

// STICK_BAD_INPUT if A is not symmetric, STICK_NOT_SOLVED if it is singular, or if elimination without pivoting loses
// too much to be sure.
StickStatus stick_inertia(StickContext *ctx, const StickSparse *A, StickInertia *inertia);

#endif
