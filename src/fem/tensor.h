// SPDX-License-Identifier: Apache-2.0
// Tensors of a point: 3 x 3 matrices, and symmetric ones as six numbers xx, yy, zz, xy, yz, zx (no factors of two).
#ifndef FEM_TENSOR_H
#define FEM_TENSOR_H

#include <string.h>

// Row and column of each of the six.
static const int stick_six_row[6] = {0, 1, 2, 0, 1, 2};
static const int stick_six_col[6] = {0, 1, 2, 1, 2, 0};

static inline double stick_tensor_determinant(const double A[3][3])
{
    return A[0][0] * (A[1][1] * A[2][2] - A[1][2] * A[2][1]) -
           A[0][1] * (A[1][0] * A[2][2] - A[1][2] * A[2][0]) +
           A[0][2] * (A[1][0] * A[2][1] - A[1][1] * A[2][0]);
}

// det(1 + D) - 1, with all its digits where D is small.
static inline double stick_tensor_determinant_less_one(const double D[3][3])
{
    double minors = D[0][0] * D[1][1] - D[0][1] * D[1][0] + D[0][0] * D[2][2] - D[0][2] * D[2][0] +
                    D[1][1] * D[2][2] - D[1][2] * D[2][1];
    return D[0][0] + D[1][1] + D[2][2] + minors + stick_tensor_determinant(D);
}

// By cofactors, with the determinant known; may not be in place.
static inline void stick_tensor_inverse(const double A[3][3], double determinant, double inverse[3][3])
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            int r = (j + 1) % 3, s = (j + 2) % 3, u = (i + 1) % 3, v = (i + 2) % 3;
            inverse[i][j] = (A[r][u] * A[s][v] - A[r][v] * A[s][u]) / determinant;
        }
    }
}

static inline void stick_tensor_product(const double A[3][3], const double B[3][3], double AB[3][3])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            AB[i][j] = A[i][0] * B[0][j] + A[i][1] * B[1][j] + A[i][2] * B[2][j];
}

static inline void stick_six_to_tensor(const double six[6], double A[3][3])
{
    for (int k = 0; k < 6; k++)
        A[stick_six_row[k]][stick_six_col[k]] = A[stick_six_col[k]][stick_six_row[k]] = six[k];
}

static inline double stick_six_trace(const double A[6])
{
    return A[0] + A[1] + A[2];
}

// A : B
static inline double stick_six_inner(const double A[6], const double B[6])
{
    return A[0] * B[0] + A[1] * B[1] + A[2] * B[2] + 2 * (A[3] * B[3] + A[4] * B[4] + A[5] * B[5]);
}

static inline double stick_six_determinant(const double A[6])
{
    return A[0] * (A[1] * A[2] - A[4] * A[4]) - A[3] * (A[3] * A[2] - A[4] * A[5]) +
           A[5] * (A[3] * A[4] - A[1] * A[5]);
}

static inline void stick_six_inverse(const double A[6], double inverse[6])
{
    double det = stick_six_determinant(A);
    double out[6] = {A[1] * A[2] - A[4] * A[4], A[0] * A[2] - A[5] * A[5], A[0] * A[1] - A[3] * A[3],
                     A[4] * A[5] - A[3] * A[2], A[3] * A[5] - A[0] * A[4], A[3] * A[4] - A[1] * A[5]};
    for (int k = 0; k < 6; k++)
        inverse[k] = out[k] / det;
}

// scale F S F'
static inline void stick_six_push(const double F[3][3], const double S[6], double scale, double out[6])
{
    double full[3][3], FS[3][3];
    stick_six_to_tensor(S, full);
    stick_tensor_product(F, full, FS);
    for (int k = 0; k < 6; k++) {
        const double *a = FS[stick_six_row[k]], *b = F[stick_six_col[k]];
        out[k] = scale * (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]);
    }
}

// scale F' S F
static inline void stick_six_pull(const double F[3][3], const double S[6], double scale, double out[6])
{
    double T[3][3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            T[i][j] = F[j][i];
    stick_six_push((const double(*)[3])T, S, scale, out);
}

static inline void stick_six_identity(double A[6])
{
    memcpy(A, (const double[6]){1, 1, 1, 0, 0, 0}, 6 * sizeof(double));
}

#endif
