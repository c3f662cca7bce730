// SPDX-License-Identifier: Apache-2.0
// Parallel cranks that a bar couples, as the wheels of a locomotive: twice in a turn all of them are in line with the bar,
// where the rows of their pins depend on each other, and the impulses that would hold them grow without bound.
#include "drive/mechanism.h"

static const double crank = 0.3, apart = 0.5;

typedef struct Wheels {
    int dim, count;
    double start; // angle of the cranks; 0: in line with the bar
    const char *motion;
} Wheels;

static void open_wheels(Scene *scene, StickContext *ctx, const Wheels *wheels)
{
    bool space = wheels->dim == 3;
    double x = crank * cos(wheels->start), y = crank * sin(wheels->start);
    const char *z = space ? ", 0" : "", *axis = space ? ", axis: [0, 0, 1]" : "",
               *thick = space ? ", 0.02" : "";
    scene_open(
        scene, ctx,
        "parameters: {a: %.17g, px: %.17g, py: %.17g, d: %.17g}\n"
        "materials: {steel: {density: 7800}}\n"
        "bodies:\n"
        "  wheel: {rigid: {box: [0.3, 0.02%s]}, material: steel, repeat: {i: [0, %d]}, position: ['d*i + "
        "px/2', 'py/2'%s], rotation: %s}\n"
        "  bar: {rigid: {box: ['d*%d', 0.02%s]}, material: steel, position: ['d*%d/2 + px', py%s]}\n"
        "joints:\n"
        "  - {name: foot, pin: {between: ['wheel[i]'], at: ['d*i', 0%s]%s}, repeat: {i: [0, %d]}}\n"
        "  - {name: head, pin: {between: ['wheel[i]', bar], at: ['d*i + px', py%s]%s}, repeat: {i: [0, "
        "%d]}}\n"
        "  - {name: drive, motor: {between: ['wheel[0]'], %s%s}}\n"
        "gravity: [0, -9.81%s]\n"
        "steps: [{dynamics: {scheme: moreau, step: 1e-3, end: 1.5}}]\n",
        wheels->start, x, y, apart, thick, wheels->count - 1, z, space ? "[0, 0, a]" : "a", wheels->count - 1,
        thick, wheels->count - 1, z, z, axis, wheels->count - 1, z, axis, wheels->count - 1, wheels->motion,
        axis, z);
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
    for (int k = 0; k < 24; k++) {
        Scene scene;
        Wheels wheels = {2 + k % 2, 2 + k / 2 % 2, start[k / 4 % 2], motion[k / 8]};
        double pin = 0, differs = 0;
        open_wheels(&scene, *state, &wheels);
        while (!stick_run_is_done(scene.run)) {
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

// Where they stand in it at first joints do not tell how they go on: never with wheels that the motor does not turn.
static void wheels_that_begin_in_one_are_refused(void **state)
{
    static const char *const motion[] = {"angle: 2*pi*t", "angular-velocity: 2*pi"};
    for (int k = 0; k < 8; k++) {
        Scene scene;
        StickStatus status = STICK_OK;
        open_wheels(&scene, *state, &(Wheels){2 + k % 2, 2 + k / 2 % 2, 0, motion[k / 4]});
        stick_diagnostics_clear(*state);
        while (status == STICK_OK && !stick_run_is_done(scene.run))
            status = stick_run_step(scene.run);
        assert_int_not_equal(status, STICK_OK);
        size_t count = stick_diagnostic_count(*state);
        assert_true(count > 0 && strstr(stick_diagnostic(*state, count - 1)->text, "dead point"));
        scene_close(&scene);
    }
}

// What contradicts by little is told at once, and refused when it goes on.
static void small_contradictions_are_refused(void **state)
{
    Scene scene;
    StickStatus status = STICK_OK;
    scene_open(&scene, *state,
               STONE
               "bodies: {a: {rigid: {box: [1, 1]}, material: stone, position: [0, 0.5]}}\n"
               "joints: [{pin: {between: [a], at: [0, 0]}}, {motor: {between: [a], angle: t*t}}, {name: "
               "twice, motor: {between: [a], angle: '1.00001*t*t'}}]\n"
               "steps: [{dynamics: {scheme: moreau, step: 1e-3, end: 3}}]\n");
    while (status == STICK_OK && !stick_run_is_done(scene.run))
        status = stick_run_step(scene.run);
    assert_int_equal(status, STICK_BAD_INPUT);
    assert_true(scene.run->state.now.t < 0.2);
    assert_int_equal(stick_diagnostic_count(*state), 2);
    assert_non_null(strstr(stick_diagnostic(*state, 0)->text, "joint 'twice' is off its place by 1.2e-09"));
    assert_non_null(strstr(stick_diagnostic(*state, 1)->text, "joint 'twice' contradicts other joints"));
    scene_close(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(wheels_pass_their_dead_points),
        test_with_context(wheels_that_begin_in_one_are_refused),
        test_with_context(small_contradictions_are_refused),
    };
    return cmocka_run_group_tests_name("drive.dead_points", tests, NULL, NULL);
}
