// SPDX-License-Identifier: Apache-2.0
#include "check.h"

#include "base/random.h"
#include "solve/lcp_matrix.h"

enum { N = 40 };

typedef struct Sample {
    double M[N * N]; // by columns
    double q[N];
    StickSparse sparse;
} Sample;

// kind 0: full; 1: busy rows and hardly anything else, as of friction; 2: a few entries everywhere
static void make_sample(StickContext *ctx, StickRandom *random, int kind, Sample *sample)
{
    StickTriplets triplets = {.rows = N, .cols = N};
    memset(sample, 0, sizeof *sample);
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) {
            double chance = kind == 0 ? 1 : kind == 1 && i % 3 < 2 && j % 3 < 2 ? 0.9 : 0.04;
            if (stick_random_uniform(random, 0, 1) < chance) {
                sample->M[j * N + i] = stick_random_uniform(random, -1, 1);
                assert_ok(ctx, stick_triplets_add(ctx, &triplets, i, j, sample->M[j * N + i]));
            }
        }
    assert_ok(ctx, stick_sparse_from_triplets(ctx, &triplets, &sample->sparse));
    stick_triplets_destroy(ctx, &triplets);
}

static double scaled(const StickLcpMatrix *M, const Sample *sample, int i, int j)
{
    return M->R[i] * sample->M[j * N + i] * M->C[j];
}

static void assert_is(const StickLcpMatrix *M, const Sample *sample, StickRandom *random)
{
    double x[N], y[N] = {0}, picked[N] = {0}, largest[N];
    int place[N];
    for (int j = 0; j < N; j++) {
        x[j] = j % 4 == 0 ? 0 : stick_random_uniform(random, -1, 1);
        place[j] = j % 2 == 0 ? N - 1 - j : -1;
    }
    stick_lcp_matrix_multiply(M, x, y);
    stick_lcp_matrix_row_maxima(M, largest);
    stick_lcp_matrix_pick_column(M, 7, place, picked);
    for (int i = 0; i < N; i++) {
        double row = 0, column = 0, most = 0;
        for (int j = 0; j < N; j++) {
            assert_true(stick_lcp_matrix_entry(M, i, j) == scaled(M, sample, i, j));
            row += scaled(M, sample, i, j) * x[j];
            column += scaled(M, sample, j, i) * x[j];
            most = fmax(most, scaled(M, sample, i, j));
        }
        assert_near(y[i], row, 1e-14 * N);
        assert_near(stick_lcp_matrix_dot_column(M, i, x), column, 1e-14 * N);
        assert_true(largest[i] == most);
        if (place[i] >= 0)
            assert_true(picked[place[i]] == scaled(M, sample, i, 7));
    }
}

static void both_parts_are_the_given_matrix(void **state)
{
    static Sample sample;
    StickContext *ctx = *state;
    StickRandom random = stick_random_seed(1);
    for (int kind = 0; kind < 3; kind++) {
        StickLcpMatrix M = {0}, same = {0};
        make_sample(ctx, &random, kind, &sample);
        assert_ok(ctx, stick_lcp_matrix_reserve(ctx, &M, N));
        stick_lcp_matrix_load(&M, &(StickLcp){N, sample.M, sample.q});
        assert_ok(ctx, stick_lcp_matrix_reserve_sparse(ctx, &same, N, (size_t)sample.sparse.start[N]));
        stick_lcp_matrix_load_sparse(&same, &sample.sparse);
        assert_is(&M, &sample, &random);
        assert_is(&same, &sample, &random);
        // full columns are stored as vectors, the others by entries
        assert_int_equal(M.nbusy == N, kind == 0);
        assert_int_equal(M.nbusy > 0, kind < 2);
        assert_int_equal(M.start[N] == 0, kind == 0);
        stick_lcp_matrix_free(ctx, &M);
        stick_lcp_matrix_free(ctx, &same);
        stick_sparse_destroy(ctx, &sample.sparse);
    }
}

// Units of rows and columns are taken out by powers of two; moderate ones of rows are left.
static void scales_are_powers_of_two(void **state)
{
    static Sample sample;
    StickContext *ctx = *state;
    StickRandom random = stick_random_seed(2);
    for (int wild = 0; wild < 2; wild++) {
        StickLcpMatrix M = {0};
        double largest = 0;
        make_sample(ctx, &random, 0, &sample);
        for (int k = 0; k < N * N && wild; k++)
            sample.M[k] *= pow(10, k % N % 7 - 3) * pow(10, k / N % 5 * 2);
        assert_ok(ctx, stick_lcp_matrix_reserve(ctx, &M, N));
        stick_lcp_matrix_load(&M, &(StickLcp){N, sample.M, sample.q});
        for (int i = 0; i < N; i++) {
            int exponent;
            assert_true(frexp(M.R[i], &exponent) == 0.5 && frexp(M.C[i], &exponent) == 0.5);
            assert_true(wild || M.R[i] == 1);
            for (int j = 0; j < N; j++)
                largest = fmax(largest, fabs(stick_lcp_matrix_entry(&M, i, j)));
        }
        assert_true(largest > 0.25 && largest < 4);
        assert_is(&M, &sample, &random);
        stick_lcp_matrix_free(ctx, &M);
        stick_sparse_destroy(ctx, &sample.sparse);
    }
}

static StickStatus reserve_both(StickContext *ctx, void *data)
{
    StickLcpMatrix M = {0};
    (void)data;
    StickStatus status = stick_lcp_matrix_reserve_sparse(ctx, &M, 4, 6);
    if (status == STICK_OK)
        status = stick_lcp_matrix_reserve(ctx, &M, 9);
    stick_lcp_matrix_free(ctx, &M);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    assert_survives_failing_memory(reserve_both, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(both_parts_are_the_given_matrix),
        test_with_context(scales_are_powers_of_two),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("solve.lcp_matrix", tests, NULL, NULL);
}
