// SPDX-License-Identifier: Apache-2.0
// What all laws of finite strains share: points of the plane, and the change of volume that is taken off.
#include "fem/states.h"

static StickProny terms[] = {{.share = 0.3, .time = 2}, {.share = 0.4, .time = 0.05}};
static const StickMaterial laws[] = {
    {.law = STICK_MATERIAL_NEO_HOOKEAN, .a1 = 0.6, .shear = 1.2, .bulk = 50},
    {.law = STICK_MATERIAL_MOONEY_RIVLIN, .a1 = 0.7, .a2 = 0.4, .shear = 2.2, .bulk = 50},
    {.law = STICK_MATERIAL_NEO_HOOKEAN, .a1 = 0.6, .shear = 1.2, .bulk = 50, .nprony = 2, .prony = terms},
    {.law = STICK_MATERIAL_MOONEY_RIVLIN,
     .a1 = 0.7,
     .a2 = 0.4,
     .shear = 2.2,
     .bulk = 50,
     .nprony = 2,
     .prony = terms},
    {.law = STICK_MATERIAL_J2, .shear = 80, .bulk = 170, .hardening = {.yield = 0.5, .modulus = 0.1}},
    {.law = STICK_MATERIAL_J2, .shear = 80, .bulk = 170, .hardening = {.yield = 1e3, .modulus = 0.1}},
};
enum { LAWS = sizeof laws / sizeof *laws, MOST = STICK_MOST_MATERIAL_HISTORY };

// A deformation that leaves z an axis.
static void random_in_plane(unsigned *seed, double F[3][3])
{
    random_deformation(seed, 0.3, F);
    F[0][2] = F[1][2] = F[2][0] = F[2][1] = 0;
}

static void expect_same(const StickMaterialPoint *flat, const StickMaterialPoint *full, int nhistory,
                        double unit)
{
    for (int i = 0; i < 6; i++)
        assert_near(flat->tau[i], full->tau[i], 1e-13 * unit);
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            assert_near(flat->c[i][j], full->c[i][j], 1e-12 * unit);
    for (int k = 0; k < nhistory; k++)
        assert_near(flat->next[k], full->next[k], 1e-13 * (1 + fabs(full->next[k])));
    assert_near(flat->energy, full->energy, 1e-13 * unit);
    assert_near(flat->loss, full->loss, 1e-13 * unit);
}

// A path of random deformations: a point that is declared flat gets the same results as in space.
static void points_of_the_plane(void **state)
{
    (void)state;
    unsigned seed = 7;
    for (int law = 0; law < LAWS; law++) {
        const StickMaterial *material = &laws[law];
        double past[MOST] = {0}, next[MOST] = {0}, other[MOST] = {0};
        stick_material_rest(material, past);
        for (int step = 0; step < 20; step++) {
            StickMaterialPoint flat = {.flat = true, .h = 0.3, .past = past, .next = next}, full = flat;
            random_in_plane(&seed, flat.F);
            memcpy(full.F, flat.F, sizeof flat.F);
            full.flat = false, full.next = other;
            assert_true(stick_material_isochoric(material, &flat));
            assert_true(stick_material_isochoric(material, &full));
            expect_same(&flat, &full, stick_material_history(material), 10 * material->shear);
            memcpy(past, next, sizeof past);
        }
    }
}

// From volumes that hardly change to those that do, on both sides of where the formula changes: all digits.
static void growth_has_its_digits(void **state)
{
    (void)state;
    for (int sign = -1; sign <= 1; sign += 2) {
        for (double change = 1e-12; change < 0.9; change *= 1.3) {
            StickMaterialPoint point = {.F = {{1, 0, 0}, {0, 1 + sign * change, 0}, {0, 0, 1}}, .flat = true};
            long double J = point.F[1][1], exact = expm1l(2.0L / 3 * log1pl(J - 1));
            assert_true(stick_material_isochoric(&laws[0], &point));
            assert_near(point.J, (double)J, 1e-15 * (double)J);
            assert_near(point.grown, (double)(1 + exact), 1e-15 * (double)(1 + exact));
            assert_near(point.growth, (double)exact, 1e-14 * fabs((double)exact));
        }
    }
}

// Stretched by 30 and crushed to a ten-thousandth: energy and stress keep their digits.
static void crushed_points(void **state)
{
    (void)state;
    for (double thin = 1e-2; thin > 1e-9; thin /= 10) {
        StickMaterialPoint point = {.F = {{30, 29, 0}, {thin, 1.5 * thin, 0}, {0, 0, 1}}, .flat = true};
        long double J = 30.0L * (1.5L * thin) - 29.0L * thin, g = cbrtl(J * J);
        long double trace = 1741 + (long double)thin * thin * 3.25L + 1;
        assert_true(stick_material_isochoric(&laws[0], &point));
        assert_near(point.J, (double)J, 1e-14 * (double)J);
        assert_near(point.energy, (double)(0.6L * (trace / g - 3)), 1e-14 * point.energy);
        assert_near(point.tau[0], (double)(1.2L / g * (1741 - trace / 3)), 1e-14 * point.tau[0]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_of_the_plane),
        cmocka_unit_test(growth_has_its_digits),
        cmocka_unit_test(crushed_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
