// SPDX-License-Identifier: Apache-2.0
#include "solve/active_set_polish.h"

#include <math.h>
#include <string.h>

// W may be rank deficient: the steps are those of proximal points around r with this alpha, in units of w. They
// reduce the error by alpha over the smallest eigenvalue of W in units of w, about a mass ratio. Where that is too
// slow, alpha is reduced. A small alpha lets round-off into the distribution of forces in the null space of W; the
// smaller alpha, the more.
static const double first_alpha = 1e-2, next_alpha = 1e-2, least_alpha = 1e-11, least_gain = 0.3;

// Number of steps: around one centre, so that statuses settle; with the directions of velocities; in total.
enum { INNER = 4, DIRECTIONS = 3, MOST_STEPS = 60 };

// Usual remaining error, as a share of the round-off bound.
static const double usual = 0.1;

// Contacts whose error is only round-off count, too.
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

// A better point replaces the previous one; r_N of its contacts may be large compared with its own errors.
typedef struct Polish {
    StickNewton *newton;
    const StickFrictionProblem *problem;
    const StickSolverOptions *options;
    double *trial, *r, *u;
    StickPolishEnd end;
} Polish;

// Takes the place of the best point where it is better.
static void take_better(Polish *polish, const double *r, const double *u)
{
    const StickFrictionProblem *problem = polish->problem;
    size_t size = (size_t)(problem->dim * problem->ncontacts) * sizeof *r;
    StickResidual *best = &polish->end.residual, next = stick_residual(problem, r, u);
    double error = error_of(next, polish->options);
    // a diverging r is small next to its own size
    if (!isfinite(error) || next.velocity > fmax(best->velocity, sqrt(error)) ||
        !(error < error_of(*best, polish->options)))
        return;
    *best = next;
    memcpy(polish->r, r, size);
    memcpy(polish->u, u, size);
}

// Every step is judged: where a status alternates, the next step may lose the progress of this one. Stops when
// another step would solve the same equations. Returns the remaining share of the error; 1: no progress.
static double try_around(Polish *polish, int steps, double alpha, bool has_directions)
{
    const StickFrictionProblem *problem = polish->problem;
    double *trial = polish->trial, *trial_u = trial + problem->dim * problem->ncontacts;
    StickPolishEnd *end = &polish->end;
    double before = error_of(end->residual, polish->options);
    stick_newton_proximal_begin(polish->newton, problem, &(StickNewtonProximal){alpha, has_directions},
                                polish->r);
    for (int k = 0; k < steps &&
                    !stick_polish_is_needless(problem, polish->options, end->residual, polish->r, polish->u);
         k++) {
        end->steps++;
        if (!stick_newton_proximal_step(polish->newton, problem, trial, trial_u, &end->flops))
            break;
        take_better(polish, trial, trial_u);
        if (stick_newton_proximal_is_settled(polish->newton, problem))
            break;
    }
    return error_of(end->residual, polish->options) / before;
}

StickPolishEnd stick_polish(StickNewton *newton, const StickFrictionProblem *problem,
                            const StickSolverOptions *options, StickResidual residual, int most,
                            double *trial, double *r, double *u)
{
    Polish polish = {newton, problem, options, trial, r, u, {.residual = residual}};
    double alpha = first_alpha;
    while (polish.end.steps < MOST_STEPS && polish.end.steps < most && alpha >= least_alpha &&
           !stick_polish_is_needless(problem, options, polish.end.residual, r, u)) {
        double gain = try_around(&polish, INNER, alpha, false);
        if (problem->dim == 3 && !(gain < least_gain))
            gain = fmin(gain, try_around(&polish, DIRECTIONS, alpha, true));
        if (!(gain < least_gain))
            alpha *= next_alpha;
    }
    return polish.end;
}
