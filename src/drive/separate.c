// SPDX-License-Identifier: Apache-2.0
#include "drive/separate.h"

#include "base/memory.h"
#include "contact/rigid_pairs.h"

#include <math.h>

// Of the size of the smaller body: what is deeper is no round-off.
static const double much_overlap = 1e-6;

// What is left of an overlap when bodies count as apart, of the same.
static const double little_overlap = 1e-10;

enum { MOST_PASSES = 2000 };

// What holds for rigid bodies: their contact says it, or the step does.
static StickOverclosure wish_of(const StickRun *run, const StickContact *contact)
{
    static const StickOverclosure by_step[] = {[STICK_OVERLAP_REFUSE] = STICK_OVERCLOSURE_REFUSE,
                                               [STICK_OVERLAP_SEPARATE] = STICK_OVERCLOSURE_ADJUST,
                                               [STICK_OVERLAP_ACCEPT] = STICK_OVERCLOSURE_KEEP};
    StickOverclosure own =
        contact->rule >= 0 ? run->system->model->rule[contact->rule].overclosure : STICK_OVERCLOSURE_DEFAULT;
    return own != STICK_OVERCLOSURE_DEFAULT ? own : by_step[run->spec->overlap];
}

// The contact of this wish that is deepest by the size of its bodies, if that is more than a part of it.
static const StickContact *deepest(const StickRun *run, StickOverclosure wish, double part)
{
    const StickContactSet *set = &run->contacts;
    const StickContact *found = NULL;
    double depth = part;
    for (int c = 0; c < set->ncontacts; c++) {
        const StickContact *contact = &set->contact[c];
        if (contact->pair >= 0 || wish_of(run, contact) != wish ||
            -contact->gap <= depth * stick_rigid_smaller(run->system, contact))
            continue;
        depth = -contact->gap / stick_rigid_smaller(run->system, contact);
        found = contact;
    }
    return found;
}

static const char *other_of(const StickRun *run, const StickContact *contact)
{
    return contact->body[1] >= 0 ? run->system->body[contact->body[1]].name
                                 : run->system->model->obstacle[contact->obstacle].name;
}

static StickStatus refuse(const StickRun *run, const StickContact *contact, const char *advice)
{
    const StickBody *a = &run->system->body[contact->body[0]];
    return stick_fail_at(
        run->ctx, STICK_BAD_INPUT, a->spec->mark, "body '%s' is inside of %s '%s' by %g at the start%s",
        a->name, contact->body[1] >= 0 ? "body" : "obstacle", other_of(run, contact), -contact->gap, advice);
}

// How easily a body is moved along the normal of a contact: its inverse mass, without the directions that are prescribed.
static double ease(const StickRun *run, int b, const double normal[3])
{
    double sum = 0;
    if (b < 0)
        return 0;
    const StickBody *body = &run->system->body[b];
    for (int k = 0; k < run->system->dim; k++)
        sum += run->prescribed[body->first + k] ? 0 : normal[k] * normal[k];
    return sum / body->rigid->mass;
}

static void push(StickRun *run, int b, const double normal[3], double impulse)
{
    if (b < 0)
        return;
    const StickBody *body = &run->system->body[b];
    for (int k = 0; k < run->system->dim; k++)
        if (!run->prescribed[body->first + k])
            run->state.now.q[body->first + k] += impulse / body->rigid->mass * normal[k];
}

// Moves the two bodies of a contact apart along its normal by its depth; several points of two bodies share it.
static void part(StickRun *run, const StickContact *contact, int points)
{
    const double *n = contact->frame[0];
    double sum = ease(run, contact->body[0], n) + ease(run, contact->body[1], n);
    if (!(sum > 0) || contact->gap >= 0)
        return;
    double impulse = -contact->gap / sum / points;
    push(run, contact->body[0], n, impulse);
    push(run, contact->body[1], n, -impulse);
}

static int points_of(const StickContactSet *set, int from)
{
    const StickContact *first = &set->contact[from];
    int count = 1;
    for (int c = from + 1; c < set->ncontacts; c++) {
        const StickContact *next = &set->contact[c];
        if (next->body[0] != first->body[0] || next->body[1] != first->body[1] ||
            next->obstacle != first->obstacle)
            break;
        count++;
    }
    return count;
}

static void part_all(StickRun *run)
{
    const StickContactSet *set = &run->contacts;
    for (int c = 0; c < set->ncontacts;) {
        if (set->contact[c].pair >= 0) {
            c++;
            continue;
        }
        bool moved = wish_of(run, &set->contact[c]) == STICK_OVERCLOSURE_ADJUST;
        for (int points = points_of(set, c), left = points; left > 0; left--, c++)
            if (moved)
                part(run, &set->contact[c], points);
    }
}

// Passes over all contacts until nothing is in each other.
static StickStatus push_apart(StickRun *run)
{
    StickDetection where = {.t = run->state.now.t, .h = run->h, .q = run->state.now.q};
    for (int pass = 0; pass < MOST_PASSES && deepest(run, STICK_OVERCLOSURE_ADJUST, little_overlap); pass++) {
        part_all(run);
        STICK_TRY(stick_pairs_detect(run->pairs, &where, &run->contacts));
    }
    const StickContact *left = deepest(run, STICK_OVERCLOSURE_ADJUST, much_overlap);
    return left ? refuse(run, left, " and cannot be pushed out: there is no room, or both are held")
                : STICK_OK;
}

StickStatus stick_separate(StickRun *run)
{
    const StickContact *contact = deepest(run, STICK_OVERCLOSURE_REFUSE, much_overlap);
    if (contact)
        return refuse(
            run, contact,
            ": move them apart, or give the contact 'overclosure: adjust', which moves them apart before the "
            "first step, 'overclosure: resolve', which does so over the first step, or 'overclosure: keep'");
    contact = deepest(run, STICK_OVERCLOSURE_ADJUST, much_overlap);
    if (!contact)
        return STICK_OK;
    stick_warn_at(run->ctx, run->system->body[contact->body[0]].spec->mark,
                  "bodies are pushed apart at the start; '%s' was inside of '%s' by %g",
                  run->system->body[contact->body[0]].name, other_of(run, contact), -contact->gap);
    return push_apart(run);
}

static const StickStepSpec *first_step(const StickModel *model)
{
    int k = 0;
    while (k < model->nsteps - 1 && model->step[k].kind == STICK_STEP_STABILITY)
        k++;
    return &model->step[k];
}

StickStatus stick_separate_over_step(StickRun *run)
{
    const StickSystem *system = run->system;
    double *q, *v;
    if (run->spec != first_step(system->model) || run->spec->kind == STICK_STEP_TRAJECTORY)
        return STICK_OK;
    q = stick_alloc(run->ctx, (size_t)system->ndofs, sizeof *q);
    v = stick_alloc(run->ctx, (size_t)system->ndofs, sizeof *v);
    StickStatus status = q && v ? stick_system_initial(system, q, v) : STICK_NO_MEMORY;
    // dynamics starts where supports are prescribed
    for (int k = 0; k < run->supports.count && status == STICK_OK && !stick_run_is_quasistatic(run); k++)
        if (run->supports.support[k].displacement)
            status = stick_support_value(&run->supports.support[k], 0, &q[run->supports.support[k].dof]);
    if (status == STICK_OK)
        status = stick_pairs_resolve(run->pairs, q, run->spec->step,
                                     run->spec->kind == STICK_STEP_SLIDING ? 0 : run->spec->end);
    stick_free(run->ctx, q);
    stick_free(run->ctx, v);
    return status;
}
