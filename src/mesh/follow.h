// SPDX-License-Identifier: Apache-2.0
// Groups of sides of a plane mesh that follow curves: their nodes one after the other, with parameters.
#ifndef MESH_FOLLOW_H
#define MESH_FOLLOW_H

#include "mesh/mesh.h"
#include "model/model.h"

// The curve of a group, straight between its nodes, by the length along them with the body on its left. where names the
// group in messages. A group that is no single chain of sides is STICK_BAD_MESH.
StickStatus stick_mode_tracking_sides(StickContext *ctx, const StickMesh *mesh, const StickGroup *group,
                                      StickMark where, StickMeshFlank *flank);

// The curve of a group by its formulas. Nodes that do not lie on it in their order are STICK_BAD_MESH.
StickStatus stick_mode_tracking_formula(StickContext *ctx, const StickMesh *mesh, const StickFlankSpec *spec,
                                        StickMeshFlank *flank);

// All curves of a body's groups, onto the mesh, which is not placed yet.
StickStatus stick_mode_tracking_all(StickContext *ctx, const StickBodySpec *body, StickMesh *mesh);

void stick_mode_tracking_destroy(StickContext *ctx, StickMeshFlank *flank);

#endif
