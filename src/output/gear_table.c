// SPDX-License-Identifier: Apache-2.0
#include "output/gear_table.h"

#include "base/check.h"
#include "base/memory.h"
#include "gears/rating.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Under load teeth touch before and beyond the path of contact, by less than this part of the base pitch.
static const double EARLY = 0.25;

// What the strips of a position come to.
typedef struct Sum {
    double load, pressure, hertz;
    double pairs, strips; // how many
} Sum;

// What a row is made of.
typedef struct Numbers {
    StickGearPosition at;
    Sum sum;
    double roll, error, angle; // of the input from the pitch point on; how far the output is behind
    double efficiency, stiffness;
} Numbers;

static const StickNamedColumn of_position[] = {
    {"t", STICK_TIME, offsetof(Numbers, at.t)},
    {"step", STICK_NO_UNIT, offsetof(Numbers, at.step)},
    {"position", STICK_NO_UNIT, offsetof(Numbers, at.number)},
    {"s", STICK_LENGTH, offsetof(Numbers, at.s)},
    {"roll_angle [rad]", STICK_NO_UNIT, offsetof(Numbers, roll)},
    {"transmission_error", STICK_LENGTH, offsetof(Numbers, error)},
    {"transmission_angle [rad]", STICK_NO_UNIT, offsetof(Numbers, angle)},
    {"input_torque", STICK_ENERGY, offsetof(Numbers, at.torque[0])},
    {"output_torque", STICK_ENERGY, offsetof(Numbers, at.torque[1])},
    {"efficiency", STICK_NO_UNIT, offsetof(Numbers, efficiency)},
    {"load", STICK_FORCE, offsetof(Numbers, sum.load)},
    {"pairs", STICK_NO_UNIT, offsetof(Numbers, sum.pairs)},
    {"strips", STICK_NO_UNIT, offsetof(Numbers, sum.strips)},
    {"pressure", STICK_PRESSURE, offsetof(Numbers, sum.pressure)},
    {"hertz", STICK_PRESSURE, offsetof(Numbers, sum.hertz)},
    {"root_stress_1", STICK_PRESSURE, offsetof(Numbers, at.root_stress[0])},
    {"root_stress_2", STICK_PRESSURE, offsetof(Numbers, at.root_stress[1])},
    {"stiffness", STICK_PRESSURE, offsetof(Numbers, stiffness)}, // by face width
};
enum { OF_POSITION = sizeof of_position / sizeof *of_position };

// ---- pairs of teeth

// Positions of all steps, in base pitches: the pitch point is at t = 1/2.
static void positions_of(const StickModel *model, double *from, double *to)
{
    *from = INFINITY;
    *to = -INFINITY;
    for (int k = 0; k < model->nsteps; k++)
        if (model->step[k].kind == STICK_STEP_TRAJECTORY) {
            *from = fmin(*from, model->step[k].trajectory.from - 0.5);
            *to = fmax(*to, model->step[k].trajectory.to - 0.5);
        }
    if (!(*from <= *to))
        *from = *to = 0;
}

// Pair k touches at s + k base pitches.
static void count_pairs(StickGearTable *table)
{
    const StickGearPair *pair = &table->pair;
    double from, to;
    positions_of(table->model, &from, &to);
    table->first = (int)ceil(pair->from / pair->base_pitch - EARLY - to);
    int last = (int)floor(pair->to / pair->base_pitch + EARLY - from);
    table->npairs = last >= table->first ? last - table->first + 1 : 1;
}

// Column of a tooth that touches at position s. Teeth are counted from the one that touches there, those behind it by
// numbers below 0, and on beyond a revolution: of all with its number the tooth is the one nearest to the path of contact.
static int pair_of(const StickGearTable *table, int tooth, double s)
{
    const StickGearPair *pair = &table->pair;
    int teeth = table->spec->gear[0].teeth, last = table->npairs - 1;
    double middle = (0.5 * (pair->from + pair->to) - s) / pair->base_pitch;
    int k = tooth + teeth * (int)round((middle - tooth) / teeth) - table->first;
    return k < 0 ? 0 : k > last ? last : k;
}

static StickStatus name_pairs(StickContext *ctx, StickGearTable *table, const char *what,
                              StickQuantity quantity)
{
    for (int k = 0; k < table->npairs; k++) {
        char name[64];
        snprintf(name, sizeof name, "%s.%d", what, table->first + k);
        StickNamedColumn column = {name, quantity, 0};
        STICK_TRY(stick_named_row_add(ctx, &table->row, "", &column, 1));
    }
    return STICK_OK;
}

static StickStatus make(StickContext *ctx, StickGearTable *table)
{
    STICK_TRY(stick_gear_pair_make(ctx, table->spec, &table->pair));
    count_pairs(table);
    STICK_ALLOC(ctx, table->load, table->npairs);
    STICK_ALLOC(ctx, table->moment, table->npairs);
    STICK_TRY(stick_named_row_add(ctx, &table->row, "", of_position, OF_POSITION));
    STICK_TRY(name_pairs(ctx, table, "load", STICK_FORCE));
    return name_pairs(ctx, table, "share", STICK_NO_UNIT);
}

StickStatus stick_gear_table_create(StickContext *ctx, const StickModel *model, const StickGearPairSpec *spec,
                                    StickGearTable *table)
{
    *table = (StickGearTable){.model = model, .spec = spec, .row.units = &model->units};
    StickStatus status = make(ctx, table);
    if (status != STICK_OK)
        stick_gear_table_destroy(ctx, table);
    return status;
}

void stick_gear_table_destroy(StickContext *ctx, StickGearTable *table)
{
    stick_named_row_destroy(ctx, &table->row);
    stick_free(ctx, table->load);
    stick_free(ctx, table->moment);
    *table = (StickGearTable){0};
}

// ---- a row

static Sum sum_up(StickGearTable *table, const StickGearPosition *position)
{
    Sum sum = {0};
    memset(table->load, 0, (size_t)table->npairs * sizeof *table->load);
    memset(table->moment, 0, (size_t)table->npairs * sizeof *table->moment);
    for (int k = 0; k < position->ntouches; k++) {
        const StickGearTouch *touch = &position->touch[k];
        if (!(touch->load > 0))
            continue;
        int pair = pair_of(table, touch->tooth, position->s);
        table->load[pair] += touch->load;
        table->moment[pair] += touch->load * touch->curvature;
        sum.load += touch->load;
        sum.pressure = fmax(sum.pressure, touch->pressure);
        sum.strips++;
    }
    for (int k = 0; k < table->npairs; k++) {
        if (!(table->load[k] > 0))
            continue;
        double curvature = table->moment[k] / table->load[k];
        sum.pairs++;
        sum.hertz = fmax(sum.hertz, stick_gear_hertz(table->model, table->spec, table->load[k], curvature));
    }
    return sum;
}

static Numbers numbers_of(StickGearTable *table, const StickGearPosition *position)
{
    const StickGearPair *pair = &table->pair;
    const StickGearSpec *gear = table->spec->gear;
    double ratio = (double)gear[0].teeth / gear[1].teeth;       // of speeds, output by input
    double along = fabs(position->theta) * pair->tooth[1].base; // the line of action
    double back = pair->turns[1] > 0 ? -1 : 1;                  // against its sense of rotation
    Numbers numbers = {.at = *position, .sum = sum_up(table, position)};
    numbers.roll = pair->turns[0] * position->s;
    numbers.error = back * position->theta * pair->working[1];
    numbers.angle = back * position->theta;
    numbers.efficiency = fabs(position->torque[1]) * ratio / fabs(position->torque[0]);
    numbers.stiffness = numbers.sum.load > 0 && along > 0
                            ? numbers.sum.load / (table->spec->face_width * along)
                            : (double)NAN;
    return numbers;
}

void stick_gear_table_fill(StickGearTable *table, const StickGearPosition *position)
{
    Numbers numbers = numbers_of(table, position);
    double all = numbers.sum.load;
    double *load = stick_named_row_take(of_position, OF_POSITION, &numbers, table->row.value),
           *share = load + table->npairs;
    for (int k = 0; k < table->npairs; k++) {
        load[k] = table->load[k];
        share[k] = all > 0 ? table->load[k] / all : 0;
    }
}
