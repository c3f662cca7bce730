// SPDX-License-Identifier: Apache-2.0
// The mesh of a body: generated or read, turned, moved and checked.
#ifndef MESH_BUILD_H
#define MESH_BUILD_H

#include "mesh/mesh.h"
#include "model/model.h"

// Files are read by their ending, .msh or .inp. A rotation (2D) is about the origin of the mesh,
// body->mesh.origin.
StickStatus stick_mesh_build(StickContext *ctx, const StickBodySpec *body, StickMesh *mesh);

// The same of a mesh that was made elsewhere: turned, moved and checked; destroyed on an error.
StickStatus stick_mesh_settle(StickContext *ctx, const StickBodySpec *body, StickMesh *mesh);

#endif
