// SPDX-License-Identifier: Apache-2.0
#include "output/vtu_unpack.h"

#include "base/base64.h"
#include "base/zstream.h"

#include <limits.h>
#include <string.h>

// zlib makes at most so many bytes of one.
enum { MOST_INFLATION = 1032, HEADER_START = 3 };

static const struct {
    const char *word;
    size_t size;
} numbers[] = {
    [STICK_VTU_FLOAT64] = {"Float64", 8}, [STICK_VTU_FLOAT32] = {"Float32", 4},
    [STICK_VTU_INT64] = {"Int64", 8},     [STICK_VTU_INT32] = {"Int32", 4},
    [STICK_VTU_UINT8] = {"UInt8", 1},
};
enum { NUMBERS = sizeof numbers / sizeof *numbers };

bool stick_vtu_number(const char *word, size_t length, StickVtuNumber *number)
{
    for (int k = 0; k < NUMBERS; k++) {
        if (strlen(numbers[k].word) == length && memcmp(numbers[k].word, word, length) == 0) {
            *number = (StickVtuNumber)k;
            return true;
        }
    }
    return false;
}

bool stick_vtu_is_whole(StickVtuNumber number)
{
    return number != STICK_VTU_FLOAT64 && number != STICK_VTU_FLOAT32;
}

double stick_vtu_real(StickVtuNumber number, const void *bytes, size_t at)
{
    if (number == STICK_VTU_FLOAT64)
        return ((const double *)bytes)[at];
    if (number == STICK_VTU_FLOAT32)
        return (double)((const float *)bytes)[at];
    return (double)stick_vtu_whole(number, bytes, at);
}

int64_t stick_vtu_whole(StickVtuNumber number, const void *bytes, size_t at)
{
    if (number == STICK_VTU_INT64)
        return ((const int64_t *)bytes)[at];
    if (number == STICK_VTU_INT32)
        return ((const int32_t *)bytes)[at];
    return ((const uint8_t *)bytes)[at];
}

// ---- what the header says

typedef struct Unpacking {
    StickContext *ctx;
    const StickVtuPacked *packed;
    size_t size;             // of all numbers, in bytes
    size_t nblocks;          // as in the header
    size_t block, last;      // size of a block, and of the last one if it is not whole
    uint64_t *header;        // nblocks + HEADER_START
    const char *digits;      // of the blocks
    size_t count;            // of these digits
    size_t packed_size;      // of all blocks
    unsigned char *squeezed; // packed_size
    unsigned char *bytes;    // size
} Unpacking;

// Reads the header, which is one base64 text by itself; false if it cannot be one.
static bool header_fits(Unpacking *u)
{
    enum { FIRST = 12 }; // digits of the first word
    unsigned char first[9];
    uint64_t nblocks;
    if (u->packed->count < FIRST || !stick_base64_decode(u->packed->digits, FIRST, first))
        return false;
    memcpy(&nblocks, first, sizeof nblocks);
    if (nblocks > u->packed->count / sizeof nblocks)
        return false;
    u->nblocks = (size_t)nblocks;
    size_t digits = ((u->nblocks + HEADER_START) * sizeof nblocks + 2) / 3 * 4;
    if (digits > u->packed->count)
        return false;
    u->digits = u->packed->digits + digits;
    u->count = u->packed->count - digits;
    return true;
}

static StickStatus read_header(Unpacking *u, bool *good)
{
    size_t words = u->nblocks + HEADER_START, size;
    size_t digits = (size_t)(u->digits - u->packed->digits);
    if (!stick_base64_size(u->packed->digits, digits, &size) || size != words * sizeof *u->header)
        return STICK_OK;
    STICK_ALLOC(u->ctx, u->header, words);
    *good = stick_base64_decode(u->packed->digits, digits, (unsigned char *)u->header);
    return STICK_OK;
}

// Whether blocks of these sizes make up the numbers, and could have been squeezed into these digits.
static bool sizes_agree(Unpacking *u)
{
    uint64_t block = u->header[1], last = u->header[2], left;
    if (!stick_base64_size(u->digits, u->count, &u->packed_size) || u->size / MOST_INFLATION > u->packed_size)
        return false;
    if (u->nblocks == 0)
        return u->size == 0 && u->packed_size == 0;
    if (block == 0 || block > UINT_MAX || last >= block)
        return false;
    u->block = (size_t)block;
    u->last = (size_t)last;
    size_t whole = u->nblocks - (last > 0);
    if (whole > u->size / u->block || whole * u->block + u->last != u->size)
        return false;
    left = u->packed_size;
    for (size_t k = 0; k < u->nblocks; k++) {
        uint64_t squeezed = u->header[HEADER_START + k];
        if (squeezed > left || squeezed > UINT_MAX)
            return false;
        left -= squeezed;
    }
    return left == 0;
}

// ---- blocks

static bool inflate_blocks(Unpacking *u, z_stream *stream, bool *memory)
{
    unsigned char *from = u->squeezed, *to = u->bytes;
    for (size_t k = 0; k < u->nblocks; k++) {
        size_t squeezed = (size_t)u->header[HEADER_START + k];
        size_t size = k + 1 == u->nblocks && u->last > 0 ? u->last : u->block;
        inflateReset(stream);
        stream->next_in = from;
        stream->avail_in = (uInt)squeezed;
        stream->next_out = to;
        stream->avail_out = (uInt)size;
        int end = inflate(stream, Z_FINISH);
        *memory = end != Z_MEM_ERROR;
        if (end != Z_STREAM_END || stream->avail_out != 0 || stream->avail_in != 0)
            return false;
        from += squeezed;
        to += size;
    }
    return true;
}

static StickStatus unpack_blocks(Unpacking *u, bool *good)
{
    STICK_ALLOC(u->ctx, u->squeezed, u->packed_size);
    *good = stick_base64_decode(u->digits, u->count, u->squeezed);
    if (!*good)
        return STICK_OK;
    STICK_ALLOC(u->ctx, u->bytes, u->size);
    z_stream stream = stick_zstream(u->ctx);
    if (inflateInit(&stream) != Z_OK)
        return STICK_NO_MEMORY;
    bool memory = true;
    *good = inflate_blocks(u, &stream, &memory);
    inflateEnd(&stream);
    return memory ? STICK_OK : STICK_NO_MEMORY;
}

static StickStatus unpack(Unpacking *u, bool *good)
{
    *good = false;
    if (!header_fits(u))
        return STICK_OK;
    STICK_TRY(read_header(u, good));
    *good = *good && sizes_agree(u);
    return *good ? unpack_blocks(u, good) : STICK_OK;
}

StickStatus stick_vtu_unpack(StickContext *ctx, const StickVtuPacked *packed, size_t count, StickMark mark,
                             const char *name, void **bytes)
{
    size_t each = numbers[packed->number].size;
    Unpacking u = {.ctx = ctx, .packed = packed, .size = count * each};
    bool good = false;
    StickStatus status = count <= SIZE_MAX / each ? unpack(&u, &good) : STICK_OK;
    if (status == STICK_OK && !good)
        status = stick_fail_at(ctx, STICK_BAD_INPUT, mark,
                               "the array '%s' is damaged, or is not of %zu numbers", name, count);
    stick_free(ctx, u.header);
    stick_free(ctx, u.squeezed);
    if (status == STICK_OK)
        *bytes = u.bytes;
    else
        stick_free(ctx, u.bytes);
    return status;
}
