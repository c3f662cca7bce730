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
#ifndef CONDENSE_JOINT_ROWS_H
#define CONDENSE_JOINT_ROWS_H

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

typedef struct StickJointRows StickJointRows;

// Refuses a distance that is not that of the start. panel: see stick_translation_init.
StickStatus stick_joint_rows_create(StickContext *ctx, const StickSystem *system, double panel,
                                    StickJointRows **joints);
void stick_joint_rows_destroy(StickJointRows *joints);

int stick_joint_rows_count(const StickJointRows *joints);

// The rows of all joints, by joints; where order is given it names the joint that comes k-th.
void stick_joint_rows_order(StickJointRows *joints, const int *order);

// Sets the sizes to those of all joints of a group; group: nbodies, the first body of the group of each body.
StickStatus stick_joint_rows_share(StickJointRows *joints, const int *group);

// Rows at q and t. The pointers stay valid, and entries that do not depend on q never change.
StickStatus stick_joint_rows_rows(StickJointRows *joints, const double *q, double t, const StickRow **row);

// Gap of every row at q and t, a length or an angle; the stretch of springs, 0 for others.
StickStatus stick_joint_rows_gaps(StickJointRows *joints, const double *q, double t, double *gap);

// Position of a joint at q and t: its common point, or that of its first body.
StickStatus stick_joint_rows_place(const StickJointRows *joints, int joint, const double *q, double t,
                                   double place[3]);

// Size of the terms whose difference is the gap: reference for round-off.
double stick_joint_rows_scale(const StickJointRows *joints, const double *q, int row);

// Size of the bodies of its group, wherever they are.
double stick_joint_rows_size(const StickJointRows *joints, int row);

// Whether its gap is an angle.
bool stick_joint_rows_is_angle(const StickJointRows *joints, int row);

// Prescribed velocity of a row of STICK_ROW_SPEED.
StickStatus stick_joint_rows_speed(const StickJointRows *joints, int row, double t, double *speed);

const StickJointSpec *stick_joint_rows_spec(const StickJointRows *joints, int row);

#endif
