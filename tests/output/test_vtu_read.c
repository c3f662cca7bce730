// SPDX-License-Identifier: Apache-2.0
#include "output/scratch.h"

#include "output/vtu.h"
#include "output/vtu_array.h"
#include "output/vtu_read.h"

// ---- a square, a triangle beside it, and a body without pressure

static const double square_x[] = {0, 0, 1, 0, 1, 1, 0, 1}, triangle_x[] = {2, 0, 3, 0, 2, 1.0 / 3};
static const int square_start[] = {0, 4, 7}, square_node[] = {0, 1, 2, 3, 0, 1, 2};
static const int triangle_start[] = {0, 3}, triangle_node[] = {0, 1, 2};
static const unsigned char square_type[] = {9, 5}, triangle_type[] = {5};
static const double square_v[] = {1, 2, 3, 4, 5, 6, 7, -0.0}, triangle_v[] = {9, 10, 11, 12, 13, 1e-310};
static const double square_p[] = {1.5, 0.25, 1e-50, -2};
static const int square_body[] = {0, 0}, triangle_body[] = {1};
static const void *const square_fields[] = {square_v, square_p}, *const triangle_fields[] = {triangle_v,
                                                                                             NULL};
static const void *const square_cells[] = {square_body}, *const triangle_cells[] = {triangle_body};
static const StickVtuPiece pieces[] = {
    {2, 4, square_x, 2, square_start, square_node, square_type, square_fields, square_cells},
    {2, 3, triangle_x, 1, triangle_start, triangle_node, triangle_type, triangle_fields, triangle_cells},
};
static const StickVtuField point_form[] = {{"velocity", STICK_VTU_REAL, 2, 3, NULL},
                                           {"a <pressure> \"&\"", STICK_VTU_SINGLE, 1, 0, NULL}};
static const StickVtuField cell_form[] = {{"body", STICK_VTU_INTEGER, 1, 0, NULL}};
static const StickVtu two_bodies = {0.1, 2, pieces, 2, point_form, 1, cell_form};

static char *write_and_load(Scratch *scratch, const StickVtu *grid, size_t *count)
{
    char *bytes;
    const char *path = scratch_path(scratch, "grid.vtu");
    assert_ok(scratch->ctx, stick_vtu_write(scratch->ctx, path, grid));
    assert_ok(scratch->ctx, stick_file_read(scratch->ctx, path, &bytes, count));
    return bytes;
}

static void fields_read_back_to_the_same_bits(void **state)
{
    Scratch *scratch = *state;
    StickContext *ctx = scratch->ctx;
    const char *path = scratch_path(scratch, "grid.vtu");
    StickVtuFile *file;
    double *v, *p, *body;
    assert_ok(ctx, stick_vtu_write(ctx, path, &two_bodies));
    assert_ok(ctx, stick_vtu_open(ctx, path, &file));
    assert_true(stick_vtu_time(file) == 0.1);
    assert_int_equal(stick_vtu_points(file), 7);
    assert_int_equal(stick_vtu_cells(file), 3);
    assert_int_equal(stick_vtu_components(file, STICK_VTU_POINT_DATA, "velocity"), 3);
    assert_int_equal(stick_vtu_components(file, STICK_VTU_POINT_DATA, "body"), 0);
    assert_int_equal(stick_vtu_components(file, STICK_VTU_CELL_DATA, "body"), 1);
    assert_ok(ctx, stick_vtu_values(file, STICK_VTU_POINT_DATA, "velocity", &v));
    assert_ok(ctx, stick_vtu_values(file, STICK_VTU_POINT_DATA, "a <pressure> \"&\"", &p));
    assert_ok(ctx, stick_vtu_values(file, STICK_VTU_CELL_DATA, "body", &body));
    const double v_expected[] = {1, 2, 0, 3, 4, 0, 5, 6, 0, 7, -0.0, 0, 9, 10, 0, 11, 12, 0, 13, 1e-310, 0};
    const double p_expected[] = {1.5, 0.25, 0, -2};
    assert_memory_equal(v, v_expected, sizeof v_expected);
    assert_memory_equal(p, p_expected, sizeof p_expected);
    assert_true(isnan(p[4]) && isnan(p[6]));
    assert_true(body[0] == 0 && body[1] == 0 && body[2] == 1);
    stick_free(ctx, v);
    stick_free(ctx, p);
    stick_free(ctx, body);
    assert_int_equal(stick_vtu_values(file, STICK_VTU_POINT_DATA, "gap", &v), STICK_BAD_INPUT);
    assert_error_says(ctx, "no array 'gap'");
    stick_vtu_close(file);
}

static void points_and_cells_read_back(void **state)
{
    Scratch *scratch = *state;
    StickContext *ctx = scratch->ctx;
    size_t count;
    char *bytes = write_and_load(scratch, &two_bodies, &count);
    StickVtuFile *file;
    StickVtuGrid grid;
    assert_ok(ctx, stick_vtu_open_bytes(ctx, "two.vtu", bytes, count, &file));
    assert_ok(ctx, stick_vtu_grid(file, &grid));
    const double x[] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 2, 0, 0, 3, 0, 0, 2, 1.0 / 3, 0};
    assert_int_equal(grid.npoints, 7);
    assert_int_equal(grid.ncells, 3);
    assert_memory_equal(grid.x, x, sizeof x);
    assert_memory_equal(grid.start, ((int[]){0, 4, 7, 10}), 4 * sizeof(int));
    assert_memory_equal(grid.node, ((int[]){0, 1, 2, 3, 0, 1, 2, 4, 5, 6}), 10 * sizeof(int));
    assert_memory_equal(grid.type, ((unsigned char[]){9, 5, 5}), 3);
    stick_vtu_grid_destroy(ctx, &grid);
    stick_vtu_close(file);
    stick_free(ctx, bytes);
}

static void grids_of_many_blocks_and_of_none(void **state)
{
    Scratch *scratch = *state;
    StickContext *ctx = scratch->ctx;
    enum { N = 3 * STICK_VTU_BLOCK / 8 };
    static double x[N + 1];
    for (int k = 0; k <= N; k++)
        x[k] = sin(k);
    const int sizes[] = {0, 1, N - 1, N, N + 1};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        const void *const data[] = {x};
        StickVtuPiece piece = {.dim = 1, .npoints = sizes[k], .x = x, .point_data = data};
        StickVtuField field = {"x", STICK_VTU_REAL, 1, 0, NULL};
        StickVtu grid = {.npieces = 1, .piece = &piece, .npoint_fields = 1, .point_field = &field};
        size_t count;
        char *bytes = write_and_load(scratch, &grid, &count);
        StickVtuFile *file;
        double *back;
        assert_ok(ctx, stick_vtu_open_bytes(ctx, "many.vtu", bytes, count, &file));
        assert_ok(ctx, stick_vtu_values(file, STICK_VTU_POINT_DATA, "x", &back));
        assert_memory_equal(back, x, (size_t)sizes[k] * sizeof *x);
        stick_free(ctx, back);
        stick_vtu_close(file);
        stick_free(ctx, bytes);
    }
}

// ---- files that are cut, damaged or hostile

// Everything that a file can be asked for.
static StickStatus read_all(StickContext *ctx, const char *bytes, size_t count)
{
    StickVtuFile *file;
    StickVtuGrid grid;
    double *values;
    STICK_TRY(stick_vtu_open_bytes(ctx, "bad.vtu", bytes, count, &file));
    StickStatus status = stick_vtu_grid(file, &grid);
    if (status == STICK_OK)
        stick_vtu_grid_destroy(ctx, &grid);
    static const struct {
        StickVtuSection section;
        const char *name;
    } fields[] = {{STICK_VTU_POINT_DATA, "velocity"},
                  {STICK_VTU_POINT_DATA, "a <pressure> \"&\""},
                  {STICK_VTU_CELL_DATA, "body"}};
    for (int k = 0; k < 3 && status == STICK_OK; k++) {
        status = stick_vtu_values(file, fields[k].section, fields[k].name, &values);
        if (status == STICK_OK)
            stick_free(ctx, values);
    }
    stick_vtu_close(file);
    return status;
}

static void cut_off_anywhere_it_is_an_error(void **state)
{
    Scratch *scratch = *state;
    size_t count;
    char *bytes = write_and_load(scratch, &two_bodies, &count);
    size_t whole = (size_t)(strstr(bytes, "</VTKFile>") - bytes) + strlen("</VTKFile>");
    for (size_t length = 0; length < whole; length++) {
        // an array of exactly this size, so that the sanitizers see a step beyond it
        char *part = malloc(length + 1);
        memcpy(part, bytes, length);
        assert_int_equal(read_all(scratch->ctx, part, length), STICK_BAD_INPUT);
        free(part);
    }
    const StickDiagnostic *said = stick_diagnostic(scratch->ctx, stick_diagnostic_count(scratch->ctx) - 1);
    assert_string_equal(said->file, "bad.vtu");
    assert_ok(scratch->ctx, read_all(scratch->ctx, bytes, whole));
    stick_free(scratch->ctx, bytes);
}

// With one byte changed a file is refused or read, but never takes memory beyond its size.
static void one_wrong_byte_is_survived(void **state)
{
    Scratch *scratch = *state;
    size_t count;
    char *bytes = write_and_load(scratch, &two_bodies, &count);
    static const char wrong[] = {'A', '9', '<', '>', '"', '=', '/', '\0', ' ', (char)0xFF};
    StickContext *ctx = stick_context_create(NULL);
    for (size_t at = 0; at < count; at++) {
        char kept = bytes[at];
        for (size_t k = 0; k < sizeof wrong; k++) {
            bytes[at] = wrong[k];
            StickStatus status = read_all(ctx, bytes, count);
            assert_true(status == STICK_OK || status == STICK_BAD_INPUT);
        }
        bytes[at] = kept;
        stick_diagnostics_clear(ctx);
    }
    assert_below((double)stick_memory_peak(ctx), 100000);
    stick_context_destroy(ctx);
    stick_free(scratch->ctx, bytes);
}

// Replaces the first words by others and expects an error that says why.
static void assert_refused(Scratch *scratch, const char *words, const char *by, const char *why)
{
    size_t count;
    char *bytes = write_and_load(scratch, &two_bodies, &count), *found = strstr(bytes, words);
    StickText text;
    StickContext *ctx = stick_context_create(NULL);
    assert_non_null(found);
    stick_text_init(&text, scratch->ctx);
    stick_text_add_bytes(&text, bytes, (size_t)(found - bytes));
    stick_text_add(&text, "%s%s", by, found + strlen(words));
    assert_int_equal(read_all(ctx, text.bytes, text.length), STICK_BAD_INPUT);
    assert_error_says(ctx, why);
    assert_below((double)stick_memory_peak(ctx), 100000);
    stick_context_destroy(ctx);
    stick_text_destroy(&text);
    stick_free(scratch->ctx, bytes);
}

static void hostile_files_are_refused(void **state)
{
    Scratch *s = *state;
    assert_refused(s, "UnstructuredGrid\"", "PolyData\"", "no unstructured grid");
    assert_refused(s, "byte_order=\"", "byte_order=\"Other", "another order of bytes");
    assert_refused(s, "UInt64", "UInt32", "in another way");
    assert_refused(s, "vtkZLibDataCompressor", "vtkLZ4DataCompressor", "in another way");
    assert_refused(s, ">0.1<", ">x<", "its time is no number");
    // sizes: too large for the array, for an int, for anything
    assert_refused(s, "NumberOfPoints=\"7\"", "NumberOfPoints=\"8\"", "'Points' is damaged");
    assert_refused(s, "NumberOfPoints=\"7\"", "NumberOfPoints=\"2147483647\"", "'Points' is damaged");
    assert_refused(s, "NumberOfPoints=\"7\"", "NumberOfPoints=\"4294967303\"", "how many points");
    assert_refused(s, "NumberOfPoints=\"7\"", "NumberOfPoints=\"-7\"", "how many points");
    assert_refused(s, "NumberOfCells=\"3\"", "NumberOfCells=\"2147483647\"", "'offsets' is damaged");
    assert_refused(s, "NumberOfCells=\"3\"", "NumberOfCells=\"2\"", "'offsets' is damaged");
    assert_refused(s, "NumberOfComponents=\"3\"", "NumberOfComponents=\"2147483647\"",
                   "'velocity' is damaged");
    assert_refused(s, "NumberOfComponents=\"3\"", "NumberOfComponents=\"0\"", "number of components");
    assert_refused(s, "format=\"binary\"", "format=\"appended\"", "not ours");
    assert_refused(s, "Float64\" Name=\"vel", "Float16\" Name=\"vel", "not ours");
    assert_refused(s, "Float64\" Name=\"vel", "Float32\" Name=\"vel", "'velocity' is damaged");
    // arrays that are not there
    assert_refused(s, "Name=\"velocity\"", "Name=\"speed\"", "no array 'velocity'");
    assert_refused(s, "Name=\"Points\"", "Name=\"Pints\"", "no array 'Points'");
    assert_refused(s, "Name=\"types\"", "Name=\"kinds\"", "no array 'types'");
    assert_refused(s, "<Piece ", "<Piece NumberOfPoints=\"7\" NumberOfCells=\"3\"><Piece ", "several pieces");
    assert_refused(s, "<Piece ", "<Peace ", "no grid");
}

// Nodes that are no points, and cells that end before they start, as a writer of ours would never make them.
static void assert_cells_refused(Scratch *scratch, const int *start, const int *node, const char *why)
{
    StickContext *ctx = scratch->ctx;
    StickText text;
    StickVtuArray *array;
    int64_t connectivity[] = {node[0], node[1], node[2]}, offsets[] = {start[0], start[1]};
    const double x[9] = {0};
    stick_text_init(&text, ctx);
    assert_ok(ctx, stick_vtu_array_create(ctx, &text, &array));
    stick_text_add(
        &text,
        "<VTKFile type=\"UnstructuredGrid\" byte_order=\"%s\" header_type=\"UInt64\" "
        "compressor=\"vtkZLibDataCompressor\"><Piece NumberOfPoints=\"3\" NumberOfCells=\"2\"><Points>",
        stick_vtu_byte_order());
    stick_vtu_array_begin(array, "Float64", "Points", 3, NULL);
    stick_vtu_array_add(array, x, sizeof x);
    stick_vtu_array_end(array);
    stick_text_add(&text, "</Points><Cells>");
    stick_vtu_array_begin(array, "Int64", "connectivity", 1, NULL);
    stick_vtu_array_add(array, connectivity, sizeof connectivity);
    stick_vtu_array_end(array);
    stick_vtu_array_begin(array, "Int64", "offsets", 1, NULL);
    stick_vtu_array_add(array, offsets, sizeof offsets);
    stick_vtu_array_end(array);
    stick_vtu_array_begin(array, "UInt8", "types", 1, NULL);
    stick_vtu_array_add(array, "\3\1", 2);
    stick_vtu_array_end(array);
    stick_text_add(&text, "</Cells></Piece></VTKFile>");
    assert_ok(ctx, stick_vtu_array_status(array));
    StickVtuFile *file;
    StickVtuGrid grid;
    assert_ok(ctx, stick_vtu_open_bytes(ctx, "cells.vtu", text.bytes, text.length, &file));
    StickStatus status = stick_vtu_grid(file, &grid);
    assert_int_equal(status, why ? STICK_BAD_INPUT : STICK_OK);
    if (why)
        assert_error_says(ctx, why);
    else
        stick_vtu_grid_destroy(ctx, &grid);
    stick_vtu_close(file);
    stick_vtu_array_destroy(array);
    stick_text_destroy(&text);
}

static void cells_that_cannot_be_are_refused(void **state)
{
    assert_cells_refused(*state, (int[]){2, 3}, (int[]){0, 1, 2}, NULL);
    assert_cells_refused(*state, (int[]){2, 3}, (int[]){0, 1, 3}, "numbers that cannot be");
    assert_cells_refused(*state, (int[]){2, 3}, (int[]){0, -1, 2}, "numbers that cannot be");
    assert_cells_refused(*state, (int[]){3, 2}, (int[]){0, 1, 2}, "end before they start");
    assert_cells_refused(*state, (int[]){2, 4}, (int[]){0, 1, 2}, "'connectivity' is damaged");
    assert_cells_refused(*state, (int[]){-1, 3}, (int[]){0, 1, 2}, "numbers that cannot be");
    assert_cells_refused(*state, (int[]){2, INT32_MAX}, (int[]){0, 1, 2}, "'connectivity' is damaged");
}

static void a_file_that_is_not_there_is_an_io_error(void **state)
{
    Scratch *scratch = *state;
    StickVtuFile *file;
    assert_int_equal(stick_vtu_open(scratch->ctx, scratch_path(scratch, "none.vtu"), &file), STICK_IO);
}

static StickStatus open_and_read(StickContext *ctx, void *path)
{
    char *bytes;
    size_t count;
    StickVtuFile *file;
    STICK_TRY(stick_vtu_open(ctx, path, &file));
    stick_vtu_close(file);
    STICK_TRY(stick_file_read(ctx, path, &bytes, &count));
    StickStatus status = read_all(ctx, bytes, count);
    stick_free(ctx, bytes);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    Scratch *scratch = *state;
    char path[512];
    snprintf(path, sizeof path, "%s", scratch_path(scratch, "grid.vtu"));
    assert_ok(scratch->ctx, stick_vtu_write(scratch->ctx, path, &two_bodies));
    assert_survives_failing_memory(open_and_read, path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_scratch(fields_read_back_to_the_same_bits),
        test_with_scratch(points_and_cells_read_back),
        test_with_scratch(grids_of_many_blocks_and_of_none),
        test_with_scratch(cut_off_anywhere_it_is_an_error),
        test_with_scratch(one_wrong_byte_is_survived),
        test_with_scratch(hostile_files_are_refused),
        test_with_scratch(cells_that_cannot_be_are_refused),
        test_with_scratch(a_file_that_is_not_there_is_an_io_error),
        test_with_scratch(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("output.vtu_read", tests, NULL, NULL);
}
