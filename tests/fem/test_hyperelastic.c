// SPDX-License-Identifier: Apache-2.0
// Hyperelastic laws at a point: closed forms, frames, energy, tangents, small strains.
#include "fem/states.h"

static const StickMaterial neo_hookean = {
    .law = STICK_MATERIAL_NEO_HOOKEAN, .a1 = 0.6, .shear = 1.2, .bulk = 50};
static const StickMaterial mooney = {
    .law = STICK_MATERIAL_MOONEY_RIVLIN, .a1 = 0.7, .a2 = 0.4, .shear = 2.2, .bulk = 50};
static const StickMaterial *const laws[] = {&neo_hookean, &mooney};
enum { LAWS = 2 };

static void nothing_is_kept(void **state)
{
    (void)state;
    for (int k = 0; k < LAWS; k++)
        assert_int_equal(stick_material_history(laws[k]), 0);
    assert_true(stick_material_plastic_strain(&mooney, NULL) == 0);
}

// F = 1 + k e1 e2': tau_xy = 2 (a1 + a2) k, tau_xx - tau_yy = k tau_xy [Rivlin]
static void simple_shear(void **state)
{
    (void)state;
    for (int law = 0; law < LAWS; law++) {
        double k = 0.8, G = 2 * (laws[law]->a1 + laws[law]->a2);
        const double F[3][3] = {{1, k, 0}, {0, 1, 0}, {0, 0, 1}};
        StickMaterialPoint point = state_at(laws[law], F, 0, NULL, NULL);
        assert_near(point.tau[3], G * k, 1e-14);
        assert_near(point.tau[0] - point.tau[1], k * G * k, 1e-14);
        assert_near(point.tau[0] - point.tau[2], 2 * laws[law]->a1 * k * k, 1e-14);
        assert_near(stick_six_trace(point.tau), 0, 1e-15);
        assert_near(point.energy, (laws[law]->a1 + laws[law]->a2) * k * k, 1e-14);
        assert_true(point.loss == 0);
    }
}

// Stretch without change of volume: tau_xx - tau_yy = 2 (s^2 - 1/s)(a1 + a2/s)
static void uniaxial_stretch(void **state)
{
    (void)state;
    for (int law = 0; law < LAWS; law++) {
        for (double s = 0.4; s < 3; s += 0.5) {
            // times a change of volume, which an isochoric law does not see
            double volume = cbrt(1.3), side = volume / sqrt(s);
            const double F[3][3] = {{volume * s, 0, 0}, {0, side, 0}, {0, 0, side}};
            StickMaterialPoint point = state_at(laws[law], F, 0, NULL, NULL);
            double a1 = laws[law]->a1, a2 = laws[law]->a2;
            assert_near(point.tau[0] - point.tau[1], 2 * (s * s - 1 / s) * (a1 + a2 / s), 1e-12);
            assert_near(point.energy, a1 * (s * s + 2 / s - 3) + a2 * (2 * s + 1 / (s * s) - 3), 1e-12);
        }
    }
}

static void stress_turns_with_the_body(void **state)
{
    (void)state;
    unsigned seed = 3;
    double F[3][3], Q[3][3], QF[3][3], turned[6];
    random_deformation(&seed, 0.4, F);
    state_rotation(1.1, Q);
    stick_tensor_product((const double(*)[3])Q, (const double(*)[3])F, QF);
    for (int law = 0; law < LAWS; law++) {
        StickMaterialPoint a = state_at(laws[law], (const double(*)[3])F, 0, NULL, NULL);
        StickMaterialPoint b = state_at(laws[law], (const double(*)[3])QF, 0, NULL, NULL);
        stick_six_push(3, (const double(*)[3])Q, a.tau, 1, turned);
        for (int k = 0; k < 6; k++)
            assert_near(b.tau[k], turned[k], 1e-13);
        assert_near(a.energy, b.energy, 1e-13);
    }
}

// tau : d is the rate of the stored energy.
static void stress_is_the_slope_of_energy(void **state)
{
    (void)state;
    unsigned seed = 5;
    for (int law = 0; law < LAWS; law++) {
        for (int trial = 0; trial < 20; trial++) {
            double F[3][3], l[3][3], ahead[3][3], behind[3][3], s = 1e-5, power = 0;
            random_deformation(&seed, 0.4, F);
            random_deformation(&seed, 1, l);
            state_moved((const double(*)[3])F, (const double(*)[3])l, s, ahead);
            state_moved((const double(*)[3])F, (const double(*)[3])l, -s, behind);
            StickMaterialPoint point = state_at(laws[law], (const double(*)[3])F, 0, NULL, NULL);
            double rate = (state_at(laws[law], (const double(*)[3])ahead, 0, NULL, NULL).energy -
                           state_at(laws[law], (const double(*)[3])behind, 0, NULL, NULL).energy) /
                          (2 * s);
            for (int k = 0; k < 6; k++)
                power += point.tau[k] * (k < 3 ? l[k][k]
                                               : l[stick_six_row[k]][stick_six_col[k]] +
                                                     l[stick_six_col[k]][stick_six_row[k]]);
            assert_near(rate, power, 1e-7 * (1 + fabs(power)));
        }
    }
}

static void tangent_is_that_of_the_stress(void **state)
{
    (void)state;
    unsigned seed = 11;
    for (int law = 0; law < LAWS; law++) {
        for (int trial = 0; trial < 20; trial++) {
            double F[3][3];
            random_deformation(&seed, 0.4, F);
            assert_below(tangent_error(laws[law], (const double(*)[3])F, 0, NULL), 1e-9);
            StickMaterialPoint point = state_at(laws[law], (const double(*)[3])F, 0, NULL, NULL);
            assert_below(asymmetry((const double(*)[6])point.c), 1e-15);
        }
    }
}

// At rest c is that of linear elasticity without its volume: 2 shear (I - 1x1/3), and bulk is U'' at 1.
static void small_strains_are_linear(void **state)
{
    (void)state;
    const double F[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int law = 0; law < LAWS; law++) {
        StickMaterialPoint point = state_at(laws[law], F, 0, NULL, NULL);
        double G = laws[law]->shear;
        for (int i = 0; i < 6; i++) {
            assert_near(point.tau[i], 0, 1e-15);
            for (int j = 0; j < 6; j++)
                assert_near(point.c[i][j], i < 3 && j < 3 ? 2 * G * ((i == j) - 1.0 / 3) : G * (i == j),
                            1e-14);
        }
    }
    assert_near(stick_volume_modulus(50, 1), 50, 0);
}

static void volume_is_free_of_pressure_at_rest(void **state)
{
    (void)state;
    assert_true(stick_volume_energy(50, 1) == 0 && stick_volume_pressure(50, 1) == 0);
    for (double theta = 0.3; theta < 2; theta += 0.2) {
        double s = 1e-5;
        double U1 = stick_volume_energy(50, theta + s) - stick_volume_energy(50, theta - s);
        double U2 = stick_volume_pressure(50, theta + s) - stick_volume_pressure(50, theta - s);
        assert_near(stick_volume_pressure(50, theta), U1 / (2 * s), 1e-6);
        assert_near(stick_volume_modulus(50, theta), U2 / (2 * s), 1e-5);
        assert_true(stick_volume_energy(50, theta) >= 0);
    }
}

// Shear and change of volume by k: W~ = (a1 + a2) k^2, U = bulk/2 (k^2 - k^3/3 ...), with digits down to the smallest.
static void energies_of_small_strains(void **state)
{
    (void)state;
    for (double k = 1e-2; k > 1e-8; k /= 10) {
        for (int law = 0; law < LAWS; law++) {
            double a = laws[law]->a1 + laws[law]->a2;
            const double F[3][3] = {{1, 0, k}, {0, 1, 0}, {0, 0, 1}},
                         across[3][3] = {{1 + k, 0, 0}, {0, 1 / (1 + k), 0}, {0, 0, 1}};
            assert_near(state_at(laws[law], F, 0, NULL, NULL).energy, a * k * k, 1e-7 * a * k * k);
            // tr C~ = tr C~^-1 = 3 + (k (2 + k) / (1 + k))^2
            double stretch = k * (2 + k) / (1 + k), W = a * stretch * stretch;
            assert_near(state_at(laws[law], across, 0, NULL, NULL).energy, W, 1e-7 * W);
        }
        double U = 25 * (k * k - k * k * k / 3 + k * k * k * k / 4);
        assert_near(stick_volume_energy_by(50, k), U, fmax(1e-6, k * k * k) * U);
    }
}

static void inverted_points_have_no_state(void **state)
{
    (void)state;
    StickMaterialPoint point = {.F = {{1, 0, 0}, {0, -1, 0}, {0, 0, 1}}};
    assert_false(stick_material_isochoric(&mooney, &point));
    point.F[1][1] = 0;
    assert_false(stick_material_isochoric(&mooney, &point));
    point.F[1][1] = NAN;
    assert_false(stick_material_isochoric(&mooney, &point));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_kept),
        cmocka_unit_test(simple_shear),
        cmocka_unit_test(uniaxial_stretch),
        cmocka_unit_test(stress_turns_with_the_body),
        cmocka_unit_test(stress_is_the_slope_of_energy),
        cmocka_unit_test(tangent_is_that_of_the_stress),
        cmocka_unit_test(small_strains_are_linear),
        cmocka_unit_test(volume_is_free_of_pressure_at_rest),
        cmocka_unit_test(energies_of_small_strains),
        cmocka_unit_test(inverted_points_have_no_state),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
