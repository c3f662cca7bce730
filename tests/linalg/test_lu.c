// SPDX-License-Identifier: Apache-2.0
#include "check.h"

#include "linalg/lu.h"

#include <complex.h>

enum { N = 60 };

// Tridiagonal with entries of their own below and above: unsymmetric, diagonally dominant.
static StickStatus tridiagonal(StickContext *ctx, int n, double diagonal, double below, double above,
                               StickSparse *A)
{
    StickTriplets T = {.rows = n, .cols = n};
    StickStatus status = STICK_OK;
    for (int i = 0; i < n && status == STICK_OK; i++) {
        status = stick_triplets_add(ctx, &T, i, i, diagonal);
        if (i > 0 && status == STICK_OK)
            status = stick_triplets_add(ctx, &T, i, i - 1, below);
        if (i > 0 && status == STICK_OK)
            status = stick_triplets_add(ctx, &T, i - 1, i, above);
    }
    if (status == STICK_OK)
        status = stick_sparse_from_triplets(ctx, &T, A);
    stick_triplets_destroy(ctx, &T);
    return status;
}

static void check_real(StickLu *lu, const StickSparse *A)
{
    double x[N], b[N] = {0}, y[N];
    for (int i = 0; i < N; i++)
        x[i] = sin(1.0 + i);
    stick_sparse_multiply(A, 1, x, b);
    assert_int_equal(stick_lu_solve(lu, b, y), STICK_OK);
    for (int i = 0; i < N; i++)
        assert_near(y[i], x[i], 1e-13);
}

static void real_factors_follow_new_values(void **state)
{
    StickContext *ctx = *state;
    StickSparse A;
    StickLu *lu;
    assert_ok(ctx, tridiagonal(ctx, N, 4, -1, 2, &A));
    assert_ok(ctx, stick_lu_create(ctx, &A, "A", &lu));
    assert_ok(ctx, stick_lu_factor(lu, A.value));
    check_real(lu, &A);
    size_t calls = stick_memory_calls(ctx);
    for (int k = 0; k < A.start[N]; k++)
        A.value[k] *= 3 + sin(k);
    assert_ok(ctx, stick_lu_factor(lu, A.value));
    check_real(lu, &A);
    stick_lu_refine(lu, 0);
    check_real(lu, &A);
    assert_int_equal(stick_memory_calls(ctx), calls);
    StickLuReport report = stick_lu_report(lu);
    assert_true(report.rcond > 0 && report.rcond <= 1);
    assert_true(report.entries >= A.start[N] && report.bytes >= 8 * report.entries && report.flops > N);
    stick_lu_destroy(lu);
    stick_sparse_destroy(ctx, &A);
}

static void complex_factors_solve(void **state)
{
    StickContext *ctx = *state;
    StickSparse A;
    StickLu *lu;
    double complex value[3 * N], x[N], b[N] = {0}, y[N];
    assert_ok(ctx, tridiagonal(ctx, N, 4, -1, 2, &A));
    for (int k = 0; k < A.start[N]; k++)
        value[k] = A.value[k] * (1 + 0.5 * I * cos(k));
    for (int i = 0; i < N; i++)
        x[i] = sin(1.0 + i) + I * cos(2.0 * i);
    for (int j = 0; j < N; j++)
        for (int k = A.start[j]; k < A.start[j + 1]; k++)
            b[A.row[k]] += value[k] * x[j];
    assert_ok(ctx, stick_lu_create_complex(ctx, &A, "A", &lu));
    for (int steps = 0; steps <= 2; steps += 2) {
        assert_ok(ctx, stick_lu_factor_complex(lu, value));
        stick_lu_refine(lu, steps);
        assert_ok(ctx, stick_lu_solve_complex(lu, b, y));
        for (int i = 0; i < N; i++)
            assert_below(cabs(y[i] - x[i]), 1e-13);
    }
    stick_lu_destroy(lu);
    stick_sparse_destroy(ctx, &A);
}

// det of the tridiagonal matrix of order n: D_n = d D_(n-1) - below above D_(n-2), with its size kept apart.
static double complex recurrence(int n, double complex d, double product, double *exponent)
{
    double complex before = 1, now = d;
    *exponent = 0;
    for (int k = 2; k <= n; k++) {
        double complex next = d * now - product * before;
        double size = cabs(next);
        before = now / size;
        now = next / size;
        *exponent += log10(size);
    }
    return now;
}

static void check_determinant(StickDeterminant got, double complex mantissa, double exponent)
{
    assert_near(log10(cabs(got.mantissa)) + got.exponent, log10(cabs(mantissa)) + exponent, 1e-9);
    assert_below(cabs(got.mantissa / cabs(got.mantissa) - mantissa / cabs(mantissa)), 1e-9);
}

static void determinants_of_large_order_do_not_overflow(void **state)
{
    StickContext *ctx = *state;
    StickSparse A;
    StickLu *lu;
    StickDeterminant determinant;
    double exponent;
    enum { LARGE = 3000 };
    assert_ok(ctx, tridiagonal(ctx, LARGE, -1e7, 3e6, 1e6, &A));
    assert_ok(ctx, stick_lu_create(ctx, &A, "A", &lu));
    assert_ok(ctx, stick_lu_factor(lu, A.value));
    assert_ok(ctx, stick_lu_determinant(lu, &determinant));
    double complex mantissa = recurrence(LARGE, -1e7, 3e12, &exponent);
    assert_true(exponent > 20000);
    check_determinant(determinant, mantissa, exponent);
    stick_lu_destroy(lu);

    double complex *value = calloc((size_t)A.start[LARGE], sizeof *value);
    for (int j = 0; j < LARGE; j++)
        for (int k = A.start[j]; k < A.start[j + 1]; k++)
            value[k] = A.value[k] * (A.row[k] == j ? 1 + 0.3 * I : 1);
    assert_ok(ctx, stick_lu_create_complex(ctx, &A, "A", &lu));
    assert_ok(ctx, stick_lu_factor_complex(lu, value));
    assert_ok(ctx, stick_lu_determinant(lu, &determinant));
    mantissa = recurrence(LARGE, -1e7 * (1 + 0.3 * I), 3e12, &exponent);
    check_determinant(determinant, mantissa, exponent);
    stick_lu_destroy(lu);
    free(value);
    stick_sparse_destroy(ctx, &A);
}

static void what_cannot_be_factored_is_said(void **state)
{
    StickContext *ctx = *state;
    StickSparse A;
    StickLu *lu;
    double b[N] = {0}, x[N];
    assert_ok(ctx, tridiagonal(ctx, N, 0, 0, 0, &A));
    assert_ok(ctx, stick_lu_create(ctx, &A, "stiffness", &lu));
    assert_int_equal(stick_lu_solve(lu, b, x), STICK_USAGE);
    assert_int_equal(stick_lu_factor(lu, A.value), STICK_NOT_SOLVED);
    assert_string_equal(stick_last_error(ctx), "stiffness, of order 60, is singular");
    A.value[A.start[4]] = NAN;
    assert_int_equal(stick_lu_factor(lu, A.value), STICK_BAD_INPUT);
    assert_string_equal(stick_last_error(ctx), "entry (4, 5) of stiffness is nan");
    // a failed factorisation leaves no factors, and does not affect the next one
    assert_int_equal(stick_lu_solve(lu, b, x), STICK_USAGE);
    for (int k = 0; k < A.start[N]; k++)
        A.value[k] = 1 + (k % 3 == 0);
    assert_ok(ctx, stick_lu_factor(lu, A.value));
    stick_lu_destroy(lu);
    A.rows--;
    assert_int_equal(stick_lu_create(ctx, &A, "stiffness", &lu), STICK_USAGE);
    A.rows++;
    stick_sparse_destroy(ctx, &A);
}

static void order_zero_is_fine(void **state)
{
    StickContext *ctx = *state;
    StickSparse A;
    StickLu *lu;
    StickDeterminant determinant;
    double none;
    assert_ok(ctx, tridiagonal(ctx, 0, 0, 0, 0, &A));
    assert_ok(ctx, stick_lu_create(ctx, &A, "A", &lu));
    assert_ok(ctx, stick_lu_factor(lu, A.value));
    assert_ok(ctx, stick_lu_solve(lu, &none, &none));
    assert_ok(ctx, stick_lu_determinant(lu, &determinant));
    assert_near(creal(determinant.mantissa), 1, 0);
    stick_lu_destroy(lu);
    stick_sparse_destroy(ctx, &A);
}

static StickStatus factor_some(StickContext *ctx, void *data)
{
    (void)data;
    StickSparse A;
    StickLu *lu;
    STICK_TRY(tridiagonal(ctx, 20, 4, -1, 2, &A));
    StickStatus status = stick_lu_create_complex(ctx, &A, "A", &lu);
    if (status == STICK_OK)
        stick_lu_destroy(lu);
    stick_sparse_destroy(ctx, &A);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    assert_survives_failing_memory(factor_some, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(real_factors_follow_new_values),
        test_with_context(complex_factors_solve),
        test_with_context(determinants_of_large_order_do_not_overflow),
        test_with_context(what_cannot_be_factored_is_said),
        test_with_context(order_zero_is_fine),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("linalg.lu", tests, NULL, NULL);
}
