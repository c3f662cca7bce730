// SPDX-License-Identifier: Apache-2.0
//
// Nodes are ordered along a line that no mesh is aligned with: those near each other in space are near on it, and
// few others are. The line has a length below 1: distances along it are no larger than those in space.
#include "mesh/weld.h"

#include "base/memory.h"
#include "base/vec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
    double *height; // of each element, the smallest one
    int ncorners;
    Mark *corner; // of free sides, along the line
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

// Six times the volume of the tetrahedron of four nodes; in the plane, twice the area of the triangle of the first three.
static double wedge(const StickMesh *mesh, const int node[4])
{
    double x[4][3], side[3][3], cross[3];
    for (int c = 0; c <= mesh->dim; c++)
        get_place(mesh, node[c], x[c]);
    for (int c = 0; c < mesh->dim; c++)
        stick_vec_sub(x[c + 1], x[0], side[c]);
    stick_vec_cross(side[0], side[1], cross);
    return fabs(mesh->dim == 2 ? cross[2] : stick_vec_dot(cross, side[2]));
}

// Smallest height of an element: its volume by its largest side. A long or flat element is as thin as this, at every aspect ratio.
static double height_of(const StickMesh *mesh, int e)
{
    const StickShapeInfo *info = stick_shape_info(mesh->shape[e]);
    const int *node = &mesh->node[mesh->start[e]];
    double volume = 0, largest = 0;
    for (int s = 0; s < info->nsides; s++) {
        int corner[STICK_MOST_FACET_NODES], count = facet_corners(mesh, (StickFacet){e, s}, corner);
        double x[3][3], edge[2][3], cross[3], area = 0;
        get_place(mesh, corner[0], x[0]);
        for (int c = 1; c < count; c++) {
            get_place(mesh, corner[c], x[2]);
            stick_vec_sub(x[2], x[0], edge[1]);
            if (mesh->dim == 2)
                area = stick_vec_norm(edge[1]);
            if (c > 1) {
                stick_vec_sub(x[1], x[0], edge[0]);
                stick_vec_cross(edge[0], edge[1], cross);
                area += stick_vec_norm(cross) / 2;
            }
            // fans of all sides about the first node of the element fill it
            if (mesh->dim == 2 || c > 1)
                volume +=
                    wedge(mesh, mesh->dim == 2 ? (int[4]){node[0], corner[0], corner[1]}
                                               : (int[4]){node[0], corner[0], corner[c - 1], corner[c]});
            memcpy(x[1], x[2], sizeof x[1]);
        }
        largest = fmax(largest, area);
    }
    return volume / (mesh->dim == 2 ? 2 : 6) / largest;
}

static StickStatus collect_rim(StickContext *ctx, const StickSides *sides, Rim *rim)
{
    STICK_ALLOC(ctx, rim->corner, (size_t)sides->count * STICK_MOST_FACET_NODES);
    STICK_ALLOC(ctx, rim->height, rim->mesh->nelements);
    for (int e = 0; e < rim->mesh->nelements; e++)
        rim->height[e] = height_of(rim->mesh, e);
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
    // each node once, with the thinnest of its elements
    int count = 0;
    for (int k = 0; k < rim->ncorners; k++) {
        Mark *last = count > 0 ? &rim->corner[count - 1] : NULL, next = rim->corner[k];
        if (!last || last->node != next.node)
            rim->corner[count++] = next;
        else if (rim->height[next.element] < rim->height[last->element])
            last->element = next.element;
    }
    rim->ncorners = count;
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

// Whether a node is close to the edge from a to b without being one of its ends; near: the closest end, or -1.
// Distances across the edge are relative to the element height, because a long cell has nodes of its own near its long
// edges.
static bool is_beside(const double x[3], const double a[3], const double b[3], double height, int *near)
{
    double edge[3], from[3], foot[3];
    stick_vec_sub(b, a, edge);
    stick_vec_sub(x, a, from);
    double length = stick_vec_norm(edge), s = stick_vec_dot(from, edge) / (length * length);
    stick_vec_axpy(a, s, edge, foot);
    *near = fabs(s) <= beside_end ? 0 : fabs(1 - s) <= beside_end ? 1 : -1;
    return (*near >= 0 || (s > beside_edge && s < 1 - beside_edge)) &&
           distance_of(x, foot) <= (*near >= 0 ? beside_end : beside_edge) * fmin(length, 5 * height);
}

static bool has_node(const StickMesh *mesh, int element, int node)
{
    for (int k = mesh->start[element]; k < mesh->start[element + 1]; k++)
        if (mesh->node[k] == node)
            return true;
    return false;
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
        double height = fmin(rim->height[element], rim->height[mark->element]);
        if (!is_beside(x, a, b, height, &near) || has_node(rim->mesh, element, mark->node))
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
    StickStatus status = collect_rim(builder->ctx, sides, &rim);
    *seam = (StickSeam){.node = -1};
    if (status == STICK_OK)
        find_seam(&rim, sides, seam);
    stick_free(builder->ctx, rim.corner);
    stick_free(builder->ctx, rim.height);
    return status;
}
