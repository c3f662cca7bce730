// SPDX-License-Identifier: Apache-2.0
// What a position of a trajectory leaves for the next one: where bodies were, and how they were deformed.
#ifndef STEPPING_TRAJECTORY_HISTORY_H
#define STEPPING_TRAJECTORY_HISTORY_H

#include <stickslip/context.h>

#include <stdbool.h>

// theta and u: displacements in the frames, as in stepping/trajectory.h.
typedef struct StickTrajectoryHistory {
    double known; // 1, or 0: there was no position before
    double t;
    double *theta; // free motions from the ideal one
    double *u;     // ndofs
} StickTrajectoryHistory;

StickStatus stick_trajectory_history_create(StickContext *ctx, int motions, int ndofs,
                                            StickTrajectoryHistory *past);
void stick_trajectory_history_destroy(StickContext *ctx, StickTrajectoryHistory *past);

// The present position becomes the last one, and that the one before it.
void stick_trajectory_history_push(StickTrajectoryHistory *now, StickTrajectoryHistory *before,
                                   const StickTrajectoryHistory *present, int motions, int ndofs);

#endif
