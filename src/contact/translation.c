// SPDX-License-Identifier: Apache-2.0
#include "contact/translation.h"

#include "base/check.h"
#include "contact/gauss.h"
#include "model/record.h"

void stick_translation_init(StickTranslation *translation, const StickObstacleSpec *spec, int dim,
                            double panel)
{
    *translation = (StickTranslation){.nrecords = spec->nrecords, .record = spec->record};
    for (int k = 0; k < dim; k++)
        translation->travel[k] = (StickTravel){spec->displacement[k], spec->velocity[k], panel, 0, 0};
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

// Takes all whole panels up to t into the sum; time that runs back starts again from 0.
static StickStatus advance(StickTravel *travel, double t)
{
    if ((double)travel->panels * travel->panel > t)
        travel->panels = 0, travel->sum = 0;
    while ((double)(travel->panels + 1) * travel->panel <= t) {
        double a = (double)travel->panels * travel->panel;
        double b = (double)(travel->panels + 1) * travel->panel;
        STICK_TRY(add_integral(travel->velocity, a, b, &travel->sum));
        travel->panels++;
    }
    return STICK_OK;
}

static StickStatus travelled(StickTravel *travel, double t, double *displacement)
{
    STICK_TRY(advance(travel, t));
    double sum = travel->sum;
    STICK_TRY(add_integral(travel->velocity, (double)travel->panels * travel->panel, t, &sum));
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
    // A copy looks ahead, so that the sum itself never has to run back.
    StickTravel ahead = *travel;
    STICK_TRY(travelled(&ahead, t + h, &then));
    *displacement = now;
    *velocity = h != 0 ? (then - now) / h : rate;
    return STICK_OK;
}

static void add_record(const StickRecordSpec *spec, double t, double h, double d[3], double v[3])
{
    StickRecordState now = stick_record_at(spec->record, t), then = stick_record_at(spec->record, t + h);
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
    for (int k = 0; k < translation->nrecords; k++)
        add_record(&translation->record[k], t, h, d, v);
    for (int k = 0; k < 3; k++) {
        displacement[k] = d[k];
        velocity[k] = v[k];
    }
    return STICK_OK;
}
