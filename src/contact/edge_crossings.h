// SPDX-License-Identifier: Apache-2.0
// In space: sharp edges of one surface, axes of capsules and of cylinders, over the edges of the other surface.
//
// Gaps of straight edges over flat pieces are smallest at their ends, or where they cross the edges of the pieces: with
// nodes on pieces both ways these crossings are all that can touch.
#ifndef CONTACT_EDGE_CROSSINGS_H
#define CONTACT_EDGE_CROSSINGS_H

#include "contact/counterface.h"
#include "contact/search.h"

// A point nearer to a node than this part of a piece, or of an edge, is at the node.
static const double STICK_AT_NODE = 1e-6;

// An edge of a surface.
typedef struct StickEdge {
    int node[2];  // of the surface
    int piece[2]; // the second is -1 at the rim
    bool sharp;   // as the body is made
} StickEdge;

// A straight line that may lie across edges: of the other surface, or the axis of what is round.
typedef struct StickBlade {
    int number;
    double end[2][3];
    double radius;
    double normal[3]; // mean of the pieces at a sharp edge; zero: none
    int node[2];      // of the surface; -1: none
} StickBlade;

typedef struct StickCrossing {
    int blade;   // number, or -1
    double s, t; // places along the edge and along the blade
    double gap, height;
    double normal[3];  // out of the surface with the edges
    double outward[3]; // of the blade at a sharp edge; zero: none
    double size;       // of the piece
    int node[2];       // of the blade
} StickCrossing;

typedef struct StickEdgeSet {
    int nedges;
    StickEdge *edge;
    int *of_piece;           // 4 for each piece: its edges
    StickCrossing *crossing; // STICK_LAYERS for each edge
} StickEdgeSet;

typedef struct StickEdgeCrossings {
    StickContext *ctx;
    StickEdgeSet slave, master; // the master has none where it is no surface
} StickEdgeCrossings;

StickStatus stick_edge_crossings_create(StickContext *ctx, const StickSurface *slave,
                                        const StickSurface *master, StickEdgeCrossings *crossings);
void stick_edge_crossings_destroy(StickEdgeCrossings *crossings);

// Of the edges of one surface: those that blades of the counterface cross within reach, at most STICK_LAYERS each.
typedef struct StickSheet {
    const StickSurface *surface;
    const StickBvh *tree;
    StickEdgeSet *edges;
    StickInterior *interior; // of its body; NULL: not known
    StickCounterface blade;  // what crosses it
    const StickEdgeSet *blade_edges;
    double reach;
    StickHits *hits;
} StickSheet;

StickStatus stick_edge_crossings_find(const StickSheet *sheet);

#endif
