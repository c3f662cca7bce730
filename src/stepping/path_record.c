// SPDX-License-Identifier: Apache-2.0
#include "stepping/path_record.h"

#include "base/memory.h"
#include "stepping/chatter.h"
#include "stepping/event_driven.h"
#include "stepping/steady.h"

#include <math.h>
#include <string.h>

static const double steady_to = 1e-6; // of the largest force and of the fastest sliding
static const double turned = 0.05;    // radian: a direction of sliding that is another one
static const double other_mu = 0.01;  // relative
static const double same_length = 1e-9;
static const double at_rest = 1e-6; // of the largest displacement: what slides less in an increment does not

StickStatus stick_path_record_create(StickContext *ctx, const StickSystem *system, const StickStepSpec *step,
                                     StickPathRecord **record)
{
    StickPathRecord *created;
    STICK_ALLOC(ctx, created, 1);
    created->ctx = ctx;
    created->of = &system->model->step[step->stability.of];
    created->wants = &step->stability;
    created->n = system->ndofs;
    created->dim = system->dim;
    created->nhistory = system->nhistory;
    *record = created;
    return STICK_OK;
}

void stick_path_record_destroy(StickPathRecord *record)
{
    if (!record)
        return;
    StickContext *ctx = record->ctx;
    void *block[] = {record->status, record->q,      record->history, record->touch,
                     record->last_q, record->last_r, record->end_q,   record->end_v};
    for (size_t k = 0; k < sizeof block / sizeof *block; k++)
        stick_free(ctx, block[k]);
    stick_free(ctx, record);
}

// ---- the present piece

// What the run has just gone through, from the state before.
typedef struct Piece {
    StickPathStatusRecord head;
    const StickSimulation *run;
    double slow; // speed up to which contacts of increments are at rest
} Piece;

static StickContactStatus status_of(const StickSimulation *run, int c)
{
    int slot = stick_memory_slot(&run->state.memory, &run->contacts.contact[c]);
    return run->walk ? stick_event_driven_between(run->walk, slot) : stick_simulation_status(run, c);
}

// What contacts remember is there after a resume, too.
static double tangential_force(const StickSimulation *run)
{
    const StickContactMemory *memory = &run->state.memory;
    int dim = run->system->dim;
    double sum[2] = {0, 0};
    for (int slot = 0; slot < memory->count; slot++)
        for (int k = 1; k < dim; k++)
            sum[k - 1] += memory->r[slot * dim + k];
    return dim == 3 ? hypot(sum[0], sum[1]) : sum[0];
}

// Forces and gaps as they were before, or by themselves.
static bool is_steady(const StickPathRecord *record, const StickSimulation *run)
{
    if (run->steady)
        return true;
    int dim = record->dim;
    double change = 0, force = 0, opening = 0, speed = 0;
    for (int c = 0; c < run->contacts.ncontacts; c++) {
        const double *r = &run->r[c * dim], *u = &run->u[c * dim];
        const double *before =
            &record->last_r[stick_memory_slot(&run->state.memory, &run->contacts.contact[c]) * dim];
        for (int k = 0; k < dim; k++) {
            change = fmax(change, fabs(r[k] - before[k]));
            force = fmax(force, fabs(r[k]));
            speed = fmax(speed, fabs(u[k]));
        }
        opening = fmax(opening, fabs(u[0]));
    }
    return change <= steady_to * force && opening <= steady_to * speed;
}

static bool chatters(const StickSimulation *run)
{
    for (int c = 0; c < run->contacts.ncontacts; c++)
        if (status_of(run, c) != STICK_APART &&
            stick_chatter_is(run, stick_memory_slot(&run->state.memory, &run->contacts.contact[c])))
            return true;
    return false;
}

static Piece piece_of(const StickPathRecord *record, const StickSimulation *run)
{
    double end = run->state.now.t, h = run->steady ? run->spec->step : end - record->t;
    int closed = 0;
    for (int c = 0; c < run->contacts.ncontacts; c++)
        closed += status_of(run, c) != STICK_APART;
    return (Piece){.run = run,
                   .slow = run->walk || run->steady
                               ? -1
                               : at_rest * stick_simulation_largest(run->state.now.q, record->n) / h,
                   .head = {
                       .begin = record->t,
                       .end = end,
                       .force_begin = record->force,
                       .force_end = tangential_force(run),
                       .t = run->walk ? record->t + h / 2 : end,
                       .h = h,
                       .steady = is_steady(record, run),
                       .jump = run->jumped             ? STICK_JUMP_BEGINS
                               : run->record.jumps > 0 ? STICK_JUMP_BEFORE
                                                       : STICK_JUMP_NONE,
                       .jump_time = run->record.jump_time,
                       .chatters = chatters(run),
                       .count = closed,
                   }};
}

// Where loads rest, contacts that have slid stay on their cone: they stick. Events tell so by themselves.
static bool has_stopped(const Piece *piece, const StickPathTouch *touch)
{
    return touch->status == STICK_SLIPPING && touch->mu > 0 && hypot(touch->u[1], touch->u[2]) <= piece->slow;
}

// Within a straight piece the state is that of its middle.
static StickPathTouch touch_of(const StickPathRecord *record, const Piece *piece, int c)
{
    const StickSimulation *run = piece->run;
    int dim = record->dim, slot = stick_memory_slot(&run->state.memory, &run->contacts.contact[c]);
    StickPathTouch touch = {.slot = slot, .status = status_of(run, c), .mu = run->mu[c]};
    for (int k = 0; k < dim; k++) {
        double r = run->r[c * dim + k];
        touch.r[k] = run->walk ? (r + record->last_r[slot * dim + k]) / 2 : r;
        touch.u[k] = run->u[c * dim + k];
    }
    if (has_stopped(piece, &touch))
        touch.status = STICK_STICKING;
    // friction tells the direction better than a slow motion does
    memcpy(touch.first_way, touch.mu > 0 ? &touch.r[1] : &touch.u[1], sizeof touch.first_way);
    touch.first_mu = touch.mu;
    return touch;
}

// Into place k. Of a status that goes on the contacts are in the order of before, and keep how it began.
static void fill_state(StickPathRecord *record, const Piece *piece, bool new, size_t k)
{
    const StickSimulation *run = piece->run;
    StickPathTouch *touch = record->touch + (size_t)record->status[k].first;
    double *q = record->q + k * (size_t)record->n;
    if (record->nhistory > 0)
        memcpy(record->history + k * (size_t)record->nhistory, run->state.now.history,
               (size_t)record->nhistory * sizeof *record->history);
    for (int c = 0; c < run->contacts.ncontacts; c++) {
        if (status_of(run, c) == STICK_APART)
            continue;
        StickPathTouch now = touch_of(record, piece, c);
        if (!new) {
            now.first_mu = touch->first_mu;
            memcpy(now.first_way, touch->first_way, sizeof now.first_way);
        }
        *touch++ = now;
    }
    for (int i = 0; i < record->n; i++)
        q[i] = run->walk ? (run->state.now.q[i] + record->last_q[i]) / 2 : run->state.now.q[i];
}

// ---- statuses

static double speed_of(const StickPathTouch *touch)
{
    return hypot(touch->u[1], touch->u[2]);
}

// Compared are the states in which they began: a slow change adds up until it is another status.
static bool is_same_touch(const StickPathTouch *a, const StickPathTouch *b, double slow)
{
    const double *x = a->first_way, *y = b->first_way;
    if (a->slot != b->slot || a->status != b->status ||
        fabs(a->first_mu - b->first_mu) > other_mu * fmax(a->first_mu, b->first_mu))
        return false;
    if (a->status != STICK_SLIPPING)
        return true;
    // what rests without friction has the direction of its round-off
    if (!(a->mu > 0) && fmin(speed_of(a), speed_of(b)) <= slow)
        return true;
    return x[0] * y[0] + x[1] * y[1] >= cos(turned) * hypot(x[0], x[1]) * hypot(y[0], y[1]);
}

static bool goes_on(const StickPathRecord *record, const Piece *piece)
{
    if (record->count == 0 || piece->run->jumped || piece->run->steady ||
        record->wants->at != STICK_JUDGE_STATUSES)
        return false;
    const StickPathStatusRecord *last = &record->status[record->count - 1];
    const StickPathTouch *touch = stick_path_record_touches(record, record->count - 1);
    if (last->count != piece->head.count)
        return false;
    for (int c = 0; c < piece->run->contacts.ncontacts; c++) {
        if (status_of(piece->run, c) == STICK_APART)
            continue;
        StickPathTouch now = touch_of(record, piece, c);
        if (!is_same_touch(touch++, &now, piece->slow))
            return false;
    }
    return true;
}

// It lasts on, and is judged in the last of its longest pieces.
static void extend(StickPathRecord *record, const Piece *piece)
{
    size_t k = (size_t)record->count - 1;
    StickPathStatusRecord *last = &record->status[k];
    double begin = last->begin, force = last->force_begin, first = last->first, jump = last->jump;
    last->end = piece->head.end;
    last->force_end = piece->head.force_end;
    if (piece->head.h < last->h * (1 - same_length))
        return;
    *last = piece->head;
    last->begin = begin;
    last->force_begin = force;
    last->first = first;
    last->jump = jump;
    fill_state(record, piece, false, k);
}

static StickStatus add(StickPathRecord *record, const Piece *piece)
{
    size_t k = (size_t)record->count, n = (size_t)record->n, touches = (size_t)record->ntouches,
           more = (size_t)piece->head.count;
    STICK_RESERVE(record->ctx, record->status, record->status_capacity, k + 1);
    STICK_RESERVE(record->ctx, record->q, record->q_capacity, (k + 1) * n);
    STICK_RESERVE(record->ctx, record->history, record->history_capacity, (k + 1) * (size_t)record->nhistory);
    STICK_RESERVE(record->ctx, record->touch, record->touch_capacity, touches + more);
    record->status[k] = piece->head;
    record->status[k].first = (double)touches;
    fill_state(record, piece, true, k);
    record->ntouches += (int)more;
    record->count++;
    return STICK_OK;
}

// At the start of a path there is nothing before it: its first piece tells.
static bool is_asked_for(const StickPathRecord *record, const Piece *piece)
{
    const StickStabilitySpec *wants = record->wants;
    const StickPathStatusRecord *head = &piece->head;
    double end = head->end + same_length * head->h;
    for (int k = 0; k < wants->ntimes; k++)
        if (wants->times[k] <= end &&
            (wants->times[k] > head->begin + same_length * head->h || record->t == piece->run->t_start))
            return true;
    return wants->at != STICK_JUDGE_TIMES;
}

static StickStatus add_piece(StickPathRecord *record, const StickSimulation *run)
{
    Piece piece = piece_of(record, run);
    if (!is_asked_for(record, &piece))
        return STICK_OK;
    if (goes_on(record, &piece)) {
        extend(record, &piece);
        return STICK_OK;
    }
    if (record->wants->at == STICK_JUDGE_END)
        record->count = record->ntouches = 0;
    return add(record, &piece);
}

static StickStatus note_state(StickPathRecord *record, const StickSimulation *run)
{
    size_t rows = (size_t)run->state.memory.count * (size_t)record->dim;
    if (!record->last_q)
        STICK_ALLOC(record->ctx, record->last_q, record->n);
    if (!record->last_r)
        STICK_ALLOC(record->ctx, record->last_r, rows);
    memcpy(record->last_q, run->state.now.q, (size_t)record->n * sizeof *record->last_q);
    memcpy(record->last_r, run->state.memory.r, rows * sizeof *record->last_r);
    record->force = tangential_force(run);
    record->t = run->state.now.t;
    record->seen = true;
    return STICK_OK;
}

static StickStatus note_end(StickPathRecord *record, const StickSimulation *run)
{
    double h = run->state.now.t - record->t;
    if (!record->end_q)
        STICK_ALLOC(record->ctx, record->end_q, record->n);
    if (!record->end_v)
        STICK_ALLOC(record->ctx, record->end_v, record->n);
    for (int i = 0; i < record->n; i++) {
        record->end_q[i] = run->state.now.q[i];
        record->end_v[i] = run->steady ? run->state.now.v[i] : (run->state.now.q[i] - record->last_q[i]) / h;
    }
    return STICK_OK;
}

StickStatus stick_path_record_see(StickPathRecord *record, const StickSimulation *run)
{
    bool moved = run->steady ? stick_steady_is(run) : run->state.now.t > record->t;
    if (run->spec == record->of && record->seen && moved) {
        STICK_TRY(add_piece(record, run));
        STICK_TRY(note_end(record, run));
    }
    return note_state(record, run);
}

// Depths that are not recovered are those of the contacts as they are found: none of them is known.
StickStatus stick_path_record_place(const StickPathRecord *record, int k, StickSimulation *run)
{
    const StickPathTouch *touch = stick_path_record_touches(record, k);
    StickContactMemory *memory = &run->state.memory;
    StickMotion *now = &run->state.now;
    size_t n = (size_t)record->n, slots = (size_t)memory->count, dim = (size_t)record->dim;
    now->t = record->status[k].t;
    run->t_start = run->spec->end - run->spec->step * run->spec->increments;
    memcpy(now->q, record->q + (size_t)k * n, n * sizeof *now->q);
    memset(now->v, 0, n * sizeof *now->v);
    if (record->nhistory > 0)
        memcpy(now->history, record->history + (size_t)k * (size_t)record->nhistory,
               (size_t)record->nhistory * sizeof *now->history);
    memset(memory->r, 0, slots * dim * sizeof *memory->r);
    memset(memory->mu, 0, slots * sizeof *memory->mu);
    memset(memory->known, 0, slots * sizeof *memory->known);
    for (int j = 0; j < (int)record->status[k].count; j++) {
        size_t slot = (size_t)touch[j].slot;
        memcpy(&memory->r[slot * dim], touch[j].r, dim * sizeof *memory->r);
        memory->mu[slot] = touch[j].mu;
    }
    return stick_simulation_refresh(run);
}
