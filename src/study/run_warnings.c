// SPDX-License-Identifier: Apache-2.0
#include "study/run_warnings.h"

#include "base/pi.h"

#include <math.h>

// Why energy may grow, and what helps.
static const char *gain_advice(const StickSimulation *run)
{
    if (run->scheme.kind == STICK_SCHEME_NEWMARK)
        return "Newmark's method does so on impact; the theta schemes do not";
    if (run->scheme.theta < 0.5)
        return "theta is below 1/2";
    if (run->newton_contact && run->contacts.ncontacts == 0)
        return "bodies under finite strains give some where they soften, as they snap through or buckle; a "
               "smaller step "
               "makes it less";
    return "friction and moving obstacles may give some in single steps, and solvers stop at a tolerance; a "
           "smaller "
           "step or tolerance makes it less";
}

// Of the largest energy: what a scheme may add without a warning, and what the balance of all steps may miss.
static const double algorithmic_matters = 1e-3, balance_matters = 1e-6;

// Why algorithmic dissipation may be negative, and what helps.
static const char *algorithmic_advice(const StickSimulation *run)
{
    if (run->scheme.kind == STICK_SCHEME_NEWMARK)
        return "Newmark's method with other parameters than beta = 1/4, gamma = 1/2 does so where motion is "
               "fast "
               "compared with the time step; reduce the time step, or use scheme: theta with theta: 0.5 or "
               "above";
    if (run->scheme.kind != STICK_SCHEME_MOREAU && run->scheme.theta < 0.5)
        return "theta is below 1/2; use 0.5 or above";
    if (run->newton_contact)
        return "bodies under finite strains whose stiffness changes within a step do so; reduce the time "
               "step, or "
               "use a theta above 1/2";
    return "bodies of which supports prescribe a part of the rotation do so where they rotate far in one "
           "time step; "
           "reduce the time step";
}

// Of the largest energy, in one step: less, as flutter shows in a few of its thousands of steps (1e-7 of what friction
// takes in all), changes nothing.
static const double friction_matters = 1e-6;

// Of the largest energy, in all steps if each gave as much.
static const double friction_matters_in_all = 1e-3;

// What is right by the equations, but perhaps not what the user wants.
static void warn_of_energy(const StickSimulation *run)
{
    const StickLedger *ledger = &run->ledger;
    double gain = ledger->friction_gain;
    if (gain > friction_matters || gain * ledger->friction_gains > friction_matters_in_all)
        stick_warn(
            run->ctx,
            "friction gave energy in %.0f steps, at most %.2e of the largest energy: the speed of sliding at "
            "the end of a step and its mean have opposite signs there",
            ledger->friction_gains, gain);
    if (ledger->worst_gain > fmax(1e-10, run->spec->tolerance))
        stick_warn(run->ctx,
                   "energy grew beyond all work done, in one step by up to %.2e of the largest energy: %s",
                   ledger->worst_gain, gain_advice(run));
    if (!stick_simulation_is_quasistatic(run) && ledger->algorithmic_gain > algorithmic_matters)
        stick_warn(
            run->ctx,
            "step '%s': the time integration added energy (negative algorithmic dissipation), up to %.2e of "
            "the largest energy: %s",
            run->spec->name, ledger->algorithmic_gain, algorithmic_advice(run));
    double balance = stick_ledger_balance(ledger);
    if (balance > balance_matters)
        stick_warn(
            run->ctx,
            "step '%s': the energy balance of all time steps does not close: it misses %.2e of the largest "
            "energy (limit %g); reduce the tolerance of the contact solver and the time step",
            run->spec->name, balance, balance_matters);
    if (stick_simulation_is_quasistatic(run) && fabs(ledger->algorithmic) > 0.05 * ledger->scale)
        stick_warn(run->ctx,
                   "%.0f %% of the energy is not accounted for by the states at the ends of increments: a "
                   "load is there "
                   "at once, gaps close, or the bodies jump from one equilibrium to another; take more "
                   "increments, or follow "
                   "events",
                   100 * fabs(ledger->algorithmic) / ledger->scale);
}

// What is wrong by the equations.
static void warn_of_balances(const StickSimulation *run)
{
    const StickLedger *ledger = &run->ledger;
    if (ledger->open_steps == 0)
        return;
    stick_warn(
        run->ctx,
        "balances do not close in %.0f steps, the first of which ends at t = %g: energy to %.1e, momentum "
        "to %.1e, angular momentum to %.1e, equilibrium to %.1e, impacts to %.1e. Do not trust what comes "
        "after; try a smaller tolerance and a shorter step, and look for sizes, masses or stiffnesses that "
        "differ by many orders",
        ledger->open_steps, ledger->open_time, ledger->worst_closure, ledger->worst_momentum,
        ledger->worst_angular, ledger->worst_equilibrium, ledger->worst_jump);
}

// Time steps correct penetration where they can; the rest is reported.
static void warn_of_penetration(const StickSimulation *run)
{
    double depth = run->record.penetration_there, part = run->record.penetration_part;
    int body = (int)run->record.penetrating, other = (int)run->record.penetrated;
    if (!(part > 1e-3))
        return;
    stick_warn(
        run->ctx,
        "t = %g: body '%s' is %.3g inside of '%s' at the end of the step, %.2g %% of the thickness of the "
        "thinner one. Such penetration is left where bodies overlapped at the start; where its correction "
        "takes more energy from loads than impacts have dissipated; between bodies that touch only each "
        "other; and where normals are uncertain. If it matters, reduce the time step (now %g)",
        run->state.now.t, run->system->body[body].name, depth,
        other >= 0 ? run->system->body[other].name : run->system->model->obstacle[-1 - other].name,
        100 * part, run->h);
}

static void warn_of_contacts(const StickSimulation *run)
{
    const StickModel *model = run->system->model;
    bool kept = model->ncontacts > 0; // as all contacts ask for
    for (int k = 0; k < model->ncontacts; k++)
        kept =
            kept && (model->contact[k].overclosure == STICK_OVERCLOSURE_KEEP ||
                     model->contact[k].overclosure == STICK_OVERCLOSURE_ADJUST); // but for facets of curves
    warn_of_penetration(run);
    // other time steps correct it, and report what remains
    bool keeps = stick_simulation_is_quasistatic(run) || run->spec->scheme == STICK_SCHEME_NEWMARK;
    if (keeps && !kept && run->record.depth > 1e-6 * stick_simulation_size(run))
        stick_warn(run->ctx,
                   "contacts were first seen up to %.3g inside of what they touch, and were kept from going "
                   "deeper, but "
                   "not pushed out: bodies overlap at the start, or nodes came around an edge (then let the "
                   "body whose "
                   "edge lies on the other one be the first of 'between', or give the pair in both orders)",
                   run->record.depth);
    if (run->record.held_depth > 1e-3 * stick_simulation_size(run))
        stick_warn(run->ctx,
                   "gaps of down to -%.3g were not made good, because nothing paid for the energy that this "
                   "takes: take a "
                   "smaller step, or a theta above 1/2",
                   run->record.held_depth);
    if (run->record.worst_exact > run->spec->tolerance)
        stick_note(run->ctx,
                   "contact is certified against a cone of %d facets, which has up to %.1f %% less friction "
                   "than the "
                   "exact one (its error: %.2e); auto takes the exact cone",
                   run->spec->facets, 100 * (1 - cos(STICK_PI / run->spec->facets)), run->record.worst_exact);
}

void stick_run_warnings_say(const StickSimulation *run)
{
    warn_of_balances(run);
    warn_of_energy(run);
    warn_of_contacts(run);
}
