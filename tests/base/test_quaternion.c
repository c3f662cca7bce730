// SPDX-License-Identifier: Apache-2.0
#include "base/quaternion.h"
#include "base/random.h"
#include "check.h"

static const double pi = 3.14159265358979323846;

static void random_turn(StickRandom *random, double turn[4])
{
    for (int k = 0; k < 4; k++)
        turn[k] = stick_random_uniform(random, -1, 1);
    assert_true(stick_quaternion_normalise(turn) > 0);
}

static void random_vector(StickRandom *random, double size, double x[3])
{
    for (int k = 0; k < 3; k++)
        x[k] = stick_random_uniform(random, -size, size);
}

static void assert_same(const double *a, const double *b, int count, double tolerance)
{
    for (int k = 0; k < count; k++)
        assert_near(a[k], b[k], tolerance);
}

static void test_quarter_about_z_takes_x_to_y(void **state)
{
    (void)state;
    double turn[4], y[3];
    stick_quaternion_about((double[]){0, 0, 7}, pi / 2, turn);
    stick_quaternion_rotate(turn, (double[]){1, 2, 3}, y);
    assert_same(y, (double[]){-2, 1, 3}, 3, 1e-15);
}

static void test_product_turns_by_the_right_one_first(void **state)
{
    (void)state;
    StickRandom random = stick_random_seed(1);
    for (int k = 0; k < 50; k++) {
        double a[4], b[4], ab[4], x[3], bx[3], abx[3], whole[3];
        random_turn(&random, a);
        random_turn(&random, b);
        random_vector(&random, 1, x);
        stick_quaternion_product(a, b, ab);
        stick_quaternion_rotate(b, x, bx);
        stick_quaternion_rotate(a, bx, abx);
        stick_quaternion_rotate(ab, x, whole);
        assert_same(abx, whole, 3, 4e-15);
        // in place
        stick_quaternion_product(a, b, b);
        assert_same(b, ab, 4, 0);
    }
}

static void test_matrix_and_axes(void **state)
{
    (void)state;
    StickRandom random = stick_random_seed(2);
    for (int k = 0; k < 50; k++) {
        double turn[4], R[9], axis[3][3], x[3], y[3];
        random_turn(&random, turn);
        // near the half turns, where w is tiny
        turn[0] *= k % 2 ? 1e-9 : 1;
        stick_quaternion_normalise(turn);
        stick_quaternion_matrix(turn, R);
        stick_quaternion_axes(turn, axis);
        random_vector(&random, 1, x);
        stick_quaternion_rotate(turn, x, y);
        for (int i = 0; i < 3; i++) {
            assert_near(y[i], stick_vec_dot(&R[3 * i], x), 4e-15);
            assert_near(y[i], x[0] * axis[0][i] + x[1] * axis[1][i] + x[2] * axis[2][i], 4e-15);
        }
    }
}

static void test_exponential_is_exact_for_tiny_angles(void **state)
{
    (void)state;
    for (double angle = 1e-300; angle < 3; angle *= 7) {
        double phi[3] = {angle * 2 / 3, angle / 3, -angle * 2 / 3}, turn[4], back[3];
        stick_quaternion_exp(phi, turn);
        // sin(angle/2) by the library, relative
        double sine = stick_vec_norm((double[]){turn[1] / angle, turn[2] / angle, turn[3] / angle});
        assert_near(sine, sin(angle / 2) / angle, 4e-16);
        if (angle < 1e-150)
            continue;
        stick_quaternion_log(turn, back);
        for (int k = 0; k < 3; k++)
            assert_near(back[k] / angle, phi[k] / angle, 2e-15);
    }
}

static void test_exponential_of_nothing_and_of_many_rounds(void **state)
{
    (void)state;
    double turn[4], phi[3];
    stick_quaternion_exp((double[]){0, 0, 0}, turn);
    assert_same(turn, (double[]){1, 0, 0, 0}, 4, 0);
    stick_quaternion_log(turn, phi);
    assert_same(phi, (double[]){0, 0, 0}, 3, 0);
    // the shorter way round
    stick_quaternion_exp((double[]){0, 3 * pi / 2, 0}, turn);
    stick_quaternion_log(turn, phi);
    assert_same(phi, (double[]){0, -pi / 2, 0}, 3, 4e-15);
}

// Small steps about one axis add up to the angle.
static void test_steps_add_up(void **state)
{
    (void)state;
    double turn[4], step[4], phi[3];
    const double omega[3] = {0.3, -0.2, 0.6};
    stick_quaternion_identity(turn);
    for (int k = 0; k < 10000; k++) {
        double part[3] = {omega[0] * 1e-4, omega[1] * 1e-4, omega[2] * 1e-4};
        stick_quaternion_exp(part, step);
        stick_quaternion_product(step, turn, turn);
        stick_quaternion_normalise(turn);
    }
    stick_quaternion_log(turn, phi);
    assert_same(phi, omega, 3, 1e-12);
}

static void test_tensor_turns_with_the_body(void **state)
{
    (void)state;
    const double J0[9] = {1, 0.1, 0.2, 0.1, 2, 0.3, 0.2, 0.3, 3};
    StickRandom random = stick_random_seed(3);
    double turn[4], J[9], x[3], y[3], Jx[3], Jy[3];
    random_turn(&random, turn);
    stick_quaternion_tensor(turn, J0, J);
    random_vector(&random, 1, x);
    stick_quaternion_rotate(turn, x, y);
    for (int i = 0; i < 3; i++) {
        Jx[i] = stick_vec_dot(&J0[3 * i], x);
        Jy[i] = stick_vec_dot(&J[3 * i], y);
    }
    stick_quaternion_rotate(turn, Jx, Jx);
    assert_same(Jx, Jy, 3, 1e-14);
    stick_quaternion_inverse(turn, turn);
    stick_quaternion_tensor(turn, J, J);
    assert_same(J, J0, 9, 1e-14);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_quarter_about_z_takes_x_to_y),
        cmocka_unit_test(test_product_turns_by_the_right_one_first),
        cmocka_unit_test(test_matrix_and_axes),
        cmocka_unit_test(test_exponential_is_exact_for_tiny_angles),
        cmocka_unit_test(test_exponential_of_nothing_and_of_many_rounds),
        cmocka_unit_test(test_steps_add_up),
        cmocka_unit_test(test_tensor_turns_with_the_body),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
