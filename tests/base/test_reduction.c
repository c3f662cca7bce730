// SPDX-License-Identifier: Apache-2.0
#include "check.h"

#include "base/pool.h"
#include "base/reduction.h"

static void add_terms(const void *data, int from, int to, double *sum)
{
    const double *scale = data;
    for (int i = from; i < to; i++) {
        sum[0] += 1;
        sum[1] += i;
        sum[2] += *scale / (1 + i);
    }
}

static void add_one_by_one(double scale, int count, double sum[3])
{
    memset(sum, 0, 3 * sizeof *sum);
    add_terms(&scale, 0, count, sum);
}

// Every item once, for all lengths around those at which parts are cut.
static void all_items_are_added(void **state)
{
    const int counts[] = {0, 1, 2, 255, 256, 257, 511, 513, 16383, 16384, 16385, 16449, 100000};
    double scale = 0.1;
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        double sum[3], plain[3], first[3];
        add_one_by_one(scale, counts[k], plain);
        for (int threads = 1; threads <= 3; threads++) {
            assert_ok(*state, stick_threads_set(*state, threads));
            stick_reduction(*state, counts[k], add_terms, &scale, sum, 3);
            assert_near(sum[0], counts[k], 0);
            assert_near(sum[1], plain[1], 0);
            assert_near(sum[2], plain[2], 1e-12);
            if (threads == 1)
                memcpy(first, sum, sizeof first);
            assert_memory_equal(sum, first, sizeof first); // the same bits
        }
    }
}

// Few items are added one after the other, as a plain sum does.
static void a_short_range_is_one_part(void **state)
{
    double scale = 0.1, sum[3], plain[3];
    add_one_by_one(scale, STICK_PIECE, plain);
    stick_reduction(*state, STICK_PIECE, add_terms, &scale, sum, 3);
    assert_memory_equal(sum, plain, sizeof plain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(all_items_are_added),
        test_with_context(a_short_range_is_one_part),
    };
    return cmocka_run_group_tests_name("base.reduction", tests, NULL, NULL);
}
