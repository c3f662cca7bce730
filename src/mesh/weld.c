// SPDX-License-Identifier: Apache-2.0
//
// Nodes are ordered along a line that no mesh is aligned with: those near each other in space are near on it, and
// few others are. The line has a length below 1: distances along it are no larger than those in space.
#include "mesh/weld.h"

#include "base/memory.h"
#include "base/vec.h"

#include <stdlib.h>

static const double line[3] = {0.75, 0.54, 0.37};

typedef struct Mark {
    double along;
    int node, element;
} Mark;

static int compare_marks(const void *left, const void *right)
{
    const Mark *a = left, *b = right;
    int order = (a->along > b->along) - (a->along < b->along);
    return order ? order : (a->node > b->node) - (a->node < b->node);
}

static double distance_of(const double a[3], const double b[3])
{
    double apart[3];
    stick_vec_sub(a, b, apart);
    return stick_vec_norm(apart);
}

// ---- twins

static void find_twins(const double *x, const Mark *mark, int count, double distance, int *twin)
{
    for (int k = 0; k < count; k++)
        for (int l = k + 1; l < count && mark[l].along - mark[k].along <= distance; l++) {
            int a = mark[k].node, b = mark[l].node, low = a < b ? a : b, high = a < b ? b : a;
            if (twin[high] > low && distance_of(&x[3 * (size_t)a], &x[3 * (size_t)b]) <= distance)
                twin[high] = low;
        }
}

StickStatus stick_weld(StickContext *ctx, int n, const double *x, const bool *may, double distance, int *twin)
{
    Mark *mark;
    int count = 0;
    STICK_ALLOC(ctx, mark, n);
    for (int i = 0; i < n; i++) {
        twin[i] = i;
        if (may[i])
            mark[count++] = (Mark){stick_vec_dot(line, &x[3 * (size_t)i]), i, 0};
    }
    qsort(mark, (size_t)count, sizeof *mark, compare_marks);
    find_twins(x, mark, count, distance, twin);
    // twins of twins are the same node
    for (int i = 0; i < n; i++)
        twin[i] = twin[twin[i]];
    stick_free(ctx, mark);
    return STICK_OK;
}

// ---- seams

// A node so near to an edge, as a part of its length, was meant to be on it; so near to an end, to be the end.
static const double beside_edge = 0.05, beside_end = 0.01;

typedef struct Rim {
    const StickMesh *mesh;
    int ncorners;
    Mark *corner; // of free sides, along the line; the same node once for each of its sides
} Rim;

static void get_place(const StickMesh *mesh, int node, double x[3])
{
    for (int k = 0; k < 3; k++)
        x[k] = k < mesh->dim ? mesh->x[(size_t)node * (size_t)mesh->dim + (size_t)k] : 0;
}

static int facet_corners(const StickMesh *mesh, StickFacet facet, int corner[STICK_MOST_FACET_NODES])
{
    stick_mesh_facet_nodes(mesh, facet, corner);
    return stick_shape_info(stick_mesh_facet_shape(mesh, facet))->corners;
}

static StickStatus collect_rim(StickContext *ctx, const StickSides *sides, Rim *rim)
{
    STICK_ALLOC(ctx, rim->corner, (size_t)sides->count * STICK_MOST_FACET_NODES);
    for (int k = 0, alike; k < sides->count; k += alike) {
        int corner[STICK_MOST_FACET_NODES];
        StickFacet facet = sides->side[k].facet;
        alike = stick_sides_alike(sides, k);
        int count = alike == 1 ? facet_corners(rim->mesh, facet, corner) : 0;
        for (int c = 0; c < count; c++) {
            double x[3];
            get_place(rim->mesh, corner[c], x);
            rim->corner[rim->ncorners++] = (Mark){stick_vec_dot(line, x), corner[c], facet.element};
        }
    }
    qsort(rim->corner, (size_t)rim->ncorners, sizeof *rim->corner, compare_marks);
    return STICK_OK;
}

static int first_from(const Rim *rim, double along)
{
    int low = 0, high = rim->ncorners;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (rim->corner[middle].along < along)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// Whether a node is beside the edge from a to b without being an end of it; near: the end next to it, or -1.
static bool is_beside(const double x[3], const double a[3], const double b[3], int *near)
{
    double edge[3], from[3], foot[3];
    stick_vec_sub(b, a, edge);
    stick_vec_sub(x, a, from);
    double length = stick_vec_norm(edge), s = stick_vec_dot(from, edge) / (length * length);
    *near = distance_of(x, a) <= beside_end * length ? 0 : distance_of(x, b) <= beside_end * length ? 1 : -1;
    stick_vec_axpy(a, s, edge, foot);
    return *near >= 0 ||
           (s > beside_edge && s < 1 - beside_edge && distance_of(x, foot) <= beside_edge * length);
}

static bool seam_at_edge(const Rim *rim, const int edge[2], int element, StickSeam *seam)
{
    double a[3], b[3], x[3];
    get_place(rim->mesh, edge[0], a);
    get_place(rim->mesh, edge[1], b);
    double reach = beside_edge * distance_of(a, b), from = stick_vec_dot(line, a),
           to = stick_vec_dot(line, b);
    for (int k = first_from(rim, fmin(from, to) - reach); k < rim->ncorners; k++) {
        const Mark *mark = &rim->corner[k];
        int near;
        if (mark->along > fmax(from, to) + reach)
            return false;
        get_place(rim->mesh, mark->node, x);
        if (mark->node == edge[0] || mark->node == edge[1] || !is_beside(x, a, b, &near))
            continue;
        *seam =
            (StickSeam){mark->node, mark->element, {edge[0], edge[1]}, element, near < 0 ? -1 : edge[near]};
        return true;
    }
    return false;
}

static void find_seam(const Rim *rim, const StickSides *sides, StickSeam *seam)
{
    for (int k = 0, alike; k < sides->count; k += alike) {
        int corner[STICK_MOST_FACET_NODES];
        StickFacet facet = sides->side[k].facet;
        alike = stick_sides_alike(sides, k);
        int count = alike == 1 ? facet_corners(rim->mesh, facet, corner) : 0;
        for (int c = 0; c < count && count > 1; c++)
            if (seam_at_edge(rim, (int[]){corner[c], corner[(c + 1) % count]}, facet.element, seam))
                return;
    }
}

StickStatus stick_weld_seam(StickMeshBuilder *builder, StickSeam *seam)
{
    const StickSides *sides;
    Rim rim = {.mesh = &builder->mesh};
    STICK_TRY(stick_builder_sides(builder, &sides));
    STICK_TRY(collect_rim(builder->ctx, sides, &rim));
    *seam = (StickSeam){.node = -1};
    find_seam(&rim, sides, seam);
    stick_free(builder->ctx, rim.corner);
    return STICK_OK;
}
