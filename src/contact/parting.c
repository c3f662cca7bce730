// SPDX-License-Identifier: Apache-2.0
#include "contact/parting.h"

#include "contact/rigid_pairs.h"

#include <math.h>

// Of the size of the smaller body: what is deeper is no round-off.
static const double much_overlap = 1e-6;

// What is left of an overlap when bodies count as apart, of the same.
static const double little_overlap = 1e-10;

enum { MOST_PASSES = 2000 };

// What holds for rigid bodies: their contact says it, or the step does.
static StickOverclosure wish_of(const StickParting *parting, const StickContact *contact)
{
    static const StickOverclosure by_step[] = {[STICK_OVERLAP_REFUSE] = STICK_OVERCLOSURE_REFUSE,
                                               [STICK_OVERLAP_SEPARATE] = STICK_OVERCLOSURE_ADJUST,
                                               [STICK_OVERLAP_ACCEPT] = STICK_OVERCLOSURE_KEEP};
    StickOverclosure own = contact->rule >= 0 ? parting->system->model->rule[contact->rule].overclosure
                                              : STICK_OVERCLOSURE_DEFAULT;
    return own != STICK_OVERCLOSURE_DEFAULT ? own : by_step[parting->overlap];
}

// The contact of this wish that is deepest by the size of its bodies, if that is more than a part of it.
static const StickContact *deepest(const StickParting *parting, StickOverclosure wish, double part)
{
    const StickContactSet *set = parting->set;
    const StickContact *found = NULL;
    double depth = part;
    for (int c = 0; c < set->ncontacts; c++) {
        const StickContact *contact = &set->contact[c];
        if (contact->pair >= 0 || wish_of(parting, contact) != wish ||
            -contact->gap <= depth * stick_rigid_smaller(parting->system, contact))
            continue;
        depth = -contact->gap / stick_rigid_smaller(parting->system, contact);
        found = contact;
    }
    return found;
}

static const char *other_of(const StickParting *parting, const StickContact *contact)
{
    return contact->body[1] >= 0 ? parting->system->body[contact->body[1]].name
                                 : parting->system->model->obstacle[contact->obstacle].name;
}

static StickStatus refuse(const StickParting *parting, const StickContact *contact, const char *advice)
{
    const StickBody *a = &parting->system->body[contact->body[0]];
    return stick_fail_at(parting->ctx, STICK_BAD_INPUT, a->spec->mark,
                         "body '%s' is inside of %s '%s' by %g at the start%s", a->name,
                         contact->body[1] >= 0 ? "body" : "obstacle", other_of(parting, contact),
                         -contact->gap, advice);
}

// How easily a body is moved along the normal of a contact: its inverse mass, without the directions that are prescribed.
static double ease(const StickParting *parting, int b, const double normal[3])
{
    double sum = 0;
    if (b < 0)
        return 0;
    const StickBody *body = &parting->system->body[b];
    for (int k = 0; k < parting->system->dim; k++)
        sum += parting->prescribed[body->first + k] ? 0 : normal[k] * normal[k];
    return sum / body->rigid->mass;
}

static void push(const StickParting *parting, int b, const double normal[3], double impulse)
{
    if (b < 0)
        return;
    const StickBody *body = &parting->system->body[b];
    for (int k = 0; k < parting->system->dim; k++)
        if (!parting->prescribed[body->first + k])
            parting->q[body->first + k] += impulse / body->rigid->mass * normal[k];
}

// Moves the two bodies of a contact apart along its normal by its depth; several points of two bodies share it.
static void part(const StickParting *parting, const StickContact *contact, int points)
{
    const double *n = contact->frame[0];
    double sum = ease(parting, contact->body[0], n) + ease(parting, contact->body[1], n);
    if (!(sum > 0) || contact->gap >= 0)
        return;
    double impulse = -contact->gap / sum / points;
    push(parting, contact->body[0], n, impulse);
    push(parting, contact->body[1], n, -impulse);
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

static void part_all(const StickParting *parting)
{
    const StickContactSet *set = parting->set;
    for (int c = 0; c < set->ncontacts;) {
        if (set->contact[c].pair >= 0) {
            c++;
            continue;
        }
        bool moved = wish_of(parting, &set->contact[c]) == STICK_OVERCLOSURE_ADJUST;
        for (int points = points_of(set, c), left = points; left > 0; left--, c++)
            if (moved)
                part(parting, &set->contact[c], points);
    }
}

// Passes over all contacts until nothing is in each other.
static StickStatus push_apart(const StickParting *parting)
{
    for (int pass = 0; pass < MOST_PASSES && deepest(parting, STICK_OVERCLOSURE_ADJUST, little_overlap);
         pass++) {
        part_all(parting);
        STICK_TRY(stick_pairs_detect(parting->pairs, &parting->where, parting->set));
    }
    const StickContact *left = deepest(parting, STICK_OVERCLOSURE_ADJUST, much_overlap);
    return left ? refuse(parting, left, " and cannot be pushed out: there is no room, or both are held")
                : STICK_OK;
}

StickStatus stick_part_bodies(const StickParting *parting, bool quiet)
{
    const StickContact *contact = deepest(parting, STICK_OVERCLOSURE_REFUSE, much_overlap);
    if (contact)
        return refuse(
            parting, contact,
            ": move them apart, or give the contact 'overclosure: adjust', which moves them apart before the "
            "first step, 'overclosure: resolve', which does so over the first step, or 'overclosure: keep'");
    contact = deepest(parting, STICK_OVERCLOSURE_ADJUST, much_overlap);
    if (!contact)
        return STICK_OK;
    if (!quiet)
        stick_warn_at(parting->ctx, parting->system->body[contact->body[0]].spec->mark,
                      "bodies are pushed apart at the start; '%s' was inside of '%s' by %g",
                      parting->system->body[contact->body[0]].name, other_of(parting, contact),
                      -contact->gap);
    return push_apart(parting);
}
