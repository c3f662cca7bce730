// SPDX-License-Identifier: Apache-2.0
#include "check.h"

#include "linalg/factor.h"

enum { N = 50 };

// Second differences with Dirichlet ends: positive definite, solution known for a quadratic.
static StickStatus second_differences(StickContext *ctx, double diagonal, StickSparse *A)
{
    StickTriplets T = {.rows = N, .cols = N};
    for (int i = 0; i < N; i++) {
        STICK_TRY(stick_triplets_add(ctx, &T, i, i, diagonal));
        if (i > 0) {
            STICK_TRY(stick_triplets_add(ctx, &T, i, i - 1, -1));
            STICK_TRY(stick_triplets_add(ctx, &T, i - 1, i, -1));
        }
    }
    StickStatus status = stick_sparse_from_triplets(ctx, &T, A);
    stick_triplets_destroy(ctx, &T);
    return status;
}

static void solve_inverts_the_matrix(void **state)
{
    StickContext *ctx = *state;
    StickSparse A;
    StickFactor *factor;
    double x[2 * N], b[2 * N] = {0};
    assert_ok(ctx, second_differences(ctx, 2, &A));
    assert_ok(ctx, stick_factor_create(ctx, &A, &factor));
    assert_ok(ctx, stick_factor_refactor(factor, &A));
    for (int i = 0; i < 2 * N; i++)
        x[i] = sin(1.0 + i);
    stick_sparse_multiply(&A, 1, x, b);
    stick_sparse_multiply_transposed(&A, 1, x + N, b + N);
    assert_ok(ctx, stick_factor_solve(factor, b, 2, b));
    for (int i = 0; i < 2 * N; i++)
        assert_near(b[i], x[i], 1e-12);
    stick_factor_destroy(factor);
    stick_sparse_destroy(ctx, &A);
}

static void indefinite_matrix_is_refused(void **state)
{
    StickContext *ctx = *state;
    StickSparse A;
    StickFactor *factor;
    static const double diagonals[] = {1, 0.7,
                                       -2}; // a zero pivot, a negative one after positive ones, all negative
    for (int k = 0; k < 3; k++) {
        assert_ok(ctx, second_differences(ctx, diagonals[k], &A));
        assert_ok(ctx, stick_factor_create(ctx, &A, &factor));
        assert_int_equal(stick_factor_refactor(factor, &A), STICK_NOT_SOLVED);
        assert_non_null(strstr(stick_last_error(ctx), "not positive definite"));
        stick_factor_destroy(factor);
        stick_sparse_destroy(ctx, &A);
    }
}

// A grid of cells with many couplings, whose factors come in blocks.
static StickStatus grid(StickContext *ctx, int side, StickSparse *A)
{
    StickTriplets T = {.rows = 2 * side * side, .cols = 2 * side * side};
    for (int i = 0; i < T.rows; i++) {
        for (int dx = -1; dx <= 1; dx++) {
            for (int dy = -1; dy <= 1; dy++) {
                int x = i / 2 % side + dx, y = i / 2 / side + dy;
                if (x < 0 || y < 0 || x >= side || y >= side)
                    continue;
                for (int k = 0; k < 2; k++) {
                    int j = 2 * (y * side + x) + k;
                    STICK_TRY(stick_triplets_add(ctx, &T, i, j, i == j ? 20 : -1 - 0.1 * cos(i + j)));
                }
            }
        }
    }
    StickStatus status = stick_sparse_from_triplets(ctx, &T, A);
    stick_triplets_destroy(ctx, &T);
    return status;
}

static void compliance_is_that_of_solves(void **state)
{
    enum { SIDE = 60, ORDER = 2 * SIDE * SIDE, K = 9 };
    static const int place[K] = {0, 1, 5, 119, 120, 3600, 3641, 7000, 7199};
    StickContext *ctx = *state;
    StickSparse A;
    StickFactor *factor;
    double S[K * K], *x = calloc(ORDER, sizeof *x);
    bool found;
    assert_ok(ctx, grid(ctx, SIDE, &A));
    assert_ok(ctx, stick_factor_create(ctx, &A, &factor));
    for (int round = 0; round < 2; round++) { // with the values of now
        assert_ok(ctx, stick_factor_refactor(factor, &A));
        assert_ok(ctx, stick_factor_compliance(factor, place, K, S, &found));
        assert_true(found);
        for (int c = 0; c < K; c++) {
            memset(x, 0, ORDER * sizeof *x);
            x[place[c]] = 1;
            assert_ok(ctx, stick_factor_solve(factor, x, 1, x));
            for (int r = 0; r < K; r++)
                assert_near(S[c * K + r], x[place[r]], 1e-14);
        }
        for (int e = 0; e < A.start[A.cols]; e++)
            A.value[e] *= 2;
    }
    free(x);
    stick_factor_destroy(factor);
    stick_sparse_destroy(ctx, &A);
}

// One right side goes its own way through L: with one entry, some and all of them it leads where several go together.
static void one_right_side_is_solved_as_several(void **state)
{
    static const int sides[] = {3, 60}, strides[] = {100000, 3001, 977, 1};
    StickContext *ctx = *state;
    for (int k = 0; k < 8; k++) {
        int side = sides[k / 4], order = 2 * side * side;
        StickSparse A;
        StickFactor *factor;
        double *B = calloc(2 * (size_t)order, sizeof *B), *X = calloc(2 * (size_t)order, sizeof *X);
        assert_ok(ctx, grid(ctx, side, &A));
        assert_ok(ctx, stick_factor_create(ctx, &A, &factor));
        assert_ok(ctx, stick_factor_refactor(factor, &A));
        for (int i = strides[k % 4] > 1 ? 7 : 0; i < order; i += strides[k % 4])
            B[i] = B[order + i] = cos(i);
        assert_ok(ctx, stick_factor_solve(factor, B, 2, X));
        assert_ok(ctx, stick_factor_solve(factor, B, 1, B));
        for (int i = 0; i < order; i++)
            assert_near(B[i], X[i], 1e-14);
        free(B);
        free(X);
        stick_factor_destroy(factor);
        stick_sparse_destroy(ctx, &A);
    }
}

// Forward half with b, values of the solution without c, then the solution with b and c; a full solve in between does
// not interfere.
static void halves_make_a_whole(void **state)
{
    enum { SIDE = 60, ORDER = 2 * SIDE * SIDE, K = 5 };
    static const int place[K] = {7199, 0, 3641, 5, 0};
    StickContext *ctx = *state;
    StickSparse A;
    StickFactor *factor;
    double *b = calloc(ORDER, sizeof *b), *c = calloc(ORDER, sizeof *c), *x = calloc(ORDER, sizeof *x), at[K];
    assert_ok(ctx, grid(ctx, SIDE, &A));
    assert_ok(ctx, stick_factor_create(ctx, &A, &factor));
    assert_ok(ctx, stick_factor_refactor(factor, &A));
    assert_true(stick_factor_has_blocks(factor));
    for (int i = 0; i < ORDER; i++) {
        b[i] = sin(i);
        c[i] = i % 701 == 0 ? cos(i) : 0;
    }
    assert_ok(ctx, stick_factor_begin(factor, b));
    assert_ok(ctx, stick_factor_peek(factor, place, K, at));
    assert_ok(ctx, stick_factor_solve(factor, b, 1, x));
    for (int k = 0; k < K; k++)
        assert_true(at[k] == x[place[k]]);
    assert_ok(ctx, stick_factor_end(factor, c, c));
    for (int i = 0; i < ORDER; i++)
        b[i] = sin(i) + (i % 701 == 0 ? cos(i) : 0);
    assert_ok(ctx, stick_factor_solve(factor, b, 1, x));
    for (int i = 0; i < ORDER; i++)
        assert_near(c[i], x[i], 1e-14);
    free(b);
    free(c);
    free(x);
    stick_factor_destroy(factor);
    stick_sparse_destroy(ctx, &A);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(solve_inverts_the_matrix),
        test_with_context(indefinite_matrix_is_refused),
        test_with_context(compliance_is_that_of_solves),
        test_with_context(one_right_side_is_solved_as_several),
        test_with_context(halves_make_a_whole),
    };
    return cmocka_run_group_tests_name("linalg.factor", tests, NULL, NULL);
}
