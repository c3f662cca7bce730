// SPDX-License-Identifier: Apache-2.0
#include "check.h"

#include "study/difference.h"

enum { MOST_ROWS = 4096 };

static const double pi = 3.14159265358979323846;

// A curve with room of its own.
typedef struct Sampled {
    double t[MOST_ROWS], value[MOST_ROWS];
    const double *column;
    StickCurve curve;
} Sampled;

static StickCurve *sample(Sampled *sampled, double (*function)(double), double from, double to, size_t steps)
{
    assert_true(steps < MOST_ROWS);
    for (size_t k = 0; k <= steps; k++) {
        sampled->t[k] = from + (to - from) * (double)k / (double)steps;
        sampled->value[k] = function(sampled->t[k]);
    }
    sampled->column = sampled->value;
    sampled->curve = (StickCurve){steps + 1, sampled->t, 1, &sampled->column};
    return &sampled->curve;
}

static StickDifference difference_of(const StickCurve *base, const StickCurve *other)
{
    StickDifference difference;
    assert_true(stick_curve_difference(base, other, &difference));
    return difference;
}

static double ramp(double t)
{
    return 3 * t - 1;
}

// ---- closed forms

// At the middle m of a step h the chord of the sine lies sin(m) (1 - cos(h/2)) below it, and the difference of the two
// curves is a hat of that height over the step: its mean square is a third of the height's square.
static void test_sine_at_two_steps(void **state)
{
    static Sampled coarse, fine;
    (void)state;
    for (size_t steps = 8; steps <= 128; steps *= 2) {
        double h = 2 * pi / (double)steps, chord = 1 - cos(h / 2);
        sample(&coarse, sin, 0, 2 * pi, steps);
        sample(&fine, sin, 0, 2 * pi, 2 * steps);
        StickDifference difference = difference_of(&coarse.curve, &fine.curve);
        // over whole periods the mean of sin^2 at the middles is 1/2, and the largest is at half a step beside the top
        assert_near(difference.rms, chord * sqrt(1.0 / 6), 1e-13);
        assert_near(difference.largest, chord * cos(h / 2), 1e-13);
        assert_near(difference.scale, 1, 1e-13);
        assert_near(difference.from, 0, 0);
        assert_near(difference.to, 2 * pi, 0);
        assert_near(difference.alone, 0, 0);
        assert_near(difference.beyond, 0, 0);
    }
}

// Steps that have nothing in common: the chords are off by h^2/8 at most each, and second order shows.
static void test_sine_at_odd_steps(void **state)
{
    static Sampled a, b;
    (void)state;
    double before = 0;
    for (size_t steps = 7; steps <= 7 * 32; steps *= 2) {
        sample(&a, sin, 0, 1, steps);
        sample(&b, sin, 0, 1, 3 * steps / 2 + 1);
        StickDifference difference = difference_of(&a.curve, &b.curve);
        assert_below(difference.largest, 1.0 / 8 / (double)(steps * steps));
        if (before > 0)
            assert_near(before / difference.rms, 4, 0.6);
        before = difference.rms;
    }
}

// Straight lines are the same at all steps.
static void test_lines_do_not_differ(void **state)
{
    static Sampled a, b;
    (void)state;
    StickDifference difference = difference_of(sample(&a, ramp, 0, 1, 7), sample(&b, ramp, 0.25, 2, 1000));
    assert_below(difference.largest, 1e-15);
    assert_near(difference.from, 0.25, 0);
    assert_near(difference.to, 1, 0);
    assert_near(difference.scale, 2, 1e-15);
    assert_near(difference.beyond, 1 - 0.75 / 2, 1e-15);
}

// A step up at row 50 and one at row 52: the largest difference is all of it, the mean square that of a trapezium of
// sides 2 h/3 and one whole step.
static void test_jump_at_another_step(void **state)
{
    enum { STEPS = 100 };
    static Sampled a, b;
    (void)state;
    sample(&a, ramp, 0, 1, STEPS);
    sample(&b, ramp, 0, 1, STEPS);
    for (int k = 0; k <= STEPS; k++) {
        a.value[k] = k >= 50;
        b.value[k] = k >= 52;
    }
    StickDifference difference = difference_of(&a.curve, &b.curve);
    assert_near(difference.largest, 1, 0);
    assert_near(difference.rms, sqrt((1 + 2.0 / 3) / STEPS), 1e-14);
}

// Two rows of one time are a jump without a slope.
static void test_two_rows_of_one_time(void **state)
{
    const double t[] = {0, 1, 1, 2}, jump[] = {0, 0, 2, 2}, u[] = {0, 2}, flat[] = {1, 1};
    const double *a[] = {jump}, *b[] = {flat};
    (void)state;
    StickDifference difference = difference_of(&(StickCurve){4, t, 1, a}, &(StickCurve){2, u, 1, b});
    assert_near(difference.rms, 1, 1e-15);
    assert_near(difference.largest, 1, 0);
    assert_near(difference.scale, 2, 0);
}

// ---- columns

static void test_columns_share_their_scale(void **state)
{
    const double t[] = {0, 1}, x[] = {10, 10}, y[] = {0, 0}, z[] = {3, 3};
    const double *a[] = {x, y}, *b[] = {x, z};
    (void)state;
    StickDifference difference = difference_of(&(StickCurve){2, t, 2, a}, &(StickCurve){2, t, 2, b});
    assert_near(difference.scale, 10, 0);
    assert_near(difference.largest, 3, 0);
    assert_near(difference.rms, 3 / sqrt(2), 1e-15);
}

// ---- what is no number, and what has no time

static void test_rows_without_a_number(void **state)
{
    const double t[] = {0, 1, 2, 3, 4}, a[] = {NAN, 1, 1, 1, NAN}, b[] = {NAN, NAN, 2, 2, 2};
    const double *p[] = {a}, *q[] = {b};
    (void)state;
    StickDifference difference = difference_of(&(StickCurve){5, t, 1, p}, &(StickCurve){5, t, 1, q});
    assert_near(difference.rms, 1, 0); // where both are numbers
    assert_near(difference.alone, 0.5, 0);
    difference = difference_of(&(StickCurve){5, t, 1, p}, &(StickCurve){5, t, 1, p});
    assert_near(difference.alone, 0, 0);
    assert_near(difference.largest, 0, 0);
}

// An infinite value is one: a difference unless both have it at the same time, however short.
static void test_infinite_values(void **state)
{
    const double inf = INFINITY, t[] = {0, 1, 2, 3}, u[] = {0, 0.5, 1, 1.5, 2, 2.5, 3};
    const double one[] = {1, 1, 1, 1}, up[] = {1, inf, 1, 1}, down[] = {1, -inf, 1, 1},
                 none[] = {1, NAN, 1, 1};
    const double fine[] = {1, inf, inf, inf, 1, 1, 1}, last[] = {1, 1, 1, inf};
    const double *a[] = {one}, *b[] = {up}, *c[] = {down}, *d[] = {none}, *e[] = {fine}, *f[] = {last};
    const StickCurve finite = {4, t, 1, a}, with[] = {{4, t, 1, b}, {4, t, 1, c}, {4, t, 1, f}};
    (void)state;
    for (int k = 0; k < 3; k++) {
        StickDifference difference = difference_of(&finite, &with[k]);
        assert_true(isinf(difference.rms) && isinf(difference.largest));
        assert_near(difference.alone, 0, 0);
        difference = difference_of(&with[k], &finite);
        assert_true(isinf(difference.rms) && isinf(difference.largest));
        assert_near(difference.scale, 1, 0);
        difference = difference_of(&with[k], &with[k]);
        assert_near(difference.rms, 0, 0);
        assert_near(difference.largest, 0, 0);
    }
    assert_true(isinf(difference_of(&with[0], &with[1]).rms));
    // at the rows of half the step, with what lies beside it
    StickDifference difference = difference_of(&with[0], &(StickCurve){7, u, 1, e});
    assert_near(difference.alone, 0, 0);
    assert_near(difference.rms, 0, 0);
    assert_near(difference.largest, 0, 0);
    // beside NaN nothing is a number
    difference = difference_of(&with[0], &(StickCurve){4, t, 1, d});
    assert_near(difference.largest, 0, 0);
    assert_near(difference.alone, 2.0 / 3, 1e-15);
}

// What a curve jumps to in its last row counts, too.
static void test_jump_at_the_end(void **state)
{
    const double t[] = {0, 1, 1}, jump[] = {1, 1, 3}, u[] = {0, 1}, flat[] = {1, 1}, end[] = {1, 1, INFINITY};
    const double *a[] = {jump}, *b[] = {flat}, *c[] = {end};
    const StickCurve base = {2, u, 1, b};
    (void)state;
    StickDifference difference = difference_of(&base, &(StickCurve){3, t, 1, a});
    assert_near(difference.largest, 2, 0);
    assert_near(difference.rms, 0, 0);
    assert_true(isinf(difference_of(&base, &(StickCurve){3, t, 1, c}).rms));
}

static void test_one_row(void **state)
{
    const double t[] = {0, 1, 2}, a[] = {0, 2, 8}, u[] = {1.5}, b[] = {6};
    const double *p[] = {a}, *q[] = {b};
    StickCurve three = {3, t, 1, p}, one = {1, u, 1, q};
    (void)state;
    StickDifference difference = difference_of(&three, &one);
    assert_near(difference.largest, 1, 0);
    assert_near(difference.rms, 1, 0);
    assert_near(difference.scale, 5, 0);
    difference = difference_of(&one, &three);
    assert_near(difference.largest, 1, 0);
    assert_near(difference.scale, 6, 0);
}

static void test_no_time_in_common(void **state)
{
    const double t[] = {0, 1}, u[] = {2, 3}, a[] = {1, 1};
    const double *p[] = {a};
    StickDifference difference = {.rms = 7};
    (void)state;
    assert_false(stick_curve_difference(&(StickCurve){2, t, 1, p}, &(StickCurve){2, u, 1, p}, &difference));
    assert_near(difference.rms, 7, 0);
}

static void test_relative_to_zero(void **state)
{
    (void)state;
    assert_near(stick_relative(1, 4), 0.25, 0);
    assert_near(stick_relative(0, 0), 0, 0);
    assert_true(isinf(stick_relative(1e-300, 0)));
}

// ---- what is exact

static void test_exact_error_by_hand(void **state)
{
    const double values[] = {1, 2, 5}, exact[] = {1, 4, 4}, none[] = {0, 0, 0};
    (void)state;
    StickExactError error = stick_exact_error(3, values, exact);
    assert_near(error.rms, sqrt(5.0 / 3) / 4, 1e-15);
    assert_near(error.mean, -1.0 / 3 / 4, 1e-15);
    error = stick_exact_error(3, values, none); // nothing to be relative to
    assert_near(error.rms, sqrt(30.0 / 3), 1e-15);
    assert_near(stick_exact_error(0, values, exact).rms, 0, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sine_at_two_steps),     cmocka_unit_test(test_sine_at_odd_steps),
        cmocka_unit_test(test_lines_do_not_differ),   cmocka_unit_test(test_jump_at_another_step),
        cmocka_unit_test(test_two_rows_of_one_time),  cmocka_unit_test(test_columns_share_their_scale),
        cmocka_unit_test(test_rows_without_a_number), cmocka_unit_test(test_one_row),
        cmocka_unit_test(test_no_time_in_common),     cmocka_unit_test(test_relative_to_zero),
        cmocka_unit_test(test_exact_error_by_hand),   cmocka_unit_test(test_infinite_values),
        cmocka_unit_test(test_jump_at_the_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
