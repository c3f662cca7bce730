// SPDX-License-Identifier: Apache-2.0
#include "output/scratch.h"

#include "base/random.h"
#include "output/checkpoint.h"

#include <hdf5.h>

// Every kind of double: signed zeros, denormals, the largest, infinities, quiet and signalling NaNs with
// payload.
static const uint64_t bits[] = {
    0,
    UINT64_C(0x8000000000000000),
    1,
    UINT64_C(0x800FFFFFFFFFFFFF),
    UINT64_C(0x7FEFFFFFFFFFFFFF),
    UINT64_C(0x7FF0000000000000),
    UINT64_C(0xFFF0000000000000),
    UINT64_C(0x7FF8000000000000),
    UINT64_C(0xFFFC0000DEADBEEF),
    UINT64_C(0x7FF0000000000001),
    UINT64_C(0x3FD5555555555555),
};
enum { NBITS = sizeof bits / sizeof *bits };
static const int64_t integers[] = {0, -1, INT64_MAX, INT64_MIN};

static StickStatus put_state(StickCheckpointWriter *writer, double t)
{
    double values[NBITS];
    memcpy(values, bits, sizeof bits);
    STICK_TRY(stick_checkpoint_put_doubles(writer, "body/q", values, NBITS));
    STICK_TRY(stick_checkpoint_put_doubles(writer, "t", &t, 1));
    STICK_TRY(stick_checkpoint_put_integers(writer, "body/status", integers, 4));
    STICK_TRY(stick_checkpoint_put_doubles(writer, "none", NULL, 0));
    STICK_TRY(stick_checkpoint_put_text(writer, "model", "mu: 0.3 # \xC2\xB5\n"));
    return stick_checkpoint_put_text(writer, "empty", "");
}

static StickStatus write_state(StickContext *ctx, const char *path, double t)
{
    StickCheckpointWriter *writer;
    STICK_TRY(stick_checkpoint_create(ctx, path, &writer));
    StickStatus status = put_state(writer, t);
    if (status == STICK_OK)
        return stick_checkpoint_commit(writer);
    stick_checkpoint_abandon(writer);
    return status;
}

static StickCheckpoint *open_state(Scratch *scratch, const char *path)
{
    StickCheckpoint *checkpoint = NULL;
    assert_ok(scratch->ctx, stick_checkpoint_open(scratch->ctx, path, &checkpoint));
    return checkpoint;
}

static void everything_reads_back_to_the_same_bits(void **state)
{
    Scratch *scratch = *state;
    const char *path = scratch_path(scratch, "state.h5");
    double values[NBITS], t = 0;
    int64_t read_integers[4];
    char *model, *empty;
    size_t count = 0;
    assert_ok(scratch->ctx, write_state(scratch->ctx, path, 0.1));
    StickCheckpoint *checkpoint = open_state(scratch, path);
    assert_ok(scratch->ctx, stick_checkpoint_get_doubles(checkpoint, "body/q", values, NBITS));
    assert_ok(scratch->ctx, stick_checkpoint_get_doubles(checkpoint, "t", &t, 1));
    assert_ok(scratch->ctx, stick_checkpoint_get_integers(checkpoint, "body/status", read_integers, 4));
    assert_ok(scratch->ctx, stick_checkpoint_get_doubles(checkpoint, "none", NULL, 0));
    assert_ok(scratch->ctx, stick_checkpoint_count(checkpoint, "body/q", &count));
    assert_ok(scratch->ctx, stick_checkpoint_get_text(checkpoint, "model", &model));
    assert_ok(scratch->ctx, stick_checkpoint_get_text(checkpoint, "empty", &empty));
    assert_memory_equal(values, bits, sizeof bits);
    assert_memory_equal(read_integers, integers, sizeof integers);
    assert_true(t == 0.1);
    assert_int_equal(count, NBITS);
    assert_string_equal(model, "mu: 0.3 # \xC2\xB5\n");
    assert_string_equal(empty, "");
    stick_free(scratch->ctx, model);
    stick_free(scratch->ctx, empty);
    stick_checkpoint_close(checkpoint);
}

static void what_is_not_there_or_different_is_refused_by_name(void **state)
{
    Scratch *scratch = *state;
    StickContext *ctx = scratch->ctx;
    const char *path = scratch_path(scratch, "state.h5");
    double values[NBITS + 1] = {7};
    int64_t numbers[NBITS] = {7};
    char *text = NULL;
    size_t count = 7;
    assert_ok(ctx, write_state(ctx, path, 0));
    StickCheckpoint *checkpoint = open_state(scratch, path);
    assert_true(stick_checkpoint_has(checkpoint, "body/q"));
    assert_false(stick_checkpoint_has(checkpoint, "body/v"));
    assert_false(stick_checkpoint_has(checkpoint, "wheel/q"));
    assert_false(stick_checkpoint_has(checkpoint, "body"));
    assert_false(stick_checkpoint_has(checkpoint, ""));
    assert_int_equal(stick_checkpoint_get_doubles(checkpoint, "body/v", values, 1), STICK_BAD_INPUT);
    assert_error_says(ctx, "holds no 'body/v'");
    assert_int_equal(stick_checkpoint_count(checkpoint, "w", &count), STICK_BAD_INPUT);
    assert_int_equal(stick_checkpoint_get_doubles(checkpoint, "body/q", values, NBITS + 1), STICK_BAD_INPUT);
    assert_error_says(ctx, "'body/q' has 11 values, not 12");
    assert_int_equal(stick_checkpoint_get_integers(checkpoint, "body/q", numbers, NBITS), STICK_BAD_INPUT);
    assert_error_says(ctx, "'body/q' is no list of integers");
    assert_int_equal(stick_checkpoint_get_doubles(checkpoint, "model", values, 1), STICK_BAD_INPUT);
    assert_error_says(ctx, "'model' is no list of doubles");
    assert_int_equal(stick_checkpoint_get_text(checkpoint, "t", &text), STICK_BAD_INPUT);
    assert_error_says(ctx, "'t' is no text");
    assert_true(values[0] == 7 && numbers[0] == 7 && count == 7 && !text);
    stick_checkpoint_close(checkpoint);
}

static void names_are_taken_once(void **state)
{
    Scratch *scratch = *state;
    StickCheckpointWriter *writer;
    const char *path = scratch_path(scratch, "state.h5");
    assert_ok(scratch->ctx, stick_checkpoint_create(scratch->ctx, path, &writer));
    assert_ok(scratch->ctx, stick_checkpoint_put_text(writer, "a", "1"));
    assert_int_equal(stick_checkpoint_put_text(writer, "a", "2"), STICK_BAD_INPUT);
    assert_error_says(scratch->ctx, "cannot put 'a'");
    assert_int_equal(stick_checkpoint_put_text(writer, "", "2"), STICK_BAD_INPUT);
    assert_int_equal(stick_checkpoint_put_text(writer, "a/b", "2"), STICK_BAD_INPUT);
    stick_checkpoint_abandon(writer);
    assert_false(stick_file_exists(path));
}

static double time_of(Scratch *scratch, const char *path)
{
    double t = -1;
    StickCheckpoint *checkpoint = open_state(scratch, path);
    assert_ok(scratch->ctx, stick_checkpoint_get_doubles(checkpoint, "t", &t, 1));
    stick_checkpoint_close(checkpoint);
    return t;
}

// Until a checkpoint is committed, the old one stands; a reader keeps what it opened.
static void a_checkpoint_is_replaced_at_once(void **state)
{
    Scratch *scratch = *state;
    const char *path = scratch_path(scratch, "state.h5");
    StickCheckpointWriter *writer;
    double t = -1;
    assert_ok(scratch->ctx, write_state(scratch->ctx, path, 1));
    assert_ok(scratch->ctx, stick_checkpoint_create(scratch->ctx, path, &writer));
    assert_ok(scratch->ctx, put_state(writer, 2));
    assert_true(time_of(scratch, path) == 1);
    StickCheckpoint *old = open_state(scratch, path);
    assert_ok(scratch->ctx, stick_checkpoint_commit(writer));
    assert_true(time_of(scratch, path) == 2);
    assert_ok(scratch->ctx, stick_checkpoint_get_doubles(old, "t", &t, 1));
    assert_true(t == 1);
    stick_checkpoint_close(old);
    assert_ok(scratch->ctx, stick_checkpoint_create(scratch->ctx, path, &writer));
    stick_checkpoint_abandon(writer);
    assert_true(time_of(scratch, path) == 2);
}

static void a_checkpoint_that_cannot_be_written_is_an_io_error(void **state)
{
    Scratch *scratch = *state;
    assert_int_equal(write_state(scratch->ctx, scratch_path(scratch, "no/state.h5"), 1), STICK_IO);
    assert_error_says(scratch->ctx, "no/state.h5");
    StickCheckpoint *checkpoint = NULL;
    assert_int_equal(stick_checkpoint_open(scratch->ctx, scratch->path, &checkpoint), STICK_IO);
    assert_null(checkpoint);
}

// ---- damage

static void load(Scratch *scratch, const char *path, char **bytes, size_t *count)
{
    assert_ok(scratch->ctx, write_state(scratch->ctx, path, 1));
    assert_ok(scratch->ctx, stick_file_read(scratch->ctx, path, bytes, count));
}

static void assert_damaged(Scratch *scratch, const char *path, const void *bytes, size_t count)
{
    StickCheckpoint *checkpoint = NULL;
    FILE *file = fopen(path, "wb");
    fwrite(bytes, 1, count, file);
    fclose(file);
    StickStatus status = stick_checkpoint_open(scratch->ctx, path, &checkpoint);
    assert_true(status == STICK_IO || status == STICK_BAD_INPUT);
    assert_null(checkpoint);
    assert_error_says(scratch->ctx, "state.h5");
    stick_diagnostics_clear(scratch->ctx);
}

static void a_file_cut_off_anywhere_is_an_error(void **state)
{
    Scratch *scratch = *state;
    const char *path = scratch_path(scratch, "state.h5");
    char *bytes;
    size_t count;
    load(scratch, path, &bytes, &count);
    for (size_t length = 0; length < count; length += length < 600 ? 1 : 61)
        assert_damaged(scratch, path, bytes, length);
    assert_damaged(scratch, path, bytes, count - 1);
    assert_damaged(scratch, path, bytes, count + 1); // the '\0' that ends the text
    stick_free(scratch->ctx, bytes);
}

static void a_single_wrong_bit_is_an_error(void **state)
{
    Scratch *scratch = *state;
    const char *path = scratch_path(scratch, "state.h5");
    char *bytes;
    size_t count;
    load(scratch, path, &bytes, &count);
    StickRandom random = stick_random_seed(3);
    for (int k = 0; k < 300; k++) {
        size_t at = k < 100 ? (size_t)k : stick_random_bits(&random) % count;
        char bit = (char)(1 << stick_random_bits(&random) % 8);
        bytes[at] ^= bit;
        assert_damaged(scratch, path, bytes, count);
        bytes[at] ^= bit;
    }
    stick_free(scratch->ctx, bytes);
}

// Values that changed under a right seal, as by a program that rewrote the file, are found by their own hash.
static void values_that_changed_are_named(void **state)
{
    Scratch *scratch = *state;
    enum { SEAL = 512 };
    const char *path = scratch_path(scratch, "state.h5");
    char *bytes;
    size_t count, at = SEAL;
    double q[NBITS] = {7};
    load(scratch, path, &bytes, &count);
    while (at + 8 < count && memcmp(bytes + at, &bits[8], 8) != 0)
        at++;
    assert_true(at + 8 < count);
    bytes[at] ^= 1;
    char *hash = strstr(bytes, "fnv1a64 ") + strlen("fnv1a64 "), digits[17];
    snprintf(digits, sizeof digits, "%016llx",
             (unsigned long long)stick_hash(STICK_HASH_START, bytes + SEAL, count - SEAL));
    memcpy(hash, digits, 16);
    assert_ok(scratch->ctx, stick_file_write(scratch->ctx, path, bytes, count));
    StickCheckpoint *checkpoint = open_state(scratch, path);
    assert_int_equal(stick_checkpoint_get_doubles(checkpoint, "body/q", q, NBITS), STICK_IO);
    assert_error_says(scratch->ctx, "'body/q' does not match its hash");
    assert_true(q[0] == 7);
    stick_checkpoint_close(checkpoint);
    stick_free(scratch->ctx, bytes);
}

static void another_version_is_said_so(void **state)
{
    Scratch *scratch = *state;
    const char *path = scratch_path(scratch, "state.h5");
    StickCheckpoint *checkpoint;
    char *bytes;
    size_t count;
    load(scratch, path, &bytes, &count);
    memcpy(strstr(bytes, "version 13"), "version 08", 10);
    assert_ok(scratch->ctx, stick_file_write(scratch->ctx, path, bytes, count));
    assert_int_equal(stick_checkpoint_open(scratch->ctx, path, &checkpoint), STICK_BAD_INPUT);
    assert_error_says(scratch->ctx, "has version 8; this program reads version 13");
    stick_free(scratch->ctx, bytes);
}

// ---- what else is relied on

static void same_state_same_bytes(void **state)
{
    Scratch *scratch = *state;
    const char *path = scratch_path(scratch, "state.h5");
    char *first, *second;
    size_t nfirst, nsecond;
    load(scratch, path, &first, &nfirst);
    load(scratch, path, &second, &nsecond);
    assert_int_equal(nfirst, nsecond);
    assert_memory_equal(first, second, nfirst);
    stick_free(scratch->ctx, first);
    stick_free(scratch->ctx, second);
}

// Other programs open the file as plain HDF5, and HDF5's habit of printing errors is as it was before.
static void the_file_is_plain_hdf5(void **state)
{
    Scratch *scratch = *state;
    const char *path = scratch_path(scratch, "state.h5");
    H5E_auto2_t before, after;
    void *data;
    double t = 0;
    H5Eget_auto2(H5E_DEFAULT, &before, &data);
    assert_ok(scratch->ctx, write_state(scratch->ctx, path, 0.25));
    assert_true(time_of(scratch, path) == 0.25);
    H5Eget_auto2(H5E_DEFAULT, &after, &data);
    assert_true(before == after);
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_true(file >= 0);
    hid_t set = H5Dopen2(file, "t", H5P_DEFAULT);
    assert_true(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, &t) >= 0);
    assert_true(t == 0.25);
    H5Dclose(set);
    H5Fclose(file);
}

static void the_hash_is_fnv1a(void **state)
{
    (void)state;
    assert_true(stick_hash(STICK_HASH_START, "", 0) == UINT64_C(0xcbf29ce484222325));
    assert_true(stick_hash(STICK_HASH_START, "a", 1) == UINT64_C(0xaf63dc4c8601ec8c));
    assert_true(stick_hash(STICK_HASH_START, "foobar", 6) == UINT64_C(0x85944171f73967e8));
}

static StickStatus write_and_read(StickContext *ctx, void *path)
{
    StickCheckpoint *checkpoint;
    double q[NBITS];
    int64_t status_values[4];
    char *model = NULL;
    STICK_TRY(write_state(ctx, path, 1));
    STICK_TRY(stick_checkpoint_open(ctx, path, &checkpoint));
    StickStatus status = stick_checkpoint_get_doubles(checkpoint, "body/q", q, NBITS);
    if (status == STICK_OK)
        status = stick_checkpoint_get_integers(checkpoint, "body/status", status_values, 4);
    if (status == STICK_OK)
        status = stick_checkpoint_get_text(checkpoint, "model", &model);
    stick_free(ctx, model);
    stick_checkpoint_close(checkpoint);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    char path[512];
    snprintf(path, sizeof path, "%s", scratch_path(*state, "state.h5"));
    assert_survives_failing_memory(write_and_read, path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_scratch(everything_reads_back_to_the_same_bits),
        test_with_scratch(what_is_not_there_or_different_is_refused_by_name),
        test_with_scratch(names_are_taken_once),
        test_with_scratch(a_checkpoint_is_replaced_at_once),
        test_with_scratch(a_checkpoint_that_cannot_be_written_is_an_io_error),
        test_with_scratch(a_file_cut_off_anywhere_is_an_error),
        test_with_scratch(a_single_wrong_bit_is_an_error),
        test_with_scratch(values_that_changed_are_named),
        test_with_scratch(another_version_is_said_so),
        test_with_scratch(same_state_same_bytes),
        test_with_scratch(the_file_is_plain_hdf5),
        cmocka_unit_test(the_hash_is_fnv1a),
        test_with_scratch(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("output.checkpoint", tests, NULL, NULL);
}
