// SPDX-License-Identifier: Apache-2.0
// The second pass of a pair: features of the counterface that may pass between the nodes of the slave surface.
//
//     slave      o---------x---------o     o: nodes, the first pass        x: the point opposite to the feature
//                          V               V: a tip of the counterface, or the lowest point of a small round one
//
// Features are convex corners of polylines, corners of surfaces that are sharp in units of the sides of the slave, the
// middle of balls and circles, both ends of capsules, and in space edges that cross those of the slave
// (contact/edge_crossings.h). Each gets a contact at the nearest point of the slave, with the shape functions there,
// unless the counterface is so broad that nodes see it (stick_counterface_breadth): then contacts are those of the first
// pass alone. In between its gap is a mean of its own and that of the nearest node, so that nothing jumps. A blunt corner, or
// one that is nearly flush, is left to nodes only as far as those next to it touch when it does.
#ifndef CONTACT_TWO_PASS_H
#define CONTACT_TWO_PASS_H

#include "contact/counterface.h"
#include "contact/edge_crossings.h"
#include "contact/search.h"

// Nodes of one surface with their shares at one side of a contact.
typedef struct StickPassSide {
    const StickSurface *surface;
    int count;
    int node[4];
    double weight[4];
} StickPassSide;

// The point of a piece of the slave that is opposite to a feature.
typedef struct StickOpposite {
    StickPassSide side;
    double point[3], normal[3]; // of the slave, outward
    double height;              // of the feature above it
    double size;                // of the piece
    int piece;
    bool dent;   // of the slave, that the feature is in
    int feature; // before what is round: the number of the piece, or of the first half of a quadratic edge
} StickOpposite;

typedef struct StickTwoPass {
    StickContext *ctx;
    bool points, edges; // which features this pair has
    int npoints;       // features of the first kind: corners of the counterface, or pieces before a round one
    int nnodes;        // ... of the second kind: nodes of an integrated slave before a round counterface ...
    int *near_node;    // ... and a piece at each of them
    bool *has_node;    // ... and which of them have a contact of their own at present; NULL: none has
    StickBvh tree;     // of the pieces of the slave
    double *sharpness; // corners of a surface: largest sine to a piece around, in units of what nodes need
    double *bend; // ... the same of convex corners, half of it where the next ones bend as much: an outline
    double turn[2][3]
               [3]; // rotations of the slave and of the counterface at present, where both deform or one does
    double *spacing;    // ... and size of the largest piece around
    int *start, *piece; // ... and the pieces around each
    StickEdgeCrossings crossings;
    StickHits hits;
    int *tip; // corners of the counterface whose contacts replace those of nodes with them
    size_t ntips, tip_capacity;
    StickOpposite *opposite; // of what is round
    size_t opposite_capacity;
} StickTwoPass;

// What the second pass is told of a pair besides the search: whether its surfaces are integrated, the inside of the
// slave's body (NULL: it is not known), and whether the model has the pair in the other order, too.
typedef struct StickTwoPassTask {
    const StickSearch *search;
    bool integrated, mutual;
    StickInterior *slave_interior;
    int first; // contact of this pair
} StickTwoPassTask;

StickStatus stick_two_pass_create(StickContext *ctx, const StickSurface *slave, const StickObstacle *obstacle,
                                  const StickSurface *master, StickTwoPass *pass);
void stick_two_pass_destroy(StickTwoPass *pass);

// How many features there are: their numbers follow those of the nodes of the slave's body.
int stick_two_pass_features(const StickTwoPass *pass);

// Appends the contacts of features within reach, in the order of features and layers.
StickStatus stick_two_pass_detect(StickTwoPass *pass, const StickTwoPassTask *task, StickContactSet *set);

#endif
