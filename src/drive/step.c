// SPDX-License-Identifier: Apache-2.0
// One time step, as the paper writes it [VPJR98 sections 3 to 5].
#include "drive/approach.h"

#include "base/clock.h"
#include "base/memory.h"
#include "bodies/products.h"

#include <math.h>
#include <string.h>

// Adds the processor time since the last call to a phase.
static void clock_phase(double *last, double *phase)
{
    double now = stick_clock_cpu();
    *phase += now - *last;
    *last = now;
}

static StickSchemeStart scheme_start(const StickRun *run, const double *Kw)
{
    const StickMotion *now = &run->state.now;
    return (StickSchemeStart){
        .n = run->state.n,
        .h = run->h,
        .q = now->q,
        .v = now->v,
        .a = now->a,
        .Mv = now->Mv,
        .Cv = now->Cv,
        .Kw = Kw,
        .Ma = now->Ma,
        .F0 = now->F,
        .F1 = run->state.next.F,
    };
}

// A = M + h kappa C + h^2 theta kappa K  [VPJR98 (6), (7)]; Newmark's has theta = gamma with C.
static StickStatus step_matrix(StickRun *run)
{
    double h = run->h, theta = run->scheme.theta, kappa = run->scheme.kappa;
    double damping = run->scheme.kind == STICK_SCHEME_NEWMARK ? theta : kappa;
    return stick_step_matrix_set(run->matrix, h * damping, h * h * theta * kappa);
}

// Velocities of the supports. A displacement d(t) is followed by the predicted place q + (1 - kappa) h v,
// which is compatible with the velocity as the modified theta-method's gap is: no drift and no oscillation.
// It grows by h v^{i+1} in a step (Newmark: and by h^2 (1/2 - kappa) a^i).
static StickStatus prescribed_velocity(StickRun *run, double *v)
{
    const StickMotion *now = &run->state.now;
    double h = run->h, ahead = (1 - run->scheme.kappa) * h;
    double carried = run->scheme.kind == STICK_SCHEME_NEWMARK ? h * h * (0.5 - run->scheme.kappa) : 0;
    for (int k = 0; k < run->supports.count; k++) {
        const StickSupport *support = &run->supports.support[k];
        int i = support->dof;
        double value;
        if (support->displacement) {
            STICK_TRY(stick_support_value(support, now->t + h + ahead, &value));
            v[i] = (value - now->q[i] - ahead * now->v[i] - carried * now->a[i]) / h;
        } else {
            STICK_TRY(stick_support_value(support, now->t + h, &v[i]));
        }
    }
    return STICK_OK;
}

// v^{i+1} = v^i + dv, where supports have what is prescribed.
static void add_change(StickRun *run, const double *prescribed)
{
    const double *v = run->state.now.v;
    double *next = run->state.next.v;
    for (int i = 0; i < run->state.n; i++)
        next[i] = run->prescribed[i] ? prescribed[i] : v[i] + next[i];
}

// v_free: the velocity at the end of the step if nothing touched, A (v_free - v) = F~ - A v
static StickStatus free_velocity(StickRun *run)
{
    const StickMotion *now = &run->state.now;
    StickMotion *next = &run->state.next;
    next->t = run->t_start + run->h * (double)(run->state.step + 1);
    STICK_TRY(stick_loads_force(run->ctx, &run->loads, next->t, next->F));
    StickSchemeStart start = scheme_start(run, run->rhs);
    stick_scheme_predictor(&run->scheme, &start, run->work);
    stick_system_stiffness(run->system, run->work, run->rhs);
    stick_scheme_right_side(&run->scheme, &start, run->rhs);
    STICK_TRY(prescribed_velocity(run, run->work));
    for (int k = 0; k < run->supports.count; k++) {
        int i = run->supports.support[k].dof;
        next->v[i] = run->work[i] - now->v[i];
    }
    STICK_TRY(stick_step_matrix_solve(run->matrix, run->rhs, next->v));
    add_change(run, run->work);
    return STICK_OK;
}

static StickStatus reserve_contacts(StickRun *run)
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
    return STICK_OK;
}

// Guess and friction from what each contact remembers of the last step.
static StickStatus recall(StickRun *run)
{
    const StickContactMemory *memory = &run->state.memory;
    const StickContactSet *set = &run->contacts;
    int dim = run->system->dim;
    for (int c = 0; c < set->ncontacts; c++) {
        int slot = stick_memory_slot(memory, &set->contact[c]);
        memcpy(&run->r[c * dim], &memory->r[slot * dim], (size_t)dim * sizeof *run->r);
        run->speed[c] = memory->speed[slot];
        run->pressure[c] = memory->pressure[slot];
    }
    return stick_pairs_friction(run->pairs, set, run->state.now.t + run->h, run->speed, run->pressure,
                                run->mu);
}

StickFrictionProblem stick_run_problem(const StickRun *run)
{
    return (StickFrictionProblem){
        .dim = run->system->dim,
        .ncontacts = run->contacts.ncontacts,
        .W = run->W,
        .u_free = run->u_free,
        .mu = run->mu,
    };
}

// r, u and how it ended
static StickStatus solve_contact(StickRun *run)
{
    StickFrictionProblem problem = stick_run_problem(run);
    run->info = (StickSolveInfo){.end = STICK_SOLVE_CONVERGED};
    run->has_problem = true;
    if (problem.ncontacts == 0)
        return STICK_OK;
    memcpy(run->guess, run->r, (size_t)problem.dim * (size_t)problem.ncontacts * sizeof *run->r);
    STICK_TRY(stick_solver_solve(run->solver, &problem, run->r, run->u, &run->info));
    STICK_CHECK(run->ctx, run->info.end == STICK_SOLVE_CONVERGED, STICK_NOT_SOLVED,
                "t = %g: the contact problem with %d contacts was not solved: %s after %d iterations%s%s",
                run->state.next.t, problem.ncontacts, stick_solve_end_name(run->info.end),
                run->info.iterations, run->info.detail[0] ? ", " : "", run->info.detail);
    return STICK_OK;
}

// The verifier sees only the problem and r.
static StickStatus certify(StickRun *run)
{
    StickFrictionProblem problem = stick_run_problem(run);
    run->certificate = (StickCertificate){.certified = true, .tolerance = run->spec->tolerance};
    if (problem.ncontacts == 0)
        return STICK_OK;
    STICK_TRY(
        stick_certify(run->ctx, &problem, run->r, run->info.facets, run->spec->tolerance, &run->certificate));
    const StickCertificate *found = &run->certificate;
    StickRecord *record = &run->record;
    record->solves++;
    record->iterations += run->info.iterations;
    record->worst_error = fmax(record->worst_error, found->error);
    record->worst_scale_free = fmax(record->worst_scale_free, found->error_scale_free);
    record->worst_exact = fmax(record->worst_exact, found->exact_error_scale_free);
    STICK_CHECK(run->ctx, found->certified, STICK_NOT_SOLVED,
                "t = %g: the contact solve is not certified: error %.2e, scale-free %.2e, tolerance %.2e",
                run->state.next.t, found->error, found->error_scale_free, found->tolerance);
    return STICK_OK;
}

// v = v_free + A^-1 H r  [VPJR98 (13)]
static StickStatus apply(StickRun *run)
{
    size_t bytes = (size_t)run->state.n * sizeof(double);
    memset(run->p_N, 0, bytes);
    memset(run->p_T, 0, bytes);
    if (run->contacts.ncontacts == 0)
        return STICK_OK;
    stick_contact_scatter(&run->contacts, run->r, STICK_NORMAL, run->p_N);
    stick_contact_scatter(&run->contacts, run->r, STICK_TANGENTIAL, run->p_T);
    for (int i = 0; i < run->state.n; i++)
        run->work[i] = run->p_N[i] + run->p_T[i];
    return stick_step_matrix_correct(run->matrix, run->work, run->state.next.v);
}

// The size of the velocities that a step deals with: where everything comes to rest, that of the free ones.
static double velocity_scale(const StickRun *run)
{
    int n = run->contacts.ncontacts * run->system->dim;
    double relative = fmax(stick_run_largest(run->u, n), stick_run_largest(run->u_free, n));
    return fmax(relative, fmax(stick_run_largest(run->state.now.v, run->state.n),
                               stick_run_largest(run->state.next.v, run->state.n)));
}

// The relative velocities of the new v must be those of the condensed problem.
static StickStatus check_consistency(StickRun *run)
{
    const StickContactSet *set = &run->contacts;
    int dim = run->system->dim;
    double difference = 0, scale = velocity_scale(run);
    stick_contact_velocity(set, run->state.next.v, run->u_end);
    for (int c = 0; c < set->ncontacts; c++) {
        for (int k = 0; k < dim; k++) {
            double u = run->u_end[c * dim + k] + set->contact[c].u_drive[k];
            double condensed = run->u[c * dim + k] - (k == 0 ? run->bias[c] : 0);
            difference = fmax(difference, fabs(u - condensed));
            run->u[c * dim + k] = u;
        }
    }
    double consistency = scale > 0 ? difference / scale : 0;
    run->record.worst_consistency = fmax(run->record.worst_consistency, consistency);
    STICK_CHECK(run->ctx, consistency <= run->spec->tolerance, STICK_NOT_SOLVED,
                "t = %g: relative velocities differ from those of the condensed problem by %.2e",
                run->state.next.t, consistency);
    return STICK_OK;
}

// Before anything is remembered: the last good state stays as it is.
static StickStatus refuse_not_finite(StickRun *run)
{
    const StickMotion *next = &run->state.next;
    double sum = 0;
    for (int i = 0; i < run->state.n; i++)
        sum += next->v[i] * next->Mv[i] + next->q[i] * next->Kq[i];
    STICK_CHECK(run->ctx, isfinite(sum), STICK_NOT_SOLVED, "t = %g: the motion is not finite any more",
                next->t);
    return STICK_OK;
}

static void remember(StickRun *run)
{
    StickContactMemory *memory = &run->state.memory;
    const StickContactSet *set = &run->contacts;
    int dim = run->system->dim;
    double active = 0, force = stick_run_force(run);
    memset(memory->r, 0, (size_t)memory->count * (size_t)dim * sizeof *memory->r);
    memset(memory->speed, 0, (size_t)memory->count * sizeof *memory->speed);
    memset(memory->pressure, 0, (size_t)memory->count * sizeof *memory->pressure);
    memset(memory->known, 0, (size_t)memory->count * sizeof *memory->known);
    memset(memory->depth, 0, (size_t)memory->count * sizeof *memory->depth);
    for (int c = 0; c < set->ncontacts; c++) {
        int slot = stick_memory_slot(memory, &set->contact[c]);
        memcpy(&memory->r[slot * dim], &run->r[c * dim], (size_t)dim * sizeof *run->r);
        const double *u = &run->u[c * dim];
        memory->speed[slot] = dim == 3 ? hypot(u[1], u[2]) : dim == 2 ? fabs(u[1]) : 0;
        double area = set->contact[c].area;
        memory->pressure[slot] = area > 0 ? force * run->r[c * dim] / area : 0;
        memory->known[slot] = 1;
        memory->depth[slot] = run->depth[c];
        run->record.depth = fmax(run->record.depth, -run->depth[c]);
        if (run->bias[c] > run->gap_bias[c])
            run->record.held_depth = fmax(run->record.held_depth, -set->contact[c].gap);
        active += run->r[c * dim] > 0;
    }
    run->record.most_contacts = fmax(run->record.most_contacts, set->ncontacts);
    run->record.most_active = fmax(run->record.most_active, active);
}

// Contact forces of Newmark belong to the end of the step.
static void keep_forces(StickRun *run)
{
    StickMotion *next = &run->state.next;
    double force = stick_run_force(run);
    for (int i = 0; i < run->state.n; i++) {
        next->contact_N[i] = force * run->p_N[i];
        next->contact_T[i] = force * run->p_T[i];
    }
}

// q, a and what follows from them
static void advance(StickRun *run)
{
    StickMotion *now = &run->state.now, *next = &run->state.next;
    StickSchemeStart start = scheme_start(run, NULL);
    stick_scheme_advance(&run->scheme, &start, next->v, next->q, next->a);
    stick_system_products(run->system, next->q, next->v, next->Mv, next->Cv, next->Kq);
    if (run->scheme.kind != STICK_SCHEME_NEWMARK)
        return;
    double h = run->h, gamma = run->scheme.theta;
    for (int i = 0; i < run->state.n; i++)
        next->Ma[i] = (next->Mv[i] - now->Mv[i] - h * (1 - gamma) * now->Ma[i]) / (h * gamma);
    keep_forces(run);
}

// Sums of r.u_drive: the power of contact on moving obstacles, for Newmark the mean of both ends.
static void drive_power(StickRun *run, double *drive_N, double *drive_T)
{
    const StickContactSet *set = &run->contacts;
    int dim = run->system->dim;
    *drive_N = *drive_T = 0;
    for (int c = 0; c < set->ncontacts; c++) {
        *drive_N += run->r[c * dim] * set->contact[c].u_drive[0];
        for (int k = 1; k < dim; k++)
            *drive_T += run->r[c * dim + k] * set->contact[c].u_drive[k];
    }
    if (run->scheme.kind != STICK_SCHEME_NEWMARK)
        return;
    StickMotion *now = &run->state.now, *next = &run->state.next;
    next->drive_N = stick_run_force(run) * *drive_N;
    next->drive_T = stick_run_force(run) * *drive_T;
    *drive_N = 0.5 * run->h * (now->drive_N + next->drive_N);
    *drive_T = 0.5 * run->h * (now->drive_T + next->drive_T);
}

static void enter_books(StickRun *run, StickLedger *ledger)
{
    StickLedgerStep step = {
        .system = run->system,
        .scheme = &run->scheme,
        .h = run->h,
        .before = &run->state.now,
        .after = &run->state.next,
        .p_N = run->p_N,
        .p_T = run->p_T,
        .prescribed = run->prescribed,
    };
    drive_power(run, &step.drive_N, &step.drive_T);
    stick_ledger_add(ledger, &step);
}

// Contact closes, and the bodies move as it lets them.
static StickStatus move(StickRun *run)
{
    double clock = stick_clock_cpu();
    STICK_TRY(solve_contact(run));
    clock_phase(&clock, &run->phases.solve);
    STICK_TRY(certify(run));
    clock_phase(&clock, &run->phases.verify);
    STICK_TRY(apply(run));
    STICK_TRY(check_consistency(run));
    advance(run);
    STICK_TRY(refuse_not_finite(run));
    clock_phase(&clock, &run->phases.apply);
    return STICK_OK;
}

// ---- depth is not made good with energy from nothing

// The largest share of all energy that the normal impulses of a step may give: round-off.
static const double no_gain = 1e-14;

// What a step that is taken again recovers of what its dissipation pays for.
static const double most_paid = 0.9;

// Where a contact that pushes may give energy.
static bool may_give_energy(const StickRun *run)
{
    bool may = false;
    for (int c = 0; c < run->contacts.ncontacts; c++)
        may |= run->r[c * run->system->dim] > 0 && run->bias[c] < run->passive_bias[c];
    return may && run->scheme.kind != STICK_SCHEME_NEWMARK;
}

// Growth of energy beyond all works, with and without what friction gave: that of the step as it stands.
static double gain_of_step(StickRun *run)
{
    StickLedger trial = run->ledger;
    enter_books(run, &trial);
    return fmin(trial.gain, trial.normal_gain);
}

// The step again from v_free, with biases that lie between the passive ones (0) and those of the gaps (1).
static StickStatus move_again(StickRun *run, double part)
{
    for (int i = 0; i < run->state.n; i++)
        run->work[i] = -run->p_N[i] - run->p_T[i];
    STICK_TRY(stick_step_matrix_correct(run->matrix, run->work, run->state.next.v));
    for (int c = 0; c < run->contacts.ncontacts; c++) {
        double lacking = fmax(0, run->passive_bias[c] - run->gap_bias[c]);
        double bias = run->gap_bias[c] + (1 - part) * lacking;
        run->u_free[c * run->system->dim] += bias - run->bias[c];
        run->bias[c] = bias;
    }
    STICK_TRY(recall(run));
    return move(run);
}

// A gap may come out a little negative: where bodies start in touch, or slide from one side to another. To make it good
// is work on the bodies, and no more of it is done than what the step dissipates pays for, or what moving obstacles have
// done in all.
static StickStatus move_without_gain(StickRun *run)
{
    memcpy(run->gap_bias, run->bias, (size_t)run->contacts.ncontacts * sizeof *run->bias);
    STICK_TRY(move(run));
    if (!may_give_energy(run))
        return STICK_OK;
    double gain = gain_of_step(run);
    if (!(gain > no_gain) || gain * run->ledger.scale <= run->ledger.obstacles - run->ledger.given)
        return STICK_OK;
    run->record.held++;
    STICK_TRY(move_again(run, 0));
    double loss = -gain_of_step(run);
    if (!(loss > no_gain))
        return STICK_OK;
    STICK_TRY(move_again(run, most_paid * loss / (loss + gain)));
    return gain_of_step(run) > no_gain ? move_again(run, 0) : STICK_OK;
}

// Once a body has turned this far, its linear strains make it grow by half a per cent.
static const double much_turned = 0.1;

static void watch_rotation(StickRun *run)
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

static void exchange(StickState *state)
{
    StickMotion motion = state->now;
    state->now = state->next;
    state->next = motion;
    state->step++;
}

StickStatus stick_run_step(StickRun *run)
{
    StickPhases *phases = &run->phases;
    double clock = stick_clock_cpu();
    run->has_problem = false;
    STICK_TRY(step_matrix(run));
    clock_phase(&clock, &phases->matrix);
    STICK_TRY(free_velocity(run));
    clock_phase(&clock, &phases->free);
    STICK_TRY(stick_approach_detect(run));
    clock_phase(&clock, &phases->detect);
    STICK_TRY(reserve_contacts(run));
    STICK_TRY(stick_delassus_blocks(run->delassus, &run->contacts, &run->W));
    STICK_TRY(stick_approach_refuse_deep(run));
    stick_approach_velocity(run);
    STICK_TRY(recall(run));
    clock_phase(&clock, &phases->condense);
    STICK_TRY(move_without_gain(run));
    clock = stick_clock_cpu();
    remember(run);
    enter_books(run, &run->ledger);
    watch_rotation(run);
    exchange(&run->state);
    clock_phase(&clock, &phases->ledger);
    return STICK_OK;
}
