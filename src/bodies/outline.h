// SPDX-License-Identifier: Apache-2.0
// Convex polygons in the plane: from corners in order, or as the hull of any points.
#ifndef BODIES_OUTLINE_H
#define BODIES_OUTLINE_H

#include "bodies/cloud.h"
#include "bodies/solid.h"

// Corners in either orientation. Repeated corners and those in line with their neighbours (within 1e-9 of the size)
// are left out; the first corner that is not convex is refused.
StickStatus stick_outline_polygon(StickContext *ctx, const StickCloud *cloud, StickConvex *shape);

StickStatus stick_outline_hull(StickContext *ctx, const StickCloud *cloud, StickConvex *shape);

// How deep a place is inside of a polygon; negative: outside.
double stick_outline_depth(const StickConvex *shape, const double place[3]);

#endif
