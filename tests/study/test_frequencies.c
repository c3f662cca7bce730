// SPDX-License-Identifier: Apache-2.0
// Densities in other units are seen by the frequencies of the bodies, before anything else tells.
#include "stepping/scene.h"
#include "study/frequencies.h"

static int warned(StickContext *ctx, double density, const char *step)
{
    Scene scene;
    int count = 0;
    scene_open(&scene, ctx,
               "materials: {rubber: {law: neo-hookean, shear: 1, bulk: 100, density: %g}}\n"
               "bodies: {block: {mesh: {rectangle: {size: [10, 5], cells: [20, 10]}}, element: "
               "mean-dilatation, plane: "
               "strain, material: rubber}}\n"
               "parameters: {mu: 0.3}\n"
               "obstacles: {ground: {plane: {point: [0, 0], normal: [0, 1]}, displacement: [80*t, 0]}}\n"
               "supports: [{on: block.top, displacement: [0, 0]}]\n"
               "contacts: [{between: [block.bottom, ground], friction: mu}]\n"
               "steps: [{name: slide, steady-sliding: {vary: {mu: [0, 0.3]}}}, {name: next, %s}]\n",
               density, step);
    stick_diagnostics_clear(ctx);
    stick_frequencies_watch(ctx, scene.system, &scene.model->step[1]);
    for (size_t k = 0; k < stick_diagnostic_count(ctx); k++) {
        const StickDiagnostic *said = stick_diagnostic(ctx, k);
        count += strstr(said->text, "in the units of the model") && said->line > 0;
        count += strstr(said->text, "'highest' names the frequency") ? 10 : 0;
    }
    scene_close(&scene);
    return count;
}

static void densities_in_other_units(void **state)
{
    static const char *const steps[] = {
        "stability: {of: slide, highest: 20000}",
        "dynamics: {scheme: theta, theta: 0.6, step: 1e-5, end: 3}",
    };
    for (int k = 0; k < 2; k++) {
        assert_int_equal(warned(*state, 1.2e-9, steps[k]), 0); // t/mm^3
        assert_int_equal(warned(*state, 1200, steps[k]), 1);   // kg/m^3
    }
    assert_int_equal(warned(*state, 1.2e-24, steps[1]), 1);
    assert_int_equal(warned(*state, 1.2e-2, steps[1]), 0); // slow: thousands of steps in the shortest period
}

static void maps_without_a_highest_frequency(void **state)
{
    assert_int_equal(warned(*state, 1.2e-9, "stability: {of: slide}"), 10);
    assert_int_equal(warned(*state, 1.2e-9, "stability: {of: slide, modes: 5}"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(densities_in_other_units),
        test_with_context(maps_without_a_highest_frequency),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
