// SPDX-License-Identifier: Apache-2.0
// Motions that are known: sines, growth into saturation, beats, van der Pol's cycle, shocks.
#include "check.h"

#include "output/oscillation.h"

typedef double (*Motion)(double t);

enum { N = 6000 };
static const double h = 0.01;

static StickOscillation cycle_of(StickContext *ctx, const double *y, size_t n, double from, double to)
{
    StickSignal signal = {n, 5, h, y};
    StickOscillationOptions options = {from, to, STICK_WINDOW_HANN, 1e-9};
    StickOscillation cycle;
    assert_ok(ctx, stick_oscillation_find(ctx, &signal, &options, &cycle));
    return cycle;
}

static StickOscillation told(StickContext *ctx, Motion motion)
{
    double y[N];
    for (int k = 0; k < N; k++)
        y[k] = motion(h * k);
    return cycle_of(ctx, y, N, -HUGE_VAL, HUGE_VAL);
}

static double sine(double t)
{
    return 4 + 2 * sin(2 * M_PI * 1.234 * t);
}

static void a_sine_is_periodic(void **state)
{
    StickOscillation cycle = told(*state, sine);
    assert_int_equal(cycle.kind, STICK_PERIODIC);
    assert_near(cycle.period, 1 / 1.234, 1e-5);
    assert_below(cycle.return_error, 2e-3);
    assert_near(cycle.peak[0].frequency, 1.234, 1e-5);
    assert_near(cycle.peak[0].amplitude, 2, 1e-3);
    assert_near(cycle.amplitude, 2, 1e-3);
    assert_near(cycle.mean, 4, 0.02);
    assert_near(cycle.rms, sqrt(2), 0.01);
    assert_near(cycle.to, 5 + h * (N - 1), 1e-9);
}

static double harmonics(double t)
{
    double x = 2 * M_PI * 0.9 * t;
    return 0.5 * sin(x) + 2 * sin(3 * x + 1) + cos(5 * x); // the highest peak is no period
}

static void the_period_is_that_of_the_whole_motion(void **state)
{
    StickOscillation cycle = told(*state, harmonics);
    assert_int_equal(cycle.kind, STICK_PERIODIC);
    assert_near(cycle.peak[0].frequency, 2.7, 1e-3);
    assert_near(cycle.period, 1 / 0.9, 1e-4);
}

static double growing(double t)
{
    return 1e-6 * exp(0.2 * t) * sin(9 * t);
}

static double decaying(double t)
{
    return exp(-0.1 * t) * cos(9 * t);
}

// By so little that it nearly returns to itself.
static double growing_slowly(double t)
{
    return 1e-6 * exp(0.003 * t) * sin(9 * t);
}

static double decaying_slowly(double t)
{
    return exp(-0.003 * t) * cos(9 * t);
}

// Too fast to return to itself, too slow to be seen from quarter to quarter.
static double decaying_a_little(double t)
{
    return exp(-0.012 * t) * cos(9 * t);
}

static double growing_a_little(double t)
{
    return exp(0.01 * t) * cos(9 * t);
}

// Rounding: there is a level below which nothing moves.
static double trembling(double t)
{
    return 1e-10 * sin(9 * t) * cos(31 * t * t);
}

static double saturating(double t)
{
    return 3 / (1 + exp(0.8 * (20 - t))) * sin(9 * t);
}

static double resting(double t)
{
    (void)t;
    return 0.1;
}

static void growth_and_decay_are_seen(void **state)
{
    assert_int_equal(told(*state, growing).kind, STICK_GROWS);
    assert_int_equal(told(*state, decaying).kind, STICK_DECAYS);
    assert_int_equal(told(*state, growing_slowly).kind, STICK_GROWS);
    assert_int_equal(told(*state, decaying_slowly).kind, STICK_DECAYS);
    assert_int_equal(told(*state, growing_a_little).kind, STICK_GROWS);
    assert_int_equal(told(*state, decaying_a_little).kind, STICK_DECAYS);
    assert_int_equal(told(*state, resting).kind, STICK_AT_REST);
    assert_int_equal(told(*state, trembling).kind, STICK_AT_REST);
    StickOscillation cycle = told(*state, saturating);
    assert_int_equal(cycle.kind, STICK_PERIODIC);
    assert_near(cycle.period, 2 * M_PI / 9, 1e-4);
    assert_true(cycle.from > 5 + 20 && cycle.from < 5 + 30);
    assert_near(cycle.amplitude, 3, 0.01);
}

// Of all ratios that of the golden section is the farthest from whole numbers.
static double beating(double t)
{
    return sin(2 * M_PI * t) + 0.9 * sin(M_PI * (1 + sqrt(5)) * t);
}

static double modulated(double t)
{
    return (1 + 0.4 * sin(0.31 * t)) * sin(2 * M_PI * 2 * t);
}

static void motions_without_period_are_modulated(void **state)
{
    StickOscillation cycle = told(*state, beating);
    assert_int_equal(cycle.kind, STICK_MODULATED);
    assert_true(isnan(cycle.period));
    assert_true(cycle.return_error > stick_return_limit);
    assert_int_equal(told(*state, modulated).kind, STICK_MODULATED);
}

// A motion with jumps whose period is no whole number of steps.
static double sawtooth(double t)
{
    return fmod(t / 0.7337, 1);
}

static void shocks_do_not_hide_a_period(void **state)
{
    StickOscillation cycle = told(*state, sawtooth);
    assert_int_equal(cycle.kind, STICK_PERIODIC);
    assert_near(cycle.period, 0.7337, 1e-3);
}

// x'' - mu (1 - x^2) x' + x = 0 with mu = 1 has the period 6.66328686 and the amplitude 2.00862. By Runge and Kutta, from
// a small disturbance of the rest that is unstable.
static void rhs(const double x[2], double d[2])
{
    d[0] = x[1];
    d[1] = (1 - x[0] * x[0]) * x[1] - x[0];
}

static void runge_kutta(double x[2], double step)
{
    double a[2], b[2], c[2], d[2], y[2];
    rhs(x, a);
    for (int k = 0; k < 2; k++)
        y[k] = x[k] + step / 2 * a[k];
    rhs(y, b);
    for (int k = 0; k < 2; k++)
        y[k] = x[k] + step / 2 * b[k];
    rhs(y, c);
    for (int k = 0; k < 2; k++)
        y[k] = x[k] + step * c[k];
    rhs(y, d);
    for (int k = 0; k < 2; k++)
        x[k] += step / 6 * (a[k] + 2 * b[k] + 2 * c[k] + d[k]);
}

static void van_der_pols_cycle_is_found(void **state)
{
    static double y[20000];
    double x[2] = {1e-3, 0};
    for (int k = 0; k < 20000; k++) {
        y[k] = x[0];
        runge_kutta(x, h);
    }
    StickOscillation cycle = cycle_of(*state, y, 20000, -HUGE_VAL, HUGE_VAL);
    assert_int_equal(cycle.kind, STICK_PERIODIC);
    assert_near(cycle.period, 6.66328686, 1e-4);
    assert_near(cycle.peak[0].frequency, 1 / 6.66328686, 1e-5);
    assert_near(cycle.amplitude, 2.00862, 1e-4);
    assert_true(cycle.from > 5 + 10); // the growth is left out
}

static void a_window_that_is_given_is_taken(void **state)
{
    double y[N];
    for (int k = 0; k < N; k++)
        y[k] = h * k < 30 ? sin(2 * M_PI * 2 * h * k) : 0.5 * sin(2 * M_PI * 3 * h * k);
    StickOscillation first = cycle_of(*state, y, N, -HUGE_VAL, 34.99),
                     second = cycle_of(*state, y, N, 35, HUGE_VAL);
    assert_near(first.period, 0.5, 1e-4);
    assert_near(second.period, 1.0 / 3, 1e-4);
    assert_near(second.from, 35, 1e-9);
    assert_near(first.to, 34.99, 1e-9);
}

static void short_signals_are_said_to_be(void **state)
{
    double y[N];
    for (int k = 0; k < N; k++)
        y[k] = sin(2 * M_PI * 0.05 * h * k); // three periods
    assert_int_equal(cycle_of(*state, y, N, -HUGE_VAL, HUGE_VAL).kind, STICK_TOO_SHORT);
    for (size_t n = 0; n < 40; n++)
        assert_int_equal(cycle_of(*state, y, n, -HUGE_VAL, HUGE_VAL).kind, STICK_TOO_SHORT);
}

static StickStatus run_cycle(StickContext *ctx, void *data)
{
    StickSignal signal = {N, 0, h, data};
    StickOscillationOptions options = {-HUGE_VAL, HUGE_VAL, STICK_WINDOW_HANN, 0};
    StickOscillation cycle;
    return stick_oscillation_find(ctx, &signal, &options, &cycle);
}

static void no_memory_is_survived(void **state)
{
    (void)state;
    double y[N];
    for (int k = 0; k < N; k++)
        y[k] = sine(h * k);
    assert_survives_failing_memory(run_cycle, y);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(a_sine_is_periodic),
        test_with_context(the_period_is_that_of_the_whole_motion),
        test_with_context(growth_and_decay_are_seen),
        test_with_context(motions_without_period_are_modulated),
        test_with_context(shocks_do_not_hide_a_period),
        test_with_context(van_der_pols_cycle_is_found),
        test_with_context(a_window_that_is_given_is_taken),
        test_with_context(short_signals_are_said_to_be),
        cmocka_unit_test(no_memory_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
