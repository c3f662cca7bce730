// SPDX-License-Identifier: Apache-2.0
#include "study/profile_plot.h"

#include "base/memory.h"
#include "output/units.h"
#include "study/plots.h"

#include <math.h>
#include <stdio.h>

enum { PATH_TEXT = 4096, CURVES = 5, STATUSES = 3, PANEL_HEIGHT = 150 };

typedef struct Table {
    const double *t, *s, *pressure, *shear, *status;
    size_t nrows;
} Table;

static Table table_of(const StickColumns *columns)
{
    static const char *const names[] = {"t", "s", "pressure", "shear", "status"};
    const double *column[5];
    for (int k = 0; k < 5; k++)
        column[k] = columns->column[stick_columns_find(columns, names[k])];
    return (Table){column[0], column[1], column[2], column[3], column[4], columns->nrows};
}

// Rows of the time that begins at this one.
static size_t rows_alike(const Table *table, size_t first)
{
    size_t end = first;
    while (end < table->nrows && table->t[end] == table->t[first])
        end++;
    return end - first;
}

// Marks of one status on both curves: values of the pressures, then of the shear stresses, NaN elsewhere.
static void fill_marks(const Table *table, size_t first, size_t count, int status, double *x, double *y)
{
    for (size_t k = 0; k < 2 * count; k++) {
        size_t row = first + k % count;
        x[k] = table->s[row];
        y[k] = table->status[row] == status ? (k < count ? table->pressure : table->shear)[row] : NAN;
    }
}

// Legends stand above the first panel only.
static void fill_panel(const Table *table, size_t first, size_t count, double *room, bool legend,
                       StickPlotSeries series[CURVES])
{
    static const StickPlotStyle style[STATUSES] = {STICK_PLOT_CROSSES, STICK_PLOT_DOTS, STICK_PLOT_MARKERS};
    static const char *const name[STATUSES] = {"apart", "sticking", "slipping"};
    series[0] = (StickPlotSeries){legend ? "pressure" : NULL, STICK_PLOT_LINE, count, table->s + first,
                                  table->pressure + first};
    series[1] = (StickPlotSeries){legend ? "shear stress" : NULL, STICK_PLOT_LINE, count, table->s + first,
                                  table->shear + first};
    for (int k = 0; k < STATUSES; k++) {
        double *x = room + (size_t)k * 4 * count, *y = x + 2 * count;
        fill_marks(table, first, count, k, x, y);
        series[2 + k] = (StickPlotSeries){legend ? name[k] : NULL, style[k], 2 * count, x, y};
    }
}

static StickStatus draw(StickContext *ctx, const StickModel *model, const char *folder,
                        const StickProfileSpec *profile, const StickColumns *columns, double *room,
                        bool *made)
{
    StickPlotSeries series[STICK_MOST_PANELS][CURVES];
    StickPlotPanel panel[STICK_MOST_PANELS];
    char label[STICK_MOST_PANELS][64], path[PATH_TEXT], title[512];
    Table table = table_of(columns);
    int panels = 0;
    for (size_t first = 0, count; first < table.nrows && panels < STICK_MOST_PANELS; first += count) {
        count = rows_alike(&table, first);
        fill_panel(&table, first, count, room + 12 * first, panels == 0, series[panels]);
        snprintf(label[panels], sizeof label[panels], "t = %g %.40s", table.t[first], model->units.time);
        panel[panels] = (StickPlotPanel){label[panels], false, CURVES, series[panels]};
        panels++;
    }
    char unit[STICK_UNIT_TEXT];
    stick_unit(&model->units, STICK_PRESSURE, unit);
    snprintf(path, sizeof path, "%s/plots/%s.svg", folder, profile->name);
    snprintf(title, sizeof title, "%s: %s [%s]", model->title ? model->title : model->file, profile->name,
             unit);
    StickPlot plot = {.title = title,
                      .x_label = columns->name[stick_columns_find(columns, "s")],
                      .npanels = panels,
                      .panel = panel,
                      .panel_height = panels > 1 ? PANEL_HEIGHT : 0};
    return stick_plot_write(ctx, path, &plot, made);
}

StickStatus stick_profile_plot(StickContext *ctx, const StickModel *model, const char *folder,
                               const StickProfileSpec *profile, bool *made)
{
    StickColumns columns;
    char path[PATH_TEXT];
    double *room = NULL;
    snprintf(path, sizeof path, "%s/profiles/%s.csv", folder, profile->name);
    STICK_TRY(stick_table_read(ctx, path, &columns));
    StickStatus status = STICK_OK;
    if (columns.nrows > 0) {
        room = stick_alloc(ctx, 12 * columns.nrows, sizeof *room);
        status = room ? draw(ctx, model, folder, profile, &columns, room, made) : STICK_NO_MEMORY;
    }
    stick_free(ctx, room);
    stick_columns_destroy(ctx, &columns);
    return status;
}
