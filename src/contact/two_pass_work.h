// SPDX-License-Identifier: Apache-2.0
// How the second pass makes its contacts; only for contact/two_pass*.c.
#ifndef CONTACT_TWO_PASS_WORK_H
#define CONTACT_TWO_PASS_WORK_H

#include "contact/two_pass.h"

// A corner is sharp where a piece around it turns by more than this from its mean normal (sine), or by more than pieces
// of this curvature do that are shorter than those of the slave.
static const double STICK_TIP_SHARP = 0.35;

// Blunter corners are looked at where their bend exceeds this: a corner of bend b between two nodes is inside by b/2 of a
// side, and an outline of this bend by b/4, before the nodes touch.
static const double STICK_TIP_BLUNT = 0.05;

// Pieces of a rigid slave that are longer than this times those of its counterface do not see it by their corners.
static const double STICK_TIP_COARSE = 2;

// One feature: a corner of the counterface, or the middle of what is round.
typedef struct StickTip {
    int number; // of the corner, or of the end of a capsule
    double place[3];
    double radius;
    const double *normal; // of a corner of a surface; NULL: none
    double outward[3];    // mean direction out of a corner
} StickTip;

// A contact between both sides: feature, layer, gap, frame and place are given.
StickStatus stick_two_pass_add(StickTwoPass *pass, const StickSearch *search, StickContact *contact,
                               const StickPassSide *slave, const StickPassSide *other, StickContactSet *set);

void stick_two_pass_place(const StickPassSide *side, double place[3]);

StickCounterface stick_two_pass_counterface(StickTwoPass *pass, const StickSearch *search);

// By which distance of nodes, and which least radius, the counterface is judged before a piece of a size.
double stick_two_pass_distance(const StickTwoPassTask *task, double size);
double stick_two_pass_radius(const StickTwoPassTask *task, double size);

// How far a feature at a height over the slave is left to the nodes of the side that is opposite to it, which touch later.
StickStatus stick_two_pass_support(const StickTwoPassTask *task, const StickCounterface *counterface,
                                   const StickPassSide *slave, double height, double size, double *support);

// What nodes see in part counts in part: the gap is a mean of that of the feature and that of the nearest node.
StickStatus stick_two_pass_blend(const StickCounterface *counterface, double breadth, double reach,
                                 const StickPassSide *slave, double *gap);

// Whether corners of the counterface are features by their own shape, from whichever side they are touched.
bool stick_two_pass_is_rigid(const StickTwoPassTask *task);

// The point of a piece by its weights, opposite to a place.
void stick_two_pass_take(const StickSurface *slave, int piece, const double weight[4], const double place[3],
                         const double normal[3], StickOpposite *found);
bool stick_two_pass_at_node(const StickPassSide *side);

// By how much the gap of one of the points opposite to a place is raised in a dent.
double stick_two_pass_raise(const StickSurface *slave, const double place[3], const StickOpposite *found,
                            int count, int own);

// The contact of a tip with the point of the slave that is opposite to it, unless nodes see it.
StickStatus stick_two_pass_add_tip(StickTwoPass *pass, const StickTwoPassTask *task, const StickTip *tip,
                                   int feature, int layer, const StickOpposite *found, double raise,
                                   StickContactSet *set);

// Whether a piece around a corner of the counterface lies flat on the slave, whose normal is given.
bool stick_two_pass_is_flush(const StickTwoPass *pass, const StickSearch *search, const StickTip *tip,
                             const double normal[3]);

// How flush a corner is with the slave if bodies had turned as a whole only, from 0 to 1. What they deform must not decide:
// without a contact of the corner the slave gets steeper before it, with one flatter.
double stick_two_pass_flushness(const StickTwoPass *pass, const StickSearch *search, const StickTip *tip,
                                const StickOpposite *found);

// Counts an obstacle that is too deep inside of the slave.
StickStatus stick_two_pass_look_for_lost(StickTwoPass *pass, const StickTwoPassTask *task,
                                         const StickTip *tip);

// Before a round counterface: its lowest points; nodes of an integrated slave, whose contacts before 'last' they replace;
// and edges in space.
StickStatus stick_two_pass_meet_round(StickTwoPass *pass, const StickTwoPassTask *task, StickHits *hits,
                                      StickContactSet *set);
StickStatus stick_two_pass_meet_nodes(StickTwoPass *pass, const StickTwoPassTask *task, int last,
                                      StickContactSet *set);
StickStatus stick_two_pass_meet_edges(StickTwoPass *pass, const StickTwoPassTask *task, StickHits *hits,
                                      StickContactSet *set);

#endif
