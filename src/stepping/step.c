// SPDX-License-Identifier: Apache-2.0
// One time step, as the paper writes it [VPJR98 sections 3 to 5].
#include "stepping/step.h"

#include "base/clock.h"
#include "bodies/products.h"
#include "stepping/contact_problem.h"
#include "stepping/gap_bias.h"
#include "stepping/newton_contact.h"
#include "stepping/surface_rounds.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static StickSchemeStart scheme_start(const StickSimulation *run, const double *Kw)
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
static StickStatus step_matrix(StickSimulation *run)
{
    double h = run->h, theta = run->scheme.theta, kappa = run->scheme.kappa;
    double damping = run->scheme.kind == STICK_SCHEME_NEWMARK ? theta : kappa;
    return stick_step_matrix_set(run->matrix, 1, h * damping, h * h * theta * kappa);
}

// Velocities of the supports. A displacement d(t) is followed by the predicted place q + (1 - kappa) h v,
// which is compatible with the velocity as the modified theta-method's gap is: no drift and no oscillation.
// It grows by h v^{i+1} in a step (Newmark: and by h^2 (1/2 - kappa) a^i).
static StickStatus prescribed_velocity(StickSimulation *run, double *v)
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
static void add_change(StickSimulation *run, const double *prescribed)
{
    const double *v = run->state.now.v;
    double *next = run->state.next.v;
    for (int i = 0; i < run->state.n; i++)
        next[i] = run->prescribed[i] ? prescribed[i] : v[i] + next[i];
}

// v_free: the velocity at the end of the step if nothing touched, A (v_free - v) = F~ - A v
static StickStatus free_velocity(StickSimulation *run)
{
    const StickMotion *now = &run->state.now;
    StickMotion *next = &run->state.next;
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

// The same with the tangents of bodies under finite deformation at x = v: the first iterate is the velocity that they have.
static StickStatus free_by_tangent(StickSimulation *run)
{
    STICK_TRY(prescribed_velocity(run, run->newton_contact->target));
    STICK_TRY(stick_newton_contact_start(run, run->state.now.v));
    return stick_newton_contact_linearise(run, STICK_FREE_ALL, run->state.next.v);
}

// Contact forces of Newmark belong to the end of the step.
static void keep_forces(StickSimulation *run)
{
    StickMotion *next = &run->state.next;
    double force = stick_simulation_force(run);
    for (int i = 0; i < run->state.n; i++) {
        next->contact_N[i] = force * run->p_N[i];
        next->contact_T[i] = force * run->p_T[i];
    }
}

// q, a and what follows from them
static void advance(StickSimulation *run)
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

// Newmark's work on moving obstacles is that of the mean power of both ends.
static void mean_drive(StickSimulation *run, StickLedgerStep *step)
{
    StickMotion *now = &run->state.now, *next = &run->state.next;
    next->drive_N = stick_simulation_force(run) * step->drive_N;
    next->drive_T = stick_simulation_force(run) * step->drive_T;
    step->drive_N = 0.5 * run->h * (now->drive_N + next->drive_N);
    step->drive_T = 0.5 * run->h * (now->drive_T + next->drive_T);
}

static void enter_books(StickSimulation *run, StickLedger *ledger)
{
    StickLedgerStep step = stick_contact_problem_entry(run);
    if (run->scheme.kind == STICK_SCHEME_NEWMARK)
        mean_drive(run, &step);
    stick_ledger_add(ledger, &step);
}

// Contact closes, and the bodies have the velocity that it leaves them.
static StickStatus close_contact(StickSimulation *run)
{
    double clock = stick_clock_cpu();
    STICK_TRY(stick_contact_problem_solve(run));
    stick_contact_problem_clock(&clock, &run->phases.solve);
    STICK_TRY(stick_contact_problem_certify(run));
    stick_contact_problem_clock(&clock, &run->phases.verify);
    STICK_TRY(stick_contact_problem_apply(run));
    STICK_TRY(stick_contact_problem_check(run, stick_simulation_largest(run->state.now.v, run->state.n)));
    stick_contact_problem_clock(&clock, &run->phases.apply);
    return STICK_OK;
}

// W and u_free of the contact problem at v_free.
static StickStatus condense(StickSimulation *run)
{
    double clock = stick_clock_cpu();
    STICK_TRY(stick_delassus_blocks(run->delassus, &run->contacts, &run->W));
    if (run->newton_contact)
        STICK_TRY(stick_contact_regularization_refuse_unstable(run));
    stick_gap_bias_velocity(run);
    stick_contact_problem_clock(&clock, &run->phases.condense);
    return STICK_OK;
}

// The contact problem stands as it is linearised, and is solved again with new tangents until forces are in balance.
// Frames and gaps are those of the step.
static StickStatus move_by_newton(StickSimulation *run)
{
    bool done;
    for (;;) {
        STICK_TRY(close_contact(run));
        double clock = stick_clock_cpu();
        STICK_TRY(stick_newton_contact_advance(run));
        stick_contact_problem_clock(&clock, &run->phases.apply);
        STICK_TRY(stick_newton_contact_judge(run, true, &done));
        if (done)
            return stick_contact_problem_refuse_not_finite(run);
        STICK_TRY(stick_newton_contact_linearise(run, STICK_FREE_AT_CONTACTS, run->state.next.v));
        stick_contact_problem_clock(&clock, &run->phases.matrix);
        STICK_TRY(condense(run));
    }
}

// The bodies move as contact lets them.
static StickStatus move(StickSimulation *run)
{
    if (run->newton_contact)
        return move_by_newton(run);
    STICK_TRY(close_contact(run));
    advance(run);
    return stick_contact_problem_refuse_not_finite(run);
}

// ---- depth is not made good with energy from nothing

// The largest share of all energy that the normal impulses of a step may give: round-off.
static const double no_gain = 1e-14;

// What a step that is taken again recovers of what its dissipation pays for.
static const double most_paid = 0.9;

// Where a contact that pushes may give energy.
static bool may_give_energy(const StickSimulation *run)
{
    bool may = false;
    for (int c = 0; c < run->contacts.ncontacts; c++)
        may |= run->r[c * run->system->dim] > 0 && run->bias[c] < run->passive_bias[c];
    return may && run->scheme.kind != STICK_SCHEME_NEWMARK;
}

// Growth of energy beyond all works, with and without what friction gave: that of the step as it stands.
static double gain_of_step(StickSimulation *run)
{
    StickLedger trial = run->ledger;
    enter_books(run, &trial);
    return fmin(trial.gain, trial.normal_gain);
}

// v_free again, with the factors as they are; all of v is known by now.
static StickStatus lift_contact(StickSimulation *run)
{
    for (int i = 0; i < run->state.n; i++)
        run->work[i] = -run->p_N[i] - run->p_T[i];
    return stick_step_matrix_correct(run->matrix, run->work, run->state.next.v);
}

// The step again from v_free, with biases that lie between the passive ones (0) and those of the gaps (1).
static StickStatus move_again(StickSimulation *run, double part)
{
    STICK_TRY(lift_contact(run));
    for (int c = 0; c < run->contacts.ncontacts; c++) {
        double lacking = fmax(0, run->passive_bias[c] - run->gap_bias[c]);
        double bias = run->gap_bias[c] + (1 - part) * lacking;
        run->u_free[c * run->system->dim] += bias - run->bias[c];
        run->bias[c] = bias;
    }
    STICK_TRY(stick_contact_problem_recall(run, run->state.memory.r));
    if (run->newton_contact)
        stick_newton_contact_again(run);
    return move(run);
}

// A gap may come out a little negative: where bodies start in touch, or slide from one side to another. To make it good
// is work on the bodies, and no more of it is done than what the step dissipates pays for, or what moving obstacles have
// done in all.
static StickStatus move_without_gain(StickSimulation *run)
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

// With the contacts of the detection and those of sweeps in the rounds before.
static StickStatus take_round(StickSimulation *run, int round)
{
    StickPhases *phases = &run->phases;
    double clock = stick_clock_cpu();
    run->has_problem = false;
    STICK_TRY(stick_loads_force(run->ctx, &run->loads, run->state.next.t, run->state.next.F));
    if (!run->newton_contact)
        STICK_TRY(step_matrix(run));
    stick_contact_problem_clock(&clock, &phases->matrix);
    STICK_TRY(run->newton_contact ? free_by_tangent(run) : free_velocity(run));
    stick_contact_problem_clock(&clock, &phases->free);
    STICK_TRY(stick_gap_bias_detect(run));
    STICK_TRY(stick_surface_rounds_enter(run, round));
    stick_contact_problem_clock(&clock, &phases->detect);
    STICK_TRY(stick_contact_problem_reserve(run));
    STICK_TRY(stick_gap_bias_refuse_deep(run));
    stick_gap_bias_bias(run);
    STICK_TRY(condense(run));
    STICK_TRY(stick_contact_problem_recall(run, run->state.memory.r));
    memcpy(run->state.next.kick, run->state.next.v, (size_t)run->state.n * sizeof(double));
    STICK_TRY(move_without_gain(run));
    for (int i = 0; i < run->state.n; i++)
        run->state.next.kick[i] = run->state.next.v[i] - run->state.next.kick[i];
    return STICK_OK;
}

// From now to next.t, over h.
static StickStatus take_step(StickSimulation *run)
{
    bool again = true;
    double clock;
    for (int round = 0; again; round++) {
        STICK_TRY(take_round(run, round));
        clock = stick_clock_cpu();
        STICK_TRY(stick_surface_rounds_look(run, round, &again));
        stick_contact_problem_clock(&clock, &run->phases.detect);
    }
    if (run->newton_contact) {
        STICK_TRY(stick_newton_contact_lose(run));
        stick_newton_contact_keep(run);
    }
    STICK_TRY(stick_contact_problem_remember(run));
    enter_books(run, &run->ledger);
    stick_contact_problem_end(run);
    stick_contact_problem_clock(&clock, &run->phases.ledger);
    return STICK_OK;
}

// ---- steps that are cut

// A step of bodies under finite deformation is cut into 2^10 parts at most.
enum { MOST_PART_CUTS = 10 };

static StickStatus give_up(StickSimulation *run)
{
    char reason[STICK_REASON];
    snprintf(reason, sizeof reason, "%s", run->reason);
    run->trying = false;
    stick_newton_contact_tell(run);
    return stick_simulation_refuse(
        run,
        "t = %g: not even a step of %.3g can be solved (%.300s): take a finer mesh where "
        "bodies are pressed, or softer loads",
        run->state.now.t, run->h, reason);
}

// One part of the present step; where it is not solved, the next one is half as long.
static StickStatus take_part(StickSimulation *run)
{
    StickAdvance *advance = &run->advance;
    StickStatistics record = run->record;
    double step = run->spec->step, start = run->t_start + step * (double)run->state.step;
    double part = advance->part + ldexp(1, -(int)advance->level);
    long number = run->state.step;
    run->h = ldexp(step, -(int)advance->level);
    run->state.next.t = part < 1 ? start + part * step : run->t_start + step * (double)(number + 1);
    StickStatus status = take_step(run);
    if (status == STICK_OK) {
        run->state.step = number;
        advance->part = part;
        advance->level -= advance->level > 0 && fmod(ldexp(part, (int)advance->level), 2) == 0;
        return STICK_OK;
    }
    run->record = record;
    if (status != STICK_NOT_SOLVED || !run->trying) // what no cut makes good is told already
        return status;
    run->record.cuts++;
    if (advance->level == MOST_PART_CUTS)
        return give_up(run);
    advance->level++;
    return STICK_OK;
}

// Parts of a step that is one to all others. A run that was stopped within goes on with the next of them.
static StickStatus take_parts(StickSimulation *run)
{
    while (run->advance.part < 1)
        STICK_TRY(take_part(run));
    run->advance.part = run->advance.level = 0;
    run->state.step++;
    return STICK_OK;
}

// ---- time integration that is not stable

// Energy of the motion over all that was put in, where the time integration gave most of it: it grows without bound.
static const double unbounded = 1e6;

static StickStatus refuse_unbounded(StickSimulation *run)
{
    const StickLedger *ledger = &run->ledger;
    double energy = ledger->kinetic + ledger->elastic;
    double put_in[] = {ledger->initial, ledger->external, ledger->supports, ledger->obstacles,
                       ledger->joints};
    double most = 0;
    for (size_t k = 0; k < sizeof put_in / sizeof *put_in; k++)
        most = fmax(most, fabs(put_in[k]));
    if (!(most > 0) || !(energy > unbounded * most) || !(-ledger->algorithmic > 0.5 * energy))
        return STICK_OK;
    const StickStepSpec *spec = run->spec;
    char scheme[200];
    if (run->scheme.kind != STICK_SCHEME_NEWMARK)
        snprintf(scheme, sizeof scheme, "theta = %g is below 1/2. Use 0.5 or above", run->scheme.theta);
    else if (spec->gamma < 0.5)
        snprintf(scheme, sizeof scheme,
                 "gamma = %g of Newmark's method is below 1/2. Use gamma >= 0.5 and beta >= gamma/2",
                 spec->gamma);
    else
        snprintf(scheme, sizeof scheme,
                 "Newmark's method with beta = %g, gamma = %g needs a shorter time step than %g. Use beta >= "
                 "gamma/2, "
                 "or reduce the time step",
                 spec->beta, spec->gamma, spec->step);
    return stick_simulation_refuse(
        run,
        "step '%s', t = %g: the energy of the motion (%.2g) is %.0e times all energy and work put "
        "in and grows without bound, because the time integration is unstable: %s",
        spec->name, run->state.now.t, energy, energy / most, scheme);
}

StickStatus stick_step_dynamic(StickSimulation *run)
{
    STICK_TRY(refuse_unbounded(run));
    if (!run->newton_contact) {
        run->state.next.t = run->t_start + run->spec->step * (double)(run->state.step + 1);
        return take_step(run);
    }
    run->trying = true;
    StickStatus status = take_parts(run);
    run->trying = false;
    return status;
}
