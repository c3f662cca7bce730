// SPDX-License-Identifier: Apache-2.0
#include "base/reduction.h"

#include "base/pool.h"

#include <assert.h>

enum { PARTS = 64 };

typedef struct Parts {
    StickAddRange *function;
    const void *data;
    int count, length; // of the range, and of a part
    double sum[PARTS][STICK_TOTALS];
} Parts;

static void add_part(void *data, int part)
{
    Parts *parts = data;
    int from = part * parts->length, rest = parts->count - from;
    parts->function(parts->data, from, from + (rest < parts->length ? rest : parts->length),
                    parts->sum[part]);
}

void stick_reduction(StickContext *ctx, int count, StickAddRange *function, const void *data, double *sum,
                     int nsums)
{
    assert(nsums <= STICK_TOTALS);
    int even = (count - 1) / PARTS + 1, length = even > STICK_PIECE ? even : STICK_PIECE,
        nparts = (count + length - 1) / length;
    Parts parts = {.function = function, .data = data, .count = count, .length = length};
    stick_threads_run(ctx, &(StickParts){add_part, &parts, nparts, count});
    for (int k = 0; k < nsums; k++) {
        sum[k] = 0;
        for (int part = 0; part < nparts; part++)
            sum[k] += parts.sum[part][k];
    }
}
