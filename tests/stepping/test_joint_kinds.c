// SPDX-License-Identifier: Apache-2.0
// Every kind of joint in the plane and in space by a closed form: rods without mass, guides, bodies fixed to each other,
// springs. Pins, balls, gears and motors: test_linked.c and test_linked_space.c.
#include "stepping/mechanism.h"

#define RUN "steps: [{dynamics: {scheme: moreau, step: %.17g, end: %.17g}}]\n"

static double norm_of(int dim, const double *x)
{
    double sum = 0;
    for (int k = 0; k < dim; k++)
        sum += x[k] * x[k];
    return sqrt(sum);
}

// The error falls with the square of the step.
static void check_second_order(const char *name, double (*error)(StickContext *, double), StickContext *ctx,
                               double h, double most)
{
    double coarse = error(ctx, h), fine = error(ctx, 0.5 * h);
    print_message("%s: %.2e %.2e\n", name, coarse, fine);
    assert_below(fine, most);
    assert_true(coarse / fine > 3.5 && coarse / fine < 4.5);
}

// ---- distance

// In the plane: a disk on a rod without mass, which goes round in no gravity: the angle is that of a steady rotation, and
// the disk itself does not turn.
static void rods_lead_round(void **state)
{
    Scene scene;
    double h = 0.01, end = 3, worst = 0;
    scene_open(&scene, *state,
               STONE
               "bodies: {bob: {rigid: {disk: 0.1}, material: stone, position: [1, 0], velocity: [0, 2]}}\n"
               "joints: [{distance: {between: [bob], from: [1, 0], to: [0, 0]}}]\n" RUN,
               h, end);
    while (!stick_simulation_is_done(scene.run)) {
        scene_step(&scene);
        double place[2] = {1 + q_of(&scene, 0)[0], q_of(&scene, 0)[1]};
        worst = fmax(worst, fabs(norm_of(2, place) - 1));
        assert_near(norm_of(2, v_of(&scene, 0)), 2, 1e-12); // nothing is lost
    }
    assert_below(worst, 1e-12);
    assert_near(q_of(&scene, 0)[2], 0, 1e-14);
    assert_near(remainder(atan2(q_of(&scene, 0)[1], 1 + q_of(&scene, 0)[0]) - 2 * end, 2 * acos(-1)), 0,
                1e-3);
    check_books(&scene);
    scene_close(&scene);
}

// In space: a conical pendulum, omega^2 = g/(l cos(a)).
static double cone_error(StickContext *ctx, double h)
{
    Scene scene;
    double a = 0.6, omega = sqrt(9.81 / cos(a)), end = 1, worst = 0;
    double x[3] = {sin(a), 0, -cos(a)},
           exact[3] = {sin(a) * cos(omega * end), sin(a) * sin(omega * end), -cos(a)};
    scene_open(&scene, ctx,
               STONE
               "bodies: {bob: {rigid: {sphere: 0.1}, material: stone, position: [%.17g, 0, %.17g], velocity: "
               "[0, %.17g, 0]}}\n"
               "gravity: [0, 0, -9.81]\n"
               "joints: [{distance: {between: [bob], from: [%.17g, 0, %.17g], to: [0, 0, 0]}}]\n" RUN,
               x[0], x[2], omega * sin(a), x[0], x[2], h, end);
    while (!stick_simulation_is_done(scene.run)) {
        scene_step(&scene);
        double place[3];
        for (int k = 0; k < 3; k++)
            place[k] = x[k] + q_of(&scene, 0)[k];
        worst = fmax(worst, fabs(norm_of(3, place) - 1));
    }
    assert_below(worst, 1e-12);
    for (int k = 0; k < 3; k++)
        exact[k] -= x[k] + q_of(&scene, 0)[k];
    check_books(&scene);
    scene_close(&scene);
    return norm_of(3, exact);
}

static void pendulums_go_round_on_cones(void **state)
{
    check_second_order("conical pendulum", cone_error, *state, 0.01, 1e-3);
}

// ---- slider

// Down a guide without friction: g sin(a), exactly; it does not turn though it is pushed aside from its mass centre.
static void guides_are_slopes(void **state)
{
    for (int dim = 2; dim <= 3; dim++) {
        Scene scene;
        double end = 1;
        if (dim == 2)
            scene_open(&scene, *state,
                       STONE "bodies: {sled: {rigid: {box: [0.5, 0.2]}, material: stone}}\n"
                             "gravity: [0, -9.81]\n"
                             "loads: [{on: sled, torque: 0.4}]\n"
                             "joints: [{slider: {between: [sled], at: [0.1, 0.3], axis: [0.8, -0.6]}}]\n" RUN,
                       0.01, end);
        else
            scene_open(&scene, *state,
                       STONE
                       "bodies: {sled: {rigid: {box: [0.5, 0.2, 0.3]}, material: stone}}\n"
                       "gravity: [0, 0, -9.81]\n"
                       "loads: [{on: sled, torque: [0.4, 0.1, 0.2]}]\n"
                       "joints: [{slider: {between: [sled], at: [0.1, 0.3, 0], axis: [0.8, 0, -0.6]}}]\n" RUN,
                       0.01, end);
        scene_run(&scene);
        const double *q = q_of(&scene, 0), way = 0.5 * 9.81 * 0.6 * end * end;
        assert_near(q[0], 0.8 * way, 1e-11);
        assert_near(q[dim - 1], -0.6 * way, 1e-11);
        for (int k = dim; k < scene.system->body[0].ndofs; k++)
            assert_near(q[k], 0, 1e-12);
        check_books(&scene);
        scene_close(&scene);
    }
}

// ---- fixed

// Two blocks as one, thrown with a spin about an axis of the pair: a parabola, and a steady turn.
static void fixed_bodies_fly_as_one(void **state)
{
    for (int dim = 2; dim <= 3; dim++) {
        Scene scene;
        const double omega = 5, end = 1;
        if (dim == 2)
            scene_open(&scene, *state,
                       STONE
                       "bodies:\n"
                       "  left: {rigid: {box: [0.4, 0.2]}, material: stone, position: [-0.3, 0], velocity: "
                       "[1, 3.5], angular-velocity: 5}\n"
                       "  right: {rigid: {box: [0.4, 0.2]}, material: stone, position: [0.3, 0], velocity: "
                       "[1, 6.5], angular-velocity: 5}\n"
                       "gravity: [0, -9.81]\n"
                       "joints: [{fixed: {between: [left, right]}}]\n" RUN,
                       0.005, end);
        else
            scene_open(
                &scene, *state,
                STONE
                "bodies:\n"
                "  left: {rigid: {box: [0.4, 0.2, 0.1]}, material: stone, position: [-0.3, 0, 0], velocity: "
                "[1, 3.5, 0], angular-velocity: [0, 0, 5]}\n"
                "  right: {rigid: {box: [0.4, 0.2, 0.1]}, material: stone, position: [0.3, 0, 0], velocity: "
                "[1, 6.5, 0], angular-velocity: [0, 0, 5]}\n"
                "gravity: [0, -9.81, 0]\n"
                "joints: [{fixed: {between: [left, right]}}]\n" RUN,
                0.005, end);
        scene_run(&scene);
        double x = 0.5 * (q_of(&scene, 0)[0] + q_of(&scene, 1)[0]),
               y = 0.5 * (q_of(&scene, 0)[1] + q_of(&scene, 1)[1]),
               angle = atan2(q_of(&scene, 1)[1] - q_of(&scene, 0)[1],
                             0.6 + q_of(&scene, 1)[0] - q_of(&scene, 0)[0]);
        assert_near(x, end, 1e-11);
        assert_near(y, 5 * end - 0.5 * 9.81 * end * end, 1e-11);
        assert_near(remainder(angle - omega * end, 2 * acos(-1)), 0, 1e-3);
        assert_true(off(&scene, 0, 1, 0.1, 0.7, 0) < 1e-12 && off(&scene, 0, 1, -1, 0, 0) < 1e-12);
        check_books(&scene);
        scene_close(&scene);
    }
}

// ---- springs

// Two masses on a spring and damper along any line of space: their distance is a damped oscillator with m/2, the mass
// centre stays.
static double spring_error(StickContext *ctx, double h)
{
    Scene scene;
    double m = 4 * acos(-1) / 3 * 0.001, k = 20 * m, c = 0.6 * m, end = 2;
    double decay = c / m, omega = sqrt(2 * k / m - decay * decay);
    double exact = 0.3 * exp(-decay * end) * (cos(omega * end) + decay / omega * sin(omega * end));
    scene_open(&scene, ctx,
               STONE "bodies:\n"
                     "  a: {rigid: {sphere: 0.1}, material: stone, position: [0, 0, 0]}\n"
                     "  b: {rigid: {sphere: 0.1}, material: stone, position: [0.6, 0, 0.8]}\n"
                     "joints: [{spring: {between: [a, b], from: [0, 0, 0], to: [0.6, 0, 0.8], length: 0.7, "
                     "stiffness: %.17g, damping: %.17g}}]\n" RUN,
               k, c, h, end);
    scene_run(&scene);
    double apart[3], middle[3];
    for (int i = 0; i < 3; i++) {
        double start = i == 0 ? 0.6 : i == 2 ? 0.8 : 0;
        apart[i] = start + q_of(&scene, 1)[i] - q_of(&scene, 0)[i];
        middle[i] = q_of(&scene, 1)[i] + q_of(&scene, 0)[i];
    }
    assert_below(norm_of(3, middle), 1e-13);
    check_books(&scene);
    scene_close(&scene);
    return fabs(norm_of(3, apart) - 0.7 - exact);
}

static void springs_in_space_are_oscillators(void **state)
{
    check_second_order("spring in space", spring_error, *state, 0.02, 1e-3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(rods_lead_round),
        test_with_context(pendulums_go_round_on_cones),
        test_with_context(guides_are_slopes),
        test_with_context(fixed_bodies_fly_as_one),
        test_with_context(springs_in_space_are_oscillators),
    };
    return cmocka_run_group_tests_name("stepping.joint_kinds", tests, NULL, NULL);
}
