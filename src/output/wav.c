// SPDX-License-Identifier: Apache-2.0
#include "output/wav.h"

#include "base/file.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { PCM = 1, FLOATING = 3 };

typedef struct Bytes {
    unsigned char *at;
} Bytes;

static void put(Bytes *bytes, uint32_t value, int count)
{
    for (int k = 0; k < count; k++)
        *bytes->at++ = (unsigned char)(value >> (8 * k));
}

static void put_word(Bytes *bytes, const char word[5])
{
    memcpy(bytes->at, word, 4);
    bytes->at += 4;
}

// Formats beside PCM have the size of their extension, which is none, and count samples.
static size_t header_bytes(bool floating)
{
    return 12 + (floating ? 26 + 12 : 24) + 8;
}

static void put_header(Bytes *bytes, size_t count, int rate, bool floating)
{
    uint32_t width = floating ? 4 : 2, size = (uint32_t)count * width;
    put_word(bytes, "RIFF");
    put(bytes, (uint32_t)header_bytes(floating) - 8 + size, 4);
    put_word(bytes, "WAVE");
    put_word(bytes, "fmt ");
    put(bytes, floating ? 18 : 16, 4);
    put(bytes, floating ? FLOATING : PCM, 2);
    put(bytes, 1, 2);
    put(bytes, (uint32_t)rate, 4);
    put(bytes, (uint32_t)rate * width, 4);
    put(bytes, width, 2);
    put(bytes, 8 * width, 2);
    if (floating) {
        put(bytes, 0, 2);
        put_word(bytes, "fact");
        put(bytes, 4, 4);
        put(bytes, (uint32_t)count, 4);
    }
    put_word(bytes, "data");
    put(bytes, size, 4);
}

static void put_sample(Bytes *bytes, double value, bool floating)
{
    float single = (float)value;
    uint32_t bits;
    memcpy(&bits, &single, sizeof bits);
    if (floating)
        put(bytes, bits, 4);
    else
        put(bytes, (uint32_t)(int32_t)lround(value * 32767), 2);
}

StickStatus stick_wav_write(StickContext *ctx, const char *path, const double *sample, size_t count, int rate,
                            StickWavFormat format)
{
    bool floating = format == STICK_WAV_FLOAT;
    size_t size = header_bytes(floating) + count * (floating ? 4 : 2);
    STICK_CHECK(ctx, size < UINT32_MAX, STICK_BAD_INPUT, "%zu samples are too many for '%s'", count, path);
    for (size_t k = 0; k < count; k++)
        STICK_CHECK(ctx, fabs(sample[k]) <= 1, STICK_BAD_INPUT,
                    "sample %zu of '%s' is %g, beyond the full scale of -1 to 1", k, path, sample[k]);
    unsigned char *start;
    STICK_ALLOC(ctx, start, size);
    Bytes bytes = {start};
    put_header(&bytes, count, rate, floating);
    for (size_t k = 0; k < count; k++)
        put_sample(&bytes, sample[k], floating);
    StickStatus status = stick_file_write(ctx, path, start, size);
    stick_free(ctx, start);
    return status;
}
