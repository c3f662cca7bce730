// SPDX-License-Identifier: Apache-2.0
#include "contact/broadphase_tree.h"

#include "base/memory.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// Sizes of one class are less than a factor 2^CLASS apart; classes of all numbers there are.
enum { LEAF = 12, SAMPLE = 64, CLASS = 3, NCLASSES = 2200 / CLASS * 8 };

void stick_broadphase_tree_destroy(StickBroadphaseTree *tree)
{
    stick_free(tree->ctx, tree->item);
    stick_free(tree->ctx, tree->sorted);
    stick_free(tree->ctx, tree->box);
    stick_free(tree->ctx, tree->place);
    stick_free(tree->ctx, tree->node);
    *tree = (StickBroadphaseTree){0};
}

static bool overlap(const StickBox *a, const StickBox *b)
{
    bool x = (a->low[0] <= b->high[0]) & (b->low[0] <= a->high[0]);
    bool y = (a->low[1] <= b->high[1]) & (b->low[1] <= a->high[1]);
    bool z = (a->low[2] <= b->high[2]) & (b->low[2] <= a->high[2]);
    return x & y & z;
}

static void include(StickBox *box, const StickBox *other)
{
    for (int k = 0; k < 3; k++) {
        box->low[k] = other->low[k] < box->low[k] ? other->low[k] : box->low[k];
        box->high[k] = other->high[k] > box->high[k] ? other->high[k] : box->high[k];
    }
}

// Of its size, and of the axes along which it is long: boards that lie apart from those that stand.
static int class_of(const StickBox *box)
{
    double size = 0;
    int exponent, axes = 0;
    for (int k = 0; k < 3; k++)
        size = fmax(size, box->high[k] - box->low[k]);
    for (int k = 0; k < 3; k++)
        axes |= (box->high[k] - box->low[k] > size / 4) << k;
    frexp(size, &exponent);
    return (size > 0 ? (exponent + 1100) / CLASS * 8 : 0) + axes;
}

// By class, otherwise in the order of the last time, which is nearly right.
static void sort_classes(StickBroadphaseTree *tree)
{
    int start[NCLASSES + 1] = {0};
    for (int i = 0; i < tree->nitems; i++)
        start[tree->item[i].class + 1]++;
    if (start[tree->item[0].class + 1] == tree->nitems)
        return;
    for (int c = 0; c < NCLASSES; c++)
        start[c + 1] += start[c];
    for (int i = 0; i < tree->nitems; i++)
        tree->sorted[start[tree->item[i].class]++] = tree->item[i];
    memcpy(tree->item, tree->sorted, (size_t)tree->nitems * sizeof *tree->item);
}

// Of up to SAMPLE middles spread over the range.
static int widest_axis(const StickBroadphaseItem *item, int count, int dim)
{
    double low[3], high[3];
    int stride = (count + SAMPLE - 1) / SAMPLE;
    for (int k = 0; k < 3; k++)
        low[k] = high[k] = item[0].middle[k];
    for (int i = stride; i < count; i += stride) {
        for (int k = 0; k < 3; k++) {
            double x = item[i].middle[k];
            low[k] = x < low[k] ? x : low[k];
            high[k] = x > high[k] ? x : high[k];
        }
    }
    int axis = 0;
    for (int k = 1; k < dim; k++)
        axis = high[k] - low[k] > high[axis] - low[axis] ? k : axis;
    return axis;
}

static double median3(double a, double b, double c)
{
    double low = a < b ? a : b, high = a < b ? b : a;
    return c < low ? low : c > high ? high : c;
}

// A number among the middles of a range that stands near their median, whatever their order.
static double pivot(const StickBroadphaseItem *item, int low, int high, int axis)
{
    double third[3];
    int step = (high - low) / 8;
    for (int k = 0; k < 3; k++) {
        const StickBroadphaseItem *at = item + low + 3 * k * step;
        third[k] = median3(at[0].middle[axis], at[step].middle[axis], at[2 * step].middle[axis]);
    }
    return median3(third[0], third[1], third[2]);
}

// Parts a range: what stands lower than some number comes first, what stands higher last; [*i, *j] of the outcome are
// the first place of the upper part and the last one of the lower part.
static void part(StickBroadphaseItem *item, int axis, int *i, int *j)
{
    double middle = pivot(item, *i, *j, axis);
    while (*i <= *j) {
        while (item[*i].middle[axis] < middle)
            (*i)++;
        while (item[*j].middle[axis] > middle)
            (*j)--;
        if (*i > *j)
            break;
        StickBroadphaseItem swap = item[*i];
        item[(*i)++] = item[*j];
        item[(*j)--] = swap;
    }
}

// Puts what stands lowest along the axis into the first places, about half of all; returns how many.
static int halve(StickBroadphaseItem *item, int count, int axis)
{
    int low = 0, high = count - 1, half = count / 2;
    int tolerance = count > SAMPLE ? count / 8 : 0;
    while (low < high) {
        int i = low, j = high;
        part(item, axis, &i, &j);
        if (abs(i - half) <= tolerance)
            return i;
        if (half <= j)
            high = j;
        else if (half >= i)
            low = i;
        else
            break;
    }
    return half;
}

// Where to divide a range: at a change of class nearest to its middle, or in halves along its widest axis.
static int divide(StickBroadphaseTree *tree, int first, int count)
{
    StickBroadphaseItem *item = tree->item + first;
    int half = count / 2;
    if (item[0].class != item[count - 1].class) {
        for (int away = 0;; away++) {
            if (half - away > 0 && item[half - away].class != item[half - away - 1].class)
                return half - away;
            if (half + away < count && item[half + away].class != item[half + away - 1].class)
                return half + away;
        }
    }
    return halve(item, count, widest_axis(item, count, tree->dim));
}

static void build(StickBroadphaseTree *tree, int first, int count)
{
    StickBvhNode *node = &tree->node[tree->nnodes++];
    if (count <= LEAF && tree->item[first].class == tree->item[first + count - 1].class) {
        *node = (StickBvhNode){.first = first, .count = count};
        return;
    }
    int left = divide(tree, first, count);
    build(tree, first, left);
    *node = (StickBvhNode){.first = first, .right = tree->nnodes};
    build(tree, first + left, count - left);
}

void stick_broadphase_tree_move(StickBroadphaseTree *tree, int item, const StickBox *box)
{
    tree->box[tree->place[item]] = *box;
}

void stick_broadphase_tree_refit(StickBroadphaseTree *tree)
{
    // Children come after their parents.
    for (int n = tree->nnodes - 1; n >= 0; n--) {
        StickBvhNode *node = &tree->node[n];
        const StickBox *part = node->count > 0 ? &tree->box[node->first] : &node[1].box;
        node->box = *part;
        if (node->count == 0)
            include(&node->box, &tree->node[node->right].box);
        for (int i = 1; i < node->count; i++)
            include(&node->box, &part[i]);
    }
}

static StickStatus reserve(StickBroadphaseTree *tree, int count)
{
    STICK_RESERVE(tree->ctx, tree->item, tree->item_capacity, count);
    STICK_RESERVE(tree->ctx, tree->sorted, tree->sorted_capacity, count);
    STICK_RESERVE(tree->ctx, tree->box, tree->box_capacity, count);
    STICK_RESERVE(tree->ctx, tree->place, tree->place_capacity, count);
    STICK_RESERVE(tree->ctx, tree->node, tree->node_capacity, 2 * (size_t)count);
    return STICK_OK;
}

StickStatus stick_broadphase_tree_sort(StickBroadphaseTree *tree, const StickBox *box, int count)
{
    STICK_TRY(reserve(tree, count));
    if (tree->nitems != count)
        for (int i = 0; i < count; i++)
            tree->item[i].item = i;
    tree->nitems = count;
    tree->nnodes = 0;
    if (count == 0)
        return STICK_OK;
    for (int i = 0; i < count; i++) {
        StickBroadphaseItem *item = &tree->item[i];
        for (int k = 0; k < 3; k++)
            item->middle[k] = box[item->item].low[k] + box[item->item].high[k];
        item->class = class_of(&box[item->item]);
    }
    sort_classes(tree);
    build(tree, 0, count);
    for (int i = 0; i < count; i++) {
        tree->place[tree->item[i].item] = i;
        tree->box[i] = box[tree->item[i].item];
    }
    stick_broadphase_tree_refit(tree);
    return STICK_OK;
}

static StickBroadphasePair ordered(int a, int b)
{
    return (StickBroadphasePair){a < b ? a : b, a < b ? b : a};
}

// Every pair is written, and kept only where it overlaps: no branch to guess.
static void try_pair(const StickBroadphaseTree *tree, int i, int j, StickBroadphasePairs *pairs)
{
    pairs->pair[pairs->count] = ordered(tree->item[i].item, tree->item[j].item);
    pairs->count += overlap(&tree->box[i], &tree->box[j]);
}

static StickStatus within_leaf(const StickBroadphaseTree *tree, const StickBvhNode *leaf,
                               StickBroadphasePairs *pairs)
{
    STICK_RESERVE(tree->ctx, pairs->pair, pairs->capacity, pairs->count + LEAF * LEAF);
    for (int i = leaf->first; i < leaf->first + leaf->count; i++)
        for (int j = i + 1; j < leaf->first + leaf->count; j++)
            try_pair(tree, i, j, pairs);
    return STICK_OK;
}

// Places of the boxes of a leaf that reach into another box.
static int reaching(const StickBroadphaseTree *tree, const StickBvhNode *leaf, const StickBox *box,
                    int *place)
{
    int count = 0;
    for (int i = leaf->first; i < leaf->first + leaf->count; i++) {
        place[count] = i;
        count += overlap(&tree->box[i], box);
    }
    return count;
}

static StickStatus between_leaves(const StickBroadphaseTree *tree, const StickBvhNode *a,
                                  const StickBvhNode *b, StickBroadphasePairs *pairs)
{
    int of_a[LEAF + 1], of_b[LEAF + 1];
    int na = reaching(tree, a, &b->box, of_a), nb = na > 0 ? reaching(tree, b, &a->box, of_b) : 0;
    STICK_RESERVE(tree->ctx, pairs->pair, pairs->capacity, pairs->count + LEAF * LEAF);
    for (int i = 0; i < na; i++)
        for (int j = 0; j < nb; j++)
            try_pair(tree, of_a[i], of_b[j], pairs);
    return STICK_OK;
}

static double girth(const StickBox *box)
{
    return box->high[0] - box->low[0] + box->high[1] - box->low[1] + box->high[2] - box->low[2];
}

// The larger of two branches is the one to look into.
static StickStatus between(const StickBroadphaseTree *tree, const StickBvhNode *a, const StickBvhNode *b,
                           StickBroadphasePairs *pairs)
{
    if (!overlap(&a->box, &b->box))
        return STICK_OK;
    if (a->count > 0 && b->count > 0)
        return between_leaves(tree, a, b, pairs);
    if (a->count > 0 || (b->count == 0 && girth(&b->box) > girth(&a->box))) {
        const StickBvhNode *swap = a;
        a = b;
        b = swap;
    }
    STICK_TRY(between(tree, a + 1, b, pairs));
    return between(tree, &tree->node[a->right], b, pairs);
}

static StickStatus within(const StickBroadphaseTree *tree, const StickBvhNode *node,
                          StickBroadphasePairs *pairs)
{
    if (node->count > 0)
        return within_leaf(tree, node, pairs);
    STICK_TRY(within(tree, node + 1, pairs));
    STICK_TRY(within(tree, &tree->node[node->right], pairs));
    return between(tree, node + 1, &tree->node[node->right], pairs);
}

StickStatus stick_broadphase_tree_pairs(const StickBroadphaseTree *tree, StickBroadphasePairs *pairs)
{
    pairs->count = 0;
    return tree->nitems > 0 ? within(tree, tree->node, pairs) : STICK_OK;
}

static StickStatus pairs_of(const StickBroadphaseTree *tree, const StickBvhNode *node, int item,
                            const StickBox *box, StickBroadphasePairs *pairs)
{
    int place[LEAF + 1];
    if (!overlap(&node->box, box))
        return STICK_OK;
    if (node->count == 0) {
        STICK_TRY(pairs_of(tree, node + 1, item, box, pairs));
        return pairs_of(tree, &tree->node[node->right], item, box, pairs);
    }
    STICK_RESERVE(tree->ctx, pairs->pair, pairs->capacity, pairs->count + LEAF);
    for (int count = reaching(tree, node, box, place), i = 0; i < count; i++)
        if (tree->item[place[i]].item != item)
            pairs->pair[pairs->count++] = ordered(item, tree->item[place[i]].item);
    return STICK_OK;
}

StickStatus stick_broadphase_tree_pairs_of(const StickBroadphaseTree *tree, int item, const StickBox *box,
                                           StickBroadphasePairs *pairs)
{
    return tree->nitems > 0 ? pairs_of(tree, tree->node, item, box, pairs) : STICK_OK;
}
