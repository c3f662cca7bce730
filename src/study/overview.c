// SPDX-License-Identifier: Apache-2.0
#include "study/overview.h"

#include "base/file.h"
#include "study/results.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PATH_TEXT = 4096, NAME_WIDTH = 24 };

static const StickMark nowhere = {NULL, 0, 0};

// A case that failed early may have no rows yet.
static bool has_results(const char *folder)
{
    char path[PATH_TEXT];
    int length = snprintf(path, sizeof path, "%s/summary.json", folder);
    return length < PATH_TEXT && stick_file_exists(path);
}

static StickStatus reduce(StickContext *ctx, const char *folder, const char *name, const char *how,
                          double *value)
{
    StickSeries series;
    STICK_TRY(stick_series_load(ctx, folder, name, nowhere, &series));
    StickStatus status = stick_series_reduce(ctx, &series, how, -INFINITY, INFINITY, nowhere, value);
    stick_series_destroy(ctx, &series);
    return status;
}

static StickStatus energy_line(StickContext *ctx, const char *folder, StickText *text)
{
    double first, final, closure, error, scale_free, momentum;
    STICK_TRY(reduce(ctx, folder, "energy.total", "first", &first));
    STICK_TRY(reduce(ctx, folder, "energy.total", "final", &final));
    STICK_TRY(reduce(ctx, folder, "energy.closure", "largest", &closure));
    STICK_TRY(reduce(ctx, folder, "momentum.error", "largest", &momentum));
    STICK_TRY(reduce(ctx, folder, "contact.error", "largest", &error));
    STICK_TRY(reduce(ctx, folder, "contact.error_scale_free", "largest", &scale_free));
    stick_text_add(
        text, "  contact certified to %.1e, momentum to %.1e, energy ledger to %.1e; energy %.4g -> %.4g\n",
        fmax(error, scale_free), momentum, closure, first, final);
    return STICK_OK;
}

static StickStatus history_lines(StickContext *ctx, const StickModel *model, const char *folder,
                                 StickText *text)
{
    static const char *const how[] = {"first", "final", "min", "max"};
    bool headed = false;
    for (int k = 0; k < model->output.nhistories; k++) {
        const StickHistorySpec *history = &model->output.history[k];
        double value[4];
        if (history->each)
            continue;
        for (int j = 0; j < 4; j++)
            STICK_TRY(reduce(ctx, folder, history->name, how[j], &value[j]));
        if (!headed)
            stick_text_add(text, "  %-*s %12s %12s %12s %12s\n", NAME_WIDTH, "", "first", "last", "least",
                           "most");
        headed = true;
        stick_text_add(text, "  %-*s %12.5g %12.5g %12.5g %12.5g\n", NAME_WIDTH, history->name, value[0],
                       value[1], value[2], value[3]);
    }
    return STICK_OK;
}

// Distance of a history from its exact curve, relative to the largest exact value.
static StickStatus distance_of(StickContext *ctx, const char *folder, const char *name, double *rms,
                               double *mean)
{
    StickSeries series;
    STICK_TRY(stick_series_load(ctx, folder, name, nowhere, &series));
    const double *exact = series.columns.column[series.columns.ncolumns - 1];
    double squares = 0, largest = 0, sum = 0, exact_sum = 0;
    for (size_t k = 0; k < series.count; k++) {
        squares += (series.values[k] - exact[k]) * (series.values[k] - exact[k]);
        largest = fmax(largest, fabs(exact[k]));
        sum += series.values[k];
        exact_sum += exact[k];
    }
    double count = series.count > 0 ? (double)series.count : 1, scale = largest > 0 ? largest : 1;
    *rms = sqrt(squares / count) / scale;
    *mean = (sum - exact_sum) / count / scale;
    stick_series_destroy(ctx, &series);
    return STICK_OK;
}

// A line per case and history with an exact curve.
static StickStatus comparison(StickContext *ctx, const StickModel *model, const char *folder, StickText *text)
{
    for (int h = 0; h < model->output.nhistories; h++) {
        const StickHistorySpec *history = &model->output.history[h];
        if (!history->exact)
            continue;
        stick_text_add(text, "\n%s against the exact solution (relative to its largest value)\n",
                       history->name);
        stick_text_add(text, "  %-*s %12s %12s\n", NAME_WIDTH, "case", "r.m.s. error", "mean error");
        for (int k = 0; k < (model->ncases ? model->ncases : 1); k++) {
            char path[PATH_TEXT];
            const char *name = model->ncases ? model->cases[k].name : "";
            double rms, mean;
            snprintf(path, sizeof path, model->ncases ? "%s/cases/%s" : "%s%s", folder, name);
            if (has_results(path) && distance_of(ctx, path, history->name, &rms, &mean) == STICK_OK)
                stick_text_add(text, "  %-*s %12.4f %+12.4f\n", NAME_WIDTH, name[0] ? name : "(this run)",
                               rms, mean);
        }
    }
    return STICK_OK;
}

static StickStatus all_lines(StickContext *ctx, const StickModel *model, const char *folder, StickText *text)
{
    for (int k = 0; k < model->ncases; k++) {
        char path[PATH_TEXT];
        snprintf(path, sizeof path, "%s/cases/%s", folder, model->cases[k].name);
        stick_text_add(text, "%s\n", model->cases[k].name);
        if (!has_results(path)) {
            stick_text_add(text, "  no results\n");
            continue;
        }
        STICK_TRY(energy_line(ctx, path, text));
        STICK_TRY(history_lines(ctx, model, path, text));
    }
    if (model->ncases == 0) {
        STICK_TRY(energy_line(ctx, folder, text));
        STICK_TRY(history_lines(ctx, model, folder, text));
    }
    return comparison(ctx, model, folder, text);
}

StickStatus stick_overview(StickContext *ctx, const char *folder, StickText *text)
{
    StickModel *model;
    char *path = stick_path_join(ctx, folder, "model.yaml");
    if (!path)
        return STICK_NO_MEMORY;
    StickStatus status = stick_model_read(ctx, path, NULL, 0, &model);
    stick_free(ctx, path);
    STICK_TRY(status);
    status = all_lines(ctx, model, folder, text);
    stick_model_destroy(model);
    return status == STICK_OK ? stick_text_status(text) : status;
}
