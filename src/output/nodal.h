// SPDX-License-Identifier: Apache-2.0
// Results of a run at the nodes of a body: what histories follow and field files show.
#ifndef OUTPUT_NODAL_H
#define OUTPUT_NODAL_H

#include "model/result.h"
#include "output/units.h"
#include "stepping/simulation.h"

StickQuantity stick_nodal_quantity(const StickResult *what);

// Values at all nodes of a body; gaps are those of a detection at the present state (only "gap" needs them).
// Nodes without a value (no antagonist) get NaN for a gap and 0 otherwise. A node in several contacts has the
// sum of its forces, and the largest of its pressures and states.
void stick_nodal_values(const StickSimulation *run, const StickResult *what, int component, int body,
                        const StickContactSet *gaps, double *values);

// The same for an obstacle: one number, of all contacts with it; forces act on the obstacle.
double stick_nodal_obstacle(const StickSimulation *run, const StickResult *what, int component, int obstacle,
                            const StickContactSet *gaps);

#endif
