// SPDX-License-Identifier: Apache-2.0
// Bodies that supports leave free to move or turn as a whole are found by their rigid displacements.
#include "condense/loose.h"
#include "drive/scene.h"

static void assert_loose(StickContext *ctx, const char *body, const char *supports, bool loose)
{
    Scene scene;
    scene_open(&scene, ctx,
               "materials: {soft: {young: 1e6, poisson: 0.3, density: 1000}}\n"
               "bodies: {body: {mesh: {%s}, material: soft}}\n"
               "supports: [%s]\n"
               "steps: [{dynamics: {step: 1e-3, end: 1}}]\n",
               body, supports);
    if (stick_loose(scene.system, &scene.run->supports, 0) != loose)
        print_error("%s with %s\n", body, supports);
    assert_int_equal(stick_loose(scene.system, &scene.run->supports, 0), loose);
    scene_close(&scene);
}

static void in_one_dimension(void **state)
{
    const char *bar = "bar: {length: 2, elements: 3}";
    assert_loose(*state, bar, "", true);
    assert_loose(*state, bar, "{on: body.start, displacement: [0]}", false);
}

static void in_the_plane(void **state)
{
    const char *plate = "rectangle: {size: [2, 1], cells: [2, 2], origin: [100, -50]}";
    assert_loose(*state, plate, "{on: body.left, displacement: [0, free]}", true);
    assert_loose(*state, plate, "{on: body.bottom-left, displacement: [0, 0]}", true); // turns about it
    assert_loose(
        *state, plate,
        "{on: body.bottom-left, displacement: [0, 0]}, {on: body.bottom-right, displacement: [0, free]}",
        true); // turns to first order
    assert_loose(
        *state, plate,
        "{on: body.bottom-left, displacement: [0, 0]}, {on: body.bottom-right, displacement: [free, 0]}",
        false);
    assert_loose(*state, plate, "{on: body.top, displacement: [0, 0]}", false);
}

static void in_space(void **state)
{
    const char *box = "box: {size: [1, 2, 3], cells: [1, 2, 1]}";
    assert_loose(*state, box, "{on: body.bottom, displacement: [free, free, 0]}", true);
    assert_loose(
        *state, box,
        "{on: body.bottom, displacement: [free, free, 0]}, {on: body.left, displacement: [0, free, free]}",
        true);
    assert_loose(
        *state, box,
        "{on: body.bottom, displacement: [free, free, 0]}, {on: body.left, displacement: [0, free, free]},"
        "{on: body.front, displacement: [free, 0, free]}",
        false);
    assert_loose(*state, box, "{on: body.top, displacement: [0, 0, 0]}", false);
}

static void rings(void **state)
{
    Scene scene;
    for (int held = 0; held < 2; held++) {
        scene_open(&scene, *state,
                   "materials: {soft: {young: 1e6, poisson: 0.3, density: 1000}}\n"
                   "bodies: {ring: {mesh: {rectangle: {size: [1, 1], cells: [2, 2], origin: [1, 0]}},\n"
                   "                plane: axisymmetric, material: soft}}\n"
                   "supports: [{on: ring.bottom, displacement: %s}]\n"
                   "steps: [{dynamics: {step: 1e-3, end: 1}}]\n",
                   held ? "[free, 0]" : "[0, free]");
        assert_int_equal(stick_loose(scene.system, &scene.run->supports, 0), !held);
        scene_close(&scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(in_one_dimension),
        test_with_context(in_the_plane),
        test_with_context(in_space),
        test_with_context(rings),
    };
    return cmocka_run_group_tests_name("loose", tests, NULL, NULL);
}
