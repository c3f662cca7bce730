// SPDX-License-Identifier: Apache-2.0
#include "report/runs.h"

#include "base/diagnostic_filter.h"
#include "base/file.h"
#include "report/listing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- one folder

typedef struct Folder {
    const char *path;
    char *name;
    StickModel *model; // NULL: there is none that can be read
    StickSummaryTree summary;
    bool has_summary; // which may be one that can't be read
} Folder;

// A run makes history/ or cases/ before anything else.
static StickStatus check_folder(StickContext *ctx, const char *folder)
{
    static const char *const ours[] = {"history", "cases", "summary.json"};
    bool there = false;
    STICK_CHECK(ctx, stick_file_exists(folder), STICK_BAD_INPUT, "there is no result folder '%s'", folder);
    STICK_CHECK(ctx, stick_folder_exists(folder), STICK_BAD_INPUT,
                "'%s' is a file, not a result folder: 'stickslip run' makes one", folder);
    for (size_t k = 0; k < sizeof ours / sizeof *ours && !there; k++)
        STICK_TRY(stick_folder_holds(ctx, folder, ours[k], &there));
    STICK_CHECK(ctx, there, STICK_BAD_INPUT,
                "'%s' is no result folder of stickslip: it has no history, no cases and no summary.json",
                folder);
    return STICK_OK;
}

// Pipes and devices may never end.
static StickStatus read_model(StickContext *quiet, const char *path, StickModel **model)
{
    STICK_CHECK(quiet, stick_file_is_regular(path), STICK_IO, "'%s' is no regular file", path);
    return stick_model_read(quiet, path, NULL, 0, model);
}

StickStatus stick_page_model(StickContext *ctx, StickContext *quiet, const char *folder, StickModel **model)
{
    *model = NULL;
    char *path = stick_path_join(ctx, folder, "model.yaml");
    if (!path)
        return STICK_NO_MEMORY;
    StickStatus status = STICK_OK;
    if (stick_file_exists(path))
        status = read_model(quiet, path, model);
    if (status != STICK_OK && status != STICK_NO_MEMORY) {
        *model = NULL;
        stick_diagnostic_filter_warn(quiet, ctx, "the model can't be read");
        status = STICK_OK;
    }
    stick_free(ctx, path);
    return status;
}

// The last part of a path, which no folder above it is told by: of "." and the like that of the folder it stands for.
static StickStatus folder_name(StickContext *ctx, const char *folder, char **name)
{
    size_t length = strlen(folder);
    while (length > 1 && folder[length - 1] == '/')
        length--;
    size_t start = length;
    while (start > 0 && folder[start - 1] != '/')
        start--;
    const char *last = folder + start;
    size_t count = length - start;
    char *real = NULL;
    if (count == 0 || (count <= 2 && strspn(last, ".") >= count)) {
        real = realpath(folder, NULL);
        last = real ? stick_path_name(real) : "results";
        count = strlen(last);
    }
    *name = stick_alloc(ctx, count + 1, 1);
    if (*name)
        memcpy(*name, last, count);
    free(real);
    return *name ? STICK_OK : STICK_NO_MEMORY;
}

// ---- titles

// Of the model or of the summary, else the name of the folder.
static StickStatus title_of(StickContext *ctx, const Folder *folder, char **title)
{
    const StickYaml *summary = folder->summary.root;
    const char *said = folder->model ? folder->model->title : stick_summary_text(summary, "title");
    bool titled = said && said[0] && strcmp(said, "untitled") != 0;
    *title = stick_copy_text(ctx, titled ? said : folder->name);
    return *title ? STICK_OK : STICK_NO_MEMORY;
}

// Folders of the same title share it; others are counted.
static StickStatus join_title(StickContext *ctx, StickPageRuns *runs, char *title, int nfolders)
{
    if (!runs->title) {
        runs->title = title;
        return STICK_OK;
    }
    bool same = strcmp(runs->title, title) == 0;
    stick_free(ctx, title);
    if (same)
        return STICK_OK;
    stick_free(ctx, runs->title);
    runs->title = NULL;
    char text[64];
    snprintf(text, sizeof text, "Comparison of %d results", nfolders);
    runs->title = stick_copy_text(ctx, text);
    return runs->title ? STICK_OK : STICK_NO_MEMORY;
}

// ---- runs

static bool is_taken(const StickPageRuns *runs, const char *name)
{
    for (int k = 0; k < runs->count; k++)
        if (strcmp(runs->run[k].name, name) == 0)
            return true;
    return false;
}

// name/case, name or case; (2) behind one that is there already
static StickStatus unique_name(StickContext *ctx, const StickPageRuns *runs, const char *name,
                               const char *one, char **made)
{
    StickText text;
    stick_text_init(&text, ctx);
    for (int number = 1; number == 1 || (!text.failed && is_taken(runs, text.bytes)); number++) {
        stick_text_clear(&text);
        stick_text_add(&text, "%s%s%s", name, name[0] && one[0] ? "/" : "", one);
        if (number > 1)
            stick_text_add(&text, " (%d)", number);
    }
    StickStatus status = stick_text_status(&text);
    if (status == STICK_OK) {
        *made = stick_copy_text(ctx, text.bytes);
        status = *made ? STICK_OK : STICK_NO_MEMORY;
    }
    stick_text_destroy(&text);
    return status;
}

// A run of a folder, or of one of its cases (else ""), under the name of the folder (or "").
static StickStatus add_run(StickContext *ctx, const Folder *folder, const char *name, const char *one,
                           StickPageRuns *runs)
{
    STICK_RESERVE(ctx, runs->run, runs->room, runs->count + 1);
    StickPageRun run = {0};
    STICK_TRY(unique_name(ctx, runs, name, one, &run.name));
    size_t size = strlen(folder->path) + strlen(one) + 8;
    run.folder = stick_alloc(ctx, size, 1);
    if (!run.folder) {
        stick_free(ctx, run.name);
        return STICK_NO_MEMORY;
    }
    snprintf(run.folder, size, one[0] ? "%s/cases/%s" : "%s%s", folder->path, one);
    runs->run[runs->count++] = run;
    return STICK_OK;
}

// Members of "cases" of the summary of a study, or NULL.
static const StickYaml *summary_cases(const Folder *folder)
{
    const StickYaml *cases = stick_summary_find(folder->summary.root, "cases");
    return cases && cases->kind == STICK_YAML_MAP ? cases->first : NULL;
}

static bool is_in_summary(const Folder *folder, const char *name)
{
    for (const StickYaml *one = summary_cases(folder); one; one = one->next)
        if (strcmp(one->key, name) == 0)
            return true;
    return false;
}

// What a summary names stays within its folder.
static bool is_case_name(const char *name)
{
    return name[0] && name[0] != '.' && !strchr(name, '/');
}

// Without a model to tell, cases are what the summary of the study names, and what has a folder.
static StickStatus add_found(StickContext *ctx, const Folder *folder, const char *name, StickPageRuns *runs)
{
    StickListing listing;
    char *cases = stick_path_join(ctx, folder->path, "cases");
    StickStatus status = cases ? stick_listing_read(ctx, cases, "", &listing) : STICK_NO_MEMORY;
    stick_free(ctx, cases);
    STICK_TRY(status);
    for (const StickYaml *one = summary_cases(folder); one && status == STICK_OK; one = one->next)
        if (is_case_name(one->key))
            status = add_run(ctx, folder, name, one->key, runs);
    for (int k = 0; k < listing.count && status == STICK_OK; k++)
        if (!is_in_summary(folder, listing.name[k]))
            status = add_run(ctx, folder, name, listing.name[k], runs);
    stick_listing_destroy(ctx, &listing);
    return status;
}

static StickStatus add_cases(StickContext *ctx, const Folder *folder, const char *name, StickPageRuns *runs)
{
    if (!folder->model)
        return add_found(ctx, folder, name, runs);
    for (int k = 0; k < folder->model->ncases; k++)
        STICK_TRY(add_run(ctx, folder, name, folder->model->cases[k].name, runs));
    return STICK_OK;
}

// The runs of a folder are a group; they are a study where it has cases.
static StickStatus add_runs(StickContext *ctx, const Folder *folder, const char *name, StickPageRuns *runs)
{
    STICK_RESERVE(ctx, runs->group, runs->group_room, runs->ngroups + 1);
    int before = runs->count;
    STICK_TRY(add_cases(ctx, folder, name, runs));
    StickVerdictGroup group = {.is_study = runs->count > before};
    if (group.is_study)
        stick_verdict_judge_study(folder->summary.root, folder->has_summary, &group.study);
    else
        STICK_TRY(add_run(ctx, folder, name, "", runs));
    group.runs = runs->count - before;
    runs->group[runs->ngroups++] = group;
    runs->cases = runs->cases || group.is_study;
    return STICK_OK;
}

static StickStatus open_folder(StickContext *ctx, StickContext *quiet, Folder *folder)
{
    STICK_TRY(check_folder(ctx, folder->path));
    STICK_TRY(folder_name(ctx, folder->path, &folder->name));
    STICK_TRY(stick_folder_holds(ctx, folder->path, "summary.json", &folder->has_summary));
    STICK_TRY(stick_summary_tree_read(ctx, folder->path, &folder->summary));
    return stick_page_model(ctx, quiet, folder->path, &folder->model);
}

static void close_folder(StickContext *ctx, Folder *folder)
{
    stick_model_destroy(folder->model);
    stick_summary_tree_destroy(&folder->summary);
    stick_free(ctx, folder->name);
}

static StickStatus add_folder(StickContext *ctx, StickContext *quiet, const char *path, int nfolders,
                              StickPageRuns *runs)
{
    Folder folder = {.path = path};
    char *title = NULL;
    StickStatus status = open_folder(ctx, quiet, &folder);
    if (status == STICK_OK)
        status = title_of(ctx, &folder, &title);
    if (status == STICK_OK)
        status = join_title(ctx, runs, title, nfolders);
    if (status == STICK_OK)
        status = add_runs(ctx, &folder, nfolders > 1 ? folder.name : "", runs);
    close_folder(ctx, &folder);
    return status;
}

StickStatus stick_page_runs_find(StickContext *ctx, const StickPageOptions *options, StickPageRuns *runs)
{
    *runs = (StickPageRuns){0};
    StickContext *quiet = stick_diagnostic_filter_create(ctx);
    StickStatus status = quiet ? STICK_OK : STICK_NO_MEMORY;
    for (int k = 0; k < options->nfolders && status == STICK_OK; k++)
        status = add_folder(ctx, quiet, options->folder[k], options->nfolders, runs);
    stick_context_destroy(quiet);
    if (status != STICK_OK)
        stick_page_runs_destroy(ctx, runs);
    return status;
}

void stick_page_runs_destroy(StickContext *ctx, StickPageRuns *runs)
{
    for (int k = 0; k < runs->count; k++) {
        stick_free(ctx, runs->run[k].name);
        stick_free(ctx, runs->run[k].folder);
    }
    stick_free(ctx, runs->run);
    stick_free(ctx, runs->group);
    stick_free(ctx, runs->title);
    *runs = (StickPageRuns){0};
}
