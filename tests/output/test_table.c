// SPDX-License-Identifier: Apache-2.0
#include "output/scratch.h"

#include "base/random.h"
#include "output/table.h"

#include <signal.h>
#include <sys/resource.h>

static const char *const columns[] = {"t [s]", "contact_force.x [N]", "wall, \"left\" [m]"};
static const char header[] = "t [s],contact_force.x [N],\"wall, \"\"left\"\" [m]\"\n";
enum { COLUMNS = 3 };

static StickTable *start(Scratch *scratch, const char *path)
{
    StickTable *table = NULL;
    assert_ok(scratch->ctx, stick_table_create(scratch->ctx, path, columns, COLUMNS, &table));
    return table;
}

static void write_text(Scratch *scratch, const char *path, const char *text)
{
    assert_ok(scratch->ctx, stick_file_write(scratch->ctx, path, text, strlen(text)));
}

// ---- writing

static void rows_are_in_the_file_while_it_is_open(void **state)
{
    Scratch *scratch = *state;
    const char *path = scratch_path(scratch, "h.csv");
    StickTable *table = start(scratch, path);
    assert_file_is(scratch->ctx, path, header);
    assert_ok(scratch->ctx, stick_table_row(table, (double[]){0, 0.1, -1e-300}));
    assert_ok(scratch->ctx, stick_table_row(table, (double[]){1.0 / 3, NAN, -INFINITY}));
    char expected[512];
    snprintf(expected, sizeof expected, "%s0,0.1,-1e-300\n0.3333333333333333,nan,-inf\n", header);
    assert_file_is(scratch->ctx, path, expected);
    assert_ok(scratch->ctx, stick_table_close(table));
    assert_file_is(scratch->ctx, path, expected);
}

static void a_resumed_table_has_the_bytes_of_an_uninterrupted_one(void **state)
{
    Scratch *scratch = *state;
    const char *path = scratch_path(scratch, "h.csv");
    StickTable *table = start(scratch, path);
    int64_t position = -1, end = -1;
    assert_ok(scratch->ctx, stick_table_row(table, (double[]){1, 2, 3}));
    assert_ok(scratch->ctx, stick_table_position(table, &position));
    assert_int_equal(position, strlen(header) + strlen("1,2,3\n"));
    // what came after the checkpoint is lost and computed again
    assert_ok(scratch->ctx, stick_table_row(table, (double[]){100, 200, 300}));
    assert_ok(scratch->ctx, stick_table_close(table));
    assert_ok(scratch->ctx, stick_table_resume(scratch->ctx, path, columns, COLUMNS, position, &table));
    assert_ok(scratch->ctx, stick_table_row(table, (double[]){4, 5, 6}));
    assert_ok(scratch->ctx, stick_table_position(table, &end));
    assert_ok(scratch->ctx, stick_table_close(table));
    char expected[512];
    assert_int_equal(end, snprintf(expected, sizeof expected, "%s1,2,3\n4,5,6\n", header));
    assert_file_is(scratch->ctx, path, expected);
}

static void assert_no_resume(Scratch *scratch, const char *path, const char *const *names, int64_t position,
                             StickStatus expected, const char *words)
{
    StickTable *table = NULL;
    assert_int_equal(stick_table_resume(scratch->ctx, path, names, COLUMNS, position, &table), expected);
    assert_null(table);
    assert_error_says(scratch->ctx, words);
}

static void resume_refuses_a_file_that_does_not_fit_and_leaves_it(void **state)
{
    Scratch *scratch = *state;
    const char *path = scratch_path(scratch, "h.csv");
    char text[512];
    int length = snprintf(text, sizeof text, "%s1,2,3\n", header);
    static const char *const others[] = {"t [s]", "contact_force.y [N]", "wall, \"left\" [m]"};
    write_text(scratch, path, text);
    assert_no_resume(scratch, path, columns, length + 1, STICK_IO, "it has only");
    assert_no_resume(scratch, path, columns, length - 1, STICK_BAD_INPUT, "inside a row");
    assert_no_resume(scratch, path, columns, 3, STICK_BAD_INPUT, "inside its header");
    assert_no_resume(scratch, path, others, length, STICK_BAD_INPUT,
                     "its columns are not 't [s],contact_force.y [N]");
    assert_file_is(scratch->ctx, path, text);
    assert_no_resume(scratch, scratch_path(scratch, "none.csv"), columns, length, STICK_IO, "none.csv");
}

static void wrong_columns_are_refused_by_name(void **state)
{
    Scratch *scratch = *state;
    static const char *const twice[] = {"t", "x", "x"}, *const line[] = {"t", "a\nb", "c"},
                             *const empty[] = {"t", "", "c"};
    const char *path = scratch_path(scratch, "h.csv");
    StickTable *table = NULL;
    assert_int_equal(stick_table_create(scratch->ctx, path, twice, 3, &table), STICK_BAD_INPUT);
    assert_error_says(scratch->ctx, "columns 2 and 3 have the same name 'x'");
    assert_int_equal(stick_table_create(scratch->ctx, path, line, 3, &table), STICK_BAD_INPUT);
    assert_error_says(scratch->ctx, "control character 10");
    assert_int_equal(stick_table_create(scratch->ctx, path, empty, 3, &table), STICK_BAD_INPUT);
    assert_error_says(scratch->ctx, "column 2 has no name");
    assert_int_equal(stick_table_create(scratch->ctx, path, empty, 0, &table), STICK_BAD_INPUT);
    assert_false(stick_file_exists(path));
    assert_int_equal(stick_table_create(scratch->ctx, scratch_path(scratch, "no/h.csv"), columns, 3, &table),
                     STICK_IO);
    assert_null(table);
}

// A limit of the file's size cuts a row in the middle, as a full disk does.
static void a_row_that_does_not_fit_is_an_error_and_leaves_whole_rows(void **state)
{
    Scratch *scratch = *state;
    const char *path = scratch_path(scratch, "h.csv");
    StickTable *table = start(scratch, path);
    struct rlimit before, small;
    assert_ok(scratch->ctx, stick_table_row(table, (double[]){1, 2, 3}));
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    small = (struct rlimit){sizeof header - 1 + 6 + 4, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
    StickStatus full = stick_table_row(table, (double[]){1.0 / 3, 1.0 / 3, 1.0 / 3});
    setrlimit(RLIMIT_FSIZE, &before);
    assert_int_equal(full, STICK_IO);
    assert_error_says(scratch->ctx, "h.csv");
    char expected[512];
    snprintf(expected, sizeof expected, "%s1,2,3\n", header);
    assert_file_is(scratch->ctx, path, expected);
    // with room again, the table goes on
    assert_ok(scratch->ctx, stick_table_row(table, (double[]){4, 5, 6}));
    assert_ok(scratch->ctx, stick_table_close(table));
    strcat(expected, "4,5,6\n");
    assert_file_is(scratch->ctx, path, expected);
}

static void a_full_disk_is_an_error(void **state)
{
    Scratch *scratch = *state;
    StickTable *table = NULL;
    if (access("/dev/full", W_OK) != 0)
        skip();
    assert_int_equal(stick_table_create(scratch->ctx, "/dev/full", columns, COLUMNS, &table), STICK_IO);
    assert_error_says(scratch->ctx, "No space left");
}

// ---- reading

static void numbers_read_back_to_the_same_bits(void **state)
{
    Scratch *scratch = *state;
    const char *path = scratch_path(scratch, "h.csv");
    const double rows[][COLUMNS] = {{0.1, 1.0 / 3, -0.0},
                                    {5e-324, 2.2250738585072011e-308, 1.7976931348623157e308},
                                    {INFINITY, -INFINITY, 1e22}};
    StickTable *table = start(scratch, path);
    for (int k = 0; k < 3; k++)
        assert_ok(scratch->ctx, stick_table_row(table, rows[k]));
    assert_ok(scratch->ctx, stick_table_row(table, (double[]){-NAN, NAN, 0}));
    assert_ok(scratch->ctx, stick_table_close(table));
    StickColumns read;
    assert_ok(scratch->ctx, stick_table_read(scratch->ctx, path, &read));
    assert_int_equal(read.ncolumns, COLUMNS);
    assert_int_equal(read.nrows, 4);
    for (int k = 0; k < COLUMNS; k++) {
        assert_string_equal(read.name[k], columns[k]);
        for (int row = 0; row < 3; row++)
            assert_memory_equal(&read.column[k][row], &rows[row][k], sizeof(double));
    }
    assert_true(isnan(read.column[0][3]) && isnan(read.column[1][3]));
    stick_columns_destroy(scratch->ctx, &read);
}

static void columns_are_found_with_and_without_their_unit(void **state)
{
    Scratch *scratch = *state;
    const char *path = scratch_path(scratch, "h.csv");
    write_text(scratch, path, "t [s],x [m],x,mode [-] of [Hz]\n");
    StickColumns read;
    assert_ok(scratch->ctx, stick_table_read(scratch->ctx, path, &read));
    assert_int_equal(read.nrows, 0);
    assert_int_equal(stick_columns_find(&read, "t"), 0);
    assert_int_equal(stick_columns_find(&read, "t [s]"), 0);
    assert_int_equal(stick_columns_find(&read, "x [m]"), 1);
    assert_int_equal(stick_columns_find(&read, "x"), 2);
    assert_int_equal(stick_columns_find(&read, "y"), -1);
    assert_int_equal(stick_columns_find(&read, "t [ms]"), -1);
    stick_columns_destroy(scratch->ctx, &read);
}

static void tables_of_other_programs_read_too(void **state)
{
    Scratch *scratch = *state;
    const char *path = scratch_path(scratch, "h.csv");
    write_text(scratch, path, "\xEF\xBB\xBF\"a\",b [m]\r\n 1 ,\t+2.50e0\r\n-3.,.4\r\n");
    StickColumns read;
    assert_ok(scratch->ctx, stick_table_read(scratch->ctx, path, &read));
    assert_string_equal(read.name[0], "a");
    assert_string_equal(read.name[1], "b [m]");
    assert_int_equal(read.nrows, 2);
    assert_true(read.column[0][0] == 1 && read.column[1][0] == 2.5);
    assert_true(read.column[0][1] == -3 && read.column[1][1] == 0.4);
    stick_columns_destroy(scratch->ctx, &read);
}

// A number that is cut off looks like another number: such a row must not be used.
static void a_row_that_is_being_written_is_left_out(void **state)
{
    Scratch *scratch = *state;
    const char *path = scratch_path(scratch, "h.csv");
    write_text(scratch, path, "a,b\n1,2\n3,4.2");
    StickColumns read;
    assert_ok(scratch->ctx, stick_table_read(scratch->ctx, path, &read));
    assert_int_equal(read.nrows, 1);
    assert_int_equal(stick_diagnostic_count(scratch->ctx), 1);
    assert_int_equal(stick_diagnostic(scratch->ctx, 0)->severity, STICK_WARNING);
    assert_int_equal(stick_diagnostic(scratch->ctx, 0)->line, 3);
    stick_columns_destroy(scratch->ctx, &read);
}

static void malformed_tables_are_refused_at_their_place(void **state)
{
    Scratch *scratch = *state;
    static const struct {
        const char *text, *words;
        int line, column;
    } cases[] = {
        {"", "starts with a line of column names", 1, 1},
        {"a,b", "starts with a line of column names", 1, 1},
        {"a,,c\n", "has no name", 1, 3},
        {"a,b,a\n", "same name", 1, 5},
        {"a,\"b\n", "quotes", 1, 3},
        {"a,\"b\"c\n", "quotes", 1, 3},
        {"a,b\n1,2\n3\n", "1 values for 2 columns", 3, 1},
        {"a,b\n1,2,3\n", "3 values for 2 columns", 2, 1},
        {"a,b\n\n1,2\n", "empty", 2, 1},
        {"a,b\n1,2\n3,x4\n", "column 'b': 'x4' is no number", 3, 3},
        {"a,b\n1,\n", "column 'b': '' is no number", 2, 3},
        {"a,b\n0x10,1\n", "'0x10' is no number", 2, 1},
        {"a,b\n1,1e999\n", "'1e999' is no number", 2, 3},
    };
    const char *path = scratch_path(scratch, "h.csv");
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        StickColumns read = {0};
        write_text(scratch, path, cases[k].text);
        stick_diagnostics_clear(scratch->ctx);
        assert_int_equal(stick_table_read(scratch->ctx, path, &read), STICK_BAD_INPUT);
        assert_null(read.name);
        assert_error_says(scratch->ctx, cases[k].words);
        const StickDiagnostic *said =
            stick_diagnostic(scratch->ctx, stick_diagnostic_count(scratch->ctx) - 1);
        assert_string_equal(said->file, path);
        assert_int_equal(said->line, cases[k].line);
        assert_int_equal(said->column, cases[k].column);
    }
    StickColumns read;
    assert_int_equal(stick_table_read(scratch->ctx, scratch_path(scratch, "none.csv"), &read), STICK_IO);
    assert_ok(scratch->ctx,
              stick_file_write(scratch->ctx, scratch_path(scratch, "zero.csv"), "a\n1\0002\n", 6));
    assert_int_equal(stick_table_read(scratch->ctx, scratch->path, &read), STICK_BAD_INPUT);
}

// Whatever bytes are damaged, the answer is a table or a located error.
static void damaged_tables_never_crash(void **state)
{
    Scratch *scratch = *state;
    static const char good[] = "t [s],\"a,\"\"b\"\" [N]\",c\n1,2,3\n-1e-5,nan,inf\n0.1,0.2,0.3\n";
    static const char bytes[] = ",\"\n\r\0 1-e.[x\xFF";
    const char *path = scratch_path(scratch, "h.csv");
    StickRandom random = stick_random_seed(7);
    for (int round = 0; round < 500; round++) {
        char text[sizeof good];
        memcpy(text, good, sizeof good);
        for (int k = 0; k < 3; k++)
            text[stick_random_bits(&random) % (sizeof good - 1)] =
                bytes[stick_random_bits(&random) % (sizeof bytes - 1)];
        assert_ok(scratch->ctx, stick_file_write(scratch->ctx, path, text, sizeof good - 1));
        StickColumns read;
        stick_diagnostics_clear(scratch->ctx);
        if (stick_table_read(scratch->ctx, path, &read) == STICK_OK)
            stick_columns_destroy(scratch->ctx, &read);
        else
            assert_true(stick_diagnostic(scratch->ctx, stick_diagnostic_count(scratch->ctx) - 1)->line > 0);
    }
}

// ---- memory

static StickStatus write_resume_read(StickContext *ctx, void *path)
{
    StickTable *table = NULL;
    StickColumns read = {0};
    int64_t position = 0;
    StickStatus status = stick_table_create(ctx, path, columns, COLUMNS, &table);
    if (status == STICK_OK) {
        status = stick_table_row(table, (double[]){1.0 / 3, 1.0 / 3, 1.0 / 3});
        stick_table_position(table, &position);
        stick_table_close(table);
    }
    if (status == STICK_OK) {
        status = stick_table_resume(ctx, path, columns, COLUMNS, position, &table);
        if (status == STICK_OK)
            stick_table_close(table);
    }
    if (status == STICK_OK)
        status = stick_table_read(ctx, path, &read);
    stick_columns_destroy(ctx, &read);
    assert_int_equal(status == STICK_OK ? stick_memory_now(ctx) : 0, 0);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    char path[512];
    snprintf(path, sizeof path, "%s", scratch_path(*state, "h.csv"));
    assert_survives_failing_memory(write_resume_read, path);
}

static void a_steady_table_allocates_nothing(void **state)
{
    Scratch *scratch = *state;
    StickTable *table = start(scratch, scratch_path(scratch, "h.csv"));
    const double row[] = {-1.0 / 3e-300, -1.0 / 3e-300, -1.0 / 3e-300};
    assert_ok(scratch->ctx, stick_table_row(table, row));
    size_t calls = stick_memory_calls(scratch->ctx);
    for (int k = 0; k < 100; k++)
        assert_ok(scratch->ctx, stick_table_row(table, row));
    assert_int_equal(stick_memory_calls(scratch->ctx), calls);
    assert_ok(scratch->ctx, stick_table_close(table));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_scratch(rows_are_in_the_file_while_it_is_open),
        test_with_scratch(a_resumed_table_has_the_bytes_of_an_uninterrupted_one),
        test_with_scratch(resume_refuses_a_file_that_does_not_fit_and_leaves_it),
        test_with_scratch(wrong_columns_are_refused_by_name),
        test_with_scratch(a_row_that_does_not_fit_is_an_error_and_leaves_whole_rows),
        test_with_scratch(a_full_disk_is_an_error),
        test_with_scratch(numbers_read_back_to_the_same_bits),
        test_with_scratch(columns_are_found_with_and_without_their_unit),
        test_with_scratch(tables_of_other_programs_read_too),
        test_with_scratch(a_row_that_is_being_written_is_left_out),
        test_with_scratch(malformed_tables_are_refused_at_their_place),
        test_with_scratch(damaged_tables_never_crash),
        test_with_scratch(every_allocation_may_fail),
        test_with_scratch(a_steady_table_allocates_nothing),
    };
    return cmocka_run_group_tests_name("output.table", tests, NULL, NULL);
}
