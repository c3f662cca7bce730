// SPDX-License-Identifier: Apache-2.0
// A run as a whole: same bits every time, no memory taken in a steady stretch, nothing lost on an error, and
// states that go over from one step of the model to the next.
#include "base/memory.h"
#include "stepping/scene.h"

#define SLIDING                                                                                            \
    "stickslip: 1\n"                                                                                       \
    "materials: {soft: {law: elastic, young: 1e6, poisson: 0.3, density: 1000}}\n"                         \
    "bodies:\n"                                                                                            \
    "  base: {mesh: {rectangle: {size: [1, 0.2], cells: [5, 1]}}, material: soft}\n"                       \
    "  block: {mesh: {rectangle: {size: [0.4, 0.2], cells: [3, 1], origin: [0.2, 0.2]}}, material: soft, " \
    "velocity: [1, 0]}\n"                                                                                  \
    "obstacles: {lid: {plane: {point: [0, 0.41], normal: [0, -1]}}}\n"                                     \
    "supports: [{on: base.bottom, displacement: [0, \"1e-4*sin(100*t)\"]}]\n"                              \
    "loads: [{on: block.top, pressure: 5000}]\n"                                                           \
    "gravity: [0, -10]\n"                                                                                  \
    "contacts:\n"                                                                                          \
    "  - {between: [block.bottom, base.top], friction: \"0.2 + 0.01*v\"}\n"                                \
    "  - {between: [block.top, lid], friction: 0.1}\n"                                                     \
    "steps: [{dynamics: {scheme: theta-euler, theta: 0.6, step: 1e-3, end: 0.2}, solver: %s}]\n"

static void open_sliding(Scene *scene, StickContext *ctx, const char *solver)
{
    char text[4096];
    snprintf(text, sizeof text, SLIDING, solver);
    assert_ok(ctx, scene_try(scene, ctx, text));
}

static void two_runs_have_the_same_bits(void **state)
{
    const char *solvers[] = {"lemke", "gauss-seidel"};
    for (int k = 0; k < 2; k++) {
        Scene first, second;
        open_sliding(&first, *state, solvers[k]);
        open_sliding(&second, *state, solvers[k]);
        for (int i = 0; i < 100; i++) {
            scene_step(&first);
            scene_step(&second);
            size_t bytes = (size_t)first.run->state.n * sizeof(double);
            assert_memory_equal(first.run->state.now.q, second.run->state.now.q, bytes);
            assert_memory_equal(first.run->state.now.v, second.run->state.now.v, bytes);
            assert_memory_equal(&first.run->ledger, &second.run->ledger, sizeof(StickLedger));
        }
        scene_close(&first);
        scene_close(&second);
    }
}

static void steady_run_takes_no_memory(void **state)
{
    const char *solvers[] = {"lemke", "gauss-seidel"};
    for (int k = 0; k < 2; k++) {
        Scene scene;
        open_sliding(&scene, *state, solvers[k]);
        scene_steps(&scene, 60);
        size_t calls = stick_memory_calls(*state);
        long solves = stick_delassus_solves(scene.run->delassus);
        int touching = 0;
        for (int i = 0; i < 100; i++) {
            scene_step(&scene);
            touching += scene_force(&scene) > 0;
        }
        assert_int_equal(stick_memory_calls(*state), calls);
        assert_int_equal(stick_delassus_solves(scene.run->delassus), solves);
        assert_true(touching > 50);
        scene_close(&scene);
    }
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    char text[4096];
    snprintf(text, sizeof text, SLIDING, "lemke");
    assert_survives_failing_memory(scene_three_steps, text);
}

// An ever stronger force: the step in which the motion leaves the range of numbers is refused, the last one
// stays.
static void motion_that_is_not_finite_stops_the_run(void **state)
{
    Scene scene;
    scene_open(&scene, *state,
               "materials: {soft: {law: elastic, young: 1e6, poisson: 0, density: 1000}}\n"
               "bodies: {bar: {mesh: {bar: {length: 1, elements: 2}}, material: soft}}\n"
               "loads: [{on: bar.end, force: [\"10^(300*t)\"]}]\n"
               "steps: [{dynamics: {step: 0.1, end: 2}}]\n");
    StickStatus status = STICK_OK;
    while (status == STICK_OK && scene.run->state.step < scene.run->nsteps)
        status = stick_simulation_step(scene.run);
    assert_int_equal(status, STICK_NOT_SOLVED);
    assert_non_null(strstr(stick_last_error(*state), "not finite"));
    assert_true(isfinite(scene_energy(&scene)));
    assert_true(isfinite(scene.run->state.now.v[0]));
    scene_close(&scene);
}

static void steps_are_counted_without_rounding(void **state)
{
    const struct {
        const char *step, *end;
        long count;
    } cases[] = {{"0.1", "1", 10},
                 {"0.1", "0.3", 3},
                 {"1e-5", "3e-3", 300},
                 {"0.2226e-5", "0.2e-3", 90},
                 {"0.3", "1", 4}};
    for (int k = 0; k < 5; k++) {
        Scene scene;
        scene_open(&scene, *state,
                   "materials: {soft: {law: elastic, young: 1e6, poisson: 0, density: 1000}}\n"
                   "bodies: {bar: {mesh: {bar: {length: 1, elements: 2}}, material: soft}}\n"
                   "steps: [{dynamics: {step: %s, end: %s}}]\n",
                   cases[k].step, cases[k].end);
        assert_int_equal(scene.run->nsteps, cases[k].count);
        scene_close(&scene);
    }
}

static void open_disk(Scene *scene, StickContext *ctx, const char *steps)
{
    scene_open(scene, ctx,
               "materials: {soft: {law: elastic, young: 1e6, poisson: 0.3, density: 1000}}\n"
               "bodies: {disk: {mesh: {disk: {radius: 0.3, core: [4, 4], rings: 2, centre: [0, 0.302]}},\n"
               "                material: soft, velocity: [1, -2]}}\n"
               "obstacles: {floor: {plane: {point: [0, 0], normal: [0, 1]}}}\n"
               "contacts: [{between: [disk.outer, floor], friction: 0.3}]\n"
               "steps:\n%s",
               steps);
}

// Two steps of the model, one after the other, are one of the same length; books and state go on.
static void check_going_on(StickContext *ctx, const char *scheme)
{
    Scene whole, parts;
    char steps[256];
    snprintf(steps, sizeof steps, "  - {dynamics: {%s, step: 1e-3, end: 0.02}}\n", scheme);
    open_disk(&whole, ctx, steps);
    snprintf(steps, sizeof steps,
             "  - {dynamics: {%s, step: 1e-3, end: 0.01}}\n  - {dynamics: {%s, step: 1e-3, end: 0.02}}\n",
             scheme, scheme);
    open_disk(&parts, ctx, steps);
    scene_steps(&whole, 20);
    scene_steps(&parts, 10);
    assert_true(scene_force(&parts) > 0);
    StickSimulation *second;
    assert_ok(ctx, stick_simulation_create(ctx, parts.system, &parts.model->step[1], &second));
    assert_ok(ctx, stick_simulation_start(second, parts.run));
    assert_int_equal(second->nsteps, 10);
    for (int i = 0; i < 10; i++)
        assert_ok(ctx, stick_simulation_step(second));
    assert_near(second->state.now.t, 0.02, 1e-15);
    for (int i = 0; i < second->state.n; i++)
        assert_near(second->state.now.v[i], whole.run->state.now.v[i], 1e-10);
    assert_near(second->ledger.friction, whole.run->ledger.friction, 1e-10 * whole.run->ledger.scale);
    assert_below(second->ledger.worst_closure, 1e-12);
    stick_simulation_destroy(second);
    scene_close(&parts);
    scene_close(&whole);
}

static void second_run_goes_on_where_the_first_ended(void **state)
{
    check_going_on(*state, "scheme: theta, theta: 0.6");
    check_going_on(*state, "scheme: modified-theta, theta: 0.6");
    check_going_on(*state, "scheme: theta-euler, theta: 0.6");
    check_going_on(*state, "scheme: newmark");
}

static void explicit_newmark_is_refused(void **state)
{
    const char *schemes[] = {"beta: 0", "gamma: 0"};
    for (int k = 0; k < 2; k++) {
        Scene scene;
        char text[512];
        snprintf(text, sizeof text,
                 "stickslip: 1\n"
                 "materials: {soft: {law: elastic, young: 1e6, poisson: 0, density: 1000}}\n"
                 "bodies: {bar: {mesh: {bar: {length: 1, elements: 2}}, material: soft}}\n"
                 "steps: [{dynamics: {scheme: newmark, %s, step: 0.1, end: 1}}]\n",
                 schemes[k]);
        assert_int_equal(scene_try(&scene, *state, text), STICK_BAD_INPUT);
    }
}

// A bar whose motion grows without bound: the run ends, and says which parameter is to blame.
static void unstable_time_integration_ends_the_run(void **state)
{
    static const struct {
        const char *scheme, *reason; // NULL: stable
    } table[] = {{"newmark, gamma: 0.4", "gamma = 0.4 of Newmark's method is below 1/2"},
                 {"newmark, beta: 0.1", "beta = 0.1, gamma = 0.5 needs a shorter time step"},
                 {"theta, theta: 0.4", "theta = 0.4 is below 1/2"},
                 {"newmark", NULL},
                 {"newmark, beta: 0.3025, gamma: 0.6", NULL},
                 {"theta, theta: 0.5", NULL}};
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        Scene scene;
        StickStatus status = STICK_OK;
        stick_diagnostics_clear(*state);
        scene_open(
            &scene, *state,
            "materials: {soft: {law: elastic, young: 1e6, poisson: 0, density: 1000}}\n"
            "bodies: {bar: {mesh: {bar: {length: 1, elements: 20}}, material: soft, velocity: [\"x\"]}}\n"
            "supports: [{on: bar.start, displacement: [0]}]\n"
            "steps: [{name: ring, dynamics: {scheme: %s, step: 0.01, end: 5}}]\n",
            table[k].scheme);
        while (!stick_simulation_is_done(scene.run) && status == STICK_OK)
            status = stick_simulation_step(scene.run);
        assert_int_equal(status, table[k].reason ? STICK_NOT_SOLVED : STICK_OK);
        if (table[k].reason) {
            assert_non_null(strstr(stick_last_error(*state), table[k].reason));
            assert_non_null(strstr(stick_last_error(*state), "step 'ring', t = "));
            assert_below(scene.run->ledger.kinetic, 1e12 * scene.run->ledger.initial);
        }
        scene_close(&scene);
    }
}

static void overlap_at_the_start_is_told(void **state)
{
    const char *walls[] = {"1", "0.9"};
    for (int k = 0; k < 2; k++) {
        Scene scene;
        stick_diagnostics_clear(*state);
        scene_open(&scene, *state,
                   "materials: {soft: {law: elastic, young: 1e6, poisson: 0, density: 1000}}\n"
                   "bodies: {bar: {mesh: {bar: {length: 1, elements: 2}}, material: soft}}\n"
                   "obstacles: {wall: {plane: {point: [%s], normal: [-1]}}}\n"
                   "contacts: [{between: [bar.end, wall], friction: 0}]\n"
                   "steps: [{dynamics: {step: 0.1, end: 1}}]\n",
                   walls[k]);
        assert_int_equal(stick_diagnostic_count(*state), k);
        if (k == 1)
            assert_non_null(
                strstr(stick_diagnostic(*state, 0)->text, "overlaps with what it touches by 0.1"));
        scene_close(&scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(two_runs_have_the_same_bits),
        test_with_context(steady_run_takes_no_memory),
        test_with_context(every_allocation_may_fail),
        test_with_context(motion_that_is_not_finite_stops_the_run),
        test_with_context(steps_are_counted_without_rounding),
        test_with_context(explicit_newmark_is_refused),
        test_with_context(unstable_time_integration_ends_the_run),
        test_with_context(overlap_at_the_start_is_told),
        test_with_context(second_run_goes_on_where_the_first_ended),
    };
    return cmocka_run_group_tests_name("run", tests, NULL, NULL);
}
