// SPDX-License-Identifier: Apache-2.0
#include "output/restart.h"

#include "base/memory.h"
#include "stepping/event_driven.h"
#include "stepping/trajectory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct Vector {
    const char *name;
    double *values;
} Vector;

enum { VECTORS = 8, MEMORIES = 8, SCALARS = 5 };

// Over the degrees of freedom, what a step cannot compute anew with the same bits.
static void list_vectors(const StickMotion *now, Vector vector[VECTORS])
{
    const Vector all[VECTORS] = {
        {"motion/q", now->q},
        {"motion/v", now->v},
        {"motion/a", now->a},
        {"motion/Ma", now->Ma},
        {"motion/contact_N", now->contact_N},
        {"motion/contact_T", now->contact_T},
        {"motion/reaction", now->reaction},
        {"motion/kick", now->kick},
    };
    for (int k = 0; k < VECTORS; k++)
        vector[k] = all[k];
}

// What contacts remember, one number by slot; their forces have more.
static void list_memory(const StickContactMemory *memory, Vector vector[MEMORIES])
{
    const Vector all[MEMORIES] = {
        {"memory/speed", memory->speed},     {"memory/pressure", memory->pressure},
        {"memory/known", memory->known},     {"memory/depth", memory->depth},
        {"memory/mu", memory->mu},           {"memory/turns", memory->turns},
        {"memory/closing", memory->closing}, {"memory/kept", memory->kept},
    };
    for (int k = 0; k < MEMORIES; k++)
        vector[k] = all[k];
}

// ---- contacts of rigid bodies

enum { KEY_VALUES = 4, KEPT_VALUES = 20 };

static StickStatus put_keyed(StickCheckpointWriter *writer, StickContext *ctx,
                             const StickContactMemory *memory)
{
    size_t n = (size_t)memory->nkeyed;
    int64_t *key = stick_alloc(ctx, n * KEY_VALUES, sizeof *key);
    double *kept = stick_alloc(ctx, n * KEPT_VALUES, sizeof *kept);
    for (size_t k = 0; k < n && key && kept; k++) {
        const StickKeyedMemory *from = &memory->keyed[k];
        const int64_t all[] = {from->key.a, from->key.b, from->key.shapes, from->key.feature};
        memcpy(&key[k * KEY_VALUES], all, sizeof all);
        memcpy(&kept[k * KEPT_VALUES], from->r, sizeof from->r);
        kept[k * KEPT_VALUES + 3] = from->speed;
        kept[k * KEPT_VALUES + 4] = from->state;
        kept[k * KEPT_VALUES + 5] = from->held;
        kept[k * KEPT_VALUES + 6] = from->depth;
        kept[k * KEPT_VALUES + 7] = from->closing;
        kept[k * KEPT_VALUES + 17] = from->kept;
        kept[k * KEPT_VALUES + 18] = from->settled;
        kept[k * KEPT_VALUES + 19] = from->hit;
        memcpy(&kept[k * KEPT_VALUES + 8], from->at_a, sizeof from->at_a);
        memcpy(&kept[k * KEPT_VALUES + 11], from->at_b, sizeof from->at_b);
        memcpy(&kept[k * KEPT_VALUES + 14], from->normal, sizeof from->normal);
    }
    StickStatus status = key && kept ? STICK_OK : STICK_NO_MEMORY;
    if (status == STICK_OK)
        status = stick_checkpoint_put_integers(writer, "memory/keys", key, n * KEY_VALUES);
    if (status == STICK_OK)
        status = stick_checkpoint_put_doubles(writer, "memory/keyed", kept, n * KEPT_VALUES);
    stick_free(ctx, key);
    stick_free(ctx, kept);
    return status;
}

static void take_keyed(const int64_t *key, const double *kept, size_t n, StickContactMemory *memory)
{
    for (size_t k = 0; k < n; k++) {
        const int64_t *at = &key[k * KEY_VALUES];
        StickKeyedMemory *to = &memory->keyed[k];
        to->key = (StickContactKey){(int)at[0], (int)at[1], (uint32_t)at[2], (uint32_t)at[3]};
        memcpy(to->r, &kept[k * KEPT_VALUES], sizeof to->r);
        to->speed = kept[k * KEPT_VALUES + 3];
        to->state = kept[k * KEPT_VALUES + 4];
        to->held = kept[k * KEPT_VALUES + 5];
        to->depth = kept[k * KEPT_VALUES + 6];
        to->closing = kept[k * KEPT_VALUES + 7];
        to->kept = kept[k * KEPT_VALUES + 17];
        to->settled = kept[k * KEPT_VALUES + 18];
        to->hit = kept[k * KEPT_VALUES + 19];
        memcpy(to->at_a, &kept[k * KEPT_VALUES + 8], sizeof to->at_a);
        memcpy(to->at_b, &kept[k * KEPT_VALUES + 11], sizeof to->at_b);
        memcpy(to->normal, &kept[k * KEPT_VALUES + 14], sizeof to->normal);
    }
    memory->nkeyed = (int)n;
}

static StickStatus get_keyed(const StickCheckpoint *checkpoint, StickContext *ctx, StickContactMemory *memory)
{
    size_t values;
    STICK_TRY(stick_checkpoint_count(checkpoint, "memory/keys", &values));
    size_t n = values / KEY_VALUES;
    STICK_RESERVE(ctx, memory->keyed, memory->keyed_capacity, n);
    int64_t *key = stick_alloc(ctx, n * KEY_VALUES, sizeof *key);
    double *kept = stick_alloc(ctx, n * KEPT_VALUES, sizeof *kept);
    StickStatus status = key && kept ? STICK_OK : STICK_NO_MEMORY;
    if (status == STICK_OK)
        status = stick_checkpoint_get_integers(checkpoint, "memory/keys", key, n * KEY_VALUES);
    if (status == STICK_OK)
        status = stick_checkpoint_get_doubles(checkpoint, "memory/keyed", kept, n * KEPT_VALUES);
    if (status == STICK_OK)
        take_keyed(key, kept, n, memory);
    stick_free(ctx, key);
    stick_free(ctx, kept);
    return status;
}

// ---- bodies under finite deformation

// Forces that depend on the past cannot be computed anew with the same bits.
static StickStatus get_finite(const StickCheckpoint *checkpoint, StickSimulation *run)
{
    StickMotion *now = &run->state.now;
    STICK_TRY(stick_checkpoint_get_doubles(checkpoint, "finite/history", now->history,
                                           (size_t)run->system->nhistory));
    STICK_TRY(stick_simulation_refresh(run));
    STICK_TRY(stick_checkpoint_get_doubles(checkpoint, "finite/stored", &now->stored, 1));
    return stick_checkpoint_get_doubles(checkpoint, "finite/forces", now->Kq, (size_t)run->state.n);
}

// ---- positions of a trajectory

// Of a trajectory: the last position and the one before it, each its flag and time, theta and u.
static const char *const past_names[2][3] = {
    {"trajectory/now/t", "trajectory/now/theta", "trajectory/now/u"},
    {"trajectory/before/t", "trajectory/before/theta", "trajectory/before/u"}};

static StickStatus put_trajectory(StickCheckpointWriter *writer, const StickSimulation *run)
{
    const StickTrajectory *trajectory = run->trajectory;
    size_t n = (size_t)run->state.n, motions = (size_t)trajectory->frames.nmotions;
    const StickTrajectoryHistory *past[2] = {&trajectory->now, &trajectory->before};
    for (int k = 0; k < 2; k++) {
        double when[2] = {past[k]->known, past[k]->t};
        STICK_TRY(stick_checkpoint_put_doubles(writer, past_names[k][0], when, 2));
        STICK_TRY(stick_checkpoint_put_doubles(writer, past_names[k][1], past[k]->theta, motions));
        STICK_TRY(stick_checkpoint_put_doubles(writer, past_names[k][2], past[k]->u, n));
    }
    return STICK_OK;
}

static StickStatus get_trajectory(const StickCheckpoint *checkpoint, StickSimulation *run)
{
    StickTrajectory *trajectory = run->trajectory;
    size_t n = (size_t)run->state.n, motions = (size_t)trajectory->frames.nmotions;
    StickTrajectoryHistory *past[2] = {&trajectory->now, &trajectory->before};
    for (int k = 0; k < 2; k++) {
        double when[2];
        STICK_TRY(stick_checkpoint_get_doubles(checkpoint, past_names[k][0], when, 2));
        STICK_TRY(stick_checkpoint_get_doubles(checkpoint, past_names[k][1], past[k]->theta, motions));
        STICK_TRY(stick_checkpoint_get_doubles(checkpoint, past_names[k][2], past[k]->u, n));
        past[k]->known = when[0], past[k]->t = when[1];
    }
    memcpy(trajectory->u, trajectory->now.u, n * sizeof *trajectory->u);
    return STICK_OK;
}

// ---- all

StickStatus stick_restart_put(StickCheckpointWriter *writer, const StickSimulation *run)
{
    const StickMotion *now = &run->state.now;
    const StickContactMemory *memory = &run->state.memory;
    size_t n = (size_t)run->state.n, slots = (size_t)memory->count, dim = (size_t)run->system->dim;
    Vector vector[VECTORS], kept[MEMORIES];
    list_vectors(now, vector);
    list_memory(memory, kept);
    for (int k = 0; k < VECTORS; k++)
        STICK_TRY(stick_checkpoint_put_doubles(writer, vector[k].name, vector[k].values, n));
    double scalars[SCALARS] = {run->t_start, now->t, now->drive_N, now->drive_T, (double)run->state.step};
    STICK_TRY(stick_checkpoint_put_doubles(writer, "scalars", scalars, SCALARS));
    STICK_TRY(stick_checkpoint_put_doubles(writer, "memory/r", memory->r, slots * dim));
    for (int k = 0; k < MEMORIES; k++)
        STICK_TRY(stick_checkpoint_put_doubles(writer, kept[k].name, kept[k].values, slots));
    if (run->system->nrigid > 0)
        STICK_TRY(put_keyed(writer, run->ctx, memory));
    STICK_TRY(stick_checkpoint_put_doubles(writer, "advance", (const double *)&run->advance,
                                           sizeof run->advance / sizeof(double)));
    STICK_TRY(stick_checkpoint_put_doubles(writer, "ledger", (const double *)&run->ledger,
                                           sizeof run->ledger / sizeof(double)));
    if (run->trajectory)
        STICK_TRY(put_trajectory(writer, run));
    if (run->newton_contact) {
        STICK_TRY(stick_checkpoint_put_doubles(writer, "finite/forces", now->Kq, n));
        STICK_TRY(stick_checkpoint_put_doubles(writer, "finite/stored", &now->stored, 1));
        STICK_TRY(stick_checkpoint_put_doubles(writer, "finite/history", now->history,
                                               (size_t)run->system->nhistory));
    }
    if (run->walk) {
        STICK_TRY(stick_checkpoint_put_doubles(writer, "walk/q", stick_event_driven_start_q(run->walk), n));
        STICK_TRY(stick_checkpoint_put_doubles(writer, "walk/r", stick_event_driven_start_r(run->walk),
                                               slots * dim));
        STICK_TRY(stick_checkpoint_put_doubles(writer, "walk/status", stick_event_driven_statuses(run->walk),
                                               slots));
    }
    return stick_checkpoint_put_doubles(writer, "record", (const double *)&run->record,
                                        sizeof run->record / sizeof(double));
}

StickStatus stick_restart_get(const StickCheckpoint *checkpoint, StickSimulation *run)
{
    StickMotion *now = &run->state.now;
    StickContactMemory *memory = &run->state.memory;
    size_t n = (size_t)run->state.n, slots = (size_t)memory->count, dim = (size_t)run->system->dim;
    Vector vector[VECTORS], kept[MEMORIES];
    list_vectors(now, vector);
    list_memory(memory, kept);
    for (int k = 0; k < VECTORS; k++)
        STICK_TRY(stick_checkpoint_get_doubles(checkpoint, vector[k].name, vector[k].values, n));
    double scalars[SCALARS];
    STICK_TRY(stick_checkpoint_get_doubles(checkpoint, "scalars", scalars, SCALARS));
    STICK_TRY(stick_checkpoint_get_doubles(checkpoint, "memory/r", memory->r, slots * dim));
    for (int k = 0; k < MEMORIES; k++)
        STICK_TRY(stick_checkpoint_get_doubles(checkpoint, kept[k].name, kept[k].values, slots));
    if (run->system->nrigid > 0)
        STICK_TRY(get_keyed(checkpoint, run->ctx, memory));
    STICK_TRY(stick_checkpoint_get_doubles(checkpoint, "advance", (double *)&run->advance,
                                           sizeof run->advance / sizeof(double)));
    STICK_TRY(stick_checkpoint_get_doubles(checkpoint, "ledger", (double *)&run->ledger,
                                           sizeof run->ledger / sizeof(double)));
    STICK_TRY(stick_checkpoint_get_doubles(checkpoint, "record", (double *)&run->record,
                                           sizeof run->record / sizeof(double)));
    if (run->trajectory)
        STICK_TRY(get_trajectory(checkpoint, run));
    if (run->walk) {
        STICK_TRY(
            stick_checkpoint_get_doubles(checkpoint, "walk/q", stick_event_driven_start_q(run->walk), n));
        STICK_TRY(stick_checkpoint_get_doubles(checkpoint, "walk/r", stick_event_driven_start_r(run->walk),
                                               slots * dim));
        STICK_TRY(stick_checkpoint_get_doubles(checkpoint, "walk/status",
                                               stick_event_driven_statuses(run->walk), slots));
    }
    run->t_start = scalars[0];
    now->t = scalars[1];
    now->drive_N = scalars[2];
    now->drive_T = scalars[3];
    run->state.step = (long)scalars[4];
    return run->newton_contact ? get_finite(checkpoint, run) : stick_simulation_refresh(run);
}

// ---- paths

enum {
    STATUS_VALUES = sizeof(StickPathStatusRecord) / sizeof(double),
    TOUCH_VALUES = sizeof(StickPathTouch) / sizeof(double),
    NAME_TEXT = 64
};

static void name_part(int stage, const char *part, char name[NAME_TEXT])
{
    snprintf(name, NAME_TEXT, "path/%d/%s", stage, part);
}

static StickStatus put_end(StickCheckpointWriter *writer, int stage, const StickPathRecord *record)
{
    char name[NAME_TEXT];
    if (!record->end_v)
        return STICK_OK;
    name_part(stage, "end_q", name);
    STICK_TRY(stick_checkpoint_put_doubles(writer, name, record->end_q, (size_t)record->n));
    name_part(stage, "end_v", name);
    return stick_checkpoint_put_doubles(writer, name, record->end_v, (size_t)record->n);
}

StickStatus stick_restart_put_path(StickCheckpointWriter *writer, int stage, const StickPathRecord *record)
{
    size_t count = (size_t)record->count, touches = (size_t)record->ntouches;
    char name[NAME_TEXT];
    if (count == 0)
        return STICK_OK;
    name_part(stage, "status", name);
    STICK_TRY(
        stick_checkpoint_put_doubles(writer, name, (const double *)record->status, count * STATUS_VALUES));
    name_part(stage, "q", name);
    STICK_TRY(stick_checkpoint_put_doubles(writer, name, record->q, count * (size_t)record->n));
    name_part(stage, "history", name);
    if (record->nhistory > 0)
        STICK_TRY(
            stick_checkpoint_put_doubles(writer, name, record->history, count * (size_t)record->nhistory));
    STICK_TRY(put_end(writer, stage, record));
    if (touches == 0)
        return STICK_OK;
    name_part(stage, "touch", name);
    return stick_checkpoint_put_doubles(writer, name, (const double *)record->touch, touches * TOUCH_VALUES);
}

static StickStatus count_of(const StickCheckpoint *checkpoint, const char *name, size_t *count)
{
    *count = 0;
    return stick_checkpoint_has(checkpoint, name) ? stick_checkpoint_count(checkpoint, name, count)
                                                  : STICK_OK;
}

// What comes from a file must not lead out of the arrays.
static StickStatus check_path(const StickPathRecord *record, int slots)
{
    bool good = true;
    for (int k = 0; k < record->count; k++) {
        const StickPathStatusRecord *status = &record->status[k];
        good &= status->first >= 0 && status->count >= 0 &&
                status->first + status->count <= record->ntouches && status->first == floor(status->first) &&
                status->count == floor(status->count);
    }
    for (int k = 0; k < record->ntouches; k++)
        good &= record->touch[k].slot >= 0 && record->touch[k].slot < slots &&
                (record->touch[k].status == STICK_STICKING || record->touch[k].status == STICK_SLIPPING);
    STICK_CHECK(record->ctx, good, STICK_BAD_INPUT, "the checkpoint has a path that makes no sense");
    return STICK_OK;
}

static StickStatus get_end(const StickCheckpoint *checkpoint, int stage, StickPathRecord *record)
{
    char q[NAME_TEXT], v[NAME_TEXT];
    name_part(stage, "end_q", q);
    name_part(stage, "end_v", v);
    if (!stick_checkpoint_has(checkpoint, v))
        return STICK_OK;
    STICK_ALLOC(record->ctx, record->end_q, record->n);
    STICK_ALLOC(record->ctx, record->end_v, record->n);
    STICK_TRY(stick_checkpoint_get_doubles(checkpoint, q, record->end_q, (size_t)record->n));
    return stick_checkpoint_get_doubles(checkpoint, v, record->end_v, (size_t)record->n);
}

StickStatus stick_restart_get_path(const StickCheckpoint *checkpoint, int stage, int slots,
                                   StickPathRecord *record)
{
    char status[NAME_TEXT], q[NAME_TEXT], history[NAME_TEXT], touch[NAME_TEXT];
    size_t values, touches, past = (size_t)record->nhistory;
    name_part(stage, "status", status);
    name_part(stage, "q", q);
    name_part(stage, "history", history);
    name_part(stage, "touch", touch);
    STICK_TRY(count_of(checkpoint, status, &values));
    STICK_TRY(count_of(checkpoint, touch, &touches));
    size_t count = values / STATUS_VALUES, n = (size_t)record->n;
    if (count == 0)
        return STICK_OK;
    STICK_RESERVE(record->ctx, record->status, record->status_capacity, count);
    STICK_RESERVE(record->ctx, record->q, record->q_capacity, count * n);
    STICK_RESERVE(record->ctx, record->history, record->history_capacity, count * past);
    STICK_RESERVE(record->ctx, record->touch, record->touch_capacity, touches / TOUCH_VALUES + 1);
    STICK_TRY(
        stick_checkpoint_get_doubles(checkpoint, status, (double *)record->status, count * STATUS_VALUES));
    STICK_TRY(stick_checkpoint_get_doubles(checkpoint, q, record->q, count * n));
    if (past > 0)
        STICK_TRY(stick_checkpoint_get_doubles(checkpoint, history, record->history, count * past));
    STICK_TRY(get_end(checkpoint, stage, record));
    touches /= TOUCH_VALUES;
    if (touches > 0)
        STICK_TRY(
            stick_checkpoint_get_doubles(checkpoint, touch, (double *)record->touch, touches * TOUCH_VALUES));
    record->count = (int)count;
    record->ntouches = (int)touches;
    return check_path(record, slots);
}
