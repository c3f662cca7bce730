// SPDX-License-Identifier: Apache-2.0
// The mesh of a body: generated or read, turned, moved and checked.
#ifndef MESH_BUILD_H
#define MESH_BUILD_H

#include "mesh/mesh.h"
#include "model/model.h"

// Files are read by their ending, .msh or .inp. A rotation (2D) is about the origin of the mesh,
// body->mesh.origin.
StickStatus stick_mesh_build(StickContext *ctx, const StickBodySpec *body, StickMesh *mesh);

#endif
