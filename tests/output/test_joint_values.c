// SPDX-License-Identifier: Apache-2.0
// Forces, moments and power of joints: weights that hang and stand, a pendulum, a motor that speeds a wheel up.
#include "output/rigid_values.h"
#include "stepping/mechanism.h"

static double value(const Scene *scene, const char *what, int component, int joint)
{
    return stick_joint_value(scene->run, stick_result(what), component, joint);
}

enum { NONE = -1, X, Y, Z };

static void joints_carry_weights(void **state)
{
    Scene scene;
    scene_open(&scene, *state,
               STONE
               "bodies:\n"
               "  beam: {rigid: {box: [1, 0.1], mass: 2}, position: [0.5, 0]}\n"
               "  load: {rigid: {disk: 0.1, mass: 3}, position: [1, -1]}\n"
               "  mass: {rigid: {disk: 0.1, mass: 4}, position: [5, -1]}\n"
               "gravity: [0, -10]\n"
               "joints:\n"
               "  - {fixed: {between: [beam]}}\n"
               "  - {distance: {between: [load, beam], from: [1, -1], to: [1, 0]}}\n"
               "  - {spring: {between: [mass], from: [5, -1], to: [5, 0], stiffness: 400, length: 0.9}}\n"
               "steps: [{dynamics: {step: 1e-3, end: 0.01}}]\n");
    assert_near(value(&scene, "force", Y, 0), 0, 0); // no step yet
    scene_run(&scene);
    // about the mass centre of the beam
    assert_near(value(&scene, "force", Y, 0), 50, 1e-10);
    assert_near(value(&scene, "moment", NONE, 0), 3 * 10 * 0.5, 1e-10);
    assert_near(value(&scene, "tension", NONE, 1), 30, 1e-10);
    assert_near(value(&scene, "force", Y, 1), 30, 1e-10); // on the load, the first
    assert_near(value(&scene, "tension", NONE, 2), 40, 1e-10);
    assert_near(value(&scene, "force", X, 2), 0, 1e-10);
    for (int joint = 0; joint < 3; joint++)
        assert_near(value(&scene, "power", NONE, joint), 0, 1e-10);
    scene_close(&scene);
}

// Released at the height of its pin: m (g s + 2 g s / (1 + k)) along the arm at an angle with the sine s below it, where
// J = m l^2 (1 + k) about the pin.
static void pendulum_pulls_at_its_pin(void **state)
{
    Scene scene;
    double pull[2];
    for (int fine = 0; fine < 2; fine++) {
        scene_open(&scene, *state,
                   STONE
                   "bodies: {bob: {rigid: {disk: 0.4, mass: 2}, position: [1, 0]}}\ngravity: [0, -9.81]\n"
                   "joints: [{pin: {between: [bob], at: [0, 0]}}]\n"
                   "steps: [{dynamics: {step: %g, end: 0.5}}]\n",
                   fine ? 1e-3 : 2e-3);
        double before = 0;
        while (!stick_simulation_is_done(scene.run)) {
            before = q_of(&scene, 0)[2];
            scene_step(&scene);
        }
        double angle = 0.5 * (before + q_of(&scene, 0)[2]), k = 0.08,
               s = -sin(angle); // the middle of the step
        double exact = 2 * 9.81 * s * (1 + 2 / (1 + k));
        double along = -cos(angle) * value(&scene, "force", X, 0) - sin(angle) * value(&scene, "force", Y, 0);
        pull[fine] = fabs(along - exact);
        assert_near(along, exact, 1e-4 * exact);
        assert_near(value(&scene, "moment", NONE, 0), 0, 1e-10);
        scene_close(&scene);
    }
    assert_true(pull[1] < 0.3 * pull[0]); // second order
}

// angle = t^2: the moment is 2 J, and the power grows with time; its sum is the work in the books.
static void motor_speeds_a_wheel_up(void **state)
{
    Scene scene;
    double work = 0;
    scene_open(&scene, *state,
               STONE
               "bodies: {wheel: {rigid: {disk: 0.5, mass: 4}, position: [5, 0]}}\n"
               "joints: [{pin: {between: [wheel], at: [5, 0]}}, {motor: {between: [wheel], angle: t^2}}]\n"
               "steps: [{dynamics: {step: 1e-3, end: 1}}]\n");
    while (!stick_simulation_is_done(scene.run)) {
        scene_step(&scene);
        assert_near(value(&scene, "moment", NONE, 1), 1, 1e-8);
        work += scene.run->h * value(&scene, "power", NONE, 1);
    }
    assert_near(value(&scene, "power", NONE, 1), 2, 2e-3);
    assert_near(work, 1, 1e-8); // J omega^2 / 2
    assert_near(work, scene.run->ledger.joints, 1e-12);
    scene_close(&scene);
}

// A door on a pin along y, with its weight 0.3 beside the pin along z and 0.1 along y.
static void pins_carry_moments_in_space(void **state)
{
    Scene scene;
    scene_open(&scene, *state,
               STONE "bodies: {door: {rigid: {box: [0.1, 0.4, 0.6], mass: 2}, position: [0, 0, 0.3]}}\n"
                     "gravity: [10, 0, 0]\n"
                     "joints: [{pin: {between: [door], at: [0, 0.1, 0], axis: [0, 0, 1]}}]\n"
                     "steps: [{dynamics: {step: 1e-3, end: 0.001}}]\n");
    scene_step(&scene);
    // it begins to turn about z: what carries the rest of the weight along x also takes m a = J alpha / ...
    double J = 2 * (0.01 + 0.16) / 12 + 2 * 0.01, alpha = 2 * 10 * 0.1 / J, a = -0.1 * alpha;
    assert_near(value(&scene, "force", X, 0), -2 * 10 - 2 * a, 1e-3);
    assert_near(value(&scene, "force", Z, 0), 0, 1e-10);
    // about the pin: what keeps the mass centre, 0.3 above, from turning about y
    assert_near(value(&scene, "moment", Y, 0), -0.3 * (2 * 10 + 2 * a), 1e-3);
    assert_near(value(&scene, "moment", Z, 0), 0, 1e-10);
    scene_close(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(joints_carry_weights),
        test_with_context(pendulum_pulls_at_its_pin),
        test_with_context(motor_speeds_a_wheel_up),
        test_with_context(pins_carry_moments_in_space),
    };
    return cmocka_run_group_tests_name("output.joint_values", tests, NULL, NULL);
}
