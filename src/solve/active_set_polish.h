// SPDX-License-Identifier: Apache-2.0
// Polishing of a solution to round-off. With the contact statuses of a nearly solved problem (open, stuck, sliding)
// one Newton step solves linear equations, and a few steps, each with u = W r + u_free computed again, are iterative
// refinement down to round-off. It removes errors that are small compared with large impulses, but not for a light
// body under them.
#ifndef SOLVE_ACTIVE_SET_POLISH_H
#define SOLVE_ACTIVE_SET_POLISH_H

#include "solve/newton.h"

typedef struct StickPolishEnd {
    StickResidual residual; // of r
    int steps;              // factorisations
    double flops;           // of all of them
} StickPolishEnd;

// Replaces r and u = W r + u_free, with this residual, where a step reduces the error in the measure of the options.
// Makes at most `most` steps. newton must have room for the problem; trial: 2 dim ncontacts numbers of work space.
StickPolishEnd stick_polish(StickNewton *newton, const StickFrictionProblem *problem,
                            const StickSolverOptions *options, StickResidual residual, int most,
                            double *trial, double *r, double *u);

// Whether no more than round-off is left of the error.
bool stick_polish_is_needless(const StickFrictionProblem *problem, const StickSolverOptions *options,
                              StickResidual residual, const double *r, const double *u);

#endif
