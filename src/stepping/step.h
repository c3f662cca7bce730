// SPDX-License-Identifier: Apache-2.0
// The kinds of step that a run takes.
#ifndef STEPPING_STEP_H
#define STEPPING_STEP_H

#include "stepping/simulation.h"

// One time step [VPJR98 sections 3 to 5].
StickStatus stick_step_dynamic(StickSimulation *run);

#endif
