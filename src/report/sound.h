// SPDX-License-Identifier: Apache-2.0
// A sound file (WAV) as a page plays it: one channel of 16 bits.
#ifndef REPORT_SOUND_H
#define REPORT_SOUND_H

#include "base/memory.h"

#include <stdint.h>

typedef struct StickSound {
    int rate; // samples per second
    size_t count;
    int16_t *sample; // from -32767 to 32767
} StickSound;

// Reads one channel of 16-bit or 32-bit floating samples; what is no such file is STICK_BAD_INPUT. A file that was cut
// has the samples that are there.
StickStatus stick_sound_read(StickContext *ctx, const char *path, StickSound *sound);
void stick_sound_destroy(StickContext *ctx, StickSound *sound);

#endif
