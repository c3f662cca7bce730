// SPDX-License-Identifier: Apache-2.0
#include "check.h"

#include "base/random.h"
#include "linalg/block_determinant.h"

enum { MOST = 8, MOST_D = 3, ORDER = MOST * MOST_D };

typedef struct Matrix {
    int n, d;
    int start[MOST + 1], col[MOST * MOST];
    double value[MOST * MOST * MOST_D * MOST_D];
    double dense[ORDER * ORDER];
} Matrix;

static void make_matrix(StickRandom *random, int n, int d, Matrix *matrix)
{
    memset(matrix, 0, sizeof *matrix);
    matrix->n = n;
    matrix->d = d;
    int count = 0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            if (i != j && stick_random_uniform(random, 0, 1) > 0.4)
                continue;
            for (int e = 0; e < d * d; e++) {
                double entry = stick_random_uniform(random, -1, 1);
                matrix->value[count * d * d + e] = entry;
                matrix->dense[(i * d + e / d) * n * d + j * d + e % d] = entry;
            }
            matrix->col[count++] = j;
        }
        matrix->start[i + 1] = count;
    }
}

// By Gauss elimination of the dense matrix with exchange of rows.
static int dense_sign(int n, double *A)
{
    int sign = 1;
    for (int k = 0; k < n; k++) {
        int p = k;
        for (int i = k; i < n; i++)
            p = fabs(A[i * n + k]) > fabs(A[p * n + k]) ? i : p;
        for (int j = 0; j < n && p != k; j++) {
            double held = A[k * n + j];
            A[k * n + j] = A[p * n + j];
            A[p * n + j] = held;
        }
        sign = p != k ? -sign : sign;
        sign = A[k * n + k] < 0 ? -sign : sign;
        for (int i = k + 1; i < n; i++) {
            double factor = A[i * n + k] / A[k * n + k];
            for (int j = k; j < n; j++)
                A[i * n + j] -= factor * A[k * n + j];
        }
    }
    return sign;
}

static void test_sign_is_that_of_the_dense_matrix(void **state)
{
    StickRandom random = stick_random_seed(3);
    StickBlockDeterminant *determinant;
    int negative = 0;
    assert_ok(*state, stick_block_determinant_create(*state, &determinant));
    for (int trial = 0; trial < 600; trial++) {
        Matrix matrix;
        make_matrix(&random, 1 + trial % MOST, 1 + trial % MOST_D, &matrix);
        assert_ok(*state,
                  stick_block_determinant_analyse(determinant, matrix.n, matrix.start, matrix.col, matrix.d));
        int expected = dense_sign(matrix.n * matrix.d, matrix.dense);
        assert_int_equal(stick_block_determinant_sign(determinant, matrix.value, 0), expected);
        negative += expected < 0;
    }
    assert_in_range(negative, 200, 400);
    stick_block_determinant_destroy(determinant);
}

// diag(2, -1): a shift of 1/2 leaves one negative eigenvalue, one of 2 none.
static void test_shift_moves_the_eigenvalues(void **state)
{
    int start[] = {0, 1}, col[] = {0};
    double value[] = {2, 0, 0, -1};
    StickBlockDeterminant *determinant;
    assert_ok(*state, stick_block_determinant_create(*state, &determinant));
    assert_ok(*state, stick_block_determinant_analyse(determinant, 1, start, col, 2));
    assert_int_equal(stick_block_determinant_sign(determinant, value, 0.5), -1);
    assert_int_equal(stick_block_determinant_sign(determinant, value, 2), 1);
    assert_int_equal(stick_block_determinant_sign(determinant, value, 1), 0);
    stick_block_determinant_destroy(determinant);
}

static StickStatus analyse_and_forget(StickContext *ctx, void *data)
{
    const Matrix *matrix = data;
    StickBlockDeterminant *determinant;
    STICK_TRY(stick_block_determinant_create(ctx, &determinant));
    StickStatus status =
        stick_block_determinant_analyse(determinant, matrix->n, matrix->start, matrix->col, matrix->d);
    stick_block_determinant_destroy(determinant);
    return status;
}

static void test_survives_failing_memory(void **state)
{
    (void)state;
    StickRandom random = stick_random_seed(5);
    Matrix matrix;
    make_matrix(&random, MOST, 3, &matrix);
    assert_survives_failing_memory(analyse_and_forget, &matrix);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(test_sign_is_that_of_the_dense_matrix),
        test_with_context(test_shift_moves_the_eigenvalues),
        cmocka_unit_test(test_survives_failing_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
