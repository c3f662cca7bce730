// SPDX-License-Identifier: Apache-2.0
// Bodies in space that a blow beside their middle makes turn by many radians in a step do not pass through a thin plate
// behind them: what a hit within a step produces is swept again, with the rotation that it produces.
//
// STICKSLIP_TEST_SCENES=N: number of scenes; STICKSLIP_TEST_SEED=K: the first one.
#include "stepping/mechanism.h"

#include <stdlib.h>

static const char *const shape[] = {
    "capsule: {radius: 0.01, length: 0.05}",
    "cylinder: {radius: 0.02, length: 0.06}",
    "hull: [[-0.03, -0.01, -0.01], [0.03, -0.01, -0.01], [0, 0.03, -0.01], [0, 0, 0.04]]",
    "box: [0.06, 0.03, 0.02]",
};
enum { SHAPES = sizeof shape / sizeof *shape };

#define HELD                                           \
    "  w: {rigid: {box: [2e6, 2e6, %g], mass: 1e9}}\n" \
    "supports: [{on: w, velocity: [0, 0, 0], angular-velocity: [0, 0, 0]}]\n"
static const char *const floor_of[] = {
    HELD,
    "obstacles: {w: {plane: {point: [0, 0, 0], normal: [0, 0, %g]}}}\n",
};

// splitmix64
static double draw(uint64_t *random, double from, double to)
{
    uint64_t z = (*random += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return from + (to - from) * (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static long number_of(const char *name, long otherwise)
{
    const char *value = getenv(name);
    return value ? strtol(value, NULL, 10) : otherwise;
}

// A ball strikes a body that floats above a thin plate.
static void open_blow(Scene *scene, StickContext *ctx, uint64_t seed)
{
    uint64_t random = seed;
    draw(&random, 0, 1);
    double speed = exp(draw(&random, log(10), log(3000))), angle = draw(&random, -3, 3);
    double x = draw(&random, -0.02, 0.02), y = draw(&random, -0.015, 0.015);
    bool is_plane = draw(&random, 0, 1) < 0.25;
    char below[256];
    // the side of what has one plane only, and the thickness of what has two
    snprintf(below, sizeof below, floor_of[is_plane],
             is_plane ? 1 : exp(draw(&random, log(1e-3), log(1e-2))));
    // one draw per statement: the order of arguments differs by compiler
    double restitution = 0.5 * (draw(&random, 0, 1) < 0.5), friction = 0.3 * (draw(&random, 0, 1) < 0.5);
    double height = 0.45 + draw(&random, 0, 0.03) * speed, mass = exp(draw(&random, log(1), log(1e6)));
    double tilt = draw(&random, -1, 1);
    int kind = (int)draw(&random, 0, SHAPES);
    scene_open(
        scene, ctx,
        "bodies:\n"
        "  b: {rigid: {%s, mass: 1}, position: [0, 0, 0.3], rotation: [%.17g, 0.2, %.17g]}\n"
        "  ham: {rigid: {sphere: 0.05, mass: %.17g}, position: [%.17g, %.17g, %.17g], velocity: [0, 0, "
        "%.17g]}\n%s"
        "contacts: [{between: all, friction: %g, restitution: %g}]\n"
        "steps: [{dynamics: {step: 1e-2, end: 0.1}}]\n",
        shape[kind], tilt, angle, mass, x, y, height, -speed, below, friction, restitution);
}

static void blows_do_not_drive_bodies_through_plates(void **state)
{
    long count = number_of("STICKSLIP_TEST_SCENES", 100), first = number_of("STICKSLIP_TEST_SEED", 1);
    long through = 0, refused = 0, spun = 0;
    for (long k = first; k < first + count; k++) {
        Scene scene;
        open_blow(&scene, *state, (uint64_t)k);
        double least = INFINITY, most = 0;
        StickStatus status = STICK_OK;
        while (status == STICK_OK && !stick_simulation_is_done(scene.run)) {
            status = stick_simulation_step(scene.run);
            least = fmin(least, 0.3 + q_of(&scene, 0)[2]);
            most = fmax(most, 1e-2 * stick_vec_norm(v_of(&scene, 0) + 3));
        }
        spun += most > 1;
        refused += status != STICK_OK;
        through += !(least > 0) || scene.run->record.passed > 0;
        if (status != STICK_OK || !(least > 0) || scene.run->record.passed > 0)
            print_message("seed %ld: least height %g, %g passed, %g rad %s\n", k, least,
                          scene.run->record.passed, most, status == STICK_OK ? "" : stick_last_error(*state));
        scene_close(&scene);
    }
    print_message("%ld of %ld turned by more than a radian per step, %ld went through, %ld were refused\n",
                  spun, count, through, refused);
    assert_int_equal(through, 0);
    assert_true(refused * 100 <= count);
    assert_true(2 * spun > count);
}

int main(void)
{
    const struct CMUnitTest tests[] = {test_with_context(blows_do_not_drive_bodies_through_plates)};
    return cmocka_run_group_tests_name("stepping.spin_sweep", tests, NULL, NULL);
}
