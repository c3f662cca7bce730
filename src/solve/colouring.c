// SPDX-License-Identifier: Apache-2.0
#include "solve/colouring.h"

#include "base/memory.h"

#include <string.h>

// Contacts per chunk: at least LEAST, so that handing out a chunk is cheap compared with sweeping it; at most MOST,
// so that r of the neighbours fits into a near cache. In between about 256 chunks, so that a colour has enough for
// all threads.
enum { LEAST = 128, MOST = 1024, CHUNKS = 256 };

int stick_colouring_chunk_size(int n)
{
    int size = n / CHUNKS;
    return size < LEAST ? LEAST : size > MOST ? MOST : size;
}

static int count_chunks(int n)
{
    int size = stick_colouring_chunk_size(n);
    return n / size + (n % size > 0);
}

// 64-bit words of a row of bits
static size_t row_words(int nchunks)
{
    return ((size_t)nchunks + 63) / 64;
}

StickStatus stick_colouring_reserve(StickContext *ctx, StickColouring *colouring, int n)
{
    size_t count = (size_t)n, nchunks = (size_t)count_chunks(n);
    STICK_RESERVE(ctx, colouring->order, colouring->order_room, count);
    STICK_RESERVE(ctx, colouring->place, colouring->place_room, count);
    STICK_RESERVE(ctx, colouring->chunk_of, colouring->chunk_of_room, count);
    STICK_RESERVE(ctx, colouring->queue, colouring->queue_room, count);
    STICK_RESERVE(ctx, colouring->chunk, colouring->chunk_room, nchunks);
    STICK_RESERVE(ctx, colouring->first_chunk, colouring->first_chunk_room, nchunks + 1);
    STICK_RESERVE(ctx, colouring->colour, colouring->colour_room, nchunks);
    STICK_RESERVE(ctx, colouring->seen, colouring->seen_room, nchunks);
    STICK_RESERVE(ctx, colouring->touches, colouring->touches_room, nchunks * row_words((int)nchunks));
    return STICK_OK;
}

void stick_colouring_destroy(StickContext *ctx, StickColouring *colouring)
{
    stick_free(ctx, colouring->order);
    stick_free(ctx, colouring->place);
    stick_free(ctx, colouring->chunk_of);
    stick_free(ctx, colouring->queue);
    stick_free(ctx, colouring->chunk);
    stick_free(ctx, colouring->first_chunk);
    stick_free(ctx, colouring->colour);
    stick_free(ctx, colouring->seen);
    stick_free(ctx, colouring->touches);
    *colouring = (StickColouring){0};
}

// ---- chunks

// Chunks grow one after the other: from the first free contact to its neighbours, to theirs and so on until the chunk
// is full. If a cluster of contacts ends before, the chunk continues with the next one.
static void grow_chunks(StickColouring *colouring, const StickBlocks *W)
{
    int *chunk_of = colouring->chunk_of, *queue = colouring->queue, size = stick_colouring_chunk_size(W->n);
    int head = 0, tail = 0, seed = 0;
    memset(chunk_of, -1, (size_t)W->n * sizeof *chunk_of);
    while (tail < W->n) {
        int chunk = tail / size, full = (chunk + 1) * size < W->n ? (chunk + 1) * size : W->n;
        if (head == tail || tail % size == 0) {
            while (chunk_of[seed] >= 0)
                seed++;
            head = tail;
            chunk_of[seed] = chunk;
            queue[tail++] = seed;
        }
        int c = queue[head++];
        for (int k = W->start[c]; k < W->start[c + 1] && tail < full; k++) {
            if (chunk_of[W->col[k]] >= 0)
                continue;
            chunk_of[W->col[k]] = chunk;
            queue[tail++] = W->col[k];
        }
    }
    colouring->nchunks = count_chunks(W->n);
}

static void touch(StickColouring *colouring, int a, int b)
{
    colouring->touches[(size_t)a * row_words(colouring->nchunks) + (size_t)b / 64] |= (uint64_t)1 << b % 64;
}

// Which chunks a block of W couples, in both directions. The queue still has the contacts chunk by chunk.
static void find_neighbours(StickColouring *colouring, const StickBlocks *W)
{
    int nchunks = colouring->nchunks;
    memset(colouring->touches, 0, (size_t)nchunks * row_words(nchunks) * sizeof *colouring->touches);
    memset(colouring->seen, -1, (size_t)nchunks * sizeof *colouring->seen);
    for (int i = 0; i < W->n; i++) {
        int c = colouring->queue[i], chunk = colouring->chunk_of[c];
        for (int k = W->start[c]; k < W->start[c + 1]; k++) {
            int other = colouring->chunk_of[W->col[k]];
            if (colouring->seen[other] == chunk)
                continue;
            colouring->seen[other] = chunk;
            touch(colouring, chunk, other);
            touch(colouring, other, chunk);
        }
    }
}

// ---- colours

// The first colour that no earlier neighbour has; colours seen at this chunk are marked by it.
static int first_free(StickColouring *colouring, int chunk)
{
    const uint64_t *row = colouring->touches + (size_t)chunk * row_words(colouring->nchunks);
    int colour = 0;
    for (int other = 0; other < chunk; other++)
        if (row[other / 64] >> other % 64 & 1)
            colouring->seen[colouring->colour[other]] = chunk;
    while (colouring->seen[colour] == chunk)
        colour++;
    return colour;
}

static void colour_chunks(StickColouring *colouring)
{
    colouring->ncolours = 0;
    memset(colouring->seen, -1, (size_t)colouring->nchunks * sizeof *colouring->seen);
    for (int chunk = 0; chunk < colouring->nchunks; chunk++) {
        colouring->colour[chunk] = first_free(colouring, chunk);
        if (colouring->colour[chunk] == colouring->ncolours)
            colouring->ncolours++;
    }
}

// ---- new numbers

// Chunks one after the other by colour. `seen` becomes the place of the next contact of a chunk.
static void place_chunks(StickColouring *colouring)
{
    int size = stick_colouring_chunk_size(colouring->n), placed = 0, first = 0;
    for (int colour = 0; colour < colouring->ncolours; colour++) {
        colouring->first_chunk[colour] = placed;
        for (int chunk = 0; chunk < colouring->nchunks; chunk++) {
            if (colouring->colour[chunk] != colour)
                continue;
            int end = first + (colouring->n - chunk * size < size ? colouring->n - chunk * size : size);
            colouring->chunk[placed++] = (StickChunk){first, end};
            colouring->seen[chunk] = first;
            first = end;
        }
    }
    colouring->first_chunk[colouring->ncolours] = placed;
}

void stick_colouring_make(StickColouring *colouring, const StickBlocks *W)
{
    colouring->n = W->n;
    grow_chunks(colouring, W);
    find_neighbours(colouring, W);
    colour_chunks(colouring);
    place_chunks(colouring);
    for (int c = 0; c < W->n; c++) {
        int place = colouring->seen[colouring->chunk_of[c]]++;
        colouring->place[c] = place;
        colouring->order[place] = c;
    }
}
