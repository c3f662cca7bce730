// SPDX-License-Identifier: Apache-2.0
// How deep rigid bodies are in each other. Moreau's step finds contacts in the middle of a step, so that they are first seen
// with a depth of up to h times the speed, and laws on velocities do not push bodies out: depth is watched and told.
#ifndef STEPPING_PENETRATION_MONITOR_H
#define STEPPING_PENETRATION_MONITOR_H

#include "stepping/simulation.h"

// Of the contacts of a step that was solved, before they are remembered: run->depth, the record, and warnings.
void stick_penetration_monitor_watch(StickSimulation *run);

// Puts the deepest penetration in the last step into the record, but for overlap of surfaces that is to be kept: a run that is
// resumed at its end has no contacts to find it from.
void stick_penetration_monitor_remember(StickSimulation *run);

#endif
