// SPDX-License-Identifier: Apache-2.0
// The convex shape that a mesh describes.
#ifndef BODIES_MESH_HULL_H
#define BODIES_MESH_HULL_H

#include "bodies/cloud.h"
#include "bodies/solid.h"

// who.count and who.x are not read. The mesh has cells of the dimension of space, or is the closed surface of
// such. Refuses one whose hull is larger than it by more than 1e-3: a round surface of triangles is never
// quite convex.
StickStatus stick_mesh_hull(StickContext *ctx, const StickCloud *who, int dim, const StickMesh *mesh,
                            StickConvex *shape);

#endif
