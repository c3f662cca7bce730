// SPDX-License-Identifier: Apache-2.0
#include "check.h"

#include "solve/mixing.h"

enum { N = 4 };

// F(p) = A p + b with a triangular A of spectral radius 3: the plain fixed point runs away.
static void image(const double *p, double *F)
{
    static const double A[N][N] = {{-3, 0.5, 0, 0}, {0, 0.9, 0.2, 0}, {0, 0, -1.5, 0.3}, {0, 0, 0, 0.5}};
    for (int i = 0; i < N; i++) {
        F[i] = 1 + i;
        for (int j = 0; j < N; j++)
            F[i] += A[i][j] * p[j];
    }
}

// N + 1 exact values of a linear map tell its fixed point, whether the map contracts or not.
static void linear_fixed_points_take_as_many_steps_as_unknowns(void **state)
{
    StickMixing mixing;
    double p[N] = {0}, F[N], f = 1;
    stick_mixing_create(*state, &mixing);
    assert_ok(*state, stick_mixing_reserve(&mixing, N));
    stick_mixing_start(&mixing, N, 1, -INFINITY);
    for (int k = 0; k < N + 2; k++) {
        image(p, F);
        f = stick_mixing_step(&mixing, F, 1e3, p);
    }
    assert_below(f, 1e-5);
    image(p, F);
    for (int i = 0; i < N; i++)
        assert_near(F[i], p[i], 1e-5);
    stick_mixing_destroy(&mixing);
}

// cos has the fixed point 0.739...; from far away, with steps that go wrong on the way.
static void nonlinear_fixed_points_are_found(void **state)
{
    StickMixing mixing;
    double p[1] = {40}, F[1];
    stick_mixing_create(*state, &mixing);
    assert_ok(*state, stick_mixing_reserve(&mixing, 1));
    stick_mixing_start(&mixing, 1, 1, -INFINITY);
    for (int k = 0; k < 40; k++) {
        F[0] = cos(p[0]);
        stick_mixing_step(&mixing, F, 0, p);
    }
    assert_near(p[0], 0.7390851332151607, 1e-12);
    stick_mixing_destroy(&mixing);
}

static void the_floor_holds(void **state)
{
    StickMixing mixing;
    double p[2] = {1, 1}, F[2];
    stick_mixing_create(*state, &mixing);
    assert_ok(*state, stick_mixing_reserve(&mixing, 2));
    stick_mixing_start(&mixing, 2, 1, 0);
    for (int k = 0; k < 20; k++) {
        F[0] = p[0] / 2 - 3, F[1] = 1;
        stick_mixing_step(&mixing, F, 0, p);
        assert_true(p[0] >= 0 && p[1] >= 0);
    }
    assert_true(p[0] == 0);
    stick_mixing_destroy(&mixing);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(linear_fixed_points_take_as_many_steps_as_unknowns),
        test_with_context(nonlinear_fixed_points_are_found),
        test_with_context(the_floor_holds),
    };
    return cmocka_run_group_tests_name("solve.mixing", tests, NULL, NULL);
}
