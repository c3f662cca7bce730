// SPDX-License-Identifier: Apache-2.0
// Convex hull of points in space as a polyhedron: faces with all their corners, edges with their two faces.
#ifndef BODIES_HULL_H
#define BODIES_HULL_H

#include "bodies/quickhull.h"
#include "bodies/solid.h"

// Convex hull of the points. Its vertices are the necessary points, in their order; points within 1e-9 of the size of
// a face or an edge count as on it. Faces start at their smallest vertex and ascend by their vertices. Same points,
// same bits.
StickStatus stick_hull_create(StickContext *ctx, const StickCloud *cloud, StickConvex *shape);

// How deep a place is inside of a polyhedron; negative: outside.
double stick_hull_depth(const StickConvex *shape, const double place[3]);

#endif
