// SPDX-License-Identifier: Apache-2.0
// The arrays of a convex polygon or polyhedron.
#ifndef BODIES_POLYTOPE_H
#define BODIES_POLYTOPE_H

#include "bodies/solid.h"

// Room for vertices, faces and their corners (ncorners of all faces together); all zero. Of a polygon: no
// faces.
StickStatus stick_polytope_create(StickContext *ctx, int nvertices, int nfaces, int ncorners,
                                  StickConvex *shape);
void stick_polytope_destroy(StickContext *ctx, StickConvex *shape);

// Planes and edges of a polyhedron from its vertices and faces. false: its faces do not make a closed
// surface.
StickStatus stick_polytope_complete(StickContext *ctx, StickConvex *shape, bool *closed);

// A box in space about the origin.
StickStatus stick_polytope_box(StickContext *ctx, const double size[3], StickConvex *shape);

#endif
