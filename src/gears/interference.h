// SPDX-License-Identifier: Apache-2.0
// Whether the tips of a gear pass the teeth of its mate while both turn.
#ifndef GEARS_INTERFERENCE_H
#define GEARS_INTERFERENCE_H

#include "gears/pair.h"

// Follows the corner at the tip of gear g's drive flanks through the teeth of its mate and sets interference[g] and
// interferes[g]. Everything else of the pair is there already.
void stick_gear_interference(StickGearPair *pair, int g);

#endif
