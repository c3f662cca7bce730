// SPDX-License-Identifier: Apache-2.0
// The smallest eigenvalues of symmetric matrices.
#include "linalg/dense.h"

static const double PI = 3.14159265358979323846;

static void symmetric_smallest_are_those_of_second_differences(void **state)
{
    StickContext *ctx = *state;
    Dense A;
    StickEigen eigen;
    int n = 50;
    tridiagonal(&A, n, 2, -1);
    assert_ok(ctx, stick_eigen_symmetric(ctx, n, A.at, 5, &eigen));
    assert_int_equal(eigen.count, 5);
    check_form(&eigen, 1e-14);
    for (int k = 0; k < 5; k++) {
        assert_near(creal(eigen.value[k]), 2 - 2 * cos((k + 1) * PI / (n + 1)), 1e-14);
        const double complex *x = eigen.vector + k * n;
        double scale = creal(x[0]) / sin((k + 1) * PI / (n + 1));
        for (int i = 0; i < n; i++)
            assert_below(cabs(x[i] - scale * sin((k + 1) * (i + 1) * PI / (n + 1))), 1e-11);
    }
    stick_eigen_destroy(ctx, &eigen);
}

static StickStatus solve(StickContext *ctx, void *data)
{
    (void)data;
    Dense A;
    StickEigen eigen;
    tridiagonal(&A, 5, 2, -1);
    STICK_TRY(stick_eigen_symmetric(ctx, 5, A.at, 3, &eigen));
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
        test_with_context(symmetric_smallest_are_those_of_second_differences),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("linalg.eigen_symmetric", tests, NULL, NULL);
}
