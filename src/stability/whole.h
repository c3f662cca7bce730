// SPDX-License-Identifier: Apache-2.0
// Matrices of all bodies of a system as one, with the selected kind of mass.
#ifndef STABILITY_WHOLE_H
#define STABILITY_WHOLE_H

#include "bodies/system.h"

typedef struct StickWhole {
    StickSparse M, C, K; // M is empty for the unit mass
    bool damped;         // any entry of C is not zero
    bool unit_mass;
} StickWhole;

StickStatus stick_whole_create(StickContext *ctx, const StickSystem *system, StickMass mass,
                               StickWhole *whole);
// K becomes the tangent at displacements q for bodies under finite deformation, with their history there: relaxation
// has no time to act. Following pressures take part as at time t, with the symmetric part of their derivative. An
// inverted element gives STICK_NOT_SOLVED.
typedef struct StickWholeState {
    double t;
    const double *q, *history;
} StickWholeState;

StickStatus stick_whole_tangent(StickContext *ctx, const StickSystem *system, const StickWholeState *state,
                                StickWhole *whole);
// C += alpha M + beta K
StickStatus stick_whole_add_damping(StickContext *ctx, double alpha, double beta, StickWhole *whole);
void stick_whole_destroy(StickContext *ctx, StickWhole *whole);

#endif
