// SPDX-License-Identifier: Apache-2.0
// Dense kernels of factorisations by blocks: all matrices by columns, small ones without the cost of a call to
// BLAS, large ones by BLAS. Same bits on every processor of one family.
#ifndef LINALG_DENSE_KERNELS_H
#define LINALG_DENSE_KERNELS_H

#include <stdbool.h>

// Leading dimensions of B in the triangular solves are multiples of PAD, and the padding may be written to.
// Products read up to PAD - 1 rows past the end of A, and C has room for as many more rows.
enum { STICK_KERNEL_PAD = 8 };

static inline int stick_kernel_padded(int rows)
{
    return (rows + STICK_KERNEL_PAD - 1) / STICK_KERNEL_PAD * STICK_KERNEL_PAD;
}

typedef struct StickDense {
    int rows, cols;
    const double *value;
    int lead; // distance of columns
} StickDense;

// C = A B' with A (m x k), B (n x k)
void stick_kernel_product(StickDense A, StickDense B, double *C, int lead);

// P A = L U in place with rows exchanged; false if a pivot is zero or not a number. pivot[k]: the row that was
// exchanged with row k, from 0.
bool stick_kernel_lu(int n, double *A, int *pivot);

// B = B U^-1 and B = B P' L^-T, with the factors of stick_kernel_lu (n x n) and B (m x n)
void stick_kernel_divide_upper(int n, const double *LU, int m, double *B, int lead);
void stick_kernel_divide_lower(int n, const double *LU, const int *pivot, int m, double *B, int lead);

// x = L^-1 P x and x = U^-1 x
void stick_kernel_forward(int n, const double *LU, const int *pivot, double *x);
void stick_kernel_backward(int n, const double *LU, double *x);

// y = A x with room for PAD - 1 more entries in y, and y -= A' x
void stick_kernel_times(StickDense A, const double *x, double *y);
void stick_kernel_subtract_transposed(StickDense A, const double *x, double *y);

// L = [L1; L2] with a lower triangle L1, w = [w1; w2] in the same way: w1 = L1^-1 w1, then w2 -= L2 w1; and w1 =
// L1^-T (w1 - L2' w2).
void stick_kernel_eliminate(StickDense L, double *w);
void stick_kernel_substitute(StickDense L, double *w);

#endif
