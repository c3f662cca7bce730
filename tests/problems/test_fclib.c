// SPDX-License-Identifier: Apache-2.0
#include "output/scratch.h"
#include "problems/fclib.h"
#include "problems/hdf5_files.h"
#include "problems/texts.h"

static void what_is_written_reads_back(void **state)
{
    Scratch *scratch = *state;
    StickContext *ctx = scratch->ctx;
    StickProblemFile *text, *file;
    const double r[] = {0.1, 0.02, 0.3, -1. / 3}, u[] = {0, 1, 2, 3};
    assert_ok(ctx, read_text(ctx, TWO_CONTACTS TWO_BLOCKS TWO_VECTORS, STICK_PROBLEM_FRICTION, &text));
    StickFrictionProblem problem = stick_problem_friction(text);
    const char *path = scratch_path(scratch, "local.hdf5");
    assert_ok(ctx, stick_fclib_write(ctx, path, &problem, r, u));
    assert_ok(ctx, stick_problem_read(ctx, path, STICK_PROBLEM_AUTO, &file));
    assert_int_equal(file->kind, STICK_PROBLEM_FRICTION);
    assert_int_equal(file->friction.dim, 2);
    assert_int_equal(file->friction.ncontacts, 2);
    assert_memory_equal(file->friction.W.start, problem.W->start, 3 * sizeof(int));
    assert_memory_equal(file->friction.W.col, problem.W->col, 3 * sizeof(int));
    assert_memory_equal(file->friction.W.value, problem.W->value, 12 * sizeof(double));
    assert_memory_equal(file->friction.u_free, problem.u_free, 4 * sizeof(double));
    assert_memory_equal(file->friction.mu, problem.mu, 2 * sizeof(double));
    assert_memory_equal(file->solution.r, r, sizeof r);
    assert_int_equal(file->nguesses, 0);
    stick_problem_destroy(file);
    assert_int_equal(stick_problem_read(ctx, path, STICK_PROBLEM_LCP, &file), STICK_BAD_INPUT);
    assert_error_says(ctx, "holds a friction problem instead of a lcp one");
    stick_problem_destroy(text);
}

// FCLIB keeps a mu per contact and nothing else of friction.
static void sections_cannot_be_written(void **state)
{
    Scratch *scratch = *state;
    StickContext *ctx = scratch->ctx;
    StickProblemFile *text;
    StickSection section = {.kind = STICK_SECTION_INTERVAL, .mu = {0.2, 0.3}};
    const StickSection *sections[] = {NULL, &section};
    assert_ok(ctx, read_text(ctx, TWO_CONTACTS TWO_BLOCKS TWO_VECTORS, STICK_PROBLEM_FRICTION, &text));
    StickFrictionProblem problem = stick_problem_friction(text);
    problem.section = sections;
    const char *path = scratch_path(scratch, "sections.hdf5");
    assert_int_equal(stick_fclib_write(ctx, path, &problem, NULL, NULL), STICK_USAGE);
    assert_error_says(ctx, "FCLIB has no anisotropic friction");
    assert_error_says(ctx, "contact 1 is one-sided");
    FILE *file = fopen(path, "rb");
    assert_null(file);
    sections[1] = NULL;
    assert_ok(ctx, stick_fclib_write(ctx, path, &problem, NULL, NULL));
    stick_problem_destroy(text);
}

// ---- files made by hand

static hid_t start_local(Scratch *scratch)
{
    hid_t file = H5Fcreate(scratch_path(scratch, "made.hdf5"), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(file >= 0);
    put_ints(file, "/fclib_local/spacedim", 2);
    put_numbers(file, "/fclib_local/vectors/q", -1, 0.5);
    put_numbers(file, "/fclib_local/vectors/mu", 0.5);
    put_ints(file, "/fclib_local/W/m", 2);
    put_ints(file, "/fclib_local/W/n", 2);
    return file;
}

static StickStatus read_made(Scratch *scratch, StickProblemFile **file)
{
    return stick_problem_read(scratch->ctx, scratch_path(scratch, "made.hdf5"), STICK_PROBLEM_AUTO, file);
}

static void assert_W(Scratch *scratch, const double W[4])
{
    StickProblemFile *problem;
    assert_ok(scratch->ctx, read_made(scratch, &problem));
    assert_memory_equal(problem->friction.W.value, W, 4 * sizeof *W);
    stick_problem_destroy(problem);
}

// i are rows and p columns; entries after nz are ignored, repeated ones are summed.
static void triplets(void **state)
{
    hid_t file = start_local(*state);
    put_ints(file, "/fclib_local/W/nz", 4);
    put_ints(file, "/fclib_local/W/i", 0, 0, 1, 0, 7);
    put_ints(file, "/fclib_local/W/p", 0, 1, 1, 0, 7);
    put_numbers(file, "/fclib_local/W/x", 1, 5, 3, 1, 9);
    put_ints(file, "/guesses/number_of_guesses", 1);
    put_numbers(file, "/guesses/1/r", 4, 2);
    H5Fclose(file);
    assert_W(*state, (const double[]){2, 5, 0, 3});
    StickProblemFile *problem;
    assert_ok(((Scratch *)*state)->ctx, read_made(*state, &problem));
    assert_near(problem->guess[0].r[1], 2, 0);
    stick_problem_destroy(problem);
}

static void columns_and_rows(void **state)
{
    static const double W[2][4] = {{2, 0, 5, 3}, {2, 5, 0, 3}};
    for (int by_rows = 0; by_rows < 2; by_rows++) {
        hid_t file = start_local(*state);
        put_ints(file, "/fclib_local/W/nz", -1 - by_rows);
        put_ints(file, "/fclib_local/W/p", 0, 2, 3);
        put_ints(file, "/fclib_local/W/i", 1, 0, 1);
        put_numbers(file, "/fclib_local/W/x", 5, 2, 3);
        H5Fclose(file);
        assert_W(*state, W[by_rows]);
    }
}

static void global_is_read(void **state)
{
    Scratch *scratch = *state;
    hid_t file = H5Fcreate(scratch_path(scratch, "made.hdf5"), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    put_ints(file, "/fclib_global/spacedim", 2);
    put_numbers(file, "/fclib_global/vectors/mu", 0.5);
    put_numbers(file, "/fclib_global/vectors/w", 1, 2);
    put_numbers(file, "/fclib_global/vectors/f", 3, 4, 5);
    static const char *const groups[] = {"M", "H"};
    for (int k = 0; k < 2; k++) {
        char name[64];
#define MEMBER(text) (snprintf(name, sizeof name, "/fclib_global/%s/%s", groups[k], text), name)
        put_ints(file, MEMBER("m"), 3);
        put_ints(file, MEMBER("n"), 3 - k);
        put_ints(file, MEMBER("nz"), 2);
        put_ints(file, MEMBER("i"), 0, 2);
        put_ints(file, MEMBER("p"), 0, 1);
        put_numbers(file, MEMBER("x"), 6, 7);
#undef MEMBER
    }
    H5Fclose(file);
    StickProblemFile *problem;
    assert_ok(scratch->ctx, read_made(scratch, &problem));
    assert_int_equal(problem->kind, STICK_PROBLEM_GLOBAL);
    assert_int_equal(problem->global.H.rows, 3);
    assert_int_equal(problem->global.H.cols, 2);
    assert_int_equal(stick_sparse_find(&problem->global.H, 2, 1), 1);
    assert_near(problem->global.f[2], 5, 0);
    stick_problem_destroy(problem);
}

typedef struct Wrong {
    int nz;
    int p[3], i[3];
    double x[3];
    const char *says;
} Wrong;

static void wrong_matrices_are_told(void **state)
{
    static const Wrong wrongs[] = {
        {4, {0, 0, 1}, {0, 1, 1}, {1, 1, 1}, "nz = 4 entries, but 3, 3 and 3"},
        {-3, {0, 0, 1}, {0, 1, 1}, {1, 1, 1}, "nz = -3 is neither"},
        {3, {0, 0, 2}, {0, 1, 1}, {1, 1, 1}, "an entry at (1, 2)"},
        {3, {0, 0, 1}, {0, -1, 1}, {1, 1, 1}, "an entry at (-1, 0)"},
        {-1, {1, 2, 3}, {0, 1, 1}, {1, 1, 1}, "are not the 3 starts"},
        {-1, {0, 4, 3}, {0, 1, 1}, {1, 1, 1}, "W/p[1] = 4 does not follow 0"},
        {-2, {0, 2, 1}, {0, 1, 1}, {1, 1, 1}, "W/p[2] = 1 does not follow 2"},
        {3, {0, 0, 1}, {0, 1, 1}, {1, INFINITY, 1}, "W/x[1] = inf is not finite"},
    };
    Scratch *scratch = *state;
    for (size_t k = 0; k < sizeof wrongs / sizeof *wrongs; k++) {
        StickProblemFile *problem = NULL;
        hid_t file = start_local(scratch);
        put_ints(file, "/fclib_local/W/nz", wrongs[k].nz);
        put(file, "/fclib_local/W/p", H5T_NATIVE_INT, wrongs[k].p, 3);
        put(file, "/fclib_local/W/i", H5T_NATIVE_INT, wrongs[k].i, 3);
        put(file, "/fclib_local/W/x", H5T_NATIVE_DOUBLE, wrongs[k].x, 3);
        H5Fclose(file);
        assert_int_equal(read_made(scratch, &problem), STICK_BAD_INPUT);
        assert_error_says(scratch->ctx, wrongs[k].says);
        assert_null(problem);
    }
}

static void missing_and_unsupported_parts_are_told(void **state)
{
    Scratch *scratch = *state;
    StickProblemFile *problem;
    H5Fclose(start_local(scratch));
    assert_int_equal(read_made(scratch, &problem), STICK_BAD_INPUT);
    assert_error_says(scratch->ctx, "/fclib_local/W/nz is missing");
    hid_t file = start_local(scratch);
    put_ints(file, "/fclib_local/V/m", 1);
    H5Fclose(file);
    assert_int_equal(read_made(scratch, &problem), STICK_BAD_INPUT);
    assert_error_says(scratch->ctx, "only one of /fclib_local/V and /fclib_local/R is present");
    file = start_local(scratch);
    put_ints(file, "/fclib_global_rolling/spacedim", 5);
    H5Fclose(file);
    assert_int_equal(read_made(scratch, &problem), STICK_BAD_INPUT);
    assert_error_says(scratch->ctx, "rolling");
    file = start_local(scratch);
    put_numbers(file, "/fclib_local/W/nz", 1);
    H5Fclose(file);
    assert_int_equal(read_made(scratch, &problem), STICK_BAD_INPUT);
    assert_error_says(scratch->ctx, "is not of integers");
}

// A list that claims more than the file has is refused before any memory is taken for it.
static void claimed_sizes_are_checked(void **state)
{
    Scratch *scratch = *state;
    StickProblemFile *problem;
    hid_t file = H5Fcreate(scratch_path(scratch, "made.hdf5"), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    put_ints(file, "/fclib_local/spacedim", 2);
    hid_t group = H5Gcreate2(file, "/fclib_local/vectors", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    hsize_t size = 1000000000;
    hid_t space = H5Screate_simple(1, &size, NULL);
    H5Dclose(H5Dcreate2(group, "mu", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    H5Sclose(space);
    H5Gclose(group);
    H5Fclose(file);
    assert_int_equal(read_made(scratch, &problem), STICK_BAD_INPUT);
    assert_error_says(scratch->ctx, "claims 1000000000 values");
    assert_below((double)stick_memory_peak(scratch->ctx), 1e6);
}

static void cut_file_is_refused(void **state)
{
    Scratch *scratch = *state;
    StickProblemFile *problem;
    char *bytes;
    size_t count;
    H5Fclose(start_local(scratch));
    const char *path = scratch_path(scratch, "made.hdf5");
    assert_ok(scratch->ctx, stick_file_read(scratch->ctx, path, &bytes, &count));
    assert_ok(scratch->ctx, stick_file_write(scratch->ctx, path, bytes, count / 2));
    stick_free(scratch->ctx, bytes);
    assert_int_equal(read_made(scratch, &problem), STICK_BAD_INPUT);
}

// Elimination of the bilateral row leaves W - V R^-1 V' and q - V R^-1 s; the file keeps all of it.
static void bilateral_rows_are_eliminated_and_kept(void **state)
{
    Scratch *scratch = *state;
    StickProblemFile *problem, *again;
    hid_t file = create_file(scratch_path(scratch, "made.hdf5"));
    put_local(file);
    H5Fclose(file);
    assert_ok(scratch->ctx, read_made(scratch, &problem));
    assert_near(problem->friction.W.value[3], 2.75, 1e-15);
    assert_near(problem->friction.u_free[1], 0, 1e-15);
    assert_near(problem->solution.l[0], 0.75, 0);
    assert_int_equal(problem->nguesses, 1);
    const char *copy = scratch_path(scratch, "copy.hdf5");
    assert_ok(scratch->ctx, stick_fclib_save(scratch->ctx, copy, problem));
    assert_ok(scratch->ctx, stick_problem_read(scratch->ctx, copy, STICK_PROBLEM_FRICTION, &again));
    assert_memory_equal(again->mixed.R.value, problem->mixed.R.value, sizeof(double));
    assert_memory_equal(again->friction.W.value, problem->friction.W.value, 4 * sizeof(double));
    assert_memory_equal(again->guess[0].r, problem->guess[0].r, 2 * sizeof(double));
    assert_memory_equal(again->solution.r, problem->solution.r, 2 * sizeof(double));
    stick_problem_destroy(again);
    // without the bytes it came from, it is written from its numbers
    stick_free(scratch->ctx, problem->image);
    problem->image = NULL;
    copy = scratch_path(scratch, "again.hdf5");
    assert_ok(scratch->ctx, stick_fclib_save(scratch->ctx, copy, problem));
    assert_ok(scratch->ctx, stick_problem_read(scratch->ctx, copy, STICK_PROBLEM_FRICTION, &again));
    assert_memory_equal(again->mixed.V.value, problem->mixed.V.value, sizeof(double));
    assert_memory_equal(again->friction.u_free, problem->friction.u_free, 2 * sizeof(double));
    stick_problem_destroy(again);
    stick_problem_destroy(problem);
}

static void complementarity_problem_reads_back(void **state)
{
    Scratch *scratch = *state;
    StickProblemFile *text, *file;
    const double z[] = {0.25, 0.5}, w[] = {0, 0};
    assert_ok(scratch->ctx, read_text(scratch->ctx, SMALL_LCP, STICK_PROBLEM_LCP, &text));
    StickProblemFile view = *text;
    view.solution = (StickSolutionData){.r = (double *)z, .u = (double *)w};
    assert_ok(scratch->ctx, stick_fclib_save(scratch->ctx, scratch_path(scratch, "made.hdf5"), &view));
    assert_ok(scratch->ctx, read_made(scratch, &file));
    assert_int_equal(file->kind, STICK_PROBLEM_LCP);
    assert_int_equal(file->lcp.n, 2);
    assert_memory_equal(file->lcp.M, text->lcp.M, 4 * sizeof(double));
    assert_memory_equal(file->lcp.q, text->lcp.q, 2 * sizeof(double));
    assert_memory_equal(file->solution.r, z, sizeof z);
    stick_problem_destroy(file);
    stick_problem_destroy(text);
}

static void same_problem_same_bytes(void **state)
{
    Scratch *scratch = *state;
    StickProblemFile *text;
    char *bytes[2];
    size_t count[2];
    assert_ok(scratch->ctx, read_text(scratch->ctx, ONE_GLOBAL, STICK_PROBLEM_GLOBAL, &text));
    for (int k = 0; k < 2; k++) {
        const char *path = scratch_path(scratch, k ? "one.hdf5" : "two.hdf5");
        assert_ok(scratch->ctx, stick_fclib_save(scratch->ctx, path, text));
        assert_ok(scratch->ctx, stick_file_read(scratch->ctx, path, &bytes[k], &count[k]));
    }
    assert_int_equal(count[0], count[1]);
    assert_memory_equal(bytes[0], bytes[1], count[0]);
    stick_free(scratch->ctx, bytes[0]);
    stick_free(scratch->ctx, bytes[1]);
    stick_problem_destroy(text);
}

// All that can be in a file: bilateral rows, guesses, a solution.
static StickStatus read_and_copy(StickContext *ctx, void *data)
{
    Scratch *scratch = data;
    StickProblemFile *file;
    STICK_TRY(stick_problem_read(ctx, scratch_path(scratch, "made.hdf5"), STICK_PROBLEM_AUTO, &file));
    StickStatus status = stick_fclib_save(ctx, scratch_path(scratch, "copy.hdf5"), file);
    stick_problem_destroy(file);
    return status;
}

static void memory_may_fail_in_a_full_file(void **state)
{
    hid_t file = create_file(scratch_path(*state, "made.hdf5"));
    put_local(file);
    H5Fclose(file);
    assert_survives_failing_memory(read_and_copy, *state);
}

static StickStatus write_and_read(StickContext *ctx, void *data)
{
    Scratch *scratch = data;
    StickProblemFile *text, *file;
    const char *path = scratch_path(scratch, "memory.hdf5");
    STICK_TRY(read_text(ctx, TWO_CONTACTS TWO_BLOCKS TWO_VECTORS, STICK_PROBLEM_FRICTION, &text));
    StickFrictionProblem problem = stick_problem_friction(text);
    StickStatus status = stick_fclib_write(ctx, path, &problem, problem.u_free, problem.u_free);
    stick_problem_destroy(text);
    STICK_TRY(status);
    STICK_TRY(stick_problem_read(ctx, path, STICK_PROBLEM_AUTO, &file));
    stick_problem_destroy(file);
    return STICK_OK;
}

static void memory_may_fail(void **state)
{
    assert_survives_failing_memory(write_and_read, *state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_scratch(what_is_written_reads_back),
        test_with_scratch(sections_cannot_be_written),
        test_with_scratch(triplets),
        test_with_scratch(columns_and_rows),
        test_with_scratch(global_is_read),
        test_with_scratch(wrong_matrices_are_told),
        test_with_scratch(missing_and_unsupported_parts_are_told),
        test_with_scratch(claimed_sizes_are_checked),
        test_with_scratch(cut_file_is_refused),
        test_with_scratch(bilateral_rows_are_eliminated_and_kept),
        test_with_scratch(complementarity_problem_reads_back),
        test_with_scratch(same_problem_same_bytes),
        test_with_scratch(memory_may_fail_in_a_full_file),
        test_with_scratch(memory_may_fail),
    };
    return cmocka_run_group_tests_name("problems.fclib", tests, NULL, NULL);
}
