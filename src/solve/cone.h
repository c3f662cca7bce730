// SPDX-License-Identifier: Apache-2.0
// Coulomb's cone |r_T| <= mu r_N: projection and natural map of one contact.
#ifndef SOLVE_CONE_H
#define SOLVE_CONE_H

#include <math.h>

// |x_T| of a contact's vector
static inline double stick_cone_tangent(int dim, const double *x)
{
    return dim == 1 ? 0 : dim == 2 ? fabs(x[1]) : sqrt(x[1] * x[1] + x[2] * x[2]);
}

// p = the point of the cone nearest to y
static inline void stick_cone_project(int dim, double mu, const double *y, double *p)
{
    double tangent = stick_cone_tangent(dim, y), normal = y[0], along = 0;
    if (mu * tangent <= -y[0]) {
        normal = 0;
    } else if (tangent <= mu * y[0]) {
        along = 1;
    } else {
        normal = (mu * tangent + y[0]) / (1 + mu * mu);
        along = mu * normal / tangent;
    }
    p[0] = normal;
#pragma GCC unroll 3
    for (int k = 1; k < dim; k++)
        p[k] = along * y[k];
}

// P(r - rho (u + mu |u_T| n)): its fixed points solve the contact law, for any rho > 0 [DSF98].
static inline void stick_cone_step(int dim, double mu, double rho, const double *r, const double *u,
                                   double *p)
{
    double y[3] = {0};
#pragma GCC unroll 3
    for (int k = 0; k < dim; k++)
        y[k] = r[k] - rho * u[k];
    y[0] -= rho * mu * stick_cone_tangent(dim, u);
    stick_cone_project(dim, mu, y, p);
}

#endif
