// SPDX-License-Identifier: Apache-2.0
#include "check.h"

#include "base/random.h"
#include "solve/lorentz.h"

// Inside the cone, from nearly on its boundary to nearly on its axis.
static void random_inside(StickRandom *random, int d, double *x)
{
    double t = 0;
    for (int k = 1; k < d; k++) {
        x[k] = stick_random_uniform(random, -1, 1);
        t = hypot(t, x[k]);
    }
    x[0] = t + pow(10, stick_random_uniform(random, -4, 1));
}

static void test_division_undoes_the_product(void **state)
{
    (void)state;
    StickRandom random = stick_random_seed(1);
    for (int trial = 0; trial < 300; trial++) {
        int d = 1 + trial % 3;
        double x[3], z[3], c[3], back[3];
        random_inside(&random, d, x);
        for (int k = 0; k < d; k++)
            z[k] = stick_random_uniform(&random, -1, 1);
        stick_lorentz_product(d, x, z, c);
        stick_lorentz_divide(d, x, c, back);
        for (int k = 0; k < d; k++)
            assert_near(back[k], z[k], 1e-9);
    }
}

static void test_scaling_takes_x_and_y_to_the_same_point(void **state)
{
    (void)state;
    StickRandom random = stick_random_seed(2);
    for (int trial = 0; trial < 300; trial++) {
        int d = 1 + trial % 3;
        double x[3], y[3], from_x[3], from_y[3], back[3];
        random_inside(&random, d, x);
        random_inside(&random, d, y);
        StickLorentzScaling V = stick_lorentz_scaling(d, x, y);
        stick_lorentz_scale(d, &V, x, from_x);
        stick_lorentz_unscale(d, &V, y, from_y);
        stick_lorentz_unscale(d, &V, from_x, back);
        for (int k = 0; k < d; k++) {
            assert_near(from_x[k], from_y[k], 1e-8 * from_x[0]);
            assert_near(back[k], x[k], 1e-8 * x[0]);
        }
    }
}

static void test_step_ends_on_the_boundary(void **state)
{
    (void)state;
    StickRandom random = stick_random_seed(3);
    int ended = 0;
    for (int trial = 0; trial < 300; trial++) {
        int d = 1 + trial % 3;
        double x[3], dx[3], at[3], half[3];
        random_inside(&random, d, x);
        for (int k = 0; k < d; k++)
            dx[k] = stick_random_uniform(&random, -1, 1);
        double step = stick_lorentz_step(d, x, dx), far = isinf(step) ? 1e3 : step;
        for (int k = 0; k < d; k++) {
            at[k] = x[k] + far * dx[k];
            half[k] = x[k] + 0.5 * far * dx[k];
        }
        double t = sqrt(stick_lorentz_dot(d, half, half));
        assert_true(half[0] > t);
        if (isinf(step))
            continue;
        assert_near(at[0] - sqrt(stick_lorentz_dot(d, at, at)), 0, 1e-8 * (x[0] + far));
        ended++;
    }
    assert_true(ended > 100);
}

// x + a dx = (1 - a) x: the two roots are one.
static void test_step_straight_to_the_apex(void **state)
{
    (void)state;
    StickRandom random = stick_random_seed(4);
    for (int trial = 0; trial < 300; trial++) {
        double x[3], dx[3];
        random_inside(&random, 3, x);
        for (int k = 0; k < 3; k++)
            dx[k] = -x[k];
        assert_near(stick_lorentz_step(3, x, dx), 1, 1e-4);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_division_undoes_the_product),
        cmocka_unit_test(test_scaling_takes_x_and_y_to_the_same_point),
        cmocka_unit_test(test_step_ends_on_the_boundary),
        cmocka_unit_test(test_step_straight_to_the_apex),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
