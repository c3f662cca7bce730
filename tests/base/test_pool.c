// SPDX-License-Identifier: Apache-2.0
#include "check.h"

#include "base/pool.h"

#include <stdatomic.h>
#include <unistd.h>

enum { MOST_PARTS = 500 };

typedef struct Count {
    int times[MOST_PARTS]; // plain: each belongs to its part alone
    atomic_int all;
} Count;

static void count_part(void *data, int part)
{
    Count *count = data;
    count->times[part]++;
    atomic_fetch_add(&count->all, 1);
}

// Run after run without pause, of all sizes: what one run wrote is seen by its caller.
static void every_part_is_done_once(void **state)
{
    StickPool *pool;
    for (int nthreads = 1; nthreads <= 7; nthreads++) {
        assert_ok(*state, stick_pool_create(*state, nthreads, &pool));
        assert_int_equal(stick_pool_threads(pool), nthreads);
        for (int run = 0; run < 2000; run++) {
            int nparts = run % 40;
            Count count = {0};
            stick_pool_run(pool, count_part, &count, nparts);
            assert_int_equal(atomic_load(&count.all), nparts);
            for (int part = 0; part < nparts; part++)
                assert_int_equal(count.times[part], 1);
        }
        stick_pool_destroy(pool);
    }
}

// A chain: each run adds its neighbours' values of the run before.
typedef struct Chain {
    long from[MOST_PARTS], to[MOST_PARTS];
} Chain;

static void add_neighbours(void *data, int part)
{
    Chain *chain = data;
    long left = part > 0 ? chain->from[part - 1] : 0,
         right = part < MOST_PARTS - 1 ? chain->from[part + 1] : 0;
    chain->to[part] = (left + 3 * chain->from[part] + right) % 1000003;
}

static void run_chain(StickContext *ctx, int nthreads, Chain *chain)
{
    StickPool *pool;
    assert_ok(ctx, stick_pool_create(ctx, nthreads, &pool));
    for (int k = 0; k < MOST_PARTS; k++)
        chain->from[k] = k;
    for (int run = 0; run < 300; run++) {
        stick_pool_run(pool, add_neighbours, chain, MOST_PARTS);
        memcpy(chain->from, chain->to, sizeof chain->to);
    }
    stick_pool_destroy(pool);
}

static void a_run_sees_all_of_the_run_before(void **state)
{
    static Chain alone, together;
    run_chain(*state, 1, &alone);
    run_chain(*state, 4, &together);
    assert_memory_equal(alone.to, together.to, sizeof alone.to);
}

static void doze(void *data, int part)
{
    usleep(part % 3 == 0 ? 2000 : 0);
    count_part(data, part);
}

// Long parts, and long pauses between the runs: all sides go to sleep and wake up.
static void sleepers_wake_up(void **state)
{
    StickPool *pool;
    assert_ok(*state, stick_pool_create(*state, 3, &pool));
    for (int run = 0; run < 20; run++) {
        Count count = {0};
        usleep(1000);
        stick_pool_run(pool, doze, &count, 7);
        assert_int_equal(atomic_load(&count.all), 7);
    }
    usleep(5000);
    stick_pool_destroy(pool);
}

// Sums of pieces, added up in their order, are the same bits however many threads made them.
typedef struct Squares {
    int touched[3 * STICK_PIECE + 7];
    double sum[4];
} Squares;

static void square(void *data, int from, int to)
{
    Squares *squares = data;
    for (int i = from; i < to; i++) {
        squares->touched[i]++;
        squares->sum[from / STICK_PIECE] += 0.1 * i * i;
    }
}

static void pieces_are_the_same_on_any_number_of_threads(void **state)
{
    const int count = 3 * STICK_PIECE + 7;
    Squares alone = {0};
    stick_threads_range(NULL, count, square, &alone);
    assert_int_equal(stick_piece_count(count), 4);
    for (int nthreads = 1; nthreads <= 4; nthreads++) {
        Squares together = {0};
        assert_ok(*state, stick_threads_set(*state, nthreads));
        stick_threads_range(*state, count, square, &together);
        assert_memory_equal(&together, &alone, sizeof alone);
        for (int i = 0; i < count; i++)
            assert_int_equal(together.touched[i], 1);
    }
    stick_threads_range(*state, 0, square, NULL); // nothing to do
    assert_ok(*state, stick_threads_set(*state, 1));
}

static StickStatus create_and_run(StickContext *ctx, void *data)
{
    StickPool *pool;
    STICK_TRY(stick_pool_create(ctx, 3, &pool));
    stick_pool_run(pool, count_part, data, 10);
    stick_pool_destroy(pool);
    return STICK_OK;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    Count count = {0};
    assert_survives_failing_memory(create_and_run, &count);
    assert_int_equal(atomic_load(&count.all), 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(every_part_is_done_once),
        test_with_context(a_run_sees_all_of_the_run_before),
        test_with_context(sleepers_wake_up),
        test_with_context(pieces_are_the_same_on_any_number_of_threads),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("base.pool", tests, NULL, NULL);
}
