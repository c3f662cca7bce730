// SPDX-License-Identifier: Apache-2.0
#include "contact/curvature_bias.h"

#include "base/vec.h"
#include "contact/concave_obstacle.h"

#include <math.h>

static const StickConvex *shape_of(const StickSystem *system, const StickContact *contact)
{
    return &system->body[contact->body[0]].rigid->solid->shape[contact->shapes];
}

static bool is_bent(const StickSystem *system, const StickContact *contact)
{
    if (contact->pair >= 0 || contact->obstacle < 0)
        return false;
    const StickObstacleSpec *spec = &system->model->obstacle[contact->obstacle];
    return stick_is_hollow(spec) && spec->kind != STICK_OBSTACLE_POLYLINE &&
           shape_of(system, contact)->kind != STICK_SHAPE_CYLINDER;
}

// Square of the velocity around the centre or axis, as the obstacle sees it.
static double around(const StickObstacleSpec *spec, int dim, const StickContact *contact,
                     const double velocity[3])
{
    double u[3] = {0};
    for (int k = 1; k < dim; k++)
        stick_vec_axpy(u, stick_vec_dot(contact->frame[k], velocity) + contact->u_drive[k], contact->frame[k],
                       u);
    if (spec->kind == STICK_OBSTACLE_CYLINDER)
        stick_vec_axpy(u, -stick_vec_dot(u, spec->normal), spec->normal, u);
    return stick_vec_dot(u, u);
}

// n . (omega x (omega x arm)): what a body that turns takes its corners away by
static double lift(int dim, const double normal[3], const double *v, const double arm[3])
{
    const double omega[3] = {dim == 3 ? v[3] : 0, dim == 3 ? v[4] : 0, dim == 3 ? v[5] : v[2]};
    return stick_vec_dot(normal, omega) * stick_vec_dot(omega, arm) -
           stick_vec_dot(normal, arm) * stick_vec_dot(omega, omega);
}

double stick_contact_bend(const StickSystem *system, const StickContact *contact, const double *q,
                          const double *v, double h)
{
    if (!is_bent(system, contact))
        return 0;
    const StickObstacleSpec *spec = &system->model->obstacle[contact->obstacle];
    const StickBody *body = &system->body[contact->body[0]];
    const StickConvex *shape = shape_of(system, contact);
    const double *normal = contact->frame[0];
    double radius = shape->kind == STICK_SHAPE_POLYTOPE ? 0 : shape->radius, core[3], velocity[3], arm[3];
    double rho = spec->radius - radius - contact->gap;
    StickPose pose = stick_rigid_pose(body->rigid, q + body->first);
    stick_vec_axpy(contact->place, radius + 0.5 * contact->gap, normal, core);
    stick_vec_sub(core, pose.centre, arm);
    stick_rigid_velocity(body->rigid, v + body->first, pose.centre, core, velocity);
    double square = around(spec, system->dim, contact, velocity);
    // no chord is so long: none is gone
    if (!(h * h * square < rho * rho))
        return 0;
    double chord = h * square / (rho + sqrt(rho * rho - h * h * square));
    return fmax(0, chord - 0.5 * h * lift(system->dim, normal, v + body->first, arm));
}
