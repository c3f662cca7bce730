// SPDX-License-Identifier: Apache-2.0
#include "base/arena.h"

#include <stdint.h>
#include <string.h>

// Blocks double from the first one on: an arena of little costs little.
enum { FIRST_BYTES = 1 << 14, MOST_BYTES = 1 << 20, ALIGN = 64 };

struct StickArenaBlock {
    StickArenaBlock *next;
    size_t size;
    size_t used;
    char *bytes; // aligned, inside the same allocation
};

void stick_arena_init(StickArena *arena, StickContext *ctx)
{
    *arena = (StickArena){.ctx = ctx};
}

void stick_arena_destroy(StickArena *arena)
{
    for (StickArenaBlock *block = arena->first; block;) {
        StickArenaBlock *next = block->next;
        stick_free(arena->ctx, block);
        block = next;
    }
    arena->first = arena->current = NULL;
}

static StickArenaBlock *new_block(StickArena *arena, size_t bytes)
{
    size_t size = arena->current ? 2 * arena->current->size : FIRST_BYTES;
    size = size < MOST_BYTES ? size : MOST_BYTES;
    size = size > bytes ? size : bytes;
    StickArenaBlock *block = stick_alloc(arena->ctx, sizeof *block + ALIGN + size, 1);
    if (!block)
        return NULL;
    uintptr_t start = (uintptr_t)(block + 1);
    block->bytes = (char *)((start + ALIGN - 1) / ALIGN * ALIGN);
    block->size = size;
    return block;
}

// The next block that is large enough, or a new one after the current one.
static StickArenaBlock *next_block(StickArena *arena, size_t bytes)
{
    StickArenaBlock **link = arena->current ? &arena->current->next : &arena->first;
    if (!*link || (*link)->size < bytes) {
        StickArenaBlock *block = new_block(arena, bytes);
        if (!block)
            return NULL;
        block->next = *link;
        *link = block;
    }
    (*link)->used = 0;
    return *link;
}

void *stick_arena_take(StickArena *arena, size_t count, size_t size)
{
    if (size != 0 && count > (SIZE_MAX / 2) / size) {
        stick_fail(arena->ctx, STICK_NO_MEMORY, "no memory for %zu items of %zu bytes", count, size);
        return NULL;
    }
    size_t bytes = (count * size + ALIGN - 1) / ALIGN * ALIGN;
    if (!arena->current || arena->current->size - arena->current->used < bytes) {
        StickArenaBlock *block = next_block(arena, bytes);
        if (!block)
            return NULL;
        arena->current = block;
    }
    void *taken = arena->current->bytes + arena->current->used;
    arena->current->used += bytes;
    return memset(taken, 0, bytes);
}

StickArenaMark stick_arena_mark(const StickArena *arena)
{
    return (StickArenaMark){arena->current, arena->current ? arena->current->used : 0};
}

void stick_arena_release(StickArena *arena, StickArenaMark mark)
{
    arena->current = mark.block;
    if (mark.block)
        mark.block->used = mark.used;
}
