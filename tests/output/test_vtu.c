// SPDX-License-Identifier: Apache-2.0
#include "output/scratch.h"

#include "output/vtu.h"
#include "output/vtu_array.h"

#include <zlib.h>

// ---- an independent reader

static size_t decode_base64(const char *digits, size_t count, unsigned char *bytes)
{
    static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t size = 0;
    for (size_t k = 0; k < count; k += 4) {
        uint32_t group = 0;
        int padding = 0;
        for (int j = 0; j < 4; j++) {
            const char *found = strchr(alphabet, digits[k + j]);
            padding += digits[k + j] == '=';
            assert_true(found || digits[k + j] == '=');
            group = group << 6 | (found ? (uint32_t)(found - alphabet) : 0);
        }
        for (int j = 0; j < 3 - padding; j++)
            bytes[size++] = (unsigned char)(group >> (16 - 8 * j));
    }
    return size;
}

// The text between the tags of an array.
static const char *find_array(const char *file, const char *name, const char *type, size_t *count)
{
    char tag[256];
    snprintf(tag, sizeof tag, "<DataArray type=\"%s\" Name=\"%s\"", type, name);
    const char *start = strstr(file, tag);
    assert_non_null(start);
    start = strchr(start, '>') + 1;
    *count = strcspn(start, "<");
    assert_int_equal(*count % 4, 0);
    return start;
}

// Inflates all blocks of an array into values, whose size must be met exactly; returns the number of blocks.
static uint64_t read_array(const char *file, const char *name, const char *type, void *values, size_t size)
{
    size_t count, used = 0;
    const char *digits = find_array(file, name, type, &count);
    unsigned char *bytes = malloc(count + 3);
    uint64_t header[64];
    decode_base64(digits, 12, bytes);
    memcpy(header, bytes, 8);
    assert_in_range(header[0], 0, 60);
    size_t header_size = (3 + header[0]) * 8, header_digits = (header_size + 2) / 3 * 4;
    decode_base64(digits, header_digits, bytes);
    memcpy(header, bytes, header_size);
    size_t packed = decode_base64(digits + header_digits, count - header_digits, bytes), at = 0;
    for (uint64_t block = 0; block < header[0]; block++) {
        bool partial = block == header[0] - 1 && header[2] > 0;
        uLongf expected = partial ? header[2] : header[1], got = (uLongf)(size - used);
        assert_int_equal(uncompress((unsigned char *)values + used, &got, bytes + at, header[3 + block]),
                         Z_OK);
        assert_int_equal(got, expected);
        used += got;
        at += header[3 + block];
    }
    assert_int_equal(at, packed);
    assert_int_equal(used, size);
    free(bytes);
    return header[0];
}

static char *write_and_load(Scratch *scratch, const StickVtu *grid)
{
    char *bytes;
    size_t count;
    const char *path = scratch_path(scratch, "grid.vtu");
    assert_ok(scratch->ctx, stick_vtu_write(scratch->ctx, path, grid));
    assert_ok(scratch->ctx, stick_file_read(scratch->ctx, path, &bytes, &count));
    assert_well_formed_xml(path);
    return bytes;
}

// ---- two bodies: a square of one quadrilateral and a triangle, and a rigid point without stress

static const double square_x[] = {0, 0, 1, 0, 1, 1, 0, 1}, triangle_x[] = {2, 0, 3, 0, 2, 1.0 / 3},
                    point_x[] = {5};
static const int square_start[] = {0, 4, 7}, square_node[] = {0, 1, 2, 3, 0, 1, 2};
static const int point_start[] = {0, 1}, point_node[] = {0};
static const int triangle_start[] = {0, 3}, triangle_node[] = {0, 1, 2};
static const unsigned char square_type[] = {9, 5}, triangle_type[] = {5}, point_type[] = {1};
static const double square_v[] = {1, 2, 3, 4, 5, 6, 7, -0.0}, triangle_v[] = {9, 10, 11, 12, 13, 1e-310};
static const double point_v[] = {0.1, 0.2};
static const double square_p[] = {1.5, 0.1, 1e-50, -2}, triangle_p[] = {3, 4, 5};
static const int square_status[] = {0, 2}, triangle_status[] = {7};
static const void *const square_fields[] = {square_v, square_p}, *const triangle_fields[] = {triangle_v,
                                                                                             triangle_p};
static const void *const point_fields[] = {point_v, NULL};
static const void *const square_cells[] = {square_status}, *const triangle_cells[] = {triangle_status};

static const StickVtuPiece pieces[] = {
    {2, 4, square_x, 2, square_start, square_node, square_type, square_fields, square_cells},
    {2, 3, triangle_x, 1, triangle_start, triangle_node, triangle_type, triangle_fields, triangle_cells},
    {1, 1, point_x, 1, point_start, point_node, point_type, point_fields, NULL},
};
static const StickVtuField point_form[] = {{"velocity", STICK_VTU_REAL, 2, 3, NULL},
                                           {"pressure", STICK_VTU_SINGLE, 1, 0, NULL}};
static const StickVtuField cell_form[] = {{"status", STICK_VTU_INTEGER, 1, 0, NULL}};
static const StickVtu two_bodies = {0.1, 3, pieces, 2, point_form, 1, cell_form};

static void points_and_cells_of_all_pieces_read_back(void **state)
{
    Scratch *scratch = *state;
    char *file = write_and_load(scratch, &two_bodies);
    double x[24];
    int64_t connectivity[11], offsets[4];
    unsigned char types[4];
    assert_non_null(strstr(file, "<Piece NumberOfPoints=\"8\" NumberOfCells=\"4\">"));
    read_array(file, "Points", "Float64", x, sizeof x);
    read_array(file, "connectivity", "Int64", connectivity, sizeof connectivity);
    read_array(file, "offsets", "Int64", offsets, sizeof offsets);
    read_array(file, "types", "UInt8", types, sizeof types);
    const double x_expected[] = {0, 0, 0, 1, 0, 0, 1, 1,       0, 0, 1, 0,
                                 2, 0, 0, 3, 0, 0, 2, 1.0 / 3, 0, 5, 0, 0};
    const int64_t connectivity_expected[] = {0, 1, 2, 3, 0, 1, 2, 4, 5, 6, 7},
                  offsets_expected[] = {4, 7, 10, 11};
    assert_memory_equal(x, x_expected, sizeof x);
    assert_memory_equal(connectivity, connectivity_expected, sizeof connectivity);
    assert_memory_equal(offsets, offsets_expected, sizeof offsets);
    assert_memory_equal(types, ((unsigned char[]){9, 5, 5, 1}), sizeof types);
    stick_free(scratch->ctx, file);
}

static void fields_read_back_to_the_same_bits(void **state)
{
    Scratch *scratch = *state;
    char *file = write_and_load(scratch, &two_bodies);
    double v[24];
    float p[8];
    int32_t status[4];
    read_array(file, "velocity", "Float64", v, sizeof v);
    read_array(file, "pressure", "Float32", p, sizeof p);
    read_array(file, "status", "Int32", status, sizeof status);
    const double v_expected[] = {1, 2,  0, 3,  4,  0, 5,  6,      0, 7,   -0.0, 0,
                                 9, 10, 0, 11, 12, 0, 13, 1e-310, 0, 0.1, 0.2,  0};
    const float p_expected[] = {1.5f, 0.1f, 0, -2, 3, 4, 5};
    assert_memory_equal(v, v_expected, sizeof v);
    assert_memory_equal(p, p_expected, sizeof p_expected);
    assert_true(isnan(p[7]));
    assert_memory_equal(status, ((int32_t[]){0, 2, 7, -1}), sizeof status);
    assert_non_null(strstr(file, "Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">0.1<"));
    stick_free(scratch->ctx, file);
}

// n points without cells, each with one integer: 4 n bytes
static void blocks_are_cut_where_they_should(void **state)
{
    Scratch *scratch = *state;
    enum { N = STICK_VTU_BLOCK / 2 }; // two whole blocks
    static double x[N + 1];
    static int numbers[N + 1], back[N + 1];
    for (int k = 0; k <= N; k++) {
        x[k] = sin(k);
        numbers[k] = k * 7919 % 1000;
    }
    for (int n = N - 1; n <= N + 1; n++) {
        const void *const data[] = {numbers};
        StickVtuPiece piece = {.dim = 1, .npoints = n, .x = x, .point_data = data};
        StickVtuField field = {"number", STICK_VTU_INTEGER, 1, 0, NULL};
        StickVtu grid = {.npieces = 1, .piece = &piece, .npoint_fields = 1, .point_field = &field};
        char *file = write_and_load(scratch, &grid);
        assert_int_equal(read_array(file, "number", "Int32", back, 4 * (size_t)n), n <= N ? 2 : 3);
        assert_memory_equal(back, numbers, 4 * (size_t)n);
        stick_free(scratch->ctx, file);
    }
}

static void an_empty_grid_is_a_file_too(void **state)
{
    Scratch *scratch = *state;
    StickVtu grid = {.time = 0, .ncell_fields = 1, .cell_field = cell_form};
    char *file = write_and_load(scratch, &grid);
    char nothing;
    assert_int_equal(read_array(file, "Points", "Float64", &nothing, 0), 0);
    assert_int_equal(read_array(file, "status", "Int32", &nothing, 0), 0);
    stick_free(scratch->ctx, file);
}

static void any_name_makes_well_formed_xml(void **state)
{
    Scratch *scratch = *state;
    static const char *const components[] = {"x<y", "\"", "\xFF"};
    StickVtuField form[] = {{"a\"/><evil b='&'\n\x01", STICK_VTU_REAL, 2, 3, components}, point_form[1]};
    StickVtu grid = two_bodies;
    grid.point_field = form;
    char *file = write_and_load(scratch, &grid);
    assert_non_null(strstr(file, "Name=\"a&quot;/&gt;&lt;evil b=&#39;&amp;&#39;&#10;\xEF\xBF\xBD\""));
    assert_non_null(
        strstr(file, "ComponentName0=\"x&lt;y\" ComponentName1=\"&quot;\" ComponentName2=\"\xEF\xBF\xBD\""));
    stick_free(scratch->ctx, file);
}

static void same_grid_same_bytes(void **state)
{
    Scratch *scratch = *state;
    char *first = write_and_load(scratch, &two_bodies), *second = write_and_load(scratch, &two_bodies);
    assert_string_equal(first, second);
    stick_free(scratch->ctx, first);
    stick_free(scratch->ctx, second);
}

static void assert_refused(Scratch *scratch, const StickVtu *grid, const char *words)
{
    const char *path = scratch_path(scratch, "refused.vtu");
    assert_int_equal(stick_vtu_write(scratch->ctx, path, grid), STICK_BAD_INPUT);
    assert_error_says(scratch->ctx, words);
    assert_false(stick_file_exists(path));
}

static void wrong_grids_are_refused_by_name(void **state)
{
    Scratch *scratch = *state;
    StickVtuPiece piece = pieces[0];
    StickVtuField field = point_form[0];
    StickVtu grid = {0, 1, &piece, 1, &field, 0, NULL};
    grid.time = NAN;
    assert_refused(scratch, &grid, "the time nan");
    grid.time = 0;
    piece.node = (const int[]){0, 1, 2, 4, 0, 1, 2};
    assert_refused(scratch, &grid, "piece 0: cell 0 uses point 4 of 4");
    piece = pieces[0];
    piece.start = (const int[]){0, 4, 3};
    assert_refused(scratch, &grid, "cell 1 has nodes 4 to 3");
    piece = pieces[0];
    piece.type = (const unsigned char[]){9, 0};
    assert_refused(scratch, &grid, "cell 1 has no type");
    piece = pieces[0];
    piece.dim = 4;
    assert_refused(scratch, &grid, "dimension 4");
    piece = pieces[0];
    field.stored = 1;
    assert_refused(scratch, &grid, "field 'velocity' has 2 components, but only 1 are stored");
    field = point_form[0];
    field.kind = (StickVtuKind)3;
    assert_refused(scratch, &grid, "field 'velocity' is of the unknown kind 3");
    field = point_form[0];
    field.name = "";
    assert_refused(scratch, &grid, "field 0 has no name");
    StickVtuField twice[] = {point_form[0], point_form[0]};
    grid.npoint_fields = 2;
    grid.point_field = twice;
    assert_refused(scratch, &grid, "two fields have the name 'velocity'");
}

static void a_file_that_cannot_be_written_is_an_io_error(void **state)
{
    Scratch *scratch = *state;
    const char *path = scratch_path(scratch, "no/such/folder.vtu");
    assert_int_equal(stick_vtu_write(scratch->ctx, path, &two_bodies), STICK_IO);
    assert_error_says(scratch->ctx, "folder.vtu");
}

static StickStatus write_two_bodies(StickContext *ctx, void *path)
{
    StickStatus status = stick_vtu_write(ctx, path, &two_bodies);
    if (status != STICK_OK)
        assert_false(stick_file_exists(path));
    return status;
}

static void every_allocation_may_fail(void **state)
{
    char path[512];
    snprintf(path, sizeof path, "%s", scratch_path(*state, "grid.vtu"));
    assert_survives_failing_memory(write_two_bodies, path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_scratch(points_and_cells_of_all_pieces_read_back),
        test_with_scratch(fields_read_back_to_the_same_bits),
        test_with_scratch(blocks_are_cut_where_they_should),
        test_with_scratch(an_empty_grid_is_a_file_too),
        test_with_scratch(any_name_makes_well_formed_xml),
        test_with_scratch(same_grid_same_bytes),
        test_with_scratch(wrong_grids_are_refused_by_name),
        test_with_scratch(a_file_that_cannot_be_written_is_an_io_error),
        test_with_scratch(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("output.vtu", tests, NULL, NULL);
}
