// SPDX-License-Identifier: Apache-2.0
// Formulas for gears: published values, and results outside their range of validity.
#include "gears/pairs.h"

#include "check.h"
#include "gears/rating.h"

static StickMaterial steel = {.young = 206000, .poisson = 0.3}, soft = {.young = 103000, .poisson = 0.3};

static StickModel model_of(StickGearPairSpec *pair, StickMaterial material[2], StickBodySpec body[2])
{
    pair->gear[0].material = 0;
    pair->gear[1].material = 1;
    pair->body[0] = 0;
    pair->body[1] = 1;
    body[0] = body[1] = (StickBodySpec){.plane = STICK_PLANE_STRAIN};
    return (StickModel){.nmaterials = 2, .material = material, .nbodies = 2, .body = body};
}

// Steel rollers of radii 10 and 20 mm under 100 N/mm: b = sqrt(4 F' R / (pi E*)), p = 2 F' / (pi b)
static void pressure_is_that_of_hertz(void **state)
{
    (void)state;
    StickMaterial material[2] = {steel, steel};
    StickBodySpec body[2];
    StickGearPairSpec pair = standard_pair(20, 20, 2);
    StickModel model = model_of(&pair, material, body);
    pair.face_width = 5;
    double load = 500, R = 1 / (1.0 / 10 + 1.0 / 20), E = 206000 / (2 * 0.91);
    double b = sqrt(4 * load / 5 * R / (STICK_PI * E)), p = 2 * load / 5 / (STICK_PI * b);
    assert_near(stick_gear_hertz(&model, &pair, load, 1.0 / 10 + 1.0 / 20), p, 1e-10 * p);
    body[0].plane = body[1].plane = STICK_PLANE_STRESS;
    assert_near(stick_gear_hertz(&model, &pair, load, 0.15), p * sqrt(0.91), 1e-10 * p);
    assert_near(stick_gear_hertz(&model, &pair, 0, 0.15), 0, 0);
    assert_true(isnan(stick_gear_hertz(&model, &pair, load, -0.01)));
}

// z = 20/20: q' = 0.067901 mm um/N, c'_th = 14.73 N/(mm um)
static void stiffness_is_that_of_the_standard(void **state)
{
    (void)state;
    StickMaterial material[2] = {steel, steel};
    StickBodySpec body[2];
    StickGearPairSpec pair = standard_pair(20, 20, 2);
    StickModel model = model_of(&pair, material, body);
    assert_near(stick_gear_standard_stiffness(&model, &pair) / 1000, 1 / 0.067901, 1e-4);
    material[1] = soft; // 2 E1 E2 / (E1 + E2) = 2/3 of steel's
    assert_near(stick_gear_standard_stiffness(&model, &pair) / 1000, 2.0 / 3 / 0.067901, 1e-4);
    material[1] = steel;
    pair = ring_pair(20, 60, 2);
    model = model_of(&pair, material, body);
    assert_near(stick_gear_standard_stiffness(&model, &pair) / 1000, 1 / (0.04723 + 0.15551 / 20), 1e-10);
}

// Which gear drives does not matter, and the pinion comes first.
static void the_smaller_gear_is_the_pinion(void **state)
{
    (void)state;
    StickMaterial material[2] = {steel, steel};
    StickBodySpec body[2];
    StickGearPairSpec pair = standard_pair(17, 43, 2), back = standard_pair(43, 17, 2);
    pair.gear[0].shift = back.gear[1].shift = 0.4;
    StickModel model = model_of(&pair, material, body);
    double one = stick_gear_standard_stiffness(&model, &pair);
    model_of(&back, material, body);
    assert_near(stick_gear_standard_stiffness(&model, &back), one, 1e-9);
    double q = 0.04723 + 0.15551 / 17 + 0.25791 / 43 - 0.00635 * 0.4 - 0.11654 * 0.4 / 17 + 0.00529 * 0.16;
    assert_near(one, 1000 / q, 1e-9);
    pair.gear[0].shift = 2.1;
    assert_true(isnan(stick_gear_standard_stiffness(&model, &pair)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pressure_is_that_of_hertz),
        cmocka_unit_test(stiffness_is_that_of_the_standard),
        cmocka_unit_test(the_smaller_gear_is_the_pinion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
