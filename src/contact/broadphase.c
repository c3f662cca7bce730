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
// Boxes that have left theirs get new ones, and new pairs; if there are many, all is done anew. Each call then looks at
// the kept pairs with the boxes themselves, so that the answer is the same for every past.
#include "contact/broadphase.h"

#include "base/memory.h"
#include "base/pool.h"
#include "contact/broadphase_tree.h"

#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// Farther away than this, all is equally far for wide boxes.
static const double FAR = 1e300;

// Width of the margin, in parts of the smallest side of a box, and calls for which there is room ahead, at most by the
// size of the box along each axis.
static const double MARGIN = 0.1;
static const double AHEAD = 8;

// Strays are followed one by one until there have been FEW and one in MANY boxes: then the tree is no longer tight.
enum { FEW = 4, MANY = 32, FETCH = 16 };

struct StickBroadphase {
    StickContext *ctx;
    int dim;
    int count;       // boxes that are kept; -1: nothing is kept
    unsigned call;   // number of this call
    unsigned *since; // count: the call in which a box got its wide one,
    StickBox *seen;  //   and as it was then
    StickBox *wide;  // count, finite
    int *stray;      // boxes that have left their wide ones,
    bool *strays;    // count: whether a box is one of them
    int nstrays;
    int moved; // wide boxes made since the tree was sorted
    StickBroadphaseTree tree;
    StickBroadphasePairs near;  // pairs of wide boxes, sorted
    StickBroadphasePairs fresh; // those of strays
    StickBroadphasePairs found; // room to sort in, then the answer
    int *start;                 // count + 1
    size_t *kept;               // pairs of each piece of near that are in the answer
    size_t since_capacity, seen_capacity, wide_capacity, stray_capacity, strays_capacity, start_capacity,
        kept_capacity;
};

StickStatus stick_broadphase_create(StickContext *ctx, int dim, StickBroadphase **broad)
{
    StickBroadphase *made;
    STICK_CHECK(ctx, dim == 2 || dim == 3, STICK_USAGE, "boxes have 2 or 3 dimensions, not %d", dim);
    STICK_ALLOC(ctx, made, 1);
    *made = (StickBroadphase){.ctx = ctx, .dim = dim, .count = -1, .tree = {.ctx = ctx, .dim = dim}};
    *broad = made;
    return STICK_OK;
}

void stick_broadphase_destroy(StickBroadphase *broad)
{
    if (!broad)
        return;
    stick_broadphase_tree_destroy(&broad->tree);
    stick_free(broad->ctx, broad->since);
    stick_free(broad->ctx, broad->seen);
    stick_free(broad->ctx, broad->wide);
    stick_free(broad->ctx, broad->stray);
    stick_free(broad->ctx, broad->strays);
    stick_free(broad->ctx, broad->near.pair);
    stick_free(broad->ctx, broad->fresh.pair);
    stick_free(broad->ctx, broad->found.pair);
    stick_free(broad->ctx, broad->start);
    stick_free(broad->ctx, broad->kept);
    stick_free(broad->ctx, broad);
}

// low <= high is false for what is not a number.
static StickStatus check_box(const StickBroadphase *broad, const StickBox *box, int i)
{
    for (int k = 0; k < broad->dim; k++)
        STICK_CHECK(broad->ctx, box[i].low[k] <= box[i].high[k], STICK_BAD_INPUT,
                    "box %d reaches from %g to %g along %c", i, box[i].low[k], box[i].high[k], "xyz"[k]);
    return STICK_OK;
}

static double bounded(double x, double bound)
{
    return x < -bound ? -bound : x > bound ? bound : x;
}

// What is no box is never inside.
static bool inside(const StickBox *box, const StickBox *wide, int dim)
{
    bool is = true;
    for (int k = 0; k < dim; k++) {
        double low = bounded(box->low[k], FAR), high = bounded(box->high[k], FAR);
        is &= (low >= wide->low[k]) & (high <= wide->high[k]) & (box->low[k] <= box->high[k]);
    }
    return is;
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
static StickBox widened(const StickBox *box, const StickBox *seen, double calls, int dim)
{
    StickBox wide = *box;
    double smallest = 2 * FAR;
    for (int k = 0; k < dim; k++)
        smallest = fmin(smallest, box->high[k] - box->low[k]);
    for (int k = 0; k < dim; k++) {
        double ahead = bounded((box->low[k] - seen->low[k]) * (AHEAD / calls), box->high[k] - box->low[k]);
        wide.low[k] = bounded(box->low[k] - MARGIN * smallest + fmin(ahead, 0), FAR);
        wide.high[k] = bounded(box->high[k] + MARGIN * smallest + fmax(ahead, 0), FAR);
    }
    return wide;
}

static void widen(StickBroadphase *broad, const StickBox *box, int i)
{
    StickBox now = bounded_box(&box[i], broad->dim);
    double calls = broad->call - broad->since[i];
    broad->wide[i] = widened(&now, &broad->seen[i], calls, broad->dim);
    broad->seen[i] = now;
    broad->since[i] = broad->call;
}

static int key(const StickBroadphasePairs *pairs, size_t p, bool by_b)
{
    return by_b ? pairs->pair[p].b : pairs->pair[p].a;
}

// to = from, ascending by a (or b); equal ones stay in their order. Places are fetched before they are written.
static void sort_by(const StickBroadphasePairs *from, bool by_b, int count, int *start,
                    StickBroadphasePair *to)
{
    memset(start, 0, ((size_t)count + 1) * sizeof *start);
    for (size_t p = 0; p < from->count; p++)
        start[key(from, p, by_b) + 1]++;
    for (int i = 0; i < count; i++)
        start[i + 1] += start[i];
    for (size_t p = 0; p < from->count; p++) {
        __builtin_prefetch(&to[start[key(from, p + FETCH < from->count ? p + FETCH : p, by_b)]], 1);
        to[start[key(from, p, by_b)]++] = from->pair[p];
    }
}

static StickStatus check_count(const StickBroadphase *broad, size_t npairs)
{
    STICK_CHECK(broad->ctx, npairs <= INT_MAX, STICK_BAD_INPUT, "%zu pairs of boxes overlap or nearly do",
                npairs);
    return STICK_OK;
}

static StickStatus sort_near(StickBroadphase *broad, int count)
{
    StickBroadphasePairs *near = &broad->near, *found = &broad->found;
    STICK_TRY(check_count(broad, near->count));
    STICK_RESERVE(broad->ctx, found->pair, found->capacity, near->count);
    STICK_RESERVE(broad->ctx, broad->start, broad->start_capacity, (size_t)count + 1);
    found->count = near->count;
    sort_by(near, true, count, broad->start, found->pair);
    sort_by(found, false, count, broad->start, near->pair);
    return STICK_OK;
}

static StickStatus reserve(StickBroadphase *broad, int count)
{
    STICK_RESERVE(broad->ctx, broad->since, broad->since_capacity, count);
    STICK_RESERVE(broad->ctx, broad->seen, broad->seen_capacity, count);
    STICK_RESERVE(broad->ctx, broad->wide, broad->wide_capacity, count);
    STICK_RESERVE(broad->ctx, broad->stray, broad->stray_capacity, count);
    STICK_RESERVE(broad->ctx, broad->strays, broad->strays_capacity, count);
    return STICK_OK;
}

// Other boxes than before: nothing is known of where they are going.
static void meet(StickBroadphase *broad, const StickBox *box, int count)
{
    for (int i = 0; i < count; i++) {
        broad->seen[i] = bounded_box(&box[i], broad->dim);
        broad->since[i] = broad->call - 1;
    }
}

// All wide boxes and their pairs, anew.
static StickStatus look_around(StickBroadphase *broad, const StickBox *box, int count)
{
    for (int i = 0; i < count; i++)
        widen(broad, box, i);
    broad->moved = 0;
    STICK_TRY(stick_broadphase_tree_sort(&broad->tree, broad->wide, count));
    STICK_TRY(stick_broadphase_tree_pairs(&broad->tree, &broad->near));
    return sort_near(broad, count);
}

static int compare_pairs(const void *left, const void *right)
{
    const StickBroadphasePair *x = left, *y = right;
    return x->a != y->a ? (x->a > y->a) - (x->a < y->a) : (x->b > y->b) - (x->b < y->b);
}

// found = pairs of near without strays, and those of fresh.
static void merge(StickBroadphase *broad)
{
    const StickBroadphasePair *near = broad->near.pair, *near_end = near + broad->near.count;
    const StickBroadphasePair *fresh = broad->fresh.pair, *fresh_end = fresh + broad->fresh.count;
    StickBroadphasePair *to = broad->found.pair;
    for (; near < near_end; near++) {
        while (fresh < fresh_end && compare_pairs(fresh, near) <= 0)
            *to++ = *fresh++;
        *to = *near;
        to += !(broad->strays[near->a] | broad->strays[near->b]);
    }
    while (fresh < fresh_end)
        *to++ = *fresh++;
    broad->found.count = (size_t)(to - broad->found.pair);
}

// A pair of two strays is found by both.
static void drop_doubles(StickBroadphasePairs *pairs)
{
    size_t count = 0;
    if (pairs->count == 0)
        return;
    qsort(pairs->pair, pairs->count, sizeof *pairs->pair, compare_pairs);
    for (size_t p = 1; p < pairs->count; p++)
        if (compare_pairs(&pairs->pair[count], &pairs->pair[p]) != 0)
            pairs->pair[++count] = pairs->pair[p];
    pairs->count = count + 1;
}

// Wide boxes of strays and their pairs, anew.
static StickStatus follow_strays(StickBroadphase *broad, const StickBox *box)
{
    StickBroadphasePairs *near = &broad->near, *fresh = &broad->fresh, *found = &broad->found;
    for (int k = 0; k < broad->nstrays; k++) {
        widen(broad, box, broad->stray[k]);
        stick_broadphase_tree_move(&broad->tree, broad->stray[k], &broad->wide[broad->stray[k]]);
    }
    stick_broadphase_tree_refit(&broad->tree);
    fresh->count = 0;
    for (int k = 0; k < broad->nstrays; k++) {
        int i = broad->stray[k];
        STICK_TRY(stick_broadphase_tree_pairs_of(&broad->tree, i, &broad->wide[i], fresh));
    }
    drop_doubles(fresh);
    STICK_RESERVE(broad->ctx, found->pair, found->capacity, near->count + fresh->count + 1);
    merge(broad);
    STICK_TRY(check_count(broad, found->count));
    StickBroadphasePairs swap = *near;
    *near = *found;
    *found = swap;
    STICK_RESERVE(broad->ctx, found->pair, found->capacity, near->count);
    return STICK_OK;
}

// Of boxes like those before only strays may be wrong.
static StickStatus check_boxes(const StickBroadphase *broad, const StickBox *box, int count)
{
    bool known = count == broad->count;
    int nchecks = known ? broad->nstrays : count;
    for (int k = 0; k < nchecks; k++)
        STICK_TRY(check_box(broad, box, known ? broad->stray[k] : k));
    return STICK_OK;
}

// Boxes that are asked for.
typedef struct Picking {
    StickBroadphase *broad;
    const StickBox *box;
} Picking;

static void find_strays_of_range(void *data, int from, int to)
{
    const Picking *picking = data;
    const StickBroadphase *broad = picking->broad;
    for (int i = from; i < to; i++)
        broad->strays[i] = !inside(&picking->box[i], &broad->wide[i], broad->dim);
}

static void find_strays(StickBroadphase *broad, const StickBox *box)
{
    Picking picking = {broad, box};
    stick_threads_range(broad->ctx, broad->count, find_strays_of_range, &picking);
    broad->nstrays = 0;
    for (int i = 0; i < broad->count; i++)
        if (broad->strays[i])
            broad->stray[broad->nstrays++] = i;
}

// Makes `near` hold all pairs of these boxes, and others.
static StickStatus update(StickBroadphase *broad, const StickBox *box, int count)
{
    bool known = count == broad->count;
    broad->count = -1;
    if (!known) {
        STICK_TRY(reserve(broad, count));
        meet(broad, box, count);
        STICK_TRY(look_around(broad, box, count));
    } else if (broad->moved + broad->nstrays > FEW + count / MANY) {
        STICK_TRY(look_around(broad, box, count));
    } else {
        broad->moved += broad->nstrays;
        STICK_TRY(follow_strays(broad, box));
    }
    broad->count = count;
    return STICK_OK;
}

static bool overlap(const StickBox *a, const StickBox *b, int dim)
{
    bool x = (a->low[0] <= b->high[0]) & (b->low[0] <= a->high[0]);
    bool y = (a->low[1] <= b->high[1]) & (b->low[1] <= a->high[1]);
    return x & y & (dim == 2 || ((a->low[2] <= b->high[2]) & (b->low[2] <= a->high[2])));
}

// Every pair is written, and kept only where it overlaps: no branch to guess. Boxes b lie all over memory: they are
// fetched before they are needed.
static void pick_range(void *data, int from, int to)
{
    const Picking *picking = data;
    const StickBroadphasePair *near = picking->broad->near.pair;
    const StickBox *box = picking->box;
    StickBroadphasePair *found = picking->broad->found.pair + from;
    size_t count = 0;
    for (int p = from; p < to; p++) {
        StickBroadphasePair pair = near[p];
        const StickBox *later = &box[near[p + FETCH < to ? p + FETCH : p].b];
        __builtin_prefetch(later->low);
        __builtin_prefetch(later->high + 2);
        found[count] = pair;
        count += overlap(&box[pair.a], &box[pair.b], picking->broad->dim);
    }
    picking->broad->kept[from / STICK_PIECE] = count;
}

// Pieces of the answer stand where those of near did, and are moved together.
static StickStatus pick(StickBroadphase *broad, const StickBox *box)
{
    Picking picking = {broad, box};
    int npieces = stick_piece_count((int)broad->near.count);
    STICK_RESERVE(broad->ctx, broad->kept, broad->kept_capacity, npieces);
    stick_threads_range(broad->ctx, (int)broad->near.count, pick_range, &picking);
    broad->found.count = 0;
    for (int k = 0; k < npieces; k++) {
        memmove(broad->found.pair + broad->found.count, broad->found.pair + (size_t)k * STICK_PIECE,
                broad->kept[k] * sizeof *broad->found.pair);
        broad->found.count += broad->kept[k];
    }
    return STICK_OK;
}

StickStatus stick_broadphase_find(StickBroadphase *broad, const StickBox *box, int count,
                                  const StickBroadphasePair **pair, int *npairs)
{
    STICK_CHECK(broad->ctx, count >= 0, STICK_USAGE, "%d boxes", count);
    broad->call++;
    if (count == broad->count)
        find_strays(broad, box);
    STICK_TRY(check_boxes(broad, box, count));
    if (count != broad->count || broad->nstrays > 0)
        STICK_TRY(update(broad, box, count));
    STICK_TRY(pick(broad, box));
    *pair = broad->found.pair;
    *npairs = (int)broad->found.count;
    return STICK_OK;
}
