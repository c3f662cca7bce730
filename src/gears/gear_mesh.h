// SPDX-License-Identifier: Apache-2.0
// The mesh of one gear of a pair: its centre is the origin, tooth 0 lies on the x axis.
//
// Cells are smallest along flanks, at the corners of tips and where those of the mate touch still smaller, and double inwards by quad5. Groups: bore (of a
// ring rim, its outside), flanks, tooth-k-left and tooth-k-right (as seen from the centre), fillets (with the root circle),
// tips, and sides where only a sector is meshed. Each flank knows its true curve.
#ifndef GEARS_GEAR_MESH_H
#define GEARS_GEAR_MESH_H

#include "mesh/mesh.h"
#include "model/model.h"

// spec->kind is STICK_MESH_GEAR. Flanks have at least as many cells as wanted.
StickStatus stick_gear_mesh(StickContext *ctx, const StickMeshSpec *spec, StickMesh *mesh);

// Whether tooth k of z is among the count that lie about tooth 0, which a sector has, or which are fine; 0: all.
bool stick_gear_is_about(int z, int k, int count);

#endif
