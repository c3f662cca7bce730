// SPDX-License-Identifier: Apache-2.0
// Matrices of all bodies of a system as one, with the selected kind of mass.
#ifndef STABILITY_GLOBAL_MATRICES_H
#define STABILITY_GLOBAL_MATRICES_H

#include "bodies/system.h"

typedef struct StickGlobalMatrices {
    StickSparse M, C, K; // M is empty for the unit mass
    bool damped;         // any entry of C is not zero
    bool unit_mass;
} StickGlobalMatrices;

StickStatus stick_global_matrices_create(StickContext *ctx, const StickSystem *system, StickMass mass,
                                         StickGlobalMatrices *whole);
// K becomes the tangent at displacements q for bodies under finite deformation, with their history there: relaxation
// has no time to act. Following pressures take part as at time t, with the symmetric part of their derivative. An
// inverted element gives STICK_NOT_SOLVED.
typedef struct StickGlobalMatricesState {
    double t;
    const double *q, *history;
} StickGlobalMatricesState;

StickStatus stick_global_matrices_tangent(StickContext *ctx, const StickSystem *system,
                                          const StickGlobalMatricesState *state, StickGlobalMatrices *whole);
// C += alpha M + beta K
StickStatus stick_global_matrices_add_damping(StickContext *ctx, double alpha, double beta,
                                              StickGlobalMatrices *whole);
void stick_global_matrices_destroy(StickContext *ctx, StickGlobalMatrices *whole);

#endif
