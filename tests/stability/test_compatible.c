// SPDX-License-Identifier: Apache-2.0
#include "check.h"

#include "base/random.h"
#include "linalg/eigen.h"
#include "stability/compatible.h"
#include "stability/definite.h"

#include <complex.h>

static StickStatus finish(StickContext *ctx, StickTriplets *T, StickSparse *A)
{
    StickStatus status = stick_sparse_from_triplets(ctx, T, A);
    stick_triplets_destroy(ctx, T);
    return status;
}

enum { N = 5, ROWS = 4 };

// A dense symmetric matrix, and rows S that are the first unknowns or mixed ones.
static void make_form(StickContext *ctx, StickRandom *random, double dense[N][N], StickSparse *A)
{
    StickTriplets T = {.rows = N, .cols = N};
    for (int i = 0; i < N; i++)
        for (int j = 0; j <= i; j++)
            dense[i][j] = dense[j][i] = stick_random_uniform(random, -1, 1) + (i == j);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            assert_ok(ctx, stick_triplets_add(ctx, &T, i, j, dense[i][j]));
    assert_ok(ctx, finish(ctx, &T, A));
}

// The minimum is at an eigenvector of the form on some face of the cone v_1 ... v_ROWS >= 0: all of them are tried.
static double minimum_by_faces(StickContext *ctx, double dense[N][N])
{
    double least = INFINITY;
    for (int face = 0; face < 1 << ROWS; face++) {
        int kept[N], n = 0;
        double A[N * N];
        StickEigen eigen;
        for (int i = 0; i < N; i++)
            if (i >= ROWS || !(face >> i & 1))
                kept[n++] = i;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                A[i * n + j] = dense[kept[i]][kept[j]];
        assert_ok(ctx, stick_eigen_symmetric(ctx, n, A, n, &eigen));
        for (int k = 0; k < n; k++) {
            bool plus = true, minus = true;
            for (int i = 0; i < n; i++) {
                double v = creal(eigen.vector[k * n + i]);
                plus = plus && (kept[i] >= ROWS || v >= -1e-12);
                minus = minus && (kept[i] >= ROWS || v <= 1e-12);
            }
            if (plus || minus)
                least = fmin(least, creal(eigen.value[k]));
        }
        stick_eigen_destroy(ctx, &eigen);
    }
    return least;
}

static StickStatus coordinate_rows(StickContext *ctx, StickSparse *S)
{
    StickTriplets T = {.rows = ROWS, .cols = N};
    StickStatus status = STICK_OK;
    for (int i = 0; i < ROWS && status == STICK_OK; i++)
        status = stick_triplets_add(ctx, &T, i, i, 1);
    if (status == STICK_OK)
        return finish(ctx, &T, S);
    stick_triplets_destroy(ctx, &T);
    return status;
}

// Never below the minimum, admissible, and nearly always the minimum itself.
static void minimum_on_a_cone(void **state)
{
    enum { SAMPLES = 200 };
    StickRandom random = stick_random_seed(3);
    StickSparse S;
    int reached = 0, proved = 0;
    assert_ok(*state, coordinate_rows(*state, &S));
    for (int sample = 0; sample < SAMPLES; sample++) {
        double dense[N][N], smallest, vector[N], v[N], length = 0;
        StickSparse A;
        StickConeMinimum found;
        make_form(*state, &random, dense, &A);
        assert_ok(*state, stick_definite_smallest(*state, &A, &smallest, vector));
        assert_ok(*state, stick_compatible_minimum(*state, &A, &S, smallest, vector, v, &found));
        double least = minimum_by_faces(*state, dense);
        for (int i = 0; i < N; i++) {
            length += v[i] * v[i];
            assert_true(i >= ROWS || v[i] >= -1e-8);
        }
        assert_near(length, 1, 1e-12);
        assert_near(stick_sparse_form(&A, v, v), found.value, 1e-12);
        assert_true(found.value >= least - 1e-10);
        assert_true(found.value >= smallest - 1e-10);
        if (found.proved)
            assert_near(found.value, least, 1e-10);
        reached += found.value <= least + 1e-8;
        proved += found.proved;
        stick_sparse_destroy(*state, &A);
    }
    assert_true(reached >= SAMPLES * 9 / 10);
    assert_in_range(proved, 1, SAMPLES / 2);
    stick_sparse_destroy(*state, &S);
}

// Neighbours that push each other: the smallest eigenvector alternates.
static StickStatus pushing_chain(StickContext *ctx, StickSparse *A)
{
    StickTriplets T = {.rows = N, .cols = N};
    StickStatus status = STICK_OK;
    for (int i = 0; i < N * N && status == STICK_OK; i++)
        if (abs(i / N - i % N) < 2)
            status = stick_triplets_add(ctx, &T, i / N, i % N, i / N == i % N ? 2 : 1);
    if (status == STICK_OK)
        return finish(ctx, &T, A);
    stick_triplets_destroy(ctx, &T);
    return status;
}

static StickStatus minimise(StickContext *ctx, void *data)
{
    StickSparse A = {0}, S = {0};
    double smallest, *vector = data, v[N];
    StickConeMinimum found;
    StickStatus status = pushing_chain(ctx, &A);
    if (status == STICK_OK)
        status = coordinate_rows(ctx, &S);
    if (status == STICK_OK)
        status = stick_definite_smallest(ctx, &A, &smallest, vector);
    if (status == STICK_OK)
        status = stick_compatible_minimum(ctx, &A, &S, smallest, vector, v, &found);
    stick_sparse_destroy(ctx, &A);
    stick_sparse_destroy(ctx, &S);
    return status;
}

static void every_allocation_fails_once(void **state)
{
    double vector[N];
    (void)state;
    assert_survives_failing_memory(minimise, vector);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(minimum_on_a_cone),
        cmocka_unit_test(every_allocation_fails_once),
    };
    return cmocka_run_group_tests_name("compatible", tests, NULL, NULL);
}
