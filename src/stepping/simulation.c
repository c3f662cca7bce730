// SPDX-License-Identifier: Apache-2.0
#include "stepping/simulation.h"

#include "base/memory.h"
#include "base/pool.h"
#include "solve/section.h"
#include "stepping/contact_problem.h"
#include "stepping/event_driven.h"
#include "stepping/force_control.h"
#include "stepping/initial_overlap.h"
#include "stepping/moreau.h"
#include "stepping/multiple_solutions.h"
#include "stepping/newton_contact.h"
#include "stepping/penetration_monitor.h"
#include "stepping/quasistatic.h"
#include "stepping/steady.h"
#include "stepping/step.h"
#include "stepping/trajectory.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// Contact forces that are as good as a solver may leave them do not follow a disturbance that is smaller than that.
static const double small_disturbance = 1e-15;

// Steps of the local solver: what is near is found in a few.
enum { LOCAL_STEPS = 60 };

// An equilibrium may have neighbours far off: the one that continues the state before is looked for around its forces.
static StickStatus create_local(StickSimulation *run, StickSolverOptions options, bool is_named)
{
    run->near = !is_named;
    options.tolerance = options.aim;
    options.iterations = LOCAL_STEPS;
    return stick_solver_create(run->ctx, "newton", &options, &run->local);
}

static StickStatus create_solver(StickSimulation *run)
{
    StickSolverOptions options = stick_solver_options_default();
    options.tolerance = run->spec->tolerance;
    options.aim = 1e-4 * run->spec->tolerance;
    if (run->spec->perturb.given)
        options.aim = fmin(options.aim, small_disturbance);
    options.facets = run->spec->facets;
    if (run->spec->threads > 0)
        options.threads = run->spec->threads;
    if (run->spec->iterations > 0)
        options.iterations = run->spec->iterations;
    bool is_named = run->spec->solver && run->spec->solver[0];
    run->solver_name = run->spec->kind == STICK_STEP_SLIDING ? "lemke"
                       : is_named                            ? run->spec->solver
                                                             : "auto";
    if (run->spec->kind == STICK_STEP_SLIDING || run->spec->kind == STICK_STEP_TRAJECTORY)
        return STICK_OK; // stepping/steady.c and stepping/trajectory.c have their own
    if (stick_simulation_is_quasistatic(run))
        STICK_TRY(create_local(run, options, is_named));
    return stick_solver_create(run->ctx, run->solver_name, &options, &run->solver);
}

// Bodies under finite deformation may move as a whole, and their forces are judged by themselves but for this much.
static const double little_stiffness = 1e-6;

static StickStatus fill_quasistatic(StickSimulation *run)
{
    int slots = run->state.memory.count, forces = slots * run->system->dim;
    int probed = forces > run->system->ndofs ? forces : run->system->ndofs;
    for (int b = 0; b < run->system->nbodies; b++) {
        const StickBody *body = &run->system->body[b];
        double counts = body->finite ? little_stiffness : 1;
        for (int j = 0; j < body->ndofs; j++)
            for (int e = body->K.start[j]; e < body->K.start[j + 1]; e++)
                if (body->K.row[e] == j)
                    run->stiffness[body->first + j] = counts * body->K.value[e];
    }
    STICK_ALLOC(run->ctx, run->pass_r, (size_t)slots * (size_t)run->system->dim);
    STICK_ALLOC(run->ctx, run->start_depth, slots);
    STICK_ALLOC(run->ctx, run->probe_r, 4 * (size_t)probed);
    if (run->spec->kind == STICK_STEP_SLIDING)
        return stick_steady_create(run, &run->steady);
    if (run->spec->kind == STICK_STEP_TRAJECTORY)
        return stick_trajectory_create(run, &run->trajectory);
    return run->spec->follow == STICK_FOLLOW_EVENTS ? stick_event_driven_create(run, &run->walk) : STICK_OK;
}

static StickStatus find_carried(StickSimulation *run)
{
    STICK_ALLOC(run->ctx, run->carried, run->system->ndofs);
    for (int b = 0; b < run->system->nbodies; b++) {
        const StickBody *body = &run->system->body[b];
        for (int i = body->first; i < body->first + body->ndofs; i++)
            run->carried[i] = run->prescribed[i] || body->modes;
    }
    return STICK_OK;
}

static StickStatus fill(StickSimulation *run)
{
    StickContext *ctx = run->ctx;
    double **work[] = {&run->rhs,     &run->work,      &run->p_N, &run->p_T, &run->dq_free,
                       &run->relaxed, &run->q_M,       &run->v_I, &run->v_L, &run->v_F,
                       &run->missed,  &run->stiffness, &run->q_H};
    STICK_TRY(stick_threads_set(ctx, run->spec->threads > 0 ? run->spec->threads : 1));
    STICK_TRY(stick_supports_create(ctx, run->system, &run->supports));
    if (stick_simulation_is_quasistatic(run))
        STICK_TRY(stick_force_control_create(ctx, run->system, &run->supports, &run->hold));
    STICK_ALLOC(ctx, run->prescribed, run->system->ndofs);
    for (int k = 0; k < run->supports.count; k++)
        run->prescribed[run->supports.support[k].dof] = true;
    STICK_TRY(find_carried(run));
    STICK_ALLOC(ctx, run->thickness, run->system->nbodies);
    for (int b = 0; b < run->system->nbodies; b++)
        run->thickness[b] = stick_body_thickness(&run->system->body[b]);
    STICK_TRY(stick_loads_create(ctx, run->system, &run->loads));
    STICK_TRY(stick_pairs_create(ctx, run->system, &run->pairs));
    stick_pairs_hold(run->pairs, run->prescribed);
    STICK_TRY(stick_step_matrix_create(ctx, run->system, &run->supports, &run->matrix));
    STICK_TRY(stick_delassus_create(ctx, run->system, run->matrix, run->pairs, &run->delassus));
    STICK_TRY(stick_joint_step_create(ctx, run->system, run->matrix, &run->joint_step));
    stick_delassus_link(run->delassus, run->joint_step ? run->joint_step->links : NULL);
    STICK_TRY(create_solver(run));
    STICK_TRY(stick_rotation_create(ctx, run->system, &run->rotation));
    for (size_t k = 0; k < sizeof work / sizeof *work; k++)
        STICK_ALLOC(ctx, *work[k], run->system->ndofs);
    run->contacts.dim = run->system->dim;
    STICK_TRY(stick_state_create(ctx, run->system, run->pairs, &run->state));
    STICK_TRY(stick_newton_contact_create(run, &run->newton_contact));
    STICK_TRY(stick_initial_overlap_over_step(run));
    return stick_simulation_is_quasistatic(run) ? fill_quasistatic(run) : STICK_OK;
}

// The contact conditions divide by both.
static StickStatus refuse_explicit(StickContext *ctx, const StickStepSpec *spec)
{
    bool newmark = spec->kind == STICK_STEP_DYNAMICS && spec->scheme == STICK_SCHEME_NEWMARK;
    if (!newmark || (spec->beta > 0 && spec->gamma > 0))
        return STICK_OK;
    return stick_fail_at(
        ctx, STICK_BAD_INPUT, spec->mark,
        "step '%s': Newmark's beta = %g and gamma = %g must be above 0: explicit steps are not made here",
        spec->name, spec->beta, spec->gamma);
}

static StickStatus refuse_rigid(StickContext *ctx, const StickSystem *system, const StickStepSpec *spec)
{
    bool moreau = spec->kind == STICK_STEP_DYNAMICS && spec->scheme == STICK_SCHEME_MOREAU;
    if (system->nrigid == 0 || moreau)
        return STICK_OK;
    return stick_fail_at(
        ctx, STICK_BAD_INPUT, spec->mark,
        "step '%s': there are rigid bodies, which only dynamics with the scheme 'moreau' moves", spec->name);
}

static StickStatus refuse_restitution(StickContext *ctx, const StickModel *model, const StickStepSpec *spec)
{
    bool moreau = spec->kind == STICK_STEP_DYNAMICS && spec->scheme == STICK_SCHEME_MOREAU;
    for (int k = 0; k < model->ncontacts && !moreau; k++)
        if (model->contact[k].law.restitution)
            return stick_fail_at(
                ctx, STICK_BAD_INPUT, model->contact[k].mark,
                "this contact has a 'restitution', which step '%s' does not know: leave it out, "
                "or give the step the scheme 'moreau'",
                spec->name);
    return STICK_OK;
}

// An equilibrium needs the shapes that forces ask for, not those of vibrations.
static StickStatus refuse_modes(StickContext *ctx, const StickSystem *system, const StickStepSpec *spec)
{
    for (int b = 0; b < system->nbodies && spec->kind != STICK_STEP_DYNAMICS; b++)
        if (system->body[b].modes)
            return stick_fail_at(
                ctx, STICK_BAD_INPUT, spec->mark,
                "step '%s' seeks equilibria, but body '%s' moves by modes: leave its 'modes' "
                "out, or let a dynamic step come to rest",
                spec->name, system->body[b].name);
    return STICK_OK;
}

StickStatus stick_simulation_create(StickContext *ctx, const StickSystem *system, const StickStepSpec *spec,
                                    StickSimulation **run)
{
    StickSimulation *created;
    STICK_TRY(refuse_explicit(ctx, spec));
    STICK_TRY(refuse_rigid(ctx, system, spec));
    STICK_TRY(refuse_restitution(ctx, system->model, spec));
    STICK_TRY(refuse_modes(ctx, system, spec));
    STICK_ALLOC(ctx, created, 1);
    created->ctx = ctx;
    created->system = system;
    created->spec = spec;
    if (spec->kind == STICK_STEP_DYNAMICS)
        created->scheme = stick_scheme(spec);
    created->h = spec->step;
    created->bounce = 1;
    stick_step_laws_init(system, &created->laws);
    StickStatus status = fill(created);
    bool is_moreau = spec->kind == STICK_STEP_DYNAMICS && created->scheme.kind == STICK_SCHEME_MOREAU;
    if (status == STICK_OK && is_moreau)
        status = stick_persistence_create(ctx, system, &created->persistence);
    if (status == STICK_OK && is_moreau)
        status = stick_penetration_create(ctx, system, &created->penetration);
    if (status == STICK_OK && spec->from.parameter)
        status = stick_step_laws_vary(created, spec->from.parameter, spec->from.value);
    if (status != STICK_OK) {
        stick_simulation_destroy(created);
        return status;
    }
    created->memory_before = stick_memory_now(ctx);
    *run = created;
    return STICK_OK;
}

void stick_simulation_exchange_sets(StickSimulation *run)
{
    StickContactSet set = run->contacts;
    run->contacts = run->middle;
    run->middle = set;
}

double stick_simulation_largest(const double *x, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++)
        most = fabs(x[i]) > most ? fabs(x[i]) : most;
    return most;
}

void stick_simulation_destroy(StickSimulation *run)
{
    if (!run)
        return;
    StickContext *ctx = run->ctx;
    double *vector[] = {
        run->r,        run->guess,        run->u,         run->u_free, run->u_end,   run->bias,
        run->gap_bias, run->passive_bias, run->depth,     run->mu,     run->speed,   run->pressure,
        run->rhs,      run->work,         run->p_N,       run->p_T,    run->dq_free, run->relaxed,
        run->pass_r,   run->start_depth,  run->stiffness, run->q_M,    run->v_I,     run->v_L,
        run->v_F,      run->restitution,  run->probe_r,   run->missed, run->q_H,     run->thickness};
    for (size_t k = 0; k < sizeof vector / sizeof *vector; k++)
        stick_free(ctx, vector[k]);
    stick_free(ctx, run->keyed);
    stick_free(ctx, run->settled);
    stick_free(ctx, run->prescribed);
    stick_free(ctx, run->carried);
    stick_event_driven_destroy(run->walk);
    stick_steady_destroy(run->steady);
    stick_trajectory_destroy(run->trajectory);
    stick_force_control_destroy(run->hold);
    stick_multiple_solutions_destroy(ctx, run->several);
    stick_newton_contact_destroy(ctx, run->system, run->newton_contact);
    stick_state_destroy(ctx, &run->state);
    stick_contact_set_destroy(ctx, &run->contacts);
    stick_contact_set_destroy(ctx, &run->hits);
    stick_contact_set_destroy(ctx, &run->middle);
    stick_rotation_destroy(ctx, &run->rotation);
    stick_step_laws_destroy(ctx, &run->laws);
    stick_persistence_destroy(ctx, &run->persistence);
    stick_penetration_destroy(ctx, &run->penetration);
    stick_velocity_refinement_destroy(ctx, &run->refinement);
    stick_first_hits_destroy(ctx, &run->first_hits);
    stick_solver_destroy(run->solver);
    stick_solver_destroy(run->local);
    stick_delassus_destroy(run->delassus);
    stick_joint_step_destroy(run->joint_step);
    stick_step_matrix_destroy(run->matrix);
    stick_pairs_destroy(run->pairs);
    stick_loads_destroy(ctx, &run->loads);
    stick_supports_destroy(ctx, &run->supports);
    stick_free(ctx, run);
}

bool stick_simulation_is_quasistatic(const StickSimulation *run)
{
    return run->spec->kind != STICK_STEP_DYNAMICS;
}

StickStatus stick_simulation_refuse_lost(StickSimulation *run, StickStatus status)
{
    const StickLost *lost = stick_pairs_lost(run->pairs);
    if (lost->count == 0)
        return STICK_OK;
    const StickContactSpec *spec = &run->system->model->contact[lost->pair];
    const StickBody *slave = &run->system->body[spec->slave.body];
    if (lost->counterface)
        snprintf(
            run->reason, sizeof run->reason,
            "t = %g: '%s' lies too deep inside of body '%s', at (%g, %g, %g) by %g: let bodies start apart, "
            "or take a smaller time step",
            run->state.now.t,
            spec->master.body < 0 ? run->system->model->obstacle[spec->master.obstacle].name
                                  : run->system->body[spec->master.body].name,
            slave->name, lost->place[0], lost->place[1], lost->place[2], lost->depth);
    else
        snprintf(
            run->reason, sizeof run->reason,
            "t = %g: %d nodes of body '%s' lie too deep inside of what they touch, node %lld at (%g, %g, %g) "
            "by %g: let bodies start apart, or take a smaller time step",
            run->state.now.t, lost->count, slave->name, stick_mesh_node_tag(&slave->mesh, lost->feature),
            lost->place[0], lost->place[1], lost->place[2], lost->depth);
    return run->trying ? STICK_NOT_SOLVED : stick_fail_at(run->ctx, status, spec->mark, "%s", run->reason);
}

static StickStatus take_step(StickSimulation *run)
{
    if (run->steady)
        return stick_steady_step(run);
    if (run->trajectory)
        return stick_trajectory_step(run);
    if (stick_simulation_is_quasistatic(run))
        return stick_quasistatic_step(run);
    return run->scheme.kind == STICK_SCHEME_MOREAU ? stick_moreau_step(run) : stick_step_dynamic(run);
}

StickStatus stick_simulation_step(StickSimulation *run)
{
    STICK_TRY(take_step(run));
    stick_penetration_monitor_remember(run);
    return STICK_OK;
}

long stick_simulation_done(const StickSimulation *run)
{
    return stick_simulation_is_quasistatic(run) ? (long)run->advance.piece : run->state.step;
}

bool stick_simulation_is_done(const StickSimulation *run)
{
    return stick_simulation_done(run) >= run->nsteps;
}

static StickStatus refuse(StickSimulation *run, StickMark mark)
{
    if (run->trying)
        return STICK_NOT_SOLVED;
    return mark.line > 0 ? stick_fail_at(run->ctx, STICK_NOT_SOLVED, mark, "%s", run->reason)
                         : stick_fail(run->ctx, STICK_NOT_SOLVED, "%s", run->reason);
}

StickStatus stick_simulation_refuse(StickSimulation *run, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(run->reason, sizeof run->reason, format, arguments);
    va_end(arguments);
    return refuse(run, (StickMark){0});
}

StickStatus stick_simulation_refuse_at(StickSimulation *run, StickMark mark, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(run->reason, sizeof run->reason, format, arguments);
    va_end(arguments);
    return refuse(run, mark);
}

void stick_simulation_contact_name(const StickSimulation *run, const StickContact *contact,
                                   char name[STICK_CONTACT_NAME])
{
    const StickBody *slave = &run->system->body[run->system->model->contact[contact->pair].slave.body];
    snprintf(name, STICK_CONTACT_NAME, " at node %lld of body '%s'",
             stick_mesh_node_tag(&slave->mesh, contact->node), slave->name);
}

double stick_simulation_body_size(const StickBody *body)
{
    const StickMesh *mesh = &body->mesh;
    double size = 0;
    for (int i = 0; i < mesh->nnodes * mesh->dim; i++)
        size = fmax(size, fabs(mesh->x[i] - mesh->x[i % mesh->dim]));
    return size;
}

double stick_simulation_size(const StickSimulation *run)
{
    double size = 0;
    for (int b = 0; b < run->system->nbodies; b++)
        size = fmax(size, stick_simulation_body_size(&run->system->body[b]));
    return size;
}

StickStatus stick_simulation_recall(StickSimulation *run, const double *mu)
{
    const StickMotion *now = &run->state.now;
    const StickContactMemory *memory = &run->state.memory;
    StickDetection where = {.t = now->t, .h = run->h, .q = now->q, .all = true};
    size_t dim = (size_t)run->system->dim, bytes = (size_t)run->state.n * sizeof *now->q;
    assert(stick_simulation_is_quasistatic(run));
    run->has_problem = false;
    if (run->trajectory)
        return stick_trajectory_recall(run);
    STICK_TRY(stick_pairs_detect(run->pairs, &where, &run->contacts));
    STICK_TRY(stick_contact_problem_reserve(run));
    for (int c = 0; c < run->contacts.ncontacts; c++) {
        size_t slot = (size_t)stick_memory_slot(memory, &run->contacts.contact[c]);
        memcpy(&run->r[(size_t)c * dim], &memory->r[slot * dim], dim * sizeof *run->r);
        run->mu[c] = mu[slot];
    }
    memcpy(run->p_N, now->contact_N, bytes);
    memcpy(run->p_T, now->contact_T, bytes);
    return STICK_OK;
}

double stick_simulation_force(const StickSimulation *run)
{
    return stick_simulation_is_quasistatic(run) ? 1 : stick_scheme_force(&run->scheme, run->h);
}

// Relative distance from the cone below which a contact is on it.
static const double on_limit = 1e-9;

StickContactStatus stick_simulation_status_of(int dim, const double *r, double mu)
{
    if (!(r[0] > 0))
        return STICK_APART;
    if (dim == 1)
        return STICK_STICKING;
    double tangential = dim == 3 ? hypot(r[1], r[2]) : fabs(r[1]);
    bool on_cone = tangential >= mu * r[0] * (1 - on_limit);
    return on_cone ? STICK_SLIPPING : STICK_STICKING;
}

static StickContactStatus status_by_section(const StickSection *section, const double *r)
{
    if (!(r[0] > 0))
        return STICK_APART;
    return stick_section_gauge(section, r + 1) >= r[0] * (1 - on_limit) ? STICK_SLIPPING : STICK_STICKING;
}

static const StickSection *section_of(const StickSimulation *run, int contact)
{
    return run->laws.has_sections ? run->laws.section_of[contact] : NULL;
}

double stick_simulation_friction(const StickSimulation *run, int contact)
{
    const StickSection *section = section_of(run, contact);
    const double *r = &run->r[contact * run->system->dim];
    double gauge = section ? stick_section_gauge(section, r + 1) : 0;
    return gauge > 0 ? (run->system->dim == 3 ? hypot(r[1], r[2]) : fabs(r[1])) / gauge : run->mu[contact];
}

StickContactStatus stick_simulation_status(const StickSimulation *run, int contact)
{
    int dim = run->system->dim;
    if (run->walk)
        return stick_event_driven_status(
            run->walk, stick_memory_slot(&run->state.memory, &run->contacts.contact[contact]));
    double r[3] = {0};
    memcpy(r, &run->r[contact * dim], (size_t)dim * sizeof *r);
    r[0] += stick_step_laws_pull(&run->laws, contact);
    const StickSection *section = section_of(run, contact);
    return section ? status_by_section(section, r) : stick_simulation_status_of(dim, r, run->mu[contact]);
}
