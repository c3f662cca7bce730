// SPDX-License-Identifier: Apache-2.0
#include "study/motion_results.h"

#include "base/file.h"
#include "base/text.h"
#include "output/oscillation.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PATH_TEXT = 4096 };

// ---- signals

static bool is_disturbed(const StickStepSpec *step)
{
    return step->kind == STICK_STEP_DYNAMICS && step->perturb.given;
}

static StickTold told_of(const StickSignalSpec *spec)
{
    return (StickTold){spec->value.name, spec->step, spec};
}

bool stick_told_at(const StickModel *model, int k, StickTold *told)
{
    const StickOutputSpec *output = &model->output;
    for (int step = 0; step < model->nsteps; step++)
        if (is_disturbed(&model->step[step]) && k-- == 0) {
            *told = (StickTold){model->step[step].name, step, NULL};
            return true;
        }
    bool sound = k >= output->nspectra;
    int of_kind = sound ? k - output->nspectra : k;
    if (k < 0 || (sound && of_kind >= output->nsounds))
        return false;
    *told = told_of(sound ? &output->sound[of_kind] : &output->spectrum[of_kind]);
    return true;
}

static bool find_told(const StickModel *model, const char *name, size_t length, StickTold *told)
{
    for (int k = 0; stick_told_at(model, k, told); k++)
        if (strlen(told->name) == length && strncmp(told->name, name, length) == 0)
            return true;
    return false;
}

// ---- numbers

static const char *const motion_names[STICK_MOTION_NUMBERS] = {
    "motion",
    "saturated_from",
    "saturated_to",
    "dominant_frequency",
    "dominant_amplitude",
    "period",
    "return_error",
    "amplitude",
    "mean",
    "rms",
};
static const char *const contact_names[STICK_CONTACT_NUMBERS] = {
    "stick", "slip", "apart", "impacts", "impact_rate", "contact_nodes", "lifting_nodes",
};
static const char *const sound_names[STICK_SOUND_NUMBERS] = {
    "rate", "seconds", "slowed", "repeats", "loop_from", "full_scale", "gain_reduced",
};

const char *stick_motion_number_name(int k)
{
    return k >= 0 && k < STICK_MOTION_NUMBERS ? motion_names[k] : NULL;
}

const char *stick_contact_number_name(int k)
{
    return k >= 0 && k < STICK_CONTACT_NUMBERS ? contact_names[k] : NULL;
}

const char *stick_sound_number_name(int k)
{
    return k >= 0 && k < STICK_SOUND_NUMBERS ? sound_names[k] : NULL;
}

static int find_name(const char *const *names, int count, const char *name)
{
    for (int k = 0; k < count; k++)
        if (strcmp(names[k], name) == 0)
            return k;
    return -1;
}

bool stick_motion_exists(const char *folder, const char *name, const char *file)
{
    char path[PATH_TEXT];
    int length = snprintf(path, sizeof path, "%s/motion/%s/%s", folder, name, file);
    return length < PATH_TEXT && stick_file_exists(path);
}

static StickStatus read_table(StickContext *ctx, const char *folder, const char *name, const char *file,
                              StickColumns *columns)
{
    char path[PATH_TEXT];
    snprintf(path, sizeof path, "%s/motion/%s/%s", folder, name, file);
    return stick_table_read(ctx, path, columns);
}

// The one row of a table of numbers.
static StickStatus read_numbers(StickContext *ctx, const char *folder, const char *name, const char *file,
                                int count, double *value)
{
    StickColumns columns;
    STICK_TRY(read_table(ctx, folder, name, file, &columns));
    bool good = columns.ncolumns == count && columns.nrows == 1;
    for (int k = 0; good && k < count; k++)
        value[k] = columns.column[k][0];
    stick_columns_destroy(ctx, &columns);
    STICK_CHECK(ctx, good, STICK_IO,
                "'motion/%s/%s' does not have one row of %d numbers, so that no run of this version wrote "
                "it: run the "
                "model again, with --force",
                name, file, count);
    return STICK_OK;
}

StickStatus stick_motion_numbers(StickContext *ctx, const char *folder, const char *name,
                                 double value[STICK_MOTION_NUMBERS])
{
    return read_numbers(ctx, folder, name, "numbers.csv", STICK_MOTION_NUMBERS, value);
}

StickStatus stick_sound_numbers(StickContext *ctx, const char *folder, const char *name,
                                double value[STICK_SOUND_NUMBERS])
{
    return read_numbers(ctx, folder, name, "sound.csv", STICK_SOUND_NUMBERS, value);
}

static double sum_of(const StickColumns *columns, const char *name)
{
    int k = stick_columns_find(columns, name);
    double sum = k < 0 ? NAN : 0;
    for (size_t row = 0; k >= 0 && row < columns->nrows; row++)
        sum += columns->column[k][row];
    return sum;
}

static int lifting(const StickColumns *columns)
{
    int k = stick_columns_find(columns, "apart"), count = 0;
    for (size_t row = 0; k >= 0 && row < columns->nrows; row++)
        count += columns->column[k][row] > 0;
    return count;
}

StickStatus stick_contact_numbers(StickContext *ctx, const char *folder, const char *step,
                                  double value[STICK_CONTACT_NUMBERS])
{
    StickColumns columns;
    STICK_TRY(read_table(ctx, folder, step, "contacts.csv", &columns));
    double nodes = (double)columns.nrows, impacts = sum_of(&columns, "impacts");
    double time = sum_of(&columns, "end") - sum_of(&columns, "t"); // of all nodes together
    const double all[STICK_CONTACT_NUMBERS] = {
        sum_of(&columns, "stick") / nodes,
        sum_of(&columns, "slip") / nodes,
        sum_of(&columns, "apart") / nodes,
        impacts,
        impacts / time,
        nodes,
        lifting(&columns),
    };
    memcpy(value, all, sizeof all);
    stick_columns_destroy(ctx, &columns);
    return STICK_OK;
}

// ---- checks

// The step whose name is in front of the point, if its motion is told; -1: there is none.
static int find_step(const StickModel *model, const char *name, size_t length)
{
    for (int k = 0; k < model->nsteps; k++)
        if (stick_step_is_told(model, k) && strlen(model->step[k].name) == length &&
            strncmp(model->step[k].name, name, length) == 0)
            return k;
    return -1;
}

bool stick_motion_owns(const StickModel *model, const char *name)
{
    size_t length = strcspn(name, ".");
    const char *number = name[length] == '.' ? name + length + 1 : "";
    StickTold told;
    bool known = find_name(motion_names, STICK_MOTION_NUMBERS, number) >= 0 ||
                 find_name(contact_names, STICK_CONTACT_NUMBERS, number) >= 0;
    int step = find_step(model, name, length);
    if (step >= 0 && is_disturbed(&model->step[step]))
        return known;
    return step >= 0 || (find_told(model, name, length, &told) && told.spec);
}

StickStatus stick_motion_validate(StickContext *ctx, const StickModel *model, const StickCheckSpec *check)
{
    size_t length = strcspn(check->series, ".");
    const char *number = check->series[length] == '.' ? check->series + length + 1 : "";
    StickTold told;
    bool signal = find_told(model, check->series, length, &told),
         step = find_step(model, check->series, length) >= 0;
    bool known = (signal && find_name(motion_names, STICK_MOTION_NUMBERS, number) >= 0) ||
                 (step && find_name(contact_names, STICK_CONTACT_NUMBERS, number) >= 0);
    if (known && !check->at_status)
        return STICK_OK;
    StickSuggestion suggestion = signal ? stick_suggestion(number, motion_names, STICK_MOTION_NUMBERS)
                                        : stick_suggestion(number, contact_names, STICK_CONTACT_NUMBERS);
    return stick_fail_at(ctx, STICK_BAD_INPUT, check->mark, "the motion of '%.*s' has no number '%s'%s",
                         (int)length, check->series, number, suggestion.text);
}

StickStatus stick_motion_measure(StickContext *ctx, const char *folder, const StickModel *model,
                                 const StickCheckSpec *check, double *value)
{
    size_t length = strcspn(check->series, ".");
    const char *number = check->series + length + 1;
    int of_motion = find_name(motion_names, STICK_MOTION_NUMBERS, number);
    StickTold told;
    if (of_motion >= 0 && find_told(model, check->series, length, &told)) {
        double all[STICK_MOTION_NUMBERS];
        STICK_TRY(stick_motion_numbers(ctx, folder, told.name, all));
        *value = all[of_motion];
        return STICK_OK;
    }
    double all[STICK_CONTACT_NUMBERS];
    int step = find_step(model, check->series, length);
    STICK_TRY(stick_contact_numbers(ctx, folder, model->step[step].name, all));
    *value = all[find_name(contact_names, STICK_CONTACT_NUMBERS, number)];
    return STICK_OK;
}

// ---- the summary

static void add_peaks(StickContext *ctx, const char *folder, const char *name, StickJson *json)
{
    StickColumns columns;
    stick_json_key(json, "peaks");
    stick_json_list(json);
    if (stick_motion_exists(folder, name, "peaks.csv") &&
        read_table(ctx, folder, name, "peaks.csv", &columns) == STICK_OK) {
        for (size_t k = 0; k < columns.nrows && columns.ncolumns == 2; k++) {
            stick_json_object(json);
            stick_json_add_number(json, "frequency", columns.column[0][k]);
            stick_json_add_number(json, "amplitude", columns.column[1][k]);
            stick_json_end_object(json);
        }
        stick_columns_destroy(ctx, &columns);
    }
    stick_json_end_list(json);
}

static void add_sound(StickContext *ctx, const char *folder, const StickTold *told, StickJson *json)
{
    double value[STICK_SOUND_NUMBERS];
    if (!told->spec || !told->spec->sound.file || !stick_motion_exists(folder, told->name, "sound.csv") ||
        stick_sound_numbers(ctx, folder, told->name, value) != STICK_OK)
        return;
    stick_json_key(json, "sound");
    stick_json_object(json);
    stick_json_add_text(json, "file", told->spec->sound.file);
    for (int k = 0; k < STICK_SOUND_NUMBERS; k++)
        stick_json_add_number(json, sound_names[k], value[k]);
    stick_json_end_object(json);
}

// "m/s" of the column in which a signal stands
static void add_column(StickContext *ctx, const char *folder, const StickTold *told, StickJson *json)
{
    char table[512], path[PATH_TEXT], unit[256] = "";
    const char *column = told->spec ? told->name : "real";
    StickColumns columns;
    snprintf(table, sizeof table, "history/%.400s%s.csv", told->name, told->spec ? "" : "-growth");
    snprintf(path, sizeof path, "%s/%s", folder, table);
    stick_json_add_text(json, "table", table);
    stick_json_add_text(json, "column", column);
    if (stick_table_read(ctx, path, &columns) != STICK_OK)
        return;
    const char *label = columns.name[1] + stick_column_name_length(columns.name[1]);
    if (strlen(label) > 3)
        snprintf(unit, sizeof unit, "%.*s", (int)strlen(label) - 3, label + 2);
    stick_json_add_text(json, "unit", unit);
    stick_columns_destroy(ctx, &columns);
}

static void add_signal(StickContext *ctx, const char *folder, const StickModel *model, const StickTold *told,
                       StickJson *json)
{
    double value[STICK_MOTION_NUMBERS];
    if (!stick_motion_exists(folder, told->name, "numbers.csv") ||
        stick_motion_numbers(ctx, folder, told->name, value) != STICK_OK)
        return;
    stick_json_key(json, told->name);
    stick_json_object(json);
    stick_json_add_text(json, "step", model->step[told->step].name);
    add_column(ctx, folder, told, json);
    stick_json_add_text(json, "motion", stick_motion_word((StickMotionKind)value[STICK_NUMBER_MOTION]));
    add_peaks(ctx, folder, told->name, json);
    add_sound(ctx, folder, told, json);
    stick_json_end_object(json);
}

static void add_portraits(const StickModel *model, StickJson *json)
{
    char table[512];
    stick_json_key(json, "portraits");
    stick_json_object(json);
    for (int k = 0; k < model->output.nportraits; k++) {
        const StickPortraitSpec *portrait = &model->output.portrait[k];
        stick_json_key(json, portrait->value.name);
        stick_json_object(json);
        snprintf(table, sizeof table, "history/%.400s.csv", portrait->value.name);
        stick_json_add_text(json, "step", model->step[portrait->step].name);
        stick_json_add_text(json, "table", table);
        stick_json_add_bool(json, "each", portrait->value.each);
        stick_json_end_object(json);
    }
    stick_json_end_object(json);
}

static void add_statistics(StickContext *ctx, const char *folder, const char *step, StickJson *json)
{
    StickColumns columns;
    char file[512];
    if (!stick_motion_exists(folder, step, "contacts.csv") ||
        read_table(ctx, folder, step, "contacts.csv", &columns) != STICK_OK)
        return;
    snprintf(file, sizeof file, "motion/%.400s/contacts.csv", step);
    stick_json_key(json, step);
    stick_json_object(json);
    stick_json_add_text(json, "file", file);
    stick_json_add_number(json, "from", columns.nrows ? columns.column[0][0] : NAN);
    stick_json_add_number(json, "to", columns.nrows ? columns.column[1][0] : NAN);
    stick_json_end_object(json);
    stick_columns_destroy(ctx, &columns);
}

void stick_motion_summarise(StickContext *ctx, const char *folder, const StickModel *model, StickJson *json)
{
    StickTold told;
    if (!stick_told_at(model, 0, &told) && model->output.nportraits == 0)
        return;
    stick_json_key(json, "signals");
    stick_json_object(json);
    for (int k = 0; stick_told_at(model, k, &told); k++)
        add_signal(ctx, folder, model, &told, json);
    stick_json_end_object(json);
    add_portraits(model, json);
    stick_json_key(json, "statistics");
    stick_json_object(json);
    for (int k = 0; k < model->nsteps; k++)
        if (stick_step_is_told(model, k))
            add_statistics(ctx, folder, model->step[k].name, json);
    stick_json_end_object(json);
}
