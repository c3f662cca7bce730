// SPDX-License-Identifier: Apache-2.0
#include "stepping/trajectory_history.h"

#include "base/memory.h"

#include <string.h>

StickStatus stick_trajectory_history_create(StickContext *ctx, int motions, int ndofs,
                                            StickTrajectoryHistory *past)
{
    STICK_ALLOC(ctx, past->theta, motions);
    STICK_ALLOC(ctx, past->u, ndofs);
    return STICK_OK;
}

void stick_trajectory_history_destroy(StickContext *ctx, StickTrajectoryHistory *past)
{
    stick_free(ctx, past->theta);
    stick_free(ctx, past->u);
    *past = (StickTrajectoryHistory){0};
}

void stick_trajectory_history_push(StickTrajectoryHistory *now, StickTrajectoryHistory *before,
                                   const StickTrajectoryHistory *present, int motions, int ndofs)
{
    StickTrajectoryHistory last = *before;
    *before = *now;
    last.known = 1;
    last.t = present->t;
    memcpy(last.theta, present->theta, (size_t)motions * sizeof *last.theta);
    memcpy(last.u, present->u, (size_t)ndofs * sizeof *last.u);
    *now = last;
}
