// SPDX-License-Identifier: Apache-2.0
// Obstacles in an animation: what they are, and how they move.
#ifndef REPORT_OBSTACLES_H
#define REPORT_OBSTACLES_H

#include "model/model.h"
#include "report/blobs.h"

// Packs the displacement of an obstacle at all these times, frames x dim; *number is -1 if it does not move.
StickStatus stick_obstacles_motion(StickContext *ctx, const StickModel *model, int obstacle, int dim,
                                   const double *time, int frames, StickBlobs *blocks, int *number);

// {"name": …} for the JSON of the page; motion is the block's number, or -1.
void stick_obstacles_json(StickJson *json, const StickObstacleSpec *obstacle, int dim,
                          const StickBlobs *blocks, int motion);

#endif
