// SPDX-License-Identifier: Apache-2.0
// How far bodies have turned. Strains are linear in the displacements, so that a body that turns by an angle phi grows by
// sqrt(1 + phi^2) without any stress: a run must say so before that matters.
#ifndef STEPPING_ROTATION_H
#define STEPPING_ROTATION_H

#include "bodies/system.h"

typedef struct StickBodyRotation {
    double centre[3];
    double inverse_inertia[9];
    double *share; // of each node in the mass
} StickBodyRotation;

typedef struct StickRotation {
    int nbodies;
    StickBodyRotation *body;
} StickRotation;

StickStatus stick_rotation_create(StickContext *ctx, const StickSystem *system, StickRotation *rotation);
void stick_rotation_destroy(StickContext *ctx, StickRotation *rotation);

// Largest angle by which a body has turned, and which: phi = I^-1 sum of m (X - X_c) x q, exact for rigid displacements
// of the linear kind. Bars and rings cannot turn.
double stick_rotation_largest(const StickRotation *rotation, const StickSystem *system, const double *q,
                              int *body);

#endif
