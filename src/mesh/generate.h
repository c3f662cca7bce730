// SPDX-License-Identifier: Apache-2.0
// Built-in meshes: bar, rectangle, box, disk, rounded plate, patches.
//
// Nodes are numbered row by row from the lowest corner (disk: the core, then ring by ring), followed by the centres of
// crossed cells and the mid-side nodes. Groups:
//
//   bar            start, end
//   rectangle      bottom, right, top, left; nodes bottom-left, bottom-right, top-right, top-left
//   box            x-min, x-max, y-min, y-max, z-min, z-max
//                  also called left, right, front, back, bottom, top
//   disk           outer, lower (the half of outer below the centre), nodes centre, lowest, rightmost
//                  where there are such
//                  half: top; quarter: top, left (the cuts)
//   rounded plate  round (the lower side), right, top, left
//   patches        what the patches name; of one patch left, right, bottom, top (in space front, back, too) and the
//                  corners as of a rectangle
//   each           all, boundary
#ifndef MESH_GENERATE_H
#define MESH_GENERATE_H

#include "mesh/mesh.h"
#include "model/model.h"

// spec->kind is not STICK_MESH_FILE. Sizes that make no mesh are STICK_BAD_INPUT at the mark of the spec.
StickStatus stick_mesh_generate(StickContext *ctx, const StickMeshSpec *spec, StickElementKind element,
                                StickMesh *mesh);

#endif
