// SPDX-License-Identifier: Apache-2.0
// Motion by recorded tables.
#include "base/file.h"
#include "base/inputs.h"
#include "model/tables.h"
#include "model/time_history.h"

#include <math.h>

enum { MOST_RECORDS = 16 };

typedef struct Reading {
    StickTimeHistoryOptions options;
    char *file, *time, *column;
    StickTimeHistorySpec spec;
} Reading;

static StickStatus read_file(StickReader *reader, const StickField *field, StickYaml *node, void *item)
{
    return stick_read_path(reader, field, node, &((Reading *)item)->file);
}

static const StickChoice kinds[] = {
    {"acceleration", STICK_TIME_HISTORY_ACCELERATION, "integrated twice, from rest"},
    {"velocity", STICK_TIME_HISTORY_VELOCITY, "integrated once"},
    {"displacement", STICK_TIME_HISTORY_DISPLACEMENT, "relative to the first sample"},
    {NULL, 0, NULL},
};

static const StickChoice baselines[] = {
    {"none", STICK_BASELINE_NONE, "the samples as they are"},
    {"mean", STICK_BASELINE_MEAN, "the mean over time is subtracted"},
    {"linear", STICK_BASELINE_LINEAR,
     "the least-squares straight line is subtracted, so that accelerations leave neither a velocity nor a "
     "displacement at the end"},
    {NULL, 0, NULL},
};

static const StickChoice spacings[] = {
    {"even", false, "a time step more than 1.5 times the shortest one is a gap, which is an error"},
    {"any", true, "time steps may differ: the quantity is linear in between"},
    {NULL, 0, NULL},
};

static const StickChoice betweens[] = {
    {"smooth", false, "a cubic spline: velocities do not jump at the samples"},
    {"linear", true,
     "piecewise linear: velocities jump at every sample, which acts as an impact on bodies in contact"},
    {NULL, 0, NULL},
};

static const StickField record_fields[] = {
    {.key = "file",
     .type = STICK_FIELD_OWN,
     .text = "a table of numbers separated by commas, semicolons, tabs or blanks; relative paths start at "
             "the folder of the model file; the first line may name the columns, with or without units, as a "
             "[m/s2]; all lines have the same number of fields",
     .required = true,
     .takes = "path of a file",
     .json = "string",
     .read = read_file},
    {.key = "what",
     .type = STICK_FIELD_CHOICE,
     .text = "the recorded quantity",
     .standard = "acceleration",
     .choices = kinds,
     .at = STICK_AT(Reading, options.kind)},
    {.key = "column",
     .type = STICK_FIELD_TEXT,
     .text = "name or number of the column with the samples; default: the second",
     .at = STICK_AT(Reading, column)},
    {.key = "time",
     .type = STICK_FIELD_TEXT,
     .text = "name or number of the column with the times; default: the first",
     .at = STICK_AT(Reading, time)},
    {.key = "along",
     .type = STICK_FIELD_NUMBERS,
     .text = "direction of the motion; its length also scales the motion: [1, 1] multiplies it by 1.414, and "
             "[0.6, 0.8] keeps its size",
     .required = true,
     .of_space = true,
     .at = STICK_AT(Reading, spec.along)},
    {.key = "scale",
     .type = STICK_FIELD_NUMBER,
     .text = "factor of the samples: 9.81 for accelerations in g",
     .standard = "1",
     .at = STICK_AT(Reading, options.scale)},
    {.key = "start",
     .type = STICK_FIELD_NUMBER,
     .text = "time of the model at time 0 of the record",
     .unit = "time",
     .standard = "0",
     .at = STICK_AT(Reading, options.start)},
    {.key = "baseline",
     .type = STICK_FIELD_CHOICE,
     .text = "baseline correction, applied first",
     .standard = "none",
     .choices = baselines,
     .at = STICK_AT(Reading, options.baseline)},
    {.key = "spacing",
     .type = STICK_FIELD_SWITCH,
     .text = "time steps of the record",
     .standard = "even",
     .choices = spacings,
     .at = STICK_AT(Reading, options.uneven)},
    {.key = "between",
     .type = STICK_FIELD_SWITCH,
     .text = "displacements between samples; accelerations and velocities are linear",
     .standard = "smooth",
     .choices = betweens,
     .at = STICK_AT(Reading, options.straight)},
    {.key = NULL},
};

static StickStatus finish_record(StickReader *reader, const StickYaml *node, void *item)
{
    Reading *reading = item;
    char *bytes = NULL;
    size_t count = 0;
    StickMark mark = stick_yaml_find(node, "file")->mark;
    const StickYaml *along = stick_yaml_find(node, "along");
    const double *way = reading->spec.along;
    if (way[0] == 0 && way[1] == 0 && way[2] == 0)
        STICK_COMPLAIN(reader, along->mark, "'along' is 0: it must be a direction, as [1, 0]");
    if (stick_folder_exists(reading->file)) {
        STICK_COMPLAIN(reader, mark, "cannot read the record '%s': it is a folder", reading->file);
        return STICK_OK;
    }
    if (!stick_file_is_regular(reading->file)) {
        STICK_COMPLAIN(reader, mark, "cannot read the record '%s': %s", reading->file,
                       stick_file_exists(reading->file) ? "it is not a regular file"
                                                        : "there is no such file");
        return STICK_OK;
    }
    STICK_TRY(stick_input_read(reader->ctx, reading->file, &bytes, &count));
    reading->options.time = reading->time;
    reading->options.column = reading->column;
    reading->options.factor = hypot(hypot(way[0], way[1]), way[2]);
    StickStatus status = stick_time_history_read(&reader->model->arena,
                                                 &(StickTimeHistorySource){reading->file, bytes, count, mark},
                                                 &reading->options, &reading->spec.record);
    stick_free(reader->ctx, bytes);
    return stick_go_on(status);
}

const StickSchema stick_time_history_table = {
    .title = "a record",
    .text = "Motion along a direction given by a recorded time history. Between samples accelerations and "
            "velocities are linear, and are integrated exactly; before the first sample the motion is zero, "
            "after the last one accelerations and velocities of the table are zero.",
    .mark_at = STICK_AT(Reading, spec.mark),
    .fields = record_fields,
    .finish = finish_record,
};

static StickStatus read_one(StickReader *reader, StickYaml *node, StickTimeHistorySpec *spec)
{
    Reading reading = {.file = NULL};
    STICK_TRY(stick_read_map(reader, &stick_time_history_table, node, &reading));
    *spec = reading.spec;
    return STICK_OK;
}

StickStatus stick_read_records(StickReader *reader, const StickField *field, StickYaml *node, void *item)
{
    StickObstacleSpec *obstacle = item;
    bool list = node->kind == STICK_YAML_LIST;
    int count = list ? node->count : 1;
    if (count < 1 || count > MOST_RECORDS) {
        STICK_COMPLAIN(reader, node->mark, "'%s' has %d records, but must have from 1 to %d", field->key,
                       count, MOST_RECORDS);
        return STICK_OK;
    }
    STICK_TAKE(&reader->model->arena, obstacle->record, count);
    for (StickYaml *child = list ? node->first : node; child; child = list ? child->next : NULL)
        STICK_TRY(read_one(reader, child, &obstacle->record[obstacle->nrecords++]));
    return STICK_OK;
}
