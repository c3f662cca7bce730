// SPDX-License-Identifier: Apache-2.0
// Memory of a time step: allocated piece by piece, freed together by returning to a mark.
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include "base/memory.h"

typedef struct StickArenaBlock StickArenaBlock;

// Blocks stay with the arena after a release, so that a steady run allocates nothing per step.
typedef struct StickArena {
    StickContext *ctx;
    StickArenaBlock *first;
    StickArenaBlock *current;
} StickArena;

typedef struct StickArenaMark {
    StickArenaBlock *block;
    size_t used;
} StickArenaMark;

void stick_arena_init(StickArena *arena, StickContext *ctx);
void stick_arena_destroy(StickArena *arena);

// Allocates zeroed memory for count items; on failure reports an error and returns NULL.
void *stick_arena_take(StickArena *arena, size_t count, size_t size);

StickArenaMark stick_arena_mark(const StickArena *arena);
void stick_arena_release(StickArena *arena, StickArenaMark mark);

#define STICK_TAKE(arena, pointer, count)                                        \
    do {                                                                         \
        (pointer) = stick_arena_take(arena, (size_t)(count), sizeof *(pointer)); \
        if (!(pointer))                                                          \
            return STICK_NO_MEMORY;                                              \
    } while (0)

#endif
