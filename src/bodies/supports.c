// SPDX-License-Identifier: Apache-2.0
#include "bodies/supports.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

static StickStatus add_node(StickContext *ctx, const StickSystem *system, const StickSupportSpec *spec,
                            int node, StickSupports *supports)
{
    const StickBody *body = &system->body[spec->on.body];
    for (int k = 0; k < system->dim; k++) {
        if (!spec->displacement[k] && !spec->velocity[k])
            continue;
        STICK_RESERVE(ctx, supports->support, supports->capacity, supports->count + 1);
        StickSupport *support = &supports->support[supports->count++];
        *support = (StickSupport){
            .dof = body->first + node * system->dim + k,
            .spec = spec,
            .displacement = spec->displacement[k],
            .velocity = spec->velocity[k],
        };
        for (int j = 0; j < system->dim; j++)
            support->place[j] = body->mesh.x[node * system->dim + j];
    }
    return STICK_OK;
}

static StickStatus add_rigid_dof(StickContext *ctx, const StickBody *body, const StickSupport *what,
                                 StickSupports *supports)
{
    if (!what->displacement && !what->velocity)
        return STICK_OK;
    STICK_RESERVE(ctx, supports->support, supports->capacity, supports->count + 1);
    StickSupport *support = &supports->support[supports->count++];
    *support = *what;
    for (int k = 0; k < 3; k++)
        support->place[k] = body->rigid->centre[k];
    return STICK_OK;
}

// The position of the mass centre is prescribed, and the angle or angular velocity.
static StickStatus add_rigid(StickContext *ctx, const StickSystem *system, const StickSupportSpec *spec,
                             int b, StickSupports *supports)
{
    const StickBody *body = &system->body[b];
    int dim = system->dim;
    for (int k = 0; k < dim; k++) {
        StickSupport support = {.dof = body->first + k,
                                .spec = spec,
                                .displacement = spec->displacement[k],
                                .velocity = spec->velocity[k]};
        STICK_TRY(add_rigid_dof(ctx, body, &support, supports));
    }
    for (int k = 0; k < 3; k++) {
        if (dim == 2 && k < 2)
            continue;
        StickSupport support = {.dof = body->first + dim + (dim == 2 ? 0 : k),
                                .spec = spec,
                                .displacement = dim == 2 ? spec->rotation : NULL,
                                .velocity = spec->angular_velocity[k]};
        STICK_TRY(add_rigid_dof(ctx, body, &support, supports));
    }
    return STICK_OK;
}

static StickStatus add_rigids(StickContext *ctx, const StickSystem *system, const StickSupportSpec *spec,
                              StickSupports *supports)
{
    const StickModel *model = system->model;
    for (int b = stick_target_next(model, &spec->on, -1); b >= 0; b = stick_target_next(model, &spec->on, b))
        STICK_TRY(add_rigid(ctx, system, spec, b, supports));
    return STICK_OK;
}

static StickStatus add_spec(StickContext *ctx, const StickSystem *system, const StickSupportSpec *spec,
                            StickSupports *supports)
{
    const StickGroup *group;
    if (system->body[spec->on.body].rigid)
        return add_rigids(ctx, system, spec, supports);
    STICK_TRY(stick_system_group(system, &spec->on, &group));
    for (int k = 0; k < group->nnodes; k++)
        STICK_TRY(add_node(ctx, system, spec, group->node[k], supports));
    return STICK_OK;
}

static const StickSupport *held_by(const StickSupports *supports, int count, int dof)
{
    for (int k = 0; k < count; k++)
        if (supports->support[k].dof == dof)
            return &supports->support[k];
    return NULL;
}

// A node of the axis that is moved off it tears the ring open.
static StickStatus refuse_off_axis(StickContext *ctx, const StickBody *body, const StickSupport *support)
{
    StickExpression *law = support->displacement ? support->displacement : support->velocity;
    double value = 1;
    if (stick_expression_is_constant(law))
        STICK_TRY(stick_support_value(support, 0, &value));
    if (value == 0)
        return STICK_OK;
    return stick_fail_at(ctx, STICK_BAD_INPUT, support->spec->mark,
                         "nodes of body '%s' on the axis of the ring cannot leave it: their x is free or 0",
                         body->name);
}

// Nodes on the axis of rings stay on it; the elements alone would let them leave it.
static StickStatus hold_axis(StickContext *ctx, const StickBody *body, StickSupports *supports)
{
    int given = supports->count, dim = body->mesh.dim;
    double width = 0;
    for (int i = 0; i < body->mesh.nnodes; i++)
        width = fmax(width, fabs(body->mesh.x[i * dim]));
    for (int i = 0; i < body->mesh.nnodes; i++) {
        int dof = body->first + i * dim;
        if (fabs(body->mesh.x[i * dim]) > 1e-12 * width)
            continue;
        const StickSupport *held = held_by(supports, given, dof);
        if (held) {
            STICK_TRY(refuse_off_axis(ctx, body, held));
            continue;
        }
        STICK_RESERVE(ctx, supports->support, supports->capacity, supports->count + 1);
        StickSupport *support = &supports->support[supports->count++];
        *support = (StickSupport){.dof = dof};
        for (int j = 0; j < dim; j++)
            support->place[j] = body->mesh.x[i * dim + j];
    }
    return STICK_OK;
}

static int by_dof(const void *a, const void *b)
{
    const StickSupport *left = a, *right = b;
    if (left->dof != right->dof)
        return left->dof < right->dof ? -1 : 1;
    return (left->spec > right->spec) - (left->spec < right->spec);
}

static StickStatus refuse_repeat(StickContext *ctx, const StickSystem *system, const StickSupport *support,
                                 const StickSupport *before)
{
    const StickBody *body = &system->body[support->spec->on.body];
    int local = support->dof - body->first;
    if (body->rigid)
        return stick_fail_at(ctx, STICK_BAD_INPUT, support->spec->mark,
                             "the motion of body '%s' is prescribed twice and differently (also at line %d)",
                             body->name, before->spec->mark.line);
    return stick_fail_at(
        ctx, STICK_BAD_INPUT, support->spec->mark,
        "component %d of node %d of body '%s' is prescribed twice and differently (also at line %d)",
        local % system->dim + 1, local / system->dim + 1, body->name, before->spec->mark.line);
}

static bool is_same(const StickExpression *a, const StickExpression *b)
{
    return a == b || (a && b && stick_expression_is_same(a, b));
}

// A corner may belong to two supports with the same prescription: one of them is kept.
static StickStatus merge_repeats(StickContext *ctx, const StickSystem *system, StickSupports *supports)
{
    int kept = 0;
    for (int k = 0; k < supports->count; k++) {
        const StickSupport *support = &supports->support[k];
        const StickSupport *before = kept ? &supports->support[kept - 1] : NULL;
        if (!before || before->dof != support->dof)
            supports->support[kept++] = *support;
        else if (!is_same(support->displacement, before->displacement) ||
                 !is_same(support->velocity, before->velocity))
            return refuse_repeat(ctx, system, support, before);
    }
    supports->count = kept;
    return STICK_OK;
}

static StickStatus fill(StickContext *ctx, const StickSystem *system, StickSupports *supports)
{
    const StickModel *model = system->model;
    for (int k = 0; k < model->nsupports; k++)
        STICK_TRY(add_spec(ctx, system, &model->support[k], supports));
    for (int b = 0; b < system->nbodies; b++)
        if (system->dim == 2 && !system->body[b].rigid && system->body[b].spec->plane == STICK_AXISYMMETRIC)
            STICK_TRY(hold_axis(ctx, &system->body[b], supports));
    if (supports->count > 0)
        qsort(supports->support, (size_t)supports->count, sizeof *supports->support, by_dof);
    return merge_repeats(ctx, system, supports);
}

StickStatus stick_supports_create(StickContext *ctx, const StickSystem *system, StickSupports *supports)
{
    *supports = (StickSupports){0};
    StickStatus status = fill(ctx, system, supports);
    if (status != STICK_OK)
        stick_supports_destroy(ctx, supports);
    return status;
}

void stick_supports_destroy(StickContext *ctx, StickSupports *supports)
{
    stick_free(ctx, supports->support);
    *supports = (StickSupports){0};
}

StickStatus stick_support_value(const StickSupport *support, double t, double *value)
{
    StickVariables seen = {.t = t, .x = support->place[0], .y = support->place[1], .z = support->place[2]};
    StickExpression *law = support->displacement ? support->displacement : support->velocity;
    if (law)
        return stick_expression_value(law, &seen, value);
    *value = 0;
    return STICK_OK;
}
