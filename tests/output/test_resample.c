// SPDX-License-Identifier: Apache-2.0
// A sine stays the same sine at another rate; what the other rate cannot have is gone.
#include "check.h"

#include "output/resample.h"

enum { N = 4000 };

// Largest difference from the sine at the new rate, away from the ends.
static double error_of(StickContext *ctx, double cycles_per_value, double ratio, bool expect_nothing)
{
    double x[N], *y, worst = 0;
    size_t count;
    for (int k = 0; k < N; k++)
        x[k] = sin(2 * M_PI * cycles_per_value * k + 0.3);
    assert_ok(ctx, stick_resample(ctx, x, N, ratio, &y, &count));
    assert_int_equal(count, (size_t)floor((N - 1) * ratio * (1 + 1e-12)) + 1);
    double margin = 70 / fmin(1, ratio);
    for (size_t j = 0; j < count; j++) {
        double place = (double)j / ratio, exact = sin(2 * M_PI * cycles_per_value * place + 0.3);
        if (place > margin && place < N - 1 - margin)
            worst = fmax(worst, fabs(y[j] - (expect_nothing ? 0 : exact)));
    }
    stick_free(ctx, y);
    return worst;
}

static void what_both_rates_can_have_stays(void **state)
{
    static const double ratios[] = {0.3, 0.441, 1, 1.7, 44.1 / 8};
    for (size_t k = 0; k < sizeof ratios / sizeof *ratios; k++) {
        double half = 0.5 * fmin(1, ratios[k]);
        assert_below(error_of(*state, 0.01 * half, ratios[k], false), 1e-4);
        assert_below(error_of(*state, 0.5 * half, ratios[k], false), 1e-4);
        assert_below(error_of(*state, 0.9 * half, ratios[k], false), 1e-4);
    }
}

static void what_the_new_rate_cannot_have_is_gone(void **state)
{
    assert_below(error_of(*state, 0.5 * 0.441 * 1.0, 0.441, true), 1e-4);
    assert_below(error_of(*state, 0.35, 0.441, true), 1e-4);
    assert_below(error_of(*state, 0.49, 0.3, true), 1e-4);
}

static void nonsense_is_refused(void **state)
{
    StickContext *ctx = *state;
    double x[2] = {0}, *y;
    size_t count;
    assert_int_equal(stick_resample(ctx, x, 0, 1, &y, &count), STICK_BAD_INPUT);
    assert_int_equal(stick_resample(ctx, x, 2, 0, &y, &count), STICK_BAD_INPUT);
}

static StickStatus run_resample(StickContext *ctx, void *data)
{
    double *y;
    size_t count;
    STICK_TRY(stick_resample(ctx, data, 3, 2, &y, &count));
    stick_free(ctx, y);
    return STICK_OK;
}

static void no_memory_is_survived(void **state)
{
    (void)state;
    double x[3] = {1, 2, 3};
    assert_survives_failing_memory(run_resample, x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(what_both_rates_can_have_stays),
        test_with_context(what_the_new_rate_cannot_have_is_gone),
        test_with_context(nonsense_is_refused),
        cmocka_unit_test(no_memory_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
