// SPDX-License-Identifier: Apache-2.0
// Signals of dynamic steps: spectra, sounds, phase portraits.
#include "model/result.h"
#include "model/tables.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- the step that they belong to

static StickStatus read_step(StickReader *reader, const StickField *field, const StickYaml *node, char **name,
                             StickMark *mark)
{
    *mark = node->mark;
    return stick_read_text(reader, field, node, name);
}

static StickStatus read_signal_step(StickReader *reader, const StickField *field, StickYaml *node, void *item)
{
    StickSignalSpec *signal = item;
    return read_step(reader, field, node, &signal->step_name, &signal->step_mark);
}

static StickStatus read_portrait_step(StickReader *reader, const StickField *field, StickYaml *node,
                                      void *item)
{
    StickPortraitSpec *portrait = item;
    return read_step(reader, field, node, &portrait->step_name, &portrait->step_mark);
}

#define STEP_FIELD(reading)                                                                       \
    {                                                                                             \
        .key = "step", .type = STICK_FIELD_OWN,                                                   \
        .text = "dynamic step in which it is recorded at every time step; default: the last one", \
        .takes = "name of a step", .json = "string", .read = reading,                             \
    }

#define WHERE_FIELD                                                                          \
    {                                                                                        \
        .key = "of", .type = STICK_FIELD_OWN,                                                \
        .text = "location; for a group the mean or sum, as for a history", .required = true, \
        .takes = "body.group, body, obstacle or joint", .read = stick_read_followed,         \
    }

#define WHAT_FIELD                                                                                      \
    {                                                                                                   \
        .key = "what", .type = STICK_FIELD_OWN, .required = true, .text = "quantity, as for a history", \
        .takes = "quantity or quantity.component", .names = stick_result_name, .json = "string",        \
        .read = stick_read_what,                                                                        \
    }

#define TIME_FIELD(name, meaning)                                                  \
    {                                                                              \
        .key = #name, .type = STICK_FIELD_NUMBER, .unit = "time", .text = meaning, \
        .at = STICK_AT(StickSignalSpec, name),                                     \
    }

static const StickChoice windows[] = {
    {"hann", STICK_WINDOW_HANN, "cosine window: low leakage to distant frequencies"},
    {"none", STICK_WINDOW_NONE, "rectangular window: for time windows of whole periods"},
    {NULL, 0, NULL},
};

#define WINDOW_FIELD                                                                            \
    {                                                                                           \
        .key = "window", .type = STICK_FIELD_CHOICE, .text = "window function of the spectrum", \
        .standard = "hann", .choices = windows, .at = STICK_AT(StickSignalSpec, window),        \
    }

static const char from_text[] =
    "start of the time window; default: where the motion is saturated (detected automatically)";
static const char to_text[] = "end of the time window; default: the end of the step";

static void finish_window(StickReader *reader, const StickYaml *node, StickSignalSpec *signal)
{
    const StickYaml *from = stick_yaml_find(node, "from"), *to = stick_yaml_find(node, "to");
    signal->from = from ? signal->from : -HUGE_VAL;
    signal->to = to ? signal->to : HUGE_VAL;
    if (signal->from >= signal->to)
        STICK_COMPLAIN(reader, from->mark, "'from' is %g, but must be before 'to', %g", signal->from,
                       signal->to);
}

// ---- spectra

static const StickField signal_fields[] = {
    {.key = "name",
     .type = STICK_FIELD_NAME,
     .text = "name of the table and of its folder, unique among histories and steps",
     .required = true,
     .at = STICK_AT(StickSignalSpec, value.name)},
    WHERE_FIELD,
    STICK_NEAREST_FIELD,
    WHAT_FIELD,
    STEP_FIELD(read_signal_step),
    TIME_FIELD(from, from_text),
    TIME_FIELD(to, to_text),
    WINDOW_FIELD,
    {.key = NULL},
};

static StickStatus finish_signal(StickReader *reader, const StickYaml *node, void *item)
{
    finish_window(reader, node, item);
    return stick_finish_history(reader, node, item);
}

const StickSchema stick_signal_table = {
    .title = "a signal",
    .text = "A quantity of a dynamic step whose spectrum is computed and which is tested for a limit cycle.",
    .size = sizeof(StickSignalSpec),
    .mark_at = STICK_AT(StickSignalSpec, value.mark),
    .fields = signal_fields,
    .finish = finish_signal,
};

// ---- sounds

static const StickChoice formats[] = {
    {"pcm16", STICK_WAV_PCM16, "16-bit integers, which every player supports"},
    {"float", STICK_WAV_FLOAT, "32-bit floating point"},
    {NULL, 0, NULL},
};

static const StickField sound_fields[] = {
    {.key = "file",
     .type = STICK_FIELD_TEXT,
     .text =
         "name of the WAV file in the result folder; without .wav it names the table and the folder of the "
         "signal",
     .standard = "sound.wav",
     .at = STICK_AT(StickSignalSpec, sound.file)},
    WHERE_FIELD,
    STICK_NEAREST_FIELD,
    WHAT_FIELD,
    STEP_FIELD(read_signal_step),
    TIME_FIELD(from, from_text),
    TIME_FIELD(to, to_text),
    WINDOW_FIELD,
    {.key = "rate",
     .type = STICK_FIELD_INTEGER,
     .text = "samples per second",
     .standard = "44100",
     .range = {STICK_AT_LEAST | STICK_AT_MOST, 8000, 192000},
     .at = STICK_AT(StickSignalSpec, sound.rate)},
    {.key = "format",
     .type = STICK_FIELD_CHOICE,
     .text = "of samples",
     .standard = "pcm16",
     .choices = formats,
     .at = STICK_AT(StickSignalSpec, sound.format)},
    {.key = "seconds",
     .type = STICK_FIELD_NUMBER,
     .text = "minimum duration, reached by repeating the saturated part in whole periods if it is periodic; "
             "0: as it is",
     .standard = "0",
     .range = {STICK_AT_LEAST | STICK_AT_MOST, 0, 600},
     .at = STICK_AT(StickSignalSpec, sound.seconds)},
    {.key = "slow",
     .type = STICK_FIELD_NUMBER,
     .text = "slow-down factor",
     .standard = "1",
     .range = {STICK_AT_LEAST | STICK_AT_MOST, 1e-6, 1e6},
     .at = STICK_AT(StickSignalSpec, sound.slow)},
    {.key = "level",
     .type = STICK_FIELD_NUMBER,
     .text = "largest sample, as a fraction of full scale",
     .standard = "0.9",
     .range = {STICK_ABOVE | STICK_AT_MOST, 0, 1},
     .at = STICK_AT(StickSignalSpec, sound.level)},
    {.key = "gain",
     .type = STICK_FIELD_NUMBER,
     .text =
         "full scale per unit of the signal instead of 'level', so that sounds can be compared; less if it "
         "would clip",
     .range = STICK_POSITIVE,
     .at = STICK_AT(StickSignalSpec, sound.gain)},
    {.key = NULL},
};

// A plain name with its ending: nothing leads out of the result folder.
static StickStatus name_sound(StickReader *reader, const StickYaml *node, StickSignalSpec *sound)
{
    const StickYaml *file = stick_yaml_find(node, "file");
    size_t length = strlen(sound->sound.file);
    char name[256];
    if (length > 4 && length < sizeof name && strcmp(sound->sound.file + length - 4, ".wav") == 0) {
        snprintf(name, sizeof name, "%.*s", (int)length - 4, sound->sound.file);
        if (stick_is_name(name)) {
            sound->value.name = stick_keep_text(reader, name);
            return sound->value.name ? STICK_OK : STICK_NO_MEMORY;
        }
    }
    STICK_COMPLAIN(reader, file ? file->mark : node->mark,
                   "'file' is '%.100s', but must be a name of letters, digits, _, + and - followed by .wav, "
                   "as squeal.wav",
                   sound->sound.file);
    return STICK_OK;
}

// Seconds per unit of time; NaN: of a unit that is not known.
static double seconds_of(const char *unit)
{
    static const struct {
        const char *name;
        double seconds;
    } units[] = {{"s", 1},     {"sec", 1},    {"ms", 1e-3}, {"us", 1e-6},
                 {"µs", 1e-6}, {"mus", 1e-6}, {"ns", 1e-9}, {"min", 60}};
    for (size_t k = 0; k < sizeof units / sizeof *units; k++)
        if (strcmp(units[k].name, unit) == 0)
            return units[k].seconds;
    return NAN;
}

static StickStatus finish_sound(StickReader *reader, const StickYaml *node, void *item)
{
    StickSignalSpec *sound = item;
    const StickYaml *gain = stick_yaml_find(node, "gain");
    finish_window(reader, node, sound);
    if (gain && stick_yaml_find(node, "level"))
        STICK_COMPLAIN(reader, gain->key_mark,
                       "'gain' and 'level' both define the loudness: give only one of them");
    sound->sound.per_unit = seconds_of(reader->model->units.time);
    if (isnan(sound->sound.per_unit))
        STICK_COMPLAIN(reader, node->mark,
                       "a sound requires a known unit of time, but it is '%.40s': use s, ms, us, ns or min",
                       reader->model->units.time);
    STICK_TRY(name_sound(reader, node, sound));
    return stick_finish_history(reader, node, item);
}

const StickSchema stick_sound_table = {
    .title = "a sound",
    .text = "A quantity of a dynamic step as a WAV file: mean removed, resampled with a low-pass filter, "
            "faded in and out, never clipped. Its spectrum is computed as for any signal.",
    .size = sizeof(StickSignalSpec),
    .mark_at = STICK_AT(StickSignalSpec, value.mark),
    .fields = sound_fields,
    .finish = finish_sound,
};

StickStatus stick_read_sounds(StickReader *reader, const StickField *field, StickYaml *node, void *item)
{
    enum { MOST_SOUNDS = 16 };
    StickOutputSpec *output = item;
    bool list = node->kind == STICK_YAML_LIST;
    int count = list ? node->count : 1;
    if (count < 1 || count > MOST_SOUNDS) {
        STICK_COMPLAIN(reader, node->mark, "'%s' has %d members, but must have from 1 to %d", field->key,
                       count, MOST_SOUNDS);
        return STICK_OK;
    }
    STICK_TAKE(&reader->model->arena, output->sound, count);
    for (StickYaml *child = list ? node->first : node; child; child = list ? child->next : NULL)
        STICK_TRY(stick_read_map(reader, &stick_sound_table, child, &output->sound[output->nsounds++]));
    return STICK_OK;
}

// ---- portraits

static const StickField portrait_fields[] = {
    {.key = "name",
     .type = STICK_FIELD_NAME,
     .text = "name of the table and of its picture, unique among histories and steps",
     .required = true,
     .at = STICK_AT(StickPortraitSpec, value.name)},
    {.key = "of",
     .type = STICK_FIELD_OWN,
     .text = "location; for a group the mean",
     .required = true,
     .takes = "body.group or body",
     .json = "string",
     .read = stick_read_followed},
    STICK_NEAREST_FIELD,
    {.key = "each",
     .type = STICK_FIELD_BOOL,
     .text = "one portrait per node",
     .standard = "false",
     .at = STICK_AT(StickPortraitSpec, value.each)},
    STEP_FIELD(read_portrait_step),
    {.key = NULL},
};

static StickStatus finish_portrait(StickReader *reader, const StickYaml *node, void *item)
{
    StickPortraitSpec *portrait = item;
    const StickYaml *of = stick_yaml_find(node, "of");
    int body = portrait->value.of.body;
    portrait->value.portrait = true;
    stick_finish_nearest(reader, node, &portrait->value);
    portrait->value.component = 0;
    if (body < 0 || of->kind == STICK_YAML_LIST || portrait->value.joint >= 0)
        STICK_COMPLAIN(reader, of->mark, "a phase portrait requires a body or a group of a body");
    else if (reader->model->body[body].rigid)
        STICK_COMPLAIN(reader, of->mark, "a phase portrait requires a deformable body, but '%s' is rigid",
                       reader->model->body[body].name);
    portrait->value.what = stick_keep_text(reader, "displacement");
    return portrait->value.what ? STICK_OK : STICK_NO_MEMORY;
}

const StickSchema stick_portrait_table = {
    .title = "a phase portrait",
    .text = "Velocities over displacements of a group at every time step of a dynamic step, for all "
            "components; at a contact with a flat obstacle these are the normal and tangential motion.",
    .size = sizeof(StickPortraitSpec),
    .mark_at = STICK_AT(StickPortraitSpec, value.mark),
    .fields = portrait_fields,
    .finish = finish_portrait,
};

// ---- relations between keys

static int last_dynamic(const StickModel *model)
{
    for (int k = model->nsteps - 1; k >= 0; k--)
        if (model->step[k].kind == STICK_STEP_DYNAMICS)
            return k;
    return -1;
}

static int find_step(StickReader *reader, const char *name, StickMark mark, StickMark where)
{
    enum { MOST_NAMES = 64 };
    const StickModel *model = reader->model;
    const char *names[MOST_NAMES];
    size_t count = 0;
    for (int k = 0; name && k < model->nsteps; k++) {
        if (model->step[k].kind != STICK_STEP_DYNAMICS || !model->step[k].name)
            continue;
        if (strcmp(model->step[k].name, name) == 0)
            return k;
        if (count < MOST_NAMES)
            names[count++] = model->step[k].name;
    }
    int last = last_dynamic(model);
    if (last < 0)
        STICK_COMPLAIN(reader, where,
                       "signals, sounds and phase portraits require a dynamic step, but the model has none");
    else if (name)
        stick_complain_word(reader, mark, "dynamic step", name, names, count);
    return name ? -1 : last;
}

// Checks and the summary know signals, steps and histories by their names alone.
static void refuse_name(StickReader *reader, const StickHistorySpec *value)
{
    const StickModel *model = reader->model;
    for (int k = 0; value->name && k < model->nsteps; k++)
        if (model->step[k].name && strcmp(model->step[k].name, value->name) == 0)
            STICK_COMPLAIN(reader, value->mark, "a step is also named '%s': use another name", value->name);
}

static void add_value(StickReader *reader, StickHistorySpec *value, int step)
{
    StickOutputSpec *output = &reader->model->output;
    refuse_name(reader, value);
    value->only_step = step + 1;
    if (value->what && value->name)
        output->history[output->nhistories++] = *value;
}

static void add_signal(StickReader *reader, StickSignalSpec *signal)
{
    signal->step = find_step(reader, signal->step_name, signal->step_mark, signal->value.mark);
    add_value(reader, &signal->value, signal->step);
}

StickStatus stick_settle_signals(StickReader *reader)
{
    StickOutputSpec *output = &reader->model->output;
    int more = output->nspectra + output->nsounds + output->nportraits;
    StickHistorySpec *list = output->history;
    if (more == 0)
        return STICK_OK;
    STICK_TAKE(&reader->model->arena, output->history, output->nhistories + more);
    if (output->nhistories > 0)
        memcpy(output->history, list, (size_t)output->nhistories * sizeof *list);
    for (int k = 0; k < output->nspectra; k++)
        add_signal(reader, &output->spectrum[k]);
    for (int k = 0; k < output->nsounds; k++)
        add_signal(reader, &output->sound[k]);
    for (int k = 0; k < output->nportraits; k++) {
        StickPortraitSpec *portrait = &output->portrait[k];
        portrait->step = find_step(reader, portrait->step_name, portrait->step_mark, portrait->value.mark);
        add_value(reader, &portrait->value, portrait->step);
    }
    return STICK_OK;
}

// ---- the model that was read

bool stick_step_is_told(const StickModel *model, int step)
{
    const StickOutputSpec *output = &model->output;
    bool told = model->step[step].kind == STICK_STEP_DYNAMICS && model->step[step].perturb.given;
    for (int k = 0; k < output->nhistories; k++)
        told |= output->history[k].only_step == step + 1;
    return told;
}
