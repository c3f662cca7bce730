// SPDX-License-Identifier: Apache-2.0
// Bodies that slide along chains of segments: into a nook, and over the end.
#include "stepping/scene.h"

static const char block[] =
    "materials: {m: {young: 1e8, poisson: 0.3, density: 1000}}\n"
    "bodies: {b: {mesh: {rectangle: {size: [0.2, 0.1], cells: [4, 2], origin: [0.31, 0]}}, material: m, "
    "velocity: [%g, 0]}}\n"
    "gravity: [0, -9.81]\n"
    "%s"
    "steps: [{dynamics: {scheme: theta-euler, theta: 0.55, step: 1e-3, end: 1}}]\n";

static void open_block(Scene *scene, StickContext *ctx, double speed, const char *obstacles)
{
    char text[1000];
    snprintf(text, sizeof text, block, speed, obstacles);
    scene_open(scene, ctx, "%s", text);
}

// A block slides along the floor into the wall: one chain with a nook is the same as a wall and a floor.
static void a_nook_is_a_wall_and_a_floor(void **state)
{
    Scene chain, planes;
    open_block(&chain, *state, -10,
               "obstacles: {v: {polyline: {points: [[0, 1], [0, 0], [2, 0]]}}}\n"
               "contacts: [{between: [b.boundary, v], friction: 0}]\n");
    open_block(
        &planes, *state, -10,
        "obstacles: {v: {plane: {point: [0, 0], normal: [1, 0]}}, w: {plane: {point: [0, 0], normal: "
        "[0, 1]}}}\n"
        "contacts: [{between: [b.boundary, v], friction: 0}, {between: [b.boundary, w], friction: 0}]\n");
    scene_steps(&chain, 60);
    scene_steps(&planes, 60);
    const double *q = chain.run->state.now.q, *exact = planes.run->state.now.q;
    for (int d = 0; d < chain.system->ndofs; d++)
        assert_near(q[d], exact[d], 1e-10);
    // It has been at the wall and is on its way back, and nothing has gone through.
    assert_true(scene_mean(&chain, 0, 0, chain.run->state.now.v) > 1);
    for (int i = 0; i < chain.system->body[0].mesh.nnodes; i++) {
        double place[3];
        stick_body_place(&chain.system->body[0], 2, i, q, place);
        assert_true(place[0] > -1e-12 && place[1] > -1e-12);
    }
    scene_close(&chain);
    scene_close(&planes);
}

// Over the end of a chain there is nothing: the block falls freely once its last node has left.
static void a_block_falls_over_the_end_of_a_chain(void **state)
{
    Scene scene;
    open_block(&scene, *state, 5,
               "obstacles: {v: {polyline: {points: [[0, 0], [1, 0]]}}}\n"
               "contacts: [{between: [b.boundary, v], friction: 0}]\n");
    // On the floor until its front is over the end at t = 0.098.
    scene_steps(&scene, 90);
    assert_near(scene_mean(&scene, 0, 1, scene.run->state.now.q), 0, 1e-4);
    scene_steps(&scene, 110);
    double v0 = scene_mean(&scene, 0, 1, scene.run->state.now.v);
    scene_steps(&scene, 100);
    assert_near(scene_force(&scene), 0, 0);
    assert_near(scene_mean(&scene, 0, 1, scene.run->state.now.v), v0 - 9.81 * 0.1, 1e-9);
    assert_true(scene_mean(&scene, 0, 1, scene.run->state.now.q) < -0.05);
    scene_close(&scene);
}

// ---- what is first seen inside, and what is not seen at all

static int said(StickContext *ctx, const char *words)
{
    int count = 0;
    for (size_t k = 0; k < stick_diagnostic_count(ctx); k++)
        count += strstr(stick_diagnostic(ctx, k)->text, words) != NULL;
    return count;
}

// A floor that touches at the start and rises: the body follows it exactly, by every scheme.
static void a_floor_that_rises_lifts_all_of_its_way(void **state)
{
    const char *schemes[] = {"theta, theta: 0.55", "theta-euler, theta: 0.55", "modified-theta, theta: 0.55"};
    for (int k = 0; k < 3; k++) {
        Scene scene;
        scene_open(&scene, *state,
                   "materials: {s: {young: 1e7, poisson: 0.3, density: 1000, rayleigh: {mass: 400, "
                   "stiffness: 1e-3}}}\n"
                   "bodies: {b: {mesh: {rectangle: {size: [0.2, 0.1], cells: [4, 2]}}, material: s, plane: "
                   "strain}}\n"
                   "supports: [{on: b.top, displacement: [0, 0]}]\n"
                   "obstacles: {floor: {plane: {point: [0, 0], normal: [0, 1]}, displacement: [0, "
                   "\"0.1*min(t, 0.01)\"]}}\n"
                   "contacts: [{between: [b.bottom, floor]}]\n"
                   "steps: [{dynamics: {scheme: %s, step: 1e-3, end: 0.1}}]\n",
                   schemes[k]);
        scene_steps(&scene, 100);
        assert_near(scene.run->state.now.q[scene_dof(&scene, 0, "bottom", 1)], 1e-3, 1e-12);
        assert_near(scene.run->record.depth, 0, 1e-12);
        scene_close(&scene);
    }
}

// Blocks that start a little inside of each other are not thrown apart.
static void small_overlap_at_the_start_is_kept(void **state)
{
    Scene scene;
    scene_open(&scene, *state,
               "materials: {s: {young: 1e7, poisson: 0.3, density: 1000}}\n"
               "bodies: {a: {mesh: {rectangle: {size: [0.4, 0.1], cells: [8, 2], origin: [-0.1, -0.1]}}, "
               "material: s},\n"
               "         b: {mesh: {rectangle: {size: [0.2, 0.1], cells: [4, 2], origin: [0, -0.001]}}, "
               "material: s}}\n"
               "supports: [{on: a.bottom, displacement: [0, 0]}]\n"
               "contacts: [{between: [b.bottom, a.top]}]\n"
               "steps: [{dynamics: {scheme: theta-euler, theta: 0.55, step: 1e-4, end: 0.1}}]\n");
    scene_steps(&scene, 100);
    assert_near(scene.run->record.depth, 0.001, 1e-12);
    assert_near(scene_energy(&scene), 0, 1e-12);
    assert_int_equal(said(*state, "overlaps with what it touches by 0.001 at the start"), 1);
    scene_close(&scene);
}

// A corner of the second surface that sinks into the first body through a side that is in no pair is said; through a side
// that is, it does not sink in, in whichever order the pair is given.
static void corners_that_no_contact_sees_are_said(void **state)
{
    static const char *const pairs[] = {"[{between: [wide.left, peg.top], method: nodes}]",
                                        "[{between: [wide.bottom, peg.top], method: nodes}]",
                                        "[{between: [peg.top, wide.bottom], method: nodes}]",
                                        ("[{between: [wide.bottom, peg.top], method: nodes}, {between: "
                                         "[peg.top, wide.bottom], method: nodes}]")};
    for (int k = 0; k < 4; k++) {
        Scene scene;
        stick_diagnostics_clear(*state);
        scene_open(
            &scene, *state,
            "materials: {s: {young: 1e7, poisson: 0.3, density: 1000}}\n"
            "bodies: {wide: {mesh: {rectangle: {size: [1, 0.2], cells: [4, 2], origin: [-0.5, 0]}}, "
            "material: s,\n"
            "                velocity: [0, -1]},\n"
            "         peg: {mesh: {rectangle: {size: [0.1, 0.2], cells: [2, 4], origin: [0.05, -0.2]}}, "
            "material: s}}\n"
            "supports: [{on: peg.bottom, displacement: [0, 0]}]\n"
            "contacts: %s\n"
            "steps: [{dynamics: {scheme: theta-euler, theta: 0.55, step: 1e-3, end: 1}, solver: lemke}]\n",
            pairs[k]);
        scene_steps(&scene, 60);
        assert_int_equal(said(*state, "this pair does not see it"), k == 0);
        // it falls through the peg, or is stopped by it
        assert_true((scene_mean(&scene, 0, 1, scene.run->state.now.q) < -0.05) == (k == 0));
        scene_close(&scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(a_nook_is_a_wall_and_a_floor),
        test_with_context(a_block_falls_over_the_end_of_a_chain),
        test_with_context(a_floor_that_rises_lifts_all_of_its_way),
        test_with_context(small_overlap_at_the_start_is_kept),
        test_with_context(corners_that_no_contact_sees_are_said),
    };
    return cmocka_run_group_tests_name("stepping.sliding", tests, NULL, NULL);
}
