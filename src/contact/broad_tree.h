// SPDX-License-Identifier: Apache-2.0
// A tree of many boxes that all move: made anew whenever asked, in the memory of the last time, and asked for all pairs
// that overlap.
//
// Boxes of about the same size and shape stand together: large ones have branches of their own near the root, so that the
// branches of small ones stay tight.
#ifndef CONTACT_BROAD_TREE_H
#define CONTACT_BROAD_TREE_H

#include "contact/broad.h"

// In the order in which they are found.
typedef struct StickBroadPairs {
    StickBroadPair *pair;
    size_t count;
    size_t capacity;
} StickBroadPairs;

// What is sorted: a box by its middle.
typedef struct StickBroadItem {
    double middle[3];
    int item;
    int class; // of its size and shape
} StickBroadItem;

typedef struct StickBroadTree {
    StickContext *ctx;
    int dim;
    int nitems;
    StickBroadItem *item, *sorted; // nitems, leaf by leaf; room to sort in
    StickBox *box;                 // nitems, leaf by leaf
    int *place;                    // nitems: where an item stands
    StickBvhNode *node;            // at most 2 nitems
    int nnodes;
    size_t item_capacity, sorted_capacity, box_capacity, place_capacity, node_capacity;
} StickBroadTree;

// Boxes must be finite, and far from the largest number.
StickStatus stick_broad_tree_sort(StickBroadTree *tree, const StickBox *box, int count);
void stick_broad_tree_destroy(StickBroadTree *tree);

// Gives one item another box; once all have theirs, the tree is to be fitted around them.
void stick_broad_tree_move(StickBroadTree *tree, int item, const StickBox *box);
void stick_broad_tree_refit(StickBroadTree *tree);

StickStatus stick_broad_tree_pairs(const StickBroadTree *tree, StickBroadPairs *pairs);

// Adds the pairs of one item, whose box is given, with all others.
StickStatus stick_broad_tree_pairs_of(const StickBroadTree *tree, int item, const StickBox *box,
                                      StickBroadPairs *pairs);

#endif
