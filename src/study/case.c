// SPDX-License-Identifier: Apache-2.0
#include "study/case.h"

#include "base/clock.h"
#include "base/diagnostic_filter.h"
#include "base/file.h"
#include "base/text.h"
#include "contact/adjust.h"
#include "output/origin.h"
#include "output/recorder.h"
#include "stepping/steady.h"
#include "study/dump.h"
#include "study/frequencies.h"
#include "study/gears.h"
#include "study/growth_results.h"
#include "study/mechanism.h"
#include "study/motion.h"
#include "study/plots.h"
#include "study/run_log.h"
#include "study/run_warnings.h"
#include "study/stability_step.h"
#include "study/stability_sweep.h"
#include "study/summary.h"
#include "study/transient_check.h"

#include <stdio.h>
#include <string.h>

enum { CHECKPOINT_SECONDS = 5, NAME_TEXT = 256 };

// Everything of one case while it runs.
typedef struct Case {
    StickContext *ctx;
    const StickModel *model;
    const StickStudyOptions *options;
    const char *name;
    const char *folder;
    StickSystem *system;
    StickRecorder *recorder;
    StickSimulation *run;         // of the present step of the model
    StickTransientCheck *confirm; // of its disturbance; NULL: it has none
    int stage;                    // its number
    StickRunLog log;              // open while it runs
    bool begun;                   // the folder is ours to write
    bool saved;                   // there is a checkpoint
    size_t failures;              // of memory and files before it
    double started;               // clock
    double checkpoint;            // clock of the last checkpoint
    size_t first_diagnostic;
    StickCheckVerdict *verdict; // one per check
    StickCheckVerdict *outcome; // one per outcome
    StickHeadline headline;
    bool judged; // these are filled in
    int failed;
} Case;

// ---- checking

static StickStatus check_outputs(StickContext *ctx, const StickSystem *system)
{
    StickRecorder *recorder = NULL;
    STICK_TRY(stick_growth_check_names(ctx, system->model));
    StickStatus status = stick_recorder_create(ctx, system, "", &recorder);
    stick_recorder_destroy(recorder);
    return status;
}

static StickStatus check_stability(const StickSimulation *run)
{
    const StickModel *model = run->system->model;
    for (int k = 0; k < model->nsteps; k++)
        if (model->step[k].kind == STICK_STEP_STABILITY)
            STICK_TRY(stick_stability_check(run, &model->step[k]));
    for (int k = 0; k < model->nsteps; k++)
        if (model->step[k].stability.vary.parameter)
            STICK_TRY(stick_stability_sweep_check(run->ctx, model, &model->step[k]));
    return STICK_OK;
}

// The first step is started as well: its supports, loads and initial values are evaluated.
static StickStatus check_step(StickContext *ctx, const StickSystem *system, int stage)
{
    StickSimulation *run = NULL;
    STICK_TRY(stick_simulation_create(ctx, system, &system->model->step[stage], &run));
    StickStatus status = stick_checks_validate(ctx, run);
    if (status == STICK_OK && stage == 0)
        status = check_stability(run);
    if (status == STICK_OK && stage == 0)
        status = stick_simulation_start(run, NULL);
    stick_simulation_destroy(run);
    return status;
}

StickStatus stick_case_check(StickContext *ctx, const StickModel *model)
{
    StickSystem *system;
    STICK_TRY(stick_adjusted_system_create(ctx, model, &system));
    StickStatus status = check_outputs(ctx, system);
    for (int k = 0; k < model->nsteps && status == STICK_OK; k++)
        if (model->step[k].kind != STICK_STEP_STABILITY)
            status = check_step(ctx, system, k);
    stick_system_destroy(system);
    return status;
}

// ---- files

// Only a run that has come to its end claims anything.
static bool is_certified(const Case *c, const char *state)
{
    return c->run && strcmp(state, "finished") == 0 && stick_run_certified(c->run);
}

static StickStatus write_summary(Case *c, const char *state, StickStatus status)
{
    StickSummary summary = {
        .model = c->model,
        .run = c->saved ? c->run : NULL,
        .state = state,
        .status = status,
        .certified = is_certified(c, state),
        .verdict = c->judged ? c->verdict : NULL,
        .outcome = c->judged ? c->outcome : NULL,
        .headline = &c->headline, // without a topic: none yet
        .seconds = stick_clock_wall() - c->started,
        .first_diagnostic = c->first_diagnostic,
        .log_bytes = c->log.old_bytes,
    };
    return stick_summary_write(c->ctx, c->folder, &summary);
}

static StickStatus write_text(Case *c, const char *name, const StickText *text)
{
    STICK_TRY(stick_text_status(text));
    char *path = stick_path_join(c->ctx, c->folder, name);
    if (!path)
        return STICK_NO_MEMORY;
    StickStatus status = stick_file_write(c->ctx, path, text->bytes ? text->bytes : "", text->length);
    stick_free(c->ctx, path);
    return status;
}

// The model as it is understood, and the folder that its file names are relative to: what a resume reads.
static StickStatus write_model(Case *c)
{
    StickText text;
    stick_text_init(&text, c->ctx);
    StickStatus status = stick_origin_add(c->ctx, c->options->model, c->options->folder, &text);
    if (status == STICK_OK)
        status = stick_model_resolved(c->model, &text);
    if (status == STICK_OK)
        status = write_text(c, "model.yaml", &text);
    stick_text_destroy(&text);
    return status;
}

// ---- running

static bool is_stopped(const Case *c)
{
    return c->options->stop && *c->options->stop;
}

// Who makes progress: the case, and of a model with several steps the step.
static void tell_name(const Case *c, int stage, char name[NAME_TEXT])
{
    const char *step = c->model->nsteps > 1 ? c->model->step[stage].name : "";
    snprintf(name, NAME_TEXT, "%.120s%s%.120s", c->name, c->name[0] && step[0] ? ", " : "", step);
}

static void report(const Case *c)
{
    const StickProgress *progress = &c->options->progress;
    char name[NAME_TEXT];
    if (!progress->report)
        return;
    tell_name(c, c->stage, name);
    progress->report(progress->user, name, stick_simulation_done(c->run), c->run->nsteps, c->run->state.now.t,
                     c->run->spec->end);
}

static bool checkpoint_is_due(const Case *c)
{
    int every = c->options->checkpoint_steps;
    if (every > 0)
        return c->run->state.step % every == 0;
    return stick_clock_wall() - c->checkpoint > CHECKPOINT_SECONDS;
}

static StickStatus checkpoint(Case *c)
{
    const StickTable *growth = NULL;
    if (c->confirm)
        STICK_TRY(stick_transient_check_save(c->confirm, &growth));
    STICK_TRY(stick_recorder_checkpoint(c->recorder, c->run, c->stage, growth));
    c->checkpoint = stick_clock_wall();
    return STICK_OK;
}

static StickDump dump_of(const Case *c)
{
    return (StickDump){c->ctx, c->run, c->folder, c->model->nsteps > 1 ? c->stage + 1 : 0};
}

static StickStatus dump(const Case *c)
{
    StickDump dump = dump_of(c);
    return stick_dump_step(&dump);
}

// From here on an interrupted run takes the time that it needs to save its state.
static void announce_saving(const Case *c)
{
    if (c->options->saving)
        *c->options->saving = 1;
}

// Saves the state where a signal stopped the run: between two steps, or at the start of the one that was given up.
static StickStatus save_interrupted(Case *c)
{
    announce_saving(c);
    STICK_TRY(checkpoint(c));
    return stick_fail(c->ctx, STICK_INTERRUPTED,
                      "interrupted at t = %g, the state is saved: 'stickslip resume' goes on from here",
                      c->run->state.now.t);
}

// One time step. If it fails, the last good state is saved, with its books, so that nothing is lost. A step that was cut
// may have come a part of its way: then books are those of there.
static StickStatus step_or_save(Case *c)
{
    StickLedger ledger = c->run->ledger;
    StickStatistics record = c->run->record;
    StickAdvance advance = c->run->advance;
    double t = c->run->state.now.t;
    StickStatus status = stick_simulation_step(c->run);
    if (status == STICK_OK)
        return stick_dump_wants(c->options->dump_problems, c->run->state.step) ? dump(c) : STICK_OK;
    bool moved = c->run->state.now.t != t;
    if (!moved) {
        c->run->ledger = ledger;
        c->run->record = record;
    }
    if (status == STICK_INTERRUPTED) {
        c->run->advance = moved ? c->run->advance : advance;
        return save_interrupted(c);
    }
    if (status != STICK_NO_MEMORY && checkpoint(c) == STICK_OK)
        stick_note(c->ctx,
                   status == STICK_NOT_SOLVED ? "the last good state, t = %g, is saved: 'stickslip resume "
                                                "%s' repeats the failure from there"
                                              : "the last good state, t = %g, is saved",
                   c->run->state.now.t, c->folder);
    StickDump failed = dump_of(c);
    if (status == STICK_NOT_SOLVED)
        stick_dump_failed(&failed);
    return status;
}

// Whether nothing moves any more behind the present step.
static bool is_last_to_move(const Case *c)
{
    for (int k = c->stage + 1; k < c->model->nsteps; k++)
        if (c->model->step[k].kind != STICK_STEP_STABILITY)
            return false;
    return true;
}

// The time loop of one step of the model.
static StickStatus march(Case *c)
{
    StickSimulation *run = c->run;
    while (!stick_simulation_is_done(run)) {
        STICK_TRY(step_or_save(c));
        bool last = stick_simulation_is_done(run) && is_last_to_move(c);
        STICK_TRY(stick_recorder_record(c->recorder, run, last));
        if (c->confirm)
            STICK_TRY(stick_transient_check_see(c->confirm, run));
        report(c);
        if (is_stopped(c))
            return save_interrupted(c);
        if (checkpoint_is_due(c))
            STICK_TRY(checkpoint(c));
    }
    return STICK_OK;
}

// The disturbance with which a step starts; NULL if it has none. The mode is computed anew when a run is resumed.
static StickStatus create_confirm(Case *c, int stage, StickTransientCheck **confirm)
{
    const StickStepSpec *step = &c->model->step[stage];
    *confirm = NULL;
    if (!step->perturb.given)
        return STICK_OK;
    StickTransientCheckTask task = {c->system, step, stick_recorder_path(c->recorder, step->perturb.of),
                                    c->folder};
    return stick_transient_check_create(c->ctx, &task, confirm);
}

// The state of a family of steady sliding that motion starts from is the last of its path.
static StickStatus seek_start(Case *c, int stage)
{
    const StickFromSpec *from = &c->model->step[stage].from;
    if (!from->parameter)
        return STICK_OK;
    STICK_TRY(stick_steady_seek(c->run, from->value, c->run->spec->end));
    return stick_recorder_see(c->recorder, c->run, stage);
}

static StickStatus start_run(Case *c, int stage, StickSimulation *run, StickTransientCheck **confirm)
{
    STICK_TRY(seek_start(c, stage));
    STICK_TRY(stick_simulation_start(run, c->run));
    STICK_TRY(create_confirm(c, stage, confirm));
    return *confirm ? stick_transient_check_start(*confirm, run) : STICK_OK;
}

// Files of a step that stay as they are: checkpoints of later steps rely on them. Those of the steps that a resumed run
// judges again are not among them.
static StickStatus keep_files(const Case *c, const char *format, int stage)
{
    char name[512];
    snprintf(name, sizeof name, format, c->model->step[stage].name);
    return stick_recorder_keep(c->recorder, name);
}

static StickStatus next_stage(Case *c, int stage)
{
    StickSimulation *run;
    StickTransientCheck *confirm = NULL;
    if (c->confirm)
        STICK_TRY(keep_files(c, "history/%.400s-growth.csv", c->stage));
    for (int k = c->stage; c->run && k < stage; k++) {
        if (c->model->step[k].kind != STICK_STEP_STABILITY)
            continue;
        STICK_TRY(keep_files(c, "history/%.400s.csv", k));
        STICK_TRY(keep_files(c, "stability/%.400s", k));
    }
    STICK_TRY(stick_simulation_create(c->ctx, c->system, &c->model->step[stage], &run));
    StickStatus status = start_run(c, stage, run, &confirm);
    if (status != STICK_OK) {
        stick_transient_check_destroy(confirm);
        stick_simulation_destroy(run);
        return status;
    }
    stick_transient_check_destroy(c->confirm);
    stick_simulation_destroy(c->run);
    c->confirm = confirm;
    c->run = run;
    c->stage = stage;
    return confirm ? keep_files(c, "stability/%.400s", stage) : STICK_OK;
}

// Nothing moves: the run stays as it is, and is saved with its path before.
static StickStatus judge(Case *c, int stage)
{
    char name[NAME_TEXT];
    tell_name(c, stage, name);
    StickStabilityTask task = {
        .system = c->system,
        .step = &c->model->step[stage],
        .path = stick_recorder_path(c->recorder, stage),
        .folder = c->folder,
        .name = name,
        .options = c->options,
    };
    STICK_TRY(checkpoint(c));
    return task.step->stability.vary.parameter ? stick_stability_sweep(c->ctx, &task)
                                               : stick_stability_step(c->ctx, &task);
}

// A path that ends early, as by a jump, is judged up to there, by all steps that ask for what there is of paths.
static StickStatus judge_what_there_is(Case *c)
{
    for (int stage = c->stage + 1; stage < c->model->nsteps; stage++) {
        const StickStepSpec *step = &c->model->step[stage];
        if (step->kind != STICK_STEP_STABILITY || step->stability.of > c->stage)
            continue;
        stick_note(c->ctx, "step '%s' judges the path of step '%s' as far as it came", step->name,
                   c->model->step[step->stability.of].name);
        StickStatus status = judge(c, stage);
        if (status == STICK_NO_MEMORY || status == STICK_INTERRUPTED)
            return status;
    }
    return STICK_OK;
}

static StickStatus write_plots(const Case *c)
{
    return c->options->no_plots ? STICK_OK : stick_plots_write(c->ctx, c->model, c->folder);
}

// Where the path ended is the last frame.
static StickStatus show_what_there_is(Case *c)
{
    STICK_TRY(stick_recorder_show(c->recorder, c->run));
    STICK_TRY(stick_recorder_close(c->recorder));
    return write_plots(c);
}

static StickStatus march_or_judge(Case *c)
{
    StickStatus status = march(c);
    if (status != STICK_NOT_SOLVED || !stick_simulation_is_quasistatic(c->run))
        return status;
    StickStatus after = judge_what_there_is(c);
    if (after == STICK_OK)
        show_what_there_is(c);
    return after == STICK_OK ? status : after;
}

static StickStatus next_step(Case *c, int stage)
{
    stick_frequencies_watch(c->ctx, c->system, &c->model->step[stage]);
    if (c->model->step[stage].kind == STICK_STEP_STABILITY)
        return judge(c, stage);
    STICK_TRY(next_stage(c, stage));
    return march_or_judge(c);
}

static StickStatus begin(Case *c, bool resume)
{
    if (resume && stick_recorder_has_checkpoint(c->folder)) {
        STICK_TRY(stick_recorder_stage(c->ctx, c->folder, &c->stage));
        STICK_CHECK(c->ctx, c->stage >= 0 && c->stage < c->model->nsteps, STICK_IO,
                    "the checkpoint in '%s' belongs to another model", c->folder);
        STICK_TRY(stick_simulation_create(c->ctx, c->system, &c->model->step[c->stage], &c->run));
        STICK_TRY(stick_recorder_resume(c->recorder, c->run));
        STICK_TRY(create_confirm(c, c->stage, &c->confirm));
        return c->confirm ? stick_transient_check_resume(c->confirm, c->run) : STICK_OK;
    }
    STICK_TRY(stick_recorder_open(c->recorder));
    STICK_TRY(next_stage(c, 0));
    if (!c->run->trajectory) // its first position is the first that there is to tell
        STICK_TRY(stick_recorder_record(c->recorder, c->run, stick_simulation_is_done(c->run)));
    return checkpoint(c);
}

static StickStatus warn_of_growth(Case *c)
{
    for (int k = 0; k < c->model->nsteps; k++)
        if (c->model->step[k].perturb.given)
            STICK_TRY(stick_growth_warn(c->ctx, c->folder, &c->model->step[k]));
    return STICK_OK;
}

static StickStatus finish(Case *c)
{
    STICK_TRY(checkpoint(c));
    STICK_TRY(stick_recorder_close(c->recorder));
    stick_run_warnings_say(c->run);
    STICK_TRY(warn_of_growth(c));
    STICK_TRY(stick_motion_write(c->ctx, c->system, c->recorder, c->folder));
    STICK_TRY(stick_gears_write(c->ctx, c->folder, c->model));
    STICK_TRY(stick_mechanism_tell(c->ctx, c->folder, c->model));
    StickStatus status = stick_checks_evaluate(c->ctx, c->run, c->folder, c->verdict, &c->failed);
    StickStatus counted = stick_outcomes_evaluate(c->ctx, c->run, c->folder, c->outcome);
    status = status == STICK_OK ? counted : status;
    STICK_TRY(stick_headline_find(c->ctx, c->folder, c->run, true, &c->headline));
    c->judged = true;
    STICK_TRY(write_plots(c));
    STICK_CHECK(
        c->ctx, stick_run_certified(c->run), STICK_NOT_SOLVED,
        "the run is not certified: largest contact error %.2e (of the whole %.2e, scale-free %.2e, of a "
        "contact in its own scale %.2e), velocities %.2e",
        stick_run_worst_error(c->run), c->run->record.worst_error, c->run->record.worst_scale_free,
        c->run->record.worst_contact, c->run->record.worst_consistency);
    return c->failed ? STICK_CHECK_FAILED : status;
}

// The folder of histories comes first: with it a folder is
// known as one of ours, whenever the program is killed.
static StickStatus start_folder(Case *c)
{
    char *histories = stick_path_join(c->ctx, c->folder, "history");
    StickStatus status = histories ? stick_folder_create(c->ctx, histories) : STICK_NO_MEMORY;
    stick_free(c->ctx, histories);
    STICK_TRY(status);
    c->begun = true;
    STICK_TRY(write_model(c));
    return stick_run_log_open(&c->log);
}

static StickStatus go_through(Case *c, bool resume)
{
    STICK_ALLOC(c->ctx, c->verdict, c->model->nchecks);
    STICK_ALLOC(c->ctx, c->outcome, c->model->noutcomes);
    STICK_TRY(stick_growth_check_names(c->ctx, c->model));
    STICK_TRY(stick_adjusted_system_create(c->ctx, c->model, &c->system));
    STICK_TRY(stick_recorder_create(c->ctx, c->system, c->folder, &c->recorder));
    if (!resume)
        STICK_TRY(start_folder(c));
    STICK_TRY(begin(c, resume));
    c->begun = c->saved = true;
    stick_frequencies_watch(c->ctx, c->system, &c->model->step[c->stage]);
    STICK_TRY(check_stability(c->run));
    STICK_TRY(write_summary(c, "running", STICK_OK));
    if (resume) // this summary tells how much of the log is older
        STICK_TRY(stick_run_log_open(&c->log));
    STICK_TRY(march_or_judge(c));
    for (int stage = c->stage + 1; stage < c->model->nsteps; stage++)
        STICK_TRY(next_step(c, stage));
    return finish(c);
}

static const char *state_of(StickStatus status)
{
    bool ended = status == STICK_OK || status == STICK_CHECK_FAILED;
    return ended ? "finished" : status == STICK_INTERRUPTED ? "interrupted" : "failed";
}

static void keep_result(const Case *c, StickStatus status, StickCaseResult *result)
{
    *result = (StickCaseResult){
        .state = state_of(status),
        .status = status,
        .checks = c->model->nchecks,
        .failed = c->failed,
        .certified = is_certified(c, state_of(status)),
        .seconds = stick_clock_wall() - c->started,
    };
}

// A run that does not come to its end still has what its stability steps judged before.
static void keep_judged(Case *c)
{
    if (stick_headline_find(c->ctx, c->folder, c->run, false, &c->headline) != STICK_OK)
        c->headline = (StickHeadline){0};
}

// How it ended goes into the folder; a folder that could not be begun is left as it was.
static StickStatus conclude(Case *c, StickStatus status)
{
    if (!c->begun)
        return status;
    if (status == STICK_INTERRUPTED)
        announce_saving(c);
    // who went on without a part of the results has said so
    if ((status == STICK_OK || status == STICK_CHECK_FAILED) &&
        stick_failure_since(c->ctx, c->failures) != STICK_OK)
        status = stick_failure_since(c->ctx, c->failures);
    if (!c->judged && c->run && status != STICK_NO_MEMORY)
        keep_judged(c);
    // a summary that says the end comes last: what was killed before it is gone on with
    StickStatus logged = stick_run_log_close(&c->log);
    if (logged != STICK_OK && (status == STICK_OK || status == STICK_CHECK_FAILED))
        status = logged;
    StickStatus written = write_summary(c, state_of(status), status);
    return status == STICK_OK || status == STICK_CHECK_FAILED ? (written != STICK_OK ? written : status)
                                                              : status;
}

// A run that has ended stays as it is; its result is what it was.
static bool is_done(StickContext *ctx, const char *folder, StickCaseResult *result)
{
    if (!stick_summary_ended(ctx, folder, result))
        return false;
    stick_note(ctx, "'%s' is finished: nothing to do%s", folder,
               result->failed ? "; checks failed, see its summary.json" : "");
    return true;
}

StickStatus stick_case_run(StickContext *ctx, const StickModel *model, const StickStudyOptions *options,
                           const char *name, const char *folder, bool resume, StickCaseResult *result)
{
    if (resume && is_done(ctx, folder, result))
        return result->status;
    Case c = {
        .ctx = ctx,
        .model = model,
        .options = options,
        .name = name,
        .folder = folder,
        .started = stick_clock_wall(),
        .checkpoint = stick_clock_wall(),
        .first_diagnostic = stick_diagnostic_count(ctx),
        .failures = stick_failure_count(ctx),
    };
    c.log = (StickRunLog){.ctx = ctx,
                          .model = model,
                          .folder = folder,
                          .first_diagnostic = c.first_diagnostic,
                          .old_bytes = resume ? stick_summary_log_bytes(ctx, folder) : 0,
                          .file = -1};
    stick_context_stop_by(ctx, options->stop);
    stick_context_run_from(ctx, c.first_diagnostic);
    StickStatus status = conclude(&c, go_through(&c, resume));
    stick_context_run_from(ctx, 0);
    stick_context_stop_by(ctx, NULL);
    keep_result(&c, status, result);
    stick_free(ctx, c.verdict);
    stick_free(ctx, c.outcome);
    stick_transient_check_destroy(c.confirm);
    stick_simulation_destroy(c.run);
    stick_recorder_destroy(c.recorder);
    stick_system_destroy(c.system);
    return status;
}
