// SPDX-License-Identifier: Apache-2.0
#include "base/clock.h"

#include <time.h>

static double read_clock(clockid_t id)
{
    struct timespec now;
    clock_gettime(id, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double stick_clock_wall(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

double stick_clock_cpu(void)
{
    return read_clock(CLOCK_THREAD_CPUTIME_ID);
}
