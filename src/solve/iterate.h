// SPDX-License-Identifier: Apache-2.0
// An iteration by sweeps that can be redirected: it measures every sweep, keeps the best point and knows when to end,
// and can save points and return to them.
#ifndef SOLVE_ITERATE_H
#define SOLVE_ITERATE_H

#include "solve/sweep.h"

// r and u in the layout of the sweep, and their error.
typedef struct StickPoint {
    double *r, *u;
    double error;
    size_t r_room, u_room;
} StickPoint;

typedef struct StickIterate {
    StickContext *ctx;
    const StickSolverOptions *options;
    StickSweep *sweep; // holds the present r and u
    double error;      // of them
    double best_error;
    double *best; // r
    size_t best_room;
    bool converged;
    double relaxation; // of the last sweep
    double seen;       // the error of the last progress, and
    int improved;      // the number of sweeps at it
    // of the solve that is on
    double *r, *u;
    StickSolveInfo *info;
} StickIterate;

StickStatus stick_iterate_create(StickContext *ctx, const StickSolverOptions *options, StickIterate *iterate);
void stick_iterate_destroy(StickIterate *iterate);
StickStatus stick_iterate_reserve(StickIterate *iterate, const StickFrictionProblem *problem);

// From the guess in r; r, u and info are written at the end.
void stick_iterate_start(StickIterate *iterate, const StickFrictionProblem *problem, double *r, double *u,
                         StickSolveInfo *info);

// Neither converged, nor at the limit of sweeps, nor out of the range of numbers.
bool stick_iterate_goes_on(const StickIterate *iterate);

// One sweep, counted and measured.
void stick_iterate_sweep(StickIterate *iterate, StickDirection direction, double relaxation);

// True if the sweeps diverge or have not improved for a long time: the sweeps must be changed. Call after each step.
bool stick_iterate_went_wrong(StickIterate *iterate);

// Returns to the best point and recomputes u; progress is counted from here.
void stick_iterate_return_to_best(StickIterate *iterate);

// Writes the result into info, and the best r if it did not converge. Relaxed changes bring a force only near zero or
// near its cone: if such a point is a solution, a full sweep moves it exactly there.
void stick_iterate_end(StickIterate *iterate);

StickStatus stick_point_reserve(StickContext *ctx, StickPoint *point, const StickFrictionProblem *problem);
void stick_point_destroy(StickContext *ctx, StickPoint *point);
void stick_point_save(const StickIterate *iterate, StickPoint *point);
void stick_point_return(const StickPoint *point, StickIterate *iterate);

#endif
