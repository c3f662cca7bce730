// SPDX-License-Identifier: Apache-2.0
// Whether the frequencies of the bodies have anything to do with what a step asks for: a density in other units shows here.
#ifndef STUDY_FREQUENCIES_H
#define STUDY_FREQUENCIES_H

#include "bodies/system.h"

// Warns of a step of time or a highest frequency that lies far from all motions of the bodies, and notes where a map of
// stability takes long because no frequency is given.
void stick_frequencies_watch(StickContext *ctx, const StickSystem *system, const StickStepSpec *step);

#endif
