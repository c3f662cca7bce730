// SPDX-License-Identifier: Apache-2.0
#include "study/study.h"

#include "base/file.h"
#include "base/text.h"
#include "study/case.h"
#include "study/plots.h"
#include "study/summary.h"

#include <stdio.h>
#include <string.h>

enum { PATH_TEXT = 4096, MOST_OVERRIDES = 256 };

// Several reasons: the smallest exit code speaks.
static StickStatus worse(StickStatus a, StickStatus b)
{
    if (a == STICK_OK || b == STICK_OK)
        return a == STICK_OK ? b : a;
    return a < b ? a : b;
}

// The model of one case: the file read with the case's parameters behind those of the command line.
static StickStatus read_case(StickContext *ctx, const StickStudyOptions *options, const StickCaseSpec *one,
                             StickModel **model)
{
    StickOverride all[MOST_OVERRIDES];
    int count = 0;
    STICK_CHECK(ctx, options->noverrides + one->nparameters <= MOST_OVERRIDES, STICK_USAGE,
                "more than %d parameters are overridden", MOST_OVERRIDES);
    for (int k = 0; k < options->noverrides; k++)
        all[count++] = options->overrides[k];
    for (int k = 0; k < one->nparameters; k++)
        all[count++] = (StickOverride){one->parameter[k], one->value[k]};
    return stick_model_read(ctx, options->model, all, count, model);
}

// ---- checking

static StickStatus check_case(StickContext *ctx, const StickStudyOptions *options, const StickCaseSpec *one)
{
    StickModel *model;
    STICK_TRY(read_case(ctx, options, one, &model));
    StickStatus status = stick_case_check(ctx, model);
    stick_model_destroy(model);
    return status;
}

static StickStatus check_all(StickContext *ctx, const StickStudyOptions *options, const StickModel *model)
{
    if (model->ncases == 0)
        return stick_case_check(ctx, model);
    StickStatus status = STICK_OK;
    for (int k = 0; k < model->ncases && status == STICK_OK; k++)
        status = check_case(ctx, options, &model->cases[k]);
    return status;
}

StickStatus stick_study_check(StickContext *ctx, const StickStudyOptions *options)
{
    StickModel *model;
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

// Only what this program wrote is ever removed.
static StickStatus prepare_folder(StickContext *ctx, const StickStudyOptions *options)
{
    const char *folder = options->folder;
    STICK_CHECK(ctx, strlen(folder) < PATH_TEXT - 512, STICK_USAGE, "the name of the result folder is too long");
    if (!stick_file_exists(folder))
        return stick_folder_create(ctx, folder);
    STICK_CHECK(ctx, stick_folder_exists(folder), STICK_USAGE, "'%s' is a file, not a folder", folder);
    STICK_CHECK(ctx, options->force, STICK_USAGE,
                "'%s' is there already; --force replaces it, -o NAME takes another, 'stickslip resume' goes on in it",
                folder);
    STICK_CHECK(ctx, has(folder, "model.yaml") && (has(folder, "history") || has(folder, "cases")),
                STICK_USAGE, "'%s' is not a result folder of stickslip: it is left as it is", folder);
    STICK_TRY(stick_folder_remove(ctx, folder));
    return stick_folder_create(ctx, folder);
}

static StickStatus write_model(StickContext *ctx, const StickModel *model, const char *folder)
{
    StickText text;
    stick_text_init(&text, ctx);
    StickStatus status = stick_model_resolved(model, &text);
    char *path = status == STICK_OK ? stick_path_join(ctx, folder, "model.yaml") : NULL;
    if (status == STICK_OK)
        status = path ? stick_file_write(ctx, path, text.bytes, text.length) : STICK_NO_MEMORY;
    stick_free(ctx, path);
    stick_text_destroy(&text);
    return status;
}

// ---- running

static StickStatus run_case(StickContext *ctx, const StickStudyOptions *options, const StickCaseSpec *one, bool resume,
                            StickCaseResult *result)
{
    StickModel *model;
    char folder[PATH_TEXT];
    snprintf(folder, sizeof folder, "%s/cases/%s", options->folder, one->name);
    StickStatus status = read_case(ctx, options, one, &model);
    if (status != STICK_OK) {
        *result = (StickCaseResult){.status = status};
        return status;
    }
    bool go_on = resume && has(folder, "model.yaml");
    status = stick_case_run(ctx, model, options, one->name, folder, go_on, result);
    stick_model_destroy(model);
    return status;
}

static StickStatus run_cases(StickContext *ctx, const StickStudyOptions *options, const StickModel *model, bool resume)
{
    StickCaseResult *result;
    STICK_ALLOC(ctx, result, model->ncases);
    StickStatus status = STICK_OK;
    for (int k = 0; k < model->ncases && status != STICK_INTERRUPTED; k++)
        status = worse(status, run_case(ctx, options, &model->cases[k], resume, &result[k]));
    StickStatus written = stick_summary_study(ctx, options->folder, model, result);
    if (status != STICK_INTERRUPTED)
        written = worse(written, stick_plots_compare(ctx, model, options->folder));
    stick_free(ctx, result);
    return worse(status, written);
}

static StickStatus run_all(StickContext *ctx, const StickStudyOptions *options, const StickModel *model, bool resume)
{
    StickCaseResult result;
    if (model->ncases == 0)
        return stick_case_run(ctx, model, options, "", options->folder, resume, &result);
    if (!resume)
        STICK_TRY(write_model(ctx, model, options->folder));
    return run_cases(ctx, options, model, resume);
}

static StickStatus check_and_run(StickContext *ctx, const StickStudyOptions *options, const StickModel *model)
{
    STICK_TRY(check_all(ctx, options, model));
    STICK_TRY(prepare_folder(ctx, options));
    return run_all(ctx, options, model, false);
}

StickStatus stick_study_run(StickContext *ctx, const StickStudyOptions *options)
{
    StickModel *model;
    STICK_TRY(stick_model_read(ctx, options->model, options->overrides, options->noverrides, &model));
    StickStatus status = check_and_run(ctx, options, model);
    stick_model_destroy(model);
    return status;
}

StickStatus stick_study_resume(StickContext *ctx, const StickStudyOptions *options)
{
    char path[PATH_TEXT];
    STICK_CHECK(ctx, has(options->folder, "model.yaml"), STICK_USAGE, "'%s' is not a result folder: it has no model.yaml",
                options->folder);
    snprintf(path, sizeof path, "%s/model.yaml", options->folder);
    StickStudyOptions own = *options;
    own.model = path;
    own.overrides = NULL;
    own.noverrides = 0;
    StickModel *model;
    STICK_TRY(stick_model_read(ctx, path, NULL, 0, &model));
    StickStatus status = run_all(ctx, &own, model, true);
    stick_model_destroy(model);
    return status;
}
