// SPDX-License-Identifier: Apache-2.0
// The inverse N of a square matrix K that changes by a row and a column at a time, O(n^2) for each change.
#ifndef LINALG_BORDERED_H
#define LINALG_BORDERED_H

#include <stickslip/context.h>

#include <stdbool.h>

typedef struct StickBordered {
    int n;
    int room;      // lead of N
    double *N;     // n x n by columns
    double *work;  // 2 room: of the last border
    int *swaps;    // room
    double *panel; // 64 room, of LAPACK
} StickBordered;

// Reserves room for K of order n; N does not change.
StickStatus stick_bordered_reserve(StickContext *ctx, StickBordered *inverse, int n);
void stick_bordered_free(StickContext *ctx, StickBordered *inverse);

// N of a new K: n x n by columns with lead n. false if K is singular to working precision, then n is 0.
bool stick_bordered_set(StickBordered *inverse, int n, const double *K);

// sigma = a - v' N u of the matrix [K u; v' a], and the size of the terms it is the sum of.
double stick_bordered_schur(StickBordered *inverse, const double *u, const double *v, double a, double *size);

// K becomes [K u; v' a] of the last call of stick_bordered_schur, whose sigma is not zero.
void stick_bordered_grow(StickBordered *inverse, double sigma);

// Row r and column c leave K, the last ones take their places; the pivot N_cr is not zero.
void stick_bordered_drop(StickBordered *inverse, int r, int c);

// Column c of K becomes u, or row r becomes v'; the pivots (N u)_c and (v' N)_r are not zero.
void stick_bordered_change_column(StickBordered *inverse, int c, const double *u);
void stick_bordered_change_row(StickBordered *inverse, int r, const double *v);

// x = N b and x' = b' N
void stick_bordered_solve(const StickBordered *inverse, const double *b, double *x);
void stick_bordered_solve_left(const StickBordered *inverse, const double *b, double *x);

static inline double stick_bordered_at(const StickBordered *inverse, int i, int j)
{
    return inverse->N[(size_t)j * (size_t)inverse->room + (size_t)i];
}

#endif
