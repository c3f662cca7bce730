// SPDX-License-Identifier: Apache-2.0
// Rotations in space as unit quaternions (w, x, y, z) = (cos(angle/2), sin(angle/2) axis).
//
//     x_space = R x_body     product: a b turns by b first, then by a
#ifndef BASE_QUATERNION_H
#define BASE_QUATERNION_H

#include "base/vec.h"

static inline void stick_quaternion_identity(double turn[4])
{
    turn[0] = 1;
    turn[1] = turn[2] = turn[3] = 0;
}

// c = a b; c may be a or b.
static inline void stick_quaternion_product(const double a[4], const double b[4], double c[4])
{
    double w = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    double x = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
    double y = a[0] * b[2] + a[2] * b[0] + a[3] * b[1] - a[1] * b[3];
    double z = a[0] * b[3] + a[3] * b[0] + a[1] * b[2] - a[2] * b[1];
    c[0] = w, c[1] = x, c[2] = y, c[3] = z;
}

static inline void stick_quaternion_inverse(const double turn[4], double inverse[4])
{
    inverse[0] = turn[0];
    for (int k = 1; k < 4; k++)
        inverse[k] = -turn[k];
}

// Scales a quaternion to length 1 and returns its previous length; zero stays zero.
static inline double stick_quaternion_normalise(double turn[4])
{
    double length = sqrt(turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2] + turn[3] * turn[3]);
    for (int k = 0; k < 4 && length > 0; k++)
        turn[k] /= length;
    return length;
}

// y = R x = x + 2 w (s x x) + 2 s x (s x x), s = (x, y, z) of the turn; y may be x.
static inline void stick_quaternion_rotate(const double turn[4], const double x[3], double y[3])
{
    double t[3], tt[3];
    stick_vec_cross(turn + 1, x, t);
    stick_vec_cross(turn + 1, t, tt);
    for (int k = 0; k < 3; k++)
        y[k] = x[k] + 2 * (turn[0] * t[k] + tt[k]);
}

// R by rows.
static inline void stick_quaternion_matrix(const double turn[4], double R[9])
{
    double w = turn[0], x = turn[1], y = turn[2], z = turn[3];
    R[0] = 1 - 2 * (y * y + z * z), R[1] = 2 * (x * y - w * z), R[2] = 2 * (x * z + w * y);
    R[3] = 2 * (x * y + w * z), R[4] = 1 - 2 * (x * x + z * z), R[5] = 2 * (y * z - w * x);
    R[6] = 2 * (x * z - w * y), R[7] = 2 * (y * z + w * x), R[8] = 1 - 2 * (x * x + y * y);
}

// Columns of R: where the axes of the body point to.
static inline void stick_quaternion_axes(const double turn[4], double axis[3][3])
{
    double R[9];
    stick_quaternion_matrix(turn, R);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            axis[k][i] = R[3 * i + k];
}

// A tensor of the body in the axes of space: J = R J0 R', by rows; J may be J0.
static inline void stick_quaternion_tensor(const double turn[4], const double J0[9], double J[9])
{
    double R[9], RJ[9];
    stick_quaternion_matrix(turn, R);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            RJ[3 * i + j] = R[3 * i] * J0[j] + R[3 * i + 1] * J0[3 + j] + R[3 * i + 2] * J0[6 + j];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            J[3 * i + j] = stick_vec_dot(&RJ[3 * i], &R[3 * j]);
}

// exp of a rotation vector: by the angle |phi| about phi. Full accuracy for any angle, tiny ones included.
static inline void stick_quaternion_exp(const double phi[3], double turn[4])
{
    double angle = stick_vec_norm(phi), half = angle / 2, q = half * half;
    // sin(half)/angle; its series where the quotient would be of tiny numbers
    double s = half < 1e-3 ? (1 - q / 6 * (1 - q / 20)) / 2 : sin(half) / angle;
    turn[0] = cos(half);
    for (int k = 0; k < 3; k++)
        turn[1 + k] = s * phi[k];
}

// The rotation vector, of length at most pi.
static inline void stick_quaternion_log(const double turn[4], double phi[3])
{
    double sine = stick_vec_norm(turn + 1), sign = turn[0] < 0 ? -1 : 1;
    // angle / sin(angle/2)
    double s = sine > 0 ? 2 * atan2(sine, fabs(turn[0])) / sine : 2;
    for (int k = 0; k < 3; k++)
        phi[k] = sign * s * turn[1 + k];
}

// By an angle about an axis of any length but zero.
static inline void stick_quaternion_about(const double axis[3], double angle, double turn[4])
{
    double unit[3] = {axis[0], axis[1], axis[2]};
    stick_vec_normalise(unit);
    turn[0] = cos(angle / 2);
    for (int k = 0; k < 3; k++)
        turn[1 + k] = sin(angle / 2) * unit[k];
}

#endif
