// SPDX-License-Identifier: Apache-2.0
// Rigid bodies that are in each other at the start of a run: found, refused by name, kept, or pushed apart.
#ifndef DRIVE_SEPARATE_H
#define DRIVE_SEPARATE_H

#include "drive/run.h"

// Looks at the contacts of the run, which are those of its present state, and does what its step says about overlaps. To
// push apart changes q of the present state.
StickStatus stick_separate(StickRun *run);

#endif
