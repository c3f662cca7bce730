// SPDX-License-Identifier: Apache-2.0
#include "check.h"

#include "base/atomic_max.h"
#include "base/pool.h"

enum { N = 5000 };

// Wherever it stands, whatever its sign.
static void the_largest_is_found_on_any_number_of_threads(void **state)
{
    static double x[N];
    for (int i = 0; i < N; i++)
        x[i] = (i * 37 % 101) * 1e-3;
    x[3 * STICK_PIECE - 1] = NAN;
    for (int threads = 1; threads <= 3; threads++) {
        assert_ok(*state, stick_threads_set(*state, threads));
        for (int at = 0; at < N; at += 611) {
            double before = x[at];
            x[at] = -7.5 - at;
            assert_near(stick_atomic_max_of(*state, x, N), 7.5 + at, 0);
            x[at] = before;
        }
        assert_near(stick_atomic_max_of(*state, x, 0), 0, 0);
        x[N - 1] = -INFINITY;
        assert_true(isinf(stick_atomic_max_of(*state, x, N)));
        x[N - 1] = 0;
    }
}

static void it_only_grows(void **state)
{
    (void)state;
    StickMost most = {0};
    double values[] = {0, 1e-300, 5e-324, 3, 2.5, 1e300, 4};
    double largest = 0;
    for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
        stick_atomic_max_raise(&most, values[k]);
        largest = fmax(largest, values[k]);
        assert_near(stick_atomic_max_value(&most), largest, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(the_largest_is_found_on_any_number_of_threads),
        test_with_context(it_only_grows),
    };
    return cmocka_run_group_tests_name("base.atomic_max", tests, NULL, NULL);
}
