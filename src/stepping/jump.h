// SPDX-License-Identifier: Apache-2.0
// Jumps of a quasistatic path by increments. An increment whose contact forces change much may have left the path: its
// contact problem may have several solutions, and what continues the state before may have ended on the way.
//
//     |r| |----.            a change that is spread over the increment is none, one that is found in a part of it,
//         |     '-.         however short, is a jump: from there on the state is one of the equilibria behind it,
//         |       |___      not what follows from the state before
//         +-------*----> t
#ifndef STEPPING_JUMP_H
#define STEPPING_JUMP_H

#include "stepping/quasistatic.h"

// Parts of an increment that a jump may lie between, as in StickAdvance.
typedef struct StickJump {
    bool found;
    double from, to;
} StickJump;

// After the increment to part was tried: looks for a jump in it, by trying parts of it. Unless one is found, the last
// try is that of the whole. STICK_NOT_SOLVED: a part could not be solved.
StickStatus stick_jump_find(StickSimulation *run, const StickBefore *before, double part, StickJump *jump);

// By how much contact forces change per time in the increment that was tried: the next one is suspected by it.
double stick_jump_rate(const StickSimulation *run);

// The increment that was tried is a jump, and is taken: the record counts it, and the user is told.
void stick_jump_take(StickSimulation *run);

#endif
