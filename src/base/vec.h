// SPDX-License-Identifier: Apache-2.0
// Vectors of three numbers, and sums over long ones in a fixed order.
#ifndef BASE_VEC_H
#define BASE_VEC_H

#include <math.h>

static inline double stick_vec_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline double stick_vec_norm(const double a[3])
{
    return sqrt(stick_vec_dot(a, a));
}

static inline void stick_vec_sub(const double a[3], const double b[3], double c[3])
{
    for (int k = 0; k < 3; k++)
        c[k] = a[k] - b[k];
}

// a + s b
static inline void stick_vec_axpy(const double a[3], double s, const double b[3], double c[3])
{
    for (int k = 0; k < 3; k++)
        c[k] = a[k] + s * b[k];
}

static inline void stick_vec_cross(const double a[3], const double b[3], double c[3])
{
    double x = a[1] * b[2] - a[2] * b[1];
    double y = a[2] * b[0] - a[0] * b[2];
    double z = a[0] * b[1] - a[1] * b[0];
    c[0] = x, c[1] = y, c[2] = z;
}

// Scales a to length 1 and returns its length; a zero vector stays zero.
static inline double stick_vec_normalise(double a[3])
{
    double length = stick_vec_norm(a);
    for (int k = 0; k < 3 && length > 0; k++)
        a[k] /= length;
    return length;
}

#endif
