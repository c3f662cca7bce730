// SPDX-License-Identifier: Apache-2.0
// External forces: gravity, pressures, tractions and nodal forces, each a function of time.
#ifndef BODIES_LOADS_H
#define BODIES_LOADS_H

#include "bodies/system.h"

typedef struct StickLoads {
    const StickSystem *system;
    double *weight;   // dim x ndofs: nodal forces of a unit acceleration in each direction
    double *constant; // ndofs: sum of the loads that do not change
    double *start;    // ndofs: zero, where bodies start
    bool *changes;    // of each load of the model
    bool follow;      // some are pressures that follow the surface of a body under finite deformation
} StickLoads;

StickStatus stick_loads_create(StickContext *ctx, const StickSystem *system, StickLoads *loads);
void stick_loads_destroy(StickContext *ctx, StickLoads *loads);

// Sets F to the external forces at time t. Forces on rigid bodies act at places that move with them: here in their
// initial pose, see below.
StickStatus stick_loads_force(StickContext *ctx, const StickLoads *loads, double t, double *F);

// Sets F to the external forces at time t on bodies at q.
StickStatus stick_loads_force_at(StickContext *ctx, const StickLoads *loads, double t, const double *q,
                                 double *F);

// Subtracts from the tangents of bodies (nbodies, values on the pattern of their K; NULL: none) the symmetric part of
// the derivative of their loads by q: following pressures.
StickStatus stick_loads_tangent(StickContext *ctx, const StickLoads *loads, double t, const double *q,
                                double **tangent);

#endif
