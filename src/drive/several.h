// SPDX-License-Identifier: Apache-2.0
// Rigid bodies with large friction may have several motions to go on with (Painleve's paradox): said of each island of
// contacts of a step that is small enough to find them all.
#ifndef DRIVE_SEVERAL_H
#define DRIVE_SEVERAL_H

#include "drive/run.h"

// After the solve of a step: the first time is told, all are counted in the record.
void stick_several_look(StickRun *run);

#endif
