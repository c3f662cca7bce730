// SPDX-License-Identifier: Apache-2.0
// A comparison for people, for machines and for spreadsheets.
#include "study/compare.h"

#include "base/json.h"

#include <math.h>
#include <string.h>

enum { LEAST_NAME = 24, SHOWN_REASONS = 10 };

static int name_width(const StickComparison *comparison)
{
    size_t width = LEAST_NAME;
    for (int k = 0; k < comparison->runs.count; k++) {
        size_t length = strlen(comparison->runs.run[k].name);
        width = length > width ? length : width;
    }
    return (int)width;
}

static const char *name_of(const StickComparison *comparison, int k)
{
    const char *name = comparison->runs.run[k].name;
    return name[0] ? name : "(this run)";
}

// ---- against what is exact

static void exact_table(const StickComparison *comparison, int s, int width, StickText *text)
{
    bool cases = comparison->runs.run[comparison->runs.count - 1].group == 0;
    stick_text_add(text, "\n%s against the exact solution (relative to its largest value)\n",
                   comparison->series[s].name);
    stick_text_add(text, "  %-*s %12s %12s\n", width, cases ? "case" : "run", "r.m.s. error", "mean error");
    for (int k = 0; k < comparison->runs.count; k++) {
        const StickCompareCell *cell = stick_compare_cell(comparison, s, k);
        if (cell->has_exact)
            stick_text_add(text, "  %-*s %12.4g %+12.4g\n", width, name_of(comparison, k), cell->exact.rms,
                           cell->exact.mean);
    }
}

void stick_compare_exact_text(const StickComparison *comparison, StickText *text)
{
    int width = name_width(comparison);
    for (int s = 0; s < comparison->nseries; s++)
        if (comparison->series[s].exact)
            exact_table(comparison, s, width, text);
}

// ---- runs side by side

// A number of a column, or a dash.
static void add_column(StickText *text, int width, int digits, double value)
{
    if (isnan(value))
        stick_text_add(text, " %*s", width, "-");
    else
        stick_text_add(text, " %*.*g", width, digits, value);
}

static double contact_error(const StickPastRun *run)
{
    return fmax(stick_past_run_number(run, "numbers", "certificate.error"),
                stick_past_run_number(run, "numbers", "certificate.error_scale_free"));
}

static const char *scheme_of(const StickPastRun *run)
{
    const char *scheme = stick_summary_text(stick_summary_find(run->summary.root, "step"), "scheme");
    return scheme ? scheme : "-";
}

static void run_line(const StickComparison *comparison, int k, int width, StickText *text)
{
    const StickPastRun *run = &comparison->runs.run[k];
    const char *certified = !run->there ? "-" : stick_past_run_certified(run) ? "yes" : "no";
    stick_text_add(text, "  %-*s %-12s", width, name_of(comparison, k), stick_past_run_state(run));
    add_column(text, 4, 4, stick_summary_number(run->summary.root, "exit_code"));
    stick_text_add(text, " %9s", certified);
    add_column(text, 9, 2, contact_error(run));
    stick_text_add(text, " %-14s", scheme_of(run));
    add_column(text, 10, 4, stick_past_run_number(run, "step", "time_step"));
    add_column(text, 7, 9, stick_past_run_number(run, "step", "steps"));
    add_column(text, 10, 9, stick_past_run_number(run, "numbers", "contact.iterations"));
    add_column(text, 12, 5, stick_past_run_number(run, "numbers", "energy.ratio"));
    add_column(text, 8, 3, stick_past_run_number(run, "seconds", "all"));
    if (comparison->base[k] != k)
        stick_text_add(text, "  %s", name_of(comparison, comparison->base[k]));
    stick_text_add(text, "\n");
}

static void runs_table(const StickComparison *comparison, int width, StickText *text)
{
    stick_text_add(text, "  %-*s %-12s %4s %9s %9s %-14s %10s %7s %10s %12s %8s  %s\n", width, "run", "state",
                   "exit", "certified", "error", "scheme", "time step", "steps", "iterations", "energy ratio",
                   "seconds", "compared with");
    for (int k = 0; k < comparison->runs.count; k++)
        run_line(comparison, k, width, text);
}

// ---- differences

static void difference_columns(const StickCompareCell *cell, StickText *text)
{
    if (!cell->compared)
        stick_text_add(text, " %12s %12s", "-", "-");
    else if (cell->rounding && cell->difference.largest > 0)
        stick_text_add(text, " %12s %12s", "rounding", "rounding");
    else
        stick_text_add(text, " %12.4g %12.4g", cell->rms, cell->largest);
}

static void series_table(const StickComparison *comparison, int s, int width, StickText *text)
{
    const StickCompareSeries *series = &comparison->series[s];
    stick_text_add(text, series->unit[0] ? "\n%s [%s]\n" : "\n%s%s\n", series->name, series->unit);
    stick_text_add(text, "  %-*s %12s %12s %12s %12s %12s %12s\n", width, "run", "first", "last", "least",
                   "most", "r.m.s. diff.", "largest");
    for (int k = 0; k < comparison->runs.count; k++) {
        const StickCompareCell *cell = stick_compare_cell(comparison, s, k);
        if (!cell->there)
            continue;
        stick_text_add(text, "  %-*s", width, name_of(comparison, k));
        const double values[] = {cell->first, cell->final, cell->min, cell->max};
        for (int j = 0; j < 4; j++)
            add_column(text, 12, 5, values[j]);
        difference_columns(cell, text);
        stick_text_add(text, "\n");
    }
}

static bool is_compared(const StickComparison *comparison, int s)
{
    for (int k = 0; k < comparison->runs.count; k++)
        if (stick_compare_cell(comparison, s, k)->compared)
            return true;
    return false;
}

static void differences(const StickComparison *comparison, int width, StickText *text)
{
    stick_text_add(text,
                   "\nDifferences to the run that each is compared with, relative to its largest value.\n");
    for (int s = 0; s < comparison->nseries; s++)
        if (is_compared(comparison, s))
            series_table(comparison, s, width, text);
}

// ---- verdict

static void add_worst(const StickComparison *comparison, StickText *text)
{
    int s, k;
    if (!stick_compare_worst(comparison, &s, &k))
        return;
    stick_text_add(text, "; the largest r.m.s. difference is %.3g (%s of '%s')",
                   stick_compare_cell(comparison, s, k)->rms, comparison->series[s].name,
                   name_of(comparison, k));
}

static void add_reasons(const StickComparison *comparison, StickText *text)
{
    int shown = comparison->nreasons < SHOWN_REASONS ? comparison->nreasons : SHOWN_REASONS;
    for (int k = 0; k < shown; k++)
        stick_text_add(text, "  %s\n", comparison->reason[k]);
    if (shown < comparison->nreasons)
        stick_text_add(text, "  and %d more\n", comparison->nreasons - shown);
}

static void add_verdict(const StickComparison *comparison, StickText *text)
{
    stick_text_add(text, "\n");
    switch (comparison->verdict) {
    case STICK_COMPARE_INFORMATION:
        stick_text_add(text, "For information: cases of one study may differ; --tol T makes it a test\n");
        break;
    case STICK_COMPARE_SAME_BITS:
        stick_text_add(text, "The same bits\n");
        break;
    case STICK_COMPARE_WITHIN:
        stick_text_add(text, "The same within %g", comparison->tolerance);
        add_worst(comparison, text);
        stick_text_add(text, "\n");
        break;
    case STICK_COMPARE_DIFFERENT:
        stick_text_add(text, "Different (tolerance %g)\n", comparison->tolerance);
        break;
    }
    add_reasons(comparison, text);
}

// ---- on a page

static int failed_checks(const StickPastRun *run)
{
    const StickYaml *list = stick_summary_find(run->summary.root, "checks");
    int failed = 0;
    for (const StickYaml *check = list ? list->first : NULL; check; check = check->next)
        failed += !stick_summary_true(check, "passed");
    return failed;
}

static void add_page_reasons(const StickComparison *comparison, StickText *detail)
{
    int shown = comparison->nreasons < SHOWN_REASONS ? comparison->nreasons : SHOWN_REASONS;
    for (int k = 0; k < shown; k++)
        stick_text_add(detail, "%s%s", k ? "; " : "", comparison->reason[k]);
    if (shown < comparison->nreasons)
        stick_text_add(detail, "; and %d more", comparison->nreasons - shown);
    stick_text_add(detail, ".");
}

const char *stick_compare_page(const StickComparison *comparison, StickText *headline, StickText *detail)
{
    int failed = 0;
    if (comparison->verdict == STICK_COMPARE_INFORMATION)
        return NULL;
    if (comparison->verdict == STICK_COMPARE_DIFFERENT) {
        stick_text_add(headline, "Different");
        add_page_reasons(comparison, detail);
        return "bad";
    }
    stick_text_add(headline, "The same");
    if (comparison->verdict == STICK_COMPARE_SAME_BITS) {
        stick_text_add(detail, "All tables are the same, byte by byte");
    } else {
        stick_text_add(detail, "Within the tolerance of %g", comparison->tolerance);
        add_worst(comparison, detail);
    }
    // that runs are the same does not make them good
    for (int k = 0; k < comparison->runs.count; k++)
        failed += failed_checks(&comparison->runs.run[k]) > 0;
    if (failed > 0)
        stick_text_add(detail, "; a check failed in %d of %d runs", failed, comparison->runs.count);
    stick_text_add(detail, ".");
    return failed > 0 ? "warning" : "good";
}

void stick_compare_text(const StickComparison *comparison, StickText *text)
{
    int width = name_width(comparison);
    runs_table(comparison, width, text);
    differences(comparison, width, text);
    stick_compare_exact_text(comparison, text);
    add_verdict(comparison, text);
}

// ---- for machines

// All numbers of a group of the summary, under the same key.
static void json_group(StickJson *json, const StickPastRun *run, const char *group)
{
    const StickYaml *map = stick_summary_find(run->summary.root, group);
    stick_json_key(json, group);
    stick_json_object(json);
    for (const StickYaml *node = map && map->kind == STICK_YAML_MAP ? map->first : NULL; node;
         node = node->next)
        stick_json_add_number(json, node->key, stick_summary_number(map, node->key));
    stick_json_end_object(json);
}

static void json_checks(StickJson *json, const StickPastRun *run)
{
    const StickYaml *list = stick_summary_find(run->summary.root, "checks");
    stick_json_key(json, "checks");
    stick_json_integer(json, list ? list->count : 0);
    stick_json_key(json, "checks_failed");
    stick_json_integer(json, failed_checks(run));
}

static void json_run(StickJson *json, const StickComparison *comparison, int k)
{
    const StickPastRun *run = &comparison->runs.run[k];
    bool compared = comparison->base[k] != k;
    stick_json_object(json);
    stick_json_add_text(json, "name", run->name);
    stick_json_add_text(json, "folder", run->folder);
    stick_json_add_text(json, "compared_with",
                        compared ? comparison->runs.run[comparison->base[k]].name : NULL);
    stick_json_add_bool(json, "same_bits", compared && comparison->same_bits[k]);
    stick_json_add_text(json, "state", stick_past_run_state(run));
    stick_json_add_number(json, "exit_code", stick_summary_number(run->summary.root, "exit_code"));
    stick_json_add_bool(json, "certified", stick_past_run_certified(run));
    json_checks(json, run);
    stick_json_add_text(json, "scheme", run->there ? scheme_of(run) : NULL);
    stick_json_add_number(json, "time_step", stick_past_run_number(run, "step", "time_step"));
    stick_json_add_number(json, "steps", stick_past_run_number(run, "step", "steps"));
    json_group(json, run, "numbers");
    json_group(json, run, "seconds");
    stick_json_end_object(json);
}

static void json_difference(StickJson *json, const StickCompareCell *cell)
{
    stick_json_key(json, "difference");
    if (!cell->compared) {
        stick_json_text(json, NULL);
        return;
    }
    stick_json_object(json);
    stick_json_add_number(json, "from", cell->difference.from);
    stick_json_add_number(json, "to", cell->difference.to);
    stick_json_add_number(json, "scale", cell->difference.scale);
    stick_json_add_number(json, "rms", cell->rms);
    stick_json_add_number(json, "largest", cell->largest);
    stick_json_add_bool(json, "rounding", cell->rounding);
    stick_json_add_number(json, "only_one_is_a_number", cell->difference.alone);
    stick_json_add_number(json, "only_one_has_the_time", cell->difference.beyond);
    stick_json_end_object(json);
}

static void json_cell(StickJson *json, const StickComparison *comparison, int s, int k)
{
    const StickCompareCell *cell = stick_compare_cell(comparison, s, k);
    stick_json_object(json);
    stick_json_add_text(json, "run", comparison->runs.run[k].name);
    stick_json_add_number(json, "first", cell->first);
    stick_json_add_number(json, "final", cell->final);
    stick_json_add_number(json, "min", cell->min);
    stick_json_add_number(json, "max", cell->max);
    json_difference(json, cell);
    stick_json_key(json, "exact");
    if (cell->has_exact) {
        stick_json_object(json);
        stick_json_add_number(json, "rms", cell->exact.rms);
        stick_json_add_number(json, "mean", cell->exact.mean);
        stick_json_end_object(json);
    } else {
        stick_json_text(json, NULL);
    }
    stick_json_end_object(json);
}

static void json_series(StickJson *json, const StickComparison *comparison, int s)
{
    stick_json_object(json);
    stick_json_add_text(json, "name", comparison->series[s].name);
    stick_json_add_text(json, "unit", comparison->series[s].unit);
    stick_json_key(json, "runs");
    stick_json_list(json);
    for (int k = 0; k < comparison->runs.count; k++)
        if (stick_compare_cell(comparison, s, k)->there)
            json_cell(json, comparison, s, k);
    stick_json_end_list(json);
    stick_json_end_object(json);
}

void stick_compare_json(const StickComparison *comparison, StickText *text)
{
    StickJson json;
    stick_json_init(&json, text);
    stick_json_object(&json);
    stick_json_add_text(&json, "verdict", stick_compare_verdict_name(comparison->verdict));
    stick_json_add_number(&json, "tolerance",
                          comparison->tolerance > 0 ? comparison->tolerance : (double)NAN);
    stick_json_key(&json, "reasons");
    stick_json_list(&json);
    for (int k = 0; k < comparison->nreasons; k++)
        stick_json_text(&json, comparison->reason[k]);
    stick_json_end_list(&json);
    stick_json_key(&json, "runs");
    stick_json_list(&json);
    for (int k = 0; k < comparison->runs.count; k++)
        json_run(&json, comparison, k);
    stick_json_end_list(&json);
    stick_json_key(&json, "histories");
    stick_json_list(&json);
    for (int s = 0; s < comparison->nseries; s++)
        json_series(&json, comparison, s);
    stick_json_end_list(&json);
    stick_json_end_object(&json);
}

// ---- for spreadsheets

// Empty where there is none.
static void csv_number(StickText *text, bool there, double value)
{
    stick_text_add(text, ",");
    if (there && !isnan(value))
        stick_text_add_number(text, value);
}

static void csv_row(const StickComparison *comparison, int s, int k, StickText *text)
{
    const StickCompareCell *cell = stick_compare_cell(comparison, s, k);
    const char *words[] = {comparison->series[s].name, comparison->series[s].unit,
                           comparison->runs.run[k].name,
                           cell->compared ? comparison->runs.run[comparison->base[k]].name : ""};
    for (int j = 0; j < 4; j++) {
        stick_text_add(text, j ? "," : "");
        stick_text_add_csv(text, words[j]);
    }
    const double values[] = {cell->first, cell->final, cell->min, cell->max};
    for (int j = 0; j < 4; j++)
        csv_number(text, true, values[j]);
    csv_number(text, cell->compared, cell->difference.from);
    csv_number(text, cell->compared, cell->difference.to);
    csv_number(text, cell->compared, cell->rms);
    csv_number(text, cell->compared, cell->largest);
    csv_number(text, cell->has_exact, cell->exact.rms);
    csv_number(text, cell->has_exact, cell->exact.mean);
    stick_text_add(text, "\n");
}

void stick_compare_csv(const StickComparison *comparison, StickText *text)
{
    stick_text_add(text, "history,unit,run,compared_with,first,final,min,max,from,to,rms_difference,"
                         "largest_difference,exact_rms,exact_mean\n");
    for (int s = 0; s < comparison->nseries; s++)
        for (int k = 0; k < comparison->runs.count; k++)
            if (stick_compare_cell(comparison, s, k)->there)
                csv_row(comparison, s, k, text);
}
