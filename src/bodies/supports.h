// SPDX-License-Identifier: Apache-2.0
// Supports: degrees of freedom whose motion is prescribed.
#ifndef BODIES_SUPPORTS_H
#define BODIES_SUPPORTS_H

#include "bodies/system.h"

// One prescribed degree of freedom.
typedef struct StickSupport {
    int dof;
    const StickSupportSpec *spec;  // NULL: the axis of a ring, at rest
    StickExpression *displacement; // at most one of both is set; none: at rest
    StickExpression *velocity;
    double place[3]; // reference place of its node, or of the mass centre of a rigid body
} StickSupport;

typedef struct StickSupports {
    int count;
    StickSupport *support; // ascending by dof
    size_t capacity;
} StickSupports;

// The supports of the model, and the radial displacement on the axis of rings. Two supports may prescribe one degree
// of freedom if they prescribe the same; otherwise the message names both.
StickStatus stick_supports_create(StickContext *ctx, const StickSystem *system, StickSupports *supports);
void stick_supports_destroy(StickContext *ctx, StickSupports *supports);

// Prescribed displacement (or velocity, where that is prescribed) of a support at time t.
StickStatus stick_support_value(const StickSupport *support, double t, double *value);

#endif
