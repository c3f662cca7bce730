// SPDX-License-Identifier: Apache-2.0
#include "study/checks.h"

#include "base/check.h"
#include "study/gear_results.h"
#include "study/growth_results.h"
#include "study/motion_results.h"
#include "study/stability_results.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static StickStatus measure(StickContext *ctx, const StickSimulation *run, const char *folder,
                           const StickCheckSpec *check, double *value)
{
    const StickStepSpec *step = stick_stability_step_of(run->system->model, check->series);
    if (step && !check->reduce)
        return stick_stability_measure(ctx, folder, step, check, value);
    if (!check->reduce && stick_motion_owns(run->system->model, check->series))
        return stick_motion_measure(ctx, folder, run->system->model, check, value);
    const StickGearPairSpec *gears = stick_gears_of(run->system->model, check->series);
    if (gears && !check->reduce)
        return stick_gear_measure(ctx, folder, gears, check, value);
    step = stick_growth_step_of(run->system->model, check->series);
    if (step && !check->reduce)
        return stick_growth_measure(ctx, folder, step, check, value);
    if (!check->reduce)
        return stick_number(ctx, run, check->series, check->mark, value);
    StickSeries series;
    STICK_TRY(stick_series_load(ctx, folder, check->series, check->mark, &series));
    double from = check->windowed ? check->from : -INFINITY, to = check->windowed ? check->to : INFINITY;
    StickStatus status = stick_series_reduce(ctx, &series, check->reduce, from, to, check->mark, value);
    stick_series_destroy(ctx, &series);
    return status;
}

static StickStatus validate(StickContext *ctx, const StickSimulation *run, const StickCheckSpec *check)
{
    const StickStepSpec *step = stick_stability_step_of(run->system->model, check->series);
    double value;
    if (check->reduce)
        return stick_series_exists(ctx, run->system, check->series, check->mark);
    if (step)
        return stick_stability_validate(ctx, run->system, step, check);
    if (stick_motion_owns(run->system->model, check->series))
        return stick_motion_validate(ctx, run->system->model, check);
    const StickGearPairSpec *gears = stick_gears_of(run->system->model, check->series);
    if (gears)
        return stick_gear_validate(ctx, gears, check);
    step = stick_growth_step_of(run->system->model, check->series);
    if (step)
        return stick_growth_validate(ctx, step, check);
    if (check->at_status)
        return stick_fail_at(ctx, STICK_BAD_INPUT, check->mark,
                             "'%s' is no column of a stability step: only these have statuses", check->that);
    return stick_number(ctx, run, check->series, check->mark, &value);
}

StickStatus stick_checks_validate(StickContext *ctx, const StickSimulation *run)
{
    const StickModel *model = run->system->model;
    StickStatus status = STICK_OK;
    for (int k = 0; k < model->nchecks + model->noutcomes; k++) {
        const StickCheckSpec *statement =
            k < model->nchecks ? &model->check[k] : &model->outcome[k - model->nchecks];
        StickStatus found = validate(ctx, run, statement);
        if (found != STICK_OK)
            status = found;
    }
    return status;
}

static bool holds(const StickCheckSpec *check, double value)
{
    switch (check->kind) {
    case STICK_CHECK_IS:
        return fabs(value - check->value) <= check->within;
    case STICK_CHECK_AT_MOST:
        return value <= check->value;
    case STICK_CHECK_AT_LEAST:
        return value >= check->value;
    }
    return false;
}

void stick_check_bound(const StickCheckSpec *check, char *text, size_t size)
{
    if (check->kind == STICK_CHECK_IS)
        snprintf(text, size, "within %g of %.8g", check->within, check->value);
    else
        snprintf(text, size, "%s %.8g", check->kind == STICK_CHECK_AT_MOST ? "at most" : "at least",
                 check->value);
}

// Evaluates one statement.
static StickStatus judge(StickContext *ctx, const StickSimulation *run, const char *folder,
                         const StickCheckSpec *statement, StickCheckVerdict *verdict)
{
    double value = NAN;
    StickStatus status = measure(ctx, run, folder, statement, &value);
    value = isnan(value) ? (double)NAN : value; // without a sign
    *verdict = (StickCheckVerdict){statement, value, status == STICK_OK && holds(statement, value)};
    return status;
}

StickStatus stick_checks_evaluate(StickContext *ctx, const StickSimulation *run, const char *folder,
                                  StickCheckVerdict *verdict, int *failed)
{
    const StickModel *model = run->system->model;
    StickStatus status = STICK_OK;
    *failed = 0;
    for (int k = 0; k < model->nchecks; k++) {
        const StickCheckSpec *check = &model->check[k];
        StickStatus measured = judge(ctx, run, folder, check, &verdict[k]);
        if (measured != STICK_OK)
            status = measured;
        if (verdict[k].passed || measured != STICK_OK)
            continue;
        char bound[128];
        stick_check_bound(check, bound, sizeof bound);
        // a check without a name has its statement, whose first part is `that`, as its name
        bool named = check->name && strncmp(check->name, check->that, strlen(check->that)) != 0;
        stick_fail_at(ctx, STICK_CHECK_FAILED, check->mark, "check failed: %s%s%s is %.8g, not %s",
                      named ? check->name : "", named ? ": " : "", check->that, verdict[k].value, bound);
        (*failed)++;
    }
    return status;
}

StickStatus stick_outcomes_evaluate(StickContext *ctx, const StickSimulation *run, const char *folder,
                                    StickCheckVerdict *verdict)
{
    const StickModel *model = run->system->model;
    StickStatus status = STICK_OK;
    for (int k = 0; k < model->noutcomes; k++) {
        StickStatus measured = judge(ctx, run, folder, &model->outcome[k], &verdict[k]);
        if (measured != STICK_OK)
            status = measured;
    }
    return status;
}
