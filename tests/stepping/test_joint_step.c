// SPDX-License-Identifier: Apache-2.0
// Joints of rigid bodies in Moreau's step: closed forms of pendulums, cranks, gears, motors and oscillators, places that
// are kept to the last digits over long runs, balances, and refusals by name.
#include "stepping/mechanism.h"

// ---- pendulums

// A bar of length 1 about its end: l = 2/3. It starts at rest at the angle a0 from below.
static void open_pendulum(Scene *scene, StickContext *ctx, double a0, double h, double end)
{
    scene_open(scene, ctx,
               STONE "bodies:\n  bar: {rigid: {box: [1, 0.001]}, material: stone, position: [%.17g, %.17g], "
                     "rotation: %.17g}\n"
                     "gravity: [0, -9.81]\n"
                     "joints: [{pin: {between: [bar], at: [0, 0]}}]\n"
                     "steps: [{dynamics: {scheme: moreau, step: %.17g, end: %.17g}}]\n",
               0.5 * sin(a0), -0.5 * cos(a0), a0 - acos(0), h, end);
}

// Time of the first passage through the vertical.
static double quarter_period(StickContext *ctx, double a0, double h)
{
    Scene scene;
    open_pendulum(&scene, ctx, a0, h, 2);
    double last = a0, angle = a0;
    int steps = 0;
    for (; angle > 0; steps++) {
        last = angle;
        scene_step(&scene);
        angle = a0 + q_of(&scene, 0)[2];
    }
    // within the step by the cubic through angles and velocities of its ends: linear is enough at small steps
    double t = h * (steps - 1 + last / (last - angle));
    scene_close(&scene);
    return t;
}

static void pendulum_has_its_period(void **state)
{
    // K(sin(a0/2)) sqrt(l/g) by the arithmetic-geometric mean
    double a0 = 1, x = 1, y = cos(0.5 * a0);
    for (int k = 0; k < 6; k++) {
        double mean = 0.5 * (x + y);
        y = sqrt(x * y);
        x = mean;
    }
    double l = (0.25 + 1.000001 / 12) / 0.5; // (c^2 + J/m) / c
    double exact = acos(-1) / (2 * x) * sqrt(l / 9.81);
    double coarse = quarter_period(*state, a0, 0.02) - exact, fine = quarter_period(*state, a0, 0.01) - exact;
    print_message("quarter %.6f: errors %.3e %.3e\n", exact, coarse, fine);
    assert_true(fabs(fine) < 1e-4);
    assert_true(fabs(coarse / fine) > 3.4 && fabs(coarse / fine) < 4.6);
}

static void pendulum_keeps_place_and_energy(void **state)
{
    Scene scene;
    open_pendulum(&scene, *state, 2, 0.01, 20);
    double energy = 0, worst = 0, drift = 0;
    while (!stick_simulation_is_done(scene.run)) {
        scene_step(&scene);
        const StickLedger *ledger = &scene.run->ledger;
        energy = fmax(energy, fabs(ledger->kinetic - ledger->external));
        worst = fmax(worst, fabs(ledger->joints));
        drift = fmax(drift, off(&scene, 0, -1, 0, 0, 0));
    }
    print_message("energy %.2e joints %.2e drift %.2e\n", energy / scene.run->ledger.scale, worst, drift);
    assert_true(drift < 1e-12);
    check_books(&scene);
    scene_close(&scene);
}

static void double_pendulum_keeps_its_joints_for_long(void **state)
{
    Scene scene;
    scene_open(
        &scene, *state,
        STONE
        "bodies:\n"
        "  upper: {rigid: {box: [1, 0.1]}, material: stone, position: [0.5, 0]}\n"
        "  lower: {rigid: {box: [1, 0.1]}, material: stone, position: [1.5, 0]}\n"
        "gravity: [0, -9.81]\n"
        "joints: [{pin: {between: [upper], at: [0, 0]}}, {pin: {between: [lower, upper], at: [1, 0]}}]\n"
        "steps: [{dynamics: {scheme: moreau, step: 0.002, end: 20}}]\n");
    double drift = 0, energy = 0;
    while (!stick_simulation_is_done(scene.run)) {
        scene_step(&scene);
        drift = fmax(drift, fmax(off(&scene, 0, -1, 0, 0, 0), off(&scene, 1, 0, 1, 0, 0)));
        energy = fmax(energy, fabs(scene.run->ledger.kinetic - scene.run->ledger.external));
    }
    print_message("double pendulum: drift %.2e energy %.2e\n", drift, energy / scene.run->ledger.scale);
    assert_true(drift < 1e-12);
    assert_true(energy < 2e-3 * scene.run->ledger.scale);
    check_books(&scene);
    scene_close(&scene);
}

// Without anything outside, both momenta stay.
static void free_chain_keeps_its_momenta(void **state)
{
    Scene scene;
    scene_open(
        &scene, *state,
        STONE
        "bodies:\n"
        "  link: {rigid: {box: [1, 0.1]}, material: stone, position: [i, 0], repeat: {i: [0, 4]},"
        " velocity: ['0.3*i', '1 - i*i'], angular-velocity: '2 - i'}\n"
        "joints: [{pin: {between: ['link[i]', 'link[i+1]'], at: ['i + 0.5', 0]}, repeat: {i: [0, 3]}}]\n"
        "steps: [{dynamics: {scheme: moreau, step: 0.005, end: 5}}]\n");
    const StickLedger *ledger = &scene.run->ledger;
    double momentum = ledger->momentum[1], angular = ledger->angular[2], energy = ledger->kinetic;
    scene_run(&scene);
    print_message("chain: momentum %.2e angular %.2e energy %.2e\n", ledger->momentum[1] - momentum,
                  ledger->angular[2] - angular, ledger->kinetic / energy - 1);
    assert_near(ledger->momentum[1], momentum, 1e-12 * ledger->momentum_scale);
    assert_near(ledger->angular[2], angular, 1e-11 * ledger->angular_scale);
    assert_near(ledger->kinetic, energy, 1e-2 * energy);
    for (int k = 0; k < 3; k++)
        assert_true(off(&scene, k, k + 1, k + 0.5, 0, 0) < 1e-12);
    check_books(&scene);
    scene_close(&scene);
}

// ---- mechanisms

static void slider_crank_follows_its_closed_form(void **state)
{
    Scene scene;
    scene_open(&scene, *state,
               STONE "bodies:\n"
                     "  crank: {rigid: {box: [1, 0.1]}, material: stone, position: [0.5, 0]}\n"
                     "  rod: {rigid: {box: [3, 0.1]}, material: stone, position: [2.5, 0]}\n"
                     "  piston: {rigid: {box: [0.5, 0.5]}, material: stone, position: [4, 0]}\n"
                     "gravity: [0, -9.81]\n"
                     "joints:\n"
                     "  - {pin: {between: [crank], at: [0, 0]}}\n"
                     "  - {pin: {between: [crank, rod], at: [1, 0]}}\n"
                     "  - {pin: {between: [rod, piston], at: [4, 0]}}\n"
                     "  - {slider: {between: [piston], axis: [1, 0]}}\n"
                     "  - {motor: {between: [crank], angle: '3*t + sin(t)'}}\n"
                     "steps: [{dynamics: {scheme: moreau, step: 0.01, end: 6}}]\n");
    double worst = 0;
    while (!stick_simulation_is_done(scene.run)) {
        scene_step(&scene);
        double t = scene.run->state.now.t, a = 3 * t + sin(t);
        worst = fmax(worst, fabs(q_of(&scene, 0)[2] - a));
        worst = fmax(worst, fabs(4 + q_of(&scene, 2)[0] - cos(a) - sqrt(9 - sin(a) * sin(a))));
        worst = fmax(worst, fabs(q_of(&scene, 2)[1]) + fabs(q_of(&scene, 2)[2]));
    }
    print_message("slider-crank: %.2e\n", worst);
    assert_true(worst < 1e-11);
    check_books(&scene);
    scene_close(&scene);
}

static void four_bar_linkage_keeps_its_energy(void **state)
{
    Scene scene;
    // crank 1 from (0, 0), rocker 2 from (2.5, 0), coupler from (0, 1) to (2.5, 2)
    double l = sqrt(2.5 * 2.5 + 1), a = atan2(1, 2.5);
    scene_open(
        &scene, *state,
        STONE "bodies:\n"
              "  crank: {rigid: {box: [0.1, 1]}, material: stone, position: [0, 0.5], angular-velocity: 60}\n"
              "  rod: {rigid: {box: [%.17g, 0.1]}, material: stone, position: [1.25, 1.5], rotation: %.17g}\n"
              "  rocker: {rigid: {box: [0.1, 2]}, material: stone, position: [2.5, 1]}\n"
              "joints:\n"
              "  - {pin: {between: [crank], at: [0, 0]}}\n"
              "  - {pin: {between: [crank, rod], at: [0, 1]}}\n"
              "  - {pin: {between: [rod, rocker], at: [2.5, 2]}}\n"
              "  - {pin: {between: [rocker], at: [2.5, 0]}}\n"
              "steps: [{dynamics: {scheme: moreau, step: 0.005, end: 10}}]\n",
        l, a);
    double drift = 0, energy = 0, first = scene.run->ledger.kinetic;
    while (!stick_simulation_is_done(scene.run)) {
        scene_step(&scene);
        energy = fmax(energy, fabs(scene.run->ledger.kinetic / first - 1));
        drift = fmax(drift, fmax(off(&scene, 0, 1, 0, 1, 0), off(&scene, 2, -1, 2.5, 0, 0)));
    }
    print_message("four-bar: drift %.2e energy %.2e turned %g\n", drift, energy, q_of(&scene, 0)[2]);
    assert_true(drift < 1e-12);
    assert_true(energy < 1e-2);
    check_books(&scene);
    scene_close(&scene);
}

static void gears_turn_at_their_ratio(void **state)
{
    Scene scene;
    scene_open(&scene, *state,
               STONE "bodies:\n"
                     "  small: {rigid: {disk: 0.5}, material: stone, position: [0, 0], angular-velocity: 3}\n"
                     "  large: {rigid: {disk: 1}, material: stone, position: [1.5, 0]}\n"
                     "joints:\n"
                     "  - {pin: {between: [small], at: [0, 0]}}\n"
                     "  - {pin: {between: [large], at: [1.5, 0]}}\n"
                     "  - {gear: {between: [small, large], ratio: -0.5}}\n"
                     "  - {spring: {between: [large], from: [2, 0], to: [5, 0], stiffness: 4}}\n"
                     "steps: [{dynamics: {scheme: moreau, step: 0.01, end: 10}}]\n");
    // at once: the nearest velocity by the inertias, J = m r^2 / 2, that the gear admits
    double J = 0.5 * acos(-1) * 0.0625, J2 = 0.5 * acos(-1);
    assert_near(v_of(&scene, 0)[2], 3 * J / (J + 0.25 * J2), 1e-12);
    while (!stick_simulation_is_done(scene.run)) {
        scene_step(&scene);
        assert_near(v_of(&scene, 1)[2], -0.5 * v_of(&scene, 0)[2], 1e-12);
        assert_near(q_of(&scene, 1)[2], -0.5 * q_of(&scene, 0)[2], 1e-12);
    }
    check_books(&scene);
    scene_close(&scene);
}

static void motors_follow_their_functions(void **state)
{
    Scene scene;
    scene_open(&scene, *state,
               STONE "bodies:\n"
                     "  sled: {rigid: {box: [1, 0.2]}, material: stone, position: [0, 0]}\n"
                     "  arm: {rigid: {box: [0.2, 1]}, material: stone, position: [0, 0.5]}\n"
                     "gravity: [0, -9.81]\n"
                     "joints:\n"
                     "  - {slider: {between: [sled], axis: [0.6, 0.8]}}\n"
                     "  - {motor: {between: [sled], displacement: '0.3*sin(4*t)', axis: [0.6, 0.8]}}\n"
                     "  - {pin: {between: [arm, sled], at: [0, 0]}}\n"
                     "  - {motor: {between: [arm, sled], angular-velocity: '2*t'}}\n"
                     "steps: [{dynamics: {scheme: moreau, step: 0.01, end: 3}}]\n");
    while (!stick_simulation_is_done(scene.run)) {
        scene_step(&scene);
        double t = scene.run->state.now.t, *q = q_of(&scene, 0);
        assert_near(0.6 * q[0] + 0.8 * q[1], 0.3 * sin(4 * t), 1e-12);
        assert_near(0.8 * q[0] - 0.6 * q[1], 0, 1e-12);
        assert_near(q_of(&scene, 1)[2], t * t, 1e-11); // the trapezoidal rule of a straight line
        assert_near(v_of(&scene, 1)[2], 2 * t, 1e-11);
        assert_true(off(&scene, 1, 0, 0, 0, 0) < 1e-12);
    }
    check_books(&scene);
    scene_close(&scene);
}

// ---- springs

static double oscillator(StickContext *ctx, double k, double c, double stretch, double h, double end)
{
    Scene scene;
    scene_open(&scene, ctx,
               STONE "bodies:\n  mass: {rigid: {box: [1, 1]}, material: stone, position: [1.2, 0]}\n"
                     "joints:\n"
                     "  - {slider: {between: [mass], axis: [1, 0]}}\n"
                     "  - {spring: {between: [mass], from: [1.2, 0], to: [0, 0], length: %.17g, "
                     "stiffness: %.17g, damping: %.17g}}\n"
                     "steps: [{dynamics: {scheme: moreau, step: %.17g, end: %.17g}}]\n",
               1.2 - stretch, k, c, h, end);
    scene_run(&scene);
    check_books(&scene);
    double x = stretch + q_of(&scene, 0)[0];
    scene_close(&scene);
    return x;
}

static void spring_and_damper_are_an_oscillator(void **state)
{
    double k = 25, c = 1, end = 2, decay = c / 2, omega = sqrt(k - decay * decay);
    double exact = 0.2 * exp(-decay * end) * (cos(omega * end) + decay / omega * sin(omega * end));
    double coarse = oscillator(*state, k, c, 0.2, 0.02, end) - exact,
           fine = oscillator(*state, k, c, 0.2, 0.01, end) - exact;
    print_message("oscillator %.6f: %.2e %.2e\n", exact, coarse, fine);
    assert_true(fabs(fine) < 2e-4 && coarse / fine > 3.7 && coarse / fine < 4.3);
    // far too stiff for the step, and still no larger than at the start
    assert_true(fabs(oscillator(*state, 1e10, 0, 1e-6, 0.01, 1)) < 1.0001e-6);
    assert_true(fabs(oscillator(*state, 1e3, 1e8, 0.2, 0.01, 1)) < 0.2000001);
}

// ---- contact

// A bar falls about a pin against a wall: restitution is that of its tip.
static void jointed_bodies_collide_as_a_whole(void **state)
{
    Scene scene;
    scene_open(&scene, *state,
               STONE
               "bodies:\n"
               "  bar: {rigid: {box: [0.1, 1]}, material: stone, position: [0, -0.5], velocity: [1, 0], "
               "angular-velocity: 2}\n"
               "obstacles: {wall: {plane: {point: [0.3, 0], normal: [-1, 0]}}}\n"
               "contacts: [{between: all, friction: 0, restitution: 0.5}]\n"
               "joints: [{pin: {between: [bar], at: [0, 0]}}]\n"
               "steps: [{dynamics: {scheme: moreau, step: 0.001, end: 0.5}}]\n");
    scene_run(&scene);
    assert_near(v_of(&scene, 0)[2], -1, 5e-3);
    assert_true(off(&scene, 0, -1, 0, 0, 0) < 1e-12);
    check_books(&scene);
    assert_true(scene.run->ledger.structural > 0);
    scene_close(&scene);
}

// Two bars with a hinge stand as a tent, slip apart and fall to the ground.
static void tents_fall_with_friction_and_books(void **state)
{
    Scene scene;
    scene_open(&scene, *state,
               STONE "bodies:\n"
                     "  left: {rigid: {box: [1.4142135623730951, 0.02]}, material: stone, position: [-0.5, "
                     "0.51], rotation: %.17g}\n"
                     "  right: {rigid: {box: [1.4142135623730951, 0.02]}, material: stone, position: [0.5, "
                     "0.51], rotation: %.17g}\n"
                     "obstacles: {ground: {plane: {point: [0, 0], normal: [0, 1]}}}\n"
                     "gravity: [0, -9.81]\n"
                     "contacts: [{between: all, friction: 0.3}]\n"
                     "joints: [{pin: {between: [left, right], at: [0, 1.01]}}]\n"
                     "steps: [{dynamics: {scheme: moreau, step: 0.002, end: 1.5}}]\n",
               acos(-1) / 4, -acos(-1) / 4);
    double drift = 0;
    while (!stick_simulation_is_done(scene.run)) {
        scene_step(&scene);
        drift = fmax(drift, off(&scene, 0, 1, 0, 1.01, 0));
        assert_near(q_of(&scene, 0)[0], -q_of(&scene, 1)[0], 1e-3);
    }
    print_message("tent: drift %.2e, frictional %.3e of %.3e\n", drift, scene.run->ledger.frictional,
                  scene.run->ledger.external);
    assert_true(drift < 1e-11);
    assert_true(fabs(q_of(&scene, 0)[2] + acos(-1) / 4) < 0.1); // flat
    assert_true(scene.run->ledger.frictional > 0.05 * scene.run->ledger.external);
    check_books(&scene);
    scene_close(&scene);
}

// A pendulum on ground that shakes, and a crank that a support turns: books with all of it.
static void joints_go_with_obstacles_and_supports(void **state)
{
    Scene scene;
    scene_open(
        &scene, *state,
        STONE
        "bodies:\n"
        "  bar: {rigid: {box: [0.1, 1]}, material: stone, position: [0, -0.5]}\n"
        "  crank: {rigid: {box: [1, 0.1]}, material: stone, position: [5, 0]}\n"
        "  rod: {rigid: {box: [2, 0.1]}, material: stone, position: [6.5, 0]}\n"
        "obstacles: {ground: {plane: {point: [0, -3], normal: [0, 1]}, displacement: ['0.2*sin(5*t)', "
        "'0.1*t*t']}}\n"
        "gravity: [0, -9.81]\n"
        "contacts: [{between: all, friction: 0.3}]\n"
        "supports: [{on: crank, displacement: [0, '0.1*sin(4*t)'], rotation: 't*t'}]\n"
        "joints:\n"
        "  - {pin: {between: [bar, ground], at: [0, 0]}}\n"
        "  - {pin: {between: [crank, rod], at: [5.5, 0]}}\n"
        "  - {spring: {between: [rod, ground], from: [7.5, 0], to: [8, 1], stiffness: 20, damping: 1}}\n"
        "steps: [{dynamics: {scheme: moreau, step: 0.005, end: 2}}]\n");
    while (!stick_simulation_is_done(scene.run)) {
        scene_step(&scene);
        double t = scene.run->state.now.t, pin[3], start[3] = {0};
        place_of(&scene, 0, start, pin);
        assert_near(pin[0], 0.2 * sin(5 * t), 1e-12);
        assert_near(pin[1], 0.1 * t * t, 1e-12);
        assert_true(off(&scene, 1, 2, 5.5, 0, 0) < 1e-12);
    }
    check_books(&scene);
    scene_close(&scene);
}

// A chain over a peg and on the ground, nothing dissipates: what is given by the index is what contact takes.
static void chains_bounce_without_loss_where_nothing_dissipates(void **state)
{
    Scene scene;
    scene_open(&scene, *state,
               STONE
               "bodies: {link: {rigid: {box: [0.5, 0.1]}, material: stone, position: ['0.5*i', '1 + 0.0*i'], "
               "repeat: {i: [0, 5]}}}\n"
               "obstacles:\n"
               "  ground: {plane: {point: [0, 0], normal: [0, 1]}}\n"
               "  peg: {circle: {centre: [0.6, 0.6], radius: 0.2}}\n"
               "gravity: [0, -9.81]\n"
               "contacts: [{between: all, friction: 0, dissipation: 0}]\n"
               "joints: [{pin: {between: ['link[i]', 'link[i+1]'], at: ['0.5*i + 0.25', 1]}, repeat: {i: [0, "
               "4]}}]\n"
               "steps: [{dynamics: {scheme: moreau, step: 0.001, end: 1}}]\n");
    scene_run(&scene);
    const StickLedger *ledger = &scene.run->ledger;
    print_message("chain: structural %.2e joints %.2e of %.2e\n", ledger->structural, ledger->joints,
                  ledger->scale);
    assert_near(ledger->structural + ledger->frictional, 0, 1e-10 * ledger->scale);
    assert_near(ledger->impact, ledger->structural, 0.1 * ledger->scale);
    for (int k = 0; k < 4; k++)
        assert_true(off(&scene, k, k + 1, 0.5 * k + 0.25, 1, 0) < 1e-11);
    check_books(&scene);
    scene_close(&scene);
}

static void jointed_bodies_touch_where_asked(void **state)
{
    for (int collide = 0; collide < 2; collide++) {
        Scene scene;
        // a bar stands on another one with a pin at one of its corners: one contact is at the pin, the other holds it
        scene_open(&scene, *state,
                   STONE "bodies:\n"
                         "  lower: {rigid: {box: [1, 0.1]}, material: stone, position: [0.5, 0]}\n"
                         "  upper: {rigid: {box: [0.1, 1]}, material: stone, position: [0.05, 0.55]}\n"
                         "gravity: [0.5, -9.81]\n"
                         "supports: [{on: lower, displacement: [0, 0], rotation: 0}]\n"
                         "contacts: [{between: all, friction: 0.3}]\n"
                         "joints: [{pin: {between: [upper, lower], at: [0, 0.05]}, collide: %s}]\n"
                         "steps: [{dynamics: {scheme: moreau, step: 0.002, end: 3}}]\n",
                   collide ? "true" : "false");
        scene_run(&scene);
        double angle = q_of(&scene, 1)[2];
        if (collide)
            assert_near(angle, 0, 1e-10);
        else
            assert_true(angle < -1);
        check_books(&scene);
        scene_close(&scene);
    }
}

// ---- refusals

static void bad_joints_are_refused_by_name(void **state)
{
    static const struct {
        const char *joints, *expected;
    } bad[] = {
        {"[{name: rod, distance: {between: [box], from: [0, 0], to: [0, 2], length: 1}}]",
         "joint 'rod': it keeps the distance 1, but at the start its points are 2 apart"},
        {"[{name: drive, motor: {between: [box], angle: '0.1 + t'}}]",
         "joint 'drive' is off its place by -0.1"},
        {"[{fixed: {between: [box]}}, {name: drive, motor: {between: [box], angular-velocity: 1}}]",
         "joint 'drive' contradicts other joints"},
        {"[{fixed: {between: [box]}}, {name: drive, motor: {between: [box], angle: 't'}}]",
         "joint 'drive' contradicts other joints"},
    };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        Scene scene;
        char text[1024];
        snprintf(text, sizeof text,
                 "stickslip: 1\n" STONE
                 "bodies: {box: {rigid: {box: [1, 1]}, material: stone, position: [0, 0]}}\n"
                 "joints: %s\n"
                 "steps: [{dynamics: {scheme: moreau, step: 0.01, end: 1}}]\n",
                 bad[k].joints);
        assert_int_equal(scene_try(&scene, *state, text), STICK_BAD_INPUT);
        if (!strstr(stick_last_error(*state), bad[k].expected))
            print_error("%s\n", stick_last_error(*state));
        assert_non_null(strstr(stick_last_error(*state), bad[k].expected));
    }
}

// A body that hangs on a far lighter one swings as on a thread, from masses of 1e6 on hardly otherwise.
static void heavy_bodies_hang_on_light_ones(void **state)
{
    double first[3] = {0};
    for (double mass = 1e6; mass < 1e13; mass *= 1e2) {
        Scene scene;
        scene_open(&scene, *state,
                   "bodies:\n"
                   "  thread: {rigid: {box: [0.01, 1], mass: 1}, position: [0, -0.5]}\n"
                   "  weight: {rigid: {box: [1, 1], mass: %g}, position: [0, -1.5]}\n"
                   "gravity: [1, -9.81]\n"
                   "joints: [{pin: {between: [thread], at: [0, 0]}}, {pin: {between: [thread, weight], at: "
                   "[0, -1]}}]\n"
                   "steps: [{dynamics: {scheme: moreau, step: 1e-2, end: 1}}]\n",
                   mass);
        scene_run(&scene);
        check_books(&scene);
        assert_below(off(&scene, 0, 1, 0, -1, 0), 1e-11);
        const double *q = q_of(&scene, 1);
        for (int k = 0; k < 3; k++) {
            first[k] = mass < 1e7 ? q[k] : first[k];
            assert_near(q[k], first[k], 1e-5);
        }
        assert_true(q[0] > 0.1);
        scene_close(&scene);
    }
}

// A contact of a light body that carries a heavy one is no contact without a way to open: it is solved, or refused
// where masses are too different, but not left out.
static void light_bodies_carry_heavy_ones(void **state)
{
    for (double mass = 1e6; mass < 1e11; mass *= 1e2) {
        Scene scene;
        StickStatus status = STICK_OK;
        scene_open(&scene, *state,
                   "bodies:\n"
                   "  wheel: {rigid: {disk: 0.5, mass: 1}, position: [0, 0.5]}\n"
                   "  cart: {rigid: {box: [0.2, 1], mass: %g}, position: [0, 1]}\n"
                   "obstacles: {floor: {plane: {point: [0, 0], normal: [0, 1]}}}\n"
                   "gravity: [0, -9.81]\n"
                   "contacts: [{between: [wheel, floor], friction: 0.3}]\n"
                   "supports: [{on: cart, velocity: [0, free], angular-velocity: 0}]\n"
                   "joints: [{pin: {between: [wheel, cart], at: [0, 0.5]}}]\n"
                   "steps: [{dynamics: {scheme: moreau, step: 1e-3, end: 0.02}}]\n",
                   mass);
        while (status == STICK_OK && !stick_simulation_is_done(scene.run))
            status = stick_simulation_step(scene.run);
        assert_true(status == STICK_OK || mass > 1e7);
        assert_near(q_of(&scene, 1)[1], 0, 1e-6);
        scene_close(&scene);
    }
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    assert_survives_failing_memory(
        scene_three_steps,
        "stickslip: 1\n" STONE
        "bodies: {link: {rigid: {box: [0.5, 0.1]}, material: stone, position: ['0.5*i', 0.05], repeat: "
        "{i: [0, 2]}}}\n"
        "obstacles: {ground: {plane: {point: [0, 0], normal: [0, 1]}}}\n"
        "gravity: [0, -9.81]\n"
        "contacts: [{between: all, friction: 0.3}]\n"
        "joints: [{pin: {between: ['link[i]', 'link[i+1]'], at: ['0.5*i + 0.25', 0.05]}, repeat: {i: "
        "[0, 1]}}, {spring: {between: ['link[0]', ground], from: [0, 0], to: [0, 1], stiffness: 1}}]\n"
        "steps: [{dynamics: {scheme: moreau, step: 0.01, end: 1}}]\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(pendulum_has_its_period),
        test_with_context(pendulum_keeps_place_and_energy),
        test_with_context(double_pendulum_keeps_its_joints_for_long),
        test_with_context(free_chain_keeps_its_momenta),
        test_with_context(slider_crank_follows_its_closed_form),
        test_with_context(four_bar_linkage_keeps_its_energy),
        test_with_context(gears_turn_at_their_ratio),
        test_with_context(motors_follow_their_functions),
        test_with_context(spring_and_damper_are_an_oscillator),
        test_with_context(jointed_bodies_collide_as_a_whole),
        test_with_context(tents_fall_with_friction_and_books),
        test_with_context(joints_go_with_obstacles_and_supports),
        test_with_context(chains_bounce_without_loss_where_nothing_dissipates),
        test_with_context(jointed_bodies_touch_where_asked),
        test_with_context(bad_joints_are_refused_by_name),
        test_with_context(heavy_bodies_hang_on_light_ones),
        test_with_context(light_bodies_carry_heavy_ones),
        test_with_context(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
