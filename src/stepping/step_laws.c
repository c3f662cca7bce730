// SPDX-License-Identifier: Apache-2.0
#include "stepping/step_laws.h"

#include "base/atomic_max.h"
#include "base/diagnostic_filter.h"
#include "base/memory.h"
#include "base/pool.h"
#include "contact/rigid_pairs.h"
#include "solve/problem.h"
#include "stepping/contact_problem.h"

#include <math.h>
#include <string.h>

// Times the gap at which shapes touch: what a contact that holds together may be opened by in a step.
static const double stretch = 1e6;

void stick_step_laws_init(const StickSystem *system, StickStepLaws *laws)
{
    const StickModel *model = system->model;
    *laws = (StickStepLaws){.has_sections = stick_laws_have_sections(model),
                            .has_cohesion = stick_laws_have_cohesion(model),
                            .has_state = stick_laws_have_state(model),
                            .corners = stick_laws_corners(model)};
}

void stick_step_laws_destroy(StickContext *ctx, StickStepLaws *laws)
{
    void *all[] = {laws->section, (void *)laws->section_of, laws->vertex, laws->pull, laws->pull_n,
                   laws->pull_u,  laws->approach,           laws->state,  laws->rate};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        stick_free(ctx, all[k]);
    stick_model_destroy(laws->varied);
    *laws = (StickStepLaws){0};
}

StickStatus stick_step_laws_reserve(StickSimulation *run)
{
    StickStepLaws *laws = &run->laws;
    size_t n = (size_t)run->contacts.ncontacts, dim = (size_t)run->system->dim;
    STICK_RESERVE(run->ctx, laws->approach, laws->approach_capacity, n);
    if (laws->has_sections) {
        STICK_RESERVE(run->ctx, laws->section, laws->section_capacity, n);
        STICK_RESERVE(run->ctx, laws->section_of, laws->section_of_capacity, n);
        STICK_RESERVE(run->ctx, laws->vertex, laws->vertex_capacity, n * 2 * (size_t)laws->corners);
    }
    if (laws->has_cohesion) {
        STICK_RESERVE(run->ctx, laws->pull, laws->pull_capacity, n);
        STICK_RESERVE(run->ctx, laws->pull_n, laws->pull_n_capacity, n * dim);
        STICK_RESERVE(run->ctx, laws->pull_u, laws->pull_u_capacity, n * dim);
        memset(laws->pull, 0, n * sizeof *laws->pull);
    }
    if (laws->has_state) {
        STICK_RESERVE(run->ctx, laws->state, laws->state_capacity, n);
        STICK_RESERVE(run->ctx, laws->rate, laws->rate_capacity, n);
    }
    return STICK_OK;
}

double stick_step_laws_stretch(const StickSimulation *run, const StickContact *contact)
{
    return stretch * stick_rigid_touching(run->system, contact);
}

// ---- the start of the step

static StickStatus recall_state(StickSimulation *run)
{
    const StickContactSet *set = &run->contacts;
    for (int c = 0; c < set->ncontacts; c++) {
        const StickKeyedMemory *known = stick_contact_problem_known(run, c);
        if (known)
            run->laws.state[c] = known->state;
        else
            STICK_TRY(stick_laws_start(run->system, set, run->state.now.t, c, &run->laws.state[c]));
    }
    return STICK_OK;
}

static StickSight sight_of(const StickSimulation *run, double t)
{
    return (StickSight){.t = t,
                        .speed = run->speed,
                        .pressure = run->pressure,
                        .state = run->laws.has_state ? run->laws.state : NULL};
}

static void orient_sections(StickSimulation *run)
{
    StickStepLaws *laws = &run->laws;
    for (int c = 0; c < run->contacts.ncontacts; c++) {
        double *vertex = laws->vertex + (size_t)c * 2 * (size_t)laws->corners;
        bool other =
            stick_laws_section(run->system, &run->contacts.contact[c], run->mu[c], &laws->section[c], vertex);
        laws->section_of[c] = other ? &laws->section[c] : NULL;
    }
}

StickStatus stick_step_laws_vary(StickSimulation *run, const char *parameter, double value)
{
    StickModel *varied;
    StickHush hush = stick_context_hush(run->ctx, STICK_HUSH_WARNINGS); // the model was read before
    StickStatus status = stick_model_vary(run->ctx, run->system->model, parameter, value, &varied);
    stick_context_hush(run->ctx, hush);
    STICK_TRY(status);
    stick_model_destroy(run->laws.varied);
    run->laws.varied = varied;
    run->laws.shown = *run->system;
    run->laws.shown.model = varied;
    return STICK_OK;
}

StickStatus stick_step_laws_friction(const StickSimulation *run, const StickContactSet *set,
                                     const StickSight *sight, double *mu)
{
    if (!run->spec->has_friction)
        return stick_laws_friction(run->laws.varied ? &run->laws.shown : run->system, set, sight, mu);
    for (int c = 0; c < set->ncontacts; c++)
        mu[c] = run->spec->friction;
    return STICK_OK;
}

StickStatus stick_step_laws_recall(StickSimulation *run)
{
    if (run->laws.has_state)
        STICK_TRY(recall_state(run));
    StickSight sight = sight_of(run, run->state.now.t + run->h);
    STICK_TRY(stick_step_laws_friction(run, &run->contacts, &sight, run->mu));
    if (run->laws.has_sections)
        orient_sections(run);
    return STICK_OK;
}

// ---- collisions

static void approach_of_range(void *data, int from, int to)
{
    StickSimulation *run = data;
    int dim = run->system->dim;
    for (int c = from; c < to; c++)
        run->laws.approach[c] = fmax(0, -(run->u[c * dim] + run->contacts.contact[c].u_drive[0]));
}

// Where neither restitution nor the dissipation index asks for it, nobody does.
double stick_step_laws_approach(StickSimulation *run)
{
    int count = run->contacts.ncontacts;
    if (!run->spec->dissipation && !stick_laws_have_restitution(run->system->model)) {
        memset(run->laws.approach, 0, (size_t)count * sizeof *run->laws.approach);
        return 0;
    }
    stick_contact_velocity(&run->contacts, run->v_I, run->u);
    stick_threads_range(run->ctx, count, approach_of_range, run);
    return stick_atomic_max_of(run->ctx, run->laws.approach, count);
}

StickStatus stick_step_laws_restitution(StickSimulation *run, double *restitution)
{
    StickSight sight = sight_of(run, run->state.now.t + run->h);
    sight.approach = run->laws.approach;
    return stick_laws_restitution(run->system, &run->contacts, &sight, restitution);
}

// ---- cohesion

static void close_gap(StickSimulation *run, int c)
{
    const StickContact *contact = &run->contacts.contact[c];
    double bias = fmax(0, contact->gap) / run->h - contact->closing;
    run->bias[c] += bias;
    run->gap_bias[c] += bias;
    run->u_free[c * run->system->dim] += bias;
}

StickStatus stick_step_laws_attract(StickSimulation *run)
{
    StickStepLaws *laws = &run->laws;
    int n = run->contacts.ncontacts, dim = run->system->dim;
    if (!laws->has_cohesion)
        return STICK_OK;
    StickSight sight = sight_of(run, run->state.now.t + run->h);
    STICK_TRY(stick_laws_cohesion(run->system, &run->contacts, &sight, laws->pull));
    memset(laws->pull_n, 0, (size_t)n * (size_t)dim * sizeof *laws->pull_n);
    for (int c = 0; c < n; c++) {
        laws->pull_n[c * dim] = laws->pull[c] *= run->h;
        if (laws->pull[c] > 0)
            close_gap(run, c);
    }
    StickFrictionProblem problem = stick_simulation_problem(run);
    stick_friction_apply(&problem, laws->pull_n, laws->pull_u);
    for (int i = 0; i < n * dim; i++)
        run->u_free[i] -= laws->pull_u[i];
    return STICK_OK;
}

void stick_step_laws_shift(StickSimulation *run, double sign)
{
    int dim = run->system->dim;
    for (int c = 0; c < run->contacts.ncontacts && run->laws.has_cohesion; c++)
        run->r[c * dim] += sign * run->laws.pull[c];
}

// ---- the end of the step

// A bond breaks where it opens by more than the solver may be off: u_N and w R_N, w = W_NN, are complementary, and the
// smaller of both is zero but for the error. Where both are as small as that the pull is just the strength, and it holds.
bool stick_step_laws_holds(const StickSimulation *run, int contact)
{
    int dim = run->system->dim;
    if (!run->laws.has_cohesion)
        return false;
    double W[9], *u = &run->u[contact * dim], *r = &run->r[contact * dim];
    StickFrictionProblem problem = stick_simulation_problem(run);
    stick_friction_diagonal(&problem, contact, W);
    double pull = run->laws.pull[contact], carried = r[0] + pull, size = W[0] * pull;
    for (int k = 0; k < dim; k++)
        size = fmax(size, W[k * dim + k] * fabs(k == 0 ? carried : r[k]));
    double error = stick_rigid_touching(run->system, &run->contacts.contact[contact]) / run->h +
                   run->spec->tolerance * fmax(size, fabs(run->u_free[contact * dim]));
    // restitution parts what is pressed
    if (!(pull > 0) || run->restitution[contact] * run->laws.approach[contact] > error)
        return false;
    return u[0] <= fmax(error, W[0] * carried);
}

StickStatus stick_step_laws_end(StickSimulation *run, const double *speed)
{
    StickStepLaws *laws = &run->laws;
    if (!laws->has_state)
        return STICK_OK;
    StickSight sight = sight_of(run, run->state.next.t);
    sight.speed = speed;
    STICK_TRY(stick_laws_rate(run->system, &run->contacts, &sight, laws->rate));
    for (int c = 0; c < run->contacts.ncontacts; c++)
        laws->state[c] += run->h * laws->rate[c];
    return STICK_OK;
}
