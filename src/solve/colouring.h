// SPDX-License-Identifier: Apache-2.0
// Contacts in chunks of near ones, chunks in colours: no block of W, nor of its transpose, couples two chunks
// of one colour, so that these can be swept at once while a chunk is swept contact by contact. Chunks are better than
// single contacts: the data of their neighbours stay in the cache, and each chunk is a small Gauss-Seidel sweep.
// Contacts get new numbers colour by colour, chunk by chunk, in their old order inside a chunk.
#ifndef SOLVE_COLOURING_H
#define SOLVE_COLOURING_H

#include <stickslip/friction.h>

#include <stdint.h>

// New numbers of the contacts of a chunk.
typedef struct StickChunk {
    int first, end;
} StickChunk;

typedef struct StickColouring {
    int n;
    int *order; // n: the old number of each new one
    int *place; // n: the new number of each old one
    int nchunks;
    StickChunk *chunk; // nchunks, colour by colour
    int ncolours;
    int *first_chunk; // ncolours + 1, of each colour

    // Work of the making, and room.
    int *chunk_of, *queue; // of contacts
    int *colour, *seen;    // of chunks, in the order in which they grew
    uint64_t *touches;     // nchunks rows of bits
    size_t order_room, place_room, chunk_room, first_chunk_room, chunk_of_room, queue_room, colour_room,
        seen_room, touches_room;
} StickColouring;

// Contacts of a chunk, but for the last: depends on their number alone, never on threads.
int stick_colouring_chunk_size(int n);

// Room for n contacts; the colouring itself allocates nothing.
StickStatus stick_colouring_reserve(StickContext *ctx, StickColouring *colouring, int n);
void stick_colouring_destroy(StickContext *ctx, StickColouring *colouring);

// Only the pattern of W is looked at.
void stick_colouring_make(StickColouring *colouring, const StickBlocks *W);

#endif
