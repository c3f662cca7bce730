// SPDX-License-Identifier: Apache-2.0
#include "stepping/moreau.h"

#include "base/atomic_max.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/pool.h"
#include "base/reduction.h"
#include "base/vec.h"
#include "bodies/free_rotation.h"
#include "bodies/products.h"
#include "contact/concave_obstacle.h"
#include "contact/curvature_bias.h"
#include "stepping/contact_problem.h"
#include "stepping/gap_bias.h"
#include "stepping/multiple_solutions.h"
#include "stepping/penetration_monitor.h"
#include "stepping/sweep.h"

#include <math.h>
#include <string.h>

// ---- the middle of the step

// Whether the rotation of a body is free in space: then it follows Euler's equations between impulses.
static bool turns_freely(const StickSimulation *run, const StickBody *body)
{
    const bool *held = run->prescribed + body->first;
    return body->rigid && run->system->dim == 3 && !held[3] && !held[4] && !held[5];
}

static void move_to_middle_range(void *data, int from, int to)
{
    const StickSimulation *run = data;
    const StickMotion *now = &run->state.now;
    double time = 0.5 * run->h;
    for (int b = from; b < to; b++) {
        const StickBody *body = &run->system->body[b];
        int at = body->first;
        const double *q = now->q + at, *v = now->v + at;
        double *q_M = run->q_M + at, s[STICK_RIGID_DOFS];
        bool is_free = turns_freely(run, body);
        for (int k = 0; k < body->ndofs && !(body->rigid && !is_free); k++)
            q_M[k] = q[k] + time * v[k];
        if (is_free) {
            stick_free_rotation(body->rigid, q + 3, now->Mv + at + 3, time, q_M + 3);
        } else if (body->rigid) {
            for (int k = 0; k < body->ndofs; k++)
                s[k] = time * v[k];
            stick_rigid_move(run->system->dim, q, s, q_M);
        }
    }
}

// q_M = q_I + h/2 u_I; free rotations in space with the momentum L_I
static void move_to_middle(StickSimulation *run)
{
    stick_threads_range(run->ctx, run->system->nbodies, move_to_middle_range, run);
}

// A = M + h theta C + h^2 theta^2 K, with the inertia of rigid bodies in the middle
StickStatus stick_moreau_matrix(StickSimulation *run)
{
    double h = run->h, theta = run->scheme.theta;
    STICK_TRY(stick_step_matrix_set(run->matrix, 1, h * theta, h * h * theta * theta));
    stick_step_matrix_turn(run->matrix, run->q_M);
    return STICK_OK;
}

// ---- loose velocity

// A displacement d(t) is followed by the place in the middle of a step, q + ahead v = d(t + ahead).
static StickStatus prescribed_velocity(StickSimulation *run, double *v)
{
    const StickMotion *now = &run->state.now;
    for (int k = 0, b = 0; k < run->supports.count; k++) {
        const StickSupport *support = &run->supports.support[k];
        int i = support->dof;
        while (i >= run->system->body[b].first + run->system->body[b].ndofs)
            b++;
        double ahead = run->system->body[b].rigid ? 0.5 * run->h : (1 - run->scheme.theta) * run->h, value;
        if (support->displacement) {
            STICK_TRY(stick_support_value(support, now->t + run->h + ahead, &value));
            v[i] = (value - now->q[i] - ahead * now->v[i]) / run->h;
        } else {
            STICK_TRY(stick_support_value(support, now->t + run->h, &v[i]));
        }
    }
    return STICK_OK;
}

static void first_velocity_of_range(void *data, int from, int to)
{
    const StickSimulation *run = data;
    const StickMotion *now = &run->state.now;
    for (int b = from; b < to; b++) {
        const StickBody *body = &run->system->body[b];
        int at = body->first, turn = at + 3;
        if (body->rigid)
            stick_rigid_spin(body->rigid, run->q_M + at, now->Mv + turn, run->prescribed + turn,
                             run->v_I + turn);
    }
}

// u_I with the inertia of the middle: the velocity that has the momentum of the start. Only rotations in space differ,
// by the gyroscopic term; where they are prescribed, the support takes it.
static void first_velocity(StickSimulation *run)
{
    memcpy(run->v_I, run->state.now.v, (size_t)run->state.n * sizeof *run->v_I);
    if (run->system->dim == 3)
        stick_threads_range(run->ctx, run->system->nbodies, first_velocity_of_range, run);
}

// h F - h C v - h K (q + h theta v)
static void right_side(StickSimulation *run)
{
    const StickMotion *now = &run->state.now;
    StickSchemeStart start = {.n = run->state.n,
                              .h = run->h,
                              .q = now->q,
                              .v = now->v,
                              .Cv = now->Cv,
                              .Kw = run->rhs,
                              .F0 = run->state.next.F,
                              .F1 = run->state.next.F};
    stick_scheme_predictor(&run->scheme, &start, run->work);
    stick_system_stiffness(run->system, run->work, run->rhs);
    stick_scheme_right_side(&run->scheme, &start, run->rhs);
}

static void add_first_velocity(void *data, int from, int to)
{
    const StickSimulation *run = data;
    double *v = run->state.next.v;
    for (int i = from; i < to; i++)
        v[i] = run->prescribed[i] ? run->work[i] : run->v_I[i] + v[i];
}

// u_L = u_I + A^-1 h F: the velocity at the end of the step if nothing touched
static StickStatus loose_velocity(StickSimulation *run)
{
    const StickMotion *now = &run->state.now;
    StickMotion *next = &run->state.next;
    next->t = run->t_start + run->h * (double)(run->state.step + 1);
    STICK_TRY(stick_loads_force_at(run->ctx, &run->loads, now->t + 0.5 * run->h, run->q_M, next->F));
    right_side(run);
    STICK_TRY(prescribed_velocity(run, run->work));
    for (int k = 0; k < run->supports.count; k++) {
        int i = run->supports.support[k].dof;
        next->v[i] = run->work[i] - run->v_I[i];
    }
    STICK_TRY(stick_step_matrix_solve(run->matrix, run->rhs, next->v));
    stick_threads_range(run->ctx, run->state.n, add_first_velocity, run);
    if (run->joint_step)
        STICK_TRY(stick_joint_step_loose(run));
    memcpy(run->v_L, next->v, (size_t)run->state.n * sizeof *run->v_L);
    return STICK_OK;
}

// ---- contact

// Surfaces with a smaller gap than this part of the largest body touch.
static const double touching = 1e-10;

// Gaps of surfaces at q_M, from those at q_H.
static void move_gaps(StickSimulation *run)
{
    StickContactSet *set = &run->contacts;
    for (int c = 0; c < set->ncontacts && set->contact[c].pair >= 0; c++) {
        StickContact *contact = &set->contact[c];
        for (int e = contact->first; e < contact->first + contact->count; e++)
            contact->gap += set->H[e * set->dim] * (run->q_M[set->dof[e]] - run->q_H[set->dof[e]]);
    }
}

// At q_M and time t, from where bodies move on for the span.
static StickStatus detect(StickSimulation *run, double t)
{
    double close = run->system->model->ncontacts > 0 ? touching * stick_simulation_size(run) : 0;
    double reach = close, obstacles;
    if (run->system->model->ncontacts > 0) {
        STICK_TRY(stick_pairs_obstacle_speed(run->pairs, t, run->span, &obstacles));
        reach += run->span *
                 (2 * sqrt((double)run->system->dim) * stick_simulation_largest(run->v_L, run->state.n) +
                  obstacles);
    }
    StickDetection where = {
        .t = t, .h = run->span, .q = run->q_H, .reach = reach, .ahead = run->persistence.search};
    stick_persistence_look_ahead(run);
    STICK_TRY(stick_pairs_detect(run->pairs, &where, &run->contacts));
    STICK_TRY(stick_simulation_refuse_lost(run, STICK_NOT_SOLVED));
    move_gaps(run);
    return stick_persistence_select(run, close);
}

static StickStatus dissipation(StickSimulation *run, double *delta)
{
    StickVariables seen = {.t = run->state.now.t + run->h, .approach = stick_step_laws_approach(run)};
    *delta = 1;
    if (run->spec->dissipation)
        STICK_TRY(stick_expression_value(run->spec->dissipation, &seen, delta));
    if (*delta >= 0 && *delta <= 1)
        return STICK_OK;
    return stick_fail_at(run->ctx, STICK_BAD_INPUT, run->spec->mark,
                         "step '%s': the dissipation index must be from 0 to 1: it is %g at t = %g, largest "
                         "speed of approach %g",
                         run->spec->name, *delta, seen.t, seen.approach);
}

// Both ask for what is at the end of a step, and a dissipation index below 1 gives a part of the velocity back.
static StickStatus refuse_bounce(const StickSimulation *run, int c, double delta)
{
    bool restitution = run->restitution[c] > 0, cohesion = stick_step_laws_pull(&run->laws, c) > 0;
    if (!restitution && !cohesion)
        return STICK_OK;
    return stick_fail_at(run->ctx, STICK_BAD_INPUT, run->spec->mark,
                         "step '%s': a dissipation index below 1 (it is %g) and the %s of a contact exclude "
                         "each other: leave one of them out",
                         run->spec->name, delta, restitution ? "restitution" : "cohesion");
}

// What hollow obstacles ask for, where the bodies bring it: contact gives no energy. What has come out of the depth that it
// was first seen with may go back, so that contacts do not open. An index below 1 bounces anyway.
static double bend_of(const StickSimulation *run, int c, double delta, bool *is_hollow)
{
    const StickContact *contact = &run->contacts.contact[c];
    double closing = -(run->u_free[c * run->system->dim] + contact->u_drive[0]);
    *is_hollow = false;
    if (delta < 1 || contact->pair >= 0 || contact->swept || !(closing > 0))
        return 0;
    double bend = stick_contact_bend(run->system, contact, run->q_M, run->v_L, run->h);
    const StickKeyedMemory *known = bend > 0 ? stick_contact_problem_known(run, c) : NULL;
    double risen = known ? fmax(0, contact->gap - known->depth) : 0;
    *is_hollow = bend > 0;
    return fmax(0, fmin(closing, bend - risen / run->h));
}

// The speed at which a contact of the sweep may close its gap until the next detection. What rebounds does so at once.
static double swept_closing(const StickSimulation *run, int c, double rebound, double delta)
{
    const StickContact *contact = &run->contacts.contact[c];
    return contact->swept && rebound == 0 && delta == 1 ? contact->gap / run->span : 0;
}

typedef struct Loose {
    StickSimulation *run;
    double delta;
    bool chords; // of hollow obstacles
} Loose;

static void loose_range(void *data, int from, int to)
{
    const Loose *loose = data;
    StickSimulation *run = loose->run;
    int dim = run->system->dim;
    for (int c = from; c < to; c++) {
        const double *drive = run->contacts.contact[c].u_drive;
        run->depth[c] = run->passive_bias[c] = 0;
        const StickContact *contact = &run->contacts.contact[c];
        bool is_hollow;
        double rebound = contact->inelastic ? 0 : run->restitution[c] * run->laws.approach[c];
        double bend = bend_of(run, c, loose->delta, &is_hollow), closing = is_hollow ? 0 : contact->closing;
        bend = loose->chords ? bend : 0;
        run->bias[c] = run->gap_bias[c] =
            closing + swept_closing(run, c, rebound, loose->delta) - fmax(rebound, bend);
        for (int k = 0; k < dim; k++)
            run->u_free[c * dim + k] += drive[k] + (k == 0 ? run->bias[c] : 0);
    }
}

// u_free = H' u_L + u_drive; restitution asks for u_N + e u_N^- >= 0 where bodies come towards each other.
static StickStatus loose_relative_velocity(StickSimulation *run, double delta, bool chords)
{
    const StickContactSet *set = &run->contacts;
    STICK_RESERVE(run->ctx, run->restitution, run->restitution_capacity, set->ncontacts);
    STICK_TRY(stick_step_laws_restitution(run, run->restitution));
    stick_contact_velocity(set, run->v_L, run->u_free);
    stick_threads_range(run->ctx, set->ncontacts, loose_range, &(Loose){run, delta, chords});
    STICK_TRY(stick_step_laws_attract(run));
    for (int c = 0; c < set->ncontacts && delta < 1; c++)
        STICK_TRY(refuse_bounce(run, c, delta));
    return STICK_OK;
}

// u_F = (2 solver(u_L) - (1 - delta) u_L) / (1 + delta)  [JM91 section 7]
static void bounce(StickSimulation *run, double delta)
{
    double factor = run->bounce = 2 / (1 + delta);
    int n = run->contacts.ncontacts * run->system->dim;
    if (factor == 1)
        return;
    for (int i = 0; i < n; i++) {
        run->r[i] *= factor;
        run->u[i] = run->u_free[i] + factor * (run->u[i] - run->u_free[i]);
    }
}

// The guess is for delta = 1.
static void recall_plastic(StickSimulation *run, double delta)
{
    for (int i = 0; i < run->contacts.ncontacts * run->system->dim && delta < 1; i++)
        run->r[i] *= 0.5 * (1 + delta);
}

// Velocities of the step; where all has come to rest, what is round-off of those before: energy by momentum.
static double speed_of_run(const StickSimulation *run)
{
    const double little = 1e-6;
    const StickLedger *ledger = &run->ledger;
    double before = ledger->momentum_scale > 0 ? 2 * ledger->scale / ledger->momentum_scale : 0;
    return fmax(stick_atomic_max_of(run->ctx, run->state.now.v, run->state.n), little * before);
}

static StickStatus solve_with(StickSimulation *run, double delta, bool chords)
{
    double clock = stick_clock_cpu();
    STICK_TRY(loose_relative_velocity(run, delta, chords));
    stick_step_laws_shift(run, 1);
    STICK_TRY(stick_contact_problem_solve(run));
    stick_contact_problem_clock(&clock, &run->phases.solve);
    STICK_TRY(stick_contact_problem_certify(run));
    stick_contact_problem_clock(&clock, &run->phases.verify);
    bounce(run, delta);
    stick_step_laws_shift(run, -1);
    STICK_TRY(stick_contact_problem_apply(run));
    STICK_TRY(stick_velocity_refine(run));
    STICK_TRY(stick_contact_problem_check(run, speed_of_run(run)));
    memcpy(run->v_F, run->state.next.v, (size_t)run->state.n * sizeof *run->v_F);
    stick_contact_problem_clock(&clock, &run->phases.apply);
    return STICK_OK;
}

// The velocities are the free ones again, for another contact problem of the step.
static void release(StickSimulation *run)
{
    memcpy(run->state.next.v, run->v_L, (size_t)run->state.n * sizeof *run->v_L);
    if (run->joint_step)
        memcpy(run->joint_step->links->lambda, run->joint_step->lambda_L,
               (size_t)run->joint_step->links->count * sizeof *run->joint_step->lambda_L);
}

// Each chord is limited to what its own contact brings. Where one body has several contacts, one of them may be driven
// inwards by the others: then sum r_N (u_N + u_free_N) / 2 > 0, the energy that normal impulses of hollow obstacles give.
static bool chords_give_energy(const StickSimulation *run)
{
    const double round_off = 1e-10;
    double given = 0, moved = 0;
    bool has_chords = false;
    for (int c = 0; c < run->contacts.ncontacts; c++) {
        int i = c * run->system->dim, obstacle = run->contacts.contact[c].obstacle;
        double free = run->u_free[i] - run->bias[c];
        if (obstacle < 0 || !stick_is_hollow(&run->system->model->obstacle[obstacle]))
            continue;
        has_chords |= run->bias[c] < 0 && !(run->restitution[c] > 0);
        given += run->r[i] * (run->u[i] + free);
        moved += run->r[i] * (fabs(run->u[i]) + fabs(free));
    }
    return has_chords && given > round_off * moved;
}

static StickStatus solve_once(StickSimulation *run, double delta)
{
    STICK_TRY(solve_with(run, delta, true));
    if (!chords_give_energy(run))
        return STICK_OK;
    release(run);
    return solve_with(run, delta, false);
}

// Joints take impulses of contact on, and have to be in their places afterwards.
static StickStatus solve(StickSimulation *run, double delta, bool settle)
{
    bool again = false;
    do {
        if (again)
            recall_plastic(run, delta);
        STICK_TRY(solve_once(run, delta));
        if (run->joint_step && settle)
            STICK_TRY(stick_joint_step_settle(run, &again));
    } while (again);
    return STICK_OK;
}

// W, solve; again with gaps that loads close, and with what the velocities found lead through. settle: joints hold their
// places at the end of the step.
static StickStatus solve_contact(StickSimulation *run, bool settle, double *delta)
{
    bool again = false;
    int round = settle ? 0 : 1; // at the start the contacts are those of a sweep
    do {
        double clock = stick_clock_cpu();
        if (again)
            release(run);
        STICK_TRY(stick_contact_problem_reserve(run));
        STICK_TRY(dissipation(run, delta));
        STICK_TRY(stick_delassus_blocks(run->delassus, &run->contacts, &run->W));
        STICK_TRY(stick_contact_problem_recall(run, run->state.memory.r));
        recall_plastic(run, *delta);
        stick_contact_problem_clock(&clock, &run->phases.condense);
        STICK_TRY(solve(run, *delta, settle));
        clock = stick_clock_cpu();
        again = false;
        if (round == 0)
            STICK_TRY(stick_persistence_extend(run, *delta, &again));
        if (!again)
            STICK_TRY(stick_sweep_round(run, run->v_F, round++, &again));
        stick_contact_problem_clock(&clock, &run->phases.detect);
    } while (again);
    return stick_multiple_solutions_look(run);
}

// ---- the end of the step

static void keep_momentum_of_range(void *data, int from, int to)
{
    const StickSimulation *run = data;
    for (int b = from; b < to; b++) {
        const StickBody *body = &run->system->body[b];
        double p[STICK_RIGID_DOFS];
        int at = body->first, turn = at + 3;
        if (!body->rigid)
            continue;
        stick_rigid_momentum(body->rigid, run->q_M + at, run->v_F + at, p);
        stick_rigid_spin(body->rigid, run->state.next.q + at, p + 3, run->prescribed + turn,
                         run->state.next.v + turn);
    }
}

// omega = J(R_F)^-1 L_F, L_F = J(R_M) omega_F
static void keep_momentum(StickSimulation *run)
{
    if (run->system->dim == 3)
        stick_threads_range(run->ctx, run->system->nbodies, keep_momentum_of_range, run);
}

typedef struct Ends {
    const StickSimulation *run;
    const double *v_F;
    double *q;
} Ends;

static void move_to_end_range(void *data, int from, int to)
{
    const Ends *ends = data;
    const StickSimulation *run = ends->run;
    double h = run->h;
    for (int b = from; b < to; b++) {
        const StickBody *body = &run->system->body[b];
        int at = body->first, n = body->ndofs;
        const double *q_I = run->state.now.q + at, *v_I = run->v_I + at, *v_F = ends->v_F + at;
        double *q_F = ends->q + at, weight = body->rigid ? 0.5 : run->scheme.theta;
        bool is_free = turns_freely(run, body);
        double s[STICK_RIGID_DOFS], p[STICK_RIGID_DOFS];
        if (body->rigid && !is_free) {
            for (int k = 0; k < n; k++)
                s[k] = h * (weight * v_F[k] + (1 - weight) * v_I[k]);
            stick_rigid_move(run->system->dim, q_I, s, q_F);
            continue;
        }
        for (int k = 0; k < n; k++)
            q_F[k] = q_I[k] + h * (weight * v_F[k] + (1 - weight) * v_I[k]);
        if (is_free) {
            stick_rigid_momentum(body->rigid, run->q_M + at, v_F, p);
            stick_free_rotation(body->rigid, run->q_M + at + 3, p + 3, 0.5 * h, q_F + 3);
        }
    }
}

void stick_moreau_place(StickSimulation *run, const double *v_F, double *q)
{
    stick_threads_range(run->ctx, run->system->nbodies, move_to_end_range, &(Ends){run, v_F, q});
}

static StickStatus advance(StickSimulation *run)
{
    StickMotion *next = &run->state.next;
    stick_moreau_place(run, run->v_F, next->q);
    for (int i = 0; i < run->state.n; i++)
        next->kick[i] = run->v_F[i] - run->v_L[i];
    STICK_TRY(stick_penetration_correct(run));
    keep_momentum(run);
    if (run->joint_step)
        STICK_TRY(stick_joint_step_end(run));
    stick_system_products(run->system, next->q, next->v, next->Mv, next->Cv, next->Kq);
    return STICK_OK;
}

typedef struct Jumping {
    const StickSimulation *run;
    double delta;
} Jumping;

static void add_steps_of_velocity(const void *data, int from, int to, double *sum)
{
    const Jumping *jumping = data;
    const StickSimulation *run = jumping->run;
    for (int i = from; i < to; i++)
        *sum += 0.5 * jumping->delta * (run->v_F[i] - run->v_L[i]) * (run->p_N[i] + run->p_T[i]);
}

// Normal and tangential.
static void add_works(const void *data, int from, int to, double *sum)
{
    const Jumping *jumping = data;
    const StickSimulation *run = jumping->run;
    int dim = run->system->dim;
    double delta = jumping->delta;
    for (int c = from; c < to; c++) {
        for (int k = 0; k < dim; k++) {
            int i = c * dim + k;
            double pull_u = run->laws.has_cohesion ? run->laws.pull_u[i] : 0;
            double U_L = run->u_free[i] - (k == 0 ? run->bias[c] : 0) + pull_u;
            sum[k > 0] += run->r[i] * (0.5 * (1 - delta) * U_L + 0.5 * (1 + delta) * run->u[i]);
        }
    }
}

// [JM91 (6.4)]: E_L - E_F = delta/2 du.A.du - sum of U_m.r, where U_m = (1 - delta)/2 U_L + (1 + delta)/2 U_F. Normal
// parts of the sum, which only restitution has, are what comes back of the first term.
static StickVelocityJump jump_of(const StickSimulation *run, double delta)
{
    StickVelocityJump jump = {.q_M = run->q_M, .v_I = run->v_I, .v_L = run->v_L, .v_F = run->v_F};
    Jumping jumping = {run, delta};
    double works[2], lost;
    if (run->joint_step) {
        jump.v_E = run->joint_step->v_E;
        jump.p_M = run->joint_step->p_M;
        jump.p_F = run->joint_step->p_F;
        jump.joints = run->joint_step->contact;
        jump.pushes = run->joint_step->pushes;
        jump.twists = run->joint_step->twists;
    }
    stick_reduction(run->ctx, run->state.n, add_steps_of_velocity, &jumping, &lost, 1);
    stick_reduction(run->ctx, run->contacts.ncontacts, add_works, &jumping, works, 2);
    jump.structural = lost - works[0];
    jump.frictional = -works[1];
    return jump;
}

static void enter_books(StickSimulation *run, double h, double delta, const double *inner)
{
    StickVelocityJump jump = jump_of(run, delta);
    jump.inner = inner;
    StickLedgerStep step = stick_contact_problem_entry(run);
    step.h = h;
    jump.drive = step.drive_N + step.drive_T;
    jump.pushed = run->penetration.is_shifted ? run->penetration.pushed : 0;
    jump.shift = run->penetration.is_shifted ? run->penetration.shift : NULL;
    jump.stiff = run->penetration.is_shifted ? run->penetration.stiff : NULL;
    step.jump = &jump;
    stick_ledger_add(&run->ledger, &step);
}

// ---- the first half step of a run

// Impulses at q_I spread through deformable bodies as in a step: A dv = H r. What their stiffness and damping take of it,
// -(h theta C + h^2 theta^2 K) dv, is an impulse of their own.
static double *inner_impulses(StickSimulation *run)
{
    const StickSystem *system = run->system;
    StickMotion *next = &run->state.next;
    double h = run->h * run->scheme.theta;
    for (int i = 0; i < run->state.n; i++)
        run->work[i] = next->v[i] - run->v_L[i];
    stick_system_products(system, run->work, run->work, next->Mv, next->Cv, next->Kq);
    double *inner = run->dq_free;
    memset(inner, 0, (size_t)run->state.n * sizeof *inner);
    for (int b = 0; b < system->nbodies; b++) {
        const StickBody *body = &system->body[b];
        for (int i = body->first; i < body->first + body->ndofs && !body->rigid; i++)
            inner[i] = -h * (next->Cv[i] + h * next->Kq[i]);
    }
    return inner;
}

// Impulses at q_I, if bodies hit something on their way from q_I to q_M: u_I becomes a velocity that leads at most to
// where they touch. The ledger has them as a step of no duration. Later steps start with velocities that were swept.
static StickStatus begin(StickSimulation *run)
{
    StickMotion *now = &run->state.now, *next = &run->state.next;
    StickContactSet *set = &run->contacts;
    size_t bytes = (size_t)run->state.n * sizeof(double);
    int kept = 0;
    bool hits;
    double delta;
    if (run->system->nrigid == 0 && run->system->model->ncontacts == 0)
        return STICK_OK;
    run->span = 0.5 * run->h;
    run->span_start = now->t;
    next->t = now->t;
    memcpy(run->q_M, now->q, bytes);
    memcpy(next->q, now->q, bytes);
    memcpy(next->v, now->v, bytes);
    memcpy(next->F, now->F, bytes);
    STICK_TRY(stick_moreau_matrix(run));
    if (run->joint_step)
        STICK_TRY(stick_joint_step_impact(run));
    memcpy(run->v_I, now->v, bytes);
    memcpy(run->v_L, next->v, bytes);
    memcpy(run->q_H, now->q, bytes);
    STICK_TRY(detect(run, now->t));
    // what overlaps is found in the middle of the step
    for (int c = 0; c < set->ncontacts; c++)
        if (set->contact[c].pair < 0)
            set->contact[kept++] = set->contact[c];
    set->ncontacts = kept;
    STICK_TRY(stick_sweep_round(run, run->v_L, 0, &hits));
    if (!hits)
        return STICK_OK;
    STICK_TRY(solve_contact(run, false, &delta));
    if (run->joint_step)
        stick_joint_step_impact_end(run);
    const double *inner = inner_impulses(run);
    stick_system_products(run->system, next->q, next->v, next->Mv, next->Cv, next->Kq);
    STICK_TRY(stick_contact_problem_refuse_not_finite(run));
    enter_books(run, 0, delta, inner);
    STICK_TRY(stick_first_hits_keep(run));
    STICK_TRY(stick_persistence_keep_hits(run));
    memcpy(now->v, next->v, bytes);
    stick_system_products(run->system, now->q, now->v, now->Mv, now->Cv, now->Kq);
    run->has_problem = false;
    return STICK_OK;
}

// ---- rotations per step

// Contact is found in the middle of a step, with normals and lever arms that rotate by half of this (rad) before and
// after it.
static const double large_rotation = 0.3;

// Free rotation is exact at any speed, and so are balls. What else turns far in a step is reported once; refused where
// stick_free_rotation ends.
static StickStatus watch_rotations(StickSimulation *run)
{
    const StickSystem *system = run->system;
    double most = run->record.turned_most;
    int fastest = -1;
    for (int b = 0; b < system->nbodies && system->dim == 3; b++) {
        const StickBody *body = &system->body[b];
        if (!body->rigid || stick_solid_is_ball(body->rigid->solid))
            continue;
        double angle = run->h * stick_vec_norm(run->state.next.v + body->first + 3);
        if (angle > most) {
            most = angle;
            fastest = b;
        }
    }
    if (fastest < 0)
        return STICK_OK;
    const StickBody *body = &system->body[fastest];
    bool is_new = most > large_rotation && !(run->record.turned_most > large_rotation);
    run->record.turned_most = most;
    if (most > STICK_FREE_ROTATION_MOST && !stick_free_rotation_is_isotropic(body->rigid))
        return stick_simulation_refuse_at(
            run, body->spec->mark,
            "t = %g: body '%s' rotates by %.3g rad in one time step, more than the "
            "integrator of free rotations "
            "resolves (%g rad); reduce the time step (now %g) to at most %.2g",
            run->state.next.t, body->name, most, STICK_FREE_ROTATION_MOST, run->h,
            run->h * large_rotation / most);
    if (is_new)
        stick_warn_at(
            run->ctx, body->spec->mark,
            "t = %g: body '%s' rotates by %.2g rad in one time step (limit for accurate contact: %g "
            "rad); free rotation stays exact, but contacts, joints and loads that follow the body are "
            "evaluated once per step; reduce the time step (now %g) to at most %.2g",
            run->state.next.t, body->name, most, large_rotation, run->h, run->h * large_rotation / most);
    return STICK_OK;
}

StickStatus stick_moreau_step(StickSimulation *run)
{
    StickPhases *phases = &run->phases;
    double clock = stick_clock_cpu(), delta;
    run->has_problem = false;
    run->first_hits.count = 0;
    if (run->state.step == 0)
        STICK_TRY(begin(run));
    run->span = run->h;
    run->span_start = run->state.now.t + 0.5 * run->h;
    move_to_middle(run);
    STICK_TRY(stick_moreau_matrix(run));
    stick_contact_problem_clock(&clock, &phases->matrix);
    first_velocity(run);
    STICK_TRY(loose_velocity(run));
    stick_contact_problem_clock(&clock, &phases->free);
    memcpy(run->q_H, run->q_M, (size_t)run->state.n * sizeof *run->q_H);
    stick_gap_bias_middle(run, run->v_L, run->q_H);
    STICK_TRY(detect(run, run->state.now.t + 0.5 * run->h));
    stick_contact_problem_clock(&clock, &phases->detect);
    STICK_TRY(solve_contact(run, true, &delta));
    clock = stick_clock_cpu();
    STICK_TRY(advance(run));
    STICK_TRY(stick_contact_problem_refuse_not_finite(run));
    STICK_TRY(watch_rotations(run));
    stick_contact_problem_clock(&clock, &phases->apply);
    stick_penetration_monitor_watch(run);
    STICK_TRY(stick_contact_problem_remember(run));
    enter_books(run, run->h, delta, NULL);
    stick_first_hits_add(run);
    stick_contact_problem_end(run);
    stick_contact_problem_clock(&clock, &phases->ledger);
    return STICK_OK;
}
