// SPDX-License-Identifier: Apache-2.0
#include "contact/concave_obstacle.h"

#include "base/vec.h"
#include "contact/polyline.h"

#include <string.h>

typedef struct Touches {
    const StickPlacedShape *shape;
    const StickObstacle *obstacle;
    double reach;
    int count;
    StickConcaveTouch *touch;
} Touches;

bool stick_is_hollow(const StickObstacleSpec *spec)
{
    return spec->kind == STICK_OBSTACLE_POLYLINE || (spec->kind != STICK_OBSTACLE_PLANE && spec->inside);
}

// ---- points

static int shallowest(const Touches *touches)
{
    int found = 0;
    for (int k = 1; k < touches->count; k++)
        if (touches->touch[k].point.gap > touches->touch[found].point.gap)
            found = k;
    return found;
}

// A point of the shape at a gap from the obstacle: the place is halfway.
static void put(Touches *touches, const double x[3], double gap, const double normal[3], uint32_t feature)
{
    int at = touches->count;
    if (!(gap <= touches->reach))
        return;
    if (at == STICK_HOLLOW_POINTS) {
        at = shallowest(touches);
        if (touches->touch[at].point.gap <= gap)
            return;
    } else {
        touches->count++;
    }
    StickConcaveTouch *touch = &touches->touch[at];
    memcpy(touch->normal, normal, sizeof touch->normal);
    stick_vec_axpy(x, -0.5 * gap, normal, touch->point.place);
    touch->point.gap = gap;
    touch->point.feature = feature;
}

static void sort(Touches *touches)
{
    for (int k = 1; k < touches->count; k++) {
        StickConcaveTouch one = touches->touch[k];
        int at = k;
        for (; at > 0 && touches->touch[at - 1].point.feature > one.point.feature; at--)
            touches->touch[at] = touches->touch[at - 1];
        touches->touch[at] = one;
    }
}

// ---- corners of shapes

static void direction_in_space(const StickPlacedShape *placed, const double x[3], double direction[3])
{
    double turned[3];
    for (int i = 0; i < 3; i++)
        turned[i] = x[0] * placed->axis[0][i] + x[1] * placed->axis[1][i] + x[2] * placed->axis[2][i];
    memcpy(direction, turned, sizeof turned);
}

static void place_in_space(const StickPlacedShape *placed, const double x[3], double place[3])
{
    direction_in_space(placed, x, place);
    for (int i = 0; i < 3; i++)
        place[i] += placed->centre[i];
}

// Corners whose hull, rounded by the radius, is the shape; a cylinder has none.
static int corner_count(const StickConvex *shape)
{
    switch (shape->kind) {
    case STICK_SHAPE_POLYTOPE:
        return shape->nvertices;
    case STICK_SHAPE_CAPSULE:
        return 2;
    case STICK_SHAPE_BALL:
        return 1;
    case STICK_SHAPE_CYLINDER:
        break;
    }
    return 0;
}

static void corner(const StickPlacedShape *placed, int k, double place[3])
{
    const StickConvex *shape = placed->shape;
    double x[3];
    if (shape->kind == STICK_SHAPE_POLYTOPE)
        memcpy(x, &shape->vertex[3 * k], sizeof x);
    else if (shape->kind == STICK_SHAPE_CAPSULE)
        stick_vec_axpy(shape->centre, k == 0 ? -shape->half_length : shape->half_length, shape->axis, x);
    else
        memcpy(x, shape->centre, sizeof x);
    place_in_space(placed, x, place);
}

static double radius_of(const StickConvex *shape)
{
    return shape->kind == STICK_SHAPE_POLYTOPE ? 0 : shape->radius;
}

// ---- from inside

static void touch_point(Touches *touches, const double x[3], double radius, uint32_t feature)
{
    double normal[3], surface[3];
    double gap = stick_obstacle_distance(touches->obstacle, x, normal) - radius;
    stick_vec_axpy(x, -radius, normal, surface);
    put(touches, surface, gap, normal, feature);
}

// What counts of a direction for the distance from the centre or axis.
static void across(const StickObstacleSpec *spec, double x[3])
{
    if (spec->kind == STICK_OBSTACLE_CYLINDER)
        stick_vec_axpy(x, -stick_vec_dot(x, spec->normal), spec->normal, x);
}

// The angle at which |w + E1 cos + E2 sin| is largest: the best of some, and Newton's method from there.
static double farthest_angle(const double w[3], const double E1[3], const double E2[3])
{
    enum { SAMPLES = 32, MOST_STEPS = 20 };
    double a = stick_vec_dot(w, E1), b = stick_vec_dot(w, E2);
    double p = 0.5 * (stick_vec_dot(E1, E1) - stick_vec_dot(E2, E2)), q = stick_vec_dot(E1, E2);
    double best = 0, most = -INFINITY;
    // half of the square: a cos + b sin + (p cos 2 + q sin 2)/2, but for a constant
    for (int k = 0; k < SAMPLES; k++) {
        double angle = 2 * M_PI * k / SAMPLES;
        double value = a * cos(angle) + b * sin(angle) + 0.5 * (p * cos(2 * angle) + q * sin(2 * angle));
        if (value > most) {
            most = value;
            best = angle;
        }
    }
    for (int k = 0; k < MOST_STEPS; k++) {
        double slope = -a * sin(best) + b * cos(best) - p * sin(2 * best) + q * cos(2 * best);
        double bend = -a * cos(best) - b * sin(best) - 2 * (p * cos(2 * best) + q * sin(2 * best));
        if (!(bend < 0))
            break;
        best -= slope / bend;
    }
    return best;
}

// A rim is as far out all around, or nearly.
static bool lies_around(const double w[3], const double E1[3], const double E2[3], double radius)
{
    const double nearly = 1e-4;
    double least = INFINITY, most = 0;
    for (int k = 0; k < 4; k++) {
        double x[3];
        stick_vec_axpy(w, k % 2 ? -1 : 1, k < 2 ? E1 : E2, x);
        least = fmin(least, stick_vec_norm(x));
        most = fmax(most, stick_vec_norm(x));
    }
    return most - least < nearly * radius;
}

// Rims stand on the point that is farthest out, and where they lie all around on eight points fixed to the body.
static void touch_rim(Touches *touches, const double middle[3], const double e1[3], const double e2[3],
                      int end)
{
    enum { FIXED = 8 };
    const StickObstacle *obstacle = touches->obstacle;
    double radius = touches->shape->shape->radius, w[3], E1[3], E2[3];
    for (int k = 0; k < 3; k++) {
        w[k] = middle[k] - obstacle->shift[k] - obstacle->spec->point[k];
        E1[k] = radius * e1[k];
        E2[k] = radius * e2[k];
    }
    across(obstacle->spec, w);
    across(obstacle->spec, E1);
    across(obstacle->spec, E2);
    for (int k = lies_around(w, E1, E2, radius) ? 0 : FIXED; k <= FIXED; k++) {
        double angle = k < FIXED ? 2 * M_PI * k / FIXED : farthest_angle(w, E1, E2), x[3];
        for (int i = 0; i < 3; i++)
            x[i] = middle[i] + radius * (cos(angle) * e1[i] + sin(angle) * e2[i]);
        touch_point(touches, x, 0, (uint32_t)(end * (FIXED + 1) + k));
    }
}

static void touch_rims(Touches *touches)
{
    const StickConvex *shape = touches->shape->shape;
    const double *z = shape->axis;
    const double other[3] = {fabs(z[0]) < 0.9, fabs(z[0]) >= 0.9, 0};
    double e1[3], e2[3];
    stick_vec_cross(z, other, e1);
    stick_vec_normalise(e1);
    stick_vec_cross(z, e1, e2);
    direction_in_space(touches->shape, e1, e1);
    direction_in_space(touches->shape, e2, e2);
    for (int end = 0; end < 2; end++) {
        double x[3], middle[3];
        stick_vec_axpy(shape->centre, end ? shape->half_length : -shape->half_length, z, x);
        place_in_space(touches->shape, x, middle);
        touch_rim(touches, middle, e1, e2, end);
    }
}

static void touch_inside(Touches *touches)
{
    const StickConvex *shape = touches->shape->shape;
    double x[3];
    if (shape->kind == STICK_SHAPE_CYLINDER)
        touch_rims(touches);
    for (int k = 0; k < corner_count(shape); k++) {
        corner(touches->shape, k, x);
        touch_point(touches, x, radius_of(shape), (uint32_t)k);
    }
}

// ---- polylines

// Corners of the shape on the chain: even features, two for each.
static void touch_chain(Touches *touches)
{
    const StickObstacle *obstacle = touches->obstacle;
    const StickConvex *shape = touches->shape->shape;
    double radius = radius_of(shape);
    for (int k = 0; k < corner_count(shape); k++) {
        StickObstacleTouch touch[STICK_LAYERS];
        double x[3], seen[3], surface[3];
        corner(touches->shape, k, x);
        stick_vec_sub(x, obstacle->shift, seen);
        if (stick_polyline_is_beyond(obstacle->spec, seen))
            continue;
        int count = stick_polyline_touch(obstacle->spec, seen, touches->reach + radius, touch);
        for (int i = 0; i < count; i++) {
            stick_vec_axpy(x, -radius, touch[i].normal, surface);
            put(touches, surface, touch[i].gap - radius, touch[i].normal,
                2 * (uint32_t)(STICK_LAYERS * k + touch[i].layer));
        }
    }
}

// What touches a corner of the chain: a side of the shape, by its outer normal and the distance of the corner from it.
typedef struct Side {
    double normal[3];
    double distance;
} Side;

// A corner that is farther out from another side, by this part of the size, is not on this one.
static const double beyond = 1e-9;

// Of the sides that the corner can touch the one that it is nearest to; the corner must not be beyond another one.
static bool polygon_side(const Touches *touches, const double p[3], const StickPolylineCone *cone, Side *side)
{
    const StickConvex *shape = touches->shape->shape;
    bool found = false;
    double most = -INFINITY;
    side->distance = -INFINITY;
    for (int k = 0; k < shape->nvertices; k++) {
        double a[3], b[3], n[3] = {0}, from[3], along[3];
        corner(touches->shape, k, a);
        corner(touches->shape, (k + 1) % shape->nvertices, b);
        stick_vec_sub(b, a, along);
        double length = stick_vec_normalise(along);
        n[0] = along[1], n[1] = -along[0];
        stick_vec_sub(p, a, from);
        double distance = stick_vec_dot(n, from), way = stick_vec_dot(along, from);
        if (distance > touches->reach)
            return false;
        most = fmax(most, distance);
        const double down[3] = {-n[0], -n[1], 0};
        if (distance <= side->distance || way < 0 || way > length || !stick_polyline_cone_holds(cone, down))
            continue;
        memcpy(side->normal, n, sizeof n);
        side->distance = distance;
        found = true;
    }
    return found && most <= fmax(side->distance, beyond * shape->bound);
}

// Round ends touch corners as places of the chain do, but for its own ends.
static bool round_side(const Touches *touches, const double p[3], const StickPolylineCone *cone, Side *side)
{
    const StickConvex *shape = touches->shape->shape;
    double a[3], b[3], along[3], from[3], x[3];
    corner(touches->shape, 0, a);
    corner(touches->shape, corner_count(shape) - 1, b);
    stick_vec_sub(b, a, along);
    stick_vec_sub(p, a, from);
    double square = stick_vec_dot(along, along), s = square > 0 ? stick_vec_dot(along, from) / square : 0;
    if ((square == 0 || s <= 0 || s >= 1) && !cone->is_end)
        return false;
    stick_vec_axpy(a, fmin(fmax(s, 0), 1), along, x);
    stick_vec_sub(x, p, from);
    double length = stick_vec_normalise(from);
    if (!(length > 0) || !stick_polyline_cone_holds(cone, from))
        return false;
    for (int k = 0; k < 3; k++)
        side->normal[k] = -from[k];
    side->distance = length - shape->radius;
    return true;
}

// Convex corners of the chain on sides of the shape: odd features.
static void touch_corners(Touches *touches)
{
    const StickObstacle *obstacle = touches->obstacle;
    const StickConvex *shape = touches->shape->shape;
    double far = touches->reach + shape->bound, middle[3];
    place_in_space(touches->shape, shape->centre, middle);
    for (int k = 0; k < obstacle->spec->npoints; k++) {
        StickPolylineCone cone;
        double p[3] = {0}, from[3];
        for (int i = 0; i < 2; i++)
            p[i] = obstacle->spec->points[2 * k + i] + obstacle->shift[i];
        stick_vec_sub(p, middle, from);
        if (stick_vec_norm(from) > far || !stick_polyline_cone(obstacle->spec, k, &cone))
            continue;
        Side side;
        bool touched = shape->kind == STICK_SHAPE_POLYTOPE ? polygon_side(touches, p, &cone, &side)
                                                           : round_side(touches, p, &cone, &side);
        if (!touched)
            continue;
        double normal[3], x[3];
        stick_vec_axpy(p, -side.distance, side.normal, x);
        for (int i = 0; i < 3; i++)
            normal[i] = -side.normal[i];
        put(touches, x, side.distance, normal, 2 * (uint32_t)k + 1);
    }
}

int stick_concave_obstacle_touch(const StickPlacedShape *shape, const StickObstacle *obstacle, double reach,
                                 StickConcaveTouch touch[STICK_HOLLOW_POINTS])
{
    Touches touches = {.shape = shape, .obstacle = obstacle, .reach = reach, .touch = touch};
    if (obstacle->spec->kind == STICK_OBSTACLE_POLYLINE) {
        touch_chain(&touches);
        touch_corners(&touches);
    } else {
        touch_inside(&touches);
    }
    sort(&touches);
    return touches.count;
}
