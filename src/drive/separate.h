// SPDX-License-Identifier: Apache-2.0
// Bodies that overlap at the start of a model: found, refused by name, kept, moved apart, or resolved over the first step.
#ifndef DRIVE_SEPARATE_H
#define DRIVE_SEPARATE_H

#include "drive/run.h"

// Looks at the contacts of the run, which are those of its present state, and does what contacts and the step say about
// overlaps. To push apart changes q of the present state.
StickStatus stick_separate(StickRun *run);

// When the run is made: overlaps that contacts resolve shrink over the first step of the model. Steady sliding has
// them resolved from the start.
StickStatus stick_separate_over_step(StickRun *run);

#endif
