// SPDX-License-Identifier: Apache-2.0
#include "bodies/products.h"
#include "stepping/initial_overlap.h"
#include "stepping/newton_contact.h"
#include "stepping/quasistatic.h"
#include "stepping/simulation.h"
#include "stepping/trajectory.h"

#include <math.h>
#include <string.h>

// Of a coefficient: what differs by more is another friction.
static const double other_friction = 1e-6;

// Supports start where they are prescribed, with the velocity of their first step.
static StickStatus start_supports(StickSimulation *run)
{
    StickMotion *now = &run->state.now;
    for (int k = 0; k < run->supports.count; k++) {
        const StickSupport *support = &run->supports.support[k];
        double first, second;
        STICK_TRY(stick_support_value(support, now->t, &first));
        STICK_TRY(stick_support_value(support, now->t + run->h, &second));
        if (support->displacement) {
            now->q[support->dof] = first;
            now->v[support->dof] = (second - first) / run->h;
        } else {
            now->v[support->dof] = first;
        }
    }
    return STICK_OK;
}

// Newmark starts with M a = F - C v - K q.
static StickStatus start_acceleration(StickSimulation *run)
{
    StickMotion *now = &run->state.now;
    STICK_TRY(stick_step_matrix_set(run->matrix, 1, 0, 0));
    memset(now->a, 0, (size_t)run->state.n * sizeof *now->a);
    for (int i = 0; i < run->state.n; i++)
        run->rhs[i] = now->F[i] - now->Cv[i] - now->Kq[i];
    STICK_TRY(stick_step_matrix_solve(run->matrix, run->rhs, now->a));
    stick_system_products(run->system, now->q, now->a, now->Ma, run->work, run->rhs);
    for (int i = 0; i < run->state.n; i++)
        now->reaction[i] = run->carried[i] ? now->Ma[i] + now->Cv[i] + now->Kq[i] - now->F[i] : 0;
    return STICK_OK;
}

// The last step ends at or just behind the end; a rounding error does not add one.
static void count_steps(StickSimulation *run)
{
    double steps = (run->spec->end - run->t_start) / run->spec->step;
    if (stick_simulation_is_quasistatic(run))
        run->nsteps = run->spec->increments;
    else
        run->nsteps = steps > 0 ? (long)ceil(steps * (1 - 1e-12)) : 0;
}

StickStatus stick_simulation_refresh(StickSimulation *run)
{
    StickMotion *now = &run->state.now;
    count_steps(run);
    stick_system_products(run->system, now->q, now->v, now->Mv, now->Cv, now->Kq);
    if (run->newton_contact)
        STICK_TRY(stick_newton_contact_refresh(run, now));
    return stick_loads_force_at(run->ctx, &run->loads, now->t, now->q, now->F);
}

static bool is_newmark(const StickSimulation *run)
{
    return !stick_simulation_is_quasistatic(run) && run->scheme.kind == STICK_SCHEME_NEWMARK;
}

// Accelerations (none in equilibrium) and forces are those at the end of the step.
static bool has_forces(const StickSimulation *run)
{
    return is_newmark(run) || stick_simulation_is_quasistatic(run);
}

// Accelerations and forces at the end of a run, for one that goes on from them.
static void take_over_forces(StickSimulation *run, const StickSimulation *before)
{
    const StickMotion *ended = &before->state.now;
    StickMotion *now = &run->state.now;
    size_t bytes = (size_t)run->state.n * sizeof(double);
    memcpy(now->a, ended->a, bytes);
    memcpy(now->Ma, ended->Ma, bytes);
    memcpy(now->contact_N, ended->contact_N, bytes);
    memcpy(now->contact_T, ended->contact_T, bytes);
    memcpy(now->reaction, ended->reaction, bytes);
    now->drive_N = ended->drive_N;
    now->drive_T = ended->drive_T;
}

// The state, the books and what contacts remember go on.
static StickStatus take_over(StickSimulation *run, const StickSimulation *before)
{
    const StickMotion *ended = &before->state.now;
    size_t n = (size_t)run->state.n, slots = (size_t)run->state.memory.count, dim = (size_t)run->system->dim;
    run->t_start = run->state.now.t = ended->t;
    memcpy(run->state.now.q, ended->q, n * sizeof(double));
    memcpy(run->state.now.v, ended->v, n * sizeof(double));
    memcpy(run->state.now.kick, ended->kick, n * sizeof(double));
    memcpy(run->state.memory.r, before->state.memory.r, slots * dim * sizeof(double));
    memcpy(run->state.memory.speed, before->state.memory.speed, slots * sizeof(double));
    memcpy(run->state.memory.pressure, before->state.memory.pressure, slots * sizeof(double));
    memcpy(run->state.memory.known, before->state.memory.known, slots * sizeof(double));
    memcpy(run->state.memory.kept, before->state.memory.kept, slots * sizeof(double));
    memcpy(run->state.memory.depth, before->state.memory.depth, slots * sizeof(double));
    memcpy(run->state.memory.closing, before->state.memory.closing, slots * sizeof(double));
    memcpy(run->state.memory.mu, before->state.memory.mu, slots * sizeof(double));
    memcpy(run->state.memory.turns, before->state.memory.turns, slots * sizeof(double));
    memcpy(run->state.now.history, ended->history, (size_t)run->system->nhistory * sizeof(double));
    run->ledger = before->ledger;
    run->record = before->record;
    return stick_memory_copy_keyed(run->ctx, &before->state.memory, &run->state.memory);
}

static double deepest_gap(const StickContactSet *set, int pair)
{
    double deepest = 0;
    for (int c = 0; c < set->ncontacts; c++)
        if (set->contact[c].pair == pair)
            deepest = fmin(deepest, set->contact[c].gap);
    return deepest;
}

// Overlap of named surfaces at the start: what is kept is reported, what contacts refuse is an error.
static StickStatus look_at_overlap(StickSimulation *run)
{
    const StickModel *model = run->system->model;
    StickDetection where = {.h = run->h, .q = run->state.now.q};
    STICK_TRY(stick_pairs_detect(run->pairs, &where, &run->contacts));
    STICK_TRY(stick_initial_overlap(run)); // surfaces are judged where rigid bodies then are
    STICK_TRY(stick_simulation_refuse_lost(run, STICK_BAD_INPUT));
    for (int pair = 0; pair < model->ncontacts; pair++) {
        const StickContactSpec *spec = &model->contact[pair];
        const StickBody *slave = &run->system->body[spec->slave.body];
        double deepest = deepest_gap(&run->contacts, pair);
        if (deepest >= -1e-6 * stick_simulation_body_size(slave))
            continue;
        if (spec->overclosure == STICK_OVERCLOSURE_REFUSE)
            return stick_fail_at(
                run->ctx, STICK_BAD_INPUT, spec->mark,
                "body '%s' overlaps with what it touches by %g at the start: move it, or let the contact "
                "resolve, adjust or keep the overlap ('overclosure')",
                slave->name, -deepest);
        if (spec->overclosure == STICK_OVERCLOSURE_DEFAULT)
            stick_warn_at(
                run->ctx, spec->mark,
                "body '%s' overlaps with what it touches by %g at the start: it is kept from going deeper, "
                "but not pushed out; say what is meant by 'overclosure: keep', 'resolve' or 'adjust'",
                slave->name, -deepest);
    }
    run->contacts.ncontacts = 0;
    return STICK_OK;
}

// Bodies at rest in equilibrium begin to move: supports have the speed that they are prescribed, and what
// this takes is work of theirs.
static StickStatus start_from_rest(StickSimulation *run, const StickSimulation *before)
{
    StickMotion *now = &run->state.now;
    double force = stick_simulation_force(run);
    memset(now->v, 0, (size_t)run->state.n * sizeof *now->v);
    for (int k = 0; k < run->state.memory.count * run->system->dim; k++)
        run->state.memory.r[k] = before->state.memory.r[k] / force;
    STICK_TRY(start_supports(run));
    stick_system_products(run->system, now->q, now->v, now->Mv, now->Cv, now->Kq);
    stick_ledger_set_off(&run->ledger, run->system, now);
    return STICK_OK;
}

// Friction that is another one than in the last state of a family of steady sliding disturbs it at once.
static StickStatus warn_of_friction(StickSimulation *run, const StickSimulation *before)
{
    const StickContactSet *set = &before->contacts;
    const StickVarySpec *vary = &before->spec->vary;
    double change = 0;
    if (!vary->parameter || stick_simulation_is_quasistatic(run) || run->spec->from.given)
        return STICK_OK;
    STICK_RESERVE(run->ctx, run->mu, run->mu_capacity, set->ncontacts);
    StickSight sight = {.t = before->state.now.t, .speed = before->speed, .pressure = before->pressure};
    STICK_TRY(stick_step_laws_friction(run, set, &sight, run->mu));
    for (int c = 0; c < set->ncontacts; c++)
        change = fmax(change, fabs(run->mu[c] - before->mu[c]));
    if (change > other_friction)
        stick_warn_at(
            run->ctx, run->spec->mark,
            "step '%s' starts from the last state of step '%s', %s = %g, with another friction, so that it "
            "does not slide steadily: say 'from: {step: %s, %s: ...}' in it",
            run->spec->name, before->spec->name, vary->parameter, vary->value[vary->count - 1],
            before->spec->name, vary->parameter);
    return STICK_OK;
}

static StickStatus start_after(StickSimulation *run, const StickSimulation *before)
{
    bool from_rest = stick_simulation_is_quasistatic(before);
    if (stick_simulation_is_quasistatic(run) && !from_rest)
        return stick_fail_at(run->ctx, STICK_BAD_INPUT, run->spec->mark,
                             "the step '%s' seeks equilibria and cannot follow a dynamic one",
                             run->spec->name);
    STICK_TRY(take_over(run, before));
    STICK_TRY(warn_of_friction(run, before));
    return from_rest && !stick_simulation_is_quasistatic(run) ? start_from_rest(run, before) : STICK_OK;
}

// At the start of the model.
static StickStatus start_first(StickSimulation *run)
{
    StickMotion *now = &run->state.now;
    STICK_TRY(stick_system_initial(run->system, now->q, now->v));
    if (stick_simulation_is_quasistatic(run))
        memset(now->v, 0, (size_t)run->state.n * sizeof *now->v);
    else
        STICK_TRY(start_supports(run));
    STICK_TRY(look_at_overlap(run));
    return run->joint_step ? stick_joint_step_start(run) : STICK_OK;
}

// Forces that depend on the past are those of the end of the run before, to the bit.
static void take_over_finite(StickSimulation *run, const StickSimulation *before)
{
    const StickMotion *ended = &before->state.now;
    for (int b = 0; b < run->system->nbodies; b++) {
        const StickBody *body = &run->system->body[b];
        if (body->finite)
            memcpy(run->state.now.Kq + body->first, ended->Kq + body->first,
                   (size_t)body->ndofs * sizeof *ended->Kq);
    }
    run->state.now.stored = ended->stored;
}

StickStatus stick_simulation_start(StickSimulation *run, const StickSimulation *before)
{
    StickMotion *now = &run->state.now;
    STICK_TRY(before ? start_after(run, before) : start_first(run));
    STICK_TRY(stick_simulation_refresh(run));
    if (before && run->newton_contact)
        take_over_finite(run, before);
    if (before && run->trajectory && before->trajectory)
        stick_trajectory_take_over(run, before);
    if (has_forces(run) && before && has_forces(before))
        take_over_forces(run, before);
    else if (is_newmark(run))
        STICK_TRY(start_acceleration(run));
    else if (stick_simulation_is_quasistatic(run))
        stick_quasistatic_reactions(run);
    if (stick_simulation_is_quasistatic(run)) // a body that is not held is found now
        STICK_TRY(stick_step_matrix_set(run->matrix, 0, 0, 1));
    if (!before)
        stick_ledger_start(&run->ledger, run->system, now);
    return STICK_OK;
}
