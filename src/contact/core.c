// SPDX-License-Identifier: Apache-2.0
#include "contact/core.h"

static void place_point(const StickConvex *shape, StickCore *core)
{
    memcpy(core->segment, shape->centre, 3 * sizeof(double));
    core->vertex = core->segment;
    core->nvertices = 1;
}

static void place_segment(const StickConvex *shape, StickCore *core)
{
    static const int only_edge[4] = {0, 1, -1, -1};
    stick_vec_axpy(shape->centre, -shape->half_length, shape->axis, core->segment);
    stick_vec_axpy(shape->centre, shape->half_length, shape->axis, core->segment + 3);
    core->vertex = core->segment;
    core->nvertices = 2;
    core->edge = only_edge;
    core->nedges = 1;
}

static void place_polyhedron(const StickConvex *shape, StickCore *core)
{
    core->vertex = shape->vertex;
    core->nvertices = shape->nvertices;
    core->face = shape->face;
    core->face_start = shape->face_start;
    core->face_vertex = shape->face_vertex;
    core->nfaces = shape->nfaces;
    core->edge = shape->edge;
    core->nedges = shape->nedges;
}

void stick_core_place(const StickPlacedShape *placed, const double from[3], StickCore *core)
{
    core->axis = placed->axis;
    core->radius = placed->shape->radius;
    core->nedges = core->nfaces = 0;
    stick_vec_sub(placed->centre, from, core->origin);
    if (placed->shape->kind == STICK_SHAPE_BALL)
        place_point(placed->shape, core);
    else if (placed->shape->kind == STICK_SHAPE_CAPSULE)
        place_segment(placed->shape, core);
    else
        place_polyhedron(placed->shape, core);
}

void stick_core_plane(const StickCore *core, int face, double plane[4])
{
    const double *own = core->face + 4 * (ptrdiff_t)face;
    stick_core_turn(core, own, plane);
    plane[3] = own[3] + stick_vec_dot(plane, core->origin);
}

int stick_core_support(const StickCore *core, const double direction[3], double *height)
{
    double d[3] = {stick_vec_dot(direction, core->axis[0]), stick_vec_dot(direction, core->axis[1]),
                   stick_vec_dot(direction, core->axis[2])};
    int best = 0;
    double most = stick_vec_dot(d, core->vertex);
    for (int i = 1; i < core->nvertices; i++) {
        double here = stick_vec_dot(d, core->vertex + 3 * (ptrdiff_t)i);
        if (here > most) {
            most = here;
            best = i;
        }
    }
    *height = most + stick_vec_dot(direction, core->origin);
    return best;
}

int stick_core_face_at(const StickCore *core, int vertex, const double direction[3], double *cosine)
{
    double d[3] = {stick_vec_dot(direction, core->axis[0]), stick_vec_dot(direction, core->axis[1]),
                   stick_vec_dot(direction, core->axis[2])};
    int best = -1;
    *cosine = -2;
    for (const int *edge = core->edge; core->nfaces > 0 && edge < core->edge + 4 * (ptrdiff_t)core->nedges;
         edge += 4) {
        if (edge[0] != vertex && edge[1] != vertex)
            continue;
        for (int side = 2; side < 4; side++) {
            double here = stick_vec_dot(d, core->face + 4 * (ptrdiff_t)edge[side]);
            if (here > *cosine || (here == *cosine && edge[side] < best)) {
                *cosine = here;
                best = edge[side];
            }
        }
    }
    return best;
}

int stick_core_edge_at(const StickCore *core, int vertex, const double direction[3], double *cosine)
{
    double d[3] = {stick_vec_dot(direction, core->axis[0]), stick_vec_dot(direction, core->axis[1]),
                   stick_vec_dot(direction, core->axis[2])};
    int best = -1;
    *cosine = 2;
    for (int i = 0; i < core->nedges; i++) {
        const int *edge = core->edge + 4 * (ptrdiff_t)i;
        if (edge[0] != vertex && edge[1] != vertex)
            continue;
        double along[3];
        stick_vec_sub(core->vertex + 3 * (ptrdiff_t)edge[1], core->vertex + 3 * (ptrdiff_t)edge[0], along);
        stick_vec_normalise(along);
        double here = fabs(stick_vec_dot(along, d));
        if (here < *cosine) {
            *cosine = here;
            best = i;
        }
    }
    return best;
}

int stick_core_edge_between(const StickCore *core, int v, int w)
{
    for (int i = 0; i < core->nedges; i++) {
        const int *edge = core->edge + 4 * (ptrdiff_t)i;
        if ((edge[0] == v && edge[1] == w) || (edge[0] == w && edge[1] == v))
            return i;
    }
    return -1;
}

bool stick_core_holds(const StickCore *core, const double x[3], double slack)
{
    for (int f = 0; f < core->nfaces; f++) {
        double plane[4];
        stick_core_plane(core, f, plane);
        if (stick_vec_dot(plane, x) - plane[3] > slack)
            return false;
    }
    return core->nfaces > 0;
}
