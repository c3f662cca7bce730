// SPDX-License-Identifier: Apache-2.0
// Sums over contacts for the error measures: the natural map |r - P(r - u - mu |u_T| n)| and its reference sizes. dim
// is always a compile-time constant.
#ifndef SOLVE_SUMS_H
#define SOLVE_SUMS_H

#include "solve/cone.h"

// Sums of squares.
typedef struct StickSums {
    double defect, r, u, u_free;
} StickSums;

// In the problem's own variables, and in sqrt(w) r, u / sqrt(w).
typedef struct StickMeasures {
    StickSums shared, scale_free;
    double contact; // largest error of a contact in its own scale, squared
} StickMeasures;

// Adds a contact with r * s and u / s; gives its squared defect.
static inline __attribute__((always_inline)) double
stick_sums_add(int dim, double mu, double s, const double *r, const double *u, StickSums *sums)
{
    double scaled_r[3], scaled_u[3], p[3], inverse = 1 / s, rr = 0, uu = 0, defect = 0;
#pragma GCC unroll 3
    for (int k = 0; k < dim; k++) {
        scaled_r[k] = r[k] * s;
        scaled_u[k] = u[k] * inverse;
        rr += scaled_r[k] * scaled_r[k];
        uu += scaled_u[k] * scaled_u[k];
    }
    sums->r += rr;
    sums->u += uu;
    // an open contact has no defect
    if (rr == 0 && u[0] >= 0)
        return 0;
    stick_cone_step(dim, mu, 1, scaled_r, scaled_u, p);
#pragma GCC unroll 3
    for (int k = 0; k < dim; k++)
        defect += (scaled_r[k] - p[k]) * (scaled_r[k] - p[k]);
    sums->defect += defect;
    return defect;
}

// Squared length of a contact's vector.
static inline __attribute__((always_inline)) double stick_sums_square(int dim, const double *x)
{
    double sum = 0;
#pragma GCC unroll 3
    for (int k = 0; k < dim; k++)
        sum += x[k] * x[k];
    return sum;
}

// Raises the largest error of a contact by that of this one: its defect as a velocity, sqrt(w) times the scale-free
// one, over the larger of V, the velocity scale of its island, and |u|; where V is zero, over w |r|. All squared.
static inline __attribute__((always_inline)) void stick_sums_raise(int dim, double defect, double w, double V,
                                                                   const double *r, const double *u,
                                                                   double *largest)
{
    double velocity = defect * w;
    if (velocity > *largest * V) {
        double scale = V > 0 ? V : w * w * stick_sums_square(dim, r);
        *largest = fmax(*largest, velocity / fmax(scale, stick_sums_square(dim, u)));
    }
}

// Its u_free / s.
static inline __attribute__((always_inline)) void stick_sums_add_free(int dim, double s, const double *u_free,
                                                                      StickSums *sums)
{
    double inverse = 1 / s;
#pragma GCC unroll 3
    for (int k = 0; k < dim; k++)
        sums->u_free += u_free[k] * inverse * (u_free[k] * inverse);
}

// NaN stays NaN.
static inline double stick_sums_relative(double defect, double size)
{
    return size == 0 && defect == 0 ? 0 : sqrt(defect) / sqrt(size);
}

static inline double stick_sums_error(const StickSums *sums)
{
    return stick_sums_relative(sums->defect, fmax(sums->u_free, fmax(sums->r, sums->u)));
}

#endif
