// SPDX-License-Identifier: Apache-2.0
#include "study/sweep.h"

#include "base/file.h"
#include "base/text.h"
#include "study/gear_results.h"
#include "study/growth_results.h"
#include "study/motion_results.h"
#include "study/stability_results.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const reductions[] = {"min", "max", "final"};
enum { NREDUCTIONS = 3, PATH_TEXT = 4096 };

// Series that every case has.
static const struct {
    const char *series, *how;
} of_every_run[] = {
    {"energy.total", "first"}, {"energy.total", "final"}, {"energy.friction", "final"},
    {"contact.error", "max"},  {"momentum.error", "max"}, {"energy.closure", "largest"},
};
enum { NEVERY = sizeof of_every_run / sizeof *of_every_run };

// The value of a parameter in a case, NULL if the case leaves it as it is in the file.
static const char *value_of(const StickCaseSpec *one, const char *parameter)
{
    for (int k = 0; k < one->nparameters; k++)
        if (strcmp(one->parameter[k], parameter) == 0)
            return one->value[k];
    return NULL;
}

// Whether case k is the first to set its parameter j: the columns are all parameters, in the order of their first use.
static bool is_new(const StickModel *model, int k, int j)
{
    for (int i = 0; i < k; i++)
        if (value_of(&model->cases[i], model->cases[k].parameter[j]))
            return false;
    return true;
}

static void add_motion_header(StickText *text, const StickModel *model)
{
    StickTold told;
    for (int k = 0; stick_told_at(model, k, &told); k++)
        for (int j = 0; j < STICK_MOTION_NUMBERS; j++)
            stick_text_add(text, ",%s.%s", told.name, stick_motion_number_name(j));
    for (int k = 0; k < model->nsteps; k++)
        for (int j = 0; j < STICK_CONTACT_NUMBERS && stick_step_is_told(model, k); j++)
            stick_text_add(text, ",%s.%s", model->step[k].name, stick_contact_number_name(j));
}

static void add_header(StickText *text, const StickModel *model, const StickStudyFacts *facts)
{
    stick_text_add(text, "case");
    for (int k = 0; k < model->ncases; k++) {
        for (int j = 0; j < model->cases[k].nparameters; j++) {
            if (!is_new(model, k, j))
                continue;
            stick_text_add(text, ",");
            stick_text_add_csv(text, model->cases[k].parameter[j]);
        }
    }
    stick_text_add(text, ",exit_code");
    for (int k = 0; k < facts->noutcomes; k++) {
        StickText name;
        stick_text_init(&name, text->ctx);
        stick_text_add(&name, "outcome.%s", facts->outcome[k]);
        stick_text_add(text, ",");
        stick_text_add_csv(text, name.bytes ? name.bytes : "");
        text->failed |= name.failed;
        stick_text_destroy(&name);
    }
    for (int k = 0; k < NEVERY; k++)
        stick_text_add(text, ",%s(%s)", of_every_run[k].how, of_every_run[k].series);
    for (int k = 0; k < model->output.nhistories; k++)
        for (int j = 0; j < NREDUCTIONS && stick_history_is_single(&model->output.history[k]); j++)
            stick_text_add(text, ",%s(%s)", reductions[j], model->output.history[k].name);
    for (int k = 0; k < model->nsteps; k++)
        for (int j = 0;
             model->step[k].kind == STICK_STEP_STABILITY && stick_stability_number_name(&model->step[k], j);
             j++)
            stick_text_add(text, ",%s.%s", model->step[k].name,
                           stick_stability_number_name(&model->step[k], j));
    for (int k = 0; k < model->nsteps; k++)
        for (int j = 0; j < STICK_GROWTH_NUMBERS && model->step[k].perturb.given; j++)
            stick_text_add(text, ",%s.%s", model->step[k].name, stick_growth_number_name(j));
    add_motion_header(text, model);
    for (int k = 0; k < model->ngears; k++)
        for (int j = 0; j < STICK_GEAR_NUMBERS; j++)
            stick_text_add(text, ",%s.%s", model->gears[k].name, stick_gear_number_name(j));
    stick_text_add(text, "\n");
}

// A case that ended without memory or by a file may have some of its tables only.
static bool may_lack_tables(const StickCaseResult *result)
{
    return result->status == STICK_NO_MEMORY || result->status == STICK_IO;
}

static bool has_tables(const char *folder)
{
    char path[PATH_TEXT];
    if (!folder)
        return false;
    int length = snprintf(path, sizeof path, "%s/history/energy.csv", folder);
    return length < PATH_TEXT && stick_file_exists(path);
}

// Empty where the case has no tables, or the folder is NULL.
static void add_value(StickContext *ctx, StickText *text, const char *folder, const char *name,
                      const char *how)
{
    const StickMark nowhere = {NULL, 0, 0};
    StickSeries series;
    double value = NAN;
    stick_text_add(text, ",");
    if (!has_tables(folder) || stick_series_load(ctx, folder, name, nowhere, &series) != STICK_OK)
        return;
    if (series.count > 0 &&
        stick_series_reduce(ctx, &series, how, -INFINITY, INFINITY, nowhere, &value) == STICK_OK)
        stick_text_add_number(text, value);
    stick_series_destroy(ctx, &series);
}

static void add_numbers(StickText *text, bool known, const double *value, int count)
{
    for (int k = 0; k < count; k++) {
        stick_text_add(text, ",");
        if (known)
            stick_text_add_number(text, value[k]);
    }
}

static void add_stability(StickContext *ctx, StickText *text, const char *folder, const StickStepSpec *step)
{
    double value[STICK_STABILITY_NUMBERS];
    char path[PATH_TEXT];
    int length = snprintf(path, sizeof path, "%s/history/%s.csv", folder, step->name);
    bool known = length < PATH_TEXT && stick_file_exists(path) &&
                 stick_stability_numbers(ctx, folder, step, value) == STICK_OK;
    int count = 0;
    while (stick_stability_number_name(step, count))
        count++;
    add_numbers(text, known, value, count);
}

static void add_growth(StickContext *ctx, StickText *text, const char *folder, const StickStepSpec *step)
{
    double value[STICK_GROWTH_NUMBERS];
    char path[PATH_TEXT];
    int length = snprintf(path, sizeof path, "%s/history/%s-growth.csv", folder, step->name);
    bool known = length < PATH_TEXT && stick_file_exists(path) &&
                 stick_growth_numbers(ctx, folder, step, value) == STICK_OK;
    add_numbers(text, known, value, STICK_GROWTH_NUMBERS);
}

static void add_motion(StickContext *ctx, StickText *text, const char *folder, const StickModel *model)
{
    double value[STICK_MOTION_NUMBERS], times[STICK_CONTACT_NUMBERS];
    StickTold told;
    for (int k = 0; stick_told_at(model, k, &told); k++) {
        bool known = stick_motion_exists(folder, told.name, "numbers.csv") &&
                     stick_motion_numbers(ctx, folder, told.name, value) == STICK_OK;
        add_numbers(text, known, value, STICK_MOTION_NUMBERS);
    }
    for (int k = 0; k < model->nsteps; k++) {
        if (!stick_step_is_told(model, k))
            continue;
        const char *step = model->step[k].name;
        bool known = stick_motion_exists(folder, step, "contacts.csv") &&
                     stick_contact_numbers(ctx, folder, step, times) == STICK_OK;
        add_numbers(text, known, times, STICK_CONTACT_NUMBERS);
    }
}

static void add_gears(StickContext *ctx, StickText *text, const char *folder, const StickModel *model)
{
    double value[STICK_GEAR_NUMBERS];
    for (int k = 0; k < model->ngears; k++) {
        bool known = stick_gear_is_there(folder, &model->gears[k]) &&
                     stick_gear_numbers(ctx, folder, &model->gears[k], value) == STICK_OK;
        add_numbers(text, known, value, STICK_GEAR_NUMBERS);
    }
}

// 1 where it holds, 0 where it does not.
static const char *outcome_text(StickOutcome state)
{
    static const char *const texts[] = {[STICK_OUTCOME_ABSENT] = ",",
                                        [STICK_OUTCOME_UNKNOWN] = ",nan",
                                        [STICK_OUTCOME_FALSE] = ",0",
                                        [STICK_OUTCOME_TRUE] = ",1"};
    return texts[state];
}

static void add_row(StickContext *ctx, StickText *text, const char *folder, const StickModel *model, int k,
                    const StickCaseResult *result, const StickStudyFacts *facts)
{
    char path[PATH_TEXT];
    snprintf(path, sizeof path, "%s/cases/%s", folder, model->cases[k].name);
    stick_text_add(text, "%s", model->cases[k].name);
    for (int i = 0; i < model->ncases; i++) {
        for (int j = 0; j < model->cases[i].nparameters; j++) {
            if (!is_new(model, i, j))
                continue;
            const char *value = value_of(&model->cases[k], model->cases[i].parameter[j]);
            stick_text_add(text, ",");
            stick_text_add_csv(text, value ? value : "");
        }
    }
    stick_text_add(text, result->state ? ",%d" : ",", result->status);
    for (int j = 0; j < facts->noutcomes; j++)
        stick_text_add(text, "%s", outcome_text(facts->in_case[j][k]));
    const char *tables = may_lack_tables(result) ? NULL : path;
    for (int j = 0; j < NEVERY; j++)
        add_value(ctx, text, tables, of_every_run[j].series, of_every_run[j].how);
    for (int h = 0; h < model->output.nhistories; h++)
        for (int j = 0; j < NREDUCTIONS && stick_history_is_single(&model->output.history[h]); j++)
            add_value(ctx, text, tables, model->output.history[h].name, reductions[j]);
    for (int s = 0; s < model->nsteps; s++)
        if (model->step[s].kind == STICK_STEP_STABILITY)
            add_stability(ctx, text, path, &model->step[s]);
    for (int s = 0; s < model->nsteps; s++)
        if (model->step[s].perturb.given)
            add_growth(ctx, text, path, &model->step[s]);
    add_motion(ctx, text, path, model);
    add_gears(ctx, text, path, model);
    stick_text_add(text, "\n");
}

StickStatus stick_sweep_write(StickContext *ctx, const char *folder, const StickModel *model,
                              const StickCaseResult *result, const StickStudyFacts *facts)
{
    StickText text;
    size_t failures = stick_failure_count(ctx);
    stick_text_init(&text, ctx);
    add_header(&text, model, facts);
    for (int k = 0; k < model->ncases; k++)
        add_row(ctx, &text, folder, model, k, &result[k], facts);
    StickStatus status = stick_text_status(&text);
    if (status == STICK_OK)
        status = stick_failure_since(ctx, failures);
    char *path = status == STICK_OK ? stick_path_join(ctx, folder, "sweep.csv") : NULL;
    if (status == STICK_OK)
        status = path ? stick_file_write(ctx, path, text.bytes, text.length) : STICK_NO_MEMORY;
    stick_free(ctx, path);
    stick_text_destroy(&text);
    return status;
}
