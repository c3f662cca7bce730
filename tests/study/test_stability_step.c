// SPDX-License-Identifier: Apache-2.0
// A stability step from the model to its files.
#include "output/scratch.h"

#include "output/table.h"
#include "stepping/scene.h"
#include "study/stability_step.h"

#include <signal.h>

static const char square[] =
    "materials: {soft: {young: 3, poisson: -0.5, density: 4}}\n"
    "bodies: {square: {mesh: {rectangle: {size: [1, 1], cells: [1, 1]}}, plane: stress, material: soft%s}}\n"
    "obstacles: {plate: {plane: {point: [0, 0], normal: [0, 1]}, displacement: [\"-0.1*max(t - 1, 0)\", "
    "0]}}\n"
    "supports:\n"
    "  - {on: square.top, displacement: [0, \"-0.01*min(t, 1)\"]}\n"
    "  - {on: square.bottom-right, displacement: [free, 0]}\n"
    "contacts: [{between: [square.%s, plate], friction: 0.9%s}]\n"
    "steps:\n"
    "  - {name: drag, quasistatic: {end: 2, increments: 8}}\n"
    "  - {name: judge, stability: {at: %s, mass: lumped%s}}\n";

typedef struct Given {
    Scratch *scratch;
    Scene scene;
    StickPathRecord *record;
} Given;

static void record_path(Given *given)
{
    const Scene *scene = &given->scene;
    assert_ok(scene->ctx,
              stick_path_record_create(scene->ctx, scene->system, &scene->model->step[1], &given->record));
    assert_ok(scene->ctx, stick_path_record_see(given->record, scene->run));
    while (!stick_simulation_is_done(scene->run)) {
        scene_step(scene);
        assert_ok(scene->ctx, stick_path_record_see(given->record, scene->run));
    }
    assert_ok(scene->ctx, stick_folder_create(scene->ctx, scratch_path(given->scratch, "history")));
}

static void open_given(Given *given, Scratch *scratch, const char *at, const char *more)
{
    *given = (Given){.scratch = scratch};
    scene_open(&given->scene, scratch->ctx, square, "", "bottom-left", "", at, more);
    record_path(given);
}

static void close_given(Given *given)
{
    stick_path_record_destroy(given->record);
    scene_close(&given->scene);
}

static StickStatus judge_with(StickContext *ctx, Given *given, const StickStudyOptions *options)
{
    StickStabilityTask task = {
        .system = given->scene.system,
        .step = &given->scene.model->step[1],
        .path = given->record,
        .folder = given->scratch->folder,
        .name = "",
        .options = options,
    };
    return stick_stability_step(ctx, &task);
}

static StickStatus judge(StickContext *ctx, void *given)
{
    StickStudyOptions options = {0};
    return judge_with(ctx, given, &options);
}

static double value_at(const StickColumns *columns, const char *name, size_t row)
{
    int k = stick_columns_find(columns, name);
    assert_true(k >= 0 && row < columns->nrows);
    return columns->column[k][row];
}

// Lambda of two coupled modes, K* = c [[k1 + mu k2, k3 + mu k8], [k3, k1]] (examples/mode-coupling.yaml).
static void two_modes_couple(void **state)
{
    Scratch *scratch = *state;
    Given given;
    StickColumns table, spectrum;
    open_given(&given, scratch, "every-status", ", modes: 1");
    assert_ok(scratch->ctx, judge(scratch->ctx, &given));
    assert_ok(scratch->ctx,
              stick_table_read(scratch->ctx, scratch_path(scratch, "history/judge.csv"), &table));
    size_t last = table.nrows - 1;
    assert_true(value_at(&table, "sticking", 0) == 1 && value_at(&table, "slipping", last) == 1);
    assert_true(value_at(&table, "first_flutter_mode", 0) == 0);
    assert_true(isnan(value_at(&table, "first_flutter_frequency", 0)));
    assert_true(value_at(&table, "verdict", 0) == 1 && value_at(&table, "proposition", 0) == 4);
    assert_true(value_at(&table, "proposition", last) == 3);
    assert_near(value_at(&table, "first_flutter_growth", last), 0.15273405446980423, 1e-12);
    assert_near(value_at(&table, "first_flutter_frequency", last), 0.25008914292156936, 1e-12);
    // one mode of each status is asked for; the second of the pair grows, too
    assert_ok(
        scratch->ctx,
        stick_table_read(scratch->ctx, scratch_path(scratch, "stability/judge/spectrum.csv"), &spectrum));
    assert_int_equal(spectrum.nrows, table.nrows + 1);
    assert_true(stick_file_exists(scratch_path(scratch, "stability/judge/verdicts.txt")));
    stick_columns_destroy(scratch->ctx, &spectrum);
    stick_columns_destroy(scratch->ctx, &table);
    close_given(&given);
}

// alpha M* + beta K* with beta = 0 shifts all growth rates: lambda^2 + alpha lambda + Lambda = 0. At the threshold the
// mode no longer grows.
static void damping_stops_flutter(void **state)
{
    Scratch *scratch = *state;
    for (int strong = 0; strong < 2; strong++) {
        Given given;
        StickColumns table;
        open_given(&given, scratch, "end", strong ? ", damping: {alpha: 0.31}" : ", damping: {alpha: 0.30}");
        assert_ok(scratch->ctx, judge(scratch->ctx, &given));
        assert_ok(scratch->ctx,
                  stick_table_read(scratch->ctx, scratch_path(scratch, "history/judge.csv"), &table));
        assert_int_equal(value_at(&table, "fluttering", 0), !strong);
        assert_true((value_at(&table, "growth", 0) < 0) == strong);
        stick_columns_destroy(scratch->ctx, &table);
        close_given(&given);
    }
}

static void an_interrupted_step_keeps_what_it_has(void **state)
{
    Scratch *scratch = *state;
    Given given;
    StickColumns table;
    const volatile sig_atomic_t stop = 1;
    StickStudyOptions options = {.stop = &stop};
    open_given(&given, scratch, "every-status", "");
    assert_int_equal(judge_with(scratch->ctx, &given, &options), STICK_INTERRUPTED);
    assert_ok(scratch->ctx,
              stick_table_read(scratch->ctx, scratch_path(scratch, "history/judge.csv"), &table));
    assert_int_equal(table.nrows, 1);
    stick_columns_destroy(scratch->ctx, &table);
    close_given(&given);
}

// A state that cannot be judged is explained, and where it is.
static void a_bad_state_is_named(void **state)
{
    Scratch *scratch = *state;
    Given given = {.scratch = scratch};
    scene_open(&given.scene, scratch->ctx, square, ", element: quadratic", "bottom", "", "end", "");
    record_path(&given);
    stick_diagnostics_clear(scratch->ctx);
    assert_int_equal(judge(scratch->ctx, &given), STICK_BAD_INPUT);
    assert_error_says(scratch->ctx, "integrated");
    const StickDiagnostic *note = stick_diagnostic(scratch->ctx, stick_diagnostic_count(scratch->ctx) - 1);
    assert_int_equal(note->severity, STICK_NOTE);
    assert_non_null(strstr(note->text, "step 'judge' could not judge status 1 of 1, from t = 1.75 to 2"));
    close_given(&given);
}

static void too_many_modes_are_refused_at_once(void **state)
{
    Scene scene;
    scene_open(&scene, *state,
               "materials: {soft: {young: 3, density: 4}}\n"
               "bodies: {block: {mesh: {rectangle: {size: [1, 1], cells: [30, 30]}}, material: soft}}\n"
               "obstacles: {plate: {plane: {point: [0, 0], normal: [0, 1]}}}\n"
               "supports: [{on: block.top, displacement: [0, 0]}]\n"
               "contacts: [{between: [block.bottom, plate], friction: 0.9}]\n"
               "steps:\n"
               "  - {name: rest, quasistatic: {end: 1}}\n"
               "  - {name: all, stability: {}}\n"
               "  - {name: low, stability: {highest: 1}}\n"
               "  - {name: few, stability: {modes: 20}}\n");
    assert_int_equal(stick_stability_check(scene.run, &scene.model->step[1]), STICK_BAD_INPUT);
    assert_non_null(strstr(stick_last_error(*state), "say with 'modes' how many of the lowest"));
    assert_ok(*state, stick_stability_check(scene.run, &scene.model->step[2]));
    assert_ok(*state, stick_stability_check(scene.run, &scene.model->step[3]));
    scene_close(&scene);
}

// A viscous material takes matrices of twice the order.
static void fewer_modes_are_found_with_damping(void **state)
{
    static const char *const material[] = {"young: 3, density: 4",
                                           "young: 3, density: 4, viscosity: {shear: 1, bulk: 1}"};
    for (int viscous = 0; viscous < 2; viscous++) {
        Scene scene;
        scene_open(&scene, *state,
                   "materials: {soft: {%s}}\n"
                   "bodies: {block: {mesh: {rectangle: {size: [1, 1], cells: [22, 22]}}, material: soft}}\n"
                   "obstacles: {plate: {plane: {point: [0, 0], normal: [0, 1]}}}\n"
                   "supports: [{on: block.top, displacement: [0, 0]}]\n"
                   "contacts: [{between: [block.bottom, plate], friction: 0.9}]\n"
                   "steps:\n"
                   "  - {name: rest, quasistatic: {end: 1}}\n"
                   "  - {name: all, stability: {}}\n",
                   material[viscous]);
        assert_int_equal(stick_stability_check(scene.run, &scene.model->step[1]),
                         viscous ? STICK_BAD_INPUT : STICK_OK);
        scene_close(&scene);
    }
}

// A column that loses its grip (tests/stepping/test_jump.c): what is behind the jump is judged, and not without a word.
static void verdicts_behind_a_jump_say_so(void **state)
{
    static const char *const at[] = {"every-status", "end"}, *const says[] = {"begins by a jump at t = 1.845",
                                                                              "behind a jump of the path"};
    for (int k = 0; k < 2; k++) {
        Given given = {.scratch = *state};
        char *text;
        size_t length;
        scene_open(&given.scene, given.scratch->ctx,
                   "materials: {m: {young: 3, poisson: 0.3, density: 4}}\n"
                   "bodies: {column: {mesh: {rectangle: {size: [0.2, 1], cells: [1, 4]}}, plane: stress, "
                   "material: m, rotation: 0.5}}\n"
                   "obstacles: {plate: {plane: {point: [0, 0], normal: [0, 1]}, "
                   "displacement: [\"-max(t - 1, 0)*0.1\", 0]}}\n"
                   "supports: [{on: column.top, "
                   "displacement: [0, \"-0.01*min(t, 1) + 0.1*max(t - 1.5, 0)\"]}]\n"
                   "contacts: [{between: [column.bottom, plate], friction: 0.8}]\n"
                   "steps:\n"
                   "  - {name: drag, quasistatic: {end: 2, increments: 20}}\n"
                   "  - {name: judge, stability: {at: %s}}\n",
                   at[k]);
        record_path(&given);
        assert_ok(given.scratch->ctx, judge(given.scratch->ctx, &given));
        assert_ok(given.scratch->ctx,
                  stick_file_read(given.scratch->ctx,
                                  scratch_path(given.scratch, "stability/judge/verdicts.txt"), &text,
                                  &length));
        assert_non_null(strstr(text, says[k]));
        // what came before the jump is not touched by it
        assert_true(k == 1 || strstr(text, "jump") > strchr(text, '\n'));
        stick_free(given.scratch->ctx, text);
        close_given(&given);
        assert_ok(given.scratch->ctx,
                  stick_folder_remove(given.scratch->ctx, scratch_path(given.scratch, "history")));
    }
}

static void every_allocation_fails_once(void **state)
{
    Given given;
    open_given(&given, *state, "end", ", damping: {beta: 1e-3}, shapes: 1");
    assert_survives_failing_memory(judge, &given);
    close_given(&given);
}

// Forces that turn with a surface are no part of the modes: told where pressures may be as large as moduli are.
static void surfaces_that_turn_are_told(void **state)
{
    static const char rubber[] = "law: neo-hookean, shear: 1, bulk: 20, density: 1",
                      steel[] = "young: 3, poisson: 0.3, density: 1";
    static const struct {
        const char *material, *other;
        int warned;
    } cases[] = {{rubber, "floor", 0}, {rubber, "edge", 0},       {rubber, "roll", 1},
                 {steel, "roll", 0},   {rubber, "pad.bottom", 1}, {steel, "pad.bottom", 0}};
    Scratch *scratch = *state;
    int warned = 0;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        Scene scene;
        scene_open(&scene, scratch->ctx,
                   "materials: {soft: {%s}}\n"
                   "bodies: {block: {mesh: {rectangle: {size: [1, 1], cells: [2, 2]}}, plane: strain, "
                   "material: soft}, pad: {mesh: {rectangle: {size: [3, 1], cells: [2, 2], origin: [-1, "
                   "-1]}}, rotation: pi, plane: strain, material: soft}}\n"
                   "obstacles: {floor: {plane: {point: [0, 0], normal: [0, 1]}}, edge: {polyline: {points: "
                   "[[-1, 0], [2, 0]]}}, roll: {circle: {centre: [0.5, -4], radius: 4}}}\n"
                   "supports: [{on: block.top, displacement: [0, 0]}, {on: pad.top, displacement: [0, 0]}]\n"
                   "contacts: [{between: [block.bottom, %s], friction: 0.3}]\n"
                   "steps: [{name: press, quasistatic: {end: 1, increments: 1}}, {name: judge, stability: "
                   "{}}]\n",
                   cases[k].material, cases[k].other);
        assert_ok(scratch->ctx, stick_stability_check(scene.run, &scene.model->step[1]));
        warned += cases[k].warned;
        assert_int_equal(times_warned(scratch->ctx, "how the forces of this contact turn"), warned);
        scene_close(&scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(two_modes_couple, make_scratch, drop_scratch),
        cmocka_unit_test_setup_teardown(damping_stops_flutter, make_scratch, drop_scratch),
        cmocka_unit_test_setup_teardown(an_interrupted_step_keeps_what_it_has, make_scratch, drop_scratch),
        cmocka_unit_test_setup_teardown(a_bad_state_is_named, make_scratch, drop_scratch),
        cmocka_unit_test_setup_teardown(verdicts_behind_a_jump_say_so, make_scratch, drop_scratch),
        cmocka_unit_test_setup_teardown(surfaces_that_turn_are_told, make_scratch, drop_scratch),
        test_with_context(too_many_modes_are_refused_at_once),
        test_with_context(fewer_modes_are_found_with_damping),
        cmocka_unit_test_setup_teardown(every_allocation_fails_once, make_scratch, drop_scratch),
    };
    return cmocka_run_group_tests_name("stability_step", tests, NULL, NULL);
}
