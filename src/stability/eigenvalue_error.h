// SPDX-License-Identifier: Apache-2.0
// How far rounding may have moved an eigenvalue s of P(s) x = 0, P = K - s M or K + s C + s^2 M. With its left vector y
//
//     |delta s| <= (|y' P(s) x| + few eps |y|' |P|(|s|) |x|) / |y' P_s(s) x|
//
// to first order: the first term is the residual of the pair, the second the rounding of the matrix entries. Near a
// double eigenvalue with one vector the denominator vanishes; this distinguishes a pair that has just become complex
// from one that rounding made. With two vectors it does not vanish.
#ifndef STABILITY_EIGENVALUE_ERROR_H
#define STABILITY_EIGENVALUE_ERROR_H

#include <stickslip/sparse.h>

typedef struct StickEigenvalueError StickEigenvalueError;

typedef struct StickEigenvalueErrorReport {
    double value; // of |delta s|
    bool neutral; // y' K x is rounding: a motion without stiffness, and s is zero but for it
} StickEigenvalueErrorReport;

// Of matrices that must stay; C is NULL for K - s M.
StickStatus stick_eigenvalue_error_create(StickContext *ctx, const StickSparse *K, const StickSparse *C,
                                          const StickSparse *M, StickEigenvalueError **noise);
void stick_eigenvalue_error_destroy(StickEigenvalueError *noise);

// Takes one sparse factorisation; x replaces y if that fails. The result is at most |s|.
StickStatus stick_eigenvalue_error_measure(StickEigenvalueError *noise, double _Complex s,
                                           const double _Complex *x, StickEigenvalueErrorReport *report);

#endif
