// SPDX-License-Identifier: Apache-2.0
// The last digits of a solution: with the statuses that a nearly solved problem has (open, stuck, sliding), one step of Newton's
// method solves linear equations, and a few steps, each with u = W r + u_free computed again, are iterative refinement down
// to round-off. Errors that are small next to large impulses but not for a light body under them disappear.
#ifndef SOLVE_ACTIVE_SET_POLISH_H
#define SOLVE_ACTIVE_SET_POLISH_H

#include "solve/newton.h"

typedef struct StickPolishEnd {
    StickResidual residual; // of r
    int steps;              // factorisations
    double flops;           // of all of them
} StickPolishEnd;

// r and u = W r + u_free, with this residual, are replaced where a step reduces the error by the measure of the options.
// In at most so many steps. newton must have room for the problem; trial is room for 2 dim ncontacts numbers.
StickPolishEnd stick_polish(StickNewton *newton, const StickFrictionProblem *problem,
                            const StickSolverOptions *options, StickResidual residual, int most,
                            double *trial, double *r, double *u);

// Whether no more than round-off is left of the error.
bool stick_polish_is_needless(const StickFrictionProblem *problem, const StickSolverOptions *options,
                              StickResidual residual, const double *r, const double *u);

#endif
