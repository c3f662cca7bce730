// SPDX-License-Identifier: Apache-2.0
// A sparse matrix that depends on a number: P(s) = K - s M, or P(s) = K + s C + s^2 M where there is a C. Factored at a
// shift it gives the operator whose large eigenvalues belong to the eigenvalues of P near the shift.
#ifndef LINALG_PENCIL_H
#define LINALG_PENCIL_H

#include "linalg/krylov.h"
#include "linalg/lu.h"

typedef struct StickPencil StickPencil;

// K, C (NULL: none) and M are copied. Matrices that do not fit, and entries that are not finite, are refused.
StickStatus stick_pencil_create(StickContext *ctx, const StickSparse *K, const StickSparse *C,
                                const StickSparse *M, StickPencil **pencil);
void stick_pencil_destroy(StickPencil *pencil);

// Order of P, and of vectors that the operator takes: twice that where there is a C.
int stick_pencil_order(const StickPencil *pencil);
int stick_pencil_length(const StickPencil *pencil);

// Factors P(shift), unless this shift was factored last; in real arithmetic for a real shift.
StickStatus stick_pencil_factor(StickPencil *pencil, double _Complex shift);

// (K - shift M)^-1 M, or the same for (x, s x) of the linear problem with P's eigenvalues, for unknowns in units of the
// pencil's own. Valid until the next factors.
StickKrylovOperator stick_pencil_operator(StickPencil *pencil);

// y = operator x for a complex vector at any shift
StickStatus stick_pencil_apply(StickPencil *pencil, const double _Complex *z, double _Complex *y);

// x = P(shift)^-1 b, in the units of the matrices that were given
StickStatus stick_pencil_solve(StickPencil *pencil, const double _Complex *b, double _Complex *x);

// x of a vector z of the operator, for eigenvalue s; ||P(s) x|| over the size of its terms, rows and unknowns scaled.
void stick_pencil_take(const StickPencil *pencil, double _Complex s, const double _Complex *z,
                       double _Complex *x);
double stick_pencil_residual(StickPencil *pencil, double _Complex s, const double _Complex *x);

// log |det P(z)| and its phase; factors of the operator are kept.
StickStatus stick_pencil_determinant(StickPencil *pencil, double _Complex z, double *logarithm,
                                     double *phase);

// Number of factorisations so far, and the cost of the last one at a shift.
int stick_pencil_factorisations(const StickPencil *pencil);
StickLuReport stick_pencil_report(const StickPencil *pencil);

#endif
