// SPDX-License-Identifier: Apache-2.0
// Friction that falls with speed, without inertia: steady in long increments, to and fro in short ones.
#include "stepping/chatter.h"
#include "stepping/scene.h"

// A node on a spring k = 6, pressed by N = 2 on a plate with speed V; mu = 0.3 + 0.2 exp(-10 v). Sliding is steady in
// increments longer than N |mu'| / k = 0.67 exp(-10 V).
static void open_mass(Scene *scene, StickContext *ctx, double V, int increments, const char *friction)
{
    scene_open(scene, ctx,
               "materials: {spring: {young: 8, density: 4.5e-4}}\n"
               "bodies: {mass: {mesh: {rectangle: {size: [100, 100], cells: [1, 1], pattern: triangles}}, "
               "plane: stress, material: spring, mass: lumped}}\n"
               "obstacles: {plate: {plane: {point: [0, 0], normal: [0, 1]}, velocity: [%g, 0]}}\n"
               "supports: [{on: mass.top, displacement: [0, 0]}, {on: mass.right, displacement: [0, 0]}]\n"
               "loads: [{on: mass.bottom-left, force: [0, -2]}]\n"
               "contacts: [{between: [mass.bottom-left, plate], friction: \"%s\"}]\n"
               "steps: [{quasistatic: {end: 20, increments: %d}}]\n",
               V, friction, increments);
}

static int run_and_count(const Scene *scene)
{
    int warnings = 0;
    stick_diagnostics_clear(scene->ctx);
    while (!stick_simulation_is_done(scene->run))
        scene_step(scene);
    for (size_t k = 0; k < stick_diagnostic_count(scene->ctx); k++)
        warnings += strstr(stick_diagnostic(scene->ctx, k)->text, "to and fro") != NULL;
    return warnings;
}

static void short_increments_chatter(void **state)
{
    static const char falls[] = "0.3 + 0.2*exp(-v/0.1)", rests[] = "v > 0 and 0.3 or 0.5";
    static const struct {
        double V;
        int increments;
        const char *friction;
        bool chatters;
    } runs[] = {
        {0.12, 40, falls, false},                             // 0.5 > 0.2
        {0.12, 400, falls, true},                             // 0.05 < 0.2
        {0.12, 1000, falls, true}, {0.5, 400, falls, false},  // 0.05 > 0.0045
        {0.12, 400, "0.3", false}, {0.12, 400, rests, false}, // what slides goes on to slide
    };
    for (size_t k = 0; k < sizeof runs / sizeof *runs; k++) {
        Scene scene;
        open_mass(&scene, *state, runs[k].V, runs[k].increments, runs[k].friction);
        assert_int_equal(run_and_count(&scene), runs[k].chatters);
        assert_int_equal(stick_chatter_is(scene.run, stick_memory_slot(&scene.run->state.memory,
                                                                       &scene.run->contacts.contact[0])),
                         runs[k].chatters);
        assert_true((scene.run->record.chatter > 0) == runs[k].chatters);
        scene_close(&scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {test_with_context(short_increments_chatter)};
    return cmocka_run_group_tests_name("chatter", tests, NULL, NULL);
}
