// SPDX-License-Identifier: Apache-2.0
// Common checks of eigenproblems: invalid matrices, dense copies of sparse ones.
#include "linalg/dense.h"

static void what_makes_no_sense_is_said(void **state)
{
    StickContext *ctx = *state;
    Dense K = {0}, M = {0}, C = {0};
    StickEigen eigen;
    assert_int_equal(stick_eigen_pencil(ctx, 4, K.at, M.at, &eigen), STICK_NOT_SOLVED);
    assert_non_null(strstr(stick_last_error(ctx), "M, of order 4, is zero"));
    assert_int_equal(stick_eigen_quadratic(ctx, 4, M.at, C.at, K.at, &eigen), STICK_NOT_SOLVED);
    assert_non_null(strstr(stick_last_error(ctx), "singular"));
    // a common null vector
    tridiagonal(&K, 4, 2, -1);
    tridiagonal(&M, 4, 4, 1);
    for (int i = 0; i < 4; i++) {
        put(&K, 4, i, 2, 0), put(&K, 4, 2, i, 0);
        put(&M, 4, i, 2, 0), put(&M, 4, 2, i, 0);
    }
    assert_int_equal(stick_eigen_pencil(ctx, 4, K.at, M.at, &eigen), STICK_NOT_SOLVED);
    assert_non_null(strstr(stick_last_error(ctx), "every number is an eigenvalue"));
    put(&M, 4, 1, 2, NAN);
    assert_int_equal(stick_eigen_pencil(ctx, 4, K.at, M.at, &eigen), STICK_BAD_INPUT);
    assert_string_equal(stick_last_error(ctx), "entry (2, 3) of M is nan");
    assert_int_equal(stick_eigen_symmetric(ctx, 4, M.at, 2, &eigen), STICK_BAD_INPUT);
    assert_int_equal(stick_eigen_symmetric(ctx, 4, K.at, 5, &eigen), STICK_USAGE);
    assert_int_equal(stick_eigen_pencil(ctx, 0, K.at, M.at, &eigen), STICK_USAGE);
    // K = 0 alone is fine: every eigenvalue is zero
    tridiagonal(&M, 4, 4, 1);
    memset(&K, 0, sizeof K);
    assert_ok(ctx, stick_eigen_pencil(ctx, 4, K.at, M.at, &eigen));
    for (int k = 0; k < 4; k++)
        assert_true(eigen.value[k] == 0);
    stick_eigen_destroy(ctx, &eigen);
}

static void sparse_matrix_fills_a_dense_one(void **state)
{
    (void)state;
    int start[] = {0, 1, 1, 3}, row[] = {1, 0, 2};
    double value[] = {5, 6, 7}, dense[9];
    StickSparse A = {3, 3, start, row, value};
    stick_eigen_fill(&A, dense);
    const double expected[9] = {0, 5, 0, 0, 0, 0, 6, 0, 7};
    assert_memory_equal(dense, expected, sizeof dense);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(what_makes_no_sense_is_said),
        cmocka_unit_test(sparse_matrix_fills_a_dense_one),
    };
    return cmocka_run_group_tests_name("linalg.eigen", tests, NULL, NULL);
}
