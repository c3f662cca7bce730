// SPDX-License-Identifier: Apache-2.0
// Whether pairs of a trajectory that 'max-distance' left out overlap: the problem that was solved does not see them.
#ifndef STEPPING_SEARCH_DISTANCE_H
#define STEPPING_SEARCH_DISTANCE_H

#include "stepping/simulation.h"

// Where they do, the position is to be solved again with more of them (`beyond` of the trajectory), which is told once in a
// run. Looked for only where free motions bring surfaces nearer by more than 'max-distance'.
StickStatus stick_search_distance_widen(StickSimulation *run, bool *wider);

#endif
