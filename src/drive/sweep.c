// SPDX-License-Identifier: Apache-2.0
#include "drive/sweep.h"

#include "base/memory.h"
#include "base/vec.h"

#include <string.h>

// Chains of hits in one step are followed this many rounds hit by hit; then all hits count at once, without restitution; then
// what hits stops where it is.
enum { IN_ORDER = 5, APPROACHING = 12, MOST_ROUNDS = 25 };

// Contacts with immovable objects whose normals have a smaller product than this confine what is between them.
static const double opposite = -0.01, same_direction = 0.999;

// Of the energies that contacts of a group exchange: a gain above round-off and the tolerance of the solver.
static const double much = 1e-6;

// ---- groups of bodies in contact

static bool is_held(const StickRun *run, int b)
{
    const StickBody *body = &run->system->body[b];
    for (int i = 0; i < body->ndofs; i++)
        if (!run->prescribed[body->first + i])
            return false;
    return true;
}

static int root_of(int *parent, int b)
{
    while (parent[b] != b)
        b = parent[b] = parent[parent[b]];
    return b;
}

// The free body of a contact with an immovable object, or -1: both are free.
static int confined(const StickRun *run, const StickContact *contact)
{
    int a = contact->body[0], b = contact->body[1];
    if (b < 0 || is_held(run, b))
        return a;
    return is_held(run, a) ? b : -1;
}

// Work space of a round: groups of bodies that touch each other, nbodies each.
typedef struct Groups {
    int *parent;
    bool *swept;     // has contacts of a sweep
    bool *inelastic; // its contacts have no restitution in this step
    double *gain;    // kinetic energy that contact gives, ...
    double *size;    // ... and the sum of the sizes of its parts
    int *wall;       // first contact with an immovable object, ...
    int *next;       // ... and ncontacts: the next one of each
} Groups;

static int group_of(const StickRun *run, const Groups *groups, const StickContact *contact)
{
    int body = confined(run, contact);
    return root_of(groups->parent, body >= 0 ? body : contact->body[0]);
}

static void join(const StickRun *run, Groups *groups)
{
    const StickContactSet *set = &run->contacts;
    for (int b = 0; b < run->system->nbodies; b++) {
        groups->parent[b] = b;
        groups->wall[b] = -1;
    }
    for (int c = 0; c < set->ncontacts; c++) {
        const StickContact *contact = &set->contact[c];
        if (contact->pair < 0 && confined(run, contact) < 0)
            groups->parent[root_of(groups->parent, contact->body[0])] =
                root_of(groups->parent, contact->body[1]);
    }
    for (int c = 0; c < set->ncontacts; c++) {
        const StickContact *contact = &set->contact[c];
        if (contact->pair >= 0)
            continue;
        int group = group_of(run, groups, contact);
        groups->swept[group] = groups->swept[group] || contact->swept;
        if (confined(run, contact) >= 0) {
            groups->next[c] = groups->wall[group];
            groups->wall[group] = c;
        }
    }
}

// Whether walls face each other across a group: then its bodies cannot separate from all of them as restitution requires.
static bool is_confined(const StickRun *run, const Groups *groups, int group)
{
    enum { DIRECTIONS = 32 };
    double seen[DIRECTIONS][3];
    int count = 0;
    for (int c = groups->wall[group]; c >= 0; c = groups->next[c]) {
        const StickContact *contact = &run->contacts.contact[c];
        double n[3], sign = confined(run, contact) == contact->body[0] ? 1 : -1, most = -1;
        for (int k = 0; k < 3; k++)
            n[k] = sign * contact->frame[0][k];
        for (int k = 0; k < count; k++) {
            double cosine = stick_vec_dot(n, seen[k]);
            if (cosine < opposite)
                return true;
            most = fmax(most, cosine);
        }
        if (most < same_direction && count < DIRECTIONS)
            memcpy(seen[count++], n, sizeof n);
    }
    return false;
}

// 1/2 r.(u_L + u_F) by groups: the kinetic energy that contacts give to bodies, seen from what moves them.
static void find_gains(const StickRun *run, Groups *groups)
{
    int dim = run->system->dim;
    for (int c = 0; c < run->contacts.ncontacts; c++) {
        const StickContact *contact = &run->contacts.contact[c];
        int group = contact->pair < 0 ? group_of(run, groups, contact) : -1;
        for (int k = 0, i = c * dim; k < dim && group >= 0; k++, i++) {
            double pull = run->laws.has_cohesion ? run->laws.pull_u[i] : 0;
            double u_L = run->u_free[i] - (k == 0 ? run->bias[c] : 0) + pull;
            groups->gain[group] += 0.5 * run->r[i] * (u_L + run->u[i]);
            groups->size[group] += 0.5 * fabs(run->r[i]) * (fabs(u_L) + fabs(run->u[i]));
        }
    }
}

// Groups whose contacts have no restitution from now on in this step: what has several hits in it between walls, or would
// gain energy by it. Without restitution contact gives no energy, and bodies at rest meet all conditions.
static bool relax_groups(StickRun *run, Groups *groups, bool is_solved)
{
    StickContactSet *set = &run->contacts;
    bool any = false;
    join(run, groups);
    if (is_solved)
        find_gains(run, groups);
    for (int b = 0; b < run->system->nbodies; b++)
        groups->inelastic[b] = groups->swept[b] && (is_solved ? groups->gain[b] > much * groups->size[b]
                                                              : is_confined(run, groups, b));
    for (int c = 0; c < set->ncontacts; c++) {
        StickContact *contact = &set->contact[c];
        if (contact->pair >= 0 || contact->inelastic || !groups->inelastic[group_of(run, groups, contact)])
            continue;
        contact->inelastic = true;
        any = any || !is_solved || run->restitution[c] > 0;
    }
    return any;
}

static StickStatus relax(StickRun *run, bool is_solved, bool *any)
{
    size_t n = (size_t)run->system->nbodies, count = (size_t)run->contacts.ncontacts;
    *any = false;
    if (!stick_laws_have_restitution(run->system->model))
        return STICK_OK;
    char *room =
        stick_alloc(run->ctx, n * (2 * sizeof(double) + 2 * sizeof(int) + 2) + count * sizeof(int), 1);
    if (!room)
        return STICK_NO_MEMORY;
    Groups groups = {.gain = (double *)(void *)room};
    groups.size = groups.gain + n;
    groups.parent = (int *)(groups.size + n);
    groups.wall = groups.parent + n;
    groups.next = groups.wall + n;
    groups.swept = (bool *)(groups.next + count);
    groups.inelastic = groups.swept + n;
    *any = relax_groups(run, &groups, is_solved);
    stick_free(run->ctx, room);
    return STICK_OK;
}

// ---- rounds

// Contacts that joints decide alone are not added.
static int drop_blocked(StickRun *run, int changed)
{
    StickContactSet *set = &run->contacts;
    int kept = 0, before = set->ncontacts;
    for (int c = 0; c < before; c++) {
        if (set->contact[c].swept && stick_links_block(run->linked->links, set, c))
            continue;
        if (kept < c)
            set->contact[kept] = set->contact[c];
        kept++;
    }
    set->ncontacts = kept;
    return changed - (before - kept);
}

static void count_relaxed(StickRun *run)
{
    bool any = false;
    for (int c = 0; c < run->contacts.ncontacts && !any; c++)
        any = run->contacts.contact[c].inelastic && run->restitution[c] > 0;
    if (any && !run->record.inelastic++)
        stick_warn(run->ctx,
                   "t = %g: bodies hit several others within one time step; where restitution would give "
                   "energy or cannot be met, it is not applied in that step (contact.inelastic); reduce the "
                   "time step (now %g)",
                   run->state.now.t, run->h);
}

static bool has_swept(const StickContactSet *set)
{
    for (int c = 0; c < set->ncontacts; c++)
        if (set->contact[c].swept)
            return true;
    return false;
}

StickStatus stick_sweep_round(StickRun *run, const double *v, int round, bool *again)
{
    StickSweep sweep = {.v = v,
                        .h = run->span,
                        .all = round >= IN_ORDER,
                        .q = run->q_M,
                        .t = run->span_start,
                        .round = round};
    StickContactSet *set = &run->contacts;
    int changed;
    bool relaxed = false;
    *again = false;
    if (round >= MOST_ROUNDS) {
        if (!run->record.passed++)
            stick_warn(run->ctx,
                       "t = %g: after %d contact solves bodies still pass through each other within one time "
                       "step; take a shorter step (now %g)",
                       run->state.now.t, round, run->h);
        return STICK_OK;
    }
    STICK_TRY(stick_pairs_sweep(run->pairs, &sweep, set, &changed));
    if (changed > 0 && run->linked)
        changed = drop_blocked(run, changed);
    if (changed <= 0) {
        if (round > 0 && has_swept(set))
            STICK_TRY(relax(run, true, &relaxed));
        *again = relaxed;
        if (round > 0 && !relaxed)
            count_relaxed(run);
        return STICK_OK;
    }
    run->record.swept += round == 0;
    for (int c = 0; c < set->ncontacts && round >= IN_ORDER; c++) {
        set->contact[c].inelastic = set->contact[c].pair < 0;
        if (round >= APPROACHING && set->contact[c].swept)
            set->contact[c].gap = 0;
    }
    STICK_TRY(relax(run, false, &relaxed));
    *again = true;
    return STICK_OK;
}
