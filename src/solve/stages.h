// SPDX-License-Identifier: Apache-2.0
// The ways of `auto` through one problem: accelerated sweeps while they gain, Newton to finish, and whatever else there
// is where both fail. Sweeps are left when what they still need, judged by their rate, costs more than Newton usually
// does. Islands of many contacts between rigid bodies have Newton in the velocities of the bodies first, where its factors
// are small. Residuals and operation counts decide, never the clock. Very large problems are swept on threads first, and
// have Newton only where its factors are small enough.
// With sections other than the disk only the methods that take them have their turn.
#ifndef SOLVE_STAGES_H
#define SOLVE_STAGES_H

#include <stickslip/friction.h>

#include <stdbool.h>

typedef struct StickStages StickStages;

// options must outlive it; its tolerance and aim are looked at anew in each solve.
StickStatus stick_stages_create(StickContext *ctx, const StickSolverOptions *options, StickStages **stages);
void stick_stages_destroy(StickStages *stages);

// As those of StickMethod. What it calls converged was accepted by stick_residual, with the u that it gives.
StickStatus stick_stages_reserve(StickStages *stages, const StickFrictionProblem *problem);
StickStatus stick_stages_reserve_rest(StickStages *stages, const StickFrictionProblem *problem);
StickStatus stick_stages_solve(StickStages *stages, const StickFrictionProblem *problem, double *r, double *u,
                               StickSolveInfo *info);

// Whether the guess r is what was returned before (StickFrictionProblem.settled) and still solves the problem to 1e-10: a
// structure at rest costs one product. After reserve.
bool stick_stages_keep(StickStages *stages, const StickFrictionProblem *problem, const double *r, double *u,
                       StickSolveInfo *info);

// Whether forces do not follow from the motion, so that one of several answers has to be selected. After reserve.
bool stick_stages_selects(StickStages *stages, const StickFrictionProblem *problem);

// So many contacts that it uses the threads of the options: such problems are solved one after the other.
bool stick_stages_use_threads(const StickFrictionProblem *problem);

#endif
