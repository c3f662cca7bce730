// SPDX-License-Identifier: Apache-2.0
#include "study/stability_step.h"

#include "base/file.h"
#include "base/text.h"
#include "output/mode_shape.h"
#include "output/stability_table.h"
#include "output/table.h"
#include "stability/sliding_state.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>

typedef struct Judge {
    StickContext *ctx;
    const StickStabilityTask *task;
    StickRun *run; // of the step whose path it is
    StickWhole whole;
    StickStabilityOptions options;
    StickBook book, modes;
    StickTable *table, *spectrum;
    char *folder; // stability/<step>
    StickText text;
    int shapes; // written so far
} Judge;

// ---- files

static StickStatus open_table(Judge *judge, const StickBook *book, const char *path, StickTable **table)
{
    const char *columns[STICK_BOOK_COLUMNS];
    for (int k = 0; k < book->ncolumns; k++)
        columns[k] = book->column[k];
    return stick_table_create(judge->ctx, path, columns, book->ncolumns, table);
}

// A name below the result folder, opened as a table.
static StickStatus open_named(Judge *judge, const StickBook *book, const char *format, StickTable **table)
{
    char name[512];
    snprintf(name, sizeof name, format, judge->task->step->name);
    char *path = stick_path_join(judge->ctx, judge->task->folder, name);
    StickStatus status = path ? open_table(judge, book, path, table) : STICK_NO_MEMORY;
    stick_free(judge->ctx, path);
    return status;
}

// What an earlier attempt has left goes.
static StickStatus open_files(Judge *judge)
{
    const StickStabilityTask *task = judge->task;
    char name[512];
    snprintf(name, sizeof name, "stability/%.400s", task->step->name);
    judge->folder = stick_path_join(judge->ctx, task->folder, name);
    if (!judge->folder)
        return STICK_NO_MEMORY;
    STICK_TRY(stick_folder_remove(judge->ctx, judge->folder));
    STICK_TRY(stick_folder_create(judge->ctx, judge->folder));
    stick_stability_book_init(&judge->book, task->system, task->step);
    stick_spectrum_book_init(&judge->modes, task->system, task->step);
    STICK_TRY(open_named(judge, &judge->book, "history/%.400s.csv", &judge->table));
    return open_named(judge, &judge->modes, "stability/%.400s/spectrum.csv", &judge->spectrum);
}

static StickStatus close_files(Judge *judge)
{
    StickStatus first = stick_table_close(judge->table), second = stick_table_close(judge->spectrum);
    StickStatus status = stick_text_status(&judge->text);
    if (status == STICK_OK && judge->text.length > 0) {
        char *path = stick_path_join(judge->ctx, judge->folder, "verdicts.txt");
        status = path ? stick_file_write(judge->ctx, path, judge->text.bytes, judge->text.length)
                      : STICK_NO_MEMORY;
        stick_free(judge->ctx, path);
    }
    judge->table = judge->spectrum = NULL;
    return first != STICK_OK ? first : second != STICK_OK ? second : status;
}

// ---- what is found of one status

// The first modes, and all that grow.
static StickStatus write_spectrum(Judge *judge, int k, const StickStability *found)
{
    int most = judge->task->step->stability.modes;
    for (int j = 0; j < found->spectrum.count; j++) {
        const StickMode *mode = &found->spectrum.mode[j];
        bool grows = mode->kind == STICK_MODE_FLUTTER || mode->kind == STICK_MODE_DIVERGES;
        if (most > 0 && j >= most && !grows)
            continue;
        stick_spectrum_book_fill(&judge->modes, judge->task->path->status[k].begin, k + 1, mode);
        STICK_TRY(stick_table_row(judge->spectrum, judge->modes.row));
    }
    return STICK_OK;
}

static void expand(const StickStability *found, int mode, double *part, double *real, double complex *a)
{
    const double complex *vector = found->spectrum.vector + (size_t)mode * (size_t)found->spectrum.n;
    int ndofs = found->reduced.Z.rows;
    for (int side = 0; side < 2; side++) {
        for (int i = 0; i < found->spectrum.n; i++)
            part[i] = side == 0 ? creal(vector[i]) : cimag(vector[i]);
        stick_reduced_expand(&found->reduced, part, real);
        for (int i = 0; i < ndofs; i++)
            a[i] = side == 0 ? real[i] : a[i] + I * real[i];
    }
}

static StickStatus write_shape(Judge *judge, int k, const StickStability *found)
{
    const StickPathRecord *path = judge->task->path;
    size_t ndofs = (size_t)path->n;
    double complex *a;
    double *room;
    char name[64];
    STICK_ALLOC(judge->ctx, room, 2 * ndofs + 1);
    a = stick_alloc(judge->ctx, ndofs + 1, sizeof *a);
    if (!a) {
        stick_free(judge->ctx, room);
        return STICK_NO_MEMORY;
    }
    expand(found, found->flutter, room, room + ndofs, a);
    const StickMode *mode = &found->spectrum.mode[found->flutter];
    StickModeShape shape = {judge->task->system, path->q + (size_t)k * ndofs, a, mode->frequency};
    snprintf(name, sizeof name, "status-%03d-mode-%d", k + 1, mode->number);
    StickStatus status = stick_mode_shape_write(judge->ctx, judge->folder, name, &shape);
    stick_free(judge->ctx, a);
    stick_free(judge->ctx, room);
    return status;
}

static StickStatus write_found(Judge *judge, int k, const StickStability *found)
{
    const StickPathStatusRecord *status = &judge->task->path->status[k];
    stick_stability_book_fill(&judge->book, status, found);
    STICK_TRY(stick_table_row(judge->table, judge->book.row));
    STICK_TRY(write_spectrum(judge, k, found));
    stick_text_add(&judge->text, "status %d, t = %.9g to %.9g: %s. %s\n", k + 1, status->begin, status->end,
                   stick_verdict_name(found->verdict), found->text);
    if (found->flutter < 0 || judge->shapes >= judge->task->step->stability.shapes)
        return STICK_OK;
    judge->shapes++;
    return write_shape(judge, k, found);
}

// ---- status by status

static StickStatus judge_state(Judge *judge, int k, const StickSlidingState *state)
{
    StickStability found;
    judge->options.length = stick_run_largest(judge->task->path->q + (size_t)k * (size_t)judge->task->path->n,
                                              judge->task->path->n);
    STICK_TRY(stick_stability_create(judge->ctx, &state->sliding, &judge->options, &found));
    StickStatus status = write_found(judge, k, &found);
    stick_stability_destroy(judge->ctx, &found);
    return status;
}

static StickStatus judge_status(Judge *judge, int k)
{
    const StickStabilityTask *task = judge->task;
    StickSlidingSource source = {judge->run, task->path, &judge->whole, task->step->stability.no_slope};
    StickSlidingState state;
    StickStatus status = stick_sliding_state_create(judge->ctx, &source, k, &state);
    if (status == STICK_OK) {
        status = judge_state(judge, k, &state);
        stick_sliding_state_destroy(judge->ctx, &state);
    }
    if (status != STICK_OK && status != STICK_NO_MEMORY)
        stick_note(judge->ctx,
                   "step '%s' could not judge status %d of %d, from t = %g to %g; what was found before is "
                   "written, and so is the path: 'stickslip resume' tries again",
                   task->step->name, k + 1, task->path->count, task->path->status[k].begin,
                   task->path->status[k].end);
    return status;
}

static StickStatus judge_all(Judge *judge)
{
    const StickStabilityTask *task = judge->task;
    const StickProgress *progress = &task->options->progress;
    int count = task->path->count;
    for (int k = 0; k < count; k++) {
        STICK_TRY(judge_status(judge, k));
        if (progress->report)
            progress->report(progress->user, task->name, k + 1, count, task->path->status[k].end,
                             task->path->status[count - 1].end);
        if (task->options->stop && *task->options->stop)
            return stick_fail(judge->ctx, STICK_INTERRUPTED,
                              "interrupted in step '%s', the path is saved: 'stickslip resume' goes on from "
                              "its end",
                              task->step->name);
    }
    return STICK_OK;
}

// All but what contacts may hold is free for sure.
StickStatus stick_stability_check(const StickRun *run, const StickStepSpec *step)
{
    int least = run->system->ndofs - run->supports.count - stick_pairs_ndofs(run->pairs);
    int most = stick_spectrum_default().most;
    if (step->stability.highest > 0 || least <= most)
        return STICK_OK;
    return stick_fail_at(run->ctx, STICK_BAD_INPUT, step->mark,
                         "step '%s': all modes of more than %d degrees of freedom take too long; say with "
                         "'highest' up to which frequency modes are looked for",
                         step->name, least);
}

static StickStatus prepare(Judge *judge)
{
    const StickStabilityTask *task = judge->task;
    const StickStabilitySpec *spec = &task->step->stability;
    judge->options = stick_stability_default();
    judge->options.spectrum.highest = spec->highest;
    STICK_TRY(open_files(judge));
    STICK_TRY(stick_run_create(judge->ctx, task->system, task->path->of, &judge->run));
    STICK_TRY(stick_whole_create(judge->ctx, task->system, spec->mass, &judge->whole));
    return stick_whole_add_damping(judge->ctx, spec->alpha, spec->beta, &judge->whole);
}

StickStatus stick_stability_step(StickContext *ctx, const StickStabilityTask *task)
{
    Judge judge = {.ctx = ctx, .task = task};
    stick_text_init(&judge.text, ctx);
    StickStatus status = prepare(&judge);
    if (status == STICK_OK)
        status = judge_all(&judge);
    StickStatus closed = judge.folder ? close_files(&judge) : STICK_OK;
    stick_text_destroy(&judge.text);
    stick_whole_destroy(ctx, &judge.whole);
    stick_run_destroy(judge.run);
    stick_free(ctx, judge.folder);
    return status != STICK_OK ? status : closed;
}
