// SPDX-License-Identifier: Apache-2.0
// In the file an array is base64(header) base64(blocks): the header holds, as UInt64, the number of blocks,
// the size of a whole block, the size of the last one if it is not whole (0 otherwise) and the compressed
// size of each.
#include "output/vtu_array.h"

#include "base/base64.h"
#include "base/zstream.h"
#include "output/xml.h"

#include <stdint.h>
#include <string.h>

enum { COMPRESSION = 5, HEADER_START = 3 };

struct StickVtuArray {
    StickContext *ctx;
    StickText *text;
    z_stream stream;
    StickStatus status;
    size_t filled; // bytes that wait for their block to be whole
    unsigned char block[STICK_VTU_BLOCK];
    size_t packed_size; // of all blocks so far
    size_t packed_capacity;
    unsigned char *packed;
    size_t header_count;
    size_t header_capacity;
    uint64_t *header;
};

// ---- blocks

static StickStatus put_header(StickVtuArray *array, size_t at, uint64_t word)
{
    STICK_RESERVE(array->ctx, array->header, array->header_capacity, at + 1);
    array->header[at] = word;
    return STICK_OK;
}

static StickStatus pack_block(StickVtuArray *array)
{
    z_stream *stream = &array->stream;
    deflateReset(stream);
    size_t bound = deflateBound(stream, array->filled);
    STICK_RESERVE(array->ctx, array->packed, array->packed_capacity, array->packed_size + bound);
    stream->next_in = array->block;
    stream->avail_in = (uInt)array->filled;
    stream->next_out = array->packed + array->packed_size;
    stream->avail_out = (uInt)bound;
    STICK_CHECK(array->ctx, deflate(stream, Z_FINISH) == Z_STREAM_END, STICK_INTERNAL,
                "zlib did not compress a block of %zu bytes", array->filled);
    STICK_TRY(put_header(array, array->header_count, stream->total_out));
    array->header_count++;
    array->packed_size += stream->total_out;
    return STICK_OK;
}

// ---- the array

StickStatus stick_vtu_array_create(StickContext *ctx, StickText *text, StickVtuArray **array)
{
    StickVtuArray *made;
    STICK_ALLOC(ctx, made, 1);
    made->ctx = ctx;
    made->text = text;
    made->stream = stick_zstream(ctx);
    if (deflateInit(&made->stream, COMPRESSION) != Z_OK) {
        stick_free(ctx, made);
        return STICK_NO_MEMORY;
    }
    *array = made;
    return STICK_OK;
}

void stick_vtu_array_destroy(StickVtuArray *array)
{
    if (!array)
        return;
    deflateEnd(&array->stream);
    stick_free(array->ctx, array->packed);
    stick_free(array->ctx, array->header);
    stick_free(array->ctx, array);
}

void stick_vtu_array_begin(StickVtuArray *array, const char *type, const char *name, int components,
                           const char *const *component_names)
{
    StickText *text = array->text;
    stick_text_add(text, "<DataArray type=\"%s\" Name=\"", type);
    stick_xml_add(text, name);
    stick_text_add(text, "\" NumberOfComponents=\"%d\"", components);
    for (int k = 0; component_names && k < components; k++) {
        stick_text_add(text, " ComponentName%d=\"", k);
        stick_xml_add(text, component_names[k]);
        stick_text_add(text, "\"");
    }
    stick_text_add(text, " format=\"binary\">");
    array->filled = 0;
    array->packed_size = 0;
    array->header_count = HEADER_START;
}

void stick_vtu_array_add(StickVtuArray *array, const void *bytes, size_t count)
{
    const unsigned char *from = bytes;
    while (count > 0 && array->status == STICK_OK) {
        size_t room = STICK_VTU_BLOCK - array->filled;
        size_t part = count < room ? count : room;
        memcpy(array->block + array->filled, from, part);
        array->filled += part;
        from += part;
        count -= part;
        if (array->filled == STICK_VTU_BLOCK) {
            array->status = pack_block(array);
            array->filled = 0;
        }
    }
}

static StickStatus finish(StickVtuArray *array)
{
    size_t last = array->filled;
    if (last > 0)
        STICK_TRY(pack_block(array));
    array->filled = 0;
    STICK_TRY(put_header(array, 0, array->header_count - HEADER_START));
    STICK_TRY(put_header(array, 1, STICK_VTU_BLOCK));
    STICK_TRY(put_header(array, 2, last));
    stick_base64_add(array->text, array->header, array->header_count * sizeof *array->header);
    stick_base64_add(array->text, array->packed, array->packed_size);
    stick_text_add(array->text, "</DataArray>\n");
    return STICK_OK;
}

void stick_vtu_array_end(StickVtuArray *array)
{
    if (array->status == STICK_OK)
        array->status = finish(array);
}

StickStatus stick_vtu_array_status(const StickVtuArray *array)
{
    return array->status != STICK_OK ? array->status : stick_text_status(array->text);
}

const char *stick_vtu_byte_order(void)
{
    const uint16_t one = 1;
    return *(const unsigned char *)&one == 1 ? "LittleEndian" : "BigEndian";
}
