// SPDX-License-Identifier: Apache-2.0
// All eigenvalues of (value^2 M + value C + K) x = 0.
#include "linalg/dense.h"

static void two_modes_flutter_beyond_their_friction(void **state)
{
    StickContext *ctx = *state;
    Dense M, C, K;
    StickEigen eigen;
    coupling(0.9, &M, &C, &K);
    assert_ok(ctx, stick_eigen_pencil(ctx, 2, K.at, M.at, &eigen));
    assert_below(cabs(eigen.value[1] - (2 + sqrt(0.2) * I)), 1e-12);
    stick_eigen_destroy(ctx, &eigen);
    assert_ok(ctx, stick_eigen_quadratic(ctx, 2, M.at, C.at, K.at, &eigen));
    assert_int_equal(eigen.count, 4);
    check_form(&eigen, 1e-14);
    double complex growing = csqrt(-2 + sqrt(0.2) * I);
    assert_below(cabs(eigen.value[3] - growing), 1e-12);
    assert_below(cabs(eigen.value[0] + growing), 1e-12);
    assert_near(creal(growing), 0.157147, 5e-7);
    assert_near(cimag(growing), 1.422918, 5e-7);
    stick_eigen_destroy(ctx, &eigen);
    coupling(0.7, &M, &C, &K);
    assert_ok(ctx, stick_eigen_pencil(ctx, 2, K.at, M.at, &eigen));
    assert_near(creal(eigen.value[0]), 2 - sqrt(1 - 0.7 * 4 / 3), 1e-12);
    assert_near(creal(eigen.value[1]), 2 + sqrt(1 - 0.7 * 4 / 3), 1e-12);
    stick_eigen_destroy(ctx, &eigen);
}

static void damped_oscillators_have_their_closed_form(void **state)
{
    StickContext *ctx = *state;
    Dense M = {0}, C = {0}, K = {0};
    StickEigen eigen;
    int n = 6;
    // frequencies far apart, in units far from one
    for (int i = 0; i < n; i++) {
        double w = 1e4 * (i + 1), zeta = 0.01 * (i + 1);
        put(&M, n, i, i, 1e-6);
        put(&C, n, i, i, 1e-6 * 2 * zeta * w);
        put(&K, n, i, i, 1e-6 * w * w);
    }
    assert_ok(ctx, stick_eigen_quadratic(ctx, n, M.at, C.at, K.at, &eigen));
    assert_int_equal(eigen.count, 2 * n);
    check_form(&eigen, 1e-14);
    for (int i = 0; i < n; i++) {
        double w = 1e4 * (i + 1), zeta = 0.01 * (i + 1);
        double complex lambda = -zeta * w + I * w * sqrt(1 - zeta * zeta);
        assert_below(cabs(eigen.value[2 * (n - 1 - i) + 1] - lambda), 1e-11 * w);
    }
    stick_eigen_destroy(ctx, &eigen);
}

// definition of an eigenvalue: det(lambda^2 M + lambda C + K) = 0; residuals check it
static void random_quadratic_problems_are_solved(void **state)
{
    StickContext *ctx = *state;
    Dense M, C, K;
    StickEigen eigen;
    StickRandom random = stick_random_seed(5);
    for (int n = 1; n <= 25; n += 4) {
        fill_random(&M, n, &random, 3);
        fill_random(&C, n, &random, 0);
        fill_random(&K, n, &random, 0);
        for (int massless = 0; massless < 2; massless++) {
            for (int j = 0; massless && j < n; j++)
                put(&M, n, n - 1, j, 0);
            assert_ok(ctx, stick_eigen_quadratic(ctx, n, M.at, C.at, K.at, &eigen));
            assert_int_equal(eigen.count, 2 * n - massless);
            assert_int_equal(eigen.infinite, massless);
            check_form(&eigen, 1e-12);
            stick_eigen_destroy(ctx, &eigen);
        }
    }
}

static StickStatus solve(StickContext *ctx, void *data)
{
    (void)data;
    Dense M, C = {0}, K;
    StickEigen eigen;
    tridiagonal(&K, 5, 12, -6);
    tridiagonal(&M, 5, 4. / 36, 1. / 36);
    STICK_TRY(stick_eigen_quadratic(ctx, 5, M.at, C.at, K.at, &eigen));
    stick_eigen_destroy(ctx, &eigen);
    return STICK_OK;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    assert_survives_failing_memory(solve, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(two_modes_flutter_beyond_their_friction),
        test_with_context(damped_oscillators_have_their_closed_form),
        test_with_context(random_quadratic_problems_are_solved),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("linalg.eigen_quadratic", tests, NULL, NULL);
}
