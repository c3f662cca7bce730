// SPDX-License-Identifier: Apache-2.0
#include "bodies/loads.h"

#include "base/memory.h"
#include "base/vec.h"

#include <string.h>

typedef struct LoadAtTime {
    const StickLoadSpec *spec;
    int dim;
    double t;
} LoadAtTime;

static StickVariables seen_at(double t, const double place[3])
{
    return (StickVariables){.t = t, .x = place[0], .y = place[1], .z = place[2]};
}

static StickStatus pressure(void *user, const double place[3], double *value)
{
    const LoadAtTime *load = user;
    StickVariables seen = seen_at(load->t, place);
    return stick_expression_value(load->spec->value[0], &seen, value);
}

// Pressure pushes against the outward normal; a traction is given by its components.
static StickStatus traction(void *user, const double place[3], const double normal[3], double value[3])
{
    const LoadAtTime *load = user;
    StickVariables seen = seen_at(load->t, place);
    if (load->spec->kind == STICK_LOAD_PRESSURE) {
        double against;
        STICK_TRY(pressure(user, place, &against));
        for (int k = 0; k < 3; k++)
            value[k] = -against * normal[k];
        return STICK_OK;
    }
    for (int k = 0; k < 3; k++) {
        value[k] = 0;
        if (k < load->dim && load->spec->value[k])
            STICK_TRY(stick_expression_value(load->spec->value[k], &seen, &value[k]));
    }
    return STICK_OK;
}

static StickStatus add_nodal_forces(const StickSystem *system, const StickLoadSpec *spec,
                                    const StickGroup *group, double t, double *F)
{
    const StickBody *body = &system->body[spec->on.body];
    int dim = system->dim;
    for (int i = 0; i < group->nnodes; i++) {
        double place[3] = {0};
        memcpy(place, &body->mesh.x[group->node[i] * dim], (size_t)dim * sizeof *place);
        StickVariables seen = seen_at(t, place);
        for (int k = 0; k < dim; k++) {
            double force = 0;
            if (spec->value[k])
                STICK_TRY(stick_expression_value(spec->value[k], &seen, &force));
            F[body->first + group->node[i] * dim + k] += force;
        }
    }
    return STICK_OK;
}

// ---- rigid bodies

// Sees the place of the point on which it acts, where that is now.
static StickStatus vector_at(const StickLoadSpec *spec, double t, const double place[3], double value[3])
{
    StickVariables seen = seen_at(t, place);
    for (int k = 0; k < 3; k++) {
        value[k] = 0;
        if (spec->value[k])
            STICK_TRY(stick_expression_value(spec->value[k], &seen, &value[k]));
    }
    return STICK_OK;
}

// Where it acts, from the mass centre on.
static void find_lever(const StickRigid *rigid, const StickLoadSpec *spec, const StickPose *pose,
                       double lever[3])
{
    double point[3], place[3];
    for (int k = 0; k < 3; k++)
        point[k] = spec->has_point ? spec->point[k] - rigid->solid->shift[k] : 0;
    stick_pose_place(pose, point, place);
    stick_vec_sub(place, pose->centre, lever);
}

// A force acts at a point of the body or at its mass centre; one that follows is given in the axes of the body.
static StickStatus press_rigid(const StickBody *body, const StickLoadSpec *spec, double t, const double *q,
                               double *F)
{
    const StickRigid *rigid = body->rigid;
    StickPose pose = stick_rigid_pose(rigid, q + body->first), turn = pose;
    double lever[3], place[3], value[3], torque[3];
    find_lever(rigid, spec, &pose, lever);
    stick_vec_axpy(pose.centre, 1, lever, place);
    STICK_TRY(vector_at(spec, t, place, value));
    memset(turn.centre, 0, sizeof turn.centre);
    if (spec->follows)
        stick_pose_place(&turn, value, value);
    if (spec->kind == STICK_LOAD_TORQUE) {
        memcpy(torque, value, sizeof torque);
    } else {
        stick_vec_cross(lever, value, torque);
        for (int k = 0; k < rigid->dim; k++)
            F[body->first + k] += value[k];
    }
    for (int k = 0; k < 3; k++)
        if (rigid->dim == 3 || k == 2)
            F[body->first + rigid->dim + (rigid->dim == 2 ? 0 : k)] += torque[k];
    return STICK_OK;
}

static StickStatus add_rigid_load(const StickSystem *system, const StickLoadSpec *spec, double t,
                                  const double *q, double *F)
{
    const StickModel *model = system->model;
    for (int b = stick_target_next(model, &spec->on, -1); b >= 0; b = stick_target_next(model, &spec->on, b))
        STICK_TRY(press_rigid(&system->body[b], spec, t, q, F));
    return STICK_OK;
}

static bool is_on_rigid(const StickSystem *system, const StickLoadSpec *spec)
{
    return system->body[spec->on.body].rigid != NULL;
}

// ---- all loads

static bool is_follower(const StickLoadSpec *spec)
{
    return spec->kind == STICK_LOAD_PRESSURE && spec->follows;
}

static StickModeTracker follower_at(const StickSystem *system, const StickGroup *group, LoadAtTime *load,
                                    const double *q)
{
    return (StickModeTracker){.facet = group->facet,
                              .nfacets = group->nfacets,
                              .pressure = pressure,
                              .user = load,
                              .q = q + system->body[load->spec->on.body].first};
}

static StickStatus add_load(StickContext *ctx, const StickSystem *system, const StickLoadSpec *spec, double t,
                            const double *q, double *F)
{
    const StickGroup *group;
    if (spec->kind == STICK_LOAD_HOLD) // by the motion of the group, not by given forces
        return STICK_OK;
    STICK_TRY(stick_system_group(system, &spec->on, &group));
    if (spec->kind == STICK_LOAD_FORCE)
        return add_nodal_forces(system, spec, group, t, F);
    if (group->nfacets == 0)
        return stick_fail_at(
            ctx, STICK_BAD_MESH, spec->on.mark,
            "group '%s' has no sides of elements, so that no pressure or traction can act on it",
            group->name);
    const StickBody *body = &system->body[spec->on.body];
    LoadAtTime load = {spec, system->dim, t};
    if (is_follower(spec)) {
        StickModeTracker follower = follower_at(system, group, &load, q);
        return stick_fem_follower_load(ctx, &body->continuum, &follower, F + body->first);
    }
    return stick_fem_facet_load(ctx, &body->continuum, group->facet, group->nfacets, traction, &load,
                                F + body->first);
}

static bool is_constant(const StickLoadSpec *spec)
{
    for (int k = 0; k < 3; k++)
        if (spec->value[k] && !stick_expression_is_constant(spec->value[k]))
            return false;
    return true;
}

// Nodal forces of a unit acceleration in direction k: M times the translation along k.
static StickStatus unit_weights(StickContext *ctx, const StickSystem *system, double *weight)
{
    double *unit;
    STICK_ALLOC(ctx, unit, system->ndofs);
    for (int k = 0; k < system->dim; k++) {
        for (int i = 0; i < system->ndofs; i++)
            unit[i] = system->axis[i] == k;
        for (int b = 0; b < system->nbodies; b++) {
            const StickBody *body = &system->body[b];
            double *into = weight + (size_t)k * (size_t)system->ndofs + body->first;
            if (body->rigid) {
                into[k] = body->rigid->mass;
                continue;
            }
            stick_sparse_multiply_transposed(&body->M, 1, unit + body->first, into);
        }
    }
    stick_free(ctx, unit);
    return STICK_OK;
}

static StickStatus fill(StickContext *ctx, StickLoads *loads)
{
    const StickSystem *system = loads->system;
    const StickModel *model = system->model;
    STICK_ALLOC(ctx, loads->weight, (size_t)system->dim * (size_t)system->ndofs);
    STICK_ALLOC(ctx, loads->constant, system->ndofs);
    STICK_ALLOC(ctx, loads->start, system->ndofs);
    STICK_ALLOC(ctx, loads->changes, model->nloads);
    STICK_TRY(unit_weights(ctx, system, loads->weight));
    for (int k = 0; k < model->nloads; k++) {
        const StickLoadSpec *spec = &model->load[k];
        loads->changes[k] = !is_constant(spec) || is_on_rigid(system, spec) || is_follower(spec);
        loads->follow = loads->follow || is_follower(spec);
        if (!loads->changes[k])
            STICK_TRY(add_load(ctx, system, spec, 0, loads->start, loads->constant));
    }
    return STICK_OK;
}

StickStatus stick_loads_create(StickContext *ctx, const StickSystem *system, StickLoads *loads)
{
    *loads = (StickLoads){.system = system};
    StickStatus status = fill(ctx, loads);
    if (status != STICK_OK)
        stick_loads_destroy(ctx, loads);
    return status;
}

void stick_loads_destroy(StickContext *ctx, StickLoads *loads)
{
    stick_free(ctx, loads->weight);
    stick_free(ctx, loads->constant);
    stick_free(ctx, loads->start);
    stick_free(ctx, loads->changes);
    *loads = (StickLoads){0};
}

StickStatus stick_loads_force_at(StickContext *ctx, const StickLoads *loads, double t, const double *q,
                                 double *F)
{
    const StickSystem *system = loads->system;
    const StickModel *model = system->model;
    StickVariables seen = {.t = t};
    memcpy(F, loads->constant, (size_t)system->ndofs * sizeof *F);
    for (int k = 0; k < system->dim; k++) {
        double g = 0;
        if (!model->gravity[k])
            continue;
        STICK_TRY(stick_expression_value(model->gravity[k], &seen, &g));
        const double *weight = loads->weight + (size_t)k * (size_t)system->ndofs;
        for (int i = 0; i < system->ndofs && g != 0; i++)
            F[i] += g * weight[i];
    }
    for (int k = 0; k < model->nloads; k++) {
        const StickLoadSpec *spec = &model->load[k];
        if (is_on_rigid(system, spec))
            STICK_TRY(add_rigid_load(system, spec, t, q, F));
        else if (loads->changes[k])
            STICK_TRY(add_load(ctx, system, spec, t, q, F));
    }
    return STICK_OK;
}

StickStatus stick_loads_tangent(StickContext *ctx, const StickLoads *loads, double t, const double *q,
                                double **tangent)
{
    const StickSystem *system = loads->system;
    for (int k = 0; loads->follow && k < system->model->nloads; k++) {
        const StickLoadSpec *spec = &system->model->load[k];
        if (!is_follower(spec) || !tangent[spec->on.body])
            continue;
        const StickBody *body = &system->body[spec->on.body];
        const StickGroup *group;
        LoadAtTime load = {spec, system->dim, t};
        STICK_TRY(stick_system_group(system, &spec->on, &group));
        StickModeTracker follower = follower_at(system, group, &load, q);
        STICK_TRY(
            stick_fem_follower_tangent(ctx, &body->continuum, &follower, &body->K, tangent[spec->on.body]));
    }
    return STICK_OK;
}

StickStatus stick_loads_force(StickContext *ctx, const StickLoads *loads, double t, double *F)
{
    return stick_loads_force_at(ctx, loads, t, loads->start, F);
}
