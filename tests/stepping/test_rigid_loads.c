// SPDX-License-Identifier: Apache-2.0
// Loads on rigid bodies and motion of the ground against closed forms.
#include "output/scratch.h"
#include "stepping/mechanism.h"

static const double pi = 3.14159265358979323846;

// ---- loads

// m x'' = -k x by an expression of the place where the force acts: x = cos(w t), of second order.
static void force_of_the_place_is_a_spring(void **state)
{
    double error[2];
    for (int fine = 0; fine < 2; fine++) {
        Scene scene;
        scene_open(&scene, *state,
                   STONE "bodies: {ball: {rigid: {disk: 0.1, mass: 2}, position: [4, 0]}}\n"
                         "loads: [{on: ball, force: [\"-50*(x - 3)\", 0]}]\n"
                         "steps: [{dynamics: {step: %g, end: 2}}]\n",
                   fine ? 0.005 : 0.01);
        scene_run(&scene);
        error[fine] = fabs(1 + q_of(&scene, 0)[0] - cos(5 * 2.));
        assert_below(error[fine], fine ? 1e-3 : 4e-3);
        assert_below(scene.run->ledger.worst_closure, 1e-12); // the work of a force is that over q_F - q_I
        scene_close(&scene);
    }
    assert_true(error[1] < 0.27 * error[0]);
}

// A force that turns with a body at constant speed leads it around a circle: m w v = F (sin w t, 1 - cos w t).
static void forces_that_follow_turn_with_the_body(void **state)
{
    static const char *const body[] = {
        "{rigid: {box: [0.4, 0.2], mass: 2}, angular-velocity: 3}",
        "{rigid: {sphere: 0.2, mass: 2}, angular-velocity: [0, 0, 3], rotation: [0.4, -0.2, 1]}",
    };
    // in the axes of the body: those of space at the start, turned back
    const double F = 8, t = 1, speed = F / (2 * 3);
    for (int k = 0; k < 2; k++) {
        Scene scene;
        scene_open(&scene, *state,
                   "bodies: {it: %s}\nloads: [{on: it, force: %s, follows: true}]\n"
                   "steps: [{dynamics: {step: 1e-3, end: 1}}]\n",
                   body[k], k == 0 ? "[8, 0]" : "[8, 0, 0]");
        double first[3] = {1, 0, 0}, up[3] = {0, 0, 1}, side[3];
        if (k == 1) { // the x axis of the body at the start, without what is along the spin
            StickPose pose = stick_rigid_pose(scene.system->body[0].rigid, q_of(&scene, 0));
            memcpy(first, pose.axis[0], sizeof first);
        }
        double along = first[2];
        first[2] = 0;
        stick_vec_cross(up, first, side);
        scene_run(&scene);
        for (int i = 0; i < 2; i++)
            assert_near(v_of(&scene, 0)[i], speed * (sin(3 * t) * first[i] + (1 - cos(3 * t)) * side[i]),
                        1e-5);
        if (k == 1)
            assert_near(v_of(&scene, 0)[2], F / 2 * along * t, 1e-9);
        check_books(&scene);
        scene_close(&scene);
    }
}

// At a point beside the mass centre a force has a moment, in space about all axes; a couple has no force.
static void forces_beside_the_centre_turn(void **state)
{
    Scene scene;
    scene_open(&scene, *state,
               "bodies: {it: {rigid: {sphere: 0.5, mass: 10}, position: [1, 2, 3]}}\n"
               "loads:\n"
               "  - {on: it, force: [0, 0, 6], at: [0.25, 0, 0]}\n"
               "  - {on: it, force: [0, 0, -6], at: [-0.25, 0, 0]}\n"
               "  - {on: it, torque: [0, \"2 + 1\", 0]}\n"
               "steps: [{dynamics: {step: 1e-4, end: 0.01}}]\n");
    scene_run(&scene); // J = 2/5 m r^2 = 1: moments about y of -3 and +3 cancel
    for (int k = 0; k < 6; k++)
        assert_near(v_of(&scene, 0)[k], 0, 1e-9);
    scene_close(&scene);
    scene_open(&scene, *state,
               "bodies: {it: {rigid: {sphere: 0.5, mass: 10}}}\n"
               "loads: [{on: it, force: [0, \"5*t\", 0], at: [0, 0, 0.5]}]\n"
               "steps: [{dynamics: {step: 1e-4, end: 0.01}}]\n");
    scene_run(&scene);
    assert_near(v_of(&scene, 0)[1], 5 * 0.5 * 1e-4 / 10, 1e-12);
    assert_near(v_of(&scene, 0)[3], -0.5 * 5 * 0.5 * 1e-4, 1e-10);
    scene_close(&scene);
}

// ---- the ground

// Accelerations of a wave that starts and ends at rest, with an offset that the baseline takes off; the same motion as
// velocities and as displacements.
static double ground(const char *what, double t)
{
    double w = 2 * pi, a = 0.2;
    if (strcmp(what, "acceleration") == 0)
        return a * w * w * (cos(w * t) - cos(2 * w * t)) + 0.7 - 0.1 * t;
    if (strcmp(what, "velocity") == 0)
        return a * w * (sin(w * t) - 0.5 * sin(2 * w * t));
    return a * (0.75 - cos(w * t) + 0.25 * cos(2 * w * t));
}

static void write_record(Scratch *scratch, const char *what)
{
    StickText text;
    stick_text_init(&text, scratch->ctx);
    stick_text_add(&text, "# a wave\ntime %s\n", what);
    for (int k = 0; k <= 400; k++)
        stick_text_add(&text, "%.17g %.17g\n", 0.005 * k, ground(what, 0.005 * k) / 9.81);
    assert_ok(scratch->ctx,
              stick_file_write(scratch->ctx, scratch_path(scratch, "quake.txt"), text.bytes, text.length));
    stick_text_destroy(&text);
}

// A block that friction holds goes with the ground, and stays where the record has left it.
static void blocks_follow_recorded_ground(void **state)
{
    static const char *const kinds[] = {"acceleration", "velocity", "displacement"};
    Scratch *scratch = *state;
    for (int k = 0; k < 3; k++) {
        Scene scene;
        write_record(scratch, kinds[k]);
        scene_open(
            &scene, scratch->ctx,
            "bodies: {block: {rigid: {box: [1, 0.4], mass: 2}, position: [0, 0.2]}}\n"
            "obstacles: {ground: {plane: {point: [0, 0], normal: [0, 1]}, record: {file: %s, what: %s, "
            "along: [1, 0], scale: 9.81, baseline: %s}}}\n"
            "gravity: [0, -9.81]\ncontacts: [{between: all, friction: 2}]\n"
            "steps: [{dynamics: {step: 1e-3, end: 2.2}}]\n",
            scratch_path(scratch, "quake.txt"), kinds[k], k == 0 ? "linear" : "none");
        double worst = 0;
        while (!stick_simulation_is_done(scene.run)) {
            scene_step(&scene);
            double t = fmin(scene.run->state.now.t, 2);
            worst = fmax(worst, fabs(q_of(&scene, 0)[0] - ground("displacement", t)));
        }
        print_message("%s: %.2e %.2e\n", kinds[k], worst, q_of(&scene, 0)[0]);
        // samples are 5 ms apart, and linear in between
        assert_below(worst, 1e-4);
        assert_near(v_of(&scene, 0)[0], 0, 1e-9);
        assert_near(q_of(&scene, 0)[0], 0, 1e-6);
        check_books(&scene);
        scene_close(&scene);
        stick_diagnostics_clear(scratch->ctx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(force_of_the_place_is_a_spring),
        test_with_context(forces_that_follow_turn_with_the_body),
        test_with_context(forces_beside_the_centre_turn),
        test_with_scratch(blocks_follow_recorded_ground),
    };
    return cmocka_run_group_tests_name("stepping.rigid_loads", tests, NULL, NULL);
}
