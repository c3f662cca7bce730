// SPDX-License-Identifier: Apache-2.0
// Local refinement of a plane mesh: cells are divided into four until a rule is satisfied.
//
// Cells are rectangles of parameters (u, v) in blocks, each with its map into the plane. A cell next to smaller ones is
// a quad5. A cell is also divided if more than one of its sides has a middle node, or if a neighbour is smaller than
// half its size. So cell sizes change gradually.
#ifndef MESH_HALVING_H
#define MESH_HALVING_H

#include "mesh/builder.h"

typedef struct StickHalvingCell {
    int block;
    double u[2], v[2];
    int node[4];   // at (u0, v0), (u1, v0), (u1, v1), (u0, v1); sides in the same order
    int tag[4];    // tags of the sides on the boundary, from 0; -1: none
    bool mirrored; // nodes run clockwise in the plane
    int level;     // how often it was cut
    bool cut;      // four others stand for it
} StickHalvingCell;

// Defines the blocks, and which cells are divided.
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

// Add the nodes first, then the undivided cells. A larger cell next to two smaller ones must be given the node between
// them.
StickStatus stick_halving_add_node(StickHalving *halving, const double x[2], int *node);
StickStatus stick_halving_add_cell(StickHalving *halving, const StickHalvingCell *cell);
StickStatus stick_halving_set_middle(StickHalving *halving, int a, int b, int middle);

StickStatus stick_halving_cut(StickHalving *halving);

// Nodes and elements; sides of tag t go into the groups of[t], up to two (-1: none).
StickStatus stick_halving_build(const StickHalving *halving, const int (*of)[2], StickMeshBuilder *builder);

#endif
