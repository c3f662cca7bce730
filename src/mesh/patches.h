// SPDX-License-Identifier: Apache-2.0
// Meshes of mapped patches that grow together where their sides meet.
#ifndef MESH_PATCHES_H
#define MESH_PATCHES_H

#include "mesh/builder.h"
#include "model/model.h"

// Node (i, j) of a patch of n x m cells has the number i (m + 1) + j after the nodes of earlier patches, not counting
// nodes that belong to these; cell (i, j) has the number i m + j. In space (i (m + 1) + j) (l + 1) + k. A patch may be
// mirrored, but all its cells must have the same orientation.
StickStatus stick_patches_build(const StickMeshSpec *spec, bool quadratic, StickMeshBuilder *builder);

#endif
