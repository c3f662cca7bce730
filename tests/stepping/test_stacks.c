// SPDX-License-Identifier: Apache-2.0
// Stacks of bodies whose masses differ by up to a million rest on a slope just below the angle of friction; errors of the
// contact solves that accumulate stay far below the size of the bodies.
#include "stepping/scene.h"

#include <stdlib.h>
#include <string.h>

typedef enum Order { HEAVY_ON_LIGHT, LIGHT_ON_HEAVY, GROWING, ALTERNATING, NORDERS } Order;

static double mass(Order order, int i, int n, double ratio)
{
    return order == HEAVY_ON_LIGHT   ? (i == n - 1 ? ratio : 1)
           : order == LIGHT_ON_HEAVY ? (i == 0 ? ratio : 1)
           : order == GROWING        ? pow(ratio, (double)i / (n - 1))
                                     : (i % 2 ? ratio : 1);
}

// Boxes of 0.2 (x 0.2) x 0.1 on a plane; gravity is inclined by the tangent, friction is 0.3.
static void open_stack(Scene *scene, StickContext *ctx, int dim, int n, Order order, double ratio,
                       double tangent, const char *solver)
{
    char bodies[4096] = "";
    for (int i = 0; i < n; i++) {
        size_t used = strlen(bodies);
        snprintf(bodies + used, sizeof bodies - used,
                 "  b%d: {rigid: {box: %s, mass: %.17g}, position: [0, %s%.17g]}\n", i,
                 dim == 2 ? "[0.2, 0.1]" : "[0.2, 0.2, 0.1]", mass(order, i, n, ratio), dim == 2 ? "" : "0, ",
                 0.05 + 0.1 * i);
    }
    scene_open(scene, ctx,
               "bodies:\n%sobstacles: {f: {plane: {point: %s, normal: %s}}}\n"
               "gravity: [%.17g, %s-9.81]\n"
               "contacts: [{between: all, friction: 0.3}]\n"
               "steps: [{dynamics: {scheme: moreau, step: 5e-3, end: 1}%s}]\n",
               bodies, dim == 2 ? "[0, 0]" : "[0, 0, 0]", dim == 2 ? "[0, 1]" : "[0, 0, 1]", 9.81 * tangent,
               dim == 2 ? "" : "0, ", solver);
}

static double largest_motion(const Scene *scene)
{
    double largest = 0;
    for (int i = 0; i < scene->run->state.n; i++)
        largest = fmax(largest, fabs(scene->run->state.now.q[i]));
    return largest;
}

// 1e-6 of the body in 1e5 steps: as a rate, with a margin for how errors of single steps add up.
static void stacks_of_unequal_bodies_rest(void **state)
{
    static const double ratios[] = {1, 1e3, 1e6};
    enum { STEPS = 40 };
    for (int dim = 2; dim <= 3; dim++)
        for (int order = 0; order < NORDERS; order++)
            for (int k = 0; k < 3; k++)
                for (int n = 2; n <= 6; n += 4) {
                    // a tall stack on the steep slope would tip over
                    double tangent = n == 2 ? 0.299 : 0.05;
                    Scene scene;
                    open_stack(&scene, *state, dim, n, (Order)order, ratios[k], tangent, "");
                    scene_steps(&scene, STEPS);
                    assert_below(largest_motion(&scene), 1e-6 * 0.1 * STEPS / 1e5 * (k == 2 ? 50 : 5));
                    assert_below(scene.run->record.worst_scale_free, 1e-8);
                    scene_close(&scene);
                }
}

// A solver that may not iterate enough: within accept the run goes on and is counted, beyond it ends.
static void errors_above_the_tolerance_are_counted_or_end_the_run(void **state)
{
    Scene scene;
    open_stack(&scene, *state, 2, 3, HEAVY_ON_LIGHT, 10, 0.2,
               ", solver: {name: gauss-seidel, iterations: 30, tolerance: 1e-12, accept: 0.5}");
    scene_steps(&scene, 3);
    assert_true(scene.run->record.accepted > 0);
    double worst = fmax(scene.run->record.worst_error, scene.run->record.worst_contact);
    assert_true(worst > 1e-12 && worst <= 0.5);
    scene_close(&scene);
    open_stack(&scene, *state, 2, 3, HEAVY_ON_LIGHT, 10, 0.2,
               ", solver: {name: gauss-seidel, iterations: 30, tolerance: 1e-14, accept: 1e-13}");
    assert_int_equal(stick_simulation_step(scene.run), STICK_NOT_SOLVED);
    scene_close(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(stacks_of_unequal_bodies_rest),
        test_with_context(errors_above_the_tolerance_are_counted_or_end_the_run),
    };
    return cmocka_run_group_tests_name("stepping.stacks", tests, NULL, NULL);
}
