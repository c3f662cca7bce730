// SPDX-License-Identifier: Apache-2.0
#include "report/wav_file.h"

#include "base/file.h"

#include <math.h>
#include <string.h>

typedef struct Bytes {
    const unsigned char *at;
    size_t count;
} Bytes;

typedef struct Format {
    uint32_t kind, channels, rate, bits;
} Format;

// Kinds of samples, as the format of the file numbers them.
enum { WHOLE = 1, FLOATING = 3, EXTENDED = 0xFFFE };

static uint32_t number_at(const unsigned char *at, int bytes)
{
    uint32_t number = 0;
    for (int k = bytes - 1; k >= 0; k--)
        number = number << 8 | at[k];
    return number;
}

// A chunk by its name: a size behind it, then its bytes; the next one begins at an even place.
static bool find_chunk(Bytes file, const char *name, Bytes *found)
{
    enum { HEAD = 12, CHUNK = 8 };
    for (size_t at = HEAD; at + CHUNK <= file.count;) {
        size_t size = number_at(file.at + at + 4, 4), left = file.count - at - CHUNK;
        if (memcmp(file.at + at, name, 4) == 0) {
            *found = (Bytes){file.at + at + CHUNK, size < left ? size : left};
            return true;
        }
        if (size >= left)
            return false;
        at += CHUNK + size + size % 2;
    }
    return false;
}

static bool find_format(Bytes file, Format *format)
{
    enum { LEAST = 16, WITH_KIND = 26 };
    Bytes chunk;
    bool wave = file.count >= 12 && memcmp(file.at, "RIFF", 4) == 0 && memcmp(file.at + 8, "WAVE", 4) == 0;
    if (!wave || !find_chunk(file, "fmt ", &chunk) || chunk.count < LEAST)
        return false;
    *format = (Format){number_at(chunk.at, 2), number_at(chunk.at + 2, 2), number_at(chunk.at + 4, 4),
                       number_at(chunk.at + 14, 2)};
    if (format->kind == EXTENDED && chunk.count >= WITH_KIND)
        format->kind = number_at(chunk.at + 24, 2);
    return true;
}

static int16_t sample_at(const unsigned char *at, uint32_t kind)
{
    enum { MOST = 32767 };
    double value;
    if (kind == FLOATING) {
        uint32_t bits = number_at(at, 4);
        float number;
        memcpy(&number, &bits, sizeof number);
        value = isfinite(number) ? round((double)MOST * number) : 0;
    } else {
        uint32_t bits = number_at(at, 2);
        value = bits < 0x8000 ? (double)bits : (double)bits - 0x10000;
    }
    return (int16_t)fmin(MOST, fmax(-MOST, value));
}

static StickStatus decode(StickContext *ctx, const char *path, Bytes file, StickWavFile *sound)
{
    enum { MOST_RATE = 1000000 };
    Format format;
    Bytes data;
    STICK_CHECK(ctx, find_format(file, &format), STICK_BAD_INPUT, "'%s' is no WAV file", path);
    bool known =
        (format.kind == WHOLE && format.bits == 16) || (format.kind == FLOATING && format.bits == 32);
    STICK_CHECK(ctx, known && format.channels == 1 && format.rate > 0 && format.rate <= MOST_RATE,
                STICK_BAD_INPUT,
                "'%s' has %u channels of %u bits (kind %u) at %u per second: a page plays one channel of 16 "
                "bits or of 32-bit floating numbers",
                path, format.channels, format.bits, format.kind, format.rate);
    STICK_CHECK(ctx, find_chunk(file, "data", &data), STICK_BAD_INPUT, "'%s' has no samples", path);
    size_t each = format.bits / 8, count = data.count / each;
    int16_t *sample;
    STICK_ALLOC(ctx, sample, count + 1);
    for (size_t k = 0; k < count; k++)
        sample[k] = sample_at(data.at + k * each, format.kind);
    *sound = (StickWavFile){(int)format.rate, count, sample};
    return STICK_OK;
}

StickStatus stick_wav_file_read(StickContext *ctx, const char *path, StickWavFile *sound)
{
    char *bytes;
    size_t count;
    STICK_TRY(stick_file_read(ctx, path, &bytes, &count));
    StickStatus status = decode(ctx, path, (Bytes){(const unsigned char *)bytes, count}, sound);
    stick_free(ctx, bytes);
    return status;
}

void stick_wav_file_destroy(StickContext *ctx, StickWavFile *sound)
{
    stick_free(ctx, sound->sample);
    *sound = (StickWavFile){0};
}
