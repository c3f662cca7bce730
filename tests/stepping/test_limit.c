// SPDX-License-Identifier: Apache-2.0
// Bodies under finite deformation at the end of what they can carry, and without what held them: a shallow arch that snaps
// through under a load, by a way that is prescribed, and in time; contact that is lost.
#include "stepping/scene.h"

static StickStatus run_as_far_as_it_goes(const Scene *scene)
{
    StickStatus status = STICK_OK;
    stick_diagnostics_clear(scene->ctx);
    while (status == STICK_OK && !stick_simulation_is_done(scene->run))
        status = stick_simulation_step(scene->run);
    return status;
}

static int warnings_of(StickContext *ctx, const char *text)
{
    int count = 0;
    for (size_t k = 0; k < stick_diagnostic_count(ctx); k++)
        count += strstr(stick_diagnostic(ctx, k)->text, text) != NULL;
    return count;
}

// ---- snap-through: half an arch of rubber, 20 x 1.5, that is 0.6 thick

static void open_arch(Scene *scene, StickContext *ctx, const char *crown, const char *step)
{
    scene_open(
        scene, ctx,
        "materials: {rubber: {law: mooney-rivlin, a1: 0.293, a2: 0.177, bulk: 120, density: 1.2e-9}}\n"
        "bodies: {arch: {mesh: {patches: [{cells: [16, 2], map: [\"10*(xi - 1)\", \"1.5*(1 - (1 - xi)^2) + "
        "0.6*eta\"], sides: {left: foot, right: middle}, points: {top-right: crown}}]}, element: "
        "mean-dilatation, plane: strain, material: rubber}}\n"
        "supports: [{on: arch.foot, displacement: [0, 0]}, {on: arch.middle, displacement: [0, free]}%s\n"
        "steps: [{%s}]\n",
        crown, step);
}

static double crown_of(const Scene *scene)
{
    return scene->run->state.now.q[scene_dof(scene, 0, "crown", 1)];
}

// The first maximum of the force over the way, by the parabola through the three values around it.
static double limit_load(StickContext *ctx, double *behind)
{
    enum { COUNT = 40 };
    double force[COUNT + 1] = {0};
    Scene scene;
    int k = 1;
    open_arch(&scene, ctx, ", {on: arch.crown, displacement: [0, -3*t]}]",
              "quasistatic: {end: 1, increments: 40}");
    for (int i = 1; i <= COUNT; i++) {
        scene_step(&scene);
        force[i] = -scene.run->state.now.reaction[scene_dof(&scene, 0, "crown", 1)];
    }
    assert_true(scene.run->record.cuts == 0 && scene.run->record.jumps == 0);
    *behind = force[COUNT];
    scene_close(&scene);
    while (force[k + 1] > force[k])
        k++;
    double slope = 0.5 * (force[k + 1] - force[k - 1]), bend = force[k + 1] - 2 * force[k] + force[k - 1];
    return force[k] - 0.5 * slope * slope / bend;
}

static void open_loaded(Scene *scene, StickContext *ctx, double load, const char *step)
{
    char crown[100];
    snprintf(crown, sizeof crown, "]\nloads: [{on: arch.crown, force: [0, \"-%.17g*t\"]}]", load);
    open_arch(scene, ctx, crown, step);
}

// Whether increments are short or would reach over it: the path ends at the limit load, and this is said.
static void a_load_stops_at_its_limit(void **state)
{
    static const char *const steps[] = {"quasistatic: {end: 1, increments: 10}",
                                        "quasistatic: {end: 1, increments: 2}"};
    double behind, limit = limit_load(*state, &behind);
    assert_true(behind > 3 * limit);
    for (int k = 0; k < 2; k++) {
        Scene scene;
        open_loaded(&scene, *state, 1.5 * limit, steps[k]);
        assert_int_equal(run_as_far_as_it_goes(&scene), STICK_NOT_SOLVED);
        assert_near(1.5 * limit * scene.run->state.now.t, limit, 1e-3 * limit);
        assert_true(scene.run->record.cuts > 0 && scene.run->record.jumps == 0);
        assert_below(scene.run->ledger.worst_equilibrium, 1e-9);
        assert_non_null(strstr(stick_last_error(*state), "a limit point of the load"));
        assert_non_null(strstr(stick_last_error(*state), "of body 'arch'. Prescribe a displacement"));
        scene_close(&scene);
    }
}

// Damped by the scheme, it comes to rest in the equilibrium that the way leads to.
static void in_time_it_snaps_through(void **state)
{
    double behind;
    Scene scene;
    limit_load(*state, &behind);
    open_loaded(&scene, *state, behind, "dynamics: {scheme: theta, theta: 1, step: 2e-3, end: 1}");
    assert_ok(*state, run_as_far_as_it_goes(&scene));
    assert_near(crown_of(&scene), -3, 1e-3);
    scene_close(&scene);
}

// A support that goes twenty times as fast from the middle of an increment on.
static void a_way_that_bends_is_no_jump(void **state)
{
    Scene scene;
    open_arch(&scene, *state, ", {on: arch.crown, displacement: [0, \"-0.05*t - max(t - 0.52, 0)\"]}]",
              "quasistatic: {end: 1, increments: 10}");
    assert_ok(*state, run_as_far_as_it_goes(&scene));
    assert_true(scene.run->record.jumps == 0);
    assert_near(crown_of(&scene), -0.53, 1e-12);
    scene_close(&scene);
}

// What jumps by itself is taken as it is, and told; nobody is sent to prescribe what is prescribed.
static void a_way_that_jumps(void **state)
{
    Scene scene;
    open_arch(&scene, *state, ", {on: arch.crown, displacement: [0, \"-0.05*t - (t > 0.52 and 0.3 or 0)\"]}]",
              "quasistatic: {end: 1, increments: 10}");
    assert_ok(*state, run_as_far_as_it_goes(&scene));
    assert_true(scene.run->record.jumps == 1);
    assert_near(scene.run->record.jump_time, 0.52, 1e-4);
    assert_near(crown_of(&scene), -0.35, 1e-12);
    assert_int_equal(warnings_of(*state, "or what is prescribed jumps there itself"), 1);
    assert_int_equal(warnings_of(*state, "instead of the load"), 0);
    scene_close(&scene);
}

// ---- contact that is lost

// A block that is pressed, then left by what pressed it: it is at rest again, and stays so.
static void open_left(Scene *scene, StickContext *ctx, const char *law, const char *step)
{
    scene_open(
        scene, ctx,
        "parameters: {mu: 0.3}\n"
        "materials: {m: {%s, density: 1}}\n"
        "bodies: {block: {mesh: {rectangle: {size: [10, 5], cells: [6, 3]}}, element: mean-dilatation, "
        "plane: strain, material: m}}\n"
        "obstacles: {ground: {plane: {point: [0, 0], normal: [0, 1]}, displacement: [\"80*t\", "
        "\"0.5*min(4*t, "
        "1) - max(2*t - 0.5, 0)\"]}}\n"
        "supports: [{on: block.top, displacement: [0, 0]}]\n"
        "contacts: [{between: [block.bottom, ground], friction: mu}]\n"
        "steps: [{%s}]\n",
        law, step);
}

static void what_is_left_by_its_obstacle_is_at_rest(void **state)
{
    static const char *const laws[] = {
        "law: mooney-rivlin, a1: 0.293, a2: 0.177, bulk: 120",
        "law: j2, young: 10, poisson: 0.3, yield: 100, hardening: {modulus: 1}", "young: 10, poisson: 0.3"};
    static const char *const steps[] = {
        "quasistatic: {end: 1, increments: 20}",
        "steady-sliding: {vary: {mu: {from: 0, to: 0.5, by: 0.05}}}",
    };
    for (int k = 0; k < 6; k++) {
        Scene scene;
        double most = 0;
        bool slides = k / 3 == 1;
        open_left(&scene, *state, laws[k % 3], steps[k / 3]);
        stick_diagnostics_clear(*state);
        while (!stick_simulation_is_done(scene.run)) {
            scene_step(&scene);
            most = fmax(most, scene_force(&scene));
        }
        assert_true(most > 1);
        assert_below(scene_force(&scene), 1e-14 * most);
        assert_below(stick_simulation_largest(scene.run->state.now.q, scene.system->ndofs), 1e-14);
        assert_true(scene.run->ledger.open_steps == 0);
        assert_int_equal(warnings_of(*state, "contact is lost, and nothing touches any more"), slides);
        scene_close(&scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(a_load_stops_at_its_limit),
        test_with_context(in_time_it_snaps_through),
        test_with_context(a_way_that_bends_is_no_jump),
        test_with_context(a_way_that_jumps),
        test_with_context(what_is_left_by_its_obstacle_is_at_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
