// SPDX-License-Identifier: Apache-2.0
#include "study/gear_results.h"

#include "base/file.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

static const char *const names[STICK_GEAR_NUMBERS] = {
    "transmission_error_mean",
    "transmission_error_peak_to_peak",
    "transmission_error_1",
    "transmission_error_2",
    "transmission_error_3",
    "transmission_error_4",
    "transmission_error_5",
    "transmission_error_6",
    "transmission_error_7",
    "transmission_error_8",
    "transmission_error_9",
    "transmission_error_10",
    "contact_ratio",
    "contact_ratio_loaded",
    "positions_of_two",
    "largest_share_change",
    "input_torque_mean",
    "input_torque_peak_to_peak",
    "efficiency",
    "pressure",
    "hertz",
    "pressure_by_hertz",
    "strips_by_pair",
    "root_stress_1",
    "root_stress_2",
    "stiffness_mean",
    "stiffness_single",
    "stiffness_standard",
};

const char *stick_gear_number_name(int k)
{
    return k >= 0 && k < STICK_GEAR_NUMBERS ? names[k] : NULL;
}

// ---- files

enum { PATH_TEXT = 4096 };

static void path_of(const char *folder, const StickGearPairSpec *spec, char path[PATH_TEXT])
{
    snprintf(path, PATH_TEXT, "%s/cycle/%s-numbers.csv", folder, spec->name);
}

bool stick_gear_is_there(const char *folder, const StickGearPairSpec *spec)
{
    char path[PATH_TEXT];
    path_of(folder, spec, path);
    return stick_file_exists(path);
}

StickStatus stick_gear_numbers(StickContext *ctx, const char *folder, const StickGearPairSpec *spec,
                               double value[STICK_GEAR_NUMBERS])
{
    char path[PATH_TEXT];
    StickColumns columns;
    path_of(folder, spec, path);
    STICK_TRY(stick_table_read(ctx, path, &columns));
    bool good = columns.ncolumns == STICK_GEAR_NUMBERS && columns.nrows == 1;
    for (int k = 0; good && k < STICK_GEAR_NUMBERS; k++)
        value[k] = columns.column[k][0];
    stick_columns_destroy(ctx, &columns);
    STICK_CHECK(
        ctx, good, STICK_IO,
        "'%s' does not have one row of %d numbers, so that no run of this version wrote it: run the model "
        "again, with --force",
        path, STICK_GEAR_NUMBERS);
    return STICK_OK;
}

// ---- checks

static const char *behind_point(const char *name)
{
    const char *point = strchr(name, '.');
    return point ? point + 1 : "";
}

const StickGearPairSpec *stick_gears_of(const StickModel *model, const char *name)
{
    return stick_model_gears(model, name, strcspn(name, "."));
}

static int find(const char *name)
{
    for (int k = 0; k < STICK_GEAR_NUMBERS; k++)
        if (strcmp(names[k], name) == 0)
            return k;
    return -1;
}

StickStatus stick_gear_validate(StickContext *ctx, const StickGearPairSpec *spec, const StickCheckSpec *check)
{
    const char *number = behind_point(check->series);
    if (find(number) >= 0 && !check->at_status)
        return STICK_OK;
    StickSuggestion suggestion = stick_suggestion(number, names, STICK_GEAR_NUMBERS);
    return stick_fail_at(
        ctx, STICK_BAD_INPUT, check->mark,
        "the gears '%s' have no number '%s'%s; columns of cycle/%s.csv are named as max(%s.pressure)",
        spec->name, number, suggestion.text, spec->name, spec->name);
}

StickStatus stick_gear_measure(StickContext *ctx, const char *folder, const StickGearPairSpec *spec,
                               const StickCheckSpec *check, double *value)
{
    double all[STICK_GEAR_NUMBERS];
    STICK_TRY(stick_gear_numbers(ctx, folder, spec, all));
    *value = all[find(behind_point(check->series))];
    return STICK_OK;
}

// ---- the summary

static void add_gears(StickContext *ctx, const char *folder, const StickGearPairSpec *spec, StickJson *json)
{
    double value[STICK_GEAR_NUMBERS];
    char table[512];
    if (!stick_gear_is_there(folder, spec) || stick_gear_numbers(ctx, folder, spec, value) != STICK_OK)
        return;
    snprintf(table, sizeof table, "cycle/%.400s.csv", spec->name);
    stick_json_key(json, spec->name);
    stick_json_object(json);
    stick_json_add_text(json, "table", table);
    stick_json_key(json, "teeth");
    stick_json_list(json);
    stick_json_number(json, spec->gear[0].teeth);
    stick_json_number(json, spec->gear[1].teeth);
    stick_json_end_list(json);
    stick_json_key(json, "harmonics");
    stick_json_list(json);
    for (int k = 0; k < STICK_GEAR_HARMONICS; k++)
        stick_json_number(json, value[STICK_GEAR_HARMONIC + k]);
    stick_json_end_list(json);
    for (int k = 0; k < STICK_GEAR_NUMBERS; k++)
        if (k < STICK_GEAR_HARMONIC || k >= STICK_GEAR_HARMONIC + STICK_GEAR_HARMONICS)
            stick_json_add_number(json, names[k], value[k]);
    stick_json_end_object(json);
}

void stick_gear_summarise(StickContext *ctx, const char *folder, const StickModel *model, StickJson *json)
{
    if (model->ngears == 0)
        return;
    stick_json_key(json, "gears");
    stick_json_object(json);
    for (int k = 0; k < model->ngears; k++)
        add_gears(ctx, folder, &model->gears[k], json);
    stick_json_end_object(json);
}
