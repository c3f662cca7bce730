// SPDX-License-Identifier: Apache-2.0
#include "study/past_runs.h"

#include "base/diagnostic_filter.h"
#include "base/file.h"
#include "report/runs.h"

#include <stdio.h>
#include <string.h>

enum { PATH_TEXT = 4096 };

// ---- one run

static bool has(const char *folder, const char *name)
{
    char path[PATH_TEXT];
    int length = snprintf(path, sizeof path, "%s/%s", folder, name);
    return length < PATH_TEXT && stick_file_exists(path);
}

// What is needed to speak of results; NULL if it is all there.
static const char *missing_file(const char *folder)
{
    static const char *const needed[] = {"model.yaml", "summary.json", "history/energy.csv"};
    for (size_t k = 0; k < sizeof needed / sizeof *needed; k++)
        if (!has(folder, needed[k]))
            return needed[k];
    return NULL;
}

static StickStatus read_model(StickContext *ctx, const char *folder, StickModel **model)
{
    char *path = stick_path_join(ctx, folder, "model.yaml");
    if (!path)
        return STICK_NO_MEMORY;
    StickHush before = stick_context_hush(ctx, STICK_HUSH_WARNINGS);
    StickStatus status = stick_model_read(ctx, path, NULL, 0, model);
    stick_context_hush(ctx, before);
    stick_free(ctx, path);
    return status;
}

// A case that failed early may have a summary, but no results.
static StickStatus load_run(StickContext *ctx, StickPastRun *run)
{
    const char *missing = missing_file(run->folder);
    STICK_CHECK(ctx, !missing || run->case_name[0], STICK_BAD_INPUT, "'%s' has no results: there is no %s",
                run->folder, missing);
    STICK_TRY(stick_summary_tree_read(ctx, run->folder, &run->summary));
    if (missing)
        return STICK_OK;
    STICK_CHECK(ctx, run->summary.root, STICK_BAD_INPUT, "the summary of '%s' can't be read", run->folder);
    STICK_TRY(read_model(ctx, run->folder, &run->model));
    run->there = true;
    return STICK_OK;
}

const char *stick_past_run_state(const StickPastRun *run)
{
    const char *state = stick_summary_text(run->summary.root, "state");
    return state ? state : "no results";
}

double stick_past_run_number(const StickPastRun *run, const char *group, const char *name)
{
    return stick_summary_number(stick_summary_find(run->summary.root, group), name);
}

bool stick_past_run_certified(const StickPastRun *run)
{
    return stick_summary_true(stick_summary_find(run->summary.root, "certificate"), "certified");
}

// ---- all runs

static StickStatus find_page_runs(StickContext *ctx, const char *const *folder, int nfolders,
                                  StickPageRuns *found)
{
    StickPageOptions options = {.folder = folder, .nfolders = nfolders};
    return stick_page_runs_find(ctx, &options, found);
}

static StickStatus take_run(StickTrajectoryHistoryRuns *runs, int k, const StickPageRun *named,
                            const char *case_name, int group)
{
    StickPastRun *run = &runs->run[k];
    run->group = group;
    run->name = stick_copy_text(runs->ctx, named->name);
    run->folder = run->name ? stick_copy_text(runs->ctx, named->folder) : NULL;
    run->case_name = run->folder ? stick_copy_text(runs->ctx, case_name) : NULL;
    return run->case_name ? load_run(runs->ctx, run) : STICK_NO_MEMORY;
}

// One folder by itself names its runs by their cases alone.
static StickStatus take_folder(StickTrajectoryHistoryRuns *runs, const StickPageRuns *all,
                               const char *const *folder, int group, int *taken)
{
    StickPageRuns own;
    STICK_TRY(find_page_runs(runs->ctx, &folder[group], 1, &own));
    StickStatus status = STICK_OK;
    for (int k = 0; k < own.count && *taken < all->count && status == STICK_OK; k++, ++*taken)
        status = take_run(runs, *taken, &all->run[*taken], own.run[k].name, group);
    stick_page_runs_destroy(runs->ctx, &own);
    return status;
}

static StickStatus take_all(StickTrajectoryHistoryRuns *runs, const StickPageRuns *all,
                            const char *const *folder, int nfolders)
{
    int taken = 0;
    STICK_ALLOC(runs->ctx, runs->run, all->count);
    runs->count = all->count;
    for (int group = 0; group < nfolders; group++)
        STICK_TRY(take_folder(runs, all, folder, group, &taken));
    return STICK_OK;
}

StickStatus stick_past_runs_open(StickContext *ctx, const char *const *folder, int nfolders,
                                 StickTrajectoryHistoryRuns *runs)
{
    StickTrajectoryHistoryRuns opened = {.ctx = ctx};
    StickPageRuns all;
    STICK_TRY(find_page_runs(ctx, folder, nfolders, &all));
    StickStatus status = take_all(&opened, &all, folder, nfolders);
    stick_page_runs_destroy(ctx, &all);
    if (status != STICK_OK)
        stick_past_runs_close(&opened);
    else
        *runs = opened;
    return status;
}

void stick_past_runs_close(StickTrajectoryHistoryRuns *runs)
{
    for (int k = 0; k < runs->count; k++) {
        StickPastRun *run = &runs->run[k];
        stick_summary_tree_destroy(&run->summary);
        stick_model_destroy(run->model);
        stick_free(runs->ctx, run->name);
        stick_free(runs->ctx, run->folder);
        stick_free(runs->ctx, run->case_name);
    }
    stick_free(runs->ctx, runs->run);
    *runs = (StickTrajectoryHistoryRuns){.ctx = runs->ctx};
}

StickStatus stick_past_runs_find(const StickTrajectoryHistoryRuns *runs, const char *name, int *found)
{
    enum { MOST_NAMES = 256 };
    const char *names[MOST_NAMES];
    size_t count = 0;
    for (int k = 0; k < runs->count; k++) {
        if (strcmp(runs->run[k].name, name) == 0) {
            *found = k;
            return STICK_OK;
        }
        if (count < MOST_NAMES)
            names[count++] = runs->run[k].name;
    }
    StickSuggestion suggestion = stick_suggestion(name, names, count);
    return stick_fail(runs->ctx, STICK_USAGE, "there is no run '%s'%s; the first one is '%s'", name,
                      suggestion.text, runs->count ? runs->run[0].name : "");
}
