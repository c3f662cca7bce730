// SPDX-License-Identifier: Apache-2.0
// Bodies that move by modes: their shapes, and the refusals.
#include "stepping/scene.h"

#include "base/pi.h"
#include "bodies/modes.h"
#include "bodies/products.h"

#define STEEL "materials: {steel: {law: elastic, young: 2e11, poisson: 0.3, density: 8000}}\n"
#define STEPS "steps: [{dynamics: {scheme: theta, theta: 0.5, step: 1e-6, end: 1}}]\n"

static void open_bar(Scene *scene, StickContext *ctx, const char *modes, const char *supports)
{
    scene_open(scene, ctx,
               STEEL "bodies: {bar: {mesh: {bar: {length: 2, elements: 40}}, material: steel, modes: {%s}}}\n"
                     "%s\n" STEPS,
               modes, supports);
}

static const StickModes *modes_of(const Scene *scene)
{
    const StickModes *modes = scene->system->body[0].modes;
    assert_non_null(modes);
    return modes;
}

// Waves of equal linear elements with consistent mass, ka = wave number times d: omega^2 = 6 (c/d)^2 (1 - cos ka)/(2
// + cos ka)
static double bar_value(double ka)
{
    double c2 = 2e11 / 8000, d = 2.0 / 40;
    return 6 * c2 / (d * d) * (1 - cos(ka)) / (2 + cos(ka));
}

static void free_bar_has_the_exact_frequencies_of_its_elements(void **state)
{
    Scene scene;
    open_bar(&scene, *state, "count: 12", "");
    const StickModes *modes = modes_of(&scene);
    assert_int_equal(modes->count, 12);
    assert_int_equal(modes->nrigid, 1);
    for (int k = 0; k < 12; k++)
        assert_near(modes->value[k], bar_value(k * STICK_PI / 40), 1e-10 * bar_value(STICK_PI));
    scene_close(&scene);
}

static void held_bar_has_the_modes_of_its_supports(void **state)
{
    Scene scene;
    open_bar(&scene, *state, "count: 12", "supports: [{on: bar.start, displacement: [0]}]");
    const StickModes *modes = modes_of(&scene);
    assert_int_equal(modes->nrigid, 0);
    for (int k = 0; k < 12; k++) {
        assert_near(modes->value[k], bar_value((k + 0.5) * STICK_PI / 40), 1e-10 * bar_value(STICK_PI));
        assert_near(modes->Phi[k * modes->ndofs], 0, 0);
    }
    scene_close(&scene);
}

static void frequency_chooses_the_number(void **state)
{
    for (int count = 2; count < 30; count += 9) {
        double below = sqrt(bar_value((count - 0.5) * STICK_PI / 40)) / (2 * STICK_PI);
        char text[64];
        Scene scene;
        snprintf(text, sizeof text, "below: %.15g", below);
        open_bar(&scene, *state, text, "");
        assert_int_equal(modes_of(&scene)->count, count);
        scene_close(&scene);
        // with both the fewer
        snprintf(text, sizeof text, "below: %.15g, count: 5", below);
        open_bar(&scene, *state, text, "");
        assert_int_equal(modes_of(&scene)->count, count < 5 ? count : 5);
        scene_close(&scene);
    }
}

static void open_block(Scene *scene, StickContext *ctx, const char *mesh, const char *supports)
{
    scene_open(scene, ctx,
               STEEL "bodies: {block: {mesh: {%s}, material: steel, modes: {count: 9}}}\n%s\n" STEPS, mesh,
               supports);
}

// Motions as a whole cost nothing, and supports leave those that they do not hold.
static void supports_leave_motions_free(void **state)
{
    static const struct {
        const char *mesh, *supports;
        int free;
    } cases[] = {
        {"rectangle: {size: [3, 1], cells: [6, 2]}", "", 3},
        {"rectangle: {size: [3, 1], cells: [6, 2]}", "supports: [{on: block.left, displacement: [0, free]}]",
         1},
        {"rectangle: {size: [3, 1], cells: [6, 2]}", "supports: [{on: block.left, displacement: [0, 0]}]", 0},
        {"box: {size: [3, 1, 2], cells: [3, 2, 2]}", "", 6},
        {"box: {size: [3, 1, 2], cells: [3, 2, 2]}",
         "supports: [{on: block.bottom, displacement: [free, free, 0]}]", 3},
    };
    for (int k = 0; k < 5; k++) {
        Scene scene;
        open_block(&scene, *state, cases[k].mesh, cases[k].supports);
        const StickModes *modes = modes_of(&scene);
        assert_int_equal(modes->nrigid, cases[k].free);
        assert_int_equal(modes->count, 9);
        for (int i = 0; i < 9; i++)
            for (int j = 0; j < 9; j++) {
                double stiff = i == j ? modes->value[i] : 0, unit = modes->value[8];
                assert_near(modes->M[i * 9 + j], i == j, 1e-12);
                assert_near(modes->K[i * 9 + j], stiff, 1e-9 * unit);
                if (i < modes->nrigid)
                    assert_near(modes->K[i * 9 + j], 0, 1e-9 * unit);
            }
        scene_close(&scene);
    }
}

// A slender cantilever bends as Euler and Bernoulli say: omega = (1.8751/L)^2 sqrt(E I / rho A).
static void cantilever_has_the_frequency_of_the_beam(void **state)
{
    Scene scene;
    scene_open(
        &scene, *state,
        "materials: {steel: {law: elastic, young: 2e11, poisson: 0, density: 8000}}\n"
        "bodies: {beam: {mesh: {rectangle: {size: [2, 0.1], cells: [40, 4]}}, element: quadratic, plane: "
        "stress, material: steel, modes: {below: 500}}}\n"
        "supports: [{on: beam.left, displacement: [0, 0]}]\n" STEPS);
    const StickModes *modes = modes_of(&scene);
    static const double roots[] = {1.875104068711961, 4.694091132974174, 7.854757438237613};
    for (int k = 0; k < 3; k++) {
        double omega = pow(roots[k] / 2, 2) * sqrt(2e11 * 1e-2 / 12 / 8000),
               slender = pow(roots[k] * 0.05, 2);
        // shear and rotation of sections slow it down by a part of the order (k d)^2
        assert_near(sqrt(modes->value[k]), omega, 0.5 * slender * omega);
        assert_below(sqrt(modes->value[k]), omega);
    }
    scene_close(&scene);
}

static void damping_is_added_to_the_modes_alone(void **state)
{
    Scene scene;
    open_bar(&scene, *state, "count: 6, damping: 0.02", "");
    const StickModes *modes = modes_of(&scene);
    for (int k = 0; k < 6; k++)
        assert_near(modes->C[k * 7], 0.04 * sqrt(modes->value[k]), 1e-12 * sqrt(modes->value[5]));
    assert_near(modes->C[0], 0, 0);
    // Phi' C v of v = Phi z is C z
    const StickBody *body = &scene.system->body[0];
    double *products = calloc(4 * (size_t)body->ndofs, sizeof *products), *Cv = products + body->ndofs;
    stick_system_products(scene.system, modes->Phi, modes->Phi + 3 * body->ndofs, products, Cv,
                          products + 2 * body->ndofs);
    for (int k = 0; k < 6; k++) {
        double sum = 0;
        for (int i = 0; i < body->ndofs; i++)
            sum += modes->Phi[k * body->ndofs + i] * Cv[i];
        assert_near(sum, modes->C[3 * 6 + k], 1e-11 * modes->C[3 * 7]);
    }
    free(products);
    scene_close(&scene);
}

static void what_cannot_be_is_said(void **state)
{
    static const struct {
        const char *body, *rest, *said;
    } cases[] = {
        {"mesh: {bar: {length: 1, elements: 4}}, modes: {count: 2}",
         "supports: [{on: body.start, displacement: [\"sin(t)\"]}]", "supports must be at rest"},
        {"mesh: {bar: {length: 1, elements: 4}}, modes: {count: 2}",
         "supports: [{on: body.start, velocity: [0.5]}]", "supports must be at rest"},
        {"mesh: {bar: {length: 1, elements: 4}}, modes: {below: 1}",
         "supports: [{on: body.start, displacement: [0]}]", "no mode below 1: the lowest is at 125"},
        {"mesh: {bar: {length: 1, elements: 4}}, modes: {count: 6}", "",
         "has 6 modes, but only 5 degrees of freedom"},
        {"mesh: {rectangle: {size: [1, 1], cells: [2, 2]}}, modes: {count: 2}", "",
         "has 2 modes, but 3 rigid-body motions"},
        {"mesh: {bar: {length: 1, elements: 4}}, modes: {damping: 0.1}", "", "needs the key 'below'"},
        {"rigid: {disk: 1}, modes: {count: 3}", "", "'modes' is for deformable bodies"},
        {"mesh: {bar: {length: 1, elements: 4}}, modes: {count: 2}", "", "seeks equilibria"},
    };
    for (int k = 0; k < 8; k++) {
        StickContext *ctx = *state;
        char text[1024];
        Scene scene;
        snprintf(text, sizeof text,
                 "stickslip: 1\n" STEEL "bodies: {body: {%s, material: steel}}\n%s\n"
                 "steps: [{%s}]\n",
                 cases[k].body, cases[k].rest,
                 k == 7 ? "quasistatic: {end: 1, increments: 1}"
                        : "dynamics: {scheme: moreau, step: 1e-6, end: 1}");
        assert_int_equal(scene_try(&scene, ctx, text), STICK_BAD_INPUT);
        if (!strstr(stick_last_error(ctx), cases[k].said))
            print_error("%s\n", stick_last_error(ctx));
        assert_non_null(strstr(stick_last_error(ctx), cases[k].said));
    }
}

static StickStatus open_some(StickContext *ctx, void *data)
{
    (void)data;
    Scene scene;
    STICK_TRY(
        scene_try(&scene, ctx,
                  "stickslip: 1\n" STEEL
                  "bodies: {bar: {mesh: {bar: {length: 1, elements: 4}}, material: steel, velocity: [1], "
                  "modes: {count: 3, damping: 0.01}}}\n" STEPS));
    StickStatus status = stick_simulation_step(scene.run);
    scene_close(&scene);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    assert_survives_failing_memory(open_some, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(free_bar_has_the_exact_frequencies_of_its_elements),
        test_with_context(held_bar_has_the_modes_of_its_supports),
        test_with_context(frequency_chooses_the_number),
        test_with_context(supports_leave_motions_free),
        test_with_context(cantilever_has_the_frequency_of_the_beam),
        test_with_context(damping_is_added_to_the_modes_alone),
        test_with_context(what_cannot_be_is_said),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("bodies.modes", tests, NULL, NULL);
}
