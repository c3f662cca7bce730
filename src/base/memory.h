// SPDX-License-Identifier: Apache-2.0
// Memory of objects: taken at creation, given back at destruction, always through the context.
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include "base/check.h"

// Allocates zeroed memory for count items; on failure reports an error and returns NULL. count = 0 gives a valid
// pointer.
void *stick_alloc(StickContext *ctx, size_t count, size_t size);

// The same without an error in the context: for those who can do without, or free something and try again.
void *stick_try_alloc(StickContext *ctx, size_t count, size_t size);

// Grows a block geometrically to at least need items; new items are zeroed. On failure reports an error, returns false.
int stick_grow(StickContext *ctx, void **items, size_t *capacity, size_t need, size_t size);

void stick_free(StickContext *ctx, void *block);

// Copies a text; on failure reports an error and returns NULL.
char *stick_copy_text(StickContext *ctx, const char *text);

// Bytes taken and not yet given back, and the most there ever were.
size_t stick_memory_now(const StickContext *ctx);
size_t stick_memory_peak(const StickContext *ctx);

// Number of times memory was taken: a test counts the allocations inside a solve by it.
size_t stick_memory_calls(const StickContext *ctx);

// Takes zeroed memory for count items into pointer, or returns STICK_NO_MEMORY from the calling function.
#define STICK_ALLOC(ctx, pointer, count)                                  \
    do {                                                                  \
        (pointer) = stick_alloc(ctx, (size_t)(count), sizeof *(pointer)); \
        if (!(pointer))                                                   \
            return STICK_NO_MEMORY;                                       \
    } while (0)

// Makes room for need items in the growable array (items, capacity), or returns STICK_NO_MEMORY.
#define STICK_RESERVE(ctx, items, capacity, need)                                         \
    do {                                                                                  \
        void *stick_block = (items);                                                      \
        if (!stick_grow(ctx, &stick_block, &(capacity), (size_t)(need), sizeof *(items))) \
            return STICK_NO_MEMORY;                                                       \
        (items) = stick_block;                                                            \
    } while (0)

#endif
