// SPDX-License-Identifier: Apache-2.0
#include "bodies/system.h"

#include "base/memory.h"
#include "base/pi.h"
#include "base/text.h"
#include "bodies/locking.h"
#include "bodies/loose.h"
#include "bodies/make_rigid.h"
#include "bodies/modes.h"
#include "fem/finite.h"
#include "fem/material.h"
#include "gears/gear_mesh.h"
#include "gears/tell.h"
#include "mesh/build.h"
#include "model/result.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Gears are made downstream of mesh/.
static StickStatus make_mesh(StickContext *ctx, const StickBodySpec *spec, StickMesh *mesh)
{
    StickMesh made;
    if (spec->mesh.kind != STICK_MESH_GEAR)
        return stick_mesh_build(ctx, spec, mesh);
    STICK_TRY(stick_gear_mesh(ctx, &spec->mesh, &made));
    STICK_TRY(stick_mesh_settle(ctx, spec, &made));
    *mesh = made;
    return STICK_OK;
}

static StickStatus mesh_body(StickContext *ctx, const StickModel *model, const StickBodySpec *spec,
                             StickBody *body)
{
    body->name = spec->name;
    body->spec = spec;
    STICK_TRY(make_mesh(ctx, spec, &body->mesh));
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

// ---- rigid bodies

// In pictures of very many bodies each one is small, and fields of all of them are large: round bodies get few
// corners. In models with deformable bodies skins may be contact surfaces, and stay fine.
enum { MANY = 2000, COARSE_PLANE = 12, COARSE_SPACE = 8 };

static int roundness(const StickSystem *system)
{
    const StickModel *model = system->model;
    if (model->nbodies < MANY)
        return 0;
    for (int b = 0; b < model->nbodies; b++)
        if (!model->body[b].rigid)
            return 0;
    return model->body[0].rigid->dim == 2 ? COARSE_PLANE : COARSE_SPACE;
}

static StickStatus find_solid(StickSystem *system, const StickBodySpec *spec, const StickRigidSpec **known,
                              StickSolid **solid)
{
    // bodies of one list stand side by side
    if (system->nsolids > 0 && known[system->nsolids - 1] == spec->rigid) {
        *solid = &system->solid[system->nsolids - 1];
        return STICK_OK;
    }
    *solid = &system->solid[system->nsolids];
    STICK_TRY(stick_make_solid(system->ctx, spec, system->round, *solid));
    known[system->nsolids++] = spec->rigid;
    return STICK_OK;
}

// The skin at the start.
static StickStatus place_skin(StickContext *ctx, StickBody *body)
{
    const StickRigid *rigid = body->rigid;
    const StickMesh *skin = &rigid->solid->skin;
    double zero[STICK_RIGID_DOFS] = {0}, *places;
    STICK_ALLOC(ctx, places, skin->nnodes * skin->dim);
    StickPose pose = stick_rigid_pose(rigid, zero);
    for (int i = 0; i < skin->nnodes; i++) {
        double x[3] = {0}, place[3];
        memcpy(x, &skin->x[i * skin->dim], (size_t)skin->dim * sizeof *x);
        stick_pose_place(&pose, x, place);
        memcpy(&places[i * skin->dim], place, (size_t)skin->dim * sizeof *places);
    }
    body->mesh = *skin;
    body->mesh.x = places;
    return STICK_OK;
}

static StickStatus rigid_body(StickSystem *system, const StickBodySpec *spec, const StickRigidSpec **known,
                              StickBody *body)
{
    StickContext *ctx = system->ctx;
    StickSolid *solid;
    body->name = spec->name;
    body->spec = spec;
    STICK_TRY(find_solid(system, spec, known, &solid));
    StickRigid *rigid = &system->rigid[system->nrigid];
    STICK_TRY(stick_make_rigid(ctx, system->model, spec, solid, rigid));
    system->nrigid++;
    body->rigid = rigid;
    STICK_TRY(place_skin(ctx, body));
    body->ndofs = stick_rigid_ndofs(solid->dim);
    body->continuum = (StickContinuum){
        .name = spec->name, .mark = spec->mark, .mesh = &body->mesh, .thickness = spec->thickness};
    return STICK_OK;
}

static StickStatus any_body(StickSystem *system, const StickBodySpec *spec, const StickRigidSpec **known,
                            StickBody *body)
{
    return spec->rigid ? rigid_body(system, spec, known, body)
                       : mesh_body(system->ctx, system->model, spec, body);
}

static StickStatus mesh_bodies(StickSystem *system, const StickRigidSpec **known)
{
    StickContext *ctx = system->ctx;
    const StickModel *model = system->model;
    STICK_ALLOC(ctx, system->body, model->nbodies);
    STICK_ALLOC(ctx, system->rigid, model->nbodies);
    STICK_ALLOC(ctx, system->solid, model->nbodies);
    for (int b = 0; b < model->nbodies; b++) {
        StickBody *body = &system->body[b];
        system->nbodies = b + 1;
        STICK_TRY(any_body(system, &model->body[b], known, body));
        if (b == 0)
            system->dim = body->mesh.dim;
        STICK_TRY(refuse_other_dimension(ctx, system, body));
        body->first = system->ndofs;
        system->ndofs += body->ndofs;
    }
    return STICK_OK;
}

static StickStatus create_bodies(StickSystem *system)
{
    const StickRigidSpec **known;
    system->round = roundness(system);
    STICK_ALLOC(system->ctx, known, system->model->nbodies);
    StickStatus status = mesh_bodies(system, known);
    stick_free(system->ctx, known);
    return status;
}

static StickStatus find_axes(StickSystem *system)
{
    int dim = system->dim;
    STICK_ALLOC(system->ctx, system->axis, system->ndofs);
    for (int b = 0; b < system->nbodies; b++) {
        const StickBody *body = &system->body[b];
        int *axis = system->axis + body->first;
        for (int i = 0; i < body->ndofs; i++)
            axis[i] = !body->rigid || i < dim ? i % dim : STICK_AXIS_TURN + (dim == 2 ? 2 : i - dim);
    }
    return STICK_OK;
}

// ---- groups that the model names

enum { MOST_NAMES = 256, MOST_ERRORS = 100, SHOWN_NAMES = 8, SHOWN_TEXT = 400 };

// "; it has bottom, right, ...": the first groups, where none is nearly called so.
static void list_groups(const char *const *names, size_t count, char text[SHOWN_TEXT])
{
    int length = snprintf(text, SHOWN_TEXT, "; it has");
    for (size_t k = 0; k < count && k < SHOWN_NAMES; k++)
        length +=
            snprintf(text + length, (size_t)(SHOWN_TEXT - length), "%s %.40s", k > 0 ? "," : "", names[k]);
    if (count > SHOWN_NAMES)
        snprintf(text + length, (size_t)(SHOWN_TEXT - length), " and others");
}

StickStatus stick_system_group(const StickSystem *system, const StickTarget *target, const StickGroup **group)
{
    const StickBody *body = &system->body[target->body];
    const char *whole = body->rigid ? "outer" : "all"; // of a rigid body its skin
    const char *wanted = target->group ? target->group : whole;
    *group = stick_mesh_group(&body->mesh, wanted);
    if (*group)
        return STICK_OK;
    const char *names[MOST_NAMES];
    size_t count = 0;
    for (int k = 0; k < body->mesh.ngroups && count < MOST_NAMES; k++)
        names[count++] = body->mesh.group[k].name;
    StickSuggestion suggestion = stick_suggestion(wanted, names, count);
    char groups[SHOWN_TEXT] = "";
    if (!suggestion.text[0])
        list_groups(names, count, groups);
    return stick_fail_at(system->ctx, STICK_BAD_MESH, target->mark, "body '%s' has no group '%s'%s%s",
                         body->name, wanted, suggestion.text, groups);
}

// The component that a history follows must be one of this space.
static StickStatus check_component(const StickSystem *system, const StickHistorySpec *spec)
{
    static const char *const axes[] = {".x", ".x or .y", ".x, .y or .z"};
    const StickResult *what = stick_result(spec->what);
    bool by_frame = what->by_frame && spec->component >= STICK_NORMAL_COMPONENT;
    bool by_axis = what->by_component && spec->component >= 0 && spec->component < system->dim;
    if (what->of_rigid || what->of_joint || what->of_frame || what->of_gears || by_frame || by_axis ||
        (!what->by_component && spec->component < 0))
        return STICK_OK;
    return stick_fail_at(system->ctx, STICK_BAD_INPUT, spec->mark, "history '%s': '%s' takes %s%s here",
                         spec->name, what->name, what->by_component ? axes[system->dim - 1] : "no component",
                         what->by_frame ? ", .normal or .tangential" : "");
}

// Check of the groups and components that the model names.
typedef struct Check {
    const StickSystem *system;
    size_t errors; // reported before
    StickStatus status;
} Check;

static void note(Check *check, StickStatus status)
{
    check->status = status == STICK_OK ? check->status : status;
}

// Obstacles have no groups. The number of reported errors is limited.
static void check_target(Check *check, const StickTarget *target)
{
    const StickGroup *group;
    if (target->body >= 0 && stick_error_count(check->system->ctx) - check->errors < MOST_ERRORS)
        note(check, stick_system_group(check->system, target, &group));
}

// All missing groups are reported at once.
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
    for (int k = 0; k < model->nmatings; k++) {
        if (model->mating[k].gears >= 0)
            continue;
        check_target(&check, &model->mating[k].slave);
        check_target(&check, &model->mating[k].master);
    }
    for (int k = 0; k < model->output.nhistories; k++) {
        note(&check, check_component(system, &model->output.history[k]));
        check_target(&check, &model->output.history[k].of);
    }
    for (int k = 0; k < model->output.nprofiles; k++)
        check_target(&check, &model->output.profile[k].of);
    return check.status;
}

// ---- the system

static void tell_modes(const StickSystem *system, const StickBody *body)
{
    const StickModes *modes = body->modes;
    char unit[STICK_FREQUENCY_TEXT];
    stick_frequency_unit(&system->model->units, unit);
    stick_note(system->ctx, "body '%s' moves by %d modes, %d of them as a whole, up to %.6g%s", body->name,
               modes->count, modes->nrigid, sqrt(fmax(0, modes->value[modes->count - 1])) / (2 * STICK_PI),
               unit);
}

static StickStatus create_modes(StickSystem *system, const StickSupports *supports)
{
    for (int b = 0; b < system->nbodies; b++) {
        StickBody *body = &system->body[b];
        if (!body->spec->modes.given)
            continue;
        StickLoose loose;
        STICK_TRY(stick_loose_find(system->ctx, body, supports, &loose));
        if (loose.motions > 0 && (loose.nparts > 1 || loose.hinged))
            stick_warn_at(system->ctx, body->spec->modes.mark,
                          "body '%s' has %d modes of frequency 0 that are not motions of the whole body: %s",
                          body->name, loose.motions, loose.text);
        STICK_TRY(stick_modes_create(system->ctx, body, supports, &body->modes));
        tell_modes(system, body);
    }
    return STICK_OK;
}

// Supports belong to the modes.
static StickStatus find_modes(StickSystem *system)
{
    StickSupports supports;
    bool any = false;
    for (int b = 0; b < system->nbodies; b++)
        any = any || system->body[b].spec->modes.given;
    if (!any)
        return STICK_OK;
    STICK_TRY(stick_supports_create(system->ctx, system, &supports));
    StickStatus status = create_modes(system, &supports);
    stick_supports_destroy(system->ctx, &supports);
    return status;
}

// What keeps a history is numbered one after the other, as degrees of freedom are.
static StickStatus create_finite(StickSystem *system, StickBody *body)
{
    body->first_history = system->nhistory;
    if (!stick_material_is_finite(body->continuum.material))
        return STICK_OK;
    STICK_TRY(stick_finite_create(system->ctx, &body->continuum, &body->K, &body->finite));
    system->nhistory += stick_finite_history(body->finite);
    return STICK_OK;
}

static StickStatus fill(StickSystem *system)
{
    STICK_TRY(stick_gears_tell(system->ctx, system->model));
    STICK_TRY(create_bodies(system));
    STICK_TRY(find_axes(system));
    // report the errors of both checks
    StickStatus dims = stick_model_check_dim(system->model, system->dim), targets = check_targets(system);
    STICK_TRY(dims);
    STICK_TRY(targets);
    STICK_TRY(stick_locking_warn(system));
    STICK_ALLOC(system->ctx, system->total_mass, system->nbodies);
    for (int b = 0; b < system->nbodies; b++) {
        StickBody *body = &system->body[b];
        if (body->rigid) {
            system->total_mass[b] = body->rigid->mass;
            continue;
        }
        STICK_TRY(stick_fem_matrices(system->ctx, &body->continuum, &body->M, &body->C, &body->K));
        STICK_TRY(create_finite(system, body));
        system->total_mass[b] = mass_of(body);
    }
    return find_modes(system);
}

StickStatus stick_system_renew(StickSystem *system, int b)
{
    StickContext *ctx = system->ctx;
    StickBody *body = &system->body[b];
    int nhistory = system->nhistory, first = body->first_history;
    stick_finite_destroy(body->finite);
    stick_sparse_destroy(ctx, &body->M);
    stick_sparse_destroy(ctx, &body->C);
    stick_sparse_destroy(ctx, &body->K);
    stick_modes_destroy(ctx, body->modes);
    body->finite = NULL;
    body->modes = NULL;
    STICK_TRY(stick_fem_matrices(ctx, &body->continuum, &body->M, &body->C, &body->K));
    STICK_TRY(create_finite(system, body));
    system->nhistory = nhistory;
    body->first_history = first;
    system->total_mass[b] = mass_of(body);
    if (!body->spec->modes.given)
        return STICK_OK;
    StickSupports supports;
    STICK_TRY(stick_supports_create(ctx, system, &supports));
    StickStatus status = stick_modes_create(ctx, body, &supports, &body->modes);
    stick_supports_destroy(ctx, &supports);
    return status;
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
        stick_finite_destroy(body->finite);
        stick_sparse_destroy(ctx, &body->M);
        stick_sparse_destroy(ctx, &body->C);
        stick_sparse_destroy(ctx, &body->K);
        stick_modes_destroy(ctx, body->modes);
        if (body->rigid)
            stick_free(ctx, body->mesh.x); // the rest is the solid's
        else
            stick_mesh_destroy(ctx, &body->mesh);
    }
    for (int k = 0; k < system->nsolids; k++)
        stick_solid_destroy(ctx, &system->solid[k]);
    stick_free(ctx, system->solid);
    stick_free(ctx, system->rigid);
    stick_free(ctx, system->axis);
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

static void initial_of_rigid(const StickBody *body, int dim, double *q, double *v)
{
    const StickBodySpec *spec = body->spec;
    double *own = v + body->first;
    memset(q + body->first, 0, (size_t)body->ndofs * sizeof *q);
    for (int k = 0; k < dim; k++)
        own[k] = spec->start_velocity[k];
    for (int k = 0; k < 3; k++)
        if (dim == 3)
            own[3 + k] = spec->angular_velocity[k];
    if (dim == 2)
        own[2] = spec->angular_velocity[2];
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

// Share of the initial kinetic energy whose loss is reported.
static const double much_lost = 1e-3;

static StickStatus take_modes(const StickSystem *system, const StickBody *body, double *q, double *v)
{
    double *room;
    STICK_ALLOC(system->ctx, room, body->ndofs);
    stick_modes_project(body->modes, &body->M, q + body->first, room);
    double lost = stick_modes_project(body->modes, &body->M, v + body->first, room);
    stick_free(system->ctx, room);
    if (lost > much_lost)
        stick_warn_at(
            system->ctx, body->spec->modes.mark,
            "body '%s': its %d modes take on %.3g %% of the energy of its initial velocity; take more "
            "modes if the rest counts",
            body->name, body->modes->count, 100 * (1 - lost));
    return STICK_OK;
}

StickStatus stick_system_initial(const StickSystem *system, double *q, double *v)
{
    for (int b = 0; b < system->nbodies; b++) {
        if (system->body[b].rigid)
            initial_of_rigid(&system->body[b], system->dim, q, v);
        else
            STICK_TRY(initial_of_body(&system->body[b], system->dim, q, v));
        if (system->body[b].modes)
            STICK_TRY(take_modes(system, &system->body[b], q, v));
    }
    return STICK_OK;
}

// The least distance of two nodes of an element.
static double least_length(const StickMesh *mesh)
{
    double least = INFINITY;
    int dim = mesh->dim;
    for (int e = 0; e < mesh->nelements; e++) {
        for (int i = mesh->start[e]; i < mesh->start[e + 1]; i++) {
            for (int j = mesh->start[e]; j < i; j++) {
                double sum = 0;
                for (int k = 0; k < dim; k++) {
                    double d = mesh->x[mesh->node[i] * dim + k] - mesh->x[mesh->node[j] * dim + k];
                    sum += d * d;
                }
                if (sum > 0)
                    least = fmin(least, sum);
            }
        }
    }
    return sqrt(least);
}

double stick_body_thickness(const StickBody *body)
{
    return body->rigid ? 2 * body->rigid->solid->thin : least_length(&body->mesh);
}
