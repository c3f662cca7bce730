// SPDX-License-Identifier: Apache-2.0
// A tree of many moving boxes. It is rebuilt for each query, in the memory of the previous one, and returns all pairs that
// overlap.
//
// Boxes of about the same size and shape stand together: large ones have branches of their own near the root, so that the
// branches of small ones stay tight.
#ifndef CONTACT_BROADPHASE_TREE_H
#define CONTACT_BROADPHASE_TREE_H

#include "contact/broadphase.h"

// In the order in which they are found.
typedef struct StickBroadphasePairs {
    StickBroadphasePair *pair;
    size_t count;
    size_t capacity;
} StickBroadphasePairs;

// What is sorted: a box by its middle.
typedef struct StickBroadphaseItem {
    double middle[3];
    int item;
    int class; // of its size and shape
} StickBroadphaseItem;

typedef struct StickBroadphaseTree {
    StickContext *ctx;
    int dim;
    int nitems;
    StickBroadphaseItem *item, *sorted; // nitems, leaf by leaf; room to sort in
    StickBox *box;                      // nitems, leaf by leaf
    int *place;                         // nitems: where an item stands
    StickBvhNode *node;                 // at most 2 nitems
    int nnodes;
    size_t item_capacity, sorted_capacity, box_capacity, place_capacity, node_capacity;
} StickBroadphaseTree;

// Boxes must be finite, and far from the largest number.
StickStatus stick_broadphase_tree_sort(StickBroadphaseTree *tree, const StickBox *box, int count);
void stick_broadphase_tree_destroy(StickBroadphaseTree *tree);

// Gives one item another box; once all have theirs, the tree is to be fitted around them.
void stick_broadphase_tree_move(StickBroadphaseTree *tree, int item, const StickBox *box);
void stick_broadphase_tree_refit(StickBroadphaseTree *tree);

StickStatus stick_broadphase_tree_pairs(const StickBroadphaseTree *tree, StickBroadphasePairs *pairs);

// Adds the pairs of one item, whose box is given, with all others.
StickStatus stick_broadphase_tree_pairs_of(const StickBroadphaseTree *tree, int item, const StickBox *box,
                                           StickBroadphasePairs *pairs);

#endif
