// SPDX-License-Identifier: Apache-2.0
// Transforms against their sums.
#include "check.h"

#include "output/fourier.h"

enum { MOST = 37 };

static void fill(double *y, int n)
{
    for (int k = 0; k < n; k++)
        y[k] = cos(1.7 * k * k) + 0.3 * k;
}

static void transforms_are_their_sums(void **state)
{
    StickContext *ctx = *state;
    static const int sizes[] = {1, 2, 16, 31, MOST};
    double y[MOST];
    double complex Y[MOST];
    fill(y, MOST);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        int n = sizes[s];
        assert_ok(ctx, stick_fourier(ctx, (size_t)n, y, Y));
        for (int k = 0; k <= n / 2; k++) {
            double complex sum = 0;
            for (int j = 0; j < n; j++)
                sum += y[j] * cexp(-2 * M_PI * I * j * k / n);
            assert_near(cabs(Y[k] - sum), 0, 1e-11);
        }
    }
    assert_int_equal(stick_fourier(ctx, 0, y, Y), STICK_BAD_INPUT);
}

static void correlations_are_their_sums(void **state)
{
    StickContext *ctx = *state;
    double y[MOST], c[MOST];
    fill(y, MOST);
    assert_ok(ctx, stick_fourier_correlate(ctx, MOST, y, MOST, c));
    for (int lag = 0; lag < MOST; lag++) {
        double sum = 0;
        for (int j = 0; j + lag < MOST; j++)
            sum += y[j] * y[j + lag];
        assert_near(c[lag], sum, 1e-10 * 2000);
    }
}

// The same bits wherever the values lie in memory.
static void bits_do_not_depend_on_the_place(void **state)
{
    StickContext *ctx = *state;
    double y[MOST + 1], moved[MOST + 1];
    double complex Y[MOST], Z[MOST + 1];
    fill(y, MOST);
    memcpy(moved + 1, y, MOST * sizeof *y);
    assert_ok(ctx, stick_fourier(ctx, MOST, y, Y));
    assert_ok(ctx, stick_fourier(ctx, MOST, moved + 1, Z + 1));
    assert_memory_equal(Y, Z + 1, (MOST / 2 + 1) * sizeof *Y);
}

static StickStatus run_correlation(StickContext *ctx, void *data)
{
    double c[5];
    return stick_fourier_correlate(ctx, MOST, data, 5, c);
}

static void no_memory_is_survived(void **state)
{
    (void)state;
    double y[MOST];
    fill(y, MOST);
    assert_survives_failing_memory(run_correlation, y);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(transforms_are_their_sums),
        test_with_context(correlations_are_their_sums),
        test_with_context(bits_do_not_depend_on_the_place),
        cmocka_unit_test(no_memory_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
