// SPDX-License-Identifier: Apache-2.0
// Bodies under finite deformation within a system: their history, forces of all of them, augmentations.
#include "bodies/finite.h"

#include "fem/finite.h"
#include "stepping/scene.h"

static const char *const three =
    "materials:\n"
    "  rubber: {law: neo-hookean, shear: 1, bulk: 100, density: 1}\n"
    "  metal: {law: j2, young: 100, poisson: 0.3, yield: 0.5, density: 1}\n"
    "  plain: {young: 10, poisson: 0.3, density: 1}\n"
    "bodies:\n"
    "  one: {mesh: {rectangle: {size: [1, 1], cells: [2, 2]}}, material: rubber,\n"
    "        element: mean-dilatation, volume: {tolerance: 1e-3, augmentations: 3}}\n"
    "  two: {mesh: {rectangle: {size: [1, 1], cells: [1, 1]}}, material: plain}\n"
    "  three: {mesh: {rectangle: {size: [1, 1], cells: [3, 1]}}, material: metal}\n"
    "steps: [{dynamics: {step: 1, end: 1}}]\n";

static void histories_are_numbered_one_after_the_other(void **state)
{
    Scene scene;
    scene_open(&scene, *state, "%s", three);
    const StickSystem *system = scene.system;
    assert_true(stick_system_is_finite(system));
    assert_non_null(system->body[0].finite);
    assert_null(system->body[1].finite);
    assert_int_equal(system->body[0].first_history, 0);
    assert_int_equal(stick_finite_history(system->body[0].finite), 4); // a multiplier for each element
    assert_int_equal(system->body[2].first_history, 4);
    assert_int_equal(system->nhistory, 4 + stick_finite_history(system->body[2].finite));
    assert_true(system->nhistory > 4);
    scene_close(&scene);
}

static void stretch(const StickSystem *system, double by, double *q)
{
    for (int b = 0; b < system->nbodies; b++)
        for (int i = 0; i < system->body[b].ndofs; i++)
            q[system->body[b].first + i] = by * system->body[b].mesh.x[i];
}

static void forces_are_those_of_each_body(void **state)
{
    Scene scene;
    scene_open(&scene, *state, "%s", three);
    const StickSystem *system = scene.system;
    size_t n = (size_t)system->ndofs, m = (size_t)system->nhistory;
    double *q = calloc(n, sizeof *q), *force = calloc(n, sizeof *force);
    double *past = calloc(m, sizeof *past), *next = calloc(m, sizeof *next);
    assert_true(q && force && past && next);
    stick_system_rest(system, past);
    stretch(system, 0.01, q);
    for (int i = 0; i < system->ndofs; i++)
        force[i] = 77;
    StickFiniteForces task = {.q = q, .past = past, .next = next, .force = force};
    assert_ok(*state, stick_system_forces(system, &task));
    assert_int_equal(task.bad_body, -1);
    assert_true(task.energy > 0 && task.loss > 0);
    assert_near(task.worst_volume, 1.01 * 1.01 - 1, 1e-14);
    for (int i = 0; i < system->body[1].ndofs; i++) // of a linear body they are not
        assert_near(force[system->body[1].first + i], 77, 0);
    // the second finite body is turned inside out by a corner
    q[system->body[2].first] = 5;
    assert_ok(*state, stick_system_forces(system, &task));
    assert_int_equal(task.bad_body, 2);
    assert_int_equal(task.bad_element, 0);
    free(q);
    free(force);
    free(past);
    free(next);
    scene_close(&scene);
}

static void pressures_are_augmented_until_volumes_hold(void **state)
{
    Scene scene;
    scene_open(&scene, *state, "%s", three);
    const StickSystem *system = scene.system;
    double *q = calloc((size_t)system->ndofs, sizeof *q);
    double *history = calloc((size_t)system->nhistory, sizeof *history);
    StickAugmentation augmentation;
    assert_true(q && history);
    stick_system_rest(system, history);
    stretch(system, 0.01, q);
    assert_ok(*state, stick_system_augment(system, q, 0, history, &augmentation));
    assert_true(augmentation.again && augmentation.missed == -1);
    double theta = 1.01 * 1.01, pressure = 50 * (theta - 1 / theta);
    for (int e = 0; e < 4; e++)
        assert_near(history[e], pressure, 1e-12 * pressure);
    assert_ok(*state, stick_system_augment(system, q, 3, history, &augmentation));
    assert_true(!augmentation.again);
    assert_int_equal(augmentation.missed, 0);
    assert_near(augmentation.change, theta - 1, 1e-14);
    stretch(system, 1e-4, q);
    assert_ok(*state, stick_system_augment(system, q, 0, history, &augmentation));
    assert_true(!augmentation.again && augmentation.missed == -1);
    assert_near(history[0], pressure, 1e-12 * pressure);
    free(q);
    free(history);
    scene_close(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(histories_are_numbered_one_after_the_other),
        test_with_context(forces_are_those_of_each_body),
        test_with_context(pressures_are_augmented_until_volumes_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
