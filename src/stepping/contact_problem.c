// SPDX-License-Identifier: Apache-2.0
#include "stepping/contact_problem.h"

#include "base/atomic_max.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/pool.h"
#include "base/reduction.h"
#include "contact/rigid_pairs.h"
#include "solve/residual.h"
#include "stepping/gap_bias.h"
#include "stepping/newton_contact.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

void stick_contact_problem_clock(double *last, double *phase)
{
    double now = stick_clock_cpu();
    *phase += now - *last;
    *last = now;
}

StickStatus stick_contact_problem_reserve(StickSimulation *run)
{
    size_t n = (size_t)run->contacts.ncontacts, dim = (size_t)run->system->dim;
    STICK_RESERVE(run->ctx, run->r, run->r_capacity, n * dim);
    STICK_RESERVE(run->ctx, run->guess, run->guess_capacity, n * dim);
    STICK_RESERVE(run->ctx, run->u, run->u_capacity, n * dim);
    STICK_RESERVE(run->ctx, run->u_free, run->u_free_capacity, n * dim);
    STICK_RESERVE(run->ctx, run->u_end, run->u_end_capacity, n * dim);
    STICK_RESERVE(run->ctx, run->bias, run->bias_capacity, n);
    STICK_RESERVE(run->ctx, run->gap_bias, run->gap_bias_capacity, n);
    STICK_RESERVE(run->ctx, run->passive_bias, run->passive_bias_capacity, n);
    STICK_RESERVE(run->ctx, run->depth, run->depth_capacity, n);
    STICK_RESERVE(run->ctx, run->mu, run->mu_capacity, n);
    STICK_RESERVE(run->ctx, run->speed, run->speed_capacity, n);
    STICK_RESERVE(run->ctx, run->pressure, run->pressure_capacity, n);
    STICK_RESERVE(run->ctx, run->keyed, run->keyed_capacity, n);
    STICK_RESERVE(run->ctx, run->settled, run->settled_capacity, n);
    memset(run->settled, 0, n);
    return stick_step_laws_reserve(run);
}

// ---- how fast contacts slide, for the law of friction

// Of the velocities that a step deals with: what is slower does not slide unless friction is at its limit.
static const double slow = 1e-6;

static double sliding_speed(int dim, const double *u)
{
    return dim == 3 ? hypot(u[1], u[2]) : dim == 2 ? fabs(u[1]) : 0;
}

// Speed of a contact of rigid bodies that was not there in the last step, until it is found.
static const double not_known = -1;

static bool is_known(const StickSimulation *run, int c)
{
    const StickContactMemory *memory = &run->state.memory;
    const StickContact *contact = &run->contacts.contact[c];
    return contact->pair < 0 ? run->speed[c] != not_known
                             : memory->known[stick_memory_slot(memory, contact)] > 0;
}

// A contact that is seen for the first time, as all are in a first step, slides as fast as bodies move over each other.
static void meet(StickSimulation *run, int first)
{
    const StickContactSet *set = &run->contacts;
    int dim = run->system->dim;
    if (stick_simulation_is_quasistatic(run))
        return;
    stick_contact_velocity(set, run->state.now.v, run->u);
    for (int c = first; c < set->ncontacts; c++) {
        double *u = &run->u[c * dim], size = 0;
        for (int k = 0; k < dim; k++) {
            size = fmax(size, fabs(u[k]) + fabs(set->contact[c].u_drive[k]));
            u[k] += set->contact[c].u_drive[k];
        }
        double speed = sliding_speed(dim, u);
        if (!is_known(run, c))
            run->speed[c] = speed > slow * size ? speed : 0;
    }
}

// One step's recollection.
typedef struct Recall {
    StickSimulation *run;
    const double *r;         // by slots
    atomic_int first_unseen; // contact
} Recall;

// Contacts and memories are both sorted by key: as contacts are gone through, so are the memories from a place on.
static bool recall_keyed(StickSimulation *run, int c, int *place)
{
    const StickContactMemory *memory = &run->state.memory;
    const StickKeyedMemory *known = NULL;
    StickContactKey key = stick_contact_key(&run->contacts.contact[c]);
    int dim = run->system->dim, order = 1;
    if (*place < 0)
        *place = stick_memory_place(memory, &key);
    while (*place < memory->nkeyed &&
           (order = stick_contact_key_compare(&memory->keyed[*place].key, &key)) < 0)
        (*place)++;
    int own = run->contacts.contact[c].known, at = own > 0 ? own - 1 : *place;
    if (own > 0 || (*place < memory->nkeyed && order == 0))
        known = &memory->keyed[at];
    for (int k = 0; k < dim; k++)
        run->r[c * dim + k] = known ? known->r[k] : 0;
    run->speed[c] = known ? known->speed : not_known;
    run->pressure[c] = 0;
    run->keyed[c] = known ? at : -1;
    run->settled[c] = known && known->settled > 0;
    return known != NULL;
}

static bool recall_by_slot(StickSimulation *run, const double *r, int c)
{
    const StickContactMemory *memory = &run->state.memory;
    int dim = run->system->dim, slot = stick_memory_slot(memory, &run->contacts.contact[c]);
    memcpy(&run->r[c * dim], &r[slot * dim], (size_t)dim * sizeof *run->r);
    run->speed[c] = memory->speed[slot];
    run->pressure[c] = memory->pressure[slot];
    run->keyed[c] = -1;
    run->settled[c] = false;
    return memory->known[slot] > 0;
}

static void recall_range(void *data, int from, int to)
{
    Recall *recall = data;
    StickSimulation *run = recall->run;
    int unseen = INT_MAX, place = -1;
    for (int c = from; c < to; c++) {
        bool known = run->contacts.contact[c].pair < 0 ? recall_keyed(run, c, &place)
                                                       : recall_by_slot(run, recall->r, c);
        unseen = !known && c < unseen ? c : unseen;
    }
    int first = atomic_load(&recall->first_unseen);
    while (unseen < first && !atomic_compare_exchange_weak(&recall->first_unseen, &first, unseen))
        continue;
}

StickStatus stick_contact_problem_recall(StickSimulation *run, const double *r)
{
    int count = run->contacts.ncontacts;
    Recall recall = {.run = run, .r = r, .first_unseen = count};
    stick_threads_range(run->ctx, count, recall_range, &recall);
    int first = atomic_load(&recall.first_unseen);
    if (first < count)
        meet(run, first);
    return stick_step_laws_recall(run);
}

const StickKeyedMemory *stick_contact_problem_known(const StickSimulation *run, int contact)
{
    return run->keyed[contact] >= 0 ? &run->state.memory.keyed[run->keyed[contact]] : NULL;
}

void stick_contact_problem_keep(StickSimulation *run, const StickContactSet *set, const double *r)
{
    const StickContactMemory *memory = &run->state.memory;
    int dim = run->system->dim;
    memset(run->pass_r, 0, (size_t)(memory->count * dim) * sizeof *run->pass_r);
    for (int c = 0; c < set->ncontacts; c++)
        memcpy(&run->pass_r[stick_memory_slot(memory, &set->contact[c]) * dim], &r[c * dim],
               (size_t)dim * sizeof *r);
}

void stick_contact_problem_fetch(StickSimulation *run)
{
    const StickContactMemory *memory = &run->state.memory;
    int dim = run->system->dim;
    for (int c = 0; c < run->contacts.ncontacts; c++)
        memcpy(&run->r[c * dim], &run->pass_r[stick_memory_slot(memory, &run->contacts.contact[c]) * dim],
               (size_t)dim * sizeof *run->r);
}

StickFrictionProblem stick_simulation_problem(const StickSimulation *run)
{
    return (StickFrictionProblem){
        .dim = run->system->dim,
        .ncontacts = run->contacts.ncontacts,
        .W = run->W,
        .u_free = run->u_free,
        .mu = run->mu,
        .section = run->laws.has_sections ? run->laws.section_of : NULL,
        .bodies = stick_delassus_bodies(run->delassus, run->W),
        .settled = run->settled,
    };
}

void stick_simulation_solution(const StickSimulation *run, double *r)
{
    int dim = run->system->dim;
    for (int i = 0; i < run->contacts.ncontacts * dim; i++)
        r[i] = (run->r[i] + (i % dim == 0 ? stick_step_laws_pull(&run->laws, i / dim) : 0)) / run->bounce;
}

// The local solver aims at more than what is asked for: what is asked for is enough.
static StickStatus solve_near(StickSimulation *run, const StickFrictionProblem *problem)
{
    StickSolverOptions wanted = stick_solver_options_default();
    wanted.tolerance = run->spec->tolerance;
    STICK_TRY(stick_solver_solve(run->local, problem, run->r, run->u, &run->info));
    if (run->info.end == STICK_SOLVE_CONVERGED)
        return STICK_OK;
    stick_residual_velocity(problem, run->r, run->u);
    StickResidual residual = stick_residual(problem, run->r, run->u);
    if (stick_residual_within(residual, &wanted)) {
        run->info.end = STICK_SOLVE_CONVERGED;
        run->info.residual = residual.shared;
    } else {
        memcpy(run->r, run->guess, (size_t)(problem->dim * problem->ncontacts) * sizeof *run->r);
    }
    return STICK_OK;
}

// A few factorisations up to this order cost no more than the rest of an increment.
enum { LOCAL_ORDER = 100 };

static bool asks_near(const StickSimulation *run, const StickFrictionProblem *problem)
{
    return run->suspected || (run->near && problem->dim * problem->ncontacts <= LOCAL_ORDER);
}

// Forces of steady states, between events and with held forces are not those of a solver for the problem of the run alone.
static bool is_by_solver(const StickSimulation *run)
{
    return !run->steady && !run->walk && !run->hold;
}

static StickStatus refuse_unsolved(StickSimulation *run)
{
    run->solve_failed = is_by_solver(run);
    StickFrictionProblem problem = stick_simulation_problem(run);
    return stick_simulation_refuse(
        run, "t = %g: the contact problem with %d contacts was not solved: %s after %d iterations%s%s",
        run->state.next.t, problem.ncontacts, stick_solve_end_name(run->info.end), run->info.iterations,
        run->info.detail[0] ? ", " : "", run->info.detail);
}

StickStatus stick_contact_problem_solve(StickSimulation *run)
{
    StickFrictionProblem problem = stick_simulation_problem(run);
    run->info = (StickSolveInfo){.end = STICK_SOLVE_CONVERGED};
    run->has_problem = true;
    run->solve_failed = false;
    if (problem.ncontacts == 0)
        return STICK_OK;
    memcpy(run->guess, run->r, (size_t)problem.dim * (size_t)problem.ncontacts * sizeof *run->r);
    if (asks_near(run, &problem)) {
        STICK_TRY(solve_near(run, &problem));
        if (run->info.end == STICK_SOLVE_CONVERGED)
            return STICK_OK;
    }
    STICK_TRY(stick_solver_solve(run->solver, &problem, run->r, run->u, &run->info));
    // a further solve of the same step starts from these forces
    memset(run->settled, run->info.settled, (size_t)problem.ncontacts);
    // the certificate decides whether the best point that was found is good enough
    if (run->info.end == STICK_SOLVE_CONVERGED || (run->info.end == STICK_SOLVE_LIMIT && !run->trying))
        return STICK_OK;
    return refuse_unsolved(run);
}

// ---- the certificate

double stick_simulation_accept(const StickStepSpec *step)
{
    double accept = step->accept > 0 ? step->accept : fmin(100 * step->tolerance, 1e-3);
    return fmax(accept, step->tolerance);
}

static void count_errors(StickStatistics *record, const StickCertificate *found)
{
    record->worst_error = fmax(record->worst_error, found->error);
    record->worst_scale_free = fmax(record->worst_scale_free, found->error_scale_free);
    record->worst_contact = fmax(record->worst_contact, found->contact_error);
    record->worst_exact = fmax(record->worst_exact, found->exact_error_scale_free);
}

// The bodies of a contact, or its node.
static void name_contact(const StickSimulation *run, int c, char name[2 * STICK_CONTACT_NAME])
{
    const StickContact *contact = &run->contacts.contact[c];
    const StickSystem *system = run->system;
    if (contact->pair >= 0) {
        stick_simulation_contact_name(run, contact, name);
        return;
    }
    const char *other = contact->body[1] >= 0    ? system->body[contact->body[1]].name
                        : contact->obstacle >= 0 ? system->model->obstacle[contact->obstacle].name
                                                 : "?";
    snprintf(name, 2 * STICK_CONTACT_NAME, " between '%s' and '%s'", system->body[contact->body[0]].name,
             other);
}

// Errors are measured by the largest free velocity. A load on a light body that heavy ones hold makes it as large as the mass ratio,
// and an error within the tolerance may be a motion.
static const double least_loading = 1e5;

static bool is_lost_in_load(StickSimulation *run, double accept)
{
    const StickCertificate *found = &run->certificate;
    if (run->scheme.kind != STICK_SCHEME_MOREAU || run->system->nrigid == 0 || run->trying)
        return false;
    double load = stick_atomic_max_of(run->ctx, run->u_free, run->contacts.ncontacts * run->system->dim);
    double scale = stick_velocity_scale(run);
    scale = scale > 0 ? fmax(scale, stick_atomic_max_of(run->ctx, run->v_I, run->state.n)) : load;
    return load > least_loading * scale && found->contact_error * load > sqrt(accept) * scale;
}

// The measures of a certificate that have wider bounds, as errors that the tolerance bounds.
static double guarded_error(const StickCertificate *found)
{
    double penetration = found->penetration * found->penetration;
    return fmax(penetration * penetration,
                fmax(found->velocity_error * found->velocity_error, found->cone * found->cone));
}

// Counts a step whose error is above the tolerance and within 'accept'; true for the first one, which is to be told.
static bool count_accepted(StickSimulation *run, double error)
{
    StickStatistics *record = &run->record;
    record->worst_guarded = fmax(record->worst_guarded, error);
    return record->accepted++ == 0;
}

StickStatus stick_contact_problem_certify(StickSimulation *run)
{
    StickFrictionProblem problem = stick_simulation_problem(run);
    run->certificate = (StickCertificate){.certified = true, .tolerance = run->spec->tolerance};
    if (problem.ncontacts == 0)
        return STICK_OK;
    STICK_TRY(
        stick_certify(run->ctx, &problem, run->r, run->info.facets, run->spec->tolerance, &run->certificate));
    const StickCertificate *found = &run->certificate;
    StickStatistics *record = &run->record;
    record->solves++;
    record->iterations += run->info.iterations;
    double worst = fmax(fmax(found->error, found->error_scale_free), found->contact_error);
    double accept = stick_simulation_accept(run->spec), guarded = guarded_error(found);
    char name[2 * STICK_CONTACT_NAME] = "";
    bool is_lost = is_lost_in_load(run, accept);
    if (found->certified && worst <= found->tolerance && !is_lost) {
        count_errors(record, found);
        return STICK_OK;
    }
    if (found->worst_contact >= 0)
        name_contact(run, found->worst_contact, name);
    // where round-off alone can be more than what is accepted, a measured error below it says little about the motion
    if (!run->trying && !is_lost && fmax(worst, guarded) <= accept && found->round_off <= accept) {
        count_errors(record, found);
        if (count_accepted(run, guarded))
            stick_warn(run->ctx,
                       "t = %g: the error of the contact solve is %.2e, above the tolerance (%.1e) and "
                       "within 'accept' "
                       "(%.1e); worst contact:%s, error %.2e, round-off up to %.1e; velocities %.1e, "
                       "penetration %.1e, cone %.1e. "
                       "The run goes on and is certified to its worst error",
                       run->state.next.t, fmax(worst, guarded), found->tolerance, accept, name,
                       found->contact_error, found->round_off, found->velocity_error, found->penetration,
                       found->cone);
        return STICK_OK;
    }
    if (run->info.end != STICK_SOLVE_CONVERGED && !found->certified)
        return refuse_unsolved(run);
    run->solve_failed = is_by_solver(run);
    return stick_simulation_refuse(
        run,
        "t = %g: the contact solve is not certified: error %.2e, scale-free %.2e, tolerance %.2e, velocities "
        "%.1e, "
        "penetration %.1e, cone %.1e; worst contact:%s, error %.2e in its own scale, of which round-off can "
        "be %.1e: "
        "%s",
        run->state.next.t, found->error, found->error_scale_free, found->tolerance, found->velocity_error,
        found->penetration, found->cone, name, found->contact_error, found->round_off,
        is_lost || found->round_off > found->tolerance
            ? "masses or stiffnesses differ too much for double precision"
            : "reduce the time step, or try another solver");
}

static void press_part(void *data, int part)
{
    const StickSimulation *run = data;
    double *p = part == 0 ? run->p_N : run->p_T;
    memset(p, 0, (size_t)run->state.n * sizeof *p);
    stick_contact_scatter(&run->contacts, run->r, part == 0 ? STICK_NORMAL : STICK_TANGENTIAL, p);
}

void stick_contact_problem_press(StickSimulation *run)
{
    stick_threads_run(run->ctx, &(StickParts){press_part, run, 2, run->contacts.ncontacts});
}

StickStatus stick_contact_problem_correct(StickSimulation *run)
{
    return run->newton_contact ? stick_newton_contact_correct(run, run->work, run->state.next.v)
                               : stick_step_matrix_correct(run->matrix, run->work, run->state.next.v);
}

StickStatus stick_contact_problem_apply(StickSimulation *run)
{
    stick_contact_problem_press(run);
    if (run->contacts.ncontacts == 0)
        return STICK_OK;
    for (int i = 0; i < run->state.n; i++)
        run->work[i] = run->p_N[i] + run->p_T[i];
    STICK_TRY(stick_contact_problem_correct(run));
    if (run->joint_step)
        stick_joint_elimination_hold(run->joint_step->links, run->state.next.v);
    return STICK_OK;
}

// The size of the velocities that a step deals with: where everything comes to rest, that of the free ones.
static double velocity_scale(const StickSimulation *run, double scale)
{
    int n = run->contacts.ncontacts * run->system->dim;
    double relative =
        fmax(stick_atomic_max_of(run->ctx, run->u, n), stick_atomic_max_of(run->ctx, run->u_free, n));
    return fmax(relative, fmax(scale, stick_atomic_max_of(run->ctx, run->state.next.v, run->state.n)));
}

// What round-off may do to (W r)_i, where impulses of heavy bodies cancel on light ones: a few eps sum_j |W_ij| |r_j|.
static double lost_digits(const StickSimulation *run, int c, int k)
{
    const StickBlocks *W = run->W;
    int d = W->d;
    double sum = 0;
    for (int e = W->start[c]; e < W->start[c + 1]; e++)
        for (int l = 0; l < d; l++)
            sum += fabs(W->value[((size_t)e * (size_t)d + (size_t)k) * (size_t)d + (size_t)l] *
                        run->r[W->col[e] * d + l]);
    return 32 * DBL_EPSILON * sum;
}

typedef struct Check {
    const StickSimulation *run;
    double scale;
    StickMost difference;
} Check;

static void check_range(void *data, int from, int to)
{
    Check *check = data;
    const StickSimulation *run = check->run;
    int dim = run->system->dim;
    double difference = 0;
    for (int c = from; c < to; c++) {
        for (int k = 0; k < dim; k++) {
            double u = run->u_end[c * dim + k] + run->contacts.contact[c].u_drive[k];
            double condensed = run->u[c * dim + k] - (k == 0 ? run->bias[c] : 0);
            double off = fabs(u - condensed);
            off = off > run->spec->tolerance * check->scale ? fmax(0, off - lost_digits(run, c, k)) : off;
            difference = off > difference ? off : difference;
            run->u[c * dim + k] = u;
        }
    }
    stick_atomic_max_raise(&check->difference, difference);
}

StickStatus stick_contact_problem_check(StickSimulation *run, double size)
{
    double scale = velocity_scale(run, size);
    Check check = {.run = run, .scale = scale};
    stick_contact_velocity(&run->contacts, run->state.next.v, run->u_end);
    stick_threads_range(run->ctx, run->contacts.ncontacts, check_range, &check);
    double difference = stick_atomic_max_value(&check.difference);
    double consistency = scale > 0 ? difference / scale : 0;
    run->record.worst_consistency = fmax(run->record.worst_consistency, consistency);
    if (consistency <= run->spec->tolerance)
        return STICK_OK;
    double accept = stick_simulation_accept(run->spec);
    if (!run->trying && consistency <= accept) {
        if (count_accepted(run, consistency))
            stick_warn(
                run->ctx,
                "t = %g: relative velocities of the bodies differ from those of the contact problem by "
                "%.2e, above the tolerance (%.1e) and within 'accept' (%.1e). The run goes on and is "
                "certified to its worst error",
                run->state.next.t, consistency, run->spec->tolerance, accept);
        return STICK_OK;
    }
    return stick_simulation_refuse(
        run,
        "t = %g: relative velocities differ from those of the condensed problem by %.2e, "
        "more than by round-off: take a larger tolerance, or masses and stiffnesses that "
        "differ less",
        run->state.next.t, consistency);
}

// Works of r on moving obstacles, normal and tangential.
static void add_drive(const void *data, int from, int to, double *sum)
{
    const StickSimulation *run = data;
    int dim = run->system->dim;
    for (int c = from; c < to; c++)
        for (int k = 0; k < dim; k++)
            sum[k > 0] += run->r[c * dim + k] * run->contacts.contact[c].u_drive[k];
}

StickLedgerStep stick_contact_problem_entry(const StickSimulation *run)
{
    double drive[2];
    stick_reduction(run->ctx, run->contacts.ncontacts, add_drive, run, drive, 2);
    StickLedgerStep step = {
        .system = run->system,
        .scheme = &run->scheme,
        .h = run->h,
        .tolerance = run->spec->tolerance,
        .before = &run->state.now,
        .after = &run->state.next,
        .p_N = run->p_N,
        .p_T = run->p_T,
        .prescribed = run->carried,
        .room = run->rhs,
        .drive_N = drive[0],
        .drive_T = drive[1],
        .faint = run->newton_contact ? run->newton_contact->faint : 0,
    };
    return step;
}

static void add_energy(const void *data, int from, int to, double *sum)
{
    const StickMotion *next = data;
    for (int i = from; i < to; i++)
        *sum += next->v[i] * next->Mv[i] + next->q[i] * next->Kq[i];
}

StickStatus stick_contact_problem_refuse_not_finite(StickSimulation *run)
{
    const StickMotion *next = &run->state.next;
    double sum;
    stick_reduction(run->ctx, run->state.n, add_energy, next, &sum, 1);
    return isfinite(sum) ? STICK_OK
                         : stick_simulation_refuse(run, "t = %g: the motion is not finite any more", next->t);
}

// The largest velocity that the contact problem of a step deals with. u_free of an increment is a displacement, all else
// are velocities here. Contacts that press have a free velocity even where everything rests.
static double speed_scale(const StickSimulation *run)
{
    int n = run->contacts.ncontacts * run->system->dim;
    double per_time = stick_simulation_is_quasistatic(run) ? 1 / run->h : 1;
    double relative = fmax(stick_atomic_max_of(run->ctx, run->u, n),
                           per_time * stick_atomic_max_of(run->ctx, run->u_free, n));
    return fmax(relative, stick_atomic_max_of(run->ctx, run->state.next.v, run->state.n));
}

// The same with what does not vanish where bodies come to rest: how far they have come, or how fast they were.
static double rest_scale(const StickSimulation *run)
{
    int n = run->state.n;
    return fmax(speed_scale(run), stick_simulation_is_quasistatic(run)
                                      ? stick_atomic_max_of(run->ctx, run->state.next.q, n) / run->h
                                      : stick_atomic_max_of(run->ctx, run->state.now.v, n));
}

// A contact that sticks has no speed, however well the solver holds it: a law may tell static friction by v == 0. It
// may rest on its cone, as behind a drag that has stopped, and then only its speed tells: by what a solver can't resolve.
static double speed_of(const StickSimulation *run, int c, double scale, double rest)
{
    int dim = run->system->dim;
    double speed = sliding_speed(dim, &run->u[c * dim]);
    bool at_limit = stick_simulation_status(run, c) == STICK_SLIPPING;
    return speed > fmin(slow, run->spec->tolerance) * rest && (at_limit || speed > slow * scale) ? speed : 0;
}

// Whether it is pressed, or with cohesion does not open.
static bool carries(const StickSimulation *run, int c)
{
    return run->r[c * run->system->dim] + stick_step_laws_pull(&run->laws, c) > 0;
}

// What contacts of a step leave behind.
typedef struct Remember {
    StickSimulation *run;
    double scale, rest;
    int first; // contact of rigid bodies by their shapes: these come last, in the order of their keys
    atomic_int active;
} Remember;

static void remember_speeds(void *data, int from, int to)
{
    Remember *remember = data;
    StickSimulation *run = remember->run;
    int active = 0;
    for (int c = from; c < to; c++) {
        active += carries(run, c);
        if (c >= remember->first)
            run->speed[c] = speed_of(run, c, remember->scale, remember->rest);
    }
    atomic_fetch_add(&remember->active, active);
}

static void remember_keyed(void *data, int from, int to)
{
    const Remember *remember = data;
    StickSimulation *run = remember->run;
    int dim = run->system->dim;
    for (int c = from > remember->first ? from : remember->first; c < to; c++) {
        StickKeyedMemory *kept = &run->state.memory.keyed_next[c - remember->first];
        *kept = (StickKeyedMemory){.key = stick_contact_key(&run->contacts.contact[c]),
                                   .speed = run->speed[c],
                                   .state = run->laws.has_state ? run->laws.state[c] : 0,
                                   .held = stick_step_laws_holds(run, c),
                                   .depth = run->depth[c],
                                   .settled = run->info.settled,
                                   .kept = run->contacts.contact[c].keeps_depth,
                                   .closing = stick_persistence_closing(run, c),
                                   .hit = stick_persistence_hits(run, c)};
        memcpy(kept->r, &run->r[c * dim], (size_t)dim * sizeof *run->r);
        if (kept->closing > 0 || kept->held > 0 || kept->hit > 0)
            stick_persistence_mark(run, c, kept);
    }
}

static void remember_by_slot(const Remember *remember, int c)
{
    StickSimulation *run = remember->run;
    StickContactMemory *memory = &run->state.memory;
    const StickContact *contact = &run->contacts.contact[c];
    int dim = run->system->dim, slot = stick_memory_slot(memory, contact);
    memcpy(&memory->r[slot * dim], &run->r[c * dim], (size_t)dim * sizeof *run->r);
    memory->speed[slot] = speed_of(run, c, remember->scale, remember->rest);
    memory->pressure[slot] =
        contact->area > 0 ? stick_simulation_force(run) * run->r[c * dim] / contact->area : 0;
    memory->known[slot] = 1;
    if (run->scheme.kind == STICK_SCHEME_MOREAU)
        memory->closing[slot] = stick_persistence_closing(run, c);
    memory->depth[slot] = run->depth[c];
    // what increments and steady sliding keep, later steps keep
    memory->kept[slot] =
        contact->keeps_depth || (stick_simulation_is_quasistatic(run) &&
                                 run->depth[c] < -STICK_LITTLE_DEPTH * stick_gap_bias_spacing(run, contact));
    run->record.depth = fmax(run->record.depth, -run->depth[c]);
    if (run->bias[c] > run->gap_bias[c])
        run->record.held_depth = fmax(run->record.held_depth, -contact->gap);
}

static void forget_slots(StickContactMemory *memory, int dim)
{
    memset(memory->r, 0, (size_t)memory->count * (size_t)dim * sizeof *memory->r);
    memset(memory->speed, 0, (size_t)memory->count * sizeof *memory->speed);
    memset(memory->pressure, 0, (size_t)memory->count * sizeof *memory->pressure);
    memset(memory->known, 0, (size_t)memory->count * sizeof *memory->known);
    memset(memory->depth, 0, (size_t)memory->count * sizeof *memory->depth);
    memset(memory->kept, 0, (size_t)memory->count * sizeof *memory->kept);
    memset(memory->closing, 0, (size_t)memory->count * sizeof *memory->closing);
}

StickStatus stick_contact_problem_remember(StickSimulation *run)
{
    StickContactMemory *memory = &run->state.memory;
    int n = run->contacts.ncontacts;
    Remember remember = {.run = run, .scale = speed_scale(run), .rest = rest_scale(run)};
    forget_slots(memory, run->system->dim);
    for (; remember.first < n && run->contacts.contact[remember.first].pair >= 0; remember.first++)
        remember_by_slot(&remember, remember.first);
    stick_threads_range(run->ctx, n, remember_speeds, &remember);
    run->record.most_contacts = fmax(run->record.most_contacts, n);
    run->record.most_active = fmax(run->record.most_active, atomic_load(&remember.active));
    STICK_TRY(stick_step_laws_end(run, run->speed));
    if (n > remember.first)
        STICK_RESERVE(run->ctx, memory->keyed_next, memory->keyed_next_capacity, n - remember.first);
    stick_threads_range(run->ctx, n, remember_keyed, &remember);
    StickKeyedMemory *before = memory->keyed;
    size_t room = memory->keyed_capacity;
    memory->keyed = memory->keyed_next;
    memory->keyed_capacity = memory->keyed_next_capacity;
    memory->keyed_next = before;
    memory->keyed_next_capacity = room;
    memory->nkeyed = n - remember.first;
    return STICK_OK;
}

// Once a body has turned this far, its linear strains make it grow by half a per cent.
static const double much_turned = 0.1;

static void watch_rotation(StickSimulation *run)
{
    int body;
    double angle = stick_rotation_largest(&run->rotation, run->system, run->state.next.q, &body);
    if (angle > much_turned && run->record.rotation <= much_turned)
        stick_warn(run->ctx,
                   "t = %g: body '%s' has turned by %.2g rad; strains are linear in the displacements, so "
                   "that results "
                   "become wrong as bodies turn on (at 0.3 rad they have grown by 4 %%)",
                   run->state.next.t, run->system->body[body].name, angle);
    run->record.rotation = fmax(run->record.rotation, angle);
}

void stick_contact_problem_end(StickSimulation *run)
{
    StickState *state = &run->state;
    watch_rotation(run);
    StickMotion motion = state->now;
    state->now = state->next;
    state->next = motion;
    state->step++;
}
