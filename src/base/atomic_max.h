// SPDX-License-Identifier: Apache-2.0
// The largest of many numbers that are not negative, from several threads: it does not depend on their order.
#ifndef BASE_ATOMIC_MAX_H
#define BASE_ATOMIC_MAX_H

#include "base/check.h"

#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

// Bits of such numbers grow with them. Zero at first.
typedef struct StickMost {
    _Atomic uint64_t bits;
} StickMost;

static inline void stick_atomic_max_raise(StickMost *most, double value)
{
    uint64_t bits, now = atomic_load(&most->bits);
    memcpy(&bits, &value, sizeof bits);
    while (bits > now && !atomic_compare_exchange_weak(&most->bits, &now, bits))
        continue;
}

static inline double stick_atomic_max_value(const StickMost *most)
{
    uint64_t bits = atomic_load(&most->bits);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

// The largest |x_i| that is a number, on the threads of the context.
double stick_atomic_max_of(StickContext *ctx, const double *x, int count);

#endif
