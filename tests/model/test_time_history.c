// SPDX-License-Identifier: Apache-2.0
// Recorded motion against closed forms, and tables that are no records.
#include "check.h"

#include "base/file.h"
#include "model/model.h"
#include "model/time_history.h"

static StickTimeHistory *record_of(StickArena *arena, const char *text, StickTimeHistoryOptions options)
{
    StickTimeHistory *record = NULL;
    options.scale = options.scale != 0 ? options.scale : 1;
    StickTimeHistorySource source = {"r.csv", text, strlen(text), {"m.yaml", 7, 3}};
    assert_ok(arena->ctx, stick_time_history_read(arena, &source, &options, &record));
    return record;
}

// a = 6 t: v = 3 t^2, x = t^3, also exact between samples; linear after the last one.
static void accelerations_are_integrated_exactly(void **state)
{
    StickArena arena;
    stick_arena_init(&arena, *state);
    StickTimeHistory *record = record_of(&arena, "# a ramp\ntime, a\n0, 0\n0.5, 3\n1, 6\n1.5, 9\n2, 12\n",
                                         (StickTimeHistoryOptions){.kind = STICK_TIME_HISTORY_ACCELERATION});
    for (int k = 0; k < 40; k++) {
        double t = 0.05 * k;
        StickTimeHistoryState at = stick_time_history_at(record, t);
        assert_near(at.displacement, t * t * t, 1e-14);
        assert_near(at.velocity, 3 * t * t, 1e-14);
        assert_near(at.acceleration, 6 * t, 1e-13);
    }
    StickTimeHistoryState behind = stick_time_history_at(record, 3);
    assert_near(behind.displacement, 8 + 12, 1e-13);
    assert_near(behind.velocity, 12, 1e-13);
    assert_near(behind.acceleration, 0, 0);
    assert_near(stick_time_history_at(record, -1).displacement, 0, 0);
    stick_arena_destroy(&arena);
}

static void velocities_displacements_scale_and_start(void **state)
{
    StickArena arena;
    stick_arena_init(&arena, *state);
    // blanks, no names, uneven steps; v = 4 t from t = 1 on
    StickTimeHistory *record =
        record_of(&arena, "0 0 7\n1 2 7\n3 6 7\n",
                  (StickTimeHistoryOptions){
                      .kind = STICK_TIME_HISTORY_VELOCITY, .scale = 2, .start = 1, .uneven = true});
    assert_near(stick_time_history_at(record, 1).velocity, 0, 0);
    assert_near(stick_time_history_at(record, 2.5).velocity, 6, 1e-14);
    assert_near(stick_time_history_at(record, 2.5).displacement, 2 * 1.5 * 1.5, 1e-14);
    assert_near(stick_time_history_at(record, 9).displacement, 18, 1e-13);
    assert_near(stick_time_history_at(record, 9).velocity, 0, 0);
    // named columns; displacements are relative to the first sample
    record = record_of(
        &arena, "a;when;x\n9;0;5\n9;1;5\n9;2;7\n",
        (StickTimeHistoryOptions){
            .kind = STICK_TIME_HISTORY_DISPLACEMENT, .time = "when", .column = "x", .straight = true});
    assert_near(stick_time_history_at(record, 1.5).displacement, 1, 1e-14);
    assert_near(stick_time_history_at(record, 1.5).velocity, 2, 1e-14);
    assert_near(stick_time_history_at(record, 5).displacement, 2, 1e-14);
    stick_arena_destroy(&arena);
}

// Displacements of a wave: through the samples, of fourth order in between, and the velocity does not jump.
static void displacements_are_smooth_between_samples(void **state)
{
    double error[2];
    for (int fine = 0; fine < 2; fine++) {
        enum { MOST = 201 };
        StickArena arena;
        StickTimeHistory *record;
        double t[MOST], x[MOST];
        int count = fine ? MOST : 101;
        stick_arena_init(&arena, *state);
        for (int k = 0; k < count; k++) {
            t[k] = 2 * M_PI * k / (count - 1);
            x[k] = sin(3 * t[k]); // no bend at its ends
        }
        StickTimeHistoryOptions options = {.kind = STICK_TIME_HISTORY_DISPLACEMENT, .scale = 1};
        assert_ok(*state, stick_time_history_create(&arena, t, x, count, &options, &record));
        error[fine] = 0;
        for (int k = 1; k + 1 < count; k++) {
            StickTimeHistoryState at = stick_time_history_at(record, t[k]),
                                  before = stick_time_history_at(record, t[k] - 1e-9),
                                  between = stick_time_history_at(record, t[k] + 0.5 * (t[k + 1] - t[k]));
            assert_near(at.displacement, x[k], 1e-14);
            assert_near(at.velocity, before.velocity, 1e-7);
            error[fine] = fmax(error[fine], fabs(between.displacement - sin(1.5 * (t[k] + t[k + 1]))));
        }
        stick_arena_destroy(&arena);
    }
    assert_true(error[0] < 1e-5 && error[1] < error[0] / 14);
}

// A wave on an offset and a slope: the straight line is taken off, and the motion ends at rest where it started.
static void baselines_are_taken_off(void **state)
{
    StickArena arena;
    stick_arena_init(&arena, *state);
    enum { N = 201 };
    double t[N], a[N];
    for (int k = 0; k < N; k++) {
        t[k] = 0.01 * k;
        a[k] = sin(7 * t[k]) + 0.3 - 0.2 * t[k];
    }
    StickTimeHistory *linear, *mean, *wave;
    StickTimeHistoryOptions options = {
        .kind = STICK_TIME_HISTORY_ACCELERATION, .scale = 1, .baseline = STICK_BASELINE_LINEAR};
    assert_ok(*state, stick_time_history_create(&arena, t, a, N, &options, &linear));
    StickTimeHistoryState end = stick_time_history_at(linear, 2);
    assert_near(end.velocity, 0, 1e-13);
    assert_near(end.displacement, 0, 1e-13);
    // the same as without the line in the samples
    for (int k = 0; k < N; k++)
        a[k] -= 0.3 - 0.2 * t[k];
    assert_ok(*state, stick_time_history_create(&arena, t, a, N, &options, &wave));
    for (int k = 0; k < N; k += 10)
        assert_near(stick_time_history_at(wave, t[k]).displacement,
                    stick_time_history_at(linear, t[k]).displacement, 1e-13);
    options.baseline = STICK_BASELINE_MEAN;
    assert_ok(*state, stick_time_history_create(&arena, t, a, N, &options, &mean));
    assert_near(stick_time_history_at(mean, 2).velocity, 0, 1e-13);
    assert_true(fabs(stick_time_history_at(mean, 2).displacement) > 1e-3);
    stick_arena_destroy(&arena);
}

// A column is found with its unit or without.
static void units_may_stand_behind_names(void **state)
{
    static const char *const text[] = {"t [s],b,a [m/s2]\n0,9,0\n1,9,6\n", "t [s] b a [m/s2]\n0 9 0\n1 9 6\n",
                                       "t;b;\"a (m/s2)\"\n0;9;0\n1;9;6\n", "t,a [g],a\n0,9,0\n1,9,6\n",
                                       // what separates no fields may stand in them
                                       "t [s],b,a [m/s2; filtered]\n0,9,0\n1,9,6\n",
                                       "t;0,5;a\n0;9;0\n1;9;6\n",
                                       "t [s]\tb\ta [m/s2, filtered]\n\n# raw\n0\t9\t0\n1\t9\t6\n"};
    for (size_t k = 0; k < sizeof text / sizeof *text; k++) {
        StickArena arena;
        stick_arena_init(&arena, *state);
        StickTimeHistory *record = record_of(
            &arena, text[k],
            (StickTimeHistoryOptions){.kind = STICK_TIME_HISTORY_ACCELERATION, .time = "t", .column = "a"});
        assert_near(stick_time_history_at(record, 0.5).acceleration, 3, 1e-15);
        stick_arena_destroy(&arena);
    }
}

// Accelerations in g that are taken for m/s^2.
static void a_column_in_g_needs_a_scale(void **state)
{
    static const struct {
        StickTimeHistoryKind kind;
        double scale, factor;
        bool told;
    } cases[] = {{STICK_TIME_HISTORY_ACCELERATION, 9.81, 0, false},
                 {STICK_TIME_HISTORY_ACCELERATION, 1, 0, true},
                 {STICK_TIME_HISTORY_ACCELERATION, 1, 1, true},
                 {STICK_TIME_HISTORY_ACCELERATION, 1, 9.81, false}, // a direction of that length
                 {STICK_TIME_HISTORY_DISPLACEMENT, 1, 1, false}};
    for (int k = 0; k < 5; k++) {
        StickArena arena;
        stick_arena_init(&arena, *state);
        stick_diagnostics_clear(*state);
        record_of(&arena, "t [s],a [g]\n0,0\n1,1\n2,0\n3,-1\n4,0\n",
                  (StickTimeHistoryOptions){.kind = cases[k].kind,
                                            .scale = cases[k].scale,
                                            .factor = cases[k].factor,
                                            .baseline = STICK_BASELINE_LINEAR});
        bool told = false;
        for (size_t j = 0; j < stick_diagnostic_count(*state); j++)
            told = told ||
                   strstr(stick_diagnostic(*state, j)->text, "'a [g]' of 'r.csv' is in g, but 'scale' is 1");
        assert_int_equal(told, cases[k].told);
        stick_arena_destroy(&arena);
    }
}

static void what_is_no_record_is_refused(void **state)
{
    static const struct {
        const char *text, *column;
        int line; // 7: where the model names it
        const char *says;
    } mistake[] = {
        {"", NULL, 7, "has no samples"},
        {"t,a\n", NULL, 7, "has 0 samples, but needs at least 2"},
        {"t,a\n0,1\n", NULL, 7, "has 1 samples, but needs at least 2"},
        {"t\n0\n1\n", NULL, 7, "has 1 column, but time and values need two"},
        {"t,north\n0,1\n1,2\n", "nort", 7,
         "has no column 'nort'; its columns are 't', 'north'; did you mean 'north'?"},
        {"t,north\n0,1\n1,2\n", "3", 7, "has no column '3'; its columns are 't', 'north'"},
        {"0,1\n1,2\n", "a", 7, "has no column 'a'; it has 2 without names"},
        {"t,a,a\n0,1,2\n1,2,3\n", "a", 7, "has 2 columns 'a': rename one"},
        {"t,a [m/s2],a [g]\n0,1,2\n1,2,3\n", "a", 7, "has 2 columns 'a': rename one"},
        {"t,a,b\n0,1,2\n1,2\n", "a", 3, "this line has 2 fields, but the first one has 3"},
        {"t,a\n0,1\n1,2,3\n", "a", 3, "this line has 3 fields, but the first one has 2"},
        {"t,a\n0,1\n1,\n2,1\n", NULL, 3, "'' is not a number: the record has a gap here"},
        {"t,a\n0,1\n1,nan\n2,1\n", NULL, 3, "'nan' is not a number: the record has a gap here"},
        {"t,a\n0,1\n1\n2,1\n", NULL, 3, "the record has a gap here"},
        {"t,a\n0,1\n1,2\n1,3\n", NULL, 4, "the time 1 is not later than 1: times must ascend"},
        {"t,a\n0,1\nx,2\n", NULL, 3, "'x' is not a number: it should be a time"},
        {"t;a\n0,0;1,0\n0,1;2,5\n", NULL, 2, "'0,0' is not a number: replace decimal commas by points"},
        {"0,0;1,0\n0,1;2,5\n", NULL, 1, "'0,0' is not a number: replace decimal commas by points"},
        {"0,5;1\n1;2\n2;3\n", NULL, 1, "'0,5' is not a number: replace decimal commas by points"},
        {"0,5\t1\n1\t2\n2\t3\n", NULL, 1, "'0,5' is not a number: replace decimal commas by points"},
        {"0,0\t1,0\n0,1\t2,5\n", NULL, 2, "'1\t2' is not a number: replace decimal commas by points"},
        {"0,0 1,0\n0,1 2,5\n", NULL, 2, "'1 2' is not a number: replace decimal commas by points"},
        {"t,a\n0\t1\n1\t2\n", NULL, 2, "'0\t1' is not a number: it should be a time"},
        {"t;a\n", NULL, 7, "has 0 samples, but needs at least 2"},
        {"t,a\n0,1\n1,2\n3,3\n4,3\n", NULL, 7, "has a gap: no sample between the times 1 and 3"},
    };
    StickArena arena;
    stick_arena_init(&arena, *state);
    for (size_t k = 0; k < sizeof mistake / sizeof *mistake; k++) {
        StickTimeHistory *record = NULL;
        StickTimeHistoryOptions options = {.scale = 1, .column = mistake[k].column};
        StickTimeHistorySource source = {"r.csv", mistake[k].text, strlen(mistake[k].text), {"m.yaml", 7, 3}};
        stick_diagnostics_clear(*state);
        assert_int_equal(stick_time_history_read(&arena, &source, &options, &record), STICK_BAD_INPUT);
        const StickDiagnostic *said = stick_diagnostic(*state, 0);
        if (said->line != mistake[k].line || !strstr(said->text, mistake[k].says))
            fail_msg("'%s' says %d: %s", mistake[k].text, said->line, said->text);
        assert_null(record);
    }
    stick_arena_destroy(&arena);
}

// As spreadsheets write it: the mark in front of UTF-8 belongs neither to the first number nor to the first name.
static void marks_of_utf8_are_no_text(void **state)
{
    static const char *const text[] = {"\xef\xbb\xbf"
                                       "0,2\r\n1,4\r\n2,6\r\n",
                                       "\xef\xbb\xbft,a\r\n0,2\r\n1,4\r\n2,6\r\n"};
    for (int k = 0; k < 2; k++) {
        StickArena arena;
        stick_arena_init(&arena, *state);
        StickTimeHistory *record = record_of(
            &arena, text[k],
            (StickTimeHistoryOptions){.kind = STICK_TIME_HISTORY_ACCELERATION, .time = k ? "t" : NULL});
        assert_int_equal(record->count, 3);
        assert_near(stick_time_history_at(record, 0).acceleration, 2, 1e-15);
        stick_arena_destroy(&arena);
    }
}

static void utf16_is_refused(void **state)
{
    static const char text[] = "\xff\xfet\0,\0a\0\n\0"
                               "0\0,\0"
                               "1\0\n\0";
    StickArena arena;
    StickTimeHistory *record = NULL;
    stick_arena_init(&arena, *state);
    StickTimeHistorySource source = {"r.csv", text, sizeof text - 1, {"m.yaml", 7, 3}};
    assert_int_equal(
        stick_time_history_read(&arena, &source, &(StickTimeHistoryOptions){.scale = 1}, &record),
        STICK_BAD_INPUT);
    assert_non_null(strstr(stick_diagnostic(*state, 0)->text,
                           "'r.csv' is not a plain-text table: save it as CSV in UTF-8"));
    stick_arena_destroy(&arena);
}

static void a_jump_at_the_start_is_told(void **state)
{
    StickArena arena;
    stick_arena_init(&arena, *state);
    record_of(&arena, "0,1\n1,2\n2,0\n", (StickTimeHistoryOptions){.kind = STICK_TIME_HISTORY_VELOCITY});
    assert_int_equal(stick_diagnostic_count(*state), 1);
    assert_int_equal(stick_diagnostic(*state, 0)->severity, STICK_WARNING);
    assert_non_null(strstr(stick_diagnostic(*state, 0)->text,
                           "starts with a jump of the velocity, by 1, which causes an "
                           "impact on bodies in contact: start the record from rest"));
    stick_arena_destroy(&arena);
}

static void a_velocity_that_is_left_is_told(void **state)
{
    static const char table[] = "0,0\n1,2\n2,1\n3,0\n";
    StickArena arena;
    stick_arena_init(&arena, *state);
    record_of(&arena, table, (StickTimeHistoryOptions){.kind = STICK_TIME_HISTORY_ACCELERATION});
    assert_int_equal(stick_diagnostic_count(*state), 1);
    assert_non_null(strstr(stick_diagnostic(*state, 0)->text,
                           "leave a residual velocity of 3, so the motion continues "
                           "to drift after the end: 'baseline: linear' removes it"));
    record_of(&arena, table,
              (StickTimeHistoryOptions){.kind = STICK_TIME_HISTORY_ACCELERATION,
                                        .baseline = STICK_BASELINE_LINEAR});
    assert_int_equal(stick_diagnostic_count(*state), 1);
    stick_arena_destroy(&arena);
}

// ---- through the model file

static const char shaken[] = "stickslip: 1\nmaterials: {stone: {density: 2500}}\n"
                             "bodies: {block: {rigid: {box: [1, 1]}, material: stone}}\n"
                             "obstacles: {ground: {plane: {point: [0, 0], normal: [0, 1]}, record: {file: "
                             "test_record.csv, column: ns, along: [1, 0], "
                             "scale: 9.81, baseline: linear}}}\n"
                             "steps: [{dynamics: {step: 1e-3, end: 1}}]\n";

static StickStatus read_shaken(StickContext *ctx, void *user)
{
    StickModel *model = NULL;
    StickModelSource source = {.name = "m.yaml", .folder = ".", .bytes = user, .count = strlen(user)};
    STICK_TRY(stick_model_read_text(ctx, &source, &model));
    const StickObstacleSpec *ground = &model->obstacle[0];
    assert_int_equal(ground->nrecords, 1);
    assert_near(ground->record[0].along[0], 1, 0);
    assert_near(stick_time_history_at(ground->record[0].record, 2).velocity, 0, 1e-12);
    stick_model_destroy(model);
    return STICK_OK;
}

static void obstacles_move_by_records(void **state)
{
    static const char table[] = "time,ew,ns\n0,0,0\n1,0,1\n2,0,-1\n";
    assert_ok(*state, stick_file_write(*state, "test_record.csv", table, strlen(table)));
    assert_ok(*state, read_shaken(*state, (void *)shaken));
    assert_survives_failing_memory(read_shaken, (void *)shaken);
    remove("test_record.csv");
    assert_int_equal(read_shaken(*state, (void *)shaken), STICK_BAD_INPUT);
    assert_non_null(strstr(stick_last_error(*state), "there is no such file"));
    assert_int_equal(stick_diagnostic(*state, 0)->line, 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(accelerations_are_integrated_exactly),
        test_with_context(velocities_displacements_scale_and_start),
        test_with_context(displacements_are_smooth_between_samples),
        test_with_context(baselines_are_taken_off),
        test_with_context(units_may_stand_behind_names),
        test_with_context(a_column_in_g_needs_a_scale),
        test_with_context(what_is_no_record_is_refused),
        test_with_context(marks_of_utf8_are_no_text),
        test_with_context(utf16_is_refused),
        test_with_context(a_jump_at_the_start_is_told),
        test_with_context(a_velocity_that_is_left_is_told),
        test_with_context(obstacles_move_by_records),
    };
    return cmocka_run_group_tests_name("model.time_history", tests, NULL, NULL);
}
