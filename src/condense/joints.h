// SPDX-License-Identifier: Apache-2.0
// Joints as rows: the constraint of each row on the velocities of its two ends, and the gaps of the rows.
//
// An end is a rigid body, an obstacle or space. A row G v is the force that the joint can give: equal and opposite on
// both ends, and at one common place, so that joints between bodies change neither momentum nor angular momentum.
//
//     common point      e_k.(V_a - V_b)                 at the mean of both points
//     guide             n_j.(V_a - V_b)                 n_j across the axis of b, at the point of a
//     turn              e_k.(omega_a - omega_b)         all directions, or those across the axis
//     distance, spring  n.(V_a - V_b)                   along the line from one point to the other
//     gear              ratio omega_a - omega_b         about an axis of space
#ifndef CONDENSE_JOINTS_H
#define CONDENSE_JOINTS_H

#include "bodies/system.h"

typedef enum StickRowKind {
    STICK_ROW_PLACE,  // its gap is held at zero
    STICK_ROW_SPEED,  // its velocity is prescribed
    STICK_ROW_MEAN,   // its mean velocity over a step is held at zero
    STICK_ROW_SPRING, // its force follows from its gap: the stretch
} StickRowKind;

typedef struct StickRow {
    StickRowKind kind;
    int joint;                     // of the model
    int body[2];                   // -1: none
    bool is_timed;                 // its gap changes with time even where the bodies rest
    double G[2][STICK_RIGID_DOFS]; // over the degrees of freedom of each body
} StickRow;

typedef struct StickJoints StickJoints;

// Refuses a distance that is not that of the start. panel: see stick_translation_init.
StickStatus stick_joints_create(StickContext *ctx, const StickSystem *system, double panel,
                                StickJoints **joints);
void stick_joints_destroy(StickJoints *joints);

int stick_joints_count(const StickJoints *joints);

// The rows of all joints, by joints; where order is given it names the joint that comes k-th.
void stick_joints_order(StickJoints *joints, const int *order);

// Sets the sizes to those of all joints of a group; group: nbodies, the first body of the group of each body.
StickStatus stick_joints_share(StickJoints *joints, const int *group);

// Rows at q and t. The pointers stay valid, and entries that do not depend on q never change.
StickStatus stick_joints_rows(StickJoints *joints, const double *q, double t, const StickRow **row);

// Gap of every row at q and t, a length or an angle; the stretch of springs, 0 for others.
StickStatus stick_joints_gaps(StickJoints *joints, const double *q, double t, double *gap);

// Position of a joint at q and t: its common point, or that of its first body.
StickStatus stick_joints_place(const StickJoints *joints, int joint, const double *q, double t,
                               double place[3]);

// Size of the terms whose difference is the gap: reference for round-off.
double stick_joints_scale(const StickJoints *joints, const double *q, int row);

// Size of the bodies of its group, wherever they are.
double stick_joints_size(const StickJoints *joints, int row);

// Whether its gap is an angle.
bool stick_joints_is_angle(const StickJoints *joints, int row);

// Prescribed velocity of a row of STICK_ROW_SPEED.
StickStatus stick_joints_speed(const StickJoints *joints, int row, double t, double *speed);

const StickJointSpec *stick_joints_spec(const StickJoints *joints, int row);

#endif
