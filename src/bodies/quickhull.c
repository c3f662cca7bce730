// SPDX-License-Identifier: Apache-2.0
// Quickhull: start from a tetrahedron; every point outside is kept with one facet that it is above. Take the
// highest point of a facet, remove all facets that see it, and join it with the rim of the hole.
//
//        p             Facets that are coplanar with p are not seen: they stay, and the new facets next to
//       /|\            them lie in their plane. A side of the rim is never in line with p, as a facet that
//      / | \           sees p ends there: no new facet has zero area.
//     a--+--b  rim
//
// On a grid of |x| <= 2^39 differences are below 2^41, normals below 2^83 and heights below 2^126.
#include "bodies/quickhull.h"

#include "base/memory.h"
#include "base/vec.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

typedef __int128 Wide;

enum { GRID_BITS = 39 };
// Thickness of a flat cloud of points, relative to its size.
static const double flat = 1e-6;

typedef struct Facet {
    StickHullTriangle triangle;
    Wide normal[3]; // outward, of any length
    int outside;    // points above it: a list through next[]; -1: none
    int highest;
    Wide height; // of the highest
    bool gone;
    int seen; // last point that was looked at from here
} Facet;

typedef struct Rim {
    int from, to; // side of the hole, anticlockwise seen from outside
    int beyond;   // facet on the other side
} Rim;

typedef struct Quickhull {
    StickContext *ctx;
    const StickCloud *cloud;
    double size;
    int64_t (*grid)[3]; // per point
    int *next;          // per point: in the list of its facet
    int *starts;        // per point: new facet whose rim side starts there
    int nfacets;
    Facet *facet;
    size_t facet_room;
    int *stack; // facets still to look at
    size_t stack_room;
    int nrim;
    Rim *rim;
    size_t rim_room;
} Quickhull;

static void clean(Quickhull *q)
{
    stick_free(q->ctx, q->grid);
    stick_free(q->ctx, q->next);
    stick_free(q->ctx, q->starts);
    stick_free(q->ctx, q->facet);
    stick_free(q->ctx, q->stack);
    stick_free(q->ctx, q->rim);
}

// ---- the grid

static const double *place(const Quickhull *q, int point)
{
    return &q->cloud->x[3 * (size_t)point];
}

// Whole numbers by a power of two: places that are short binary numbers stay exact.
static void fill_grid(Quickhull *q)
{
    double low[3], high[3];
    int exponent;
    q->size = stick_cloud_box(q->cloud, low, high);
    frexp(q->size / 2, &exponent);
    for (int i = 0; i < q->cloud->count; i++)
        for (int k = 0; k < 3; k++)
            q->grid[i][k] = llround(ldexp(place(q, i)[k] - (low[k] / 2 + high[k] / 2), GRID_BITS - exponent));
}

static StickStatus prepare(Quickhull *q)
{
    const StickCloud *cloud = q->cloud;
    STICK_TRY(stick_cloud_check(q->ctx, cloud, "a hull in space", 4));
    STICK_ALLOC(q->ctx, q->grid, cloud->count);
    STICK_ALLOC(q->ctx, q->next, cloud->count);
    STICK_ALLOC(q->ctx, q->starts, cloud->count);
    fill_grid(q);
    return STICK_OK;
}

// ---- facets

static Wide height_above(const Quickhull *q, const Facet *facet, int point)
{
    const int64_t *x = q->grid[point], *a = q->grid[facet->triangle.vertex[0]];
    Wide height = 0;
    for (int k = 0; k < 3; k++)
        height += facet->normal[k] * (x[k] - a[k]);
    return height;
}

static StickStatus add_facet(Quickhull *q, int a, int b, int c)
{
    STICK_RESERVE(q->ctx, q->facet, q->facet_room, q->nfacets + 1);
    Facet *facet = &q->facet[q->nfacets++];
    *facet = (Facet){.triangle = {.vertex = {a, b, c}}, .outside = -1, .highest = -1, .seen = -1};
    Wide ab[3], ac[3];
    for (int k = 0; k < 3; k++) {
        ab[k] = q->grid[b][k] - q->grid[a][k];
        ac[k] = q->grid[c][k] - q->grid[a][k];
    }
    for (int k = 0; k < 3; k++) {
        int l = (k + 1) % 3, m = (k + 2) % 3;
        facet->normal[k] = ab[l] * ac[m] - ab[m] * ac[l];
    }
    return STICK_OK;
}

// Gives a point to the first of the newest facets, from first on, that it is above; inside of all it is
// forgotten.
static void give_point(Quickhull *q, int point, int first)
{
    for (int f = first; f < q->nfacets; f++) {
        Facet *facet = &q->facet[f];
        Wide height = height_above(q, facet, point);
        if (height <= 0)
            continue;
        q->next[point] = facet->outside;
        facet->outside = point;
        if (height > facet->height || (height == facet->height && point < facet->highest)) {
            facet->height = height;
            facet->highest = point;
        }
        return;
    }
}

// ---- the first tetrahedron

// Distance of a point from the flat through the first count corners.
static double distance(const Quickhull *q, const int corner[4], int count, int point)
{
    double d[3], u[3], v[3], n[3];
    stick_vec_sub(place(q, point), place(q, corner[0]), d);
    if (count == 1)
        return stick_vec_norm(d);
    stick_vec_sub(place(q, corner[1]), place(q, corner[0]), u);
    stick_vec_normalise(u);
    stick_vec_cross(u, d, n);
    if (count == 2)
        return stick_vec_norm(n);
    stick_vec_sub(place(q, corner[2]), place(q, corner[0]), v);
    stick_vec_cross(u, v, n);
    stick_vec_normalise(n);
    return fabs(stick_vec_dot(n, d));
}

static StickStatus refuse_flat(const Quickhull *q, int count, double thickness)
{
    static const char *const lie[] = {"", "at one place", "on a line", "in a plane"};
    return stick_fail_at(q->ctx, STICK_BAD_INPUT, q->cloud->mark,
                         "%s: its %d points lie %s: they are %g thick at a size of %g", q->cloud->who,
                         q->cloud->count, lie[count], thickness, q->size);
}

// Four corners, each the farthest from those before.
static StickStatus choose_corners(const Quickhull *q, int corner[4])
{
    corner[0] = 0;
    for (int i = 1; i < q->cloud->count; i++)
        if (place(q, i)[0] < place(q, corner[0])[0])
            corner[0] = i;
    for (int count = 1; count < 4; count++) {
        double farthest = 0;
        corner[count] = corner[0];
        for (int i = 0; i < q->cloud->count; i++) {
            double d = distance(q, corner, count, i);
            if (d > farthest) {
                farthest = d;
                corner[count] = i;
            }
        }
        if (!(farthest > flat * q->size))
            return refuse_flat(q, count, farthest);
    }
    return STICK_OK;
}

static StickStatus add_tetrahedron(Quickhull *q)
{
    static const int side[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
    static const int beyond[4][3] = {{3, 2, 1}, {0, 2, 3}, {0, 3, 1}, {0, 1, 2}};
    int corner[4];
    STICK_TRY(choose_corners(q, corner));
    STICK_TRY(add_facet(q, corner[0], corner[1], corner[2]));
    Wide height = height_above(q, &q->facet[0], corner[3]);
    if (height == 0)
        return refuse_flat(q, 3, distance(q, corner, 3, corner[3]));
    if (height < 0) {
        int kept = corner[1];
        corner[1] = corner[2];
        corner[2] = kept;
    }
    q->nfacets = 0;
    for (int s = 0; s < 4; s++) {
        STICK_TRY(add_facet(q, corner[side[s][0]], corner[side[s][1]], corner[side[s][2]]));
        for (int k = 0; k < 3; k++)
            q->facet[s].triangle.beyond[k] = beyond[s][k];
    }
    for (int i = 0; i < q->cloud->count; i++)
        give_point(q, i, 0);
    return STICK_OK;
}

// ---- one more point

static StickStatus note_rim(Quickhull *q, const StickHullTriangle *triangle, int k)
{
    STICK_RESERVE(q->ctx, q->rim, q->rim_room, q->nrim + 1);
    q->rim[q->nrim++] = (Rim){triangle->vertex[k], triangle->vertex[(k + 1) % 3], triangle->beyond[k]};
    return STICK_OK;
}

// Marks all facets that see the point as gone, from one of them on; stack[0] ... are these, rim is around
// them.
static StickStatus cut_hole(Quickhull *q, int first, int point, int *ngone)
{
    int count = 0;
    q->nrim = 0;
    STICK_RESERVE(q->ctx, q->stack, q->stack_room, q->nfacets);
    q->facet[first].gone = true;
    q->stack[count++] = first;
    for (int at = 0; at < count; at++) {
        const StickHullTriangle *triangle = &q->facet[q->stack[at]].triangle;
        for (int k = 0; k < 3; k++) {
            Facet *beyond = &q->facet[triangle->beyond[k]];
            if (beyond->gone)
                continue;
            bool sees = beyond->seen != point && height_above(q, beyond, point) > 0;
            beyond->seen = sees ? -1 : point;
            beyond->gone = sees;
            if (sees)
                q->stack[count++] = triangle->beyond[k];
            else
                STICK_TRY(note_rim(q, triangle, k));
        }
    }
    *ngone = count;
    return STICK_OK;
}

static void meet(Quickhull *q, int facet, int from, int beyond)
{
    StickHullTriangle *triangle = &q->facet[facet].triangle;
    for (int k = 0; k < 3; k++)
        if (triangle->vertex[k] == from)
            triangle->beyond[k] = beyond;
}

// Joins the rim with the point: side 0 of a new facet is on the rim.
static StickStatus fill_hole(Quickhull *q, int point)
{
    int first = q->nfacets;
    for (int r = 0; r < q->nrim; r++) {
        Rim rim = q->rim[r];
        STICK_TRY(add_facet(q, rim.from, rim.to, point));
        q->facet[first + r].triangle.beyond[0] = rim.beyond;
        q->starts[rim.from] = first + r;
        meet(q, rim.beyond, rim.to, first + r);
    }
    for (int r = 0; r < q->nrim; r++) {
        int after = q->starts[q->rim[r].to];
        q->facet[first + r].triangle.beyond[1] = after;
        q->facet[after].triangle.beyond[2] = first + r;
    }
    return STICK_OK;
}

static StickStatus add_highest(Quickhull *q, int facet)
{
    int point = q->facet[facet].highest, first = q->nfacets, ngone;
    STICK_TRY(cut_hole(q, facet, point, &ngone));
    STICK_TRY(fill_hole(q, point));
    for (int k = 0; k < ngone; k++)
        for (int i = q->facet[q->stack[k]].outside, next; i >= 0; i = next) {
            next = q->next[i];
            if (i != point)
                give_point(q, i, first);
        }
    return STICK_OK;
}

// ---- all of it

static StickStatus hand_over(Quickhull *q, StickTriangleHull *hull)
{
    int count = 0;
    StickHullTriangle *triangle;
    for (int f = 0; f < q->nfacets; f++)
        count += !q->facet[f].gone;
    STICK_ALLOC(q->ctx, triangle, count);
    // the new number of each facet
    for (int f = 0, kept = 0; f < q->nfacets; f++)
        q->facet[f].seen = q->facet[f].gone ? -1 : kept++;
    for (int f = 0; f < q->nfacets; f++) {
        if (q->facet[f].gone)
            continue;
        StickHullTriangle *to = &triangle[q->facet[f].seen];
        *to = q->facet[f].triangle;
        for (int k = 0; k < 3; k++)
            to->beyond[k] = q->facet[to->beyond[k]].seen;
    }
    *hull = (StickTriangleHull){.size = q->size, .count = count, .triangle = triangle};
    return STICK_OK;
}

static StickStatus grow(Quickhull *q, StickTriangleHull *hull)
{
    STICK_TRY(prepare(q));
    STICK_TRY(add_tetrahedron(q));
    for (int f = 0; f < q->nfacets; f++)
        if (!q->facet[f].gone && q->facet[f].highest >= 0)
            STICK_TRY(add_highest(q, f));
    return hand_over(q, hull);
}

StickStatus stick_quickhull_create(StickContext *ctx, const StickCloud *cloud, StickTriangleHull *hull)
{
    Quickhull quickhull = {.ctx = ctx, .cloud = cloud};
    StickStatus status = grow(&quickhull, hull);
    clean(&quickhull);
    return status;
}

void stick_quickhull_destroy(StickContext *ctx, StickTriangleHull *hull)
{
    stick_free(ctx, hull->triangle);
    *hull = (StickTriangleHull){0};
}
