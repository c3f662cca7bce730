// SPDX-License-Identifier: Apache-2.0
#include "output/recorder.h"

#include "base/file.h"
#include "output/checkpoint.h"
#include "output/collapse.h"
#include "output/contact_times.h"
#include "output/cycles.h"
#include "output/evidence.h"
#include "output/field_series.h"
#include "output/history.h"
#include "output/ledger_tables.h"
#include "output/manifest.h"
#include "output/profile.h"
#include "output/restart.h"
#include "output/table.h"

#include <stdio.h>
#include <string.h>

struct StickRecorder {
    StickContext *ctx;
    const StickSystem *system;
    char *folder;
    StickBook book[STICK_BOOKS];
    StickHistory *history;
    int nhistories;
    StickBook events;
    bool has_events;
    StickCollapse collapse;
    StickProfile *profile;
    int nprofiles;
    StickTable **table; // books, then histories, then events and collapse, then profiles
    int ntables;
    StickFieldSeries fields;
    StickContactSet gaps;
    bool needs_gaps;
    double
        *mu; // friction of the last state, by slots of what contacts remember; NULL: nothing is recorded yet
    long rows;
    int64_t *position;        // ntables
    StickPathRecord **path;   // nsteps of the model: for its stability steps, else NULL
    StickContactTimes *times; // nsteps of the model: of dynamic steps whose motion is told
    StickCycles *cycles;      // of steps along trajectories
    int64_t *cycled;          // positions of their tables
    StickText kept;           // files that stay as they are, as a checkpoint lists them
};

// ---- what there is to write

// Every run writes tables of these names itself.
static StickStatus refuse_book_name(StickContext *ctx, const StickHistorySpec *spec)
{
    for (int k = 0; k < STICK_BOOK_NAMES; k++)
        if (strcmp(spec->name, stick_book_name(k)) == 0)
            return stick_fail_at(
                ctx, STICK_BAD_INPUT, spec->mark,
                "a history cannot have the name '%s': the program writes a table of that name", spec->name);
    return STICK_OK;
}

// A stability step writes a table of its name.
static StickStatus refuse_step_name(StickContext *ctx, const StickModel *model, const StickStepSpec *step)
{
    bool taken = false;
    for (int k = 0; k < STICK_BOOK_NAMES; k++)
        taken |= strcmp(step->name, stick_book_name(k)) == 0;
    for (int k = 0; k < model->output.nhistories; k++)
        taken |= strcmp(step->name, model->output.history[k].name) == 0;
    for (int k = 0; k < model->output.nprofiles; k++)
        taken |= strcmp(step->name, model->output.profile[k].name) == 0;
    if (!taken)
        return STICK_OK;
    return stick_fail_at(ctx, STICK_BAD_INPUT, step->mark,
                         "a stability step cannot have the name '%s': there is a table of that name",
                         step->name);
}

static StickStatus create_paths(StickRecorder *recorder)
{
    const StickModel *model = recorder->system->model;
    STICK_ALLOC(recorder->ctx, recorder->path, model->nsteps);
    for (int k = 0; k < model->nsteps; k++) {
        if (model->step[k].kind != STICK_STEP_STABILITY)
            continue;
        STICK_TRY(refuse_step_name(recorder->ctx, model, &model->step[k]));
        STICK_TRY(
            stick_path_record_create(recorder->ctx, recorder->system, &model->step[k], &recorder->path[k]));
    }
    return STICK_OK;
}

static StickStatus create_times(StickRecorder *recorder)
{
    const StickModel *model = recorder->system->model;
    STICK_ALLOC(recorder->ctx, recorder->times, model->nsteps);
    for (int k = 0; k < model->nsteps; k++)
        if (stick_step_is_told(model, k))
            stick_contact_times_init(recorder->ctx, &model->step[k], &recorder->times[k]);
    return STICK_OK;
}

// All that is wrong with the histories is said at once.
static StickStatus create_histories(StickRecorder *recorder)
{
    const StickOutputSpec *output = &recorder->system->model->output;
    StickStatus status = STICK_OK;
    STICK_ALLOC(recorder->ctx, recorder->history, output->nhistories);
    for (int k = 0; k < output->nhistories && status != STICK_NO_MEMORY; k++) {
        StickHistory *history = &recorder->history[recorder->nhistories];
        StickStatus created = refuse_book_name(recorder->ctx, &output->history[k]);
        if (created == STICK_OK)
            created = stick_history_create(recorder->ctx, recorder->system, &output->history[k], history);
        if (created != STICK_OK) {
            status = created;
            continue;
        }
        recorder->nhistories++;
        recorder->needs_gaps |= stick_history_needs_gaps(history);
    }
    return status;
}

// Checks and pictures know tables by their names alone.
static StickStatus refuse_profile_name(StickContext *ctx, const StickModel *model,
                                       const StickProfileSpec *spec)
{
    bool taken = false;
    for (int k = 0; k < STICK_BOOK_NAMES; k++)
        taken |= strcmp(spec->name, stick_book_name(k)) == 0;
    for (int k = 0; k < model->output.nhistories; k++)
        taken |= strcmp(spec->name, model->output.history[k].name) == 0;
    if (!taken)
        return STICK_OK;
    return stick_fail_at(ctx, STICK_BAD_INPUT, spec->mark,
                         "a profile cannot have the name '%s': there is a table of that name", spec->name);
}

static StickStatus create_profiles(StickRecorder *recorder)
{
    const StickModel *model = recorder->system->model;
    STICK_ALLOC(recorder->ctx, recorder->profile, model->output.nprofiles);
    for (int k = 0; k < model->output.nprofiles; k++) {
        STICK_TRY(refuse_profile_name(recorder->ctx, model, &model->output.profile[k]));
        STICK_TRY(stick_profile_create(recorder->ctx, recorder->system, &model->output.profile[k],
                                       &recorder->profile[k]));
        recorder->nprofiles++;
    }
    return STICK_OK;
}

static StickStatus fill(StickRecorder *recorder, const char *folder)
{
    for (int k = 0; k < STICK_BOOKS; k++)
        stick_book_init(&recorder->book[k], k, recorder->system);
    recorder->folder = stick_copy_text(recorder->ctx, folder);
    if (!recorder->folder)
        return STICK_NO_MEMORY;
    stick_field_series_init(&recorder->fields, recorder->ctx, recorder->folder);
    STICK_TRY(create_histories(recorder));
    STICK_TRY(create_profiles(recorder));
    STICK_TRY(create_paths(recorder));
    STICK_TRY(create_times(recorder));
    STICK_TRY(stick_cycles_create(recorder->ctx, recorder->system, &recorder->cycles));
    STICK_ALLOC(recorder->ctx, recorder->cycled, stick_cycles_count(recorder->cycles));
    stick_events_init(&recorder->events, recorder->system);
    recorder->has_events = stick_events_wanted(recorder->system->model);
    STICK_TRY(stick_collapse_init(recorder->ctx, recorder->system, &recorder->collapse));
    recorder->ntables = STICK_BOOKS + recorder->nhistories + recorder->has_events +
                        recorder->collapse.wanted + recorder->nprofiles;
    STICK_ALLOC(recorder->ctx, recorder->table, recorder->ntables);
    STICK_ALLOC(recorder->ctx, recorder->position, recorder->ntables);
    return STICK_OK;
}

StickStatus stick_recorder_create(StickContext *ctx, const StickSystem *system, const char *folder,
                                  StickRecorder **recorder)
{
    StickRecorder *created;
    STICK_ALLOC(ctx, created, 1);
    created->ctx = ctx;
    created->system = system;
    created->gaps.dim = system->dim;
    stick_text_init(&created->kept, ctx);
    StickStatus status = fill(created, folder);
    if (status != STICK_OK) {
        stick_recorder_destroy(created);
        return status;
    }
    *recorder = created;
    return STICK_OK;
}

void stick_recorder_destroy(StickRecorder *recorder)
{
    if (!recorder)
        return;
    StickContext *ctx = recorder->ctx;
    stick_recorder_close(recorder);
    for (int k = 0; k < recorder->nhistories; k++)
        stick_history_destroy(ctx, &recorder->history[k]);
    for (int k = 0; k < recorder->nprofiles; k++)
        stick_profile_destroy(ctx, &recorder->profile[k]);
    stick_free(ctx, recorder->profile);
    for (int k = 0; recorder->path && k < recorder->system->model->nsteps; k++)
        stick_path_record_destroy(recorder->path[k]);
    stick_free(ctx, recorder->path);
    for (int k = 0; recorder->times && k < recorder->system->model->nsteps; k++)
        if (recorder->times[k].step)
            stick_contact_times_destroy(&recorder->times[k]);
    stick_free(ctx, recorder->times);
    stick_cycles_destroy(recorder->cycles);
    stick_free(ctx, recorder->cycled);
    stick_collapse_destroy(&recorder->collapse);
    stick_text_destroy(&recorder->kept);
    stick_free(ctx, recorder->history);
    stick_free(ctx, recorder->table);
    stick_free(ctx, recorder->position);
    stick_free(ctx, recorder->mu);
    stick_free(ctx, recorder->folder);
    stick_contact_set_destroy(ctx, &recorder->gaps);
    stick_field_series_destroy(&recorder->fields);
    stick_free(ctx, recorder);
}

// ---- files

// Numbers of the tables that only some models have.
static int events_table(const StickRecorder *recorder)
{
    return STICK_BOOKS + recorder->nhistories;
}

static int collapse_table(const StickRecorder *recorder)
{
    return events_table(recorder) + recorder->has_events;
}

// Table k is a book, that of events or of collapse, or NULL: a history.
static const StickBook *book_of(const StickRecorder *recorder, int k)
{
    if (k < STICK_BOOKS)
        return &recorder->book[k];
    if (recorder->has_events && k == events_table(recorder))
        return &recorder->events;
    return recorder->collapse.wanted && k == collapse_table(recorder) ? &recorder->collapse.book : NULL;
}

// Opens table k anew, or goes on behind a position.
static StickStatus open_table(StickRecorder *recorder, int k, bool resume)
{
    StickContext *ctx = recorder->ctx;
    const char *columns[STICK_BOOK_COLUMNS];
    const StickBook *book = book_of(recorder, k);
    const StickHistory *history = book ? NULL : &recorder->history[k - STICK_BOOKS];
    const char *const *names = book ? columns : (const char *const *)history->column;
    int ncolumns = book ? book->ncolumns : history->ncolumns;
    for (int j = 0; book && j < ncolumns; j++)
        columns[j] = book->column[j];
    char name[512], path[STICK_PATH_TEXT];
    snprintf(name, sizeof name, "history/%.400s.csv", book ? book->name : history->spec->name);
    STICK_TRY(stick_path_in(ctx, recorder->folder, name, path));
    if (resume)
        return stick_table_resume(ctx, path, names, ncolumns, recorder->position[k], &recorder->table[k]);
    return stick_table_create(ctx, path, names, ncolumns, &recorder->table[k]);
}

// The tables of profiles are the last ones.
static int first_profile_table(const StickRecorder *recorder)
{
    return recorder->ntables - recorder->nprofiles;
}

static StickStatus open_profile(StickRecorder *recorder, int k, bool resume)
{
    StickContext *ctx = recorder->ctx;
    char label[STICK_PROFILE_COLUMNS][STICK_LABEL_TEXT], name[512], path[STICK_PATH_TEXT];
    const char *columns[STICK_PROFILE_COLUMNS];
    int table = first_profile_table(recorder) + k;
    stick_profile_labels(recorder->system->model, label);
    for (int j = 0; j < STICK_PROFILE_COLUMNS; j++)
        columns[j] = label[j];
    snprintf(name, sizeof name, "profiles/%.400s.csv", recorder->profile[k].spec->name);
    STICK_TRY(stick_path_in(ctx, recorder->folder, name, path));
    if (resume)
        return stick_table_resume(ctx, path, columns, STICK_PROFILE_COLUMNS, recorder->position[table],
                                  &recorder->table[table]);
    return stick_table_create(ctx, path, columns, STICK_PROFILE_COLUMNS, &recorder->table[table]);
}

static StickStatus open_tables(StickRecorder *recorder, bool resume)
{
    for (int k = 0; k < first_profile_table(recorder); k++)
        STICK_TRY(open_table(recorder, k, resume));
    for (int k = 0; k < recorder->nprofiles; k++)
        STICK_TRY(open_profile(recorder, k, resume));
    return stick_cycles_open(recorder->cycles, recorder->folder, resume ? recorder->cycled : NULL);
}

static StickStatus make_folders(StickRecorder *recorder)
{
    static const char *const names[] = {"history", "fields", "checkpoint", "profiles"};
    for (int k = 0; k < 3 + (recorder->nprofiles > 0); k++) {
        char path[STICK_PATH_TEXT];
        STICK_TRY(stick_path_in(recorder->ctx, recorder->folder, names[k], path));
        STICK_TRY(stick_folder_create(recorder->ctx, path));
    }
    return STICK_OK;
}

StickStatus stick_recorder_open(StickRecorder *recorder)
{
    STICK_TRY(make_folders(recorder));
    return open_tables(recorder, false);
}

StickStatus stick_recorder_close(StickRecorder *recorder)
{
    StickStatus status = STICK_OK;
    for (int k = 0; recorder->table && k < recorder->ntables; k++) {
        StickStatus closed = recorder->table[k] ? stick_table_close(recorder->table[k]) : STICK_OK;
        recorder->table[k] = NULL;
        if (status == STICK_OK)
            status = closed;
    }
    StickStatus closed = recorder->cycles ? stick_cycles_close(recorder->cycles) : STICK_OK;
    return status == STICK_OK ? closed : status;
}

// ---- recording

static StickStatus find_gaps(StickRecorder *recorder, const StickSimulation *run)
{
    StickDetection where = {.t = run->state.now.t, .h = run->h, .q = run->state.now.q, .all = true};
    return stick_pairs_detect(run->pairs, &where, &recorder->gaps);
}

// Of the first stability steps.
static StickStatus see_paths(StickRecorder *recorder, const StickSimulation *run, int stages)
{
    for (int k = 0; k < stages; k++)
        if (recorder->path[k])
            STICK_TRY(stick_path_record_see(recorder->path[k], run));
    return STICK_OK;
}

StickStatus stick_recorder_see(StickRecorder *recorder, const StickSimulation *run, int stage)
{
    return see_paths(recorder, run, stage);
}

const StickPathRecord *stick_recorder_path(const StickRecorder *recorder, int stage)
{
    return recorder->path[stage];
}

const StickContactTimes *stick_recorder_times(const StickRecorder *recorder, int stage)
{
    return recorder->times[stage].step ? &recorder->times[stage] : NULL;
}

static StickStatus see_times(StickRecorder *recorder, const StickSimulation *run)
{
    for (int k = 0; k < recorder->system->model->nsteps; k++)
        if (recorder->times[k].step)
            STICK_TRY(stick_contact_times_see(&recorder->times[k], run));
    return STICK_OK;
}

static StickStatus record_profiles(StickRecorder *recorder, const StickSimulation *run)
{
    for (int k = 0; k < recorder->nprofiles; k++) {
        StickProfile *profile = &recorder->profile[k];
        stick_profile_see(profile, run);
        for (; stick_profile_is_due(profile); stick_profile_next(profile))
            for (int j = 0; j < profile->count; j++) {
                double row[STICK_PROFILE_COLUMNS];
                stick_profile_row(profile, j, row);
                STICK_TRY(stick_table_row(recorder->table[first_profile_table(recorder) + k], row));
            }
    }
    return STICK_OK;
}

// All else of the contacts of an equilibrium follows from what they remember.
static StickStatus note_friction(StickRecorder *recorder, const StickSimulation *run)
{
    const StickContactMemory *memory = &run->state.memory;
    if (!stick_simulation_is_quasistatic(run))
        return STICK_OK;
    if (!recorder->mu)
        STICK_ALLOC(recorder->ctx, recorder->mu, memory->count);
    memset(recorder->mu, 0, (size_t)memory->count * sizeof *recorder->mu);
    for (int c = 0; c < run->contacts.ncontacts; c++)
        recorder->mu[stick_memory_slot(memory, &run->contacts.contact[c])] = run->mu[c];
    return STICK_OK;
}

// Time steps between field files in the step that runs.
static int fields_every(const StickRecorder *recorder, const StickSimulation *run)
{
    return run->spec->has_fields ? run->spec->fields_every : recorder->system->model->output.fields_every;
}

StickStatus stick_recorder_record(StickRecorder *recorder, const StickSimulation *run, bool last)
{
    int every = fields_every(recorder, run);
    // states of steady sliding are few, and each one stands for itself
    bool sliding = run->spec->kind == STICK_STEP_SLIDING && run->state.step > 0;
    long count = run->spec->has_fields ? run->state.step : recorder->rows; // its own from its start on
    bool frame = every > 0 && (count % every == 0 || last || sliding);
    if (frame || recorder->needs_gaps)
        STICK_TRY(find_gaps(recorder, run));
    for (int k = 0; k < STICK_BOOKS; k++) {
        stick_book_fill(&recorder->book[k], k, run);
        STICK_TRY(stick_table_row(recorder->table[k], recorder->book[k].row));
    }
    for (int k = 0; k < recorder->nhistories; k++) {
        if (!stick_history_is_due(&recorder->history[k], run))
            continue;
        STICK_TRY(stick_history_fill(&recorder->history[k], run, &recorder->gaps));
        STICK_TRY(stick_table_row(recorder->table[STICK_BOOKS + k], recorder->history[k].row));
    }
    for (int k = 0; recorder->has_events && stick_events_fill(&recorder->events, k, run); k++)
        STICK_TRY(stick_table_row(recorder->table[events_table(recorder)], recorder->events.row));
    if (recorder->collapse.wanted) {
        STICK_TRY(stick_collapse_see(&recorder->collapse, run));
        STICK_TRY(stick_table_row(recorder->table[collapse_table(recorder)], recorder->collapse.book.row));
    }
    STICK_TRY(record_profiles(recorder, run));
    STICK_TRY(stick_cycles_record(recorder->cycles, run));
    STICK_TRY(note_friction(recorder, run));
    recorder->rows++;
    STICK_TRY(see_paths(recorder, run, recorder->system->model->nsteps));
    STICK_TRY(see_times(recorder, run));
    return frame ? stick_field_series_add(&recorder->fields, run, &recorder->gaps) : STICK_OK;
}

// Its table rows are written already.
StickStatus stick_recorder_show(StickRecorder *recorder, StickSimulation *run)
{
    if (stick_field_series_has(&recorder->fields, run->state.now.t) || !recorder->mu ||
        fields_every(recorder, run) <= 0)
        return STICK_OK;
    STICK_TRY(stick_simulation_recall(run, recorder->mu));
    STICK_TRY(find_gaps(recorder, run));
    return stick_field_series_add(&recorder->fields, run, &recorder->gaps);
}

// ---- checkpoints

static StickStatus put_profile(StickCheckpointWriter *writer, int number, const StickProfile *profile)
{
    char name[64];
    snprintf(name, sizeof name, "profile/%d", number);
    stick_profile_keep(profile);
    return stick_checkpoint_put_doubles(writer, name, profile->kept, stick_profile_kept(profile));
}

static StickStatus get_profile(StickContext *ctx, const StickCheckpoint *checkpoint, int number,
                               StickProfile *profile)
{
    char name[64];
    snprintf(name, sizeof name, "profile/%d", number);
    STICK_TRY(stick_checkpoint_get_doubles(checkpoint, name, profile->kept, stick_profile_kept(profile)));
    return stick_profile_recall(ctx, profile);
}

static StickStatus put_friction(StickCheckpointWriter *writer, const StickRecorder *recorder, int slots)
{
    return recorder->mu ? stick_checkpoint_put_doubles(writer, "friction", recorder->mu, (size_t)slots)
                        : STICK_OK;
}

static StickStatus get_friction(const StickCheckpoint *checkpoint, StickRecorder *recorder, int slots)
{
    if (!stick_checkpoint_has(checkpoint, "friction"))
        return STICK_OK;
    STICK_ALLOC(recorder->ctx, recorder->mu, slots);
    return stick_checkpoint_get_doubles(checkpoint, "friction", recorder->mu, (size_t)slots);
}

static StickStatus put_cycles(StickRecorder *recorder, StickCheckpointWriter *writer)
{
    size_t count = (size_t)stick_cycles_count(recorder->cycles);
    STICK_TRY(stick_cycles_positions(recorder->cycles, recorder->cycled));
    return count ? stick_checkpoint_put_integers(writer, "cycles", recorder->cycled, count) : STICK_OK;
}

static StickStatus get_cycles(const StickCheckpoint *checkpoint, StickRecorder *recorder)
{
    size_t count = (size_t)stick_cycles_count(recorder->cycles);
    return count ? stick_checkpoint_get_integers(checkpoint, "cycles", recorder->cycled, count) : STICK_OK;
}

// ---- what a checkpoint relies on

StickStatus stick_recorder_keep(StickRecorder *recorder, const char *name)
{
    char path[STICK_PATH_TEXT];
    STICK_TRY(stick_path_in(recorder->ctx, recorder->folder, name, path));
    if (stick_folder_exists(path))
        STICK_TRY(stick_manifest_add_folder(&recorder->kept, recorder->folder, name));
    else if (stick_file_exists(path))
        STICK_TRY(stick_manifest_add_whole(&recorder->kept, recorder->folder, name));
    return stick_text_status(&recorder->kept);
}

static StickStatus put_text(StickCheckpointWriter *writer, const char *name, const StickText *text)
{
    STICK_TRY(stick_text_status(text));
    return stick_checkpoint_put_text(writer, name, text->bytes ? text->bytes : "");
}

static StickStatus put_files(StickRecorder *recorder, StickCheckpointWriter *writer, const StickTable *more)
{
    StickText growing;
    stick_text_init(&growing, recorder->ctx);
    for (int k = 0; k < recorder->ntables; k++)
        stick_table_list(recorder->table[k], recorder->folder, &growing);
    stick_cycles_list(recorder->cycles, recorder->folder, &growing);
    if (more)
        stick_table_list(more, recorder->folder, &growing);
    StickStatus status = stick_field_series_list(&recorder->fields, &growing);
    if (status == STICK_OK)
        status = put_text(writer, stick_manifest_name[STICK_MANIFEST_GROWING], &growing);
    stick_text_destroy(&growing);
    STICK_TRY(status);
    STICK_TRY(put_text(writer, stick_manifest_name[STICK_MANIFEST_FIELDS], &recorder->fields.files));
    return put_text(writer, stick_manifest_name[STICK_MANIFEST_KEPT], &recorder->kept);
}

static StickStatus put_all(StickRecorder *recorder, StickCheckpointWriter *writer, const StickSimulation *run,
                           int stage, const StickTable *more)
{
    int64_t place[] = {stage, recorder->rows, (int64_t)stick_field_series_count(&recorder->fields)};
    for (int k = 0; k < recorder->ntables; k++)
        STICK_TRY(stick_table_position(recorder->table[k], &recorder->position[k]));
    STICK_TRY(stick_checkpoint_put_integers(writer, "place", place, 3));
    STICK_TRY(stick_checkpoint_put_integers(writer, "tables", recorder->position, (size_t)recorder->ntables));
    STICK_TRY(put_cycles(recorder, writer));
    STICK_TRY(stick_evidence_put_inputs(recorder->ctx, writer, recorder->system->model));
    STICK_TRY(put_files(recorder, writer, more));
    for (int k = 0; k < recorder->system->model->nsteps; k++)
        if (recorder->path[k])
            STICK_TRY(stick_restart_put_path(writer, k, recorder->path[k]));
    for (int k = 0; k < recorder->system->model->nsteps; k++)
        if (recorder->times[k].step)
            STICK_TRY(stick_contact_times_put(writer, k, &recorder->times[k]));
    for (int k = 0; k < recorder->nprofiles; k++)
        STICK_TRY(put_profile(writer, k, &recorder->profile[k]));
    STICK_TRY(put_friction(writer, recorder, run->state.memory.count));
    STICK_TRY(stick_collapse_put(writer, &recorder->collapse));
    return stick_restart_put(writer, run);
}

StickStatus stick_recorder_checkpoint(StickRecorder *recorder, const StickSimulation *run, int stage,
                                      const StickTable *more)
{
    char path[STICK_PATH_TEXT];
    StickCheckpointWriter *writer;
    STICK_TRY(stick_path_in(recorder->ctx, recorder->folder, "checkpoint/state.h5", path));
    STICK_TRY(stick_checkpoint_create(recorder->ctx, path, &writer));
    StickStatus status = put_all(recorder, writer, run, stage, more);
    if (status != STICK_OK) {
        stick_checkpoint_abandon(writer);
        return status;
    }
    return stick_checkpoint_commit(writer);
}

bool stick_recorder_has_checkpoint(const char *folder)
{
    char path[STICK_PATH_TEXT];
    int length = snprintf(path, sizeof path, "%s/checkpoint/state.h5", folder);
    return length < STICK_PATH_TEXT && stick_file_exists(path);
}

static StickStatus open_checkpoint(StickContext *ctx, const char *folder, StickCheckpoint **checkpoint)
{
    char path[STICK_PATH_TEXT];
    STICK_TRY(stick_path_in(ctx, folder, "checkpoint/state.h5", path));
    return stick_checkpoint_open(ctx, path, checkpoint);
}

StickStatus stick_recorder_stage(StickContext *ctx, const char *folder, int *stage)
{
    StickCheckpoint *checkpoint;
    int64_t place[3];
    STICK_TRY(open_checkpoint(ctx, folder, &checkpoint));
    StickStatus status = stick_checkpoint_get_integers(checkpoint, "place", place, 3);
    stick_checkpoint_close(checkpoint);
    if (status == STICK_OK)
        *stage = (int)place[0];
    return status;
}

static StickStatus resume_kept(StickRecorder *recorder, const StickCheckpoint *checkpoint)
{
    char *text;
    STICK_TRY(stick_checkpoint_get_text(checkpoint, stick_manifest_name[STICK_MANIFEST_KEPT], &text));
    stick_text_add_bytes(&recorder->kept, text, strlen(text));
    stick_free(recorder->ctx, text);
    return stick_text_status(&recorder->kept);
}

static StickStatus resume_fields(StickRecorder *recorder, const StickCheckpoint *checkpoint,
                                 const StickSimulation *run, size_t count)
{
    char *text;
    if (count == 0)
        return STICK_OK;
    STICK_TRY(stick_checkpoint_get_text(checkpoint, stick_manifest_name[STICK_MANIFEST_FIELDS], &text));
    StickStatus status = stick_field_series_resume(&recorder->fields, run, count, text);
    stick_free(recorder->ctx, text);
    return status;
}

static StickStatus resume_from(StickRecorder *recorder, const StickCheckpoint *checkpoint,
                               StickSimulation *run)
{
    int64_t place[3];
    STICK_TRY(stick_checkpoint_get_integers(checkpoint, "place", place, 3));
    STICK_TRY(
        stick_checkpoint_get_integers(checkpoint, "tables", recorder->position, (size_t)recorder->ntables));
    STICK_TRY(get_cycles(checkpoint, recorder));
    STICK_TRY(stick_restart_get(checkpoint, run));
    for (int k = 0; k < recorder->system->model->nsteps; k++)
        if (recorder->path[k])
            STICK_TRY(stick_restart_get_path(checkpoint, k, run->state.memory.count, recorder->path[k]));
    for (int k = 0; k < recorder->system->model->nsteps; k++)
        if (recorder->times[k].step)
            STICK_TRY(stick_contact_times_get(checkpoint, k, run, &recorder->times[k]));
    for (int k = 0; k < recorder->nprofiles; k++)
        STICK_TRY(get_profile(recorder->ctx, checkpoint, k, &recorder->profile[k]));
    STICK_TRY(get_friction(checkpoint, recorder, run->state.memory.count));
    STICK_TRY(stick_collapse_get(checkpoint, &recorder->collapse));
    STICK_TRY(see_paths(recorder, run, recorder->system->model->nsteps));
    recorder->rows = (long)place[1];
    STICK_TRY(resume_kept(recorder, checkpoint));
    STICK_TRY(resume_fields(recorder, checkpoint, run, (size_t)place[2]));
    return open_tables(recorder, true);
}

StickStatus stick_recorder_resume(StickRecorder *recorder, StickSimulation *run)
{
    StickCheckpoint *checkpoint;
    STICK_TRY(open_checkpoint(recorder->ctx, recorder->folder, &checkpoint));
    StickStatus status = resume_from(recorder, checkpoint, run);
    stick_checkpoint_close(checkpoint);
    return status;
}
