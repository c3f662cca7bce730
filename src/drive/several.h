// SPDX-License-Identifier: Apache-2.0
// Rigid bodies with friction may have several motions to go on with (Painleve's paradox, faces with several contacts): all
// motions of each island of contacts of a step that is small enough to enumerate them; of larger ones other motions that a
// search finds, in some of the steps.
#ifndef DRIVE_SEVERAL_H
#define DRIVE_SEVERAL_H

#include "drive/run.h"

// After the solve of a step: the first time is reported, all are counted in the record.
StickStatus stick_several_look(StickRun *run);
void stick_several_destroy(StickContext *ctx, StickSeveral *several);

#endif
