// SPDX-License-Identifier: Apache-2.0
// Joints between rigid bodies.
#ifndef MODEL_JOINT_SPEC_H
#define MODEL_JOINT_SPEC_H

#include "model/body_spec.h"

typedef enum StickJointKind {
    STICK_JOINT_PIN,      // point common; in space the axis, too
    STICK_JOINT_SLIDER,   // moves along the axis only, without turning
    STICK_JOINT_FIXED,    // one body
    STICK_JOINT_BALL,     // point common (in the plane that is a pin)
    STICK_JOINT_DISTANCE, // of point and other: length
    STICK_JOINT_GEAR,     // angular velocity of b = ratio times that of a, about the axis
    STICK_JOINT_MOTOR,    // turn or shift of a against b about or along the axis: prescribed
    STICK_JOINT_SPRING,   // from point to other: stiffness (l - length) + damping dl/dt
} StickJointKind;

// A joint between two bodies, or of a body with an obstacle or with space. Places are those at the start.
typedef struct StickJointSpec {
    char *name; // joint1, joint2 ... unless given; of a `repeat` with its indices
    StickMark mark;
    StickRepeat repeat;
    StickJointKind kind;
    int body;                      // a, rigid
    int other_body;                // b, rigid; or -1
    int other_obstacle;            // b; or -1: if both are -1, b is space
    bool has_point;                // slider: otherwise the mass centre of a
    double point[3];               // pin, slider, ball; distance, spring: on a
    double other_point[3];         // distance, spring: place on b
    bool has_axis;                 // in the plane needless but for slider and sliding motors
    double axis[3];                // length 1, by its direction at the start
    double ratio;                  // gear
    bool slides;                   // motor: shift along the axis, not turn about it
    StickExpression *motion;       // motor: angle or shift since the start, sees t; or ...
    StickExpression *motion_speed; // ... angular velocity or velocity
    double length;                 // distance, spring: natural length; -1: that of the start
    double stiffness, damping;     // spring
    bool collides;                 // the bodies that it holds touch each other
} StickJointSpec;

#endif
