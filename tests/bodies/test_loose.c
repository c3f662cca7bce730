// SPDX-License-Identifier: Apache-2.0
// Bodies that supports leave free to move or turn as a whole are found by their rigid displacements.
#include "bodies/loose.h"
#include "stepping/scene.h"

static void assert_loose(StickContext *ctx, const char *body, const char *supports, bool loose)
{
    Scene scene;
    scene_open(&scene, ctx,
               "materials: {soft: {young: 1e6, poisson: 0.3, density: 1000}}\n"
               "bodies: {body: {mesh: {%s}, material: soft}}\n"
               "supports: [%s]\n"
               "steps: [{dynamics: {step: 1e-3, end: 1}}]\n",
               body, supports);
    StickLoose found;
    assert_ok(ctx, stick_loose_find(ctx, scene.system->body, &scene.run->supports, &found));
    if ((found.motions > 0) != loose)
        print_error("%s with %s\n", body, supports);
    assert_int_equal(found.motions > 0, loose);
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
        StickLoose found;
        assert_ok(*state, stick_loose_find(*state, scene.system->body, &scene.run->supports, &found));
        assert_int_equal(found.motions, !held);
        if (!held)
            assert_string_equal(found.text, "it can move along y");
        scene_close(&scene);
    }
}

// ---- which motions, of which part

#define PLATE "{cells: [2, 2], corners: [[0, 0], [2, 0], [2, 2], [0, 2]], name: first, sides: {left: wall}}"
#define APART                                                                                               \
    "{cells: [2, 1], corners: [[3, 0], [5, 0], [5, 1], [3, 1]], name: second, sides: {right: tip, bottom: " \
    "foot}}"
#define CORNER                                                                                              \
    "{cells: [2, 1], corners: [[2, 2], [4, 2], [4, 3], [2, 3]], name: second, sides: {right: tip, bottom: " \
    "foot}}"

static void free_motions_are_named_with_their_part(void **state)
{
    static const struct {
        const char *mesh, *supports, *says[3];
        int motions, nparts;
    } cases[] = {
        {"rectangle: {size: [2, 1], cells: [2, 2]}", "", {"it can move along x and y and turn"}, 3, 1},
        {"rectangle: {size: [2, 1], cells: [2, 2]}",
         "{on: b.left, displacement: [0, free]}",
         {"it can move along y"},
         1,
         1},
        {"rectangle: {size: [2, 1], cells: [2, 2]}",
         "{on: b.top-left, displacement: [0, 0]}",
         {"it can turn"},
         1,
         1},
        {"box: {size: [1, 2, 3], cells: [1, 2, 1]}",
         "",
         {"it can move along x and y and z and turn about x and y and z"},
         6,
         1},
        {"box: {size: [1, 2, 3], cells: [1, 2, 1]}",
         "{on: b.bottom, displacement: [free, free, 0]}",
         {"it can move along x and y and turn about z"},
         3,
         1},
        // two parts: the second one is free, or held in a few directions only
        {"patches: [" PLATE ", " APART "]",
         "{on: b.wall, displacement: [0, 0]}",
         {"its mesh is in parts that are not connected",
          "2 elements and 6 nodes within (3 to 5, 0 to 1), with the group 'second', can",
          "move along x and y and turn"},
         3,
         2},
        {"patches: [" PLATE ", " APART "]",
         "{on: b.wall, displacement: [0, 0]}, {on: b.foot, displacement: [free, 0]}",
         {"(3 to 5, 0 to 1)", "can move along x", ""},
         1,
         2},
        {"patches: [" PLATE ", " APART "]",
         "{on: b.tip, displacement: [0, 0]}",
         {"with the group 'first'", "(0 to 2, 0 to 2)", ""},
         3,
         2},
        {"patches: [" PLATE ", " APART "]",
         "{on: b.wall, displacement: [0, 0]}, {on: b.tip, displacement: [0, 0]}",
         {NULL},
         0,
         2},
        // parts that share one node are a hinge
        {"patches: [" PLATE ", " CORNER "]",
         "{on: b.wall, displacement: [0, 0]}",
         {"parts of its mesh share nodes, but no sides", "(2 to 4, 2 to 3)", "can turn"},
         1,
         1},
        {"patches: [" PLATE ", " CORNER "]",
         "{on: b.wall, displacement: [0, 0]}, {on: b.foot, displacement: [free, 0]}",
         {NULL},
         0,
         1},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        Scene scene;
        StickLoose found;
        scene_open(&scene, *state,
                   "materials: {soft: {young: 1e6, poisson: 0.3, density: 1000}}\n"
                   "bodies: {b: {mesh: {%s}, material: soft}}\nsupports: [%s]\n"
                   "steps: [{dynamics: {step: 1e-3, end: 1}}]\n",
                   cases[k].mesh, cases[k].supports);
        assert_ok(*state, stick_loose_find(*state, scene.system->body, &scene.run->supports, &found));
        assert_int_equal(found.motions, cases[k].motions);
        assert_int_equal(found.nparts, cases[k].nparts);
        for (int j = 0; j < 3 && cases[k].says[j]; j++) {
            if (!strstr(found.text, cases[k].says[j]))
                print_error("%s\nnot: %s\n", found.text, cases[k].says[j]);
            assert_non_null(strstr(found.text, cases[k].says[j]));
        }
        scene_close(&scene);
    }
}

// A part of 1e-6 of the size of the body, far from its first node.
static void small_parts_are_judged_in_their_own_size(void **state)
{
    for (int held = 0; held < 2; held++) {
        Scene scene;
        StickLoose found;
        scene_open(&scene, *state,
                   "materials: {soft: {young: 1e6, poisson: 0.3, density: 1000}}\n"
                   "bodies: {b: {mesh: {patches: [" PLATE
                   ", {cells: [1, 1], corners: [[900, 700], [900.002, 700], [900.002, 700.001], [900, "
                   "700.001]], sides: {left: chip}}]}, "
                   "material: soft}}\nsupports: [{on: b.wall, displacement: [0, 0]}, {on: b.chip, "
                   "displacement: [%s, 0]}]\n"
                   "steps: [{dynamics: {step: 1e-3, end: 1}}]\n",
                   held ? "0" : "free");
        assert_ok(*state, stick_loose_find(*state, scene.system->body, &scene.run->supports, &found));
        assert_int_equal(found.motions, held ? 0 : 2);
        scene_close(&scene);
    }
}

// Quasistatics names the part; modes warn of it.
static void assert_said(StickContext *ctx, const char *text)
{
    bool said = false;
    for (size_t k = 0; k < stick_diagnostic_count(ctx); k++)
        said = said || strstr(stick_diagnostic(ctx, k)->text, text);
    assert_true(said);
}

static void steps_name_the_part(void **state)
{
    Scene scene;
    static const char text[] = "stickslip: 1\nmaterials: {soft: {young: 1e6, poisson: 0.3, density: 1000}}\n"
                               "bodies: {b: {mesh: {patches: [" PLATE ", " APART "]}, material: soft%s}}\n"
                               "supports: [{on: b.wall, displacement: [0, 0]}]\n"
                               "steps: [%s]\n";
    static const char *const steps[] = {"{quasistatic: {end: 1, increments: 1}}",
                                        "{steady-sliding: {end: 1}}"};
    char model[2000];
    for (int k = 0; k < 2; k++) {
        snprintf(model, sizeof model, text, "", steps[k]);
        StickStatus status = scene_try(&scene, *state, model);
        if (status == STICK_OK) {
            status = stick_simulation_step(scene.run);
            scene_close(&scene);
        }
        assert_int_equal(status, STICK_BAD_INPUT);
        assert_non_null(strstr(stick_last_error(*state), "body 'b' is not held by its supports"));
        assert_non_null(
            strstr(stick_last_error(*state), "with the group 'second', can move along x and y and turn"));
    }
    stick_diagnostics_clear(*state);
    snprintf(model, sizeof model, text, ", modes: {count: 6}", "{dynamics: {step: 1e-3, end: 1}}");
    assert_ok(*state, scene_try(&scene, *state, model));
    assert_said(*state, "3 modes of frequency 0");
    assert_said(*state, "with the group 'second', can move");
    scene_close(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(in_one_dimension),
        test_with_context(in_the_plane),
        test_with_context(in_space),
        test_with_context(rings),
        test_with_context(free_motions_are_named_with_their_part),
        test_with_context(small_parts_are_judged_in_their_own_size),
        test_with_context(steps_name_the_part),
    };
    return cmocka_run_group_tests_name("loose", tests, NULL, NULL);
}
