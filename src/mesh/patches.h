// SPDX-License-Identifier: Apache-2.0
// Meshes of mapped patches that grow together where their sides meet.
#ifndef MESH_PATCHES_H
#define MESH_PATCHES_H

#include "mesh/builder.h"
#include "model/model.h"

// Node (i, j) of a patch of n x m cells has the number i (m + 1) + j behind the nodes of earlier patches, without
// those that these have already; cell (i, j) the number i m + j. In space (i (m + 1) + j) (l + 1) + k. Patches may be
// mirrored, but a cell that is turned over against the others of its patch is refused.
StickStatus stick_patches_build(const StickMeshSpec *spec, bool quadratic, StickMeshBuilder *builder);

#endif
