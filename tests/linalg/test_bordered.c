// SPDX-License-Identifier: Apache-2.0
#include "check.h"

#include "base/random.h"
#include "linalg/bordered.h"

enum { MOST = 12 };

// The matrix that the inverse should be of, by columns with lead MOST.
typedef struct Mirror {
    int n;
    double K[MOST * MOST];
    StickBordered inverse;
    StickRandom random;
} Mirror;

static double *at(Mirror *mirror, int i, int j)
{
    return &mirror->K[j * MOST + i];
}

static void assert_inverse(Mirror *mirror)
{
    assert_int_equal(mirror->inverse.n, mirror->n);
    for (int i = 0; i < mirror->n; i++)
        for (int j = 0; j < mirror->n; j++) {
            double sum = 0;
            for (int k = 0; k < mirror->n; k++)
                sum += stick_bordered_at(&mirror->inverse, i, k) * *at(mirror, k, j);
            assert_near(sum, i == j, 1e-11);
        }
}

// Entries of a matrix with a heavy diagonal, so that every change has its pivot.
static double some(Mirror *mirror, int i, int j)
{
    return (i == j ? 4 : 0) + stick_random_uniform(&mirror->random, -1, 1);
}

static void grow(StickContext *ctx, Mirror *mirror)
{
    int n = mirror->n++;
    double u[MOST], v[MOST], size;
    for (int k = 0; k < n; k++) {
        u[k] = *at(mirror, k, n) = some(mirror, k, n);
        v[k] = *at(mirror, n, k) = some(mirror, n, k);
    }
    *at(mirror, n, n) = some(mirror, n, n);
    assert_ok(ctx, stick_bordered_reserve(ctx, &mirror->inverse, n + 1));
    double sigma = stick_bordered_schur(&mirror->inverse, u, v, *at(mirror, n, n), &size);
    assert_true(size >= fabs(sigma));
    stick_bordered_grow(&mirror->inverse, sigma);
}

static void drop(Mirror *mirror, int r, int c)
{
    int last = mirror->n - 1;
    stick_bordered_drop(&mirror->inverse, r, c);
    for (int k = 0; k <= last; k++)
        *at(mirror, r, k) = *at(mirror, last, k);
    for (int k = 0; k <= last; k++)
        *at(mirror, k, c) = *at(mirror, k, last);
    mirror->n--;
}

static void every_change_keeps_the_inverse(void **state)
{
    Mirror mirror = {.random = stick_random_seed(5)};
    for (int n = 0; n < 8; n++) {
        grow(*state, &mirror);
        assert_inverse(&mirror);
    }
    drop(&mirror, 2, 2);
    assert_inverse(&mirror);
    drop(&mirror, 6, 6);
    assert_inverse(&mirror);
    double x[MOST];
    for (int k = 0; k < mirror.n; k++)
        x[k] = *at(&mirror, k, 3) = some(&mirror, k, 3);
    stick_bordered_change_column(&mirror.inverse, 3, x);
    assert_inverse(&mirror);
    for (int k = 0; k < mirror.n; k++)
        x[k] = *at(&mirror, 1, k) = some(&mirror, 1, k);
    stick_bordered_change_row(&mirror.inverse, 1, x);
    assert_inverse(&mirror);
    drop(&mirror, 0, 2);
    assert_inverse(&mirror);
    drop(&mirror, 4, 1);
    assert_inverse(&mirror);
    stick_bordered_free(*state, &mirror.inverse);
}

static void singular_matrices_are_refused(void **state)
{
    StickBordered inverse = {0};
    const double K[] = {1, 2, 2, 4}, regular[] = {0, 2, 1, 4};
    double b[] = {1, 6}, x[2];
    assert_ok(*state, stick_bordered_reserve(*state, &inverse, 2));
    assert_false(stick_bordered_set(&inverse, 2, K));
    assert_int_equal(inverse.n, 0);
    assert_true(stick_bordered_set(&inverse, 2, regular)); // [0 1; 2 4]
    stick_bordered_solve(&inverse, b, x);
    assert_near(x[0], 1, 1e-15);
    assert_near(x[1], 1, 1e-15);
    stick_bordered_solve_left(&inverse, b, x); // x' [0 1; 2 4] = b'
    assert_near(x[0], 4, 1e-15);
    assert_near(x[1], 0.5, 1e-15);
    stick_bordered_free(*state, &inverse);
}

static StickStatus take_room(StickContext *ctx, void *data)
{
    StickBordered inverse = {0};
    (void)data;
    StickStatus status = stick_bordered_reserve(ctx, &inverse, 3);
    if (status == STICK_OK)
        status = stick_bordered_reserve(ctx, &inverse, 5);
    stick_bordered_free(ctx, &inverse);
    return status;
}

static void memory_may_fail(void **state)
{
    (void)state;
    assert_survives_failing_memory(take_room, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(every_change_keeps_the_inverse),
        test_with_context(singular_matrices_are_refused),
        test_with_context(memory_may_fail),
    };
    return cmocka_run_group_tests_name("linalg.bordered", tests, NULL, NULL);
}
