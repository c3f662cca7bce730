// SPDX-License-Identifier: Apache-2.0
#include "stepping/steady_problem.h"

#include "base/clock.h"
#include "base/memory.h"
#include "stepping/contact_problem.h"

#include <math.h>
#include <string.h>

// Of the fastest sliding: a contact that is driven slower has no direction.
static const double no_drive = 1e-9;

StickStatus stick_steady_reserve(StickSimulation *run)
{
    StickSteady *steady = run->steady;
    size_t n = (size_t)run->contacts.ncontacts;
    STICK_TRY(stick_contact_problem_reserve(run));
    STICK_RESERVE(run->ctx, steady->slip, steady->slip_capacity, 2 * n);
    STICK_RESERVE(run->ctx, steady->drive, steady->drive_capacity, n);
    STICK_RESERVE(run->ctx, steady->M, steady->M_capacity, n * n);
    STICK_RESERVE(run->ctx, steady->w, steady->w_capacity, n);
    STICK_RESERVE(run->ctx, steady->z, steady->z_capacity, n);
    return STICK_OK;
}

// ---- how contacts are driven

static StickStatus refuse_undriven(StickSimulation *run, int c)
{
    char name[STICK_CONTACT_NAME];
    const StickContactSpec *spec = &run->system->model->contact[run->contacts.contact[c].pair];
    stick_simulation_contact_name(run, &run->contacts.contact[c], name);
    run->trying = false;
    return stick_fail_at(
        run->ctx, STICK_BAD_INPUT, spec->mark,
        "step '%s', t = %g: nothing drives the contact%s along its surface, so that it has no direction of "
        "sliding: give its obstacle or the supports of its body a velocity, or the contact no friction",
        run->spec->name, run->state.next.t, name);
}

// Whether any contact of a pair slides. A single point on the axis of a rotation rests: without friction, by the mean of the
// points around it, which is one of the answers that Coulomb's law has there.
static bool is_pair_driven(const StickSimulation *run, int pair, double slow)
{
    for (int c = 0; c < run->contacts.ncontacts; c++)
        if (run->contacts.contact[c].pair == pair && run->steady->drive[c] > slow)
            return true;
    return false;
}

// slip and drive of each contact, and its friction at that speed.
static StickStatus find_directions(StickSimulation *run)
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
        if (!driven && run->mu[c] > 0 && dim > 1 &&
            !is_pair_driven(run, set->contact[c].pair, no_drive * fastest))
            return refuse_undriven(run, c);
        for (int k = 0; k < 2; k++)
            steady->slip[2 * c + k] = driven ? steady->slip[2 * c + k] / steady->drive[c] : 0;
    }
    return STICK_OK;
}

// On the way from the friction of the state before to the one that is asked for.
static void blend_friction(StickSimulation *run, double part)
{
    const StickContactMemory *memory = &run->state.memory;
    double way = part < 1 ? (part - run->advance.part) / (1 - run->advance.part) : 1;
    for (int c = 0; c < run->contacts.ncontacts && way < 1; c++) {
        double before = memory->mu[stick_memory_slot(memory, &run->contacts.contact[c])];
        run->mu[c] = before + way * (run->mu[c] - before);
    }
}

// A law sees the pressures of the iterate: at the end they are those of the state.
static void find_pressures(StickSimulation *run)
{
    const StickContactMemory *memory = &run->state.memory;
    for (int c = 0; c < run->contacts.ncontacts; c++) {
        const StickContact *contact = &run->contacts.contact[c];
        double r_N = run->pass_r[stick_memory_slot(memory, contact) * run->system->dim];
        run->pressure[c] = contact->area > 0 ? r_N / contact->area : 0;
    }
}

StickStatus stick_steady_friction(StickSimulation *run, double part)
{
    find_pressures(run);
    STICK_TRY(find_directions(run));
    blend_friction(run, part);
    return STICK_OK;
}

// ---- the linear complementarity problem of an iterate

bool stick_steady_is_fixed_point(const StickSimulation *run)
{
    return run->spec->method == STICK_STEADY_FIXED_POINT;
}

// Normal displacement of contact i by a unit of friction of contact j against its sliding: (H_N' A^-1 H_T s)_ij
static double friction_entry(const StickSimulation *run, int e, int j)
{
    int d = run->W->d;
    const double *block = &run->W->value[(size_t)e * (size_t)(d * d)], *s = &run->steady->slip[2 * j];
    return (d > 1 ? block[1] * s[0] : 0) + (d > 2 ? block[2] * s[1] : 0);
}

// M = H_N' A^-1 (H_N - mu H_T s), and w = M 0 + gaps. By the fixed point friction is known, and M symmetric.
static void fill_problem(StickSimulation *run)
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
            steady->M[(size_t)j * (size_t)n + (size_t)i] =
                stick_steady_is_fixed_point(run) ? N : N - run->mu[j] * T;
            steady->w[i] -= stick_steady_is_fixed_point(run) ? steady->r_T[slot] * T : 0;
        }
    }
}

// r_N, certified as a solution of the complementarity problem.
static StickStatus solve_problem(StickSimulation *run)
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
        return stick_simulation_refuse(
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
    return stick_simulation_refuse(
        run,
        "t = %g: the complementarity problem of steady sliding is not certified: error %.2e, "
        "scale-free %.2e, tolerance %.2e",
        run->state.next.t, found.error, found.error_scale_free, found.tolerance);
}

// r of all contacts from r_N; friction against the sliding.
static void set_forces(StickSimulation *run)
{
    StickSteady *steady = run->steady;
    int dim = run->system->dim;
    for (int c = 0; c < run->contacts.ncontacts; c++) {
        int slot = stick_memory_slot(&run->state.memory, &run->contacts.contact[c]);
        double friction = stick_steady_is_fixed_point(run) ? steady->r_T[slot] : run->mu[c] * steady->z[c];
        run->r[c * dim] = steady->z[c];
        for (int k = 1; k < dim; k++)
            run->r[c * dim + k] = -friction * steady->slip[2 * c + k - 1];
    }
}

StickStatus stick_steady_solve(StickSimulation *run)
{
    double clock = stick_clock_cpu();
    fill_problem(run);
    stick_contact_problem_clock(&clock, &run->phases.condense);
    STICK_TRY(solve_problem(run));
    set_forces(run);
    stick_contact_problem_clock(&clock, &run->phases.solve);
    return STICK_OK;
}

double stick_steady_renew(StickSimulation *run)
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
