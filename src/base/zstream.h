// SPDX-License-Identifier: Apache-2.0
// Streams of zlib whose memory is that of a context.
#ifndef BASE_ZSTREAM_H
#define BASE_ZSTREAM_H

#include "base/memory.h"

#include <zlib.h>

static inline void *stick_zstream_alloc(void *ctx, unsigned count, unsigned size)
{
    return stick_alloc(ctx, count, size);
}

static inline void stick_zstream_free(void *ctx, void *block)
{
    stick_free(ctx, block);
}

// Ready for deflateInit or inflateInit.
static inline z_stream stick_zstream(StickContext *ctx)
{
    return (z_stream){.zalloc = stick_zstream_alloc, .zfree = stick_zstream_free, .opaque = ctx};
}

#endif
