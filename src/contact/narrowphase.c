// SPDX-License-Identifier: Apache-2.0
#include "contact/narrowphase.h"

#include "base/vec.h"
#include "contact/concave_obstacle.h"
#include "contact/manifold_2d.h"
#include "contact/manifold_3d.h"

#include <math.h>
#include <string.h>

// Round from outside: a thin one may be passed. Insides of others have no end.
bool stick_shape_is_round(const StickObstacleSpec *spec)
{
    return spec->kind != STICK_OBSTACLE_PLANE && !stick_is_hollow(spec);
}

StickPlacedShape stick_shape_place(const StickConvex *shape, const StickPose *pose)
{
    StickPlacedShape at = {.shape = shape};
    memcpy(at.centre, pose->centre, sizeof at.centre);
    memcpy(at.axis, pose->axis, sizeof at.axis);
    return at;
}

void stick_narrowphase(int dim, const StickPlacedShape *a, const StickPlacedShape *b, double reach,
                       StickManifold *manifold)
{
    if (dim == 2)
        stick_manifold_2d(a, b, reach, manifold);
    else
        stick_manifold_3d(a, b, reach, manifold);
}

// Circles, spheres and cylinders from outside, as shapes; a cylinder is as long as a body with this reach can see.
StickPlacedShape stick_shape_round(const StickObstacle *obstacle, const StickPlacedShape *shape, double reach,
                                   StickConvex *convex)
{
    const StickObstacleSpec *spec = obstacle->spec;
    *convex = (StickConvex){.kind = STICK_SHAPE_BALL, .radius = spec->radius, .bound = spec->radius};
    StickPlacedShape round = {.shape = convex, .axis = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    for (int k = 0; k < 3; k++)
        round.centre[k] = spec->point[k] + obstacle->shift[k];
    if (spec->kind == STICK_OBSTACLE_CYLINDER) {
        double from[3], far = stick_vec_norm(shape->shape->centre) + shape->shape->bound + reach;
        stick_vec_sub(shape->centre, round.centre, from);
        stick_vec_axpy(round.centre, stick_vec_dot(from, spec->normal), spec->normal, round.centre);
        convex->kind = STICK_SHAPE_CYLINDER;
        convex->half_length = 2 * far + spec->radius;
        convex->bound = hypot(convex->half_length, spec->radius);
        memcpy(convex->axis, spec->normal, sizeof convex->axis);
    }
    return round;
}

static void touch_round(int dim, const StickPlacedShape *shape, const StickObstacle *obstacle, double reach,
                        StickManifold *manifold)
{
    StickConvex convex;
    StickPlacedShape round = stick_shape_round(obstacle, shape, reach, &convex);
    stick_narrowphase(dim, shape, &round, reach, manifold);
}

void stick_narrowphase_obstacle(int dim, const StickPlacedShape *shape, const StickObstacle *obstacle,
                                double reach, StickManifold *manifold)
{
    const StickObstacleSpec *spec = obstacle->spec;
    double point[3];
    for (int k = 0; k < 3; k++)
        point[k] = spec->point[k] + obstacle->shift[k];
    if (spec->kind != STICK_OBSTACLE_PLANE)
        touch_round(dim, shape, obstacle, reach, manifold);
    else if (dim == 2)
        stick_manifold_2d_line(shape, point, spec->normal, reach, manifold);
    else
        stick_manifold_3d_plane(shape, point, spec->normal, reach, manifold);
}

// ---- distances

double stick_shape_distance(int dim, const StickPlacedShape *a, const StickPlacedShape *b, double reach)
{
    StickManifold manifold;
    stick_narrowphase(dim, a, b, reach, &manifold);
    return stick_manifold_gap(&manifold);
}

double stick_shape_distance_obstacle(int dim, const StickPlacedShape *shape, const StickObstacle *obstacle,
                                     double reach)
{
    if (stick_is_hollow(obstacle->spec)) {
        double least = INFINITY;
        StickConcaveTouch touch[STICK_HOLLOW_POINTS];
        int count = stick_concave_obstacle_touch(shape, obstacle, INFINITY, touch);
        for (int k = 0; k < count; k++)
            least = fmin(least, touch[k].point.gap);
        return least;
    }
    StickManifold manifold;
    stick_narrowphase_obstacle(dim, shape, obstacle, reach, &manifold);
    return stick_manifold_gap(&manifold);
}
