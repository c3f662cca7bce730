// SPDX-License-Identifier: Apache-2.0
#include "brief.h"
#include "check.h"

#include "base/random.h"
#include "linalg/arnoldi.h"
#include "linalg/inertia.h"
#include "linalg/threads.h"

#include <complex.h>

static const double PI = 3.14159265358979323846;

// ---- samples

typedef struct Sample {
    StickContext *ctx;
    int n;
    StickTriplets T;
} Sample;

static void put(Sample *sample, int i, int j, double value)
{
    assert_ok(sample->ctx, stick_triplets_add(sample->ctx, &sample->T, i, j, value));
}

static Sample begin(StickContext *ctx, int n)
{
    return (Sample){ctx, n, {.rows = n, .cols = n}};
}

static StickSparse finished(Sample *sample)
{
    StickSparse A;
    assert_ok(sample->ctx, stick_sparse_from_triplets(sample->ctx, &sample->T, &A));
    stick_triplets_destroy(sample->ctx, &sample->T);
    return A;
}

static StickSparse tridiagonal(StickContext *ctx, int n, double below, double diagonal, double above)
{
    Sample sample = begin(ctx, n);
    for (int i = 0; i < n; i++) {
        put(&sample, i, i, diagonal);
        if (i > 0) {
            put(&sample, i, i - 1, below);
            put(&sample, i - 1, i, above);
        }
    }
    return finished(&sample);
}

// A few entries in every row, at random places.
static StickSparse random_sparse(StickContext *ctx, int n, StickRandom *random, double diagonal)
{
    Sample sample = begin(ctx, n);
    for (int i = 0; i < n; i++) {
        put(&sample, i, i, diagonal * stick_random_uniform(random, 0.5, 1.5));
        for (int k = 0; k < 4; k++) {
            int j = (int)(stick_random_bits(random) % (unsigned)n);
            put(&sample, i, j, stick_random_uniform(random, -1, 1));
        }
    }
    return finished(&sample);
}

// A rod of linear elements, whose eigenvalues are 6/h^2 (1 - c)/(2 + c), c = cos(k pi h)
static double rod_value(int n, int k)
{
    double h = 1.0 / (n + 1), c = cos(k * PI * h);
    return 6 / (h * h) * (1 - c) / (2 + c);
}

static void rod(StickContext *ctx, int n, StickSparse *K, StickSparse *M)
{
    double h = 1.0 / (n + 1);
    *K = tridiagonal(ctx, n, -1 / h, 2 / h, -1 / h);
    *M = tridiagonal(ctx, n, h / 6, 4 * h / 6, h / 6);
}

static double *dense_of(const StickSparse *A)
{
    double *dense = malloc((size_t)A->rows * (size_t)A->cols * sizeof *dense);
    stick_eigen_fill(A, dense);
    return dense;
}

static void solve_dense(StickContext *ctx, const StickSparse *K, const StickSparse *C, const StickSparse *M,
                        StickEigen *eigen)
{
    double *k = dense_of(K), *m = dense_of(M), *c = C ? dense_of(C) : NULL;
    if (C)
        assert_ok(ctx, stick_eigen_quadratic(ctx, K->rows, m, c, k, eigen));
    else
        assert_ok(ctx, stick_eigen_pencil(ctx, K->rows, k, m, eigen));
    free(k);
    free(m);
    free(c);
}

static int compare_numbers(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

// Distance from z to the k-th nearest eigenvalue (from 0).
static double distance_to(const StickEigen *all, double complex z, int k)
{
    double *distance = malloc((size_t)all->count * sizeof *distance);
    for (int i = 0; i < all->count; i++)
        distance[i] = cabs(all->value[i] - z);
    qsort(distance, (size_t)all->count, sizeof *distance, compare_numbers);
    double result = distance[k < all->count ? k : all->count - 1];
    free(distance);
    return result;
}

// Every one of `some` stands in `all`, and they are the nearest ones.
static void check_nearest(const StickEigen *some, const StickEigen *all, double complex shift,
                          double tolerance)
{
    double farthest = 0;
    for (int k = 0; k < some->count; k++) {
        assert_below(distance_to(all, some->value[k], 0), tolerance * (1 + cabs(some->value[k])));
        farthest = fmax(farthest, cabs(some->value[k] - shift));
        if (k > 0)
            assert_true(creal(some->value[k - 1]) <= creal(some->value[k]));
    }
    double last = distance_to(all, shift, some->count - 1);
    assert_near(farthest, last, tolerance * (1 + cabs(shift) + last));
}

static StickArnoldi *arnoldi_of(StickContext *ctx, const StickSparse *K, const StickSparse *C,
                                const StickSparse *M)
{
    StickArnoldi *arnoldi;
    assert_ok(ctx, stick_arnoldi_create(ctx, K, C, M, &arnoldi));
    return arnoldi;
}

static StickArnoldiOptions asking(int count)
{
    StickArnoldiOptions options = stick_arnoldi_default();
    options.krylov.count = count;
    return options;
}

// ---- near a shift

static void rod_has_its_frequencies(void **state)
{
    StickContext *ctx = *state;
    StickSparse K, M;
    StickEigen eigen;
    StickArnoldiReport report;
    StickArnoldiOptions options = asking(12);
    int n = 1000;
    rod(ctx, n, &K, &M);
    StickArnoldi *arnoldi = arnoldi_of(ctx, &K, NULL, &M);
    assert_ok(ctx, stick_arnoldi_nearest(arnoldi, 0, &options, &eigen, &report));
    assert_int_equal(eigen.count, 12);
    for (int k = 0; k < 12; k++)
        assert_below(cabs(eigen.value[k] / rod_value(n, k + 1) - 1), 1e-10);
    assert_below(report.residual, 1e-12);
    assert_int_equal(report.factorisations, 1);
    stick_eigen_destroy(ctx, &eigen);
    // in the middle of the spectrum, at a complex shift
    double complex shift = rod_value(n, 300) + 1000 * I;
    assert_ok(ctx, stick_arnoldi_nearest(arnoldi, shift, &options, &eigen, &report));
    assert_int_equal(eigen.count, 12);
    int first = 300;
    while (cabs(rod_value(n, first - 1) - shift) < cabs(rod_value(n, first + 11) - shift))
        first--;
    for (int k = 0; k < 12; k++)
        assert_below(cabs(eigen.value[k] / rod_value(n, first + k) - 1), 1e-10);
    stick_eigen_destroy(ctx, &eigen);
    stick_arnoldi_destroy(arnoldi);
    stick_sparse_destroy(ctx, &K);
    stick_sparse_destroy(ctx, &M);
}

static void sparse_and_dense_agree(void **state)
{
    StickContext *ctx = *state;
    StickRandom random = stick_random_seed(21);
    static const double complex shifts[] = {0, 3, 4 + 0.5 * I, -0.3 + 2 * I};
    for (int n = 5; n <= test_size(245, 65); n += 60) {
        StickSparse K = random_sparse(ctx, n, &random, 4), M = random_sparse(ctx, n, &random, 6);
        StickSparse C = random_sparse(ctx, n, &random, 0.5);
        for (int quadratic = 0; quadratic < 2; quadratic++) {
            StickEigen all, some;
            StickArnoldiReport report;
            StickArnoldiOptions options = asking(9);
            solve_dense(ctx, &K, quadratic ? &C : NULL, &M, &all);
            StickArnoldi *arnoldi = arnoldi_of(ctx, &K, quadratic ? &C : NULL, &M);
            for (int k = 0; k < 4; k++) {
                assert_ok(ctx, stick_arnoldi_nearest(arnoldi, shifts[k], &options, &some, &report));
                assert_true(some.count >= 9 || some.count == all.count);
                assert_true(some.count <= 9 + (cimag(shifts[k]) == 0));
                check_nearest(&some, &all, shifts[k], 1e-10);
                stick_eigen_destroy(ctx, &some);
            }
            stick_arnoldi_destroy(arnoldi);
            stick_eigen_destroy(ctx, &all);
        }
        stick_sparse_destroy(ctx, &K);
        stick_sparse_destroy(ctx, &C);
        stick_sparse_destroy(ctx, &M);
    }
}

// Masses on a chain, the first of which are tied together in pairs by multipliers: M is singular, twice at infinity.
static void tied_chain(StickContext *ctx, int n, int ties, StickSparse *K, StickSparse *M)
{
    Sample k = begin(ctx, n + ties), m = begin(ctx, n + ties);
    for (int i = 0; i < n; i++) {
        put(&k, i, i, 2e9);
        put(&m, i, i, 1 + 0.01 * i);
        if (i > 0)
            put(&k, i, i - 1, -1e9), put(&k, i - 1, i, -1e9);
    }
    for (int t = 0; t < ties; t++) {
        put(&k, n + t, 2 * t, 1), put(&k, 2 * t, n + t, 1);
        put(&k, n + t, 2 * t + 1, -1), put(&k, 2 * t + 1, n + t, -1);
    }
    *K = finished(&k);
    *M = finished(&m);
}

static void singular_mass_shows_no_infinite_eigenvalues(void **state)
{
    StickContext *ctx = *state;
    StickSparse K, M;
    StickEigen all, some;
    StickArnoldiReport report;
    StickArnoldiOptions options = asking(10);
    tied_chain(ctx, 150, 30, &K, &M);
    solve_dense(ctx, &K, NULL, &M, &all);
    assert_int_equal(all.count, 120);
    assert_int_equal(all.infinite, 60);
    StickArnoldi *arnoldi = arnoldi_of(ctx, &K, NULL, &M);
    static const double complex shifts[] = {0, 1e9, 3e8 + 1e8 * I};
    for (int k = 0; k < 3; k++) {
        assert_ok(ctx, stick_arnoldi_nearest(arnoldi, shifts[k], &options, &some, &report));
        assert_int_equal(some.count, 10);
        check_nearest(&some, &all, shifts[k], 1e-10);
        stick_eigen_destroy(ctx, &some);
    }
    stick_arnoldi_destroy(arnoldi);
    stick_eigen_destroy(ctx, &all);
    stick_sparse_destroy(ctx, &K);
    stick_sparse_destroy(ctx, &M);
}

// Five masses among two hundred degrees of freedom, and more eigenvalues requested than exist.
static void fewer_eigenvalues_than_asked_for_are_all_there_are(void **state)
{
    StickContext *ctx = *state;
    StickSparse K = tridiagonal(ctx, 200, -1, 2.5, -1);
    Sample m = begin(ctx, 200);
    for (int i = 0; i < 5; i++)
        put(&m, 40 * i, 40 * i, 1);
    StickSparse M = finished(&m);
    StickEigen all, some;
    StickArnoldiReport report;
    StickArnoldiOptions options = asking(10);
    solve_dense(ctx, &K, NULL, &M, &all);
    assert_int_equal(all.count, 5);
    StickArnoldi *arnoldi = arnoldi_of(ctx, &K, NULL, &M);
    for (int k = 0; k < 2; k++) {
        double complex shift = 0.5 * k * I;
        assert_ok(ctx, stick_arnoldi_nearest(arnoldi, shift, &options, &some, &report));
        assert_int_equal(some.count, 5);
        check_nearest(&some, &all, shift, 1e-10);
        stick_eigen_destroy(ctx, &some);
    }
    stick_arnoldi_destroy(arnoldi);
    stick_eigen_destroy(ctx, &all);
    stick_sparse_destroy(ctx, &K);
    stick_sparse_destroy(ctx, &M);
}

// Two modes couple by friction: K = [2, 1 - mu 4/3; 1, 2], M = 1
static void two_modes_flutter_beyond_their_friction(void **state)
{
    StickContext *ctx = *state;
    Sample k = begin(ctx, 2);
    put(&k, 0, 0, 2), put(&k, 1, 1, 2), put(&k, 1, 0, 1), put(&k, 0, 1, 1 - 0.9 * 4 / 3);
    StickSparse K = finished(&k), M = tridiagonal(ctx, 2, 0, 1, 0), C = tridiagonal(ctx, 2, 0, 0, 0);
    StickEigen eigen;
    StickArnoldiReport report;
    StickArnoldiOptions options = asking(4);
    StickArnoldi *arnoldi = arnoldi_of(ctx, &K, &C, &M);
    assert_ok(ctx, stick_arnoldi_nearest(arnoldi, 0.3, &options, &eigen, &report));
    assert_int_equal(eigen.count, 4);
    assert_below(cabs(eigen.value[3] - csqrt(-2 + sqrt(0.2) * I)), 1e-12);
    assert_true(eigen.value[2] == conj(eigen.value[3]));
    stick_eigen_destroy(ctx, &eigen);
    stick_arnoldi_destroy(arnoldi);
    stick_sparse_destroy(ctx, &K);
    stick_sparse_destroy(ctx, &C);
    stick_sparse_destroy(ctx, &M);
}

// A chain of Jordan blocks: eigenvalue k, twice, with one vector.
static void defective_problems_are_survived(void **state)
{
    StickContext *ctx = *state;
    int n = 300;
    Sample k = begin(ctx, n);
    for (int i = 0; i < n; i++) {
        put(&k, i, i, 1 + i / 2);
        if (i % 2 == 0)
            put(&k, i, i + 1, 1);
    }
    StickSparse K = finished(&k), M = tridiagonal(ctx, n, 0, 1, 0);
    StickEigen eigen;
    StickArnoldiReport report;
    StickArnoldiOptions options = asking(6);
    options.krylov.tol = 1e-10;
    StickArnoldi *arnoldi = arnoldi_of(ctx, &K, NULL, &M);
    StickStatus status = stick_arnoldi_nearest(arnoldi, 0.2, &options, &eigen, &report);
    assert_true(status == STICK_OK || status == STICK_NOT_SOLVED);
    if (status == STICK_OK) {
        for (int j = 0; j < eigen.count; j++)
            assert_below(cabs(eigen.value[j] - (1 + j / 2)), 1e-5);
        stick_eigen_destroy(ctx, &eigen);
    }
    stick_arnoldi_destroy(arnoldi);
    stick_sparse_destroy(ctx, &K);
    stick_sparse_destroy(ctx, &M);
}

// ---- operators by their action

typedef struct Diagonal {
    int calls;
} Diagonal;

enum { LONG = 500 };

static StickStatus apply_diagonal(void *data, const double *x, double *y)
{
    ((Diagonal *)data)->calls++;
    for (int i = 0; i < LONG; i++)
        y[i] = 1e-13 * x[i] / (1 + i);
    return STICK_OK;
}

static StickStatus apply_spiral(void *data, const double complex *x, double complex *y)
{
    ((Diagonal *)data)->calls++;
    for (int i = 0; i < LONG; i++)
        y[i] = x[i] * cexp(I * i) / (1 + i);
    return STICK_OK;
}

static StickStatus apply_broken(void *data, const double *x, double *y)
{
    apply_diagonal(data, x, y);
    if (((Diagonal *)data)->calls > 5)
        y[3] = NAN;
    return STICK_OK;
}

static StickStatus apply_nothing(void *data, const double *x, double *y)
{
    (void)data, (void)x;
    memset(y, 0, LONG * sizeof *y);
    return STICK_OK;
}

static void operators_are_given_by_their_action(void **state)
{
    StickContext *ctx = *state;
    Diagonal diagonal = {0};
    StickEigen eigen;
    StickKrylovReport report;
    StickKrylovOptions options = stick_krylov_default();
    options.count = 7;
    StickKrylovOperator op = {LONG, &diagonal, apply_diagonal, NULL};
    assert_ok(ctx, stick_krylov_largest(ctx, &op, &options, &eigen, &report));
    assert_int_equal(report.products, diagonal.calls);
    for (int k = 0; k < 7; k++) {
        assert_near(creal(eigen.value[k]) * 1e13 * (7 - k), 1, 1e-12);
        assert_below(eigen.residual[k], 1e-11);
    }
    stick_eigen_destroy(ctx, &eigen);
    op = (StickKrylovOperator){LONG, &diagonal, NULL, apply_spiral};
    assert_ok(ctx, stick_krylov_largest(ctx, &op, &options, &eigen, &report));
    for (int i = 0; i < 7; i++) {
        double nearest = INFINITY;
        for (int k = 0; k < 7; k++)
            nearest = fmin(nearest, cabs(eigen.value[k] - cexp(I * i) / (1 + i)));
        assert_below(nearest, 1e-12);
    }
    stick_eigen_destroy(ctx, &eigen);
}

// A shift that is nearly an eigenvalue: the others are known as well as rounding allows.
static void shifts_may_be_near_to_an_eigenvalue(void **state)
{
    StickContext *ctx = *state;
    StickSparse K, M;
    StickEigen eigen;
    StickArnoldiReport report;
    StickArnoldiOptions options = asking(5);
    int n = 300;
    rod(ctx, n, &K, &M);
    StickArnoldi *arnoldi = arnoldi_of(ctx, &K, NULL, &M);
    for (double distance = 1e-2; distance > 5e-7; distance /= 10) {
        assert_ok(
            ctx, stick_arnoldi_nearest(arnoldi, rod_value(n, 3) * (1 + distance), &options, &eigen, &report));
        assert_int_equal(eigen.count, 5);
        for (int k = 0; k < 5; k++)
            assert_below(cabs(eigen.value[k] / rod_value(n, 1 + k) - 1), 1e-10 + 1e-14 / distance);
        stick_eigen_destroy(ctx, &eigen);
    }
    stick_arnoldi_destroy(arnoldi);
    stick_sparse_destroy(ctx, &K);
    stick_sparse_destroy(ctx, &M);
}

static void operators_that_fail_are_said(void **state)
{
    StickContext *ctx = *state;
    Diagonal diagonal = {0};
    StickEigen eigen;
    StickKrylovReport report;
    StickKrylovOptions options = stick_krylov_default();
    StickKrylovOperator op = {LONG, &diagonal, apply_broken, NULL};
    assert_int_equal(stick_krylov_largest(ctx, &op, &options, &eigen, &report), STICK_NOT_SOLVED);
    assert_non_null(strstr(stick_last_error(ctx), "not finite"));
    op.apply = apply_nothing;
    assert_int_equal(stick_krylov_largest(ctx, &op, &options, &eigen, &report), STICK_NOT_SOLVED);
    assert_non_null(strstr(stick_last_error(ctx), "is zero"));
    op.apply = apply_diagonal;
    options.restarts = 1;
    options.basis = 13;
    assert_int_equal(stick_krylov_largest(ctx, &op, &options, &eigen, &report), STICK_NOT_SOLVED);
    assert_non_null(strstr(stick_last_error(ctx), "of 10 eigenvalues"));
    options.basis = 11;
    assert_int_equal(stick_krylov_largest(ctx, &op, &options, &eigen, &report), STICK_USAGE);
}

// ---- in a circle

static void windows_have_all_and_counts_are_right(void **state)
{
    StickContext *ctx = *state;
    StickRandom random = stick_random_seed(22);
    for (int n = 30; n <= test_size(150, 30); n += 60) {
        StickSparse K = random_sparse(ctx, n, &random, 4), M = random_sparse(ctx, n, &random, 6);
        StickSparse C = random_sparse(ctx, n, &random, 0.5);
        int counted = 0;
        for (int trial = 0; trial < 8; trial++) {
            StickEigen all, some;
            StickArnoldiReport report;
            StickArnoldiOptions options = asking(4);
            bool quadratic = trial % 2;
            solve_dense(ctx, &K, quadratic ? &C : NULL, &M, &all);
            StickArnoldi *arnoldi = arnoldi_of(ctx, &K, quadratic ? &C : NULL, &M);
            double re = stick_random_uniform(&random, -1, 1), im = stick_random_uniform(&random, -1, 1);
            double complex center = trial % 4 < 2 ? re : re + I * im;
            int inside = 0, count;
            double radius = stick_random_uniform(&random, 0.1, 0.6);
            for (int k = 0; k < all.count; k++)
                inside += cabs(all.value[k] - center) < radius;
            options.proof = trial < 6 ? STICK_ARNOLDI_COUNT : STICK_ARNOLDI_REPEAT;
            assert_ok(ctx, stick_arnoldi_window(arnoldi, center, radius, &options, &some, &report));
            assert_int_equal(some.count, inside);
            if (inside > 0)
                check_nearest(&some, &all, center, 1e-10);
            // without any known ones it takes more samples, if one is near to the circle
            StickStatus status = stick_arnoldi_count(arnoldi, center, radius, NULL, 256, &count, &report);
            if (status == STICK_OK)
                assert_int_equal(count, inside);
            else
                assert_int_equal(status, STICK_NOT_SOLVED);
            counted += status == STICK_OK;
            stick_eigen_destroy(ctx, &some);
            stick_arnoldi_destroy(arnoldi);
            stick_eigen_destroy(ctx, &all);
        }
        assert_true(counted >= 5);
        stick_sparse_destroy(ctx, &K);
        stick_sparse_destroy(ctx, &C);
        stick_sparse_destroy(ctx, &M);
    }
}

// Four rods side by side that do not know of each other: every eigenvalue is there four times.
static void multiple_eigenvalues_are_not_missed(void **state)
{
    StickContext *ctx = *state;
    StickSparse rodK, rodM;
    int n = 100, copies = 4;
    rod(ctx, n, &rodK, &rodM);
    Sample k = begin(ctx, n * copies), m = begin(ctx, n * copies);
    for (int c = 0; c < copies; c++)
        for (int j = 0; j < n; j++)
            for (int e = rodK.start[j]; e < rodK.start[j + 1]; e++) {
                put(&k, c * n + rodK.row[e], c * n + j, rodK.value[e]);
                put(&m, c * n + rodM.row[e], c * n + j, rodM.value[e]);
            }
    StickSparse K = finished(&k), M = finished(&m);
    StickArnoldi *arnoldi = arnoldi_of(ctx, &K, NULL, &M);
    double radius = 0.5 * (rod_value(n, 5) + rod_value(n, 6));
    for (int proof = STICK_ARNOLDI_REPEAT; proof <= STICK_ARNOLDI_COUNT; proof++) {
        StickEigen eigen;
        StickArnoldiReport report;
        StickArnoldiOptions options = asking(10);
        options.proof = proof;
        assert_ok(ctx, stick_arnoldi_window(arnoldi, 0, radius, &options, &eigen, &report));
        assert_int_equal(eigen.count, 20);
        for (int j = 0; j < 20; j++)
            assert_below(cabs(eigen.value[j] / rod_value(n, 1 + j / copies) - 1), 1e-10);
        stick_eigen_destroy(ctx, &eigen);
    }
    stick_arnoldi_destroy(arnoldi);
    stick_sparse_destroy(ctx, &K);
    stick_sparse_destroy(ctx, &M);
    stick_sparse_destroy(ctx, &rodK);
    stick_sparse_destroy(ctx, &rodM);
}

// One that a list lacks, or has twice, shows in the count.
static void counts_tell_what_a_list_lacks(void **state)
{
    StickContext *ctx = *state;
    StickSparse K, M;
    StickEigen eigen;
    StickArnoldiReport report;
    StickArnoldiOptions options = asking(8);
    int count, n = 200;
    rod(ctx, n, &K, &M);
    StickArnoldi *arnoldi = arnoldi_of(ctx, &K, NULL, &M);
    assert_ok(ctx, stick_arnoldi_nearest(arnoldi, 0, &options, &eigen, &report));
    double radius = 0.5 * (rod_value(n, 5) + rod_value(n, 6));
    assert_ok(ctx, stick_arnoldi_count(arnoldi, 0, radius, &eigen, 256, &count, &report));
    assert_int_equal(count, 5);
    assert_true(report.samples <= 17);
    double complex third = eigen.value[2];
    eigen.value[2] = 3 * radius;
    assert_ok(ctx, stick_arnoldi_count(arnoldi, 0, radius, &eigen, 256, &count, &report));
    assert_int_equal(count, 5); // four are listed
    eigen.value[2] = third;
    eigen.value[7] = third;
    assert_ok(ctx, stick_arnoldi_count(arnoldi, 0, radius, &eigen, 256, &count, &report));
    assert_int_equal(count, 5); // six are listed
    stick_eigen_destroy(ctx, &eigen);

    // the same by inertia: K - s M has as many negative pivots
    StickInertia inertia;
    Sample shifted = begin(ctx, n);
    for (int j = 0; j < n; j++)
        for (int e = K.start[j]; e < K.start[j + 1]; e++)
            put(&shifted, K.row[e], j, K.value[e] - radius * M.value[e]);
    StickSparse A = finished(&shifted);
    assert_ok(ctx, stick_inertia(ctx, &A, &inertia));
    assert_int_equal(inertia.negative, 5);
    stick_sparse_destroy(ctx, &A);
    stick_arnoldi_destroy(arnoldi);
    stick_sparse_destroy(ctx, &K);
    stick_sparse_destroy(ctx, &M);
}

static void same_input_gives_the_same_bits(void **state)
{
    StickContext *ctx = *state;
    StickRandom random = stick_random_seed(23);
    StickSparse K = random_sparse(ctx, 400, &random, 4), M = random_sparse(ctx, 400, &random, 6);
    StickEigen first, second;
    StickArnoldiReport report;
    StickArnoldiOptions options = asking(10);
    for (int k = 0; k < 2; k++) {
        double complex shift = 0.5 + 0.2 * k * I;
        StickArnoldi *arnoldi = arnoldi_of(ctx, &K, NULL, &M);
        assert_ok(ctx, stick_arnoldi_nearest(arnoldi, shift, &options, &first, &report));
        assert_ok(ctx, stick_arnoldi_nearest(arnoldi, shift, &options, &second, &report));
        assert_int_equal(report.factorisations, 0);
        assert_int_equal(first.count, second.count);
        assert_memory_equal(first.value, second.value, (size_t)first.count * sizeof *first.value);
        assert_memory_equal(first.vector, second.vector, 400 * (size_t)first.count * sizeof *first.vector);
        stick_eigen_destroy(ctx, &first);
        stick_eigen_destroy(ctx, &second);
        stick_arnoldi_destroy(arnoldi);
    }
    stick_sparse_destroy(ctx, &K);
    stick_sparse_destroy(ctx, &M);
}

// ---- what fails

static void what_makes_no_sense_is_said(void **state)
{
    StickContext *ctx = *state;
    StickSparse K = tridiagonal(ctx, 50, 0, 2, 0), M = tridiagonal(ctx, 50, 0, 1, 0);
    StickSparse zero = tridiagonal(ctx, 50, 0, 0, 0), small = tridiagonal(ctx, 40, 0, 1, 0);
    StickArnoldi *arnoldi;
    StickEigen eigen;
    StickArnoldiReport report;
    StickArnoldiOptions options = asking(3);
    int count;
    assert_int_equal(stick_arnoldi_create(ctx, &K, NULL, &small, &arnoldi), STICK_USAGE);
    arnoldi = arnoldi_of(ctx, &K, NULL, &M);
    assert_int_equal(stick_arnoldi_nearest(arnoldi, 2, &options, &eigen, &report), STICK_NOT_SOLVED);
    assert_non_null(strstr(stick_last_error(ctx), "shift 2 +0 i is an eigenvalue"));
    assert_int_equal(stick_arnoldi_nearest(arnoldi, NAN, &options, &eigen, &report), STICK_USAGE);
    assert_int_equal(stick_arnoldi_window(arnoldi, 0, -1, &options, &eigen, &report), STICK_USAGE);
    assert_int_equal(stick_arnoldi_count(arnoldi, 0, 2, NULL, 64, &count, &report), STICK_NOT_SOLVED);
    assert_non_null(strstr(stick_last_error(ctx), "circle"));
    assert_int_equal(stick_arnoldi_count(arnoldi, 0, 1, NULL, 65, &count, &report), STICK_USAGE);
    assert_ok(ctx, stick_arnoldi_count(arnoldi, 0, 1, NULL, 64, &count, &report));
    assert_int_equal(count, 0);
    assert_ok(ctx, stick_arnoldi_count(arnoldi, 0, 4, NULL, 512, &count, &report));
    assert_int_equal(count, 50); // fifty times the same
    StickSparse many = tridiagonal(ctx, 66, 0, 2, 0), unit = tridiagonal(ctx, 66, 0, 1, 0);
    StickArnoldi *other = arnoldi_of(ctx, &many, NULL, &unit);
    for (int k = 0; k < 4; k++) { // as many as samples, or nearly
        assert_ok(ctx, stick_arnoldi_count(other, 2 + k, 20, NULL, 512, &count, &report));
        assert_int_equal(count, 66);
    }
    stick_arnoldi_destroy(other);
    stick_sparse_destroy(ctx, &many);
    stick_sparse_destroy(ctx, &unit);
    options.krylov.count = 0;
    assert_int_equal(stick_arnoldi_nearest(arnoldi, 0, &options, &eigen, &report), STICK_USAGE);
    options.krylov.count = 3;
    stick_arnoldi_destroy(arnoldi);
    arnoldi = arnoldi_of(ctx, &K, NULL, &zero);
    assert_int_equal(stick_arnoldi_nearest(arnoldi, 0, &options, &eigen, &report), STICK_NOT_SOLVED);
    stick_arnoldi_destroy(arnoldi);
    arnoldi = arnoldi_of(ctx, &zero, NULL, &zero);
    assert_int_equal(stick_arnoldi_nearest(arnoldi, 1, &options, &eigen, &report), STICK_NOT_SOLVED);
    stick_arnoldi_destroy(arnoldi);
    M.value[7] = NAN;
    assert_int_equal(stick_arnoldi_create(ctx, &K, NULL, &M, &arnoldi), STICK_BAD_INPUT);
    assert_non_null(strstr(stick_last_error(ctx), "of M is nan"));
    stick_sparse_destroy(ctx, &K);
    stick_sparse_destroy(ctx, &M);
    stick_sparse_destroy(ctx, &zero);
    stick_sparse_destroy(ctx, &small);
}

typedef struct Matrices {
    StickSparse K, C, M;
} Matrices;

static StickStatus solve_some(StickContext *ctx, void *data)
{
    Matrices *matrices = data;
    for (int quadratic = 0; quadratic < 2; quadratic++) {
        StickArnoldi *arnoldi;
        STICK_TRY(
            stick_arnoldi_create(ctx, &matrices->K, quadratic ? &matrices->C : NULL, &matrices->M, &arnoldi));
        StickArnoldiOptions options = asking(3);
        StickArnoldiReport report;
        StickEigen eigen = {0};
        double complex middle = quadratic ? 0.2 + 0.1 * I : 0.2;
        StickStatus status = stick_arnoldi_window(arnoldi, middle, 0.3, &options, &eigen, &report);
        stick_eigen_destroy(ctx, &eigen);
        stick_arnoldi_destroy(arnoldi);
        STICK_TRY(status);
    }
    return STICK_OK;
}

static void every_allocation_may_fail(void **state)
{
    StickContext *ctx = *state;
    StickRandom random = stick_random_seed(24);
    // one size for ARPACK and one for the dense solver
    for (int n = 10; n <= 70; n += 60) {
        Matrices matrices;
        matrices.K = random_sparse(ctx, n, &random, 4);
        matrices.C = random_sparse(ctx, n, &random, 0.5);
        matrices.M = random_sparse(ctx, n, &random, 6);
        assert_survives_failing_memory(solve_some, &matrices);
        stick_sparse_destroy(ctx, &matrices.K);
        stick_sparse_destroy(ctx, &matrices.C);
        stick_sparse_destroy(ctx, &matrices.M);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(rod_has_its_frequencies),
        test_with_context(sparse_and_dense_agree),
        test_with_context(singular_mass_shows_no_infinite_eigenvalues),
        test_with_context(fewer_eigenvalues_than_asked_for_are_all_there_are),
        test_with_context(two_modes_flutter_beyond_their_friction),
        test_with_context(defective_problems_are_survived),
        test_with_context(operators_are_given_by_their_action),
        test_with_context(shifts_may_be_near_to_an_eigenvalue),
        test_with_context(operators_that_fail_are_said),
        test_with_context(windows_have_all_and_counts_are_right),
        test_with_context(multiple_eigenvalues_are_not_missed),
        test_with_context(counts_tell_what_a_list_lacks),
        test_with_context(same_input_gives_the_same_bits),
        test_with_context(what_makes_no_sense_is_said),
        test_with_context(every_allocation_may_fail),
    };
    stick_blas_single_thread();
    return cmocka_run_group_tests_name("linalg.arnoldi", tests, NULL, NULL);
}
