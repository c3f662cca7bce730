// SPDX-License-Identifier: Apache-2.0
#include "check.h"

#include "linalg/inertia.h"

enum { N = 80 };
static const double PI = 3.14159265358979323846;

// tri(-1, 2 - shift, -1), with one entry of its own
static StickStatus shifted(StickContext *ctx, double shift, double corner, StickSparse *A)
{
    StickTriplets T = {.rows = N, .cols = N};
    StickStatus status = stick_triplets_add(ctx, &T, 0, N - 1, corner);
    for (int i = 0; i < N && status == STICK_OK; i++) {
        status = stick_triplets_add(ctx, &T, i, i, 2 - shift);
        if (i > 0 && status == STICK_OK)
            status = stick_triplets_add(ctx, &T, i, i - 1, -1);
        if (i > 0 && status == STICK_OK)
            status = stick_triplets_add(ctx, &T, i - 1, i, -1);
    }
    if (status == STICK_OK)
        status = stick_sparse_from_triplets(ctx, &T, A);
    stick_triplets_destroy(ctx, &T);
    return status;
}

static void negative_pivots_are_eigenvalues_below_the_shift(void **state)
{
    StickContext *ctx = *state;
    for (int below = 0; below <= N; below += 8) {
        // between two eigenvalues 2 - 2 cos(k pi / (N + 1))
        double shift = 2 - 2 * cos((below + 0.37) * PI / (N + 1));
        StickSparse A;
        StickInertia inertia;
        assert_ok(ctx, shifted(ctx, shift, 0, &A));
        assert_ok(ctx, stick_inertia(ctx, &A, &inertia));
        assert_int_equal(inertia.negative, below);
        assert_int_equal(inertia.positive, N - below);
        stick_sparse_destroy(ctx, &A);
    }
}

// A diagonal of zeros has no pivots to go by, though half of the eigenvalues are negative.
static void zero_pivots_are_not_counted_on(void **state)
{
    StickContext *ctx = *state;
    StickSparse A;
    StickInertia inertia;
    for (int k = 0; k < 2; k++) {
        assert_ok(ctx, shifted(ctx, 2 - 1e-14 * k, 0, &A));
        StickStatus status = stick_inertia(ctx, &A, &inertia);
        if (status == STICK_OK)
            assert_int_equal(inertia.negative, N / 2);
        else
            assert_int_equal(status, STICK_NOT_SOLVED);
        stick_sparse_destroy(ctx, &A);
    }
}

static void what_has_no_inertia_is_said(void **state)
{
    StickContext *ctx = *state;
    StickSparse A;
    StickInertia inertia = {-1, -1};
    assert_ok(ctx, shifted(ctx, 0, 0.5, &A));
    assert_int_equal(stick_inertia(ctx, &A, &inertia), STICK_BAD_INPUT);
    assert_non_null(strstr(stick_last_error(ctx), "not symmetric"));
    stick_sparse_destroy(ctx, &A);
    assert_ok(ctx, shifted(ctx, 0, 0, &A));
    for (int k = 0; k < A.start[N]; k++)
        A.value[k] = 0;
    assert_int_equal(stick_inertia(ctx, &A, &inertia), STICK_NOT_SOLVED);
    A.value[0] = INFINITY;
    assert_int_equal(stick_inertia(ctx, &A, &inertia), STICK_BAD_INPUT);
    assert_int_equal(inertia.negative, -1);
    stick_sparse_destroy(ctx, &A);
}

static StickStatus count_some(StickContext *ctx, void *data)
{
    (void)data;
    StickSparse A;
    StickInertia inertia;
    STICK_TRY(shifted(ctx, 0.1, 0, &A));
    StickStatus status = stick_inertia(ctx, &A, &inertia);
    stick_sparse_destroy(ctx, &A);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    assert_survives_failing_memory(count_some, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(negative_pivots_are_eigenvalues_below_the_shift),
        test_with_context(zero_pivots_are_not_counted_on),
        test_with_context(what_has_no_inertia_is_said),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("linalg.inertia", tests, NULL, NULL);
}
