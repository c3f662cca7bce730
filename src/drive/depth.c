// SPDX-License-Identifier: Apache-2.0
#include "drive/depth.h"

#include <math.h>

// Of the thickness of the thinner body, or of the only one that has any.
static const double much_depth = 0.1, much_sunk = 0.01;

static double thickness(const StickRun *run, const StickContact *contact)
{
    const StickBody *a = &run->system->body[contact->body[0]];
    const StickBody *b = contact->body[1] >= 0 ? &run->system->body[contact->body[1]] : a;
    return 2 * fmin(a->rigid->solid->thin, b->rigid->solid->thin);
}

static const char *other_of(const StickRun *run, const StickContact *contact)
{
    return contact->body[1] >= 0 ? run->system->body[contact->body[1]].name
                                 : run->system->model->obstacle[contact->obstacle].name;
}

static void watch_first(StickRun *run, const StickContact *contact)
{
    StickRecord *record = &run->record;
    double depth = fmax(0, -contact->gap), part = depth / thickness(run, contact);
    if (part > much_depth && record->depth_part <= much_depth)
        stick_warn(
            run->ctx,
            "t = %g: body '%s' is inside of '%s' by %.3g, %.0f %% of what the thinner one is thick, as "
            "they begin to touch, and is not pushed out: take a step of about %.1g, or part bodies "
            "that overlap at the start",
            run->state.next.t, run->system->body[contact->body[0]].name, other_of(run, contact), depth,
            100 * part, run->h * much_depth / part);
    record->depth = fmax(record->depth, depth);
    record->depth_part = fmax(record->depth_part, part);
}

static void watch_growth(StickRun *run, const StickContact *contact, double first)
{
    StickRecord *record = &run->record;
    double sunk = fmax(0, first - contact->gap), part = sunk / thickness(run, contact);
    if (part > much_sunk && record->sunk_part <= much_sunk)
        stick_warn(run->ctx,
                   "t = %g: body '%s' has sunk into '%s' by %.3g since they began to touch, %.1f %% of what "
                   "the thinner one is thick (contact.sunk): take a shorter step",
                   run->state.next.t, run->system->body[contact->body[0]].name, other_of(run, contact), sunk,
                   100 * part);
    record->sunk = fmax(record->sunk, sunk);
    record->sunk_part = fmax(record->sunk_part, part);
}

void stick_depth_watch(StickRun *run)
{
    const StickContactSet *set = &run->contacts;
    for (int c = 0; c < set->ncontacts; c++) {
        const StickContact *contact = &set->contact[c];
        if (contact->pair >= 0)
            continue;
        const StickKeyedMemory *known = stick_memory_keyed(&run->state.memory, contact);
        run->depth[c] = known ? known->depth : fmin(0, contact->gap);
        if (known)
            watch_growth(run, contact, known->depth);
        else
            watch_first(run, contact);
    }
}
