// SPDX-License-Identifier: Apache-2.0
#include "contact/translation.h"

#include "base/check.h"
#include "contact/gauss.h"
#include "model/time_history.h"

#include <math.h>

void stick_translation_init(StickContext *ctx, StickTranslation *translation, const StickObstacleSpec *spec,
                            int dim, double panel)
{
    *translation = (StickTranslation){.ctx = ctx, .spec = spec};
    for (int k = 0; k < dim; k++)
        translation->travel[k] = (StickTravel){
            .displacement = spec->displacement[k], .velocity = spec->velocity[k], .panel = panel};
}

static StickStatus value_at(StickExpression *expression, double t, double *value)
{
    StickVariables variables = {.t = t};
    return stick_expression_value(expression, &variables, value);
}

// sum += integral of the velocity from a to b
static StickStatus add_integral(StickExpression *velocity, double a, double b, double *sum)
{
    double integral = 0;
    for (int i = 0; i < STICK_LINE_POINTS; i++) {
        double value;
        STICK_TRY(value_at(velocity, 0.5 * (a + b) + 0.5 * (b - a) * stick_line_place[i], &value));
        integral += 0.5 * (b - a) * stick_line_weight[i] * value;
    }
    *sum += integral;
    return STICK_OK;
}

static double end_of(const StickTravel *travel, long panels)
{
    return (double)panels * travel->panel;
}

static void pass(StickTravel *travel)
{
    for (int k = 0; k < STICK_TRAVEL_LEVELS && travel->now.panels % (1L << k) == 0; k++) {
        StickTravelSum *passed = travel->passed[k];
        if (travel->now.panels <= passed[0].panels)
            continue;
        passed[1] = passed[0];
        passed[0] = travel->now;
    }
}

// To the last sum that is known before t.
static void go_back(StickTravel *travel, double t)
{
    travel->now = (StickTravelSum){0, 0};
    for (int k = 0; k < STICK_TRAVEL_LEVELS; k++)
        for (int i = 0; i < 2; i++) {
            const StickTravelSum *passed = &travel->passed[k][i];
            if (passed->panels > travel->now.panels && end_of(travel, passed->panels) <= t)
                travel->now = *passed;
        }
}

// Takes all whole panels up to t into the sum.
static StickStatus advance(StickTravel *travel, double t)
{
    StickTravelSum *now = &travel->now;
    if (end_of(travel, now->panels) > t)
        go_back(travel, t);
    while (end_of(travel, now->panels + 1) <= t) {
        STICK_TRY(add_integral(travel->velocity, end_of(travel, now->panels), end_of(travel, now->panels + 1),
                               &now->sum));
        now->panels++;
        pass(travel);
    }
    return STICK_OK;
}

static StickStatus travelled(StickTravel *travel, double t, double *displacement)
{
    STICK_TRY(advance(travel, t));
    double sum = travel->now.sum;
    STICK_TRY(add_integral(travel->velocity, end_of(travel, travel->now.panels), t, &sum));
    *displacement = sum;
    return STICK_OK;
}

static StickStatus by_displacement(StickTravel *travel, double t, double h, double *displacement,
                                   double *velocity)
{
    double now, then;
    STICK_TRY(value_at(travel->displacement, t, &now));
    STICK_TRY(value_at(travel->displacement, t + h, &then));
    *displacement = now;
    *velocity = h != 0 ? (then - now) / h : 0;
    return STICK_OK;
}

static StickStatus by_velocity(StickTravel *travel, double t, double h, double *displacement,
                               double *velocity)
{
    double rate, now, then;
    STICK_TRY(value_at(travel->velocity, t, &rate));
    if (stick_expression_is_constant(travel->velocity)) {
        *displacement = rate * t;
        *velocity = rate;
        return STICK_OK;
    }
    STICK_TRY(travelled(travel, t, &now));
    STICK_TRY(travelled(travel, t + h, &then));
    *displacement = now;
    *velocity = h != 0 ? (then - now) / h : rate;
    return STICK_OK;
}

static void add_record(const StickTimeHistorySpec *spec, double t, double h, double d[3], double v[3])
{
    StickTimeHistoryState now = stick_time_history_at(spec->record, t),
                          then = stick_time_history_at(spec->record, t + h);
    double velocity = h != 0 ? (then.displacement - now.displacement) / h : now.velocity;
    for (int k = 0; k < 3; k++) {
        d[k] += now.displacement * spec->along[k];
        v[k] += velocity * spec->along[k];
    }
}

StickStatus stick_translation_at(StickTranslation *translation, double t, double h, double displacement[3],
                                 double velocity[3])
{
    double d[3] = {0}, v[3] = {0};
    for (int k = 0; k < 3; k++) {
        StickTravel *travel = &translation->travel[k];
        if (travel->displacement)
            STICK_TRY(by_displacement(travel, t, h, &d[k], &v[k]));
        else if (travel->velocity)
            STICK_TRY(by_velocity(travel, t, h, &d[k], &v[k]));
    }
    for (int k = 0; k < translation->spec->nrecords; k++)
        add_record(&translation->spec->record[k], t, h, d, v);
    for (int k = 0; k < 3; k++) {
        if (!isfinite(d[k]) || !isfinite(v[k]))
            return stick_fail_at(translation->ctx, STICK_BAD_INPUT, translation->spec->mark,
                                 "obstacle '%s', t = %g: its motion along %c is not finite (displacement %g, "
                                 "velocity %g)",
                                 translation->spec->name, t, "xyz"[k], d[k], v[k]);
        displacement[k] = d[k];
        velocity[k] = v[k];
    }
    return STICK_OK;
}
