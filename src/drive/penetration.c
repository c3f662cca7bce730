// SPDX-License-Identifier: Apache-2.0
#include "drive/penetration.h"

#include "base/memory.h"
#include "contact/rigid_pairs.h"
#include "drive/run.h"
#include "drive/touch.h"
#include "solve/islands.h"
#include "solve/problem.h"

#include <math.h>
#include <string.h>

// Of the depth after an impact, what is corrected in a step.
static const double fading = 0.1;

// Of the smaller body: deeper than this the normal may be wrong, and nothing is corrected.
static const double too_deep = 0.45;

// Sweeps of a correction, and those that an island of less than LARGE contacts gets before it counts as jammed.
enum { SWEEPS = 20, MOST_SWEEPS = 400, LARGE = 1000 };

// Of the squares of penetrations in an island: what need not be corrected in the same step.
static const double remains = 1e-6;

StickStatus stick_penetration_create(StickContext *ctx, int ndofs, StickPenetration *penetration)
{
    STICK_ALLOC(ctx, penetration->shift, ndofs);
    return STICK_OK;
}

void stick_penetration_destroy(StickContext *ctx, StickPenetration *penetration)
{
    stick_free(ctx, penetration->shift);
    stick_free(ctx, penetration->b);
    stick_free(ctx, penetration->lambda);
    stick_free(ctx, penetration->island);
    stick_free(ctx, penetration->next);
    stick_free(ctx, penetration->is_moved);
    *penetration = (StickPenetration){0};
}

// What points of the same two bodies remember, which are neighbours in the memory. As two shapes roll and slide on each other
// their points get new names: depth belongs to the shapes, what overlapped at the start to the bodies.
typedef struct Neighbours {
    bool keep;    // they overlapped at the start
    bool any;     // there are some of the same shapes ...
    double depth; // ... with this least depth
} Neighbours;

static Neighbours find_neighbours(const StickRun *run, int c)
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

// Load presses it together, as it did in the step before, and its normal is right.
static bool is_correctable(const StickRun *run, int c)
{
    const StickContact *contact = &run->contacts.contact[c];
    return contact->pair < 0 && (run->keyed[c] >= 0 || find_neighbours(run, c).any) &&
           run->r[c * run->system->dim] > 0 &&
           contact->gap > -too_deep / 1e-9 * stick_rigid_touching(run->system, contact);
}

// After an impact depth fades; the last of it at once.
static double faded(const StickRun *run, int c)
{
    const StickContact *contact = &run->contacts.contact[c];
    if (!is_correctable(run, c) || contact->keeps_depth)
        return run->depth[c];
    bool little = fading * run->depth[c] > -stick_rigid_touching(run->system, contact);
    return little ? 0 : (1 - fading) * run->depth[c];
}

// Depths that contacts have now, and may have; the largest penetration beyond that, by the gap at which shapes touch.
static double find_depths(StickRun *run, double *b)
{
    double worst = 0;
    int dim = run->system->dim;
    bool is_start = run->state.step == 0;
    if (is_start)
        stick_contact_velocity(&run->contacts, run->v_I, run->u_end);
    for (int c = 0; c < run->contacts.ncontacts; c++) {
        StickContact *contact = &run->contacts.contact[c];
        if (contact->pair >= 0)
            continue;
        const StickKeyedMemory *known = stick_touch_known(run, c);
        double margin = stick_rigid_touching(run->system, contact);
        // half a step before
        bool overlaps =
            is_start && contact->gap - 0.5 * run->h * (run->u_end[c * dim] + contact->u_drive[0]) < -margin;
        Neighbours others = known ? (Neighbours){0} : find_neighbours(run, c);
        contact->keeps_depth = known ? known->kept > 0 : overlaps || others.keep;
        run->depth[c] = known ? known->depth : fmin(0, fmax(contact->gap, others.depth));
        b[c] = contact->gap + run->h * run->u[c * dim] - faded(run, c);
        if (is_correctable(run, c))
            worst = fmax(worst, -b[c] / margin);
        else
            b[c] = fmax(0, b[c]);
    }
    return worst;
}

static bool is_corrected(const StickRun *run, int c)
{
    return run->contacts.contact[c].pair < 0;
}

// One sweep of projected Gauss-Seidel on the normal part of W over an island; the squares of the penetrations that it met.
static double sweep_island(StickPenetration *all, const StickRun *run, int first)
{
    const StickBlocks *W = run->W;
    size_t block = (size_t)(W->d * W->d);
    double left = 0;
    for (int c = first; c >= 0; c = all->next[c]) {
        double own = 0, y = all->b[c];
        if (!is_corrected(run, c))
            continue;
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
static bool project_island(StickPenetration *all, const StickRun *run, int first)
{
    double before = 0, left = INFINITY;
    int count = 0;
    for (int c = first; c >= 0; c = all->next[c], count++)
        before += is_corrected(run, c) && all->b[c] < 0 ? all->b[c] * all->b[c] : 0;
    int most = count < LARGE ? MOST_SWEEPS : SWEEPS;
    for (int sweep = 0; sweep < most && left > remains * before && !(sweep >= SWEEPS && left < before);
         sweep++)
        left = sweep_island(all, run, first);
    bool is_moved = left < before;
    for (int c = first; c >= 0; c = all->next[c]) {
        all->lambda[c] = is_moved ? all->lambda[c] : 0;
        all->is_moved[c] = is_moved;
    }
    return is_moved;
}

// Islands of W are corrected, or jammed, each by itself.
static bool project(StickRun *run)
{
    StickPenetration *all = &run->penetration;
    int n = run->contacts.ncontacts;
    bool any = false;
    stick_islands_roots(run->W, all->island);
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

// shift = A^-1 H_N lambda, with joints held
static StickStatus find_shift(StickRun *run, const double *lambda, double *shift)
{
    int n = run->contacts.ncontacts, dim = run->system->dim;
    size_t bytes = (size_t)run->state.n * sizeof *shift;
    StickLinks *links = run->linked ? run->linked->links : NULL;
    memset(run->u_end, 0, (size_t)(n * dim) * sizeof *run->u_end);
    for (int c = 0; c < n; c++)
        run->u_end[c * dim] = lambda[c];
    memset(run->work, 0, bytes);
    stick_contact_scatter(&run->contacts, run->u_end, STICK_NORMAL, run->work);
    memcpy(shift, run->v_F, bytes);
    STICK_TRY(stick_step_matrix_correct(run->matrix, run->work, shift));
    if (links) {
        memcpy(run->linked->before, links->lambda, (size_t)links->count * sizeof *links->lambda);
        stick_links_hold(links, shift);
        memcpy(links->lambda, run->linked->before, (size_t)links->count * sizeof *links->lambda);
    }
    for (int i = 0; i < run->state.n; i++)
        shift[i] -= run->v_F[i];
    return STICK_OK;
}

// What loads and springs resist with: -(F + G' lambda / h).shift
static double work_of(StickRun *run, const double *shift)
{
    double work = 0, size = 0;
    memset(run->work, 0, (size_t)run->state.n * sizeof *run->work);
    if (run->linked)
        stick_links_scatter(run->linked->links, run->linked->links->lambda, run->work);
    for (int i = 0; i < run->state.n; i++) {
        work -= (run->state.next.F[i] + run->work[i] / run->h) * shift[i];
        size += (fabs(run->state.next.F[i]) + fabs(run->work[i] / run->h)) * fabs(shift[i]);
    }
    return work > 1e-6 * size ? work : 0; // joints cancel
}

static void move(StickRun *run, double part, double *shift)
{
    for (int b = 0; b < run->system->nbodies; b++) {
        const StickBody *body = &run->system->body[b];
        double s[STICK_RIGID_DOFS], q[STICK_RIGID_DOFS], *at = run->state.next.q + body->first;
        for (int k = 0; k < body->ndofs; k++)
            shift[body->first + k] *= body->rigid ? part : 0;
        if (!body->rigid)
            continue;
        memcpy(s, shift + body->first, (size_t)body->ndofs * sizeof *s);
        memcpy(q, at, (size_t)body->ndofs * sizeof *q);
        stick_rigid_move(run->system->dim, q, s, at);
    }
}

// Joints are curved: Newton's method brings them back to their places, with the rows of the middle of the step.
static StickStatus restore_joints(StickRun *run, double *shift)
{
    StickLinked *linked = run->linked;
    StickLinks *links = linked->links;
    size_t bytes = (size_t)links->count * sizeof(double), n = (size_t)run->state.n;
    for (int pass = 0; pass < 3; pass++) {
        STICK_TRY(stick_joints_gaps(links->joints, run->state.next.q, run->state.next.t, linked->gap));
        memcpy(linked->before, links->lambda, bytes);
        for (int i = 0; i < links->count; i++)
            links->c[i] -= links->row[i].kind == STICK_ROW_PLACE ? linked->gap[i] : 0;
        memcpy(run->rhs, run->v_F, n * sizeof *run->rhs);
        stick_links_hold(links, run->rhs);
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

StickStatus stick_penetration_correct(StickRun *run)
{
    StickPenetration *all = &run->penetration;
    int n = run->contacts.ncontacts;
    all->is_shifted = false;
    STICK_RESERVE(run->ctx, all->b, all->b_capacity, n);
    STICK_RESERVE(run->ctx, all->lambda, all->lambda_capacity, n);
    STICK_RESERVE(run->ctx, all->island, all->island_capacity, n);
    STICK_RESERVE(run->ctx, all->next, all->next_capacity, n);
    STICK_RESERVE(run->ctx, all->is_moved, all->moved_capacity, n);
    double worst = n > 0 ? find_depths(run, all->b) : 0;
    if (worst > 1 && !(run->linked && run->linked->passes_dead)) {
        if (!project(run)) // jammed
            return STICK_OK;
        STICK_TRY(find_shift(run, all->lambda, all->shift));
        double work = work_of(run, all->shift), paid = fmax(0, run->ledger.impact);
        if (!(work > 0) || !(paid > 0)) // no load presses, or nothing pays
            return STICK_OK;
        move(run, work > paid ? paid / work : 1, all->shift);
        if (run->linked)
            STICK_TRY(restore_joints(run, all->shift));
        all->is_shifted = true;
        if (work > paid)
            return STICK_OK;
    }
    // without a correction it does not fade beyond what the gap is
    for (int c = 0; c < n; c++) {
        double now = fmax(run->depth[c], fmin(0, run->contacts.contact[c].gap));
        run->depth[c] = all->is_shifted && all->is_moved[c] ? faded(run, c) : fmin(faded(run, c), now);
    }
    return STICK_OK;
}
