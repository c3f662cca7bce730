// SPDX-License-Identifier: Apache-2.0
// Friction that goes to and fro from increment to increment. The law of friction takes the speed of the increment before;
// without inertia, one that falls with speed has no steady answer in increments shorter than r_N |mu'| / k: a contact
// sticks, slips at once and sticks again, and none of these states is that of a steady sliding.
#ifndef STEPPING_CHATTER_H
#define STEPPING_CHATTER_H

#include "stepping/simulation.h"

// After the contacts of an increment are remembered: counts their turns, and tells of the first that chatters.
void stick_chatter_watch(StickSimulation *run);

// Whether the friction of a contact has gone to and fro up to now.
bool stick_chatter_is(const StickSimulation *run, int slot);

#endif
