// SPDX-License-Identifier: Apache-2.0
// Cells of a plane mesh that are cut into four as often as is wanted.
//
// Cells are rectangles of parameters (u, v) in blocks, each with its map into the plane. A cell beside smaller ones is a
// quad5; where it would have more than one node in the middle of a side, or smaller ones beside it than half its size,
// it is cut too. So sizes change gently, and there are few cells where few are wanted.
#ifndef MESH_HALVING_H
#define MESH_HALVING_H

#include "mesh/builder.h"

typedef struct StickHalvingCell {
    int block;
    double u[2], v[2];
    int node[4];   // at (u0, v0), (u1, v0), (u1, v1), (u0, v1); sides in the same order
    int tag[4];    // of the sides of what is at the boundary, from 0 on; -1: none
    bool mirrored; // nodes run clockwise in the plane
    int level;     // how often it was cut
    bool cut;      // four others stand for it
} StickHalvingCell;

// What blocks are, and where cells are to be cut.
typedef struct StickHalvingRule {
    const void *user;
    void (*place)(const void *user, int block, double u, double v, double x[2]);
    bool (*wanted)(const void *user, const StickHalvingCell *cell);
} StickHalvingRule;

typedef struct StickHalvingEdge {
    int end[2];
    int middle; // node; 0: no edge, as no edge has node 0 in its middle
} StickHalvingEdge;

typedef struct StickHalving {
    StickContext *ctx;
    StickHalvingRule rule;
    int nnodes;
    size_t x_room;
    double *x; // nnodes x 2
    int ncells;
    size_t cell_room;
    StickHalvingCell *cell;
    size_t nedges, nslots; // edges with a node in their middle, by their ends
    StickHalvingEdge *slot;
} StickHalving;

void stick_halving_init(StickHalving *halving, StickContext *ctx, StickHalvingRule rule);
void stick_halving_destroy(StickHalving *halving);

// First of all a node, then cells that are not cut yet; a larger one beside two smaller ones is told of the node between
// them.
StickStatus stick_halving_add_node(StickHalving *halving, const double x[2], int *node);
StickStatus stick_halving_add_cell(StickHalving *halving, const StickHalvingCell *cell);
StickStatus stick_halving_set_middle(StickHalving *halving, int a, int b, int middle);

StickStatus stick_halving_cut(StickHalving *halving);

// Nodes and elements; sides of tag t go into the groups of[t], up to two (-1: none).
StickStatus stick_halving_build(const StickHalving *halving, const int (*of)[2], StickMeshBuilder *builder);

#endif
