// SPDX-License-Identifier: Apache-2.0
// A ball that falls by 1 m and bounces until it rests: every impact, every height and the end of it, by both laws of
// impact, with an error of the order of the step.
#include "stepping/mechanism.h"

static const double g = 9.81;

typedef struct Bounces {
    int count;     // of impacts that were looked at ...
    double impact; // ... the largest error of their times,
    double height; // and of the heights between them
    double rest;   // error of the time of rest
    double left;   // speed long after it
} Bounces;

// Exact: the k-th impact is at t0 (1 + 2 (e + ... + e^k)), the height after it e^(2k+2).
static double impact_at(double e, int k)
{
    double t0 = sqrt(2 / g);
    return t0 * (1 + 2 * e * (1 - pow(e, k)) / (1 - e));
}

static double time_of_rest(double e)
{
    return sqrt(2 / g) * (1 + e) / (1 - e);
}

// Impacts are looked at as long as the ball flies for more than 20 steps between two of them.
static Bounces bounce(StickContext *ctx, double e, bool by_index, double h)
{
    Scene scene;
    Bounces found = {0};
    char law[64];
    snprintf(law, sizeof law, by_index ? "dissipation: %.17g" : "restitution: %.17g",
             by_index ? (1 - e) / (1 + e) : e);
    scene_open(&scene, ctx,
               STONE "bodies: {ball: {rigid: {disk: 0.1}, material: stone, position: [0, 1.1]}}\n"
                     "obstacles: {floor: {plane: {point: [0, 0], normal: [0, 1]}}}\n"
                     "gravity: [0, -9.81]\n"
                     "contacts: [{between: all, friction: 0, %s}]\n"
                     "steps: [{dynamics: {scheme: moreau, step: %.17g, end: %.17g}}]\n",
               law, h, 1.2 * time_of_rest(e));
    double top = 0, last = 0;
    bool looks = true;
    while (!stick_simulation_is_done(scene.run)) {
        double before = v_of(&scene, 0)[1], after;
        scene_step(&scene);
        after = v_of(&scene, 0)[1];
        top = fmax(top, q_of(&scene, 0)[1] + 1);
        if (fabs(after) > 2 * g * h)
            last = scene.run->state.now.t;
        if (!looks || !(after > before + 0.5 * g * h))
            continue;
        double t = scene.run->state.now.t;
        found.impact = fmax(found.impact, fabs(t - impact_at(e, found.count)));
        if (found.count > 0)
            found.height = fmax(found.height, fabs(top - pow(e, 2 * found.count)));
        top = 0;
        found.count++;
        looks = impact_at(e, found.count) - impact_at(e, found.count - 1) > 20 * h;
    }
    found.rest = last - time_of_rest(e);
    assert_below(fabs(q_of(&scene, 0)[1] + 1), 5 * h);
    found.left = fabs(v_of(&scene, 0)[1]);
    check_books_within(&scene, 1e-12);
    scene_close(&scene);
    return found;
}

// Restitution sees the velocity at the start of the step. The index sees u_L, with the weight of the step in it: every
// impact is too strong by a part of g h, which adds up over the bounces, and in the end e g h is left to jump with.
static void balls_bounce_until_they_rest(void **state)
{
    for (int k = 0; k < 4; k++) {
        double e = k < 2 ? 0.9 : 0.5;
        bool by_index = k % 2;
        for (double h = 2e-3; h > (e > 0.8 ? 4e-4 : 1e-4); h /= 4) {
            Bounces found = bounce(*state, e, by_index, h);
            print_message("e = %g, %s, h = %g: %d impacts, times %.1f h, heights %.1f h, rest %+.1f h, "
                          "speed then %.1f g h\n",
                          e, by_index ? "index" : "restitution", h, found.count, found.impact / h,
                          found.height / h, found.rest / h, found.left / (g * h));
            assert_true(found.count > log(20 * h) / log(e) * 0.7);
            assert_below(found.impact, (by_index ? 20 * found.count : 16) * h);
            assert_below(found.height, 12 * h);
            if (!by_index)
                assert_below(fabs(found.rest), 50 * h);
            assert_below(found.left, by_index ? 10 * g * h : 1e-12);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(balls_bounce_until_they_rest),
    };
    return cmocka_run_group_tests_name("stepping.bounces", tests, NULL, NULL);
}
