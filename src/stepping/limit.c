// SPDX-License-Identifier: Apache-2.0
#include "stepping/limit.h"

#include <math.h>
#include <stdio.h>

// An increment whose displacements grow so much faster than in the last one, by so much of all, is looked at.
static const double faster = 4, far = 0.05;

// Of the way of an increment, in one half of it: more than this may be a jump.
static const double one_sided = 0.8;

// In the last increment before a limit point displacements grow so much faster than in the mean.
static const double much_faster = 8;

// The first increment of a step has nothing before it to compare with.
static bool is_sudden(const StickSimulation *run)
{
    const StickMotion *now = &run->state.now, *next = &run->state.next;
    int n = run->state.n;
    if (!run->newton_contact || (run->advance.piece == 0 && run->advance.part == 0))
        return false;
    double before = stick_simulation_largest(now->v, n), speed = stick_simulation_largest(next->v, n);
    return before > 0 && speed > faster * before &&
           speed * run->h > far * stick_simulation_largest(next->q, n);
}

// " at node 12 of body 'arch'": what moved most in the last increment.
static void name_fastest(const StickSimulation *run, const double *v, char *name, size_t size)
{
    const StickSystem *system = run->system;
    int fastest = 0, b = 0;
    for (int i = 1; i < run->state.n; i++)
        if (fabs(v[i]) > fabs(v[fastest]))
            fastest = i;
    while (b + 1 < system->nbodies && system->body[b + 1].first <= fastest)
        b++;
    const StickBody *body = &system->body[b];
    if (body->rigid)
        snprintf(name, size, " of body '%.60s'", body->name);
    else
        snprintf(name, size, " at node %lld of body '%.60s'",
                 stick_mesh_node_tag(&body->mesh, (fastest - body->first) / system->dim), body->name);
}

static void take(StickSimulation *run)
{
    char name[STICK_CONTACT_NAME];
    name_fastest(run, run->state.next.v, name, sizeof name);
    run->record.jumps++;
    run->record.jump_time = run->state.next.t;
    stick_warn(
        run->ctx,
        "t = %.9g: displacements jump by %.3g within %.2g of time, most%s: a body snaps through or buckles, "
        "or what is prescribed jumps there itself. What follows starts from one of the equilibria behind the "
        "jump; see by a dynamic step what happens%s",
        run->state.next.t, stick_simulation_largest(run->state.next.v, run->state.n) * run->h, run->h, name,
        stick_limit_has_loads(run) ? ", or prescribe a displacement instead of the load" : "");
}

StickStatus stick_limit_watch(StickSimulation *run, const StickBefore *before, double part)
{
    double from = run->advance.part;
    if (!is_sudden(run))
        return STICK_OK;
    if (part - from <= ldexp(1, -STICK_MOST_CUTS)) {
        take(run);
        return STICK_OK;
    }
    double way = stick_simulation_largest(run->state.next.v, run->state.n) * run->h;
    STICK_TRY(stick_quasistatic_try(run, before, 0.5 * (from + part)));
    double half = stick_simulation_largest(run->state.next.v, run->state.n) * run->h;
    if (half > one_sided * way || half < (1 - one_sided) * way)
        return stick_simulation_refuse(run, "t = %g: displacements jump", run->state.next.t);
    return stick_quasistatic_try(run, before, part);
}

bool stick_limit_has_loads(const StickSimulation *run)
{
    return run->system->model->nloads > 0;
}

bool stick_limit_explain(const StickSimulation *run, char *text, size_t size)
{
    const StickMotion *now = &run->state.now;
    int n = run->state.n;
    char name[STICK_CONTACT_NAME];
    double way = stick_simulation_largest(now->q, n), time = now->t - run->t_start;
    double speed = stick_simulation_largest(now->v, n);
    if (!run->newton_contact || !stick_limit_has_loads(run) || !(way > 0) ||
        !(speed * time > much_faster * way))
        return false;
    name_fastest(run, now->v, name, sizeof name);
    snprintf(
        text, size,
        "a limit point of the load, where a body snaps through or buckles: displacements grow %.0f times as "
        "fast as in the mean before, most%s. Prescribe a displacement instead of the load, or end this step "
        "before and go on by a dynamic one",
        speed * time / way, name);
    return true;
}
