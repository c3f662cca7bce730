// SPDX-License-Identifier: Apache-2.0
#include "study/results.h"

#include "base/file.h"
#include "base/text.h"
#include "output/collapse.h"
#include "output/cycles.h"
#include "output/ledger_tables.h"
#include "output/profile.h"
#include "study/growth_results.h"
#include "study/stability_results.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- series

enum { NAME_TEXT = 256 };

static bool is_book(const char *name, size_t length)
{
    for (int k = 0; k < STICK_BOOK_NAMES; k++)
        if (strlen(stick_book_name(k)) == length && strncmp(stick_book_name(k), name, length) == 0)
            return true;
    return false;
}

// Table and column of a name. "energy.total" is column total of table energy; "force" is the only column of
// table force, "force.exact" its exact curve, "force.12" its column of that full name.
static void split_name(const char *name, char table[NAME_TEXT], const char **column)
{
    size_t length = strcspn(name, ".");
    snprintf(table, NAME_TEXT, "%.*s", (int)(length < NAME_TEXT ? length : NAME_TEXT - 1), name);
    *column = name[length] == '\0' ? NULL : name;
    if (*column && (is_book(name, length) || strcmp(name + length, ".exact") == 0))
        *column = name + length + 1;
}

static StickStatus no_series(StickContext *ctx, const char *name, StickMark mark, StickSuggestion suggestion)
{
    return stick_fail_at(ctx, STICK_BAD_INPUT, mark, "there is no series '%s'%s", name, suggestion.text);
}

static StickStatus one_of_each(StickContext *ctx, const char *name, StickMark mark)
{
    return stick_fail_at(ctx, STICK_BAD_INPUT, mark,
                         "'%s' has a column for each node: name one of them, as %s.1 for node 1", name, name);
}

static StickStatus find_column(StickContext *ctx, const char *name, const char *column, StickMark mark,
                               StickSeries *series)
{
    const StickColumns *columns = &series->columns;
    bool with_exact = stick_columns_find(columns, "exact") == columns->ncolumns - 1;
    if (!column && columns->ncolumns > (with_exact ? 3 : 2))
        return one_of_each(ctx, name, mark);
    int found = column ? stick_columns_find(columns, column) : 1;
    if (found < 0 && strchr(column, '.')) // of the table of a stability step or of gears
        found = stick_columns_find(columns, strchr(column, '.') + 1);
    if (found < 0 || found >= columns->ncolumns)
        return no_series(ctx, name, mark, (StickSuggestion){""});
    series->t = columns->column[0];
    series->values = columns->column[found];
    series->count = columns->nrows;
    return STICK_OK;
}

StickStatus stick_series_load(StickContext *ctx, const char *folder, const char *name, StickMark mark,
                              StickSeries *series)
{
    char table[NAME_TEXT], path[4096];
    const char *column;
    *series = (StickSeries){0};
    split_name(name, table, &column);
    snprintf(path, sizeof path, "%s/profiles/%s.csv", folder, table);
    bool profile = stick_file_exists(path);
    if (!profile)
        snprintf(path, sizeof path, "%s/cycle/%s.csv", folder, table);
    if (!profile && !stick_file_exists(path))
        snprintf(path, sizeof path, "%s/history/%s.csv", folder, table);
    STICK_TRY(stick_table_read(ctx, path, &series->columns));
    StickStatus status = find_column(ctx, name, column, mark, series);
    if (status == STICK_OK && profile)
        series->area = series->columns.column[stick_columns_find(&series->columns, "area")];
    if (status != STICK_OK)
        stick_series_destroy(ctx, series);
    return status;
}

void stick_series_destroy(StickContext *ctx, StickSeries *series)
{
    stick_columns_destroy(ctx, &series->columns);
    *series = (StickSeries){0};
}

// ---- series before they are written

static bool book_has(const StickSystem *system, const char *table, const char *column)
{
    for (int k = 0; k < STICK_BOOK_NAMES; k++) {
        StickBook book;
        if (k < STICK_BOOKS)
            stick_book_init(&book, k, system);
        else if (k == STICK_EVENTS && stick_events_wanted(system->model))
            stick_events_init(&book, system);
        else if (k == STICK_COLLAPSE && stick_collapse_wanted(system))
            stick_collapse_book(&book, system);
        else
            continue;
        if (strcmp(book.name, table) != 0)
            continue;
        for (int j = 0; column && j < book.ncolumns; j++) {
            size_t length = stick_column_name_length(book.column[j]);
            if (strlen(column) == length && strncmp(column, book.column[j], length) == 0)
                return true;
        }
    }
    return false;
}

static bool profile_has(const StickSystem *system, const char *table, const char *column)
{
    const StickOutputSpec *output = &system->model->output;
    for (int k = 0; column && k < output->nprofiles; k++)
        for (int j = 0; strcmp(output->profile[k].name, table) == 0 && stick_profile_column(j); j++)
            if (strcmp(stick_profile_column(j), column) == 0)
                return true;
    return false;
}

static bool has_node(const StickSystem *system, const StickHistorySpec *history, const char *node)
{
    const StickGroup *group;
    double number;
    if (!history->each || history->of.body < 0 || !stick_parse_number(node, &number) ||
        stick_system_group(system, &history->of, &group) != STICK_OK)
        return false;
    for (int k = 0; k < group->nnodes; k++)
        if (group->node[k] + 1 == number)
            return true;
    return false;
}

// "displacement.x", or "velocity.y.12" of node 12
static bool portrait_has(const StickSystem *system, const StickHistorySpec *history, const char *column)
{
    static const char *const quantities[] = {"displacement.", "velocity."};
    for (int k = 0; k < 2; k++) {
        size_t length = strlen(quantities[k]);
        if (strncmp(column, quantities[k], length) != 0)
            continue;
        const char *axis = column + length;
        bool good = *axis >= 'x' && *axis < 'x' + system->dim;
        return good && (history->each ? axis[1] == '.' && has_node(system, history, axis + 2) : !axis[1]);
    }
    return false;
}

static StickStatus one_of_portrait(StickContext *ctx, const char *name, StickMark mark)
{
    return stick_fail_at(ctx, STICK_BAD_INPUT, mark,
                         "'%s' is no column of a phase portrait: take one as portrait.displacement.x or "
                         "portrait.velocity.y, with '.1' behind it for node 1 of each",
                         name);
}

StickStatus stick_series_exists(StickContext *ctx, const StickSystem *system, const char *name,
                                StickMark mark)
{
    enum { MOST_NAMES = 256 };
    const StickOutputSpec *output = &system->model->output;
    const char *names[MOST_NAMES], *column;
    size_t count = 0;
    char table[NAME_TEXT];
    split_name(name, table, &column);
    const StickStepSpec *step = stick_stability_step_of(system->model, name);
    if (book_has(system, table, column) ||
        profile_has(system, table, column ? name + strlen(table) + 1 : NULL) ||
        (step && column && stick_stability_has_column(system, step, name + strlen(table) + 1)) ||
        (column && stick_growth_has_column(system, table, name + strlen(table) + 1)) ||
        (column && stick_cycles_has_column(ctx, system->model, table, name + strlen(table) + 1)))
        return STICK_OK;
    for (int k = 0; k < output->nhistories; k++) {
        const StickHistorySpec *history = &output->history[k];
        if (count < MOST_NAMES)
            names[count++] = history->name;
        if (strcmp(history->name, table) != 0)
            continue;
        if (history->portrait)
            return column && portrait_has(system, history, name + strlen(table) + 1)
                       ? STICK_OK
                       : one_of_portrait(ctx, name, mark);
        bool each = history->each && history->of.body >= 0;
        if (!column && each)
            return one_of_each(ctx, name, mark);
        if (!column || (history->exact && strcmp(column, "exact") == 0) ||
            has_node(system, history, name + strlen(table) + 1))
            return STICK_OK;
    }
    return no_series(ctx, name, mark,
                     step && column ? stick_stability_suggest(system, step, name)
                                    : stick_suggestion(table, names, count));
}

// ---- reductions

// Over the surface, at the one time of the window.
static StickStatus integrate_surface(StickContext *ctx, const StickSeries *series, double from, double to,
                                     StickMark mark, double *value)
{
    double sum = 0, t = NAN;
    for (size_t k = 0; k < series->count; k++) {
        if (series->t[k] < from || series->t[k] > to)
            continue;
        if (series->t[k] != t && !isnan(t))
            return stick_fail_at(
                ctx, STICK_BAD_INPUT, mark,
                "the integral of a profile needs one time: 'from' and 'to' enclose t = %g and %g", t,
                series->t[k]);
        t = series->t[k];
        sum += series->area[k] * series->values[k];
    }
    *value = sum;
    return STICK_OK;
}

// All reductions at once: they share their sums.
typedef struct Sums {
    size_t count, numbers; // rows, and those that are not NaN
    double first, final, integral;
    double max, min, largest, sum, squares; // of the numbers; NaN without any
} Sums;

static Sums sum_up(const StickSeries *series, double from, double to)
{
    Sums sums = {.max = NAN, .min = NAN, .largest = NAN};
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
        sums.count++;
        if (isnan(value))
            continue;
        sums.sum += value;
        sums.squares += value * value;
        sums.numbers++;
    }
    return sums;
}

static const char *const reductions[] = {"max", "min", "mean",     "final",  "first",
                                         "rms", "std", "integral", "largest"};

StickStatus stick_series_reduce(StickContext *ctx, const StickSeries *series, const char *how, double from,
                                double to, StickMark mark, double *value)
{
    Sums s = sum_up(series, from, to);
    if (s.count == 0)
        return stick_fail_at(ctx, STICK_BAD_INPUT, mark, "no row of the series lies between t = %g and %g",
                             from, to);
    if (series->area && strcmp(how, "integral") == 0)
        return integrate_surface(ctx, series, from, to, mark, value);
    double n = s.numbers ? (double)s.numbers : (double)NAN, mean = s.sum / n;
    double spread = 0; // in a second pass: the difference of large sums would lose it
    for (size_t k = 0; k < series->count; k++)
        if (series->t[k] >= from && series->t[k] <= to && !isnan(series->values[k]))
            spread += (series->values[k] - mean) * (series->values[k] - mean);
    double values[] = {s.max,      s.min,    mean, s.final, s.first, sqrt(s.squares / n), sqrt(spread / n),
                       s.integral, s.largest};
    size_t count = sizeof reductions / sizeof *reductions;
    for (size_t k = 0; k < count; k++) {
        if (strcmp(reductions[k], how) == 0) {
            *value = values[k];
            return STICK_OK;
        }
    }
    StickSuggestion suggestion = stick_suggestion(how, reductions, count);
    return stick_fail_at(ctx, STICK_BAD_INPUT, mark, "unknown reduction '%s'%s", how, suggestion.text);
}

// ---- numbers

bool stick_number_at(const StickSimulation *run, int k, const char **name, double *value)
{
    const StickLedger *ledger = &run->ledger;
    const StickStatistics *record = &run->record;
    const StickSystem *system = run->system;
    double total = ledger->kinetic + ledger->elastic;
    const struct {
        const char *name;
        double value;
    } all[] = {
        {"energy.initial", ledger->initial},
        {"energy.final", total},
        {"energy.ratio", ledger->initial > 0 ? total / ledger->initial : (double)NAN},
        {"energy.closure", ledger->worst_closure},
        {"energy.balance", stick_ledger_balance(ledger)},
        {"energy.gain", ledger->worst_gain},
        {"energy.algorithmic_gain", ledger->algorithmic_gain},
        {"energy.correction", ledger->correction},
        {"friction.gain", ledger->friction_gain},
        {"friction.gains", ledger->friction_gains},
        {"momentum.error", ledger->worst_momentum},
        {"momentum.scale", ledger->momentum_scale},
        {"equilibrium.error", ledger->worst_equilibrium},
        {"angular.error", ledger->worst_angular},
        {"angular.scale", ledger->angular_scale},
        {"jump.error", ledger->worst_jump},
        {"certificate.error", record->worst_error},
        {"certificate.error_scale_free", record->worst_scale_free},
        {"certificate.contact_error", record->worst_contact},
        {"certificate.guarded_error", record->worst_guarded},
        {"certificate.accepted", record->accepted},
        {"certificate.exact_error_scale_free", record->worst_exact},
        {"certificate.consistency", record->worst_consistency},
        {"contact.solves", record->solves},
        {"contact.iterations", record->iterations},
        {"contact.held", record->held},
        {"contact.held_depth", record->held_depth},
        {"contact.most_candidates", record->most_contacts},
        {"contact.most_active", record->most_active},
        {"contact.most_sticking", record->most_sticking},
        {"contact.depth", record->depth},
        {"contact.sunk", record->sunk},
        {"contact.swept", record->swept},
        {"contact.inelastic", record->inelastic},
        {"contact.passed", record->passed},
        {"contact.stopped", record->stopped},
        {"contact.penetration", record->penetration},
        {"contact.buried", record->buried},
        {"contact.several", record->several},
        {"contact.several_most", record->several_most},
        {"rotation.largest", system->nrigid < system->nbodies ? record->rotation : (double)NAN},
        {"rotation.per_step", system->nrigid > 0 && system->dim == 3 ? record->turned_most : (double)NAN},
        {"increments.cut", record->cuts},
        {"increments.jumps", record->jumps},
        {"increments.chatter", record->chatter},
        {"increments.passes", record->passes},
        {"increments.gap_error", record->gap_error},
        {"newton.iterations", record->newton},
        {"newton.most", record->newton_most},
        {"newton.residual", record->newton_residual},
        {"newton.damped", record->damped},
        {"newton.indefinite", record->indefinite},
        {"newton.augmentations", record->augmentations},
        {"volume.largest", run->newton_contact ? record->volume : (double)NAN},
        {"events.count", record->events},
    };
    if (k < 0 || k >= (int)(sizeof all / sizeof *all))
        return false;
    *name = all[k].name;
    *value = all[k].value;
    return true;
}

enum { MOST_NUMBERS = 64 };

StickStatus stick_number(StickContext *ctx, const StickSimulation *run, const char *name, StickMark mark,
                         double *value)
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
    StickSuggestion suggestion = stick_suggestion(name, names, (size_t)count);
    return stick_fail_at(ctx, STICK_BAD_INPUT, mark, "there is no number '%s'%s", name, suggestion.text);
}

double stick_run_worst_error(const StickSimulation *run)
{
    const StickStatistics *record = &run->record;
    return fmax(fmax(record->worst_error, record->worst_scale_free),
                fmax(record->worst_contact, record->worst_guarded));
}

bool stick_run_certified(const StickSimulation *run)
{
    const StickStatistics *record = &run->record;
    double tolerance = 0, accept = 0; // each step was held to its own: the worst of all is within the loosest
    for (const StickStepSpec *step = run->system->model->step; step <= run->spec; step++) {
        tolerance = fmax(tolerance, step->tolerance);
        accept = fmax(accept, stick_simulation_accept(step));
    }
    double limit = record->accepted > 0 ? accept : tolerance;
    return record->worst_error <= limit && record->worst_scale_free <= limit &&
           record->worst_contact <= limit && record->worst_consistency <= limit;
}
