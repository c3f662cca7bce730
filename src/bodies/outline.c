// SPDX-License-Identifier: Apache-2.0
#include "bodies/outline.h"

#include "base/memory.h"
#include "base/vec.h"
#include "bodies/polytope.h"

#include <stdlib.h>
#include <string.h>

// Tolerance for points that coincide or lie on a line, and thickness of a flat outline, relative to the size.
static const double near = 1e-9, flat = 1e-6;
static const double pi = 3.14159265358979323846;

typedef struct Outline {
    StickContext *ctx;
    const StickCloud *cloud;
    double size;
    int count;
    int *corner; // points, in order
} Outline;

static const double *place(const Outline *outline, int k)
{
    int count = outline->count;
    return &outline->cloud->x[3 * (size_t)outline->corner[(k + count) % count]];
}

static double cross(const double a[3], const double b[3], const double c[3])
{
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

static double apart(const double a[3], const double b[3])
{
    return hypot(a[0] - b[0], a[1] - b[1]);
}

// ---- corners that are not needed

// Removes corners until needed() is true for all remaining ones.
static void keep(Outline *outline, bool (*needed)(const Outline *outline, int k))
{
    for (int k = 0, in_a_row = 0; outline->count > 2 && in_a_row < outline->count;) {
        k %= outline->count;
        if (needed(outline, k)) {
            in_a_row++;
            k++;
            continue;
        }
        memmove(&outline->corner[k], &outline->corner[k + 1],
                (size_t)(outline->count - k - 1) * sizeof *outline->corner);
        outline->count--;
        // the one before has a new neighbour
        in_a_row = 0;
        k += outline->count - 1;
    }
}

static bool is_new_place(const Outline *outline, int k)
{
    return apart(place(outline, k), place(outline, k + 1)) > near * outline->size;
}

// Distance of a corner from the line between its neighbours.
static double stands_out(const Outline *outline, int k)
{
    const double *a = place(outline, k - 1), *b = place(outline, k), *c = place(outline, k + 1);
    double length = apart(a, c);
    return length > near * outline->size ? cross(a, b, c) / length : 0;
}

static bool is_corner(const Outline *outline, int k)
{
    return fabs(stands_out(outline, k)) > near * outline->size;
}

// ---- is it convex

static double signed_area(const Outline *outline)
{
    double area = 0;
    for (int k = 1; k + 1 < outline->count; k++)
        area += cross(place(outline, 0), place(outline, k), place(outline, k + 1)) / 2;
    return area;
}

static void make_anticlockwise(Outline *outline)
{
    if (signed_area(outline) >= 0)
        return;
    for (int i = 1, j = outline->count - 1; i < j; i++, j--) {
        int kept = outline->corner[i];
        outline->corner[i] = outline->corner[j];
        outline->corner[j] = kept;
    }
}

static StickStatus refuse_flat(const Outline *outline)
{
    return stick_fail_at(
        outline->ctx, STICK_BAD_INPUT, outline->cloud->mark,
        "%s: its %d points enclose an area of %g at a size of %g: they lie on a line, or the "
        "outline crosses itself",
        outline->cloud->who, outline->cloud->count, fabs(signed_area(outline)), outline->size);
}

// Angle by which the outline turns at a corner, in (-pi, pi].
static double turn_at(const Outline *outline, int k)
{
    const double *a = place(outline, k - 1), *b = place(outline, k), *c = place(outline, k + 1);
    double dot = (b[0] - a[0]) * (c[0] - b[0]) + (b[1] - a[1]) * (c[1] - b[1]);
    return atan2(cross(a, b, c), dot);
}

static StickStatus refuse_corner(const Outline *outline, int k)
{
    const double *at = place(outline, k);
    int count = outline->count, point = outline->corner[k];
    int before = outline->corner[(k + count - 1) % count], after = outline->corner[(k + 1) % count];
    if (fabs(turn_at(outline, k)) > 3)
        return stick_fail_at(outline->ctx, STICK_BAD_INPUT, outline->cloud->mark,
                             "%s: its outline turns back at corner %d, (%g, %g)", outline->cloud->who,
                             point + 1, at[0], at[1]);
    return stick_fail_at(
        outline->ctx, STICK_BAD_INPUT, outline->cloud->mark,
        "%s is not convex: corner %d, (%g, %g), lies %g inside of the line between corners %d "
        "and %d; a compound of convex parts can have this shape",
        outline->cloud->who, point + 1, at[0], at[1], -stands_out(outline, k),
        (before < after ? before : after) + 1, (before < after ? after : before) + 1);
}

static StickStatus check_convex(const Outline *outline)
{
    double turned = 0;
    for (int k = 0; k < outline->count; k++) {
        double angle = turn_at(outline, k);
        bool in_line = !is_corner(outline, k) && fabs(angle) < 1;
        if (!in_line && !(stands_out(outline, k) > 0))
            return refuse_corner(outline, k);
        turned += angle;
    }
    if (turned > 3 * pi)
        return stick_fail_at(outline->ctx, STICK_BAD_INPUT, outline->cloud->mark,
                             "%s: its outline crosses itself: it goes round %.0f times", outline->cloud->who,
                             turned / (2 * pi));
    return STICK_OK;
}

static StickStatus order_polygon(Outline *outline)
{
    for (int k = 0; k < outline->cloud->count; k++)
        outline->corner[outline->count++] = k;
    keep(outline, is_new_place);
    make_anticlockwise(outline);
    if (outline->count < 3 || !(signed_area(outline) > flat * outline->size * outline->size))
        return refuse_flat(outline);
    STICK_TRY(check_convex(outline));
    keep(outline, is_corner);
    return STICK_OK;
}

// ---- hulls

typedef struct Ranked {
    double x, y;
    int point;
} Ranked;

static int compare_ranked(const void *left, const void *right)
{
    const Ranked *a = left, *b = right;
    if (a->x != b->x)
        return a->x < b->x ? -1 : 1;
    return a->y != b->y ? (a->y < b->y ? -1 : 1) : a->point - b->point;
}

// Adds a point and removes corners that are no longer convex; corners before `first` remain.
static void step_to(Outline *outline, int first, int point)
{
    const double *x = outline->cloud->x, *to = &x[3 * (size_t)point];
    while (outline->count > first) {
        const double *a = &x[3 * (size_t)outline->corner[outline->count - 2]];
        const double *b = &x[3 * (size_t)outline->corner[outline->count - 1]];
        if (cross(a, b, to) > 0)
            break;
        outline->count--;
    }
    outline->corner[outline->count++] = point;
}

static StickStatus order_hull(Outline *outline)
{
    const StickCloud *cloud = outline->cloud;
    int count = cloud->count;
    Ranked *ranked;
    STICK_ALLOC(outline->ctx, ranked, count);
    for (int i = 0; i < count; i++)
        ranked[i] = (Ranked){cloud->x[3 * (size_t)i], cloud->x[3 * (size_t)i + 1], i};
    qsort(ranked, (size_t)count, sizeof *ranked, compare_ranked);
    // the lower chain from left to right, the upper one back; the last point is the first again
    for (int i = 0; i < count; i++)
        step_to(outline, 1, ranked[i].point);
    int turn = outline->count;
    for (int i = count - 2; i >= 0; i--)
        step_to(outline, turn, ranked[i].point);
    outline->count -= outline->count > 1;
    stick_free(outline->ctx, ranked);
    keep(outline, is_new_place);
    keep(outline, is_corner);
    if (outline->count < 3 || !(signed_area(outline) > flat * outline->size * outline->size))
        return refuse_flat(outline);
    return STICK_OK;
}

// ---- both

static StickStatus make_polygon(const Outline *outline, StickConvex *shape)
{
    STICK_TRY(stick_polytope_create(outline->ctx, outline->count, 0, 0, shape));
    for (int k = 0; k < outline->count; k++)
        memcpy(&shape->vertex[3 * (size_t)k], place(outline, k), 3 * sizeof *shape->vertex);
    return STICK_OK;
}

static StickStatus create(StickContext *ctx, const StickCloud *cloud, StickStatus (*order)(Outline *),
                          StickConvex *shape)
{
    Outline outline = {.ctx = ctx, .cloud = cloud};
    double low[3], high[3];
    STICK_TRY(stick_cloud_check(ctx, cloud, "a polygon", 3));
    outline.size = stick_cloud_box(cloud, low, high);
    STICK_ALLOC(ctx, outline.corner, 2 * (size_t)cloud->count);
    StickStatus status = order(&outline);
    if (status == STICK_OK)
        status = make_polygon(&outline, shape);
    stick_free(ctx, outline.corner);
    return status;
}

StickStatus stick_outline_polygon(StickContext *ctx, const StickCloud *cloud, StickConvex *shape)
{
    return create(ctx, cloud, order_polygon, shape);
}

StickStatus stick_outline_hull(StickContext *ctx, const StickCloud *cloud, StickConvex *shape)
{
    return create(ctx, cloud, order_hull, shape);
}

double stick_outline_depth(const StickConvex *shape, const double at[3])
{
    double depth = HUGE_VAL;
    for (int k = 0; k < shape->nvertices; k++) {
        const double *a = &shape->vertex[3 * k], *b = &shape->vertex[3 * ((k + 1) % shape->nvertices)];
        depth = fmin(depth, cross(a, b, at) / apart(a, b));
    }
    return depth;
}
