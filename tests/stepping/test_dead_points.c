// SPDX-License-Identifier: Apache-2.0
// Parallel cranks that a bar couples, as the wheels of a locomotive: twice in a turn all of them are in line with the bar,
// where the rows of their pins depend on each other, and the impulses that would hold them grow without bound.
#include "brief.h"
#include "stepping/mechanism.h"

static const double crank = 0.3, apart = 0.5;

typedef struct Wheels {
    int dim, count;
    double start; // angle of the cranks; 0: in line with the bar
    const char *motion;
    const char *bodies, *joints; // others; NULL: none
} Wheels;

static StickStatus try_wheels(Scene *scene, StickContext *ctx, const Wheels *wheels)
{
    static char text[4096];
    bool space = wheels->dim == 3;
    double x = crank * cos(wheels->start), y = crank * sin(wheels->start);
    const char *z = space ? ", 0" : "", *axis = space ? ", axis: [0, 0, 1]" : "",
               *thick = space ? ", 0.02" : "";
    snprintf(
        text, sizeof text,
        "stickslip: 1\n"
        "parameters: {a: %.17g, px: %.17g, py: %.17g, d: %.17g}\n"
        "materials: {steel: {density: 7800}}\n"
        "bodies:\n"
        "  wheel: {rigid: {box: [0.3, 0.02%s]}, material: steel, repeat: {i: [0, %d]}, position: ['d*i + "
        "px/2', 'py/2'%s], rotation: %s}\n"
        "  bar: {rigid: {box: ['d*%d', 0.02%s]}, material: steel, position: ['d*%d/2 + px', py%s]}\n"
        "%s"
        "joints:\n"
        "  - {name: foot, pin: {between: ['wheel[i]'], at: ['d*i', 0%s]%s}, repeat: {i: [0, %d]}}\n"
        "  - {name: head, pin: {between: ['wheel[i]', bar], at: ['d*i + px', py%s]%s}, repeat: {i: [0, "
        "%d]}}\n"
        "  - {name: drive, motor: {between: ['wheel[0]'], %s%s}}\n"
        "%s"
        "gravity: [0, -9.81%s]\n"
        "steps: [{dynamics: {scheme: moreau, step: 1e-3, end: 1.5}}]\n",
        wheels->start, x, y, apart, thick, wheels->count - 1, z, space ? "[0, 0, a]" : "a", wheels->count - 1,
        thick, wheels->count - 1, z, wheels->bodies ? wheels->bodies : "", z, axis, wheels->count - 1, z,
        axis, wheels->count - 1, wheels->motion, axis, wheels->joints ? wheels->joints : "", z);
    return scene_try(scene, ctx, text);
}

static void open_wheels(Scene *scene, StickContext *ctx, const Wheels *wheels)
{
    assert_ok(ctx, try_wheels(scene, ctx, wheels));
}

static double turning(const Scene *scene, int body)
{
    return v_of(scene, body)[scene->system->dim == 2 ? 2 : 5];
}

static double worst_pin(const Scene *scene, const Wheels *wheels)
{
    double worst = 0, x = crank * cos(wheels->start), y = crank * sin(wheels->start);
    for (int i = 0; i < wheels->count; i++)
        worst = fmax(worst, fmax(off(scene, i, -1, apart * i, 0, 0),
                                 off(scene, i, wheels->count, apart * i + x, y, 0)));
    return worst;
}

// They go on as they went but for a step in which nothing holds the bar against its weight, g h by l w, and every pin is in
// its place again.
static void wheels_pass_their_dead_points(void **state)
{
    static const char *const motion[] = {"angle: 2*pi*t", "angle: 5*t*t", "angular-velocity: 2*pi"};
    static const double start[] = {0.3, 1.5707963267948966};
    for (int k = 0; k < 24; k += test_size(1, 5)) {
        Scene scene;
        Wheels wheels = {2 + k % 2, 2 + k / 2 % 2, start[k / 4 % 2], motion[k / 8], NULL, NULL};
        double pin = 0, differs = 0;
        open_wheels(&scene, *state, &wheels);
        while (!stick_simulation_is_done(scene.run)) {
            scene_step(&scene);
            pin = fmax(pin, worst_pin(&scene, &wheels));
            for (int i = 1; i < wheels.count; i++)
                differs = fmax(differs, fabs(turning(&scene, i) / turning(&scene, 0) - 1));
            differs = fmax(differs, fabs(turning(&scene, wheels.count)) / turning(&scene, 0));
        }
        assert_below(pin, 1e-6);
        assert_below(differs, 1e-2);
        assert_below(worst_pin(&scene, &wheels), 1e-12);
        for (int i = 1; i < wheels.count; i++)
            assert_near(turning(&scene, i) / turning(&scene, 0), 1, 1e-9);
        check_books(&scene);
        scene_close(&scene);
    }
}

// Steps until one is refused or all are done.
static StickStatus run_on(const Scene *scene)
{
    StickStatus status = STICK_OK;
    while (status == STICK_OK && !stick_simulation_is_done(scene->run))
        status = stick_simulation_step(scene->run);
    return status;
}

// Where they stand in it at first joints do not tell how they go on, however slow they are.
static void wheels_that_begin_in_one_are_refused(void **state)
{
    static const char *const motion[] = {
        "angle: 2*pi*t",          "angular-velocity: 2*pi", "angular-velocity: 0.3", "angular-velocity: 0.05",
        "angular-velocity: 0.01", "angular-velocity: 0",    "angle: 1e-6*t",         "angle: t*t"};
    for (int k = 0; k < 64; k += test_size(1, 5)) {
        Scene scene;
        Wheels wheels = {2 + k % 2,     2 + k / 2 % 2, k / 4 % 2 ? 3.141592653589793 : 0,
                         motion[k / 8], NULL,          NULL};
        assert_int_equal(try_wheels(&scene, *state, &wheels), STICK_BAD_INPUT);
        assert_non_null(strstr(stick_last_error(*state), "joint 'head["));
        assert_non_null(strstr(stick_last_error(*state), "is in a dead point of its linkage at the start"));
    }
}

// Nor does it matter what else there is: far bodies, springs, and mechanisms that are not in one.
static void what_else_there_is_does_not_matter(void **state)
{
    static const char *const bodies[] = {
        "  load: {rigid: {box: [0.1, 0.1]}, material: steel, position: [5, 0.5]}\n",
        "  load: {rigid: {box: [0.1, 0.1]}, material: steel, position: [1e6, 0.5]}\n",
        "  load: {rigid: {box: [0.1, 0.1]}, material: steel, position: [5, 0.5], velocity: [1e4, 0]}\n"};
    static const char *const joints[] = {
        NULL, "  - {spring: {between: [load], from: [5, 0.5], to: [5, 2], length: 1, stiffness: 1e5}}\n",
        "  - {spring: {between: ['wheel[1]'], from: [0.65, 0], to: [5, 2], length: 1, stiffness: 1e5}}\n",
        "  - {pin: {between: [load], at: [5, 0]}}\n  - {motor: {between: [load], angle: t*t}}\n"};
    static const char *const motion[] = {"angular-velocity: 2*pi", "angular-velocity: 0.01"};
    for (int k = 0; k < 24; k += test_size(1, 5)) {
        Scene scene;
        Wheels wheels = {2, 2, 0, motion[k / 12], bodies[k % 3], joints[k / 3 % 4]};
        assert_int_equal(try_wheels(&scene, *state, &wheels), STICK_BAD_INPUT);
        assert_non_null(strstr(stick_last_error(*state), "is in a dead point of its linkage at the start"));
    }
}

// Beside it they begin, and two motors hold them in it.
static void wheels_begin_where_joints_hold_them(void **state)
{
    static const double start[] = {1e-4, 1e-3, 0.1, 3.1};
    for (int k = 0; k < 16; k += test_size(1, 5)) {
        Scene scene;
        Wheels wheels = {2 + k % 2, 2 + k / 2 % 2, start[k / 4], "angular-velocity: 0.05", NULL, NULL};
        open_wheels(&scene, *state, &wheels);
        scene_steps(&scene, 20);
        for (int i = 1; i < wheels.count; i++)
            assert_near(turning(&scene, i), 0.05, 1e-9);
        scene_close(&scene);
    }
    Scene scene;
    Wheels both = {2, 2, 0, "angle: t*t", NULL, "  - {motor: {between: ['wheel[1]'], angle: t*t}}\n"};
    open_wheels(&scene, *state, &both);
    scene_run(&scene);
    assert_near(turning(&scene, 0), 3, 1e-9);
    assert_near(turning(&scene, 1), 3, 1e-9);
    scene_close(&scene);
}

// A bar so slow that its weight turns it in the dead point could go on with the second wheel either way: where it is not
// refused, both wheels turn as one.
static void wheels_that_pass_too_slowly_are_refused(void **state)
{
    static const double speed[] = {0.001, 0.01, 0.03, 0.3, 1, 3};
    int refused = 0;
    for (int k = 0; k < 6; k++) {
        Scene scene;
        char motion[64];
        snprintf(motion, sizeof motion, "angular-velocity: %g", speed[k]);
        open_wheels(&scene, *state, &(Wheels){2, 2, -1e-4, motion, NULL, NULL});
        StickStatus status = run_on(&scene);
        if (status != STICK_OK)
            assert_non_null(strstr(stick_last_error(*state), "passes a dead point"));
        else
            assert_near(turning(&scene, 1) / speed[k], 1, 1e-9);
        assert_int_equal(status != STICK_OK, speed[k] < 0.05);
        refused += status != STICK_OK;
        scene_close(&scene);
    }
    assert_int_equal(refused, 3);
}

// A piston that is driven beyond the end of its stroke is refused there: at no time is it shown slower than its motor,
// whatever a spring of another body asks for.
static void motors_are_not_lost_in_dead_points(void **state)
{
    Scene scene;
    StickStatus status = STICK_OK;
    scene_open(
        &scene, *state,
        "parameters: {kx: '0.3*cos(0.3)', ky: '0.3*sin(0.3)', px: 'kx + sqrt(0.25 - ky^2)'}\n" STONE
        "bodies:\n"
        "  crank: {rigid: {box: [0.3, 0.02]}, material: stone, position: [kx/2, ky/2], rotation: 0.3}\n"
        "  rod: {rigid: {box: [0.5, 0.02]}, material: stone, position: [(kx + px)/2, ky/2]}\n"
        "  piston: {rigid: {box: [0.1, 0.1]}, material: stone, position: [px, 0]}\n"
        "  load: {rigid: {box: [0.1, 0.1]}, material: stone, position: [5, 0.5]}\n"
        "joints:\n"
        "  - {pin: {between: [crank], at: [0, 0]}}\n"
        "  - {pin: {between: [crank, rod], at: [kx, ky]}}\n"
        "  - {pin: {between: [rod, piston], at: [px, 0]}}\n"
        "  - {slider: {between: [piston], axis: [1, 0]}}\n"
        "  - {name: drive, motor: {between: [piston], axis: [1, 0], velocity: 0.05}}\n"
        "  - {spring: {between: [load], from: [5, 0.5], to: [5, 2], length: 0.5, stiffness: 10}}\n"
        "steps: [{dynamics: {scheme: moreau, step: 1e-3, end: 1}}]\n");
    while (status == STICK_OK) {
        assert_near(v_of(&scene, 2)[0], 0.05, 1e-4);
        status = stick_simulation_step(scene.run);
    }
    assert_true(scene.run->state.now.t > 0.4 && scene.run->state.now.t < 0.43);
    scene_close(&scene);
}

// What contradicts by little is refused at once, also where it does so from time to time.
static void small_contradictions_are_refused(void **state)
{
    static const char *const angle[][2] = {
        {"t*t", "1.00001*t*t"},
        {"0.1*(1 - cos(40*pi*max(t - 0.01, 0)))", "0.100001*(1 - cos(40*pi*max(t - 0.01, 0)))"}};
    for (int k = 0; k < 2; k++) {
        Scene scene;
        scene_open(&scene, *state,
                   STONE "bodies: {a: {rigid: {box: [1, 1]}, material: stone, position: [0, 0.5]}}\n"
                         "joints: [{pin: {between: [a], at: [0, 0]}}, {motor: {between: [a], angle: '%s'}}, "
                         "{name: twice, motor: {between: [a], angle: '%s'}}]\n"
                         "steps: [{dynamics: {scheme: moreau, step: 1e-3, end: 3}}]\n",
                   angle[k][0], angle[k][1]);
        stick_diagnostics_clear(*state);
        assert_int_equal(run_on(&scene), STICK_BAD_INPUT);
        assert_true(scene.run->state.now.t < 0.02);
        assert_int_equal(stick_diagnostic_count(*state), 1);
        assert_non_null(strstr(stick_diagnostic(*state, 0)->text, "joint 'twice' contradicts other joints"));
        scene_close(&scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(wheels_pass_their_dead_points),
        test_with_context(wheels_that_begin_in_one_are_refused),
        test_with_context(what_else_there_is_does_not_matter),
        test_with_context(wheels_begin_where_joints_hold_them),
        test_with_context(wheels_that_pass_too_slowly_are_refused),
        test_with_context(motors_are_not_lost_in_dead_points),
        test_with_context(small_contradictions_are_refused),
    };
    return cmocka_run_group_tests_name("stepping.dead_points", tests, NULL, NULL);
}
