// SPDX-License-Identifier: Apache-2.0
#include "check.h"

#include "base/random.h"
#include "solve/colouring.h"

enum { MOST = 20000, MOST_IN_ROW = 12 };

typedef struct Pattern {
    int start[MOST + 1], col[MOST * MOST_IN_ROW];
    StickBlocks W;
} Pattern;

static Pattern pattern;

// Random blocks near the diagonal; not symmetric.
static void make_pattern(StickRandom *random, int n, double density)
{
    int count = 0;
    for (int row = 0; row < n; row++) {
        pattern.start[row] = count;
        for (int col = row > 5 ? row - 5 : 0; col < n && col <= row + 5; col++)
            if (col == row || stick_random_uniform(random, 0, 1) < density)
                pattern.col[count++] = col;
    }
    pattern.start[n] = count;
    pattern.W = (StickBlocks){3, n, pattern.start, pattern.col, NULL};
}

static int chunk_of(const StickColouring *colouring, int contact)
{
    int k = 0;
    while (colouring->chunk[k].end <= colouring->place[contact])
        k++;
    return k;
}

static int colour_of(const StickColouring *colouring, int chunk)
{
    int k = 0;
    while (colouring->first_chunk[k + 1] <= chunk)
        k++;
    return k;
}

static void assert_valid(const StickColouring *colouring, const StickBlocks *W)
{
    assert_int_equal(colouring->n, W->n);
    for (int c = 0; c < W->n; c++) {
        assert_in_range(colouring->place[c], 0, W->n - 1);
        assert_int_equal(colouring->order[colouring->place[c]], c);
        int chunk = chunk_of(colouring, c);
        for (int k = W->start[c]; k < W->start[c + 1]; k++) {
            int other = chunk_of(colouring, W->col[k]);
            assert_true(other == chunk || colour_of(colouring, other) != colour_of(colouring, chunk));
        }
    }
}

// Chunks follow each other without gaps, and contacts inside one keep their order.
static void assert_chunks_cover(const StickColouring *colouring)
{
    int next = 0;
    assert_int_equal(colouring->first_chunk[colouring->ncolours], colouring->nchunks);
    for (int k = 0; k < colouring->nchunks; k++) {
        StickChunk chunk = colouring->chunk[k];
        assert_int_equal(chunk.first, next);
        assert_in_range(chunk.end - chunk.first, 1, stick_colouring_chunk_size(colouring->n));
        for (int i = chunk.first + 1; i < chunk.end; i++)
            assert_true(colouring->order[i - 1] < colouring->order[i]);
        next = chunk.end;
    }
    assert_int_equal(next, colouring->n);
}

static void no_block_couples_a_colour(void **state)
{
    StickContext *ctx = *state;
    StickColouring colouring = {0};
    StickRandom random = stick_random_seed(1);
    static const int sizes[] = {0, 1, 2, 127, 128, 129, 1000, 5000, MOST};
    for (int k = 0; k < 27; k++) {
        int n = sizes[k / 3];
        make_pattern(&random, n, 0.4 * (k % 3));
        assert_ok(ctx, stick_colouring_reserve(ctx, &colouring, n));
        size_t calls = stick_memory_calls(ctx);
        stick_colouring_make(&colouring, &pattern.W);
        assert_int_equal(stick_memory_calls(ctx), calls);
        assert_valid(&colouring, &pattern.W);
        assert_chunks_cover(&colouring);
    }
    stick_colouring_destroy(ctx, &colouring);
}

// Nobody touches: one colour. A band: even where all of it touches, a chunk has two neighbours.
static void few_colours_where_few_touch(void **state)
{
    StickContext *ctx = *state;
    StickColouring colouring = {0};
    StickRandom random = stick_random_seed(2);
    assert_ok(ctx, stick_colouring_reserve(ctx, &colouring, 5000));
    make_pattern(&random, 5000, 0);
    stick_colouring_make(&colouring, &pattern.W);
    assert_int_equal(colouring.ncolours, 1);
    make_pattern(&random, 5000, 2);
    stick_colouring_make(&colouring, &pattern.W);
    assert_int_equal(colouring.ncolours, 2);
    stick_colouring_destroy(ctx, &colouring);
}

// A block that only one of two contacts sees keeps them apart all the same.
static void one_direction_is_enough(void **state)
{
    StickContext *ctx = *state;
    StickColouring colouring = {0};
    StickRandom random = stick_random_seed(3);
    make_pattern(&random, 400, 0);
    // contact 0 looks at the last one
    memmove(pattern.col + 2, pattern.col + 1, 399 * sizeof(int));
    pattern.col[1] = 399;
    for (int row = 1; row <= 400; row++)
        pattern.start[row]++;
    assert_ok(ctx, stick_colouring_reserve(ctx, &colouring, 400));
    stick_colouring_make(&colouring, &pattern.W);
    assert_valid(&colouring, &pattern.W);
    stick_colouring_destroy(ctx, &colouring);
}

static StickStatus reserve_and_make(StickContext *ctx, void *data)
{
    (void)data;
    StickColouring colouring = {0};
    StickStatus status = stick_colouring_reserve(ctx, &colouring, 1000);
    if (status == STICK_OK)
        stick_colouring_make(&colouring, &pattern.W);
    stick_colouring_destroy(ctx, &colouring);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    StickRandom random = stick_random_seed(4);
    make_pattern(&random, 1000, 0.5);
    assert_survives_failing_memory(reserve_and_make, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(no_block_couples_a_colour),
        test_with_context(few_colours_where_few_touch),
        test_with_context(one_direction_is_enough),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("solve.colouring", tests, NULL, NULL);
}
