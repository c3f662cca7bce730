// SPDX-License-Identifier: Apache-2.0
// Notes and warnings about the gears of a model, before the run.
#ifndef GEARS_TELL_H
#define GEARS_TELL_H

#include "gears/pair.h"

// Refuses pairs that cannot be made, warns of interference, undercut, contact ratios below 1 and teeth that touch on the
// way of a step but are coarse or not in the mesh, and notes the geometry of every pair.
StickStatus stick_gears_tell(StickContext *ctx, const StickModel *model);

#endif
