// SPDX-License-Identifier: Apache-2.0
// Slave nodes against an antagonist: a rigid obstacle, or the deformable master surface that they slide over.
#ifndef CONTACT_NODE_FACET_H
#define CONTACT_NODE_FACET_H

#include "contact/search.h"

// The point of a master surface that a place may touch.
typedef struct StickSurfacePoint {
    int piece;
    bool straight;    // by the normal of the piece, not by the direction from a corner or side
    double weight[4]; // of the piece's corners
    double gap;
    double normal[3];
    double distance; // of the place from the piece
    int layer;       // see StickContact
} StickSurfacePoint;

// The points of the surface that may be touched from a place, by layers; returns how many by count. The nearest
// one decides: where it cannot be touched, nothing can. In a nook both sides are touched. hits is working memory.
StickStatus stick_surface_touch(const StickSurface *master, const StickBvh *tree, const double place[3],
                                double reach, StickHits *hits, StickSurfacePoint touch[STICK_LAYERS],
                                int *count);

// Two points on different pieces: their layers differ, the lower piece keeps its own, and they come in their order.
void stick_surface_point_keep_apart(StickSurfacePoint touch[STICK_LAYERS]);

// The nearest point of all pieces, however far away or deep behind; piece = -1 beyond the rim.
StickSurfacePoint stick_surface_nearest(const StickSurface *master, const double place[3]);

// Appends a contact for every slave node whose gap is within reach, in the order of nodes and layers, and counts
// the nodes that are lost.
StickStatus stick_node_facet_detect(StickContext *ctx, const StickSearch *search, StickHits *hits,
                                    StickContactSet *set);

#endif
