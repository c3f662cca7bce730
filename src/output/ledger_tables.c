// SPDX-License-Identifier: Apache-2.0
#include "output/ledger_tables.h"

#include "bodies/finite.h"
#include "stepping/event_driven.h"
#include "stepping/trajectory.h"

#include <math.h>
#include <stdio.h>

enum { ENERGY, MOMENTUM, CONTACT };

static const char axis[] = "xyz";

void stick_book_add(StickBook *book, const StickSystem *system, const char *name, StickQuantity quantity)
{
    stick_label(&system->model->units, name, quantity, book->column[book->ncolumns++]);
}

static void add_axes(StickBook *book, const StickSystem *system, const char *name, StickQuantity quantity)
{
    for (int k = 0; k < system->dim; k++) {
        char text[64];
        snprintf(text, sizeof text, "%s.%c", name, axis[k]);
        stick_book_add(book, system, text, quantity);
    }
}

const char *stick_book_name(int k)
{
    static const char *const names[STICK_BOOK_NAMES] = {"energy", "momentum", "contact", "events",
                                                        "collapse"};
    return names[k];
}

// Whether a step of the model tells what contact takes from the loose velocity on.
static bool has_jumps(const StickModel *model)
{
    for (int k = 0; k < model->nsteps; k++)
        if (model->step[k].kind == STICK_STEP_DYNAMICS && model->step[k].scheme == STICK_SCHEME_MOREAU)
            return true;
    return false;
}

void stick_book_init(StickBook *book, int k, const StickSystem *system)
{
    static const char *const energies[] = {"kinetic",   "elastic", "total",    "external", "supports",
                                           "obstacles", "viscous", "friction", "impact",   "algorithmic"};
    static const char *const counts[] = {"candidates",
                                         "sticking",
                                         "slipping",
                                         "iterations",
                                         "error",
                                         "error_scale_free",
                                         "exact_error_scale_free",
                                         "facets"};
    static const char *const jumps[] = {"structural", "frictional", "jump_error"};
    static const char *const turns[] = {"angular_momentum.x", "angular_momentum.y", "angular_momentum.z",
                                        "angular_error"};
    *book = (StickBook){.name = stick_book_name(k)};
    stick_book_add(book, system, "t", STICK_TIME);
    if (k == ENERGY) {
        for (size_t j = 0; j < sizeof energies / sizeof *energies; j++)
            stick_book_add(book, system, energies[j], STICK_ENERGY);
        stick_book_add(book, system, "closure", STICK_NO_UNIT);
        for (int j = 0; has_jumps(system->model) && j < 3; j++)
            stick_book_add(book, system, jumps[j], j < 2 ? STICK_ENERGY : STICK_NO_UNIT);
        if (system->model->njoints > 0)
            stick_book_add(book, system, "joints", STICK_ENERGY);
        if (stick_system_is_finite(system))
            stick_book_add(book, system, "material", STICK_ENERGY);
    } else if (k == MOMENTUM) {
        add_axes(book, system, "momentum", STICK_IMPULSE);
        add_axes(book, system, "contact_impulse", STICK_IMPULSE);
        add_axes(book, system, "support_impulse", STICK_IMPULSE);
        stick_book_add(book, system, "error", STICK_NO_UNIT);
        stick_book_add(book, system, "equilibrium", STICK_NO_UNIT);
        for (int j = system->dim == 2 ? 2 : 0; system->nrigid > 0 && j < 4; j++)
            stick_book_add(book, system, turns[j], j < 3 ? STICK_ANGULAR_IMPULSE : STICK_NO_UNIT);
    } else {
        for (size_t j = 0; j < sizeof counts / sizeof *counts; j++)
            stick_book_add(book, system, counts[j], STICK_NO_UNIT);
        stick_book_add(book, system, "normal_force", STICK_FORCE);
        stick_book_add(book, system, "least_gap", STICK_LENGTH);
    }
}

static void fill_energy(StickBook *book, const StickSystem *system, const StickLedger *ledger)
{
    double row[] = {ledger->kinetic,     ledger->elastic,    ledger->kinetic + ledger->elastic,
                    ledger->external,    ledger->supports,   ledger->obstacles,
                    ledger->viscous,     ledger->friction,   ledger->impact,
                    ledger->algorithmic, ledger->closure,    ledger->structural,
                    ledger->frictional,  ledger->jump_error, ledger->joints};
    for (size_t k = 0; k < sizeof row / sizeof *row; k++)
        book->row[k + 1] = row[k];
    if (stick_system_is_finite(system)) // these have neither jumps nor joints
        book->row[book->ncolumns - 1] = ledger->material;
}

static void fill_momentum(StickBook *book, const StickLedger *ledger, int dim)
{
    int column = 1;
    for (int k = 0; k < dim; k++)
        book->row[column++] = ledger->momentum[k];
    for (int k = 0; k < dim; k++)
        book->row[column++] = ledger->contact_impulse[k];
    for (int k = 0; k < dim; k++)
        book->row[column++] = ledger->support_impulse[k];
    book->row[column++] = ledger->momentum_error;
    book->row[column++] = ledger->equilibrium;
    for (int k = dim == 2 ? 2 : 0; k < 3; k++) // where bodies are rigid
        book->row[column++] = ledger->angular[k];
    book->row[column] = ledger->angular_error;
}

static void fill_contact(StickBook *book, const StickSimulation *run)
{
    const StickCertificate *found = &run->certificate;
    double count[3] = {0}, force = 0, least = NAN;
    for (int c = 0; c < run->contacts.ncontacts; c++) {
        count[stick_simulation_status(run, c)]++;
        force += stick_simulation_force(run) * run->r[c * run->system->dim];
        least = fmin(least, run->contacts.contact[c].gap);
    }
    const StickFirstHits *hits = &run->first_hits;
    for (int c = 0; c < hits->count; c++) {
        count[hits->status[c]]++;
        force += stick_simulation_force(run) * hits->r[c * run->system->dim];
        least = fmin(least, hits->contact[c].gap);
    }
    int contacts = run->contacts.ncontacts + hits->count;
    if (run->trajectory) {
        const StickTrajectory *trajectory = run->trajectory;
        contacts = trajectory->set.npairs;
        for (int i = 0; i < contacts; i++) {
            count[stick_trajectory_status(run, i)]++;
            force += trajectory->p[i];
            least = fmin(least, trajectory->d[i]);
        }
    }
    double row[] = {contacts,
                    count[STICK_STICKING],
                    count[STICK_SLIPPING],
                    run->info.iterations,
                    found->error,
                    found->error_scale_free,
                    found->exact_error_scale_free,
                    found->facets,
                    force,
                    least};
    if (hits->count > 0) {
        const StickCertificate *first = &hits->certificate;
        row[3] += hits->iterations;
        row[4] = fmax(row[4], first->error);
        row[5] = fmax(row[5], first->error_scale_free);
        row[6] = fmax(row[6], first->exact_error_scale_free);
        row[7] = fmax(row[7], first->facets);
    }
    for (size_t k = 0; k < sizeof row / sizeof *row; k++)
        book->row[k + 1] = row[k];
}

void stick_book_fill(StickBook *book, int k, const StickSimulation *run)
{
    book->row[0] = run->state.now.t;
    if (k == ENERGY)
        fill_energy(book, run->system, &run->ledger);
    else if (k == MOMENTUM)
        fill_momentum(book, &run->ledger, run->system->dim);
    else
        fill_contact(book, run);
}

// ---- events

bool stick_events_wanted(const StickModel *model)
{
    for (int k = 0; k < model->nsteps; k++)
        if (model->step[k].kind == STICK_STEP_QUASISTATIC && model->step[k].follow == STICK_FOLLOW_EVENTS)
            return true;
    return false;
}

void stick_events_init(StickBook *book, const StickSystem *system)
{
    static const char *const columns[] = {"pair",      "body",     "node",     "from", "to",
                                          "direction", "sticking", "slipping", "apart"};
    *book = (StickBook){.name = stick_book_name(STICK_EVENTS)};
    stick_book_add(book, system, "t", STICK_TIME);
    for (size_t j = 0; j < sizeof columns / sizeof *columns; j++)
        stick_book_add(book, system, columns[j], STICK_NO_UNIT);
}

bool stick_events_fill(StickBook *book, int k, const StickSimulation *run)
{
    const StickPathEvent *event;
    if (!run->walk || k >= stick_event_driven_events(run->walk, &event))
        return false;
    event += k;
    int slave = run->system->model->contact[event->pair].slave.body;
    double row[] = {event->t,
                    event->pair + 1,
                    slave,
                    (double)stick_mesh_node_tag(&run->system->body[slave].mesh, event->node),
                    event->from,
                    event->to,
                    event->direction,
                    event->count[STICK_PATH_FOLLOWING_STUCK],
                    event->count[STICK_PATH_FOLLOWING_SLIPPING],
                    event->count[STICK_PATH_FOLLOWING_OPEN]};
    for (size_t j = 0; j < sizeof row / sizeof *row; j++)
        book->row[j] = row[j];
    return true;
}
