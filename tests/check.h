// SPDX-License-Identifier: Apache-2.0
// What every test needs: cmocka, a context, comparison of numbers, and an allocator that fails on demand.
#ifndef TESTS_CHECK_H
#define TESTS_CHECK_H

// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// |a - b| <= tolerance, with the numbers in the message.
#define assert_near(a, b, tolerance)                                                               \
    do {                                                                                           \
        double near_a = (a), near_b = (b), near_tolerance = (tolerance);                           \
        if (!(fabs(near_a - near_b) <= near_tolerance)) {                                          \
            print_error("%s = %.17g, %s = %.17g, differ by %.3g > %.3g\n", #a, near_a, #b, near_b, \
                        fabs(near_a - near_b), near_tolerance);                                    \
            fail();                                                                                \
        }                                                                                          \
    } while (0)

#define assert_below(a, bound)                                                                \
    do {                                                                                      \
        double below_a = (a), below_bound = (bound);                                          \
        if (!(below_a <= below_bound)) {                                                      \
            print_error("%s = %.17g is above %s = %.3g\n", #a, below_a, #bound, below_bound); \
            fail();                                                                           \
        }                                                                                     \
    } while (0)

// A status that is not OK fails the test with the last error's text.
#define assert_ok(ctx, call)                                                                         \
    do {                                                                                             \
        StickStatus ok_status = (call);                                                              \
        if (ok_status != STICK_OK) {                                                                 \
            print_error("%s: %s: %s\n", #call, stick_status_name(ok_status), stick_last_error(ctx)); \
            fail();                                                                                  \
        }                                                                                            \
    } while (0)

// Fails at the call number `fails_at` (counted from 0) and at every later one; never if negative.
typedef struct FailingAllocator {
    long calls;
    long fails_at;
} FailingAllocator;

static inline void *failing_resize(void *user, void *block, size_t size)
{
    FailingAllocator *allocator = user;
    if (size == 0) {
        free(block);
        return NULL;
    }
    if (allocator->fails_at >= 0 && allocator->calls++ >= allocator->fails_at)
        return NULL;
    return realloc(block, size);
}

// Runs body(ctx, data) with every allocation failing in turn until it succeeds; each failure must be
// STICK_NO_MEMORY, and nothing may leak (the sanitizers and memory_now tell).
static inline void assert_survives_failing_memory(StickStatus (*body)(StickContext *ctx, void *data),
                                                  void *data)
{
    for (long fails_at = 1; fails_at < 100000; fails_at++) {
        FailingAllocator failing = {0, fails_at};
        StickAllocator allocator = {failing_resize, &failing};
        StickContext *ctx = stick_context_create(&allocator);
        assert_non_null(ctx);
        StickStatus status = body(ctx, data);
        failing.fails_at = -1;
        stick_diagnostics_clear(ctx);
        stick_context_destroy(ctx);
        if (status == STICK_OK)
            return;
        assert_int_equal(status, STICK_NO_MEMORY);
    }
    fail_msg("still failing after 100000 allocations");
}

// A context per test as cmocka's state.
static inline int make_context(void **state)
{
    *state = stick_context_create(NULL);
    return *state ? 0 : -1;
}

static inline int drop_context(void **state)
{
    stick_context_destroy(*state);
    return 0;
}

#define test_with_context(function) cmocka_unit_test_setup_teardown(function, make_context, drop_context)

// How many warnings say these words.
static inline int times_warned(StickContext *ctx, const char *words)
{
    int times = 0;
    for (size_t k = 0; k < stick_diagnostic_count(ctx); k++)
        times += stick_diagnostic(ctx, k)->severity == STICK_WARNING &&
                 strstr(stick_diagnostic(ctx, k)->text, words);
    return times;
}

#endif
