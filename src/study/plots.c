// SPDX-License-Identifier: Apache-2.0
#include "study/plots.h"

#include "base/file.h"
#include "output/plot.h"
#include "output/units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PATH_TEXT = 4096, MOST_CURVES = 12 };

static void time_label(const StickModel *model, char label[STICK_LABEL_TEXT])
{
    stick_label(&model->units, "t", STICK_TIME, label);
}

static StickStatus make_folder(StickContext *ctx, const char *folder)
{
    char path[PATH_TEXT];
    snprintf(path, sizeof path, "%s/plots", folder);
    return stick_folder_create(ctx, path);
}

static StickStatus write_picture(StickContext *ctx, const StickModel *model, const char *folder,
                                 const char *name, const StickPlotPanel *panel, bool *made)
{
    char path[PATH_TEXT], label[STICK_LABEL_TEXT], title[512];
    time_label(model, label);
    snprintf(path, sizeof path, "%s/plots/%s.svg", folder, name);
    snprintf(title, sizeof title, "%s: %s", model->title ? model->title : model->file, name);
    StickPlot plot = {.title = title, .x_label = label, .npanels = 1, .panel = panel};
    return stick_plot_write(ctx, path, &plot, made);
}

static double largest(const double *values, size_t count)
{
    double most = 0;
    for (size_t k = 0; k < count; k++)
        most = fmax(most, fabs(values[k]));
    return most;
}

// A term of the energy that is zero but for rounding, beside kinetic, elastic and the rest.
static bool is_empty_term(const StickColumns *columns, int k)
{
    double most = 0;
    for (int j = 1; j < columns->ncolumns; j++)
        most = fmax(most, largest(columns->column[j], columns->nrows));
    return largest(columns->column[k], columns->nrows) <= 1e-12 * most;
}

// Curves of one table against time; the column called exact is the reference.
static StickStatus plot_table(StickContext *ctx, const StickModel *model, const char *folder,
                              const char *name, const StickColumns *columns, bool *made)
{
    StickPlotSeries series[MOST_CURVES];
    bool energies = strcmp(name, "energy") == 0;
    int count = 0;
    for (int k = 1; k < columns->ncolumns && count < MOST_CURVES; k++) {
        const char *column = columns->name[k];
        bool exact = strncmp(column, "exact", 5) == 0;
        if (energies && (strcmp(column, "closure") == 0 || is_empty_term(columns, k)))
            continue;
        series[count++] = (StickPlotSeries){
            .label = columns->ncolumns > 2 ? column : NULL,
            .style = exact ? STICK_PLOT_REFERENCE : STICK_PLOT_LINE,
            .count = columns->nrows,
            .x = columns->column[0],
            .y = columns->column[k],
        };
    }
    if (count == 0)
        return STICK_OK;
    StickPlotPanel panel = {.y_label = columns->name[1], .nseries = count, .series = series};
    char energy[STICK_LABEL_TEXT];
    if (energies) {
        stick_label(&model->units, "energy", STICK_ENERGY, energy);
        panel.y_label = energy;
    }
    return write_picture(ctx, model, folder, name, &panel, made);
}

static StickStatus plot_file(StickContext *ctx, const StickModel *model, const char *folder, const char *name,
                             bool *made)
{
    char path[PATH_TEXT];
    StickColumns columns;
    snprintf(path, sizeof path, "%s/history/%s.csv", folder, name);
    STICK_TRY(stick_table_read(ctx, path, &columns));
    StickStatus status = columns.nrows > 1 ? plot_table(ctx, model, folder, name, &columns, made) : STICK_OK;
    stick_columns_destroy(ctx, &columns);
    return status;
}

StickStatus stick_plots_write(StickContext *ctx, const StickModel *model, const char *folder)
{
    bool made = true;
    STICK_TRY(make_folder(ctx, folder));
    STICK_TRY(plot_file(ctx, model, folder, "energy", &made));
    for (int k = 0; k < model->output.nhistories && made; k++)
        STICK_TRY(plot_file(ctx, model, folder, model->output.history[k].name, &made));
    return STICK_OK;
}

// The same history of all cases in stacked panels, the exact curve in each.
static StickStatus compare_history(StickContext *ctx, const StickModel *model, const char *folder,
                                   const StickHistorySpec *history, StickColumns *table, bool *made)
{
    StickPlotSeries series[MOST_CURVES][2];
    StickPlotPanel panel[MOST_CURVES];
    char label[STICK_LABEL_TEXT], path[PATH_TEXT], title[512];
    int count = 0;
    for (int k = 0; k < model->ncases && count < MOST_CURVES; k++) {
        const StickColumns *columns = &table[k];
        if (columns->nrows < 2)
            continue;
        int exact = history->exact ? columns->ncolumns - 1 : 0;
        series[count][0] = (StickPlotSeries){model->cases[k].name, STICK_PLOT_LINE, columns->nrows,
                                             columns->column[0], columns->column[1]};
        if (exact)
            series[count][1] = (StickPlotSeries){"exact", STICK_PLOT_REFERENCE, columns->nrows,
                                                 columns->column[0], columns->column[exact]};
        panel[count] = (StickPlotPanel){columns->name[1], false, exact ? 2 : 1, series[count]};
        count++;
    }
    if (count == 0)
        return STICK_OK;
    time_label(model, label);
    snprintf(title, sizeof title, "%s: %s", model->title ? model->title : model->file, history->name);
    snprintf(path, sizeof path, "%s/plots/%s.svg", folder, history->name);
    StickPlot plot = {.title = title, .x_label = label, .npanels = count, .panel = panel};
    return stick_plot_write(ctx, path, &plot, made);
}

static StickStatus load_and_compare(StickContext *ctx, const StickModel *model, const char *folder,
                                    const StickHistorySpec *history, StickColumns *table, bool *made)
{
    for (int k = 0; k < model->ncases; k++) {
        char path[PATH_TEXT];
        snprintf(path, sizeof path, "%s/cases/%s/history/%s.csv", folder, model->cases[k].name,
                 history->name);
        if (stick_file_exists(path))
            STICK_TRY(stick_table_read(ctx, path, &table[k]));
    }
    return compare_history(ctx, model, folder, history, table, made);
}

StickStatus stick_plots_compare(StickContext *ctx, const StickModel *model, const char *folder)
{
    bool made = true;
    STICK_TRY(make_folder(ctx, folder));
    for (int k = 0; k < model->output.nhistories && made; k++) {
        StickColumns *table;
        if (model->output.history[k].each) // too many curves for one picture of all cases
            continue;
        STICK_ALLOC(ctx, table, model->ncases);
        StickStatus status = load_and_compare(ctx, model, folder, &model->output.history[k], table, &made);
        for (int j = 0; j < model->ncases; j++)
            stick_columns_destroy(ctx, &table[j]);
        stick_free(ctx, table);
        STICK_TRY(status);
    }
    return STICK_OK;
}
