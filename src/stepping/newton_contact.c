// SPDX-License-Identifier: Apache-2.0
#include "stepping/newton_contact.h"

#include "base/memory.h"
#include "bodies/finite.h"
#include "bodies/products.h"
#include "fem/finite.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// Out of balance at the end, of the largest force; and what round-off may leave where forces cancel.
static const double balanced = 1e-11, nearly_balanced = 1e-8;

// Of the forces that would move nodes one by one: what nodes that move together feel is less certain than this.
static const double round_off = 1e-14;

// What is left of one iteration by the next: more than this is no progress any more.
static const double stalled = 0.3;

// An increment's iteration may leave so much more out of balance than the one before: contacts come and go.
static const double much_worse = 10;

enum { MOST_HALVES = 10 };

// Forces that belong to less than this strain may be none at all: of a body that has lost its contact.
static const double faint_strain = 1e-8;

// Of the stiffness of single nodes: springs at contacts that press.
static const double spring_stiffness = 10;

// ---- what there is to keep

static StickStatus refuse_step(StickSimulation *run, const StickBody *body, const char *what,
                               const char *instead)
{
    return stick_fail_at(run->ctx, STICK_BAD_INPUT, run->spec->mark,
                         "step '%s': body '%s' has a material under finite strains, %s: %s", run->spec->name,
                         body->name, what, instead);
}

static StickStatus refuse_by_name(StickSimulation *run, const StickBody *body)
{
    if (!stick_simulation_is_quasistatic(run) && run->scheme.kind == STICK_SCHEME_NEWMARK)
        return refuse_step(run, body, "which the scheme 'newmark' does not move",
                           "take 'theta', 'theta-euler' or 'modified-theta'");
    if (!stick_simulation_is_quasistatic(run) && run->scheme.kind == STICK_SCHEME_MOREAU)
        return refuse_step(run, body, "which the scheme 'moreau' does not move",
                           "take 'theta', 'theta-euler' or 'modified-theta', without rigid bodies");
    if (run->spec->follow == STICK_FOLLOW_EVENTS)
        return refuse_step(run, body, "whose path is not straight between events",
                           "leave 'follow: events' out and take increments");
    if (run->hold)
        return refuse_step(run, body, "and forces are held, which needs small strains",
                           "give the group a displacement instead, or the load as pressures or forces");
    if (body->modes)
        return refuse_step(run, body, "but moves by modes, which are those of small strains",
                           "leave its 'modes' out");
    return STICK_OK;
}

static double stiffest_of(const StickBody *body)
{
    double most = 0;
    for (int j = 0; j < body->ndofs; j++)
        for (int e = body->K.start[j]; e < body->K.start[j + 1]; e++)
            if (body->K.row[e] == j)
                most = fmax(most, body->K.value[e]);
    return most;
}

static StickStatus fill(StickSimulation *run, StickNewtonContact *josephy)
{
    const StickSystem *system = run->system;
    STICK_ALLOC(run->ctx, josephy->tangent, system->nbodies);
    for (int b = 0; b < system->nbodies; b++) {
        const StickBody *body = &system->body[b];
        if (!body->finite)
            continue;
        STICK_TRY(refuse_by_name(run, body));
        STICK_ALLOC(run->ctx, josephy->tangent[b], body->K.start[body->ndofs]);
        josephy->stiffest = fmax(josephy->stiffest, stiffest_of(body));
    }
    STICK_ALLOC(run->ctx, josephy->past, system->nhistory);
    STICK_ALLOC(run->ctx, josephy->x, system->ndofs);
    STICK_ALLOC(run->ctx, josephy->target, system->ndofs);
    STICK_ALLOC(run->ctx, josephy->p, system->ndofs);
    STICK_ALLOC(run->ctx, josephy->way, system->ndofs);
    josephy->faint = faint_strain * josephy->stiffest * stick_simulation_size(run);
    josephy->regularization.rho = spring_stiffness * josephy->stiffest;
    return stick_contact_regularization_create(run, &josephy->regularization);
}

StickStatus stick_newton_contact_create(StickSimulation *run, StickNewtonContact **josephy)
{
    StickNewtonContact *created;
    *josephy = NULL;
    if (!stick_system_is_finite(run->system))
        return STICK_OK;
    STICK_ALLOC(run->ctx, created, 1);
    StickStatus status = fill(run, created);
    if (status != STICK_OK) {
        stick_newton_contact_destroy(run->ctx, run->system, created);
        return status;
    }
    *josephy = created;
    return STICK_OK;
}

void stick_newton_contact_destroy(StickContext *ctx, const StickSystem *system, StickNewtonContact *josephy)
{
    if (!josephy)
        return;
    for (int b = 0; josephy->tangent && b < system->nbodies; b++)
        stick_free(ctx, josephy->tangent[b]);
    stick_free(ctx, josephy->tangent);
    stick_free(ctx, josephy->past);
    stick_free(ctx, josephy->x);
    stick_free(ctx, josephy->target);
    stick_free(ctx, josephy->p);
    stick_free(ctx, josephy->way);
    stick_contact_regularization_destroy(ctx, &josephy->regularization);
    stick_free(ctx, josephy);
}

// ---- forces at an iterate

StickStatus stick_newton_contact_refresh(StickSimulation *run, StickMotion *motion)
{
    StickFiniteForces task = {.q = motion->q,
                              .past = motion->history,
                              .next = run->newton_contact->past,
                              .force = motion->Kq,
                              .no_loss = true};
    STICK_TRY(stick_system_forces(run->system, &task));
    if (task.bad_element >= 0)
        return stick_fail(run->ctx, STICK_BAD_INPUT,
                          "t = %g: element %lld of body '%s' is inverted where it starts: give it a smaller "
                          "initial displacement",
                          motion->t,
                          stick_mesh_element_tag(&run->system->body[task.bad_body].mesh, task.bad_element),
                          run->system->body[task.bad_body].name);
    motion->stored = task.energy;
    motion->loss = 0;
    return STICK_OK;
}

// q(x)
static void place(const StickSimulation *run, const double *x, double *q)
{
    const StickMotion *now = &run->state.now;
    StickSchemeStart start = {.n = run->state.n, .h = run->h, .q = now->q, .v = now->v};
    if (stick_simulation_is_quasistatic(run))
        for (int i = 0; i < run->state.n; i++)
            q[i] = now->q[i] + x[i];
    else
        stick_scheme_advance(&run->scheme, &start, x, q, NULL);
}

// Pressures that follow the surface to where it is, and what they take off the tangents.
static StickStatus follow_surface(StickSimulation *run)
{
    StickMotion *next = &run->state.next;
    if (!run->loads.follow)
        return STICK_OK;
    STICK_TRY(stick_loads_force_at(run->ctx, &run->loads, next->t, next->q, next->F));
    return stick_loads_tangent(run->ctx, &run->loads, next->t, next->q, run->newton_contact->tangent);
}

// Increments ask for stiffness alone: M v and C v are found at their ends.
static bool needs_products(const StickSimulation *run)
{
    bool linear = false;
    for (int b = 0; b < run->system->nbodies; b++)
        linear |= !run->system->body[b].finite;
    return linear || !stick_simulation_is_quasistatic(run);
}

// Forces and tangents at x, if all elements are good there.
static StickStatus evaluate(StickSimulation *run, const double *x, bool *good)
{
    StickNewtonContact *josephy = run->newton_contact;
    StickMotion *next = &run->state.next;
    place(run, x, next->q);
    StickFiniteForces task = {
        .q = next->q,
        .h = run->h,
        .past = josephy->past,
        .next = next->history,
        .force = next->Kq,
        .tangent = josephy->tangent,
        .no_loss = true,
    };
    STICK_TRY(stick_system_forces(run->system, &task));
    *good = task.bad_element < 0;
    if (!*good) {
        josephy->bad_body = task.bad_body;
        josephy->bad_element = task.bad_element;
        return STICK_OK;
    }
    next->stored = task.energy;
    next->loss = task.loss;
    josephy->volume = task.worst_volume;
    if (needs_products(run))
        stick_system_products(run->system, next->q, x, next->Mv, next->Cv, next->Kq);
    return follow_surface(run);
}

// f without contact; and the largest of the forces in it.
static double out_of_balance(const StickSimulation *run, double *f)
{
    const StickMotion *now = &run->state.now, *next = &run->state.next;
    double h = run->h, theta = run->scheme.theta, kappa = run->scheme.kappa, largest = 0;
    for (int i = 0; i < run->state.n; i++) {
        if (stick_simulation_is_quasistatic(run)) {
            f[i] = next->F[i] - next->Kq[i];
            largest = fmax(largest, fmax(fabs(next->F[i]), fabs(next->Kq[i])));
            continue;
        }
        double F = theta * next->F[i] + (1 - theta) * now->F[i];
        double Kq = theta * next->Kq[i] + (1 - theta) * now->Kq[i];
        double Cv = kappa * next->Cv[i] + (1 - kappa) * now->Cv[i];
        f[i] = h * (F - Kq - Cv) - (next->Mv[i] - now->Mv[i]);
        largest = fmax(largest, fmax(fmax(fabs(next->Mv[i]), fabs(now->Mv[i])), h * fmax(fabs(F), fabs(Kq))));
    }
    return largest;
}

// What is left of f + p at the degrees of freedom that are free: absolute.
static double judge_balance(StickSimulation *run, const double *p, double *scale)
{
    double most = 0;
    *scale = out_of_balance(run, run->rhs);
    for (int i = 0; i < run->state.n; i++) {
        *scale = fmax(*scale, fabs(p[i]));
        if (!run->prescribed[i])
            most = fmax(most, fabs(run->rhs[i] + p[i]));
    }
    return most;
}

// ---- messages

static void place_of_element(const StickSimulation *run, int b, int element, double place[3])
{
    const StickBody *body = &run->system->body[b];
    const StickMesh *mesh = &body->mesh;
    int from = mesh->start[element], to = mesh->start[element + 1];
    place[0] = place[1] = place[2] = 0;
    for (int k = from; k < to; k++) {
        double x[3];
        stick_body_place(body, run->system->dim, mesh->node[k], run->state.now.q, x);
        for (int i = 0; i < 3; i++)
            place[i] += x[i] / (to - from);
    }
}

static StickStatus refuse_inverted(StickSimulation *run)
{
    const StickNewtonContact *josephy = run->newton_contact;
    double x[3];
    place_of_element(run, josephy->bad_body, josephy->bad_element, x);
    return stick_simulation_refuse(
        run,
        "t = %g: element %lld of body '%s', at (%.4g, %.4g, %.4g), is inverted or its material has no state",
        run->state.next.t,
        stick_mesh_element_tag(&run->system->body[josephy->bad_body].mesh, josephy->bad_element),
        run->system->body[josephy->bad_body].name, x[0], x[1], x[2]);
}

void stick_newton_contact_tell(StickSimulation *run)
{
    const StickNewtonContact *josephy = run->newton_contact;
    enum { LINE = 80 };
    char text[(STICK_MOST_RELAXED + 1) * LINE] = "";
    size_t length = 0;
    for (int k = 0; josephy && k < josephy->count && k < STICK_MOST_RELAXED; k++) {
        const StickNewtonRow *row = &josephy->row[k];
        length +=
            (size_t)snprintf(text + length, LINE, "\n  %2d  %9.2e  %9.2e  %9.2e  %7.4f  %5d  %5d", k + 1,
                             row->residual, row->gap, row->change, row->part, row->contacts, row->active);
    }
    if (length > 0)
        stick_note(run->ctx,
                   "iterations of the last try, over %.3g of time:\n"
                   "   k  out of balance  gaps  change of r  part  contacts  active%s",
                   run->h, text);
}

// ---- iterations

StickStatus stick_newton_contact_start(StickSimulation *run, const double *x)
{
    StickNewtonContact *josephy = run->newton_contact;
    const StickMotion *now = &run->state.now;
    size_t bytes = (size_t)run->state.n * sizeof(double);
    bool good;
    if (x)
        memcpy(josephy->x, x, bytes);
    else
        memset(josephy->x, 0, bytes);
    memcpy(josephy->past, now->history, (size_t)run->system->nhistory * sizeof *now->history);
    josephy->before = josephy->count = josephy->augmentations = 0;
    josephy->gap = 0;
    memset(josephy->p, 0, bytes);
    STICK_TRY(evaluate(run, josephy->x, &good));
    if (!good)
        return refuse_inverted(run);
    josephy->residual = josephy->best = INFINITY;
    return STICK_OK;
}

void stick_newton_contact_again(StickSimulation *run)
{
    StickNewtonContact *josephy = run->newton_contact;
    josephy->before += josephy->count;
    josephy->count = 0;
    josephy->residual = josephy->best = INFINITY;
}

static StickStatus factor(StickSimulation *run)
{
    double h = run->h, theta = run->scheme.theta, kappa = run->scheme.kappa;
    for (int b = 0; b < run->system->nbodies; b++)
        if (run->newton_contact->tangent[b])
            stick_step_matrix_tangent(run->matrix, b, run->newton_contact->tangent[b]);
    return stick_simulation_is_quasistatic(run)
               ? stick_step_matrix_set(run->matrix, 0, 0, 1)
               : stick_step_matrix_set(run->matrix, 1, h * kappa, h * h * theta * kappa);
}

// Far from balance pressures may be so wrong that no contact holds what they push: a part of K at rest is added, more and
// more of it. Near balance this would be in the way, and what is not stable there may be so indeed.
static const double far_off = 1e-3, first_part = 0.01, last_part = 10;

static bool may_soften(const StickSimulation *run)
{
    const StickNewtonContact *josephy = run->newton_contact;
    return josephy->count > 0 && run->contacts.ncontacts > 0 &&
           josephy->residual > far_off * josephy->scale && stick_step_matrix_indefinite(run->matrix) > 0;
}

static void add_rest(StickSimulation *run, double part)
{
    for (int b = 0; b < run->system->nbodies; b++) {
        const StickSparse *K = &run->system->body[b].K;
        double *tangent = run->newton_contact->tangent[b];
        for (int e = 0; tangent && e < K->start[K->cols]; e++)
            tangent[e] += part * K->value[e];
    }
}

// Tangents of the iterate into the factors.
static StickStatus set_matrix(StickSimulation *run)
{
    double added = 0;
    STICK_TRY(factor(run));
    run->record.indefinite += stick_step_matrix_indefinite(run->matrix) > 0;
    for (double part = first_part; may_soften(run) && part <= last_part; part *= 10) {
        add_rest(run, part - added);
        added = part;
        STICK_TRY(factor(run));
    }
    return STICK_OK;
}

// To where supports go, from the iterate.
static void prescribe(const StickSimulation *run, double *change)
{
    const StickNewtonContact *josephy = run->newton_contact;
    for (int i = 0; i < run->state.n; i++)
        change[i] = run->prescribed[i] ? josephy->target[i] - josephy->x[i] : 0;
}

static void add_iterate(const StickSimulation *run, double *x)
{
    const StickNewtonContact *josephy = run->newton_contact;
    for (int i = 0; i < run->state.n; i++)
        x[i] = run->prescribed[i] ? josephy->target[i] : josephy->x[i] + x[i];
}

static StickStatus find_free(StickSimulation *run, StickFreePart part, double *free)
{
    StickNewtonContact *josephy = run->newton_contact;
    STICK_TRY(set_matrix(run));
    out_of_balance(run, run->rhs);
    prescribe(run, free);
    josephy->halfway = part == STICK_FREE_AT_CONTACTS && run->contacts.ncontacts > 0;
    STICK_TRY(josephy->halfway ? stick_step_matrix_begin(run->matrix, stick_pairs_dofs(run->pairs),
                                                         stick_pairs_ndofs(run->pairs), run->rhs, free)
                               : stick_step_matrix_solve(run->matrix, run->rhs, free));
    add_iterate(run, free);
    return STICK_OK;
}

StickStatus stick_newton_contact_linearise(StickSimulation *run, StickFreePart part, double *free)
{
    run->newton_contact->shored = false;
    return find_free(run, part, free);
}

StickStatus stick_newton_contact_linearise_shored(StickSimulation *run, const StickContactSet *set,
                                                  const double *r, StickFreePart part, double *free)
{
    StickNewtonContact *josephy = run->newton_contact;
    josephy->shored = true;
    stick_contact_regularization_put(run, &josephy->regularization, set, r, josephy->tangent);
    return find_free(run, part, free);
}

StickStatus stick_newton_contact_correct(StickSimulation *run, double *p, double *x)
{
    if (!run->newton_contact->halfway)
        return stick_step_matrix_correct(run->matrix, p, x);
    run->newton_contact->halfway = false;
    STICK_TRY(stick_step_matrix_end(run->matrix, p, x));
    add_iterate(run, x);
    return STICK_OK;
}

// x = x_k + part (x_{k+1} - x_k), and its forces of contact alike.
static StickStatus go(StickSimulation *run, double part, double *p, bool *good)
{
    StickNewtonContact *josephy = run->newton_contact;
    double *x = run->state.next.v;
    for (int i = 0; i < run->state.n; i++) {
        x[i] = part < 1 ? josephy->x[i] + part * josephy->way[i] : x[i];
        p[i] = josephy->p[i] + part * (run->p_N[i] + run->p_T[i] - josephy->p[i]);
    }
    return evaluate(run, x, good);
}

// In dynamics the gaps of a step stand, and f + p falls at first on each way:  (1 - part) (f + p) + O(part^2).  Where points
// turn from flow to elastic and back, only a part of the way may lead nearer to balance. Increments look for new contacts.
static bool is_progress(const StickSimulation *run, double residual, double scale)
{
    double before = run->newton_contact->residual;
    if (stick_simulation_is_quasistatic(run))
        return residual <= much_worse * before;
    return residual <= before || residual <= nearly_balanced * scale;
}

// All the way, or half of it and half of that while elements are inverted or balance gets worse.
static StickStatus find_part(StickSimulation *run, double *p, double *part)
{
    StickNewtonContact *josephy = run->newton_contact;
    double residual = INFINITY, scale = 0;
    bool good = false;
    for (int k = 0; k <= MOST_HALVES; k++) {
        *part = ldexp(1, -k);
        STICK_TRY(go(run, *part, p, &good));
        if (!good)
            continue;
        residual = judge_balance(run, p, &scale);
        if (is_progress(run, residual, scale))
            break;
    }
    if (!good)
        return refuse_inverted(run);
    josephy->residual = residual;
    josephy->scale = scale;
    return STICK_OK;
}

StickStatus stick_newton_contact_advance(StickSimulation *run)
{
    StickNewtonContact *josephy = run->newton_contact;
    const double *x = run->state.next.v;
    double *p = run->work, part, change = 0;
    int n = run->state.n, active = 0;
    assert(!josephy->halfway);
    for (int i = 0; i < n; i++)
        josephy->way[i] = x[i] - josephy->x[i];
    STICK_TRY(find_part(run, p, &part));
    for (int i = 0; i < n; i++) {
        change = fmax(change, fabs(p[i] - josephy->p[i]));
        josephy->x[i] = x[i];
        josephy->p[i] = p[i];
    }
    for (int c = 0; c < run->contacts.ncontacts; c++)
        active += run->r[c * run->system->dim] > 0;
    double scale = josephy->scale > 0 ? josephy->scale : 1;
    run->record.damped += part < 1;
    if (josephy->count < STICK_MOST_RELAXED)
        josephy->row[josephy->count] = (StickNewtonRow){
            .residual = josephy->residual / scale,
            .change = change / scale,
            .part = part,
            .contacts = run->contacts.ncontacts,
            .active = active,
        };
    josephy->count++;
    return STICK_OK;
}

// ---- the end

// Round-off of forces, in time of impulses: by the displacements, and of stresses as differences of numbers near one.
static double least_force(const StickSimulation *run)
{
    double way = stick_simulation_largest(run->state.next.q, run->state.n);
    double force =
        fmax(round_off * run->newton_contact->stiffest * way, nearly_balanced * run->newton_contact->faint);
    return stick_simulation_is_quasistatic(run) ? force : run->h * force;
}

// Whether the iterate may be the last one, if what it leaves is round-off.
static bool might_do(const StickSimulation *run)
{
    const StickNewtonContact *josephy = run->newton_contact;
    const StickNewtonRow *row = &josephy->row[josephy->count - 1];
    if (row->part < 1 || (josephy->shored && !josephy->regularization.settled))
        return false;
    return row->residual <= balanced ||
           josephy->residual <= fmax(nearly_balanced * josephy->scale, least_force(run));
}

// What is left and does not get less is round-off; but what has grown is not, unless forces are none: contacts that take
// turns lead away again from balance that was nearly there.
static bool is_balanced(const StickSimulation *run)
{
    const StickNewtonContact *josephy = run->newton_contact;
    const StickNewtonRow *row = &josephy->row[josephy->count - 1];
    if (row->residual <= balanced)
        return true;
    bool stalls = josephy->count > 1 && row->residual > stalled * row[-1].residual;
    bool grown = stalled * row->residual > josephy->best && josephy->residual > least_force(run);
    return stalls && !grown;
}

// Where changes of volume are too large yet: pressures become multipliers, and forces are those of them.
static StickStatus augment(StickSimulation *run, bool *again)
{
    StickNewtonContact *josephy = run->newton_contact;
    StickAugmentation augmentation;
    bool good;
    STICK_TRY(stick_system_augment(run->system, run->state.next.q, josephy->augmentations, josephy->past,
                                   &augmentation));
    *again = augmentation.again;
    if (augmentation.missed >= 0) {
        const StickBody *body = &run->system->body[augmentation.missed];
        // inertia resists in shorter steps as well: no cut helps
        run->trying = run->trying && stick_simulation_is_quasistatic(run);
        return stick_simulation_refuse_at(
            run, body->spec->volume.mark,
            "t = %g: volumes of body '%s' still change by %.2e after %d augmentations: allow more "
            "of them, a larger tolerance or a larger bulk modulus",
            run->state.next.t, body->name, augmentation.change, josephy->augmentations);
    }
    if (!*again)
        return STICK_OK;
    josephy->augmentations++;
    stick_newton_contact_again(run);
    STICK_TRY(evaluate(run, josephy->x, &good));
    return good ? STICK_OK : refuse_inverted(run);
}

StickStatus stick_newton_contact_judge(StickSimulation *run, bool gaps_met, bool *done)
{
    StickNewtonContact *josephy = run->newton_contact;
    StickNewtonRow *row = &josephy->row[josephy->count - 1];
    bool near = gaps_met && might_do(run), again = false;
    row->gap = josephy->gap;
    *done = near && is_balanced(run);
    if (near)
        josephy->best = fmin(josephy->best, row->residual);
    if (*done) {
        STICK_TRY(augment(run, &again));
        *done = !again;
        return STICK_OK;
    }
    if (josephy->count < (josephy->relaxed ? STICK_MOST_RELAXED : STICK_MOST_NEWTON))
        return STICK_OK;
    return stick_simulation_refuse(
        run,
        "t = %g: Newton's method leaves forces out of balance by %.2e of the largest, and "
        "gaps by %.2e of the displacements, after %d iterations",
        run->state.next.t, row->residual, josephy->gap, josephy->count);
}

StickStatus stick_newton_contact_lose(StickSimulation *run)
{
    StickMotion *next = &run->state.next;
    if (!stick_system_relaxes(run->system))
        return STICK_OK;
    // forces and history are those of the last iterate, to the bit
    StickFiniteForces task = {.q = next->q,
                              .h = run->h,
                              .past = run->newton_contact->past,
                              .next = next->history,
                              .force = next->Kq};
    STICK_TRY(stick_system_forces(run->system, &task));
    next->loss = task.loss;
    return STICK_OK;
}

void stick_newton_contact_keep(StickSimulation *run)
{
    const StickNewtonContact *josephy = run->newton_contact;
    StickStatistics *record = &run->record;
    int iterations = josephy->before + josephy->count;
    record->newton += iterations;
    record->newton_most = fmax(record->newton_most, iterations);
    record->newton_residual =
        fmax(record->newton_residual, josephy->scale > 0 ? josephy->residual / josephy->scale : 0);
    record->augmentations += josephy->augmentations;
    record->volume = fmax(record->volume, josephy->volume);
}
