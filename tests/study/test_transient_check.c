// SPDX-License-Identifier: Apache-2.0
// Predictions of stability against motion in time, from the model file to the summary.
#include "study/model_file.h"

#include "output/table.h"
#include "stepping/scene.h"
#include "study/growth_results.h"
#include "study/transient_check.h"

#include <stickslip/study.h>

#include <complex.h>
#include <math.h>

// ---- runs

typedef struct Growth {
    double growth, frequency, predicted_growth, predicted_frequency, growth_error, frequency_error,
        linear_until, from, to;
} Growth;

static StickStatus try_growth(const ModelFile *setup, const StickOverride *overrides, int count,
                              Growth *growth)
{
    StickContext *ctx = setup->scratch->ctx;
    double value[STICK_GROWTH_NUMBERS];
    StickModel *model;
    StickStudyOptions options = {.model = setup->model,
                                 .folder = setup->folder,
                                 .overrides = overrides,
                                 .noverrides = count,
                                 .force = true};
    STICK_TRY(stick_study_run(ctx, &options));
    STICK_TRY(stick_model_read(ctx, setup->model, overrides, count, &model));
    StickStatus status = stick_growth_numbers(ctx, setup->folder, &model->step[model->nsteps - 1], value);
    stick_model_destroy(model);
    memcpy(growth, value, sizeof *growth);
    return status;
}

static Growth growth_of(const ModelFile *setup, const StickOverride *overrides, int count)
{
    Growth growth = {0};
    assert_ok(setup->scratch->ctx, try_growth(setup, overrides, count, &growth));
    return growth;
}

static double complex predicted(const Growth *g)
{
    return g->predicted_growth + I * 2 * M_PI * g->predicted_frequency;
}

// What schemes of means make of exp(lambda t): theta and modified theta with 1/2, Newmark with 1/4 and 1/2.
static void assert_follows_means(const Growth *g, double h, double tolerance)
{
    double complex z = predicted(g) * h / 2, lambda = clog((1 + z) / (1 - z)) / h;
    assert_near(g->growth, creal(lambda), tolerance * cabs(lambda));
    assert_near(g->frequency, cimag(lambda) / (2 * M_PI), tolerance * cabs(lambda) / (2 * M_PI));
}

// ---- one element that flutters (examples/mode-coupling.yaml)

static const char square[] =
    "stickslip: 1\n"
    "parameters: {scheme: theta, theta: 0.5, h: 0.05, last: 40, amplitude: 1e-6}\n"
    "materials: {soft: {young: 3, poisson: -0.5, density: 4%s}}\n"
    "bodies: {square: {mesh: {rectangle: {size: [1, 1], cells: [1, 1]}}, plane: stress, material: soft, "
    "mass: "
    "lumped}}\n"
    "obstacles: {plate: {plane: {point: [0, 0], normal: [0, 1]}, displacement: [\"-0.1*max(t - 1, 0)\", "
    "0]}}\n"
    "supports:\n"
    "  - {on: square.top, displacement: [0, \"-0.01*min(t, 1)\"]}\n"
    "  - {on: square.bottom-right, displacement: [free, 0]}\n"
    "contacts: [{between: [square.bottom-left, plate], friction: 0.9}]\n"
    "steps:\n"
    "  - {name: press, quasistatic: {end: 1, increments: 1}}\n"
    "  - {name: drag, quasistatic: {end: %s, increments: 8, follow: %s}}\n"
    "  - {name: judge, stability: {at: end}}\n"
    "  - {name: shake, dynamics: {scheme: scheme, theta: theta, step: h, end: %s + last, perturb: {%s}}}\n";

static ModelFile make_square(Scratch *scratch, const char *end, const char *perturb)
{
    static char text[4096];
    snprintf(text, sizeof text, square, "", end, "events", end, perturb);
    return make_model_file(scratch, text);
}

static void schemes_of_means_have_order_two(void **state)
{
    static const char *const schemes[] = {"theta", "modified-theta", "newmark"};
    ModelFile setup = make_square(*state, "2", "amplitude: amplitude");
    for (size_t k = 0; k < 3; k++) {
        const StickOverride overrides[] = {{"scheme", schemes[k]}};
        Growth g = growth_of(&setup, overrides, 1);
        assert_near(g.predicted_growth, 0.15273405446980423, 1e-10);
        assert_near(g.predicted_frequency, 0.25008914292156936, 1e-10);
        assert_follows_means(&g, 0.05, 1e-7);
    }
}

// theta-Euler damps at first order: its error is halved with the step.
static void theta_euler_has_order_one(void **state)
{
    ModelFile setup = make_square(*state, "2", "amplitude: amplitude");
    const StickOverride coarse[] = {{"scheme", "theta-euler"}, {"h", "0.02"}},
                        fine[] = {{"scheme", "theta-euler"}, {"h", "0.01"}};
    Growth a = growth_of(&setup, coarse, 2), b = growth_of(&setup, fine, 2);
    assert_near(a.growth_error, -0.0804, 1e-3);
    assert_near(a.growth_error / b.growth_error, 2, 0.1);
    assert_near(2 * b.growth - a.growth, b.predicted_growth, 0.005 * b.predicted_growth);
}

static void random_and_rounding_lead_to_the_same_mode(void **state)
{
    ModelFile random = make_square(*state, "2", "random: 1e-6, seed: 3");
    Growth g = growth_of(&random, NULL, 0);
    assert_follows_means(&g, 0.05, 1e-7);
    ModelFile rounding = make_square(*state, "2", "rounding: true");
    const StickOverride longer[] = {{"last", "220"}};
    g = growth_of(&rounding, longer, 1);
    assert_true(g.from > 20 && isnan(g.linear_until));
    assert_follows_means(&g, 0.05, 1e-5);
}

// A path that is not at rest: the body is dragged along while its contact sticks, and vibrates about that.
static void a_moving_path_is_taken_off(void **state)
{
    ModelFile setup = make_square(*state, "1.02", "mode: 1, amplitude: 1e-8");
    const StickOverride shorter[] = {{"last", "0.004"}, {"h", "2e-4"}};
    Growth g = growth_of(&setup, shorter, 2);
    StickColumns table;
    StickContext *ctx = setup.scratch->ctx;
    assert_true(isnan(g.growth)); // far less than a period
    assert_ok(ctx,
              stick_table_read(ctx, scratch_path(setup.scratch, "out/history/shake-growth.csv"), &table));
    int largest = stick_columns_find(&table, "largest"), changed = stick_columns_find(&table, "changed");
    for (size_t k = 0; k < table.nrows; k++) {
        assert_below(table.column[largest][k], 1.2e-8); // the path itself goes on by 4e-4
        assert_true(table.column[changed][k] == 0);
    }
    stick_columns_destroy(ctx, &table);
}

static void damping_and_increments_make_no_difference(void **state)
{
    static const char *const dampings[] = {", rayleigh: {mass: 0.1, stiffness: 0.01}",
                                           ", viscosity: {shear: 0.05, bulk: 0.01}"};
    for (int k = 0; k < 2; k++) {
        static char text[4096];
        snprintf(text, sizeof text, square, dampings[k], "2", "increments", "2", "mode: 1, amplitude: 1e-6");
        ModelFile setup = make_model_file(*state, text);
        Growth g = growth_of(&setup, NULL, 0);
        assert_true(g.predicted_growth < 0.15);
        assert_follows_means(&g, 0.05, 1e-7);
    }
}

static bool is_warned(StickContext *ctx, const char *words)
{
    for (size_t k = 0; k < stick_diagnostic_count(ctx); k++)
        if (stick_diagnostic(ctx, k)->severity == STICK_WARNING &&
            strstr(stick_diagnostic(ctx, k)->text, words))
            return true;
    return false;
}

static void few_steps_per_period_are_said(void **state)
{
    Scratch *scratch = *state;
    ModelFile setup = make_square(scratch, "2", "amplitude: amplitude");
    const StickOverride enough[] = {{"h", "0.19"}}, few[] = {{"h", "0.4"}}; // a period is 4.0
    growth_of(&setup, enough, 1);
    assert_false(is_warned(scratch->ctx, "time steps per period"));
    Growth g = growth_of(&setup, few, 1);
    assert_true(is_warned(scratch->ctx, "has 10 time steps per period of the mode"));
    assert_true(is_warned(scratch->ctx, "a step of 0.2 has 20 per period"));
    assert_near(g.growth_error, -0.099, 0.03); // as it says
}

static ModelFile make_square_judged(Scratch *scratch, const char *judge, const char *perturb)
{
    static char text[4096], with[4096];
    snprintf(text, sizeof text, square, "", "2", "events", "2", perturb);
    strstr(text, "friction: 0.9")[12] = '3'; // little friction: two modes that do not grow
    char *at = strstr(text, "at: end");
    snprintf(with, sizeof with, "%.*s%s%s", (int)(at - text), text, judge, at);
    return make_model_file(scratch, with);
}

// In a window modes are counted from its first one, and few of many are found by other means.
static void modes_have_the_numbers_of_the_judge(void **state)
{
    const StickOverride shorter[] = {{"last", "0.004"}, {"h", "2e-4"}};
    ModelFile all = make_square_judged(*state, "", "mode: 2, amplitude: 1e-8");
    Growth second = growth_of(&all, shorter, 2);
    char judge[64];
    snprintf(judge, sizeof judge, "between: [%.3g, %.3g], ", 0.98 * second.predicted_frequency,
             1.02 * second.predicted_frequency);
    ModelFile window = make_square_judged(*state, judge, "mode: 1, amplitude: 1e-8");
    Growth first = growth_of(&window, shorter, 2);
    assert_near(first.predicted_frequency, second.predicted_frequency, 1e-9);
}

// A stable state can be disturbed, too: what is followed is said, and does not grow.
static void where_nothing_grows_a_disturbance_does_not(void **state)
{
    Scratch *scratch = *state;
    Growth g;
    ModelFile stable = make_square_judged(scratch, "", "amplitude: 1e-6");
    assert_ok(scratch->ctx, try_growth(&stable, NULL, 0, &g));
    assert_true(g.predicted_growth == 0 && fabs(g.growth) < 1e-6 * g.predicted_frequency);
    bool said = false;
    for (size_t k = 0; k < stick_diagnostic_count(scratch->ctx); k++)
        said = said || strstr(stick_diagnostic(scratch->ctx, k)->text, "mode 1 is followed");
    assert_true(said);
}

static void what_cannot_start_says_why(void **state)
{
    Scratch *scratch = *state;
    Growth g;
    ModelFile none = make_square(scratch, "1.02", "mode: 99, amplitude: 1e-8");
    assert_int_equal(try_growth(&none, NULL, 0, &g), STICK_BAD_INPUT);
    const StickDiagnostic *first = NULL;
    for (size_t k = 0; k < stick_diagnostic_count(scratch->ctx) && !first; k++)
        if (stick_diagnostic(scratch->ctx, k)->severity == STICK_ERROR)
            first = stick_diagnostic(scratch->ctx, k);
    assert_non_null(strstr(first->text, "there is no mode 99"));
    assert_error_says(scratch->ctx,
                      "step 'shake' cannot start with a disturbance of the state that 'judge' has");
}

// ---- the polyurethane block in steady sliding [RBV02 section 4.3], mode 5

static const char block[] = "stickslip: 1\n"
                            "units: {length: mm, force: N, time: s}\n"
                            "parameters: {h: 2e-5, last: 0.009}\n"
                            "materials: {polyurethane: {young: 5, poisson: 0.48, density: 1.2e-9}}\n"
                            "bodies: {block: {mesh: {rectangle: {size: [80, 40], cells: [20, 10], pattern: "
                            "crossed}}, plane: stress,\n"
                            "                 material: polyurethane}}\n"
                            "obstacles: {plate: {plane: {point: [0, 0], normal: [0, 1]}, displacement: "
                            "[\"-100*max(t - 1, 0)\", 0]}}\n"
                            "supports: [{on: block.top, displacement: [0, \"-0.5*min(t, 1)\"]}]\n"
                            "contacts: [{between: [block.bottom, plate], friction: 1.1}]\n"
                            "steps:\n"
                            "  - {name: press, quasistatic: {end: 1, increments: 1}}\n"
                            "  - {name: drag, quasistatic: {end: 1.065, increments: 13, follow: events}}\n"
                            "  - {name: judge, stability: {at: end, highest: %s}}\n"
                            "  - {name: shake, dynamics: {step: h, end: 1.065 + last, perturb: {%s}}}\n";

static ModelFile make_block(Scratch *scratch, const char *highest, const char *perturb)
{
    static char text[4096];
    snprintf(text, sizeof text, block, highest, perturb);
    return make_model_file(scratch, text);
}

static Growth growth_with_step(const ModelFile *setup, const char *h)
{
    const StickOverride overrides[] = {{"h", h}};
    Growth g = growth_of(setup, overrides, 1);
    assert_follows_means(&g, strtod(h, NULL), 1e-6);
    return g;
}

// Extrapolated to h = 0 from three steps with the order that they show.
static double limit_of(double a, double b, double c)
{
    double ratio = (a - b) / (b - c);
    assert_near(log2(ratio), 2, 0.05);
    return c + (c - b) / (ratio - 1);
}

static void the_block_flutters_as_predicted(void **state)
{
    ModelFile setup = make_block(*state, "1000", "mode: 5, amplitude: 1e-5");
    Growth a = growth_with_step(&setup, "8e-5"), b = growth_with_step(&setup, "4e-5"),
           c = growth_with_step(&setup, "2e-5");
    assert_near(c.predicted_growth, 634.74, 0.01);
    assert_near(c.predicted_frequency, 696.53, 0.01);
    double growth = limit_of(a.growth, b.growth, c.growth),
           frequency = limit_of(a.frequency, b.frequency, c.frequency);
    print_message("h -> 0: growth %.4f (%.2e), frequency %.4f (%.2e)\n", growth,
                  growth / c.predicted_growth - 1, frequency, frequency / c.predicted_frequency - 1);
    assert_near(growth / c.predicted_growth, 1, 1e-4);       // 0.02 is asked for
    assert_near(frequency / c.predicted_frequency, 1, 1e-5); // 0.005
}

// Nothing is added: of all modes the one that grows most comes out of the rounding errors, at 9.2 kHz.
static void the_block_flutters_by_rounding_alone(void **state)
{
    ModelFile setup = make_block(*state, "0", "rounding: true");
    Growth g = growth_with_step(&setup, "1e-5");
    assert_near(g.predicted_growth, 2667.98, 0.01);
    assert_true(g.from > 1.068);
}

// The same and a random start, extrapolated, with STICKSLIP_TEST_LONG.
static void fast_modes_of_the_block_too(void **state)
{
    static const char *const starts[] = {"rounding: true", "random: 1e-8"};
    for (int k = 0; k < 2 && getenv("STICKSLIP_TEST_LONG"); k++) {
        ModelFile setup = make_block(*state, "0", starts[k]);
        Growth a = growth_with_step(&setup, "4e-6"), b = growth_with_step(&setup, "2e-6"),
               c = growth_with_step(&setup, "1e-6");
        double growth = limit_of(a.growth, b.growth, c.growth),
               frequency = limit_of(a.frequency, b.frequency, c.frequency);
        print_message("%s: growth %.2f (%.2e), frequency %.2f (%.2e)\n", starts[k], growth,
                      growth / c.predicted_growth - 1, frequency, frequency / c.predicted_frequency - 1);
        assert_near(growth / c.predicted_growth, 1, 2e-3);
        assert_near(frequency / c.predicted_frequency, 1, 5e-4);
    }
}

// ---- memory

typedef struct Memory {
    Scene scene;
    StickPathRecord *path;
    StickTransientCheckTask task;
} Memory;

static StickStatus start_and_step(StickTransientCheck *confirm, StickSimulation *run,
                                  const StickSimulation *before)
{
    STICK_TRY(stick_simulation_start(run, before));
    STICK_TRY(stick_transient_check_start(confirm, run));
    STICK_TRY(stick_simulation_step(run));
    STICK_TRY(stick_transient_check_see(confirm, run));
    return stick_transient_check_resume(confirm, run);
}

static StickStatus confirm_once(StickContext *ctx, void *data)
{
    const Memory *memory = data;
    StickTransientCheck *confirm;
    StickSimulation *run;
    STICK_TRY(stick_transient_check_create(ctx, &memory->task, &confirm));
    StickStatus status = stick_simulation_create(ctx, memory->scene.system, memory->task.step, &run);
    if (status == STICK_OK) {
        status = start_and_step(confirm, run, memory->scene.run);
        stick_simulation_destroy(run);
    }
    stick_transient_check_destroy(confirm);
    return status;
}

static void every_allocation_fails_once(void **state)
{
    Scratch *scratch = *state;
    StickContext *ctx = scratch->ctx;
    Memory memory = {0};
    static char text[4096];
    snprintf(text, sizeof text, square, "", "2", "increments", "2", "random: 1e-6");
    char *press = strstr(text, "  - {name: press"), *drag = strstr(text, "  - {name: drag");
    memmove(press, drag, strlen(drag) + 1); // the run of a scene is that of the first step
    scene_open(&memory.scene, ctx, "%s", strchr(text, '\n') + 1);
    const StickModel *model = memory.scene.model;
    assert_ok(ctx, stick_path_record_create(ctx, memory.scene.system, &model->step[1], &memory.path));
    assert_ok(ctx, stick_path_record_see(memory.path, memory.scene.run));
    while (!stick_simulation_is_done(memory.scene.run)) {
        scene_step(&memory.scene);
        assert_ok(ctx, stick_path_record_see(memory.path, memory.scene.run));
    }
    assert_ok(ctx, stick_folder_create(ctx, scratch_path(scratch, "history")));
    memory.task =
        (StickTransientCheckTask){memory.scene.system, &model->step[2], memory.path, scratch->folder};
    assert_survives_failing_memory(confirm_once, &memory);
    stick_path_record_destroy(memory.path);
    scene_close(&memory.scene);
}

// A law that falls with the speed makes modes grow by its slope: that of the member, not of the last one of the family.
static void members_of_families_have_their_own_laws(void **state)
{
    static const char family[] =
        "stickslip: 1\n"
        "parameters: {mu: 0.3}\n"
        "materials: {soft: {young: 3, poisson: 0.4, density: 1e-3}}\n"
        "bodies: {block: {mesh: {rectangle: {size: [10, 10], cells: [3, 3]}}, plane: strain, material: "
        "soft}}\n"
        "obstacles: {plate: {plane: {point: [0, 0], normal: [0, 1]}, displacement: [\"20*max(t - 1, 0)\", "
        "0]}}\n"
        "supports: [{on: block.top, displacement: [0, \"-min(t, 1)\"]}]\n"
        "contacts: [{between: [block.bottom, plate], friction: \"mu*(1 + 0.5*exp(-v/20))\"}]\n"
        "steps:\n"
        "  - {name: press, quasistatic: {end: 1, increments: 1}, friction: 0}\n"
        "  - {name: slide, steady-sliding: {end: 2, vary: {mu: [0.1, 0.2, 0.3]}}}\n"
        "  - {name: map, stability: {of: slide}}\n"
        "  - {name: shake, dynamics: {from: {step: slide, mu: 0.15}, scheme: theta, theta: 0.5, step: 2e-3, "
        "end: 3, perturb: {of: map, amplitude: 1e-6}}}\n";
    ModelFile setup = make_model_file(*state, family);
    Growth g = growth_of(&setup, NULL, 0);
    assert_true(g.predicted_growth > 0.1);
    assert_near(g.growth, g.predicted_growth, 0.05 * g.predicted_growth); // laws lag by a step
}

// A law that sees the pressure: friction follows the normal force by d(mu r_N)/d r_N, not by mu (which would give 0.883).
static void laws_of_pressure_take_part(void **state)
{
    static const char model[] =
        "stickslip: 1\n"
        "materials: {soft: {young: 3, poisson: 0.4, density: 1e-3}}\n"
        "bodies: {block: {mesh: {rectangle: {size: [10, 10], cells: [3, 3]}}, plane: strain, material: "
        "soft}}\n"
        "obstacles: {plate: {plane: {point: [0, 0], normal: [0, 1]}, displacement: [\"20*max(t - 1, 0)\", "
        "0]}}\n"
        "supports: [{on: block.top, displacement: [0, \"-0.05*min(t, 1)\"]}]\n"
        "contacts: [{between: [block.bottom, plate], friction: \"0.5*(1.2 - 0.5*p)\"}]\n"
        "steps:\n"
        "  - {name: press, quasistatic: {end: 1, increments: 1}, friction: 0}\n"
        "  - {name: slide, steady-sliding: {end: 2}}\n"
        "  - {name: judge, stability: {of: slide, at: end}}\n"
        "  - {name: shake, dynamics: {scheme: theta, theta: 0.5, step: 1e-3, end: 5, perturb: {of: judge, "
        "amplitude: 1e-6}}}\n";
    ModelFile setup = make_model_file(*state, model);
    Growth g = growth_of(&setup, NULL, 0);
    assert_near(g.predicted_growth, 0.8318, 0.001);
    assert_near(g.growth, g.predicted_growth, 1e-3 * g.predicted_growth);
    assert_near(g.frequency, g.predicted_frequency, 2e-4 * g.predicted_frequency);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(schemes_of_means_have_order_two, make_scratch, drop_scratch),
        cmocka_unit_test_setup_teardown(theta_euler_has_order_one, make_scratch, drop_scratch),
        cmocka_unit_test_setup_teardown(random_and_rounding_lead_to_the_same_mode, make_scratch,
                                        drop_scratch),
        cmocka_unit_test_setup_teardown(a_moving_path_is_taken_off, make_scratch, drop_scratch),
        cmocka_unit_test_setup_teardown(damping_and_increments_make_no_difference, make_scratch,
                                        drop_scratch),
        cmocka_unit_test_setup_teardown(few_steps_per_period_are_said, make_scratch, drop_scratch),
        cmocka_unit_test_setup_teardown(modes_have_the_numbers_of_the_judge, make_scratch, drop_scratch),
        cmocka_unit_test_setup_teardown(where_nothing_grows_a_disturbance_does_not, make_scratch,
                                        drop_scratch),
        cmocka_unit_test_setup_teardown(what_cannot_start_says_why, make_scratch, drop_scratch),
        cmocka_unit_test_setup_teardown(the_block_flutters_as_predicted, make_scratch, drop_scratch),
        cmocka_unit_test_setup_teardown(the_block_flutters_by_rounding_alone, make_scratch, drop_scratch),
        cmocka_unit_test_setup_teardown(fast_modes_of_the_block_too, make_scratch, drop_scratch),
        cmocka_unit_test_setup_teardown(members_of_families_have_their_own_laws, make_scratch, drop_scratch),
        cmocka_unit_test_setup_teardown(laws_of_pressure_take_part, make_scratch, drop_scratch),
        cmocka_unit_test_setup_teardown(every_allocation_fails_once, make_scratch, drop_scratch),
    };
    return cmocka_run_group_tests_name("confirm", tests, NULL, NULL);
}
