// SPDX-License-Identifier: Apache-2.0
// A box of hexes, or of tets that meet along the same diagonals.
#ifndef MESH_BOX_H
#define MESH_BOX_H

#include "mesh/builder.h"
#include "model/model.h"

// Sizes are checked by the caller; counts fit into int.
StickStatus stick_box_build(const StickMeshSpec *spec, StickMeshBuilder *builder);

#endif
