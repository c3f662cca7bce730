// SPDX-License-Identifier: Apache-2.0
#include "contact/counterface.h"

#include "base/vec.h"
#include "contact/contact_set.h"
#include "contact/node_facet.h"

#include <math.h>

// Nearer than this part of its radius to the core of a round body, the direction from the core is noise.
static const double in_core = 1e-8;

const StickConvex *stick_round_shape(const StickSurface *surface)
{
    const StickRigid *rigid = surface->body->rigid;
    const StickConvex *shape = rigid && rigid->solid->nshapes == 1 ? rigid->solid->shape : NULL;
    bool is_round = shape && (shape->kind == STICK_SHAPE_BALL || shape->kind == STICK_SHAPE_CAPSULE);
    return is_round ? shape : NULL;
}

double stick_round_distance(const StickSurface *surface, const StickConvex *shape, const double place[3],
                            double normal[3])
{
    const StickPose *pose = &surface->pose;
    double centre[3], from[3], axis[3];
    stick_pose_place(pose, shape->centre, centre);
    stick_vec_sub(place, centre, from);
    if (shape->kind == STICK_SHAPE_CAPSULE) {
        for (int k = 0; k < 3; k++)
            axis[k] = shape->axis[0] * pose->axis[0][k] + shape->axis[1] * pose->axis[1][k] +
                      shape->axis[2] * pose->axis[2][k];
        double along = fmax(-shape->half_length, fmin(shape->half_length, stick_vec_dot(from, axis)));
        stick_vec_axpy(from, -along, axis, from);
    }
    double distance = stick_vec_norm(from);
    bool noise = !(distance > in_core * shape->radius);
    for (int k = 0; k < 3; k++)
        normal[k] = noise ? pose->axis[1][k] : from[k] / distance;
    return distance - shape->radius;
}

StickStatus stick_counterface_distance(const StickCounterface *counterface, const double place[3],
                                       double reach, double *distance)
{
    double normal[3];
    StickSurfacePoint touch[STICK_LAYERS];
    int count;
    if (counterface->obstacle) {
        *distance = stick_obstacle_distance(counterface->obstacle, place, normal);
        return STICK_OK;
    }
    if (counterface->round) {
        *distance = stick_round_distance(counterface->surface, counterface->round, place, normal);
        return STICK_OK;
    }
    STICK_TRY(stick_surface_touch(counterface->surface, counterface->tree, place, reach, counterface->hits,
                                  touch, &count));
    *distance = count > 0 ? touch[0].gap : INFINITY;
    return STICK_OK;
}

// ---- breadth

// Where the counterface is looked at, in distances of nodes. A rigid body must be broader than other counterfaces, lest
// it tips over the few nodes that it stands on.
static const double SAMPLE[] = {0.5, 1, 2, 4};
enum { SAMPLES = sizeof SAMPLE / sizeof *SAMPLE, OF_OTHERS = SAMPLES - 1, DIRECTIONS = 8 };

// Nor by more than this slope, so that what ends nearby is not broad.
static const double STEEP = 0.3;

// At this times what is allowed nodes see nothing.
static const double NARROW = 1.1;

// How far it has fallen back in one direction, in units of what is allowed.
static StickStatus fall_along(const StickCounterface *counterface, const double place[3],
                              const double direction[3], double distance, double radius, double *fall)
{
    bool rigid = counterface->surface && counterface->surface->body->rigid;
    *fall = 0;
    for (int k = 0; k < (rigid ? SAMPLES : OF_OTHERS) && *fall < NARROW; k++) {
        double x[3], gap, way = SAMPLE[k] * distance;
        double allowed = fmin(hypot(radius, way) - radius, STEEP * way);
        stick_vec_axpy(place, way, direction, x);
        STICK_TRY(stick_counterface_distance(counterface, x, NARROW * allowed, &gap));
        *fall = fmax(*fall, gap / allowed);
    }
    *fall = fmin(*fall, NARROW);
    return STICK_OK;
}

StickStatus stick_counterface_breadth(const StickCounterface *counterface, int dim, const double place[3],
                                      const double normal[3], double distance, double radius, double *breadth)
{
    double frame[3][3], fall[DIRECTIONS], least = NARROW;
    stick_contact_frame(dim, normal, frame);
    int directions = dim == 2 ? 2 : DIRECTIONS;
    for (int k = 0; k < directions; k++) {
        double direction[3], angle = 2 * M_PI * k / directions;
        for (int i = 0; i < 3; i++)
            direction[i] = dim == 2 ? (k == 0 ? frame[1][i] : -frame[1][i])
                                    : cos(angle) * frame[1][i] + sin(angle) * frame[2][i];
        STICK_TRY(fall_along(counterface, place, direction, distance, radius, &fall[k]));
    }
    // In the plane one side is enough. In space an edge is broad along itself and still passes between nodes: two
    // neighbouring directions are needed.
    for (int k = 0; k < directions; k++)
        least = fmin(least, dim == 2 ? fall[k] : fmax(fall[k], fall[(k + 1) % directions]));
    *breadth = fmin(1, (NARROW - least) / (NARROW - 1));
    return STICK_OK;
}
