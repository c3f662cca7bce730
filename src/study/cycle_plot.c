// SPDX-License-Identifier: Apache-2.0
#include "study/cycle_plot.h"

#include "base/file.h"
#include "output/plot.h"
#include "output/table.h"

#include <stdio.h>
#include <string.h>

enum { MOST_CURVES = 12, MOST_PANELS = 3 };

// Columns that share a panel: their names, without units, begin and end like this.
typedef struct Panel {
    const char *label, *begin, *end;
} Panel;

static const Panel gears[MOST_PANELS] = {
    {"transmission error", "transmission_error", ""},
    {"load", "load.", ""},
    {"input torque", "input_torque", ""},
};
static const Panel mechanism[MOST_PANELS] = {
    {"load", "", ".load"},
    {"moment", "", ".moment"},
    {"pressure", "", ".pressure"},
};

static bool belongs(const Panel *panel, const char *name)
{
    size_t length = strcspn(name, " "), begin = strlen(panel->begin), end = strlen(panel->end);
    return length >= begin + end && strncmp(name, panel->begin, begin) == 0 &&
           strncmp(name + length - end, panel->end, end) == 0;
}

static bool is_zero(const StickPlotSeries *series)
{
    for (size_t k = 0; k < series->count; k++)
        if (series->y[k] != 0)
            return false;
    return true;
}

// Of pairs of teeth that never touch, and frames that nothing turns, there is nothing to see.
static int find_curves(const StickColumns *columns, const Panel *panel, const double *x, size_t first,
                       StickPlotSeries series[MOST_CURVES], const char **unit)
{
    int count = 0;
    for (int k = 1; k < columns->ncolumns && count < MOST_CURVES; k++) {
        if (!belongs(panel, columns->name[k]))
            continue;
        *unit = columns->name[k] + strcspn(columns->name[k], " ");
        series[count] = (StickPlotSeries){columns->name[k], STICK_PLOT_LINE, columns->nrows - first,
                                          x + first, columns->column[k] + first};
        count += !is_zero(&series[count]);
    }
    if (count == 1)
        series[0].label = NULL;
    return count;
}

// Where the rows of the last step begin; mechanisms have no column of it.
static size_t last_step(const StickColumns *columns)
{
    int step = stick_columns_find(columns, "step");
    size_t first = step < 0 ? 0 : columns->nrows - 1;
    while (first > 0 && columns->column[step][first - 1] == columns->column[step][columns->nrows - 1])
        first--;
    return first;
}

static StickStatus draw(StickContext *ctx, const StickModel *model, const char *path, const char *name,
                        const StickColumns *columns, bool *made)
{
    StickPlotSeries series[MOST_PANELS][MOST_CURVES];
    StickPlotPanel panel[MOST_PANELS];
    char label[MOST_PANELS][128], title[512];
    int roll = stick_columns_find(columns, "roll_angle"), drawn = 0;
    const Panel *shown = roll >= 0 ? gears : mechanism;
    const double *x = columns->column[roll >= 0 ? roll : 0];
    for (int k = 0; k < MOST_PANELS; k++) {
        const char *unit = "";
        int count = find_curves(columns, &shown[k], x, last_step(columns), series[drawn], &unit);
        snprintf(label[drawn], sizeof label[drawn], "%s%s", shown[k].label, unit);
        panel[drawn] = (StickPlotPanel){label[drawn], false, count, series[drawn]};
        drawn += count > 0;
    }
    snprintf(title, sizeof title, "%s: %s", model->title ? model->title : model->file, name);
    StickPlot plot = {
        .title = title, .x_label = columns->name[roll >= 0 ? roll : 0], .npanels = drawn, .panel = panel};
    return drawn > 0 ? stick_plot_write(ctx, path, &plot, made) : STICK_OK;
}

static StickStatus plot_table(StickContext *ctx, const StickModel *model, const char *folder,
                              const char *name, bool *made)
{
    char path[STICK_PATH_TEXT], file[512];
    StickColumns columns;
    snprintf(file, sizeof file, "cycle/%s.csv", name);
    STICK_TRY(stick_path_in(ctx, folder, file, path));
    if (!*made || !stick_file_exists(path))
        return STICK_OK;
    STICK_TRY(stick_table_read(ctx, path, &columns));
    snprintf(file, sizeof file, "plots/%s-cycle.svg", name);
    StickStatus status = stick_path_in(ctx, folder, file, path);
    if (status == STICK_OK && columns.nrows > 1)
        status = draw(ctx, model, path, name, &columns, made);
    stick_columns_destroy(ctx, &columns);
    return status;
}

StickStatus stick_cycle_plot(StickContext *ctx, const StickModel *model, const char *folder, bool *made)
{
    for (int k = 0; k < model->ngears; k++)
        STICK_TRY(plot_table(ctx, model, folder, model->gears[k].name, made));
    return plot_table(ctx, model, folder, "mechanism", made);
}
