// SPDX-License-Identifier: Apache-2.0
#include "contact/obstacle.h"

#include "base/check.h"
#include "base/vec.h"

#include <stdbool.h>

static bool exists(StickObstacleKind kind, int dim)
{
    switch (kind) {
    case STICK_OBSTACLE_PLANE:
        return true;
    case STICK_OBSTACLE_POLYLINE:
        return dim == 2;
    case STICK_OBSTACLE_CIRCLE:
        return dim == 2 || dim == 3;
    case STICK_OBSTACLE_CYLINDER:
        return dim == 3;
    }
    return false;
}

static const char *kind_name(StickObstacleKind kind)
{
    static const char *const names[] = {"plane", "polyline", "circle", "cylinder"};
    return names[kind];
}

StickStatus stick_obstacle_init(StickContext *ctx, const StickObstacleSpec *spec, int dim, double panel,
                                StickObstacle *obstacle)
{
    if (!exists(spec->kind, dim))
        return stick_fail_at(ctx, STICK_BAD_INPUT, spec->mark,
                             "obstacle '%s': there is no %s in %d dimension%s", spec->name,
                             kind_name(spec->kind), dim, dim > 1 ? "s" : "");
    if (spec->kind == STICK_OBSTACLE_POLYLINE && spec->npoints < 2)
        return stick_fail_at(ctx, STICK_BAD_INPUT, spec->mark,
                             "obstacle '%s': a polyline needs at least 2 points, not %d", spec->name,
                             spec->npoints);
    *obstacle = (StickObstacle){.spec = spec, .dim = dim};
    stick_translation_init(&obstacle->translation, spec, dim, panel);
    return STICK_OK;
}

StickStatus stick_obstacle_move(StickObstacle *obstacle, double t, double h)
{
    return stick_translation_at(&obstacle->translation, t, h, obstacle->shift, obstacle->velocity);
}

static double plane_distance(const StickObstacleSpec *spec, const double x[3], double normal[3])
{
    double from[3];
    stick_vec_sub(x, spec->point, from);
    for (int k = 0; k < 3; k++)
        normal[k] = spec->normal[k];
    return stick_vec_dot(from, normal);
}

// Distance along the arm from the centre or axis to the place; from the very middle any direction is as good.
static double round_distance(const StickObstacleSpec *spec, double arm[3], const double any[3],
                             double normal[3])
{
    double length = stick_vec_normalise(arm);
    double side = spec->inside ? -1 : 1;
    for (int k = 0; k < 3; k++)
        normal[k] = side * (length > 0 ? arm[k] : any[k]);
    return side * (length - spec->radius);
}

static double circle_distance(const StickObstacleSpec *spec, const double x[3], double normal[3])
{
    const double up[3] = {0, 1, 0};
    double arm[3];
    stick_vec_sub(x, spec->point, arm);
    return round_distance(spec, arm, up, normal);
}

static double cylinder_distance(const StickObstacleSpec *spec, const double x[3], double normal[3])
{
    const double *axis = spec->normal;
    const double other[3] = {fabs(axis[0]) < 0.9, fabs(axis[0]) >= 0.9, 0};
    double from[3], arm[3], any[3];
    stick_vec_sub(x, spec->point, from);
    stick_vec_axpy(from, -stick_vec_dot(from, axis), axis, arm);
    stick_vec_cross(axis, other, any);
    stick_vec_normalise(any);
    return round_distance(spec, arm, any, normal);
}

static bool is_closed(const StickObstacleSpec *spec)
{
    const double *first = spec->points, *last = spec->points + 2 * (spec->npoints - 1);
    return spec->npoints > 3 && first[0] == last[0] && first[1] == last[1];
}

// The solid is on the right of the direction of travel, so the normal is on the left.
static void segment_normal(const StickObstacleSpec *spec, int segment, double normal[3])
{
    const double *a = spec->points + 2 * segment, *b = a + 2;
    normal[0] = a[1] - b[1], normal[1] = b[0] - a[0], normal[2] = 0;
    stick_vec_normalise(normal);
}

typedef struct Nearest {
    double distance;
    double foot[3];
    int segment;
    int vertex; // -1: inside of the segment
} Nearest;

static Nearest nearest_on_segment(const StickObstacleSpec *spec, int segment, bool closed, const double x[3])
{
    const double *a = spec->points + 2 * segment, *b = a + 2;
    double d[2] = {b[0] - a[0], b[1] - a[1]};
    double s = ((x[0] - a[0]) * d[0] + (x[1] - a[1]) * d[1]) / (d[0] * d[0] + d[1] * d[1]);
    bool first_end = !closed && segment == 0, last_end = !closed && segment == spec->npoints - 2;
    Nearest nearest = {.segment = segment, .vertex = -1};
    if (s <= 0 && !first_end)
        s = 0, nearest.vertex = segment;
    if (s >= 1 && !last_end)
        s = 1, nearest.vertex = segment + 1;
    nearest.foot[0] = a[0] + s * d[0], nearest.foot[1] = a[1] + s * d[1];
    nearest.distance = hypot(x[0] - nearest.foot[0], x[1] - nearest.foot[1]);
    return nearest;
}

// Mean normal of the two segments that meet at a vertex.
static void vertex_normal(const StickObstacleSpec *spec, int vertex, double normal[3])
{
    int nsegments = spec->npoints - 1;
    double before[3], after[3];
    segment_normal(spec, (vertex + nsegments - 1) % nsegments, before);
    segment_normal(spec, vertex % nsegments, after);
    stick_vec_axpy(before, 1, after, normal);
    stick_vec_normalise(normal);
}

static double polyline_distance(const StickObstacleSpec *spec, const double x[3], double normal[3])
{
    bool closed = is_closed(spec);
    Nearest nearest = nearest_on_segment(spec, 0, closed, x);
    for (int segment = 1; segment < spec->npoints - 1; segment++) {
        Nearest other = nearest_on_segment(spec, segment, closed, x);
        if (other.distance < nearest.distance)
            nearest = other;
    }
    double from[3] = {x[0] - nearest.foot[0], x[1] - nearest.foot[1], 0};
    if (nearest.vertex < 0) {
        segment_normal(spec, nearest.segment, normal);
        return stick_vec_dot(from, normal);
    }
    vertex_normal(spec, nearest.vertex, normal);
    double side = stick_vec_dot(from, normal) >= 0 ? 1 : -1;
    if (nearest.distance > 0)
        for (int k = 0; k < 3; k++)
            normal[k] = side * from[k] / nearest.distance;
    return side * nearest.distance;
}

double stick_obstacle_distance(const StickObstacle *obstacle, const double place[3], double normal[3])
{
    const StickObstacleSpec *spec = obstacle->spec;
    double x[3];
    stick_vec_sub(place, obstacle->shift, x);
    switch (spec->kind) {
    case STICK_OBSTACLE_PLANE:
        return plane_distance(spec, x, normal);
    case STICK_OBSTACLE_POLYLINE:
        return polyline_distance(spec, x, normal);
    case STICK_OBSTACLE_CIRCLE:
        return circle_distance(spec, x, normal);
    case STICK_OBSTACLE_CYLINDER:
        break;
    }
    return cylinder_distance(spec, x, normal);
}
