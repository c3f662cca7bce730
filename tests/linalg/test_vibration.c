// SPDX-License-Identifier: Apache-2.0
// Lowest vibrations: closed forms of chains and membranes, with multiple frequencies and motions at no cost.
#include "check.h"

#include "base/pi.h"
#include "linalg/vibration.h"

#include <cblas.h>

static const double MASS = 3;

typedef struct Pair {
    StickSparse K, M;
} Pair;

// nx x ny masses on a membrane, each joined to its neighbours; `held` holds all that is around.
static StickStatus fill_membrane(StickContext *ctx, int nx, int ny, bool held, StickTriplets *K,
                                 StickTriplets *M)
{
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++) {
            int at = j * nx + i, step[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
            STICK_TRY(stick_triplets_add(ctx, M, at, at, MASS));
            for (int s = 0; s < 4; s++) {
                int x = i + step[s][0], y = j + step[s][1];
                bool inside = x >= 0 && x < nx && y >= 0 && y<ny, across = ny> 1 || s < 2;
                if ((!inside && !held) || !across)
                    continue;
                STICK_TRY(stick_triplets_add(ctx, K, at, at, 1));
                if (inside)
                    STICK_TRY(stick_triplets_add(ctx, K, at, y * nx + x, -1));
            }
        }
    return STICK_OK;
}

static void close_pair(StickContext *ctx, Pair *pair)
{
    stick_sparse_destroy(ctx, &pair->K);
    stick_sparse_destroy(ctx, &pair->M);
}

static StickStatus membrane(StickContext *ctx, int nx, int ny, bool held, Pair *pair)
{
    StickTriplets K = {.rows = nx * ny, .cols = nx * ny}, M = K;
    *pair = (Pair){0};
    StickStatus status = fill_membrane(ctx, nx, ny, held, &K, &M);
    if (status == STICK_OK)
        status = stick_sparse_from_triplets(ctx, &K, &pair->K);
    if (status == STICK_OK)
        status = stick_sparse_from_triplets(ctx, &M, &pair->M);
    stick_triplets_destroy(ctx, &K);
    stick_triplets_destroy(ctx, &M);
    if (status != STICK_OK)
        close_pair(ctx, pair);
    return status;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// (4 - 2 cos(i pi/(nx + 1)) - 2 cos(j pi/(ny + 1))) / m; without supports 2 - 2 cos(i pi/nx) from i = 0 on
static double *exact_values(int nx, int ny, bool held)
{
    double *value = malloc((size_t)(nx * ny) * sizeof *value);
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++) {
            double x = held ? (i + 1) * STICK_PI / (nx + 1) : i * STICK_PI / nx;
            double y = held ? (j + 1) * STICK_PI / (ny + 1) : j * STICK_PI / ny;
            value[j * nx + i] = (2 - 2 * cos(x) + (ny > 1 ? 2 - 2 * cos(y) : 0)) / MASS;
        }
    qsort(value, (size_t)(nx * ny), sizeof *value, ascending);
    return value;
}

static void assert_orthonormal(const Pair *pair, const StickVibration *found)
{
    size_t n = (size_t)found->n;
    for (int i = 0; i < found->count; i++)
        for (int j = 0; j <= i; j++) {
            const double *x = found->vector + (size_t)i * n, *y = found->vector + (size_t)j * n;
            assert_near(stick_sparse_form(&pair->M, x, y), i == j, 1e-11);
            assert_near(stick_sparse_form(&pair->K, x, y), i == j ? found->value[i] : 0, 1e-11);
        }
}

// Small ones are solved at once, large ones by Lanczos' method; squares have double frequencies.
static void values_of_membranes_are_the_exact_ones(void **state)
{
    static const int sides[][2] = {{1, 1}, {2, 1}, {80, 1}, {12, 12}, {900, 1}, {40, 40}, {60, 25}};
    StickContext *ctx = *state;
    for (int k = 0; k < 7; k++) {
        int nx = sides[k][0], ny = sides[k][1], count = nx * ny < 30 ? nx * ny : 30;
        double *exact = exact_values(nx, ny, true), lowest;
        Pair pair;
        StickVibration found;
        assert_ok(ctx, membrane(ctx, nx, ny, true, &pair));
        StickVibrationWish wish = {.below = INFINITY, .count = count};
        assert_ok(ctx, stick_vibration_find(ctx, &pair.K, &pair.M, &wish, &found, &lowest));
        assert_int_equal(found.count, count);
        assert_near(lowest, exact[0], 1e-13);
        for (int i = 0; i < count; i++)
            assert_near(found.value[i], exact[i], 1e-13);
        assert_orthonormal(&pair, &found);
        stick_vibration_destroy(ctx, &found);
        close_pair(ctx, &pair);
        free(exact);
    }
}

static void a_bound_takes_all_below_it(void **state)
{
    StickContext *ctx = *state;
    for (int n = 10; n <= 40; n += 30) {
        double *exact = exact_values(n, n, true), lowest;
        Pair pair;
        StickVibration found;
        assert_ok(ctx, membrane(ctx, n, n, true, &pair));
        for (int count = 0; count < 50; count += 7) {
            while (count > 0 && exact[count] - exact[count - 1] < 1e-9) // not between twins
                count++;
            double below = count > 0 ? 0.5 * (exact[count - 1] + exact[count]) : 0.5 * exact[0];
            StickVibrationWish wish = {.below = below, .count = n * n};
            assert_ok(ctx, stick_vibration_find(ctx, &pair.K, &pair.M, &wish, &found, &lowest));
            assert_int_equal(found.count, count);
            assert_near(lowest, exact[0], 1e-13);
            stick_vibration_destroy(ctx, &found);
        }
        close_pair(ctx, &pair);
        free(exact);
    }
}

// A membrane that nothing holds moves as a whole; that is known, and not found again.
static void known_motions_are_left_out(void **state)
{
    StickContext *ctx = *state;
    for (int n = 10; n <= 40; n += 30) {
        double *exact = exact_values(n, n, false), *known = malloc((size_t)(n * n) * sizeof *known);
        Pair pair;
        StickVibration found;
        for (int i = 0; i < n * n; i++)
            known[i] = 1 / (sqrt(MASS) * n);
        assert_ok(ctx, membrane(ctx, n, n, false, &pair));
        StickVibrationWish wish = {
            .below = exact[19] * (1 + 1e-6), .count = 100, .nknown = 1, .known = known};
        assert_ok(ctx, stick_vibration_find(ctx, &pair.K, &pair.M, &wish, &found, NULL));
        for (int i = 0; i < found.count; i++) {
            assert_near(found.value[i], exact[1 + i], 1e-13);
            assert_near(stick_sparse_form(&pair.M, known, found.vector + (size_t)(i * n) * (size_t)n), 0,
                        1e-14);
        }
        assert_true(found.count >= 19 && exact[found.count + 1] > wish.below);
        stick_vibration_destroy(ctx, &found);
        // not known, it is found
        wish.nknown = 0;
        assert_ok(ctx, stick_vibration_find(ctx, &pair.K, &pair.M, &wish, &found, NULL));
        assert_near(found.value[0], 0, 1e-13);
        assert_orthonormal(&pair, &found);
        stick_vibration_destroy(ctx, &found);
        close_pair(ctx, &pair);
        free(known);
        free(exact);
    }
}

static void too_many_are_refused(void **state)
{
    StickContext *ctx = *state;
    Pair pair;
    StickVibration found;
    assert_ok(ctx, membrane(ctx, 4000, 1, true, &pair));
    StickVibrationWish wish = {.below = INFINITY, .count = 1500};
    assert_int_equal(stick_vibration_find(ctx, &pair.K, &pair.M, &wish, &found, NULL), STICK_BAD_INPUT);
    assert_non_null(strstr(stick_last_error(ctx), "1500 vibrations of 4000"));
    close_pair(ctx, &pair);
}

static StickStatus find_some(StickContext *ctx, void *data)
{
    const int *nx = data;
    Pair pair;
    StickVibration found;
    STICK_TRY(membrane(ctx, *nx, 8, true, &pair));
    StickVibrationWish wish = {.below = 0.02, .count = 20};
    StickStatus status = stick_vibration_find(ctx, &pair.K, &pair.M, &wish, &found, NULL);
    if (status == STICK_OK)
        stick_vibration_destroy(ctx, &found);
    close_pair(ctx, &pair);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    int nx[] = {8, 50};
    (void)state;
    assert_survives_failing_memory(find_some, &nx[0]);
    assert_survives_failing_memory(find_some, &nx[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(values_of_membranes_are_the_exact_ones),
        test_with_context(a_bound_takes_all_below_it),
        test_with_context(known_motions_are_left_out),
        test_with_context(too_many_are_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("linalg.vibration", tests, NULL, NULL);
}
