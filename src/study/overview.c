// SPDX-License-Identifier: Apache-2.0
#include "study/overview.h"

#include "output/oscillation.h"
#include "report/verdict.h"
#include "stability/conditions.h"
#include "study/compare.h"
#include "study/headline.h"
#include "study/motion_results.h"
#include "study/results.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NAME_WIDTH = 24 };
static const double MUCH_BY_SCHEME = 0.01; // of a growth rate: what a scheme makes of it is told beside it

static const StickMark nowhere = {NULL, 0, 0};

static StickStatus reduce(StickContext *ctx, const char *folder, const char *name, const char *how,
                          double *value)
{
    StickSeries series;
    STICK_TRY(stick_series_load(ctx, folder, name, nowhere, &series));
    StickStatus status = stick_series_reduce(ctx, &series, how, -INFINITY, INFINITY, nowhere, value);
    stick_series_destroy(ctx, &series);
    return status;
}

// A balance that only the summary has: a run that was killed has none.
static void add_balance(const StickPastRun *run, const char *what, const char *number, StickText *text)
{
    double error = stick_past_run_number(run, "numbers", number);
    if (!isnan(error))
        stick_text_add(text, "%s to %.1e, ", what, error);
}

// "all 2000 contact solves certified to 1e-08 (largest error 9.0e-09)"
static void add_certificate(const StickPastRun *run, StickText *text)
{
    double worst = stick_verdict_worst_error(run->summary.root);
    double solves = stick_past_run_number(run, "numbers", "contact.solves");
    double tolerance = stick_past_run_number(run, "certificate", "tolerance");
    char to[32];
    if (solves == 0)
        stick_text_add(text, "  no contact solves");
    else if (solves == 1)
        stick_text_add(text, "  the contact solve certified to %s", stick_verdict_tolerance(tolerance, to));
    else if (isnan(solves) || isnan(tolerance))
        stick_text_add(text, "  contact solves certified");
    else
        stick_text_add(text, "  all %.0f contact solves certified to %s", solves,
                       stick_verdict_tolerance(stick_verdict_certified_to(run->summary.root), to));
    if (solves != 0 && isfinite(worst))
        stick_text_add(text, " (largest error %.1e)", worst);
    double accepted = stick_past_run_number(run, "certificate", "accepted");
    if (accepted > 0)
        stick_text_add(text, "; %.0f above the tolerance %s accepted", accepted,
                       stick_verdict_tolerance(tolerance, to));
}

static StickStatus energy_line(StickContext *ctx, const StickPastRun *run, StickText *text)
{
    const char *folder = run->folder;
    double first, final, closure, momentum;
    STICK_TRY(reduce(ctx, folder, "energy.total", "first", &first));
    STICK_TRY(reduce(ctx, folder, "energy.total", "final", &final));
    STICK_TRY(reduce(ctx, folder, "energy.closure", "largest", &closure));
    STICK_TRY(reduce(ctx, folder, "momentum.error", "largest", &momentum));
    add_certificate(run, text);
    stick_text_add(text, "\n  balances closed: momentum to %.1e, ", momentum);
    if (stick_past_run_number(run, "numbers", "angular.scale") > 0)
        add_balance(run, "angular momentum", "angular.error", text);
    add_balance(run, "equilibrium", "equilibrium.error", text);
    stick_text_add(text, "energy ledger to %.1e; energy %.4g -> %.4g\n", closure, first, final);
    return STICK_OK;
}

static bool is_trajectory(const StickModel *model)
{
    for (int k = 0; k < model->nsteps; k++)
        if (model->step[k].kind != STICK_STEP_TRAJECTORY)
            return false;
    return model->nsteps > 0;
}

// A number of a step in the summary, as "table.statuses".
static double step_number(const StickPastRun *run, const StickStepSpec *step, const char *name)
{
    char key[512];
    snprintf(key, sizeof key, "%.400s.%s", step->name, name);
    return stick_past_run_number(run, "numbers", key);
}

// Behind its frequencies.
static void unit_of(const StickPastRun *run, const StickStepSpec *step, char unit[STICK_FREQUENCY_TEXT])
{
    stick_frequency_unit(&run->model->units, unit);
    if (step->kind == STICK_STEP_STABILITY && step->stability.mass == STICK_MASS_UNIT)
        unit[0] = '\0';
}

// Where the first status begins in which divergence is not excluded; NaN: none.
static StickStatus possible_time(StickContext *ctx, const StickPastRun *run, const StickStepSpec *step,
                                 double *t)
{
    char name[512];
    StickSeries series;
    snprintf(name, sizeof name, "%.400s.verdict", step->name);
    *t = step_number(run, step, "first_necessary_time");
    STICK_TRY(stick_series_load(ctx, run->folder, name, nowhere, &series));
    for (size_t k = series.count; k-- > 0;)
        if (series.values[k] == STICK_VERDICT_DIVERGENCE_POSSIBLE)
            *t = fmin(*t, series.t[k]);
    stick_series_destroy(ctx, &series);
    return STICK_OK;
}

// What a stability step found, in one line.
static StickStatus stability_line(StickContext *ctx, const StickPastRun *run, const StickStepSpec *step,
                                  StickText *text)
{
    char unit[STICK_FREQUENCY_TEXT];
    double statuses = step_number(run, step, "statuses");
    double flutter = step_number(run, step, "first_flutter_time");
    double divergence = step_number(run, step, "first_divergence_time");
    double undecided = step_number(run, step, "undecided"), possible;
    if (isnan(statuses))
        return STICK_OK;
    unit_of(run, step, unit);
    stick_text_add(text, "  %s: %.0f status%s judged; ", step->name, statuses, statuses == 1 ? "" : "es");
    if (undecided > 0 && undecided == statuses) {
        stick_text_add(text, "undecided\n");
        return STICK_OK;
    }
    STICK_TRY(possible_time(ctx, run, step, &possible));
    if (!isnan(flutter))
        stick_text_add(text, "flutter from t = %.6g, mode %.0f at %.6g%s with growth rate %.4g", flutter,
                       step_number(run, step, "first_flutter_mode"),
                       step_number(run, step, "first_flutter_frequency"), unit,
                       step_number(run, step, "first_flutter_growth"));
    if (!isnan(divergence))
        stick_text_add(text, "%sdivergence from t = %.6g", isnan(flutter) ? "" : "; ", divergence);
    if (isnan(flutter) && isnan(divergence))
        stick_text_add(text, "no mode grows");
    if (isnan(divergence) && !isnan(possible))
        stick_text_add(text, "; divergence possible from t = %.6g", possible);
    if (undecided > 0)
        stick_text_add(text, "; %.0f undecided", undecided);
    stick_text_add(text, "\n");
    return STICK_OK;
}

// Of modes beyond the frequencies that were looked at nothing is known.
static const char *looked_at(const StickStepSpec *step, char text[64])
{
    const StickStabilitySpec *spec = &step->stability;
    if (spec->lowest > 0)
        snprintf(text, 64, " (of modes from %.6g to %.6g)", spec->lowest, spec->highest);
    else if (spec->highest > 0)
        snprintf(text, 64, " (of modes up to %.6g)", spec->highest);
    else
        text[0] = 0;
    return text;
}

// What it found while a parameter was varied.
static void sweep_line(const StickPastRun *run, const StickStepSpec *step, StickText *text)
{
    const char *parameter = step->stability.vary.parameter;
    char unit[STICK_FREQUENCY_TEXT], where[64];
    double values = step_number(run, step, "values"), onset = step_number(run, step, "onset");
    double meets = step_number(run, step, "coalescence");
    if (isnan(values))
        return;
    unit_of(run, step, unit);
    stick_text_add(text, "  %s: %.0f values of %s judged; ", step->name, values, parameter);
    if (isnan(onset))
        stick_text_add(text, "growth begins nowhere between them%s", looked_at(step, where));
    else
        stick_text_add(text, "growth begins at %s = %.8g, at %.6g%s%s", parameter, onset,
                       step_number(run, step, "onset_frequency"), unit, looked_at(step, where));
    if (!isnan(meets))
        stick_text_add(text, "; %.0f coalescence%s, the first at %s = %.8g",
                       step_number(run, step, "coalescences"),
                       step_number(run, step, "coalescences") == 1 ? "" : "s", parameter, meets);
    stick_text_add(text, "\n");
}

// How a disturbance grew in time, beside what was predicted.
static void growth_line(const StickPastRun *run, const StickStepSpec *step, StickText *text)
{
    double growth = step_number(run, step, "growth"), frequency = step_number(run, step, "frequency");
    double predicted = step_number(run, step, "predicted_growth");
    double by_scheme = step_number(run, step, "scheme_growth");
    char unit[STICK_FREQUENCY_TEXT];
    if (isnan(predicted))
        return;
    unit_of(run, step, unit);
    if (isnan(growth) || isnan(frequency)) {
        stick_text_add(text, "  %s: growth of the disturbance could not be measured\n", step->name);
        return;
    }
    stick_text_add(text, "  %s: growth rate %.5g (predicted %.5g", step->name, growth, predicted);
    if (predicted != 0)
        stick_text_add(text, ", %+.2g %%", 100 * step_number(run, step, "growth_error"));
    // what a scheme damps is no error of the measurement
    if (fabs(by_scheme - predicted) > MUCH_BY_SCHEME * fabs(predicted))
        stick_text_add(text, "; with what the scheme damps %.5g", by_scheme);
    stick_text_add(text, "), frequency %.6g%s (%+.2g %%)\n", frequency, unit,
                   100 * step_number(run, step, "frequency_error"));
}

static StickStatus stability_lines(StickContext *ctx, const StickPastRun *run, StickText *text)
{
    for (int k = 0; k < run->model->nsteps; k++) {
        const StickStepSpec *step = &run->model->step[k];
        if (step->kind != STICK_STEP_STABILITY && step->perturb.given)
            growth_line(run, step, text);
        if (step->kind != STICK_STEP_STABILITY)
            continue;
        if (step->stability.vary.parameter)
            sweep_line(run, step, text);
        else
            STICK_TRY(stability_line(ctx, run, step, text));
    }
    return STICK_OK;
}

// What motions in time are.
static void motion_lines(StickContext *ctx, const StickPastRun *run, StickText *text)
{
    double value[STICK_MOTION_NUMBERS];
    StickTold told;
    for (int k = 0; stick_told_at(run->model, k, &told); k++) {
        char unit[STICK_FREQUENCY_TEXT];
        if (!stick_motion_exists(run->folder, told.name, "numbers.csv") ||
            stick_motion_numbers(ctx, run->folder, told.name, value) != STICK_OK)
            continue;
        stick_frequency_unit(&run->model->units, unit);
        stick_text_add(text, "  %s: %s", told.name,
                       stick_motion_word((StickMotionKind)value[STICK_NUMBER_MOTION]));
        if (!isnan(value[STICK_NUMBER_FREQUENCY]))
            stick_text_add(text, ", mainly %.6g%s with an amplitude of %.4g", value[STICK_NUMBER_FREQUENCY],
                           unit, value[STICK_NUMBER_DOMINANT]);
        if (stick_motion_exists(run->folder, told.name, "sound.csv"))
            stick_text_add(text, "; %s to listen to", told.spec->sound.file);
        stick_text_add(text, "\n");
    }
}

// Histories of one number each.
static void history_lines(const StickComparison *comparison, int run, StickText *text)
{
    bool headed = false;
    for (int s = 0; s < comparison->nseries; s++) {
        const StickCompareCell *cell = stick_compare_cell(comparison, s, run);
        if (comparison->series[s].from_books || !cell->there || !cell->single)
            continue;
        if (!headed)
            stick_text_add(text, "  %-*s %12s %12s %12s %12s\n", NAME_WIDTH, "", "first", "last", "least",
                           "most");
        headed = true;
        stick_text_add(text, "  %-*s %12.5g %12.5g %12.5g %12.5g\n", NAME_WIDTH, comparison->series[s].name,
                       cell->first, cell->final, cell->min, cell->max);
    }
}

// What the run was made for: its headline, then its outcomes.
static void result_lines(const StickPastRun *run, StickText *text)
{
    const StickYaml *outcomes = stick_summary_find(run->summary.root, "outcomes");
    StickHeadline headline;
    stick_headline_read(run->summary.root, &headline);
    if (headline.about)
        stick_text_add(text, "%s%s\n", run->case_name[0] ? "  " : "", headline.text);
    for (const StickYaml *one = outcomes ? outcomes->first : NULL; one; one = one->next) {
        const char *name = stick_summary_text(one, "name"), *holds = stick_summary_text(one, "holds");
        const char *that = stick_summary_text(one, "that");
        if (name && that)
            stick_text_add(text, "  %s: %s (%s = %.6g)\n", name, holds ? holds : "undefined", that,
                           stick_summary_number(one, "value"));
    }
}

// Of a study, behind its cases.
static StickStatus study_line(StickContext *ctx, const char *folder, int cases, StickText *text)
{
    StickSummaryTree tree;
    STICK_TRY(stick_summary_tree_read(ctx, folder, &tree));
    const char *headline = stick_summary_text(stick_summary_find(tree.root, "headline"), "text");
    if (headline)
        stick_text_add(text, "study of %d case%s: %s\n", cases, cases == 1 ? "" : "s", headline);
    stick_summary_tree_destroy(&tree);
    return stick_text_status(text);
}

static StickStatus all_lines(const StickComparison *comparison, StickText *text)
{
    for (int k = 0; k < comparison->runs.count; k++) {
        const StickPastRun *run = &comparison->runs.run[k];
        if (run->case_name[0])
            stick_text_add(text, "%s\n", run->name);
        if (!stick_compare_has_rows(comparison, k)) {
            stick_text_add(text, "  no results\n");
            continue;
        }
        result_lines(run, text);
        if (is_trajectory(run->model)) {
            // positions are equilibria: there is no momentum, and no energy ledger
            add_certificate(run, text);
            stick_text_add(text, "\n");
        } else {
            STICK_TRY(energy_line(comparison->ctx, run, text));
        }
        STICK_TRY(stability_lines(comparison->ctx, run, text));
        motion_lines(comparison->ctx, run, text);
        history_lines(comparison, k, text);
    }
    stick_compare_exact_text(comparison, text);
    return stick_text_status(text);
}

StickStatus stick_overview(StickContext *ctx, const char *folder, StickText *text)
{
    StickComparison comparison;
    StickCompareOptions options = {.folder = &folder, .nfolders = 1, .apart = true};
    STICK_TRY(stick_compare(ctx, &options, &comparison));
    StickStatus status = all_lines(&comparison, text);
    if (status == STICK_OK && comparison.runs.count > 0 && comparison.runs.run[0].case_name[0])
        status = study_line(ctx, folder, comparison.runs.count, text);
    stick_comparison_destroy(&comparison);
    return status;
}
