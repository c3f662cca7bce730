// SPDX-License-Identifier: Apache-2.0
// The skin of a solid: a mesh of its shapes, for pictures and as a surface that others touch.
#ifndef BODIES_SOLID_SKIN_H
#define BODIES_SOLID_SKIN_H

#include "bodies/solid.h"

// Shapes one after the other, each with nodes of its own: in the plane a triangle, a quadrilateral or
// triangles around the middle, in space a hex or tets around the middle. Its free sides are the group
// "outer". round: corners on a full circle, 6 at least; all nodes of a round skin are on it.
StickStatus stick_solid_skin(StickContext *ctx, const StickSolid *solid, int round, StickMesh *skin);

#endif
