// SPDX-License-Identifier: Apache-2.0
// Rolling down a slope of 20 degrees: disk, sphere and hoop, accelerations with and without slip, and the friction from
// which on they roll, mu = tan(a) k/(1 + k) with J = k m r^2.
#include "stepping/mechanism.h"

static const double radius = 0.1;

typedef struct Round {
    const char *shape;
    int dim;
    double k, critical, rolling;
} Round;

static const Round rounds[] = {
    {"disk: 0.1, mass: 3", 2, 0.5, 0.121323, 2.236812},
    {"sphere: 0.1, mass: 3", 3, 0.4, 0.103991, 2.396584},
    {"disk: 0.1, mass: 3, inertia: 0.03", 2, 1, 0.181985, 1.677609}, // hoop
};

static double slope(void)
{
    return acos(-1) / 9;
}

// Speed down the slope, and that of rolling, after a second.
static void roll(StickContext *ctx, const Round *round, double mu, double found[2])
{
    Scene scene;
    double a = slope(), s = sin(a), c = cos(a);
    if (round->dim == 2)
        scene_open(&scene, ctx,
                   "bodies: {ball: {rigid: {%s}, position: [%.17g, %.17g]}}\n"
                   "obstacles: {slope: {plane: {point: [0, 0], normal: [%.17g, %.17g]}}}\n"
                   "gravity: [0, -9.81]\n"
                   "contacts: [{between: all, friction: %.17g}]\n"
                   "steps: [{dynamics: {scheme: moreau, step: 0.01, end: 1}}]\n",
                   round->shape, radius * s, radius * c, s, c, mu);
    else
        scene_open(&scene, ctx,
                   "bodies: {ball: {rigid: {%s}, position: [%.17g, 0, %.17g]}}\n"
                   "obstacles: {slope: {plane: {point: [0, 0, 0], normal: [%.17g, 0, %.17g]}}}\n"
                   "gravity: [0, 0, -9.81]\n"
                   "contacts: [{between: all, friction: %.17g}]\n"
                   "steps: [{dynamics: {scheme: moreau, step: 0.01, end: 1}}]\n",
                   round->shape, radius * s, radius * c, s, c, mu);
    scene_run(&scene);
    const double *v = v_of(&scene, 0);
    found[0] = v[0] * c - v[round->dim - 1] * s;
    found[1] = radius * (round->dim == 2 ? -v[2] : v[4]);
    check_books_within(&scene, 1e-12);
    scene_close(&scene);
}

static void round_bodies_roll_or_slip(void **state)
{
    for (int k = 0; k < 3; k++) {
        double found[2], a = slope();
        roll(*state, &rounds[k], rounds[k].critical + 1e-3, found);
        assert_near(found[0], rounds[k].rolling, 1e-6);
        assert_near(found[1], rounds[k].rolling, 1e-6);
        roll(*state, &rounds[k], 0.05, found);
        assert_near(found[0], 2.894298, 1e-6);
        assert_near(found[1], 0.05 * 9.81 * cos(a) / rounds[k].k, 1e-6);
        if (k == 0)
            assert_near(found[1], 0.921838, 1e-6);
    }
}

// By bisection: it slips where it is faster than it rolls.
static void round_bodies_roll_from_a_friction_on(void **state)
{
    for (int k = 0; k < 3; k++) {
        double low = 0.05, high = 0.3;
        while (high - low > 1e-7) {
            double mu = 0.5 * (low + high), found[2];
            roll(*state, &rounds[k], mu, found);
            *(found[0] - found[1] > 1e-8 ? &low : &high) = mu;
        }
        print_message("%s: rolls from %.6f on\n", rounds[k].shape, high);
        assert_near(high, rounds[k].critical, 6e-7);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(round_bodies_roll_or_slip),
        test_with_context(round_bodies_roll_from_a_friction_on),
    };
    return cmocka_run_group_tests_name("stepping.rolling", tests, NULL, NULL);
}
