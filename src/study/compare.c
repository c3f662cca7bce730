// SPDX-License-Identifier: Apache-2.0
#include "study/compare.h"

#include "base/file.h"
#include "output/ledger_tables.h"
#include "study/compared_table.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { PATH_TEXT = 4096, REASON_TEXT = 1024 };

// ---- reasons

static StickStatus add_reason(StickComparison *comparison, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static StickStatus add_reason(StickComparison *comparison, const char *format, ...)
{
    char text[REASON_TEXT];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    STICK_RESERVE(comparison->ctx, comparison->reason, comparison->reason_room, comparison->nreasons + 1);
    char *copy = stick_copy_text(comparison->ctx, text);
    if (!copy)
        return STICK_NO_MEMORY;
    comparison->reason[comparison->nreasons++] = copy;
    return STICK_OK;
}

// ---- who is compared with whom

static bool is_study(const StickTrajectoryHistoryRuns *runs, int group)
{
    for (int k = 0; k < runs->count; k++)
        if (runs->run[k].group == group)
            return runs->run[k].case_name[0] != '\0';
    return false;
}

// The run of the same case in a group; -1 if there is none.
static int find_case(const StickTrajectoryHistoryRuns *runs, int group, const char *case_name)
{
    for (int k = 0; k < runs->count; k++)
        if (runs->run[k].group == group && strcmp(runs->run[k].case_name, case_name) == 0)
            return k;
    return -1;
}

// Two studies are compared case by case. A case that only one of them has is compared with nothing.
static StickStatus pair_cases(StickComparison *comparison, const StickCompareOptions *options)
{
    const StickTrajectoryHistoryRuns *runs = &comparison->runs;
    for (int k = 0; k < runs->count; k++) {
        const StickPastRun *run = &runs->run[k];
        int base = find_case(runs, 0, run->case_name);
        comparison->base[k] = base < 0 ? k : base;
        for (int group = 0; group < options->nfolders; group++) {
            bool wanted = (group == 0) != (run->group == 0);
            if (wanted && find_case(runs, group, run->case_name) < 0)
                STICK_TRY(add_reason(comparison, "'%s' has no counterpart in '%s'", run->name,
                                     options->folder[group]));
        }
    }
    return STICK_OK;
}

static StickStatus choose_bases(StickComparison *comparison, const StickCompareOptions *options)
{
    const StickTrajectoryHistoryRuns *runs = &comparison->runs;
    int base = 0;
    bool studies = options->nfolders > 1 && !options->base && !options->apart;
    for (int group = 0; group < options->nfolders; group++)
        studies = studies && is_study(runs, group);
    if (studies)
        return pair_cases(comparison, options);
    if (options->base)
        STICK_TRY(stick_past_runs_find(runs, options->base, &base));
    for (int k = 0; k < runs->count; k++)
        comparison->base[k] = options->apart ? k : base;
    return STICK_OK;
}

// ---- which series there are

static int find_series(const StickComparison *comparison, const char *name)
{
    for (int s = 0; s < comparison->nseries; s++)
        if (strcmp(comparison->series[s].name, name) == 0)
            return s;
    return -1;
}

static StickStatus add_series(StickComparison *comparison, const char *name, bool from_books)
{
    if (find_series(comparison, name) >= 0)
        return STICK_OK;
    STICK_RESERVE(comparison->ctx, comparison->series, comparison->series_room, comparison->nseries + 1);
    char *copy = stick_copy_text(comparison->ctx, name), *unit = stick_copy_text(comparison->ctx, "");
    if (!copy || !unit) {
        stick_free(comparison->ctx, copy);
        stick_free(comparison->ctx, unit);
        return STICK_NO_MEMORY;
    }
    comparison->series[comparison->nseries++] =
        (StickCompareSeries){.name = copy, .unit = unit, .from_books = from_books, .single = true};
    return STICK_OK;
}

// Histories in the order of their first mention, then what all runs have.
static StickStatus list_series(StickComparison *comparison)
{
    for (int k = 0; k < comparison->runs.count; k++) {
        const StickModel *model = comparison->runs.run[k].model;
        for (int h = 0; model && h < model->output.nhistories; h++)
            if (!model->output.history[h].portrait) // its columns have several units
                STICK_TRY(add_series(comparison, model->output.history[h].name, false));
    }
    STICK_TRY(add_series(comparison, STICK_SERIES_ENERGY, true));
    return add_series(comparison, STICK_SERIES_MOMENTUM, true);
}

// ---- one series of all runs

static const char *run_name(const StickComparison *comparison, int k)
{
    return comparison->runs.run[k].name;
}

static StickStatus check_label(const StickComparison *comparison, int s, int k, const char *base,
                               const char *mine)
{
    int b = comparison->base[k];
    STICK_CHECK(comparison->ctx, strcmp(base, mine) == 0, STICK_BAD_INPUT,
                "%s is in '%s' in '%s', but in '%s' in '%s': give both the same units",
                comparison->series[s].name, base, run_name(comparison, b), mine, run_name(comparison, k));
    return STICK_OK;
}

// Curves must be of the same quantity in the same units; those of other nodes are left out.
static StickStatus check_alike(const StickComparison *comparison, int s, int k,
                               const StickComparedTable *table, bool *alike)
{
    int b = comparison->base[k];
    const StickComparedTable *base = &table[b], *mine = &table[k];
    char name[2][STICK_QUANTITY_TEXT];
    stick_compared_quantity(&comparison->runs.run[b], &comparison->series[s], name[0]);
    stick_compared_quantity(&comparison->runs.run[k], &comparison->series[s], name[1]);
    STICK_CHECK(comparison->ctx, strcmp(name[0], name[1]) == 0, STICK_BAD_INPUT,
                "history '%s' is %s in '%s', but %s in '%s'", comparison->series[s].name, name[0],
                run_name(comparison, b), name[1], run_name(comparison, k));
    STICK_TRY(check_label(comparison, s, k, base->unit, mine->unit));
    STICK_CHECK(comparison->ctx, strcmp(base->time_unit, mine->time_unit) == 0, STICK_BAD_INPUT,
                "time is in '%s' in '%s', but in '%s' in '%s': give both the same units", base->time_unit,
                run_name(comparison, b), mine->time_unit, run_name(comparison, k));
    *alike = stick_compared_same_columns(base, mine);
    return STICK_OK;
}

// A series that one of two runs lacks, or both of them although one should have it.
static StickStatus say_missing(StickComparison *comparison, int s, int k, const StickComparedTable *table)
{
    int b = comparison->base[k];
    const StickCompareSeries *series = &comparison->series[s];
    const StickPastRun *base = &comparison->runs.run[b], *mine = &comparison->runs.run[k];
    const char *name = series->name;
    if (!base->there || !mine->there)
        return STICK_OK;
    if (!table[b].there && !table[k].there) {
        if (!stick_compared_listed(base, series) && !stick_compared_listed(mine, series))
            return STICK_OK;
        return add_reason(comparison, "neither '%s' nor '%s' has rows of %s", mine->name, base->name, name);
    }
    return add_reason(comparison, "'%s' has no rows of %s, which '%s' has",
                      run_name(comparison, table[b].there ? k : b), name,
                      run_name(comparison, table[b].there ? b : k));
}

static StickStatus compare_with_base(StickComparison *comparison, int s, int k,
                                     const StickComparedTable *table)
{
    int b = comparison->base[k];
    StickCompareCell *cell = &comparison->cell[s * comparison->runs.count + k];
    bool alike;
    if (b == k)
        return STICK_OK;
    if (!table[b].there || !table[k].there)
        return say_missing(comparison, s, k, table);
    STICK_TRY(check_alike(comparison, s, k, table, &alike));
    if (!alike)
        return add_reason(comparison, "%s has other columns in '%s' than in '%s'", comparison->series[s].name,
                          run_name(comparison, k), run_name(comparison, b));
    STICK_CHECK(comparison->ctx, stick_curve_difference(&table[b].curve, &table[k].curve, &cell->difference),
                STICK_BAD_INPUT, "'%s' and '%s' have no time in common", run_name(comparison, b),
                run_name(comparison, k));
    cell->compared = true;
    cell->rms = stick_relative(cell->difference.rms, cell->difference.scale);
    cell->largest = stick_relative(cell->difference.largest, cell->difference.scale);
    return STICK_OK;
}

static StickStatus fill_series(StickComparison *comparison, int s, StickComparedTable *table)
{
    StickCompareSeries *series = &comparison->series[s];
    int nruns = comparison->runs.count;
    for (int k = 0; k < nruns; k++) {
        StickCompareCell *cell = &comparison->cell[s * nruns + k];
        STICK_TRY(stick_compared_load(comparison->ctx, &comparison->runs.run[k], series, &table[k]));
        stick_compared_values(&table[k], cell);
        if (!table[k].there)
            continue;
        series->exact = series->exact || cell->has_exact;
        series->single = series->single && cell->single;
        if (series->unit[0] == '\0') {
            char *unit = stick_copy_text(comparison->ctx, table[k].unit);
            if (!unit)
                return STICK_NO_MEMORY;
            stick_free(comparison->ctx, series->unit);
            series->unit = unit;
        }
    }
    for (int k = 0; k < nruns; k++)
        STICK_TRY(compare_with_base(comparison, s, k, table));
    return STICK_OK;
}

static StickStatus fill(StickComparison *comparison)
{
    int nruns = comparison->runs.count;
    STICK_ALLOC(comparison->ctx, comparison->cell, comparison->nseries * nruns);
    for (int s = 0; s < comparison->nseries; s++) {
        StickComparedTable *table;
        STICK_ALLOC(comparison->ctx, table, nruns);
        StickStatus status = fill_series(comparison, s, table);
        for (int k = 0; k < nruns; k++)
            stick_compared_unload(comparison->ctx, &table[k]);
        stick_free(comparison->ctx, table);
        STICK_TRY(status);
    }
    return STICK_OK;
}

// ---- what is rounding, and what has the same bits

// The largest value of the base among the series of a unit: what rounding is measured by. That of momentum is the
// sum of all m |v|, as the momenta of bodies may cancel.
static double unit_scale(const StickComparison *comparison, int s, int k)
{
    const StickCompareSeries *series = comparison->series;
    const StickPastRun *base = &comparison->runs.run[comparison->base[k]];
    double scale = 0;
    for (int j = 0; j < comparison->nseries; j++)
        if (strcmp(series[j].unit, series[s].unit) == 0)
            scale = fmax(scale, stick_compare_cell(comparison, j, k)->difference.scale);
    if (strcmp(series[s].name, STICK_SERIES_MOMENTUM) == 0)
        scale = fmax(scale, stick_past_run_number(base, "numbers", "momentum.scale"));
    return scale;
}

static void mark_rounding(StickComparison *comparison)
{
    for (int s = 0; s < comparison->nseries; s++)
        for (int k = 0; k < comparison->runs.count; k++) {
            StickCompareCell *cell = &comparison->cell[s * comparison->runs.count + k];
            double least = cell->compared ? STICK_COMPARE_ROUNDING * unit_scale(comparison, s, k) : 0;
            cell->rounding =
                cell->compared && cell->difference.alone == 0 && cell->difference.largest <= least;
        }
}

static StickStatus same_file(const StickComparison *comparison, int k, const char *name, bool *same)
{
    StickContext *ctx = comparison->ctx;
    char *bytes[2] = {NULL, NULL};
    size_t count[2] = {0, 0};
    StickStatus status = STICK_OK;
    int run[2] = {comparison->base[k], k};
    for (int j = 0; j < 2 && status == STICK_OK && *same; j++) {
        char path[PATH_TEXT];
        int length =
            snprintf(path, sizeof path, "%s/history/%s.csv", comparison->runs.run[run[j]].folder, name);
        *same = length < PATH_TEXT && stick_file_exists(path);
        if (*same)
            status = stick_file_read(ctx, path, &bytes[j], &count[j]);
    }
    *same = *same && status == STICK_OK && count[0] == count[1] && memcmp(bytes[0], bytes[1], count[0]) == 0;
    stick_free(ctx, bytes[0]);
    stick_free(ctx, bytes[1]);
    return status;
}

// Numbers read back to the same bits: tables of the same bytes are the same results.
static StickStatus find_same_bits(StickComparison *comparison, int k)
{
    bool same = comparison->runs.run[comparison->base[k]].there && comparison->runs.run[k].there;
    for (int s = 0; s < comparison->nseries && same; s++)
        if (!comparison->series[s].from_books)
            STICK_TRY(same_file(comparison, k, comparison->series[s].name, &same));
    for (int b = 0; b < STICK_BOOKS && same; b++)
        STICK_TRY(same_file(comparison, k, stick_book_name(b), &same));
    comparison->same_bits[k] = same;
    return STICK_OK;
}

// ---- verdict

static StickStatus judge_run(StickComparison *comparison, int k)
{
    const StickPastRun *run = &comparison->runs.run[k];
    const char *state = stick_past_run_state(run);
    if (!run->there)
        return add_reason(comparison, "'%s' has no results", run->name);
    if (strcmp(state, "finished") != 0)
        return add_reason(comparison, "'%s' is not finished: its state is '%s'", run->name, state);
    if (!stick_past_run_certified(run))
        return add_reason(comparison, "'%s' is not certified", run->name);
    return STICK_OK;
}

static StickStatus judge_cell(StickComparison *comparison, int s, int k)
{
    const StickCompareCell *cell = stick_compare_cell(comparison, s, k);
    const char *name = comparison->series[s].name, *base = run_name(comparison, comparison->base[k]);
    if (!cell->compared || cell->rounding)
        return STICK_OK;
    if (!(cell->difference.alone <= comparison->tolerance))
        return add_reason(comparison, "%s is a number in only one of '%s' and '%s' for %.2g of the time",
                          name, run_name(comparison, k), base, cell->difference.alone);
    if (!(cell->rms <= comparison->tolerance))
        return add_reason(comparison,
                          "%s of '%s' differs from '%s' by %.3g (r.m.s., relative), at most by %.3g", name,
                          run_name(comparison, k), base, cell->rms, cell->largest);
    return STICK_OK;
}

static bool same_times(const StickCompareCell *a, const StickCompareCell *b)
{
    return a->begin == b->begin && a->end == b->end;
}

// Every run has the energy at all of its times; what has the same ones as the energy is not told again.
static StickStatus judge_times(StickComparison *comparison, int s, int k)
{
    int energy = find_series(comparison, STICK_SERIES_ENERGY), b = comparison->base[k];
    const StickCompareCell *cell = stick_compare_cell(comparison, s, k),
                           *base = stick_compare_cell(comparison, s, b),
                           *all = stick_compare_cell(comparison, energy, k),
                           *all_base = stick_compare_cell(comparison, energy, b);
    bool of_run = s == energy;
    if (!cell->compared || cell->difference.beyond <= comparison->tolerance)
        return STICK_OK;
    if (!of_run && all->compared && same_times(cell, all) && same_times(base, all_base))
        return STICK_OK;
    return add_reason(comparison, "%s%s'%s' has t = %.10g to %.10g, but '%s' has %.10g to %.10g",
                      of_run ? "" : comparison->series[s].name, of_run ? "" : ": ", run_name(comparison, k),
                      cell->begin, cell->end, run_name(comparison, b), base->begin, base->end);
}

static StickStatus judge(StickComparison *comparison)
{
    bool same = true;
    for (int k = 0; k < comparison->runs.count; k++) {
        STICK_TRY(find_same_bits(comparison, k));
        same = same && comparison->same_bits[k];
        STICK_TRY(judge_run(comparison, k));
        for (int s = 0; s < comparison->nseries; s++)
            STICK_TRY(judge_times(comparison, s, k));
    }
    for (int s = 0; s < comparison->nseries && comparison->tolerance > 0; s++)
        for (int k = 0; k < comparison->runs.count; k++)
            STICK_TRY(judge_cell(comparison, s, k));
    if (comparison->tolerance > 0)
        comparison->verdict = comparison->nreasons > 0 ? STICK_COMPARE_DIFFERENT
                              : same                   ? STICK_COMPARE_SAME_BITS
                                                       : STICK_COMPARE_WITHIN;
    return STICK_OK;
}

// ---- the comparison

static StickStatus compare_all(StickComparison *comparison, const StickCompareOptions *options)
{
    StickContext *ctx = comparison->ctx;
    STICK_TRY(stick_past_runs_open(ctx, options->folder, options->nfolders, &comparison->runs));
    STICK_CHECK(ctx, options->apart || comparison->runs.count > 1, STICK_USAGE,
                "'%s' is one run: name another folder to compare it with",
                options->nfolders > 0 ? options->folder[0] : "");
    STICK_ALLOC(ctx, comparison->base, comparison->runs.count);
    STICK_ALLOC(ctx, comparison->same_bits, comparison->runs.count);
    STICK_TRY(choose_bases(comparison, options));
    STICK_TRY(list_series(comparison));
    STICK_TRY(fill(comparison));
    mark_rounding(comparison);
    return options->apart ? STICK_OK : judge(comparison);
}

StickStatus stick_compare(StickContext *ctx, const StickCompareOptions *options, StickComparison *comparison)
{
    StickComparison made = {.ctx = ctx, .runs.ctx = ctx, .tolerance = options->tolerance};
    if (made.tolerance == 0 && options->nfolders > 1)
        made.tolerance = STICK_COMPARE_TOLERANCE;
    StickStatus status = compare_all(&made, options);
    if (status != STICK_OK)
        stick_comparison_destroy(&made);
    else
        *comparison = made;
    return status;
}

void stick_comparison_destroy(StickComparison *comparison)
{
    StickContext *ctx = comparison->ctx;
    for (int s = 0; s < comparison->nseries; s++) {
        stick_free(ctx, comparison->series[s].name);
        stick_free(ctx, comparison->series[s].unit);
    }
    for (int k = 0; k < comparison->nreasons; k++)
        stick_free(ctx, comparison->reason[k]);
    stick_free(ctx, comparison->reason);
    stick_free(ctx, comparison->series);
    stick_free(ctx, comparison->cell);
    stick_free(ctx, comparison->base);
    stick_free(ctx, comparison->same_bits);
    stick_past_runs_close(&comparison->runs);
    *comparison = (StickComparison){.ctx = ctx};
}

const StickCompareCell *stick_compare_cell(const StickComparison *comparison, int series, int run)
{
    return &comparison->cell[series * comparison->runs.count + run];
}

bool stick_compare_has_rows(const StickComparison *comparison, int run)
{
    return stick_compare_cell(comparison, find_series(comparison, STICK_SERIES_ENERGY), run)->there;
}

const char *stick_compare_verdict_name(StickCompareVerdict verdict)
{
    static const char *const name[] = {"for information", "the same bits", "within tolerance", "different"};
    return name[verdict];
}

bool stick_compare_worst(const StickComparison *comparison, int *series, int *run)
{
    double worst = -1;
    for (int s = 0; s < comparison->nseries; s++)
        for (int k = 0; k < comparison->runs.count; k++) {
            const StickCompareCell *cell = stick_compare_cell(comparison, s, k);
            if (!cell->compared || cell->rounding || !(cell->rms > worst))
                continue;
            worst = cell->rms;
            *series = s;
            *run = k;
        }
    return worst >= 0;
}
