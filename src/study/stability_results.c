// SPDX-License-Identifier: Apache-2.0
#include "study/stability_results.h"

#include "base/memory.h"
#include "base/text.h"
#include "output/stability_table.h"
#include "study/plots.h"
#include "study/sweep_results.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PATH_TEXT = 4096 };

// ---- names

const StickStepSpec *stick_stability_step_of(const StickModel *model, const char *name)
{
    size_t length = strcspn(name, ".");
    for (int k = 0; k < model->nsteps; k++)
        if (model->step[k].kind == STICK_STEP_STABILITY && strlen(model->step[k].name) == length &&
            strncmp(model->step[k].name, name, length) == 0)
            return &model->step[k];
    return NULL;
}

static bool book_has(const StickBook *book, const char *column)
{
    for (int k = 0; k < book->ncolumns; k++) {
        size_t length = stick_column_name_length(book->column[k]);
        if (strlen(column) == length && strncmp(column, book->column[k], length) == 0)
            return true;
    }
    return false;
}

bool stick_stability_has_column(const StickSystem *system, const StickStepSpec *step, const char *column)
{
    StickBook book;
    stick_stability_book_init(&book, system, step);
    return book_has(&book, column);
}

StickSuggestion stick_stability_suggest(const StickSystem *system, const StickStepSpec *step,
                                        const char *name)
{
    char full[STICK_BOOK_COLUMNS][128];
    const char *known[STICK_BOOK_COLUMNS];
    StickBook book;
    stick_stability_book_init(&book, system, step);
    for (int k = 0; k < book.ncolumns; k++) {
        snprintf(full[k], sizeof full[k], "%.60s.%.*s", step->name,
                 (int)stick_column_name_length(book.column[k]), book.column[k]);
        known[k] = full[k];
    }
    return stick_suggestion(name, known, (size_t)book.ncolumns);
}

static StickStatus load(StickContext *ctx, const char *folder, const StickStepSpec *step,
                        StickColumns *columns)
{
    char path[PATH_TEXT];
    snprintf(path, sizeof path, "%s/history/%s.csv", folder, step->name);
    return stick_table_read(ctx, path, columns);
}

static StickStatus load_spectrum(StickContext *ctx, const char *folder, const StickStepSpec *step,
                                 StickColumns *columns)
{
    char path[PATH_TEXT];
    snprintf(path, sizeof path, "%s/stability/%s/spectrum.csv", folder, step->name);
    return stick_table_read(ctx, path, columns);
}

static const double *column_of(const StickColumns *columns, const char *name)
{
    int k = stick_columns_find(columns, name);
    return k >= 0 ? columns->column[k] : NULL;
}

// ---- numbers

static const char *const names[STICK_STABILITY_NUMBERS] = {
    "statuses",
    "first_flutter_time",
    "first_flutter_mode",
    "first_flutter_frequency",
    "first_flutter_growth",
    "first_divergence_time",
    "first_necessary_time",
    "largest_growth",
    "largest_growth_time",
    "least_stiffness",
    "least_real",
    "undecided",
};

_Static_assert((int)STICK_SWEEP_NUMBERS <= (int)STICK_STABILITY_NUMBERS, "numbers of a sweep fit");

const char *stick_stability_number_name(const StickStepSpec *step, int k)
{
    if (step->stability.vary.parameter)
        return stick_sweep_number_name(k);
    return k >= 0 && k < STICK_STABILITY_NUMBERS ? names[k] : NULL;
}

// The first row of which something is true, or -1.
static int first_row(const StickColumns *columns, const char *name, double above)
{
    const double *value = column_of(columns, name);
    for (size_t k = 0; value && k < columns->nrows; k++)
        if (value[k] > above)
            return (int)k;
    return -1;
}

static double at_row(const StickColumns *columns, const char *name, int row)
{
    const double *value = column_of(columns, name);
    return value && row >= 0 ? value[row] : NAN;
}

// Row of the largest or smallest value, or -1.
static int extreme_row(const StickColumns *columns, const char *name, double sign)
{
    const double *value = column_of(columns, name);
    int found = -1;
    for (size_t k = 0; value && k < columns->nrows; k++)
        if (!isnan(value[k]) && (found < 0 || sign * value[k] > sign * value[found]))
            found = (int)k;
    return found;
}

static int first_negative(const StickColumns *columns, const char *name)
{
    const double *value = column_of(columns, name);
    for (size_t k = 0; value && k < columns->nrows; k++)
        if (value[k] < 0)
            return (int)k;
    return -1;
}

static double count_zeros(const StickColumns *columns, const char *name)
{
    const double *value = column_of(columns, name);
    double count = 0;
    for (size_t k = 0; value && k < columns->nrows; k++)
        count += value[k] == 0;
    return count;
}

StickStatus stick_stability_numbers(StickContext *ctx, const char *folder, const StickStepSpec *step,
                                    double value[STICK_STABILITY_NUMBERS])
{
    StickColumns columns;
    if (step->stability.vary.parameter)
        return stick_sweep_numbers(ctx, folder, step, value);
    STICK_TRY(load(ctx, folder, step, &columns));
    int flutter = first_row(&columns, "first_flutter_mode", 0);
    int growth = extreme_row(&columns, "growth", 1);
    const double all[STICK_STABILITY_NUMBERS] = {
        (double)columns.nrows,
        at_row(&columns, "t", flutter),
        at_row(&columns, "first_flutter_mode", flutter),
        at_row(&columns, "first_flutter_frequency", flutter),
        at_row(&columns, "first_flutter_growth", flutter),
        at_row(&columns, "t", first_row(&columns, "diverging", 0)),
        at_row(&columns, "t", first_negative(&columns, "stiffness")),
        at_row(&columns, "growth", growth),
        at_row(&columns, "t", growth),
        at_row(&columns, "stiffness", extreme_row(&columns, "stiffness", -1)),
        at_row(&columns, "least_real", extreme_row(&columns, "least_real", -1)),
        count_zeros(&columns, "verdict"),
    };
    memcpy(value, all, sizeof all);
    stick_columns_destroy(ctx, &columns);
    return STICK_OK;
}

// ---- what checks ask for

// "mode[3].growth": number of the mode, and the column of the spectrum; false if it is no such name.
static bool is_of_mode(const char *name, int *mode, const char **column)
{
    int length = 0;
    if (sscanf(name, "mode[%9d].%n", mode, &length) != 1 || length == 0)
        return false;
    *column = name + length;
    return true;
}

static StickStatus refuse_name(StickContext *ctx, const StickStepSpec *step, const StickCheckSpec *check,
                               const char *name)
{
    const char *known[STICK_STABILITY_NUMBERS];
    size_t count = 0;
    for (int k = 0; stick_stability_number_name(step, k); k++)
        known[count++] = stick_stability_number_name(step, k);
    StickSuggestion suggestion = stick_suggestion(name, known, count);
    return stick_fail_at(ctx, STICK_BAD_INPUT, check->mark, "the stability step '%s' has no %s '%s'%s",
                         step->name, check->at_status ? "column" : "number", name,
                         check->at_status ? "" : suggestion.text);
}

static int number_of(const StickStepSpec *step, const char *name)
{
    for (int k = 0; stick_stability_number_name(step, k); k++)
        if (strcmp(stick_stability_number_name(step, k), name) == 0)
            return k;
    return -1;
}

StickStatus stick_stability_validate(StickContext *ctx, const StickSystem *system, const StickStepSpec *step,
                                     const StickCheckSpec *check)
{
    const char *name = check->series + strlen(step->name) + 1, *column;
    StickBook spectrum;
    int mode;
    bool known;
    if (check->series[strlen(step->name)] == '\0')
        return refuse_name(ctx, step, check, "");
    stick_spectrum_book_init(&spectrum, system, step);
    if (is_of_mode(name, &mode, &column))
        known = mode >= 1 && !step->stability.vary.parameter && book_has(&spectrum, column);
    else
        known =
            check->at_status ? stick_stability_has_column(system, step, name) : number_of(step, name) >= 0;
    return known ? STICK_OK : refuse_name(ctx, step, check, name);
}

static bool has_counts(const StickColumns *columns, int row, const int count[3])
{
    return at_row(columns, STICK_STABILITY_STICKING, row) == count[0] &&
           at_row(columns, STICK_STABILITY_SLIPPING, row) == count[1] &&
           at_row(columns, STICK_STABILITY_APART, row) == count[2];
}

// The row of the status that is asked for, the first one unless it says which; -1: none.
static int row_of(const StickColumns *columns, const StickCheckSpec *check)
{
    int count = (int)columns->nrows;
    for (int row = 0; row < count; row++)
        if (!check->at_status || has_counts(columns, row, check->status))
            return row;
    return -1;
}

static StickStatus measure_mode(StickContext *ctx, const char *folder, const StickStepSpec *step, int status,
                                int mode, const char *column, double *value)
{
    StickColumns columns;
    STICK_TRY(load_spectrum(ctx, folder, step, &columns));
    *value = NAN;
    for (int row = (int)columns.nrows - 1; row >= 0; row--)
        if (at_row(&columns, "status", row) == status && at_row(&columns, "mode", row) == mode)
            *value = at_row(&columns, column, row);
    stick_columns_destroy(ctx, &columns);
    return STICK_OK;
}

StickStatus stick_stability_measure(StickContext *ctx, const char *folder, const StickStepSpec *step,
                                    const StickCheckSpec *check, double *value)
{
    const char *name = check->series + strlen(step->name) + 1, *column;
    double number[STICK_STABILITY_NUMBERS];
    StickColumns columns;
    int mode;
    bool of_mode = is_of_mode(name, &mode, &column);
    if (!of_mode && !check->at_status) {
        STICK_TRY(stick_stability_numbers(ctx, folder, step, number));
        *value = number[number_of(step, name)];
        return STICK_OK;
    }
    STICK_TRY(load(ctx, folder, step, &columns));
    int row = row_of(&columns, check);
    *value = of_mode ? NAN : at_row(&columns, name, row);
    stick_columns_destroy(ctx, &columns);
    if (row < 0)
        return stick_fail_at(ctx, STICK_BAD_INPUT, check->mark,
                             "the path has no status in which %d contacts stick, %d slip and %d are apart",
                             check->status[0], check->status[1], check->status[2]);
    return of_mode ? measure_mode(ctx, folder, step, row + 1, mode, column, value) : STICK_OK;
}

// ---- the picture

// Every status has two points, its begin and its end; NaN where it is not to be seen.
typedef struct Curves {
    size_t count; // points
    double *t, *force, *marked, *undecided, *growth, *frequency;
} Curves;

static void fill_curves(const StickColumns *columns, Curves *curves)
{
    for (size_t k = 0; k < columns->nrows; k++) {
        int row = (int)k;
        bool undecided = at_row(columns, "verdict", row) == STICK_VERDICT_UNDECIDED;
        bool grows = at_row(columns, "first_flutter_mode", row) > 0 || at_row(columns, "diverging", row) > 0;
        for (int side = 0; side < 2; side++) {
            size_t p = 2 * k + (size_t)side;
            curves->t[p] = at_row(columns, side ? STICK_STABILITY_END : "t", row);
            curves->force[p] = at_row(columns, side ? "tangential_force_end" : "tangential_force", row);
            curves->marked[p] = grows && !undecided ? curves->force[p] : NAN;
            curves->undecided[p] = undecided ? curves->force[p] : NAN;
            curves->growth[p] = at_row(columns, "growth", row);
            curves->frequency[p] = at_row(columns, "first_flutter_frequency", row);
        }
    }
}

static bool has_undecided(const Curves *curves)
{
    for (size_t k = 0; k < curves->count; k++)
        if (!isnan(curves->undecided[k]))
            return true;
    return false;
}

static StickStatus draw(StickContext *ctx, const StickModel *model, const char *folder,
                        const StickStepSpec *step, const StickColumns *columns, const Curves *curves,
                        bool *made)
{
    size_t n = curves->count;
    const double *t = curves->t;
    const char *label = columns->name[stick_columns_find(columns, "growth")];
    const StickPlotSeries force[] = {{"path", STICK_PLOT_REFERENCE, n, t, curves->force},
                                     {"disturbances grow", STICK_PLOT_LINE, n, t, curves->marked},
                                     {"undecided", STICK_PLOT_CROSSES, n, t, curves->undecided}};
    const StickPlotSeries growth = {"of the mode that grows most", STICK_PLOT_LINE, n, t, curves->growth};
    const StickPlotSeries frequency = {"of the first mode that flutters", STICK_PLOT_LINE, n, t,
                                       curves->frequency};
    const StickPlotPanel panel[] = {
        {columns->name[stick_columns_find(columns, "tangential_force")], false, has_undecided(curves) ? 3 : 2,
         force},
        {label, false, 1, &growth},
        {columns->name[stick_columns_find(columns, "first_flutter_frequency")], false, 1, &frequency},
    };
    char path[PATH_TEXT], title[512];
    snprintf(path, sizeof path, "%s/plots/%s.svg", folder, step->name);
    snprintf(title, sizeof title, "%s: %s", model->title ? model->title : model->file, step->name);
    StickPlotMark mark[STICK_MOST_MOMENTS];
    StickPlot plot = {.title = title,
                      .x_label = columns->name[0],
                      .npanels = 3,
                      .panel = panel,
                      .nmarks = stick_plots_moments(model, mark),
                      .mark = mark};
    return stick_plot_write(ctx, path, &plot, made);
}

StickStatus stick_stability_plot(StickContext *ctx, const StickModel *model, const char *folder,
                                 const StickStepSpec *step, bool *made)
{
    StickColumns columns;
    double *room = NULL;
    if (step->stability.vary.parameter)
        return stick_sweep_plot(ctx, model, folder, step, made);
    STICK_TRY(load(ctx, folder, step, &columns));
    size_t n = 2 * columns.nrows;
    StickStatus status = STICK_OK;
    if (columns.nrows > 0)
        status = (room = stick_alloc(ctx, 6 * n, sizeof *room)) ? STICK_OK : STICK_NO_MEMORY;
    if (room) {
        Curves curves = {n, room, room + n, room + 2 * n, room + 3 * n, room + 4 * n, room + 5 * n};
        fill_curves(&columns, &curves);
        status = draw(ctx, model, folder, step, &columns, &curves, made);
    }
    stick_free(ctx, room);
    stick_columns_destroy(ctx, &columns);
    return status;
}
