// SPDX-License-Identifier: Apache-2.0
#include "study/compared_table.h"

#include "base/file.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const StickHistorySpec *find_history(const StickPastRun *run, const char *name)
{
    for (int k = 0; run->model && k < run->model->output.nhistories; k++)
        if (strcmp(run->model->output.history[k].name, name) == 0)
            return &run->model->output.history[k];
    return NULL;
}

bool stick_compared_listed(const StickPastRun *run, const StickCompareSeries *series)
{
    return series->from_books || find_history(run, series->name);
}

void stick_compared_quantity(const StickPastRun *run, const StickCompareSeries *series,
                             char text[STICK_QUANTITY_TEXT])
{
    static const char *const component[] = {".x", ".y", ".z", ".normal", ".tangential"};
    const StickHistorySpec *history = series->from_books ? NULL : find_history(run, series->name);
    bool has_component = history && history->component >= 0 && history->component < 5;
    snprintf(text, STICK_QUANTITY_TEXT, "%.60s%s", history ? history->what : "",
             has_component ? component[history->component] : "");
}

// "N" of "force [N]"
static void unit_of(const char *column, char unit[STICK_UNIT_TEXT])
{
    const char *start = column + stick_column_name_length(column);
    size_t length = strlen(start);
    bool has_unit = length > 3 && start[length - 1] == ']'; // " [" in front
    snprintf(unit, STICK_UNIT_TEXT, "%.*s", has_unit ? (int)(length - 3) : 0, has_unit ? start + 2 : "");
}

// Columns that are compared: all values of a history, or those of a book that have this name, or start with it.
static void choose_columns(const StickCompareSeries *series, StickComparedTable *table, int *last)
{
    const StickColumns *columns = &table->columns;
    bool energy = strcmp(series->name, STICK_SERIES_ENERGY) == 0;
    int exact = stick_columns_find(columns, "exact");
    table->first = 1;
    *last = columns->ncolumns - 1;
    if (series->from_books) {
        static const char *const axes[] = {"momentum.x", "momentum.y", "momentum.z"};
        table->first = stick_columns_find(columns, energy ? "total" : axes[0]);
        *last = table->first;
        for (int k = 1; k < 3 && !energy; k++)
            *last += stick_columns_find(columns, axes[k]) == table->first + k;
    } else if (exact > 1 && exact == *last) {
        table->exact = columns->column[exact];
        *last = exact - 1;
    }
}

static StickStatus check_times(StickContext *ctx, const char *path, const StickColumns *columns)
{
    const double *t = columns->column[0];
    for (size_t k = 0; k < columns->nrows; k++)
        STICK_CHECK(ctx, isfinite(t[k]) && (k == 0 || t[k] >= t[k - 1]), STICK_BAD_INPUT,
                    "'%s': time goes from %g to %g in row %zu", path, k ? t[k - 1] : 0, t[k], k + 1);
    return STICK_OK;
}

static StickStatus read_columns(StickContext *ctx, const char *path, const StickCompareSeries *series,
                                StickComparedTable *table)
{
    int last;
    STICK_TRY(stick_table_read(ctx, path, &table->columns));
    STICK_TRY(check_times(ctx, path, &table->columns));
    choose_columns(series, table, &last);
    STICK_CHECK(ctx, table->first > 0 && table->first <= last, STICK_BAD_INPUT, "'%s' has no column of %s",
                path, series->name);
    int width = last - table->first + 1;
    STICK_ALLOC(ctx, table->values, width);
    for (int k = 0; k < width; k++)
        table->values[k] = table->columns.column[table->first + k];
    table->curve = (StickCurve){table->columns.nrows, table->columns.column[0], width, table->values};
    table->there = table->columns.nrows > 0;
    unit_of(table->columns.name[table->first], table->unit);
    unit_of(table->columns.name[0], table->time_unit);
    return STICK_OK;
}

StickStatus stick_compared_load(StickContext *ctx, const StickPastRun *run, const StickCompareSeries *series,
                                StickComparedTable *table)
{
    size_t length = series->from_books ? strcspn(series->name, ".") : strlen(series->name);
    *table = (StickComparedTable){0};
    if (!run->there || !stick_compared_listed(run, series))
        return STICK_OK;
    StickText path;
    stick_text_init(&path, ctx);
    stick_text_add(&path, "%s/history/%.*s.csv", run->folder, (int)length, series->name);
    StickStatus status = stick_text_status(&path);
    if (status == STICK_OK && stick_file_exists(path.bytes))
        status = read_columns(ctx, path.bytes, series, table);
    stick_text_destroy(&path);
    if (status != STICK_OK)
        stick_compared_unload(ctx, table);
    return status;
}

void stick_compared_unload(StickContext *ctx, StickComparedTable *table)
{
    stick_columns_destroy(ctx, &table->columns);
    stick_free(ctx, table->values);
    *table = (StickComparedTable){0};
}

void stick_compared_values(const StickComparedTable *table, StickCompareCell *cell)
{
    *cell = (StickCompareCell){.first = NAN, .final = NAN, .min = NAN, .max = NAN};
    size_t count = table->curve.count;
    cell->there = table->there;
    if (!table->there)
        return;
    cell->begin = table->curve.t[0];
    cell->end = table->curve.t[count - 1];
    cell->single = table->curve.width == 1;
    if (!cell->single)
        return;
    const double *value = table->values[0];
    cell->first = value[0];
    cell->final = value[count - 1];
    for (size_t k = 0; k < count; k++) {
        cell->min = fmin(cell->min, value[k]);
        cell->max = fmax(cell->max, value[k]);
    }
    cell->has_exact = table->exact != NULL;
    if (cell->has_exact)
        cell->exact = stick_exact_error(count, value, table->exact);
}

bool stick_compared_same_columns(const StickComparedTable *a, const StickComparedTable *b)
{
    if (a->curve.width != b->curve.width)
        return false;
    for (int k = 0; k < a->curve.width; k++)
        if (strcmp(a->columns.name[a->first + k], b->columns.name[b->first + k]) != 0)
            return false;
    return true;
}
