// SPDX-License-Identifier: Apache-2.0
// Results of a run at the nodes of a body: what histories follow and field files show.
#ifndef OUTPUT_NODAL_H
#define OUTPUT_NODAL_H

#include "drive/run.h"
#include "output/units.h"

// How the values of a group become one number.
typedef enum StickGather {
    STICK_GATHER_MEAN,
    STICK_GATHER_SUM,
    STICK_GATHER_LEAST,
    STICK_GATHER_MOST
} StickGather;

typedef struct StickNodal {
    const char *name; // as in the model file
    StickQuantity quantity;
    StickGather gather;
    bool by_component; // x, y, z; otherwise one number
    bool by_frame;     // normal and tangential
} StickNodal;

enum { STICK_NORMAL_COMPONENT = 3, STICK_TANGENTIAL_COMPONENT = 4 };

// NULL if there is no result of that name.
const StickNodal *stick_nodal(const char *name);
const StickNodal *stick_nodal_at(int index); // NULL past the last

// Values at all nodes of a body; gaps are those of a detection at the present state (only "gap" needs them).
// Nodes without a value (no antagonist) get NaN for a gap and 0 otherwise. A node in several contacts has the sum of
// its forces, and the largest of its pressures and states.
void stick_nodal_values(const StickRun *run, const StickNodal *what, int component, int body,
                        const StickContactSet *gaps, double *values);

// The same for an obstacle: one number, of all contacts with it; forces act on the obstacle.
double stick_nodal_obstacle(const StickRun *run, const StickNodal *what, int component, int obstacle,
                            const StickContactSet *gaps);

#endif
