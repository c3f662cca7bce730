// SPDX-License-Identifier: Apache-2.0
// Slave nodes against an antagonist: a rigid obstacle, or the deformable master surface that they slide over.
#ifndef CONTACT_NODE_FACET_H
#define CONTACT_NODE_FACET_H

#include "contact/search.h"

// The point of a master surface that a place may touch.
typedef struct StickTouch {
    int piece;
    double weight[4]; // of the piece's corners
    double gap;
    double normal[3];
    double distance; // of the place from the piece
} StickTouch;

// The nearest admissible point of the surface; touch->piece = -1 if there is none. hits is working memory.
StickStatus stick_surface_touch(const StickSurface *master, const StickBvh *tree, const double place[3],
                                double reach, StickHits *hits, StickTouch *touch);

// Appends a contact for every slave node whose gap is within reach, in the order of nodes.
StickStatus stick_node_facet_detect(StickContext *ctx, const StickSearch *search, StickHits *hits,
                                    StickContactSet *set);

#endif
