// SPDX-License-Identifier: Apache-2.0
#include "stepping/jump.h"

#include <math.h>
#include <string.h>

// Of the contact forces that were there: what changes more within an increment is suspected.
static const double much = 0.5;

// Of the change that the last increment would go on with: where an increment takes Newton's method, and a search many
// of them, forces that grow as they did, as of bodies pressed on from their first touch, do not jump.
static const double faster = 2;

// So many jumps are told, all are counted.
enum { TOLD_JUMPS = 3 };

static double length(const double *r, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += r[i] * r[i];
    return sqrt(sum);
}

static double distance(const double *a, const double *b, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sqrt(sum);
}

// What is compared. By finite bodies contact forces are judged as these feel them: where each of two surfaces is the slave
// of the other, forces may go from one contact to another that does the same.
static int rows(const StickSimulation *run)
{
    return run->newton_contact ? run->state.n : run->state.memory.count * run->system->dim;
}

static void copy_forces(const StickSimulation *run, const StickMotion *motion, const double *r,
                        double *forces)
{
    int n = rows(run);
    for (int i = 0; i < n; i++)
        forces[i] = run->newton_contact ? motion->contact_N[i] + motion->contact_T[i] : r[i];
}

// Room for four of them: those at the start, and three while a jump is looked for.
static double *start_of(const StickSimulation *run)
{
    copy_forces(run, &run->state.now, run->state.memory.r, run->probe_r);
    return run->probe_r;
}

static double *tried(const StickSimulation *run, int which)
{
    double *forces = run->probe_r + (size_t)which * (size_t)rows(run);
    copy_forces(run, &run->state.next, run->pass_r, forces);
    return forces;
}

// Forces that a part starts from may be small where those of the whole were not.
static bool changes_much(const StickSimulation *run, const double *from, const double *to)
{
    int n = rows(run);
    double scale = fmax(length(run->probe_r, n), length(from, n));
    return distance(from, to, n) > much * scale;
}

// Forces that were tried, against those at the start; what touches for the first time does not jump.
static bool is_suspect(const StickSimulation *run)
{
    const double *start = start_of(run), *end = tried(run, 1);
    double expected = run->newton_contact ? run->advance.rate * run->h : 0;
    return length(start, rows(run)) > 0 && changes_much(run, start, end) &&
           distance(start, end, rows(run)) > faster * expected;
}

double stick_jump_rate(const StickSimulation *run)
{
    return distance(start_of(run), tried(run, 1), rows(run)) / run->h;
}

// Halves again and again, each time the half that the forces change more in.
static StickStatus bisect(StickSimulation *run, const StickBefore *before, StickJump *jump)
{
    size_t n = (size_t)rows(run), bytes = n * sizeof(double);
    double *high = tried(run, 1), *low = high + n;
    memcpy(low, start_of(run), bytes);
    while (changes_much(run, low, high)) {
        if (jump->to - jump->from <= ldexp(1, -STICK_MOST_CUTS)) {
            jump->found = true;
            return STICK_OK;
        }
        double half = 0.5 * (jump->from + jump->to);
        STICK_TRY(stick_quasistatic_try(run, before, half));
        const double *middle = tried(run, 3);
        bool first = distance(low, middle, (int)n) > distance(middle, high, (int)n);
        memcpy(first ? high : low, middle, bytes);
        *(first ? &jump->to : &jump->from) = half;
    }
    return STICK_OK;
}

// What was found may be far off while something near continues the state.
static StickStatus find_near(StickSimulation *run, const StickBefore *before, double part, StickJump *jump)
{
    STICK_TRY(stick_quasistatic_try(run, before, part));
    if (!is_suspect(run))
        return STICK_OK;
    STICK_TRY(bisect(run, before, jump));
    return jump->found ? STICK_OK : stick_quasistatic_try(run, before, part);
}

StickStatus stick_jump_find(StickSimulation *run, const StickBefore *before, double part, StickJump *jump)
{
    *jump = (StickJump){.from = run->advance.part, .to = part};
    if (!is_suspect(run))
        return STICK_OK;
    run->suspected = true;
    StickStatus status = find_near(run, before, part, jump);
    run->suspected = false;
    return status;
}

static const StickContact *most_changed(const StickSimulation *run)
{
    const StickContactSet *set = &run->contacts;
    int dim = run->system->dim, most = 0;
    double change = -1;
    for (int c = 0; c < set->ncontacts; c++) {
        const double *before =
            &run->state.memory.r[stick_memory_slot(&run->state.memory, &set->contact[c]) * dim];
        double own = distance(before, &run->r[c * dim], dim);
        if (own > change) {
            change = own;
            most = c;
        }
    }
    return set->ncontacts > 0 ? &set->contact[most] : NULL;
}

void stick_jump_take(StickSimulation *run)
{
    const double *start = start_of(run), *end = tried(run, 1);
    char name[STICK_CONTACT_NAME] = "";
    run->jumped = true;
    run->record.jump_time = run->state.next.t;
    if (run->record.jumps++ >= TOLD_JUMPS)
        return;
    const StickContact *contact = most_changed(run);
    if (contact)
        stick_simulation_contact_name(run, contact, name);
    stick_warn(run->ctx,
               "t = %.9g: contact forces jump by %.0f %% within %.2g of time, most%s: no equilibrium that is "
               "found continues the one before; see by a dynamic step what happens. What follows starts from "
               "one of the equilibria behind the jump (a load or motion that jumps does the same)%s",
               run->state.next.t, 100 * distance(start, end, rows(run)) / length(start, rows(run)), run->h,
               name, run->record.jumps == TOLD_JUMPS ? "; more jumps are only counted" : "");
}
