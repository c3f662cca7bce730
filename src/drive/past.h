// SPDX-License-Identifier: Apache-2.0
// What a position of a trajectory leaves for the next one: where bodies were, and how they were deformed.
#ifndef DRIVE_PAST_H
#define DRIVE_PAST_H

#include <stickslip/context.h>

#include <stdbool.h>

// theta and u: displacements in the frames, as in drive/trajectory.h.
typedef struct StickPast {
    double known; // 1, or 0: there was no position before
    double t;
    double *theta; // free motions from the ideal one
    double *u;     // ndofs
} StickPast;

StickStatus stick_past_create(StickContext *ctx, int motions, int ndofs, StickPast *past);
void stick_past_destroy(StickContext *ctx, StickPast *past);

// The present position becomes the last one, and that the one before it.
void stick_past_push(StickPast *now, StickPast *before, const StickPast *present, int motions, int ndofs);

#endif
