// SPDX-License-Identifier: Apache-2.0
// Joints in Moreau's step. Their rows G are those at q_M, where their impulses act, and what they hold are the places at
// the end of the step:
//
//     G (u_I + u_F)/2 = b     with b such that gap(q_F) = 0: zero but for what is curved, found by Newton's method
//     G(q_F) v = b'           then: the velocity from which the next step starts is one that the joints admit
//
// Joints that are at rest in space do no work in the first but for b, which is of order h^2, so that energy stays over
// long times; the second takes what an impact has left in directions that joints do not admit, and is of order h^3 where
// motion is smooth. Both only give impulses to the bodies: momentum, angular momentum and the books stay exact.
// Springs and dampers take their force at the mean of both ends of the step: stable however stiff they are.
#ifndef STEPPING_JOINT_STEP_H
#define STEPPING_JOINT_STEP_H

#include "condense/joint_elimination.h"

typedef struct StickSimulation StickSimulation; // stepping/simulation.h

// What a joint gave to its first body in a step, and to both of them.
typedef struct StickEffort {
    double impulse[3], twist[3]; // its moment about the place of the joint
    double pull;                 // of distances and springs, towards the second
    double work;                 // on all degrees of freedom that no support leads
} StickEffort;

typedef struct StickJointStep {
    StickJointElimination *links;
    double *gap, *before; // rows
    double *lambda_L;     // rows: impulses without contact
    double *p_M, *p_F;    // ndofs: impulses of the joints in the middle and at the end of the step
    double *v_E;          // ndofs: velocity at the end of the step, before the second
    int passes;           // contact solves of the step that were repeated
    bool passes_dead; // more rows are left out in the step than follow beside it: these may be off a little
    bool *is_dead;    // nbodies, by the first of a group: the same of the group, with any pivots
    bool *follows; // rows that follow from others, but for dead points; see stepping/singular_configuration.h
    int nfollows;  // how many these are; -1: not known yet
    double pushes, twists; // sums of the sizes of all forces and moments on bodies in the step
    StickEffort *effort;   // joints of the model: of the last step
    double contact;        // work of the joints from v_L to v_F, for the split of [JM91 (6.4)]
} StickJointStep;

// NULL without joints.
StickStatus stick_joint_step_create(StickContext *ctx, const StickSystem *system, StickStepMatrix *matrix,
                                    StickJointStep **linked);
void stick_joint_step_destroy(StickJointStep *linked);

// At the start of the model: refuses joints that are off their places, stand in a dead point or contradict each other; velocities become those
// that the joints admit, nearest by the masses.
StickStatus stick_joint_step_start(StickSimulation *run);

// Impulses of contact at q_I, at the start of a run: next.v becomes a velocity that joints admit, before contact; and the
// impulses of the joints, after it.
StickStatus stick_joint_step_impact(StickSimulation *run);
void stick_joint_step_impact_end(StickSimulation *run);

// The loose velocity, in next.v, becomes that with joints but without contact.
StickStatus stick_joint_step_loose(StickSimulation *run);

// After the solve: whether joints are off their places because of contact. Then next.v and v_L are set for another.
StickStatus stick_joint_step_settle(StickSimulation *run, bool *again);

// After bodies have moved: the velocity that joints admit where they are now.
StickStatus stick_joint_step_end(StickSimulation *run);

#endif
