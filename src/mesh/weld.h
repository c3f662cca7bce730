// SPDX-License-Identifier: Apache-2.0
// Joins what was meshed piece by piece: nodes at the same place become one, and what should have met is found.
#ifndef MESH_WELD_H
#define MESH_WELD_H

#include "mesh/builder.h"

// x: n places of three numbers; may: nodes that may have a twin. twin[i]: the first node within the distance of node
// i, itself if there is none.
StickStatus stick_weld(StickContext *ctx, int n, const double *x, const bool *may, double distance,
                       int *twin);

// Two pieces that meet in part: a corner of one lies on an edge of the other, or beside a corner of it.
typedef struct StickSeam {
    int node, element; // the corner, and an element that has it
    int edge[2];       // ends of the edge
    int edge_element;
    int beside; // the end beside which the node lies; -1: it is between them
} StickSeam;

// Looks at the free sides; seam->node is -1 if all is well.
StickStatus stick_weld_seam(StickMeshBuilder *builder, StickSeam *seam);

#endif
