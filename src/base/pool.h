// SPDX-License-Identifier: Apache-2.0
// A few threads that wait for work: run() hands out numbered parts and returns when all are done. Which
// thread does which part is left to chance, so a part must write only what belongs to its number.
#ifndef BASE_POOL_H
#define BASE_POOL_H

#include "base/check.h"

typedef struct StickPool StickPool;
typedef void StickPart(void *data, int part);

// nthreads >= 1 counts the caller. If the system gives fewer, the pool warns and does with them.
StickStatus stick_pool_create(StickContext *ctx, int nthreads, StickPool **pool);
void stick_pool_destroy(StickPool *pool);

int stick_pool_threads(const StickPool *pool);

// Calls function(data, part) once for every part from 0 to nparts - 1, on all threads. One caller at a time,
// and never from inside a part.
void stick_pool_run(StickPool *pool, StickPart *function, void *data, int nparts);

// Threads of a context, for work that is the same for every number of them: 1 at first. Nothing happens if it has so
// many already.
StickStatus stick_threads_set(StickContext *ctx, int nthreads);

// Calls function(data, part) for every part, as stick_pool_run does, on the threads of the context; alone where there
// are fewer items in all than a piece has: to wake a thread takes longer.
typedef struct StickParts {
    StickPart *function;
    void *data;
    int nparts;
    int nitems;
} StickParts;
void stick_threads_run(StickContext *ctx, const StickParts *parts);

// Calls function(data, from, to) for pieces that cover 0 ... count - 1, in the same way. Pieces have STICK_PIECE items,
// the last one fewer, for every number of threads. The function must not allocate memory or report messages; sums are
// stored per piece (number from / STICK_PIECE) and added in their order.
enum { STICK_PIECE = 256 };
typedef void StickRange(void *data, int from, int to);
void stick_threads_range(StickContext *ctx, int count, StickRange *function, void *data);

static inline int stick_piece_count(int count)
{
    return (count + STICK_PIECE - 1) / STICK_PIECE;
}

#endif
