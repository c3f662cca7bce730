// SPDX-License-Identifier: Apache-2.0
// Tensors of a point: 3 x 3 matrices, and symmetric ones as six numbers xx, yy, zz, xy, yz, zx (no factors of two).
#ifndef FEM_TENSOR_H
#define FEM_TENSOR_H

#include <math.h>
#include <string.h>

// Functions of this kind become kernels, with dim and other sizes as constants: their loops unroll.
#define STICK_KERNEL static inline __attribute__((always_inline))

// Row and column of each of the six.
static const int stick_six_row[6] = {0, 1, 2, 0, 1, 2};
static const int stick_six_col[6] = {0, 1, 2, 1, 2, 0};

// In the plane (dim = 2) axis z is for itself.
STICK_KERNEL double stick_tensor_determinant(int dim, const double A[3][3])
{
    if (dim == 2)
        return (A[0][0] * A[1][1] - A[0][1] * A[1][0]) * A[2][2];
    return A[0][0] * (A[1][1] * A[2][2] - A[1][2] * A[2][1]) -
           A[0][1] * (A[1][0] * A[2][2] - A[1][2] * A[2][0]) +
           A[0][2] * (A[1][0] * A[2][1] - A[1][1] * A[2][0]);
}

// det(1 + D) - 1, with full accuracy for small D.
STICK_KERNEL double stick_tensor_determinant_less_one(int dim, const double D[3][3])
{
    double in_plane = D[0][0] * D[1][1] - D[0][1] * D[1][0];
    if (dim == 2) {
        in_plane += D[0][0] + D[1][1];
        return in_plane + D[2][2] + in_plane * D[2][2];
    }
    double minors = in_plane + D[0][0] * D[2][2] - D[0][2] * D[2][0] + D[1][1] * D[2][2] - D[1][2] * D[2][1];
    return D[0][0] + D[1][1] + D[2][2] + minors + stick_tensor_determinant(3, D);
}

// By cofactors, with the determinant known; may not be in place.
STICK_KERNEL void stick_tensor_inverse(int dim, const double A[3][3], double determinant,
                                       double inverse[3][3])
{
    double scale = 1 / determinant;
    if (dim == 2) {
        double across = scale * A[2][2];
        inverse[0][0] = across * A[1][1], inverse[0][1] = -across * A[0][1];
        inverse[1][0] = -across * A[1][0], inverse[1][1] = across * A[0][0];
        inverse[2][2] = 1 / A[2][2];
        return;
    }
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            int r = (j + 1) % 3, s = (j + 2) % 3, u = (i + 1) % 3, v = (i + 2) % 3;
            inverse[i][j] = scale * (A[r][u] * A[s][v] - A[r][v] * A[s][u]);
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
    A[0][0] = six[0], A[1][1] = six[1], A[2][2] = six[2];
    A[0][1] = A[1][0] = six[3], A[1][2] = A[2][1] = six[4], A[2][0] = A[0][2] = six[5];
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

// In the plane the shears yz, zx are zero.
STICK_KERNEL void stick_six_inverse(int dim, const double A[6], double inverse[6])
{
    double in_plane = A[0] * A[1] - A[3] * A[3];
    if (dim == 2) {
        double scale = 1 / in_plane;
        inverse[0] = scale * A[1], inverse[1] = scale * A[0], inverse[2] = 1 / A[2];
        inverse[3] = -scale * A[3], inverse[4] = inverse[5] = 0;
        return;
    }
    double scale = 1 / stick_six_determinant(A);
    double out[6] = {A[1] * A[2] - A[4] * A[4], A[0] * A[2] - A[5] * A[5], in_plane,
                     A[4] * A[5] - A[3] * A[2], A[3] * A[5] - A[0] * A[4], A[3] * A[4] - A[1] * A[5]};
    for (int k = 0; k < 6; k++)
        inverse[k] = scale * out[k];
}

STICK_KERNEL double stick_row_product(int dim, const double a[3], const double b[3])
{
    return dim == 2 ? a[0] * b[0] + a[1] * b[1] : a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// A S
STICK_KERNEL void stick_tensor_times_six(int dim, const double A[3][3], const double S[6], double AS[3][3])
{
    double full[3][3];
    stick_six_to_tensor(S, full);
    for (int i = 0; i < dim; i++)
        for (int j = 0; j < dim; j++)
            AS[i][j] = stick_row_product(dim, A[i], full[j]);
    if (dim == 2)
        AS[2][2] = A[2][2] * S[2];
}

// scale A B', which is symmetric
STICK_KERNEL void stick_six_product(int dim, const double A[3][3], const double B[3][3], double scale,
                                    double out[6])
{
    out[0] = scale * stick_row_product(dim, A[0], B[0]);
    out[1] = scale * stick_row_product(dim, A[1], B[1]);
    out[2] = scale * (dim == 2 ? A[2][2] * B[2][2] : stick_row_product(dim, A[2], B[2]));
    out[3] = scale * stick_row_product(dim, A[0], B[1]);
    out[4] = dim == 2 ? 0 : scale * stick_row_product(dim, A[1], B[2]);
    out[5] = dim == 2 ? 0 : scale * stick_row_product(dim, A[2], B[0]);
}

// scale F S F'
STICK_KERNEL void stick_six_push(int dim, const double F[3][3], const double S[6], double scale,
                                 double out[6])
{
    double FS[3][3];
    stick_tensor_times_six(dim, F, S, FS);
    stick_six_product(dim, (const double(*)[3])FS, F, scale, out);
}

// tr AB - 3 - ln det AB with full accuracy near AB = 1, where tr AB - 3 and the logarithm cancel. For det AB = 1 it
// is tr AB - 3.
STICK_KERNEL double stick_six_excess(int dim, const double A[6], const double B[6])
{
    double left[3][3], N[3][3];
    stick_six_to_tensor(A, left);
    stick_tensor_times_six(dim, (const double(*)[3])left, B, N);
    for (int k = 0; k < 3; k++)
        N[k][k] -= 1;
    double change = stick_tensor_determinant_less_one(dim, (const double(*)[3])N);
    return N[0][0] + N[1][1] + N[2][2] - log1p(change);
}

// In the plane D[i][2] and D[2][i] are not set.
STICK_KERNEL void stick_tensor_less_one(int dim, const double F[3][3], double D[3][3])
{
    for (int i = 0; i < dim; i++)
        for (int j = 0; j < dim; j++)
            D[i][j] = i == j ? F[i][j] - 1 : F[i][j];
    D[2][2] = F[2][2] - 1;
}

STICK_KERNEL void stick_tensor_transpose(int dim, const double A[3][3], double T[3][3])
{
    for (int i = 0; i < dim; i++)
        for (int j = 0; j < dim; j++)
            T[i][j] = A[j][i];
    T[2][2] = A[2][2];
}

static inline void stick_six_identity(double A[6])
{
    memcpy(A, (const double[6]){1, 1, 1, 0, 0, 0}, 6 * sizeof(double));
}

#endif
