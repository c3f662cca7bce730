// SPDX-License-Identifier: Apache-2.0
#include "study/summary.h"

#include "base/file.h"
#include "base/json.h"
#include "bodies/modes.h"
#include "report/summary_tree.h"
#include "study/gear_results.h"
#include "study/growth_results.h"
#include "study/motion_results.h"
#include "study/stability_results.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// From here on what grows with contacts is more than what is there anyway.
enum { MANY_CONTACTS = 1000 };

static void add_header(StickJson *json, const StickModel *model)
{
    stick_json_add_text(json, "stickslip", STICKSLIP_VERSION);
    stick_json_add_text(json, "title", model->title);
    stick_json_key(json, "units");
    stick_json_object(json);
    stick_json_add_text(json, "length", model->units.length);
    stick_json_add_text(json, "mass", model->units.mass);
    stick_json_add_text(json, "time", model->units.time);
    stick_json_add_text(json, "force", model->units.force);
    stick_json_end_object(json);
}

static void add_run(StickJson *json, const StickSimulation *run)
{
    const StickSystem *system = run->system;
    int nodes = 0, elements = 0, modes = 0;
    for (int b = 0; b < system->nbodies; b++) {
        modes += system->body[b].modes ? system->body[b].modes->count : 0;
        nodes += system->body[b].mesh.nnodes;
        elements += system->body[b].mesh.nelements;
    }
    stick_json_key(json, "system");
    stick_json_object(json);
    stick_json_add_number(json, "dimension", system->dim);
    stick_json_add_number(json, "bodies", system->nbodies);
    stick_json_add_number(json, "nodes", nodes);
    stick_json_add_number(json, "elements", elements);
    stick_json_add_number(json, "degrees_of_freedom", system->ndofs);
    stick_json_add_number(json, "prescribed", run->supports.count);
    if (modes > 0)
        stick_json_add_number(json, "modes", modes);
    stick_json_add_number(json, "factor_bytes", stick_step_matrix_bytes(run->matrix));
    double bytes = (double)stick_memory_peak(run->ctx) + stick_step_matrix_bytes(run->matrix);
    double grown = (double)stick_memory_peak(run->ctx) - (double)run->memory_before;
    stick_json_add_number(json, "memory_bytes", bytes);
    if (run->record.most_contacts >= MANY_CONTACTS && grown > 0)
        stick_json_add_number(json, "contact_bytes", grown / run->record.most_contacts);
    stick_json_end_object(json);
    stick_json_key(json, "step");
    stick_json_object(json);
    stick_json_add_text(json, "name", run->spec->name);
    bool quasistatic = stick_simulation_is_quasistatic(run);
    stick_json_add_text(json, "scheme",
                        run->steady       ? "steady-sliding"
                        : run->trajectory ? "trajectory"
                        : quasistatic     ? "quasistatic"
                                          : stick_scheme_name(run->scheme.kind));
    if (!quasistatic)
        stick_json_add_number(json, "theta", run->scheme.theta);
    stick_json_add_number(json, "time_step", run->spec->step);
    stick_json_add_number(json, "steps", (double)run->state.step);
    stick_json_add_number(json, "steps_planned", (double)run->nsteps);
    stick_json_add_number(json, "time", run->state.now.t);
    stick_json_add_text(json, "solver", run->solver_name);
    stick_json_end_object(json);
}

// The cone of the contact solves: the most facets that any of them had, as the table tells; 0: the exact one.
static int most_facets(StickContext *ctx, const char *folder)
{
    const StickMark nowhere = {NULL, 0, 0};
    StickSeries series;
    double most = 0;
    if (stick_series_load(ctx, folder, "contact.facets", nowhere, &series) != STICK_OK)
        return 0;
    if (series.count > 0)
        stick_series_reduce(ctx, &series, "max", -INFINITY, INFINITY, nowhere, &most);
    stick_series_destroy(ctx, &series);
    return (int)most;
}

static bool has_table(const char *folder, const StickStepSpec *step, const char *suffix)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/history/%s%s.csv", folder, step->name, suffix);
    return stick_file_exists(path);
}

static void add_number_of(StickJson *json, const char *of, const char *what, double value)
{
    char name[512];
    snprintf(name, sizeof name, "%.400s.%s", of, what);
    stick_json_add_number(json, name, value);
}

// Once its table is there.
static void add_stability(StickJson *json, const StickSimulation *run, const char *folder,
                          const StickStepSpec *step)
{
    double value[STICK_STABILITY_NUMBERS];
    if (!has_table(folder, step, "") || stick_stability_numbers(run->ctx, folder, step, value) != STICK_OK)
        return;
    for (int k = 0; stick_stability_number_name(step, k); k++)
        add_number_of(json, step->name, stick_stability_number_name(step, k), value[k]);
}

static void add_growth(StickJson *json, const StickSimulation *run, const char *folder,
                       const StickStepSpec *step)
{
    double value[STICK_GROWTH_NUMBERS];
    if (!has_table(folder, step, "-growth") ||
        stick_growth_numbers(run->ctx, folder, step, value) != STICK_OK)
        return;
    for (int k = 0; k < STICK_GROWTH_NUMBERS; k++)
        add_number_of(json, step->name, stick_growth_number_name(k), value[k]);
}

// Once their files are there.
static void add_motion(StickJson *json, const StickSimulation *run, const char *folder, const char *name)
{
    double value[STICK_MOTION_NUMBERS];
    if (!stick_motion_exists(folder, name, "numbers.csv") ||
        stick_motion_numbers(run->ctx, folder, name, value) != STICK_OK)
        return;
    for (int k = 0; k < STICK_MOTION_NUMBERS; k++)
        add_number_of(json, name, stick_motion_number_name(k), value[k]);
}

static void add_contacts(StickJson *json, const StickSimulation *run, const char *folder, const char *step)
{
    double value[STICK_CONTACT_NUMBERS];
    if (!stick_motion_exists(folder, step, "contacts.csv") ||
        stick_contact_numbers(run->ctx, folder, step, value) != STICK_OK)
        return;
    for (int k = 0; k < STICK_CONTACT_NUMBERS; k++)
        add_number_of(json, step, stick_contact_number_name(k), value[k]);
}

static void add_motions(StickJson *json, const StickSimulation *run, const char *folder)
{
    const StickModel *model = run->system->model;
    StickTold told;
    for (int k = 0; stick_told_at(model, k, &told); k++)
        add_motion(json, run, folder, told.name);
    for (int k = 0; k < model->nsteps; k++)
        if (stick_step_is_told(model, k))
            add_contacts(json, run, folder, model->step[k].name);
}

static void add_gears(StickJson *json, const StickSimulation *run, const char *folder)
{
    const StickModel *model = run->system->model;
    double value[STICK_GEAR_NUMBERS];
    for (int k = 0; k < model->ngears; k++) {
        const StickGearPairSpec *spec = &model->gears[k];
        if (!stick_gear_is_there(folder, spec) ||
            stick_gear_numbers(run->ctx, folder, spec, value) != STICK_OK)
            continue;
        for (int j = 0; j < STICK_GEAR_NUMBERS; j++)
            add_number_of(json, spec->name, stick_gear_number_name(j), value[j]);
    }
}

static void add_certificate(StickJson *json, const StickSimulation *run, const char *folder, bool certified)
{
    stick_json_key(json, "certificate");
    stick_json_object(json);
    stick_json_key(json, "certified");
    stick_json_bool(json, certified);
    stick_json_add_number(json, "tolerance", run->spec->tolerance);
    stick_json_add_number(json, "accept", stick_simulation_accept(run->spec));
    stick_json_add_number(json, "worst_error", stick_run_worst_error(run));
    stick_json_add_integer(json, "accepted", (long)run->record.accepted);
    int facets = most_facets(run->ctx, folder);
    char cone[64];
    snprintf(cone, sizeof cone, facets ? "polyhedral, %d facets" : "exact", facets);
    stick_json_add_text(json, "cone", cone);
    stick_json_end_object(json);
    stick_json_key(json, "numbers");
    stick_json_object(json);
    const char *name;
    double value;
    for (int k = 0; stick_number_at(run, k, &name, &value); k++)
        stick_json_add_number(json, name, value);
    for (int k = 0; k < run->system->model->nsteps; k++)
        if (run->system->model->step[k].kind == STICK_STEP_STABILITY)
            add_stability(json, run, folder, &run->system->model->step[k]);
        else if (run->system->model->step[k].perturb.given)
            add_growth(json, run, folder, &run->system->model->step[k]);
    add_motions(json, run, folder);
    add_gears(json, run, folder);
    stick_json_end_object(json);
}

static void add_phases(StickJson *json, const StickSimulation *run, double seconds)
{
    const StickPhases *phases = &run->phases;
    stick_json_key(json, "seconds");
    stick_json_object(json);
    stick_json_add_number(json, "all", seconds);
    stick_json_add_number(json, "matrix", phases->matrix);
    stick_json_add_number(json, "free", phases->free);
    stick_json_add_number(json, "detect", phases->detect);
    stick_json_add_number(json, "condense", phases->condense);
    stick_json_add_number(json, "solve", phases->solve);
    stick_json_add_number(json, "verify", phases->verify);
    stick_json_add_number(json, "apply", phases->apply);
    stick_json_add_number(json, "ledger", phases->ledger);
    stick_json_end_object(json);
}

// Key numbers of every history over the whole run.
static void add_histories(StickContext *ctx, StickJson *json, const StickModel *model, const char *folder)
{
    static const char *const how[] = {"first", "final", "min", "max", "mean"};
    const StickMark nowhere = {NULL, 0, 0};
    stick_json_key(json, "histories");
    stick_json_object(json);
    for (int k = 0; k < model->output.nhistories; k++) {
        const char *name = model->output.history[k].name;
        StickSeries series;
        if (!stick_history_is_single(&model->output.history[k])) // no single number
            continue;
        if (stick_series_load(ctx, folder, name, nowhere, &series) != STICK_OK)
            continue;
        stick_json_key(json, name);
        stick_json_object(json);
        for (size_t j = 0; j < sizeof how / sizeof *how && series.count > 0; j++) {
            double value = NAN;
            stick_series_reduce(ctx, &series, how[j], -INFINITY, INFINITY, nowhere, &value);
            stick_json_add_number(json, how[j], value);
        }
        stick_json_end_object(json);
        stick_series_destroy(ctx, &series);
    }
    stick_json_end_object(json);
}

static void add_checks(StickJson *json, const StickModel *model, const StickCheckVerdict *verdict)
{
    stick_json_key(json, "checks");
    stick_json_list(json);
    for (int k = 0; verdict && k < model->nchecks; k++) {
        char bound[128];
        stick_check_bound(verdict[k].check, bound, sizeof bound);
        stick_json_object(json);
        stick_json_add_text(json, "that", verdict[k].check->that);
        stick_json_add_text(json, "name", verdict[k].check->name);
        stick_json_add_number(json, "value", verdict[k].value);
        stick_json_add_text(json, "must_be", bound);
        stick_json_key(json, "passed");
        stick_json_bool(json, verdict[k].passed);
        stick_json_end_object(json);
    }
    stick_json_end_list(json);
}

// Like checks; a value that is not a number makes the outcome undefined.
static void add_outcomes(StickJson *json, const StickModel *model, const StickCheckVerdict *verdict)
{
    stick_json_key(json, "outcomes");
    stick_json_list(json);
    for (int k = 0; verdict && k < model->noutcomes; k++) {
        char bound[128];
        stick_check_bound(verdict[k].check, bound, sizeof bound);
        stick_json_object(json);
        stick_json_add_text(json, "name", verdict[k].check->name);
        stick_json_add_text(json, "that", verdict[k].check->that);
        stick_json_add_number(json, "value", verdict[k].value);
        stick_json_add_text(json, "condition", bound);
        stick_json_key(json, "holds");
        if (isnan(verdict[k].value))
            stick_json_text(json, NULL);
        else
            stick_json_bool(json, verdict[k].passed);
        stick_json_end_object(json);
    }
    stick_json_end_list(json);
}

static void add_said(StickContext *ctx, StickJson *json, size_t first, size_t end)
{
    for (size_t k = first; k < end; k++) {
        const StickDiagnostic *said = stick_diagnostic(ctx, k);
        stick_json_object(json);
        stick_json_add_text(json, "severity",
                            said->severity == STICK_ERROR     ? "error"
                            : said->severity == STICK_WARNING ? "warning"
                                                              : "note");
        stick_json_add_text(json, "text", said->text);
        if (said->file)
            stick_json_add_text(json, "file", said->file);
        if (said->line > 0)
            stick_json_add_number(json, "line", said->line);
        stick_json_end_object(json);
    }
}

// What reading the model said belongs to the run.
static void add_diagnostics(StickContext *ctx, StickJson *json, const StickSummary *summary)
{
    stick_json_key(json, "messages");
    stick_json_list(json);
    add_said(ctx, json, summary->model->first_said, summary->model->end_said);
    add_said(ctx, json, summary->first_diagnostic, stick_diagnostic_count(ctx));
    stick_json_end_list(json);
}

static StickStatus write_json(StickContext *ctx, const char *folder, const StickText *text)
{
    STICK_TRY(stick_text_status(text));
    char *path = stick_path_join(ctx, folder, "summary.json");
    if (!path)
        return STICK_NO_MEMORY;
    StickStatus status = stick_file_write(ctx, path, text->bytes, text->length);
    stick_free(ctx, path);
    return status;
}

StickStatus stick_summary_write(StickContext *ctx, const char *folder, const StickSummary *summary)
{
    StickText text;
    size_t failures = stick_failure_count(ctx);
    StickJson json;
    stick_text_init(&text, ctx);
    stick_json_init(&json, &text);
    stick_json_object(&json);
    add_header(&json, summary->model);
    stick_json_add_text(&json, "state", summary->state);
    bool running = strcmp(summary->state, "running") == 0; // it has no exit code yet
    stick_json_add_number(&json, "exit_code", running ? NAN : summary->status);
    if (summary->log_bytes > 0 && running)
        stick_json_add_number(&json, "log_bytes", (double)summary->log_bytes);
    if (summary->headline)
        stick_headline_add(&json, summary->headline);
    if (summary->run) {
        add_run(&json, summary->run);
        add_certificate(&json, summary->run, folder, summary->certified);
        add_phases(&json, summary->run, summary->seconds);
        add_histories(ctx, &json, summary->model, folder);
        stick_motion_summarise(ctx, folder, summary->model, &json);
        stick_gear_summarise(ctx, folder, summary->model, &json);
    }
    add_checks(&json, summary->model, summary->verdict);
    add_outcomes(&json, summary->model, summary->outcome);
    add_diagnostics(ctx, &json, summary);
    stick_json_end_object(&json);
    // a number that could not be read back is missing
    StickStatus status = stick_failure_since(ctx, failures);
    if (status == STICK_OK)
        status = write_json(ctx, folder, &text);
    stick_text_destroy(&text);
    return status;
}

// ---- reading back

static bool has_state(const StickSummaryTree *tree, const char *state)
{
    const char *found = stick_summary_text(tree->root, "state");
    return found && strcmp(found, state) == 0;
}

static void count_checks(const StickSummaryTree *tree, StickCaseResult *result)
{
    const StickYaml *list = stick_summary_find(tree->root, "checks");
    for (const StickYaml *check = list ? list->first : NULL; check; check = check->next) {
        result->checks++;
        result->failed += !stick_summary_true(check, "passed");
    }
}

bool stick_summary_ended(StickContext *ctx, const char *folder, StickCaseResult *result)
{
    StickSummaryTree tree;
    if (stick_summary_tree_read(ctx, folder, &tree) != STICK_OK)
        return false;
    bool ended = has_state(&tree, "finished");
    if (ended) {
        *result = (StickCaseResult){
            .state = "finished",
            .status = stick_summary_number(tree.root, "exit_code") == 0 ? STICK_OK : STICK_CHECK_FAILED,
            .certified = stick_summary_true(stick_summary_find(tree.root, "certificate"), "certified"),
            .seconds = stick_summary_number(stick_summary_find(tree.root, "seconds"), "all"),
        };
        count_checks(&tree, result);
    }
    stick_summary_tree_destroy(&tree);
    return ended;
}

bool stick_summary_began(StickContext *ctx, const char *folder)
{
    StickSummaryTree tree;
    char *path = stick_path_join(ctx, folder, "summary.json");
    bool began = path && stick_file_exists(path);
    stick_free(ctx, path);
    if (!began || stick_summary_tree_read(ctx, folder, &tree) != STICK_OK)
        return began;
    began = !tree.root || stick_summary_find(tree.root, "step");
    stick_summary_tree_destroy(&tree);
    return began;
}

static char *read_if_there(StickContext *ctx, const char *folder, const char *name, size_t *count)
{
    char *path = stick_path_join(ctx, folder, name), *text = NULL;
    if (!path || !stick_file_exists(path) || stick_file_read(ctx, path, &text, count) != STICK_OK)
        text = NULL;
    stick_free(ctx, path);
    return text;
}

size_t stick_summary_log_bytes(StickContext *ctx, const char *folder)
{
    StickSummaryTree tree;
    size_t size = 0;
    char *log = read_if_there(ctx, folder, "run.log", &size);
    double bytes = log ? (double)size : 0;
    stick_free(ctx, log);
    if (stick_summary_tree_read(ctx, folder, &tree) != STICK_OK)
        return (size_t)bytes;
    if (has_state(&tree, "running")) {
        double before = stick_summary_number(tree.root, "log_bytes");
        bytes = before < bytes ? before : isnan(before) ? 0 : bytes;
    }
    stick_summary_tree_destroy(&tree);
    return (size_t)bytes;
}

// ---- a study

static const char *study_state(const StickModel *model, const StickCaseResult *result)
{
    const char *state = "finished";
    for (int k = 0; k < model->ncases; k++) {
        if (!result[k].state || strcmp(result[k].state, "interrupted") == 0)
            return "interrupted";
        if (strcmp(result[k].state, "failed") == 0)
            state = "failed";
    }
    return state;
}

StickStatus stick_summary_study(StickContext *ctx, const char *folder, const StickModel *model,
                                StickStatus status, const StickCaseResult *result,
                                const StickStudyFacts *facts)
{
    StickText text;
    size_t failures = stick_failure_count(ctx);
    StickJson json;
    stick_text_init(&text, ctx);
    stick_json_init(&json, &text);
    stick_json_object(&json);
    add_header(&json, model);
    stick_json_add_text(&json, "state", study_state(model, result));
    stick_json_add_number(&json, "exit_code", status);
    stick_study_facts_add(facts, &json);
    stick_json_key(&json, "cases");
    stick_json_object(&json);
    for (int k = 0; k < model->ncases; k++) {
        stick_json_key(&json, model->cases[k].name);
        stick_json_object(&json);
        stick_json_add_text(&json, "state", result[k].state ? result[k].state : "not run");
        stick_json_add_number(&json, "exit_code", result[k].state ? result[k].status : NAN);
        stick_json_key(&json, "certified");
        stick_json_bool(&json, result[k].certified);
        stick_json_add_number(&json, "checks", result[k].checks);
        stick_json_add_number(&json, "checks_failed", result[k].failed);
        stick_study_facts_add_case(facts, k, &json);
        stick_json_add_number(&json, "seconds", result[k].seconds);
        stick_json_end_object(&json);
    }
    stick_json_end_object(&json);
    stick_json_end_object(&json);
    StickStatus written = stick_failure_since(ctx, failures);
    if (written == STICK_OK)
        written = write_json(ctx, folder, &text);
    stick_text_destroy(&text);
    return written;
}
