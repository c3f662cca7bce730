// SPDX-License-Identifier: Apache-2.0
// Pictures of motions: spectra, phase portraits.
#include "output/plot.h"
#include "output/table.h"
#include "study/motion.h"
#include "study/motion_results.h"

#include <stdio.h>

enum { PATH_TEXT = 4096, MOST_CURVES = 12 };

static void title_of(const StickModel *model, const char *name, const char *what, char title[512])
{
    snprintf(title, 512, "%s: %s%s", model->title ? model->title : model->file, name, what);
}

static StickStatus draw_spectrum(StickContext *ctx, const StickModel *model, const char *folder,
                                 const StickTold *told, const StickColumns *columns, bool *made)
{
    StickPlotSeries series = {NULL, STICK_PLOT_LINE, columns->nrows - 1, columns->column[0] + 1,
                              columns->column[1] + 1};
    StickPlotPanel panel = {.y_label = columns->name[1], .log_y = true, .nseries = 1, .series = &series};
    char path[PATH_TEXT], title[512];
    snprintf(path, sizeof path, "%s/plots/%s-spectrum.svg", folder, told->name);
    title_of(model, told->name, ", spectrum", title);
    StickPlot plot = {.title = title, .x_label = columns->name[0], .npanels = 1, .panel = &panel};
    return stick_plot_write(ctx, path, &plot, made);
}

static StickStatus plot_spectrum(StickContext *ctx, const StickModel *model, const char *folder,
                                 const StickTold *told, bool *made)
{
    char path[PATH_TEXT];
    StickColumns columns;
    if (!stick_motion_exists(folder, told->name, "spectrum.csv"))
        return STICK_OK;
    snprintf(path, sizeof path, "%s/motion/%s/spectrum.csv", folder, told->name);
    STICK_TRY(stick_table_read(ctx, path, &columns));
    StickStatus status = columns.ncolumns == 2 && columns.nrows > 2
                             ? draw_spectrum(ctx, model, folder, told, &columns, made)
                             : STICK_OK;
    stick_columns_destroy(ctx, &columns);
    return status;
}

// Rows of the window of the first signal of the step; all of them without one.
static void find_rows(StickContext *ctx, const StickModel *model, const char *folder, int step,
                      const StickColumns *columns, size_t *first, size_t *end)
{
    StickTold told;
    double value[STICK_MOTION_NUMBERS];
    *first = 0;
    *end = columns->nrows;
    for (int k = 0; stick_told_at(model, k, &told); k++) {
        if (told.step != step || !stick_motion_exists(folder, told.name, "numbers.csv") ||
            stick_motion_numbers(ctx, folder, told.name, value) != STICK_OK)
            continue;
        while (*first < *end && columns->column[0][*first] < value[STICK_NUMBER_FROM])
            ++*first;
        return;
    }
}

// Velocity over displacement along one axis, of the mean or of the first nodes.
static StickStatus draw_portrait(StickContext *ctx, const StickModel *model, const char *folder,
                                 const StickPortraitSpec *portrait, const StickColumns *columns, int axis,
                                 bool *made)
{
    StickPlotSeries series[MOST_CURVES];
    size_t first, end;
    int dim = 0, count = 0;
    while (1 + 2 * dim < columns->ncolumns && dim < 3 && columns->name[1 + 2 * dim][13] == "xyz"[dim])
        dim++;
    if (axis >= dim)
        return STICK_OK;
    find_rows(ctx, model, folder, portrait->step, columns, &first, &end);
    for (int k = 1 + 2 * axis; k + 1 < columns->ncolumns && count < MOST_CURVES; k += 2 * dim)
        series[count++] =
            (StickPlotSeries){portrait->value.each ? columns->name[k + 1] : NULL, STICK_PLOT_LINE,
                              end - first, columns->column[k] + first, columns->column[k + 1] + first};
    StickPlotPanel panel = {.y_label = columns->name[2 + 2 * axis], .nseries = count, .series = series};
    char path[PATH_TEXT], title[512];
    snprintf(path, sizeof path, "%s/plots/%s-%c.svg", folder, portrait->value.name, "xyz"[axis]);
    title_of(model, portrait->value.name, ", phase portrait", title);
    StickPlot plot = {.title = title,
                      .x_label = columns->name[1 + 2 * axis],
                      .npanels = 1,
                      .panel = &panel,
                      .width = 620,
                      .panel_height = 460};
    return stick_plot_write(ctx, path, &plot, made);
}

static StickStatus plot_portrait(StickContext *ctx, const StickModel *model, const char *folder,
                                 const StickPortraitSpec *portrait, bool *made)
{
    char path[PATH_TEXT];
    StickColumns columns;
    StickStatus status = STICK_OK;
    snprintf(path, sizeof path, "%s/history/%s.csv", folder, portrait->value.name);
    STICK_TRY(stick_table_read(ctx, path, &columns));
    for (int axis = 0; axis < 3 && columns.nrows > 1 && *made && status == STICK_OK; axis++)
        status = draw_portrait(ctx, model, folder, portrait, &columns, axis, made);
    stick_columns_destroy(ctx, &columns);
    return status;
}

StickStatus stick_motion_plot(StickContext *ctx, const StickModel *model, const char *folder, bool *made)
{
    StickTold told;
    for (int k = 0; *made && stick_told_at(model, k, &told); k++)
        STICK_TRY(plot_spectrum(ctx, model, folder, &told, made));
    for (int k = 0; *made && k < model->output.nportraits; k++)
        STICK_TRY(plot_portrait(ctx, model, folder, &model->output.portrait[k], made));
    return STICK_OK;
}
