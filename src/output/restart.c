// SPDX-License-Identifier: Apache-2.0
#include "output/restart.h"

#include "base/check.h"
#include "drive/walk.h"

// Vectors over the degrees of freedom that a step cannot compute anew with the same bits.
typedef struct Vector {
    const char *name;
    double *values;
} Vector;

enum { VECTORS = 7, SCALARS = 5 };

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
    };
    for (int k = 0; k < VECTORS; k++)
        vector[k] = all[k];
}

StickStatus stick_restart_put(StickCheckpointWriter *writer, const StickRun *run)
{
    const StickMotion *now = &run->state.now;
    const StickContactMemory *memory = &run->state.memory;
    size_t n = (size_t)run->state.n, slots = (size_t)memory->count, dim = (size_t)run->system->dim;
    Vector vector[VECTORS];
    list_vectors(now, vector);
    for (int k = 0; k < VECTORS; k++)
        STICK_TRY(stick_checkpoint_put_doubles(writer, vector[k].name, vector[k].values, n));
    double scalars[SCALARS] = {run->t_start, now->t, now->drive_N, now->drive_T, (double)run->state.step};
    STICK_TRY(stick_checkpoint_put_doubles(writer, "scalars", scalars, SCALARS));
    STICK_TRY(stick_checkpoint_put_doubles(writer, "memory/r", memory->r, slots * dim));
    STICK_TRY(stick_checkpoint_put_doubles(writer, "memory/speed", memory->speed, slots));
    STICK_TRY(stick_checkpoint_put_doubles(writer, "memory/pressure", memory->pressure, slots));
    STICK_TRY(stick_checkpoint_put_doubles(writer, "memory/known", memory->known, slots));
    STICK_TRY(stick_checkpoint_put_doubles(writer, "memory/depth", memory->depth, slots));
    STICK_TRY(stick_checkpoint_put_doubles(writer, "advance", (const double *)&run->advance,
                                           sizeof run->advance / sizeof(double)));
    STICK_TRY(stick_checkpoint_put_doubles(writer, "ledger", (const double *)&run->ledger,
                                           sizeof run->ledger / sizeof(double)));
    if (run->walk) {
        STICK_TRY(stick_checkpoint_put_doubles(writer, "walk/q", stick_walk_start_q(run->walk), n));
        STICK_TRY(stick_checkpoint_put_doubles(writer, "walk/r", stick_walk_start_r(run->walk), slots * dim));
        STICK_TRY(stick_checkpoint_put_doubles(writer, "walk/status", stick_walk_statuses(run->walk), slots));
    }
    return stick_checkpoint_put_doubles(writer, "record", (const double *)&run->record,
                                        sizeof run->record / sizeof(double));
}

StickStatus stick_restart_get(const StickCheckpoint *checkpoint, StickRun *run)
{
    StickMotion *now = &run->state.now;
    StickContactMemory *memory = &run->state.memory;
    size_t n = (size_t)run->state.n, slots = (size_t)memory->count, dim = (size_t)run->system->dim;
    Vector vector[VECTORS];
    list_vectors(now, vector);
    for (int k = 0; k < VECTORS; k++)
        STICK_TRY(stick_checkpoint_get_doubles(checkpoint, vector[k].name, vector[k].values, n));
    double scalars[SCALARS];
    STICK_TRY(stick_checkpoint_get_doubles(checkpoint, "scalars", scalars, SCALARS));
    STICK_TRY(stick_checkpoint_get_doubles(checkpoint, "memory/r", memory->r, slots * dim));
    STICK_TRY(stick_checkpoint_get_doubles(checkpoint, "memory/speed", memory->speed, slots));
    STICK_TRY(stick_checkpoint_get_doubles(checkpoint, "memory/pressure", memory->pressure, slots));
    STICK_TRY(stick_checkpoint_get_doubles(checkpoint, "memory/known", memory->known, slots));
    STICK_TRY(stick_checkpoint_get_doubles(checkpoint, "memory/depth", memory->depth, slots));
    STICK_TRY(stick_checkpoint_get_doubles(checkpoint, "advance", (double *)&run->advance,
                                           sizeof run->advance / sizeof(double)));
    STICK_TRY(stick_checkpoint_get_doubles(checkpoint, "ledger", (double *)&run->ledger,
                                           sizeof run->ledger / sizeof(double)));
    STICK_TRY(stick_checkpoint_get_doubles(checkpoint, "record", (double *)&run->record,
                                           sizeof run->record / sizeof(double)));
    if (run->walk) {
        STICK_TRY(stick_checkpoint_get_doubles(checkpoint, "walk/q", stick_walk_start_q(run->walk), n));
        STICK_TRY(
            stick_checkpoint_get_doubles(checkpoint, "walk/r", stick_walk_start_r(run->walk), slots * dim));
        STICK_TRY(
            stick_checkpoint_get_doubles(checkpoint, "walk/status", stick_walk_statuses(run->walk), slots));
    }
    run->t_start = scalars[0];
    now->t = scalars[1];
    now->drive_N = scalars[2];
    now->drive_T = scalars[3];
    run->state.step = (long)scalars[4];
    return stick_run_refresh(run);
}
