// SPDX-License-Identifier: Apache-2.0
// Spectra of sines whose frequencies and amplitudes are known.
#include "check.h"

#include "output/lines.h"

#include <math.h>
#include <stdlib.h>

typedef struct Sine {
    double frequency, amplitude, phase;
} Sine;

static double *make(size_t n, double dt, const Sine *sine, int count, double mean)
{
    double *y = calloc(n, sizeof *y);
    assert_non_null(y);
    for (size_t j = 0; j < n; j++) {
        y[j] = mean;
        for (int k = 0; k < count; k++)
            y[j] += sine[k].amplitude * sin(2 * M_PI * sine[k].frequency * (double)j * dt + sine[k].phase);
    }
    return y;
}

static int peaks_of(StickContext *ctx, size_t n, double dt, const double *y, StickWindow window,
                    StickPeak *peak)
{
    StickSignal signal = {n, 0, dt, y};
    StickLines lines;
    assert_ok(ctx, stick_lines_create(ctx, &signal, window, &lines));
    assert_int_equal(lines.count, n / 2 + 1);
    int count = stick_lines_peaks(&lines, window, peak);
    stick_lines_destroy(ctx, &lines);
    return count;
}

// Whole periods: the line itself has the height of the amplitude, with either window and for even and odd n.
static void a_sine_on_a_line_has_its_amplitude(void **state)
{
    StickContext *ctx = *state;
    for (size_t n = 1000; n <= 1001; n++)
        for (int window = STICK_WINDOW_HANN; window <= STICK_WINDOW_NONE; window++) {
            double dt = 1.0 / (double)n;
            const Sine sine = {50, 3, 0.4};
            double *y = make(n, dt, &sine, 1, 7);
            StickSignal signal = {n, 0, dt, y};
            StickLines lines;
            assert_ok(ctx, stick_lines_create(ctx, &signal, (StickWindow)window, &lines));
            assert_near(lines.spacing, 1, 1e-12);
            assert_near(lines.amplitude[50], 3, 1e-10);
            assert_near(lines.amplitude[0], 0, 1e-10);
            assert_near(lines.amplitude[60], 0, 1e-10);
            stick_lines_destroy(ctx, &lines);
            free(y);
        }
}

// The highest frequency has one line only: an alternating signal of 2, -2, ...
static void the_last_line_counts_once(void **state)
{
    StickContext *ctx = *state;
    double y[64];
    for (int k = 0; k < 64; k++)
        y[k] = k % 2 ? -2 : 2;
    StickSignal signal = {64, 0, 1, y};
    StickLines lines;
    assert_ok(ctx, stick_lines_create(ctx, &signal, STICK_WINDOW_NONE, &lines));
    assert_near(lines.amplitude[32], 2, 1e-12);
    stick_lines_destroy(ctx, &lines);
}

// Between lines the peak is interpolated.
static void a_sine_between_lines_is_found(void **state)
{
    StickContext *ctx = *state;
    StickPeak peak[STICK_MOST_PEAKS];
    size_t n = 4000;
    double dt = 1e-4; // lines every 2.5
    for (int k = 0; k < 10; k++) {
        const Sine sine = {1000 + 0.25 * k, 2, 1};
        double *y = make(n, dt, &sine, 1, 0);
        assert_int_equal(peaks_of(ctx, n, dt, y, STICK_WINDOW_HANN, peak), 1);
        assert_near(peak[0].frequency, sine.frequency, 1e-4);
        assert_near(peak[0].amplitude, 2, 1e-4);
        peaks_of(ctx, n, dt, y, STICK_WINDOW_NONE, peak);
        assert_near(peak[0].frequency, sine.frequency, 0.01);
        assert_near(peak[0].amplitude, 2, 0.01);
        free(y);
    }
}

static void sums_of_sines_are_told_apart(void **state)
{
    StickContext *ctx = *state;
    StickPeak peak[STICK_MOST_PEAKS];
    const Sine sine[] = {{101.3, 1, 0}, {340.7, 5, 2}, {777.1, 0.2, 1}};
    double *y = make(5000, 1e-4, sine, 3, -4);
    assert_int_equal(peaks_of(ctx, 5000, 1e-4, y, STICK_WINDOW_HANN, peak), 3);
    for (int k = 0; k < 3; k++) {
        const Sine *own = &sine[k == 0 ? 1 : k == 1 ? 0 : 2]; // highest first
        assert_near(peak[k].frequency, own->frequency, 0.01);
        assert_near(peak[k].amplitude, own->amplitude, 0.002 * 5);
    }
    free(y);
}

// Noise of a tenth of the amplitude, from our own numbers.
static void noise_moves_a_peak_little(void **state)
{
    StickContext *ctx = *state;
    StickPeak peak[STICK_MOST_PEAKS];
    const Sine sine = {333.3, 1, 0};
    double *y = make(8192, 1e-4, &sine, 1, 0);
    uint64_t seed = 1;
    for (int k = 0; k < 8192; k++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        y[k] += 0.1 * ((double)(seed >> 40) / (1 << 23) - 1);
    }
    assert_true(peaks_of(ctx, 8192, 1e-4, y, STICK_WINDOW_HANN, peak) >= 1);
    assert_near(peak[0].frequency, 333.3, 0.01);
    assert_near(peak[0].amplitude, 1, 0.01);
    free(y);
}

static void too_few_values_are_refused(void **state)
{
    StickContext *ctx = *state;
    const double y[3] = {1, 2, 3};
    StickSignal signal = {3, 0, 1, y};
    StickLines lines;
    assert_int_equal(stick_lines_create(ctx, &signal, STICK_WINDOW_HANN, &lines), STICK_BAD_INPUT);
}

static StickStatus run_lines(StickContext *ctx, void *user)
{
    StickSignal signal = {256, 0, 1, user};
    StickLines lines;
    STICK_TRY(stick_lines_create(ctx, &signal, STICK_WINDOW_HANN, &lines));
    stick_lines_destroy(ctx, &lines);
    return STICK_OK;
}

static void no_memory_is_survived(void **state)
{
    (void)state;
    double y[256];
    for (int k = 0; k < 256; k++)
        y[k] = sin(0.3 * k);
    assert_survives_failing_memory(run_lines, y);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(a_sine_on_a_line_has_its_amplitude),
        test_with_context(the_last_line_counts_once),
        test_with_context(a_sine_between_lines_is_found),
        test_with_context(sums_of_sines_are_told_apart),
        test_with_context(noise_moves_a_peak_little),
        test_with_context(too_few_values_are_refused),
        cmocka_unit_test(no_memory_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
