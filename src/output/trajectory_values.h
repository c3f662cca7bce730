// SPDX-License-Identifier: Apache-2.0
// Results of steps along trajectories: of frames, surfaces and pairs of gears as a whole, and at nodes.
#ifndef OUTPUT_TRAJECTORY_VALUES_H
#define OUTPUT_TRAJECTORY_VALUES_H

#include "model/result.h"
#include "stepping/simulation.h"

// The value of a history whose result is of_frame or of_gears.
double stick_trajectory_value(const StickSimulation *run, const StickResult *what,
                              const StickHistorySpec *spec);

// contact_pressure or status at the nodes of a body: the largest of the strips that they belong to.
void stick_trajectory_nodes(const StickSimulation *run, const StickResult *what, int body, double *values);

#endif
