// SPDX-License-Identifier: Apache-2.0
// Joints in space: what moves in a plane moves as in the plane although rows of its pins follow from each other, the top
// on a ball joint precesses, guides and fixed joints hold.
#include "stepping/mechanism.h"

// Crank 1 from (0, 0), rocker 2 from (2.5, 0), coupler from (0, 1) to (2.5, 2).
static void open_four_bar(Scene *scene, StickContext *ctx, int dim)
{
    double l = sqrt(2.5 * 2.5 + 1), a = atan2(1, 2.5);
    const char *more = dim == 3 ? ", 0" : "", *thick = dim == 3 ? ", 0.1" : "",
               *axis = dim == 3 ? ", axis: [0, 0, 1]" : "";
    char turn[64], spin[32];
    snprintf(turn, sizeof turn, dim == 3 ? "{axis: [0, 0, 1], angle: %.17g}" : "%.17g", a);
    snprintf(spin, sizeof spin, dim == 3 ? "[0, 0, 60]" : "60");
    scene_open(
        scene, ctx,
        STONE
        "bodies:\n"
        "  crank: {rigid: {box: [0.1, 1%s]}, material: stone, position: [0, 0.5%s], angular-velocity: %s}\n"
        "  rod: {rigid: {box: [%.17g, 0.1%s]}, material: stone, position: [1.25, 1.5%s], rotation: %s}\n"
        "  rocker: {rigid: {box: [0.1, 2%s]}, material: stone, position: [2.5, 1%s]}\n"
        "joints:\n"
        "  - {pin: {between: [crank], at: [0, 0%s]%s}}\n"
        "  - {pin: {between: [crank, rod], at: [0, 1%s]%s}}\n"
        "  - {pin: {between: [rod, rocker], at: [2.5, 2%s]%s}}\n"
        "  - {pin: {between: [rocker], at: [2.5, 0%s]%s}}\n"
        "steps: [{dynamics: {scheme: moreau, step: 0.005, end: 1.5}}]\n",
        thick, more, spin, l, thick, more, turn, thick, more, more, axis, more, axis, more, axis, more, axis);
}

static void linkages_in_a_plane_of_space_move_as_in_the_plane(void **state)
{
    Scene plane, space;
    open_four_bar(&plane, *state, 2);
    open_four_bar(&space, *state, 3);
    scene_run(&plane);
    scene_run(&space);
    for (int b = 0; b < 3; b++) {
        for (int k = 0; k < 2; k++)
            assert_near(q_of(&space, b)[k], q_of(&plane, b)[k], 1e-9);
        assert_near(v_of(&space, b)[5], v_of(&plane, b)[2], 1e-8);
        assert_near(q_of(&space, b)[2], 0, 1e-12);
    }
    assert_true(fabs(q_of(&plane, 0)[2]) > 1);
    assert_true(off(&space, 1, 2, 2.5, 2, 0) < 1e-12);
    check_books(&space);
    scene_close(&plane);
    scene_close(&space);
}

// A fast top on a ball joint: it precesses steadily with Omega where  J3 spin = m g c / Omega + J1 Omega cos(a),
// spin about its axis and J1 about the ball. A disk on an axis without mass: its centre is at c from the ball.
static void open_top(Scene *scene, StickContext *ctx, double h, double end)
{
    double m = acos(-1) * 0.25 * 0.1, J3 = 0.5 * m * 0.25, J = m * (3 * 0.25 + 0.01) / 12, a = acos(-1) / 3;
    double c = 0.5, J1 = J + m * c * c, Omega = 2;
    double spin = (m * 9.81 * c / Omega + J1 * Omega * cos(a)) / J3;
    // omega = Omega z + s e with omega.e = spin
    double s = spin - Omega * cos(a), e[3] = {sin(a), 0, cos(a)};
    double omega[3] = {s * e[0], 0, s * e[2] + Omega}, v[3], x[3] = {c * e[0], 0, c * e[2]};
    stick_vec_cross(omega, x, v);
    scene_open(scene, ctx,
               STONE
               "bodies:\n  top: {rigid: {cylinder: {radius: 0.5, length: 0.1}}, material: stone, position: "
               "[%.17g, 0, %.17g], rotation: {axis: [0, 1, 0], angle: %.17g}, velocity: [%.17g, %.17g, "
               "%.17g], angular-velocity: [%.17g, 0, %.17g]}\n"
               "gravity: [0, 0, -9.81]\n"
               "joints: [{ball: {between: [top], at: [0, 0, 0]}}]\n"
               "steps: [{dynamics: {scheme: moreau, step: %.17g, end: %.17g}}]\n",
               x[0], x[2], a, v[0], v[1], v[2], omega[0], omega[2], h, end);
}

static double top_error(StickContext *ctx, double h)
{
    Scene scene;
    double end = 1, a = acos(-1) / 3;
    open_top(&scene, ctx, h, end);
    scene_run(&scene);
    const double *q = q_of(&scene, 0);
    double x[3] = {0.5 * sin(a) + q[0], q[1], 0.5 * cos(a) + q[2]};
    double exact[3] = {0.5 * sin(a) * cos(2 * end), 0.5 * sin(a) * sin(2 * end), 0.5 * cos(a)}, error[3];
    stick_vec_sub(x, exact, error);
    assert_true(off(&scene, 0, -1, 0, 0, 0) < 1e-12);
    check_books(&scene);
    scene_close(&scene);
    return stick_vec_norm(error);
}

static void top_on_a_ball_joint_precesses_steadily(void **state)
{
    double coarse = top_error(*state, 0.004), fine = top_error(*state, 0.002);
    print_message("top: %.3e %.3e\n", coarse, fine);
    assert_true(fine < 1e-3);
    assert_true(coarse / fine > 3.5 && coarse / fine < 4.6);
}

static void guides_gears_and_motors_hold_in_space(void **state)
{
    Scene scene;
    scene_open(
        &scene, *state,
        STONE
        "bodies:\n"
        "  sled: {rigid: {box: [1, 0.5, 0.2]}, material: stone, position: [0, 0, 0]}\n"
        "  wheel: {rigid: {cylinder: {radius: 0.5, length: 0.1}}, material: stone, position: [0, 0, 1]}\n"
        "  load: {rigid: {box: [0.2, 0.2, 0.2]}, material: stone, position: [0.4, 0, 1]}\n"
        "  other: {rigid: {cylinder: {radius: 0.5, length: 0.1}}, material: stone, position: [0, 0, 3]}\n"
        "gravity: [0, 0, -9.81]\n"
        "joints:\n"
        "  - {slider: {between: [sled], axis: [0, 0.6, 0.8]}}\n"
        "  - {motor: {between: [sled], axis: [0, 0.6, 0.8], displacement: '0.2*sin(3*t)'}}\n"
        "  - {pin: {between: [wheel, sled], at: [0, 0, 1], axis: [0, 0, 1]}}\n"
        "  - {motor: {between: [wheel, sled], axis: [0, 0, 1], angle: '5*t'}}\n"
        "  - {fixed: {between: [load, wheel]}}\n"
        "  - {pin: {between: [other], at: [0, 0, 3], axis: [0, 0, 1]}}\n"
        "  - {gear: {between: [wheel, other], axis: [0, 0, 1], ratio: -1.5}}\n"
        "steps: [{dynamics: {scheme: moreau, step: 0.005, end: 2}}]\n");
    double drift = 0;
    while (!stick_simulation_is_done(scene.run)) {
        scene_step(&scene);
        double t = scene.run->state.now.t, *q = q_of(&scene, 0), turn = q_of(&scene, 3)[5];
        assert_near(q[1], 0.12 * sin(3 * t), 1e-12);
        assert_near(q[2], 0.16 * sin(3 * t), 1e-12);
        assert_near(q[0] + q[3] + q[4] + q[5], 0, 1e-12);
        assert_near(remainder(turn + 7.5 * t, 2 * acos(-1)), 0, 1e-11);
        assert_near(v_of(&scene, 3)[5], -1.5 * v_of(&scene, 1)[5], 1e-11);
        drift = fmax(drift, off(&scene, 2, 1, 0.4, 0, 1));
        drift = fmax(drift, off(&scene, 2, 1, 1, 1, 1));
        double tip[3], start[3] = {0.4, 0, 1};
        place_of(&scene, 2, start, tip);
        assert_near(tip[0], 0.4 * cos(5 * t), 1e-11);
    }
    assert_true(drift < 1e-12);
    check_books(&scene);
    scene_close(&scene);
}

// A column of layers of two beams, every other one turned, above a ground that shakes; and a chain that falls freely far away.
// The iterations of all solves, and how far the top moved.
static void shake_column(StickContext *ctx, int links, double *iterations, double top[3])
{
    Scene scene;
    char bodies[8192] = "", joints[8192] = "";
    int used = 0, held = 0;
    for (int k = 0; k < links; k++) {
        double x = 50 + 0.1 * k;
        used += snprintf(bodies + used, sizeof bodies - (size_t)used,
                         "  l%d: {rigid: {box: [0.1, 0.02, 0.02], mass: 1}, position: [%g, 0, 20]}\n", k, x);
        if (k > 0)
            held += snprintf(joints + held, sizeof joints - (size_t)held,
                             "  - {ball: {between: [l%d, l%d], at: [%g, 0, 20]}}\n", k - 1, k, x - 0.05);
    }
    scene_open(&scene, ctx,
               "bodies:\n"
               "  a: {rigid: {box: [1, 0.3, 0.25], mass: 90}, repeat: {i: [0, 1], j: [0, 9]}, "
               "position: [0, '0.7*i - 0.35', '0.125 + 0.5*j']}\n"
               "  b: {rigid: {box: [0.3, 1, 0.25], mass: 90}, repeat: {i: [0, 1], j: [0, 9]}, "
               "position: ['0.7*i - 0.35', 0, '0.375 + 0.5*j']}\n"
               "%s%s%s"
               "obstacles: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}}\n"
               "gravity: ['2*sin(9*t)', 0, -9.81]\n"
               "contacts: [{between: all, friction: 0.6}]\n"
               "steps: [{dynamics: {scheme: moreau, step: 4e-3, end: 0.04}}]\n",
               bodies, links > 0 ? "joints:\n" : "", joints);
    while (!stick_simulation_is_done(scene.run))
        scene_step(&scene);
    *iterations = scene.run->record.iterations;
    assert_true(scene.run->contacts.ncontacts >= 300);
    memcpy(top, q_of(&scene, 39), 3 * sizeof *top);
    scene_close(&scene);
}

// However many rows the joints of a chain have, solves of what they do not touch take no more iterations.
static void chains_that_touch_nothing_do_not_change_solves(void **state)
{
    double alone, beside, top[2][3];
    shake_column(*state, 0, &alone, top[0]);
    shake_column(*state, 40, &beside, top[1]);
    assert_true(beside <= alone);
    for (int k = 0; k < 3; k++)
        assert_near(top[1][k], top[0][k], 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(linkages_in_a_plane_of_space_move_as_in_the_plane),
        test_with_context(top_on_a_ball_joint_precesses_steadily),
        test_with_context(guides_gears_and_motors_hold_in_space),
        test_with_context(chains_that_touch_nothing_do_not_change_solves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
