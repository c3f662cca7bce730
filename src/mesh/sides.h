// SPDX-License-Identifier: Apache-2.0
// All sides of all elements, ordered by their corners, so that the two copies of an inner side are adjacent.
#ifndef MESH_SIDES_H
#define MESH_SIDES_H

#include "mesh/mesh.h"

typedef struct StickSide {
    int corner[STICK_MOST_FACET_NODES]; // ascending; -1 after the last
    StickFacet facet;
} StickSide;

typedef struct StickSides {
    int count;
    StickSide *side; // by corners, then by element and side
    int nnodes;
    int *start; // nnodes + 1: sides whose smallest corner is node i are side[start[i]] ... side[start[i + 1]
                // - 1]
} StickSides;

StickStatus stick_sides_create(StickContext *ctx, const StickMesh *mesh, StickSides *sides);
void stick_sides_destroy(StickContext *ctx, StickSides *sides);

// How many sides from the one given on have its corners: 1 for a free side, 2 inside of the body.
int stick_sides_alike(const StickSides *sides, int first);

// Finds the side with these corners, in any order, of the first element that has it; false if not found.
bool stick_sides_find(const StickSides *sides, const int *corner, int ncorners, StickFacet *facet);

// Whether no other element has this side.
bool stick_sides_is_free(const StickSides *sides, const StickMesh *mesh, StickFacet facet);

#endif
