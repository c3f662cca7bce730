// SPDX-License-Identifier: Apache-2.0
// Interior point method for Coulomb's cone, as a method of its own and as a part of others.
#ifndef SOLVE_INTERIOR_POINT_H
#define SOLVE_INTERIOR_POINT_H

#include "solve/cone_interior.h"

typedef struct StickInteriorPoint StickInteriorPoint;

// The interior belongs to the caller and is shared with others.
StickStatus stick_interior_point_create(StickConeInterior *interior, StickInteriorPoint **point);
void stick_interior_point_destroy(StickInteriorPoint *point);
// A run stalls after this number of short steps one after the other; 5 at first.
void stick_interior_point_patience(StickInteriorPoint *point, int short_steps);
StickStatus stick_interior_point_reserve(StickInteriorPoint *point, const StickFrictionProblem *problem);

typedef struct StickInteriorRun {
    StickResidual residual; // of r
    int iterations;         // factorisations
    double flops;           // of them
    bool stalled;           // short steps only, or a singular matrix: more iterations are no use
} StickInteriorRun;

// At most `most` iterations, from r (nearness > 0: smaller is nearer to r, which must solve the problem roughly) or
// without an initial guess (nearness = 0). r is replaced by the best result if that is better; u is work space.
StickInteriorRun stick_interior_point_run(StickInteriorPoint *point, const StickFrictionProblem *problem,
                                          const StickSolverOptions *options, double nearness, int most,
                                          double *r, double *u);

#endif
