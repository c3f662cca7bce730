// SPDX-License-Identifier: Apache-2.0
#include "base/atomic_max.h"

#include "base/pool.h"

#include <math.h>

typedef struct Asked {
    const double *x;
    StickMost most;
} Asked;

static void look_at_range(void *data, int from, int to)
{
    Asked *asked = data;
    double most = 0;
    for (int i = from; i < to; i++)
        most = fabs(asked->x[i]) > most ? fabs(asked->x[i]) : most;
    stick_atomic_max_raise(&asked->most, most);
}

double stick_atomic_max_of(StickContext *ctx, const double *x, int count)
{
    Asked asked = {.x = x};
    stick_threads_range(ctx, count, look_at_range, &asked);
    return stick_atomic_max_value(&asked.most);
}
