// SPDX-License-Identifier: Apache-2.0
#include "stepping/surface_rounds.h"

#include "contact/contact_set.h"
#include "stepping/quasistatic.h"

enum { MOST_ROUNDS = 25 };

// From where gaps are judged at the start of the step to where they are judged at its end, with velocities v at the end: the
// modified theta-method carries bodies on by a part of a step [VPJR98 (10)]. Nothing was judged before the first step.
static StickMotionSweep path_of(StickSimulation *run, const double *v, int round)
{
    const StickMotion *now = &run->state.now;
    const StickScheme *scheme = &run->scheme;
    bool is_carried = scheme->ahead > 0, is_first = run->state.step == 0;
    double h = run->h, kappa = is_carried ? 1 : scheme->kappa, lead = scheme->ahead * h;
    for (int i = 0; i < run->state.n; i++) {
        run->q_M[i] = now->q[i] + lead * now->v[i];
        run->v_L[i] = kappa * v[i] + (1 - kappa) * now->v[i];
        if (scheme->kind == STICK_SCHEME_NEWMARK)
            run->v_L[i] += h * (0.5 - kappa) * now->a[i];
    }
    StickMotionSweep path = {
        .v = run->v_L, .h = h, .q = run->q_M, .t = now->t + lead, .round = round, .linear = true};
    if (!is_carried || !is_first)
        return path;
    for (int i = 0; i < run->state.n; i++)
        run->v_L[i] = (h * v[i] + lead * now->v[i]) / (h + lead);
    path.q = now->q;
    path.t = now->t;
    path.h = h + lead;
    path.ahead = lead;
    return path;
}

StickStatus stick_surface_rounds_carry(StickSimulation *run, bool *is_carried)
{
    *is_carried = false;
    if (!(run->scheme.ahead > 0) || run->state.step == 0)
        return STICK_OK;
    StickMotionSweep path = path_of(run, run->state.next.v, 0);
    return stick_pairs_are_fast(run->pairs, &path, is_carried);
}

StickStatus stick_surface_rounds_enter(StickSimulation *run, int round)
{
    StickMotionSweep path = path_of(run, run->state.next.v, round);
    STICK_TRY(stick_pairs_drop_far(run->pairs, &path, &run->contacts));
    return round > 0 ? stick_pairs_insert(run->pairs, &run->hits, &run->contacts) : STICK_OK;
}

// Hits of all rounds so far.
static StickStatus keep_hits(StickSimulation *run)
{
    const StickContactSet *set = &run->contacts;
    StickContactSet *hits = &run->hits;
    bool is_carried = run->scheme.ahead > 0 && run->state.step > 0;
    hits->ctx = set->ctx;
    hits->dim = set->dim;
    hits->ncontacts = 0;
    for (int c = 0; c < set->ncontacts; c++) {
        StickContact contact = set->contact[c];
        contact.carried = is_carried;
        if (contact.swept)
            STICK_TRY(stick_contact_set_append(run->ctx, hits, &contact, contact.count,
                                               set->dof + contact.first, set->H + contact.first * set->dim));
    }
    return STICK_OK;
}

StickStatus stick_surface_rounds_look(StickSimulation *run, int round, bool *again)
{
    StickMotionSweep path = path_of(run, run->state.next.v, round);
    int changed;
    *again = false;
    if (round == MOST_ROUNDS) {
        if (!run->record.passed++)
            stick_warn(run->ctx,
                       "t = %g: after %d contact solves bodies still pass through each other within one time "
                       "step; take a shorter step (now %g)",
                       run->state.next.t, round, run->h);
        return STICK_OK;
    }
    STICK_TRY(stick_pairs_sweep(run->pairs, &path, &run->contacts, &changed));
    if (changed == 0)
        return STICK_OK;
    run->record.swept += round == 0;
    *again = true;
    return keep_hits(run);
}

StickStatus stick_surface_rounds_refuse_passed(StickSimulation *run)
{
    StickMotionSweep path = {
        .v = run->state.next.v, .h = run->h, .q = run->state.now.q, .t = run->state.now.t};
    int changed;
    // where the path jumps, no increment is short enough to tell the way
    if (run->advance.level >= STICK_MOST_CUTS)
        return STICK_OK;
    STICK_TRY(stick_pairs_sweep(run->pairs, &path, &run->contacts, &changed));
    return changed == 0
               ? STICK_OK
               : stick_simulation_refuse(run,
                                         "t = %g: within an increment of %g bodies would pass through each "
                                         "other: take a smaller increment",
                                         run->state.next.t, run->h);
}
