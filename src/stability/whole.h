// SPDX-License-Identifier: Apache-2.0
// Matrices of all bodies of a system as one, with the kind of mass that is asked for.
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
// K becomes the tangent at displacements q, where bodies are under finite deformation, with the history that they have
// there: what relaxes has no time to. Pressures that follow the surface take part as they are at time t, with the
// symmetric part of what they change. An element that is inverted is STICK_NOT_SOLVED.
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
