// SPDX-License-Identifier: Apache-2.0
#include "contact/obstacle.h"

#include "base/check.h"
#include "base/vec.h"
#include "contact/polyline.h"

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
    stick_translation_init(ctx, &obstacle->translation, spec, dim, panel);
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

double stick_obstacle_distance(const StickObstacle *obstacle, const double place[3], double normal[3])
{
    const StickObstacleSpec *spec = obstacle->spec;
    double x[3];
    stick_vec_sub(place, obstacle->shift, x);
    switch (spec->kind) {
    case STICK_OBSTACLE_PLANE:
        return plane_distance(spec, x, normal);
    case STICK_OBSTACLE_POLYLINE:
        return stick_polyline_distance(spec, x, normal);
    case STICK_OBSTACLE_CIRCLE:
        return circle_distance(spec, x, normal);
    case STICK_OBSTACLE_CYLINDER:
        break;
    }
    return cylinder_distance(spec, x, normal);
}

int stick_obstacle_touch(const StickObstacle *obstacle, const double place[3], double reach,
                         StickObstacleTouch touch[STICK_LAYERS])
{
    if (obstacle->spec->kind == STICK_OBSTACLE_POLYLINE) {
        double x[3];
        stick_vec_sub(place, obstacle->shift, x);
        return stick_polyline_touch(obstacle->spec, x, reach, touch);
    }
    touch[0] = (StickObstacleTouch){0};
    touch[0].gap = stick_obstacle_distance(obstacle, place, touch[0].normal);
    return touch[0].gap <= reach;
}
