// SPDX-License-Identifier: Apache-2.0
// Rigid bodies are in each other no deeper than they were first seen, hollow obstacles included, and come out again under load.
// Depth that is too large for the step is reported.
#include "stepping/mechanism.h"

static double energy_of(const Scene *scene)
{
    const double *v = v_of(scene, 0);
    return 0.5 * (v[0] * v[0] + v[1] * v[1] + (scene->system->dim == 3 ? v[2] * v[2] : 0));
}

// A disk, a ball and a box without friction circle in rings, bowls and tubes at 3 m/s: for thousands of steps they keep
// their depth and their energy; a box, which turns, to the second order of the step.
static void bodies_circle_in_hollows_for_good(void **state)
{
    static const struct {
        const char *body, *obstacle;
        double steep; // motion along the axis of a tube
    } round[] = {
        {"{disk: 0.1}, position: [0, -0.9], velocity: [3, 0]", "circle: {centre: [0, 0]", 0},
        {"{sphere: 0.1}, position: [0, 0, -0.9], velocity: [3, 0, 0]", "sphere: {centre: [0, 0, 0]", 0},
        {"{sphere: 0.1}, position: [0, 0, -0.9], velocity: [3, 1, 0]",
         "cylinder: {point: [0, 0, 0], axis: [0, 1, 0]", 1},
        // the middle of a box on two corners is at 0.6 from the centre
        {"{box: [1.2, 0.4]}, position: [0, -0.6], velocity: [3, 0], angular-velocity: 5",
         "circle: {centre: [0, 0]", 0},
    };
    for (size_t k = 0; k < sizeof round / sizeof *round; k++) {
        Scene scene;
        scene_open(&scene, *state,
                   "materials: {stone: {density: 1000}}\n"
                   "bodies: {b: {rigid: %s, material: stone}}\n"
                   "obstacles: {o: {%s, radius: 1, side: inside}}}\n"
                   "contacts: [{between: all}]\nsteps: [{dynamics: {step: 1e-3, end: 4}}]\n",
                   round[k].body, round[k].obstacle);
        double before = energy_of(&scene);
        scene_run(&scene);
        const StickStatistics *record = &scene.run->record;
        bool is_box = k == 3;
        assert_near(energy_of(&scene), before, (is_box ? 2e-4 : 1e-9) * before);
        assert_below(record->depth, 1e-5);
        assert_below(record->sunk, is_box ? 2e-4 : 1e-9);
        check_books(&scene);
        scene_close(&scene);
    }
}

// Loaded by their weight, without friction and rolling.
static void balls_keep_swinging_in_bowls(void **state)
{
    for (int rolls = 0; rolls < 2; rolls++) {
        Scene scene;
        scene_open(
            &scene, *state,
            "materials: {stone: {density: 1000}}\n"
            "bodies: {b: {rigid: {disk: 0.1}, position: [0.45, \"-0.9*sqrt(0.75)\"], material: stone}}\n"
            "obstacles: {o: {circle: {centre: [0, 0], radius: 1, side: inside}}}\ngravity: [0, -9.81]\n"
            "contacts: [{between: all, friction: %d}]\nsteps: [{dynamics: {step: 1e-3, end: 10}}]\n",
            10 * rolls);
        scene_run(&scene);
        const double *v = v_of(&scene, 0), height = q_of(&scene, 0)[1];
        double energy = energy_of(&scene) + 0.5 * 0.5 * 0.01 * v[2] * v[2] + 9.81 * height;
        assert_near(energy, 0, 1e-4 * 9.81);
        assert_below(scene.run->record.sunk, 1e-6);
        check_books(&scene);
        scene_close(&scene);
    }
}

// A body that is inside of another one by a tenth when they are first seen to touch is told, with how deep it is; slower ones
// are not, and faster ones are stopped at the surface.
static void depth_at_first_sight_is_told(void **state)
{
    static const double speed[] = {-1, -1.9, -6}, depth[] = {0.005, 0.0165, 0};
    for (int k = 0; k < 3; k++) {
        Scene scene;
        size_t told = stick_diagnostic_count(*state);
        scene_open(&scene, *state,
                   "materials: {stone: {density: 1000}}\n"
                   "bodies: {b: {rigid: {box: [0.1, 0.1]}, position: [0, 0.1], velocity: [0, %g], material: "
                   "stone}}\n"
                   "obstacles: {floor: {plane: {point: [0, 0], normal: [0, 1]}}}\n"
                   "contacts: [{between: all}]\nsteps: [{dynamics: {step: 1e-2, end: 0.2}}]\n",
                   speed[k]);
        scene_run(&scene);
        assert_int_equal(stick_diagnostic_count(*state) - told, k == 1);
        // looked at after odd halves of steps: 0.005, ..., 0.045, 0.055; 0.0095, 0.0285, 0.0475, 0.0665
        assert_near(scene.run->record.depth, depth[k], 1e-9);
        assert_below(scene.run->record.sunk, 1e-12);
        scene_close(&scene);
    }
}

// The rim of a roller has no chord in a tube: what it would sink in by, 2 % of its thickness, is corrected without a load, too.
static void rollers_do_not_sink_into_tubes(void **state)
{
    Scene scene;
    size_t told = stick_diagnostic_count(*state);
    scene_open(&scene, *state,
               "materials: {stone: {density: 1000}}\n"
               "bodies: {b: {rigid: {cylinder: {radius: 0.1, length: 0.4}}, rotation: [deg(90), 0, 0],\n"
               "  position: [0, 0, -0.9], velocity: [3, 0, 0], material: stone}}\n"
               "obstacles: {o: {cylinder: {point: [0, 0, 0], axis: [0, 1, 0], radius: 1, side: inside}}}\n"
               "contacts: [{between: all}]\nsteps: [{dynamics: {step: 2e-3, end: 1}}]\n");
    double before = energy_of(&scene);
    scene_run(&scene);
    assert_int_equal(stick_diagnostic_count(*state) - told, 0);
    assert_below(scene.run->record.sunk, 2e-4);
    assert_below(energy_of(&scene), before * (1 + 1e-9));
    check_books(&scene);
    scene_close(&scene);
}

// Plates that land on their edges, without a load and without restitution: they lie on the surface in the end, thick and thin ones,
// on a plane and on another body, and were never in it by more than a quarter.
static void plates_come_out_without_loads(void **state)
{
    static const double thick[] = {0.02, 5e-3, 5e-4}, speed[] = {1, 5, 30}, tilt[] = {0.05, 0.3};
    for (int k = 0; k < 2 * 2 * 18; k++) {
        Scene scene;
        int dim = 2 + k % 2;
        bool on_body = k / 2 % 2;
        double t = thick[k / 4 % 3], v = speed[k / 12 % 3], a = tilt[k / 36];
        char body[200], other[300];
        if (dim == 2)
            snprintf(body, sizeof body,
                     "{box: [0.15, %g], mass: 1}, position: [0, 0.3], velocity: [0, %g], rotation: %g", t, -v,
                     a);
        else
            snprintf(body, sizeof body,
                     "{box: [0.15, 0.1, %g], mass: 1}, position: [0, 0, 0.3], velocity: [0, 0, %g], "
                     "rotation: [0, %g, %g]",
                     t, -v, a, a / 3);
        if (on_body)
            snprintf(other, sizeof other,
                     "  w: {rigid: {box: [2, %s0.02], mass: 1}, position: [0, %s-0.01]}\n"
                     "supports: [{on: w, velocity: [0, 0%s], angular-velocity: %s}]\n",
                     dim == 2 ? "" : "2, ", dim == 2 ? "" : "0, ", dim == 2 ? "" : ", 0",
                     dim == 2 ? "0" : "[0, 0, 0]");
        else
            snprintf(other, sizeof other, "obstacles: {f: {plane: {point: [0, 0%s], normal: [0, %s1]}}}\n",
                     dim == 2 ? "" : ", 0", dim == 2 ? "" : "0, ");
        scene_open(&scene, *state,
                   "bodies:\n  d: {rigid: %s}\n%scontacts: [{between: all, friction: 0.2}]\n"
                   "steps: [{dynamics: {step: 1e-2, end: 1.3}}]\n",
                   body, other);
        scene_run(&scene);
        assert_near(0.3 + q_of(&scene, 0)[dim - 1], 0.5 * t, 2e-5);
        assert_below(scene.run->record.penetration, 1e-7);
        assert_below(scene.run->record.depth_part, 0.25);
        check_books(&scene);
        scene_close(&scene);
    }
}

// Small bodies that fall with long steps enter by a quarter of their thickness. A ball comes out again; a hull that tumbles on a
// sphere and a roller in a bowl, whose points of contact change from step to step, sink no farther under
// their weight (without a correction by 108 and 58 mm).
static void what_falls_does_not_sink(void **state)
{
    static const struct {
        const char *body, *obstacle;
        double z,
            accuracy; // displacement of the centre until it touches; the hull still slides, 3 mm too deep
    } fall[] = {
        {"{sphere: 0.01, mass: 0.3}, position: [0, 0, 0.03]", "plane: {point: [0, 0, 0], normal: [0, 0, 1]}",
         -0.02, 1e-9},
        {"{hull: [[-0.01, -0.01, -0.01], [0.01, -0.01, -0.01], [0, 0.012, -0.01], [0, 0, 0.012]], mass: 0.3},"
         " position: [0, 0, 0.03], rotation: [0.84, 0.25, 0]",
         "sphere: {centre: [0, 0, -1], radius: 1}", -0.0187, 0.005},
        {"{cylinder: {radius: 0.01, length: 0.02}, mass: 0.3}, position: [0, 0.001, -0.9],"
         " rotation: [3.36, 1.01, 0], velocity: [0, 0, -2]",
         "sphere: {centre: [0, 0, 0], radius: 1, side: inside}", -0.09, 0.002},
    };
    for (size_t k = 0; k < sizeof fall / sizeof *fall; k++) {
        Scene scene;
        scene_open(&scene, *state,
                   "bodies: {b: {rigid: %s}}\nobstacles: {o: {%s}}\ngravity: [0, 0, -9.81]\n"
                   "contacts: [{between: all}]\nsteps: [{dynamics: {step: 5e-3, end: 1}}]\n",
                   fall[k].body, fall[k].obstacle);
        scene_run(&scene);
        assert_near(q_of(&scene, 0)[2], fall[k].z, fall[k].accuracy);
        check_books(&scene);
        scene_close(&scene);
    }
}

// A box and a tower that fall a little and end inside of what they fell on: each island is corrected by itself, whatever the
// tower needs, and the tower comes out everywhere as well.
static void towers_do_not_hold_up_corrections(void **state)
{
    for (int dim = 2; dim <= 3; dim++) {
        enum { MOST = 40 };
        int n = dim == 2 ? MOST : 12;
        char tower[MOST * 110], *end = tower;
        const char *y = dim == 2 ? "" : "0, ", *size = dim == 2 ? "" : ", 0.1";
        for (int i = 0; i < n; i++)
            end += sprintf(end,
                           "  t%d: {rigid: {box: [0.1, 0.1%s], mass: 1}, position: [5, %s%.8g], velocity: "
                           "[0, %s-0.5]}\n",
                           i, size, y, 0.0503 + 0.1001 * i, y);
        Scene scene;
        scene_open(
            &scene, *state,
            "bodies:\n  s: {rigid: {box: [0.1, 0.1%s], mass: 1}, position: [0, %s0.0503], velocity: [0, "
            "%s-0.5]}\n%s"
            "obstacles: {ground: {plane: {point: [0, %s0], normal: [0, %s1]}}}\ngravity: [0, %s-9.81]\n"
            "contacts: [{between: all, friction: 0.3}]\nsteps: [{dynamics: {step: 1e-3, end: 0.5}}]\n",
            size, y, y, tower, y, y, y);
        scene_run(&scene);
        assert_near(q_of(&scene, 0)[dim - 1], 0.05 - 0.0503, 1e-7);
        for (int i = 0; i < n; i++)
            assert_near(q_of(&scene, 1 + i)[dim - 1], 0.05 + 0.1 * i - (0.0503 + 0.1001 * i), 1e-6);
        assert_below(scene.run->record.penetration, 1e-7);
        check_books(&scene);
        scene_close(&scene);
    }
}

// A box slides over the floor of an angle against its wall: what the impact leaves is corrected, and it rests without a tilt.
static void boxes_rest_in_angles_without_tilt(void **state)
{
    static const double speed[] = {0.8, 1.2, 1.6, 2, 3.1};
    for (size_t k = 0; k < sizeof speed / sizeof *speed; k++) {
        Scene scene;
        scene_open(&scene, *state,
                   "bodies:\n"
                   "  angle: {rigid: {compound: [{box: [2.4, 0.2], position: [0.2, -0.1]}, {box: [0.2, 1], "
                   "position: [1.1, 0.5]}], mass: 10}}\n"
                   "  box: {rigid: {box: [0.4, 0.3], mass: 2}, position: [0.5, 0.15], velocity: [%g, 0]}\n"
                   "supports: [{on: angle, displacement: [0, 0], rotation: 0}]\ngravity: [0, -10]\n"
                   "contacts: [{between: all, friction: 0.1}]\n"
                   "steps: [{dynamics: {scheme: moreau, step: 0.01, end: 3}}]\n",
                   speed[k]);
        scene_run(&scene);
        assert_near(q_of(&scene, 1)[0], 0.3, 1e-7);
        assert_near(q_of(&scene, 1)[1], 0, 1e-7);
        assert_near(q_of(&scene, 1)[2], 0, 1e-12);
        check_books(&scene);
        scene_close(&scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(bodies_circle_in_hollows_for_good),
        test_with_context(balls_keep_swinging_in_bowls),
        test_with_context(depth_at_first_sight_is_told),
        test_with_context(rollers_do_not_sink_into_tubes),
        test_with_context(plates_come_out_without_loads),
        test_with_context(boxes_rest_in_angles_without_tilt),
        test_with_context(what_falls_does_not_sink),
        test_with_context(towers_do_not_hold_up_corrections),
    };
    return cmocka_run_group_tests_name("stepping.penetration_monitor", tests, NULL, NULL);
}
