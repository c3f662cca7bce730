// SPDX-License-Identifier: Apache-2.0
// Anderson acceleration of Gauss-Seidel sweeps. With G the map of k sweeps and f = G(r) - r, weighted by
// sqrt(w) of each contact, a step goes to
//
//     r <- G(r) - dG g,  g the minimiser of |f - dF g|,
//
// where dF and dG hold the last changes of f and G(r) [WN11, type II]. u is affine in r and takes the same
// combination, without a product. What leaves the cone is brought back by the next sweep.
#ifndef SOLVE_ANDERSON_H
#define SOLVE_ANDERSON_H

#include "solve/sweep.h"

enum { STICK_ANDERSON_WINDOW = 6 }; // the longest

typedef struct StickAndersonPlan {
    int window;               // changes that are remembered
    int sweeps;               // k: per step
    StickDirection direction; // of the sweeps
    double relaxation;        // of the sweeps
} StickAndersonPlan;

// Window 4, one sweep per step, forward, relaxation 1: the fewest sweeps on most problems, and the one that
// holds where plain sweeps diverge.
StickAndersonPlan stick_anderson_plan_default(void);

typedef struct StickAnderson StickAnderson;

StickStatus stick_anderson_create(StickContext *ctx, StickAnderson **anderson);
void stick_anderson_destroy(StickAnderson *anderson);
StickStatus stick_anderson_reserve(StickAnderson *anderson, const StickFrictionProblem *problem);

// Loads a problem there is room for and starts from r; zero: no guess. u = W r + u_free, or NULL if it is not known.
void stick_anderson_load(StickAnderson *anderson, const StickFrictionProblem *problem,
                         const StickSolverOptions *options, const double *r, const double *u);

// Goes on from another point, without memory of the last ones; the best stays known.
void stick_anderson_restart(StickAnderson *anderson, const double *r);

// Goes on from the last un-extrapolated point by another plan, without memory of the last ones.
void stick_anderson_change(StickAnderson *anderson, const StickAndersonPlan *plan);

typedef struct StickAndersonState {
    int sweeps;        // since loading
    double error;      // of the last point that was measured, by the measure of the options
    double best_error; // smallest of all
    int rejected;      // extrapolations taken back since the last change of plan
    bool finite;       // false: numbers overflowed; a restart is needed
} StickAndersonState;

StickAndersonState stick_anderson_state(const StickAnderson *anderson);

// Runs until the error is within the tolerance, checked with a recomputed u, or for this number of sweeps. Returns
// true if converged: r and u hold the solution. Otherwise they may hold a point that was not accepted.
bool stick_anderson_run(StickAnderson *anderson, int sweeps, double *r, double *u);

// The best r so far, and the underlying sweep for further queries.
void stick_anderson_best(const StickAnderson *anderson, double *r);
StickSweep *stick_anderson_sweep(StickAnderson *anderson);

#endif
