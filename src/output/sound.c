// SPDX-License-Identifier: Apache-2.0
#include "output/sound.h"

#include "base/memory.h"
#include "base/pi.h"
#include "output/resample.h"

#include <math.h>

static const double FADE = 0.005;   // s, at both ends
static const double LONGEST = 3600; // s
static const double MIX = 0.25; // of a motion without period: part of it over which a pass goes into the next

// A part of the signal that is passed again and again: from its end it goes on `lag` samples before, and over `mix`
// samples before the end one goes into the other.
typedef struct Loop {
    size_t lag, mix;
} Loop;

// Whole periods, one less than there are, which mixes; or all but a part.
static Loop find_loop(const StickSoundTask *task)
{
    size_t n = task->signal->n - task->first;
    double P = task->period / task->signal->dt, whole = floor((double)n / P) - 1;
    if (P >= 2 && whole >= 1)
        return (Loop){(size_t)lround(whole * P), (size_t)P};
    size_t mix = (size_t)(MIX * (double)n);
    return (Loop){n - mix, mix};
}

static double half_cosine(size_t k, size_t n)
{
    return 0.5 - 0.5 * cos(STICK_PI * ((double)k + 0.5) / (double)n);
}

// y[k] for k < n is the signal; what is added repeats what was `lag` before.
static void extend(double *y, size_t n, size_t count, const Loop *loop)
{
    for (size_t k = 0; k < loop->mix; k++) {
        double w = half_cosine(k, loop->mix);
        size_t at = n - loop->mix + k;
        y[at] = (1 - w) * y[at] + w * y[at - loop->lag];
    }
    for (size_t k = n; k < count; k++)
        y[k] = y[k - loop->lag];
}

static void fade(double *y, size_t n, int rate)
{
    size_t length = (size_t)(FADE * rate);
    length = length < n / 4 ? length : n / 4;
    for (size_t k = 0; k < length; k++) {
        y[k] *= half_cosine(k, length);
        y[n - 1 - k] *= half_cosine(k, length);
    }
}

static void scale(const StickSoundSpec *spec, StickSound *sound)
{
    double most = 0;
    for (size_t k = 0; k < sound->count; k++)
        most = fmax(most, fabs(sound->sample[k]));
    double factor = spec->gain > 0 ? spec->gain : most > 0 ? spec->level / most : 0;
    sound->reduced = factor * most > 1;
    if (sound->reduced)
        factor = 1 / most;
    for (size_t k = 0; k < sound->count; k++)
        sound->sample[k] = fmax(-1, fmin(1, factor * sound->sample[k]));
    sound->full_scale = 1 / factor;
}

static StickStatus render(StickContext *ctx, const StickSoundTask *task, double second, double *y,
                          size_t count, StickSound *sound)
{
    const StickSignal *signal = task->signal;
    for (size_t k = 0; k < signal->n; k++)
        y[k] = signal->y[k] - task->mean;
    if (count > signal->n) {
        Loop loop = find_loop(task);
        extend(y, signal->n, count, &loop);
        sound->repeats = (int)ceil((double)(count - signal->n) / (double)loop.lag);
        sound->loop_from = (double)signal->n * signal->dt * second;
    }
    STICK_TRY(
        stick_resample(ctx, y, count, signal->dt * second * task->spec->rate, &sound->sample, &sound->count));
    fade(sound->sample, sound->count, task->spec->rate);
    scale(task->spec, sound);
    sound->seconds = (double)sound->count / task->spec->rate;
    return STICK_OK;
}

// Of the sound, per unit of time.
static double second_of(const StickSoundTask *task)
{
    return task->spec->per_unit * task->spec->slow;
}

// Values of the signal with its repetitions.
static double length_of(const StickSoundTask *task)
{
    const StickSignal *signal = task->signal;
    double wanted = ceil(task->spec->seconds / (second_of(task) * signal->dt));
    bool longer = task->saturated && signal->n > task->first + 8 && wanted > (double)signal->n;
    return longer ? wanted : (double)signal->n;
}

double stick_sound_seconds(const StickSoundTask *task)
{
    return length_of(task) * task->signal->dt * second_of(task);
}

bool stick_sound_is_possible(const StickSoundTask *task)
{
    return task->signal->n > 1 && stick_sound_seconds(task) <= LONGEST && length_of(task) < 1e9;
}

StickStatus stick_sound_make(StickContext *ctx, const StickSoundTask *task, StickSound *sound)
{
    STICK_CHECK(ctx, stick_sound_is_possible(task), STICK_BAD_INPUT, "a sound cannot be %.3g s long",
                stick_sound_seconds(task));
    StickSound made = {.loop_from = NAN};
    size_t length = (size_t)length_of(task);
    double *y;
    STICK_ALLOC(ctx, y, length);
    StickStatus status = render(ctx, task, second_of(task), y, length, &made);
    stick_free(ctx, y);
    if (status == STICK_OK)
        *sound = made;
    return status;
}

void stick_sound_destroy(StickContext *ctx, StickSound *sound)
{
    stick_free(ctx, sound->sample);
    *sound = (StickSound){0};
}
