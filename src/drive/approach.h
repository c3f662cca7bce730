// SPDX-License-Identifier: Apache-2.0
// Before contact is solved: what may touch within a step, how deep it is, and with which velocity it comes.
#ifndef DRIVE_APPROACH_H
#define DRIVE_APPROACH_H

#include "drive/run.h"

// Candidates and gaps at q^i [VPJR98 section 4], frames half a step later: all that could touch within this step.
StickStatus stick_approach_detect(StickRun *run);

// An error where a node came around an edge and is first seen deep inside.
StickStatus stick_approach_refuse_deep(StickRun *run);

// Said once: a corner of a second surface that sinks into the first body is seen by no contact. Looks where the last
// detection was, every few steps.
StickStatus stick_approach_watch_buried(StickRun *run);

// Depth that a contact is found with when it is first seen (at the start, or beside an edge that it came around) is not
// pushed out; it only must not grow, and what is gained is kept. At most 0.
double stick_approach_depth(const StickRun *run, const StickContact *contact);

// Biases of the gaps, and the depths that go into them [VPJR98 (8), (9), (10), (11)].
void stick_approach_bias(StickRun *run);

// u_free = H' v_free + u_drive, its normal part shifted by the bias so that Signorini's condition reads u_N >= 0.
void stick_approach_velocity(StickRun *run);

#endif
