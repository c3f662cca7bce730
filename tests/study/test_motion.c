// SPDX-License-Identifier: Apache-2.0
// Motions from the model file to the summary: the oscillator on a belt, whose cycle is known, and a mode that grows.
#include "study/model_file.h"

#include "output/table.h"
#include "study/motion.h"
#include "study/motion_results.h"

#include <stickslip/study.h>

#include <math.h>

// ---- a mass on a belt (examples/belt.yaml): x = Fd/k + ..., stick for 2 d/speed, slip for (2/w)(pi - atan(d w/speed))

static const char belt[] =
    "stickslip: 1\n"
    "parameters: {last: 100}\n"
    "materials: {spring: {young: 4/3, density: 3/100^2}}\n"
    "bodies: {mass: {mesh: {rectangle: {size: [100, 100], cells: [1, 1], pattern: triangles}}, plane: "
    "stress,\n"
    "         material: spring, mass: lumped, velocity: [\"(x == 0 and y == 0) and 0.5 or 0\", 0]}}\n"
    "obstacles: {belt: {plane: {point: [0, 0], normal: [0, 1]}, velocity: [0.5, 0]}}\n"
    "supports: [{on: mass.top, displacement: [0, 0]}, {on: mass.right, displacement: [0, 0]}]\n"
    "loads: [{on: mass.bottom-left, force: [0, -2]}]\n"
    "contacts: [{between: [mass.bottom-left, belt], friction: \"v > 0 and 0.3 or 0.5\"}]\n"
    "steps: [{name: turns, dynamics: {scheme: theta, theta: 0.5, step: 0.02, end: last}}]\n"
    "output:\n"
    "  fields: {every: 0}\n"
    "  spectrum: [{name: x, of: mass.bottom-left, what: displacement.x}]\n"
    "  phase: [{name: round, of: mass.bottom-left}]\n"
    "  sound: {of: mass.bottom-left, what: velocity.x, file: squeak.wav, seconds: 0.5, slow: 0.001}\n"
    "%s";

static const double step = 0.02, period = 1.6 + 2 * (M_PI - 0.67474094222355266), stick = 1.6;

static StickStatus run(const ModelFile *setup)
{
    StickStudyOptions options = {.model = setup->model, .folder = setup->folder, .force = true};
    return stick_study_run(setup->scratch->ctx, &options);
}

static ModelFile make(Scratch *scratch, const char *format, const char *more)
{
    static char text[8192];
    snprintf(text, sizeof text, format, more);
    return make_model_file(scratch, text);
}

static void the_belt_has_its_cycle(void **state)
{
    Scratch *scratch = *state;
    StickContext *ctx = scratch->ctx;
    ModelFile setup = make(scratch, belt, "");
    double x[STICK_MOTION_NUMBERS], contacts[STICK_CONTACT_NUMBERS];
    assert_ok(ctx, run(&setup));
    assert_ok(ctx, stick_motion_numbers(ctx, setup.folder, "x", x));
    assert_near(x[STICK_NUMBER_MOTION], 3, 0);
    assert_near(x[STICK_NUMBER_PERIOD], period, step);
    assert_near(x[STICK_NUMBER_FREQUENCY], 1 / period, 0.003 / period);
    assert_near(x[STICK_NUMBER_AMPLITUDE], sqrt(0.16 + 0.25), step);
    assert_below(x[STICK_NUMBER_RETURN], 0.02);
    assert_ok(ctx, stick_contact_numbers(ctx, setup.folder, "turns", contacts));
    // the window is no whole number of periods
    assert_near(contacts[0], stick / period, 0.1 * stick / period);
    assert_near(contacts[0] + contacts[1], 1, 1e-12);
    assert_near(contacts[3], 0, 0);
    assert_near(contacts[5], 1, 0);
}

static bool summary_says(const ModelFile *setup, const char *words)
{
    char *text, path[600];
    size_t count;
    snprintf(path, sizeof path, "%s/summary.json", setup->folder);
    assert_ok(setup->scratch->ctx, stick_file_read(setup->scratch->ctx, path, &text, &count));
    bool said = strstr(text, words) != NULL;
    stick_free(setup->scratch->ctx, text);
    return said;
}

static void files_and_summary_are_there(void **state)
{
    Scratch *scratch = *state;
    StickContext *ctx = scratch->ctx;
    ModelFile setup = make(scratch, belt, "");
    StickColumns round;
    char *wav;
    size_t bytes;
    assert_ok(ctx, run(&setup));
    assert_true(summary_says(&setup, "\"motion\": \"periodic\""));
    assert_true(summary_says(&setup, "\"x.dominant_frequency\": 0.15"));
    assert_true(summary_says(&setup, "\"turns.stick\": 0."));
    assert_true(summary_says(&setup, "\"file\": \"squeak.wav\""));
    assert_true(summary_says(&setup, "\"file\": \"motion/turns/contacts.csv\""));
    assert_true(summary_says(&setup, "signal 'x': motion from t = "));
    assert_ok(ctx, stick_file_read(ctx, scratch_path(scratch, "out/squeak.wav"), &wav, &bytes));
    assert_int_equal(bytes, 44 + 2 * 22050);
    stick_free(ctx, wav);
    assert_ok(ctx, stick_table_read(ctx, scratch_path(scratch, "out/history/round.csv"), &round));
    assert_int_equal(round.ncolumns, 5);
    assert_int_equal(round.nrows, 5001);
    int u = stick_columns_find(&round, "displacement.x"), v = stick_columns_find(&round, "velocity.x");
    // sliding points lie on circles about (Fd/k, 0): theta = 1/2 keeps them
    for (size_t k = 1000; k < round.nrows; k++)
        if (round.column[v][k] < 0.49)
            assert_near(hypot(round.column[u][k] - 0.6, round.column[v][k]), sqrt(0.41), 2 * step);
    stick_columns_destroy(ctx, &round);
}

static void checks_know_the_numbers(void **state)
{
    Scratch *scratch = *state;
    ModelFile setup = make(scratch, belt,
                           "checks:\n"
                           "  - {that: x.motion, is: 3, within: 0}\n"
                           "  - {that: squeak.period, is: 6.53, within: 0.03}\n"
                           "  - {that: turns.apart, is: 0, within: 0}\n"
                           "  - {that: max(round.velocity.x), is: 0.5, within: 1e-9}\n");
    assert_ok(scratch->ctx, run(&setup));
    static const struct {
        const char *that, *says;
    } wrong[] = {
        {"x.perod", "the motion of 'x' has no number 'perod'; did you mean 'period'?"},
        {"turns.stuck", "the motion of 'turns' has no number 'stuck'"},
        {"max(round.velocity.z)", "is no column of a phase portrait"},
        {"max(round)", "is no column of a phase portrait"},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        char check[256];
        snprintf(check, sizeof check, "checks: [{that: %s, at-most: 1}]\n", wrong[k].that);
        setup = make(scratch, belt, check);
        StickStudyOptions options = {.model = setup.model};
        assert_int_equal(stick_study_check(scratch->ctx, &options), STICK_BAD_INPUT);
        assert_error_says(scratch->ctx, wrong[k].says);
    }
}

// ---- memory

typedef struct Written {
    const StickModel *model;
    const char *folder;
} Written;

static StickStatus tell_again(StickContext *ctx, const StickSystem *system, const char *folder)
{
    StickRecorder *recorder;
    STICK_TRY(stick_recorder_create(ctx, system, folder, &recorder));
    StickStatus status = stick_motion_write(ctx, system, recorder, folder);
    stick_recorder_destroy(recorder);
    return status;
}

static StickStatus tell_once(StickContext *ctx, void *data)
{
    const Written *written = data;
    StickSystem *system;
    STICK_TRY(stick_system_create(ctx, written->model, &system));
    StickStatus status = tell_again(ctx, system, written->folder);
    stick_system_destroy(system);
    return status;
}

static void no_memory_is_survived(void **state)
{
    Scratch *scratch = *state;
    ModelFile setup = make(scratch, belt, "");
    const StickOverride shorter[] = {{"last", "5"}};
    StickStudyOptions options = {
        .model = setup.model, .folder = setup.folder, .overrides = shorter, .noverrides = 1, .force = true};
    StickModel *model;
    assert_ok(scratch->ctx, stick_study_run(scratch->ctx, &options));
    assert_ok(scratch->ctx, stick_model_read(scratch->ctx, setup.model, shorter, 1, &model));
    assert_survives_failing_memory(tell_once, &(Written){model, setup.folder});
    stick_model_destroy(model);
}

// ---- two perturbations of friction that falls with speed lead to the same cycle

static const char falling[] =
    "stickslip: 1\n"
    "parameters: {how: 1}\n"
    "materials: {spring: {young: 8, density: 4.5e-4}}\n"
    "bodies: {mass: {mesh: {rectangle: {size: [100, 100], cells: [1, 1], pattern: triangles}}, plane: "
    "stress,\n"
    "         material: spring, mass: lumped}}\n"
    "obstacles: {plate: {plane: {point: [0, 0], normal: [0, 1]}, velocity: [0.1, 0]}}\n"
    "supports: [{on: mass.top, displacement: [0, 0]}, {on: mass.right, displacement: [0, 0]}]\n"
    "loads: [{on: mass.bottom-left, force: [0, -2]}]\n"
    "contacts: [{between: [mass.bottom-left, plate], friction: \"0.3 + 0.2*exp(-v/0.1)\"}]\n"
    "steps:\n"
    "  - {name: drag, quasistatic: {end: 40, increments: 40}}\n"
    "  - {name: judge, stability: {of: drag, at: end}}\n"
    "  - {name: squeal, dynamics: {scheme: theta, theta: %s, step: %s, end: 140, perturb: {%s}}}\n"
    "output: {fields: {every: 0}}\n";

static void motion_of(Scratch *scratch, const char *theta, const char *h, const char *perturb,
                      double motion[STICK_MOTION_NUMBERS], double contacts[STICK_CONTACT_NUMBERS])
{
    static char text[8192];
    snprintf(text, sizeof text, falling, theta, h, perturb);
    ModelFile setup = make_model_file(scratch, text);
    assert_ok(scratch->ctx, run(&setup));
    assert_ok(scratch->ctx, stick_motion_numbers(scratch->ctx, setup.folder, "squeal", motion));
    assert_ok(scratch->ctx, stick_contact_numbers(scratch->ctx, setup.folder, "squeal", contacts));
}

static void perturbations_lead_to_one_cycle(void **state)
{
    double a[STICK_MOTION_NUMBERS], b[STICK_MOTION_NUMBERS], in_a[STICK_CONTACT_NUMBERS],
        in_b[STICK_CONTACT_NUMBERS];
    motion_of(*state, "0.5", "0.02", "amplitude: 1e-3", a, in_a);
    motion_of(*state, "0.5", "0.02", "random: 1e-2, seed: 3", b, in_b);
    assert_near(a[STICK_NUMBER_MOTION], 3, 0);
    assert_near(b[STICK_NUMBER_MOTION], 3, 0);
    assert_near(a[STICK_NUMBER_FREQUENCY], b[STICK_NUMBER_FREQUENCY], 0.01 * b[STICK_NUMBER_FREQUENCY]);
    assert_near(a[STICK_NUMBER_RMS], b[STICK_NUMBER_RMS], 0.05 * b[STICK_NUMBER_RMS]);
    assert_true(in_a[0] > 0.02 && in_a[1] > 0.5); // it sticks and slips
    assert_near(in_a[0], in_b[0], 0.05 * in_b[0]);
    assert_near(in_a[1], in_b[1], 0.05 * in_b[1]);
}

static bool is_warned(StickContext *ctx, const char *words)
{
    for (size_t k = 0; k < stick_diagnostic_count(ctx); k++)
        if (stick_diagnostic(ctx, k)->severity == STICK_WARNING &&
            strstr(stick_diagnostic(ctx, k)->text, words))
            return true;
    return false;
}

// (theta - 1/2) h w^2 with w^2 = k/m - g^2 and g = 2/(2 m) 2 exp(-1) = 0.4905; with theta = 1 and a
// longer step more than all of the growth is lost.
static void damping_of_the_scheme_is_said(void **state)
{
    Scratch *scratch = *state;
    double motion[STICK_MOTION_NUMBERS], contacts[STICK_CONTACT_NUMBERS];
    motion_of(scratch, "0.6", "0.02", "amplitude: 1e-3", motion, contacts);
    assert_false(is_warned(scratch->ctx, "what flutters may decay here"));
    assert_near(summary_number(scratch, "squeal.algorithmic_damping"), 0.1 * 0.02 * (4 - 0.4905 * 0.4905),
                1e-5);
    assert_near(summary_number(scratch, "squeal.scheme_growth_error"), 0, 1e-3);
    assert_near(summary_number(scratch, "squeal.scheme_frequency_error"), 0, 1e-3);
    motion_of(scratch, "1", "0.3", "amplitude: 1e-3", motion, contacts);
    assert_true(is_warned(scratch->ctx, "what flutters may decay here. Take theta 0.5, or a step below"));
    assert_true(motion[STICK_NUMBER_MOTION] == 0 || motion[STICK_NUMBER_MOTION] == 1); // and does so
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_scratch(the_belt_has_its_cycle),          test_with_scratch(files_and_summary_are_there),
        test_with_scratch(checks_know_the_numbers),         test_with_scratch(no_memory_is_survived),
        test_with_scratch(perturbations_lead_to_one_cycle), test_with_scratch(damping_of_the_scheme_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
