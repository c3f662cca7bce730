// SPDX-License-Identifier: Apache-2.0
// Rectangles whose cells become smaller towards the bottom: the lowest row is halved again and again.
//
//     |       |       |      cells: [2, 2], refine: 2
//     |_______|_______|
//     |   .   |   .   |      rows of half the height that are left, each cell over two smaller ones
//     |___|___|___|___|
//     |_._|_._|_._|_._|
//     |_|_|_|_|_|_|_|_|
#ifndef MESH_REFINED_H
#define MESH_REFINED_H

#include "mesh/plane.h"

StickStatus stick_refined_cells(StickContext *ctx, const StickMeshSpec *spec, StickPlaneMesh *plane);

// Cells along the bottom, and the first node of the top.
int stick_refined_bottom(const StickMeshSpec *spec);
int stick_refined_top(const StickMeshSpec *spec);

#endif
