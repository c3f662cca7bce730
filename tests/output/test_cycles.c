// SPDX-License-Identifier: Apache-2.0
// Tables of steps along trajectories as a run writes them: which there are, rows of positions, going on behind one.
#include "output/cycles.h"
#include "output/scratch.h"
#include "output/table.h"
#include "stepping/slider.h"

static const char gears[] =
    "units: {length: mm, force: N, time: s, mass: t}\n"
    "materials: {steel: {young: 2e5, poisson: 0.3, density: 1}}\n"
    "gears: {%s: {teeth: [20, 30], module: 1, pressure-angle: deg(20), face-width: 2, material: steel,\n"
    "               bore: 6, mesh: {flank-nodes: 9, teeth: 5}}}\n"
    "supports: [{on: %s.1.bore, displacement: [0, 0]}, {on: %s.2.bore, displacement: [0, 0]}]\n"
    "contacts: [{between: %s, max-distance: 0.05}]\n"
    "steps: [{trajectory: {cycle: tooth, positions: 4, torque: {%s.2: 3000}}}]\n"
    "%s";

static void open_gears(Scene *scene, StickContext *ctx, const char *name, const char *more)
{
    scene_open(scene, ctx, gears, name, name, name, name, name, more);
}

// ---- which tables there are

static void models_have_the_tables_of_their_trajectories(void **state)
{
    Scene scene;
    StickCycles *cycles;
    scene_open(&scene, *state,
               "materials: {soft: {young: 1, poisson: 0.3, density: 1}}\n"
               "bodies: {block: {mesh: {rectangle: {size: [1, 1], cells: [1, 1]}}, material: soft}}\n"
               "supports: [{on: block.bottom, displacement: [0, 0]}]\n"
               "steps: [{quasistatic: {end: 1, increments: 1}}]\n");
    assert_ok(*state, stick_cycles_create(*state, scene.system, &cycles));
    assert_int_equal(stick_cycles_count(cycles), 0);
    assert_ok(*state, stick_cycles_open(cycles, "/nowhere", NULL)); // nothing to write
    assert_false(stick_cycles_has_column(*state, scene.model, "mechanism", "t"));
    stick_cycles_destroy(cycles);
    scene_close(&scene);
    slider_open(&scene, *state, &(Slider){0});
    assert_ok(*state, stick_cycles_create(*state, scene.system, &cycles));
    assert_int_equal(stick_cycles_count(cycles), 1);
    assert_true(stick_cycles_has_column(*state, scene.model, "mechanism", "block.force.x"));
    assert_false(stick_cycles_has_column(*state, scene.model, "mechanism", "block.force"));
    assert_false(stick_cycles_has_column(*state, scene.model, "other", "t"));
    stick_cycles_destroy(cycles);
    scene_close(&scene);
    open_gears(&scene, *state, "pair", "");
    assert_true(stick_cycles_has_column(*state, scene.model, "pair", "share.0"));
    assert_false(stick_cycles_has_column(*state, scene.model, "pair", "share.9"));
    assert_false(stick_cycles_has_column(*state, scene.model, "mechanism", "t"));
    scene_close(&scene);
}

static void names_of_tables_are_taken(void **state)
{
    Scene scene;
    StickCycles *cycles = NULL;
    open_gears(&scene, *state, "pair",
               "output: {history: [{name: pair, of: pair.1.bore, what: reaction.x}]}\n");
    assert_int_equal(stick_cycles_create(*state, scene.system, &cycles), STICK_BAD_INPUT);
    assert_error_says(*state, "cycle/pair.csv has it; take another one");
    assert_null(cycles);
    scene_close(&scene);
    open_gears(&scene, *state, "mechanism", "");
    assert_int_equal(stick_cycles_create(*state, scene.system, &cycles), STICK_BAD_INPUT);
    assert_error_says(*state, "gears cannot have the name 'mechanism'");
    scene_close(&scene);
}

// ---- rows

// Column of a table that was written.
static const double *column_of(const StickColumns *table, const char *name)
{
    int k = stick_columns_find(table, name);
    if (k < 0)
        fail_msg("there is no column '%s'", name);
    return table->column[k];
}

// Runs through all positions and reads the table of the pair back.
static void roll(Scratch *scratch, const Scene *scene, StickColumns *table)
{
    StickCycles *cycles;
    assert_ok(scratch->ctx, stick_cycles_create(scratch->ctx, scene->system, &cycles));
    assert_ok(scratch->ctx, stick_cycles_open(cycles, scratch->folder, NULL));
    assert_ok(scratch->ctx, stick_cycles_record(cycles, scene->run)); // before the first position: none
    while (!stick_simulation_is_done(scene->run)) {
        scene_step(scene);
        assert_ok(scratch->ctx, stick_cycles_record(cycles, scene->run));
    }
    assert_ok(scratch->ctx, stick_cycles_close(cycles));
    stick_cycles_destroy(cycles);
    assert_ok(scratch->ctx, stick_table_read(scratch->ctx, scratch_path(scratch, "cycle/pair.csv"), table));
}

static const double load = 3000 / (15 * 0.93969262078590838); // torque by base radius

// Without friction all positions have torque by base radius; pairs of teeth share it.
static void a_position_has_a_row(void **state)
{
    Scratch *scratch = *state;
    Scene scene;
    StickColumns table;
    open_gears(&scene, scratch->ctx, "pair", "");
    roll(scratch, &scene, &table);
    assert_int_equal(table.nrows, 4);
    for (size_t k = 0; k < table.nrows; k++) {
        double shares = 0;
        assert_near(column_of(&table, "t")[k], 0.25 * (double)k, 1e-12);
        assert_near(column_of(&table, "step")[k], 1, 0);
        assert_near(column_of(&table, "position")[k], (double)k, 0);
        assert_near(column_of(&table, "load")[k], load, 1e-9 * load);
        assert_near(column_of(&table, "input_torque")[k], 2000, 1e-9 * 2000);
        assert_near(column_of(&table, "output_torque")[k], 3000, 1e-9 * 3000);
        assert_near(column_of(&table, "efficiency")[k], 1, 1e-9);
        for (int c = 0; c < table.ncolumns; c++)
            shares += strncmp(table.name[c], "share.", 6) == 0 ? table.column[c][k] : 0;
        assert_near(shares, 1, 1e-12);
        assert_true(column_of(&table, "pressure")[k] > 0 && column_of(&table, "root_stress_1")[k] > 0);
    }
    stick_columns_destroy(scratch->ctx, &table);
    scene_close(&scene);
}

// Flanks that are named one by one press as those do that the name of the pair means.
static void flanks_count_by_any_name(void **state)
{
    static const char named[] =
        "materials: {steel: {young: 2e5, poisson: 0.3, density: 1}}\n"
        "gears: {pair: {teeth: [20, 30], module: 1, face-width: 2, material: steel, bore: 6,\n"
        "               mesh: {flank-nodes: 9, teeth: 5}}}\n"
        "supports: [{on: pair.1.bore, displacement: [0, 0]}, {on: pair.2.bore, displacement: [0, 0]}]\n"
        "contacts: [{between: %s, max-distance: 0.05}]\n"
        "steps: [{trajectory: {from: 0.5, to: 0.6, positions: 2, torque: {pair.2: 3000}}}]\n";
    static const char *const names[] = {"pair", "[pair.2.tooth-0-left, pair.1.tooth-0-left]",
                                        "[pair.1.tooth-0-left, pair.2.tooth-0-left]"};
    static const char *const same[] = {"load", "pairs", "load.0", "share.0", "hertz", "stiffness"};
    Scratch *scratch = *state;
    StickColumns table[3];
    for (int k = 0; k < 3; k++) {
        Scene scene;
        scene_open(&scene, scratch->ctx, named, names[k]);
        roll(scratch, &scene, &table[k]);
        scene_close(&scene);
    }
    for (size_t c = 0; c < sizeof same / sizeof *same; c++)
        for (int k = 1; k < 3; k++)
            for (size_t row = 0; row < 2; row++) {
                double first = column_of(&table[0], same[c])[row];
                // both gears are pushed along one line there, and strips of the input are others
                assert_near(column_of(&table[k], same[c])[row], first, 0.05 * first);
            }
    assert_near(column_of(&table[1], "load")[0], load, 1e-9 * load);
    for (int k = 0; k < 3; k++)
        stick_columns_destroy(scratch->ctx, &table[k]);
}

static StickStatus step_and_record(const Scene *scene, StickCycles *cycles)
{
    STICK_TRY(stick_simulation_step(scene->run));
    return stick_cycles_record(cycles, scene->run);
}

// Of rows behind a position that was kept nothing stays.
static void tables_go_on_behind_a_position(void **state)
{
    Scratch *scratch = *state;
    Scene scene, again;
    StickCycles *cycles;
    int64_t position = 0;
    char *once;
    size_t count;
    slider_open(&scene, scratch->ctx, &(Slider){0});
    assert_ok(scratch->ctx, stick_cycles_create(scratch->ctx, scene.system, &cycles));
    assert_ok(scratch->ctx, stick_cycles_open(cycles, scratch->folder, NULL));
    assert_ok(scratch->ctx, step_and_record(&scene, cycles));
    assert_ok(scratch->ctx, stick_cycles_positions(cycles, &position));
    for (int k = 1; k < 3; k++)
        assert_ok(scratch->ctx, step_and_record(&scene, cycles));
    assert_ok(scratch->ctx, stick_cycles_close(cycles));
    assert_ok(scratch->ctx, stick_cycles_close(cycles)); // closed already
    assert_ok(scratch->ctx,
              stick_file_read(scratch->ctx, scratch_path(scratch, "cycle/mechanism.csv"), &once, &count));
    // another run comes to the same position, and goes on
    slider_open(&again, scratch->ctx, &(Slider){0});
    scene_step(&again);
    assert_ok(scratch->ctx, stick_cycles_open(cycles, scratch->folder, &position));
    for (int k = 1; k < 3; k++)
        assert_ok(scratch->ctx, step_and_record(&again, cycles));
    assert_ok(scratch->ctx, stick_cycles_close(cycles));
    assert_file_is(scratch->ctx, scratch_path(scratch, "cycle/mechanism.csv"), once);
    stick_free(scratch->ctx, once);
    stick_cycles_destroy(cycles);
    scene_close(&scene);
    scene_close(&again);
}

static void a_folder_that_cannot_be_written_is_told(void **state)
{
    Scene scene;
    StickCycles *cycles;
    char folder[5000];
    slider_open(&scene, *state, &(Slider){0});
    assert_ok(*state, stick_cycles_create(*state, scene.system, &cycles));
    assert_int_equal(stick_cycles_open(cycles, "/proc/nowhere", NULL), STICK_IO);
    memset(folder, 'x', sizeof folder - 1);
    folder[sizeof folder - 1] = '\0';
    assert_int_equal(stick_cycles_open(cycles, folder, NULL), STICK_IO);
    stick_cycles_destroy(cycles);
    scene_close(&scene);
}

static StickStatus make_and_drop(StickContext *ctx, void *data)
{
    Scene *scene = data;
    StickCycles *cycles;
    STICK_TRY(stick_cycles_create(ctx, scene->system, &cycles));
    stick_cycles_destroy(cycles);
    return STICK_OK;
}

static void memory_may_fail_anywhere(void **state)
{
    Scene scene;
    open_gears(&scene, *state, "pair", "");
    assert_survives_failing_memory(make_and_drop, &scene);
    scene_close(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(models_have_the_tables_of_their_trajectories),
        test_with_context(names_of_tables_are_taken),
        test_with_scratch(a_position_has_a_row),
        test_with_scratch(flanks_count_by_any_name),
        test_with_scratch(tables_go_on_behind_a_position),
        test_with_context(a_folder_that_cannot_be_written_is_told),
        test_with_context(memory_may_fail_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
