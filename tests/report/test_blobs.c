// SPDX-License-Identifier: Apache-2.0
#include "report/unpack.h"

#include "base/random.h"

#include <float.h>

static int make_pack(void **state)
{
    StickBlobs *pack = calloc(1, sizeof *pack);
    StickContext *ctx = stick_context_create(NULL);
    if (!pack || !ctx)
        return -1;
    stick_blobs_init(pack, ctx);
    *state = pack;
    return 0;
}

static int drop_pack(void **state)
{
    StickBlobs *pack = *state;
    StickContext *ctx = pack->ctx;
    stick_blobs_destroy(pack);
    size_t left = stick_memory_now(ctx);
    stick_context_destroy(ctx);
    free(pack);
    return left == 0 ? 0 : -1;
}

// ---- numbers as they are

static void assert_same(StickBlobs *pack, StickBlobsType type, const void *numbers, size_t count, size_t size)
{
    int number;
    assert_ok(pack->ctx, stick_blobs_add(pack, type, numbers, count, &number));
    assert_int_equal(number, pack->count - 1);
    void *back = unpack_numbers(&pack->block[number]);
    assert_memory_equal(back, numbers, count * size);
    free(back);
}

static void every_type_reads_back_to_the_same_bits(void **state)
{
    StickBlobs *pack = *state;
    const int8_t small[] = {-128, -1, 0, 127};
    const uint8_t bytes[] = {0, 255, 7};
    const int16_t shorts[] = {INT16_MIN, -1, 0, 1, INT16_MAX};
    const uint32_t words[] = {0, 1, UINT32_MAX, 0x01020304};
    const float singles[] = {0, -0.0f, 1.5f, INFINITY, FLT_MIN};
    const double reals[] = {0, -0.0, 1.0 / 3, -INFINITY, DBL_MAX, 5e-324};
    assert_same(pack, STICK_BLOB_INT8, small, 4, 1);
    assert_same(pack, STICK_BLOB_UINT8, bytes, 3, 1);
    assert_same(pack, STICK_BLOB_INT16, shorts, 5, 2);
    assert_same(pack, STICK_BLOB_UINT32, words, 4, 4);
    assert_same(pack, STICK_BLOB_FLOAT32, singles, 5, 4);
    assert_same(pack, STICK_BLOB_FLOAT64, reals, 6, 8);
    assert_same(pack, STICK_BLOB_UINT32, words, 0, 4);
}

// Larger than every buffer on the way, and with nothing to compress.
static void large_blocks_are_whole(void **state)
{
    StickBlobs *pack = *state;
    enum { COUNT = 60001 };
    static double numbers[COUNT];
    StickRandom random = stick_random_seed(1);
    for (int k = 0; k < COUNT; k++)
        numbers[k] = stick_random_uniform(&random, -1, 1);
    assert_same(pack, STICK_BLOB_FLOAT64, numbers, COUNT, sizeof *numbers);
    memset(numbers, 0, sizeof numbers);
    assert_same(pack, STICK_BLOB_FLOAT64, numbers, COUNT, sizeof *numbers);
}

// ---- quantised numbers

// The error is at most half a scale, by which the range is 65532 or 252 scales wide.
static void assert_quantised(StickBlobs *pack, StickBlobsType type, const double *values, size_t count,
                             size_t width, double range)
{
    int number;
    assert_ok(pack->ctx, stick_blobs_quantise(pack, type, values, count, width, &number));
    const StickBlobsBlock *block = &pack->block[number];
    double *back = unpack_values(block), steps = type == STICK_BLOB_INT8 ? 252 : 65532;
    assert_int_equal(block->width, width);
    assert_near(block->scale, range / steps, 1e-15 * range);
    for (size_t i = 0; i < count; i++) {
        if (isfinite(values[i]))
            assert_near(back[i], values[i], 0.5 * block->scale * (1 + 1e-10));
        else
            assert_true(isnan(back[i]));
    }
    free(back);
}

static void values_are_within_half_a_scale(void **state)
{
    enum { WIDTH = 7, FRAMES = 50, COUNT = WIDTH * FRAMES };
    double wave[COUNT], far[COUNT];
    StickRandom random = stick_random_seed(7);
    for (int k = 0; k < COUNT; k++) {
        wave[k] = stick_random_uniform(&random, -2, 5);
        far[k] = 1e6 + wave[k];
    }
    wave[3] = -2, wave[COUNT - 1] = 5;
    far[3] = 1e6 - 2, far[COUNT - 1] = 1e6 + 5;
    for (StickBlobsType type = STICK_BLOB_INT8; type <= STICK_BLOB_INT16; type += STICK_BLOB_INT16) {
        assert_quantised(*state, type, wave, COUNT, WIDTH, 7);
        assert_quantised(*state, type, wave, COUNT, 0, 7);
        assert_quantised(*state, type, far, COUNT, WIDTH, 7);
    }
}

static void numbers_that_are_none_stay_none(void **state)
{
    double values[] = {NAN, 1, 2, NAN, NAN, 3, 0, NAN, INFINITY};
    assert_quantised(*state, STICK_BLOB_INT16, values, 9, 3, 3);
    assert_quantised(*state, STICK_BLOB_INT8, values, 9, 3, 3);
    double none[] = {NAN, NAN};
    int number;
    StickBlobs *pack = *state;
    assert_ok(pack->ctx, stick_blobs_quantise(pack, STICK_BLOB_INT8, none, 2, 0, &number));
    double *back = unpack_values(&pack->block[number]);
    assert_true(isnan(back[0]) && isnan(back[1]));
    free(back);
}

// A node at rest is seen at rest, whatever others do.
static void zero_stays_zero(void **state)
{
    StickBlobs *pack = *state;
    double values[] = {-0.37, 0, 12.1, 0, 3};
    for (StickBlobsType type = STICK_BLOB_INT8; type <= STICK_BLOB_INT16; type += STICK_BLOB_INT16) {
        int number;
        assert_ok(pack->ctx, stick_blobs_quantise(pack, type, values, 5, 0, &number));
        double *back = unpack_values(&pack->block[number]);
        assert_true(back[1] == 0 && back[3] == 0);
        free(back);
    }
}

static void any_range_has_a_scale(void **state)
{
    StickBlobs *pack = *state;
    const double pairs[][2] = {{3, 3},         {0, 0},           {-DBL_MAX, DBL_MAX},
                               {0, 5e-324},    {1e-310, 3e-310}, {DBL_MAX, DBL_MAX},
                               {1, 1 + 4e-16}, {-1e-300, 1e300}};
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
        int number;
        assert_ok(pack->ctx, stick_blobs_quantise(pack, STICK_BLOB_INT16, pairs[k], 2, 0, &number));
        const StickBlobsBlock *block = &pack->block[number];
        double *back = unpack_values(block);
        assert_true(isfinite(block->scale) && block->scale > 0 && isfinite(block->offset));
        for (int j = 0; j < 2; j++)
            assert_true(fabs(back[j] - pairs[k][j]) <= 0.5001 * block->scale + DBL_EPSILON * fabs(back[j]));
        if (pairs[k][0] == pairs[k][1])
            assert_true(back[0] == pairs[k][0]);
        free(back);
    }
}

// ---- all blocks

static void blocks_are_counted_and_cut(void **state)
{
    StickBlobs *pack = *state;
    const double values[] = {1, 2, 3};
    int number;
    for (int k = 0; k < 20; k++)
        assert_ok(pack->ctx, stick_blobs_add(pack, STICK_BLOB_FLOAT64, values, 3, &number));
    assert_int_equal(number, 19);
    assert_int_equal(pack->bytes, 20 * pack->block[0].length);
    assert_string_equal(pack->block[0].base64, pack->block[19].base64);
    stick_blobs_cut(pack, 3);
    assert_int_equal(pack->count, 3);
    assert_int_equal(pack->bytes, 3 * pack->block[0].length);
    stick_blobs_cut(pack, 5);
    assert_int_equal(pack->count, 3);
}

static void json_says_what_the_page_needs(void **state)
{
    StickBlobs *pack = *state;
    const double values[] = {-1, 0, 1, 1};
    int number;
    StickText text;
    StickJson json;
    stick_text_init(&text, pack->ctx);
    stick_json_init(&json, &text);
    assert_ok(pack->ctx, stick_blobs_add(pack, STICK_BLOB_FLOAT64, values, 4, &number));
    assert_ok(pack->ctx, stick_blobs_quantise(pack, STICK_BLOB_INT8, values, 4, 2, &number));
    stick_json_list(&json);
    stick_blobs_json(&json, pack, 0);
    stick_blobs_json(&json, pack, 1);
    stick_json_end_list(&json);
    assert_ok(pack->ctx, stick_text_status(&text));
    // blanks are nobody's business
    char *to = text.bytes;
    for (char *from = text.bytes; *from; from++)
        if (*from != ' ' && *from != '\n')
            *to++ = *from;
    *to = '\0';
    assert_string_equal(text.bytes,
                        "[{\"block\":0,\"type\":\"float64\",\"count\":4},"
                        "{\"block\":1,\"type\":\"int8\",\"count\":4,\"scale\":0.007936507936507936,"
                        "\"offset\":0,\"width\":2}]");
    stick_text_destroy(&text);
}

static StickStatus pack_some(StickContext *ctx, void *data)
{
    (void)data;
    const double values[] = {1, 2, 3};
    int number;
    StickBlobs pack;
    stick_blobs_init(&pack, ctx);
    StickStatus status = stick_blobs_add(&pack, STICK_BLOB_FLOAT64, values, 3, &number);
    if (status == STICK_OK)
        status = stick_blobs_quantise(&pack, STICK_BLOB_INT16, values, 3, 1, &number);
    stick_blobs_destroy(&pack);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    assert_survives_failing_memory(pack_some, NULL);
}

#define test_with_pack(function) cmocka_unit_test_setup_teardown(function, make_pack, drop_pack)

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_pack(every_type_reads_back_to_the_same_bits),
        test_with_pack(large_blocks_are_whole),
        test_with_pack(values_are_within_half_a_scale),
        test_with_pack(numbers_that_are_none_stay_none),
        test_with_pack(zero_stays_zero),
        test_with_pack(any_range_has_a_scale),
        test_with_pack(blocks_are_counted_and_cut),
        test_with_pack(json_says_what_the_page_needs),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("report.blobs", tests, NULL, NULL);
}
