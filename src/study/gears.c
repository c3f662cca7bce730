// SPDX-License-Identifier: Apache-2.0
#include "study/gears.h"

#include "base/file.h"
#include "base/text.h"
#include "gears/rating.h"
#include "output/gear_table.h"
#include "output/lines.h"
#include "output/units.h"
#include "study/gear_results.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PATH_TEXT = 4096 };

static const double FEW_STRIPS = 4; // of a pair of teeth
static const double CORNER = 2;     // times the pressure of Hertz: no contact of flanks has as much

// ---- the table

// Rows of the last step of a table.
typedef struct Cycle {
    StickContext *ctx;
    StickColumns columns;
    size_t first, count;
} Cycle;

static void path_of(const char *folder, const StickGearPairSpec *spec, const char *ending,
                    char path[PATH_TEXT])
{
    snprintf(path, PATH_TEXT, "%s/cycle/%s%s.csv", folder, spec->name, ending);
}

static const double *column(const Cycle *cycle, const char *name)
{
    int k = stick_columns_find(&cycle->columns, name);
    return k < 0 ? NULL : cycle->columns.column[k] + cycle->first;
}

// The first column that is not there; NULL: all are.
static const char *missing(const Cycle *cycle)
{
    static const char *const needed[] = {
        "t",      "step",     "s",     "transmission_error", "input_torque",  "efficiency", "pairs",
        "strips", "pressure", "hertz", "root_stress_1",      "root_stress_2", "stiffness"};
    for (size_t k = 0; k < sizeof needed / sizeof *needed; k++)
        if (!column(cycle, needed[k]))
            return needed[k];
    return NULL;
}

static StickStatus load(StickContext *ctx, const char *folder, const StickGearPairSpec *spec, Cycle *cycle)
{
    char path[PATH_TEXT];
    path_of(folder, spec, "", path);
    *cycle = (Cycle){.ctx = ctx};
    STICK_TRY(stick_table_read(ctx, path, &cycle->columns));
    size_t rows = cycle->columns.nrows;
    const double *step = column(cycle, "step");
    const char *name = missing(cycle);
    if (name) {
        stick_columns_destroy(ctx, &cycle->columns);
        return stick_fail(ctx, STICK_IO,
                          "'%s' has no column '%s', so that no run of this program wrote it: run the model "
                          "again, with --force",
                          path, name);
    }
    cycle->first = rows;
    while (cycle->first > 0 && step[cycle->first - 1] == step[rows - 1])
        cycle->first--;
    cycle->count = rows - cycle->first;
    return STICK_OK;
}

// ---- numbers

typedef struct Range {
    double mean, least, most;
} Range;

static Range range_of(const Cycle *cycle, const char *name)
{
    const double *value = column(cycle, name);
    Range range = {.least = NAN, .most = NAN};
    size_t count = 0;
    for (size_t k = 0; k < cycle->count; k++) {
        range.least = fmin(range.least, value[k]);
        range.most = fmax(range.most, value[k]);
        if (isnan(value[k]))
            continue;
        range.mean += value[k];
        count++;
    }
    range.mean = count ? range.mean / (double)count : (double)NAN;
    return range;
}

// Amplitudes at multiples of the mesh frequency; t counts cycles of a tooth.
static StickStatus add_harmonics(const Cycle *cycle, double harmonic[STICK_GEAR_HARMONICS])
{
    const double *t = column(cycle, "t");
    StickSignal signal = {.n = cycle->count, .t0 = t[0], .y = column(cycle, "transmission_error")};
    for (int k = 0; k < STICK_GEAR_HARMONICS; k++)
        harmonic[k] = NAN;
    if (cycle->count < 4)
        return STICK_OK;
    signal.dt = (t[cycle->count - 1] - t[0]) / (double)(cycle->count - 1);
    double length = signal.dt * (double)cycle->count, cycles = round(length);
    if (!(cycles >= 1) || fabs(length - cycles) > 1e-6)
        return STICK_OK;
    StickLines lines;
    STICK_TRY(stick_lines_create(cycle->ctx, &signal, STICK_WINDOW_NONE, &lines));
    for (int k = 0; k < STICK_GEAR_HARMONICS; k++) {
        size_t line = (size_t)(k + 1) * (size_t)cycles;
        if (line < lines.count)
            harmonic[k] = lines.amplitude[line];
    }
    stick_lines_destroy(cycle->ctx, &lines);
    return STICK_OK;
}

// The row nearest to the pitch point, or to where a tooth passes it in another cycle: of those with one pair, or of all.
static size_t at_pitch_point(const Cycle *cycle, bool single)
{
    const double *t = column(cycle, "t"), *pairs = column(cycle, "pairs");
    size_t best = cycle->count;
    double least = INFINITY;
    for (size_t k = 0; k < cycle->count; k++) {
        double away = fabs(t[k] - 0.5 - round(t[k] - 0.5));
        if ((single && pairs[k] != 1) || !(away < least))
            continue;
        least = away;
        best = k;
    }
    return best;
}

static double at_or_none(const Cycle *cycle, const char *name, size_t row)
{
    return row < cycle->count ? column(cycle, name)[row] : (double)NAN;
}

static int count_two(const Cycle *cycle)
{
    const double *pairs = column(cycle, "pairs");
    int count = 0;
    for (size_t k = 0; k < cycle->count; k++)
        count += pairs[k] >= 2;
    return count;
}

static double share_change(const Cycle *cycle)
{
    double most = NAN;
    for (int c = 0; c < cycle->columns.ncolumns; c++) {
        const double *share = cycle->columns.column[c] + cycle->first;
        if (strncmp(cycle->columns.name[c], "share.", 6) != 0)
            continue;
        for (size_t k = 1; k < cycle->count; k++)
            most = fmax(most, fabs(share[k] - share[k - 1]));
    }
    return most;
}

static void add_means(const Cycle *cycle, double value[STICK_GEAR_NUMBERS])
{
    Range error = range_of(cycle, "transmission_error"), input = range_of(cycle, "input_torque");
    size_t near = at_pitch_point(cycle, false);
    value[STICK_GEAR_ERROR_MEAN] = error.mean;
    value[STICK_GEAR_ERROR_PEAK_TO_PEAK] = error.most - error.least;
    value[STICK_GEAR_LOADED_RATIO] = range_of(cycle, "pairs").mean;
    value[STICK_GEAR_TWO_PAIRS] = count_two(cycle);
    value[STICK_GEAR_LARGEST_SHARE_CHANGE] = share_change(cycle);
    value[STICK_GEAR_INPUT_MEAN] = input.mean;
    value[STICK_GEAR_INPUT_PEAK_TO_PEAK] = input.most - input.least;
    // the work of a cycle: outputs by inputs
    const double *in = column(cycle, "input_torque"), *efficiency = column(cycle, "efficiency");
    double out = 0, all = 0;
    for (size_t k = 0; k < cycle->count; k++)
        if (!isnan(efficiency[k])) // else nothing is loaded
            out += in[k] * efficiency[k], all += in[k];
    value[STICK_GEAR_EFFICIENCY] = all > 0 ? out / all : (double)NAN;
    value[STICK_GEAR_PRESSURE] = range_of(cycle, "pressure").most;
    value[STICK_GEAR_HERTZ] = range_of(cycle, "hertz").most;
    value[STICK_GEAR_PRESSURE_BY_HERTZ] =
        at_or_none(cycle, "pressure", near) / at_or_none(cycle, "hertz", near);
    value[STICK_GEAR_STRIPS] = range_of(cycle, "strips").mean / range_of(cycle, "pairs").mean;
    value[STICK_GEAR_ROOT_1] = range_of(cycle, "root_stress_1").most;
    value[STICK_GEAR_ROOT_2] = range_of(cycle, "root_stress_2").most;
    value[STICK_GEAR_STIFFNESS_MEAN] = range_of(cycle, "stiffness").mean;
    value[STICK_GEAR_STIFFNESS_SINGLE] = at_or_none(cycle, "stiffness", at_pitch_point(cycle, true));
}

static StickStatus compute(StickContext *ctx, const char *folder, const StickModel *model,
                           const StickGearPairSpec *spec, double value[STICK_GEAR_NUMBERS])
{
    StickGearPair pair;
    Cycle cycle;
    STICK_TRY(stick_gear_pair_make(ctx, spec, &pair));
    STICK_TRY(load(ctx, folder, spec, &cycle));
    for (int k = 0; k < STICK_GEAR_NUMBERS; k++)
        value[k] = NAN;
    value[STICK_GEAR_CONTACT_RATIO] = pair.contact_ratio;
    value[STICK_GEAR_STIFFNESS_STANDARD] = stick_gear_standard_stiffness(model, spec);
    StickStatus status = STICK_OK;
    if (cycle.count > 0) {
        add_means(&cycle, value);
        status = add_harmonics(&cycle, &value[STICK_GEAR_HARMONIC]);
    }
    stick_columns_destroy(ctx, &cycle.columns);
    return status;
}

// ---- what is written and told

static StickStatus write_numbers(StickContext *ctx, const char *folder, const StickGearPairSpec *spec,
                                 const double value[STICK_GEAR_NUMBERS])
{
    char path[PATH_TEXT];
    StickText text;
    path_of(folder, spec, "-numbers", path);
    stick_text_init(&text, ctx);
    for (int k = 0; k < STICK_GEAR_NUMBERS; k++)
        stick_text_add(&text, k + 1 < STICK_GEAR_NUMBERS ? "%s," : "%s\n", stick_gear_number_name(k));
    for (int k = 0; k < STICK_GEAR_NUMBERS; k++) {
        stick_text_add_number(&text, value[k]);
        stick_text_add(&text, k + 1 < STICK_GEAR_NUMBERS ? "," : "\n");
    }
    StickStatus status = stick_text_status(&text);
    if (status == STICK_OK)
        status = stick_file_write(ctx, path, text.bytes, text.length);
    stick_text_destroy(&text);
    return status;
}

static void tell_error(StickContext *ctx, const StickModel *model, const char *name, const double *value)
{
    const double *harmonic = &value[STICK_GEAR_HARMONIC];
    char length[STICK_UNIT_TEXT], harmonics[128] = "";
    stick_unit(&model->units, STICK_LENGTH, length);
    if (!isnan(harmonic[2]))
        snprintf(harmonics, sizeof harmonics, "; at 1, 2 and 3 times the mesh frequency %.3g, %.3g and %.3g",
                 harmonic[0], harmonic[1], harmonic[2]);
    stick_note(ctx, "gears '%s': transmission error %.4g %s on the mean, from peak to peak %.4g%s", name,
               value[STICK_GEAR_ERROR_MEAN], length, value[STICK_GEAR_ERROR_PEAK_TO_PEAK], harmonics);
}

static void tell_stiffness(StickContext *ctx, const StickModel *model, const char *name, const double *value)
{
    char pressure[STICK_UNIT_TEXT], single[128] = "";
    stick_unit(&model->units, STICK_PRESSURE, pressure);
    if (!isnan(value[STICK_GEAR_STIFFNESS_SINGLE]))
        snprintf(single, sizeof single,
                 ", at the position with one pair of teeth that is nearest to the pitch point %.4g",
                 value[STICK_GEAR_STIFFNESS_SINGLE]);
    stick_note(ctx, "gears '%s': stiffness by face width %.4g %s on the mean%s (ISO 6336-1, c'_th: %.4g)",
               name, value[STICK_GEAR_STIFFNESS_MEAN], pressure, single,
               value[STICK_GEAR_STIFFNESS_STANDARD]);
}

static void tell_loads(StickContext *ctx, const StickModel *model, const char *name, const double *value)
{
    char pressure[STICK_UNIT_TEXT];
    stick_unit(&model->units, STICK_PRESSURE, pressure);
    stick_note(
        ctx,
        "gears '%s': contact ratio %.4g, under load %.4g; efficiency %.5g; largest pressure %.4g %s, by "
        "Hertz %.4g; largest tension at the roots %.4g and %.4g",
        name, value[STICK_GEAR_CONTACT_RATIO], value[STICK_GEAR_LOADED_RATIO], value[STICK_GEAR_EFFICIENCY],
        value[STICK_GEAR_PRESSURE], pressure, value[STICK_GEAR_HERTZ], value[STICK_GEAR_ROOT_1],
        value[STICK_GEAR_ROOT_2]);
}

// Pressures that a mesh cannot tell.
static void tell_doubts(StickContext *ctx, const char *name, const double *value)
{
    if (value[STICK_GEAR_STRIPS] < FEW_STRIPS)
        stick_note(
            ctx,
            "gears '%s': a pair of teeth presses by %.2g strip%s only: pressures are means over wide strips; "
            "more 'flank-nodes' make them narrower",
            name, value[STICK_GEAR_STRIPS], value[STICK_GEAR_STRIPS] < 1.05 ? "" : "s");
    if (value[STICK_GEAR_PRESSURE] > CORNER * value[STICK_GEAR_HERTZ])
        stick_note(
            ctx,
            "gears '%s': the largest pressure is that of a tip corner, whose value is that of the mesh; a "
            "'tip-relief' keeps corners apart",
            name);
}

// Without load there is no efficiency, pressure or stiffness.
static void tell_no_load(StickContext *ctx, const char *name, const double *value)
{
    stick_note(
        ctx,
        "gears '%s': contact ratio %.4g; no load presses the flanks: the transmission error is that of "
        "reliefs and of the strips of the mesh, whose part becomes smaller with more 'flank-nodes'; give "
        "the output a 'torque'",
        name, value[STICK_GEAR_CONTACT_RATIO]);
}

static void tell(StickContext *ctx, const StickModel *model, const char *name, const double *value)
{
    tell_error(ctx, model, name, value);
    if (isnan(value[STICK_GEAR_EFFICIENCY])) {
        tell_no_load(ctx, name, value);
        return;
    }
    tell_loads(ctx, model, name, value);
    tell_stiffness(ctx, model, name, value);
    tell_doubts(ctx, name, value);
}

StickStatus stick_gears_write(StickContext *ctx, const char *folder, const StickModel *model)
{
    double value[STICK_GEAR_NUMBERS];
    for (int k = 0; k < model->ngears; k++) {
        const StickGearPairSpec *spec = &model->gears[k];
        char path[PATH_TEXT];
        path_of(folder, spec, "", path);
        if (!stick_file_exists(path))
            continue;
        STICK_TRY(compute(ctx, folder, model, spec, value));
        STICK_TRY(write_numbers(ctx, folder, spec, value));
        if (!isnan(value[STICK_GEAR_ERROR_MEAN]))
            tell(ctx, model, spec->name, value);
    }
    return STICK_OK;
}
