// SPDX-License-Identifier: Apache-2.0
// Sound files that tests write byte by byte.
#ifndef TESTS_REPORT_WAV_H
#define TESTS_REPORT_WAV_H

#include "output/scratch.h"

typedef struct Wav {
    int kind, channels, rate, bits;
    const void *data;
    size_t bytes;
    bool with_note; // a chunk of another kind, of an odd size, before the samples
} Wav;

static inline void put_number(unsigned char *at, size_t number, int bytes)
{
    for (int k = 0; k < bytes; k++)
        at[k] = (unsigned char)(number >> 8 * k);
}

// Little-endian machines only, as are the samples of these tests.
static inline void write_wav(Scratch *scratch, const char *name, const Wav *wav)
{
    size_t note = wav->with_note ? 8 + 4 : 0, size = 44 + note + wav->bytes;
    unsigned char *file = calloc(size, 1), *data = file + 36 + note;
    memcpy(file, "RIFF", 4);
    put_number(file + 4, size - 8, 4);
    memcpy(file + 8, "WAVEfmt ", 8);
    put_number(file + 16, 16, 4);
    put_number(file + 20, (size_t)wav->kind, 2);
    put_number(file + 22, (size_t)wav->channels, 2);
    put_number(file + 24, (size_t)wav->rate, 4);
    put_number(file + 34, (size_t)wav->bits, 2);
    if (note) {
        memcpy(file + 36, "note", 4);
        put_number(file + 40, 3, 4);
    }
    memcpy(data, "data", 4);
    put_number(data + 4, wav->bytes, 4);
    if (wav->bytes)
        memcpy(data + 8, wav->data, wav->bytes);
    assert_ok(scratch->ctx, stick_file_write(scratch->ctx, scratch_path(scratch, name), file, size));
    free(file);
}

#endif
