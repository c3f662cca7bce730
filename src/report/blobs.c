// SPDX-License-Identifier: Apache-2.0
#include "report/blobs.h"

#include "base/base64.h"
#include "base/zstream.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

// Both are multiples of three, so that base64 has no padding inside.
enum { COMPRESSION = 6, ROOM_IN = 49152, ROOM_OUT = 49152 };

static const struct {
    const char *name;
    size_t size;
} types[] = {
    [STICK_BLOB_INT8] = {"int8", 1},       [STICK_BLOB_UINT8] = {"uint8", 1},
    [STICK_BLOB_INT16] = {"int16", 2},     [STICK_BLOB_UINT32] = {"uint32", 4},
    [STICK_BLOB_FLOAT32] = {"float32", 4}, [STICK_BLOB_FLOAT64] = {"float64", 8},
};

void stick_blobs_init(StickBlobs *blocks, StickContext *ctx)
{
    *blocks = (StickBlobs){.ctx = ctx};
}

void stick_blobs_cut(StickBlobs *blocks, int count)
{
    while (blocks->count > count) {
        StickBlobsBlock *last = &blocks->block[--blocks->count];
        blocks->bytes -= last->length;
        stick_free(blocks->ctx, last->base64);
        *last = (StickBlobsBlock){0};
    }
}

void stick_blobs_destroy(StickBlobs *blocks)
{
    stick_blobs_cut(blocks, 0);
    stick_free(blocks->ctx, blocks->block);
    *blocks = (StickBlobs){.ctx = blocks->ctx};
}

// ---- numbers to compressed text

typedef struct Packer {
    z_stream stream;
    StickText *text;
    unsigned char in[ROOM_IN], out[ROOM_OUT];
} Packer;

// Compresses what waits in the packer; whole pieces of output go into the text, at the end all of it.
static void push(Packer *packer, size_t count, int flush)
{
    z_stream *stream = &packer->stream;
    stream->next_in = packer->in;
    stream->avail_in = (uInt)count;
    bool more = true;
    while (more) {
        more = deflate(stream, flush) != Z_STREAM_END && (stream->avail_out == 0 || flush == Z_FINISH);
        if (stream->avail_out == 0 || (flush == Z_FINISH && !more)) {
            stick_base64_add(packer->text, packer->out, ROOM_OUT - stream->avail_out);
            stream->next_out = packer->out;
            stream->avail_out = ROOM_OUT;
        }
    }
}

// Bits of a number, whatever its type.
static uint64_t bits_of(StickBlobsType type, const void *numbers, size_t at)
{
    uint32_t four;
    uint64_t eight;
    switch (types[type].size) {
    case 1:
        return ((const uint8_t *)numbers)[at];
    case 2:
        return ((const uint16_t *)numbers)[at];
    case 4:
        memcpy(&four, (const char *)numbers + 4 * at, sizeof four);
        return four;
    default:
        memcpy(&eight, (const char *)numbers + 8 * at, sizeof eight);
        return eight;
    }
}

// Shuffled: the lowest bytes of all numbers, then the next ones. Differences are modulo the size of the type.
static void push_numbers(Packer *packer, const StickBlobsBlock *block, const void *numbers)
{
    size_t filled = 0;
    for (size_t byte = 0; byte < types[block->type].size; byte++) {
        for (size_t i = 0; i < block->count; i++) {
            uint64_t bits = bits_of(block->type, numbers, i);
            if (block->width > 0 && i >= block->width)
                bits -= bits_of(block->type, numbers, i - block->width);
            packer->in[filled++] = (unsigned char)(bits >> 8 * byte);
            if (filled == ROOM_IN) {
                push(packer, filled, Z_NO_FLUSH);
                filled = 0;
            }
        }
    }
    push(packer, filled, Z_FINISH);
}

static StickStatus compress_into(StickText *text, const StickBlobsBlock *block, const void *numbers)
{
    Packer *packer;
    STICK_ALLOC(text->ctx, packer, 1);
    packer->text = text;
    packer->stream = stick_zstream(text->ctx);
    if (deflateInit(&packer->stream, COMPRESSION) != Z_OK) {
        stick_free(text->ctx, packer);
        return STICK_NO_MEMORY;
    }
    packer->stream.next_out = packer->out;
    packer->stream.avail_out = ROOM_OUT;
    push_numbers(packer, block, numbers);
    deflateEnd(&packer->stream);
    stick_free(text->ctx, packer);
    return stick_text_status(text);
}

// ---- blocks

static StickStatus append(StickBlobs *blocks, StickBlobsBlock block, const void *numbers, int *number)
{
    STICK_RESERVE(blocks->ctx, blocks->block, blocks->room, blocks->count + 1);
    StickText text;
    stick_text_init(&text, blocks->ctx);
    StickStatus status = compress_into(&text, &block, numbers);
    if (status != STICK_OK) {
        stick_text_destroy(&text);
        return status;
    }
    block.base64 = text.bytes;
    block.length = text.length;
    *number = blocks->count;
    blocks->block[blocks->count++] = block;
    blocks->bytes += block.length;
    return STICK_OK;
}

StickStatus stick_blobs_add(StickBlobs *blocks, StickBlobsType type, const void *numbers, size_t count,
                            int *number)
{
    return append(blocks, (StickBlobsBlock){.type = type, .count = count}, numbers, number);
}

StickStatus stick_blobs_add_frames(StickBlobs *blocks, const StickBlobsScale *scale, const void *numbers,
                                   size_t count, size_t width, int *number)
{
    StickBlobsBlock block = {.type = scale->type,
                             .count = count,
                             .quantised = true,
                             .scale = scale->scale,
                             .offset = scale->offset,
                             .width = width};
    return append(blocks, block, numbers, number);
}

void stick_blobs_json(StickJson *json, const StickBlobs *blocks, int number)
{
    assert(number >= 0 && number < blocks->count);
    const StickBlobsBlock *block = &blocks->block[number];
    stick_json_object(json);
    stick_json_key(json, "block");
    stick_json_integer(json, number);
    stick_json_key(json, "type");
    stick_json_text(json, types[block->type].name);
    stick_json_key(json, "count");
    stick_json_integer(json, (long long)block->count);
    if (block->quantised) {
        stick_json_key(json, "scale");
        stick_json_number(json, block->scale);
        stick_json_key(json, "offset");
        stick_json_number(json, block->offset);
    }
    if (block->width > 0) {
        stick_json_key(json, "width");
        stick_json_integer(json, (long long)block->width);
    }
    stick_json_end_object(json);
}

// ---- quantised numbers

// Numbers go from -most to most; one less is not-a-number.
static int most_of(StickBlobsType type)
{
    assert(type == STICK_BLOB_INT8 || type == STICK_BLOB_INT16);
    return type == STICK_BLOB_INT8 ? INT8_MAX : INT16_MAX;
}

StickBlobsScale stick_blobs_scale(StickBlobsType type, double least, double most)
{
    if (!(least < most))
        return (StickBlobsScale){type, 1, least == most ? least : 0};
    // one number on each side is kept free for the shift of the middle
    int steps = 2 * (most_of(type) - 1);
    double middle = 0.5 * least + 0.5 * most;
    double range = most - least;
    double scale = fmax(isfinite(range) ? range / steps : most / steps - least / steps, DBL_MIN);
    // with an offset of whole scales zero is a number
    if (least <= 0 && most >= 0)
        middle = scale * round(middle / scale);
    return (StickBlobsScale){type, scale, middle};
}

void stick_blobs_apply(const StickBlobsScale *scale, const double *values, size_t count, void *numbers,
                       size_t at)
{
    int most = most_of(scale->type);
    for (size_t i = 0; i < count; i++) {
        double number = round((values[i] - scale->offset) / scale->scale);
        int kept = !isfinite(values[i]) ? -most - 1 : (int)fmax(-most, fmin(most, number));
        if (scale->type == STICK_BLOB_INT8)
            ((int8_t *)numbers)[at + i] = (int8_t)kept;
        else
            ((int16_t *)numbers)[at + i] = (int16_t)kept;
    }
}

StickStatus stick_blobs_quantise(StickBlobs *blocks, StickBlobsType type, const double *values, size_t count,
                                 size_t width, int *number)
{
    double least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < count; i++) {
        if (isfinite(values[i])) {
            least = fmin(least, values[i]);
            most = fmax(most, values[i]);
        }
    }
    StickBlobsScale scale = stick_blobs_scale(type, least, most);
    void *numbers = stick_alloc(blocks->ctx, count, types[type].size);
    if (!numbers)
        return STICK_NO_MEMORY;
    stick_blobs_apply(&scale, values, count, numbers, 0);
    StickStatus status = stick_blobs_add_frames(blocks, &scale, numbers, count, width, number);
    stick_free(blocks->ctx, numbers);
    return status;
}
