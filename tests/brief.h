// SPDX-License-Identifier: Apache-2.0
// Programs with sanitizers look for errors of memory and undefined behaviour, those without for wrong numbers. A test that repeats
// the same code many times takes fewer samples with sanitizers; STICKSLIP_TEST_FULL=1 makes it take all (./run nightly).
#ifndef TESTS_BRIEF_H
#define TESTS_BRIEF_H

#include <stdbool.h>
#include <stdlib.h>

static inline bool test_is_brief(void)
{
#ifdef STICKSLIP_SANITIZED
    return !getenv("STICKSLIP_TEST_FULL");
#else
    return false;
#endif
}

// How many samples, steps or cells a test takes.
static inline int test_size(int full, int brief)
{
    return test_is_brief() ? brief : full;
}

#endif
