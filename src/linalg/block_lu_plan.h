// SPDX-License-Identifier: Apache-2.0
// The symbolic half of the block LU: elimination order, and for the active block rows the supernodes, columns
// of the factors that share their rows below the diagonal and are stored and eliminated together.
#ifndef LINALG_BLOCK_LU_PLAN_H
#define LINALG_BLOCK_LU_PLAN_H

#include <stickslip/context.h>

#include <stdbool.h>
#include <stddef.h>

// A pair of blocks (i, j) and (j, i) seen from row i; -1 where the pattern lacks one.
typedef struct StickBlockPair {
    int node;  // j as its place in the elimination order
    int right; // where block (i, j) is stored
    int below; // where block (j, i) is stored
} StickBlockPair;

typedef struct StickSupernode {
    int first, width; // columns first ... first + width - 1, counted in active block columns
    int nrows;        // rows below the diagonal block
    int rows;         // where they begin in plan.row
    size_t value;     // where its numbers begin
    int part;         // the part of the elimination tree that it belongs to; plan.nparts: the top
    int inner;        // the first of its rows, that belong to the same part
    double flops;     // of its subtree
} StickSupernode;

// Most parts of an elimination tree.
enum { STICK_BLOCK_PARTS = 16 };

typedef struct StickBlockPlan {
    StickContext *ctx;
    int n, d;
    // Of the whole pattern.
    int *start, *col;     // copy of the pattern
    int *order, *place;   // order[p]: block row eliminated p-th; place: its inverse
    int *pair_start;      // n + 1
    StickBlockPair *pair; // of block row i, without its diagonal: pair_start[i] ...
    int *diagonal;        // n: where the diagonal block of row i is stored
    double fill;          // blocks of L with its diagonal
    double flops;         // of all
    int most_rows;        // in any column of L
    double zeros;         // most blocks of zeros stored to make supernodes wider
    double most_numbers;  // that factors may take; 0: any
    // Of the active rows.
    int nactive;
    int *active; // nactive: places in the order, ascending
    int *local;  // n: number among the active of the p-th eliminated row, or -1
    int nsupernodes;
    StickSupernode *supernode;
    int *supernode_of; // nactive
    int *row;          // of all supernodes, ascending in each
    double active_flops;
    // The elimination tree is cut into parts, sets of subtrees that are eliminated independently of each other, and the
    // top, the separators between them. A small tree is all top.
    int nparts;
    int first_of_part[STICK_BLOCK_PARTS + 2]; // the supernodes of a part, and last of the top, begin here ...
    int *by_part;                             // ... in this list, ascending in each
    int ntop;
    int *top; // nactive: number of a row among those of the top
    int *mark, *head, *next, *buffer;
    size_t pattern_room, pair_room, row_room, supernode_room;
    int *pattern_ints, *row_ints;
} StickBlockPlan;

// Computes order, fill and room; keeps the analysis if the pattern is the same. If the factors would take more than
// most_numbers, the plan has no pattern afterwards, and its flops are infinite.
StickStatus stick_block_plan_analyse(StickBlockPlan *plan, int n, const int *start, const int *col, int d);
void stick_block_plan_destroy(StickBlockPlan *plan);

// Supernodes of the active rows (NULL: all). Free of cost if they are the same as before.
void stick_block_plan_restrict(StickBlockPlan *plan, const int *active, int nactive);

// Most block columns of a supernode, and the distance of columns in its two panels.
int stick_block_plan_most_width(const StickBlockPlan *plan);
int stick_block_plan_lead(const StickBlockPlan *plan, const StickSupernode *s);

// Whether factors of the whole pattern are large enough to be split into parts.
bool stick_block_plan_has_parts(const StickBlockPlan *plan);

// Numbers that the factors of any set of active rows take at most.
size_t stick_block_plan_room(const StickBlockPlan *plan);

#endif
