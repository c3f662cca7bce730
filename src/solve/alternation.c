// SPDX-License-Identifier: Apache-2.0
#include "solve/alternation.h"

#include "base/check.h"

#include <math.h>
#include <string.h>

// Of a round: steps around one centre, and sweeps. One step alone gains nothing, more than two little.
enum { STEPS = 2, SWEEPS = 100 };

// This number of rounds must halve the error.
enum { PATIENCE = 6 };

// Schedule of alpha, in units of w. Chosen on walls and on spheres at rest.
static const double first_alpha = 1e-2, least_alpha = 1e-9, most_alpha = 1;
static const double down = 0.3, up = 5;

// A round must reduce the error by this factor to be followed by another one of its kind.
static const double better = 0.9;

typedef struct Progress {
    double alpha;
    double error; // best, rounds ago
    int rounds;   // since then
} Progress;

// Sweeps on, from r or from where they are; true if the point is accepted.
static bool sweep(const StickAlternation *rounds, const double *from, double *r, double *u,
                  StickAlternationEnd *end)
{
    int before = stick_anderson_state(rounds->anderson).sweeps;
    stick_anderson_restart(rounds->anderson, from);
    end->converged = stick_anderson_run(rounds->anderson, SWEEPS, r, u);
    end->iterations += stick_anderson_state(rounds->anderson).sweeps - before;
    return end->converged;
}

// One round; true if a point is accepted.
static bool go_round(const StickAlternation *rounds, const StickFrictionProblem *problem, Progress *progress,
                     double *r, double *u, StickAlternationEnd *end)
{
    double before = stick_anderson_state(rounds->anderson).best_error;
    stick_anderson_best(rounds->anderson, rounds->kept);
    memcpy(r, rounds->kept, (size_t)(problem->dim * problem->ncontacts) * sizeof *r);
    double flops = 0;
    stick_newton_proximal_begin(rounds->newton, problem, &(StickNewtonProximal){progress->alpha, false}, r);
    bool solved = true;
    for (int k = 0; k < STEPS && solved; k++)
        solved = stick_newton_proximal_step(rounds->newton, problem, r, u, &flops);
    end->iterations += STEPS;
    end->factors += STEPS;
    if (solved && sweep(rounds, r, r, u, end))
        return true;
    if (stick_anderson_state(rounds->anderson).best_error < better * before) {
        progress->alpha = fmax(down * progress->alpha, least_alpha);
        return false;
    }
    progress->alpha = fmin(up * progress->alpha, most_alpha);
    return sweep(rounds, rounds->kept, r, u, end);
}

static bool still_gains(const StickAlternation *rounds, Progress *progress)
{
    double error = stick_anderson_state(rounds->anderson).best_error;
    progress->rounds++;
    if (error < progress->error / 2) {
        progress->error = error;
        progress->rounds = 0;
    }
    return progress->rounds < PATIENCE;
}

StickAlternationEnd stick_alternation_run(const StickAlternation *rounds, const StickFrictionProblem *problem,
                                          int iterations, double *r, double *u)
{
    StickAlternationEnd end = {0};
    Progress progress = {.alpha = first_alpha, .error = stick_anderson_state(rounds->anderson).best_error};
    const StickContext *ctx = stick_anderson_sweep(rounds->anderson)->ctx;
    while (end.iterations + STEPS + 2 * SWEEPS <= iterations && end.factors + STEPS <= rounds->most_factors &&
           isfinite(progress.error) && !stick_is_stopped(ctx))
        if (go_round(rounds, problem, &progress, r, u, &end))
            return end;
        else if (!still_gains(rounds, &progress))
            break;
    stick_anderson_best(rounds->anderson, r);
    return end;
}
