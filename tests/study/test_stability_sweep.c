// SPDX-License-Identifier: Apache-2.0
// A stability step that varies a parameter, from the model to its files.
#include "output/scratch.h"

#include "output/stability_table.h"
#include "output/table.h"
#include "stepping/scene.h"
#include "study/stability_sweep.h"
#include "study/sweep_point.h"
#include "study/sweep_results.h"

#include <complex.h>
#include <signal.h>

// Two modes that couple by friction (examples/mode-coupling.yaml): m = 1, c = 4.
static const double k1 = 1 / 2.0 + 0.5 / 6, k2 = 0.5 / 8, k3 = -1 / 4.0 + 0.5 / 12, k8 = 2.5 / 8;

static const char square[] =
    "parameters: {mu: 0.9, a: 9, friction: %s, young: 3, reach: %s}\n"
    "materials: {soft: {young: young, poisson: -0.5, density: 4}}\n"
    "bodies: {square: {mesh: {rectangle: {size: [1, 1], cells: [1, 1]}}, plane: stress, material: soft}}\n"
    "obstacles: {plate: {plane: {point: [0, 0], normal: [0, 1]}, displacement: [\"-reach*max(t - 1, 0)\", "
    "0]}}\n"
    "supports:\n"
    "  - {on: square.top, displacement: [0, \"-0.01*min(t, 1)\"]}\n"
    "  - {on: square.bottom-right, displacement: [free, 0]}\n"
    "contacts: [{between: [square.bottom-left, plate], friction: friction}]\n"
    "steps:\n"
    "  - {name: drag, quasistatic: {end: 2, increments: 8, follow: events}}\n"
    "  - {name: sweep, stability: {mass: lumped, vary: %s}}\n";

static double critical(void)
{
    return 2 * k3 / (k2 * k2) * (-k8 + sqrt(k8 * k8 - k2 * k2));
}

static StickStatus sweep_with(StickContext *ctx, const Scene *scene, const char *folder,
                              const StickStudyOptions *options)
{
    StickStabilityTask task = {.system = scene->system,
                               .step = &scene->model->step[1],
                               .folder = folder,
                               .name = "",
                               .options = options};
    return stick_stability_sweep(ctx, &task);
}

typedef struct Found {
    Scene scene;
    StickColumns modes, events;
} Found;

static Found find_with(Scratch *scratch, const char *friction, const char *reach, const char *vary)
{
    Found found;
    StickStudyOptions options = {0};
    scene_open(&found.scene, scratch->ctx, square, friction, reach, vary);
    assert_ok(scratch->ctx, stick_folder_create(scratch->ctx, scratch_path(scratch, "history")));
    assert_ok(scratch->ctx, sweep_with(scratch->ctx, &found.scene, scratch->folder, &options));
    assert_ok(scratch->ctx, stick_table_read(scratch->ctx, scratch_path(scratch, "stability/sweep/sweep.csv"),
                                             &found.modes));
    assert_ok(scratch->ctx,
              stick_table_read(scratch->ctx, scratch_path(scratch, "stability/sweep/coalescence.csv"),
                               &found.events));
    return found;
}

static Found find(Scratch *scratch, const char *friction, const char *vary)
{
    return find_with(scratch, friction, "0.1", vary);
}

static void forget_found(Scratch *scratch, Found *found)
{
    stick_columns_destroy(scratch->ctx, &found->modes);
    stick_columns_destroy(scratch->ctx, &found->events);
    scene_close(&found->scene);
}

static double at(const StickColumns *columns, const char *name, size_t row)
{
    int k = stick_columns_find(columns, name);
    assert_true(k >= 0 && row < columns->nrows);
    return columns->column[k][row];
}

static void modes_meet_where_the_closed_form_says(void **state)
{
    Scratch *scratch = *state;
    double number[STICK_SWEEP_NUMBERS];
    Found found = find(scratch, "mu", "{mu: {from: 0.5, to: 0.8, by: 0.1}}");
    assert_int_equal(found.events.nrows, 1);
    assert_near(at(&found.events, "value", 0), critical(), 1e-9);
    assert_near(at(&found.events, "frequency", 0), sqrt(4 * (k1 + critical() * k2 / 2)) / (2 * M_PI), 1e-9);
    assert_true(at(&found.events, "kind", 0) == STICK_SWEEP_COALESCENCE);
    assert_true(at(&found.events, "change", 0) == 1 && at(&found.events, "growth_change", 0) == 1);
    assert_true(at(&found.events, "branch", 0) == 1 && at(&found.events, "partner", 0) == 2);
    assert_true(at(&found.events, "uncertainty", 0) < 1e-9);
    // two branches at four values
    assert_int_equal(found.modes.nrows, 8);
    for (size_t row = 0; row < 8; row++) {
        double mu = at(&found.modes, "value", row), half = mu * k2 / 2;
        double square_of_half = half * half + k3 * (k3 + mu * k8);
        assert_true(at(&found.modes, "branch", row) == 1 || at(&found.modes, "branch", row) == 2);
        double split = fabs(at(&found.modes, "Lambda.real", row) - 4 * (k1 + half)) +
                       fabs(at(&found.modes, "Lambda.imaginary", row));
        assert_near(split, 4 * sqrt(fabs(square_of_half)), 1e-12);
    }
    assert_ok(scratch->ctx,
              stick_sweep_numbers(scratch->ctx, scratch->folder, &found.scene.model->step[1], number));
    assert_string_equal(stick_sweep_number_name(2), "coalescence");
    assert_true(number[0] == 4 && number[1] == 1);
    assert_near(number[2], critical(), 1e-9);
    assert_near(number[4], critical(), 1e-9); // onset
    assert_true(number[6] == 0 && isnan(number[7]) && number[9] == 0.8);
    forget_found(scratch, &found);
}

// One mode is asked for, and the other one is followed nevertheless: growth begins where they meet.
static void growth_of_modes_not_asked_for_begins_somewhere(void **state)
{
    Scratch *scratch = *state;
    double number[STICK_SWEEP_NUMBERS];
    Found found = find(scratch, "mu", "{mu: {from: 0.5, to: 0.8, by: 0.1}}, modes: 1");
    assert_int_equal(found.events.nrows, 1);
    assert_near(at(&found.events, "value", 0), critical(), 1e-9);
    assert_true(at(&found.events, "kind", 0) == STICK_SWEEP_COALESCENCE);
    assert_true(at(&found.events, "branch", 0) == 1 && at(&found.events, "partner", 0) == 2);
    // one where it is asked for, two where they grow
    for (size_t row = 0; row < found.modes.nrows; row++)
        assert_true(at(&found.modes, "branch", row) == 1 || at(&found.modes, "value", row) > critical());
    assert_ok(scratch->ctx,
              stick_sweep_numbers(scratch->ctx, scratch->folder, &found.scene.model->step[1], number));
    assert_true(number[1] == 1);
    assert_near(number[4], critical(), 1e-9);
    forget_found(scratch, &found);
}

// A pair that flutters comes into the window as everything becomes softer, and leaves it again the other way.
static void what_grows_and_comes_into_view_is_told(void **state)
{
    Scratch *scratch = *state;
    double number[STICK_SWEEP_NUMBERS];
    for (int back = 0; back < 2; back++) {
        Found found =
            find(scratch, "0.8", back ? "{young: [3, 4]}, highest: 0.27" : "{young: [4, 3]}, highest: 0.27");
        size_t last = found.events.nrows - 1;
        assert_int_equal(found.events.nrows, 1 + back);
        assert_true(at(&found.events, "kind", last) == STICK_SWEEP_UNFOLLOWED);
        assert_true(at(&found.events, "growth_change", last) == (back ? -1 : 1));
        assert_near(at(&found.events, "frequency", last), 0.27, 0.27 * 0.02);
        assert_true(at(&found.events, "uncertainty", last) <= 1e-6);
        double young = at(&found.events, "value", last);
        // frequencies go by the root of the stiffness
        double h = 0.8 * k2 / 2, re = 4 * (k1 + h), im = 4 * sqrt(-(h * h + k3 * (k3 + 0.8 * k8)));
        double frequency = cimag(csqrt(-(re + im * I))) / (2 * M_PI) * sqrt(young / 3);
        assert_near(at(&found.events, "frequency", last), fabs(frequency), 1e-9);
        assert_ok(scratch->ctx,
                  stick_sweep_numbers(scratch->ctx, scratch->folder, &found.scene.model->step[1], number));
        assert_near(number[4], back ? 3 : young, 1e-12);
        forget_found(scratch, &found);
    }
}

// What depends on the parameter changes with it.
static void a_parameter_acts_through_others(void **state)
{
    Scratch *scratch = *state;
    Found found = find(scratch, "a/10", "{a: [8, 5, 2]}");
    assert_int_equal(found.events.nrows, 2);
    assert_true(at(&found.events, "kind", 0) == STICK_SWEEP_FIRST);
    assert_near(at(&found.events, "value", 1), 10 * critical(), 1e-8);
    assert_true(at(&found.events, "change", 1) == -1 && at(&found.events, "growth_change", 1) == -1);
    forget_found(scratch, &found);
}

// lambda^2 + alpha lambda + Lambda = 0 has a root without growth where (Im Lambda)^2 = alpha^2 Re Lambda.
static void damping_shifts_the_onset_away_from_the_coalescence(void **state)
{
    Scratch *scratch = *state;
    const double alpha = 0.3, square_of_alpha = alpha * alpha;
    double a = 4 * k2 * k2, b = 16 * k3 * k8 + 2 * square_of_alpha * k2,
           c = 16 * k3 * k3 + 4 * square_of_alpha * k1, onset = (-b - sqrt(b * b - 4 * a * c)) / (2 * a);
    Found found = find(scratch, "mu", "{mu: [0.6, 0.8, 1]}, damping: {alpha: 0.3}");
    assert_int_equal(found.events.nrows, 2);
    assert_near(at(&found.events, "value", 0), critical(), 1e-9);
    assert_true(at(&found.events, "growth_change", 0) == 0);
    assert_true(at(&found.events, "kind", 1) == STICK_SWEEP_GROWTH && at(&found.events, "change", 1) == 1);
    assert_near(at(&found.events, "value", 1), onset, 1e-9);
    forget_found(scratch, &found);
}

static void without_locating_the_value_behind_is_told(void **state)
{
    Scratch *scratch = *state;
    Found found = find(scratch, "mu", "{mu: [0.6, 0.8]}, locate: none");
    assert_int_equal(found.events.nrows, 1);
    assert_true(at(&found.events, "value", 0) == 0.8);
    assert_near(at(&found.events, "uncertainty", 0), 0.2, 1e-15);
    forget_found(scratch, &found);
}

// Friction that is just enough to stick to the end: the ratio of the forces of the stuck state.
static void a_change_of_status_is_located(void **state)
{
    Scratch *scratch = *state;
    Scene scene;
    scene_open(&scene, scratch->ctx, square, "5", "0.004", "{mu: [1, 2]}");
    while (!stick_simulation_is_done(scene.run))
        scene_step(&scene);
    double ratio = fabs(scene.run->r[1]) / scene.run->r[0];
    assert_true(ratio < 4);
    scene_close(&scene);
    char vary[64];
    snprintf(vary, sizeof vary, "{mu: [%.3g, %.3g]}", 0.8 * ratio, 1.3 * ratio);
    Found found = find_with(scratch, "mu", "0.004", vary);
    size_t last = found.events.nrows - 1;
    double before = NAN, after = NAN;
    while (last > 0 && at(&found.events, "kind", last) != STICK_SWEEP_CHANGE)
        last--;
    assert_true(at(&found.events, "kind", last) == STICK_SWEEP_CHANGE);
    assert_near(at(&found.events, "value", last), ratio, 1e-6 * ratio);
    assert_true(at(&found.events, "sticking", last) == 1 && at(&found.events, "slipping", last) == 0);
    // both sides are among the values that were followed
    for (size_t row = 0; row < found.modes.nrows; row++) {
        double value = at(&found.modes, "value", row);
        before = value < ratio ? value : before;
        after = value > ratio && isnan(after) ? value : after;
    }
    assert_true(after - before <= 1e-6 * 0.5 * ratio);
    forget_found(scratch, &found);
}

// A column that slides along its second tangent: what is left along the first one is rounding and has any sign.
static const char column[] =
    "parameters: {mu: 0.3, drift: 0}\n"
    "materials: {soft: {young: 5, poisson: 0.3, density: 1}}\n"
    "bodies: {column: {mesh: {box: {size: [1, 1, 1], cells: [1, 1, 1]}}, material: soft}}\n"
    "obstacles: {plate: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}, displacement: [\"drift*max(t - 1, "
    "0)\", "
    "\"max(t - 1, 0)\", 0]}}\n"
    "supports: [{on: column.top, displacement: [0, 0, \"-0.01*min(t, 1)\"]}]\n"
    "contacts: [{between: [column.bottom, plate], friction: mu}]\n"
    "steps:\n"
    "  - {name: drag, quasistatic: {end: 2, increments: 4}}\n"
    "  - {name: sweep, stability: {vary: {drift: [1, 2]}}}\n";

static StickSweepPoint column_with(StickContext *ctx, double x)
{
    Scene scene;
    StickStudyOptions options = {0};
    StickSweepPoint point;
    scene_open(&scene, ctx, "%s", column);
    StickSweepSource source = {
        .ctx = ctx, .model = scene.model, .step = &scene.model->step[1], .options = &options};
    assert_ok(ctx, stick_sweep_point_create(&source, x, STICK_SWEEP_STATUS, &point));
    scene_close(&scene);
    assert_int_equal(point.slipping, 4);
    return point;
}

static void sliding_changes_by_more_than_a_right_angle(void **state)
{
    Scratch *scratch = *state;
    static const double others[] = {1e-9, -1e-9, 2, -2};
    StickSweepPoint along = column_with(scratch->ctx, 0);
    for (size_t k = 0; k < 4; k++) {
        StickSweepPoint point = column_with(scratch->ctx, others[k]);
        assert_true(stick_sweep_same_status(&along, &point));
        stick_sweep_point_destroy(scratch->ctx, &point);
    }
    StickSweepPoint left = column_with(scratch->ctx, -2), right = column_with(scratch->ctx, 2);
    assert_false(stick_sweep_same_status(&left, &right));
    stick_sweep_point_destroy(scratch->ctx, &left);
    stick_sweep_point_destroy(scratch->ctx, &right);
    stick_sweep_point_destroy(scratch->ctx, &along);
}

static void bad_values_are_refused_at_once(void **state)
{
    Scratch *scratch = *state;
    Scene scene;
    scene_open(&scene, scratch->ctx, square, "mu", "0.1", "{young: [1, 0]}");
    assert_int_equal(stick_stability_sweep_check(scratch->ctx, scene.model, &scene.model->step[1]),
                     STICK_BAD_INPUT);
    assert_non_null(strstr(stick_last_error(scratch->ctx), "'young' is 0, but must be > 0"));
    scene_close(&scene);
}

static void an_interrupted_sweep_keeps_what_it_has(void **state)
{
    Scratch *scratch = *state;
    Scene scene;
    const volatile sig_atomic_t stop = 1;
    StickStudyOptions options = {.stop = &stop};
    scene_open(&scene, scratch->ctx, square, "mu", "0.1", "{mu: [0.6, 0.8]}");
    assert_ok(scratch->ctx, stick_folder_create(scratch->ctx, scratch_path(scratch, "history")));
    assert_int_equal(sweep_with(scratch->ctx, &scene, scratch->folder, &options), STICK_INTERRUPTED);
    assert_true(stick_file_exists(scratch_path(scratch, "stability/sweep/sweep.csv")));
    scene_close(&scene);
}

// As a user has it: checks of its numbers, and a second run in the place of the first one.
static void a_study_with_a_sweep_is_replaced_by_another(void **state)
{
    Scratch *scratch = *state;
    char model[512], folder[512], text[4096], whole[4500];
    snprintf(model, sizeof model, "%s/model.yaml", scratch->folder);
    snprintf(folder, sizeof folder, "%s/out", scratch->folder);
    snprintf(text, sizeof text, square, "mu", "0.1", "{mu: [0.6, 0.7]}");
    snprintf(whole, sizeof whole,
             "stickslip: 1\n%s"
             "checks:\n"
             "  - {that: sweep.coalescence, is: %.12g, within: 1e-9}\n"
             "  - {that: final(sweep.growth), to: 0.65, is: 0, within: 0}\n"
             "  - {that: sweep.slipping, at: {status: [0, 1, 0]}, is: 1, within: 0}\n",
             text, critical());
    assert_ok(scratch->ctx, stick_file_write(scratch->ctx, model, whole, strlen(whole)));
    setenv("PATH", "/nowhere", 1); // no gnuplot
    StickStudyOptions options = {.model = model, .folder = folder, .force = true};
    for (int k = 0; k < 2; k++)
        assert_ok(scratch->ctx, stick_study_run(scratch->ctx, &options));
    snprintf(whole + strlen(whole), 200, "  - {that: \"sweep.mode[1].growth\", is: 0, within: 0}\n");
    assert_ok(scratch->ctx, stick_file_write(scratch->ctx, model, whole, strlen(whole)));
    assert_int_equal(stick_study_check(scratch->ctx, &options), STICK_BAD_INPUT);
    assert_error_says(scratch->ctx, "the stability step 'sweep' has no number 'mode[1].growth'");
}

typedef struct Given {
    Scratch *scratch;
    Scene scene;
} Given;

static StickStatus sweep_once(StickContext *ctx, void *user)
{
    Given *given = user;
    StickStudyOptions options = {0};
    return sweep_with(ctx, &given->scene, given->scratch->folder, &options);
}

static StickStatus point_once(StickContext *ctx, void *user)
{
    const Given *given = user;
    StickStudyOptions options = {0};
    StickSweepPoint point;
    StickSweepSource source = {
        .ctx = ctx, .model = given->scene.model, .step = &given->scene.model->step[1], .options = &options};
    StickStatus status = stick_sweep_point_create(&source, 0.8, STICK_SWEEP_VERDICT, &point);
    if (status == STICK_OK)
        stick_sweep_point_destroy(ctx, &point);
    return status;
}

static void every_allocation_of_a_value_fails_once(void **state)
{
    Given given = {.scratch = *state};
    scene_open(&given.scene, given.scratch->ctx, square, "mu", "0.1", "{mu: [0.6, 0.8]}");
    assert_survives_failing_memory(point_once, &given);
    scene_close(&given.scene);
}

// Files take time: not every one.
static void many_allocations_of_a_sweep_fail_once(void **state)
{
    Given given = {.scratch = *state};
    StickStatus status = STICK_NO_MEMORY;
    scene_open(&given.scene, given.scratch->ctx, square, "mu", "0.1", "{mu: [0.6, 0.8]}, locate: none");
    assert_ok(given.scratch->ctx,
              stick_folder_create(given.scratch->ctx, scratch_path(given.scratch, "history")));
    for (long at_call = 3; status != STICK_OK; at_call += at_call < 60 ? 3 : 61) {
        FailingAllocator failing = {.fails_at = at_call};
        StickAllocator allocator = {failing_resize, &failing};
        StickContext *ctx = stick_context_create(&allocator);
        if (!ctx)
            continue;
        status = sweep_once(ctx, &given);
        assert_true(status == STICK_OK || status == STICK_NO_MEMORY);
        stick_context_destroy(ctx);
    }
    scene_close(&given.scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(modes_meet_where_the_closed_form_says, make_scratch, drop_scratch),
        cmocka_unit_test_setup_teardown(growth_of_modes_not_asked_for_begins_somewhere, make_scratch,
                                        drop_scratch),
        cmocka_unit_test_setup_teardown(what_grows_and_comes_into_view_is_told, make_scratch, drop_scratch),
        cmocka_unit_test_setup_teardown(a_parameter_acts_through_others, make_scratch, drop_scratch),
        cmocka_unit_test_setup_teardown(damping_shifts_the_onset_away_from_the_coalescence, make_scratch,
                                        drop_scratch),
        cmocka_unit_test_setup_teardown(without_locating_the_value_behind_is_told, make_scratch,
                                        drop_scratch),
        cmocka_unit_test_setup_teardown(a_change_of_status_is_located, make_scratch, drop_scratch),
        cmocka_unit_test_setup_teardown(sliding_changes_by_more_than_a_right_angle, make_scratch,
                                        drop_scratch),
        cmocka_unit_test_setup_teardown(bad_values_are_refused_at_once, make_scratch, drop_scratch),
        cmocka_unit_test_setup_teardown(an_interrupted_sweep_keeps_what_it_has, make_scratch, drop_scratch),
        cmocka_unit_test_setup_teardown(a_study_with_a_sweep_is_replaced_by_another, make_scratch,
                                        drop_scratch),
        cmocka_unit_test_setup_teardown(every_allocation_of_a_value_fails_once, make_scratch, drop_scratch),
        cmocka_unit_test_setup_teardown(many_allocations_of_a_sweep_fail_once, make_scratch, drop_scratch),
    };
    return cmocka_run_group_tests_name("stability_sweep", tests, NULL, NULL);
}
