// SPDX-License-Identifier: Apache-2.0
// Eigenvalues and right eigenvectors, and all of them for dense matrices (LAPACK), stored by columns.
#ifndef LINALG_EIGEN_H
#define LINALG_EIGEN_H

#include <stickslip/sparse.h>

// Pairs sorted by real part, then by |imaginary part|, then by imaginary part: conjugate pairs stand side by side,
// the one below the real axis first. The largest component of a vector has modulus 1 and is real and positive.
typedef struct StickEigen {
    int n;
    int count;
    double _Complex *value;  // count
    double _Complex *vector; // n x count, by columns
    double *residual;        // count: ||K x - value M x|| / || |K||x| + |value| |M||x| ||, and alike
    int infinite;            // eigenvalues at infinity, which are left out: M is singular
    double rcond;            // 1/condition of the matrix that was divided by; 0 if none was (QZ)
} StickEigen;

StickStatus stick_eigen_create(StickContext *ctx, int n, int count, StickEigen *eigen);
void stick_eigen_destroy(StickContext *ctx, StickEigen *eigen);

// The `count` smallest eigenvalues of a symmetric A, of which the upper triangle is taken.
StickStatus stick_eigen_symmetric(StickContext *ctx, int n, const double *A, int count, StickEigen *eigen);

// All finite eigenvalues of K x = value M x. M is divided by where its condition allows it; else QZ. They are real to
// the last bit where K and M are symmetric but for rounding and M is definite and divided by.
// K and M that share a null vector, so that every number is an eigenvalue, are STICK_NOT_SOLVED.
StickStatus stick_eigen_pencil(StickContext *ctx, int n, const double *K, const double *M, StickEigen *eigen);

// All finite eigenvalues of (value^2 M + value C + K) x = 0.
StickStatus stick_eigen_quadratic(StickContext *ctx, int n, const double *M, const double *C, const double *K,
                                  StickEigen *eigen);

// Sorts and normalises pairs: the last step of all dense and sparse eigensolvers.
void stick_eigen_normalise(int n, double _Complex *vector);
StickStatus stick_eigen_sort(StickContext *ctx, StickEigen *eigen);

// dense (rows x cols, by columns) = A
void stick_eigen_fill(const StickSparse *A, double *dense);

#endif
