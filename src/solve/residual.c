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

// Adds contact c with r * s and u / s.
static void add_contact(const StickFrictionProblem *problem, int c, double s, const double *r,
                        const double *u, Sums *sums)
{
    int dim = problem->dim;
    const double *u_free = problem->u_free + dim * c;
    double scaled_r[3] = {0}, scaled_u[3] = {0}, p[3];
    for (int k = 0; k < dim; k++) {
        scaled_r[k] = r[dim * c + k] * s;
        scaled_u[k] = u[dim * c + k] / s;
    }
    stick_cone_step(dim, dim == 1 ? 0 : problem->mu[c], 1, scaled_r, scaled_u, p);
    for (int k = 0; k < dim; k++) {
        double defect = scaled_r[k] - p[k];
        sums->defect += defect * defect;
        sums->u_free += u_free[k] * u_free[k] / (s * s);
        sums->r += scaled_r[k] * scaled_r[k];
        sums->u += scaled_u[k] * scaled_u[k];
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
    for (int c = 0; c < problem->ncontacts; c++) {
        add_contact(problem, c, 1, r, u, &shared);
        add_contact(problem, c, sqrt(stick_friction_weight(problem, c)), r, u, &scale_free);
    }
    double lost = scale_free.r * DBL_EPSILON * DBL_EPSILON;
    return (StickResidual){
        .shared = relative(shared.defect, fmax(shared.u_free, fmax(shared.r, shared.u))),
        .scale_free = relative(scale_free.defect, fmax(scale_free.u_free, fmax(scale_free.r, scale_free.u))),
        .velocity = relative(scale_free.defect + lost, fmax(scale_free.u_free, scale_free.u)),
    };
}

bool stick_residual_within(StickResidual residual, const StickSolverOptions *options)
{
    double tolerance = options->tolerance;
    if (options->measure == STICK_MEASURE_SHARED)
        return residual.shared <= tolerance && residual.velocity <= 1;
    return residual.shared <= tolerance && residual.scale_free <= tolerance &&
           residual.velocity <= sqrt(tolerance);
}
