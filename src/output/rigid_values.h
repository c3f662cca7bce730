// SPDX-License-Identifier: Apache-2.0
// Results of rigid bodies: one number each, of the body as a whole.
#ifndef OUTPUT_RIGID_VALUES_H
#define OUTPUT_RIGID_VALUES_H

#include "model/result.h"
#include "stepping/simulation.h"

// Displacement and velocity are those of the mass centre, forces are totals, a pressure is 0 and a gap the least one of its
// contacts (none: not a number). Not of distances.
double stick_rigid_value(const StickSimulation *run, const StickResult *what, int component, int body);

// Of a joint, the mean of the last step: what acts on its first body, and the power that it gives to both. 0 before a step.
double stick_joint_value(const StickSimulation *run, const StickResult *what, int component, int joint);

// Distance of two targets, at least one of them a rigid body.
StickStatus stick_rigid_distance(const StickSimulation *run, const StickTarget *one, const StickTarget *other,
                                 double *distance);

#endif
