// SPDX-License-Identifier: Apache-2.0
#include "output/scratch.h"
#include "report/unpack.h"

#include "report/tables.h"

enum { ROWS = 100000 };

// ---- fewer rows

static StickColumns make_columns(StickContext *ctx, int ncolumns, size_t nrows)
{
    StickColumns columns = {.ncolumns = ncolumns, .nrows = nrows};
    columns.column = stick_alloc(ctx, (size_t)ncolumns, sizeof *columns.column);
    assert_non_null(columns.column);
    double *block = stick_alloc(ctx, (size_t)ncolumns * nrows, sizeof *block);
    assert_non_null(block);
    for (int k = 0; k < ncolumns; k++)
        columns.column[k] = block + (size_t)k * nrows;
    for (size_t row = 0; row < nrows; row++)
        columns.column[0][row] = 0.5 * (double)row;
    return columns;
}

static void drop_columns(StickContext *ctx, StickColumns *columns)
{
    stick_free(ctx, columns->column[0]);
    stick_free(ctx, columns->column);
}

static void extremes_of_every_column_are_kept(void **state)
{
    StickContext *ctx = *state;
    StickColumns columns = make_columns(ctx, 4, ROWS);
    bool *keep = stick_alloc(ctx, ROWS, sizeof *keep);
    for (size_t row = 0; row < ROWS; row++) {
        columns.column[1][row] = sin(1e-3 * (double)row);
        columns.column[2][row] = 0;
        columns.column[3][row] = row % 3 ? (double)NAN : -(double)row;
    }
    columns.column[1][777] = 5;
    columns.column[1][50003] = -5;
    columns.column[2][12345] = 1e-30; // small, but all there is
    columns.column[3][3 * 20000] = -(double)INFINITY;
    bool blunt = true;
    size_t kept = stick_tables_thin(&columns, 1000, keep, &blunt), counted = 0;
    assert_false(blunt);
    for (size_t row = 0; row < ROWS; row++)
        counted += keep[row];
    assert_int_equal(kept, counted);
    assert_true(kept <= 1000 && kept > 700); // the room is used
    assert_true(keep[0] && keep[ROWS - 1] && keep[777] && keep[50003] && keep[12345] && keep[60000]);
    // nowhere a long gap
    size_t last = 0, longest = 0;
    for (size_t row = 0; row < ROWS; row++) {
        if (!keep[row])
            continue;
        longest = row - last > longest ? row - last : longest;
        last = row;
    }
    assert_true(longest < 2 * ROWS / (1000 / 6));
    stick_free(ctx, keep);
    drop_columns(ctx, &columns);
}

static void wide_tables_keep_the_extremes_of_all(void **state)
{
    StickContext *ctx = *state;
    enum { WIDE = 300, LONG = 2000 };
    StickColumns columns = make_columns(ctx, WIDE, LONG);
    bool *keep = stick_alloc(ctx, LONG, sizeof *keep);
    for (int k = 1; k < WIDE; k++)
        for (size_t row = 0; row < LONG; row++)
            columns.column[k][row] = sin((double)k + 1e-2 * (double)row);
    columns.column[WIDE - 1][1234] = 3;
    columns.column[7][321] = -3;
    bool blunt = false;
    size_t kept = stick_tables_thin(&columns, 133, keep, &blunt);
    assert_true(blunt); // some of the 598 extremes must go
    assert_true(kept <= 133 && kept > 60);
    assert_true(keep[0] && keep[LONG - 1] && keep[1234] && keep[321]);
    kept = stick_tables_thin(&columns, 4, keep, &blunt);
    assert_true(kept <= 4 && keep[0] && keep[LONG - 1] && (keep[1234] || keep[321]));
    stick_free(ctx, keep);
    drop_columns(ctx, &columns);
}

// A column of small numbers beside one of large ones keeps its extremes, too, however few rows there are.
static void small_numbers_are_kept_beside_large_ones(void **state)
{
    StickContext *ctx = *state;
    enum { LONG = 500, COLUMNS = 6 };
    StickColumns columns = make_columns(ctx, COLUMNS, LONG);
    bool keep[LONG], blunt = true;
    for (size_t row = 0; row < LONG; row++)
        for (int k = 1; k < COLUMNS; k++)
            columns.column[k][row] = k == 1 ? 1e6 * sin(0.1 * (double)row) : 0;
    columns.column[2][77] = 1.2e-16;
    columns.column[3][222] = -2;
    columns.column[4][333] = 2;
    for (size_t most = 2 + 2 * (COLUMNS - 1); most < 30; most++) {
        size_t kept = stick_tables_thin(&columns, most, keep, &blunt);
        assert_false(blunt);
        assert_true(kept <= most && kept > most / 2);
        assert_true(keep[0] && keep[LONG - 1] && keep[77] && keep[222] && keep[333]);
    }
    stick_tables_thin(&columns, 5, keep, &blunt);
    assert_true(blunt);
    drop_columns(ctx, &columns);
}

static void short_tables_stay_whole(void **state)
{
    StickContext *ctx = *state;
    StickColumns columns = make_columns(ctx, 2, 10);
    bool keep[10];
    bool blunt;
    assert_int_equal(stick_tables_thin(&columns, 10, keep, &blunt), 10);
    for (int k = 0; k < 10; k++) {
        assert_true(keep[k]);
        columns.column[1][k] = (double)NAN;
    }
    size_t kept = stick_tables_thin(&columns, 6, keep, &blunt); // nothing but NaN
    assert_true(kept <= 6 && kept >= 2 && keep[0] && keep[9]);
    drop_columns(ctx, &columns);
}

// ---- tables of a folder

static void write_table(Scratch *scratch, const char *name, const char *text)
{
    char file[256];
    snprintf(file, sizeof file, "history/%s", name);
    assert_ok(scratch->ctx, stick_folder_create(scratch->ctx, scratch_path(scratch, "history")));
    assert_ok(scratch->ctx, stick_file_write(scratch->ctx, scratch_path(scratch, file), text, strlen(text)));
}

typedef struct Made {
    StickText text;
    StickBlobs blocks;
    StickTablesLoss loss;
} Made;

static StickStatus make(StickContext *ctx, const char *folder, size_t numbers, size_t extremes, Made *made)
{
    StickTablesRoom room = {numbers, extremes};
    StickJson json;
    stick_text_init(&made->text, ctx);
    stick_json_init_html(&json, &made->text);
    stick_blobs_init(&made->blocks, ctx);
    StickStatus status = stick_tables_add(ctx, folder, NULL, &room, &made->blocks, &json, &made->loss);
    return status == STICK_OK ? stick_text_status(&made->text) : status;
}

static void drop(Made *made)
{
    stick_text_destroy(&made->text);
    stick_blobs_destroy(&made->blocks);
}

static void histories_come_before_the_books(void **state)
{
    Scratch *scratch = *state;
    Made made;
    write_table(scratch, "energy.csv", "t [s],kinetic [N m],closure\n0,1,0\n1,2,0\n");
    write_table(scratch, "b.csv", "t [s],b [N/m^2],exact [N/m^2]\n0,1,0\n");
    write_table(scratch, "a.csv", "t [s],a.1 [m],a.2 [m]\n0,1,0\n1,nan,3\n2,inf,3\n");
    write_table(scratch, "empty.csv", "t [s],empty\n");
    assert_ok(scratch->ctx, make(scratch->ctx, scratch->folder, 0, 0, &made));
    assert_int_equal(made.blocks.count, 3);
    assert_int_equal(made.blocks.block[0].count, 9);
    assert_int_equal(made.loss.tables, 0);
    const char *a =
        strstr(made.text.bytes, "{\"name\":\"a\",\"kind\":\"history\",\"columns\":[{\"name\":\"t\",\"unit\":"
                                "\"s\"},{\"name\":\"a.1\",\"unit\":\"m\"},{\"name\":\"a.2\",\"unit\":\"m\"}],"
                                "\"rows\":3,\"kept\":3,\"data\":{");
    const char *b = strstr(made.text.bytes, "{\"name\":\"b\",\"unit\":\"N/m^2\"}");
    const char *energy = strstr(made.text.bytes, "{\"name\":\"energy\",\"kind\":\"energy\"");
    assert_non_null(a);
    assert_non_null(b);
    assert_non_null(energy);
    assert_true(a < b && b < energy);
    assert_non_null(strstr(made.text.bytes, "{\"name\":\"closure\",\"unit\":\"\"}"));
    // only b has a reference curve
    assert_non_null(strstr(b, "\"exact\":2}"));
    assert_non_null(strstr(energy, "\"exact\":-1}"));
    assert_null(strstr(made.text.bytes, "empty"));
    drop(&made);
}

// Tables of steps that judge a path or follow a disturbance are no histories, and neither are events.
static void tables_of_steps_are_no_histories(void **state)
{
    Scratch *scratch = *state;
    Made made;
    StickContext *ctx = scratch->ctx;
    write_table(scratch, "judge.csv", "t [s],verdict\n0,1\n");
    write_table(scratch, "go-growth.csv", "t [s],amplitude [m]\n0,1\n");
    write_table(scratch, "plant-growth.csv", "t [s],plant-growth [m]\n0,1\n");
    write_table(scratch, "events.csv", "t [s],node\n0,1\n");
    assert_ok(ctx, stick_folder_create(ctx, scratch_path(scratch, "stability/judge")));
    assert_ok(ctx, stick_folder_create(ctx, scratch_path(scratch, "stability/go")));
    assert_ok(ctx, make(ctx, scratch->folder, 0, 0, &made));
    assert_int_equal(made.blocks.count, 2);
    const char *plant = strstr(made.text.bytes, "{\"name\":\"plant-growth\",\"kind\":\"history\"");
    const char *events = strstr(made.text.bytes, "{\"name\":\"events\",\"kind\":\"events\"");
    assert_true(plant && events && plant < events);
    drop(&made);
}

static void long_tables_are_thinned(void **state)
{
    Scratch *scratch = *state;
    Made made;
    StickText text;
    stick_text_init(&text, scratch->ctx);
    stick_text_add(&text, "t,force\n");
    for (int k = 0; k < 5000; k++)
        stick_text_add(&text, "%d,%d\n", k, k % 7);
    write_table(scratch, "force.csv", text.bytes);
    stick_text_destroy(&text);
    assert_ok(scratch->ctx, make(scratch->ctx, scratch->folder, 400, 0, &made));
    assert_int_equal(made.loss.tables, 1);
    assert_int_equal(made.loss.rows, 5000);
    assert_true(made.loss.kept <= 200);
    assert_int_equal(made.blocks.block[0].count, 2 * made.loss.kept);
    assert_non_null(strstr(made.text.bytes, "\"rows\":5000,"));
    drop(&made);
}

// Where a page has little room for each of many runs, narrow tables have enough for what stands out.
static void narrow_tables_have_room_for_extremes(void **state)
{
    Scratch *scratch = *state;
    StickText text;
    stick_text_init(&text, scratch->ctx);
    stick_text_add(&text, "t,iterations,force,error\n");
    for (int k = 0; k < 1000; k++)
        stick_text_add(&text, "%d,%d,%g,%s\n", k, k == 400 ? 2 : 0, 1e6 * sin(0.01 * k),
                       k == 700 ? "1.2e-16" : "0");
    write_table(scratch, "contact.csv", text.bytes);
    stick_text_destroy(&text);
    for (int roomy = 0; roomy < 2; roomy++) {
        Made made;
        assert_ok(scratch->ctx, make(scratch->ctx, scratch->folder, 16, roomy ? 600 : 0, &made));
        assert_int_equal(made.loss.blunted, !roomy);
        assert_true(made.loss.kept <= (roomy ? 8 : 4));
        double *value = unpack_numbers(&made.blocks.block[0]), iterations = 0, error = 0;
        for (size_t row = 0; row < made.loss.kept; row++) {
            iterations = fmax(iterations, value[made.loss.kept + row]);
            error = fmax(error, value[3 * made.loss.kept + row]);
        }
        assert_true((iterations == 2 && error == 1.2e-16) == roomy);
        free(value);
        drop(&made);
    }
}

static void damaged_tables_are_left_out_with_a_warning(void **state)
{
    Scratch *scratch = *state;
    Made made;
    write_table(scratch, "bad.csv", "t,x\n0,1\n1,what\n");
    write_table(scratch, "cut.csv", "t,x\n0,1\n1,2\n2,"); // a row that is being written
    write_table(scratch, "contact.csv", "");
    assert_ok(scratch->ctx, make(scratch->ctx, scratch->folder, 0, 0, &made));
    assert_int_equal(made.blocks.count, 1);
    assert_non_null(strstr(made.text.bytes, "\"name\":\"cut\""));
    assert_non_null(strstr(made.text.bytes, "\"rows\":2,"));
    assert_int_equal(stick_error_count(scratch->ctx), 0);
    assert_int_equal(stick_diagnostic_count(scratch->ctx), 2);
    assert_int_equal(made.loss.unreadable, 2);
    drop(&made);
}

static void no_history_is_no_error(void **state)
{
    Scratch *scratch = *state;
    Made made;
    assert_ok(scratch->ctx, make(scratch->ctx, scratch->folder, 0, 0, &made));
    assert_string_equal(made.text.bytes, "[]");
    drop(&made);
}

static StickStatus make_and_drop(StickContext *ctx, void *folder)
{
    Made made;
    StickStatus status = make(ctx, folder, 8, 0, &made);
    drop(&made);
    return status;
}

static void memory_may_end_anywhere(void **state)
{
    Scratch *scratch = *state;
    write_table(scratch, "a.csv", "t [s],a [m]\n0,1\n1,0\n2,3\n3,0\n4,1\n5,6\n");
    write_table(scratch, "energy.csv", "t [s],kinetic [N m]\n0,1\n");
    write_table(scratch, "bad.csv", "t,x\n0\n");
    assert_survives_failing_memory(make_and_drop, scratch->folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(extremes_of_every_column_are_kept),
        test_with_context(wide_tables_keep_the_extremes_of_all),
        test_with_context(small_numbers_are_kept_beside_large_ones),
        test_with_context(short_tables_stay_whole),
        test_with_scratch(histories_come_before_the_books),
        test_with_scratch(tables_of_steps_are_no_histories),
        test_with_scratch(long_tables_are_thinned),
        test_with_scratch(narrow_tables_have_room_for_extremes),
        test_with_scratch(damaged_tables_are_left_out_with_a_warning),
        test_with_scratch(no_history_is_no_error),
        test_with_scratch(memory_may_end_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
