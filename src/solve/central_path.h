// SPDX-License-Identifier: Apache-2.0
// The path of centres of a friction problem, followed through its turning points: slow and robust.
#ifndef SOLVE_CENTRAL_PATH_H
#define SOLVE_CENTRAL_PATH_H

#include "solve/cone_interior.h"

typedef struct StickCentralPath StickCentralPath;

// The interior belongs to the caller and is shared with others.
StickStatus stick_central_path_create(StickConeInterior *interior, StickCentralPath **path);
void stick_central_path_destroy(StickCentralPath *path);
StickStatus stick_central_path_reserve(StickCentralPath *path, const StickFrictionProblem *problem);

typedef struct StickPathRun {
    StickResidual residual; // of the last point
    int iterations;         // factorisations
    int turns;              // how often the path turned back
    double flops;           // of the factorisations
} StickPathRun;

// At most `most` iterations, without an initial guess. r is replaced by the best result if that is better; u is work
// space.
StickPathRun stick_central_path_run(StickCentralPath *path, const StickFrictionProblem *problem,
                                    const StickSolverOptions *options, int most, double *r, double *u);

#endif
