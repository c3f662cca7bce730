// SPDX-License-Identifier: Apache-2.0
#include "stepping/chatter.h"

#include <math.h>

// Relative: friction that changes by less stays as it is, and sliding whose speed does is steady.
static const double little = 0.01, steady = 0.1;

// From so many turns on it chatters; more than the last are not counted, so that a steady sliding is believed again.
enum { CHATTERS = 4, MOST_TURNS = 8 };

// Turns of the friction of a contact, with the sign of its last change: each increment of a steady sliding takes one off.
static double turned(double turns, double change, bool is_steady)
{
    if (change == 0)
        return is_steady ? copysign(fmax(fabs(turns) - 1, 0), turns) : turns;
    if (turns * change < 0)
        return copysign(fmin(fabs(turns) + 1, MOST_TURNS), change);
    return copysign(fmax(fabs(turns), 1), change);
}

// The speed that friction was taken of is that of the increment before.
static bool slides_on(const StickSimulation *run, int c, double speed)
{
    return speed > 0 && fabs(speed - run->speed[c]) <= steady * speed;
}

// Displacement of a contact along its tangent per unit of its force.
static double compliance(const StickSimulation *run, int c)
{
    const StickBlocks *W = run->W;
    for (int e = W->start[c]; e < W->start[c + 1]; e++)
        if (W->col[e] == c)
            return W->value[(size_t)e * (size_t)(W->d * W->d) + (size_t)W->d + 1];
    return 0;
}

static void tell(const StickSimulation *run, int c)
{
    char name[STICK_CONTACT_NAME];
    stick_simulation_contact_name(run, &run->contacts.contact[c], name);
    stick_warn(run->ctx,
               "t = %g: friction goes to and fro from increment to increment%s, as a law that falls with "
               "speed does without inertia: these states are none of a steady sliding. Take increments "
               "longer than r_N |mu'| / k, here %.2g |dmu/dv|, or a dynamic step",
               run->state.next.t, name, run->r[c * run->system->dim] * compliance(run, c));
}

void stick_chatter_watch(StickSimulation *run)
{
    StickContactMemory *memory = &run->state.memory;
    int chattering = -1;
    if (!stick_simulation_is_quasistatic(run) || run->walk || run->system->dim == 1)
        return;
    for (int c = 0; c < run->contacts.ncontacts; c++) {
        int slot = stick_memory_slot(memory, &run->contacts.contact[c]);
        double change = memory->mu[slot] > 0 ? run->mu[c] - memory->mu[slot] : 0;
        if (fabs(change) <= little * fmax(run->mu[c], memory->mu[slot]))
            change = 0;
        memory->turns[slot] = turned(memory->turns[slot], change, slides_on(run, c, memory->speed[slot]));
        memory->mu[slot] = run->mu[c];
        if (chattering < 0 && run->r[c * run->system->dim] > 0 && stick_chatter_is(run, slot))
            chattering = c;
    }
    if (chattering >= 0 && run->record.chatter++ == 0)
        tell(run, chattering);
}

bool stick_chatter_is(const StickSimulation *run, int slot)
{
    return fabs(run->state.memory.turns[slot]) >= CHATTERS;
}
