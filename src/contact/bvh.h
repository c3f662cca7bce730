// SPDX-License-Identifier: Apache-2.0
// A tree of boxes: built once on the reference configuration, refitted in every step, asked for what overlaps
// a box.
#ifndef CONTACT_BVH_H
#define CONTACT_BVH_H

#include <stickslip/context.h>

typedef struct StickBox {
    double low[3], high[3];
} StickBox;

typedef struct StickBvhNode {
    StickBox box;
    int first,
        count; // leaf: items order[first] ...; count = 0 for a branch, whose left child is the next node
    int right; // right child of a branch
} StickBvhNode;

typedef struct StickBvh {
    StickContext *ctx;
    int nitems;
    StickBox *box; // nitems: written by the owner before create's sorting and before every refit
    int *order;    // items, leaf by leaf
    int nnodes;
    StickBvhNode *node;
} StickBvh;

// Items found, ascending.
typedef struct StickHits {
    int *item;
    size_t count;
    size_t capacity;
} StickHits;

StickStatus stick_bvh_create(StickContext *ctx, const StickBox *box, int nitems, StickBvh *bvh);
void stick_bvh_destroy(StickBvh *bvh);

// Fits the tree around bvh->box, in time proportional to the number of items.
void stick_bvh_refit(StickBvh *bvh);

StickStatus stick_bvh_query(const StickBvh *bvh, const StickBox *box, StickHits *hits);

// The smallest box around points (count x 3), widened by margin on every side.
StickBox stick_box_around(const double *points, int count, double margin);
void stick_box_include(StickBox *box, const double point[3]);

#endif
