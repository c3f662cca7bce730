// SPDX-License-Identifier: Apache-2.0
// What one sees of a mesh: in the plane all elements, in space the sides that belong to one element only, as
// triangles, and the edges of these elements or sides.
#ifndef REPORT_SKIN_H
#define REPORT_SKIN_H

#include "mesh/mesh.h"

// Numbers of nodes count the visible ones only. Triangles and edges come in the order of the elements.
typedef struct StickSkin {
    int nnodes;
    int *node; // nodes of the mesh, ascending
    int ntriangles;
    unsigned *triangle; // three each, anticlockwise seen from outside; in the plane as the elements turn
    int nedges;
    unsigned *edge; // two each, every edge once
} StickSkin;

// Needs of the mesh its nodes' number and its elements, all of the dimension of space; places do not matter.
// Elements with nodes on their edges are drawn through all of them.
StickStatus stick_skin_create(StickContext *ctx, const StickMesh *mesh, StickSkin *skin);
void stick_skin_destroy(StickContext *ctx, StickSkin *skin);

#endif
