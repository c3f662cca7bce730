// SPDX-License-Identifier: Apache-2.0
#include "contact/bvh.h"

#include "base/memory.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>

enum { LEAF = 4, DEPTH = 64 };

// An item with the coordinate by which it is sorted.
typedef struct Keyed {
    double key;
    int item;
} Keyed;

StickBox stick_box_around(const double *points, int count, double margin)
{
    StickBox box;
    for (int k = 0; k < 3; k++)
        box.low[k] = box.high[k] = points[k];
    for (int i = 1; i < count; i++)
        stick_box_include(&box, points + 3 * i);
    for (int k = 0; k < 3; k++) {
        box.low[k] -= margin;
        box.high[k] += margin;
    }
    return box;
}

void stick_box_include(StickBox *box, const double point[3])
{
    for (int k = 0; k < 3; k++) {
        if (point[k] < box->low[k])
            box->low[k] = point[k];
        if (point[k] > box->high[k])
            box->high[k] = point[k];
    }
}

static bool overlap(const StickBox *a, const StickBox *b)
{
    for (int k = 0; k < 3; k++)
        if (a->low[k] > b->high[k] || b->low[k] > a->high[k])
            return false;
    return true;
}

static StickBox join(StickBox a, const StickBox *b)
{
    stick_box_include(&a, b->low);
    stick_box_include(&a, b->high);
    return a;
}

static StickBox around_items(const StickBvh *bvh, int first, int count)
{
    StickBox box = bvh->box[bvh->order[first]];
    for (int i = 1; i < count; i++)
        box = join(box, &bvh->box[bvh->order[first + i]]);
    return box;
}

static int compare_keyed(const void *a, const void *b)
{
    const Keyed *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->item > y->item) - (x->item < y->item);
}

// Sorts a range of items by their middles along the longest side of the box around them.
static void sort_items(StickBvh *bvh, Keyed *keyed, int first, int count)
{
    StickBox box = around_items(bvh, first, count);
    int axis = 0;
    for (int k = 1; k < 3; k++)
        if (box.high[k] - box.low[k] > box.high[axis] - box.low[axis])
            axis = k;
    for (int i = 0; i < count; i++) {
        int item = bvh->order[first + i];
        keyed[i] = (Keyed){bvh->box[item].low[axis] + bvh->box[item].high[axis], item};
    }
    qsort(keyed, (size_t)count, sizeof *keyed, compare_keyed);
    for (int i = 0; i < count; i++)
        bvh->order[first + i] = keyed[i].item;
}

// Halves a range of items until it fits a leaf: the depth is the logarithm of their number.
static void build(StickBvh *bvh, Keyed *keyed, int first, int count)
{
    int node = bvh->nnodes++;
    bvh->node[node] = (StickBvhNode){.first = first, .count = count};
    if (count <= LEAF)
        return;
    sort_items(bvh, keyed, first, count);
    bvh->node[node].count = 0;
    build(bvh, keyed, first, count / 2);
    bvh->node[node].right = bvh->nnodes;
    build(bvh, keyed, first + count / 2, count - count / 2);
}

static StickStatus create(StickContext *ctx, const StickBox *box, int nitems, Keyed **keyed, StickBvh *bvh)
{
    STICK_ALLOC(ctx, bvh->box, nitems);
    STICK_ALLOC(ctx, bvh->order, nitems);
    STICK_ALLOC(ctx, bvh->node, 2 * nitems + 1);
    STICK_ALLOC(ctx, *keyed, nitems);
    for (int i = 0; i < nitems; i++) {
        bvh->box[i] = box[i];
        bvh->order[i] = i;
    }
    if (nitems > 0)
        build(bvh, *keyed, 0, nitems);
    stick_bvh_refit(bvh);
    return STICK_OK;
}

StickStatus stick_bvh_create(StickContext *ctx, const StickBox *box, int nitems, StickBvh *bvh)
{
    StickBvh made = {.ctx = ctx, .nitems = nitems};
    Keyed *keyed = NULL;
    StickStatus status = create(ctx, box, nitems, &keyed, &made);
    stick_free(ctx, keyed);
    if (status != STICK_OK)
        stick_bvh_destroy(&made);
    else
        *bvh = made;
    return status;
}

void stick_bvh_destroy(StickBvh *bvh)
{
    stick_free(bvh->ctx, bvh->box);
    stick_free(bvh->ctx, bvh->order);
    stick_free(bvh->ctx, bvh->node);
    *bvh = (StickBvh){0};
}

void stick_bvh_refit(StickBvh *bvh)
{
    // Children come after their parents.
    for (int i = bvh->nnodes - 1; i >= 0; i--) {
        StickBvhNode *node = &bvh->node[i];
        if (node->count > 0)
            node->box = around_items(bvh, node->first, node->count);
        else
            node->box = join(bvh->node[i + 1].box, &bvh->node[node->right].box);
    }
}

static StickStatus take_leaf(const StickBvh *bvh, const StickBvhNode *node, const StickBox *box,
                             StickHits *hits)
{
    STICK_RESERVE(bvh->ctx, hits->item, hits->capacity, hits->count + (size_t)node->count);
    for (int i = node->first; i < node->first + node->count; i++)
        if (overlap(&bvh->box[bvh->order[i]], box))
            hits->item[hits->count++] = bvh->order[i];
    return STICK_OK;
}

static int compare_items(const void *a, const void *b)
{
    const int *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

StickStatus stick_bvh_query(const StickBvh *bvh, const StickBox *box, StickHits *hits)
{
    int stack[DEPTH], top = 0;
    hits->count = 0;
    if (bvh->nnodes > 0)
        stack[top++] = 0;
    while (top > 0) {
        int i = stack[--top];
        const StickBvhNode *node = &bvh->node[i];
        if (!overlap(&node->box, box))
            continue;
        if (node->count > 0) {
            STICK_TRY(take_leaf(bvh, node, box, hits));
            continue;
        }
        assert(top + 2 <= DEPTH);
        stack[top++] = node->right;
        stack[top++] = i + 1;
    }
    if (hits->count > 1)
        qsort(hits->item, hits->count, sizeof *hits->item, compare_items);
    return STICK_OK;
}
