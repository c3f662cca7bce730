// SPDX-License-Identifier: Apache-2.0
#include "stepping/penetration.h"

#include "base/memory.h"
#include "bodies/products.h"
#include "contact/rigid_pairs.h"
#include "solve/islands.h"
#include "solve/problem.h"
#include "stepping/contact_problem.h"
#include "stepping/gap_bias.h"
#include "stepping/simulation.h"

#include <math.h>
#include <string.h>

// Of the smaller body: deeper than this the normal may be wrong, and nothing is corrected.
static const double too_deep = 0.45;

// Sweeps of a correction, and those that an island of less than LARGE contacts gets before it counts as jammed.
enum { SWEEPS = 20, MOST_SWEEPS = 400, LARGE = 1000 };

StickStatus stick_penetration_create(StickContext *ctx, const StickSystem *system,
                                     StickPenetration *penetration)
{
    STICK_ALLOC(ctx, penetration->shift, system->ndofs);
    STICK_ALLOC(ctx, penetration->stiff, system->ndofs);
    STICK_ALLOC(ctx, penetration->pair, system->model->ncontacts);
    return STICK_OK;
}

void stick_penetration_destroy(StickContext *ctx, StickPenetration *penetration)
{
    stick_free(ctx, penetration->shift);
    stick_free(ctx, penetration->stiff);
    stick_free(ctx, penetration->pair);
    stick_free(ctx, penetration->b);
    stick_free(ctx, penetration->lambda);
    stick_free(ctx, penetration->island);
    stick_free(ctx, penetration->next);
    stick_free(ctx, penetration->is_moved);
    stick_free(ctx, penetration->is_free);
    *penetration = (StickPenetration){0};
}

typedef StickPenetrationPair Neighbours;

// The same of the pairs of surfaces: depth belongs to both surfaces, whichever of their nodes and features meet.
static void find_pairs(StickSimulation *run)
{
    const StickContactMemory *memory = &run->state.memory;
    for (int pair = 0; pair < run->system->model->ncontacts; pair++) {
        Neighbours found = {.depth = -INFINITY};
        int first = memory->first[pair], end = first + STICK_LAYERS * memory->features[pair];
        for (int slot = first; slot < end; slot++) {
            if (!(memory->known[slot] > 0))
                continue;
            found.any = true;
            found.keep |= memory->kept[slot] > 0;
        }
        run->penetration.pair[pair] = found;
    }
}

static Neighbours find_neighbours(const StickSimulation *run, int c)
{
    const StickContactMemory *memory = &run->state.memory;
    StickContactKey key = stick_contact_key(&run->contacts.contact[c]);
    Neighbours found = {.depth = -INFINITY};
    uint32_t shapes = key.shapes;
    key.shapes = key.feature = 0;
    for (int at = stick_memory_place(memory, &key);
         at < memory->nkeyed && memory->keyed[at].key.a == key.a && memory->keyed[at].key.b == key.b; at++) {
        found.keep |= memory->keyed[at].kept > 0;
        if (memory->keyed[at].key.shapes != shapes)
            continue;
        found.any = true;
        found.depth = fmax(found.depth, memory->keyed[at].depth);
    }
    return found;
}

// What a contact remembers of its own, or what its neighbours do.
static Neighbours recall(const StickSimulation *run, int c, bool *is_known)
{
    const StickContactMemory *memory = &run->state.memory;
    const StickContact *contact = &run->contacts.contact[c];
    if (contact->pair < 0) {
        const StickKeyedMemory *known = stick_contact_problem_known(run, c);
        *is_known = known != NULL;
        return known ? (Neighbours){.any = true, .keep = known->kept > 0, .depth = known->depth}
                     : find_neighbours(run, c);
    }
    int slot = stick_memory_slot(memory, contact);
    *is_known = memory->known[slot] > 0;
    return *is_known ? (Neighbours){.any = true, .keep = memory->kept[slot] > 0, .depth = memory->depth[slot]}
                     : run->penetration.pair[contact->pair];
}

double stick_penetration_margin(const StickSimulation *run, const StickContact *contact)
{
    return contact->pair < 0 ? stick_rigid_touching(run->system, contact)
                             : STICK_LITTLE_DEPTH * stick_gap_bias_spacing(run, contact);
}

static double deepest_of(const StickSimulation *run, const StickContact *contact)
{
    if (contact->pair < 0)
        return too_deep / 1e-9 * stick_rigid_touching(run->system, contact);
    double deepest = stick_gap_bias_spacing(run, contact);
    for (int side = 0; side < 2; side++) {
        const StickBody *body = contact->body[side] >= 0 ? &run->system->body[contact->body[side]] : NULL;
        deepest = body && body->rigid ? fmin(deepest, too_deep * body->rigid->solid->thin) : deepest;
    }
    return deepest;
}

// Whether a contact touches what takes momentum from outside: an obstacle, or a body with supports.
static bool is_grounded(const StickSimulation *run, const StickContact *contact)
{
    bool grounded = contact->body[1] < 0;
    for (int side = 0; side < 2 && !grounded; side++) {
        const StickBody *body = &run->system->body[contact->body[side]];
        for (int i = body->first; i < body->first + body->ndofs && !grounded; i++)
            grounded = run->prescribed[i];
    }
    return grounded;
}

// Islands of W, and which of them are free. Places that are corrected have another angular momentum: without a load, those of
// rigid bodies that touch nothing but each other remain.
static void find_islands(StickSimulation *run)
{
    StickPenetration *all = &run->penetration;
    int n = run->contacts.ncontacts;
    stick_islands_roots(run->W, all->island);
    for (int c = 0; c < n; c++)
        all->is_free[c] = true;
    for (int c = 0; c < n; c++)
        if (is_grounded(run, &run->contacts.contact[c]))
            all->is_free[all->island[c]] = false;
}

// It was there in the step before, and its normal is right. Surfaces, and islands that are free: load presses it together.
static bool is_correctable(const StickSimulation *run, int c)
{
    const StickContact *contact = &run->contacts.contact[c];
    const StickPenetration *all = &run->penetration;
    bool is_known, is_pressed = run->r[c * run->system->dim] > 0;
    return (is_pressed || (contact->pair < 0 && !all->is_free[all->island[c]])) &&
           recall(run, c, &is_known).any && contact->gap > -deepest_of(run, contact);
}

// After an impact depth fades; the last of it at once.
static double faded(const StickSimulation *run, int c)
{
    const StickContact *contact = &run->contacts.contact[c];
    if (!is_correctable(run, c) || contact->keeps_depth)
        return run->depth[c];
    bool little = STICK_FADING * run->depth[c] > -stick_penetration_margin(run, contact);
    return little ? 0 : (1 - STICK_FADING) * run->depth[c];
}

// Depths that contacts have now, and may have; the largest penetration beyond that, by the gap at which shapes touch.
static double find_depths(StickSimulation *run, double *b)
{
    double worst = 0;
    int dim = run->system->dim;
    bool is_start = run->state.step == 0;
    find_pairs(run);
    if (is_start)
        stick_contact_velocity(&run->contacts, run->v_I, run->u_end);
    for (int c = 0; c < run->contacts.ncontacts; c++) {
        StickContact *contact = &run->contacts.contact[c];
        double margin = stick_penetration_margin(run, contact);
        // half a step before
        bool overlaps =
            is_start && contact->gap - 0.5 * run->h * (run->u_end[c * dim] + contact->u_drive[0]) < -margin;
        bool is_known;
        Neighbours memory = recall(run, c, &is_known);
        contact->keeps_depth = is_known ? memory.keep : overlaps || memory.keep;
        double first = contact->pair < 0 ? fmax(contact->gap, memory.depth) : contact->gap;
        run->depth[c] = is_known ? memory.depth : fmin(0, first);
        b[c] = contact->gap + run->h * run->u[c * dim] - faded(run, c);
        if (is_correctable(run, c))
            worst = fmax(worst, -b[c] / margin);
        else
            b[c] = fmax(0, b[c]);
    }
    return worst;
}

// One sweep of projected Gauss-Seidel on the normal part of W over an island; the squares of the penetrations that it met.
static double sweep_island(StickPenetration *all, const StickSimulation *run, int first)
{
    const StickBlocks *W = run->W;
    size_t block = (size_t)(W->d * W->d);
    double left = 0;
    for (int c = first; c >= 0; c = all->next[c]) {
        double own = 0, y = all->b[c];
        for (int e = W->start[c]; e < W->start[c + 1]; e++) {
            double w = W->value[(size_t)e * block];
            y += w * all->lambda[W->col[e]];
            own = W->col[e] == c ? w : own;
        }
        left += y < 0 ? y * y : 0;
        if (own > 0)
            all->lambda[c] = fmax(0, all->lambda[c] - y / own);
    }
    return left;
}

// Whether penetrations of an island become less; where its bodies are jammed, lambda is zero.
static bool project_island(StickPenetration *all, const StickSimulation *run, int first)
{
    double before = 0, left = INFINITY;
    int count = 0;
    for (int c = first; c >= 0; c = all->next[c], count++)
        before += all->b[c] < 0 ? all->b[c] * all->b[c] : 0;
    int most = count < LARGE ? MOST_SWEEPS : SWEEPS;
    for (int sweep = 0; sweep < most && left > 0 && !(sweep >= SWEEPS && left < before); sweep++)
        left = sweep_island(all, run, first);
    bool is_moved = left < before;
    for (int c = first; c >= 0; c = all->next[c]) {
        all->lambda[c] = is_moved ? all->lambda[c] : 0;
        all->is_moved[c] = is_moved;
    }
    return is_moved;
}

// Islands of W are corrected, or jammed, each by itself.
static bool project(StickSimulation *run)
{
    StickPenetration *all = &run->penetration;
    int n = run->contacts.ncontacts;
    bool any = false;
    for (int c = 0; c < n; c++)
        all->next[c] = -1;
    for (int c = n - 1; c >= 0; c--) {
        int first = all->island[c];
        all->lambda[c] = 0;
        if (c == first)
            continue;
        all->next[c] = all->next[first];
        all->next[first] = c;
    }
    for (int c = 0; c < n; c++)
        any |= all->island[c] == c && project_island(all, run, c);
    return any;
}

// Islands that are free stay where they are; false: no other one is moved.
static bool drop_free(StickSimulation *run)
{
    StickPenetration *all = &run->penetration;
    bool any = false;
    for (int c = 0; c < run->contacts.ncontacts; c++) {
        if (all->is_free[all->island[c]]) {
            all->lambda[c] = 0;
            all->is_moved[c] = false;
        }
        any |= all->is_moved[c];
    }
    return any;
}

// shift = A^-1 H_N lambda, with joints held
static StickStatus find_shift(StickSimulation *run, const double *lambda, double *shift)
{
    int n = run->contacts.ncontacts, dim = run->system->dim;
    size_t bytes = (size_t)run->state.n * sizeof *shift;
    StickJointElimination *links = run->joint_step ? run->joint_step->links : NULL;
    memset(run->u_end, 0, (size_t)(n * dim) * sizeof *run->u_end);
    for (int c = 0; c < n; c++)
        run->u_end[c * dim] = lambda[c];
    memset(run->work, 0, bytes);
    stick_contact_scatter(&run->contacts, run->u_end, STICK_NORMAL, run->work);
    memcpy(shift, run->v_F, bytes);
    STICK_TRY(stick_step_matrix_correct(run->matrix, run->work, shift));
    if (links) {
        memcpy(run->joint_step->before, links->lambda, (size_t)links->count * sizeof *links->lambda);
        stick_joint_elimination_hold(links, shift);
        memcpy(links->lambda, run->joint_step->before, (size_t)links->count * sizeof *links->lambda);
    }
    for (int i = 0; i < run->state.n; i++)
        shift[i] -= run->v_F[i];
    return STICK_OK;
}

// K shift; and what loads, springs and the stiffness of bodies resist with: shift.(K (q + part shift / 2) - F - G' lambda / h)
// = linear + part quadratic / 2 per part of the shift.
typedef struct Resistance {
    double linear, quadratic;
} Resistance;

static Resistance resistance_of(StickSimulation *run, const double *shift)
{
    StickPenetration *all = &run->penetration;
    Resistance work = {0};
    double size = 0;
    size_t bytes = (size_t)run->state.n * sizeof *shift;
    memset(all->stiff, 0, bytes);
    memset(run->rhs, 0, bytes);
    if (run->system->nrigid < run->system->nbodies) {
        memcpy(run->work, shift, bytes);
        stick_system_stiffness(run->system, run->work, all->stiff);
        memcpy(run->work, run->state.next.q, bytes);
        stick_system_stiffness(run->system, run->work, run->rhs);
    }
    memset(run->work, 0, bytes);
    if (run->joint_step)
        stick_joint_elimination_scatter(run->joint_step->links, run->joint_step->links->lambda, run->work);
    for (int i = 0; i < run->state.n; i++) {
        double force = run->rhs[i] - run->state.next.F[i] - run->work[i] / run->h;
        work.linear += force * shift[i];
        work.quadratic += all->stiff[i] * shift[i];
        size +=
            (fabs(run->rhs[i]) + fabs(run->state.next.F[i]) + fabs(run->work[i] / run->h)) * fabs(shift[i]);
    }
    work.linear = work.linear > 1e-6 * size ? work.linear : 0; // joints cancel
    return work;
}

// The part of a shift that what is paid is enough for: all of one that needs no energy.
static double paid_part(const Resistance *work, double paid)
{
    double a = 0.5 * work->quadratic, b = work->linear;
    if (a + b <= paid)
        return 1;
    return paid > 0 ? 2 * paid / (b + sqrt(b * b + 4 * a * paid)) : 0;
}

static void move(StickSimulation *run, double part, double *shift)
{
    for (int b = 0; b < run->system->nbodies; b++) {
        const StickBody *body = &run->system->body[b];
        double s[STICK_RIGID_DOFS], q[STICK_RIGID_DOFS], *at = run->state.next.q + body->first;
        for (int k = 0; k < body->ndofs; k++) {
            shift[body->first + k] *= part;
            at[k] += body->rigid ? 0 : shift[body->first + k];
        }
        if (!body->rigid)
            continue;
        memcpy(s, shift + body->first, (size_t)body->ndofs * sizeof *s);
        memcpy(q, at, (size_t)body->ndofs * sizeof *q);
        stick_rigid_move(run->system->dim, q, s, at);
    }
}

// Joints are curved: Newton's method brings them back to their places, with the rows of the middle of the step.
static StickStatus restore_joints(StickSimulation *run, double *shift)
{
    StickJointStep *linked = run->joint_step;
    StickJointElimination *links = linked->links;
    size_t bytes = (size_t)links->count * sizeof(double), n = (size_t)run->state.n;
    for (int pass = 0; pass < 3; pass++) {
        STICK_TRY(stick_joint_rows_gaps(links->joints, run->state.next.q, run->state.next.t, linked->gap));
        memcpy(linked->before, links->lambda, bytes);
        for (int i = 0; i < links->count; i++)
            links->c[i] -= links->row[i].kind == STICK_ROW_PLACE ? linked->gap[i] : 0;
        memcpy(run->rhs, run->v_F, n * sizeof *run->rhs);
        stick_joint_elimination_hold(links, run->rhs);
        for (int i = 0; i < links->count; i++)
            links->c[i] += links->row[i].kind == STICK_ROW_PLACE ? linked->gap[i] : 0;
        memcpy(links->lambda, linked->before, bytes);
        for (size_t i = 0; i < n; i++)
            run->rhs[i] -= run->v_F[i];
        move(run, 1, run->rhs);
        for (size_t i = 0; i < n; i++)
            shift[i] += run->rhs[i];
    }
    return STICK_OK;
}

StickStatus stick_penetration_correct(StickSimulation *run)
{
    StickPenetration *all = &run->penetration;
    int n = run->contacts.ncontacts;
    all->is_shifted = false;
    STICK_RESERVE(run->ctx, all->b, all->b_capacity, n);
    STICK_RESERVE(run->ctx, all->lambda, all->lambda_capacity, n);
    STICK_RESERVE(run->ctx, all->island, all->island_capacity, n);
    STICK_RESERVE(run->ctx, all->next, all->next_capacity, n);
    STICK_RESERVE(run->ctx, all->is_moved, all->moved_capacity, n);
    STICK_RESERVE(run->ctx, all->is_free, all->free_capacity, n);
    if (n > 0)
        find_islands(run);
    double worst = n > 0 ? find_depths(run, all->b) : 0, taken = fmax(0, run->ledger.impact);
    double paid = taken + fmax(0, run->ledger.obstacles - 2 * run->ledger.pushed);
    all->pushed = 0;
    if (worst > 1 && !(run->joint_step && run->joint_step->passes_dead)) {
        if (!project(run)) // jammed
            return STICK_OK;
        STICK_TRY(find_shift(run, all->lambda, all->shift));
        Resistance work = resistance_of(run, all->shift);
        if (!(work.linear + work.quadratic > 0)) { // no load presses
            if (!drop_free(run))
                return STICK_OK;
            STICK_TRY(find_shift(run, all->lambda, all->shift));
            work = resistance_of(run, all->shift);
        }
        double part = paid_part(&work, paid);
        if (!(part > 0)) // nothing pays
            return STICK_OK;
        move(run, part, all->shift);
        for (int i = 0; i < run->state.n; i++)
            all->stiff[i] *= part;
        if (run->joint_step)
            STICK_TRY(restore_joints(run, all->shift));
        all->is_shifted = true;
        all->pushed = fmax(0, part * (work.linear + 0.5 * part * work.quadratic) - taken);
        if (part < 1)
            return STICK_OK;
    }
    // without a correction it does not fade beyond what the gap is
    for (int c = 0; c < n; c++) {
        double now = fmax(run->depth[c], fmin(0, run->contacts.contact[c].gap));
        run->depth[c] = all->is_shifted && all->is_moved[c] ? faded(run, c) : fmin(faded(run, c), now);
    }
    return STICK_OK;
}
