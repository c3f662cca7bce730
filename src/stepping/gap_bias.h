// SPDX-License-Identifier: Apache-2.0
// Before contact is solved: what may touch within a step, how deep it is, and with which velocity it comes.
#ifndef STEPPING_GAP_BIAS_H
#define STEPPING_GAP_BIAS_H

#include "stepping/simulation.h"

// Of the depth that a contact was first seen with, what is corrected in a time step.
static const double STICK_FADING = 0.1;

// Of the distance of nodes: what the gaps of surfaces are corrected to.
static const double STICK_LITTLE_DEPTH = 1e-4;

// Deformable bodies in the middle of the step, (q^i + q^{i+1}) / 2, if contact acts as in the step before. Modes that are stiffer
// than the step resolves change their sign from step to step: extrapolated by their velocity, H would feed them
// (docs/theory/schemes.md). Bodies under finite deformation: q^i + h/2 v^i.
void stick_gap_bias_middle(const StickSimulation *run, const double *v_free, double *q);

// Candidates and gaps at q^i [VPJR98 section 4], frames in the middle of the step: all that could touch within this step.
StickStatus stick_gap_bias_detect(StickSimulation *run);

// An error where a node came around an edge and is first seen deep inside.
StickStatus stick_gap_bias_refuse_deep(StickSimulation *run);

// Said once: a corner of a second surface that sinks into the first body is seen by no contact. Looks where the last
// detection was, every few steps.
StickStatus stick_gap_bias_watch_buried(StickSimulation *run);

// Depth that a contact is found with when it is first seen (at the start, or beside an edge that it came around) is not
// pushed out; it only must not grow, and what is gained is kept. At most 0.
double stick_gap_bias_depth(const StickSimulation *run, const StickContact *contact);

// Distance of the slave nodes around a contact of surfaces, from its share of them.
double stick_gap_bias_spacing(const StickSimulation *run, const StickContact *contact);

// Biases of the gaps, and the depths that go into them [VPJR98 (8), (9), (10), (11)].
void stick_gap_bias_bias(StickSimulation *run);

// u_free = H' v_free + u_drive, its normal part shifted by the bias so that Signorini's condition reads u_N >= 0.
void stick_gap_bias_velocity(StickSimulation *run);

#endif
