// SPDX-License-Identifier: Apache-2.0
// Bodies that keep their volumes to a tolerance, by augmentations of their pressures.
#include "stepping/scene.h"

// A soft block, pressed on a plane.
static void open_block(Scene *scene, StickContext *ctx, double bulk, const char *volume, const char *step)
{
    scene_open(scene, ctx,
               "materials: {rubber: {law: neo-hookean, shear: 1, bulk: %g, density: 1}}\n"
               "bodies: {block: {mesh: {rectangle: {size: [1, 1], cells: [4, 4]}}, element: mean-dilatation, "
               "material: rubber%s}}\n"
               "obstacles: {ground: {plane: {point: [0, 0], normal: [0, 1]}}}\n"
               "supports: [{on: block.left, displacement: [0, free]}, {on: block.top, displacement: [0, "
               "\"-0.2*t*t\"]}]\n"
               "contacts: [{between: [block.bottom, ground], friction: 0}]\n"
               "steps: [{%s}]\n",
               bulk, volume, step);
}

static const char press[] = "quasistatic: {end: 1, increments: 4}";

static double force_at_the_end(Scene *scene)
{
    while (!stick_simulation_is_done(scene->run))
        scene_step(scene);
    return scene_force(scene);
}

static void augmentations_make_soft_bulk_stiff(void **state)
{
    Scene scene;
    open_block(&scene, *state, 20, "", press);
    double soft = force_at_the_end(&scene);
    assert_true(scene.run->record.volume > 0.02 && scene.run->record.augmentations == 0);
    scene_close(&scene);
    open_block(&scene, *state, 1e6, "", press);
    double stiff = force_at_the_end(&scene);
    scene_close(&scene);
    open_block(&scene, *state, 20, ", volume: {tolerance: 1e-6}", press);
    double augmented = force_at_the_end(&scene);
    assert_true(scene.run->record.augmentations > 4);
    assert_below(scene.run->record.volume, 1e-6);
    assert_true(scene.run->ledger.worst_closure < 1e-9);
    scene_close(&scene);
    assert_true(soft < 0.95 * stiff);
    assert_near(augmented, stiff, 1e-4 * stiff);
}

// What was augmented is kept: the next increments have less to do.
static void multipliers_are_kept(void **state)
{
    Scene scene;
    open_block(&scene, *state, 100, ", volume: {tolerance: 1e-4}", "quasistatic: {end: 1, increments: 40}");
    force_at_the_end(&scene);
    assert_below(scene.run->record.augmentations, 2 * 40);
    scene_close(&scene);
}

static void too_few_augmentations_are_told(void **state)
{
    Scene scene;
    open_block(&scene, *state, 20, ", volume: {tolerance: 1e-6, augmentations: 1}",
               "quasistatic: {end: 1, increments: 1}");
    StickStatus status = STICK_OK;
    while (status == STICK_OK && !stick_simulation_is_done(scene.run))
        status = stick_simulation_step(scene.run);
    assert_int_not_equal(status, STICK_OK);
    assert_non_null(strstr(stick_last_error(*state), "volumes of body 'block' still change by"));
    scene_close(&scene);
}

// In motion no shorter step would help: it stops at once.
static void in_motion_they_stop_the_run(void **state)
{
    Scene scene;
    open_block(&scene, *state, 20, ", volume: {tolerance: 1e-9, augmentations: 1}",
               "dynamics: {scheme: theta, theta: 0.6, step: 0.05, end: 1}");
    StickStatus status = STICK_OK;
    while (status == STICK_OK && !stick_simulation_is_done(scene.run))
        status = stick_simulation_step(scene.run);
    assert_int_equal(status, STICK_NOT_SOLVED);
    assert_true(scene.run->record.cuts == 0);
    assert_non_null(strstr(stick_last_error(*state), "allow more of them, a larger tolerance"));
    scene_close(&scene);
}

static void motions_keep_volumes(void **state)
{
    Scene scene;
    open_block(&scene, *state, 2000, ", volume: {tolerance: 1e-6}", "dynamics: {step: 0.1, end: 1}");
    force_at_the_end(&scene);
    assert_true(scene.run->record.augmentations > 0);
    assert_below(scene.run->record.volume, 1e-6);
    assert_true(scene.run->ledger.worst_closure < 1e-9);
    scene_close(&scene);
}

// Inertia keeps volumes as a bulk modulus does: where it is the larger, pressures must climb by more than the modulus tells.
// Steps of that size alone would take more than a thousand.
static void soft_bulk_in_motion_takes_few_augmentations(void **state)
{
    Scene scene;
    open_block(&scene, *state, 20, ", volume: {tolerance: 1e-6}", "dynamics: {step: 0.1, end: 1}");
    force_at_the_end(&scene);
    assert_below(scene.run->record.augmentations, 300);
    assert_below(scene.run->record.volume, 1e-6);
    scene_close(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(augmentations_make_soft_bulk_stiff),
        test_with_context(multipliers_are_kept),
        test_with_context(too_few_augmentations_are_told),
        test_with_context(in_motion_they_stop_the_run),
        test_with_context(motions_keep_volumes),
        test_with_context(soft_bulk_in_motion_takes_few_augmentations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
