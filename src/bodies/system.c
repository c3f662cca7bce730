// SPDX-License-Identifier: Apache-2.0
#include "bodies/system.h"

#include "base/memory.h"
#include "base/text.h"
#include "mesh/build.h"
#include "model/result.h"

#include <string.h>

static StickStatus mesh_body(StickContext *ctx, const StickModel *model, const StickBodySpec *spec,
                             StickBody *body)
{
    body->name = spec->name;
    body->spec = spec;
    STICK_TRY(stick_mesh_build(ctx, spec, &body->mesh));
    body->ndofs = body->mesh.nnodes * body->mesh.dim;
    body->continuum = (StickContinuum){
        .name = spec->name,
        .mark = spec->mark,
        .mesh = &body->mesh,
        .material = &model->material[spec->material],
        .plane = spec->plane,
        .thickness = spec->thickness,
        .mean_dilatation = spec->element == STICK_ELEMENT_MEAN_DILATATION,
        .lumped_mass = spec->lumped_mass,
    };
    return STICK_OK;
}

static StickStatus refuse_other_dimension(StickContext *ctx, const StickSystem *system, const StickBody *body)
{
    if (body->mesh.dim == system->dim)
        return STICK_OK;
    return stick_fail_at(ctx, STICK_BAD_MESH, body->spec->mark,
                         "body '%s' has %d dimensions, but body '%s' has %d: all bodies live in one space",
                         body->name, body->mesh.dim, system->body[0].name, system->dim);
}

static double mass_of(const StickBody *body)
{
    double mass = 0;
    for (int j = 0; j < body->ndofs; j += body->mesh.dim)
        for (int k = body->M.start[j]; k < body->M.start[j + 1]; k++)
            mass += body->M.row[k] % body->mesh.dim == 0 ? body->M.value[k] : 0;
    return mass;
}

static StickStatus mesh_bodies(StickSystem *system)
{
    StickContext *ctx = system->ctx;
    const StickModel *model = system->model;
    STICK_ALLOC(ctx, system->body, model->nbodies);
    for (int b = 0; b < model->nbodies; b++) {
        StickBody *body = &system->body[b];
        system->nbodies = b + 1;
        if (model->body[b].rigid)
            return stick_fail_at(ctx, STICK_BAD_INPUT, model->body[b].mark,
                                 "body '%s' is rigid: rigid bodies are read and checked, but not computed yet",
                                 model->body[b].name);
        STICK_TRY(mesh_body(ctx, model, &model->body[b], body));
        if (b == 0)
            system->dim = body->mesh.dim;
        STICK_TRY(refuse_other_dimension(ctx, system, body));
        body->first = system->ndofs;
        system->ndofs += body->ndofs;
    }
    return STICK_OK;
}

// ---- groups that the model names

enum { MOST_NAMES = 256, MOST_ERRORS = 100 };

StickStatus stick_system_group(const StickSystem *system, const StickTarget *target, const StickGroup **group)
{
    const StickBody *body = &system->body[target->body];
    const char *wanted = target->group ? target->group : "all";
    *group = stick_mesh_group(&body->mesh, wanted);
    if (*group)
        return STICK_OK;
    const char *names[MOST_NAMES];
    size_t count = 0;
    for (int k = 0; k < body->mesh.ngroups && count < MOST_NAMES; k++)
        names[count++] = body->mesh.group[k].name;
    StickSuggestion suggestion = stick_suggestion(wanted, names, count);
    return stick_fail_at(system->ctx, STICK_BAD_MESH, target->mark, "body '%s' has no group '%s'%s",
                         body->name, wanted, suggestion.text);
}

// The component that a history follows must be one of this space.
static StickStatus check_component(const StickSystem *system, const StickHistorySpec *spec)
{
    static const char *const axes[] = {".x", ".x or .y", ".x, .y or .z"};
    const StickResult *what = stick_result(spec->what);
    bool by_frame = what->by_frame && spec->component >= STICK_NORMAL_COMPONENT;
    bool by_axis = what->by_component && spec->component >= 0 && spec->component < system->dim;
    if (what->of_rigid || by_frame || by_axis || (!what->by_component && spec->component < 0))
        return STICK_OK;
    return stick_fail_at(system->ctx, STICK_BAD_INPUT, spec->mark, "history '%s': '%s' takes %s%s here",
                         spec->name, what->name, what->by_component ? axes[system->dim - 1] : "no component",
                         what->by_frame ? ", .normal or .tangential" : "");
}

// What the model names, and what of it is missing.
typedef struct Check {
    const StickSystem *system;
    size_t errors; // said before
    StickStatus status;
} Check;

static void note(Check *check, StickStatus status)
{
    check->status = status == STICK_OK ? check->status : status;
}

// Obstacles have no groups; of a file that is all wrong not everything is said.
static void check_target(Check *check, const StickTarget *target)
{
    const StickGroup *group;
    if (target->body >= 0 && stick_error_count(check->system->ctx) - check->errors < MOST_ERRORS)
        note(check, stick_system_group(check->system, target, &group));
}

// All groups that do not exist are said at once.
static StickStatus check_targets(const StickSystem *system)
{
    const StickModel *model = system->model;
    Check check = {.system = system, .errors = stick_error_count(system->ctx)};
    for (int k = 0; k < model->nsupports; k++)
        check_target(&check, &model->support[k].on);
    for (int k = 0; k < model->nloads; k++)
        check_target(&check, &model->load[k].on);
    for (int k = 0; k < model->ncontacts; k++) {
        check_target(&check, &model->contact[k].slave);
        check_target(&check, &model->contact[k].master);
    }
    for (int k = 0; k < model->output.nhistories; k++) {
        note(&check, check_component(system, &model->output.history[k]));
        check_target(&check, &model->output.history[k].of);
    }
    return check.status;
}

// ---- the system

static StickStatus fill(StickSystem *system)
{
    STICK_TRY(mesh_bodies(system));
    // both have their say
    StickStatus dims = stick_model_check_dim(system->model, system->dim), targets = check_targets(system);
    STICK_TRY(dims);
    STICK_TRY(targets);
    STICK_ALLOC(system->ctx, system->total_mass, system->nbodies);
    for (int b = 0; b < system->nbodies; b++) {
        StickBody *body = &system->body[b];
        STICK_TRY(stick_fem_matrices(system->ctx, &body->continuum, &body->M, &body->C, &body->K));
        system->total_mass[b] = mass_of(body);
    }
    return STICK_OK;
}

StickStatus stick_system_create(StickContext *ctx, const StickModel *model, StickSystem **system)
{
    StickSystem *created;
    STICK_ALLOC(ctx, created, 1);
    created->ctx = ctx;
    created->model = model;
    StickStatus status = fill(created);
    if (status != STICK_OK) {
        stick_system_destroy(created);
        return status;
    }
    *system = created;
    return STICK_OK;
}

void stick_system_destroy(StickSystem *system)
{
    if (!system)
        return;
    StickContext *ctx = system->ctx;
    for (int b = 0; b < system->nbodies; b++) {
        StickBody *body = &system->body[b];
        stick_sparse_destroy(ctx, &body->M);
        stick_sparse_destroy(ctx, &body->C);
        stick_sparse_destroy(ctx, &body->K);
        stick_mesh_destroy(ctx, &body->mesh);
    }
    stick_free(ctx, system->body);
    stick_free(ctx, system->total_mass);
    stick_free(ctx, system);
}

// ---- initial motion

// Mass centre of the body in its reference configuration, by its mass matrix.
static void mass_centre(const StickBody *body, int dim, double centre[3])
{
    double mass = 0;
    centre[0] = centre[1] = centre[2] = 0;
    for (int i = 0; i < body->mesh.nnodes; i++) {
        double share = 0;
        for (int k = body->M.start[i * dim]; k < body->M.start[i * dim + 1]; k++)
            share += body->M.row[k] % dim == 0 ? body->M.value[k] : 0;
        mass += share;
        for (int k = 0; k < dim; k++)
            centre[k] += share * body->mesh.x[i * dim + k];
    }
    for (int k = 0; k < dim; k++)
        centre[k] /= mass;
}

// omega x (place - centre)
static void spin(const double omega[3], const double place[3], const double centre[3], double velocity[3])
{
    double d[3];
    for (int k = 0; k < 3; k++)
        d[k] = place[k] - centre[k];
    velocity[0] = omega[1] * d[2] - omega[2] * d[1];
    velocity[1] = omega[2] * d[0] - omega[0] * d[2];
    velocity[2] = omega[0] * d[1] - omega[1] * d[0];
}

static StickStatus initial_of_body(const StickBody *body, int dim, double *q, double *v)
{
    const StickBodySpec *spec = body->spec;
    double centre[3];
    mass_centre(body, dim, centre);
    for (int i = 0; i < body->mesh.nnodes; i++) {
        double place[3] = {0}, turning[3];
        memcpy(place, &body->mesh.x[i * dim], (size_t)dim * sizeof *place);
        spin(spec->angular_velocity, place, centre, turning);
        StickVariables seen = {.x = place[0], .y = place[1], .z = place[2]};
        for (int k = 0; k < dim; k++) {
            double displacement = 0, velocity = 0;
            if (spec->displacement[k])
                STICK_TRY(stick_expression_value(spec->displacement[k], &seen, &displacement));
            if (spec->velocity[k])
                STICK_TRY(stick_expression_value(spec->velocity[k], &seen, &velocity));
            q[body->first + i * dim + k] = displacement;
            v[body->first + i * dim + k] = velocity + turning[k];
        }
    }
    return STICK_OK;
}

StickStatus stick_system_initial(const StickSystem *system, double *q, double *v)
{
    for (int b = 0; b < system->nbodies; b++)
        STICK_TRY(initial_of_body(&system->body[b], system->dim, q, v));
    return STICK_OK;
}
