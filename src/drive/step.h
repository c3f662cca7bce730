// SPDX-License-Identifier: Apache-2.0
// The kinds of step that a run takes.
#ifndef DRIVE_STEP_H
#define DRIVE_STEP_H

#include "drive/run.h"

// One time step [VPJR98 sections 3 to 5].
StickStatus stick_step_dynamic(StickRun *run);

#endif
