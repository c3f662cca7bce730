// SPDX-License-Identifier: Apache-2.0
#include "stepping/rotation.h"
#include "stepping/scene.h"

// A turn and a shift and a strain: only the turn counts.
static void angle_of_a_turned_body(void **state)
{
    Scene scene;
    scene_open(
        &scene, *state,
        "materials: {m: {young: 1, density: 1}}\n"
        "bodies: {a: {mesh: {box: {size: [1, 2, 3], cells: [2, 3, 2]}}, material: m},\n"
        "         b: {mesh: {box: {size: [1, 1, 1], cells: [1, 1, 1], origin: [5, 0, 0]}}, material: m}}\n"
        "steps: [{dynamics: {step: 1, end: 1}}]\n");
    const double phi[3] = {0.03, -0.02, 0.06};
    const StickBody *body = &scene.system->body[0];
    double *q = scene.run->state.now.q;
    for (int i = 0; i < body->mesh.nnodes; i++) {
        const double *x = &body->mesh.x[3 * i];
        double *at = &q[body->first + 3 * i];
        at[0] = phi[1] * x[2] - phi[2] * x[1] + 7 + 0.1 * x[0];
        at[1] = phi[2] * x[0] - phi[0] * x[2] - 3;
        at[2] = phi[0] * x[1] - phi[1] * x[0];
    }
    StickRotation rotation;
    int which = -1;
    assert_ok(*state, stick_rotation_create(*state, scene.system, &rotation));
    assert_near(stick_rotation_largest(&rotation, scene.system, q, &which), 0.07, 1e-12);
    assert_int_equal(which, 0);
    stick_rotation_destroy(*state, &rotation);
    scene_close(&scene);
}

// A disk that spins is warned of, one that only flies is not.
static void spinning_bodies_are_warned_of(void **state)
{
    for (int spins = 0; spins < 2; spins++) {
        Scene scene;
        stick_diagnostics_clear(*state);
        scene_open(
            &scene, *state,
            "materials: {m: {young: 1e6, density: 1}}\n"
            "bodies: {d: {mesh: {disk: {radius: 1, core: [4, 4], rings: 2}}, material: m, velocity: [3, 0],\n"
            "             angular-velocity: %d}}\n"
            "steps: [{dynamics: {step: 1e-3, end: 0.02}}]\n",
            10 * spins);
        scene_steps(&scene, 20);
        assert_near(scene.run->record.rotation, 0.2 * spins, 1e-3);
        int warnings = 0;
        for (size_t k = 0; k < stick_diagnostic_count(*state); k++)
            warnings += strstr(stick_diagnostic(*state, k)->text, "has turned by") != NULL;
        assert_int_equal(warnings, spins);
        scene_close(&scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(angle_of_a_turned_body),
        test_with_context(spinning_bodies_are_warned_of),
    };
    return cmocka_run_group_tests_name("stepping.rotation", tests, NULL, NULL);
}
