// SPDX-License-Identifier: Apache-2.0
// Truncated, damaged and malicious files: exactly one error that names the defect.
#include "output/scratch.h"
#include "problems/condense_global.h"
#include "problems/hdf5_files.h"
#include "problems/hdf5_memory.h"
#include "problems/probe.h"

#include "base/random.h"

typedef enum Spoil {
    REMOVE,  // the list or group
    INTS,    // the list holds other integers
    NUMBERS, // ... or numbers
    CLAIM,   // the list claims to be very long
    GROUP,   // a group stands where a list should
    TEXT,    // a text stands there
} Spoil;

typedef struct Wrong {
    bool global;
    Spoil spoil;
    const char *name;
    const char *says;
    StickStatus status; // STICK_BAD_INPUT where it is zero
    int count;
    double value[5];
} Wrong;

#define L "/fclib_local/"
#define G "/fclib_global/"
enum { LOCAL = 0, GLOBAL = 1 };

static const Wrong wrongs[] = {
    // missing datasets
    {LOCAL, REMOVE, "/fclib_local", "it is not an FCLIB file", 0, 0, {0}},
    {LOCAL, REMOVE, L "spacedim", L "spacedim is missing", 0, 0, {0}},
    {LOCAL, REMOVE, L "W", L "W/m is missing", 0, 0, {0}},
    {LOCAL, REMOVE, L "W/m", L "W/m is missing", 0, 0, {0}},
    {LOCAL, REMOVE, L "W/nz", L "W/nz is missing", 0, 0, {0}},
    {LOCAL, REMOVE, L "W/p", L "W/p is missing", 0, 0, {0}},
    {LOCAL, REMOVE, L "W/i", L "W/i is missing", 0, 0, {0}},
    {LOCAL, REMOVE, L "W/x", L "W/x is missing", 0, 0, {0}},
    {LOCAL, REMOVE, L "vectors", L "vectors/mu is missing", 0, 0, {0}},
    {LOCAL, REMOVE, L "vectors/q", L "vectors/q is missing", 0, 0, {0}},
    {LOCAL, REMOVE, L "vectors/s", L "vectors/s is missing", 0, 0, {0}},
    {LOCAL, REMOVE, L "V", "only one of /fclib_local/V and /fclib_local/R is present", 0, 0, {0}},
    {LOCAL, REMOVE, L "R", "only one of /fclib_local/V and /fclib_local/R is present", 0, 0, {0}},
    {LOCAL, REMOVE, "/guesses/1", "/guesses/1 is missing", 0, 0, {0}},
    {GLOBAL, REMOVE, G "M", G "M/m is missing", 0, 0, {0}},
    {GLOBAL, REMOVE, G "H/x", G "H/x is missing", 0, 0, {0}},
    {GLOBAL, REMOVE, G "vectors/f", G "vectors/f is missing", 0, 0, {0}},
    {GLOBAL, REMOVE, G "vectors/b", G "vectors/b is missing", 0, 0, {0}},
    // sizes
    {LOCAL, INTS, L "spacedim", "spacedim = 0 is neither 2 nor 3", 0, 1, {0}},
    {LOCAL, INTS, L "spacedim", "q has 2 values instead of 3", 0, 1, {3}},
    {LOCAL, INTS, L "spacedim", "spacedim has 2 values instead of 1", 0, 2, {2, 2}},
    {LOCAL, INTS, L "spacedim", "spacedim has 0 values", 0, 0, {0}},
    {LOCAL, INTS, L "W/m", "W is -2 by 2", 0, 1, {-2}},
    {LOCAL, INTS, L "W/m", "W is 3 by 2 instead of 2 by 2", 0, 1, {3}},
    {LOCAL, INTS, L "W/n", "W is 2 by 2147483647", 0, 1, {2147483647}},
    {LOCAL, INTS, L "W/nz", "nz = 7 entries", 0, 1, {7}},
    {LOCAL, INTS, L "W/nz", "nz = -3 is neither", 0, 1, {-3}},
    {LOCAL, NUMBERS, L "vectors/q", "q has 3 values instead of 2", 0, 3, {1, 2, 3}},
    {LOCAL, NUMBERS, L "vectors/mu", "q has 2 values instead of 4", 0, 2, {0.1, 0.2}},
    {LOCAL, NUMBERS, L "vectors/s", "V is 2 by 1 instead of 2 by 2", 0, 2, {1, 2}},
    {LOCAL, NUMBERS, "/solution/r", "/solution/r has 1 values instead of 2", 0, 1, {1}},
    {LOCAL, NUMBERS, "/guesses/1/r", "/guesses/1/r has 3 values", 0, 3, {1, 2, 3}},
    {LOCAL, INTS, "/guesses/number_of_guesses", "/guesses/2 is missing", 0, 1, {2}},
    {LOCAL, INTS, "/guesses/number_of_guesses", "number_of_guesses = -1", 0, 1, {-1}},
    {LOCAL, INTS, "/guesses/number_of_guesses", "= 2147483647 is not in", 0, 1, {2147483647}},
    {LOCAL, CLAIM, L "W/x", "claims", 0, 0, {0}},
    {LOCAL, CLAIM, L "vectors/mu", "claims", 0, 0, {0}},
    {GLOBAL, CLAIM, G "vectors/f", "claims", 0, 0, {0}},
    {GLOBAL, NUMBERS, G "vectors/w", "w has 1 values instead of 2", 0, 1, {1}},
    {GLOBAL, NUMBERS, G "vectors/f", "M is 3 by 3 instead of 2 by 2", 0, 2, {1, 2}},
    {GLOBAL, NUMBERS, G "vectors/b", "G is 3 by 1 instead of 3 by 2", 0, 2, {1, 2}},
    {GLOBAL, NUMBERS, "/solution/v", "/solution/v has 2 values instead of 3", 0, 2, {1, 2}},
    // indices
    {LOCAL, INTS, L "W/p", "are not the 3 starts", 0, 2, {0, 2}},
    {LOCAL, INTS, L "W/p", "are not the 3 starts", 0, 3, {1, 1, 2}},
    {LOCAL, INTS, L "W/p", "does not follow", 0, 3, {0, 2, 1}},
    {LOCAL, INTS, L "W/p", "does not follow", 0, 3, {0, -1, 2}},
    {LOCAL, INTS, L "W/p", "does not follow", 0, 3, {0, 1, 2147483647}},
    {LOCAL, INTS, L "W/i", "an entry at (-1, 0)", 0, 2, {-1, 1}},
    {LOCAL, INTS, L "W/i", "an entry at (2, 1)", 0, 2, {0, 2}},
    {LOCAL, INTS, L "W/i", "does not follow", 0, 1, {0}},
    {LOCAL, INTS, L "V/p", "an entry at (1, 1)", 0, 1, {1}},
    {GLOBAL, INTS, G "M/i", "an entry at (-2147483648, 0)", 0, 3, {-2147483648.0, 1, 2}},
    {GLOBAL, INTS, G "G/i", "an entry at (3, 0)", 0, 1, {3}},
    // values
    {LOCAL, NUMBERS, L "W/x", "W/x[1] = nan is not finite", 0, 2, {1, NAN}},
    {LOCAL, NUMBERS, L "vectors/q", "q[0] = inf is not finite", 0, 2, {INFINITY, 1}},
    {LOCAL, NUMBERS, L "vectors/mu", "mu[0] = -0.5 is negative", 0, 1, {-0.5}},
    {LOCAL, NUMBERS, L "vectors/mu", "mu[0] = nan", 0, 1, {NAN}},
    {LOCAL, NUMBERS, "/guesses/1/r", "is not finite", 0, 2, {NAN, 0}},
    {GLOBAL, NUMBERS, G "vectors/b", "b[0] = -inf", 0, 1, {-INFINITY}},
    {LOCAL,
     NUMBERS,
     L "R/x",
     "the matrix R of the bilateral rows, of order 1, is singular",
     STICK_NOT_SOLVED,
     1,
     {0}},
    // kinds
    {LOCAL, NUMBERS, L "W/p", "W/p is not of integers", 0, 3, {0, 1, 2}},
    {LOCAL, INTS, L "W/x", "W/x is not of floating-point numbers", 0, 2, {1, 2}},
    {LOCAL, TEXT, L "spacedim", "spacedim is not of integers", 0, 0, {0}},
    {LOCAL, GROUP, L "W/x", "W/x is no list", 0, 0, {0}},
    {LOCAL, TEXT, L "W", "W/m is missing", 0, 0, {0}},
    {LOCAL, GROUP, "/fclib_global_rolling", "rolling friction", 0, 0, {0}},
    {LOCAL, GROUP, "/fclib_local_rolling", "rolling friction", 0, 0, {0}},
};
#undef L
#undef G

static void put_claim(hid_t file, const char *name)
{
    hsize_t size = (hsize_t)1 << 40;
    hid_t space = H5Screate_simple(1, &size, NULL);
    hid_t set = H5Dcreate2(file, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(set >= 0);
    H5Dclose(set);
    H5Sclose(space);
}

static void put_text(hid_t file, const char *name)
{
    hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    H5Tset_size(type, 5);
    hid_t set = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, "text") >= 0);
    H5Dclose(set);
    H5Sclose(space);
    H5Tclose(type);
}

static void spoil(hid_t file, const Wrong *wrong)
{
    int ints[5];
    for (int k = 0; k < 5; k++)
        ints[k] = isfinite(wrong->value[k]) ? (int)wrong->value[k] : 0;
    if (H5Lexists(file, wrong->name, H5P_DEFAULT) > 0)
        H5Ldelete(file, wrong->name, H5P_DEFAULT);
    switch (wrong->spoil) {
    case REMOVE:
        break;
    case INTS:
        put(file, wrong->name, H5T_NATIVE_INT, ints, (size_t)wrong->count);
        break;
    case NUMBERS:
        put(file, wrong->name, H5T_NATIVE_DOUBLE, wrong->value, (size_t)wrong->count);
        break;
    case CLAIM:
        put_claim(file, wrong->name);
        break;
    case GROUP:
        H5Gclose(H5Gcreate2(file, wrong->name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
        break;
    case TEXT:
        put_text(file, wrong->name);
        break;
    }
}

static void what_is_wrong_is_told(void **state)
{
    Scratch *scratch = *state;
    StickContext *ctx = scratch->ctx;
    char path[512];
    snprintf(path, sizeof path, "%s", scratch_path(scratch, "wrong.hdf5"));
    for (size_t k = 0; k < sizeof wrongs / sizeof *wrongs; k++) {
        const Wrong *wrong = &wrongs[k];
        StickProblemFile *read = NULL;
        size_t before = stick_memory_now(ctx);
        hid_t file = create_file(path);
        wrong->global ? put_global(file) : put_local(file);
        spoil(file, wrong);
        H5Fclose(file);
        StickStatus status = stick_problem_read(ctx, path, STICK_PROBLEM_AUTO, &read);
        if (status != (wrong->status ? wrong->status : STICK_BAD_INPUT))
            fail_msg("%s: status %d", wrong->name, status);
        assert_null(read);
        assert_error_says(ctx, wrong->says);
        if (wrong->status == STICK_OK)
            assert_error_says(ctx, "wrong.hdf5");
        stick_diagnostics_clear(ctx);
        assert_true(stick_memory_now(ctx) <= before + 4096);
    }
    assert_below((double)stick_memory_peak(ctx), 1e6);
}

// Singular only together: G twice the same column is a constraint too many.
static void redundant_rows_are_told(void **state)
{
    Scratch *scratch = *state;
    StickProblemFile *read;
    const char *path = scratch_path(scratch, "twice.hdf5");
    hid_t file = create_file(path);
    put_global(file);
    H5Ldelete(file, "/fclib_global/G", H5P_DEFAULT);
    H5Ldelete(file, "/fclib_global/vectors/b", H5P_DEFAULT);
    put_ints(file, "/fclib_global/G/m", 3);
    put_ints(file, "/fclib_global/G/n", 2);
    put_ints(file, "/fclib_global/G/nz", 2);
    put_ints(file, "/fclib_global/G/p", 0, 1);
    put_ints(file, "/fclib_global/G/i", 2, 2);
    put_numbers(file, "/fclib_global/G/x", 1, 1);
    put_numbers(file, "/fclib_global/vectors/b", 1, 1);
    H5Fclose(file);
    assert_ok(scratch->ctx, stick_problem_read(scratch->ctx, path, STICK_PROBLEM_AUTO, &read));
    StickFrictionData local;
    assert_int_equal(stick_condense_global(scratch->ctx, &read->global, &local), STICK_NOT_SOLVED);
    assert_error_says(scratch->ctx, "M with its bilateral rows G, of order 5, is singular");
    stick_problem_destroy(read);
}

// ---- bytes

static char *good_bytes(Scratch *scratch, const char *path, size_t *count)
{
    char *bytes;
    hid_t file = create_file(path);
    put_local(file);
    H5Fclose(file);
    assert_ok(scratch->ctx, stick_file_read(scratch->ctx, path, &bytes, count));
    return bytes;
}

static StickStatus read_bytes(Scratch *scratch, const char *path, const char *bytes, size_t count)
{
    StickProblemFile *read = NULL;
    assert_ok(scratch->ctx, stick_file_write(scratch->ctx, path, bytes, count));
    StickStatus status = stick_problem_read(scratch->ctx, path, STICK_PROBLEM_AUTO, &read);
    stick_problem_destroy(read);
    return status;
}

static void cut_files_are_refused(void **state)
{
    Scratch *scratch = *state;
    char path[512];
    size_t count;
    snprintf(path, sizeof path, "%s", scratch_path(scratch, "cut.hdf5"));
    char *bytes = good_bytes(scratch, path, &count);
    assert_int_equal(read_bytes(scratch, path, bytes, count), STICK_OK);
    for (size_t k = 1; k < 32; k++) {
        assert_int_equal(read_bytes(scratch, path, bytes, count * k / 32), STICK_BAD_INPUT);
        assert_error_says(scratch->ctx, "cut.hdf5");
    }
    stick_free(scratch->ctx, bytes);
}

// Any bytes may be others: an error or a problem, even where HDF5 itself breaks down, which it does in about one of a
// hundred.
static void spoilt_bytes_do_no_harm(void **state)
{
    Scratch *scratch = *state;
    StickRandom random = stick_random_seed(7);
    char path[512];
    size_t count;
    snprintf(path, sizeof path, "%s", scratch_path(scratch, "spoilt.hdf5"));
    char *bytes = good_bytes(scratch, path, &count);
    for (int k = 0; k < 200; k++) {
        StickProblemFile *read = NULL;
        size_t place = (size_t)(stick_random_bits(&random) % count);
        char kept = bytes[place];
        bytes[place] = (char)(stick_random_bits(&random) & 255);
        assert_ok(scratch->ctx, stick_file_write(scratch->ctx, path, bytes, count));
        StickStatus status = stick_problem_read_apart(scratch->ctx, path, STICK_PROBLEM_AUTO, &read);
        assert_true(status == STICK_OK || status == STICK_BAD_INPUT || status == STICK_NOT_SOLVED);
        stick_problem_destroy(read);
        bytes[place] = kept;
        stick_diagnostics_clear(scratch->ctx);
    }
    stick_free(scratch->ctx, bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_scratch(what_is_wrong_is_told),
        test_with_scratch(redundant_rows_are_told),
        test_with_scratch(cut_files_are_refused),
        test_with_scratch(spoilt_bytes_do_no_harm),
    };
    stick_hdf5_no_closing();
    return cmocka_run_group_tests_name("problems.fclib_hostile", tests, NULL, NULL);
}
