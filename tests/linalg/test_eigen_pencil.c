// SPDX-License-Identifier: Apache-2.0
// All eigenvalues of K x = value M x: closed forms, M that is singular, problems that are hard.
#include "linalg/dense.h"

#include <float.h>

static const double PI = 3.14159265358979323846;

static double complex times(const Dense *A, int n, int row, const double complex *x)
{
    double complex sum = 0;
    for (int j = 0; j < n; j++)
        sum += A->at[j * n + row] * x[j];
    return sum;
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

static StickStatus solve(StickContext *ctx, void *data)
{
    (void)data;
    Dense K, M;
    StickEigen eigen;
    int N = tied_chain(5, 1, &K, &M);
    STICK_TRY(stick_eigen_pencil(ctx, N, K.at, M.at, &eigen));
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
        test_with_context(rod_has_its_frequencies),
        test_with_context(companion_matrix_has_the_roots_of_its_polynomial),
        test_with_context(rotations_give_conjugate_pairs),
        test_with_context(double_eigenvalues_of_symmetric_pencils_are_real),
        test_with_context(defective_pencils_are_survived),
        test_with_context(ties_by_multipliers_have_no_eigenvalues_of_their_own),
        test_with_context(massless_freedoms_are_at_infinity),
        test_with_context(random_pencils_are_solved),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("linalg.eigen_pencil", tests, NULL, NULL);
}
