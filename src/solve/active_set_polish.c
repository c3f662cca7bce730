// SPDX-License-Identifier: Apache-2.0
#include "solve/active_set_polish.h"

#include <math.h>
#include <string.h>

// W may be rank deficient: the steps are those of proximal points around r with this alpha, in units of w. They reduce the
// error by alpha over the smallest eigenvalue of W in units of w, about a mass ratio. Where that is too little, alpha falls.
// A small alpha lets round-off into the distribution of forces that W does not see.
static const double first_alpha = 1e-6, next_alpha = 1e-2, least_alpha = 1e-11, least_gain = 0.3;

// Steps around one centre, so that statuses settle, such steps with the directions of velocities at most, and all of them.
enum { INNER = 4, DIRECTIONS = 3, MOST_STEPS = 60 };

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

// A point that is better than the one before takes its place; r_N of contacts in it may be large next to its own errors.
typedef struct Polish {
    StickNewton *newton;
    const StickFrictionProblem *problem;
    const StickSolverOptions *options;
    double *trial, *r, *u;
    StickPolishEnd end;
} Polish;

// Returns the share of the error that is left; 1: nothing was gained.
static double try_around(Polish *polish, const StickNewtonProximal *around)
{
    const StickFrictionProblem *problem = polish->problem;
    size_t n = (size_t)problem->dim * (size_t)problem->ncontacts, size = n * sizeof *polish->r;
    double *trial = polish->trial, *trial_u = trial + n;
    StickPolishEnd *end = &polish->end;
    memcpy(trial, polish->r, size);
    end->steps += around->steps;
    if (!stick_newton_proximal(polish->newton, problem, around, trial, &end->flops))
        return 1;
    stick_residual_velocity(problem, trial, trial_u);
    StickResidual next = stick_residual(problem, trial, trial_u);
    double before = error_of(end->residual, polish->options), error = error_of(next, polish->options);
    // a diverging r is small next to its own size
    bool is_sane = isfinite(error) && next.velocity <= fmax(end->residual.velocity, sqrt(error));
    if (!is_sane || !(error < before))
        return 1;
    end->residual = next;
    memcpy(polish->r, trial, size);
    memcpy(polish->u, trial_u, size);
    return error / before;
}

StickPolishEnd stick_polish(StickNewton *newton, const StickFrictionProblem *problem,
                            const StickSolverOptions *options, StickResidual residual, int most,
                            double *trial, double *r, double *u)
{
    Polish polish = {newton, problem, options, trial, r, u, {.residual = residual}};
    double alpha = first_alpha;
    while (polish.end.steps < MOST_STEPS && polish.end.steps < most && alpha >= least_alpha &&
           !stick_polish_is_needless(problem, options, polish.end.residual, r, u)) {
        double gain = try_around(&polish, &(StickNewtonProximal){INNER, alpha, false});
        for (int k = 1; k <= DIRECTIONS && problem->dim == 3 && !(gain < least_gain); k++)
            gain = fmin(gain, try_around(&polish, &(StickNewtonProximal){k, alpha, true}));
        if (!(gain < least_gain))
            alpha *= next_alpha;
    }
    return polish.end;
}
