// SPDX-License-Identifier: Apache-2.0
#include "solve/residual.h"

#include "solve/cone.h"
#include "solve/problem.h"

#include <float.h>

void stick_residual_velocity(const StickFrictionProblem *problem, const double *r, double *u)
{
    stick_friction_apply(problem, r, u);
    for (int i = 0; i < problem->dim * problem->ncontacts; i++)
        u[i] += problem->u_free[i];
}

// Sums of squares over the contacts.
typedef struct Sums {
    double defect, u_free, r, u;
} Sums;

// Largest values over the contacts.
typedef struct Most {
    double penetration, u;
} Most;

// Adds a contact with r * s and u / s; always with a dim that the compiler knows.
static inline void add_contact(int dim, double mu, double s, const double *u_free, const double *r,
                               const double *u, Sums *sums)
{
    double scaled_r[3], scaled_u[3], p[3], inverse = 1 / s;
#pragma GCC unroll 3
    for (int k = 0; k < dim; k++) {
        scaled_r[k] = r[k] * s;
        scaled_u[k] = u[k] * inverse;
    }
    stick_cone_step(dim, mu, 1, scaled_r, scaled_u, p);
#pragma GCC unroll 3
    for (int k = 0; k < dim; k++) {
        double defect = scaled_r[k] - p[k], scaled_free = u_free[k] * inverse;
        sums->defect += defect * defect;
        sums->u_free += scaled_free * scaled_free;
        sums->r += scaled_r[k] * scaled_r[k];
        sums->u += scaled_u[k] * scaled_u[k];
    }
}

static inline void add_contacts(int dim, const StickFrictionProblem *problem, const double *r,
                                const double *u, Sums *shared, Sums *scale_free, Most *most)
{
    const double *u_free = problem->u_free;
    for (int c = 0; c < problem->ncontacts; c++, u_free += dim, r += dim, u += dim) {
        double mu = dim == 1 ? 0 : problem->mu[c];
        most->penetration = fmax(most->penetration, -u[0]);
#pragma GCC unroll 3
        for (int k = 0; k < dim; k++)
            most->u = fmax(most->u, fmax(fabs(u[k]), fabs(u_free[k])));
        add_contact(dim, mu, 1, u_free, r, u, shared);
        add_contact(dim, mu, sqrt(stick_friction_weight(problem, c)), u_free, r, u, scale_free);
    }
}

// NaN stays NaN.
static double relative(double defect, double size)
{
    return size == 0 && defect == 0 ? 0 : sqrt(defect) / sqrt(size);
}

StickResidual stick_residual(const StickFrictionProblem *problem, const double *r, const double *u)
{
    Sums shared = {0}, scale_free = {0};
    Most most = {0};
    if (problem->dim == 1)
        add_contacts(1, problem, r, u, &shared, &scale_free, &most);
    else if (problem->dim == 2)
        add_contacts(2, problem, r, u, &shared, &scale_free, &most);
    else
        add_contacts(3, problem, r, u, &shared, &scale_free, &most);
    double lost = scale_free.r * DBL_EPSILON * DBL_EPSILON;
    return (StickResidual){
        .shared = relative(shared.defect, fmax(shared.u_free, fmax(shared.r, shared.u))),
        .scale_free = relative(scale_free.defect, fmax(scale_free.u_free, fmax(scale_free.r, scale_free.u))),
        .penetration = most.u > 0 ? most.penetration / most.u : 0,
        .velocity = relative(scale_free.defect + lost, fmax(scale_free.u_free, scale_free.u)),
    };
}

bool stick_residual_within(StickResidual residual, const StickSolverOptions *options)
{
    double tolerance = options->tolerance;
    if (options->measure == STICK_MEASURE_SHARED)
        return residual.shared <= tolerance && residual.velocity <= 1;
    return residual.shared <= tolerance && residual.scale_free <= tolerance &&
           residual.velocity <= sqrt(tolerance) && residual.penetration <= sqrt(sqrt(tolerance));
}
