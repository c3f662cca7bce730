// SPDX-License-Identifier: Apache-2.0
#include "solve/active_set_polish.h"

#include <math.h>
#include <string.h>

// W may be rank deficient: the steps are those of proximal points around r with this alpha, in units of w. They reduce the
// error by alpha over the smallest eigenvalue of W in units of w, about a mass ratio. Where that is too little, alpha falls.
// A small alpha lets round-off into the distribution of forces that W does not see.
static const double first_alpha = 1e-6, next_alpha = 1e-2, least_alpha = 1e-11, least_gain = 0.3;

// Steps around one centre, so that statuses settle, and all of them.
enum { INNER = 4, MOST_STEPS = 40 };

// Errors up to this part of the bound of round-off are what is usually left.
static const double usual = 0.1;

// Contacts count that have no more than round-off left, too.
static double error_of(StickResidual residual, const StickSolverOptions *options)
{
    return fmax(stick_residual_error(residual, options->measure), residual.rounded);
}

bool stick_polish_is_needless(const StickFrictionProblem *problem, const StickSolverOptions *options,
                              StickResidual residual, const double *r, const double *u)
{
    double error = error_of(residual, options);
    return error == 0 || error <= usual * stick_residual_round_off(problem, r, u);
}

StickPolishEnd stick_polish(StickNewton *newton, const StickFrictionProblem *problem,
                            const StickSolverOptions *options, StickResidual residual, int most,
                            double *trial, double *r, double *u)
{
    StickPolishEnd end = {.residual = residual};
    size_t n = (size_t)problem->dim * (size_t)problem->ncontacts, size = n * sizeof *r;
    double *trial_u = trial + n, alpha = first_alpha;
    while (end.steps < MOST_STEPS && end.steps < most && alpha >= least_alpha &&
           !stick_polish_is_needless(problem, options, end.residual, r, u)) {
        memcpy(trial, r, size);
        end.steps += INNER;
        if (!stick_newton_proximal(newton, problem, INNER, alpha, trial, &end.flops))
            break;
        stick_residual_velocity(problem, trial, trial_u);
        StickResidual next = stick_residual(problem, trial, trial_u);
        double before = error_of(end.residual, options);
        double error = error_of(next, options);
        // a diverging r is small next to its own size
        bool is_sane = isfinite(error) && next.velocity <= fmax(end.residual.velocity, sqrt(error));
        if (is_sane && error < before) {
            end.residual = next;
            memcpy(r, trial, size);
            memcpy(u, trial_u, size);
        }
        if (!(is_sane && error < least_gain * before))
            alpha *= next_alpha;
    }
    return end;
}
