// SPDX-License-Identifier: Apache-2.0
#include "drive/steady.h"

#include "base/clock.h"
#include "base/memory.h"
#include "bodies/products.h"
#include "drive/approach.h"
#include "drive/josephy.h"
#include "drive/quasistatic.h"
#include "drive/touch.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NEWTON_STEPS = 60, FIXED_POINT_STEPS = 1000, MOST_SEARCHES = 6, STEADY_CUTS = 10 };

// What an iteration has to meet: forces out of balance by the largest force (where frames turn, those of finite bodies),
// gaps by the largest displacement, and friction that is not mu r_N against the sliding by the largest force.
static const double balanced = 1e-10, nearly_balanced = 1e-8, gap_met = 1e-10, coulomb_met = 1e-10;

// The same of the fixed point, from one iteration to the next.
static const double friction_met = 1e-12;

// Of the largest displacement: what is as near may touch.
static const double near_by = 0.005;

// A drive that is so much slower than the fastest is none.
static const double no_drive = 1e-9;

struct StickSteady {
    StickContext *ctx;
    StickLemke *lemke;
    bool solved;       // the present state was found here ...
    bool lost;         // ... and nothing touches in it
    double value;      // of the parameter that friction has now; NAN: not set yet
    double reach;      // within which candidates were looked for last
    double *goal;      // ndofs: where prescribed degrees of freedom have to be
    double *velocity;  // ndofs: of each body as a whole, as its supports move
    double *slip;      // ncontacts x 2: direction of sliding along the tangents ...
    double *drive;     // ncontacts: ... and its speed
    double *r_T;       // slots: friction against it, of the iterate before
    double *M, *w, *z; // of the complementarity problem
    size_t slip_capacity, drive_capacity, M_capacity, w_capacity, z_capacity;
};

// ---- what it needs

static StickStatus refuse_model(const StickRun *run)
{
    const char *why = run->hold                ? "a force is held"
                      : run->laws.has_sections ? "friction has directions"
                      : run->laws.has_cohesion ? "contacts hold together"
                      : run->linked            ? "there are joints"
                                               : NULL;
    if (!why)
        return STICK_OK;
    return stick_fail_at(
        run->ctx, STICK_BAD_INPUT, run->spec->mark,
        "step '%s' cannot find steady sliding directly: %s; take a quasistatic step that drags "
        "until nothing changes",
        run->spec->name, why);
}

static StickStatus fill(StickRun *run, StickSteady *steady)
{
    int n = run->system->ndofs;
    STICK_TRY(refuse_model(run));
    STICK_TRY(stick_lemke_create(run->ctx, &steady->lemke));
    STICK_ALLOC(run->ctx, steady->goal, n);
    STICK_ALLOC(run->ctx, steady->velocity, n);
    STICK_ALLOC(run->ctx, steady->r_T, run->state.memory.count);
    return STICK_OK;
}

StickStatus stick_steady_create(StickRun *run, StickSteady **steady)
{
    StickSteady *created;
    STICK_ALLOC(run->ctx, created, 1);
    created->ctx = run->ctx;
    created->value = NAN;
    StickStatus status = fill(run, created);
    if (status != STICK_OK) {
        stick_steady_destroy(created);
        return status;
    }
    *steady = created;
    return STICK_OK;
}

void stick_steady_destroy(StickSteady *steady)
{
    if (!steady)
        return;
    StickContext *ctx = steady->ctx;
    double *vector[] = {steady->goal, steady->velocity, steady->slip, steady->drive,
                        steady->r_T,  steady->M,        steady->w,    steady->z};
    for (size_t k = 0; k < sizeof vector / sizeof *vector; k++)
        stick_free(ctx, vector[k]);
    stick_lemke_destroy(steady->lemke);
    stick_free(ctx, steady);
}

bool stick_steady_is(const StickRun *run)
{
    return run->steady && run->steady->solved;
}

// ---- how contacts are driven

static StickStatus support_speed(const StickRun *run, const StickSupport *support, double *speed)
{
    double t = run->state.next.t, h = run->spec->step, before, after;
    STICK_TRY(stick_support_value(support, t - h, &before));
    STICK_TRY(stick_support_value(support, t, &after));
    *speed = support->displacement ? (after - before) / h : 0.5 * (before + after);
    return STICK_OK;
}

// A body moves as a whole as its supports do, in the mean of those along each axis.
static StickStatus find_velocities(StickRun *run)
{
    StickSteady *steady = run->steady;
    const StickSystem *system = run->system;
    int first = 0;
    for (int b = 0; b < system->nbodies; b++) {
        const StickBody *body = &system->body[b];
        double sum[3] = {0, 0, 0}, count[3] = {0, 0, 0}, speed;
        for (; first < run->supports.count && run->supports.support[first].dof < body->first + body->ndofs;
             first++) {
            int k = system->axis[run->supports.support[first].dof];
            STICK_TRY(support_speed(run, &run->supports.support[first], &speed));
            sum[k] += speed;
            count[k]++;
        }
        for (int i = body->first; i < body->first + body->ndofs; i++) {
            int k = system->axis[i];
            steady->velocity[i] = count[k] > 0 ? sum[k] / count[k] : 0;
        }
    }
    return STICK_OK;
}

static StickStatus refuse_undriven(StickRun *run, int c)
{
    char name[STICK_CONTACT_NAME];
    const StickContactSpec *spec = &run->system->model->contact[run->contacts.contact[c].pair];
    stick_run_contact_name(run, &run->contacts.contact[c], name);
    run->trying = false;
    return stick_fail_at(
        run->ctx, STICK_BAD_INPUT, spec->mark,
        "step '%s', t = %g: nothing drives the contact%s along its surface, so that it has no direction of "
        "sliding: give its obstacle or the supports of its body a velocity, or the contact no friction",
        run->spec->name, run->state.next.t, name);
}

// slip and drive of each contact, and its friction at that speed.
static StickStatus find_directions(StickRun *run)
{
    StickSteady *steady = run->steady;
    const StickContactSet *set = &run->contacts;
    int dim = run->system->dim;
    double fastest = 0;
    stick_contact_velocity(set, steady->velocity, run->u);
    for (int c = 0; c < set->ncontacts; c++) {
        double *slip = &steady->slip[2 * c];
        slip[0] = dim > 1 ? run->u[c * dim + 1] + set->contact[c].u_drive[1] : 0;
        slip[1] = dim > 2 ? run->u[c * dim + 2] + set->contact[c].u_drive[2] : 0;
        steady->drive[c] = run->speed[c] = hypot(slip[0], slip[1]);
        fastest = fmax(fastest, steady->drive[c]);
    }
    StickSight sight = {.t = run->state.next.t, .speed = run->speed, .pressure = run->pressure};
    STICK_TRY(stick_step_laws_friction(run, set, &sight, run->mu));
    for (int c = 0; c < set->ncontacts; c++) {
        bool driven = steady->drive[c] > no_drive * fastest;
        if (!driven && run->mu[c] > 0 && dim > 1)
            return refuse_undriven(run, c);
        for (int k = 0; k < 2; k++)
            steady->slip[2 * c + k] = driven ? steady->slip[2 * c + k] / steady->drive[c] : 0;
    }
    return STICK_OK;
}

// On the way from the friction of the state before to the one that is asked for.
static void blend_friction(StickRun *run, double part)
{
    const StickContactMemory *memory = &run->state.memory;
    double way = part < 1 ? (part - run->advance.part) / (1 - run->advance.part) : 1;
    for (int c = 0; c < run->contacts.ncontacts && way < 1; c++) {
        double before = memory->mu[stick_memory_slot(memory, &run->contacts.contact[c])];
        run->mu[c] = before + way * (run->mu[c] - before);
    }
}

// ---- the linear complementarity problem of an iterate

static bool is_fixed_point(const StickRun *run)
{
    return run->spec->method == STICK_STEADY_FIXED_POINT;
}

// Normal displacement of contact i by a unit of friction of contact j against its sliding: (H_N' A^-1 H_T s)_ij
static double friction_entry(const StickRun *run, int e, int j)
{
    int d = run->W->d;
    const double *block = &run->W->value[(size_t)e * (size_t)(d * d)], *s = &run->steady->slip[2 * j];
    return (d > 1 ? block[1] * s[0] : 0) + (d > 2 ? block[2] * s[1] : 0);
}

// M = H_N' A^-1 (H_N - mu H_T s), and w = M 0 + gaps. By the fixed point friction is known, and M symmetric.
static void fill_problem(StickRun *run)
{
    StickSteady *steady = run->steady;
    const StickBlocks *W = run->W;
    int n = run->contacts.ncontacts, d = run->system->dim;
    memset(steady->M, 0, (size_t)n * (size_t)n * sizeof *steady->M);
    for (int i = 0; i < n; i++) {
        steady->w[i] = run->u_free[i * d];
        for (int e = W->start[i]; e < W->start[i + 1]; e++) {
            int j = W->col[e];
            int slot = stick_memory_slot(&run->state.memory, &run->contacts.contact[j]);
            double N = W->value[(size_t)e * (size_t)(d * d)], T = friction_entry(run, e, j);
            steady->M[(size_t)j * (size_t)n + (size_t)i] = is_fixed_point(run) ? N : N - run->mu[j] * T;
            steady->w[i] -= is_fixed_point(run) ? steady->r_T[slot] * T : 0;
        }
    }
}

static StickStatus reserve(StickRun *run)
{
    StickSteady *steady = run->steady;
    size_t n = (size_t)run->contacts.ncontacts;
    STICK_TRY(stick_touch_reserve(run));
    STICK_RESERVE(run->ctx, steady->slip, steady->slip_capacity, 2 * n);
    STICK_RESERVE(run->ctx, steady->drive, steady->drive_capacity, n);
    STICK_RESERVE(run->ctx, steady->M, steady->M_capacity, n * n);
    STICK_RESERVE(run->ctx, steady->w, steady->w_capacity, n);
    STICK_RESERVE(run->ctx, steady->z, steady->z_capacity, n);
    return STICK_OK;
}

// r_N, certified as a solution of the complementarity problem.
static StickStatus solve_problem(StickRun *run)
{
    StickSteady *steady = run->steady;
    int n = run->contacts.ncontacts, dim = run->system->dim;
    StickLcp lcp = {n, steady->M, steady->w};
    StickLcpCertificate found;
    for (int c = 0; c < n; c++)
        steady->z[c] = run->pass_r[stick_memory_slot(&run->state.memory, &run->contacts.contact[c]) * dim];
    int pivots = run->spec->iterations > 0 ? run->spec->iterations : 100 + 50 * n;
    STICK_TRY(stick_lemke_solve_near(steady->lemke, &lcp, pivots, steady->z, &run->info));
    if (run->info.end != STICK_SOLVE_CONVERGED)
        return stick_run_refuse(
            run,
            "t = %g: there is no steady sliding that the complementarity problem with %d contacts "
            "leads to: %s after %d pivots%s%s",
            run->state.next.t, n, stick_solve_end_name(run->info.end), run->info.iterations,
            run->info.detail[0] ? ", " : "", run->info.detail);
    STICK_TRY(stick_certify_lcp(run->ctx, &lcp, steady->z, run->spec->tolerance, &found));
    run->record.worst_error = fmax(run->record.worst_error, found.error);
    run->record.worst_scale_free = fmax(run->record.worst_scale_free, found.error_scale_free);
    if (found.certified)
        return STICK_OK;
    return stick_run_refuse(
        run,
        "t = %g: the complementarity problem of steady sliding is not certified: error %.2e, "
        "scale-free %.2e, tolerance %.2e",
        run->state.next.t, found.error, found.error_scale_free, found.tolerance);
}

// r of all contacts from r_N; friction against the sliding.
static void set_forces(StickRun *run)
{
    StickSteady *steady = run->steady;
    int dim = run->system->dim;
    for (int c = 0; c < run->contacts.ncontacts; c++) {
        int slot = stick_memory_slot(&run->state.memory, &run->contacts.contact[c]);
        double friction = is_fixed_point(run) ? steady->r_T[slot] : run->mu[c] * steady->z[c];
        run->r[c * dim] = steady->z[c];
        for (int k = 1; k < dim; k++)
            run->r[c * dim + k] = -friction * steady->slip[2 * c + k - 1];
    }
}

// By how much friction is not mu r_N, of the largest force; the next iterate has it so.
static double renew_friction(StickRun *run)
{
    StickSteady *steady = run->steady;
    double change = 0, largest = 0;
    for (int c = 0; c < run->contacts.ncontacts; c++) {
        int slot = stick_memory_slot(&run->state.memory, &run->contacts.contact[c]);
        double r_N = run->r[c * run->system->dim], friction = run->mu[c] * r_N;
        change = fmax(change, fabs(friction - steady->r_T[slot]));
        largest = fmax(largest, r_N);
        steady->r_T[slot] = friction;
    }
    return largest > 0 ? change / largest : change;
}

// ---- the iterate

// Steady sliding lasts: what relaxes has done so.
static const double for_ever = 1e12;

// Where the supports have to be at the end, and loads there; the first iterate is the present state.
static StickStatus begin(StickRun *run)
{
    const StickMotion *now = &run->state.now;
    StickMotion *next = &run->state.next;
    double *goal = run->josephy ? run->josephy->target : run->steady->goal;
    STICK_TRY(stick_loads_force_at(run->ctx, &run->loads, next->t, now->q, next->F));
    STICK_TRY(stick_quasistatic_supports(run, next->t, goal));
    if (run->josephy)
        return stick_josephy_start(run, NULL);
    for (int i = 0; i < run->state.n; i++)
        goal[i] = run->prescribed[i] ? goal[i] + now->q[i] : 0;
    memcpy(next->q, now->q, (size_t)run->state.n * sizeof *next->q);
    memcpy(next->Kq, now->Kq, (size_t)run->state.n * sizeof *next->Kq);
    return STICK_OK;
}

// dq_free = A^-1 (F - F_int): to where the iterate would go if nothing touched
static StickStatus free_displacement(StickRun *run)
{
    const StickMotion *next = &run->state.next;
    if (run->josephy) {
        STICK_TRY(stick_josephy_linearise(run, run->dq_free));
        for (int i = 0; i < run->state.n; i++)
            run->dq_free[i] -= run->josephy->x[i];
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
static StickStatus move(StickRun *run)
{
    StickMotion *next = &run->state.next;
    int n = run->state.n;
    if (run->josephy) {
        for (int i = 0; i < n; i++)
            next->v[i] += run->josephy->x[i];
        return stick_josephy_advance(run);
    }
    for (int i = 0; i < n; i++)
        run->work[i] = next->q[i] += next->v[i];
    stick_system_stiffness(run->system, run->work, next->Kq);
    return STICK_OK;
}

// Candidates, gaps and frames at the iterate, where obstacles are at the end.
static StickStatus detect(StickRun *run, double reach)
{
    StickDetection where = {
        .t = run->state.next.t, .h = -run->spec->step, .q = run->state.next.q, .reach = reach};
    run->steady->reach = reach;
    STICK_TRY(stick_pairs_detect(run->pairs, &where, &run->contacts));
    return stick_run_refuse_lost(run, STICK_NOT_SOLVED);
}

// Depths that contacts were first seen with stay.
static StickStatus note_depths(StickRun *run)
{
    const StickContactMemory *memory = &run->state.memory;
    StickDetection where = {.t = run->state.now.t, .h = run->h, .q = run->state.now.q, .all = true};
    STICK_TRY(stick_pairs_detect(run->pairs, &where, &run->contacts));
    STICK_TRY(stick_run_refuse_lost(run, STICK_NOT_SOLVED));
    memset(run->start_depth, 0, (size_t)memory->count * sizeof *run->start_depth);
    for (int c = 0; c < run->contacts.ncontacts; c++)
        run->start_depth[stick_memory_slot(memory, &run->contacts.contact[c])] =
            stick_approach_depth(run, &run->contacts.contact[c]);
    return STICK_OK;
}

// Gaps where the iterate would go if nothing touched.
static void free_gaps(StickRun *run)
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

// A law sees the pressures of the iterate: at the end they are those of the state.
static void find_pressures(StickRun *run)
{
    const StickContactMemory *memory = &run->state.memory;
    for (int c = 0; c < run->contacts.ncontacts; c++) {
        const StickContact *contact = &run->contacts.contact[c];
        double r_N = run->pass_r[stick_memory_slot(memory, contact) * run->system->dim];
        run->pressure[c] = contact->area > 0 ? r_N / contact->area : 0;
    }
}

// Direction and friction of all contacts as they are found at the iterate.
static StickStatus find_friction(StickRun *run, double part)
{
    find_pressures(run);
    STICK_TRY(find_directions(run));
    blend_friction(run, part);
    return STICK_OK;
}

// dq = dq_free + A^-1 H r, which must close the gaps as the condensed problem says.
static StickStatus apply(StickRun *run)
{
    const StickContactSet *set = &run->contacts;
    StickMotion *next = &run->state.next;
    int n = run->state.n, dim = run->system->dim;
    double off = 0, size = 0;
    memcpy(next->v, run->dq_free, (size_t)n * sizeof *next->v);
    STICK_TRY(stick_touch_apply(run));
    stick_contact_velocity(set, next->v, run->u_end);
    StickFrictionProblem problem = stick_run_problem(run);
    stick_friction_apply(&problem, run->r, run->u);
    for (int c = 0; c < set->ncontacts; c++) {
        double condensed = run->u[c * dim] + run->u_free[c * dim];
        off = fmax(off, fabs(run->u_end[c * dim] + run->bias[c] - condensed));
        size = fmax(size, fabs(run->u_free[c * dim]));
    }
    size = fmax(size, stick_run_largest(next->v, n));
    run->record.worst_consistency = fmax(run->record.worst_consistency, size > 0 ? off / size : 0);
    return off <= run->spec->tolerance * size
               ? STICK_OK
               : stick_run_refuse(run, "t = %g: gaps differ from those of the condensed problem by %.2e",
                                  next->t, off / size);
}

static void keep_forces(StickRun *run)
{
    const StickContactMemory *memory = &run->state.memory;
    int dim = run->system->dim;
    memset(run->pass_r, 0, (size_t)(memory->count * dim) * sizeof *run->pass_r);
    for (int c = 0; c < run->contacts.ncontacts; c++)
        memcpy(&run->pass_r[stick_memory_slot(memory, &run->contacts.contact[c]) * dim], &run->r[c * dim],
               (size_t)dim * sizeof *run->r);
}

// The linear problem at the iterate, with candidates within reach: dq in next.v.
static StickStatus linear_problem(StickRun *run, double reach, double part)
{
    double clock = stick_clock_cpu();
    STICK_TRY(detect(run, reach));
    stick_touch_clock(&clock, &run->phases.detect);
    STICK_TRY(reserve(run));
    STICK_TRY(stick_delassus_blocks(run->delassus, &run->contacts, &run->W));
    free_gaps(run);
    STICK_TRY(find_friction(run, part));
    fill_problem(run);
    stick_touch_clock(&clock, &run->phases.condense);
    STICK_TRY(solve_problem(run));
    set_forces(run);
    stick_touch_clock(&clock, &run->phases.solve);
    STICK_TRY(apply(run));
    stick_touch_clock(&clock, &run->phases.apply);
    return STICK_OK;
}

// The contacts that there are now have the forces of the iterate: p_N and p_T.
static void press(StickRun *run)
{
    const StickContactMemory *memory = &run->state.memory;
    int dim = run->system->dim;
    for (int c = 0; c < run->contacts.ncontacts; c++)
        memcpy(&run->r[c * dim], &run->pass_r[stick_memory_slot(memory, &run->contacts.contact[c]) * dim],
               (size_t)dim * sizeof *run->r);
    stick_touch_press(run);
}

// How far candidates may be: by where the iterate would go with the forces that it has, and at least a small part of how
// far it has come. Few candidates are few columns of W.
static StickStatus first_reach(StickRun *run, double *reach)
{
    double *dq = run->q_M;
    int n = run->state.n;
    for (int i = 0; i < n; i++) {
        run->work[i] = run->p_N[i] + run->p_T[i];
        dq[i] = run->dq_free[i];
    }
    STICK_TRY(stick_step_matrix_correct(run->matrix, run->work, dq));
    *reach = 4 * sqrt((double)run->system->dim) *
             fmax(stick_run_largest(dq, n), near_by * stick_run_largest(run->state.next.q, n));
    return STICK_OK;
}

// What moves farther than candidates were looked for may have met others.
static StickStatus find_contact(StickRun *run, double part)
{
    double root = sqrt((double)run->system->dim), reach;
    STICK_TRY(first_reach(run, &reach));
    for (int search = 0; search < MOST_SEARCHES; search++) {
        STICK_TRY(linear_problem(run, reach, part));
        double need = 2 * root * stick_run_largest(run->state.next.v, run->state.n);
        if (need <= reach)
            return STICK_OK;
        reach = 2 * need;
    }
    return stick_run_refuse(run, "t = %g: the bodies move too far at once", run->state.next.t);
}

// ---- how far from a solution an iterate is

typedef struct Defect {
    double balance, gap, friction;
} Defect;

// Forces at free degrees of freedom, by the largest of all.
static double out_of_balance(const StickRun *run)
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
static double gap_error(const StickRun *run)
{
    const StickContactSet *set = &run->contacts;
    int dim = run->system->dim;
    double error = 0, motion = stick_run_largest(run->state.next.q, run->state.n);
    for (int c = 0; c < set->ncontacts; c++) {
        int slot = stick_memory_slot(&run->state.memory, &set->contact[c]);
        double gap = set->contact[c].gap - run->start_depth[slot];
        error = fmax(error, run->pass_r[slot * dim] > 0 ? fabs(gap) : -gap);
    }
    return motion > 0 ? error / motion : error;
}

// Forces along the surface that are not mu r_N against the sliding, by the largest force.
static double friction_error(const StickRun *run)
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
static StickStatus look(StickRun *run, double part, Defect *defect)
{
    STICK_TRY(detect(run, run->steady->reach));
    STICK_TRY(reserve(run));
    press(run);
    STICK_TRY(find_friction(run, part));
    defect->balance = out_of_balance(run);
    defect->gap = gap_error(run);
    defect->friction = is_fixed_point(run) ? 0 : friction_error(run);
    return STICK_OK;
}

// Finite bodies judge their forces themselves: round-off of these is another one.
static StickStatus judge(StickRun *run, const Defect *defect, bool *done)
{
    bool met = defect->gap <= gap_met && defect->friction <= coulomb_met;
    *done = met && defect->balance <= balanced;
    if (!run->josephy)
        return STICK_OK;
    run->josephy->gap = defect->gap;
    bool turns = stick_pairs_turn(run->pairs);
    STICK_TRY(stick_josephy_judge(run, met && (!turns || defect->balance <= nearly_balanced), done));
    // how frames turn is no part of the tangent: what they leave gets less slowly, also in shorter parts
    if (turns && !*done && run->josephy->count == STICK_MOST_NEWTON - 1)
        stick_josephy_again(run);
    return STICK_OK;
}

// Newton's iteration; with the fixed point at given friction.
static StickStatus newton(StickRun *run, double part)
{
    Defect defect = {0};
    bool done;
    for (int k = 0; k < NEWTON_STEPS; k++) {
        double clock = stick_clock_cpu();
        STICK_TRY(free_displacement(run));
        stick_touch_clock(&clock, &run->phases.free);
        STICK_TRY(find_contact(run, part));
        keep_forces(run);
        STICK_TRY(move(run));
        run->record.passes++;
        STICK_TRY(look(run, part, &defect));
        STICK_TRY(judge(run, &defect, &done));
        if (done)
            return STICK_OK;
        if (!isfinite(defect.balance))
            break;
    }
    return stick_run_refuse(
        run,
        "t = %g: steady sliding was not found in %d iterations: forces are out of balance by "
        "%.1e, gaps by %.1e, friction by %.1e",
        run->state.next.t, NEWTON_STEPS, defect.balance, defect.gap, defect.friction);
}

// Friction is that of the normal forces before until both agree  [RBV02 (85)]
static StickStatus fixed_point(StickRun *run, double part)
{
    double change = INFINITY;
    for (int k = 0; k < FIXED_POINT_STEPS; k++) {
        STICK_TRY(newton(run, part));
        change = renew_friction(run);
        if (change <= friction_met)
            return STICK_OK;
        if (!isfinite(change))
            break;
        if (run->josephy)
            STICK_TRY(stick_josephy_start(run, run->josephy->x));
    }
    return stick_run_refuse(
        run,
        "t = %g: friction changes by %.1e yet, after %d iterations of the fixed point: take the "
        "method 'newton'",
        run->state.next.t, change, FIXED_POINT_STEPS);
}

// ---- the end of a part

// The friction problem of which these forces are the solution: gaps at the end, and every contact slides as it is driven,
// u_T = W r + u_free along s. Time has no scale here: the fastest way is as long as the largest gap.
static StickStatus pose_friction(StickRun *run, double part)
{
    const StickContactSet *set = &run->contacts;
    int dim = run->system->dim;
    double longest = 0, fastest = 0;
    STICK_TRY(stick_delassus_blocks(run->delassus, set, &run->W));
    STICK_TRY(find_friction(run, part));
    StickFrictionProblem problem = stick_run_problem(run);
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
static void set_velocities(StickRun *run)
{
    const StickSteady *steady = run->steady;
    int dim = run->system->dim;
    memcpy(run->state.next.v, steady->velocity, (size_t)run->state.n * sizeof *run->state.next.v);
    for (int c = 0; c < run->contacts.ncontacts; c++)
        for (int k = 0; k < dim; k++)
            run->u[c * dim + k] = k == 0 ? 0 : steady->drive[c] * steady->slip[2 * c + k - 1];
}

static StickStatus finish(StickRun *run, double part)
{
    StickMotion *next = &run->state.next;
    double clock = stick_clock_cpu();
    STICK_TRY(pose_friction(run, part));
    STICK_TRY(stick_touch_certify(run));
    stick_touch_clock(&clock, &run->phases.verify);
    set_velocities(run);
    memcpy(next->contact_N, run->p_N, (size_t)run->state.n * sizeof *next->contact_N);
    memcpy(next->contact_T, run->p_T, (size_t)run->state.n * sizeof *next->contact_T);
    stick_system_products(run->system, next->q, next->v, next->Mv, next->Cv, next->Kq);
    STICK_TRY(stick_touch_refuse_not_finite(run));
    return stick_quasistatic_books(run);
}

static void remember_friction(StickRun *run)
{
    StickContactMemory *memory = &run->state.memory;
    for (int c = 0; c < run->contacts.ncontacts; c++) {
        int slot = stick_memory_slot(memory, &run->contacts.contact[c]);
        memory->mu[slot] = run->mu[c];
        memory->turns[slot] = 0;
    }
}

// From the present state to time t with a part of the change of friction.
static StickStatus solve_part(StickRun *run, double t, double part)
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
    STICK_TRY(find_velocities(run));
    STICK_TRY(note_depths(run));
    STICK_TRY(stick_touch_reserve(run));
    press(run);
    double h = run->h;
    run->h = for_ever * run->spec->step;
    StickStatus status = begin(run);
    if (status == STICK_OK)
        status = is_fixed_point(run) ? fixed_point(run, part) : newton(run, part);
    run->h = h;
    return status == STICK_OK ? finish(run, part) : status;
}

// Told where contact is lost, or was never there: not for every state that follows.
static void tell_lost(StickRun *run)
{
    StickSteady *steady = run->steady;
    bool touches = stick_run_largest(run->r, run->contacts.ncontacts * run->system->dim) > 0;
    if (!touches && !steady->lost)
        stick_warn(
            run->ctx,
            "step '%s', t = %g: %s, so that nothing slides: see how loads, supports and obstacles move until "
            "then",
            run->spec->name, run->state.next.t,
            steady->solved ? "contact is lost, and nothing touches any more" : "nothing touches");
    steady->lost = !touches;
}

static StickStatus keep(StickRun *run)
{
    if (run->josephy)
        stick_josephy_keep(run);
    tell_lost(run);
    STICK_TRY(stick_touch_remember(run));
    remember_friction(run);
    stick_touch_end(run);
    run->steady->solved = true;
    return STICK_OK;
}

// ---- from state to state

static StickStatus set_value(StickRun *run, double value)
{
    if (value == run->steady->value)
        return STICK_OK;
    STICK_TRY(stick_step_laws_vary(run, run->spec->vary.parameter, value));
    run->steady->value = value;
    return STICK_OK;
}

static StickStatus give_up(StickRun *run)
{
    char reason[STICK_REASON], at[128] = "";
    snprintf(reason, sizeof reason, "%s", run->reason);
    if (run->spec->vary.parameter)
        snprintf(at, sizeof at, " with %.60s = %.10g", run->spec->vary.parameter, run->steady->value);
    run->trying = false;
    stick_josephy_tell(run);
    return stick_run_refuse(
        run,
        "step '%s'%s: not even 1/%d of the way from the state before can be gone: steady sliding "
        "may end here, or go on behind a jump (%.300s)",
        run->spec->name, at, 1 << STEADY_CUTS, reason);
}

// Time from and to: of the state before, and of the one that is asked for.
typedef struct Way {
    double from, to;
} Way;

// A part that is solved is gone on from; one that is not is halved.
static StickStatus try_part(StickRun *run, const Way *way)
{
    StickAdvance *advance = &run->advance;
    StickBefore before = {run->record, run->ledger};
    double part = advance->part + ldexp(1, -(int)advance->level);
    StickStatus status = solve_part(run, part < 1 ? way->from + part * (way->to - way->from) : way->to, part);
    if (status == STICK_OK) {
        stick_advance_accept(advance, part);
        return keep(run);
    }
    run->record = before.record;
    run->ledger = before.ledger;
    if (status != STICK_NOT_SOLVED)
        return status;
    if (advance->level == STEADY_CUTS)
        return give_up(run);
    run->record.cuts++;
    advance->level++;
    advance->good = 0;
    return STICK_OK;
}

static StickStatus go(StickRun *run, const Way *way)
{
    StickAdvance *advance = &run->advance;
    StickStatus status = STICK_OK;
    double piece = advance->piece;
    run->trying = true;
    while (status == STICK_OK && advance->piece == piece)
        status = try_part(run, way);
    run->trying = false;
    if (status == STICK_OK)
        advance->level = advance->good = 0; // the next one is tried at once
    return status;
}

StickStatus stick_steady_step(StickRun *run)
{
    const StickVarySpec *vary = &run->spec->vary;
    double piece = run->advance.piece;
    Way way = {stick_quasistatic_time(run, piece, 0), stick_quasistatic_time(run, piece, 1)};
    if (vary->parameter)
        STICK_TRY(set_value(run, vary->value[(int)piece]));
    return go(run, &way);
}

double stick_steady_time(const StickRun *run, double value)
{
    const StickVarySpec *vary = &run->spec->vary;
    double sign = vary->value[1] > vary->value[0] ? 1 : -1;
    int k = 0;
    while (k + 2 < vary->count && sign * (value - vary->value[k + 1]) > 0)
        k++;
    double along = (value - vary->value[k]) / (vary->value[k + 1] - vary->value[k]);
    return stick_quasistatic_time(run, k, 1) + along * run->spec->step;
}

StickStatus stick_steady_seek(StickRun *run, double value, double t)
{
    StickAdvance advance = run->advance;
    Way way = {run->state.now.t, t};
    STICK_TRY(set_value(run, value));
    run->advance = (StickAdvance){0};
    StickStatus status = go(run, &way);
    run->advance = advance;
    return status;
}
