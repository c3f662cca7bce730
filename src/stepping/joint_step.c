// SPDX-License-Identifier: Apache-2.0
#include "stepping/joint_step.h"

#include "base/memory.h"
#include "base/vec.h"
#include "stepping/moreau.h"
#include "stepping/singular_configuration.h"

#include <math.h>
#include <string.h>

enum { MOST_PASSES = 40, MOST_STRAYS = 100 };

// Gaps by the size of what they are differences of: nothing is gained below the first; where Newton's method makes no
// more progress, or contact is solved anew for each pass, the second will do. Rows that follow from others are not held
// by themselves: they must follow to the third; while a linkage passes a dead point to the fourth, by the size of its bodies.
static const double round_off = 1e-14, little = 1e-12, followed = 1e-9, passing = 1e-5;

// In a dead point rows are dependent that are not beside it: near it, the impulses that would hold them grow without
// bound. What has so small a pivot is left out there for a step: the first of these that will do.
enum { NEAR = 4 };
static const double near_dependent[NEAR] = {STICK_LINKS_DEPENDENT, 1e-6, 1e-4, 1e-2};

// Pivots of rows that do follow are round-off, no more than this.
static const double left_of_nothing = 1e-14;

// What a velocity that is not the prescribed one differs from it at least, by the largest.
static const double lost = 1e-3;

// What velocities change at most by in a dead point, by the largest: it counts as MOST_STRAYS steps.
static const double turned = 0.25;

// ---- life

static StickStatus fill(StickContext *ctx, const StickSystem *system, StickJointStep *linked)
{
    double **row[] = {&linked->gap, &linked->before, &linked->lambda_L};
    double **dof[] = {&linked->p_M, &linked->p_F, &linked->v_E};
    for (int k = 0; k < 3; k++) {
        STICK_ALLOC(ctx, *row[k], linked->links->count);
        STICK_ALLOC(ctx, *dof[k], system->ndofs);
    }
    STICK_ALLOC(ctx, linked->effort, system->model->njoints);
    STICK_ALLOC(ctx, linked->follows, linked->links->count);
    STICK_ALLOC(ctx, linked->is_dead, system->nbodies);
    linked->nfollows = -1;
    return STICK_OK;
}

StickStatus stick_joint_step_create(StickContext *ctx, const StickSystem *system, StickStepMatrix *matrix,
                                    StickJointStep **linked)
{
    StickJointElimination *links;
    StickJointStep *made;
    *linked = NULL;
    STICK_TRY(stick_joint_elimination_create(ctx, system, matrix, stick_pairs_panel(system->model), &links));
    if (!links)
        return STICK_OK;
    made = stick_alloc(ctx, 1, sizeof *made);
    if (!made) {
        stick_joint_elimination_destroy(links);
        return STICK_NO_MEMORY;
    }
    made->links = links;
    StickStatus status = fill(ctx, system, made);
    if (status != STICK_OK)
        stick_joint_step_destroy(made);
    else
        *linked = made;
    return status;
}

void stick_joint_step_destroy(StickJointStep *linked)
{
    if (!linked)
        return;
    StickContext *ctx = linked->links->ctx;
    double *owned[] = {linked->gap, linked->before, linked->lambda_L, linked->p_M, linked->p_F, linked->v_E};
    for (size_t k = 0; k < sizeof owned / sizeof *owned; k++)
        stick_free(ctx, owned[k]);
    stick_free(ctx, linked->effort);
    stick_free(ctx, linked->follows);
    stick_free(ctx, linked->is_dead);
    stick_joint_elimination_destroy(linked->links);
    stick_free(ctx, linked);
}

// ---- what is asked of rows

// Places that are prescribed move by themselves: -d gap/dt by differences within half a step, at the start forwards.
static StickStatus moving(StickSimulation *run, const double *q, double t)
{
    StickJointStep *linked = run->joint_step;
    StickJointElimination *links = linked->links;
    double h = run->h;
    bool forwards = t - 0.5 * h < 0, any = false;
    for (int i = 0; i < links->count; i++) {
        any = any || links->row[i].is_timed;
        links->c[i] = 0;
    }
    if (!any)
        return STICK_OK;
    const double weight[2][3] = {{-1, 0, 1}, {-3, 4, -1}};
    for (int k = 0; k < 3; k++) {
        double at = t + 0.5 * h * (forwards ? k : k - 1);
        STICK_TRY(stick_joint_rows_gaps(links->joints, q, at, linked->gap));
        for (int i = 0; i < links->count; i++)
            if (links->row[i].is_timed)
                links->c[i] -= weight[forwards][k] * linked->gap[i] / h;
    }
    return STICK_OK;
}

// Velocities of rows at q, where no step is on its way; springs take no part.
static StickStatus hold_at(StickSimulation *run, const double *q, double t, double *v)
{
    StickJointElimination *links = run->joint_step->links;
    for (int i = 0; i < links->count; i++)
        links->D[i] = links->row[i].kind == STICK_ROW_SPRING ? -1 : 0;
    STICK_TRY(moving(run, q, t));
    STICK_TRY(stick_joint_elimination_set(links, q, t));
    for (int i = 0; i < links->count; i++)
        if (links->row[i].kind == STICK_ROW_SPEED)
            STICK_TRY(stick_joint_rows_speed(links->joints, i, t, &links->c[i]));
    stick_joint_elimination_hold(links, v);
    stick_joint_elimination_hold(links, v); // a second time for the last digits
    return STICK_OK;
}

// lambda = -h (k (l_I + l_F)/2 - k l_0) - c (l_F - l_I), l_F = l_I + shift + h/2 G (u_I + u_F), as a row G u_F + D lambda = c
static void ask_spring(const StickSimulation *run, int i)
{
    const StickJointStep *linked = run->joint_step;
    StickJointElimination *links = linked->links;
    const StickJointSpec *spec = stick_joint_rows_spec(links->joints, i);
    double k = spec->stiffness, h = run->h, shift = linked->gap[i] - linked->before[i];
    double push = h * k * (linked->before[i] + 0.5 * shift) + spec->damping * shift;
    links->c[i] = -push * links->D[i] - stick_joint_elimination_velocity(links, i, run->v_I);
}

static StickStatus ask(StickSimulation *run)
{
    StickJointStep *linked = run->joint_step;
    StickJointElimination *links = linked->links;
    const StickMotion *now = &run->state.now;
    STICK_TRY(stick_joint_rows_gaps(links->joints, now->q, now->t, linked->before));
    STICK_TRY(stick_joint_rows_gaps(links->joints, now->q, run->state.next.t, linked->gap));
    for (int i = 0; i < links->count; i++) {
        if (links->row[i].kind == STICK_ROW_SPRING)
            ask_spring(run, i);
        else if (links->row[i].kind == STICK_ROW_SPEED)
            STICK_TRY(stick_joint_rows_speed(links->joints, i, run->state.next.t, &links->c[i]));
        else
            links->c[i] = -stick_joint_elimination_velocity(links, i, run->v_I);
    }
    return STICK_OK;
}

// ---- places

// What a row may be off that is left out.
static double allowed(const StickJointStep *linked, const double *q, int i)
{
    const StickJointRows *joints = linked->links->joints;
    double most = followed * stick_joint_rows_scale(joints, q, i);
    double size = stick_joint_rows_is_angle(joints, i) ? 1 : stick_joint_rows_size(joints, i);
    return linked->passes_dead ? fmax(most, passing * size) : most;
}

// How far the row that is worst is from its place at q_F, by what is allowed.
static StickStatus worst_gap(StickSimulation *run, double *worst, int *row)
{
    StickJointStep *linked = run->joint_step;
    StickJointElimination *links = linked->links;
    double *q = run->state.next.q;
    *worst = 0;
    *row = -1;
    stick_moreau_place(run, run->state.next.v, q);
    STICK_TRY(stick_joint_rows_gaps(links->joints, q, run->state.next.t, linked->gap));
    for (int i = 0; i < links->count; i++) {
        if (links->row[i].kind != STICK_ROW_PLACE)
            continue;
        double off = fabs(linked->gap[i]);
        off /=
            links->dropped[i] ? allowed(linked, q, i) / little : stick_joint_rows_scale(links->joints, q, i);
        if (!(off <= *worst)) {
            *worst = off;
            *row = i;
        }
    }
    return STICK_OK;
}

static void correct(StickSimulation *run)
{
    const StickJointStep *linked = run->joint_step;
    for (int i = 0; i < linked->links->count; i++)
        if (linked->links->row[i].kind == STICK_ROW_PLACE)
            linked->links->c[i] -= 2 / run->h * linked->gap[i];
}

// What could not be held, and how far it was off.
typedef struct Failure {
    int row;
    bool is_dropped; // it follows from others, or should
    double off;
} Failure;

static StickStatus refuse_speed(StickSimulation *run, int row, double t)
{
    const StickJointSpec *spec = stick_joint_rows_spec(run->joint_step->links->joints, row);
    return stick_fail_at(
        run->ctx, STICK_BAD_INPUT, spec->mark,
        "t = %g: joint '%s' contradicts other joints or supports: they do not let it move as "
        "it should; take it or one of them out (or begin beside a dead point of the linkage, "
        "or make masses that differ by more than 1e13 less different)",
        t, spec->name);
}

static StickStatus refuse(StickSimulation *run, Failure failure)
{
    const StickJointElimination *links = run->joint_step->links;
    const StickJointSpec *spec = stick_joint_rows_spec(links->joints, failure.row);
    double t = run->state.next.t, off = failure.off;
    if (links->row[failure.row].kind == STICK_ROW_SPEED)
        return refuse_speed(run, failure.row, t);
    if (failure.is_dropped)
        return stick_fail_at(
            run->ctx, STICK_BAD_INPUT, spec->mark,
            "t = %g: joint '%s' contradicts other joints or supports, which take it off its place "
            "by %g: take it or one of them out (or begin beside a dead point of the linkage, or make masses "
            "that differ by more than 1e13 less different)",
            t, spec->name, off);
    return stick_simulation_refuse_at(
        run, spec->mark,
        "t = %g: joint '%s' cannot be held and is off its place by %g; joints may "
        "contradict each other, a linkage may stand in a dead point (begin beside "
        "it), or the time step is too long",
        t, spec->name, off);
}

// The largest velocity of the bodies that a row belongs to.
static double speed_of_group(const StickJointElimination *links, int i, const double *v)
{
    double speed = 0;
    for (int b = 0; b < links->system->nbodies; b++)
        if (links->group[b] == links->group[links->row[i].body[0]])
            speed = fmax(speed, stick_simulation_largest(v + links->system->body[b].first,
                                                         links->system->body[b].ndofs));
    return speed;
}

// Whether a row that is left out moves otherwise than it should: by more than a part of what its velocity is the
// difference of, and more than is nothing beside those of the bodies.
static bool is_astray(const StickJointElimination *links, int i, const double *v, double part)
{
    double off = fabs(links->c[i] - stick_joint_elimination_velocity(links, i, v));
    return links->dropped[i] && links->D[i] >= 0 &&
           off > part * (fabs(links->c[i]) + stick_joint_elimination_terms(links, i, v)) &&
           off > followed * fmax(fabs(links->c[i]), speed_of_group(links, i, v));
}

// Velocities of rows which follow from others must be theirs, as far as they do follow. During a motion only those that are
// prescribed are asked: what else contradicts shows by places.
static int contradiction(const StickJointElimination *links, bool is_start, const double *v)
{
    for (int i = 0; i < links->count; i++) {
        double part = fmin(lost, 10 * sqrt(fmax(links->left[i] - left_of_nothing, 0)));
        if ((is_start || links->row[i].kind == STICK_ROW_SPEED) && is_astray(links, i, v, part))
            return i;
    }
    return -1;
}

// A row whose prescribed velocity would follow from others, and does not: it is left out, and not moved as it should.
static int lost_speed(const StickJointElimination *links, const double *v)
{
    for (int i = 0; i < links->count; i++)
        if (links->row[i].kind == STICK_ROW_SPEED && is_astray(links, i, v, lost))
            return i;
    return -1;
}

// Newton's method for gap(q_F) = 0 with the rows at q_M; whether it got there, otherwise the row that is worst.
static StickStatus hold_places(StickSimulation *run, bool *held, Failure *failure)
{
    StickJointElimination *links = run->joint_step->links;
    double worst = 0, last = INFINITY;
    int row = -1;
    *held = false;
    STICK_TRY(stick_joint_elimination_set(links, run->q_M, run->state.now.t + 0.5 * run->h));
    run->joint_step->passes_dead = links->dependent > STICK_LINKS_DEPENDENT &&
                                   stick_joint_elimination_followers(links) > run->joint_step->nfollows;
    STICK_TRY(ask(run));
    for (int pass = 0; pass <= MOST_PASSES; pass++) {
        stick_joint_elimination_hold(links, run->state.next.v);
        STICK_TRY(worst_gap(run, &worst, &row));
        bool is_stuck = pass > 0 && worst > 0.5 * last && worst <= little;
        *held = worst <= round_off || is_stuck;
        if (*held || !isfinite(worst))
            break;
        correct(run);
        last = worst;
    }
    int lost_row = *held ? lost_speed(links, run->state.next.v) : -1;
    *held = *held && lost_row < 0;
    row = lost_row >= 0 ? lost_row : row;
    if (!*held)
        *failure = (Failure){row, links->dropped[row], run->joint_step->gap[row]};
    return STICK_OK;
}

// The row that is farthest off, of those that are left out and farther off than what follows.
static void warn_of_stray(StickSimulation *run)
{
    StickJointStep *linked = run->joint_step;
    const StickJointElimination *links = linked->links;
    double most = 0;
    int worst = -1;
    for (int i = 0; i < links->count; i++)
        if (links->dropped[i] && links->row[i].kind == STICK_ROW_PLACE && fabs(linked->gap[i]) > most &&
            fabs(linked->gap[i]) > followed * stick_joint_rows_scale(links->joints, run->state.next.q, i)) {
            most = fabs(linked->gap[i]);
            worst = i;
        }
    run->record.strayed += worst >= 0;
    if (worst < 0 || run->record.strayed > 1)
        return;
    const StickJointSpec *spec = stick_joint_rows_spec(links->joints, worst);
    stick_warn_at(run->ctx, spec->mark,
                  "t = %g: joint '%s' is off its place by %.2g: a linkage passes a dead point, where joints "
                  "do not hold it; more of this is not told",
                  run->state.next.t, spec->name, most);
}

// Groups in which more rows are left out than follow beside a dead point; whether there are any.
static bool find_dead(StickJointStep *linked)
{
    const StickJointElimination *links = linked->links;
    bool any = false;
    for (int b = 0; b < links->system->nbodies; b++) {
        int more = 0;
        for (int i = links->first[b]; i < links->last[b]; i++)
            more += (links->dropped[i] && links->D[i] == 0) - linked->follows[i];
        linked->is_dead[b] = more > 0;
        any = any || more > 0;
    }
    return any;
}

// Once in a run, also one that is resumed.
static StickStatus look_beside(StickSimulation *run)
{
    StickJointStep *linked = run->joint_step;
    if (linked->nfollows >= 0)
        return STICK_OK;
    STICK_TRY(stick_singular_configuration_look(run, linked->follows));
    linked->nfollows = 0;
    for (int i = 0; i < linked->links->count; i++)
        linked->nfollows += linked->follows[i];
    return STICK_OK;
}

StickStatus stick_joint_step_loose(StickSimulation *run)
{
    StickJointStep *linked = run->joint_step;
    StickJointElimination *links = linked->links;
    double h = run->h;
    size_t bytes = (size_t)run->state.n * sizeof(double);
    bool held = false;
    Failure failure[NEAR];
    STICK_TRY(look_beside(run));
    for (int i = 0; i < links->count; i++) {
        const StickJointSpec *spec = stick_joint_rows_spec(links->joints, i);
        bool is_spring = links->row[i].kind == STICK_ROW_SPRING;
        links->D[i] = is_spring ? 1 / (0.25 * h * h * spec->stiffness + 0.5 * h * spec->damping) : 0;
    }
    memcpy(run->v_L, run->state.next.v, bytes);
    for (int k = 0; k < NEAR && !held; k++) {
        links->dependent = near_dependent[k];
        memcpy(run->state.next.v, run->v_L, bytes);
        STICK_TRY(hold_places(run, &held, &failure[k]));
    }
    if (held && linked->passes_dead)
        warn_of_stray(run);
    // a dead point is passed, and not stood in
    bool is_dead = find_dead(linked);
    run->record.strays = is_dead ? run->record.strays + linked->passes_dead : fmax(0, run->record.strays - 1);
    if (!held || run->record.strays > MOST_STRAYS)
        return refuse(run, failure[0]);
    memcpy(linked->lambda_L, links->lambda, (size_t)links->count * sizeof *links->lambda);
    linked->passes = 0;
    return STICK_OK;
}

StickStatus stick_joint_step_settle(StickSimulation *run, bool *again)
{
    StickJointStep *linked = run->joint_step;
    StickJointElimination *links = linked->links;
    size_t n = (size_t)run->state.n, rows = (size_t)links->count;
    double worst;
    int row;
    *again = false;
    if (run->contacts.ncontacts == 0)
        return STICK_OK;
    STICK_TRY(worst_gap(run, &worst, &row));
    if (worst <= little)
        return STICK_OK;
    if (linked->passes++ == MOST_PASSES || !isfinite(worst))
        return refuse(run, (Failure){row, links->dropped[row], linked->gap[row]});
    correct(run);
    memcpy(links->lambda, linked->lambda_L, rows * sizeof *links->lambda);
    memcpy(run->state.next.v, run->v_L, n * sizeof *run->v_L);
    stick_joint_elimination_hold(links, run->state.next.v);
    memcpy(linked->lambda_L, links->lambda, rows * sizeof *links->lambda);
    memcpy(run->v_L, run->state.next.v, n * sizeof *run->v_L);
    *again = true;
    return STICK_OK;
}

// ---- ends

// What impulses and moments that cancel are judged by.
static void measure_impulses(StickSimulation *run)
{
    StickJointStep *linked = run->joint_step;
    const StickJointElimination *links = linked->links;
    int dim = run->system->dim;
    linked->pushes = linked->twists = 0;
    for (int i = 0; i < links->count; i++)
        for (int end = 0; end < 2; end++)
            for (int k = 0; k < STICK_RIGID_DOFS && links->row[i].body[end] >= 0; k++)
                *(k < dim ? &linked->pushes : &linked->twists) +=
                    fabs(links->lambda[i] * links->row[i].G[end][k]);
}

// Impulses in the middle, and what those of them that answer contact do to the energy.
static void take_impulses(StickSimulation *run)
{
    StickJointStep *linked = run->joint_step;
    StickJointElimination *links = linked->links;
    size_t bytes = (size_t)run->state.n * sizeof(double);
    memset(run->work, 0, bytes);
    memset(linked->p_M, 0, bytes);
    stick_joint_elimination_scatter(links, linked->lambda_L, run->work);
    stick_joint_elimination_scatter(links, links->lambda, linked->p_M);
    linked->contact = 0;
    for (int i = 0; i < run->state.n; i++)
        if (!run->prescribed[i])
            linked->contact += 0.5 * (run->v_L[i] + run->v_F[i]) * (linked->p_M[i] - run->work[i]);
}

// What a row gave, at q and t, from velocities v0 to v1.
static StickStatus add_effort(StickSimulation *run, int i, const double *q, double t, const double *v0,
                              const double *v1)
{
    const StickSystem *system = run->system;
    const StickJointElimination *links = run->joint_step->links;
    const StickRow *row = &links->row[i];
    StickEffort *effort = &run->joint_step->effort[row->joint];
    const StickBody *first = &system->body[row->body[0]];
    int dim = system->dim;
    double lambda = links->lambda[i], place[3], arm[3], moment[3], push[3] = {0}, twist[3] = {0};
    for (int k = 0; k < dim; k++)
        push[k] = lambda * row->G[0][k];
    for (int k = dim == 2 ? 2 : 0; k < 3; k++)
        twist[k] = lambda * row->G[0][dim == 2 ? 2 : 3 + k];
    STICK_TRY(stick_joint_rows_place(links->joints, row->joint, q, t, place));
    StickPose pose = stick_rigid_pose(first->rigid, q + first->first);
    stick_vec_sub(place, pose.centre, arm);
    stick_vec_cross(arm, push, moment);
    for (int k = 0; k < 3; k++) {
        effort->impulse[k] += push[k];
        effort->twist[k] += twist[k] - moment[k];
    }
    effort->pull -= lambda;
    for (int end = 0; end < 2 && row->body[end] >= 0; end++)
        for (int k = 0, at = system->body[row->body[end]].first; k < stick_rigid_ndofs(dim); k++, at++)
            if (!run->prescribed[at])
                effort->work += 0.5 * (v0[at] + v1[at]) * lambda * row->G[end][k];
    return STICK_OK;
}

static StickStatus add_efforts(StickSimulation *run, const double *q, double t, const double *v0,
                               const double *v1)
{
    for (int i = 0; i < run->joint_step->links->count; i++)
        if (run->joint_step->links->lambda[i] != 0)
            STICK_TRY(add_effort(run, i, q, t, v0, v1));
    return STICK_OK;
}

// What velocities of a group change by in the step, by the largest; lengths by the size of its bodies.
static double change_of(const StickSimulation *run, int group)
{
    const StickJointElimination *links = run->joint_step->links;
    const StickSystem *system = run->system;
    double size = stick_joint_rows_size(links->joints, links->first[group]), most = 0, change = 0;
    for (int b = 0; b < system->nbodies; b++)
        for (int k = 0, i = system->body[b].first; links->group[b] == group && k < system->body[b].ndofs;
             k++, i++) {
            double v0 = run->state.now.v[i], v1 = run->state.next.v[i], unit = k < system->dim ? size : 1;
            most = fmax(most, fmax(fabs(v0), fabs(v1)) / unit);
            change = fmax(change, fabs(v1 - v0) / unit);
        }
    return change > 0 ? change / most : 0;
}

// Inertia takes a linkage through a dead point. What goes so slowly that loads turn it there may go on either way.
static StickStatus refuse_turns(StickSimulation *run)
{
    const StickJointStep *linked = run->joint_step;
    double most = 0;
    int turns = -1;
    for (int b = 0; b < run->system->nbodies; b++) {
        double change = linked->is_dead[b] ? change_of(run, b) : 0;
        if (change > most) {
            most = change;
            turns = b;
        }
    }
    run->record.strays += MOST_STRAYS * most / turned;
    if (turns < 0 || run->record.strays <= MOST_STRAYS)
        return STICK_OK;
    const StickJointSpec *spec = stick_joint_rows_spec(linked->links->joints, linked->links->first[turns]);
    return stick_simulation_refuse_at(
        run, spec->mark,
        "t = %g: the linkage of joint '%s' passes a dead point, where joints do not hold it, so slowly that "
        "loads "
        "decide how it goes on: let it pass faster, or hold it there by one more joint",
        run->state.next.t, spec->name);
}

StickStatus stick_joint_step_end(StickSimulation *run)
{
    StickJointStep *linked = run->joint_step;
    StickMotion *next = &run->state.next;
    size_t bytes = (size_t)run->state.n * sizeof(double);
    measure_impulses(run);
    take_impulses(run);
    memset(linked->effort, 0, (size_t)run->system->model->njoints * sizeof *linked->effort);
    STICK_TRY(add_efforts(run, run->q_M, run->state.now.t + 0.5 * run->h, run->v_I, run->v_F));
    memcpy(linked->v_E, next->v, bytes);
    memset(linked->p_F, 0, bytes);
    stick_step_matrix_turn(run->matrix, next->q);
    STICK_TRY(hold_at(run, next->q, next->t, next->v));
    stick_joint_elimination_scatter(linked->links, linked->links->lambda, linked->p_F);
    STICK_TRY(add_efforts(run, next->q, next->t, linked->v_E, next->v));
    STICK_TRY(refuse_turns(run));
    int row = contradiction(linked->links, false, next->v);
    return row >= 0 ? refuse_speed(run, row, next->t) : STICK_OK;
}

StickStatus stick_joint_step_impact(StickSimulation *run)
{
    StickJointStep *linked = run->joint_step;
    const StickMotion *now = &run->state.now;
    STICK_TRY(hold_at(run, now->q, now->t, run->state.next.v));
    memcpy(linked->lambda_L, linked->links->lambda, (size_t)linked->links->count * sizeof *linked->lambda_L);
    return STICK_OK;
}

void stick_joint_step_impact_end(StickSimulation *run)
{
    StickJointStep *linked = run->joint_step;
    size_t bytes = (size_t)run->state.n * sizeof(double);
    measure_impulses(run);
    take_impulses(run);
    memcpy(linked->v_E, run->state.next.v, bytes);
    memset(linked->p_F, 0, bytes);
}

static StickStatus refuse_start(StickSimulation *run)
{
    StickJointStep *linked = run->joint_step;
    StickJointElimination *links = linked->links;
    const StickMotion *now = &run->state.now;
    STICK_TRY(stick_joint_rows_gaps(links->joints, now->q, now->t, linked->gap));
    for (int i = 0; i < links->count; i++) {
        const StickJointSpec *spec = stick_joint_rows_spec(links->joints, i);
        double scale = stick_joint_rows_scale(links->joints, now->q, i);
        if (links->row[i].kind != STICK_ROW_PLACE || fabs(linked->gap[i]) <= followed * scale)
            continue;
        return stick_fail_at(
            run->ctx, STICK_BAD_INPUT, spec->mark, "joint '%s' is off its place by %g at the start%s",
            spec->name, linked->gap[i],
            spec->motion ? ": its motion must begin with 0"
            : run->spec->overlap == STICK_OVERLAP_SEPARATE
                ? ": bodies that overlap were pushed apart; place those of joints without overlap"
                : "");
    }
    return STICK_OK;
}

// More rows follow than beside it.
static StickStatus refuse_dead_point(StickSimulation *run)
{
    const StickJointStep *linked = run->joint_step;
    const StickJointElimination *links = linked->links;
    for (int i = 0; i < links->count && stick_joint_elimination_followers(links) > linked->nfollows; i++) {
        const StickJointSpec *spec = stick_joint_rows_spec(links->joints, i);
        if (links->dropped[i] && links->D[i] == 0 && !linked->follows[i])
            return stick_fail_at(run->ctx, STICK_BAD_INPUT, spec->mark,
                                 "joint '%s' is in a dead point of its linkage at the start, where joints do "
                                 "not tell how it goes on: begin beside it",
                                 spec->name);
    }
    return STICK_OK;
}

// Velocities that were given, and that joints do not admit.
static void warn_of_change(StickSimulation *run, const double *given)
{
    const StickMotion *now = &run->state.now;
    double most = 1e-6 * stick_simulation_largest(given, run->state.n);
    int changed = -1;
    for (int b = 0; b < run->system->nbodies && most > 0; b++) {
        const StickBody *body = &run->system->body[b];
        for (int i = body->first; i < body->first + body->ndofs; i++)
            if (fabs(now->v[i] - given[i]) > most) {
                most = fabs(now->v[i] - given[i]);
                changed = b;
            }
    }
    if (changed >= 0)
        stick_warn(
            run->ctx,
            "joints do not admit the velocities at the start: the nearest by the masses are taken, which "
            "changes that of body '%s' by %g",
            run->system->body[changed].name, most);
}

StickStatus stick_joint_step_start(StickSimulation *run)
{
    StickMotion *now = &run->state.now;
    memcpy(run->v_I, now->v, (size_t)run->state.n * sizeof *now->v);
    memcpy(run->q_M, now->q, (size_t)run->state.n * sizeof *now->q);
    STICK_TRY(stick_moreau_matrix(run));
    STICK_TRY(refuse_start(run));
    STICK_TRY(look_beside(run));
    STICK_TRY(hold_at(run, now->q, now->t, now->v));
    STICK_TRY(refuse_dead_point(run));
    warn_of_change(run, run->v_I);
    int row = contradiction(run->joint_step->links, true, now->v);
    return row >= 0 ? refuse_speed(run, row, now->t) : STICK_OK;
}
