// SPDX-License-Identifier: Apache-2.0
// WAV files of one channel: PCM of 16 bits, or floating point of 32.
#ifndef OUTPUT_WAV_H
#define OUTPUT_WAV_H

#include "model/model.h"

// Samples within -1 and 1; what lies beyond is an error, never clipped. Written whole or not at all.
StickStatus stick_wav_write(StickContext *ctx, const char *path, const double *sample, size_t count, int rate,
                            StickWavFormat format);

#endif
