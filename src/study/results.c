// SPDX-License-Identifier: Apache-2.0
#include "study/results.h"

#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- series

// "energy.total" is column total of table energy; "force" is the first value column of table force.
static void split_name(const char *name, char table[256], const char **column)
{
    static const char *const books[] = {"energy.", "momentum.", "contact."};
    *column = NULL;
    snprintf(table, 256, "%s", name);
    const char *dot = strrchr(name, '.');
    bool is_exact = dot && strcmp(dot, ".exact") == 0;
    if (is_exact) {
        *column = "exact";
        table[dot - name < 255 ? dot - name : 255] = '\0';
        return;
    }
    for (size_t k = 0; k < sizeof books / sizeof *books; k++) {
        size_t length = strlen(books[k]);
        if (strncmp(name, books[k], length) == 0) {
            *column = name + length;
            table[length - 1] = '\0';
        }
    }
}

static StickStatus find_column(StickContext *ctx, const char *name, const char *column, StickMark mark,
                               StickSeries *series)
{
    int found = column ? stick_columns_find(&series->columns, column) : 1;
    if (found < 0 || found >= series->columns.ncolumns)
        return stick_fail_at(ctx, STICK_BAD_INPUT, mark, "there is no series '%s'", name);
    series->t = series->columns.column[0];
    series->values = series->columns.column[found];
    series->count = series->columns.nrows;
    return STICK_OK;
}

StickStatus stick_series_load(StickContext *ctx, const char *folder, const char *name, StickMark mark,
                              StickSeries *series)
{
    char table[256], path[4096];
    const char *column;
    *series = (StickSeries){0};
    split_name(name, table, &column);
    snprintf(path, sizeof path, "%s/history/%s.csv", folder, table);
    STICK_TRY(stick_table_read(ctx, path, &series->columns));
    StickStatus status = find_column(ctx, name, column, mark, series);
    if (status != STICK_OK)
        stick_series_destroy(ctx, series);
    return status;
}

void stick_series_destroy(StickContext *ctx, StickSeries *series)
{
    stick_columns_destroy(ctx, &series->columns);
    *series = (StickSeries){0};
}

// All reductions at once: they share their sums.
typedef struct Sums {
    size_t count;
    double first, final, max, min, largest, sum, squares, integral;
} Sums;

static Sums sum_up(const StickSeries *series, double from, double to)
{
    Sums sums = {.max = -INFINITY, .min = INFINITY};
    double t = 0;
    for (size_t k = 0; k < series->count; k++) {
        double value = series->values[k];
        if (series->t[k] < from || series->t[k] > to)
            continue;
        if (sums.count == 0)
            sums.first = value;
        else
            sums.integral += 0.5 * (series->t[k] - t) * (value + sums.final);
        t = series->t[k];
        sums.final = value;
        sums.max = fmax(sums.max, value);
        sums.min = fmin(sums.min, value);
        sums.largest = fmax(sums.largest, fabs(value));
        sums.sum += value;
        sums.squares += value * value;
        sums.count++;
    }
    return sums;
}

static const char *const reductions[] = {"max", "min", "mean", "final", "first", "rms", "std", "integral", "largest"};

StickStatus stick_series_reduce(StickContext *ctx, const StickSeries *series, const char *how, double from, double to,
                                StickMark mark, double *value)
{
    Sums s = sum_up(series, from, to);
    if (s.count == 0)
        return stick_fail_at(ctx, STICK_BAD_INPUT, mark, "no row of the series lies between t = %g and %g", from, to);
    double n = (double)s.count, mean = s.sum / n;
    double spread = 0; // in a second pass: the difference of large sums would lose it
    for (size_t k = 0; k < series->count; k++)
        if (series->t[k] >= from && series->t[k] <= to)
            spread += (series->values[k] - mean) * (series->values[k] - mean);
    double values[] = {s.max, s.min, mean, s.final, s.first, sqrt(s.squares / n), sqrt(spread / n), s.integral, s.largest};
    size_t count = sizeof reductions / sizeof *reductions;
    for (size_t k = 0; k < count; k++) {
        if (strcmp(reductions[k], how) == 0) {
            *value = values[k];
            return STICK_OK;
        }
    }
    const char *nearest = stick_nearest_word(how, reductions, count);
    return stick_fail_at(ctx, STICK_BAD_INPUT, mark, "unknown reduction '%s'%s%s%s", how,
                         nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
}

// ---- numbers

bool stick_number_at(const StickRun *run, int k, const char **name, double *value)
{
    const StickLedger *ledger = &run->ledger;
    const StickRecord *record = &run->record;
    double total = ledger->kinetic + ledger->elastic;
    const struct {
        const char *name;
        double value;
    } all[] = {
        {"energy.initial", ledger->initial},
        {"energy.final", total},
        {"energy.ratio", ledger->initial > 0 ? total / ledger->initial : 0},
        {"energy.closure", ledger->worst_closure},
        {"energy.gain", ledger->worst_gain},
        {"friction.gain", ledger->friction_gain},
        {"friction.gains", ledger->friction_gains},
        {"momentum.error", ledger->worst_momentum},
        {"equilibrium.error", ledger->worst_equilibrium},
        {"certificate.error", record->worst_error},
        {"certificate.error_scale_free", record->worst_scale_free},
        {"certificate.exact_error_scale_free", record->worst_exact},
        {"certificate.consistency", record->worst_consistency},
        {"contact.solves", record->solves},
        {"contact.iterations", record->iterations},
        {"contact.most_candidates", record->most_contacts},
        {"contact.most_active", record->most_active},
    };
    if (k < 0 || k >= (int)(sizeof all / sizeof *all))
        return false;
    *name = all[k].name;
    *value = all[k].value;
    return true;
}

enum { MOST_NUMBERS = 64 };

StickStatus stick_number(StickContext *ctx, const StickRun *run, const char *name, StickMark mark, double *value)
{
    const char *names[MOST_NUMBERS];
    double found;
    int count = 0;
    while (count < MOST_NUMBERS && stick_number_at(run, count, &names[count], &found)) {
        if (strcmp(names[count], name) == 0) {
            *value = found;
            return STICK_OK;
        }
        count++;
    }
    const char *nearest = stick_nearest_word(name, names, (size_t)count);
    return stick_fail_at(ctx, STICK_BAD_INPUT, mark, "there is no number '%s'%s%s%s", name,
                         nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
}
