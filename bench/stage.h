// SPDX-License-Identifier: Apache-2.0
// What programs open a scene with: a model from a text, its system, and a run of its first step.
#ifndef BENCH_STAGE_H
#define BENCH_STAGE_H

#include "base/clock.h"
#include "stepping/simulation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Stage {
    StickModel *model;
    StickSystem *system;
    StickSimulation *run;
} Stage;

// Model and system; close the stage also where this fails. It is zeroed before.
static inline StickStatus stage_open(StickContext *ctx, const char *name, const char *text, Stage *stage)
{
    StickModelSource source = {.name = name, .folder = ".", .bytes = text, .count = strlen(text)};
    STICK_TRY(stick_model_read_text(ctx, &source, &stage->model));
    return stick_system_create(ctx, stage->model, &stage->system);
}

// The same, and a run of the first step.
static inline StickStatus stage_open_run(StickContext *ctx, const char *name, const char *text, int threads,
                                         Stage *stage)
{
    STICK_TRY(stage_open(ctx, name, text, stage));
    stage->model->step[0].threads = threads;
    return stick_simulation_create(ctx, stage->system, &stage->model->step[0], &stage->run);
}

static inline void stage_close(Stage *stage)
{
    stick_simulation_destroy(stage->run);
    stick_system_destroy(stage->system);
    stick_model_destroy(stage->model);
}

// What a program ends with.
static inline int stage_end(StickContext *ctx, StickStatus status)
{
    if (status != STICK_OK)
        fprintf(stderr, "%s: %s\n", stick_status_name(status), stick_last_error(ctx));
    stick_context_destroy(ctx);
    return status;
}

// ---- times

// The first step from the creation of its run to its end, and the time of the processor that this takes. look: called
// after every state with their number so far; NULL: nobody looks. The run stays until the next one or the stage's end.
static inline StickStatus stage_run_through(StickContext *ctx, Stage *stage,
                                            void (*look)(const StickSimulation *run, int states, void *user),
                                            void *user, double *seconds)
{
    stick_simulation_destroy(stage->run);
    stage->run = NULL;
    double clock = stick_clock_cpu();
    STICK_TRY(stick_simulation_create(ctx, stage->system, &stage->model->step[0], &stage->run));
    STICK_TRY(stick_simulation_start(stage->run, NULL));
    for (int states = 1; !stick_simulation_is_done(stage->run); states++) {
        STICK_TRY(stick_simulation_step(stage->run));
        if (look)
            look(stage->run, states, user);
    }
    *seconds = stick_clock_cpu() - clock;
    return STICK_OK;
}

// K of all bodies once more as the run has it, analysis included.
static inline StickStatus stage_time_factor(StickContext *ctx, const StickSimulation *run, double *seconds)
{
    StickStepMatrix *matrix;
    double clock = stick_clock_cpu();
    STICK_TRY(stick_step_matrix_create(ctx, run->system, &run->supports, &matrix));
    StickStatus status = stick_step_matrix_set(matrix, 0, 0, 1);
    *seconds = stick_clock_cpu() - clock;
    stick_step_matrix_destroy(matrix);
    return status;
}

static inline int stage_by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static inline double stage_median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, stage_by_value);
    return values[count / 2];
}

#endif
