// SPDX-License-Identifier: Apache-2.0
#include "study/motion.h"

#include "base/file.h"
#include "base/text.h"
#include "output/sound.h"
#include "output/wav.h"
#include "study/motion_results.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PATH_TEXT = 4096 };
static const double LOWEST_HEARD = 20, HIGHEST_HEARD = 20000; // Hz

// One signal while it is told.
typedef struct Telling {
    StickContext *ctx;
    const StickModel *model;
    const char *folder;
    double size; // of the largest body
    StickTold told;
    StickColumns columns;
    const char *label; // " [m/s]" or ""
    StickSignal signal;
    StickOscillationOptions options;
    StickOscillation cycle;
} Telling;

// ---- files

// motion/<name>/<file>
static StickStatus path_of(StickContext *ctx, const char *folder, const char *name, const char *file,
                           char path[PATH_TEXT])
{
    int length = snprintf(path, PATH_TEXT, "%s/motion/%s", folder, name);
    STICK_CHECK(ctx, length + strlen(file) + 2 < PATH_TEXT, STICK_IO,
                "the path of 'motion/%s/%s' in '%s' is too long", name, file, folder);
    STICK_TRY(stick_folder_create(ctx, path));
    snprintf(path + length, PATH_TEXT - (size_t)length, "/%s", file);
    return STICK_OK;
}

// A table by its columns, whole or not at all.
static StickStatus write_columns(const Telling *telling, const char *file, const char *header,
                                 const double *const *column, int ncolumns, size_t nrows)
{
    char path[PATH_TEXT];
    StickText text;
    STICK_TRY(path_of(telling->ctx, telling->folder, telling->told.name, file, path));
    stick_text_init(&text, telling->ctx);
    stick_text_add(&text, "%s\n", header);
    for (size_t row = 0; row < nrows; row++)
        for (int k = 0; k < ncolumns; k++) {
            stick_text_add_number(&text, column[k][row]);
            stick_text_add(&text, k + 1 < ncolumns ? "," : "\n");
        }
    StickStatus status = stick_text_status(&text);
    if (status == STICK_OK)
        status = stick_file_write(telling->ctx, path, text.bytes, text.length);
    stick_text_destroy(&text);
    return status;
}

// One row of numbers with these names.
static StickStatus write_numbers(const Telling *telling, const char *file, const char *(*name)(int k),
                                 const double *value)
{
    const double *column[STICK_MOTION_NUMBERS];
    StickText header;
    int count = 0;
    stick_text_init(&header, telling->ctx);
    for (; name(count); count++) {
        stick_text_add(&header, count ? ",%s" : "%s", name(count));
        column[count] = &value[count];
    }
    StickStatus status = stick_text_status(&header);
    if (status == STICK_OK)
        status = write_columns(telling, file, header.bytes, column, count, 1);
    stick_text_destroy(&header);
    return status;
}

// ---- the signal

// Of the size of bodies: places are known up to this.
static const double ROUNDING = 1e-14;

static double size_of_all(const StickSystem *system)
{
    double size = 0;
    for (int b = 0; b < system->nbodies; b++) {
        const StickMesh *mesh = &system->body[b].mesh;
        for (int i = 0; i < mesh->nnodes * mesh->dim; i++)
            size = fmax(size, fabs(mesh->x[i] - mesh->x[i % mesh->dim]));
    }
    return size;
}

// Displacements and velocities that rounding alone makes, from one value to the next.
static double rest_of(const Telling *telling, const char *what)
{
    bool velocity = strcmp(what, "velocity") == 0;
    if (!velocity && strcmp(what, "displacement") != 0)
        return 0;
    return ROUNDING * telling->size / (velocity ? telling->signal.dt : 1);
}

static StickStatus load(Telling *telling)
{
    char path[PATH_TEXT];
    const StickTold *told = &telling->told;
    snprintf(path, sizeof path, "%s/history/%s%s.csv", telling->folder, told->name,
             told->spec ? "" : "-growth");
    STICK_TRY(stick_table_read(telling->ctx, path, &telling->columns));
    const StickColumns *columns = &telling->columns;
    size_t n = columns->nrows;
    const double *t = columns->column[0];
    telling->label = columns->name[1] + stick_column_name_length(columns->name[1]);
    telling->signal = (StickSignal){.n = n, .t0 = n > 0 ? t[0] : 0, .y = columns->column[1]};
    telling->signal.dt = n > 1 ? (t[n - 1] - t[0]) / (double)(n - 1) : 1;
    telling->options = (StickOscillationOptions){-HUGE_VAL, HUGE_VAL, STICK_WINDOW_HANN, 0};
    if (told->spec)
        telling->options = (StickOscillationOptions){told->spec->from, told->spec->to, told->spec->window,
                                                     rest_of(telling, told->spec->value.what)};
    return STICK_OK;
}

// Up to where its values are numbers, from the first one on: a gap without antagonist is none.
static void cut_to_numbers(Telling *telling)
{
    StickSignal *signal = &telling->signal;
    size_t first = 0, n = signal->n;
    while (first < n && !isfinite(signal->y[first]))
        first++;
    size_t end = first;
    while (end < n && isfinite(signal->y[end]))
        end++;
    if (end - first < n)
        stick_warn(telling->ctx, "the signal '%s' is no number in some time steps: %zu of %zu are looked at",
                   telling->told.name, end - first, n);
    signal->y += first;
    signal->t0 += (double)first * signal->dt;
    signal->n = end - first;
}

// ---- spectrum and numbers

static StickStatus write_lines(const Telling *telling, const char *header, const StickLines *lines)
{
    double *frequency;
    STICK_ALLOC(telling->ctx, frequency, lines->count);
    for (size_t k = 0; k < lines->count; k++)
        frequency[k] = (double)k * lines->spacing;
    const double *column[] = {frequency, lines->amplitude};
    StickStatus status = write_columns(telling, "spectrum.csv", header, column, 2, lines->count);
    stick_free(telling->ctx, frequency);
    return status;
}

static StickStatus write_peaks(const Telling *telling, const char *header)
{
    const StickOscillation *cycle = &telling->cycle;
    double frequency[STICK_MOST_PEAKS], amplitude[STICK_MOST_PEAKS];
    for (int k = 0; k < cycle->npeaks; k++) {
        frequency[k] = cycle->peak[k].frequency;
        amplitude[k] = cycle->peak[k].amplitude;
    }
    const double *column[] = {frequency, amplitude};
    return write_columns(telling, "peaks.csv", header, column, 2, (size_t)cycle->npeaks);
}

static StickStatus write_spectrum(const Telling *telling)
{
    const StickOscillation *cycle = &telling->cycle;
    StickSignal window = {cycle->end - cycle->first, cycle->from, telling->signal.dt,
                          telling->signal.y + cycle->first};
    char frequency[STICK_LABEL_TEXT], header[2 * STICK_LABEL_TEXT];
    stick_label(&telling->model->units, "frequency", STICK_RATE, frequency);
    snprintf(header, sizeof header, "%.200s,amplitude%.200s", frequency, telling->label);
    STICK_TRY(write_peaks(telling, header));
    if (window.n < 4)
        return STICK_OK;
    StickLines lines;
    STICK_TRY(stick_lines_create(telling->ctx, &window, telling->options.window, &lines));
    StickStatus status = write_lines(telling, header, &lines);
    stick_lines_destroy(telling->ctx, &lines);
    return status;
}

static StickStatus write_cycle(const Telling *telling)
{
    const StickOscillation *cycle = &telling->cycle;
    bool peaks = cycle->npeaks > 0;
    const double value[STICK_MOTION_NUMBERS] = {
        [STICK_NUMBER_MOTION] = cycle->kind,
        [STICK_NUMBER_FROM] = cycle->from,
        [STICK_NUMBER_TO] = cycle->to,
        [STICK_NUMBER_FREQUENCY] = peaks ? cycle->peak[0].frequency : (double)NAN,
        [STICK_NUMBER_DOMINANT] = peaks ? cycle->peak[0].amplitude : (double)NAN,
        [STICK_NUMBER_PERIOD] = cycle->period,
        [STICK_NUMBER_RETURN] = cycle->return_error,
        [STICK_NUMBER_AMPLITUDE] = cycle->amplitude,
        [STICK_NUMBER_MEAN] = cycle->mean,
        [STICK_NUMBER_RMS] = cycle->rms,
    };
    return write_numbers(telling, "numbers.csv", stick_motion_number_name, value);
}

static void tell(const Telling *telling)
{
    static const char *const what[] = {
        [STICK_AT_REST] = "is at rest",
        [STICK_DECAYS] = "decays",
        [STICK_GROWS] = "grows still: a later end shows what becomes of it",
        [STICK_PERIODIC] = "is periodic",
        [STICK_MODULATED] = "is modulated or irregular",
        [STICK_TOO_SHORT] = "is too short to tell: it takes eight periods",
    };
    const StickOscillation *cycle = &telling->cycle;
    char dominant[128] = "", returns[128] = "", unit[STICK_FREQUENCY_TEXT];
    stick_frequency_unit(&telling->model->units, unit);
    if (cycle->npeaks > 0)
        snprintf(dominant, sizeof dominant, ", mainly %.5g%.40s", cycle->peak[0].frequency, unit);
    if (!isnan(cycle->period))
        snprintf(returns, sizeof returns, ", and returns every %.6g up to %.2g %%", cycle->period,
                 100 * cycle->return_error);
    else if (cycle->kind == STICK_MODULATED)
        snprintf(returns, sizeof returns, ", and returns to itself up to %.2g %% at best",
                 100 * cycle->return_error);
    stick_note(telling->ctx, "step '%s', signal '%s': motion from t = %.6g on %s%s%s",
               telling->model->step[telling->told.step].name, telling->told.name, cycle->from,
               what[cycle->kind], dominant, returns);
}

// ---- sound

static void warn_of_hearing(const Telling *telling, const StickSound *sound)
{
    const StickSoundSpec *spec = &telling->told.spec->sound;
    StickMark mark = telling->told.spec->value.mark;
    double heard = telling->cycle.npeaks > 0
                       ? telling->cycle.peak[0].frequency / (spec->per_unit * spec->slow)
                       : (double)NAN;
    double highest = fmin(HIGHEST_HEARD, 0.45 * spec->rate);
    if (heard > highest)
        stick_warn_at(telling->ctx, mark,
                      "the sound '%s' is mainly of %.4g Hz, above what is heard (%g Hz): 'slow: %.2g' brings "
                      "it to 1000 Hz",
                      spec->file, heard, highest, spec->slow * heard / 1000);
    else if (heard < LOWEST_HEARD)
        stick_warn_at(telling->ctx, mark,
                      "the sound '%s' is mainly of %.3g Hz, below what is heard (%g Hz): 'slow: %.2g' brings "
                      "it to 200 Hz",
                      spec->file, heard, LOWEST_HEARD, spec->slow * heard / 200);
    if (sound->reduced)
        stick_warn_at(telling->ctx, mark, "the sound '%s' would clip with the gain %g: it has %.3g",
                      spec->file, spec->gain, 1 / sound->full_scale);
    if (isinf(sound->full_scale))
        stick_warn_at(telling->ctx, mark, "the sound '%s' is silence: the signal does not move", spec->file);
    if (spec->seconds > 0 && sound->repeats == 0 && sound->seconds < 0.99 * spec->seconds)
        stick_note(telling->ctx, "the sound '%s' is %.3g s long: only a motion that is saturated is repeated",
                   spec->file, sound->seconds);
}

static StickStatus write_sound_files(const Telling *telling, const StickSound *sound)
{
    const StickSoundSpec *spec = &telling->told.spec->sound;
    const double value[STICK_SOUND_NUMBERS] = {spec->rate,     sound->seconds,   spec->slow,
                                               sound->repeats, sound->loop_from, sound->full_scale,
                                               sound->reduced};
    char *path = stick_path_join(telling->ctx, telling->folder, spec->file);
    if (!path)
        return STICK_NO_MEMORY;
    StickStatus status =
        stick_wav_write(telling->ctx, path, sound->sample, sound->count, spec->rate, spec->format);
    stick_free(telling->ctx, path);
    return status == STICK_OK ? write_numbers(telling, "sound.csv", stick_sound_number_name, value) : status;
}

// All of the step, or the window that is given.
static StickSoundTask sound_task(const Telling *telling, StickSignal *part)
{
    const StickOscillation *cycle = &telling->cycle;
    bool given = isfinite(telling->options.from) || isfinite(telling->options.to);
    size_t first = given ? cycle->first : 0, end = given ? cycle->end : telling->signal.n;
    *part = telling->signal;
    part->y += first;
    part->n = end - first;
    return (StickSoundTask){
        .signal = part,
        .first = cycle->first - first,
        .period = cycle->period,
        .mean = cycle->mean,
        .saturated = cycle->kind == STICK_PERIODIC || cycle->kind == STICK_MODULATED,
        .spec = &telling->told.spec->sound,
    };
}

static StickStatus write_sound(const Telling *telling)
{
    StickSignal part;
    StickSound sound;
    if (!telling->told.spec || !telling->told.spec->sound.file)
        return STICK_OK;
    if (telling->cycle.kind == STICK_AT_REST) {
        stick_warn_at(
            telling->ctx, telling->told.spec->value.mark,
            "there is no sound '%s': the motion is at rest, and moves by rounding at most; see whether "
            "the step is disturbed and long enough to flutter",
            telling->told.spec->sound.file);
        return STICK_OK;
    }
    StickSoundTask task = sound_task(telling, &part);
    if (!stick_sound_is_possible(&task)) {
        stick_warn_at(
            telling->ctx, telling->told.spec->value.mark,
            "there is no sound '%s': it would have %zu values of the signal, and be %.3g s long; from 2 "
            "values to an hour it may be: see 'from', 'to' and 'slow'",
            task.spec->file, part.n, stick_sound_seconds(&task));
        return STICK_OK;
    }
    STICK_TRY(stick_sound_make(telling->ctx, &task, &sound));
    warn_of_hearing(telling, &sound);
    StickStatus status = write_sound_files(telling, &sound);
    stick_sound_destroy(telling->ctx, &sound);
    return status;
}

// ---- contacts

typedef struct Rows {
    StickText text;
    int ncolumns;
} Rows;

static StickStatus take_row(void *user, const double *row)
{
    Rows *rows = user;
    for (int k = 0; k < rows->ncolumns; k++) {
        stick_text_add_number(&rows->text, row[k]);
        stick_text_add(&rows->text, k + 1 < rows->ncolumns ? "," : "\n");
    }
    return stick_text_status(&rows->text);
}

// By the window of the first signal of the step; without any, its second half.
static StickStatus find_window(StickContext *ctx, const StickModel *model, const char *folder,
                               const StickContactTimes *times, double *from, double *to)
{
    StickTold told;
    double value[STICK_MOTION_NUMBERS];
    *to = times->t_start + times->nsteps * times->h;
    *from = times->t_start + times->nsteps * times->h / 2;
    for (int k = 0; stick_told_at(model, k, &told); k++) {
        if (&model->step[told.step] != times->step)
            continue;
        STICK_TRY(stick_motion_numbers(ctx, folder, told.name, value));
        *from = value[STICK_NUMBER_FROM];
        *to = value[STICK_NUMBER_TO];
        break;
    }
    return STICK_OK;
}

static StickStatus write_contacts(StickContext *ctx, const StickSystem *system,
                                  const StickContactTimes *times, const char *folder)
{
    char path[PATH_TEXT];
    double from, to;
    StickBook book;
    STICK_TRY(path_of(ctx, folder, times->step->name, "contacts.csv", path));
    STICK_TRY(find_window(ctx, system->model, folder, times, &from, &to));
    stick_contact_times_book(system, &book);
    Rows rows = {.ncolumns = book.ncolumns};
    stick_text_init(&rows.text, ctx);
    for (int k = 0; k < book.ncolumns; k++)
        stick_text_add(&rows.text, k + 1 < book.ncolumns ? "%s," : "%s\n", book.column[k]);
    StickStatus status = stick_contact_times_rows(times, system, from, to, take_row, &rows);
    if (status == STICK_OK)
        status = stick_file_write(ctx, path, rows.text.bytes, rows.text.length);
    stick_text_destroy(&rows.text);
    return status;
}

// ---- all

static StickStatus tell_signal(Telling *telling)
{
    cut_to_numbers(telling);
    STICK_TRY(stick_oscillation_find(telling->ctx, &telling->signal, &telling->options, &telling->cycle));
    STICK_TRY(write_spectrum(telling));
    STICK_TRY(write_cycle(telling));
    tell(telling);
    return write_sound(telling);
}

StickStatus stick_motion_write(StickContext *ctx, const StickSystem *system, const StickRecorder *recorder,
                               const char *folder)
{
    Telling telling = {.ctx = ctx, .model = system->model, .folder = folder, .size = size_of_all(system)};
    for (int k = 0; stick_told_at(system->model, k, &telling.told); k++) {
        STICK_TRY(load(&telling));
        StickStatus status = tell_signal(&telling);
        stick_columns_destroy(ctx, &telling.columns);
        STICK_TRY(status);
    }
    for (int k = 0; k < system->model->nsteps; k++) {
        const StickContactTimes *times = stick_recorder_times(recorder, k);
        if (times && times->begun)
            STICK_TRY(write_contacts(ctx, system, times, folder));
    }
    return STICK_OK;
}
