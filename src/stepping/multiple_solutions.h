// SPDX-License-Identifier: Apache-2.0
// Rigid bodies with friction may have several motions to go on with (Painleve's paradox, faces with several contacts): all
// motions of each island of contacts of a step that is small enough to enumerate them; of larger ones other motions that a
// search finds, in some of the steps.
#ifndef STEPPING_MULTIPLE_SOLUTIONS_H
#define STEPPING_MULTIPLE_SOLUTIONS_H

#include "stepping/simulation.h"

// After the solve of a step: the first time is reported, all are counted in the record.
StickStatus stick_multiple_solutions_look(StickSimulation *run);
void stick_multiple_solutions_destroy(StickContext *ctx, StickMultipleSolutions *several);

#endif
