// SPDX-License-Identifier: Apache-2.0
// Newton's method for bodies under finite deformation in contact: equilibria in large strains.
#include "drive/josephy.h"
#include "drive/scene.h"

static void run_to_the_end(const Scene *scene)
{
    while (!stick_run_is_done(scene->run))
        scene_step(scene);
}

// ---- a block that is pressed on a plane without friction: the same strains everywhere

static void open_block(Scene *scene, StickContext *ctx, const char *element, double press, int increments)
{
    scene_open(
        scene, ctx,
        "materials: {rubber: {law: neo-hookean, shear: 1, bulk: 5, density: 1}}\n"
        "bodies: {block: {mesh: {rectangle: {size: [1, 1], cells: [3, 3]}}, element: %s, plane: strain, "
        "material: rubber}}\n"
        "obstacles: {ground: {plane: {point: [0, 0], normal: [0, 1]}}}\n"
        "supports: [{on: block.left, displacement: [0, free]}, {on: block.top, displacement: [free, "
        "\"-%.17g*t\"]}]\n"
        "contacts: [{between: [block.bottom, ground], friction: 0}]\n"
        "steps: [{quasistatic: {end: 1, increments: %d}}]\n",
        element, press, increments);
}

// Kirchhoff stress of F = diag(a, b, 1): k = 0, 1
static double stress(double a, double b, int k)
{
    double shear = 1, bulk = 5, J = a * b, s[3] = {a * a, b * b, 1};
    double mean = (s[0] + s[1] + s[2]) / 3;
    return shear * pow(J, -2.0 / 3) * (s[k] - mean) + bulk / 2 * (J - 1 / J) * J;
}

// The width at which the sides are free.
static double free_width(double b)
{
    double low = 0.5, high = 3;
    for (int k = 0; k < 200; k++) {
        double a = (low + high) / 2;
        *(stress(a, b, 0) > 0 ? &high : &low) = a;
    }
    return low;
}

static void pressed_block_is_homogeneous(void **state)
{
    static const char *const elements[] = {"linear", "mean-dilatation"};
    for (int e = 0; e < 2; e++) {
        Scene scene;
        double press = 0.5, b = 1 - press, a = free_width(b);
        open_block(&scene, *state, elements[e], press, 5);
        run_to_the_end(&scene);
        assert_near(scene_force(&scene), -stress(a, b, 1) / b, 1e-9);
        assert_near(scene.run->state.now.q[scene_dof(&scene, 0, "bottom-right", 0)], a - 1, 1e-10);
        assert_true(scene.run->ledger.worst_equilibrium < 1e-9);
        assert_true(scene.run->ledger.worst_closure < 1e-10);
        assert_true(scene.run->record.cuts == 0);
        scene_close(&scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(pressed_block_is_homogeneous),
    };
    return cmocka_run_group_tests_name("josephy", tests, NULL, NULL);
}
