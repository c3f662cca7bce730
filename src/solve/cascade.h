// SPDX-License-Identifier: Apache-2.0
// The stages of `auto` for one problem: accelerated sweeps while they make progress, Newton to finish, and the
// fallbacks if both fail. Sweeps end when their estimated remaining cost exceeds the usual cost of Newton. Islands of
// many contacts between rigid bodies start with Newton in the velocities of the bodies, if its factors are small.
// Residuals and operation counts decide, never the clock. Very large problems start with sweeps on threads, and use
// Newton only if its factors are small enough. With sections other than the disk only the methods that support them
// are used.
#ifndef SOLVE_CASCADE_H
#define SOLVE_CASCADE_H

#include <stickslip/friction.h>

#include <stdbool.h>

typedef struct StickCascade StickCascade;

// options must outlive the stages; tolerance and aim are read again in each solve.
StickStatus stick_cascade_create(StickContext *ctx, const StickSolverOptions *options, StickCascade **stages);
void stick_cascade_destroy(StickCascade *stages);

// As those of StickMethod. stick_residual accepted every result reported as converged, with the returned u.
StickStatus stick_cascade_reserve(StickCascade *stages, const StickFrictionProblem *problem);
StickStatus stick_cascade_reserve_rest(StickCascade *stages, const StickFrictionProblem *problem);
StickStatus stick_cascade_solve(StickCascade *stages, const StickFrictionProblem *problem, double *r,
                                double *u, StickSolveInfo *info);

// Whether the guess r is the solution that was returned before (StickFrictionProblem.settled) and still solves the
// problem to 1e-10: a structure at rest costs one product. Call after reserve.
bool stick_cascade_keep(StickCascade *stages, const StickFrictionProblem *problem, const double *r, double *u,
                        StickSolveInfo *info);

// Whether forces do not follow from the motion, so that one of several answers has to be selected. After reserve.
bool stick_cascade_selects(StickCascade *stages, const StickFrictionProblem *problem);

// Whether the problem has enough contacts to use the threads of the options: such problems are solved one after the
// other.
bool stick_cascade_use_threads(const StickFrictionProblem *problem);

#endif
