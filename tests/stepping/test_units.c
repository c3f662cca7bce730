// SPDX-License-Identifier: Apache-2.0
// The same model in metres and kilograms and in millimetres and tonnes gives the same history, divided by its
// scales.
#include "stepping/scene.h"

typedef struct Units {
    double length, mass; // of one unit, in metres and kilograms
} Units;

static const Units si = {1, 1}, mm = {1e-3, 1e3};

static double stress(Units units, double pascal)
{
    return pascal * units.length / units.mass;
}

static double density(Units units, double kg_per_m3)
{
    return kg_per_m3 * pow(units.length, 3) / units.mass;
}

static void open_bars(Scene *scene, StickContext *ctx, Units units, const char *scheme)
{
    double m = 1 / units.length;
    scene_open(scene, ctx,
               "materials: {steel: {law: elastic, young: %.17g, poisson: 0, density: %.17g}}\n"
               "bodies:\n"
               "  left: {mesh: {bar: {length: %.17g, elements: 20}}, material: steel, thickness: %.17g, "
               "velocity: [%.17g]}\n"
               "  right: {mesh: {bar: {length: %.17g, elements: 20, origin: [%.17g]}}, material: steel,\n"
               "          thickness: %.17g, velocity: [%.17g]}\n"
               "contacts: [{between: [left.end, right.start], friction: 0}]\n"
               "steps: [{dynamics: {scheme: %s, theta: 0.55, step: 2.226e-6, end: 2e-4}}]\n",
               stress(units, 2.0684e11), density(units, 7895.7), 0.254 * m, 6.4516e-4 * m * m, 5.13588 * m,
               0.254 * m, 0.254508 * m, 6.4516e-4 * m * m, -5.13588 * m, scheme);
}

static void open_plate(Scene *scene, StickContext *ctx, Units units, const char *scheme)
{
    double m = 1 / units.length;
    scene_open(scene, ctx,
               "materials: {plate: {law: elastic, young: %.17g, poisson: 0.25, density: %.17g}}\n"
               "bodies:\n"
               "  plate: {mesh: {rounded-plate: {size: [%.17g, %.17g], radius: %.17g, cells: [8, 10]}}, "
               "plane: stress,\n"
               "          thickness: %.17g, material: plate, velocity: [%.17g, %.17g]}\n"
               "obstacles: {ground: {plane: {point: [0, 0], normal: [0, 1]}}}\n"
               "contacts: [{between: [plate.round, ground], friction: 0.1}]\n"
               "steps: [{dynamics: {scheme: %s, theta: 0.55, step: 1e-5, end: 1e-3}}]\n",
               stress(units, 1e7), density(units, 1000), 0.04 * m, 0.08 * m, 0.101 * m, 0.01 * m, 3 * m,
               -5 * m, scheme);
}

// Steps both through time; speed and force are the scales in SI.
static void compare(Scene *first, Scene *second, Units units, double speed, double force)
{
    double force_unit = units.mass * units.length, start1 = scene_energy(first),
           start2 = scene_energy(second);
    double largest = 0;
    while (first->run->state.step < first->run->nsteps) {
        scene_step(first);
        scene_step(second);
        for (int i = 0; i < first->run->state.n; i++)
            assert_near(first->run->state.now.v[i] / speed,
                        second->run->state.now.v[i] * units.length / speed, 1e-9);
        assert_near(scene_force(first) / force, scene_force(second) * force_unit / force, 1e-9);
        assert_near(scene_energy(first) / start1, scene_energy(second) / start2, 1e-9);
        assert_near(first->run->ledger.friction / start1, second->run->ledger.friction / start2, 1e-9);
        largest = fmax(largest, scene_force(first) / force);
    }
    assert_true(largest > 0.5);
    scene_close(first);
    scene_close(second);
}

static const char *const schemes[] = {"theta", "theta-euler", "modified-theta"};

static void bars_do_not_see_units(void **state)
{
    for (int k = 0; k < 3; k++) {
        Scene first, second;
        open_bars(&first, *state, si, schemes[k]);
        open_bars(&second, *state, mm, schemes[k]);
        compare(&first, &second, mm, 5.13588, sqrt(2.0684e11 * 7895.7) * 5.13588 * 6.4516e-4);
    }
}

static void sliding_plate_does_not_see_units(void **state)
{
    for (int k = 0; k < 3; k++) {
        Scene first, second;
        open_plate(&first, *state, si, schemes[k]);
        open_plate(&second, *state, mm, schemes[k]);
        compare(&first, &second, mm, 5, 200);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(bars_do_not_see_units),
        test_with_context(sliding_plate_does_not_see_units),
    };
    return cmocka_run_group_tests_name("units", tests, NULL, NULL);
}
