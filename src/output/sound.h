// SPDX-License-Identifier: Apache-2.0
// A signal made to be heard: repeated where it is saturated, resampled, faded in and out, scaled.
#ifndef OUTPUT_SOUND_H
#define OUTPUT_SOUND_H

#include "output/oscillation.h"

typedef struct StickSound {
    size_t count;
    double *sample; // count, within -1 and 1
    double seconds;
    int repeats;       // passes of the loop that were added
    double loop_from;  // where the first of them begins, s; NaN: none was
    double full_scale; // value of the signal that is 1; infinite for silence
    bool reduced;      // the gain would have clipped
} StickSound;

// first: sample of the signal from which on it is saturated; period: of it, or NaN. Only a motion that is saturated is
// repeated.
typedef struct StickSoundTask {
    const StickSignal *signal;
    size_t first;
    double period;
    double mean; // that is taken away
    bool saturated;
    const StickSoundSpec *spec;
} StickSoundTask;

// How long it will be, and whether that is from two values to an hour.
double stick_sound_seconds(const StickSoundTask *task);
bool stick_sound_is_possible(const StickSoundTask *task);

StickStatus stick_sound_make(StickContext *ctx, const StickSoundTask *task, StickSound *sound);
void stick_sound_destroy(StickContext *ctx, StickSound *sound);

#endif
