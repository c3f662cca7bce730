// SPDX-License-Identifier: Apache-2.0
#include <stickslip/study.h>

#include "base/diagnostic_filter.h"
#include "base/file.h"
#include "base/inputs.h"
#include "base/text.h"
#include "linalg/threads.h"
#include "output/evidence.h"
#include "output/origin.h"
#include "output/recorder.h"
#include "study/case.h"
#include "study/dump.h"
#include "study/plots.h"
#include "study/summary.h"
#include "study/sweep.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { PATH_TEXT = 4096, MOST_OVERRIDES = 256 };

// Several reasons: the smallest exit code speaks.
static StickStatus worse(StickStatus a, StickStatus b)
{
    if (a == STICK_OK || b == STICK_OK)
        return a == STICK_OK ? b : a;
    return a < b ? a : b;
}

// The model of one case: the file read with the case's parameters behind those of the command line.
static StickStatus read_case(StickContext *ctx, const StickStudyOptions *options, const StickModel *study,
                             const StickCaseSpec *one, StickModel **model)
{
    StickOverride all[MOST_OVERRIDES];
    int count = 0;
    STICK_CHECK(ctx, options->noverrides + one->nparameters <= MOST_OVERRIDES, STICK_USAGE,
                "more than %d parameters are overridden", MOST_OVERRIDES);
    for (int k = 0; k < options->noverrides; k++)
        all[count++] = options->overrides[k];
    for (int k = 0; k < one->nparameters; k++)
        all[count++] = (StickOverride){one->parameter[k], one->value[k]};
    STICK_TRY(stick_model_read_case(ctx, study, options->model, all, count, model));
    for (int k = 0; k < (*model)->nsteps; k++)
        (*model)->step[k].threads = options->threads > 0 ? options->threads : 1;
    return STICK_OK;
}

// ---- checking

static StickStatus check_case(StickContext *ctx, const StickStudyOptions *options, const StickModel *study,
                              const StickCaseSpec *one)
{
    StickModel *model;
    StickHush before = stick_context_hush(ctx, STICK_HUSH_AGAIN);
    StickStatus read = read_case(ctx, options, study, one, &model);
    stick_context_hush(ctx, before);
    STICK_TRY(read);
    StickStatus status = stick_case_check(ctx, model);
    stick_model_destroy(model);
    return status;
}

static StickStatus check_all(StickContext *ctx, const StickStudyOptions *options, const StickModel *model)
{
    if (model->ncases == 0)
        return stick_case_check(ctx, model);
    StickStatus status = STICK_OK;
    for (int k = 0; k < model->ncases && status == STICK_OK; k++) {
        status = check_case(ctx, options, model, &model->cases[k]);
        if (status != STICK_OK)
            stick_note(ctx, "this is case '%s'", model->cases[k].name);
    }
    return status;
}

StickStatus stick_study_check(StickContext *ctx, const StickStudyOptions *options)
{
    StickModel *model;
    STICK_TRY(stick_blas_prepare(ctx, options->threads));
    STICK_TRY(stick_model_read(ctx, options->model, options->overrides, options->noverrides, &model));
    StickStatus status = check_all(ctx, options, model);
    stick_model_destroy(model);
    return status;
}

// ---- the result folder

static bool has(const char *folder, const char *name)
{
    char path[PATH_TEXT];
    int length = snprintf(path, sizeof path, "%s/%s", folder, name);
    return length < PATH_TEXT && stick_file_exists(path);
}

static bool is_ours(const char *name)
{
    static const char *const ours[] = {"model.yaml",   "summary.json", "run.log", "fields.pvd", "bodies.pvd",
                                       "contacts.pvd", "report.html",  "history", "fields",     "plots",
                                       "problems",     "checkpoint",   "cases",   "sweep.csv",  "stability",
                                       "profiles",     "motion",       "cycle",   ".",          ".."};
    char plain[64];
    size_t length = strlen(name),
           kept = length > 4 && strcmp(name + length - 4, ".new") == 0 ? length - 4 : length;
    snprintf(plain, sizeof plain, "%.*s", (int)(kept < sizeof plain ? kept : sizeof plain - 1), name);
    for (size_t k = 0; k < sizeof ours / sizeof *ours; k++)
        if (strcmp(plain, ours[k]) == 0)
            return true;
    return false;
}

// A sound has the name of a signal that was told.
static bool is_sound(const char *folder, const char *name)
{
    char numbers[PATH_TEXT];
    const char *end = strstr(name, ".wav");
    if (!end || (strcmp(end, ".wav") != 0 && strcmp(end, ".wav.new") != 0))
        return false;
    snprintf(numbers, sizeof numbers, "motion/%.*s/numbers.csv", (int)(end - name), name);
    return has(folder, numbers);
}

// Only what this program wrote is ever removed: a folder that is empty, or one that has histories or cases
// and nothing that is not ours. Else *other names something that stands in the way.
static bool is_replaceable(const char *folder, char other[256], bool *empty)
{
    *empty = false;
    DIR *listing = opendir(folder);
    snprintf(other, 256, "no history");
    if (!listing)
        return false;
    *empty = true;
    for (const struct dirent *entry = readdir(listing); entry; entry = readdir(listing)) {
        if (!is_ours(entry->d_name) && !is_sound(folder, entry->d_name)) {
            snprintf(other, 256, "'%.200s'", entry->d_name);
            closedir(listing);
            *empty = false;
            return false;
        }
        *empty = *empty && entry->d_name[0] == '.';
    }
    closedir(listing);
    return *empty || has(folder, "history") || has(folder, "cases");
}

// Whether the model file stands inside of the folder.
static bool holds_model(const char *folder, const char *model)
{
    char *outer = realpath(folder, NULL), *inner = realpath(model, NULL);
    size_t length = outer ? strlen(outer) : 0;
    bool inside =
        outer && inner && strncmp(outer, inner, length) == 0 && (inner[length] == '/' || length == 1);
    free(outer);
    free(inner);
    return inside;
}

// Whether the lock could be taken. A program that was killed right when it started gnuplot lives on for a moment in
// that child, and its lock too: hence the patience.
static bool take_lock(int lock)
{
    enum { TRIES = 20 };
    const struct timespec pause = {.tv_nsec = 50000000};
    for (int k = 0; k < TRIES; k++) {
        if (flock(lock, LOCK_EX | LOCK_NB) == 0 ||
            errno != EWOULDBLOCK) // file systems without locks go without
            return true;
        nanosleep(&pause, NULL);
    }
    return false;
}

// One program at a time works in a folder. The lock goes with the process, however it ends.
static StickStatus lock_folder(StickContext *ctx, const char *folder, int *lock)
{
    struct stat locked, named;
    *lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    STICK_CHECK(ctx, *lock >= 0, STICK_IO, "cannot open the folder '%s': %s", folder, strerror(errno));
    // the name may have become that of another folder while we waited
    if (take_lock(*lock) && fstat(*lock, &locked) == 0 && stat(folder, &named) == 0 &&
        locked.st_dev == named.st_dev && locked.st_ino == named.st_ino)
        return STICK_OK;
    close(*lock);
    *lock = -1;
    return stick_fail(ctx, STICK_USAGE, "another stickslip is at work in '%s'", folder);
}

static void unlock_folder(int lock)
{
    if (lock >= 0)
        close(lock);
}

static StickStatus refuse_folder(StickContext *ctx, const char *folder)
{
    return stick_fail(ctx, STICK_USAGE,
                      "'%s' is there already; --force replaces it, -o NAME takes another, 'stickslip resume' "
                      "goes on in it",
                      folder);
}

// What stands in a folder is judged and removed under its lock, and the folder itself stays: of two programs that replace
// it at the same time one waits outside.
static StickStatus clear_folder(StickContext *ctx, const StickStudyOptions *options)
{
    const char *folder = options->folder;
    char other[256];
    bool empty = false;
    if (!is_replaceable(folder, other, &empty) && options->force)
        return stick_fail(ctx, STICK_USAGE,
                          "'%s' is left as it is: it is not a result folder of stickslip (it has %s); -o "
                          "NAME takes another",
                          folder, other);
    if (!empty && !options->force)
        return refuse_folder(ctx, folder);
    return empty ? STICK_OK : stick_folder_clear(ctx, folder);
}

static StickStatus prepare_folder(StickContext *ctx, const StickStudyOptions *options, int *lock)
{
    const char *folder = options->folder;
    STICK_CHECK(ctx, folder[0] && strlen(folder) < PATH_TEXT - 512, STICK_USAGE,
                "the name of the result folder is %s", folder[0] ? "too long" : "empty");
    if (stick_file_exists(folder)) {
        STICK_CHECK(ctx, stick_folder_exists(folder), STICK_USAGE, "'%s' is a file, not a folder", folder);
        if (!options->force)
            return refuse_folder(ctx, folder);
        STICK_CHECK(
            ctx, !holds_model(folder, options->model), STICK_USAGE,
            "the model file '%s' stands in '%s', which --force would remove; -o NAME takes another folder",
            options->model, folder);
    }
    STICK_TRY(stick_folder_create(ctx, folder));
    STICK_TRY(lock_folder(ctx, folder, lock));
    StickStatus status = clear_folder(ctx, options);
    if (status != STICK_OK)
        unlock_folder(*lock);
    return status;
}

static StickStatus write_model(StickContext *ctx, const StickStudyOptions *options, const StickModel *model)
{
    StickText text;
    stick_text_init(&text, ctx);
    StickStatus status = stick_origin_add(ctx, options->model, options->folder, &text);
    if (status == STICK_OK)
        status = stick_model_resolved(model, &text);
    char *path = status == STICK_OK ? stick_path_join(ctx, options->folder, "model.yaml") : NULL;
    if (status == STICK_OK)
        status = path ? stick_file_write(ctx, path, text.bytes, text.length) : STICK_NO_MEMORY;
    stick_free(ctx, path);
    stick_text_destroy(&text);
    return status;
}

// ---- running

static StickStatus run_case(StickContext *ctx, const StickStudyOptions *options, const StickModel *study,
                            const StickCaseSpec *one, bool resume, StickCaseResult *result)
{
    StickModel *model;
    char folder[PATH_TEXT];
    snprintf(folder, sizeof folder, "%s/cases/%s", options->folder, one->name);
    // its warnings were heard when it was checked
    StickHush before = stick_context_hush(ctx, STICK_HUSH_WARNINGS);
    stick_inputs_forget(ctx);
    StickStatus status = read_case(ctx, options, study, one, &model);
    stick_context_hush(ctx, before);
    if (status != STICK_OK) {
        *result = (StickCaseResult){.state = "failed", .status = status};
        return status;
    }
    bool go_on = resume && has(folder, "model.yaml");
    status = stick_case_run(ctx, model, options, one->name, folder, go_on, result);
    stick_model_destroy(model);
    return status;
}

static StickStatus run_cases(StickContext *ctx, const StickStudyOptions *options, const StickModel *model,
                             bool resume)
{
    StickCaseResult *result;
    STICK_ALLOC(ctx, result, model->ncases);
    StickStatus status = STICK_OK, ended = STICK_OK;
    for (int k = 0; k < model->ncases && ended != STICK_INTERRUPTED; k++) {
        ended = run_case(ctx, options, model, &model->cases[k], resume, &result[k]);
        if (ended != STICK_OK)
            stick_note(ctx, "case '%s' ended: %s", model->cases[k].name, stick_status_name(ended));
        status = worse(status, ended);
    }
    if (ended != STICK_INTERRUPTED && !options->no_plots)
        status = worse(status, stick_plots_compare(ctx, model, options->folder));
    StickStudyFacts facts;
    StickStatus written = stick_study_facts_read(ctx, options->folder, model, &facts);
    if (written == STICK_OK) {
        status = worse(status, stick_sweep_write(ctx, options->folder, model, result, &facts));
        written = stick_summary_study(ctx, options->folder, model, status, result, &facts);
        stick_study_facts_destroy(&facts);
    }
    stick_free(ctx, result);
    return worse(status, written);
}

// The folder of cases comes first: with it a folder is known as one of ours.
static StickStatus start_study(StickContext *ctx, const StickStudyOptions *options, const StickModel *model)
{
    char path[PATH_TEXT];
    snprintf(path, sizeof path, "%s/cases", options->folder);
    STICK_TRY(stick_folder_create(ctx, path));
    return write_model(ctx, options, model);
}

// Whether a resume goes on in a folder, in which it relies on a checkpoint.
static bool relies_on_checkpoint(StickContext *ctx, const char *folder)
{
    StickCaseResult result;
    return stick_recorder_has_checkpoint(folder) && !stick_summary_ended(ctx, folder, &result);
}

// Files that models read must be as they were, in the folder and in those of its cases.
static StickStatus verify_inputs(StickContext *ctx, const char *folder)
{
    char path[PATH_TEXT];
    if (relies_on_checkpoint(ctx, folder))
        return stick_evidence_verify_inputs(ctx, folder);
    snprintf(path, sizeof path, "%.*s/cases", PATH_TEXT - 16, folder);
    DIR *listing = opendir(path);
    StickStatus status = STICK_OK;
    for (const struct dirent *entry; listing && status == STICK_OK && (entry = readdir(listing));) {
        char inner[PATH_TEXT];
        int length = snprintf(inner, sizeof inner, "%s/%s", path, entry->d_name);
        if (entry->d_name[0] != '.' && length < PATH_TEXT && stick_recorder_has_checkpoint(inner))
            status = stick_evidence_verify_inputs(ctx, inner);
    }
    if (listing)
        closedir(listing);
    return status;
}

// A run that has begun has a checkpoint; one that was killed before starts again.
static StickStatus check_not_missing(StickContext *ctx, const char *folder)
{
    StickCaseResult result;
    bool missing = !stick_recorder_has_checkpoint(folder) && stick_summary_began(ctx, folder) &&
                   !stick_summary_ended(ctx, folder, &result);
    STICK_CHECK(
        ctx, !missing, STICK_IO,
        "cannot resume '%s': its checkpoint '%s/checkpoint/state.h5' is missing; put it back, or start "
        "again with 'stickslip run MODEL -o DIR --force'",
        folder, folder);
    return STICK_OK;
}

// All that the checkpoints of a folder rely on must be as it was, before anything in it is changed. A run that has ended
// is left as it is, but in a study it stands next to those that go on.
static StickStatus verify_all(StickContext *ctx, const StickStudyOptions *options, const StickModel *model)
{
    if (model->ncases == 0 && relies_on_checkpoint(ctx, options->folder))
        return stick_evidence_verify(ctx, model, options->folder);
    if (model->ncases == 0)
        return check_not_missing(ctx, options->folder);
    for (int k = 0; k < model->ncases; k++) {
        StickModel *one;
        char folder[PATH_TEXT];
        snprintf(folder, sizeof folder, "%s/cases/%s", options->folder, model->cases[k].name);
        STICK_TRY(check_not_missing(ctx, folder));
        if (!stick_recorder_has_checkpoint(folder))
            continue;
        StickHush before = stick_context_hush(ctx, STICK_HUSH_WARNINGS);
        StickStatus status = read_case(ctx, options, model, &model->cases[k], &one);
        stick_context_hush(ctx, before);
        STICK_TRY(status);
        status = stick_evidence_verify(ctx, one, folder);
        stick_model_destroy(one);
        STICK_TRY(status);
    }
    return STICK_OK;
}

// In a folder that is locked.
static StickStatus run_all(StickContext *ctx, const StickStudyOptions *options, const StickModel *model,
                           bool resume)
{
    StickCaseResult result;
    StickStatus status = STICK_OK;
    if (options->started)
        *options->started = true;
    if (model->ncases > 0 && !resume)
        status = start_study(ctx, options, model);
    if (status == STICK_OK)
        status = model->ncases > 0
                     ? run_cases(ctx, options, model, resume)
                     : stick_case_run(ctx, model, options, "", options->folder, resume, &result);
    return status;
}

static StickStatus check_and_run(StickContext *ctx, const StickStudyOptions *options, const StickModel *model)
{
    STICK_TRY(check_all(ctx, options, model));
    int lock;
    STICK_TRY(prepare_folder(ctx, options, &lock));
    StickStatus status = run_all(ctx, options, model, false);
    unlock_folder(lock);
    return status;
}

StickStatus stick_study_run(StickContext *ctx, const StickStudyOptions *options)
{
    StickModel *model;
    STICK_TRY(stick_blas_prepare(ctx, options->threads));
    STICK_TRY(stick_dump_check(ctx, options->dump_problems));
    STICK_TRY(stick_model_read(ctx, options->model, options->overrides, options->noverrides, &model));
    StickStatus status = stick_dump_check_model(options->dump_problems, model);
    if (status == STICK_OK)
        status = check_and_run(ctx, options, model);
    stick_model_destroy(model);
    return status;
}

// A resume that is refused changes nothing.
static StickStatus resume_locked(StickContext *ctx, const StickStudyOptions *options)
{
    StickModel *model;
    StickCaseResult result;
    if (!stick_summary_ended(ctx, options->folder, &result))
        STICK_TRY(stick_origin_verify(ctx, options->folder));
    STICK_TRY(verify_inputs(ctx, options->folder));
    StickHush before = stick_context_hush(ctx, STICK_HUSH_WARNINGS);
    StickStatus read = stick_model_read(ctx, options->model, NULL, 0, &model);
    stick_context_hush(ctx, before);
    STICK_TRY(read);
    StickStatus status = stick_dump_check_model(options->dump_problems, model);
    if (status == STICK_OK)
        status = verify_all(ctx, options, model);
    if (status == STICK_OK)
        status = run_all(ctx, options, model, true);
    stick_model_destroy(model);
    return status;
}

StickStatus stick_study_resume(StickContext *ctx, const StickStudyOptions *options)
{
    char path[PATH_TEXT];
    STICK_CHECK(ctx, stick_folder_exists(options->folder), STICK_USAGE,
                "'%s' cannot be resumed: there is no such folder", options->folder);
    STICK_CHECK(ctx, strlen(options->folder) < PATH_TEXT - 512 && has(options->folder, "model.yaml"),
                STICK_USAGE,
                "'%s' cannot be resumed: it has no model.yaml; 'stickslip run MODEL -o DIR' starts anew",
                options->folder);
    snprintf(path, sizeof path, "%s/model.yaml", options->folder);
    StickStudyOptions own = *options;
    own.model = path;
    own.overrides = NULL;
    own.noverrides = 0;
    int lock;
    STICK_TRY(stick_blas_prepare(ctx, options->threads));
    STICK_TRY(stick_dump_check(ctx, options->dump_problems));
    STICK_TRY(lock_folder(ctx, options->folder, &lock));
    StickStatus status = resume_locked(ctx, &own);
    unlock_folder(lock);
    return status;
}
