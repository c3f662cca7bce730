// SPDX-License-Identifier: Apache-2.0
#include "stepping/rotation.h"

#include "base/memory.h"
#include "base/vec.h"

static bool can_turn(const StickSystem *system, int b)
{
    if (system->body[b].rigid || system->body[b].finite) // turns as far as it likes
        return false;
    return system->dim == 3 || (system->dim == 2 && system->body[b].continuum.plane != STICK_AXISYMMETRIC);
}

static void arm_of(const StickBody *body, int dim, int node, const double centre[3], double arm[3])
{
    for (int k = 0; k < 3; k++)
        arm[k] = (k < dim ? body->mesh.x[node * dim + k] : 0) - centre[k];
}

// Mass of each node: the sum of its row of M in one direction.
static void find_shares(const StickBody *body, int dim, StickBodyRotation *own)
{
    double mass = 0;
    for (int i = 0; i < body->mesh.nnodes; i++) {
        for (int e = body->M.start[i * dim]; e < body->M.start[i * dim + 1]; e++)
            own->share[i] += body->M.row[e] % dim == 0 ? body->M.value[e] : 0;
        mass += own->share[i];
        for (int k = 0; k < dim; k++)
            own->centre[k] += own->share[i] * body->mesh.x[i * dim + k];
    }
    for (int k = 0; k < dim; k++)
        own->centre[k] /= mass;
}

// Inverse of a symmetric 3 x 3 matrix by its cofactors.
static void invert(const double A[9], double B[9])
{
    double c0 = A[4] * A[8] - A[5] * A[7], c1 = A[5] * A[6] - A[3] * A[8], c2 = A[3] * A[7] - A[4] * A[6];
    double d = A[0] * c0 + A[1] * c1 + A[2] * c2;
    B[0] = c0 / d, B[3] = B[1] = c1 / d, B[6] = B[2] = c2 / d;
    B[4] = (A[0] * A[8] - A[2] * A[6]) / d;
    B[7] = B[5] = (A[1] * A[6] - A[0] * A[7]) / d;
    B[8] = (A[0] * A[4] - A[1] * A[3]) / d;
}

static void find_inertia(const StickBody *body, int dim, StickBodyRotation *own)
{
    double I[9] = {0}, arm[3];
    for (int i = 0; i < body->mesh.nnodes; i++) {
        arm_of(body, dim, i, own->centre, arm);
        double square = stick_vec_dot(arm, arm);
        for (int k = 0; k < 3; k++)
            for (int l = 0; l < 3; l++)
                I[3 * k + l] += own->share[i] * ((k == l) * square - arm[k] * arm[l]);
    }
    if (dim == 3)
        invert(I, own->inverse_inertia);
    else
        own->inverse_inertia[8] = 1 / I[8]; // about the normal of the plane only
}

static StickStatus fill(StickContext *ctx, const StickSystem *system, StickRotation *rotation)
{
    STICK_ALLOC(ctx, rotation->body, system->nbodies);
    rotation->nbodies = system->nbodies;
    for (int b = 0; b < system->nbodies; b++) {
        StickBodyRotation *own = &rotation->body[b];
        if (!can_turn(system, b))
            continue;
        STICK_ALLOC(ctx, own->share, system->body[b].mesh.nnodes);
        find_shares(&system->body[b], system->dim, own);
        find_inertia(&system->body[b], system->dim, own);
    }
    return STICK_OK;
}

StickStatus stick_rotation_create(StickContext *ctx, const StickSystem *system, StickRotation *rotation)
{
    *rotation = (StickRotation){0};
    StickStatus status = fill(ctx, system, rotation);
    if (status != STICK_OK)
        stick_rotation_destroy(ctx, rotation);
    return status;
}

void stick_rotation_destroy(StickContext *ctx, StickRotation *rotation)
{
    for (int b = 0; b < rotation->nbodies; b++)
        stick_free(ctx, rotation->body[b].share);
    stick_free(ctx, rotation->body);
    *rotation = (StickRotation){0};
}

static double angle_of(const StickBody *body, int dim, const StickBodyRotation *own, const double *q)
{
    double moment[3] = {0}, angle[3] = {0};
    for (int i = 0; i < body->mesh.nnodes; i++) {
        double arm[3], moved[3] = {0}, cross[3];
        arm_of(body, dim, i, own->centre, arm);
        for (int k = 0; k < dim; k++)
            moved[k] = q[body->first + i * dim + k];
        stick_vec_cross(arm, moved, cross);
        stick_vec_axpy(moment, own->share[i], cross, moment);
    }
    for (int k = 0; k < 3; k++)
        angle[k] = stick_vec_dot(own->inverse_inertia + 3 * k, moment);
    return stick_vec_norm(angle);
}

double stick_rotation_largest(const StickRotation *rotation, const StickSystem *system, const double *q,
                              int *body)
{
    double largest = 0;
    *body = 0;
    for (int b = 0; b < rotation->nbodies && !stick_system_is_rigid(system); b++) {
        double angle =
            can_turn(system, b) ? angle_of(&system->body[b], system->dim, &rotation->body[b], q) : 0;
        if (angle > largest) {
            largest = angle;
            *body = b;
        }
    }
    return largest;
}
