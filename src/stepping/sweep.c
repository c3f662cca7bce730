// SPDX-License-Identifier: Apache-2.0
#include "stepping/sweep.h"

#include "base/memory.h"
#include "base/vec.h"

#include <string.h>

// Chains of hits in one step are followed this many rounds hit by hit; then all hits of the bodies in the chain count at once,
// without restitution; then what hits in the chain stops where it is.
enum { IN_ORDER = 5, APPROACHING = 18, MOST_ROUNDS = 25 };

// Contacts with immovable objects whose normals have a smaller product than this confine what is between them.
static const double opposite = -0.01, same_direction = 0.999;

// Of the energies that contacts of a group exchange: a gain above round-off and the tolerance of the solver.
static const double much = 1e-6;

// ---- groups of bodies in contact

static bool is_held(const StickSimulation *run, int b)
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
static int confined(const StickSimulation *run, const StickContact *contact)
{
    int a = contact->body[0], b = contact->body[1];
    if (b < 0 || is_held(run, b))
        return a;
    return is_held(run, a) ? b : -1;
}

// Work space of a round: groups of bodies that touch each other, nbodies each.
typedef struct Groups {
    int *parent;
    uint32_t *rounds; // bits: in which rounds it was hit
    bool *inelastic;  // its contacts have no restitution in this step
    bool *is_long;    // of a body: it belongs to a chain of hits that is not followed hit by hit any more
    double *gain;     // kinetic energy that contact gives, ...
    double *size;     // ... and the sum of the sizes of its parts
    int *wall;        // first contact with an immovable object, ...
    int *next;        // ... and ncontacts: the next one of each
    size_t next_capacity;
} Groups;

static int group_of(const StickSimulation *run, const Groups *groups, const StickContact *contact)
{
    int body = confined(run, contact);
    return root_of(groups->parent, body >= 0 ? body : contact->body[0]);
}

static StickStatus join(const StickSimulation *run, Groups *groups)
{
    const StickContactSet *set = &run->contacts;
    STICK_RESERVE(run->ctx, groups->next, groups->next_capacity, set->ncontacts);
    for (int b = 0; b < run->system->nbodies; b++) {
        groups->parent[b] = b;
        groups->rounds[b] = 0;
        groups->wall[b] = -1;
    }
    for (int c = 0; c < set->ncontacts; c++) {
        const StickContact *contact = &set->contact[c];
        if (confined(run, contact) < 0)
            groups->parent[root_of(groups->parent, contact->body[0])] =
                root_of(groups->parent, contact->body[1]);
    }
    for (int c = 0; c < set->ncontacts; c++) {
        const StickContact *contact = &set->contact[c];
        int group = group_of(run, groups, contact);
        if (contact->swept && contact->round >= 0)
            groups->rounds[group] |= (uint32_t)1 << contact->round;
        if (contact->pair < 0 && confined(run, contact) >= 0) {
            groups->next[c] = groups->wall[group];
            groups->wall[group] = c;
        }
    }
    return STICK_OK;
}

// Whether walls face each other across a group: then its bodies cannot separate from all of them as restitution requires.
static bool is_confined(const StickSimulation *run, const Groups *groups, int group)
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
static void find_gains(const StickSimulation *run, Groups *groups)
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

// The number of rounds in which a group was hit: the length of its chain of hits.
static int chain_of(const Groups *groups, int group)
{
    int count = 0;
    for (uint32_t rounds = groups->rounds[group]; rounds; rounds &= rounds - 1)
        count++;
    return count;
}

// Groups whose contacts have no restitution from now on in this step: what has several hits in it between walls, or would
// gain energy by it. Without restitution contact gives no energy, and bodies at rest meet all conditions.
static bool relax(StickSimulation *run, Groups *groups, bool is_solved)
{
    StickContactSet *set = &run->contacts;
    bool any = false;
    if (!stick_laws_have_restitution(run->system->model))
        return false;
    if (is_solved)
        find_gains(run, groups);
    for (int b = 0; b < run->system->nbodies; b++)
        groups->inelastic[b] = groups->rounds[b] && (is_solved ? groups->gain[b] > much * groups->size[b]
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

// A chain of hits that goes on in this round after many: without restitution, then without the ways to what is hit.
static void shorten_chains(StickSimulation *run, const Groups *groups, int round)
{
    StickContactSet *set = &run->contacts;
    for (int c = 0; c < set->ncontacts; c++) {
        StickContact *contact = &set->contact[c];
        int group = group_of(run, groups, contact), chain = chain_of(groups, group);
        if (chain <= IN_ORDER || !(groups->rounds[group] >> round))
            continue;
        contact->inelastic = contact->pair < 0;
        if (chain > APPROACHING && contact->swept)
            contact->gap = 0;
    }
}

static StickStatus create_groups(const StickSimulation *run, Groups *groups)
{
    StickContext *ctx = run->ctx;
    int n = run->system->nbodies;
    *groups = (Groups){0};
    STICK_ALLOC(ctx, groups->parent, n);
    STICK_ALLOC(ctx, groups->rounds, n);
    STICK_ALLOC(ctx, groups->inelastic, n);
    STICK_ALLOC(ctx, groups->is_long, n);
    STICK_ALLOC(ctx, groups->gain, n);
    STICK_ALLOC(ctx, groups->size, n);
    STICK_ALLOC(ctx, groups->wall, n);
    return STICK_OK;
}

static void destroy_groups(StickContext *ctx, Groups *groups)
{
    void *all[] = {groups->parent, groups->rounds, groups->inelastic, groups->is_long,
                   groups->gain,   groups->size,   groups->wall,      groups->next};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        stick_free(ctx, all[k]);
}

// ---- rounds

// Contacts that joints decide alone are not added.
static int drop_blocked(StickSimulation *run, int changed)
{
    StickContactSet *set = &run->contacts;
    int kept = 0, before = set->ncontacts;
    for (int c = 0; c < before; c++) {
        if (set->contact[c].swept && stick_joint_elimination_block(run->joint_step->links, set, c))
            continue;
        if (kept < c)
            set->contact[kept] = set->contact[c];
        kept++;
    }
    set->ncontacts = kept;
    return changed - (before - kept);
}

static void count_relaxed(StickSimulation *run)
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

static void count_stopped(StickSimulation *run, const Groups *groups)
{
    int longest = 0;
    for (int b = 0; b < run->system->nbodies; b++)
        longest = chain_of(groups, b) > longest ? chain_of(groups, b) : longest;
    if (longest > APPROACHING && !run->record.stopped++)
        stick_warn(
            run->ctx,
            "t = %g: a chain of more than %d hits within one time step: its bodies are stopped where they "
            "were at the start of the step (contact.stopped); reduce the time step (now %g)",
            run->state.now.t, APPROACHING, run->h);
}

static bool has_swept(const StickContactSet *set)
{
    for (int c = 0; c < set->ncontacts; c++)
        if (set->contact[c].swept && set->contact[c].round >= 0)
            return true;
    return false;
}

// Bodies whose chain of hits is long already.
static void find_long(const StickSimulation *run, Groups *groups)
{
    for (int b = 0; b < run->system->nbodies; b++)
        groups->is_long[b] = chain_of(groups, root_of(groups->parent, b)) >= IN_ORDER;
}

StickMotionSweep stick_sweep_path(const StickSimulation *run, const double *v, int round)
{
    return (StickMotionSweep){.v = v,
                              .h = run->span,
                              .q = run->q_M,
                              .t = run->span_start,
                              .round = round,
                              .linear = run->persistence.is_landing};
}

static StickStatus sweep_on(StickSimulation *run, const double *v, int round, Groups *groups, bool *again)
{
    StickContactSet *set = &run->contacts;
    bool relaxed = false;
    int changed;
    if (round > 0) {
        STICK_TRY(create_groups(run, groups));
        STICK_TRY(join(run, groups));
        find_long(run, groups);
    }
    StickMotionSweep sweep = stick_sweep_path(run, v, round);
    sweep.all = groups->is_long;
    STICK_TRY(stick_pairs_sweep(run->pairs, &sweep, set, &changed));
    if (changed > 0 && run->joint_step)
        changed = drop_blocked(run, changed);
    if (changed <= 0) {
        relaxed = round > 0 && has_swept(set) && relax(run, groups, true);
        *again = relaxed;
        if (round > 0 && !relaxed) {
            count_relaxed(run);
            count_stopped(run, groups);
        }
        return STICK_OK;
    }
    run->record.swept += round == 0;
    if (round == 0)
        STICK_TRY(create_groups(run, groups));
    STICK_TRY(join(run, groups));
    shorten_chains(run, groups, round);
    relax(run, groups, false);
    *again = true;
    return STICK_OK;
}

StickStatus stick_sweep_round(StickSimulation *run, const double *v, int round, bool *again)
{
    *again = false;
    if (round >= MOST_ROUNDS) {
        if (!run->record.passed++)
            stick_warn(run->ctx,
                       "t = %g: after %d contact solves bodies still pass through each other within one time "
                       "step; take a shorter step (now %g)",
                       run->state.now.t, round, run->h);
        return STICK_OK;
    }
    Groups groups = {0};
    StickStatus status = sweep_on(run, v, round, &groups, again);
    destroy_groups(run->ctx, &groups);
    return status;
}
