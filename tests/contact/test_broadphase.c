// SPDX-License-Identifier: Apache-2.0
#include "check.h"

#include "base/random.h"
#include "contact/broadphase.h"

enum { N = 300 };

// How boxes are strewn: how far, how large, and which parts of them are otherwise.
typedef struct Scene {
    const char *name;
    double room[3]; // they stand from 0 to there
    double size;    // at most
    double huge;    // this part of them is as large as the room
    double spread;  // sizes reach down to size / spread
    double grid;    // > 0: coordinates are multiples of it, so that many boxes just touch
} Scene;

static const Scene scenes[] = {
    {"gas", {1, 1, 1}, 0.1, 0, 1, 0},
    {"floors and walls", {1, 1, 1}, 0.05, 0.02, 1, 0},
    {"column", {1e-3, 1e-3, 1}, 0.01, 0, 1, 0},
    {"flat", {1, 1, 0}, 0.05, 0, 1, 0},
    {"many sizes", {1, 1, 1}, 0.5, 0, 1e6, 0},
    {"all overlap", {1e-3, 1e-3, 1e-3}, 1, 0, 1, 0},
    {"touching", {8, 8, 8}, 2, 0, 1, 1},
    {"points", {3, 3, 3}, 0, 0, 1, 1},
    {"very far", {1e308, 1e308, 1e308}, 1e307, 0, 1, 0},
};
enum { NSCENES = sizeof scenes / sizeof *scenes };

static double rounded(const Scene *scene, double x)
{
    return scene->grid > 0 ? scene->grid * round(x / scene->grid) : x;
}

static StickBox random_box(StickRandom *random, const Scene *scene)
{
    StickBox box;
    double size = scene->size * pow(scene->spread, -stick_random_uniform(random, 0, 1));
    int huge = stick_random_uniform(random, 0, 1) < scene->huge;
    for (int k = 0; k < 3; k++) {
        box.low[k] = rounded(scene, stick_random_uniform(random, 0, scene->room[k]));
        double side = huge ? scene->room[k] : stick_random_uniform(random, 0, size);
        box.high[k] = box.low[k] + rounded(scene, side);
    }
    return box;
}

static void shift(StickRandom *random, StickBox *box, double range)
{
    for (int k = 0; k < 3; k++) {
        double d = stick_random_uniform(random, -range, range);
        box->low[k] += d;
        box->high[k] += d;
    }
}

static int touch(const StickBox *a, const StickBox *b, int dim)
{
    for (int k = 0; k < dim; k++)
        if (a->low[k] > b->high[k] || b->low[k] > a->high[k])
            return 0;
    return 1;
}

// Comparing all with all gives the same pairs in the same order.
static void assert_like_brute_force(StickContext *ctx, StickBroadphase *broad, const StickBox *box, int count,
                                    int dim)
{
    const StickBroadphasePair *pair;
    int npairs, found = 0;
    assert_ok(ctx, stick_broadphase_find(broad, box, count, &pair, &npairs));
    for (int a = 0; a < count; a++) {
        for (int b = a + 1; b < count; b++) {
            if (!touch(&box[a], &box[b], dim))
                continue;
            assert_true(found < npairs);
            assert_int_equal(pair[found].a, a);
            assert_int_equal(pair[found].b, b);
            found++;
        }
    }
    assert_int_equal(found, npairs);
}

static void pairs_are_those_of_brute_force(void **state)
{
    StickContext *ctx = *state;
    StickRandom random = stick_random_seed(1);
    const int counts[] = {0, 1, 2, 5, 8, 33, N};
    for (int dim = 2; dim <= 3; dim++) {
        for (int s = 0; s < NSCENES; s++) {
            StickBroadphase *broad;
            assert_ok(ctx, stick_broadphase_create(ctx, dim, &broad));
            // One object is asked about boxes that have nothing to do with those before.
            for (int k = 0; k < 30; k++) {
                StickBox box[N];
                int count = counts[stick_random_bits(&random) % (sizeof counts / sizeof *counts)];
                for (int i = 0; i < count; i++)
                    box[i] = random_box(&random, &scenes[s]);
                assert_like_brute_force(ctx, broad, box, count, dim);
            }
            stick_broadphase_destroy(broad);
        }
    }
}

// All boxes drift and tremble, some jump: now and then the boxes leave what was kept of the past.
static void moving_boxes_are_followed(void **state)
{
    StickContext *ctx = *state;
    StickRandom random = stick_random_seed(2);
    for (int s = 0; s < NSCENES; s++) {
        int dim = 2 + s % 2;
        double way = 1e-2 * fmax(scenes[s].size, 0.1);
        StickBroadphase *broad;
        StickBox box[N];
        assert_ok(ctx, stick_broadphase_create(ctx, dim, &broad));
        for (int i = 0; i < N; i++)
            box[i] = random_box(&random, &scenes[s]);
        for (int step = 0; step < 100; step++) {
            for (int i = 0; i < N; i++) {
                box[i].low[0] += way;
                box[i].high[0] += way;
                shift(&random, &box[i], step < 50 ? 0.1 * way : way);
            }
            if (step % 7 == 0)
                box[step] = random_box(&random, &scenes[s]);
            assert_like_brute_force(ctx, broad, box, N, dim);
        }
        stick_broadphase_destroy(broad);
    }
}

// A few boxes wander among many at rest, by small steps and leaps: the past of all others is kept.
static void wanderers_are_followed(void **state)
{
    StickContext *ctx = *state;
    StickRandom random = stick_random_seed(4);
    for (int s = 0; s < NSCENES; s++) {
        StickBroadphase *broad;
        StickBox box[N];
        assert_ok(ctx, stick_broadphase_create(ctx, 3, &broad));
        for (int i = 0; i < N; i++)
            box[i] = random_box(&random, &scenes[s]);
        for (int step = 0; step < 60; step++) {
            assert_like_brute_force(ctx, broad, box, N, 3);
            for (int i = 0; i < 3; i++)
                shift(&random, &box[i * N / 3], 0.5 * scenes[s].size);
            if (step % 5 == 0)
                box[step] = random_box(&random, &scenes[s]);
        }
        stick_broadphase_destroy(broad);
    }
}

static void many_boxes_are_no_other_matter(void **state)
{
    StickContext *ctx = *state;
    StickRandom random = stick_random_seed(6);
    StickBroadphase *broad;
    StickBox *box;
    const int count = 4000;
    box = stick_alloc(ctx, (size_t)count, sizeof *box);
    assert_non_null(box);
    assert_ok(ctx, stick_broadphase_create(ctx, 3, &broad));
    for (int i = 0; i < count; i++)
        box[i] = random_box(&random, &scenes[1]);
    for (int step = 0; step < 4; step++) {
        assert_like_brute_force(ctx, broad, box, count, 3);
        for (int i = step; i < count; i += step == 0 ? 1 : 100)
            shift(&random, &box[i], 0.05);
    }
    stick_broadphase_destroy(broad);
    stick_free(ctx, box);
}

static void infinite_boxes_touch_what_they_reach(void **state)
{
    StickContext *ctx = *state;
    StickBroadphase *broad;
    StickBox box[] = {
        {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, 0}},
        {{0, 0, 0}, {1, 1, 1}},
        {{0, 0, 1.5}, {1, 1, 2}},
        {{5, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}},
        {{INFINITY, 0, 0}, {INFINITY, 1, 1}},
    };
    assert_ok(ctx, stick_broadphase_create(ctx, 3, &broad));
    for (int step = 0; step < 8; step++) {
        assert_like_brute_force(ctx, broad, box, 5, 3);
        for (int k = 0; k < 3; k++) {
            box[1].low[k] += 0.7;
            box[1].high[k] += 0.7;
        }
    }
    stick_broadphase_destroy(broad);
}

static void what_is_no_box_is_refused(void **state)
{
    StickContext *ctx = *state;
    StickBroadphase *broad;
    StickBox box[3] = {{{0, 0, 0}, {1, 1, 1}}, {{0, 0, 0}, {1, 1, 1}}, {{0, 0, 0}, {1, 1, 1}}};
    const StickBroadphasePair *pair = NULL;
    int npairs = -7;
    assert_int_equal(stick_broadphase_create(ctx, 4, &broad), STICK_USAGE);
    assert_ok(ctx, stick_broadphase_create(ctx, 3, &broad));
    assert_like_brute_force(ctx, broad, box, 3, 3);
    box[1].high[2] = NAN;
    assert_int_equal(stick_broadphase_find(broad, box, 3, &pair, &npairs), STICK_BAD_INPUT);
    assert_non_null(strstr(stick_last_error(ctx), "box 1"));
    box[1].high[2] = -1;
    assert_int_equal(stick_broadphase_find(broad, box, 3, &pair, &npairs), STICK_BAD_INPUT);
    assert_int_equal(stick_broadphase_find(broad, box, -1, &pair, &npairs), STICK_USAGE);
    assert_null(pair);
    assert_int_equal(npairs, -7);
    // An error is forgotten by the next call.
    box[1].high[2] = 1;
    assert_like_brute_force(ctx, broad, box, 3, 3);
    stick_broadphase_destroy(broad);
}

static void the_plane_has_no_third_coordinate(void **state)
{
    StickContext *ctx = *state;
    StickBroadphase *broad;
    StickBox box[2] = {{{0, 0, NAN}, {1, 1, NAN}}, {{0.5, 0.5, 7}, {1, 1, 5}}};
    assert_ok(ctx, stick_broadphase_create(ctx, 2, &broad));
    assert_like_brute_force(ctx, broad, box, 2, 2);
    stick_broadphase_destroy(broad);
}

static void steady_sizes_take_no_memory(void **state)
{
    StickContext *ctx = *state;
    StickRandom random = stick_random_seed(3);
    StickBroadphase *broad;
    StickBox box[N];
    const StickBroadphasePair *pair;
    int npairs;
    size_t calls = 0;
    assert_ok(ctx, stick_broadphase_create(ctx, 3, &broad));
    for (int i = 0; i < N; i++)
        box[i] = random_box(&random, &scenes[0]);
    // All boxes tremble, or a few wander.
    for (int step = 0; step < 200; step++) {
        if (step == 40)
            calls = stick_memory_calls(ctx);
        for (int i = 0; i < N; i += step % 20 < 5 ? 1 : 100)
            shift(&random, &box[i], step % 20 < 5 ? 1e-3 : 2e-2);
        assert_ok(ctx, stick_broadphase_find(broad, box, N, &pair, &npairs));
    }
    assert_int_equal(stick_memory_calls(ctx), calls);
    stick_broadphase_destroy(broad);
}

static StickStatus find_thrice(StickContext *ctx, void *data)
{
    StickRandom random = stick_random_seed(7);
    StickBroadphase *broad;
    StickBox box[60];
    const StickBroadphasePair *pair;
    int npairs;
    (void)data;
    for (int i = 0; i < 60; i++)
        box[i] = random_box(&random, &scenes[1]);
    STICK_TRY(stick_broadphase_create(ctx, 3, &broad));
    StickStatus status = stick_broadphase_find(broad, box, 30, &pair, &npairs);
    if (status == STICK_OK)
        status = stick_broadphase_find(broad, box, 60, &pair, &npairs);
    // One box goes where all are.
    box[7] = (StickBox){{0, 0, 0}, {1, 1, 1}};
    if (status == STICK_OK)
        status = stick_broadphase_find(broad, box, 60, &pair, &npairs);
    stick_broadphase_destroy(broad);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    assert_survives_failing_memory(find_thrice, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(pairs_are_those_of_brute_force),
        test_with_context(moving_boxes_are_followed),
        test_with_context(wanderers_are_followed),
        test_with_context(many_boxes_are_no_other_matter),
        test_with_context(infinite_boxes_touch_what_they_reach),
        test_with_context(what_is_no_box_is_refused),
        test_with_context(the_plane_has_no_third_coordinate),
        test_with_context(steady_sizes_take_no_memory),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("contact.broadphase", tests, NULL, NULL);
}
