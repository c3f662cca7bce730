// SPDX-License-Identifier: Apache-2.0
#include "bodies/polytope.h"

#include "base/memory.h"
#include "base/vec.h"

#include <stdlib.h>

void stick_polytope_destroy(StickContext *ctx, StickConvex *shape)
{
    stick_free(ctx, shape->vertex);
    stick_free(ctx, shape->face_start);
    stick_free(ctx, shape->face_vertex);
    stick_free(ctx, shape->face);
    stick_free(ctx, shape->edge);
    *shape = (StickConvex){0};
}

static StickStatus take_room(StickContext *ctx, int ncorners, StickConvex *shape)
{
    STICK_ALLOC(ctx, shape->vertex, 3 * (size_t)shape->nvertices);
    if (shape->nfaces == 0)
        return STICK_OK;
    STICK_ALLOC(ctx, shape->face_start, shape->nfaces + 1);
    STICK_ALLOC(ctx, shape->face_vertex, ncorners);
    STICK_ALLOC(ctx, shape->face, 4 * (size_t)shape->nfaces);
    STICK_ALLOC(ctx, shape->edge, 2 * (size_t)ncorners);
    return STICK_OK;
}

StickStatus stick_polytope_create(StickContext *ctx, int nvertices, int nfaces, int ncorners,
                                  StickConvex *shape)
{
    StickConvex made = {.kind = STICK_SHAPE_POLYTOPE, .nvertices = nvertices, .nfaces = nfaces};
    StickStatus status = take_room(ctx, ncorners, &made);
    if (status == STICK_OK)
        *shape = made;
    else
        stick_polytope_destroy(ctx, &made);
    return status;
}

// ---- planes

static const double *corner(const StickConvex *shape, int face, int k)
{
    int first = shape->face_start[face], count = shape->face_start[face + 1] - first;
    return &shape->vertex[3 * (size_t)shape->face_vertex[first + k % count]];
}

// Normal by the sum of cross products, offset by the mean: the best plane of corners that are nearly in one.
static void fit_plane(StickConvex *shape, int face)
{
    double *plane = &shape->face[4 * (size_t)face], mean = 0;
    int count = shape->face_start[face + 1] - shape->face_start[face];
    plane[0] = plane[1] = plane[2] = 0;
    for (int k = 1; k + 1 < count; k++) {
        double a[3], b[3], cross[3];
        stick_vec_sub(corner(shape, face, k), corner(shape, face, 0), a);
        stick_vec_sub(corner(shape, face, k + 1), corner(shape, face, 0), b);
        stick_vec_cross(a, b, cross);
        stick_vec_axpy(plane, 1, cross, plane);
    }
    stick_vec_normalise(plane);
    for (int k = 0; k < count; k++)
        mean += stick_vec_dot(plane, corner(shape, face, k)) / count;
    plane[3] = mean;
}

// ---- edges

// A side of a face from low to high or back.
typedef struct Side {
    int low, high;
    int back; // runs from high to low
    int face;
} Side;

static int compare_sides(const void *left, const void *right)
{
    const Side *a = left, *b = right;
    const int d[4] = {a->low - b->low, a->high - b->high, a->back - b->back, a->face - b->face};
    for (int k = 0; k < 4; k++)
        if (d[k] != 0)
            return d[k];
    return 0;
}

static void list_sides(const StickConvex *shape, Side *side)
{
    for (int f = 0; f < shape->nfaces; f++) {
        int first = shape->face_start[f], end = shape->face_start[f + 1];
        for (int k = first; k < end; k++) {
            int from = shape->face_vertex[k], to = shape->face_vertex[k + 1 < end ? k + 1 : first];
            side[k] = (Side){from < to ? from : to, from < to ? to : from, from > to, f};
        }
    }
}

// Every side must have exactly one partner in the opposite direction.
static bool pair_sides(const Side *side, int count, StickConvex *shape)
{
    shape->nedges = 0;
    for (int k = 0; k + 1 < count; k += 2) {
        const Side *a = &side[k], *b = &side[k + 1];
        if (a->low != b->low || a->high != b->high || a->back || !b->back)
            return false;
        int *edge = &shape->edge[4 * (size_t)shape->nedges++];
        edge[0] = a->low, edge[1] = a->high, edge[2] = a->face, edge[3] = b->face;
    }
    // Euler: one piece without holes
    return count % 2 == 0 && shape->nvertices - shape->nedges + shape->nfaces == 2;
}

StickStatus stick_polytope_complete(StickContext *ctx, StickConvex *shape, bool *closed)
{
    int count = shape->face_start[shape->nfaces];
    Side *side;
    STICK_ALLOC(ctx, side, count);
    for (int f = 0; f < shape->nfaces; f++)
        fit_plane(shape, f);
    list_sides(shape, side);
    qsort(side, (size_t)count, sizeof *side, compare_sides);
    *closed = pair_sides(side, count, shape);
    stick_free(ctx, side);
    return STICK_OK;
}

// ---- boxes

StickStatus stick_polytope_box(StickContext *ctx, const double size[3], StickConvex *shape)
{
    const StickShapeInfo *hex = stick_shape_info(STICK_HEX8);
    StickConvex box;
    bool closed;
    STICK_TRY(stick_polytope_create(ctx, 8, 6, 24, &box));
    for (int i = 0; i < 8; i++) {
        box.vertex[3 * i] = (i % 4 == 1 || i % 4 == 2 ? size[0] : -size[0]) / 2;
        box.vertex[3 * i + 1] = (i % 4 >= 2 ? size[1] : -size[1]) / 2;
        box.vertex[3 * i + 2] = (i >= 4 ? size[2] : -size[2]) / 2;
    }
    for (int f = 0; f < 6; f++) {
        box.face_start[f + 1] = 4 * (f + 1);
        for (int k = 0; k < 4; k++)
            box.face_vertex[4 * f + k] = hex->side[f][k];
    }
    StickStatus status = stick_polytope_complete(ctx, &box, &closed);
    if (status == STICK_OK)
        *shape = box;
    else
        stick_polytope_destroy(ctx, &box);
    return status;
}
