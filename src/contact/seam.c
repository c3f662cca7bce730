// SPDX-License-Identifier: Apache-2.0
#include "contact/seam.h"

#include "base/vec.h"

#include <math.h>

// Parts of the size of a shape: how far around a point and out of it the shapes are examined, and what counts as on a surface.
// A hidden face is hidden at all of these distances; the floor below a wall that a body has penetrated is not.
static const double AHEAD[] = {1e-6, 1e-3, 5e-2}, SLACK = 1e-7;

// How far a point, in the frame of the body, is outside of a shape; below 0 inside. Near corners it may be less than the distance.
static double outside_by(int dim, const StickConvex *shape, const double x[3])
{
    double from[3], most = -INFINITY;
    stick_vec_sub(x, shape->centre, from);
    double along = stick_vec_dot(from, shape->axis);
    switch (shape->kind) {
    case STICK_SHAPE_BALL:
        return stick_vec_norm(from) - shape->radius;
    case STICK_SHAPE_CAPSULE:
        stick_vec_axpy(from, -fmax(-shape->half_length, fmin(along, shape->half_length)), shape->axis, from);
        return stick_vec_norm(from) - shape->radius;
    case STICK_SHAPE_CYLINDER:
        stick_vec_axpy(from, -along, shape->axis, from);
        return fmax(fabs(along) - shape->half_length, stick_vec_norm(from) - shape->radius);
    case STICK_SHAPE_POLYTOPE:
        break;
    }
    for (int f = 0; f < shape->nfaces && dim == 3; f++)
        most =
            fmax(most, stick_vec_dot(shape->face + 4 * (ptrdiff_t)f, x) - shape->face[4 * (ptrdiff_t)f + 3]);
    for (int k = 0; k < shape->nvertices && dim == 2; k++) {
        const double *p = shape->vertex + 3 * (ptrdiff_t)k;
        const double *q = shape->vertex + 3 * (ptrdiff_t)((k + 1) % shape->nvertices);
        double length = hypot(q[0] - p[0], q[1] - p[1]);
        if (length > 0)
            most = fmax(most, ((q[1] - p[1]) * (x[0] - p[0]) - (q[0] - p[0]) * (x[1] - p[1])) / length);
    }
    return most;
}

static bool others_hold(const StickSolid *solid, int shape, const double x[3], double slack)
{
    for (int k = 0; k < solid->nshapes; k++)
        if (k != shape && outside_by(solid->dim, &solid->shape[k], x) <= slack)
            return true;
    return false;
}

// Whether a direction d out of a shape leads into another one of the same body, at a point x of its surface and wherever its
// surface goes on from there. In a nook, where one part of the surface is free, it does not.
static bool is_hidden_at(const StickSolid *solid, int shape, const double x[3], const double d[3],
                         double ahead)
{
    enum { AROUND = 8 };
    const StickConvex *own = &solid->shape[shape];
    double next[3], t1[3] = {0}, t2[3] = {0}, slack = SLACK * own->bound;
    stick_vec_axpy(x, ahead, d, next);
    if (!others_hold(solid, shape, next, slack))
        return false;
    if (solid->dim == 2) {
        t1[0] = -d[1], t1[1] = d[0];
    } else {
        int least = fabs(d[0]) < fabs(d[1]) ? 0 : 1;
        least = fabs(d[2]) < fabs(d[least]) ? 2 : least;
        t2[least] = 1;
        stick_vec_cross(d, t2, t1);
        stick_vec_normalise(t1);
        stick_vec_cross(d, t1, t2);
    }
    for (int k = 0; k < AROUND; k++) {
        double angle = 2 * M_PI * k / AROUND, beside[3];
        stick_vec_axpy(x, ahead * cos(angle), t1, beside);
        stick_vec_axpy(beside, ahead * sin(angle), t2, beside);
        if (outside_by(solid->dim, own, beside) > slack)
            continue;
        stick_vec_axpy(beside, ahead, d, next);
        if (!others_hold(solid, shape, next, slack))
            return false;
    }
    return true;
}

static bool is_hidden(const StickSolid *solid, int shape, const StickPlacedShape *at, const double place[3],
                      const double outward[3])
{
    double from[3], x[3], d[3];
    if (solid->nshapes == 1)
        return false;
    stick_vec_sub(place, at->centre, from);
    for (int k = 0; k < 3; k++) {
        x[k] = stick_vec_dot(at->axis[k], from);
        d[k] = stick_vec_dot(at->axis[k], outward);
    }
    for (size_t k = 0; k < sizeof AHEAD / sizeof *AHEAD; k++)
        if (!is_hidden_at(solid, shape, x, d, AHEAD[k] * solid->shape[shape].bound))
            return false;
    return true;
}

void stick_seam_filter(const StickSolid *a, int i, const StickPlacedShape *at_a, const StickSolid *b, int j,
                       const StickPlacedShape *at_b, StickManifold *manifold)
{
    const double *n = manifold->normal, down[3] = {-n[0], -n[1], -n[2]};
    if (a->nshapes == 1 && b->nshapes == 1)
        return;
    for (int k = 0; k < manifold->count; k++) {
        const StickManifoldPoint *point = &manifold->point[k];
        double on_a[3], on_b[3];
        stick_vec_axpy(point->place, 0.5 * point->gap, n, on_a);
        stick_vec_axpy(point->place, -0.5 * point->gap, n, on_b);
        if (!is_hidden(a, i, at_a, on_a, down) && !is_hidden(b, j, at_b, on_b, n))
            return;
    }
    manifold->count = 0;
}
