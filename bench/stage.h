// SPDX-License-Identifier: Apache-2.0
// What programs open a scene with: a model from a text, its system, and a run of its first step.
#ifndef BENCH_STAGE_H
#define BENCH_STAGE_H

#include "drive/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Stage {
    StickModel *model;
    StickSystem *system;
    StickRun *run;
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
    return stick_run_create(ctx, stage->system, &stage->model->step[0], &stage->run);
}

static inline void stage_close(Stage *stage)
{
    stick_run_destroy(stage->run);
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
