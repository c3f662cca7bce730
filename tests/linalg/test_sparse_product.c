// SPDX-License-Identifier: Apache-2.0
#include "check.h"

#include "base/random.h"
#include "linalg/sparse_product.h"

static StickStatus scatter(StickContext *ctx, int rows, int cols, uint64_t seed, StickSparse *A)
{
    StickRandom random = stick_random_seed(seed);
    StickTriplets T = {.rows = rows, .cols = cols};
    StickStatus status = STICK_OK;
    for (int k = 0; k < 3 * rows && status == STICK_OK; k++) {
        int i = (int)(stick_random_bits(&random) % (unsigned)rows);
        int j = (int)(stick_random_bits(&random) % (unsigned)cols);
        status = stick_triplets_add(ctx, &T, i, j, stick_random_uniform(&random, -1, 1));
    }
    if (status == STICK_OK)
        status = stick_sparse_from_triplets(ctx, &T, A);
    stick_triplets_destroy(ctx, &T);
    return status;
}

static double entry(const StickSparse *A, int i, int j)
{
    int place = stick_sparse_find(A, i, j);
    return place < 0 ? 0 : A->value[place];
}

static void assert_sorted(const StickSparse *A)
{
    for (int j = 0; j < A->cols; j++)
        for (int k = A->start[j] + 1; k < A->start[j + 1]; k++)
            assert_true(A->row[k - 1] < A->row[k]);
}

static void products_are_those_of_dense_matrices(void **state)
{
    StickContext *ctx = *state;
    StickSparse Y, A, Z, AZ, B;
    assert_ok(ctx, scatter(ctx, 9, 5, 1, &Y));
    assert_ok(ctx, scatter(ctx, 9, 9, 2, &A));
    assert_ok(ctx, scatter(ctx, 9, 6, 3, &Z));
    assert_ok(ctx, stick_sparse_product(ctx, &A, &Z, &AZ));
    assert_ok(ctx, stick_sparse_project(ctx, &Y, &A, &Z, &B));
    assert_sorted(&AZ);
    assert_sorted(&B);
    assert_int_equal(B.rows, 5);
    assert_int_equal(B.cols, 6);
    for (int j = 0; j < 6; j++) {
        double column[9] = {0};
        for (int i = 0; i < 9; i++)
            for (int k = 0; k < 9; k++)
                column[i] += entry(&A, i, k) * entry(&Z, k, j);
        for (int i = 0; i < 9; i++)
            assert_near(entry(&AZ, i, j), column[i], 1e-14);
        for (int p = 0; p < 5; p++) {
            double sum = 0;
            for (int i = 0; i < 9; i++)
                sum += entry(&Y, i, p) * column[i];
            assert_near(entry(&B, p, j), sum, 1e-14);
        }
    }
    stick_sparse_destroy(ctx, &Y);
    stick_sparse_destroy(ctx, &A);
    stick_sparse_destroy(ctx, &Z);
    stick_sparse_destroy(ctx, &AZ);
    stick_sparse_destroy(ctx, &B);
}

static void sums_join_patterns(void **state)
{
    StickContext *ctx = *state;
    StickSparse A, B, C, S, I;
    assert_ok(ctx, scatter(ctx, 8, 8, 4, &A));
    assert_ok(ctx, stick_sparse_identity(ctx, 8, &I));
    assert_ok(ctx, scatter(ctx, 8, 8, 5, &B));
    assert_ok(ctx, stick_sparse_sum(ctx, 2, &A, -3, &B, &C));
    assert_ok(ctx, stick_sparse_symmetric(ctx, &A, &S));
    assert_sorted(&C);
    for (int j = 0; j < 8; j++)
        for (int i = 0; i < 8; i++) {
            assert_near(entry(&C, i, j), 2 * entry(&A, i, j) - 3 * entry(&B, i, j), 1e-15);
            assert_near(entry(&S, i, j), (entry(&A, i, j) + entry(&A, j, i)) / 2, 1e-15);
            assert_true(entry(&S, i, j) == entry(&S, j, i));
            assert_true(entry(&I, i, j) == (i == j));
        }
    stick_sparse_destroy(ctx, &A);
    stick_sparse_destroy(ctx, &B);
    stick_sparse_destroy(ctx, &C);
    stick_sparse_destroy(ctx, &S);
    stick_sparse_destroy(ctx, &I);
}

static StickStatus project(StickContext *ctx, void *data)
{
    (void)data;
    StickSparse A = {0}, B = {0}, S = {0};
    StickStatus status = scatter(ctx, 6, 6, 6, &A);
    if (status == STICK_OK)
        status = stick_sparse_project(ctx, &A, &A, &A, &B);
    if (status == STICK_OK)
        status = stick_sparse_symmetric(ctx, &B, &S);
    stick_sparse_destroy(ctx, &A);
    stick_sparse_destroy(ctx, &B);
    stick_sparse_destroy(ctx, &S);
    return status;
}

static void every_allocation_fails_once(void **state)
{
    (void)state;
    assert_survives_failing_memory(project, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(products_are_those_of_dense_matrices),
        test_with_context(sums_join_patterns),
        cmocka_unit_test(every_allocation_fails_once),
    };
    return cmocka_run_group_tests_name("sparse_product", tests, NULL, NULL);
}
