// SPDX-License-Identifier: Apache-2.0
// Rigid bodies against each other and against obstacles: which of them are near (broad phase), where their shapes touch
// (narrow phase), and the rows of H of the points where they do.
#ifndef CONTACT_RIGID_PAIRS_H
#define CONTACT_RIGID_PAIRS_H

#include "contact/collision_filter.h"
#include "contact/contact.h"
#include "contact/obstacle.h"

typedef struct StickRigidPairs StickRigidPairs;

// panel: see stick_translation_init.
StickStatus stick_rigid_pairs_create(StickContext *ctx, const StickSystem *system, double panel,
                                     StickRigidPairs **pairs);
void stick_rigid_pairs_destroy(StickRigidPairs *pairs);

void stick_rigid_pairs_hold(StickRigidPairs *pairs, const bool *prescribed);

// Appends the contacts at where->q, sorted by key.
StickStatus stick_rigid_pairs_detect(StickRigidPairs *pairs, const StickDetection *where,
                                     StickContactSet *set);

// Largest mean speed of an obstacle that rigid bodies may touch.
StickStatus stick_rigid_pairs_obstacle_speed(StickRigidPairs *pairs, double t, double h, double *speed);

// Shortest distance of a rigid body and another one, or an obstacle (b = -1), at q and t; where they are in each other the
// depth, below 0.
StickStatus stick_rigid_pairs_distance(StickRigidPairs *pairs, const StickDetection *where, int a, int b,
                                       int obstacle, double *distance);

// Rigid bodies and obstacles where the last detection placed them.
typedef struct StickRigidView {
    const StickSystem *system;
    int count;               // rigid bodies
    const int *body, *first; // count: which they are, ascending, and their first degrees of freedom
    const StickSolid *const *solid;
    const bool *held;    // nbodies: no degree of freedom is free
    const bool *tumbles; // nbodies: its rotation is free, in space
    const StickPose *pose;
    int nobstacles;
    const StickObstacle *obstacle;
    const StickCollisionFilter *parted;
} StickRigidView;
StickRigidView stick_rigid_pairs_view(const StickRigidPairs *pairs);

// The radius of the ball around the smaller one of the rigid bodies of a contact, of one with an obstacle around the body.
double stick_rigid_smaller(const StickSystem *system, const StickContact *contact);

// The gap up to which shapes of these bodies touch, beyond the reach of a detection: what round-off may open.
double stick_rigid_touching(const StickSystem *system, const StickContact *contact);

static inline StickContactKey stick_contact_key(const StickContact *contact)
{
    int b = contact->body[1] >= 0 ? contact->body[1] : -1 - contact->obstacle;
    return (StickContactKey){contact->body[0], b, contact->shapes, contact->name};
}

// -1, 0, 1 as x comes before y, is y, or comes behind.
int stick_contact_key_compare(const StickContactKey *x, const StickContactKey *y);

#endif
