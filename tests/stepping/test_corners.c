// SPDX-License-Identifier: Apache-2.0
// Corners, blunt wedges and coarse outlines of either surface, pressed into the other one: none passes unseen, whichever surface
// comes first, by nodes and integrated.
#include "stepping/scene.h"

#include <math.h>

#define MATERIALS                                                           \
    "materials: {a: {young: 1e9, poisson: 0.3, density: 1000}, b: {young: " \
    "1e7, poisson: 0.3, density: 1000}}\n"
#define PLATE \
    "  p: {material: b, mesh: {rectangle: {size: [0.2, 0.05], cells: [20, 5], origin: [-0.1, -0.05]}}}\n"

static const char *const methods[] = {"method: nodes", "method: integrated"};

static double pressed(const Scene *scene)
{
    while (!stick_simulation_is_done(scene->run))
        scene_step(scene);
    return scene_force(scene);
}

// A block turned by an angle (deg), whose lowest corner is at x, is pressed into a plate by 2 % of its sides.
static double press_block(StickContext *ctx, double angle, double x, int n, bool plate_first, int method)
{
    Scene scene;
    scene_open(
        &scene, ctx,
        MATERIALS
        "bodies:\n"
        "  blk: {material: a, mesh: {rectangle: {size: [0.02, 0.02], cells: [%d, %d]}}, rotation: %.17g, "
        "position: [%g, 0]}\n" PLATE "supports:\n"
        "  - {on: p.bottom, displacement: [0, 0]}\n"
        "  - {on: blk.top, displacement: [0, \"-0.0002*t\"]}\n"
        "  - {on: blk.right, displacement: [0, \"-0.0002*t\"]}\n"
        "contacts: [{between: [%s], friction: 0, %s}]\n"
        "steps: [{quasistatic: {end: 1, increments: 2}}]\n",
        n, n, angle * M_PI / 180, x, plate_first ? "p.top, blk.boundary" : "blk.boundary, p.top",
        methods[method]);
    double force = pressed(&scene);
    scene_close(&scene);
    return force;
}

static void a_corner_has_one_force_in_both_orders(void **state)
{
    static const double angles[] = {2, 5, 10, 30, 45, 80, 85}, places[] = {0, 0.0013, 0.005};
    double least = INFINITY, most = 0;
    for (int a = 0; a < 7; a++)
        for (int p = 0; p < 3; p++)
            for (int n = 1; n <= 4; n += 3) {
                double nodes = press_block(*state, angles[a], places[p], n, false, 0);
                assert_true(nodes > 900);
                for (int k = 0; k < 3; k++) {
                    double ratio =
                        press_block(*state, angles[a], places[p], n, k > 0, k == 1 ? 0 : 1) / nodes;
                    least = fmin(least, ratio);
                    most = fmax(most, ratio);
                }
            }
    print_message("force by that of nodes of the block: %.2f ... %.2f\n", least, most);
    assert_true(least > 0.65 && most < 1.35);
}

// Before a rigid plane: linear and quadratic elements.
static void corners_meet_planes(void **state)
{
    static const char *const elements[] = {"linear", "quadratic"};
    static const double angles[] = {1, 5, 30, 45, 85};
    for (int a = 0; a < 5; a++) {
        double force[4];
        for (int k = 0; k < 4; k++) {
            Scene scene;
            scene_open(
                &scene, *state,
                MATERIALS
                "bodies: {blk: {material: a, element: %s, mesh: {rectangle: {size: [0.02, 0.02], cells: "
                "[4, 4]}}, rotation: %.17g}}\n"
                "obstacles: {floor: {plane: {point: [0, 0], normal: [0, 1]}}}\n"
                "supports:\n"
                "  - {on: blk.top, displacement: [0, \"-0.0002*t\"]}\n"
                "  - {on: blk.right, displacement: [0, \"-0.0002*t\"]}\n"
                "contacts: [{between: [blk.boundary, floor], friction: 0.1, %s}]\n"
                "steps: [{quasistatic: {end: 1, increments: 4}}]\n",
                elements[k / 2], angles[a] * M_PI / 180, methods[k % 2]);
            force[k] = pressed(&scene);
            scene_close(&scene);
        }
        assert_true(force[0] > 5e4);
        for (int k = 1; k < 4; k++)
            assert_true(force[k] > 0.65 * force[0] && force[k] < 1.5 * force[0]);
    }
}

// A block falls on its corner at 2 m/s: it is stopped, as by nodes.
static void corners_that_fall_are_stopped(void **state)
{
    static const double angles[] = {10, 30, 45};
    for (int a = 0; a < 3; a++) {
        double deepest[3] = {0};
        for (int k = 0; k < 3; k++) {
            Scene scene;
            scene_open(&scene, *state,
                       MATERIALS
                       "bodies:\n"
                       "  blk: {material: a, mesh: {rectangle: {size: [0.02, 0.02], cells: [1, 1]}}, "
                       "rotation: %.17g, position: [0.0013, 0], velocity: [0, -2]}\n" PLATE
                       "supports: [{on: p.bottom, displacement: [0, 0]}]\n"
                       "contacts: [{between: [%s], friction: 0.1, %s}]\n"
                       "steps: [{dynamics: {scheme: modified-theta, step: 5e-6, end: 8e-4}}]\n",
                       angles[a] * M_PI / 180, k == 2 ? "p.top, blk.boundary" : "blk.boundary, p.top",
                       methods[k == 1]);
            int corner = scene_dof(&scene, 0, "bottom", 1);
            while (!stick_simulation_is_done(scene.run)) {
                scene_step(&scene);
                deepest[k] = fmin(deepest[k], scene.run->state.now.q[corner]);
            }
            scene_close(&scene);
        }
        for (int k = 0; k < 3; k++)
            assert_true(deepest[k] > 1.3 * deepest[0] && deepest[k] > -1.3e-3);
    }
}

// A rigid wedge with sides of an angle (deg) falls on the middle between two nodes: a blunt one as a sharp one.
static double drop_wedge(StickContext *ctx, double angle)
{
    double height = 0.04 * tan(angle * M_PI / 180), deepest = 0;
    Scene scene;
    scene_open(&scene, ctx,
               MATERIALS
               "bodies:\n" PLATE
               "  d: {rigid: {polygon: [[-0.04, 0], [0, -%.17g], [0.04, 0], [0, 0.04]], mass: 0.5}, "
               "position: [0.005, %.17g], velocity: [0, -1]}\n"
               "supports: [{on: p.bottom, displacement: [0, 0]}, {on: d, rotation: 0, displacement: "
               "[free, free]}]\n"
               "contacts: [{between: [p.top, d], friction: 0.1}]\n"
               "steps: [{dynamics: {step: 1e-4, end: 2e-3}}]\n",
               height, height);
    int height_dof = scene.system->body[1].first + 1;
    while (!stick_simulation_is_done(scene.run)) {
        scene_step(&scene);
        deepest = fmin(deepest, scene.run->state.now.q[height_dof]);
    }
    scene_close(&scene);
    return deepest;
}

static void blunt_wedges_do_not_pass_between_nodes(void **state)
{
    static const double angles[] = {4, 8, 12, 20, 30};
    double sharp = drop_wedge(*state, 45);
    for (int a = 0; a < 5; a++)
        assert_near(drop_wedge(*state, angles[a]), sharp, 0.3 * fabs(sharp));
}

// In space a cube on an edge or a corner, turned around x and y.
static void corners_and_edges_in_space(void **state)
{
    static const double angles[][2] = {{45, 0}, {45, 35.264}, {10, 10}, {5, 5}};
    for (int a = 0; a < 4; a++) {
        double force[4], sx = sin(angles[a][0] * M_PI / 180), cx = cos(angles[a][0] * M_PI / 180),
                         sy = sin(angles[a][1] * M_PI / 180), cy = cos(angles[a][1] * M_PI / 180);
        for (int k = 0; k < 4; k++) {
            Scene scene;
            char map[3][160];
            // turned around x, then around y
            snprintf(map[0], sizeof map[0], "0.0043 + 0.015*(%.17g*xi - %.17g*(%.17g*eta + %.17g*zeta))", cy,
                     sy, sx, cx);
            snprintf(map[1], sizeof map[1], "0.0037 + 0.015*(%.17g*eta - %.17g*zeta)", cx, sx);
            snprintf(map[2], sizeof map[2], "0.015*(%.17g*xi + %.17g*(%.17g*eta + %.17g*zeta))", sy, cy, sx,
                     cx);
            scene_open(
                &scene, *state,
                MATERIALS
                "bodies:\n"
                "  blk: {material: a, mesh: {patches: [{cells: [2, 2, 2], map: [\"%s\", \"%s\", \"%s\"]}]}}\n"
                "  p: {material: b, mesh: {box: {size: [0.06, 0.06, 0.03], cells: [6, 6, 3], origin: "
                "[-0.03, -0.03, -0.03]}}}\n"
                "supports:\n"
                "  - {on: p.bottom, displacement: [0, 0, 0]}\n"
                "  - {on: blk.top, displacement: [0, 0, \"-0.0005*t\"]}\n"
                "contacts: [{between: [%s], friction: 0, %s}]\n"
                "steps: [{quasistatic: {end: 1, increments: 2}}]\n",
                map[0], map[1], map[2], k >= 2 ? "p.top, blk.boundary" : "blk.boundary, p.top",
                methods[k % 2]);
            force[k] = pressed(&scene);
            scene_close(&scene);
        }
        print_message("%g, %g deg: %.4g %.4g %.4g %.4g N\n", angles[a][0], angles[a][1], force[0], force[1],
                      force[2], force[3]);
        assert_true(force[0] > 50);
        for (int k = 1; k < 4; k++)
            assert_true(force[k] > 0.6 * force[0] && force[k] < 1.7 * force[0]);
    }
}

// Coarse outlines: a ring and a flat pad, either first, and half a disk of four sides.
static void coarse_outlines_press_at_once(void **state)
{
    double force[2];
    for (int k = 0; k < 2; k++) {
        Scene scene;
        scene_open(
            &scene, *state,
            "materials: {iron: {young: 110e9, poisson: 0.27, density: 7100}, lining: {young: 5e9, "
            "poisson: 0.25, density: 2500}}\n"
            "bodies:\n"
            "  rim: {material: iron, mesh: {patches: [{cells: [64, 2], map: "
            "[\"(0.04+0.01*eta)*cos(-2*pi*xi)\", \"(0.04+0.01*eta)*sin(-2*pi*xi)\"], sides: {top: outer, "
            "bottom: inner}}]}}\n"
            "  pad: {material: lining, mesh: {rectangle: {size: [0.01, 0.005], cells: [4, 2], origin: "
            "[-0.005, 0.05]}}}\n"
            "supports: [{on: rim.inner, displacement: [0, 0]}, {on: pad.top, displacement: [0, "
            "\"-2e-5*t\"]}]\n"
            "contacts: [{between: [%s], friction: 0}]\n"
            "steps: [{quasistatic: {end: 1, increments: 2}}]\n",
            k ? "pad.bottom, rim.outer" : "rim.outer, pad.bottom");
        force[k] = pressed(&scene);
        scene_close(&scene);
    }
    assert_near(force[0], 7e4, 2e3);
    assert_near(force[1], force[0], 0.02 * force[0]);
    for (int k = 0; k < 2; k++) {
        Scene scene;
        scene_open(&scene, *state,
                   MATERIALS
                   "bodies:\n"
                   "  d: {material: a, mesh: {disk: {radius: 0.03, core: [2, 2], rings: 2, part: half, "
                   "centre: [0.0013, 0.03]}}}\n" PLATE
                   "supports: [{on: p.bottom, displacement: [0, 0]}, {on: d.top, displacement: [0, "
                   "\"-0.001*t\"]}]\n"
                   "contacts: [{between: [d.lower, p.top], friction: 0.1, %s}]\n"
                   "steps: [{quasistatic: {end: 1, increments: 4}}]\n",
                   methods[k]);
        force[k] = pressed(&scene);
        scene_close(&scene);
    }
    assert_true(force[0] > 4000);
    assert_near(force[1], force[0], 0.05 * force[0]);
}

static void failing_memory(void **state)
{
    (void)state;
    static char text[] =
        "stickslip: 1\n" MATERIALS "bodies:\n"
        "  blk: {material: a, mesh: {rectangle: {size: [0.02, 0.02], cells: [1, 1]}}, rotation: 0.5}\n" PLATE
        "supports: [{on: p.bottom, displacement: [0, 0]}, {on: blk.top, displacement: [0, \"-1e-4*t\"]}]\n"
        "contacts: [{between: [blk.boundary, p.top]}]\n"
        "steps: [{quasistatic: {end: 1, increments: 3}}]\n";
    assert_survives_failing_memory(scene_three_steps, text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(a_corner_has_one_force_in_both_orders),
        test_with_context(corners_meet_planes),
        test_with_context(corners_that_fall_are_stopped),
        test_with_context(blunt_wedges_do_not_pass_between_nodes),
        test_with_context(corners_and_edges_in_space),
        test_with_context(coarse_outlines_press_at_once),
        test_with_context(failing_memory),
    };
    return cmocka_run_group_tests_name("stepping.corners", tests, NULL, NULL);
}
