// SPDX-License-Identifier: Apache-2.0
// The inside of a body: its whole skin, whatever groups are in contact, and whether a place is within it.
#ifndef CONTACT_INTERIOR_H
#define CONTACT_INTERIOR_H

#include "bodies/system.h"
#include "contact/bvh.h"

typedef struct StickInterior {
    StickContext *ctx;
    const StickBody *body; // NULL: not in use
    int dim;
    int nfaces;
    int *corner; // nfaces x dim, nodes of the body: ends (1D), segments (2D) or triangles (3D) of the skin
    const double *q; // present displacements of the system
    StickBox box;    // around the skin at present
    bool fitted;     // the tree is at q
    StickBvh tree;
} StickInterior;

StickStatus stick_interior_create(StickContext *ctx, const StickBody *body, int dim, StickInterior *interior);
void stick_interior_destroy(StickInterior *interior);

// Goes to displacements q, which must stay while places are asked for. The tree follows when it is needed.
void stick_interior_move(StickInterior *interior, const double *q);

// Whether a place is in the box around the body.
bool stick_interior_may_hold(const StickInterior *interior, const double place[3]);

// Whether a place is within the body; one on the skin may be told either way. hits is working memory.
StickStatus stick_interior_holds(StickInterior *interior, const double place[3], StickHits *hits,
                                 bool *inside);

// Whether what has a radius and is at a height over a piece of the skin of a size touches it from outside: behind the piece, deeper than a
// small part of it, it has come through only if its place is within the body, and no other
// part of the skin is much nearer. NULL: that is not known, and it does not.
StickStatus stick_interior_meets(StickInterior *interior, const double place[3], double height, double radius,
                                 double size, StickHits *hits, bool *met);

// Whether it is still within after a step of the margin along every axis, to and fro.
StickStatus stick_interior_buries(StickInterior *interior, const double place[3], double margin,
                                  StickHits *hits, bool *buried);

#endif
