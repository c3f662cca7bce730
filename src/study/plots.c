// SPDX-License-Identifier: Apache-2.0
#include "study/plots.h"

#include "base/file.h"
#include "output/units.h"
#include "study/cycle_plot.h"
#include "study/growth_results.h"
#include "study/motion.h"
#include "study/profile_plot.h"
#include "study/stability_results.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PATH_TEXT = 4096, MOST_CURVES = 12 };

static void time_label(const StickModel *model, char label[STICK_LABEL_TEXT])
{
    stick_label(&model->units, "t", STICK_TIME, label);
}

int stick_plots_moments(const StickModel *model, StickPlotMark mark[STICK_MOST_MOMENTS])
{
    int count = model->output.nmoments;
    for (int k = 0; k < count; k++)
        mark[k] = (StickPlotMark){model->output.moment[k].t, model->output.moment[k].text};
    return count;
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
    StickPlotMark mark[STICK_MOST_MOMENTS];
    StickPlot plot = {.title = title, .x_label = label, .npanels = 1, .panel = panel, .mark = mark};
    plot.nmarks = stick_plots_moments(model, mark);
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

// A run may have ended before a disturbance of it began.
static bool has_growth(const char *folder, const StickStepSpec *step)
{
    char path[PATH_TEXT];
    snprintf(path, sizeof path, "%s/history/%s-growth.csv", folder, step->name);
    return step->perturb.given && stick_file_exists(path);
}

StickStatus stick_plots_write(StickContext *ctx, const StickModel *model, const char *folder)
{
    bool made = true;
    STICK_TRY(make_folder(ctx, folder));
    STICK_TRY(plot_file(ctx, model, folder, "energy", &made));
    for (int k = 0; k < model->output.nhistories && made; k++)
        if (!model->output.history[k].portrait)
            STICK_TRY(plot_file(ctx, model, folder, model->output.history[k].name, &made));
    for (int k = 0; k < model->output.nprofiles && made; k++)
        STICK_TRY(stick_profile_plot(ctx, model, folder, &model->output.profile[k], &made));
    for (int k = 0; k < model->nsteps && made; k++)
        if (model->step[k].kind == STICK_STEP_STABILITY)
            STICK_TRY(stick_stability_plot(ctx, model, folder, &model->step[k], &made));
    for (int k = 0; k < model->nsteps && made; k++)
        if (has_growth(folder, &model->step[k]))
            STICK_TRY(stick_growth_plot(ctx, model, folder, &model->step[k], &made));
    STICK_TRY(stick_cycle_plot(ctx, model, folder, &made));
    return made ? stick_motion_plot(ctx, model, folder, &made) : STICK_OK;
}

StickStatus stick_plots_stack(StickContext *ctx, const char *path, const char *title,
                              const StickStackedCurve *curve, int count, bool *made)
{
    StickPlotSeries series[STICK_MOST_PANELS][2];
    StickPlotPanel panel[STICK_MOST_PANELS];
    const char *time = NULL;
    int drawn = 0;
    for (int k = 0; k < count && drawn < STICK_MOST_PANELS; k++) {
        const StickColumns *table = curve[k].table;
        if (!table || table->nrows < 2)
            continue;
        series[drawn][0] = (StickPlotSeries){curve[k].name, STICK_PLOT_LINE, table->nrows, table->column[0],
                                             table->column[curve[k].column]};
        if (curve[k].exact)
            series[drawn][1] = (StickPlotSeries){"exact", STICK_PLOT_REFERENCE, table->nrows,
                                                 table->column[0], table->column[curve[k].exact]};
        panel[drawn] =
            (StickPlotPanel){table->name[curve[k].column], false, curve[k].exact ? 2 : 1, series[drawn]};
        time = time ? time : table->name[0];
        drawn++;
    }
    if (drawn == 0)
        return STICK_OK;
    StickPlot plot = {.title = title, .x_label = time, .npanels = drawn, .panel = panel};
    return stick_plot_write(ctx, path, &plot, made);
}

// The same history of all cases.
static StickStatus compare_history(StickContext *ctx, const StickModel *model, const char *folder,
                                   const StickHistorySpec *history, StickStackedCurve *curve, bool *made)
{
    char path[PATH_TEXT], title[512];
    snprintf(title, sizeof title, "%s: %s", model->title ? model->title : model->file, history->name);
    snprintf(path, sizeof path, "%s/plots/%s.svg", folder, history->name);
    return stick_plots_stack(ctx, path, title, curve, model->ncases, made);
}

static StickStatus load_and_compare(StickContext *ctx, const StickModel *model, const char *folder,
                                    const StickHistorySpec *history, StickColumns *table, bool *made)
{
    StickStackedCurve *curve;
    StickStatus status = STICK_OK;
    STICK_ALLOC(ctx, curve, model->ncases);
    for (int k = 0; k < model->ncases && status == STICK_OK; k++) {
        char path[PATH_TEXT];
        snprintf(path, sizeof path, "%s/cases/%s/history/%s.csv", folder, model->cases[k].name,
                 history->name);
        if (!stick_file_exists(path))
            continue;
        status = stick_table_read(ctx, path, &table[k]);
        int exact = status == STICK_OK && history->exact ? table[k].ncolumns - 1 : 0;
        curve[k] = (StickStackedCurve){model->cases[k].name, &table[k], 1, exact};
    }
    if (status == STICK_OK)
        status = compare_history(ctx, model, folder, history, curve, made);
    stick_free(ctx, curve);
    return status;
}

StickStatus stick_plots_compare(StickContext *ctx, const StickModel *model, const char *folder)
{
    bool made = true;
    STICK_TRY(make_folder(ctx, folder));
    for (int k = 0; k < model->output.nhistories && made; k++) {
        StickColumns *table;
        if (!stick_history_is_single(
                &model->output.history[k])) // too many curves for one picture of all cases
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
