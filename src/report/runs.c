// SPDX-License-Identifier: Apache-2.0
#include "report/runs.h"

#include "base/file.h"
#include "base/quiet.h"
#include "report/listing.h"
#include "report/summary_tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- one folder

// Whether a name is in the folder.
static StickStatus look(StickContext *ctx, const char *folder, const char *name, bool *there)
{
    char *path = stick_path_join(ctx, folder, name);
    if (!path)
        return STICK_NO_MEMORY;
    *there = stick_file_exists(path);
    stick_free(ctx, path);
    return STICK_OK;
}

// A run makes history/ or cases/ before anything else.
static StickStatus check_folder(StickContext *ctx, const char *folder)
{
    static const char *const ours[] = {"history", "cases", "summary.json"};
    bool there = false;
    STICK_CHECK(ctx, stick_file_exists(folder), STICK_BAD_INPUT, "there is no result folder '%s'", folder);
    STICK_CHECK(ctx, stick_folder_exists(folder), STICK_BAD_INPUT,
                "'%s' is a file, not a result folder: 'stickslip run' makes one", folder);
    for (size_t k = 0; k < sizeof ours / sizeof *ours && !there; k++)
        STICK_TRY(look(ctx, folder, ours[k], &there));
    STICK_CHECK(ctx, there, STICK_BAD_INPUT,
                "'%s' is no result folder of stickslip: it has no history, no cases and no summary.json",
                folder);
    return STICK_OK;
}

StickStatus stick_page_model(StickContext *ctx, StickContext *quiet, const char *folder, StickModel **model)
{
    *model = NULL;
    char *path = stick_path_join(ctx, folder, "model.yaml");
    if (!path)
        return STICK_NO_MEMORY;
    StickStatus status = STICK_OK;
    if (stick_file_exists(path))
        status = stick_model_read(quiet, path, NULL, 0, model);
    if (status != STICK_OK && status != STICK_NO_MEMORY) {
        *model = NULL;
        stick_quiet_warn(quiet, ctx, "the model can't be read");
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
static StickStatus title_of(StickContext *ctx, const char *folder, const StickModel *model, const char *name,
                            char **title)
{
    StickSummaryTree tree;
    STICK_TRY(stick_summary_tree_read(ctx, folder, &tree));
    const char *said = model ? model->title : stick_summary_text(tree.root, "title");
    bool titled = said && said[0] && strcmp(said, "untitled") != 0;
    *title = stick_copy_text(ctx, titled ? said : name);
    stick_summary_tree_destroy(&tree);
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

// A run of a folder, or of one of its cases (else "").
static StickStatus add_run(StickContext *ctx, const char *folder, const char *name, const char *one,
                           StickPageRuns *runs)
{
    STICK_RESERVE(ctx, runs->run, runs->room, runs->count + 1);
    StickPageRun run = {0};
    STICK_TRY(unique_name(ctx, runs, name, one, &run.name));
    size_t size = strlen(folder) + strlen(one) + 8;
    run.folder = stick_alloc(ctx, size, 1);
    if (!run.folder) {
        stick_free(ctx, run.name);
        return STICK_NO_MEMORY;
    }
    snprintf(run.folder, size, one[0] ? "%s/cases/%s" : "%s%s", folder, one);
    runs->run[runs->count++] = run;
    return STICK_OK;
}

// Without a model to tell, cases are what has a folder.
static StickStatus add_listed(StickContext *ctx, const char *folder, const char *name, StickPageRuns *runs)
{
    StickListing listing;
    char *cases = stick_path_join(ctx, folder, "cases");
    StickStatus status = cases ? stick_listing_read(ctx, cases, "", &listing) : STICK_NO_MEMORY;
    stick_free(ctx, cases);
    STICK_TRY(status);
    runs->cases = runs->cases || listing.count > 0;
    for (int k = 0; k < listing.count && status == STICK_OK; k++)
        status = add_run(ctx, folder, name, listing.name[k], runs);
    if (status == STICK_OK && listing.count == 0)
        status = add_run(ctx, folder, name, "", runs);
    stick_listing_destroy(ctx, &listing);
    return status;
}

static StickStatus add_runs(StickContext *ctx, const char *folder, const StickModel *model, const char *name,
                            StickPageRuns *runs)
{
    if (!model)
        return add_listed(ctx, folder, name, runs);
    runs->cases = runs->cases || model->ncases > 0;
    for (int k = 0; k < model->ncases; k++)
        STICK_TRY(add_run(ctx, folder, name, model->cases[k].name, runs));
    return model->ncases > 0 ? STICK_OK : add_run(ctx, folder, name, "", runs);
}

static StickStatus add_folder(StickContext *ctx, StickContext *quiet, const char *folder, int nfolders,
                              StickPageRuns *runs)
{
    StickModel *model = NULL;
    char *name = NULL, *title = NULL;
    STICK_TRY(check_folder(ctx, folder));
    STICK_TRY(folder_name(ctx, folder, &name));
    StickStatus status = stick_page_model(ctx, quiet, folder, &model);
    if (status == STICK_OK)
        status = title_of(ctx, folder, model, name, &title);
    if (status == STICK_OK)
        status = join_title(ctx, runs, title, nfolders);
    if (status == STICK_OK)
        status = add_runs(ctx, folder, model, nfolders > 1 ? name : "", runs);
    stick_model_destroy(model);
    stick_free(ctx, name);
    return status;
}

StickStatus stick_page_runs_find(StickContext *ctx, const StickPageOptions *options, StickPageRuns *runs)
{
    *runs = (StickPageRuns){0};
    StickContext *quiet = stick_quiet_create(ctx);
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
    stick_free(ctx, runs->title);
    *runs = (StickPageRuns){0};
}
