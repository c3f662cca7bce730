// SPDX-License-Identifier: Apache-2.0
#include "check.h"

#include "base/random.h"
#include "base/vec.h"
#include "contact/projection.h"

// A surface of one piece with the given corners.
typedef struct One {
    StickSurface surface;
    StickPiece piece;
    double place[12];
} One;

static void make_one(One *one, int dim, int ncorners, const double (*corner)[3])
{
    *one = (One){.piece = {.ncorners = ncorners, .corner = {0, 1, 2, 3}, .size = 1}};
    one->surface = (StickSurface){.dim = dim, .nnodes = ncorners, .place = one->place, .npieces = 1};
    one->surface.piece = &one->piece;
    memcpy(one->place, corner, (size_t)ncorners * sizeof *corner);
}

// Nearest point by trying a fine grid of the reference.
static double nearest_by_trying(const One *one, const double place[3])
{
    enum { STEPS = 400 };
    double nearest = INFINITY;
    for (int i = 0; i <= STEPS; i++) {
        for (int j = 0; j <= STEPS; j++) {
            double a = (double)i / STEPS, b = (double)j / STEPS, point[3], d[3];
            double quad[4] = {(1 - a) * (1 - b), a * (1 - b), a * b, (1 - a) * b};
            double triangle[4] = {1 - a, a * (1 - b), a * b, 0};
            stick_piece_point(&one->surface, 0, one->piece.ncorners == 4 ? quad : triangle, point);
            stick_vec_sub(place, point, d);
            nearest = fmin(nearest, stick_vec_norm(d));
        }
    }
    return nearest;
}

static void assert_nearest(const One *one, uint64_t seed, int trials)
{
    StickRandom random = stick_random_seed(seed);
    for (int trial = 0; trial < trials; trial++) {
        double place[3], point[3], d[3], sum = 0;
        StickProjection found;
        for (int k = 0; k < 3; k++)
            place[k] = stick_random_uniform(&random, -1, 2) * (k == 2 ? 0.4 : 1);
        stick_piece_project(&one->surface, 0, place, &found);
        stick_piece_point(&one->surface, 0, found.weight, point);
        stick_vec_sub(place, point, d);
        assert_near(found.distance, stick_vec_norm(d), 1e-14);
        double tried = nearest_by_trying(one, place);
        assert_true(found.distance <= tried + 1e-12 && found.distance >= tried - 5e-3);
        for (int k = 0; k < one->piece.ncorners; k++) {
            assert_true(found.weight[k] >= -1e-9);
            sum += found.weight[k];
        }
        assert_near(sum, 1, 1e-14);
        assert_int_equal(found.inside, found.corner < 0 && found.side < 0);
    }
}

static void triangles(void **state)
{
    (void)state;
    One one;
    make_one(&one, 3, 3, (const double[][3]){{0, 0, 0}, {1, 0.2, 0.1}, {0.3, 1, -0.2}});
    assert_nearest(&one, 1, 60);
}

static void quads_flat_and_warped(void **state)
{
    (void)state;
    One one;
    make_one(&one, 3, 4, (const double[][3]){{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}});
    assert_nearest(&one, 2, 40);
    make_one(&one, 3, 4, (const double[][3]){{0, 0, 0}, {1.2, -0.1, 0}, {0.8, 1.1, 0}, {0.1, 0.7, 0}});
    assert_nearest(&one, 3, 40);
    make_one(&one, 3, 4, (const double[][3]){{0, 0, 0}, {1, 0, 0.15}, {1, 1, 0}, {0, 1, 0.1}});
    assert_nearest(&one, 4, 40);
}

static void lines(void **state)
{
    (void)state;
    One one;
    StickProjection found;
    make_one(&one, 2, 2, (const double[][3]){{1, 1, 0}, {3, 1, 0}});
    stick_piece_project(&one.surface, 0, (double[]){1.5, 4, 0}, &found);
    assert_true(found.inside);
    assert_near(found.weight[0], 0.75, 1e-15);
    assert_near(found.distance, 3, 1e-15);
    stick_piece_project(&one.surface, 0, (double[]){3.5, 1, 0}, &found);
    assert_false(found.inside);
    assert_int_equal(found.corner, 1);
    assert_near(found.overhang, 0.5, 1e-15);
    assert_near(found.foot[1], 1.25, 1e-15);
}

// The inverse of the map from the reference, to rounding.
static void weights_of_a_point_in_the_plane(void **state)
{
    (void)state;
    const double quad[4][2] = {{0, 0}, {2, 0.1}, {1.8, 1.3}, {-0.2, 1}};
    StickRandom random = stick_random_seed(9);
    for (int trial = 0; trial < 200; trial++) {
        double a = stick_random_uniform(&random, 0, 1), b = stick_random_uniform(&random, 0, 1), found[4];
        double N[4] = {(1 - a) * (1 - b), a * (1 - b), a * b, (1 - a) * b}, point[2] = {0};
        for (int k = 0; k < 4; k++)
            point[0] += N[k] * quad[k][0], point[1] += N[k] * quad[k][1];
        assert_true(stick_polygon_weights(4, quad, point, found));
        for (int k = 0; k < 4; k++)
            assert_near(found[k], N[k], 1e-13);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(triangles),
        cmocka_unit_test(quads_flat_and_warped),
        cmocka_unit_test(lines),
        cmocka_unit_test(weights_of_a_point_in_the_plane),
    };
    return cmocka_run_group_tests_name("contact.projection", tests, NULL, NULL);
}
