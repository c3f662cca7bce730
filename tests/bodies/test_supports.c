// SPDX-License-Identifier: Apache-2.0
// Supports: prescribed motion is followed by every scheme, and reactions are the forces that it takes.
#include "stepping/scene.h"

static const char *const schemes[] = {
    "scheme: theta, theta: 0.5",
    "scheme: theta, theta: 0.55",
    "scheme: theta, theta: 1",
    "scheme: theta-euler, theta: 0.5",
    "scheme: theta-euler, theta: 1",
    "scheme: modified-theta, theta: 0.5",
    "scheme: modified-theta, theta: 0.7",
    "scheme: newmark",
    "scheme: newmark, beta: 0.3025, gamma: 0.6",
};
enum { NSCHEMES = sizeof schemes / sizeof *schemes };

static void open_bar(Scene *scene, StickContext *ctx, const char *motion, const char *scheme)
{
    scene_open(scene, ctx,
               "materials: {soft: {law: elastic, young: 1e6, poisson: 0, density: 1000, rayleigh: "
               "{stiffness: 1e-3}}}\n"
               "bodies: {bar: {mesh: {bar: {length: 1, elements: 5}}, material: soft}}\n"
               "supports: [{on: bar.start, %s}]\n"
               "steps: [{dynamics: {%s, step: 1e-3, end: 1}}]\n",
               motion, scheme);
}

// A ramp with a kink at 10.3 steps: the place has no drift, and the velocity has its new value at once and
// keeps it. Only Newmark's scheme with beta != gamma/2 carries the jump of the acceleration on, by (1 -
// gamma)/gamma per step.
static void kinked_ramp_is_followed_without_noise(void **state)
{
    for (int k = 0; k < NSCHEMES; k++) {
        Scene scene;
        open_bar(&scene, *state, "displacement: [\"0.2*t - 0.5*max(t - 0.0103, 0)\"]", schemes[k]);
        int dof = scene_dof(&scene, 0, "start", 0);
        for (int i = 0; i < 300; i++) {
            scene_step(&scene);
            const StickMotion *now = &scene.run->state.now;
            double place = 0.2 * now->t - 0.5 * fmax(now->t - 0.0103, 0);
            double velocity = now->t < 0.0103 ? 0.2 : -0.3;
            double near_kink = fabs(now->t - 0.0103) < 3e-3 ? 1 : 0;
            double carried = k == NSCHEMES - 1 && now->t > 0.0103 ? pow(2.0 / 3, i - 10) : 0;
            assert_near(now->q[dof], place, 1e-13 + near_kink * 5e-4 + carried * 1e-5);
            assert_near(now->v[dof], velocity, 1e-11 + near_kink * 0.51 + carried * 1e-2);
        }
        scene_close(&scene);
    }
}

static void smooth_motion_is_followed_to_second_order(void **state)
{
    for (int k = 0; k < NSCHEMES; k++) {
        Scene scene;
        open_bar(&scene, *state, "displacement: [\"0.01*sin(50*t)\"]", schemes[k]);
        int dof = scene_dof(&scene, 0, "start", 0);
        for (int i = 0; i < 500; i++) {
            scene_step(&scene);
            const StickMotion *now = &scene.run->state.now;
            assert_near(now->q[dof], 0.01 * sin(50 * now->t), 0.01 * pow(50e-3, 2));
            assert_near(now->v[dof], 0.5 * cos(50 * now->t), 0.5 * 50e-3);
        }
        scene_close(&scene);
    }
}

static void prescribed_velocity_is_taken_as_it_is(void **state)
{
    for (int k = 0; k < NSCHEMES; k++) {
        Scene scene;
        open_bar(&scene, *state, "velocity: [\"3*t\"]", schemes[k]);
        int dof = scene_dof(&scene, 0, "start", 0);
        for (int i = 0; i < 50; i++) {
            scene_step(&scene);
            assert_near(scene.run->state.now.v[dof], 3 * scene.run->state.now.t, 1e-14);
        }
        scene_close(&scene);
    }
}

static void fixed_edge_stays_and_its_neighbours_move(void **state)
{
    Scene scene;
    scene_open(&scene, *state,
               "materials: {soft: {law: elastic, young: 1e6, poisson: 0.3, density: 1000}}\n"
               "bodies: {plate: {mesh: {rectangle: {size: [1, 1], cells: [3, 3]}}, material: soft, velocity: "
               "[1, 2]}}\n"
               "supports: [{on: plate.bottom, displacement: [0, 0]}]\n"
               "steps: [{dynamics: {step: 1e-3, end: 1}}]\n");
    const StickGroup *edge = scene_group(&scene, 0, "bottom");
    scene_steps(&scene, 20);
    const double *q = scene.run->state.now.q, *v = scene.run->state.now.v;
    for (int i = 0; i < edge->nnodes; i++)
        for (int k = 0; k < 2; k++)
            assert_true(q[edge->node[i] * 2 + k] == 0 && v[edge->node[i] * 2 + k] == 0);
    assert_true(fabs(q[scene_dof(&scene, 0, "top", 1)]) > 1e-3);
    scene_close(&scene);
}

// A bar hangs from its start: at rest the reaction is its weight, and its length has grown by rho g L^2 / (2
// E).
static void hanging_bar_pulls_with_its_weight(void **state)
{
    for (int k = 0; k < NSCHEMES; k++) {
        Scene scene;
        scene_open(
            &scene, *state,
            "materials: {soft: {law: elastic, young: 1e6, poisson: 0, density: 1000, rayleigh: {mass: 50}}}\n"
            "bodies: {bar: {mesh: {bar: {length: 1, elements: 5}}, material: soft, thickness: 0.1}}\n"
            "supports: [{on: bar.start, displacement: [0]}]\n"
            "gravity: [10]\n"
            "steps: [{dynamics: {%s, step: 2e-3, end: 10}}]\n",
            schemes[k]);
        int dof = scene_dof(&scene, 0, "start", 0);
        scene_steps(&scene, 900);
        assert_near(scene.run->state.now.reaction[dof], -1000 * 0.1 * 10, 1e-7);
        assert_near(scene.run->state.now.q[scene_dof(&scene, 0, "end", 0)], 1000 * 10 / 2e6, 1e-11);
        assert_below(scene.run->ledger.worst_momentum, 1e-12);
        scene_close(&scene);
    }
}

// The axis of a full cylinder is held by itself: pulled at its top it gets thinner by nu sigma / E
// everywhere.
static void axis_of_a_ring_stays_an_axis(void **state)
{
    Scene scene;
    scene_open(&scene, *state,
               "materials: {soft: {law: elastic, young: 1e6, poisson: 0.3, density: 1000}}\n"
               "bodies: {rod: {mesh: {rectangle: {size: [0.5, 1], cells: [4, 3]}}, plane: axisymmetric, "
               "material: soft}}\n"
               "supports: [{on: rod.bottom, displacement: [free, 0]}]\n"
               "loads: [{on: rod.top, pressure: -1000}]\n"
               "steps: [{dynamics: {scheme: theta-euler, theta: 1, step: 10, end: 100}}]\n");
    scene_steps(&scene, 6);
    const StickMesh *mesh = &scene.system->body[0].mesh;
    for (int i = 0; i < mesh->nnodes; i++) {
        assert_near(scene.run->state.now.q[2 * i], -0.3e-3 * mesh->x[2 * i], 1e-12);
        assert_near(scene.run->state.now.q[2 * i + 1], 1e-3 * mesh->x[2 * i + 1], 1e-12);
    }
    scene_close(&scene);
}

static void whole_body_may_be_prescribed(void **state)
{
    Scene scene;
    scene_open(&scene, *state,
               "materials: {soft: {law: elastic, young: 1e6, poisson: 0, density: 1000}}\n"
               "bodies:\n"
               "  ram: {mesh: {bar: {length: 1, elements: 2}}, material: soft}\n"
               "  bar: {mesh: {bar: {length: 1, elements: 5, origin: [1]}}, material: soft}\n"
               "supports: [{on: ram.all, velocity: [2]}]\n"
               "contacts: [{between: [bar.start, ram.end], friction: 0}]\n"
               "steps: [{dynamics: {scheme: theta-euler, theta: 0.55, step: 1e-3, end: 1}}]\n");
    scene_steps(&scene, 5);
    assert_near(scene.run->state.now.v[scene_dof(&scene, 1, "start", 0)], 2, 1e-12);
    assert_below(scene.run->ledger.worst_momentum, 1e-12);
    assert_below(scene.run->ledger.worst_closure, 1e-12);
    scene_close(&scene);
}

// Held at 0 by the user is fine; moved off the axis is not.
static void nodes_of_the_axis_cannot_leave_it(void **state)
{
    static const char *const moves[] = {"0", "0.001", "\"0.001*t\""};
    for (int k = 0; k < 3; k++) {
        Scene scene;
        char text[1024];
        snprintf(text, sizeof text,
                 "stickslip: 1\n"
                 "materials: {m: {young: 1, density: 1}}\n"
                 "bodies: {rod: {mesh: {rectangle: {size: [1, 1], cells: [2, 2]}}, plane: axisymmetric, "
                 "material: m}}\n"
                 "supports: [{on: rod.left, displacement: [%s, free]}]\n"
                 "steps: [{dynamics: {step: 1, end: 1}}]\n",
                 moves[k]);
        assert_int_equal(scene_try(&scene, *state, text), k == 0 ? STICK_OK : STICK_BAD_INPUT);
        if (k == 0)
            scene_close(&scene);
        else
            assert_non_null(strstr(stick_last_error(*state), "on the axis of the ring cannot leave it"));
    }
}

static void two_supports_of_one_component_are_refused(void **state)
{
    Scene scene;
    StickContext *ctx = *state;
    StickStatus status =
        scene_try(&scene, ctx,
                  "stickslip: 1\n"
                  "materials: {soft: {law: elastic, young: 1e6, poisson: 0, density: 1000}}\n"
                  "bodies: {plate: {mesh: {rectangle: {size: [1, 1], cells: [2, 2]}}, material: soft}}\n"
                  "supports:\n"
                  "  - {on: plate.left, displacement: [0, free]}\n"
                  "  - {on: plate.bottom, velocity: [free, 0]}\n"
                  "  - {on: plate.top, velocity: [1, 0]}\n"
                  "steps: [{dynamics: {step: 1, end: 1}}]\n");
    assert_int_equal(status, STICK_BAD_INPUT);
    assert_non_null(strstr(stick_last_error(ctx),
                           "component 1 of node 7 of body 'plate' is prescribed twice and differently"));
    assert_non_null(strstr(stick_last_error(ctx), "line 5"));
}

// A corner of two supports that say the same of it, by a number or by an expression.
static void supports_may_say_the_same_twice(void **state)
{
    Scene scene;
    scene_open(&scene, *state,
               "materials: {soft: {law: elastic, young: 1e6, poisson: 0, density: 1000}}\n"
               "bodies: {plate: {mesh: {rectangle: {size: [1, 1], cells: [2, 2]}}, material: soft}}\n"
               "supports:\n"
               "  - {on: plate.bottom, displacement: [free, 0], velocity: [\"x + t\", free]}\n"
               "  - {on: plate.left, displacement: [free, 1 - 1], velocity: [\"x + t\", free]}\n"
               "steps: [{dynamics: {step: 1e-3, end: 1}}]\n");
    const StickSupports *supports = &scene.run->supports;
    assert_int_equal(supports->count, 2 * 5);
    for (int k = 1; k < supports->count; k++)
        assert_true(supports->support[k].dof > supports->support[k - 1].dof);
    scene_steps(&scene, 3);
    assert_near(scene.run->state.now.v[scene_dof(&scene, 0, "bottom", 0)], 3e-3, 1e-12);
    scene_close(&scene);
}

static void supports_that_differ_are_refused(void **state)
{
    static const char *const pairs[][2] = {
        {"displacement: [free, 0]", "displacement: [free, 1]"},
        {"displacement: [free, t]", "displacement: [free, \"2*t\"]"},
        {"displacement: [free, 0]", "displacement: [free, t]"},
        {"displacement: [free, 0]", "velocity: [free, 0]"},
    };
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
        Scene scene;
        char text[1024];
        snprintf(text, sizeof text,
                 "stickslip: 1\n"
                 "materials: {soft: {law: elastic, young: 1e6, poisson: 0, density: 1000}}\n"
                 "bodies: {plate: {mesh: {rectangle: {size: [1, 1], cells: [2, 2]}}, material: soft}}\n"
                 "supports: [{on: plate.left, %s}, {on: plate.bottom, %s}]\n"
                 "steps: [{dynamics: {step: 1, end: 1}}]\n",
                 pairs[k][0], pairs[k][1]);
        assert_int_equal(scene_try(&scene, *state, text), STICK_BAD_INPUT);
        assert_non_null(strstr(stick_last_error(*state), "prescribed twice and differently"));
    }
}

static void unknown_group_is_named_with_the_nearest(void **state)
{
    Scene scene;
    StickContext *ctx = *state;
    StickStatus status =
        scene_try(&scene, ctx,
                  "stickslip: 1\n"
                  "materials: {soft: {law: elastic, young: 1e6, poisson: 0, density: 1000}}\n"
                  "bodies: {plate: {mesh: {rectangle: {size: [1, 1], cells: [2, 2]}}, material: soft}}\n"
                  "supports: [{on: plate.botom, displacement: [0, 0]}]\n"
                  "steps: [{dynamics: {step: 1, end: 1}}]\n");
    assert_int_equal(status, STICK_BAD_MESH);
    assert_non_null(strstr(stick_last_error(ctx), "no group 'botom'; did you mean 'bottom'?"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(kinked_ramp_is_followed_without_noise),
        test_with_context(smooth_motion_is_followed_to_second_order),
        test_with_context(prescribed_velocity_is_taken_as_it_is),
        test_with_context(fixed_edge_stays_and_its_neighbours_move),
        test_with_context(hanging_bar_pulls_with_its_weight),
        test_with_context(axis_of_a_ring_stays_an_axis),
        test_with_context(nodes_of_the_axis_cannot_leave_it),
        test_with_context(whole_body_may_be_prescribed),
        test_with_context(two_supports_of_one_component_are_refused),
        test_with_context(supports_may_say_the_same_twice),
        test_with_context(supports_that_differ_are_refused),
        test_with_context(unknown_group_is_named_with_the_nearest),
    };
    return cmocka_run_group_tests_name("supports", tests, NULL, NULL);
}
