// SPDX-License-Identifier: Apache-2.0
#include "solve/residual.h"

#include "solve/problem.h"
#include "solve/section.h"

#include <float.h>

void stick_residual_velocity(const StickFrictionProblem *problem, const double *r, double *u)
{
    stick_friction_apply(problem, r, u);
    for (int i = 0; i < problem->dim * problem->ncontacts; i++)
        u[i] += problem->u_free[i];
}

// Largest values over the contacts.
typedef struct Most {
    double penetration, u;
} Most;

static inline void add_contacts(int dim, const StickFrictionProblem *problem, const double *r,
                                const double *u, StickMeasures *sums, Most *most)
{
    const double *u_free = problem->u_free;
    for (int c = 0; c < problem->ncontacts; c++, u_free += dim, r += dim, u += dim) {
        double mu = dim == 1 ? 0 : problem->mu[c], s = sqrt(stick_friction_weight(problem, c));
        most->penetration = fmax(most->penetration, -u[0]);
#pragma GCC unroll 3
        for (int k = 0; k < dim; k++)
            most->u = fmax(most->u, fmax(fabs(u[k]), fabs(u_free[k])));
        const StickSection *section = stick_section_of(problem, c);
        if (section) {
            stick_section_sums_add(section, 1, r, u, &sums->shared);
            stick_section_sums_add(section, s, r, u, &sums->scale_free);
        } else {
            stick_sums_add(dim, mu, 1, r, u, &sums->shared);
            stick_sums_add(dim, mu, s, r, u, &sums->scale_free);
        }
        stick_sums_add_free(dim, 1, u_free, &sums->shared);
        stick_sums_add_free(dim, s, u_free, &sums->scale_free);
    }
}

StickResidual stick_residual_of(const StickMeasures *sums)
{
    const StickSums *scale_free = &sums->scale_free;
    double lost = scale_free->r * DBL_EPSILON * DBL_EPSILON;
    return (StickResidual){
        .shared = stick_sums_error(&sums->shared),
        .scale_free = stick_sums_error(scale_free),
        .velocity = stick_sums_relative(scale_free->defect + lost, fmax(scale_free->u_free, scale_free->u)),
    };
}

StickResidual stick_residual(const StickFrictionProblem *problem, const double *r, const double *u)
{
    StickMeasures sums = {0};
    Most most = {0};
    if (problem->dim == 1)
        add_contacts(1, problem, r, u, &sums, &most);
    else if (problem->dim == 2)
        add_contacts(2, problem, r, u, &sums, &most);
    else
        add_contacts(3, problem, r, u, &sums, &most);
    StickResidual residual = stick_residual_of(&sums);
    residual.penetration = most.u > 0 ? most.penetration / most.u : 0;
    return residual;
}

bool stick_residual_within(StickResidual residual, const StickSolverOptions *options)
{
    double tolerance = options->tolerance;
    if (options->measure == STICK_MEASURE_SHARED)
        return residual.shared <= tolerance && residual.velocity <= 1;
    return residual.shared <= tolerance && residual.scale_free <= tolerance &&
           residual.velocity <= sqrt(tolerance) && residual.penetration <= sqrt(sqrt(tolerance));
}
