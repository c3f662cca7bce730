// SPDX-License-Identifier: Apache-2.0
// Nooks of a surface: seams where it is open to the outside at a sharp angle, so that a node in it touches both
// sides.
#ifndef CONTACT_REENTRANT_EDGE_H
#define CONTACT_REENTRANT_EDGE_H

#include "contact/projection.h"

// Whether two pieces look at each other at a sharp angle: one node may touch both.
bool stick_reentrant_edge_between(const StickSurface *surface, int a, int b);

// Whether two pieces look at each other at any angle: the surface is open to the outside between them.
bool stick_reentrant_edge_dent(const StickSurface *surface, int a, int b);

// Whether a nearest point that is on a side or corner of a piece is in a nook with the piece beyond.
bool stick_reentrant_edge_at(const StickSurface *surface, int piece, const StickProjection *found);

// Gives the pieces their layers from the present places: parts that meet in a nook get different ones where
// this can be, and parts without a sharp seam one throughout, so that contacts keep theirs while they slide.
StickStatus stick_reentrant_edge_layers(StickContext *ctx, StickSurface *surface);

#endif
