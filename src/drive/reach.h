// SPDX-License-Identifier: Apache-2.0
// Whether pairs of a trajectory that 'max-distance' left out overlap: the problem that is solved does not see them.
#ifndef DRIVE_REACH_H
#define DRIVE_REACH_H

#include "drive/run.h"

// Warns of them, once in a run. Looked for only where free motions bring surfaces nearer by more than 'max-distance'.
StickStatus stick_reach_check(StickRun *run);

#endif
