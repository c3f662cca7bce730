// SPDX-License-Identifier: Apache-2.0
// Stability steps of result folders, as the page gets to see them.
#include "output/scratch.h"
#include "report/unpack.h"

#include "base/diagnostic_filter.h"
#include "model/yaml.h"
#include "output/vtu_read.h"
#include "report/runs.h"
#include "report/stability_part.h"

#include <stickslip/study.h>

// A square of one element on a plate that is dragged; beyond mu = 0.67 one mode flutters.
static const char MODEL[] =
    "stickslip: 1\n"
    "materials: {auxetic: {young: 3, poisson: -0.5, density: 4}}\n"
    "bodies:\n"
    "  square: {mesh: {rectangle: {size: [1, 1], cells: [1, 1]}}, plane: stress, material: auxetic}\n"
    "obstacles:\n"
    "  plate: {plane: {point: [0, 0], normal: [0, 1]}, displacement: [\"-max(t - 1, 0)\", 0]}\n"
    "supports:\n"
    "  - {on: square.top, displacement: [0, \"-0.01*min(t, 1)\"]}\n"
    "  - {on: square.bottom-right, displacement: [free, 0]}\n"
    "contacts: [{between: [square.bottom-left, plate], friction: 0.9}]\n"
    "steps:\n"
    "  - {name: press, quasistatic: {end: 1, increments: 1}}\n"
    "  - {name: drag, quasistatic: {end: 2, increments: 1, follow: events}}\n"
    "  - {name: sliding, stability: {of: drag, at: end, mass: lumped}}\n"
    "  - {name: path, stability: {of: drag, mass: lumped}}\n";

static void run_model(Scratch *scratch)
{
    char path[512], folder[512];
    snprintf(path, sizeof path, "%s/model.yaml", scratch->folder);
    snprintf(folder, sizeof folder, "%s/out", scratch->folder);
    assert_ok(scratch->ctx, stick_file_write(scratch->ctx, path, MODEL, strlen(MODEL)));
    setenv("PATH", "/nowhere", 1); // no gnuplot: pictures have tests of their own
    StickStudyOptions options = {.model = path, .folder = folder, .force = true};
    assert_ok(scratch->ctx, stick_study_run(scratch->ctx, &options));
}

static void put(Scratch *scratch, const char *name, const char *text)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/out/%s", scratch->folder, name);
    char *parent = stick_path_folder(scratch->ctx, path);
    assert_ok(scratch->ctx, stick_folder_create(scratch->ctx, parent));
    assert_ok(scratch->ctx, stick_file_write(scratch->ctx, path, text, strlen(text)));
    stick_free(scratch->ctx, parent);
}

// ---- the part

typedef struct Made {
    StickContext *ctx;
    StickBlobs blocks;
    StickText text;
    StickArena arena;
    StickYaml *list;
    StickStabilityLoss loss;
} Made;

static StickStatus add(StickContext *ctx, const char *folder, const StickStabilityRoom *room, Made *made)
{
    StickJson json;
    StickModel *model;
    StickContext *quiet = stick_diagnostic_filter_create(ctx);
    stick_blobs_init(&made->blocks, ctx);
    stick_text_init(&made->text, ctx);
    StickStatus status = quiet ? stick_page_model(ctx, quiet, folder, &model) : STICK_NO_MEMORY;
    if (status == STICK_OK) {
        stick_json_init_html(&json, &made->text);
        stick_json_object(&json);
        stick_json_key(&json, "stability");
        status = stick_stability_part_add(ctx, folder, model, room, &made->blocks, &json, &made->loss);
        stick_json_end_object(&json);
        stick_model_destroy(model);
    }
    stick_context_destroy(quiet);
    return status == STICK_OK ? stick_text_status(&made->text) : status;
}

static void make(Scratch *scratch, StickStabilityRoom room, Made *made)
{
    *made = (Made){.ctx = scratch->ctx};
    assert_ok(made->ctx, add(made->ctx, scratch_path(scratch, "out"), &room, made));
    stick_arena_init(&made->arena, made->ctx);
    StickYamlSource source = {"json", made->text.bytes, made->text.length};
    StickYaml *root;
    assert_ok(made->ctx, stick_yaml_parse(&made->arena, &source, &root));
    made->list = stick_yaml_find(root, "stability");
    assert_non_null(made->list);
}

static void drop(Made *made)
{
    stick_arena_destroy(&made->arena);
    stick_text_destroy(&made->text);
    stick_blobs_destroy(&made->blocks);
}

static int integer(const StickYaml *map, const char *key)
{
    double value = NAN;
    assert_true(stick_parse_number(member(map, key)->text, &value));
    return (int)value;
}

static const StickYaml *step_of(const Made *made, const char *name)
{
    for (const StickYaml *step = made->list->first; step; step = step->next)
        if (strcmp(member(step, "step")->text, name) == 0)
            return step;
    fail_msg("there is no step '%s'", name);
    return NULL;
}

static const StickBlobsBlock *block_of(const Made *made, const StickYaml *map, const char *key)
{
    return &made->blocks.block[integer(member(map, key), "block")];
}

static bool is_null(const StickYaml *map, const char *key)
{
    return stick_yaml_is_null(member(map, key));
}

// ---- tests

static void steps_come_with_tables_and_words(void **state)
{
    Scratch *scratch = *state;
    Made made;
    run_model(scratch);
    make(scratch, (StickStabilityRoom){0}, &made);
    assert_string_equal(member(made.list->first, "step")->text, "sliding"); // as in the model, not by name
    assert_string_equal(member(made.list->first->next, "step")->text, "path");
    const StickYaml *path = step_of(&made, "path"), *statuses = member(path, "statuses");
    assert_string_equal(member(statuses, "kind")->text, "statuses");
    assert_int_equal(integer(statuses, "rows"), 2); // sticks, then slips
    assert_int_equal(integer(statuses, "kept"), 2);
    assert_null(stick_yaml_find(statuses, "numbers"));
    assert_int_equal(integer(member(path, "spectrum"), "rows"), 3); // of one and of two degrees of freedom
    assert_true(is_null(path, "sweep") && is_null(path, "coalescence"));
    assert_true(is_null(path, "growth") && is_null(path, "predicted"));
    assert_non_null(strstr(member(path, "verdicts")->text, "flutter"));
    assert_int_equal(made.loss.tables.tables + made.loss.unreadable_shapes + made.loss.cut, 0);
    drop(&made);
}

// Both parts of the mode are those of its files, and their largest length is 1.
static void shapes_have_both_parts(void **state)
{
    Scratch *scratch = *state;
    Made made;
    StickVtuFile *file;
    double *mode;
    run_model(scratch);
    make(scratch, (StickStabilityRoom){0}, &made);
    const StickYaml *step = step_of(&made, "sliding"), *shape = member(step, "shapes")->first;
    assert_non_null(shape);
    assert_int_equal(integer(step, "allShapes"), 1);
    assert_int_equal(made.loss.shapes, 2); // one of each step
    assert_int_equal(integer(shape, "status"), 1);
    assert_int_equal(integer(shape, "mode"), 1);
    assert_int_equal(integer(shape, "nodes"), 4);
    const StickBlobsBlock *motion = block_of(&made, shape, "motion");
    assert_int_equal(motion->count, 16);
    double *values = unpack_values(motion), largest = 0;
    static const char *const phases[] = {"phase-00", "phase-12"};
    for (int part = 0; part < 2; part++) {
        char name[256];
        snprintf(name, sizeof name, "out/stability/sliding/status-001-mode-1/%s.vtu", phases[part]);
        assert_ok(scratch->ctx, stick_vtu_open(scratch->ctx, scratch_path(scratch, name), &file));
        assert_ok(scratch->ctx, stick_vtu_values(file, STICK_VTU_POINT_DATA, "mode", &mode));
        for (int i = 0; i < 8; i++)
            assert_near(values[8 * part + i], mode[3 * (i / 2) + i % 2], 0.6 * motion->scale);
        stick_free(scratch->ctx, mode);
        stick_vtu_close(file);
    }
    for (int i = 0; i < 8; i++)
        largest = fmax(largest, hypot(values[i], values[8 + i]));
    assert_true(largest > 0.7 && largest <= 1 + motion->scale);
    assert_int_equal(block_of(&made, shape, "displacement")->count, 8);
    free(values);
    drop(&made);
}

static void shapes_that_cannot_be_read_are_left_out(void **state)
{
    Scratch *scratch = *state;
    Made made;
    run_model(scratch);
    put(scratch, "stability/sliding/status-001-mode-1/phase-12.vtu", "<VTKFile");
    put(scratch, "stability/sliding/status-002-mode-3.pvd", "");
    put(scratch, "stability/sliding/status-1-mode-2-more.pvd", "");
    put(scratch, "stability/sliding/other.pvd", "");
    put(scratch, "stability/path/verdicts.txt", "\xff\xfe");
    put(scratch, "stability/path/spectrum.csv", "t,mode\n0,what\n");
    make(scratch, (StickStabilityRoom){0}, &made);
    const StickYaml *sliding = step_of(&made, "sliding"), *path = step_of(&made, "path");
    assert_null(member(sliding, "shapes")->first);
    assert_int_equal(integer(sliding, "allShapes"), 2);
    assert_int_equal(made.loss.unreadable_shapes, 2);
    assert_int_equal(made.loss.shapes, 1);
    assert_int_equal(made.loss.tables.unreadable, 1);
    assert_true(is_null(path, "spectrum"));
    assert_non_null(member(path, "statuses")->first);
    assert_int_equal(stick_error_count(scratch->ctx), 0);
    drop(&made);
}

// Too little room: fewer shapes, the first ones stay; words are cut; nothing of what is left out stays in the blocks.
static void as_much_as_there_is_room_for(void **state)
{
    Scratch *scratch = *state;
    Made all, some;
    run_model(scratch);
    make(scratch, (StickStabilityRoom){0}, &all);
    const StickYaml *shape = member(step_of(&all, "sliding"), "shapes")->first;
    size_t each = block_of(&all, shape, "motion")->length + block_of(&all, shape, "displacement")->length;
    make(scratch, (StickStabilityRoom){.shapes = each + 1, .text = 20}, &some);
    assert_int_equal(some.loss.shapes, 1);
    assert_int_equal(some.loss.all_shapes, 2);
    assert_non_null(member(step_of(&some, "sliding"), "shapes")->first);
    assert_null(member(step_of(&some, "path"), "shapes")->first);
    assert_true(some.blocks.bytes < all.blocks.bytes);
    assert_true(some.loss.cut && strlen(member(step_of(&some, "path"), "verdicts")->text) <= 20);
    drop(&all);
    drop(&some);
}

static void statuses_that_are_left_out_are_known(void **state)
{
    Scratch *scratch = *state;
    Made made;
    StickText text;
    stick_text_init(&text, scratch->ctx);
    stick_text_add(&text, "t,verdict\n");
    for (int k = 0; k < 100; k++)
        stick_text_add(&text, "%d,%d\n", k, k == 42 ? 3 : 1);
    put(scratch, "stability/judge/verdicts.txt", "");
    put(scratch, "history/judge.csv", text.bytes);
    stick_text_destroy(&text);
    make(scratch, (StickStabilityRoom){.table = {.numbers = 20}}, &made);
    const StickYaml *statuses = member(step_of(&made, "judge"), "statuses");
    const StickBlobsBlock *block = block_of(&made, statuses, "numbers");
    assert_int_equal(block->count, integer(statuses, "kept"));
    assert_true(block->count <= 10);
    uint32_t *numbers = unpack_numbers(block);
    bool found = false;
    for (size_t k = 0; k < block->count; k++)
        found = found || numbers[k] == 42;
    assert_true(found && numbers[0] == 0 && numbers[block->count - 1] == 99);
    free(numbers);
    drop(&made);
}

// Sweeps and disturbances that were followed; a folder without a model; names that would like to be more.
static void folders_without_a_model(void **state)
{
    Scratch *scratch = *state;
    Made made;
    put(scratch, "stability/<img onerror=x>/sweep.csv", "value,branch,frequency [1/s]\n0,1,2\n1,1,3\n");
    put(scratch, "stability/go/mode.csv", "t [s],mode,growth [1/s]\n0,3,4\n");
    put(scratch, "history/go-growth.csv", "t [s],amplitude [m]\n0,1\n1,2\n");
    make(scratch, (StickStabilityRoom){0}, &made);
    assert_null(strchr(made.text.bytes, '<'));
    const StickYaml *go = step_of(&made, "go");
    assert_int_equal(integer(member(go, "growth"), "rows"), 2);
    assert_int_equal(integer(member(go, "predicted"), "rows"), 1);
    assert_int_equal(integer(member(step_of(&made, "<img onerror=x>"), "sweep"), "rows"), 2);
    drop(&made);
    assert_ok(scratch->ctx, stick_folder_remove(scratch->ctx, scratch_path(scratch, "out/stability")));
    make(scratch, (StickStabilityRoom){0}, &made);
    assert_null(made.list->first);
    drop(&made);
}

static void same_results_same_bytes(void **state)
{
    Scratch *scratch = *state;
    Made first, again;
    run_model(scratch);
    make(scratch, (StickStabilityRoom){0}, &first);
    make(scratch, (StickStabilityRoom){0}, &again);
    assert_string_equal(first.text.bytes, again.text.bytes);
    assert_int_equal(first.blocks.count, again.blocks.count);
    for (int k = 0; k < first.blocks.count; k++)
        assert_string_equal(first.blocks.block[k].base64, again.blocks.block[k].base64);
    drop(&first);
    drop(&again);
}

// ---- spectra with fewer rows

enum { STATUSES = 3, MODES = 100, ROWS = STATUSES * MODES };

// In each status modes 50 to 59 flutter, the 57th most.
static void fill_spectrum(double table[4][ROWS])
{
    for (int k = 0; k < ROWS; k++) {
        int mode = k % MODES + 1;
        bool flutters = mode >= 50 && mode < 60;
        table[0][k] = k / MODES + 1;
        table[1][k] = mode;
        table[2][k] = flutters ? (mode == 57 ? 9 : 1) : 0;
        table[3][k] = flutters ? 2 : 1;
    }
}

static void spectra_keep_first_modes_and_those_that_grow(void **state)
{
    (void)state;
    static double table[4][ROWS];
    char names[4][8] = {"status", "mode", "growth", "kind"};
    char *name[] = {names[0], names[1], names[2], names[3]};
    double *column[] = {table[0], table[1], table[2], table[3]};
    StickColumns columns = {.ncolumns = 4, .nrows = ROWS, .name = name, .column = column};
    bool keep[ROWS], blunt;
    fill_spectrum(table);
    assert_int_equal(stick_spectrum_thin(&columns, ROWS, keep, &blunt), ROWS);
    assert_false(blunt);
    size_t kept = stick_spectrum_thin(&columns, 100, keep, &blunt);
    assert_true(blunt && kept <= 100 && kept > 80);
    for (int s = 0; s < STATUSES; s++)
        for (int mode = 1; mode <= MODES; mode++)
            if (mode <= 15 || (mode >= 50 && mode < 60))
                assert_true(keep[s * MODES + mode - 1]);
    // no room for all that grow: the strongest stays
    kept = stick_spectrum_thin(&columns, 20, keep, &blunt);
    assert_true(kept <= 20 && kept > 12);
    for (int s = 0; s < STATUSES; s++)
        assert_true(keep[s * MODES] && keep[s * MODES + 56] && !keep[s * MODES + 54]);
    assert_in_range(stick_spectrum_thin(&columns, 4, keep, &blunt), 2, 4);
}

// Too many grow to keep them all: those that have shapes are kept, however high, and the first that flutters.
static void spectra_keep_the_strongest_of_many_that_grow(void **state)
{
    (void)state;
    static double table[4][ROWS];
    char names[4][8] = {"status", "mode", "growth", "kind"};
    char *name[] = {names[0], names[1], names[2], names[3]};
    double *column[] = {table[0], table[1], table[2], table[3]};
    StickColumns columns = {.ncolumns = 4, .nrows = ROWS, .name = name, .column = column};
    bool keep[ROWS], blunt;
    for (int k = 0; k < ROWS; k++) { // modes from the 20th on flutter in pairs, higher ones more
        int mode = k % MODES + 1;
        table[0][k] = k / MODES + 1;
        table[1][k] = mode;
        table[2][k] = mode >= 20 ? mode / 2 : 0;
        table[3][k] = mode >= 20 && k / MODES != 1 ? 2 : 1; // none in the second status
    }
    size_t kept = stick_spectrum_thin(&columns, 100, keep, &blunt);
    assert_true(kept <= 100 && kept > 80);
    for (int s = 0; s < STATUSES; s += 2) {
        assert_true(keep[s * MODES] && keep[s * MODES + 19] && !keep[s * MODES + 40]);
        for (int mode = MODES - 22; mode <= MODES; mode++)
            assert_true(keep[s * MODES + mode - 1]);
    }
}

// ---- memory

static StickStatus add_only(StickContext *ctx, void *folder)
{
    Made made = {0};
    StickStatus status = add(ctx, folder, &(StickStabilityRoom){0}, &made);
    stick_text_destroy(&made.text);
    stick_blobs_destroy(&made.blocks);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    Scratch *scratch = *state;
    char folder[512];
    run_model(scratch);
    snprintf(folder, sizeof folder, "%s", scratch_path(scratch, "out"));
    assert_survives_failing_memory(add_only, folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_scratch(steps_come_with_tables_and_words),
        test_with_scratch(shapes_have_both_parts),
        test_with_scratch(shapes_that_cannot_be_read_are_left_out),
        test_with_scratch(as_much_as_there_is_room_for),
        test_with_scratch(statuses_that_are_left_out_are_known),
        test_with_scratch(folders_without_a_model),
        test_with_scratch(same_results_same_bytes),
        cmocka_unit_test(spectra_keep_first_modes_and_those_that_grow),
        cmocka_unit_test(spectra_keep_the_strongest_of_many_that_grow),
        test_with_scratch(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("report.stability_part", tests, NULL, NULL);
}
