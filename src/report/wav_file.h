// SPDX-License-Identifier: Apache-2.0
// A sound file (WAV), read back as a page plays it: one channel of 16 bits.
#ifndef REPORT_WAV_FILE_H
#define REPORT_WAV_FILE_H

#include "base/memory.h"

#include <stdint.h>

typedef struct StickWavFile {
    int rate; // samples per second
    size_t count;
    int16_t *sample; // from -32767 to 32767
} StickWavFile;

// Reads one channel of 16-bit or 32-bit floating samples; what is no such file is STICK_BAD_INPUT. A file that was cut
// has the samples that are there.
StickStatus stick_wav_file_read(StickContext *ctx, const char *path, StickWavFile *sound);
void stick_wav_file_destroy(StickContext *ctx, StickWavFile *sound);

#endif
