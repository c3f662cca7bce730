// SPDX-License-Identifier: Apache-2.0
// Torque-free rotation: closed forms of symmetric and asymmetric tops, momentum and energy over many steps.
#include "bodies/free_rotation.h"
#include "brief.h"

#include "base/pi.h"
#include "base/quaternion.h"
#include "check.h"

#include <string.h>

// Principal moments along axes that are turned in the body, which itself is turned at the start.
static StickRigid top_of(const double J[3], const double axes[3])
{
    const double start[3] = {0.4, -0.2, 0.9}, diagonal[9] = {J[0], 0, 0, 0, J[1], 0, 0, 0, J[2]};
    StickRigid rigid = {.dim = 3, .mass = 1};
    double turn[4];
    stick_quaternion_exp(start, rigid.turn);
    stick_quaternion_exp(axes, turn);
    stick_quaternion_tensor(turn, diagonal, rigid.J0);
    rigid.J0[3] = rigid.J0[1], rigid.J0[6] = rigid.J0[2], rigid.J0[7] = rigid.J0[5];
    return rigid;
}

static const double aligned[3] = {0, 0, 0}, skew[3] = {0.3, -0.7, 0.5};

// L of the angular velocity w, given along the principal axes.
static void momentum_of(const StickRigid *rigid, const double axes[3], const double phi[3], const double J[3],
                        const double w[3], double L[3])
{
    double turn[4], principal[4];
    for (int k = 0; k < 3; k++)
        L[k] = J[k] * w[k];
    stick_quaternion_exp(axes, principal);
    stick_quaternion_rotate(principal, L, L);
    stick_quaternion_rotate(rigid->turn, L, L);
    stick_quaternion_exp(phi, turn);
    stick_quaternion_rotate(turn, L, L);
}

static double energy_of(const StickRigid *rigid, const double phi[3], const double L[3])
{
    double q[STICK_RIGID_DOFS] = {0, 0, 0, phi[0], phi[1], phi[2]}, w[3];
    stick_rigid_spin(rigid, q, L, (const bool[3]){false, false, false}, w);
    return 0.5 * stick_vec_dot(L, w);
}

// R(t) = exp(t L/J1) R(0) exp(t w3 (1 - J3/J1) e3): spheres, discs, needles, and bodies that are nearly spheres.
static void symmetric_tops_follow_their_closed_form(void **state)
{
    (void)state;
    const double ratio[] = {1, 2, 1.999, 1 + 1e-9, 0.5, 1e-2, 1e-6};
    for (size_t k = 0; k < sizeof ratio / sizeof *ratio; k++)
        for (double t = 1e-3; t < 200; t *= 7) {
            const double J[3] = {0.7, 0.7, 0.7 * ratio[k]}, w[3] = {0.6, -0.3, 1.7},
                         phi[3] = {0.1, 0.2, -0.4};
            StickRigid rigid = top_of(J, aligned);
            double L[3], by[3], turn[4], expected[4], found[4], end[3];
            momentum_of(&rigid, aligned, phi, J, w, L);
            stick_free_rotation(&rigid, phi, L, t, end);
            for (int i = 0; i < 3; i++)
                by[i] = t * L[i] / J[0];
            stick_quaternion_exp(phi, turn);
            stick_quaternion_product(turn, rigid.turn, turn);
            stick_quaternion_exp(by, expected);
            stick_quaternion_product(expected, turn, expected);
            stick_quaternion_exp((const double[3]){0, 0, t * w[2] * (1 - ratio[k])}, turn);
            stick_quaternion_product(expected, turn, expected);
            stick_quaternion_exp(end, found);
            stick_quaternion_product(found, rigid.turn, found);
            double same = 0;
            for (int i = 0; i < 4; i++)
                same += found[i] * expected[i];
            // the spin of needles is known as well as their momentum along the needle is
            double close = 1e-14 * fmax(1, t) * fmax(1, 1e-2 / ratio[k]);
            for (int i = 0; i < 4; i++)
                assert_near(found[i], same < 0 ? -expected[i] : expected[i], close);
        }
}

// Complete elliptic integral of the first kind by the arithmetic-geometric mean.
static double elliptic_K(double k)
{
    double a = 1, b = sqrt(1 - k * k);
    for (int n = 0; n < 12; n++) {
        double mean = (a + b) / 2;
        b = sqrt(a * b);
        a = mean;
    }
    return STICK_PI / (2 * a);
}

// J1 < J2 < J3, spin near the middle axis: after half of the period T = 4 K(k)/lambda the middle and the first or third
// component have changed their signs, after T the momentum in the body is that of the start (Landau, Lifshitz,
// Mechanics, 37).
static void asymmetric_tops_flip_by_elliptic_integrals(void **state)
{
    (void)state;
    const double shapes[][3] = {
        {1, 2, 2.8}, {0.05, 0.1, 0.13}, {1, 1.001, 1.9}, {0.01, 1, 1.009}, {1, 1.5, 2.5}};
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        const double *J = shapes[s], w[3] = {1e-3, 2, 0.02}, phi[3] = {0.1, 0.2, -0.4};
        StickRigid rigid = top_of(J, skew);
        double L[3], end[3], m[2][3], turn[4], energy = 0, square = 0;
        for (int k = 0; k < 3; k++) {
            energy += 0.5 * J[k] * w[k] * w[k];
            square += J[k] * J[k] * w[k] * w[k];
        }
        // for L^2 > 2 E J2; otherwise the first and the third axis change their roles
        double J1 = J[0], J3 = J[2];
        if (square < 2 * energy * J[1])
            J1 = J[2], J3 = J[0];
        double lambda = sqrt((J3 - J[1]) * (square - 2 * energy * J1) / (J1 * J[1] * J3));
        double k =
            sqrt((J[1] - J1) * (2 * energy * J3 - square) / ((J3 - J[1]) * (square - 2 * energy * J1)));
        double period = 4 * elliptic_K(k) / lambda;
        momentum_of(&rigid, skew, phi, J, w, L);
        memcpy(end, phi, sizeof end);
        double initial = energy_of(&rigid, phi, L);
        for (int half = 0; half < 2; half++) {
            for (int n = 0; n < 40; n++)
                stick_free_rotation(&rigid, end, L, period / 80, end);
            double back[4], principal[4];
            stick_quaternion_exp(end, turn);
            stick_quaternion_product(turn, rigid.turn, turn);
            stick_quaternion_exp(skew, principal);
            stick_quaternion_product(turn, principal, turn);
            stick_quaternion_inverse(turn, back);
            stick_quaternion_rotate(back, L, m[half]);
        }
        // Near the separatrix rounding grows by exp(lambda t) up to the flip.
        double size = sqrt(square), close = 1e-9 * size;
        print_message("J = %g %g %g: period %.6g, m/L after it %.3e %.3e %.3e off\n", J[0], J[1], J[2],
                      period, (m[1][0] - J[0] * w[0]) / size, (m[1][1] - J[1] * w[1]) / size,
                      (m[1][2] - J[2] * w[2]) / size);
        assert_near(m[0][1], -J[1] * w[1], close);
        for (int i = 0; i < 3; i++)
            assert_near(m[1][i], J[i] * w[i], close);
        assert_near(energy_of(&rigid, end, L), initial, 1e-13 * initial);
    }
}

// 1e5 rotations by 0.3 rad of each kind of body: the momentum is an input, the energy stays.
static void energy_stays_over_many_steps(void **state)
{
    (void)state;
    const double shapes[][3] = {{0.05, 0.1, 0.13}, {1, 1 + 1e-7, 1.5}, {1, 1, 2},
                                {1e-3, 1, 1.0009}, {0.4, 0.6, 1},      {1e-5, 1, 1}};
    const double spins[][3] = {{1e-3, 1, 1e-3}, {0.5, 0.6, 0.7}};
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        for (int spin = 0; spin < 2; spin++) {
            StickRigid rigid = top_of(shapes[s], skew);
            double phi[3] = {0}, L[3], worst = 0;
            momentum_of(&rigid, skew, phi, shapes[s], spins[spin], L);
            double t = 0.3 / stick_vec_norm(spins[spin]), energy = energy_of(&rigid, phi, L);
            for (int n = 0; n < test_size(100000, 2000); n++) {
                stick_free_rotation(&rigid, phi, L, t, phi);
                if (n % 100 == 0)
                    worst = fmax(worst, fabs(energy_of(&rigid, phi, L) / energy - 1));
            }
            print_message("J = %g %g %g: energy within %.1e\n", shapes[s][0], shapes[s][1], shapes[s][2],
                          worst);
            assert_below(worst, 1e-12 * fmax(1, 0.1 / shapes[s][0]));
        }
}

// Larger steps are divided: the result is that of many small ones.
static void large_rotations_are_as_exact_as_small_ones(void **state)
{
    (void)state;
    const double J[3] = {0.05, 0.1, 0.13}, w[3] = {0.3, 1, 0.2}, phi[3] = {0.1, 0.2, -0.4};
    StickRigid rigid = top_of(J, skew);
    double L[3], once[3], often[3];
    momentum_of(&rigid, skew, phi, J, w, L);
    stick_free_rotation(&rigid, phi, L, 100, once);
    memcpy(often, phi, sizeof often);
    for (int n = 0; n < 3000; n++)
        stick_free_rotation(&rigid, often, L, 100. / 3000, often);
    for (int k = 0; k < 3; k++)
        assert_near(once[k], often[k], 1e-11);
    // at rest every bit stays
    stick_free_rotation(&rigid, phi, (const double[3]){0}, 1, once);
    assert_memory_equal(once, phi, sizeof once);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(symmetric_tops_follow_their_closed_form),
        cmocka_unit_test(asymmetric_tops_flip_by_elliptic_integrals),
        cmocka_unit_test(energy_stays_over_many_steps),
        cmocka_unit_test(large_rotations_are_as_exact_as_small_ones),
    };
    return cmocka_run_group_tests_name("free_rotation", tests, NULL, NULL);
}
