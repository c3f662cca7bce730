// SPDX-License-Identifier: Apache-2.0
// Supports and loads of bodies.
#ifndef MODEL_LOAD_SPEC_H
#define MODEL_LOAD_SPEC_H

#include "model/expression.h"
#include "model/target.h"

typedef struct StickSupportSpec {
    StickMark mark;
    StickTarget on;                   // rigid bodies: without a group, and may be several
    StickExpression *displacement[3]; // sees t and the place; NULL: free, unless velocity is given
    StickExpression *velocity[3];     // of a rigid body: of its mass centre
    // of rigid bodies, see t; NULL: free
    StickExpression *rotation;            // the plane: angle since the start
    StickExpression *angular_velocity[3]; // the plane: [2]
} StickSupportSpec;

typedef enum StickLoadKind {
    STICK_LOAD_PRESSURE,
    STICK_LOAD_TRACTION,
    STICK_LOAD_FORCE,
    STICK_LOAD_TORQUE, // on a rigid body
    STICK_LOAD_HOLD, // the group moves as one along an axis so that the total force is this: quasistatics only
} StickLoadKind;

typedef struct StickLoadSpec {
    StickMark mark;
    StickTarget on;
    StickLoadKind kind;
    // pressure: one; traction (per area): each component; force: on each node of the group; hold: on all of them
    // together, NULL: that component is not held
    // torque: in the plane [2]
    StickExpression *value[3];
    // force on a rigid body (on has no group, and may be several): the place that it sees is where its point is now
    bool has_point;
    // in the frame in which its shapes are given: moves with the body; otherwise the mass centre
    double point[3];
    bool follows; // force and torque turn with the rigid body, pressure with the surface of a deformable one
} StickLoadSpec;

#endif
