// SPDX-License-Identifier: Apache-2.0
#include "study/sweep_results.h"

#include "base/memory.h"
#include "output/plot.h"
#include "output/stability_table.h"
#include "output/table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PATH_TEXT = 4096, MOST_BRANCHES = 60 };

static StickStatus load(StickContext *ctx, const char *folder, const StickStepSpec *step, const char *format,
                        StickColumns *columns)
{
    char name[512], path[PATH_TEXT];
    snprintf(name, sizeof name, format, step->name);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return stick_table_read(ctx, path, columns);
}

static double at(const StickColumns *columns, const char *name, int row)
{
    int k = stick_columns_find(columns, name);
    return k >= 0 && row >= 0 ? columns->column[k][row] : NAN;
}

// ---- numbers

static const char *const names[STICK_SWEEP_NUMBERS] = {
    "values",         "coalescences",         "coalescence",     "coalescence_frequency",
    "onset",          "onset_frequency",      "status_changes",  "first_status_change",
    "largest_growth", "largest_growth_value", "least_stiffness", "undecided",
};

const char *stick_sweep_number_name(int k)
{
    return k >= 0 && k < STICK_SWEEP_NUMBERS ? names[k] : NULL;
}

// First row in which a column has a value, or -1, and how many there are.
static int first_with(const StickColumns *columns, const char *name, double value, double *count)
{
    int first = -1, nrows = (int)columns->nrows;
    *count = 0;
    for (int row = 0; row < nrows; row++) {
        if (at(columns, name, row) != value)
            continue;
        first = first < 0 ? row : first;
        (*count)++;
    }
    return first;
}

static int extreme(const StickColumns *columns, const char *name, double sign)
{
    int found = -1, nrows = (int)columns->nrows;
    for (int row = 0; row < nrows; row++) {
        double value = at(columns, name, row);
        if (!isnan(value) && (found < 0 || sign * value > sign * at(columns, name, found)))
            found = row;
    }
    return found;
}

static void fill_numbers(const StickColumns *values, const StickColumns *events, double number[])
{
    double coalescences, changes, onsets, undecided;
    int meets = first_with(events, "kind", STICK_SWEEP_COALESCENCE, &coalescences);
    int change = first_with(events, "kind", STICK_SWEEP_CHANGE, &changes);
    int onset = first_with(events, "growth_change", 1, &onsets);
    int growth = extreme(values, "growth", 1), stiffness = extreme(values, "stiffness", -1);
    first_with(values, "verdict", STICK_VERDICT_UNDECIDED, &undecided);
    const double all[STICK_SWEEP_NUMBERS] = {
        (double)values->nrows,
        coalescences,
        at(events, STICK_SWEEP_VALUE, meets),
        at(events, "frequency", meets),
        at(events, STICK_SWEEP_VALUE, onset),
        at(events, "frequency", onset),
        changes,
        at(events, STICK_SWEEP_VALUE, change),
        at(values, "growth", growth),
        at(values, STICK_SWEEP_VALUE, growth),
        at(values, "stiffness", stiffness),
        undecided,
    };
    memcpy(number, all, sizeof all);
}

StickStatus stick_sweep_numbers(StickContext *ctx, const char *folder, const StickStepSpec *step,
                                double value[STICK_SWEEP_NUMBERS])
{
    StickColumns values, events;
    STICK_TRY(load(ctx, folder, step, "history/%.400s.csv", &values));
    StickStatus status = load(ctx, folder, step, "stability/%.400s/coalescence.csv", &events);
    if (status == STICK_OK) {
        fill_numbers(&values, &events, value);
        stick_columns_destroy(ctx, &events);
    }
    stick_columns_destroy(ctx, &values);
    return status;
}

// ---- the picture

// Rows of the sweep sorted by branch.
typedef struct Curves {
    StickPlotSeries frequency[MOST_BRANCHES + 1], growth[MOST_BRANCHES + 1];
    int nfrequencies, ngrowths;
    double *x, *f, *g;         // of all branches, one behind the other
    double *meets_x, *meets_f; // coalescences
} Curves;

static bool has_growth(const double *g, size_t count)
{
    for (size_t k = 0; k < count; k++)
        if (g[k] != 0)
            return true;
    return false;
}

static bool is_between(double x, double a, double b)
{
    return (x - a) * (b - x) > 0;
}

// Coalescences of a branch between its last point and the next one, so that the line bends there. Growth is there as it
// is on the side of real modes.
static void add_bends(Curves *curves, const StickColumns *events, int branch, const double next[2],
                      size_t first, size_t *used)
{
    int nrows = (int)events->nrows;
    for (int row = 0; row<nrows && * used> first; row++) {
        double value = at(events, STICK_SWEEP_VALUE, row), before = curves->g[*used - 1];
        bool concerns = at(events, "branch", row) == branch || at(events, "partner", row) == branch;
        if (at(events, "kind", row) != STICK_SWEEP_COALESCENCE || !concerns ||
            !is_between(value, curves->x[*used - 1], next[0]))
            continue;
        curves->x[*used] = value;
        curves->f[*used] = at(events, "frequency", row);
        curves->g[(*used)++] = at(events, "change", row) > 0 ? before : next[1];
    }
}

// Growth that is zero everywhere is not worth a line.
static void add_branch(Curves *curves, const StickColumns *sweep, const StickColumns *events, int branch,
                       size_t *used)
{
    size_t first = *used;
    int nrows = (int)sweep->nrows;
    for (int row = 0; row < nrows; row++) {
        if (at(sweep, "branch", row) != branch)
            continue;
        const double next[2] = {at(sweep, STICK_SWEEP_VALUE, row), at(sweep, "growth", row)};
        add_bends(curves, events, branch, next, first, used);
        curves->x[*used] = next[0];
        curves->f[*used] = at(sweep, "frequency", row);
        curves->g[(*used)++] = next[1];
    }
    size_t count = *used - first;
    StickPlotSeries line = {NULL, STICK_PLOT_LINE, count, curves->x + first, curves->f + first};
    if (count == 0)
        return;
    curves->frequency[curves->nfrequencies++] = line;
    line.y = curves->g + first;
    if (has_growth(line.y, count))
        curves->growth[curves->ngrowths++] = line;
}

static void add_meetings(Curves *curves, const StickColumns *events)
{
    size_t count = 0;
    int nrows = (int)events->nrows;
    for (int row = 0; row < nrows; row++) {
        if (at(events, "kind", row) != STICK_SWEEP_COALESCENCE)
            continue;
        curves->meets_x[count] = at(events, STICK_SWEEP_VALUE, row);
        curves->meets_f[count++] = at(events, "frequency", row);
    }
    if (count > 0)
        curves->frequency[curves->nfrequencies++] =
            (StickPlotSeries){"coalescence", STICK_PLOT_MARKERS, count, curves->meets_x, curves->meets_f};
}

static StickStatus draw(StickContext *ctx, const StickModel *model, const char *folder,
                        const StickStepSpec *step, const StickColumns *sweep, const Curves *curves,
                        bool *made)
{
    const StickPlotPanel panel[] = {
        {sweep->name[stick_columns_find(sweep, "frequency")], false, curves->nfrequencies, curves->frequency},
        {sweep->name[stick_columns_find(sweep, "growth")], false, curves->ngrowths, curves->growth},
    };
    char path[PATH_TEXT], title[512];
    snprintf(path, sizeof path, "%s/plots/%s.svg", folder, step->name);
    snprintf(title, sizeof title, "%s: %s", model->title ? model->title : model->file, step->name);
    StickPlot plot = {.title = title,
                      .x_label = step->stability.vary.parameter,
                      .npanels = curves->ngrowths > 0 ? 2 : 1,
                      .panel = panel};
    return curves->nfrequencies > 0 ? stick_plot_write(ctx, path, &plot, made) : STICK_OK;
}

static StickStatus draw_tables(StickContext *ctx, const StickModel *model, const char *folder,
                               const StickStepSpec *step, const StickColumns table[2], bool *made)
{
    size_t m = table[1].nrows + 1, n = table[0].nrows + 2 * m, used = 0;
    Curves *curves;
    double *room;
    STICK_ALLOC(ctx, curves, 1);
    room = stick_alloc(ctx, 3 * n + 2 * m, sizeof *room);
    if (!room) {
        stick_free(ctx, curves);
        return STICK_NO_MEMORY;
    }
    curves->x = room;
    curves->f = room + n;
    curves->g = room + 2 * n;
    curves->meets_x = room + 3 * n;
    curves->meets_f = room + 3 * n + m;
    for (int branch = 1; branch <= MOST_BRANCHES; branch++)
        add_branch(curves, &table[0], &table[1], branch, &used);
    add_meetings(curves, &table[1]);
    StickStatus status = draw(ctx, model, folder, step, &table[0], curves, made);
    stick_free(ctx, room);
    stick_free(ctx, curves);
    return status;
}

StickStatus stick_sweep_plot(StickContext *ctx, const StickModel *model, const char *folder,
                             const StickStepSpec *step, bool *made)
{
    StickColumns table[2];
    STICK_TRY(load(ctx, folder, step, "stability/%.400s/sweep.csv", &table[0]));
    StickStatus status = load(ctx, folder, step, "stability/%.400s/coalescence.csv", &table[1]);
    if (status == STICK_OK) {
        status = draw_tables(ctx, model, folder, step, table, made);
        stick_columns_destroy(ctx, &table[1]);
    }
    stick_columns_destroy(ctx, &table[0]);
    return status;
}
