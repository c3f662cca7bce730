// SPDX-License-Identifier: Apache-2.0
// One patch of a mesh: from places in its grid to places of space.
#ifndef MESH_PATCH_H
#define MESH_PATCH_H

#include "model/model.h"

typedef struct StickArc {
    double centre[2], radius;
    double start, sweep; // angles; sweep > 0: anticlockwise
} StickArc;

typedef struct StickPatch {
    const StickPatchSpec *spec;
    StickArc arc[STICK_NPATCH_SIDES]; // of sides that are curved
} StickPatch;

// The side at the end (0 or 1) of a direction, and its name in the model file.
StickPatchSide stick_patch_side(int dim, int direction, int end);
const char *stick_patch_side_name(StickPatchSide side);

// Fails if the three points of an arc lie on a line.
StickStatus stick_patch_init(StickContext *ctx, const StickPatchSpec *spec, StickPatch *patch);

// at: counted in cells along each direction, halves are the middles of cells.
StickStatus stick_patch_place(const StickPatch *patch, const double at[3], double x[3]);

#endif
