// SPDX-License-Identifier: Apache-2.0
#include "stepping/quasistatic.h"

#include "base/clock.h"
#include "bodies/products.h"
#include "contact/gauss.h"
#include "contact/overclosure.h"
#include "stepping/chatter.h"
#include "stepping/contact_problem.h"
#include "stepping/event_driven.h"
#include "stepping/force_control.h"
#include "stepping/gap_bias.h"
#include "stepping/jump.h"
#include "stepping/limit.h"
#include "stepping/newton_contact.h"
#include "stepping/steady.h"
#include "stepping/surface_rounds.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    TURNING_PASSES = 6,
    TURNING_ITERATIONS = 16,
    FULL_ITERATIONS = 8,
    RELAXED_ITERATIONS = 40,
    MOST_PASSES = 16,
    RELAXED_PASSES = 60,
    HALF_WAY_PASSES = 16,
    MOST_SEARCHES = 6
};

// Gaps at the end of an increment are met to this part of the largest displacement; after all passes, to that.
static const double gap_met = 1e-8, gap_nearly_met = 1e-6;

// Of the terms of a sum: what is left of them is less certain than this.
static const double round_off = 1e-13;

// Residual of equilibrium at the end of an increment, relative to the forces that would move one node alone so far.
static const double out_of_balance = 1e-6;

// ---- the free displacement

// The way from now to t of a support whose velocity is prescribed.
static StickStatus travelled(const StickSupport *support, double from, double to, double *way)
{
    *way = 0;
    for (int k = 0; k < STICK_LINE_POINTS; k++) {
        double v;
        STICK_TRY(
            stick_support_value(support, 0.5 * (from + to) + 0.5 * (to - from) * stick_line_place[k], &v));
        *way += 0.5 * (to - from) * stick_line_weight[k] * v;
    }
    return STICK_OK;
}

StickStatus stick_quasistatic_supports(const StickSimulation *run, double t, double *dq)
{
    const StickMotion *now = &run->state.now;
    for (int k = 0; k < run->supports.count; k++) {
        const StickSupport *support = &run->supports.support[k];
        double *way = &dq[support->dof];
        if (support->displacement) {
            STICK_TRY(stick_support_value(support, t, way));
            *way -= now->q[support->dof];
        } else if (run->steady) {
            *way = 0; // the body moves through the state: its shape and place stay
        } else {
            STICK_TRY(travelled(support, now->t, t, way));
        }
    }
    return STICK_OK;
}

// Of the largest body: contacts that pressed at the end of an increment are within this.
static const double touching = 1e-6;

// The displacements of the increment begin at zero: dq_free is the first answer to them.
static StickStatus begin_newton(StickSimulation *run)
{
    StickDetection where = {.t = run->state.now.t,
                            .h = run->h,
                            .q = run->state.now.q,
                            .reach = touching * stick_simulation_size(run)};
    STICK_TRY(stick_quasistatic_supports(run, run->state.next.t, run->newton_contact->target));
    STICK_TRY(stick_newton_contact_start(run, NULL));
    STICK_TRY(stick_pairs_detect(run->pairs, &where, &run->middle));
    return stick_newton_contact_linearise_shored(run, &run->middle, run->state.memory.r, STICK_FREE_ALL,
                                                 run->dq_free);
}

// dq_free: what the increment would be if nothing touched, K dq_free = F^{i+1} - K q^i
static StickStatus free_displacement(StickSimulation *run)
{
    const StickMotion *now = &run->state.now;
    StickMotion *next = &run->state.next;
    STICK_TRY(stick_loads_force(run->ctx, &run->loads, next->t, next->F));
    if (run->walk)
        return stick_event_driven_free(run->walk, run);
    if (run->newton_contact)
        return begin_newton(run);
    memcpy(run->work, now->q, (size_t)run->state.n * sizeof *run->work);
    stick_system_stiffness(run->system, run->work, run->rhs);
    for (int i = 0; i < run->state.n; i++)
        run->rhs[i] = next->F[i] - run->rhs[i];
    STICK_TRY(stick_quasistatic_supports(run, next->t, run->dq_free));
    STICK_TRY(stick_step_matrix_solve(run->matrix, run->rhs, run->dq_free));
    return run->hold ? stick_force_control_begin(run->hold, run) : STICK_OK;
}

// ---- candidates

// From velocities to displacements of the increment.
static void scale_drive(StickContactSet *set, double h)
{
    for (int c = 0; c < set->ncontacts; c++)
        for (int k = 0; k < set->dim; k++)
            set->contact[c].u_drive[k] *= h;
}

// How far bodies get is not known before where forces are held, and a walk needs all contacts at once.
static bool looks_at_all(const StickSimulation *run)
{
    return run->walk || run->hold;
}

// Candidates, gaps and frames at q^i; the depths that they start with.
static StickStatus find_candidates(StickSimulation *run, double reach)
{
    const StickContactMemory *memory = &run->state.memory;
    StickContactSet *set = &run->contacts;
    StickDetection where = {
        .t = run->state.now.t, .h = run->h, .q = run->state.now.q, .reach = reach, .all = looks_at_all(run)};
    STICK_TRY(stick_pairs_detect(run->pairs, &where, set));
    STICK_TRY(stick_simulation_refuse_lost(run, STICK_NOT_SOLVED));
    STICK_TRY(stick_gap_bias_watch_buried(run));
    STICK_TRY(stick_gap_bias_refuse_deep(run));
    memset(run->start_depth, 0, (size_t)memory->count * sizeof *run->start_depth);
    for (int c = 0; c < set->ncontacts; c++)
        run->start_depth[stick_memory_slot(memory, &set->contact[c])] =
            stick_gap_bias_depth(run, &set->contact[c]);
    scale_drive(set, run->h);
    return STICK_OK;
}

static StickStatus obstacle_way(StickSimulation *run, double *way)
{
    STICK_TRY(stick_pairs_obstacle_speed(run->pairs, run->state.now.t, run->h, way));
    *way *= run->h;
    return STICK_OK;
}

// ---- one pass over the frames

// What is left of numbers that cancel is none: a contact that just closes has no free motion.
static void add_up(double *sum, double a, double b)
{
    double size = fabs(*sum) + fabs(a) + fabs(b);
    *sum += a + b;
    if (fabs(*sum) <= round_off * size)
        *sum = 0;
}

// u_free = H' dq_free + u_drive, its normal part shifted by the gap so that Signorini's condition reads u_N >= 0. Frames
// and gaps of a later pass belong to q^i + dq: the gap at the end of the increment is linearised there.
static void free_gaps(StickSimulation *run, const double *dq)
{
    const StickContactSet *set = &run->contacts;
    int dim = run->system->dim;
    memset(run->u, 0, (size_t)(set->ncontacts * dim) * sizeof *run->u);
    if (dq)
        stick_contact_velocity(set, dq, run->u);
    stick_contact_velocity(set, run->dq_free, run->u_free);
    for (int c = 0; c < set->ncontacts; c++) {
        const StickContact *contact = &set->contact[c];
        run->depth[c] = run->start_depth[stick_memory_slot(&run->state.memory, contact)];
        run->bias[c] = contact->gap - run->depth[c];
        if (dq)
            run->bias[c] -= run->u[c * dim] + contact->u_drive[0];
        run->gap_bias[c] = run->bias[c];
        for (int k = 0; k < dim; k++)
            add_up(&run->u_free[c * dim + k], contact->u_drive[k], k == 0 ? run->bias[c] : 0);
    }
}

// r of the contact problem: by a solver, by a solver together with the held forces, or from the walk.
static StickStatus find_forces(StickSimulation *run)
{
    if (run->walk)
        return stick_event_driven_forces(run->walk, run);
    return run->hold ? stick_force_control_solve(run->hold, run) : stick_contact_problem_solve(run);
}

static StickStatus apply_forces(StickSimulation *run)
{
    if (run->walk)
        return stick_event_driven_apply(run->walk, run);
    return run->newton_contact ? stick_contact_regularization_apply(run, &run->newton_contact->regularization)
                               : stick_contact_problem_apply(run);
}

// W; of finite bodies with what turns and holds at contacts that pressed, where the iterate is.
static StickStatus condense(StickSimulation *run, const double *guess)
{
    StickNewtonContact *josephy = run->newton_contact;
    if (!josephy)
        return stick_delassus_blocks(run->delassus, &run->contacts, &run->W);
    const double *q = josephy->count > 0 ? run->state.next.q : run->state.now.q;
    return stick_contact_regularization_blocks(run, &josephy->regularization, guess,
                                               josephy->count < TURNING_ITERATIONS ? q : NULL);
}

// K dq = F^{i+1} - K q^i + H r with the frames as they are.
static StickStatus close_contact(StickSimulation *run, const double *guess, const double *dq)
{
    double clock = stick_clock_cpu();
    STICK_TRY(stick_contact_problem_reserve(run));
    STICK_TRY(condense(run, guess));
    free_gaps(run, dq);
    STICK_TRY(stick_contact_problem_recall(run, guess));
    if (run->newton_contact)
        STICK_TRY(stick_contact_regularization_shift(run, &run->newton_contact->regularization,
                                                     run->newton_contact->x));
    stick_contact_problem_clock(&clock, &run->phases.condense);
    STICK_TRY(find_forces(run));
    stick_contact_problem_clock(&clock, &run->phases.solve);
    if (!run->hold)
        STICK_TRY(stick_contact_problem_certify(run));
    stick_contact_problem_clock(&clock, &run->phases.verify);
    memcpy(run->state.next.v, run->dq_free, (size_t)run->state.n * sizeof *run->dq_free);
    STICK_TRY(apply_forces(run));
    STICK_TRY(stick_contact_problem_check(run, run->hold ? stick_force_control_free_motion(run->hold) : 0));
    stick_contact_problem_keep(run, &run->contacts, run->r);
    stick_contact_problem_clock(&clock, &run->phases.apply);
    return STICK_OK;
}

// ---- passes until the gaps at the end are met

// The largest gap or penetration at the end of a contact that carries a force, and the deepest penetration of others.
static double gap_error(const StickSimulation *run, const StickContactSet *end)
{
    const StickContactMemory *memory = &run->state.memory;
    int dim = run->system->dim, found = 0, active = 0;
    double error = 0;
    for (int c = 0; c < end->ncontacts; c++) {
        int slot = stick_memory_slot(memory, &end->contact[c]);
        double gap = end->contact[c].gap - run->start_depth[slot];
        bool carries = run->pass_r[slot * dim] > 0;
        error = fmax(error, carries ? fabs(gap) : -gap);
        found += carries;
    }
    for (int c = 0; c < run->contacts.ncontacts; c++)
        active += run->r[c * dim] > 0;
    return found == active ? error : INFINITY;
}

// Looks where displacements dq lead: the set of there, and the error of its gaps relative to the displacements.
static StickStatus look_there(StickSimulation *run, double reach, const double *dq, double *error)
{
    double *q = run->work;
    for (int i = 0; i < run->state.n; i++)
        q[i] = run->state.now.q[i] + dq[i];
    StickDetection where = {
        .t = run->state.next.t, .h = -run->h, .q = q, .reach = reach, .all = looks_at_all(run)};
    STICK_TRY(stick_pairs_detect(run->pairs, &where, &run->middle));
    STICK_TRY(stick_simulation_refuse_lost(run, STICK_NOT_SOLVED));
    stick_contact_set_keep_layers(&run->middle, &run->contacts);
    double missed = gap_error(run, &run->middle), motion = stick_simulation_largest(q, run->state.n);
    *error = motion > 0 ? missed / motion : missed > 0 ? INFINITY : 0;
    return STICK_OK;
}

// The next pass starts there. A node at a kink of its antagonist may see one side and the other in turn: later passes
// keep the frames that they have.
static StickStatus go_there(StickSimulation *run, bool keep_frames)
{
    scale_drive(&run->middle, run->h);
    if (keep_frames)
        STICK_TRY(stick_contact_set_turn(run->ctx, &run->middle, &run->contacts));
    stick_simulation_exchange_sets(run);
    return STICK_OK;
}

// Of where a pass leads, the part that the next one starts from: at first, and at least and at most later.
static const double half_way = 0.5, least_part = 0.02, most_part = 1;

// Sides that turn under their contact may lead passes from one state to another and back: frames and gaps are those of a
// place in between.
static void relax_begin(StickSimulation *run, const double *from)
{
    memcpy(run->relaxed, from, (size_t)run->state.n * sizeof *from);
}

// Half way; where that leads nowhere, as far as two passes tell by what they missed (Aitken's method for vectors).
static void relax_towards(StickSimulation *run, const double *dq, int pass)
{
    double *x = run->relaxed, *missed = run->missed, product = 0, square = 0;
    for (int i = 0; i < run->state.n; i++) {
        double now = dq[i] - x[i], change = now - missed[i];
        product += missed[i] * change;
        square += change * change;
        missed[i] = now;
    }
    if (pass < HALF_WAY_PASSES || !(square > 0))
        run->relaxation = half_way;
    else
        run->relaxation = fmax(least_part, fmin(most_part, -run->relaxation * product / square));
    for (int i = 0; i < run->state.n; i++)
        x[i] += run->relaxation * missed[i];
}

static StickStatus relax_gaps(StickSimulation *run, double reach)
{
    double *dq = run->state.next.v, error;
    relax_begin(run, dq);
    for (int pass = 0; pass < RELAXED_PASSES; pass++) {
        STICK_TRY(look_there(run, reach, run->relaxed, &error));
        STICK_TRY(go_there(run, false));
        STICK_TRY(close_contact(run, run->pass_r, run->relaxed));
        run->record.passes++;
        STICK_TRY(look_there(run, reach, dq, &error));
        if (error <= gap_met) {
            run->record.gap_error = fmax(run->record.gap_error, error);
            return STICK_OK;
        }
        relax_towards(run, dq, pass);
    }
    return stick_simulation_refuse(run,
                                   "t = %g: the gaps at the end of the increment are not met after %d passes",
                                   run->state.next.t, MOST_PASSES + RELAXED_PASSES);
}

// The contact problem with candidates within reach, with frames and gaps that hold at the end of the increment.
static StickStatus meet_gaps(StickSimulation *run, double reach)
{
    double *dq = run->state.next.v;
    double error;
    STICK_TRY(close_contact(run, run->state.memory.r, NULL));
    if (!stick_pairs_turn(run->pairs))
        return STICK_OK;
    for (int pass = 0; pass <= MOST_PASSES; pass++) {
        STICK_TRY(look_there(run, reach, dq, &error));
        if (error <= (pass < MOST_PASSES ? gap_met : gap_nearly_met)) {
            run->record.gap_error = fmax(run->record.gap_error, error);
            return STICK_OK;
        }
        run->record.passes++;
        STICK_TRY(go_there(run, pass >= TURNING_PASSES));
        memcpy(run->work, dq, (size_t)run->state.n * sizeof *dq);
        STICK_TRY(close_contact(run, run->pass_r, run->work));
    }
    return relax_gaps(run, reach);
}

static bool keeps_frames(const StickNewtonContact *josephy, int iterations)
{
    return iterations >= (josephy->relaxed ? RELAXED_ITERATIONS : TURNING_ITERATIONS);
}

// What a node at a kink of its antagonist leaves, whose frames are kept, is as much as other bodies may have there.
static bool gaps_are_met(const StickNewtonContact *josephy)
{
    return josephy->gap <= (keeps_frames(josephy, josephy->count - 1) ? gap_nearly_met : gap_met);
}

// Where the frames and gaps of the next iteration are linearised: where the last one has led, or on the way there.
static StickStatus turn_there(StickSimulation *run, double reach)
{
    const StickNewtonContact *josephy = run->newton_contact;
    int pass = josephy->count - FULL_ITERATIONS;
    double error;
    if (!josephy->relaxed || pass < 0) {
        relax_begin(run, run->state.next.v);
    } else {
        relax_towards(run, run->state.next.v, pass);
        STICK_TRY(look_there(run, reach, run->relaxed, &error));
    }
    return go_there(run, keeps_frames(josephy, josephy->count));
}

// Bodies under finite deformation and gaps are linearised where the last iteration has led, until both are met
// [RBV02 (79)-(81)]. Flat obstacles have the gaps that they had at the start.
static StickStatus meet_balance(StickSimulation *run, double reach)
{
    StickNewtonContact *josephy = run->newton_contact;
    const double *guess = run->state.memory.r, *from = NULL;
    bool turns = stick_pairs_turn(run->pairs), done = false;
    if (josephy->count > 0)
        STICK_TRY(begin_newton(run));
    for (;;) {
        STICK_TRY(close_contact(run, guess, from));
        double clock = stick_clock_cpu();
        STICK_TRY(stick_newton_contact_advance(run));
        stick_contact_problem_clock(&clock, &run->phases.apply);
        if (turns)
            STICK_TRY(look_there(run, reach, run->state.next.v, &josephy->gap));
        STICK_TRY(stick_newton_contact_judge(run, gaps_are_met(josephy), &done));
        if (done)
            break;
        if (turns)
            STICK_TRY(turn_there(run, reach));
        clock = stick_clock_cpu();
        STICK_TRY(stick_newton_contact_linearise_shored(run, &run->contacts, run->pass_r,
                                                        STICK_FREE_AT_CONTACTS, run->dq_free));
        stick_contact_problem_clock(&clock, &run->phases.matrix);
        guess = run->pass_r;
        from = turns ? run->relaxed : NULL;
    }
    run->record.gap_error = fmax(run->record.gap_error, josephy->gap);
    return STICK_OK;
}

// What moves farther than candidates were looked for may have met others: they are looked for again.
static StickStatus find_contact(StickSimulation *run)
{
    double way, root = sqrt((double)run->system->dim);
    STICK_TRY(obstacle_way(run, &way));
    double reach = 4 * root * fmax(stick_simulation_largest(run->dq_free, run->state.n), way);
    for (int search = 0; search < MOST_SEARCHES; search++) {
        double clock = stick_clock_cpu();
        STICK_TRY(find_candidates(run, reach));
        stick_contact_problem_clock(&clock, &run->phases.detect);
        STICK_TRY(run->newton_contact ? meet_balance(run, reach) : meet_gaps(run, reach));
        double need = 2 * root * stick_simulation_largest(run->state.next.v, run->state.n) + way;
        if (need <= reach || looks_at_all(run))
            return STICK_OK;
        reach = 2 * need;
    }
    return stick_simulation_refuse(run, "t = %g: the bodies move too far in one increment",
                                   run->state.next.t);
}

// ---- the end of an increment

void stick_quasistatic_reactions(StickSimulation *run)
{
    StickMotion *now = &run->state.now;
    for (int i = 0; i < run->state.n; i++)
        now->reaction[i] =
            run->prescribed[i] ? now->Kq[i] - now->F[i] - now->contact_N[i] - now->contact_T[i] : 0;
}

// q, v = dq / h, and the forces that belong to the end; relative velocities for what remembers them.
static void advance(StickSimulation *run)
{
    const StickMotion *now = &run->state.now;
    StickMotion *next = &run->state.next;
    int n = run->state.n;
    for (int i = 0; i < n; i++) {
        next->q[i] = now->q[i] + next->v[i];
        next->v[i] /= run->h;
        next->contact_N[i] = run->p_N[i];
        next->contact_T[i] = run->p_T[i];
    }
    for (int i = 0; i < run->contacts.ncontacts * run->system->dim; i++)
        run->u[i] /= run->h;
    stick_system_products(run->system, next->q, next->v, next->Mv, next->Cv, next->Kq);
}

// Steady sliding resolves an overlap at once, in its first state, as if the surfaces grew by it. The work that they do on
// the bodies then is what normal forces give; at most 0: no work of bodies on obstacles.
static double resolved_at_once(const StickSimulation *run)
{
    const StickMotion *now = &run->state.now, *next = &run->state.next;
    double work = 0;
    if (!run->steady || run->state.step > 0 || !stick_overclosures_are_resolved(run->system->model))
        return 0;
    for (int i = 0; i < run->state.n; i++)
        work -= 0.5 * (now->contact_N[i] + run->p_N[i]) * (next->q[i] - now->q[i]);
    return fmin(0, work);
}

// Works of contact on obstacles, by the mean of the forces at both ends. The memory still is that of the start.
static void drive_works(const StickSimulation *run, double *drive_N, double *drive_T)
{
    const StickContactSet *set = &run->contacts;
    int dim = run->system->dim;
    *drive_N = *drive_T = 0;
    for (int c = 0; c < set->ncontacts; c++) {
        const double *r0 =
            &run->state.memory.r[stick_memory_slot(&run->state.memory, &set->contact[c]) * dim];
        for (int k = 0; k < dim; k++)
            *(k == 0 ? drive_N : drive_T) += 0.5 * (r0[k] + run->r[c * dim + k]) * set->contact[c].u_drive[k];
    }
    *drive_N += resolved_at_once(run);
}

static void enter_books(StickSimulation *run)
{
    StickMotion *next = &run->state.next;
    StickLedgerStep step = {
        .system = run->system,
        .h = run->h,
        .tolerance = run->spec->tolerance,
        .before = &run->state.now,
        .after = next,
        .p_N = run->p_N,
        .p_T = run->p_T,
        .prescribed = run->prescribed,
        .stiffness = run->stiffness,
        .faint = run->newton_contact ? run->newton_contact->faint : 0,
        .carried = run->steady ? stick_steady_carried(run) : NULL,
    };
    drive_works(run, &step.drive_N, &step.drive_T);
    stick_ledger_add(&run->ledger, &step);
    scale_drive(&run->contacts, 1 / run->h);
    next->drive_N = next->drive_T = 0;
    for (int c = 0; c < run->contacts.ncontacts; c++)
        for (int k = 0, dim = run->system->dim; k < dim; k++)
            *(k == 0 ? &next->drive_N : &next->drive_T) +=
                run->r[c * dim + k] * run->contacts.contact[c].u_drive[k];
}

// Factors that are worth nothing show here.
static StickStatus check_equilibrium(StickSimulation *run)
{
    if (run->ledger.equilibrium <= out_of_balance)
        return STICK_OK;
    return stick_simulation_refuse(run, "t = %g: forces at free nodes are out of balance by %.2e",
                                   run->state.next.t, run->ledger.equilibrium);
}

StickStatus stick_quasistatic_books(StickSimulation *run)
{
    scale_drive(&run->contacts, run->h);
    enter_books(run);
    return check_equilibrium(run);
}

static StickStatus try_increment(StickSimulation *run)
{
    double clock = stick_clock_cpu();
    run->has_problem = false;
    run->h = run->state.next.t - run->state.now.t;
    if (!run->newton_contact)
        STICK_TRY(stick_step_matrix_set(run->matrix, 0, 0, 1));
    stick_contact_problem_clock(&clock, &run->phases.matrix);
    STICK_TRY(free_displacement(run));
    stick_contact_problem_clock(&clock, &run->phases.free);
    STICK_TRY(find_contact(run));
    clock = stick_clock_cpu();
    advance(run);
    STICK_TRY(stick_contact_problem_refuse_not_finite(run));
    if (!looks_at_all(run))
        STICK_TRY(stick_surface_rounds_refuse_passed(run));
    if (run->newton_contact)
        STICK_TRY(stick_newton_contact_lose(run));
    enter_books(run);
    stick_contact_problem_clock(&clock, &run->phases.ledger);
    return check_equilibrium(run);
}

static int by_node(const StickContact *a, const StickContact *b)
{
    return a->pair != b->pair ? a->pair - b->pair : a->feature - b->feature;
}

// Pressures of integrated surfaces of finite bodies refer to the area at the end of the increment. Contacts of flat
// obstacles were found at its start; the nodes of a pair are in ascending order.
static StickStatus renew_areas(StickSimulation *run)
{
    StickContactSet *set = &run->contacts, *end = &run->middle;
    if (!run->newton_contact || stick_pairs_integrated(run->pairs) < 0)
        return STICK_OK;
    if (!stick_pairs_turn(run->pairs)) {
        StickDetection where = {.t = run->state.next.t, .h = -run->h, .q = run->state.next.q, .all = true};
        STICK_TRY(stick_pairs_detect(run->pairs, &where, end));
    }
    for (int c = 0, e = 0; c < set->ncontacts; c++) {
        while (e < end->ncontacts && by_node(&end->contact[e], &set->contact[c]) < 0)
            e++;
        if (e < end->ncontacts && by_node(&end->contact[e], &set->contact[c]) == 0)
            set->contact[c].area = end->contact[e].area;
    }
    return STICK_OK;
}

// What was tried is the present state now.
static StickStatus keep(StickSimulation *run)
{
    double clock = stick_clock_cpu();
    STICK_TRY(renew_areas(run));
    if (run->newton_contact)
        stick_newton_contact_keep(run);
    if (stick_pairs_turn(run->pairs))
        stick_contact_set_return_layers(&run->contacts, &run->middle);
    STICK_TRY(stick_contact_problem_remember(run));
    stick_chatter_watch(run);
    stick_contact_problem_end(run);
    stick_contact_problem_clock(&clock, &run->phases.ledger);
    return STICK_OK;
}

StickStatus stick_quasistatic_increment(StickSimulation *run)
{
    STICK_TRY(try_increment(run));
    return keep(run);
}

// ---- increments that are cut, and grow again

double stick_quasistatic_time(const StickSimulation *run, double piece, double part)
{
    double count = run->spec->increments, length = run->spec->end - run->t_start;
    double from = run->t_start + length * (piece / count);
    double to = piece + 1 < count ? run->t_start + length * ((piece + 1) / count) : run->spec->end;
    return part < 1 ? from + part * (to - from) : to;
}

// Two parts in a row that were solved are tried as one the next time, where they fit.
void stick_advance_accept(StickAdvance *advance, double part)
{
    advance->part = part < 1 ? part : 0;
    advance->piece += part >= 1;
    advance->good++;
    bool fits = fmod(ldexp(advance->part, (int)advance->level), 2) == 0;
    if (advance->level > 0 && advance->good >= 2 && fits) {
        advance->level--;
        advance->good = 0;
    }
}

static StickStatus give_up(StickSimulation *run)
{
    char reason[STICK_REASON], why[STICK_REASON];
    snprintf(reason, sizeof reason, "%s", run->reason);
    run->trying = false;
    stick_newton_contact_tell(run);
    if (!stick_limit_explain(run, why, sizeof why))
        snprintf(why, sizeof why,
                 "the path may end here by a jump: end this step before and go on by a dynamic one%s",
                 stick_limit_has_loads(run) ? ", or prescribe displacements instead of loads" : "");
    return stick_simulation_refuse(run, "t = %.9g: not even an increment of %.3g can be solved: %s (%.300s)",
                                   run->state.now.t, run->h, why, reason);
}

static void go_back(StickSimulation *run, const StickBefore *before)
{
    run->record = before->record;
    run->ledger = before->ledger;
}

static bool has_masters(const StickSimulation *run)
{
    const StickModel *model = run->system->model;
    for (int i = 0; i < model->ncontacts; i++)
        if (model->contact[i].master.body >= 0)
            return true;
    return false;
}

// Nodes that go from piece to piece may be lost by frames that turn with them: then it is tried without. Sides that turn
// under what presses on them may lead iterations back and forth: then these are relaxed, and before obstacles alone at once,
// since there is no frame of a kink to keep.
StickStatus stick_quasistatic_try(StickSimulation *run, const StickBefore *before, double part)
{
    StickNewtonContact *josephy = run->newton_contact;
    StickContactGeometricStiffness *turning = josephy ? &josephy->regularization.turning : NULL;
    go_back(run, before);
    run->state.next.t = stick_quasistatic_time(run, run->advance.piece, part);
    if (turning) {
        turning->used = false;
        josephy->relaxed = !has_masters(run);
    }
    StickStatus status = try_increment(run);
    if (status == STICK_NOT_SOLVED && turning && turning->used) {
        go_back(run, before);
        turning->off = true;
        status = try_increment(run);
        turning->off = false;
    }
    if (status == STICK_NOT_SOLVED && josephy && !josephy->relaxed && stick_pairs_turn(run->pairs)) {
        go_back(run, before);
        josephy->relaxed = true;
        status = try_increment(run);
    }
    return status;
}

// Up to the part, or up to a jump before it.
static StickStatus try_part(StickSimulation *run, const StickBefore *before, double *part, StickJump *jump)
{
    StickAdvance *advance = &run->advance;
    for (;;) {
        STICK_TRY(stick_quasistatic_try(run, before, *part));
        STICK_TRY(stick_jump_find(run, before, *part, jump));
        if (!jump->found)
            return stick_limit_watch(run, before, *part);
        if (*part == advance->part + ldexp(1, -STICK_MOST_CUTS))
            return STICK_OK;
        *part = jump->from > advance->part ? jump->from : jump->to;
        advance->level = STICK_MOST_CUTS;
        advance->good = 0;
    }
}

static StickStatus take(StickSimulation *run, double part, bool is_jump)
{
    run->jumped = is_jump;
    run->advance.rate = is_jump ? 0 : stick_jump_rate(run);
    if (is_jump)
        stick_jump_take(run);
    STICK_TRY(keep(run));
    stick_advance_accept(&run->advance, part);
    return STICK_OK;
}

static StickStatus try_smaller_and_smaller(StickSimulation *run)
{
    StickAdvance *advance = &run->advance;
    for (;;) {
        StickBefore before = {run->record, run->ledger};
        StickJump jump;
        double part = advance->part + ldexp(1, -(int)advance->level);
        StickStatus status = try_part(run, &before, &part, &jump);
        if (status == STICK_OK)
            return take(run, part, jump.found);
        if (status != STICK_NOT_SOLVED)
            return status;
        go_back(run, &before);
        if (advance->level == STICK_MOST_CUTS)
            return give_up(run);
        run->record.cuts++;
        advance->level++;
        advance->good = 0;
    }
}

StickStatus stick_quasistatic_step(StickSimulation *run)
{
    run->trying = true;
    StickStatus status = run->walk ? stick_event_driven_step(run->walk, run) : try_smaller_and_smaller(run);
    run->trying = false;
    return status;
}
