// SPDX-License-Identifier: Apache-2.0
// Spectra, portraits, statistics and sounds of result folders, as the page gets to see them.
#include "report/unpack.h"
#include "report/wav.h"

#include "base/arena.h"
#include "model/yaml.h"
#include "report/signals_part.h"
#include "report/summary_tree.h"

static void put(Scratch *scratch, const char *name, const char *text)
{
    const char *path = scratch_path(scratch, name);
    char *parent = stick_path_folder(scratch->ctx, path);
    assert_ok(scratch->ctx, stick_folder_create(scratch->ctx, parent));
    assert_ok(scratch->ctx, stick_file_write(scratch->ctx, path, text, strlen(text)));
    stick_free(scratch->ctx, parent);
}

static void put_signals(Scratch *scratch)
{
    static const int16_t samples[] = {0, 100, -32767, 32767, 5};
    put(scratch, "summary.json",
        "{\"signals\": {\"squeal\": {\"step\": \"flutter\", \"sound\": {\"file\": \"squeal.wav\"}}, \"lip\": "
        "{}},\n"
        " \"portraits\": {\"tip\": {\"step\": \"flutter\"}}, \"statistics\": {\"flutter\": {\"from\": "
        "1}}}\n");
    put(scratch, "motion/squeal/spectrum.csv", "frequency [Hz],amplitude [m/s]\n0,1\n10,2\n20,7\n");
    put(scratch, "history/tip.csv",
        "t [s],displacement.x [m],velocity.x [m/s]\n0,1,2\n1,2,3\n2,9,4\n3,4,5\n");
    put(scratch, "motion/flutter/contacts.csv", "t [s],node,stick,slip,apart\n1,3,0.5,0.25,0.25\n");
    write_wav(scratch, "squeal.wav", &(Wav){1, 1, 5, 16, samples, sizeof samples, false});
}

typedef struct Made {
    StickBlobs blocks;
    StickText text;
    StickArena arena;
    StickYaml *signals;
    StickSignalsLoss loss;
} Made;

static StickStatus add(StickContext *ctx, const char *folder, const StickSignalsRoom *room, Made *made)
{
    StickJson json;
    StickSummaryTree tree;
    stick_blobs_init(&made->blocks, ctx);
    stick_text_init(&made->text, ctx);
    STICK_TRY(stick_summary_tree_read(ctx, folder, &tree));
    stick_json_init_html(&json, &made->text);
    stick_json_object(&json);
    stick_json_key(&json, "signals");
    StickStatus status =
        stick_signals_part_add(ctx, folder, tree.root, room, &made->blocks, &json, &made->loss);
    stick_json_end_object(&json);
    stick_summary_tree_destroy(&tree);
    return status == STICK_OK ? stick_text_status(&made->text) : status;
}

static void make(Scratch *scratch, StickSignalsRoom room, Made *made)
{
    StickYaml *root;
    *made = (Made){0};
    assert_ok(scratch->ctx, add(scratch->ctx, scratch->folder, &room, made));
    stick_arena_init(&made->arena, scratch->ctx);
    StickYamlSource source = {"json", made->text.bytes, made->text.length};
    assert_ok(scratch->ctx, stick_yaml_parse(&made->arena, &source, &root));
    made->signals = stick_yaml_find(root, "signals");
    assert_non_null(made->signals);
}

static void drop(Made *made)
{
    stick_arena_destroy(&made->arena);
    stick_text_destroy(&made->text);
    stick_blobs_destroy(&made->blocks);
}

// The only one of a list.
static const StickYaml *only(const Made *made, const char *key)
{
    const StickYaml *list = member(made->signals, key);
    assert_int_equal(list->count, 1);
    return list->first;
}

static int integer(const StickYaml *map, const char *key)
{
    double value = NAN;
    assert_true(stick_parse_number(member(map, key)->text, &value));
    return (int)value;
}

static const StickBlobsBlock *data_of(const Made *made, const StickYaml *map)
{
    return &made->blocks.block[integer(member(map, "data"), "block")];
}

static bool is_null(const StickYaml *map, const char *key)
{
    return stick_yaml_is_null(member(map, key));
}

// ---- tests

static void signals_come_as_the_summary_names_them(void **state)
{
    Scratch *scratch = *state;
    Made made;
    put_signals(scratch);
    make(scratch, (StickSignalsRoom){0}, &made);
    const StickYaml *all = member(made.signals, "all"), *squeal = all->first, *lip = squeal->next;
    assert_int_equal(all->count, 2);
    assert_string_equal(member(squeal, "name")->text, "squeal");
    assert_int_equal(integer(member(squeal, "spectrum"), "rows"), 3);
    assert_string_equal(member(lip, "name")->text, "lip"); // of which there is nothing
    assert_true(is_null(lip, "spectrum") && is_null(lip, "sound"));
    assert_string_equal(member(only(&made, "portraits"), "name")->text, "tip");
    assert_int_equal(integer(only(&made, "portraits"), "kept"), 4);
    assert_string_equal(member(only(&made, "contacts"), "name")->text, "flutter");
    assert_int_equal(made.loss.tables.tables + made.loss.cut_sounds + made.loss.unreadable_sounds, 0);
    drop(&made);
}

static const StickYaml *sound_of(const Made *made)
{
    return member(member(made->signals, "all")->first, "sound");
}

static void sounds_have_their_samples(void **state)
{
    Scratch *scratch = *state;
    static const int16_t expected[] = {0, 100, -32767, 32767, 5};
    Made made;
    put_signals(scratch);
    make(scratch, (StickSignalsRoom){0}, &made);
    const StickYaml *sound = sound_of(&made);
    assert_string_equal(member(sound, "file")->text, "squeal.wav");
    assert_int_equal(integer(sound, "rate"), 5);
    assert_int_equal(integer(sound, "samples"), 5);
    int16_t *samples = unpack_numbers(data_of(&made, sound));
    assert_memory_equal(samples, expected, sizeof expected);
    free(samples);
    drop(&made);
}

// The end of a portrait without gaps, the begin of a sound.
static void what_has_no_room_is_told(void **state)
{
    Scratch *scratch = *state;
    Made made;
    put_signals(scratch);
    put(scratch, "history/tip.csv", "t [s],u [m],v [m/s]\n0,1,2\n1,2,3\n2,9,4\n3,4,5\n4,9,9\n5,9,9\n");
    make(scratch, (StickSignalsRoom){.table = {.numbers = 12}, .samples = 2}, &made);
    const StickYaml *portrait = only(&made, "portraits");
    assert_int_equal(integer(portrait, "rows"), 6);
    assert_int_equal(integer(portrait, "kept"), 4);
    double *values = unpack_numbers(data_of(&made, portrait));
    for (int row = 0; row < 4; row++)
        assert_near(values[row], row + 2, 0);
    free(values);
    assert_int_equal(integer(sound_of(&made), "kept"), 2);
    assert_int_equal(made.loss.cut_sounds, 1);
    assert_near(made.loss.seconds, 1, 1e-15);
    assert_near(made.loss.heard, 0.4, 1e-15);
    drop(&made);
}

static void damaged_ones_are_left_out(void **state)
{
    Scratch *scratch = *state;
    Made made;
    put_signals(scratch);
    put(scratch, "motion/squeal/spectrum.csv", "frequency [Hz],amplitude [m]\n0,x\n");
    put(scratch, "squeal.wav", "RIFF");
    make(scratch, (StickSignalsRoom){0}, &made);
    assert_true(is_null(member(made.signals, "all")->first, "spectrum"));
    assert_true(is_null(member(made.signals, "all")->first, "sound"));
    assert_int_equal(made.loss.tables.unreadable, 1);
    assert_int_equal(made.loss.unreadable_sounds, 1);
    drop(&made);
}

// A summary that was tampered with leads to no file outside.
static void names_stay_within_the_folder(void **state)
{
    Scratch *scratch = *state;
    Made made;
    put_signals(scratch);
    put(scratch, "out/summary.json",
        "{\"signals\": {\"../squeal\": {}, \"x\": {\"sound\": {\"file\": \"../squeal.wav\"}}, \"y\": 3}, "
        "\"portraits\": {\"../../history/tip\": {}}, \"statistics\": [1]}\n");
    snprintf(scratch->folder + strlen(scratch->folder), 8, "/out");
    make(scratch, (StickSignalsRoom){0}, &made);
    scratch->folder[strlen(scratch->folder) - 4] = '\0';
    assert_int_equal(member(made.signals, "all")->count, 2);
    assert_true(is_null(member(made.signals, "all")->first, "sound"));
    assert_int_equal(member(made.signals, "portraits")->count, 0);
    assert_int_equal(member(made.signals, "contacts")->count, 0);
    drop(&made);
}

static void a_run_without_signals_has_empty_lists(void **state)
{
    static const char *const keys[] = {"all", "portraits", "contacts"};
    Made made;
    make(*state, (StickSignalsRoom){0}, &made);
    for (int k = 0; k < 3; k++)
        assert_int_equal(member(made.signals, keys[k])->count, 0);
    drop(&made);
}

static StickStatus add_and_drop(StickContext *ctx, void *data)
{
    Made made = {0};
    StickStatus status = add(ctx, data, &(StickSignalsRoom){0}, &made);
    stick_text_destroy(&made.text);
    stick_blobs_destroy(&made.blocks);
    return status;
}

static void survives_failing_memory(void **state)
{
    Scratch *scratch = *state;
    put_signals(scratch);
    assert_survives_failing_memory(add_and_drop, scratch->folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(signals_come_as_the_summary_names_them, make_scratch, drop_scratch),
        cmocka_unit_test_setup_teardown(sounds_have_their_samples, make_scratch, drop_scratch),
        cmocka_unit_test_setup_teardown(what_has_no_room_is_told, make_scratch, drop_scratch),
        cmocka_unit_test_setup_teardown(damaged_ones_are_left_out, make_scratch, drop_scratch),
        cmocka_unit_test_setup_teardown(names_stay_within_the_folder, make_scratch, drop_scratch),
        cmocka_unit_test_setup_teardown(a_run_without_signals_has_empty_lists, make_scratch, drop_scratch),
        cmocka_unit_test_setup_teardown(survives_failing_memory, make_scratch, drop_scratch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
