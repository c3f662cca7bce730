// SPDX-License-Identifier: Apache-2.0
#include "output/gear_table.h"

#include "base/check.h"
#include "base/memory.h"
#include "base/text.h"
#include "gears/rating.h"
#include "output/units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Under load teeth touch before and beyond the path of contact, by less than this part of the base pitch.
static const double EARLY = 0.25;

typedef struct Column {
    const char *name;
    StickQuantity quantity;
} Column;

static const Column before[] = {
    {"t", STICK_TIME},
    {"step", STICK_NO_UNIT},
    {"position", STICK_NO_UNIT},
    {"s", STICK_LENGTH},
    {"roll_angle [rad]", STICK_NO_UNIT},
    {"transmission_error", STICK_LENGTH},
    {"transmission_angle [rad]", STICK_NO_UNIT},
    {"input_torque", STICK_ENERGY},
    {"output_torque", STICK_ENERGY},
    {"efficiency", STICK_NO_UNIT},
    {"load", STICK_FORCE},
    {"pairs", STICK_NO_UNIT},
    {"strips", STICK_NO_UNIT},
    {"pressure", STICK_PRESSURE},
    {"hertz", STICK_PRESSURE},
    {"root_stress_1", STICK_PRESSURE},
    {"root_stress_2", STICK_PRESSURE},
    {"stiffness", STICK_PRESSURE},
};
enum { NBEFORE = sizeof before / sizeof *before };

static StickStatus name_column(StickContext *ctx, StickGearTable *table, const char *name,
                               StickQuantity quantity)
{
    char label[STICK_LABEL_TEXT];
    stick_label(&table->model->units, name, quantity, label);
    char *copy = stick_copy_text(ctx, label);
    if (!copy)
        return STICK_NO_MEMORY;
    table->column[table->ncolumns++] = copy;
    return STICK_OK;
}

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

static StickStatus name_pairs(StickContext *ctx, StickGearTable *table)
{
    for (int share = 0; share < 2; share++)
        for (int k = 0; k < table->npairs; k++) {
            char name[64];
            snprintf(name, sizeof name, "%s.%d", share ? "share" : "load", table->first + k);
            STICK_TRY(name_column(ctx, table, name, share ? STICK_NO_UNIT : STICK_FORCE));
        }
    return STICK_OK;
}

static StickStatus make(StickContext *ctx, StickGearTable *table)
{
    STICK_TRY(stick_gear_pair_make(ctx, table->spec, &table->pair));
    count_pairs(table);
    int most = NBEFORE + 2 * table->npairs;
    STICK_ALLOC(ctx, table->column, most);
    STICK_ALLOC(ctx, table->row, most);
    STICK_ALLOC(ctx, table->load, table->npairs);
    STICK_ALLOC(ctx, table->moment, table->npairs);
    for (int k = 0; k < NBEFORE; k++)
        STICK_TRY(name_column(ctx, table, before[k].name, before[k].quantity));
    return name_pairs(ctx, table);
}

StickStatus stick_gear_table_create(StickContext *ctx, const StickModel *model, const StickGearPairSpec *spec,
                                    StickGearTable *table)
{
    *table = (StickGearTable){.model = model, .spec = spec};
    StickStatus status = make(ctx, table);
    if (status != STICK_OK)
        stick_gear_table_destroy(ctx, table);
    return status;
}

void stick_gear_table_destroy(StickContext *ctx, StickGearTable *table)
{
    for (int k = 0; k < table->ncolumns; k++)
        stick_free(ctx, table->column[k]);
    stick_free(ctx, table->column);
    stick_free(ctx, table->row);
    stick_free(ctx, table->load);
    stick_free(ctx, table->moment);
    *table = (StickGearTable){0};
}

// ---- a row

// What the strips of a position come to.
typedef struct Sum {
    double load, pressure, hertz;
    int pairs, strips;
} Sum;

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

void stick_gear_table_fill(StickGearTable *table, const StickGearPosition *position)
{
    const StickGearPair *pair = &table->pair;
    const StickGearSpec *gear = table->spec->gear;
    Sum sum = sum_up(table, position);
    double ratio = (double)gear[0].teeth / gear[1].teeth;       // of speeds, output by input
    double along = fabs(position->theta) * pair->tooth[1].base; // the line of action
    double efficiency = fabs(position->torque[1]) * ratio / fabs(position->torque[0]);
    const double value[NBEFORE] = {
        position->t,
        position->step,
        (double)position->number,
        position->s,
        pair->turns[0] * position->s,
        // behind where it should be: against its sense of rotation
        (pair->turns[1] > 0 ? -1 : 1) * position->theta * pair->working[1],
        (pair->turns[1] > 0 ? -1 : 1) * position->theta,
        position->torque[0],
        position->torque[1],
        efficiency,
        sum.load,
        sum.pairs,
        sum.strips,
        sum.pressure,
        sum.hertz,
        position->root_stress[0],
        position->root_stress[1],
        along > 0 ? sum.load / (table->spec->face_width * along) : (double)NAN,
    };
    memcpy(table->row, value, sizeof value);
    for (int k = 0; k < table->npairs; k++) {
        table->row[NBEFORE + k] = table->load[k];
        table->row[NBEFORE + table->npairs + k] = sum.load > 0 ? table->load[k] / sum.load : 0;
    }
}
