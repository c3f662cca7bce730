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

static inline double stick_tensor_determinant(const double A[3][3])
{
    return A[0][0] * (A[1][1] * A[2][2] - A[1][2] * A[2][1]) -
           A[0][1] * (A[1][0] * A[2][2] - A[1][2] * A[2][0]) +
           A[0][2] * (A[1][0] * A[2][1] - A[1][1] * A[2][0]);
}

// det(1 + D) - 1, with all its digits where D is small. In the plane (dim = 2) axis z is for itself.
STICK_KERNEL double stick_tensor_determinant_less_one(int dim, const double D[3][3])
{
    double in_plane = D[0][0] * D[1][1] - D[0][1] * D[1][0];
    if (dim == 2) {
        in_plane += D[0][0] + D[1][1];
        return in_plane + D[2][2] + in_plane * D[2][2];
    }
    double minors = in_plane + D[0][0] * D[2][2] - D[0][2] * D[2][0] + D[1][1] * D[2][2] - D[1][2] * D[2][1];
    return D[0][0] + D[1][1] + D[2][2] + minors + stick_tensor_determinant(D);
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

// tr AB - 3 - ln det AB: with all its digits near AB = 1, where tr AB - 3 and the logarithm have none. Where det AB = 1 it is
// tr AB - 3.
STICK_KERNEL double stick_six_excess(int dim, const double A[6], const double B[6])
{
    double left[3][3], right[3][3], N[3][3];
    stick_six_to_tensor(A, left);
    stick_six_to_tensor(B, right);
    for (int i = 0; i < dim; i++) {
        for (int j = 0; j < dim; j++) {
            N[i][j] = 0;
            for (int k = 0; k < dim; k++)
                N[i][j] += left[i][k] * right[k][j];
        }
        N[i][i] -= 1;
    }
    if (dim == 2)
        N[2][2] = A[2] * B[2] - 1;
    double change = stick_tensor_determinant_less_one(dim, (const double(*)[3])N);
    return N[0][0] + N[1][1] + N[2][2] - log1p(change);
}

// scale F S F' by the rows of F S
STICK_KERNEL void stick_six_close(int dim, const double FS[3][3], const double F[3][3], double scale,
                                  double out[6])
{
    for (int k = 0; k < 6; k++) {
        int i = stick_six_row[k], j = stick_six_col[k];
        double sum = 0;
        for (int l = 0; l < dim && i < dim && j < dim; l++)
            sum += FS[i][l] * F[j][l];
        out[k] = scale * sum;
    }
    if (dim == 2)
        out[2] = scale * FS[2][2] * F[2][2];
}

// scale F F'
STICK_KERNEL void stick_six_square(int dim, const double F[3][3], double scale, double out[6])
{
    stick_six_close(dim, F, F, scale, out);
}

// scale F S F'
STICK_KERNEL void stick_six_push(int dim, const double F[3][3], const double S[6], double scale,
                                 double out[6])
{
    double full[3][3], FS[3][3];
    stick_six_to_tensor(S, full);
    for (int i = 0; i < dim; i++) {
        for (int j = 0; j < dim; j++) {
            FS[i][j] = 0;
            for (int k = 0; k < dim; k++)
                FS[i][j] += F[i][k] * full[k][j];
        }
    }
    if (dim == 2)
        FS[2][2] = F[2][2] * S[2];
    stick_six_close(dim, (const double(*)[3])FS, F, scale, out);
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
