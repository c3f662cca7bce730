// SPDX-License-Identifier: Apache-2.0
// Kernels on trapezoids, for all widths near the width of their strips, compared with plain loops. (The other kernels
// are tested in test_block_lu.c.)
#include "check.h"

#include "linalg/dense_kernels.h"

enum { MOST_COLS = 13, MOST_BELOW = 9, MOST_LEAD = MOST_COLS + MOST_BELOW + 1 };

// Entries above the diagonal and between columns are not used.
static StickDense trapezoid(int cols, int below, int padding, double *value)
{
    StickDense L = {cols + below, cols, value, cols + below + padding};
    for (int j = 0; j < cols; j++)
        for (int i = 0; i < L.lead; i++)
            value[j * L.lead + i] = i < j || i >= L.rows ? NAN
                                    : i == j             ? 2 + 0.1 * j
                                                         : sin(1 + 7 * i + 3 * j);
    return L;
}

static void eliminate_plainly(StickDense L, double *w)
{
    for (int j = 0; j < L.cols; j++) {
        w[j] /= L.value[j * L.lead + j];
        for (int i = j + 1; i < L.rows; i++)
            w[i] -= L.value[j * L.lead + i] * w[j];
    }
}

static void substitute_plainly(StickDense L, double *w)
{
    for (int j = L.cols - 1; j >= 0; j--) {
        for (int i = j + 1; i < L.rows; i++)
            w[j] -= L.value[j * L.lead + i] * w[i];
        w[j] /= L.value[j * L.lead + j];
    }
}

static void assert_alike(StickDense L, void (*kernel)(StickDense, double *),
                         void (*plain)(StickDense, double *))
{
    double w[MOST_LEAD], x[MOST_LEAD], size = 1;
    for (int i = 0; i < L.rows; i++)
        w[i] = x[i] = cos(i);
    kernel(L, w);
    plain(L, x);
    for (int i = 0; i < L.rows; i++)
        size = fmax(size, fabs(x[i]));
    for (int i = 0; i < L.rows; i++)
        assert_near(w[i], x[i], 1e-14 * size);
}

static void trapezoids_of_all_widths(void **state)
{
    double value[MOST_COLS * MOST_LEAD];
    (void)state;
    for (int cols = 1; cols <= MOST_COLS; cols++)
        for (int below = 0; below <= MOST_BELOW; below++)
            for (int padding = 0; padding <= 1; padding++) {
                StickDense L = trapezoid(cols, below, padding, value);
                assert_alike(L, stick_kernel_eliminate, eliminate_plainly);
                assert_alike(L, stick_kernel_substitute, substitute_plainly);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(trapezoids_of_all_widths)};
    return cmocka_run_group_tests_name("linalg.dense_kernels", tests, NULL, NULL);
}
