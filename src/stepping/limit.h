// SPDX-License-Identifier: Apache-2.0
// Limit points of bodies under finite deformation: a load beyond which there is no equilibrium nearby (snap-through,
// buckling). Displacements grow without bound per time before it, and an increment that is long enough finds an equilibrium
// far behind it.
//
//     q |         ________     such an increment is not taken: a change that is spread over it is none, one that keeps
//       |        |             its size in ever shorter parts is what the path does not go through
//       |______.-'
//       +--------*---> t
#ifndef STEPPING_LIMIT_H
#define STEPPING_LIMIT_H

#include "stepping/quasistatic.h"

// After the increment to part was tried: STICK_NOT_SOLVED where displacements may jump in it, so that it is cut. In the
// shortest part a jump is taken, with a warning and a count in the record.
StickStatus stick_limit_watch(StickSimulation *run, const StickBefore *before, double part);

bool stick_limit_has_loads(const StickSimulation *run);

// Into text, why no increment can be solved any more where the last ones tell of a limit point; false: they do not.
bool stick_limit_explain(const StickSimulation *run, char *text, size_t size);

#endif
