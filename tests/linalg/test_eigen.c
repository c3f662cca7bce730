// SPDX-License-Identifier: Apache-2.0
#include "check.h"

#include "base/random.h"
#include "linalg/eigen.h"

#include <complex.h>
#include <float.h>

enum { MOST = 60 };
static const double PI = 3.14159265358979323846;

typedef struct Dense {
    double at[MOST * MOST];
} Dense;

static void put(Dense *A, int n, int i, int j, double value)
{
    A->at[j * n + i] = value;
}

static void tridiagonal(Dense *A, int n, double diagonal, double side)
{
    memset(A, 0, sizeof *A);
    for (int i = 0; i < n; i++) {
        put(A, n, i, i, diagonal);
        if (i > 0) {
            put(A, n, i, i - 1, side);
            put(A, n, i - 1, i, side);
        }
    }
}

static void fill_random(Dense *A, int n, StickRandom *random, double diagonal)
{
    for (int k = 0; k < n * n; k++)
        A->at[k] = stick_random_uniform(random, -1, 1) + (k % (n + 1) == 0) * diagonal;
}

static double complex times(const Dense *A, int n, int row, const double complex *x)
{
    double complex sum = 0;
    for (int j = 0; j < n; j++)
        sum += A->at[j * n + row] * x[j];
    return sum;
}

// What holds of every answer: order, pairs, vectors of norm one with a real largest component, small residuals.
static void check_form(const StickEigen *eigen, double tolerance)
{
    for (int k = 0; k < eigen->count; k++) {
        const double complex *x = eigen->vector + k * eigen->n;
        double complex value = eigen->value[k], before = k ? eigen->value[k - 1] : -INFINITY;
        double largest = 0;
        bool real = false;
        assert_true(creal(before) <= creal(value));
        for (int i = 0; i < eigen->n; i++) {
            largest = fmax(largest, cabs(x[i]));
            real = real || (cabs(x[i]) > 1 - 1e-7 && cimag(x[i]) == 0 && creal(x[i]) > 0);
        }
        assert_near(largest, 1, 1e-14);
        assert_true(real);
        assert_below(eigen->residual[k], tolerance);
        if (cimag(value) < 0) {
            assert_true(eigen->value[k + 1] == conj(value));
            for (int i = 0; i < eigen->n; i++)
                assert_true(x[eigen->n + i] == conj(x[i]));
        }
    }
}

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

// A rod of linear elements: K = tri(-1, 2, -1)/h, M = h tri(1, 4, 1)/6
static void rod(int n, Dense *K, Dense *M)
{
    double h = 1.0 / (n + 1);
    tridiagonal(K, n, 2 / h, -1 / h);
    tridiagonal(M, n, 4 * h / 6, h / 6);
}

static double rod_value(int n, int k)
{
    double h = 1.0 / (n + 1), c = cos(k * PI * h);
    return 6 / (h * h) * (1 - c) / (2 + c);
}

static void rod_has_its_frequencies(void **state)
{
    StickContext *ctx = *state;
    Dense K, M;
    StickEigen eigen;
    int n = 40;
    rod(n, &K, &M);
    assert_ok(ctx, stick_eigen_pencil(ctx, n, K.at, M.at, &eigen));
    assert_int_equal(eigen.count, n);
    assert_true(eigen.rcond > 0.1);
    check_form(&eigen, 1e-14);
    for (int k = 0; k < n; k++) {
        assert_near(creal(eigen.value[k]), rod_value(n, k + 1), 1e-12 * rod_value(n, n));
        assert_near(cimag(eigen.value[k]), 0, 0);
    }
    stick_eigen_destroy(ctx, &eigen);
}

// x^n = 1
static void companion_matrix_has_the_roots_of_its_polynomial(void **state)
{
    StickContext *ctx = *state;
    Dense K = {0}, M;
    StickEigen eigen;
    int n = 12;
    tridiagonal(&M, n, 1, 0);
    for (int i = 1; i < n; i++)
        put(&K, n, i, i - 1, 1);
    put(&K, n, 0, n - 1, 1);
    assert_ok(ctx, stick_eigen_pencil(ctx, n, K.at, M.at, &eigen));
    check_form(&eigen, 1e-14);
    for (int k = 0; k < n; k++)
        assert_below(cabs(cpow(eigen.value[k], n) - 1), 1e-13);
    assert_below(cabs(eigen.value[0] + 1), 1e-14);
    assert_below(cabs(eigen.value[n - 1] - 1), 1e-14);
    stick_eigen_destroy(ctx, &eigen);
}

static void rotations_give_conjugate_pairs(void **state)
{
    StickContext *ctx = *state;
    Dense K = {0}, M = {0};
    StickEigen eigen;
    int n = 10;
    for (int b = 0; b < n / 2; b++) {
        put(&K, n, 2 * b, 2 * b, 3 - b);
        put(&K, n, 2 * b + 1, 2 * b + 1, 3 - b);
        put(&K, n, 2 * b, 2 * b + 1, 1 + b);
        put(&K, n, 2 * b + 1, 2 * b, -1 - b);
        put(&M, n, 2 * b, 2 * b, 0.5);
        put(&M, n, 2 * b + 1, 2 * b + 1, 0.5);
    }
    assert_ok(ctx, stick_eigen_pencil(ctx, n, K.at, M.at, &eigen));
    check_form(&eigen, 1e-14);
    for (int b = 0; b < n / 2; b++) {
        assert_below(cabs(eigen.value[2 * b] - 2 * (b - 1 - (5 - b) * I)), 1e-13);
        assert_below(cabs(eigen.value[2 * b + 1] - 2 * (b - 1 + (5 - b) * I)), 1e-13);
    }
    stick_eigen_destroy(ctx, &eigen);
}

// A square membrane has each mode of (a, b) and of (b, a): double eigenvalues, none of them complex by rounding. Its
// masses are not unit ones: D K D with masses D^2 has the same eigenvalues.
static void double_eigenvalues_of_symmetric_pencils_are_real(void **state)
{
    enum { SIDE = 7, N = SIDE * SIDE };
    StickContext *ctx = *state;
    Dense K = {0}, M = {0};
    StickEigen eigen;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            int across = abs(i % SIDE - j % SIDE), along = abs(i / SIDE - j / SIDE);
            double entry = i == j ? 4 : across + along == 1 ? -1 : 0;
            put(&K, N, i, j, entry * (1 + 0.01 * i) * (1 + 0.01 * j) * (1 + DBL_EPSILON * (i > j)));
            put(&M, N, i, j, i == j ? (1 + 0.01 * i) * (1 + 0.01 * i) : 0);
        }
    assert_ok(ctx, stick_eigen_pencil(ctx, N, K.at, M.at, &eigen));
    check_form(&eigen, 1e-13);
    for (int k = 0; k < N; k++)
        assert_true(cimag(eigen.value[k]) == 0);
    double first = 4 * (1 - cos(PI / 8)), second = 4 - 2 * cos(PI / 8) - 2 * cos(PI / 4);
    assert_near(creal(eigen.value[0]), first, 1e-13);
    assert_near(creal(eigen.value[1]), second, 1e-13);
    assert_near(creal(eigen.value[2]), second, 1e-13);
    stick_eigen_destroy(ctx, &eigen);
    // symmetric, but with a mass that is not definite: -value^2 = 1
    const double k[4] = {0, 1, 1, 0}, m[4] = {1, 0, 0, -1};
    assert_ok(ctx, stick_eigen_pencil(ctx, 2, k, m, &eigen));
    assert_below(cabs(eigen.value[0] + I), 1e-14);
    assert_below(cabs(eigen.value[1] - I), 1e-14);
    stick_eigen_destroy(ctx, &eigen);
}

// ---- mode coupling of two degrees of freedom

static void coupling(double mu, Dense *M, Dense *C, Dense *K)
{
    tridiagonal(M, 2, 1, 0);
    memset(C, 0, sizeof *C);
    tridiagonal(K, 2, 2, 1);
    put(K, 2, 0, 1, 1 - mu * 4 / 3);
}

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

static void defective_pencils_are_survived(void **state)
{
    StickContext *ctx = *state;
    Dense M, C, K;
    StickEigen eigen;
    coupling(0.75, &M, &C, &K);
    assert_ok(ctx, stick_eigen_pencil(ctx, 2, K.at, M.at, &eigen));
    check_form(&eigen, 1e-14);
    for (int k = 0; k < 2; k++)
        assert_below(cabs(eigen.value[k] - 2), 1e-7);
    stick_eigen_destroy(ctx, &eigen);
    // one chain of eight: errors are the eighth root of rounding
    tridiagonal(&K, 8, 1, 0);
    tridiagonal(&M, 8, 1, 0);
    for (int i = 1; i < 8; i++)
        put(&K, 8, i, i - 1, 1);
    assert_ok(ctx, stick_eigen_pencil(ctx, 8, K.at, M.at, &eigen));
    check_form(&eigen, 1e-14);
    for (int k = 0; k < 8; k++)
        assert_below(cabs(eigen.value[k] - 1), 0.05);
    stick_eigen_destroy(ctx, &eigen);
}

// ---- singular M

// The first `bound` of n masses on a chain are tied together in pairs by multipliers.
static int tied_chain(int n, int ties, Dense *K, Dense *M)
{
    int N = n + ties;
    memset(K, 0, sizeof *K);
    memset(M, 0, sizeof *M);
    for (int i = 0; i < n; i++) {
        put(K, N, i, i, 2e9);
        put(M, N, i, i, 1 + 0.1 * i);
        if (i > 0) {
            put(K, N, i, i - 1, -1e9);
            put(K, N, i - 1, i, -1e9);
        }
    }
    for (int t = 0; t < ties; t++) {
        put(K, N, n + t, 2 * t, 1);
        put(K, N, n + t, 2 * t + 1, -1);
        put(K, N, 2 * t, n + t, 1);
        put(K, N, 2 * t + 1, n + t, -1);
    }
    return N;
}

// The same with the ties made by hand: q = T r
static int joined_chain(int n, int ties, Dense *K, Dense *M)
{
    Dense full, mass;
    int N = tied_chain(n, ties, &full, &mass), to[MOST];
    for (int i = 0; i < n; i++)
        to[i] = i < 2 * ties ? i / 2 : i - ties;
    int m = n - ties;
    memset(K, 0, sizeof *K);
    memset(M, 0, sizeof *M);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            K->at[to[j] * m + to[i]] += full.at[j * N + i];
            M->at[to[j] * m + to[i]] += mass.at[j * N + i];
        }
    return m;
}

static void ties_by_multipliers_have_no_eigenvalues_of_their_own(void **state)
{
    StickContext *ctx = *state;
    Dense K, M;
    StickEigen tied, joined;
    for (int ties = 1; ties <= 8; ties++) {
        int N = tied_chain(20, ties, &K, &M);
        assert_ok(ctx, stick_eigen_pencil(ctx, N, K.at, M.at, &tied));
        int n = joined_chain(20, ties, &K, &M);
        assert_ok(ctx, stick_eigen_pencil(ctx, n, K.at, M.at, &joined));
        assert_int_equal(tied.count, joined.count);
        assert_int_equal(tied.infinite, 2 * ties);
        assert_true(tied.rcond == 0 && joined.infinite == 0);
        check_form(&tied, 1e-12);
        for (int k = 0; k < n; k++)
            assert_below(cabs(tied.value[k] - joined.value[k]), 1e-11 * creal(joined.value[n - 1]));
        stick_eigen_destroy(ctx, &tied);
        stick_eigen_destroy(ctx, &joined);
    }
}

static void massless_freedoms_are_at_infinity(void **state)
{
    StickContext *ctx = *state;
    Dense K, M;
    StickEigen eigen;
    StickRandom random = stick_random_seed(3);
    fill_random(&K, 12, &random, 3);
    tridiagonal(&M, 12, 1, 0);
    for (int i = 8; i < 12; i++)
        put(&M, 12, i, i, 0);
    assert_ok(ctx, stick_eigen_pencil(ctx, 12, K.at, M.at, &eigen));
    assert_int_equal(eigen.count, 8);
    assert_int_equal(eigen.infinite, 4);
    check_form(&eigen, 1e-13);
    stick_eigen_destroy(ctx, &eigen);
}

// ---- quadratic

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

// det(lambda^2 M + lambda C + K) = 0 is what an eigenvalue means; residuals say it
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

static void random_pencils_are_solved(void **state)
{
    StickContext *ctx = *state;
    Dense K, M;
    StickEigen eigen;
    StickRandom random = stick_random_seed(6);
    for (int n = 1; n <= MOST; n += 7) {
        fill_random(&K, n, &random, 0);
        fill_random(&M, n, &random, 2);
        assert_ok(ctx, stick_eigen_pencil(ctx, n, K.at, M.at, &eigen));
        assert_int_equal(eigen.count, n);
        check_form(&eigen, 1e-13);
        for (int k = 0; k < n; k++)
            for (int i = 0; i < n; i++) {
                const double complex *x = eigen.vector + k * n;
                double complex Kx = times(&K, n, i, x), Mx = times(&M, n, i, x);
                assert_below(cabs(Kx - eigen.value[k] * Mx), 1e-11 * (1 + cabs(eigen.value[k])));
            }
        stick_eigen_destroy(ctx, &eigen);
    }
}

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

static StickStatus solve_all(StickContext *ctx, void *data)
{
    (void)data;
    Dense K, M, C = {0};
    StickEigen eigen;
    rod(5, &K, &M);
    STICK_TRY(stick_eigen_symmetric(ctx, 5, K.at, 3, &eigen));
    stick_eigen_destroy(ctx, &eigen);
    STICK_TRY(stick_eigen_quadratic(ctx, 5, M.at, C.at, K.at, &eigen));
    stick_eigen_destroy(ctx, &eigen);
    int N = tied_chain(5, 1, &K, &M);
    STICK_TRY(stick_eigen_pencil(ctx, N, K.at, M.at, &eigen));
    stick_eigen_destroy(ctx, &eigen);
    return STICK_OK;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    assert_survives_failing_memory(solve_all, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(symmetric_smallest_are_those_of_second_differences),
        test_with_context(rod_has_its_frequencies),
        test_with_context(companion_matrix_has_the_roots_of_its_polynomial),
        test_with_context(rotations_give_conjugate_pairs),
        test_with_context(double_eigenvalues_of_symmetric_pencils_are_real),
        test_with_context(two_modes_flutter_beyond_their_friction),
        test_with_context(defective_pencils_are_survived),
        test_with_context(ties_by_multipliers_have_no_eigenvalues_of_their_own),
        test_with_context(massless_freedoms_are_at_infinity),
        test_with_context(damped_oscillators_have_their_closed_form),
        test_with_context(random_quadratic_problems_are_solved),
        test_with_context(random_pencils_are_solved),
        test_with_context(what_makes_no_sense_is_said),
        cmocka_unit_test(sparse_matrix_fills_a_dense_one),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("linalg.eigen", tests, NULL, NULL);
}
