// SPDX-License-Identifier: Apache-2.0
// The cone |x_T| <= x_0 of d = 1, 2 or 3 numbers and its algebra: the product x o y = (x.y, x_0 y_T + y_0 x_T)
// with the unit e = (1, 0), and the scaling V of Nesterov and Todd with V x = V^-1 y [NT97].
#ifndef SOLVE_LORENTZ_H
#define SOLVE_LORENTZ_H

#include <math.h>

// x_T.y_T
static inline double stick_lorentz_dot(int d, const double *x, const double *y)
{
    double sum = 0;
    for (int k = 1; k < d; k++)
        sum += x[k] * y[k];
    return sum;
}

// x_0^2 - |x_T|^2, without cancellation of squares
static inline double stick_lorentz_det(int d, const double *x)
{
    double t = sqrt(stick_lorentz_dot(d, x, x));
    return (x[0] - t) * (x[0] + t);
}

// z = x o y; z may be neither of them
static inline void stick_lorentz_product(int d, const double *x, const double *y, double *z)
{
    z[0] = x[0] * y[0] + stick_lorentz_dot(d, x, y);
    for (int k = 1; k < d; k++)
        z[k] = x[0] * y[k] + y[0] * x[k];
}

// z with x o z = c
static inline void stick_lorentz_divide(int d, const double *x, const double *c, double *z)
{
    double normal = (x[0] * c[0] - stick_lorentz_dot(d, x, c)) / stick_lorentz_det(d, x);
    for (int k = 1; k < d; k++)
        z[k] = (c[k] - normal * x[k]) / x[0];
    z[0] = normal;
}

// V = eta [w_0, w_T'; w_T, I + w_T w_T'/(1 + w_0)], V^2 = eta^2 (2 w w' - J), J = diag(1, -1, -1), det w = 1
typedef struct StickLorentzScaling {
    double eta;
    double w[3];
} StickLorentzScaling;

static inline StickLorentzScaling stick_lorentz_scaling(int d, const double *x, const double *y)
{
    double size_x = sqrt(stick_lorentz_det(d, x)), size_y = sqrt(stick_lorentz_det(d, y));
    double dot = (x[0] / size_x) * (y[0] / size_y) + stick_lorentz_dot(d, x, y) / size_x / size_y;
    double factor = 0.5 / sqrt(0.5 * (1 + dot));
    StickLorentzScaling scaling = {.eta = sqrt(size_y / size_x)};
    scaling.w[0] = factor * (y[0] / size_y + x[0] / size_x);
    for (int k = 1; k < d; k++)
        scaling.w[k] = factor * (y[k] / size_y - x[k] / size_x);
    return scaling;
}

// z = V x
static inline void stick_lorentz_scale(int d, const StickLorentzScaling *V, const double *x, double *z)
{
    double dot = stick_lorentz_dot(d, V->w, x), along = x[0] + dot / (1 + V->w[0]);
    z[0] = V->eta * (V->w[0] * x[0] + dot);
    for (int k = 1; k < d; k++)
        z[k] = V->eta * (x[k] + along * V->w[k]);
}

// z = V^-1 y
static inline void stick_lorentz_unscale(int d, const StickLorentzScaling *V, const double *y, double *z)
{
    double dot = stick_lorentz_dot(d, V->w, y), along = dot / (1 + V->w[0]) - y[0];
    z[0] = (V->w[0] * y[0] - dot) / V->eta;
    for (int k = 1; k < d; k++)
        z[k] = (y[k] + along * V->w[k]) / V->eta;
}

// Largest a with x + a dx in the cone, for x inside: the first positive root of det(x + a dx), or infinity.
static inline double stick_lorentz_step(int d, const double *x, const double *dx)
{
    double a = stick_lorentz_det(d, dx), b = x[0] * dx[0] - stick_lorentz_dot(d, x, dx);
    double c = stick_lorentz_det(d, x), root = b * b - a * c, least = INFINITY;
    // Nearly straight to the apex: two roots that are one but for round-off.
    if (root < 0 && b < 0 && root > -1e-10 * b * b)
        root = 0;
    if (!(root >= 0))
        return isnan(root) ? 0 : INFINITY;
    double q = -(b + copysign(sqrt(root), b));
    double roots[2] = {c / q, q / a};
    for (int k = 0; k < 2; k++)
        if (roots[k] > 0 && roots[k] < least)
            least = roots[k];
    return least;
}

#endif
