// SPDX-License-Identifier: Apache-2.0
// Blocks on a ground that is shaken: the acceleration at which rocking starts, and the shortest pulse that overturns.
#include "stepping/mechanism.h"

static const double g = 9.81;

// A block on a floor that is accelerated by a for the time t1, and goes on with its speed.
static void open_pulse(Scene *scene, StickContext *ctx, const double size[2], double mu,
                       const double pulse[2], double h)
{
    scene_open(
        scene, ctx,
        "parameters: {a: %.17g, t1: %.17g}\n" STONE
        "bodies: {block: {rigid: {box: [%.17g, %.17g]}, material: stone, position: [0, %.17g]}}\n"
        "obstacles: {floor: {plane: {point: [0, 0], normal: [0, 1]}, displacement: ['t < t1 and a*t*t/2 or "
        "a*t1*(t - t1/2)', 0]}}\n"
        "gravity: [0, -9.81]\n"
        "contacts: [{between: all, friction: %g}]\n"
        "steps: [{dynamics: {scheme: moreau, step: %.17g, end: 20}}]\n",
        pulse[0], pulse[1], size[0], size[1], size[1] / 2, mu, h);
}

// ---- start

static bool starts(StickContext *ctx, const double size[2], double mu, double a, double *slid)
{
    Scene scene;
    double pulse[2] = {a, 100};
    open_pulse(&scene, ctx, size, mu, pulse, 1e-3);
    scene_steps(&scene, 50);
    double t = scene.run->state.now.t, turned = fabs(q_of(&scene, 0)[2]);
    *slid = 0.5 * a * t * t - q_of(&scene, 0)[0];
    scene_close(&scene);
    return turned > 1e-9;
}

// a > g b/h, where friction is above b/h; where it is less the block slides.
static void blocks_rock_from_an_acceleration_on(void **state)
{
    const double sizes[3][2] = {{0.2, 0.6}, {0.5, 2}, {1, 4}};
    for (int k = 0; k < 3; k++) {
        double slender = sizes[k][0] / sizes[k][1], low = 0.5 * g * slender, high = 2 * g * slender, slid;
        while (high - low > 1e-7 * g) {
            double a = 0.5 * (low + high);
            *(starts(*state, sizes[k], 1.1 * slender, a, &slid) ? &high : &low) = a;
        }
        print_message("rocking starts at %.7f g (b/h = %.7f)\n", high / g, slender);
        assert_near(high / (g * slender), 1, 1e-5);
        assert_false(starts(*state, sizes[k], 0.9 * slender, 2 * g * slender, &slid));
        assert_near(slid, 0.5 * (2 - 0.9) * g * slender * 0.05 * 0.05, 1e-3 * slid);
    }
}

// ---- pulses

// It overturns beyond the angle at which its weight helps; what turns back does not.
static bool overturns(StickContext *ctx, double alpha, double x, double t1, double h)
{
    Scene scene;
    const double size[2] = {2 * sin(alpha), 2 * cos(alpha)}, pulse[2] = {x * alpha * g, t1};
    bool is_over = false, is_back = false;
    open_pulse(&scene, ctx, size, 2, pulse, h);
    while (!is_over && !is_back) {
        scene_step(&scene);
        double angle = fabs(q_of(&scene, 0)[2]), rate = v_of(&scene, 0)[2] * copysign(1, q_of(&scene, 0)[2]);
        is_over = angle > 1.5 * alpha;
        is_back = scene.run->state.now.t > t1 && rate < 0;
        assert_false(stick_simulation_is_done(scene.run));
    }
    scene_close(&scene);
    return is_over;
}

// Linear theory: from p t1 = ln(x/(x - 1)) on, p^2 = 3 g/(4 R).
static double threshold(StickContext *ctx, double alpha, double x, double h)
{
    double p = sqrt(0.75 * g), linear = log(x / (x - 1)) / p, low = 0.8 * linear, high = 1.25 * linear;
    assert_false(overturns(ctx, alpha, x, low, h));
    assert_true(overturns(ctx, alpha, x, high, h));
    while (high - low > 2e-3 * linear) {
        double t1 = 0.5 * (low + high);
        *(overturns(ctx, alpha, x, t1, h) ? &high : &low) = t1;
    }
    return p * high;
}

static void pulses_overturn_from_a_length_on(void **state)
{
    const double x[4] = {1.25, 1.5, 2, 3}, exact[4] = {1.609438, 1.098612, 0.693147, 0.405465};
    for (int k = 0; k < 4; k++) {
        double found = threshold(*state, 0.05, x[k], 1e-3);
        print_message("x = %g: overturns from p t1 = %.4f on (%.6f, %+.2f %%)\n", x[k], found, exact[k],
                      100 * (found / exact[k] - 1));
        assert_near(found / exact[k], 1, 0.03);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(blocks_rock_from_an_acceleration_on),
        test_with_context(pulses_overturn_from_a_length_on),
    };
    return cmocka_run_group_tests_name("stepping.rocking", tests, NULL, NULL);
}
