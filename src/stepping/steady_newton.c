// SPDX-License-Identifier: Apache-2.0
#include "stepping/steady_newton.h"

#include "base/clock.h"
#include "bodies/products.h"
#include "stepping/contact_problem.h"
#include "stepping/gap_bias.h"
#include "stepping/newton_contact.h"
#include "stepping/quasistatic.h"
#include "stepping/steady_problem.h"

#include <math.h>
#include <string.h>

enum { NEWTON_STEPS = 60, FIXED_POINT_STEPS = 1000, MOST_SEARCHES = 6, CHANGING_STEPS = 8 };

// What an iteration has to meet: forces out of balance by the largest force (where frames turn, those of finite bodies),
// gaps by the largest displacement, and friction that is not mu r_N against the sliding by the largest force.
static const double balanced = 1e-10, nearly_balanced = 1e-8, gap_met = 1e-10, coulomb_met = 1e-10;

// The same of the fixed point, from one iteration to the next.
static const double friction_met = 1e-12;

// Of the largest displacement: what is as near may touch.
static const double near_by = 0.005;

// ---- the iterate

// Steady sliding lasts: what relaxes has done so.
static const double for_ever = 1e12;

// Where the supports have to be at the end, and loads there; the first iterate is the present state.
static StickStatus begin(StickSimulation *run)
{
    const StickMotion *now = &run->state.now;
    StickMotion *next = &run->state.next;
    double *goal = run->newton_contact ? run->newton_contact->target : run->steady->goal;
    STICK_TRY(stick_loads_force_at(run->ctx, &run->loads, next->t, now->q, next->F));
    STICK_TRY(stick_quasistatic_supports(run, next->t, goal));
    if (run->newton_contact)
        return stick_newton_contact_start(run, NULL);
    for (int i = 0; i < run->state.n; i++)
        goal[i] = run->prescribed[i] ? goal[i] + now->q[i] : 0;
    memcpy(next->q, now->q, (size_t)run->state.n * sizeof *next->q);
    memcpy(next->Kq, now->Kq, (size_t)run->state.n * sizeof *next->Kq);
    return STICK_OK;
}

// dq_free = A^-1 (F - F_int): to where the iterate would go if nothing touched
static StickStatus free_displacement(StickSimulation *run)
{
    const StickMotion *next = &run->state.next;
    if (run->newton_contact) {
        STICK_TRY(stick_newton_contact_linearise(run, STICK_FREE_ALL, run->dq_free));
        for (int i = 0; i < run->state.n; i++)
            run->dq_free[i] -= run->newton_contact->x[i];
        return STICK_OK;
    }
    STICK_TRY(stick_step_matrix_set(run->matrix, 0, 0, 1));
    for (int i = 0; i < run->state.n; i++) {
        run->rhs[i] = next->F[i] - next->Kq[i];
        run->dq_free[i] = run->prescribed[i] ? run->steady->goal[i] - next->q[i] : 0;
    }
    return stick_step_matrix_solve(run->matrix, run->rhs, run->dq_free);
}

// The next iterate by dq, which stands in next.v, and its forces; of finite bodies perhaps a part of the way.
static StickStatus move(StickSimulation *run)
{
    StickMotion *next = &run->state.next;
    int n = run->state.n;
    if (run->newton_contact) {
        for (int i = 0; i < n; i++)
            next->v[i] += run->newton_contact->x[i];
        return stick_newton_contact_advance(run);
    }
    for (int i = 0; i < n; i++)
        run->work[i] = next->q[i] += next->v[i];
    stick_system_stiffness(run->system, run->work, next->Kq);
    return STICK_OK;
}

// Of the least distance of slave nodes.
static const double little_moved = 1e-2;

// How far a contact at an edge may be from it.
static double little_motion(const StickSimulation *run)
{
    double least = INFINITY;
    for (int c = 0; c < run->contacts.ncontacts; c++)
        least = fmin(least, stick_gap_bias_spacing(run, &run->contacts.contact[c]));
    return little_moved * least;
}

// Candidates, gaps, frames and velocities at the iterate, where obstacles are at the end.
static StickStatus detect(StickSimulation *run, double reach)
{
    StickDetection where = {
        .t = run->state.next.t, .h = -run->spec->step, .q = run->state.next.q, .reach = reach};
    run->steady->reach = reach;
    STICK_TRY(stick_steady_velocities(run));
    STICK_TRY(stick_pairs_detect(run->pairs, &where, &run->middle));
    STICK_TRY(stick_simulation_refuse_lost(run, STICK_NOT_SOLVED));
    stick_contact_set_keep_layers(&run->middle, &run->contacts);
    if (run->steady->keeps_facets)
        STICK_TRY(stick_contact_set_keep_facets(run->ctx, &run->middle, &run->contacts, little_motion(run)));
    stick_simulation_exchange_sets(run);
    return STICK_OK;
}

// Depths that contacts were first seen with stay.
static StickStatus note_depths(StickSimulation *run)
{
    const StickContactMemory *memory = &run->state.memory;
    StickDetection where = {.t = run->state.now.t, .h = run->h, .q = run->state.now.q, .all = true};
    STICK_TRY(stick_pairs_detect(run->pairs, &where, &run->contacts));
    STICK_TRY(stick_simulation_refuse_lost(run, STICK_NOT_SOLVED));
    memset(run->start_depth, 0, (size_t)memory->count * sizeof *run->start_depth);
    for (int c = 0; c < run->contacts.ncontacts; c++)
        run->start_depth[stick_memory_slot(memory, &run->contacts.contact[c])] =
            stick_gap_bias_depth(run, &run->contacts.contact[c]);
    return STICK_OK;
}

// Gaps where the iterate would go if nothing touched.
static void free_gaps(StickSimulation *run)
{
    const StickContactSet *set = &run->contacts;
    int dim = run->system->dim;
    stick_contact_velocity(set, run->dq_free, run->u_free);
    for (int c = 0; c < set->ncontacts; c++) {
        run->depth[c] = run->start_depth[stick_memory_slot(&run->state.memory, &set->contact[c])];
        run->bias[c] = run->gap_bias[c] = set->contact[c].gap - run->depth[c];
        run->u_free[c * dim] += run->bias[c];
    }
}

// dq = dq_free + A^-1 H r, which must close the gaps as the condensed problem says.
static StickStatus apply(StickSimulation *run)
{
    const StickContactSet *set = &run->contacts;
    StickMotion *next = &run->state.next;
    int n = run->state.n, dim = run->system->dim;
    double off = 0, size = 0;
    memcpy(next->v, run->dq_free, (size_t)n * sizeof *next->v);
    STICK_TRY(stick_contact_problem_apply(run));
    stick_contact_velocity(set, next->v, run->u_end);
    StickFrictionProblem problem = stick_simulation_problem(run);
    stick_friction_apply(&problem, run->r, run->u);
    for (int c = 0; c < set->ncontacts; c++) {
        double condensed = run->u[c * dim] + run->u_free[c * dim];
        off = fmax(off, fabs(run->u_end[c * dim] + run->bias[c] - condensed));
        size = fmax(size, fabs(run->u_free[c * dim]));
    }
    size = fmax(size, stick_simulation_largest(next->v, n));
    run->record.worst_consistency = fmax(run->record.worst_consistency, size > 0 ? off / size : 0);
    return off <= run->spec->tolerance * size
               ? STICK_OK
               : stick_simulation_refuse(run,
                                         "t = %g: gaps differ from those of the condensed problem by %.2e",
                                         next->t, off / size);
}

// The linear problem at the iterate, with candidates within reach: dq in next.v.
static StickStatus linear_problem(StickSimulation *run, double reach, double part)
{
    double clock = stick_clock_cpu();
    STICK_TRY(detect(run, reach));
    stick_contact_problem_clock(&clock, &run->phases.detect);
    STICK_TRY(stick_steady_reserve(run));
    STICK_TRY(stick_delassus_blocks(run->delassus, &run->contacts, &run->W));
    free_gaps(run);
    STICK_TRY(stick_steady_friction(run, part));
    stick_contact_problem_clock(&clock, &run->phases.condense);
    STICK_TRY(stick_steady_solve(run));
    clock = stick_clock_cpu();
    STICK_TRY(apply(run));
    stick_contact_problem_clock(&clock, &run->phases.apply);
    return STICK_OK;
}

// The contacts that there are now have the forces of the iterate: p_N and p_T.
static void press(StickSimulation *run)
{
    stick_contact_problem_fetch(run);
    stick_contact_problem_press(run);
}

// How far candidates may be: by where the iterate would go with the forces that it has, and at least a small part of how
// far it has come. Few candidates are few columns of W.
static StickStatus first_reach(StickSimulation *run, double *reach)
{
    double *dq = run->q_M;
    int n = run->state.n;
    for (int i = 0; i < n; i++) {
        run->work[i] = run->p_N[i] + run->p_T[i];
        dq[i] = run->dq_free[i];
    }
    STICK_TRY(stick_step_matrix_correct(run->matrix, run->work, dq));
    *reach = 4 * sqrt((double)run->system->dim) *
             fmax(stick_simulation_largest(dq, n), near_by * stick_simulation_largest(run->state.next.q, n));
    return STICK_OK;
}

// What moves farther than candidates were looked for may have met others.
static StickStatus find_contact(StickSimulation *run, double part)
{
    double root = sqrt((double)run->system->dim), reach;
    STICK_TRY(first_reach(run, &reach));
    for (int search = 0; search < MOST_SEARCHES; search++) {
        STICK_TRY(linear_problem(run, reach, part));
        double need = 2 * root * stick_simulation_largest(run->state.next.v, run->state.n);
        if (need <= reach)
            return STICK_OK;
        reach = 2 * need;
    }
    return stick_simulation_refuse(run, "t = %g: the bodies move too far at once", run->state.next.t);
}

// ---- how far from a solution an iterate is

typedef struct Defect {
    double balance, gap, friction;
} Defect;

// Forces at free degrees of freedom, by the largest of all.
static double out_of_balance(const StickSimulation *run)
{
    const StickMotion *next = &run->state.next;
    double largest = 0, off = 0;
    for (int i = 0; i < run->state.n; i++) {
        double contact = run->p_N[i] + run->p_T[i];
        largest = fmax(largest, fmax(fabs(next->Kq[i]), fmax(fabs(next->F[i]), fabs(contact))));
        if (!run->prescribed[i])
            off = fmax(off, fabs(next->Kq[i] - next->F[i] - contact));
    }
    return largest > 0 ? off / largest : 0;
}

// Gaps of contacts that carry a force, and depths of others, by the largest displacement.
static double gap_error(const StickSimulation *run)
{
    const StickContactSet *set = &run->contacts;
    int dim = run->system->dim;
    double error = 0, motion = stick_simulation_largest(run->state.next.q, run->state.n);
    for (int c = 0; c < set->ncontacts; c++) {
        int slot = stick_memory_slot(&run->state.memory, &set->contact[c]);
        double gap = set->contact[c].gap - run->start_depth[slot];
        error = fmax(error, run->pass_r[slot * dim] > 0 ? fabs(gap) : -gap);
    }
    return motion > 0 ? error / motion : error;
}

// Forces along the surface that are not mu r_N against the sliding, by the largest force.
static double friction_error(const StickSimulation *run)
{
    const StickSteady *steady = run->steady;
    int dim = run->system->dim;
    double error = 0, largest = 0;
    for (int c = 0; c < run->contacts.ncontacts; c++) {
        const double *r = &run->r[c * dim];
        for (int k = 1; k < dim; k++)
            error = fmax(error, fabs(r[k] + run->mu[c] * r[0] * steady->slip[2 * c + k - 1]));
        largest = fmax(largest, r[0]);
    }
    return largest > 0 ? error / largest : error;
}

// The same forces on the contacts as they are found at the new iterate. By the fixed point friction is another matter.
static StickStatus look(StickSimulation *run, double part, Defect *defect)
{
    STICK_TRY(detect(run, run->steady->reach));
    STICK_TRY(stick_steady_reserve(run));
    press(run);
    STICK_TRY(stick_steady_friction(run, part));
    defect->balance = out_of_balance(run);
    defect->gap = gap_error(run);
    defect->friction = stick_steady_is_fixed_point(run) ? 0 : friction_error(run);
    return STICK_OK;
}

// Finite bodies judge their forces themselves: round-off of these is another one.
static StickStatus judge(StickSimulation *run, const Defect *defect, bool *done)
{
    bool met = defect->gap <= gap_met && defect->friction <= coulomb_met;
    *done = met && defect->balance <= balanced;
    if (!run->newton_contact)
        return STICK_OK;
    run->newton_contact->gap = defect->gap;
    bool turns = stick_pairs_turn(run->pairs);
    STICK_TRY(stick_newton_contact_judge(run, met && (!turns || defect->balance <= nearly_balanced), done));
    // how frames turn is no part of the tangent: what they leave gets less slowly, also in shorter parts
    if (turns && !*done && run->newton_contact->count == STICK_MOST_NEWTON - 1)
        stick_newton_contact_again(run);
    return STICK_OK;
}

// Newton's iteration; with the fixed point at given friction.
static StickStatus newton(StickSimulation *run, double part)
{
    Defect defect = {0};
    bool done;
    for (int k = 0; k < NEWTON_STEPS; k++) {
        double clock = stick_clock_cpu();
        // a node at an edge may see one facet and the other in turn: the normal of either will do
        run->steady->keeps_facets = k >= CHANGING_STEPS;
        STICK_TRY(free_displacement(run));
        stick_contact_problem_clock(&clock, &run->phases.free);
        STICK_TRY(find_contact(run, part));
        stick_contact_problem_keep(run, &run->contacts, run->r);
        STICK_TRY(move(run));
        run->record.passes++;
        STICK_TRY(look(run, part, &defect));
        STICK_TRY(judge(run, &defect, &done));
        if (done)
            return STICK_OK;
        if (!isfinite(defect.balance))
            break;
    }
    return stick_simulation_refuse(
        run,
        "t = %g: steady sliding was not found in %d iterations: forces are out of balance by "
        "%.1e, gaps by %.1e, friction by %.1e",
        run->state.next.t, NEWTON_STEPS, defect.balance, defect.gap, defect.friction);
}

// Friction is that of the normal forces before until both agree  [RBV02 (85)]
static StickStatus fixed_point(StickSimulation *run, double part)
{
    double change = INFINITY;
    for (int k = 0; k < FIXED_POINT_STEPS; k++) {
        STICK_TRY(newton(run, part));
        change = stick_steady_renew(run);
        if (change <= friction_met)
            return STICK_OK;
        if (!isfinite(change))
            break;
        if (run->newton_contact)
            STICK_TRY(stick_newton_contact_start(run, run->newton_contact->x));
    }
    return stick_simulation_refuse(
        run,
        "t = %g: friction changes by %.1e yet, after %d iterations of the fixed point: take the "
        "method 'newton'",
        run->state.next.t, change, FIXED_POINT_STEPS);
}

// ---- the end of a part

// The friction problem of which these forces are the solution: gaps at the end, and every contact slides as it is driven,
// u_T = W r + u_free along s. Time has no scale here: the fastest way is as long as the largest gap.
static StickStatus pose_friction(StickSimulation *run, double part)
{
    const StickContactSet *set = &run->contacts;
    int dim = run->system->dim;
    double longest = 0, fastest = 0;
    STICK_TRY(stick_delassus_blocks(run->delassus, set, &run->W));
    STICK_TRY(stick_steady_friction(run, part));
    StickFrictionProblem problem = stick_simulation_problem(run);
    stick_friction_apply(&problem, run->r, run->u);
    for (int c = 0; c < set->ncontacts; c++) {
        int slot = stick_memory_slot(&run->state.memory, &set->contact[c]);
        run->depth[c] = run->start_depth[slot];
        run->bias[c] = run->gap_bias[c] = set->contact[c].gap - run->depth[c];
        longest = fmax(longest, fmax(fabs(run->bias[c]), fabs(run->u[c * dim])));
        fastest = fmax(fastest, run->steady->drive[c]);
    }
    double time = longest > 0 && fastest > 0 ? longest / fastest : 1;
    for (int c = 0; c < set->ncontacts; c++)
        for (int k = 0; k < dim; k++) {
            double u =
                k == 0 ? run->bias[c] : time * run->steady->drive[c] * run->steady->slip[2 * c + k - 1];
            run->u_free[c * dim + k] = u - run->u[c * dim + k];
        }
    run->has_problem = true;
    return STICK_OK;
}

// Velocities of the state: bodies move as a whole, contacts slide as they are driven.
static void set_velocities(StickSimulation *run)
{
    const StickSteady *steady = run->steady;
    int dim = run->system->dim;
    memcpy(run->state.next.v, steady->velocity, (size_t)run->state.n * sizeof *run->state.next.v);
    for (int c = 0; c < run->contacts.ncontacts; c++)
        for (int k = 0; k < dim; k++)
            run->u[c * dim + k] = k == 0 ? 0 : steady->drive[c] * steady->slip[2 * c + k - 1];
}

static StickStatus finish(StickSimulation *run, double part)
{
    StickMotion *next = &run->state.next;
    double clock = stick_clock_cpu();
    STICK_TRY(pose_friction(run, part));
    STICK_TRY(stick_contact_problem_certify(run));
    stick_contact_problem_clock(&clock, &run->phases.verify);
    set_velocities(run);
    memcpy(next->contact_N, run->p_N, (size_t)run->state.n * sizeof *next->contact_N);
    memcpy(next->contact_T, run->p_T, (size_t)run->state.n * sizeof *next->contact_T);
    stick_system_products(run->system, next->q, next->v, next->Mv, next->Cv, next->Kq);
    STICK_TRY(stick_contact_problem_refuse_not_finite(run));
    return stick_quasistatic_books(run);
}

StickStatus stick_steady_newton(StickSimulation *run, double t, double part)
{
    const StickContactMemory *memory = &run->state.memory;
    int dim = run->system->dim;
    run->has_problem = false;
    run->state.next.t = t;
    run->h = t > run->state.now.t ? t - run->state.now.t : run->spec->step;
    memcpy(run->pass_r, memory->r, (size_t)(memory->count * dim) * sizeof *run->pass_r);
    for (int slot = 0; slot < memory->count; slot++)
        run->steady->r_T[slot] =
            dim > 1 ? hypot(memory->r[slot * dim + 1], dim > 2 ? memory->r[slot * dim + 2] : 0) : 0;
    STICK_TRY(note_depths(run));
    STICK_TRY(stick_contact_problem_reserve(run));
    press(run);
    double h = run->h;
    run->h = for_ever * run->spec->step;
    StickStatus status = begin(run);
    if (status == STICK_OK)
        status = stick_steady_is_fixed_point(run) ? fixed_point(run, part) : newton(run, part);
    run->h = h;
    run->steady->keeps_facets = false;
    return status == STICK_OK ? finish(run, part) : status;
}
