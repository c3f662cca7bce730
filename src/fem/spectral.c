// SPDX-License-Identifier: Apache-2.0
#include "fem/spectral.h"

#include "fem/tensor.h"

#include <math.h>

enum { MOST_SWEEPS = 30 };

// A = R A R' and V = R V with the rotation of rows p, q that makes A[p][q] zero [GV96 8.4].
static void rotate(double A[3][3], double V[3][3], int p, int q)
{
    double slope = (A[q][q] - A[p][p]) / (2 * A[p][q]);
    double t = copysign(1, slope) / (fabs(slope) + sqrt(1 + slope * slope));
    double c = 1 / sqrt(1 + t * t), s = t * c, turned = t * A[p][q];
    int r = 3 - p - q;
    double rp = A[r][p], rq = A[r][q];
    A[p][p] -= turned;
    A[q][q] += turned;
    A[p][q] = A[q][p] = 0;
    A[r][p] = A[p][r] = c * rp - s * rq;
    A[r][q] = A[q][r] = s * rp + c * rq;
    for (int k = 0; k < 3; k++) {
        double vp = V[p][k], vq = V[q][k];
        V[p][k] = c * vp - s * vq;
        V[q][k] = s * vp + c * vq;
    }
}

// In the plane, z being an axis, one rotation is all: [GV96 8.4] as above.
static void turn_in_plane(const double A[6], double value[3], double vector[3][3])
{
    double c = 1, s = 0, turned = 0;
    if (A[3] != 0) {
        double slope = (A[1] - A[0]) / (2 * A[3]);
        double t = copysign(1, slope) / (fabs(slope) + sqrt(1 + slope * slope));
        c = 1 / sqrt(1 + t * t), s = t * c, turned = t * A[3];
    }
    value[0] = A[0] - turned, value[1] = A[1] + turned, value[2] = A[2];
    vector[0][0] = c, vector[0][1] = -s, vector[0][2] = 0;
    vector[1][0] = s, vector[1][1] = c, vector[1][2] = 0;
    vector[2][0] = vector[2][1] = 0, vector[2][2] = 1;
}

void stick_six_eigen(const double A[6], double value[3], double vector[3][3])
{
    double B[3][3];
    if (A[4] == 0 && A[5] == 0) {
        turn_in_plane(A, value, vector);
        return;
    }
    stick_six_to_tensor(A, B);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            vector[i][j] = i == j;
    // sweeps converge quadratically: at most six or seven are necessary
    for (int sweep = 0; sweep < MOST_SWEEPS; sweep++) {
        for (int p = 0; p < 2; p++)
            for (int q = p + 1; q < 3; q++)
                if (B[p][q] != 0)
                    rotate(B, vector, p, q);
        double off = fabs(B[0][1]) + fabs(B[0][2]) + fabs(B[1][2]);
        if (!(off > 1e-17 * (fabs(B[0][0]) + fabs(B[1][1]) + fabs(B[2][2]))))
            break;
    }
    for (int k = 0; k < 3; k++)
        value[k] = B[k][k];
}
