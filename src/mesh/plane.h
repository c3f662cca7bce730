// SPDX-License-Identifier: Apache-2.0
// Plane meshes from four-sided cells: the cells are placed first, then cut into a pattern, then given
// mid-side nodes.
#ifndef MESH_PLANE_H
#define MESH_PLANE_H

#include "mesh/builder.h"
#include "model/model.h"

typedef struct StickPlaneMesh {
    StickContext *ctx;
    int nnodes;
    double *x; // nnodes x 2
    int ncells;
    int *cell;   // ncells x 4, anticlockwise
    int *middle; // ncells: a node in the middle of the first side, of the crossed pattern; -1: none
    // Named sides of the boundary, as pairs of corner nodes.
    int nedges;
    struct StickPlaneEdge {
        int node[2];
        const char *group; // NULL: none
        bool curved;
        bool placed;
        double middle[2]; // of one that is placed
    } * edge;
    // Puts the middle of a curved edge onto its curve.
    void (*onto_curve)(const StickMeshSpec *spec, double x[2]);
} StickPlaneMesh;

// Allocates memory for these numbers of nodes, cells and named edges; the counts start at 0.
StickStatus stick_plane_create(StickContext *ctx, int nnodes, int ncells, int nedges, StickPlaneMesh *plane);
void stick_plane_destroy(StickPlaneMesh *plane);

void stick_plane_add_node(StickPlaneMesh *plane, double x, double y);
void stick_plane_add_cell(StickPlaneMesh *plane, int a, int b, int c, int d);
// Gives the last cell a node in the middle of its first side.
void stick_plane_split_cell(StickPlaneMesh *plane, int node);
void stick_plane_add_edge(StickPlaneMesh *plane, int a, int b, const char *group, bool curved);
// Puts the middle of the last edge into place, for a node there.
void stick_plane_place_edge(StickPlaneMesh *plane, const double middle[2]);

// Nodes, elements and groups of facets of the pattern; quadratic: with mid-side nodes.
StickStatus stick_plane_build(const StickPlaneMesh *plane, const StickMeshSpec *spec, bool quadratic,
                              StickMeshBuilder *builder);

#endif
