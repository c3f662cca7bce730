// SPDX-License-Identifier: Apache-2.0
// Field files of a run and their lists: all of the same times, and gone on with behind any of them.
#include "output/scratch.h"

#include "output/field_series.h"

static const char block[] = "stickslip: 1\n"
                            "bodies: {block: {rigid: {box: [1, 1], mass: 1}, position: [0, 0.5]}}\n"
                            "obstacles: {ground: {plane: {point: [0, 0], normal: [0, 1]}}}\n"
                            "gravity: [0, -10]\n"
                            "contacts: [{between: all, friction: 0.5}]\n"
                            "steps: [{name: rest, dynamics: {scheme: moreau, step: 1e-3, end: 0.01}}]\n";

static void lists_are_cut_back_and_gone_on_with(void **state)
{
    Scratch *scratch = *state;
    StickContext *ctx = scratch->ctx;
    StickModelSource source = {.name = "model.yaml", .folder = ".", .bytes = block, .count = strlen(block)};
    StickModel *model;
    StickSystem *system;
    StickSimulation *run;
    StickFieldSeries series, again;
    double times[3];
    assert_ok(ctx, stick_model_read_text(ctx, &source, &model));
    assert_ok(ctx, stick_system_create(ctx, model, &system));
    assert_ok(ctx, stick_simulation_create(ctx, system, &model->step[0], &run));
    assert_ok(ctx, stick_simulation_start(run, NULL));
    assert_ok(ctx, stick_folder_create(ctx, scratch_path(scratch, "fields")));
    stick_field_series_init(&series, ctx, scratch->folder);
    for (int k = 0; k < 3; k++) {
        assert_ok(ctx, stick_simulation_step(run));
        times[k] = run->state.now.t;
        assert_false(stick_field_series_has(&series, times[k]));
        assert_ok(ctx, stick_field_series_add(&series, run, &run->contacts));
        assert_true(stick_field_series_has(&series, times[k]));
    }
    assert_int_equal(stick_field_series_count(&series), 3);
    assert_true(stick_file_exists(scratch_path(scratch, "fields/contacts-000002.vtu")));
    // as a run does that was killed behind its second file
    stick_field_series_init(&again, ctx, scratch->folder);
    assert_ok(ctx, stick_field_series_resume(&again, run, 2, ""));
    for (int k = 0; k < STICK_SERIES; k++)
        assert_int_equal(again.list[k].count, 2);
    assert_true(stick_field_series_has(&again, times[1]));
    stick_field_series_destroy(&again);
    stick_field_series_init(&again, ctx, scratch->folder);
    assert_int_equal(stick_field_series_resume(&again, run, 4, ""), STICK_IO);
    assert_error_says(ctx, "has 3 files, but its checkpoint knows 4");
    stick_field_series_destroy(&again);
    stick_field_series_destroy(&series);
    stick_simulation_destroy(run);
    stick_system_destroy(system);
    stick_model_destroy(model);
}

static void a_path_that_is_too_long_is_said(void **state)
{
    StickContext *ctx = *state;
    char folder[STICK_PATH_TEXT], path[STICK_PATH_TEXT];
    memset(folder, 'x', sizeof folder);
    folder[sizeof folder - 8] = '\0';
    assert_ok(ctx, stick_path_in(ctx, folder, "a.vtu", path));
    assert_int_equal(stick_path_in(ctx, folder, "ab.vtu.gz", path), STICK_IO);
    assert_error_says(ctx, "is too long: use another folder");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_scratch(lists_are_cut_back_and_gone_on_with),
        test_with_context(a_path_that_is_too_long_is_said),
    };
    return cmocka_run_group_tests_name("output.field_series", tests, NULL, NULL);
}
