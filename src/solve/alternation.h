// SPDX-License-Identifier: Apache-2.0
// Rounds of Newton steps and sweeps in turn, for large hyperstatic problems. Newton's equations carry a change
// through the whole structure at once, but contact statuses cycle where many contacts depend on each other. Sweeps
// settle statuses locally, but carry changes slowly. Each round makes a few Newton steps of the proximal problem
// around the best point, then sweeps. If the result is better, it is kept and alpha decreases; otherwise the next
// round starts from the best point with a larger alpha.
#ifndef SOLVE_ALTERNATION_H
#define SOLVE_ALTERNATION_H

#include "solve/anderson.h"
#include "solve/newton.h"

typedef struct StickAlternation {
    StickAnderson *anderson; // loaded with the problem, and somewhat swept
    StickNewton *newton;     // with room for the problem
    double *kept;            // dim * ncontacts: room for the best point
    int most_factors;        // factorisations
} StickAlternation;

typedef struct StickAlternationEnd {
    bool converged;
    int iterations; // sweeps and factorisations
    int factors;    // factorisations
} StickAlternationEnd;

// Runs until the sweeps accept their point, until rounds bring no more progress, or until this number of iterations
// or factorisations. r and u hold the accepted point; otherwise r holds the best one.
StickAlternationEnd stick_alternation_run(const StickAlternation *rounds, const StickFrictionProblem *problem,
                                          int iterations, double *r, double *u);

#endif
