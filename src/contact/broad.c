// SPDX-License-Identifier: Apache-2.0
//
// What is kept from call to call: a wide box around every box, and all pairs of wide boxes that overlap, sorted. As
// long as every box stays in its wide one, the pairs asked for are among those kept:
//
//      +-- wide --------+
//      |   +-----+      |      a margin on all sides, and some room where the box is going
//      |   | box |  ->  |
//      |   +-----+      |
//      +----------------+
//
// Each call looks at the kept pairs with the boxes themselves, so that the answer is the same for every past.
#include "contact/broad.h"

#include "base/memory.h"
#include "contact/broad_tree.h"

#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

// Farther away than this, all is equally far for wide boxes.
static const double FAR = 1e300;

// Width of the margin, in parts of the smallest side of a box, and calls for which there is room ahead, at most by the
// size of the box.
static const double MARGIN = 0.1;
static const double AHEAD = 8;

struct StickBroad {
    StickContext *ctx;
    int dim;
    int count;      // boxes that wide and near belong to; -1: nothing is kept
    int age;        // calls since then
    StickBox *seen; // count: as they were then
    StickBox *wide; // count, finite
    StickBroadTree tree;
    StickBroadPairs near;  // pairs of wide boxes, sorted
    StickBroadPairs found; // room to sort in, then the answer
    size_t *start;         // count + 1
    size_t seen_capacity, wide_capacity, start_capacity;
};

StickStatus stick_broad_create(StickContext *ctx, int dim, StickBroad **broad)
{
    StickBroad *made;
    STICK_CHECK(ctx, dim == 2 || dim == 3, STICK_USAGE, "boxes have 2 or 3 dimensions, not %d", dim);
    STICK_ALLOC(ctx, made, 1);
    *made = (StickBroad){.ctx = ctx, .dim = dim, .count = -1, .tree = {.ctx = ctx, .dim = dim}};
    *broad = made;
    return STICK_OK;
}

void stick_broad_destroy(StickBroad *broad)
{
    if (!broad)
        return;
    stick_broad_tree_destroy(&broad->tree);
    stick_free(broad->ctx, broad->seen);
    stick_free(broad->ctx, broad->wide);
    stick_free(broad->ctx, broad->near.pair);
    stick_free(broad->ctx, broad->found.pair);
    stick_free(broad->ctx, broad->start);
    stick_free(broad->ctx, broad);
}

// low <= high is false for what is not a number.
static StickStatus check_boxes(const StickBroad *broad, const StickBox *box, int count)
{
    STICK_CHECK(broad->ctx, count >= 0, STICK_USAGE, "%d boxes", count);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < broad->dim; k++)
            STICK_CHECK(broad->ctx, box[i].low[k] <= box[i].high[k], STICK_BAD_INPUT,
                        "box %d reaches from %g to %g along %c", i, box[i].low[k], box[i].high[k], "xyz"[k]);
    return STICK_OK;
}

static double bounded(double x, double bound)
{
    return x < -bound ? -bound : x > bound ? bound : x;
}

static bool inside(const StickBox *box, const StickBox *wide, int dim)
{
    for (int k = 0; k < dim; k++)
        if (bounded(box->low[k], FAR) < wide->low[k] || bounded(box->high[k], FAR) > wide->high[k])
            return false;
    return true;
}

static bool all_inside(const StickBroad *broad, const StickBox *box, int count)
{
    if (count != broad->count)
        return false;
    for (int i = 0; i < count; i++)
        if (!inside(&box[i], &broad->wide[i], broad->dim))
            return false;
    return true;
}

static StickBox bounded_box(const StickBox *box, int dim)
{
    StickBox near = {0};
    for (int k = 0; k < dim; k++) {
        near.low[k] = bounded(box->low[k], FAR);
        near.high[k] = bounded(box->high[k], FAR);
    }
    return near;
}

// A box that went from `seen` to `box` in so many calls.
static StickBox widened(const StickBox *box, const StickBox *seen, int calls, int dim)
{
    StickBox wide = *box;
    double smallest = 2 * FAR, largest = 0;
    for (int k = 0; k < dim; k++) {
        double size = box->high[k] - box->low[k];
        smallest = fmin(smallest, size);
        largest = fmax(largest, size);
    }
    for (int k = 0; k < dim; k++) {
        double ahead = bounded((box->low[k] - seen->low[k]) * (AHEAD / calls), largest);
        wide.low[k] = bounded(box->low[k] - MARGIN * smallest + fmin(ahead, 0), FAR);
        wide.high[k] = bounded(box->high[k] + MARGIN * smallest + fmax(ahead, 0), FAR);
    }
    return wide;
}

static void widen(StickBroad *broad, const StickBox *box, int count, bool known)
{
    for (int i = 0; i < count; i++) {
        StickBox now = bounded_box(&box[i], broad->dim);
        broad->wide[i] =
            widened(&now, known ? &broad->seen[i] : &now, broad->age > 0 ? broad->age : 1, broad->dim);
        broad->seen[i] = now;
    }
}

// to = from, ascending by a (or b); equal ones stay in their order.
static void sort_by(const StickBroadPairs *from, bool by_b, int count, size_t *start, StickBroadPair *to)
{
    memset(start, 0, ((size_t)count + 1) * sizeof *start);
    for (size_t p = 0; p < from->count; p++)
        start[(by_b ? from->pair[p].b : from->pair[p].a) + 1]++;
    for (int i = 0; i < count; i++)
        start[i + 1] += start[i];
    for (size_t p = 0; p < from->count; p++)
        to[start[by_b ? from->pair[p].b : from->pair[p].a]++] = from->pair[p];
}

static StickStatus sort_near(StickBroad *broad, int count)
{
    StickBroadPairs *near = &broad->near, *found = &broad->found;
    STICK_CHECK(broad->ctx, near->count <= INT_MAX, STICK_BAD_INPUT, "more than %d pairs of %d boxes overlap",
                INT_MAX, count);
    STICK_RESERVE(broad->ctx, found->pair, found->capacity, near->capacity);
    STICK_RESERVE(broad->ctx, broad->start, broad->start_capacity, (size_t)count + 1);
    found->count = near->count;
    sort_by(near, true, count, broad->start, found->pair);
    sort_by(found, false, count, broad->start, near->pair);
    return STICK_OK;
}

// Wide boxes and their pairs, anew.
static StickStatus look_around(StickBroad *broad, const StickBox *box, int count)
{
    bool known = count == broad->count;
    broad->count = -1;
    STICK_RESERVE(broad->ctx, broad->seen, broad->seen_capacity, count);
    STICK_RESERVE(broad->ctx, broad->wide, broad->wide_capacity, count);
    widen(broad, box, count, known);
    STICK_TRY(stick_broad_tree_sort(&broad->tree, broad->wide, count));
    STICK_TRY(stick_broad_tree_pairs(&broad->tree, &broad->near));
    STICK_TRY(sort_near(broad, count));
    broad->count = count;
    broad->age = 0;
    return STICK_OK;
}

static bool overlap(const StickBox *a, const StickBox *b, int dim)
{
    bool x = (a->low[0] <= b->high[0]) & (b->low[0] <= a->high[0]);
    bool y = (a->low[1] <= b->high[1]) & (b->low[1] <= a->high[1]);
    return x & y & (dim == 2 || ((a->low[2] <= b->high[2]) & (b->low[2] <= a->high[2])));
}

// Every pair is written, and kept only where it overlaps: no branch to guess.
static void pick(StickBroad *broad, const StickBox *box)
{
    StickBroadPair *found = broad->found.pair;
    size_t count = 0;
    for (size_t p = 0; p < broad->near.count; p++) {
        StickBroadPair pair = broad->near.pair[p];
        found[count] = pair;
        count += overlap(&box[pair.a], &box[pair.b], broad->dim);
    }
    broad->found.count = count;
}

StickStatus stick_broad_find(StickBroad *broad, const StickBox *box, int count, const StickBroadPair **pair,
                             int *npairs)
{
    STICK_TRY(check_boxes(broad, box, count));
    broad->age++;
    if (!all_inside(broad, box, count))
        STICK_TRY(look_around(broad, box, count));
    pick(broad, box);
    *pair = broad->found.pair;
    *npairs = (int)broad->found.count;
    return STICK_OK;
}
