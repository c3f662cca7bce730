// SPDX-License-Identifier: Apache-2.0
// Inverses of the masses of rigid bodies: with all degrees of freedom free, and with some held.
#include "condense/rigid_inverse.h"

#include "check.h"

// Mass 2, an inertia with all its products.
static const double J[9] = {5, 1, -0.5, 1, 7, 0.25, -0.5, 0.25, 9};

static void fill_mass(double M[36])
{
    for (int k = 0; k < 36; k++)
        M[k] = 0;
    for (int i = 0; i < 3; i++) {
        M[7 * i] = 2;
        for (int j = 0; j < 3; j++)
            M[6 * (3 + i) + 3 + j] = J[3 * i + j];
    }
}

// inverse m M = 1 on the free degrees of freedom.
static void check_inverse(const double M[36], double m, const int free[6], int n)
{
    double inverse[36] = {0};
    stick_rigid_inverse(6, M, m, free, n, inverse);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            assert_true(inverse[i * n + j] == inverse[j * n + i]);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 6; j++) {
            double sum = 0;
            for (int k = 0; k < 6; k++)
                if (free[k] >= 0 && free[j] >= 0)
                    sum += inverse[i * n + free[k]] * m * M[6 * k + j];
            assert_near(sum, free[j] == i ? 1 : 0, 1e-15);
        }
}

static void a_free_body_is_inverted_by_its_blocks(void **state)
{
    (void)state;
    double M[36];
    fill_mass(M);
    check_inverse(M, 0.5, (const int[6]){0, 1, 2, 3, 4, 5}, 6);
}

static void held_degrees_of_freedom_are_left_out(void **state)
{
    (void)state;
    double M[36];
    fill_mass(M);
    check_inverse(M, 3, (const int[6]){0, -1, 1, -1, 2, 3}, 4);
    check_inverse(M, 3, (const int[6]){-1, -1, -1, 0, -1, -1}, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_free_body_is_inverted_by_its_blocks),
        cmocka_unit_test(held_degrees_of_freedom_are_left_out),
    };
    return cmocka_run_group_tests_name("condense.rigid_inverse", tests, NULL, NULL);
}
