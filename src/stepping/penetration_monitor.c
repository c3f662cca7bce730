// SPDX-License-Identifier: Apache-2.0
#include "stepping/penetration_monitor.h"

#include "base/atomic_max.h"
#include "base/pool.h"
#include "stepping/contact_problem.h"
#include "stepping/penetration.h"

#include <math.h>
#include <stdbool.h>

// Of the thickness of the thinner body, or of the only one that has any.
static const double much_depth = 0.1, much_sunk = 0.01;

static double thickness(const StickSimulation *run, const StickContact *contact)
{
    int a = contact->body[0], b = contact->body[1];
    return fmin(run->thickness[a], run->thickness[b >= 0 ? b : a]);
}

static const char *other_of(const StickSimulation *run, const StickContact *contact)
{
    return contact->body[1] >= 0 ? run->system->body[contact->body[1]].name
                                 : run->system->model->obstacle[contact->obstacle].name;
}

static void warn_of_first(StickSimulation *run, const StickContact *contact, double depth, double part)
{
    stick_warn(run->ctx,
               "t = %g: body '%s' is inside of '%s' by %.3g, %.0f %% of what the thinner one is thick, as "
               "they begin to touch: reduce the time step (now %g, for example to %.1g), or part bodies that "
               "overlap at "
               "the start",
               run->state.next.t, run->system->body[contact->body[0]].name, other_of(run, contact), depth,
               100 * part, run->h, run->h * fmin(0.5, much_depth / part));
}

static void warn_of_growth(StickSimulation *run, const StickContact *contact, double sunk, double part)
{
    stick_warn(run->ctx,
               "t = %g: body '%s' has sunk into '%s' by %.3g since they began to touch, %.1f %% of what "
               "the thinner one is thick (contact.sunk): take a shorter step",
               run->state.next.t, run->system->body[contact->body[0]].name, other_of(run, contact), sunk,
               100 * part);
}

// Of one contact, and the largest of many: how deep at first, how much deeper since, and the parts of the thickness.
typedef struct Depth {
    double first, first_part, sunk, sunk_part;
} Depth;

static Depth depth_of(const StickSimulation *run, int c)
{
    const StickContact *contact = &run->contacts.contact[c];
    const StickKeyedMemory *known = stick_contact_problem_known(run, c);
    double thick = thickness(run, contact);
    double depth = fmax(0, known ? known->depth - contact->gap : -contact->gap);
    return known ? (Depth){.sunk = depth, .sunk_part = depth / thick}
                 : (Depth){.first = depth, .first_part = depth / thick};
}

// ---- on threads

typedef struct Watch {
    const StickSimulation *run;
    StickMost first, first_part, sunk, sunk_part;
} Watch;

static void watch_range(void *data, int from, int to)
{
    Watch *watch = data;
    Depth most = {0};
    for (int c = from; c < to; c++) {
        if (watch->run->contacts.contact[c].pair >= 0)
            continue;
        Depth depth = depth_of(watch->run, c);
        most.first = fmax(most.first, depth.first);
        most.first_part = fmax(most.first_part, depth.first_part);
        most.sunk = fmax(most.sunk, depth.sunk);
        most.sunk_part = fmax(most.sunk_part, depth.sunk_part);
    }
    stick_atomic_max_raise(&watch->first, most.first);
    stick_atomic_max_raise(&watch->first_part, most.first_part);
    stick_atomic_max_raise(&watch->sunk, most.sunk);
    stick_atomic_max_raise(&watch->sunk_part, most.sunk_part);
}

// The first contact that is beyond a limit has its name told, once in a run.
static void warn(StickSimulation *run, bool first, bool sunk)
{
    for (int c = 0; c < run->contacts.ncontacts && (first || sunk); c++) {
        const StickContact *contact = &run->contacts.contact[c];
        if (contact->pair >= 0)
            continue;
        Depth depth = depth_of(run, c);
        if (first && depth.first_part > much_depth) {
            warn_of_first(run, contact, depth.first, depth.first_part);
            first = false;
        }
        if (sunk && depth.sunk_part > much_sunk) {
            warn_of_growth(run, contact, depth.sunk, depth.sunk_part);
            sunk = false;
        }
    }
}

void stick_penetration_monitor_watch(StickSimulation *run)
{
    StickStatistics *record = &run->record;
    Watch watch = {.run = run};
    stick_threads_range(run->ctx, run->contacts.ncontacts, watch_range, &watch);
    double first_part = stick_atomic_max_value(&watch.first_part),
           sunk_part = stick_atomic_max_value(&watch.sunk_part);
    warn(run, first_part > much_depth && record->depth_part <= much_depth,
         sunk_part > much_sunk && record->sunk_part <= much_sunk);
    record->depth = fmax(record->depth, stick_atomic_max_value(&watch.first));
    record->depth_part = fmax(record->depth_part, first_part);
    record->sunk = fmax(record->sunk, stick_atomic_max_value(&watch.sunk));
    record->sunk_part = fmax(record->sunk_part, sunk_part);
}

void stick_penetration_monitor_remember(StickSimulation *run)
{
    StickStatistics *record = &run->record;
    record->penetration = record->penetration_part = record->penetration_there = 0;
    record->penetrating = record->penetrated = 0;
    for (int c = 0; c < run->contacts.ncontacts; c++) {
        const StickContact *own = &run->contacts.contact[c];
        bool counts = own->pair < 0 || !(own->keeps_depth || stick_simulation_is_quasistatic(run));
        double part = -own->gap / thickness(run, own);
        if (!counts || !(own->gap < 0))
            continue;
        record->penetration = fmax(record->penetration, -own->gap);
        if (part <= record->penetration_part || -own->gap <= stick_penetration_margin(run, own))
            continue;
        record->penetration_part = part;
        record->penetration_there = -own->gap;
        record->penetrating = own->body[0];
        record->penetrated = own->body[1] >= 0 ? own->body[1] : -1 - own->obstacle;
    }
}
