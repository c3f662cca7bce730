// SPDX-License-Identifier: Apache-2.0
// Eigenvalues of symmetric tensors, equal ones too.
#include "fem/spectral.h"
#include "fem/states.h"

static void assert_decomposed(const double A[6])
{
    double value[3], vector[3][3],
        size = fabs(A[0]) + fabs(A[1]) + fabs(A[2]) + fabs(A[3]) + fabs(A[4]) + fabs(A[5]);
    stick_six_eigen(A, value, vector);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            assert_near(vector[i][0] * vector[j][0] + vector[i][1] * vector[j][1] +
                            vector[i][2] * vector[j][2],
                        i == j, 1e-14);
    for (int k = 0; k < 6; k++) {
        double sum = 0;
        for (int a = 0; a < 3; a++)
            sum += value[a] * vector[a][stick_six_row[k]] * vector[a][stick_six_col[k]];
        assert_near(sum, A[k], 4e-15 * size);
    }
}

static void tensors_are_the_sum_of_their_parts(void **state)
{
    (void)state;
    unsigned seed = 1;
    for (int trial = 0; trial < 100; trial++) {
        double A[6];
        for (int k = 0; k < 6; k++)
            A[k] = state_random(&seed) * (trial % 3 == 0 && k >= 3 ? 1e-9 : 1) + (trial % 2 && k < 3);
        assert_decomposed(A);
    }
}

static void equal_values_are_no_trouble(void **state)
{
    (void)state;
    double Q[3][3], A[6];
    const double values[][6] = {{1, 1, 1},         {2, 1, 1}, {2, 2, 1}, {0}, {1, 1 + 1e-15, 1 - 1e-15},
                                {1e300, 1, 1e-300}};
    for (int k = 0; k < 6; k++) {
        assert_decomposed(values[k]);
        if (k == 5)
            continue;
        state_rotation(0.7, Q);
        stick_six_push(3, (const double(*)[3])Q, values[k], 1, A);
        assert_decomposed(A);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tensors_are_the_sum_of_their_parts),
        cmocka_unit_test(equal_values_are_no_trouble),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
