// SPDX-License-Identifier: Apache-2.0
// Joins separately meshed pieces: merges coincident nodes, and finds sides that should meet but do not.
#ifndef MESH_WELD_H
#define MESH_WELD_H

#include "mesh/builder.h"

// x: n points of three coordinates; may: nodes that may have a twin. twin[i]: the first node within the distance of
// node i; i if not found.
StickStatus stick_weld(StickContext *ctx, int n, const double *x, const bool *may, double distance,
                       int *twin);

// Two pieces that meet only in part: a corner of one lies on an edge of the other, or close to one of its corners.
typedef struct StickSeam {
    int node, element; // the corner, and an element that has it
    int edge[2];       // ends of the edge
    int edge_element;
    int beside; // the end close to which the node lies; -1: it is between the ends
} StickSeam;

// Looks at the free sides; seam->node is -1 if all is well.
StickStatus stick_weld_seam(StickMeshBuilder *builder, StickSeam *seam);

#endif
