// SPDX-License-Identifier: Apache-2.0
// Bodies that overlap at the start of a model: found, refused by name, kept, moved apart, or resolved over the first step.
#ifndef STEPPING_INITIAL_OVERLAP_H
#define STEPPING_INITIAL_OVERLAP_H

#include "stepping/simulation.h"

// Looks at the contacts of the run, which are those of its present state, and does what contacts and the step say about
// overlaps. To push apart changes q of the present state.
StickStatus stick_initial_overlap(StickSimulation *run);

// When the run is made: overlaps that contacts resolve shrink over the first step of the model. Steady sliding has
// them resolved from the start.
StickStatus stick_initial_overlap_over_step(StickSimulation *run);

#endif
