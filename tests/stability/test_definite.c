// SPDX-License-Identifier: Apache-2.0
#include "check.h"

#include "stability/definite.h"

static StickStatus finish(StickContext *ctx, StickTriplets *T, StickSparse *A)
{
    StickStatus status = stick_sparse_from_triplets(ctx, T, A);
    stick_triplets_destroy(ctx, T);
    return status;
}

// Second differences of n points: eigenvalues 4 sin^2(k pi / 2(n+1)), shifted.
static StickStatus chain(StickContext *ctx, int n, double shift, StickSparse *A)
{
    StickTriplets T = {.rows = n, .cols = n};
    StickStatus status = STICK_OK;
    for (int i = 0; i < n && status == STICK_OK; i++) {
        status = stick_triplets_add(ctx, &T, i, i, 2 - shift);
        if (i > 0 && status == STICK_OK)
            status = stick_triplets_add(ctx, &T, i, i - 1, -1);
        if (i > 0 && status == STICK_OK)
            status = stick_triplets_add(ctx, &T, i - 1, i, -1);
    }
    if (status == STICK_OK)
        return finish(ctx, &T, A);
    stick_triplets_destroy(ctx, &T);
    return status;
}

static double smallest_of_chain(int n)
{
    return 4 * pow(sin(3.14159265358979323846 / (2 * (n + 1))), 2);
}

static void smallest_eigenvalue_of_a_chain(void **state)
{
    const int orders[] = {1, 2, 7, 150, 400, 1000};
    for (size_t k = 0; k < sizeof orders / sizeof *orders; k++)
        for (double shift = -1; shift < 4; shift += 2) {
            int n = orders[k];
            StickSparse A;
            double value, *vector = calloc((size_t)n, sizeof *vector),
                          *rest = calloc((size_t)n, sizeof *rest);
            assert_ok(*state, chain(*state, n, shift, &A));
            assert_ok(*state, stick_definite_smallest(*state, &A, &value, vector));
            assert_near(value, smallest_of_chain(n) - shift, 1e-11);
            stick_sparse_multiply(&A, 1, vector, rest);
            for (int i = 0; i < n; i++)
                assert_near(rest[i], value * vector[i], 1e-9);
            bool above;
            assert_ok(*state, stick_definite_above(*state, &A, value - 1e-6, &above));
            assert_true(above);
            assert_ok(*state, stick_definite_above(*state, &A, value + 1e-6, &above));
            assert_false(above);
            stick_sparse_destroy(*state, &A);
            free(vector);
            free(rest);
        }
    // A failed factorisation is a result, not an error.
    assert_string_equal(stick_last_error(*state), "");
}

static void zero_matrix_has_eigenvalue_zero(void **state)
{
    StickSparse A;
    StickTriplets T = {.rows = 3, .cols = 3};
    double value = 1, vector[3];
    assert_ok(*state, finish(*state, &T, &A));
    assert_ok(*state, stick_definite_smallest(*state, &A, &value, vector));
    assert_true(value == 0);
    stick_sparse_destroy(*state, &A);
}

static StickSign sign_of(StickContext *ctx, double a, double b, double c)
{
    StickTriplets T = {.rows = 2, .cols = 2};
    StickSparse A;
    StickSign sign;
    assert_ok(ctx, stick_triplets_add(ctx, &T, 0, 0, a));
    assert_ok(ctx, stick_triplets_add(ctx, &T, 0, 1, b));
    assert_ok(ctx, stick_triplets_add(ctx, &T, 1, 0, b));
    assert_ok(ctx, stick_triplets_add(ctx, &T, 1, 1, c));
    assert_ok(ctx, finish(ctx, &T, &A));
    assert_ok(ctx, stick_definite_sign(ctx, &A, &sign));
    stick_sparse_destroy(ctx, &A);
    return sign;
}

// Signs are those of each part of a matrix, however much softer than others it is.
static void sign_of_soft_and_stiff_parts(void **state)
{
    assert_int_equal(sign_of(*state, 1, 0.5, 1), STICK_POSITIVE_DEFINITE);
    assert_int_equal(sign_of(*state, 1, 1, 1), STICK_SEMIDEFINITE);
    assert_int_equal(sign_of(*state, 1, 1.001, 1), STICK_INDEFINITE);
    assert_int_equal(sign_of(*state, 1e20, 0, 1), STICK_POSITIVE_DEFINITE);
    assert_int_equal(sign_of(*state, 1e20, 0, -1), STICK_INDEFINITE);
    assert_int_equal(sign_of(*state, 1e20, 0, 0), STICK_SEMIDEFINITE);
    assert_int_equal(sign_of(*state, 0, 0, 0), STICK_SEMIDEFINITE);
    assert_int_equal(sign_of(*state, 0, 1, 0), STICK_INDEFINITE);
    assert_int_equal(sign_of(*state, 0, 0, -1), STICK_INDEFINITE);
}

static StickStatus smallest_of_many(StickContext *ctx, void *data)
{
    StickSparse A;
    double value;
    STICK_TRY(chain(ctx, 250, 1, &A));
    StickStatus status = stick_definite_smallest(ctx, &A, &value, data);
    stick_sparse_destroy(ctx, &A);
    return status;
}

static void every_allocation_fails_once(void **state)
{
    double vector[250];
    (void)state;
    assert_survives_failing_memory(smallest_of_many, vector);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(smallest_eigenvalue_of_a_chain),
        test_with_context(zero_matrix_has_eigenvalue_zero),
        test_with_context(sign_of_soft_and_stiff_parts),
        cmocka_unit_test(every_allocation_fails_once),
    };
    return cmocka_run_group_tests_name("definite", tests, NULL, NULL);
}
