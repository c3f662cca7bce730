// SPDX-License-Identifier: Apache-2.0
// A disk of four-sided cells: a core with rounded sides, and rings from the core to the circle.
#ifndef MESH_DISK_H
#define MESH_DISK_H

#include "mesh/plane.h"

// Sizes are checked by the caller; counts fit into int.
StickStatus stick_disk_cells(StickContext *ctx, const StickMeshSpec *spec, StickPlaneMesh *plane);

// Adds the groups of the disk other than its outer side: lower; nodes centre, lowest, rightmost.
StickStatus stick_disk_groups(const StickMeshSpec *spec, StickMeshBuilder *builder);

#endif
