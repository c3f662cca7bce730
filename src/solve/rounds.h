// SPDX-License-Identifier: Apache-2.0
// Rounds of Newton and sweeps in turn, for large hyperstatic problems. Newton's equations carry a change through the
// whole structure at once, but its statuses go round in circles where many contacts depend on each other; sweeps settle
// statuses near by, and carry nothing far. Each round makes a few steps of the proximal problem around the best point,
// and sweeps from there. What is better is kept and alpha falls; else it goes on from the best point with a larger one.
#ifndef SOLVE_ROUNDS_H
#define SOLVE_ROUNDS_H

#include "solve/anderson.h"
#include "solve/newton.h"

typedef struct StickRounds {
    StickAnderson *anderson; // loaded with the problem, and somewhat swept
    StickNewton *newton;     // with room for the problem
    double *kept;            // dim * ncontacts: room for the best point
    int most_factors;        // factorisations
} StickRounds;

typedef struct StickRoundsEnd {
    bool converged;
    int iterations; // sweeps and factorisations
    int factors;    // factorisations
} StickRoundsEnd;

// Until the sweeps accept their point, until rounds do not gain any more, or for so many iterations and factorisations. r and u hold the
// accepted point, or else r the best one.
StickRoundsEnd stick_rounds_run(const StickRounds *rounds, const StickFrictionProblem *problem,
                                int iterations, double *r, double *u);

#endif
