// SPDX-License-Identifier: Apache-2.0
#include "contact/ball_touch.h"

#include "base/vec.h"

#include <string.h>

static void place_of(const StickPlacedShape *at, const double x[3], double place[3])
{
    for (int i = 0; i < 3; i++)
        place[i] = at->centre[i] + x[0] * at->axis[0][i] + x[1] * at->axis[1][i] + x[2] * at->axis[2][i];
}

void stick_ball_touch(const StickPlacedShape *a, const StickPlacedShape *b, double reach,
                      StickManifold *manifold)
{
    double from_a[3], from_b[3], between[3];
    place_of(a, a->shape->centre, from_a);
    place_of(b, b->shape->centre, from_b);
    stick_vec_sub(from_a, from_b, between);
    double distance = stick_vec_normalise(between), gap = distance - a->shape->radius - b->shape->radius;
    manifold->count = 0;
    if (gap > reach)
        return;
    if (!(distance > 0))
        between[1] = 1;
    manifold->count = 1;
    memcpy(manifold->normal, between, sizeof between);
    manifold->point[0] = (StickTouchPoint){.gap = gap};
    stick_vec_axpy(from_b, b->shape->radius + 0.5 * gap, between, manifold->point[0].place);
}

static void add_point(const double place[3], const double normal[3], double gap, uint32_t feature,
                      StickManifold *manifold)
{
    StickTouchPoint *point = &manifold->point[manifold->count++];
    point->gap = gap;
    point->feature = feature;
    stick_vec_axpy(place, -0.5 * gap, normal, point->place);
}

void stick_ball_touch_plane(const StickPlacedShape *a, const double point[3], const double normal[3],
                            double reach, StickManifold *manifold)
{
    const StickConvex *shape = a->shape;
    bool ball = shape->kind == STICK_SHAPE_BALL;
    int count = ball ? 1 : shape->nvertices;
    memcpy(manifold->normal, normal, sizeof manifold->normal);
    manifold->count = 0;
    for (int i = 0; i < count && manifold->count < STICK_MANIFOLD; i++) {
        double place[3], from[3];
        place_of(a, ball ? shape->centre : shape->vertex + 3 * i, place);
        if (ball)
            stick_vec_axpy(place, -shape->radius, normal, place);
        stick_vec_sub(place, point, from);
        double gap = stick_vec_dot(from, normal);
        if (gap <= reach)
            add_point(place, normal, gap, (uint32_t)i, manifold);
    }
}
