// SPDX-License-Identifier: Apache-2.0
#include "check.h"

#include "base/random.h"
#include "contact/bvh.h"

enum { N = 500, QUERIES = 200 };

static void random_boxes(StickRandom *random, StickBox *box, int count, double size)
{
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < 3; k++) {
            box[i].low[k] = stick_random_uniform(random, 0, 1);
            box[i].high[k] = box[i].low[k] + stick_random_uniform(random, 0, size);
        }
    }
}

static int touches(const StickBox *a, const StickBox *b)
{
    for (int k = 0; k < 3; k++)
        if (a->low[k] > b->high[k] || b->low[k] > a->high[k])
            return 0;
    return 1;
}

// The tree finds what a comparison with every box finds, in ascending order.
static void assert_like_brute_force(StickContext *ctx, const StickBvh *bvh, const StickBox *box,
                                    StickRandom *random)
{
    StickHits hits = {0};
    for (int q = 0; q < QUERIES; q++) {
        StickBox asked;
        size_t expected = 0;
        random_boxes(random, &asked, 1, 0.3);
        assert_ok(ctx, stick_bvh_query(bvh, &asked, &hits));
        for (int i = 0; i < bvh->nitems; i++)
            if (touches(&box[i], &asked))
                assert_int_equal(hits.item[expected++], i);
        assert_int_equal(hits.count, expected);
    }
    stick_free(ctx, hits.item);
}

static void queries_agree_with_brute_force(void **state)
{
    StickContext *ctx = *state;
    const int counts[] = {1, 3, 4, 5, 64, N};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        StickRandom random = stick_random_seed(k + 1);
        StickBox box[N];
        StickBvh bvh;
        random_boxes(&random, box, counts[k], 0.1);
        assert_ok(ctx, stick_bvh_create(ctx, box, counts[k], &bvh));
        assert_like_brute_force(ctx, &bvh, box, &random);
        // All boxes move, the tree keeps its shape.
        random_boxes(&random, box, counts[k], 0.2);
        memcpy(bvh.box, box, (size_t)counts[k] * sizeof *box);
        stick_bvh_refit(&bvh);
        assert_like_brute_force(ctx, &bvh, box, &random);
        stick_bvh_destroy(&bvh);
    }
}

static void an_empty_tree_finds_nothing(void **state)
{
    StickContext *ctx = *state;
    StickBvh bvh;
    StickHits hits = {0};
    StickBox everywhere = {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
    assert_ok(ctx, stick_bvh_create(ctx, NULL, 0, &bvh));
    assert_ok(ctx, stick_bvh_query(&bvh, &everywhere, &hits));
    assert_int_equal(hits.count, 0);
    stick_bvh_destroy(&bvh);
}

static void boxes_at_the_same_place_make_a_shallow_tree(void **state)
{
    StickContext *ctx = *state;
    StickBox box[N] = {0};
    StickBvh bvh;
    StickHits hits = {0};
    assert_ok(ctx, stick_bvh_create(ctx, box, N, &bvh));
    assert_ok(ctx, stick_bvh_query(&bvh, &box[0], &hits));
    assert_int_equal(hits.count, N);
    stick_free(ctx, hits.item);
    stick_bvh_destroy(&bvh);
}

static StickStatus build_and_ask(StickContext *ctx, void *data)
{
    StickRandom random = stick_random_seed(7);
    StickBox box[50];
    StickBvh bvh;
    StickHits hits = {0};
    (void)data;
    random_boxes(&random, box, 50, 0.1);
    STICK_TRY(stick_bvh_create(ctx, box, 50, &bvh));
    StickBox all = stick_box_around(box[0].low, 1, INFINITY);
    StickStatus status = stick_bvh_query(&bvh, &all, &hits);
    stick_free(ctx, hits.item);
    stick_bvh_destroy(&bvh);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    assert_survives_failing_memory(build_and_ask, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(queries_agree_with_brute_force),
        test_with_context(an_empty_tree_finds_nothing),
        test_with_context(boxes_at_the_same_place_make_a_shallow_tree),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("contact.bvh", tests, NULL, NULL);
}
