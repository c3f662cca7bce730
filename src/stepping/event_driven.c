// SPDX-License-Identifier: Apache-2.0
#include "stepping/event_driven.h"

#include "base/clock.h"
#include "base/memory.h"
#include "bodies/products.h"
#include "contact/laws.h"
#include "stepping/contact_problem.h"
#include "stepping/linearity.h"
#include "stepping/quasistatic.h"
#include "stepping/responses.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { FEW_HALVES = 6, MOST_HALVES = 40 };

static const double same_way = 1e-9; // of the piece: events nearer than this are one state
static const double balanced = 1e-7; // what may be out of balance at the start, relative

struct StickEventDriven {
    StickContext *ctx;
    StickPathFollowing *path;
    StickContactSet set; // all that may ever touch
    double *q, *r;       // at the start of the piece: ndofs, and slots x dim
    double t0, t1;
    double part_end; // of the increment, when the piece is done
    bool walked;     // the states below are those of the present piece
    // per contact of the set
    double *gap, *mu, *b, *r0;
    StickPathFollowingContact *at_start; // status just behind the start of the piece ...
    StickContactStatus *before;          // ... and just before it
    bool started;                        // what differs was heard
    size_t gap_capacity, mu_capacity, b_capacity, r0_capacity, at_start_capacity, before_capacity;
    // the states on the way
    int nstates;
    double *s;                        // nstates
    double *state_r;                  // nstates x (dim x ncontacts)
    StickPathFollowingStatus *status; // nstates x ncontacts
    int *first;                       // nstates: the first event of each
    size_t s_capacity, state_r_capacity, status_capacity, first_capacity;
    StickPathEvent *event;
    int nevents;
    size_t event_capacity;
    StickStatus heard; // of an observer that found no memory
    StickPathFollowingInfo info;
    // the present state of the run
    double *present;             // slots: StickContactStatus
    StickContactStatus *between; // slots: on the way to it from the state before
    int present_first, present_count;
    double *F0, *F1, *work;   // ndofs
    double *dq;               // ndofs: of the whole piece if nothing touched
    StickResponses responses; // to the forces that balance the start, then to those of the states
};

// ---- what can be followed

static StickStatus refuse(StickSimulation *run, StickMark mark, const char *why)
{
    return stick_fail_at(run->ctx, STICK_BAD_INPUT, mark.line > 0 ? mark : run->spec->mark,
                         "step '%s' cannot follow events: %s; take 'follow: increments'", run->spec->name,
                         why);
}

static StickStatus check_model(StickSimulation *run)
{
    const StickModel *model = run->system->model;
    const StickMark nowhere = {0};
    if (run->hold)
        return refuse(run, nowhere, "a force is held");
    if (stick_pairs_turn(run->pairs))
        return refuse(run, nowhere, "there are contacts with other things than planes");
    for (int k = 0; k < model->ncontacts; k++) {
        StickExpression *friction = model->contact[k].law.friction;
        double mu = 0;
        if (friction && !stick_expression_is_constant(friction))
            return refuse(run, model->contact[k].mark, "friction is not constant");
        if (friction)
            STICK_TRY(stick_expression_value(friction, NULL, &mu));
        if (run->system->dim == 3 && mu > 0)
            return refuse(run, model->contact[k].mark, "there is friction in space");
    }
    return STICK_OK;
}

static StickStatus fill(StickEventDriven *walk, StickSimulation *run)
{
    int n = run->state.n, slots = run->state.memory.count;
    double **vector[] = {&walk->q, &walk->F0, &walk->F1, &walk->dq, &walk->work};
    for (size_t k = 0; k < sizeof vector / sizeof *vector; k++)
        STICK_ALLOC(walk->ctx, *vector[k], n);
    STICK_ALLOC(walk->ctx, walk->r, (size_t)slots * (size_t)run->system->dim);
    STICK_ALLOC(walk->ctx, walk->present, slots);
    STICK_ALLOC(walk->ctx, walk->between, slots);
    return STICK_OK;
}

// K q - F holds the start, which need not be in balance to the last digit; then H r.
static StickStatus forces_of_state(void *user, int state, double *p)
{
    StickEventDriven *walk = user;
    const StickSystem *system = walk->responses.system;
    if (state > 0) {
        size_t rows = (size_t)walk->set.dim * (size_t)walk->set.ncontacts;
        stick_contact_scatter(&walk->set, walk->state_r + (size_t)(state - 1) * rows, STICK_WHOLE, p);
        return STICK_OK;
    }
    memcpy(walk->work, walk->q, (size_t)system->ndofs * sizeof *walk->work);
    stick_system_stiffness(system, walk->work, p);
    for (int i = 0; i < system->ndofs; i++)
        p[i] -= walk->F0[i];
    return STICK_OK;
}

StickStatus stick_event_driven_create(StickSimulation *run, StickEventDriven **walk)
{
    StickEventDriven *created;
    STICK_TRY(check_model(run));
    STICK_ALLOC(run->ctx, created, 1);
    created->ctx = run->ctx;
    created->responses = (StickResponses){.ctx = run->ctx,
                                          .system = run->system,
                                          .matrix = run->matrix,
                                          .forces = forces_of_state,
                                          .user = created};
    StickStatus status = fill(created, run);
    if (status != STICK_OK) {
        stick_event_driven_destroy(created);
        return status;
    }
    *walk = created;
    return STICK_OK;
}

void stick_event_driven_destroy(StickEventDriven *walk)
{
    if (!walk)
        return;
    StickContext *ctx = walk->ctx;
    void *block[] = {walk->q,      walk->r,      walk->gap,      walk->mu,      walk->b,
                     walk->r0,     walk->before, walk->at_start, walk->s,       walk->state_r,
                     walk->status, walk->first,  walk->event,    walk->present, walk->F0,
                     walk->F1,     walk->dq,     walk->between,  walk->work};
    for (size_t k = 0; k < sizeof block / sizeof *block; k++)
        stick_free(ctx, block[k]);
    stick_path_following_destroy(walk->path);
    stick_responses_destroy(&walk->responses);
    stick_contact_set_destroy(ctx, &walk->set);
    stick_free(ctx, walk);
}

double *stick_event_driven_start_q(StickEventDriven *walk)
{
    return walk->q;
}

double *stick_event_driven_start_r(StickEventDriven *walk)
{
    return walk->r;
}

double *stick_event_driven_statuses(StickEventDriven *walk)
{
    return walk->present;
}

// ---- pieces on which all that is prescribed is linear

static StickLinearity linearity_of(StickEventDriven *walk)
{
    return (StickLinearity){.q = walk->q, .F0 = walk->F0, .F1 = walk->F1, .whole = &walk->set};
}

// The next piece, as long as may be.
static StickStatus choose_piece(StickEventDriven *walk, StickSimulation *run)
{
    StickAdvance *advance = &run->advance;
    for (;;) {
        StickLinearity linearity = linearity_of(walk);
        bool linear, curve = false;
        walk->part_end = advance->part + ldexp(1, -(int)advance->level);
        walk->t0 = stick_quasistatic_time(run, advance->piece, advance->part);
        walk->t1 = stick_quasistatic_time(run, advance->piece, walk->part_end);
        STICK_TRY(stick_linearity_check(&linearity, run, walk->t0, walk->t1, &linear));
        if (linear)
            return STICK_OK;
        if (advance->level >= FEW_HALVES)
            STICK_TRY(stick_linearity_is_curve(&linearity, run, walk->t0, walk->t1, &curve));
        if (curve || advance->level == MOST_HALVES)
            return refuse(run, (StickMark){0},
                          "loads or prescribed motions do not vary linearly piece by piece");
        advance->level++;
        advance->good = 0;
    }
}

// ---- the walk through a piece

// Hears of events; the states themselves come with them.
static StickStatus add_state(StickEventDriven *walk, double s, const StickPathFollowing *path)
{
    size_t n = (size_t)walk->set.ncontacts, rows = n * (size_t)walk->set.dim, k = (size_t)walk->nstates;
    STICK_RESERVE(walk->ctx, walk->s, walk->s_capacity, k + 1);
    STICK_RESERVE(walk->ctx, walk->first, walk->first_capacity, k + 1);
    STICK_RESERVE(walk->ctx, walk->state_r, walk->state_r_capacity, (k + 1) * rows);
    STICK_RESERVE(walk->ctx, walk->status, walk->status_capacity, (k + 1) * n);
    walk->s[k] = s;
    walk->first[k] = k == 0 ? 0 : walk->nevents;
    stick_path_following_state(path, walk->state_r + k * rows, NULL, NULL);
    walk->nstates++;
    return STICK_OK;
}

static void note_status(StickEventDriven *walk, const StickPathFollowing *path)
{
    size_t n = (size_t)walk->set.ncontacts;
    StickPathFollowingStatus *status = walk->status + (size_t)(walk->nstates - 1) * n;
    for (size_t c = 0; c < n; c++)
        status[c] = stick_path_following_contact(path, (int)c).status;
}

static StickContactStatus status_of(const StickEventDriven *walk, StickPathFollowingStatus status)
{
    static const StickContactStatus words[] = {STICK_APART, STICK_STICKING, STICK_SLIPPING};
    bool line = walk->set.dim == 1 && status == STICK_PATH_FOLLOWING_SLIPPING;
    return line ? STICK_STICKING : words[status];
}

static StickStatus add_event(StickEventDriven *walk, double s, int c, StickContactStatus from,
                             StickPathFollowingContact to)
{
    STICK_RESERVE(walk->ctx, walk->event, walk->event_capacity, walk->nevents + 1);
    StickPathEvent *kept = &walk->event[walk->nevents++];
    *kept = (StickPathEvent){
        .t = walk->t0 + s * (walk->t1 - walk->t0),
        .pair = walk->set.contact[c].pair,
        .node = walk->set.contact[c].node,
        .from = from,
        .to = status_of(walk, to.status),
        .direction = to.direction,
    };
    return STICK_OK;
}

// What changes at s = 0 belongs to the state that is there already, and comes with the next one. The path begins
// without knowing what slips: what is only found out there is no event.
static StickStatus add_start_events(StickEventDriven *walk)
{
    int count[3] = {0};
    if (walk->started)
        return STICK_OK;
    walk->started = true;
    for (int c = 0; c < walk->set.ncontacts; c++) {
        count[walk->at_start[c].status]++;
        if (status_of(walk, walk->at_start[c].status) != walk->before[c])
            STICK_TRY(add_event(walk, 0, c, walk->before[c], walk->at_start[c]));
    }
    for (int k = 0; k < walk->nevents; k++)
        memcpy(walk->event[k].count, count, sizeof count);
    return STICK_OK;
}

static StickStatus hear(StickEventDriven *walk, const StickPathFollowingEvent *event)
{
    if (event->s <= same_way) {
        walk->at_start[event->contact] = event->to;
        return STICK_OK;
    }
    STICK_TRY(add_start_events(walk));
    if (walk->nstates == 0 || event->s > walk->s[walk->nstates - 1] + same_way)
        STICK_TRY(add_state(walk, event->s, walk->path));
    note_status(walk, walk->path);
    STICK_TRY(add_event(walk, event->s, event->contact, status_of(walk, event->from.status), event->to));
    stick_path_following_count(walk->path, walk->event[walk->nevents - 1].count);
    return STICK_OK;
}

static void on_event(void *user, const StickPathFollowingEvent *event)
{
    StickEventDriven *walk = user;
    if (walk->heard == STICK_OK)
        walk->heard = hear(walk, event);
}

static StickStatus reserve(StickEventDriven *walk)
{
    size_t n = (size_t)walk->set.ncontacts, rows = n * (size_t)walk->set.dim;
    STICK_RESERVE(walk->ctx, walk->gap, walk->gap_capacity, n);
    STICK_RESERVE(walk->ctx, walk->mu, walk->mu_capacity, n);
    STICK_RESERVE(walk->ctx, walk->at_start, walk->at_start_capacity, n);
    STICK_RESERVE(walk->ctx, walk->before, walk->before_capacity, n);
    STICK_RESERVE(walk->ctx, walk->b, walk->b_capacity, rows);
    STICK_RESERVE(walk->ctx, walk->r0, walk->r0_capacity, rows);
    return STICK_OK;
}

// b = H' dq + u_drive, with K dq = F(t1) - F(t0) and the ways of the supports.
static StickStatus find_rates(StickEventDriven *walk, StickSimulation *run)
{
    const StickContactSet *set = &walk->set;
    double h = walk->t1 - walk->t0;
    for (int i = 0; i < run->state.n; i++)
        run->rhs[i] = walk->F1[i] - walk->F0[i];
    for (int k = 0; k < run->supports.count; k++) {
        const StickSupport *support = &run->supports.support[k];
        double start, end;
        STICK_TRY(stick_support_value(support, walk->t0, &start));
        STICK_TRY(stick_support_value(support, walk->t1, &end));
        walk->dq[support->dof] = support->displacement ? end - start : h * start;
    }
    STICK_TRY(stick_step_matrix_solve(run->matrix, run->rhs, walk->dq));
    stick_contact_velocity(set, walk->dq, walk->b);
    for (int c = 0; c < set->ncontacts; c++)
        for (int k = 0; k < set->dim; k++)
            walk->b[c * set->dim + k] += h * set->contact[c].u_drive[k];
    return STICK_OK;
}

static bool is_first(const StickSimulation *run)
{
    return run->advance.piece == 0 && run->advance.part == 0 && run->advance.taken == 0;
}

// Forces, gaps, friction and statuses at the start of the piece.
static StickStatus find_start(StickEventDriven *walk, StickSimulation *run)
{
    const StickContactMemory *memory = &run->state.memory;
    StickContactSet *set = &walk->set;
    int dim = set->dim;
    STICK_TRY(stick_step_laws_friction(run, set, &(StickSight){.t = walk->t1}, walk->mu));
    for (int c = 0; c < set->ncontacts; c++) {
        int slot = stick_memory_slot(memory, &set->contact[c]);
        double depth = memory->known[slot] > 0 ? memory->depth[slot] : fmin(0, set->contact[c].gap);
        double *r = &walk->r0[c * dim];
        memcpy(r, &walk->r[slot * dim], (size_t)dim * sizeof *r);
        walk->gap[c] = r[0] > 0 ? 0 : fmax(0, set->contact[c].gap - depth);
        // round-off of the forces is cut off at the cone
        if (dim == 2 && fabs(r[1]) > walk->mu[c] * r[0])
            r[1] = copysign(walk->mu[c] * r[0], r[1]);
        if (is_first(run))
            walk->present[slot] = stick_simulation_status_of(dim, r, walk->mu[c]);
        walk->before[c] = (StickContactStatus)walk->present[slot];
    }
    return STICK_OK;
}

// Supports must stand where they are prescribed, and forces must balance: the path is one of equilibria.
static StickStatus check_start(StickEventDriven *walk, StickSimulation *run)
{
    double off = 0, size = 0, way = 0, most = 0;
    for (int k = 0; k < run->supports.count; k++) {
        const StickSupport *support = &run->supports.support[k];
        double start, end;
        STICK_TRY(stick_support_value(support, walk->t0, &start));
        STICK_TRY(stick_support_value(support, walk->t1, &end));
        way = fmax(way, support->displacement ? fabs(start - walk->q[support->dof]) : 0);
        most = fmax(most, support->displacement ? fmax(fabs(start), fabs(end)) : 0);
    }
    memset(walk->dq, 0, (size_t)run->state.n * sizeof *walk->dq);
    stick_contact_scatter(&walk->set, walk->r0, STICK_WHOLE, walk->dq);
    memcpy(run->work, walk->q, (size_t)run->state.n * sizeof *run->work);
    stick_system_stiffness(run->system, run->work, run->rhs);
    for (int i = 0; i < run->state.n; i++) {
        if (!run->prescribed[i])
            off = fmax(off, fabs(run->rhs[i] - walk->F0[i] - walk->dq[i]));
        size = fmax(size, fmax(fabs(walk->F1[i]), fabs(run->rhs[i])));
        size = fmax(size, run->stiffness[i] * fabs(walk->q[i]));
    }
    if (off <= balanced * size && way <= balanced * most)
        return STICK_OK;
    return refuse(run, (StickMark){0},
                  "at its start forces are not balanced or supports not where they are prescribed (let loads "
                  "start at zero, or give it a step of one increment before it)");
}

static StickStatus make_path(StickEventDriven *walk, StickSimulation *run, double *clock)
{
    const StickBlocks *W;
    STICK_TRY(stick_delassus_blocks(run->delassus, &walk->set, &W));
    stick_contact_problem_clock(clock, &run->phases.condense);
    StickFrictionProblem problem = {
        .dim = walk->set.dim, .ncontacts = walk->set.ncontacts, .W = W, .mu = walk->mu};
    stick_path_following_destroy(walk->path);
    walk->path = NULL;
    return stick_path_following_create(walk->ctx, &problem, &walk->path);
}

// All states of the piece. A piece without contacts has one, its end.
static StickStatus follow(StickEventDriven *walk)
{
    StickPathFollowingObserver observer = {.event = on_event, .user = walk};
    walk->nstates = walk->nevents = 0;
    walk->heard = STICK_OK;
    walk->started = false;
    STICK_TRY(stick_path_following_start(walk->path, walk->r0, walk->gap, NULL));
    for (int c = 0; c < walk->set.ncontacts; c++)
        walk->at_start[c] = stick_path_following_contact(walk->path, c);
    STICK_TRY(stick_path_following_follow(walk->path, walk->b, 1, &observer, &walk->info));
    STICK_TRY(walk->heard);
    STICK_TRY(add_start_events(walk));
    // a path that ends before has its last state there
    double end = walk->info.end == STICK_PATH_FOLLOWING_DONE ? 1 : walk->info.s;
    double reached = walk->nstates > 0 ? walk->s[walk->nstates - 1] : 0;
    if (end < 1 && end <= reached + same_way)
        return STICK_OK;
    if (reached > end - same_way)
        walk->s[walk->nstates - 1] = end;
    else
        STICK_TRY(add_state(walk, end, walk->path));
    note_status(walk, walk->path);
    return STICK_OK;
}

// The present state is the start of a piece, unless a run was resumed on its way through it.
static StickStatus walk_piece(StickEventDriven *walk, StickSimulation *run)
{
    if (run->advance.taken == 0) {
        memcpy(walk->q, run->state.now.q, (size_t)run->state.n * sizeof *walk->q);
        memcpy(walk->r, run->state.memory.r,
               (size_t)(run->state.memory.count * run->system->dim) * sizeof *walk->r);
    }
    double clock = stick_clock_cpu();
    STICK_TRY(stick_step_matrix_set(run->matrix, 0, 0, 1));
    stick_contact_problem_clock(&clock, &run->phases.matrix);
    STICK_TRY(choose_piece(walk, run));
    StickDetection where = {.t = walk->t0, .h = walk->t1 - walk->t0, .q = walk->q, .all = true};
    STICK_TRY(stick_pairs_detect(run->pairs, &where, &walk->set));
    STICK_TRY(reserve(walk));
    STICK_TRY(find_start(walk, run));
    STICK_TRY(check_start(walk, run));
    stick_contact_problem_clock(&clock, &run->phases.detect);
    STICK_TRY(find_rates(walk, run));
    stick_contact_problem_clock(&clock, &run->phases.free);
    STICK_TRY(make_path(walk, run, &clock));
    STICK_TRY(follow(walk));
    stick_responses_begin(&walk->responses, walk->nstates + 1);
    stick_contact_problem_clock(&clock, &run->phases.solve);
    walk->walked = true;
    return STICK_OK;
}

// ---- state by state

static StickStatus refuse_end(StickEventDriven *walk, StickSimulation *run)
{
    char name[STICK_CONTACT_NAME] = "";
    if (walk->info.contact >= 0 && walk->info.contact < walk->set.ncontacts)
        stick_simulation_contact_name(run, &walk->set.contact[walk->info.contact], name);
    run->trying = run->has_problem = false;
    return stick_simulation_refuse(
        run, "t = %.9g: %s%s; what follows is no equilibrium, see it by a dynamic step",
        walk->t0 + walk->info.s * (walk->t1 - walk->t0), stick_path_following_end_word(walk->info.end), name);
}

StickStatus stick_event_driven_forces(StickEventDriven *walk, StickSimulation *run)
{
    int dim = walk->set.dim, state = (int)run->advance.taken;
    size_t rows = (size_t)(dim * walk->set.ncontacts);
    const double *r = walk->state_r + (size_t)state * rows;
    run->info = (StickSolveInfo){.end = STICK_SOLVE_CONVERGED};
    run->has_problem = true;
    if (run->contacts.ncontacts == 0)
        return STICK_OK;
    stick_contact_problem_keep(run, &walk->set, r);
    stick_contact_problem_fetch(run);
    memcpy(run->guess, run->r, rows * sizeof *r);
    StickFrictionProblem problem = stick_simulation_problem(run);
    stick_friction_apply(&problem, run->r, run->u);
    for (size_t i = 0; i < rows; i++)
        run->u[i] += run->u_free[i];
    return STICK_OK;
}

// K dq_free = F(s) - K q by its parts: the load since the state before, without the forces that held that one.
StickStatus stick_event_driven_free(StickEventDriven *walk, StickSimulation *run)
{
    int state = (int)run->advance.taken;
    double ds = walk->s[state] - (state > 0 ? walk->s[state - 1] : 0);
    const double *before, *z;
    STICK_TRY(stick_responses_get(&walk->responses, state + 1, &before, &z));
    for (int i = 0; i < run->state.n; i++)
        run->dq_free[i] = ds * walk->dq[i] - before[i];
    return stick_quasistatic_supports(run, run->state.next.t, run->dq_free);
}

StickStatus stick_event_driven_apply(StickEventDriven *walk, StickSimulation *run)
{
    const double *before, *z;
    stick_contact_problem_press(run);
    STICK_TRY(stick_responses_get(&walk->responses, (int)run->advance.taken + 1, &before, &z));
    for (int i = 0; i < run->state.n; i++)
        run->state.next.v[i] += z[i];
    return STICK_OK;
}

static void note_present(StickEventDriven *walk, StickSimulation *run, int state)
{
    size_t n = (size_t)walk->set.ncontacts;
    for (size_t c = 0; c < n; c++) {
        int slot = stick_memory_slot(&run->state.memory, &walk->set.contact[c]);
        StickPathFollowingStatus before =
            state > 0 ? walk->status[(size_t)(state - 1) * n + c] : walk->at_start[c].status;
        walk->between[slot] = status_of(walk, before);
        walk->present[slot] = status_of(walk, walk->status[(size_t)state * n + c]);
    }
    walk->present_first = walk->first[state];
    walk->present_count =
        (state + 1 < walk->nstates ? walk->first[state + 1] : walk->nevents) - walk->present_first;
    run->record.events += walk->present_count;
}

// The piece is done: the next one is tried as long as fits, for whether it is linear costs little to find out.
static void end_piece(StickEventDriven *walk, StickAdvance *advance)
{
    stick_advance_accept(advance, walk->part_end);
    while (advance->level > 0 && fmod(ldexp(advance->part, (int)advance->level), 2) == 0)
        advance->level--;
    advance->taken = 0;
    walk->walked = false;
}

StickStatus stick_event_driven_step(StickEventDriven *walk, StickSimulation *run)
{
    if (!walk->walked)
        STICK_TRY(walk_piece(walk, run));
    int state = (int)run->advance.taken;
    if (state >= walk->nstates)
        return refuse_end(walk, run);
    bool last = walk->s[state] == 1;
    run->state.next.t = last ? walk->t1 : walk->t0 + walk->s[state] * (walk->t1 - walk->t0);
    StickStatus status = stick_quasistatic_increment(run);
    if (status == STICK_NOT_SOLVED) {
        char reason[STICK_REASON];
        snprintf(reason, sizeof reason, "%s", run->reason);
        run->trying = false;
        return stick_simulation_refuse(run, "%s", reason);
    }
    STICK_TRY(status);
    note_present(walk, run, state);
    run->advance.taken++;
    if (last)
        end_piece(walk, &run->advance);
    return STICK_OK;
}

StickContactStatus stick_event_driven_status(const StickEventDriven *walk, int slot)
{
    return (StickContactStatus)walk->present[slot];
}

StickContactStatus stick_event_driven_between(const StickEventDriven *walk, int slot)
{
    return walk->between[slot];
}

int stick_event_driven_events(const StickEventDriven *walk, const StickPathEvent **event)
{
    *event = walk->present_count > 0 ? walk->event + walk->present_first : NULL;
    return walk->present_count;
}
