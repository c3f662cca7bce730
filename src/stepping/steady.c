// SPDX-License-Identifier: Apache-2.0
#include "stepping/steady.h"

#include "base/memory.h"
#include "stepping/contact_problem.h"
#include "stepping/newton_contact.h"
#include "stepping/quasistatic.h"
#include "stepping/steady_newton.h"
#include "stepping/steady_problem.h"

#include <math.h>
#include <stdio.h>

enum { STEADY_CUTS = 10 };

// ---- what it needs

static StickStatus refuse_model(const StickSimulation *run)
{
    const char *why = run->hold                ? "a force is held"
                      : run->laws.has_sections ? "friction has directions"
                      : run->laws.has_cohesion ? "contacts hold together"
                      : run->joint_step        ? "there are joints"
                                               : NULL;
    if (!why)
        return STICK_OK;
    return stick_fail_at(
        run->ctx, STICK_BAD_INPUT, run->spec->mark,
        "step '%s' cannot find steady sliding directly: %s; take a quasistatic step that drags "
        "until nothing changes",
        run->spec->name, why);
}

static StickStatus fill(StickSimulation *run, StickSteady *steady)
{
    int n = run->system->ndofs;
    STICK_TRY(refuse_model(run));
    STICK_TRY(stick_lemke_create(run->ctx, &steady->lemke));
    STICK_ALLOC(run->ctx, steady->goal, n);
    STICK_ALLOC(run->ctx, steady->velocity, n);
    STICK_ALLOC(run->ctx, steady->carried, n);
    STICK_ALLOC(run->ctx, steady->r_T, run->state.memory.count);
    return STICK_OK;
}

StickStatus stick_steady_create(StickSimulation *run, StickSteady **steady)
{
    StickSteady *created;
    STICK_ALLOC(run->ctx, created, 1);
    created->ctx = run->ctx;
    created->value = NAN;
    StickStatus status = fill(run, created);
    if (status != STICK_OK) {
        stick_steady_destroy(created);
        return status;
    }
    *steady = created;
    return STICK_OK;
}

void stick_steady_destroy(StickSteady *steady)
{
    if (!steady)
        return;
    StickContext *ctx = steady->ctx;
    double *vector[] = {steady->goal, steady->velocity, steady->carried, steady->slip, steady->drive,
                        steady->r_T,  steady->M,        steady->w,       steady->z};
    for (size_t k = 0; k < sizeof vector / sizeof *vector; k++)
        stick_free(ctx, vector[k]);
    stick_lemke_destroy(steady->lemke);
    stick_free(ctx, steady);
}

bool stick_steady_is(const StickSimulation *run)
{
    return run->steady && run->steady->solved;
}

const double *stick_steady_carried(const StickSimulation *run)
{
    return run->steady->carried;
}

// ---- from state to state

static void remember_friction(StickSimulation *run)
{
    StickContactMemory *memory = &run->state.memory;
    for (int c = 0; c < run->contacts.ncontacts; c++) {
        int slot = stick_memory_slot(memory, &run->contacts.contact[c]);
        memory->mu[slot] = run->mu[c];
        memory->turns[slot] = 0;
    }
}

// Told where contact is lost, or was never there: not for every state that follows.
static void tell_lost(StickSimulation *run)
{
    StickSteady *steady = run->steady;
    bool touches = stick_simulation_largest(run->r, run->contacts.ncontacts * run->system->dim) > 0;
    if (!touches && !steady->lost)
        stick_warn(
            run->ctx,
            "step '%s', t = %g: %s, so that nothing slides: see how loads, supports and obstacles move until "
            "then",
            run->spec->name, run->state.next.t,
            steady->solved ? "contact is lost, and nothing touches any more" : "nothing touches");
    steady->lost = !touches;
}

// Of the speed of sliding: surfaces of facets approach each other a little as they turn.
static const double along_normal = 0.2;

// A support that prescribes a velocity across the surface would press or lift the body: no state lasts that way.
static void warn_of_rising(StickSimulation *run)
{
    StickSteady *steady = run->steady;
    const StickContactSet *set = &run->contacts;
    int dim = run->system->dim;
    double most = 0, fastest = 0;
    int which = -1;
    if (steady->rises)
        return;
    stick_contact_velocity(set, steady->carried, run->u_end);
    for (int c = 0; c < set->ncontacts; c++) {
        if (!(run->r[c * dim] > 0))
            continue;
        fastest = fmax(fastest, hypot(run->u_end[c * dim], steady->drive[c]));
        if (fabs(run->u_end[c * dim]) > most) {
            most = fabs(run->u_end[c * dim]);
            which = c;
        }
    }
    if (which < 0 || most <= along_normal * fastest)
        return;
    char name[STICK_CONTACT_NAME];
    stick_simulation_contact_name(run, &set->contact[which], name);
    stick_warn_at(
        run->ctx, run->system->model->contact[set->contact[which].pair].mark,
        "step '%s', t = %g: the velocities of supports move the contact%s along its normal (%.3g, and "
        "%.3g along the surface), which is not steady. In steady sliding a velocity gives the "
        "direction of sliding and moves nothing; press with a displacement or a load",
        run->spec->name, run->state.next.t, name, run->u_end[which * dim], steady->drive[which]);
    steady->rises = true;
}

static StickStatus keep(StickSimulation *run)
{
    if (run->newton_contact)
        stick_newton_contact_keep(run);
    tell_lost(run);
    warn_of_rising(run);
    stick_contact_set_return_layers(&run->contacts, &run->contacts);
    STICK_TRY(stick_contact_problem_remember(run));
    remember_friction(run);
    stick_contact_problem_end(run);
    run->steady->solved = true;
    return STICK_OK;
}

static StickStatus set_value(StickSimulation *run, double value)
{
    if (value == run->steady->value)
        return STICK_OK;
    STICK_TRY(stick_step_laws_vary(run, run->spec->vary.parameter, value));
    run->steady->value = value;
    return STICK_OK;
}

static StickStatus give_up(StickSimulation *run)
{
    char reason[STICK_REASON], at[128] = "";
    snprintf(reason, sizeof reason, "%s", run->reason);
    if (run->spec->vary.parameter)
        snprintf(at, sizeof at, " with %.60s = %.10g", run->spec->vary.parameter, run->steady->value);
    run->trying = false;
    stick_newton_contact_tell(run);
    return stick_simulation_refuse(
        run,
        "step '%s'%s: not even 1/%d of the way from the state before can be gone: steady sliding "
        "may end here, or go on behind a jump%s (%.300s)",
        run->spec->name, at, 1 << STEADY_CUTS,
        stick_pairs_round(run->pairs) >= 0
            ? "; on surfaces that turn it may also be there and not be found: take a quasistatic "
              "step that drags until nothing changes"
            : "",
        reason);
}

// Time from and to: of the state before, and of the one that is asked for.
typedef struct Way {
    double from, to;
} Way;

// A part that is solved is gone on from; one that is not is halved.
static StickStatus try_part(StickSimulation *run, const Way *way)
{
    StickAdvance *advance = &run->advance;
    StickBefore before = {run->record, run->ledger};
    double part = advance->part + ldexp(1, -(int)advance->level);
    StickStatus status =
        stick_steady_newton(run, part < 1 ? way->from + part * (way->to - way->from) : way->to, part);
    if (status == STICK_OK) {
        stick_advance_accept(advance, part);
        return keep(run);
    }
    run->record = before.record;
    run->ledger = before.ledger;
    if (status != STICK_NOT_SOLVED)
        return status;
    if (advance->level == STEADY_CUTS)
        return give_up(run);
    run->record.cuts++;
    advance->level++;
    advance->good = 0;
    return STICK_OK;
}

static StickStatus go(StickSimulation *run, const Way *way)
{
    StickAdvance *advance = &run->advance;
    StickStatus status = STICK_OK;
    double piece = advance->piece;
    run->trying = true;
    while (status == STICK_OK && advance->piece == piece)
        status = try_part(run, way);
    run->trying = false;
    if (status == STICK_OK)
        advance->level = advance->good = 0; // the next one is tried at once
    return status;
}

StickStatus stick_steady_step(StickSimulation *run)
{
    const StickVarySpec *vary = &run->spec->vary;
    double piece = run->advance.piece;
    Way way = {stick_quasistatic_time(run, piece, 0), stick_quasistatic_time(run, piece, 1)};
    if (vary->parameter)
        STICK_TRY(set_value(run, vary->value[(int)piece]));
    return go(run, &way);
}

double stick_steady_time(const StickSimulation *run, double value)
{
    const StickVarySpec *vary = &run->spec->vary;
    double sign = vary->value[1] > vary->value[0] ? 1 : -1;
    int k = 0;
    while (k + 2 < vary->count && sign * (value - vary->value[k + 1]) > 0)
        k++;
    double along = (value - vary->value[k]) / (vary->value[k + 1] - vary->value[k]);
    return stick_quasistatic_time(run, k, 1) + along * run->spec->step;
}

StickStatus stick_steady_seek(StickSimulation *run, double value, double t)
{
    StickAdvance advance = run->advance;
    Way way = {run->state.now.t, t};
    STICK_TRY(set_value(run, value));
    run->advance = (StickAdvance){0};
    StickStatus status = go(run, &way);
    run->advance = advance;
    return status;
}
