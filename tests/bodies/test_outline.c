// SPDX-License-Identifier: Apache-2.0
#include "base/random.h"
#include "bodies/outline.h"
#include "bodies/polytope.h"
#include "check.h"

enum { MOST = 400 };

// Corners in the plane, two numbers each.
typedef struct Corners {
    int count;
    double x[3 * MOST];
} Corners;

static Corners corners_of(int count, const double *xy)
{
    Corners corners = {.count = count};
    for (int i = 0; i < 2 * count; i++)
        corners.x[i / 2 * 3 + i % 2] = xy[i];
    return corners;
}

static StickCloud cloud_of(const Corners *corners)
{
    return (StickCloud){.who = "body 'stone'", .count = corners->count, .x = corners->x};
}

static StickConvex polygon_of(StickContext *ctx, const Corners *corners)
{
    StickCloud cloud = cloud_of(corners);
    StickConvex shape;
    assert_ok(ctx, stick_outline_polygon(ctx, &cloud, &shape));
    return shape;
}

static StickConvex hull_of(StickContext *ctx, const Corners *corners)
{
    StickCloud cloud = cloud_of(corners);
    StickConvex shape;
    assert_ok(ctx, stick_outline_hull(ctx, &cloud, &shape));
    return shape;
}

static double turn_at(const StickConvex *shape, int k)
{
    int n = shape->nvertices;
    const double *a = &shape->vertex[3 * k], *b = &shape->vertex[3 * ((k + 1) % n)],
                 *c = &shape->vertex[3 * ((k + 2) % n)];
    return (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]);
}

static void test_corners_in_either_order(void **state)
{
    const double forth[] = {0, 0, 2, 0, 2, 1, 0, 1}, back[] = {0, 0, 0, 1, 2, 1, 2, 0};
    Corners a = corners_of(4, forth), b = corners_of(4, back);
    StickConvex one = polygon_of(*state, &a), other = polygon_of(*state, &b);
    assert_int_equal(one.nvertices, 4);
    assert_memory_equal(one.vertex, a.x, 12 * sizeof *a.x);
    assert_memory_equal(other.vertex, a.x, 12 * sizeof *a.x);
    stick_polytope_destroy(*state, &one);
    stick_polytope_destroy(*state, &other);
}

static void test_what_is_no_corner_is_left_out(void **state)
{
    // a closed outline with repeats, points in line, and one a hair inside of it
    const double xy[] = {0, 0, 1, 0, 1, 0, 2, 0, 2, 0.5, 2, 1, 1, 1 - 1e-10, 0, 1, 0, 0.25, 0, 0};
    Corners corners = corners_of(10, xy);
    StickConvex shape = polygon_of(*state, &corners);
    assert_int_equal(shape.nvertices, 4);
    for (int k = 0; k < 4; k++)
        assert_near(turn_at(&shape, k), 2, 1e-9);
    stick_polytope_destroy(*state, &shape);
}

static void test_regular_polygon_keeps_its_corners(void **state)
{
    Corners corners = {.count = MOST};
    for (int i = 0; i < MOST; i++) {
        corners.x[3 * i] = 1000 + cos(i * 6.283185307179586 / MOST);
        corners.x[3 * i + 1] = sin(i * 6.283185307179586 / MOST);
    }
    StickConvex shape = polygon_of(*state, &corners), hull = hull_of(*state, &corners);
    assert_int_equal(shape.nvertices, MOST);
    assert_int_equal(hull.nvertices, MOST);
    stick_polytope_destroy(*state, &shape);
    stick_polytope_destroy(*state, &hull);
}

// All points inside, all corners convex and among the points.
static void test_hull_of_random_points(void **state)
{
    StickRandom random = stick_random_seed(4);
    for (int run = 0; run < 50; run++) {
        Corners corners = {.count = 3 + 5 * run};
        for (int i = 0; i < corners.count; i++)
            for (int k = 0; k < 2; k++) {
                double x = stick_random_uniform(&random, 0, 6);
                corners.x[3 * i + k] = run % 2 ? floor(x) : x;
            }
        StickConvex hull = hull_of(*state, &corners);
        for (int i = 0; i < corners.count; i++)
            assert_below(-1e-14, stick_outline_depth(&hull, &corners.x[3 * i]));
        for (int k = 0; k < hull.nvertices; k++) {
            int found = 0;
            for (int i = 0; i < corners.count; i++)
                found |= memcmp(&corners.x[3 * i], &hull.vertex[3 * k], 3 * sizeof(double)) == 0;
            assert_true(found);
            assert_true(turn_at(&hull, k) > 0);
        }
        stick_polytope_destroy(*state, &hull);
    }
}

// ---- refusals

static void assert_refused(StickContext *ctx, int count, const double *xy, const char *text)
{
    Corners corners = corners_of(count, xy);
    StickCloud cloud = cloud_of(&corners);
    StickConvex shape;
    assert_int_equal(stick_outline_polygon(ctx, &cloud, &shape), STICK_BAD_INPUT);
    assert_string_equal(stick_last_error(ctx), text);
}

static void test_what_is_not_convex_is_refused(void **state)
{
    const double dent[] = {0, 0, 2, 0, 1, 0.5, 2, 1, 0, 1}, dent_back[] = {0, 0, 0, 1, 2, 1, 1, 0.5, 2, 0};
    const double spike[] = {0, 0, 1, 0, 1, 1, 1, 3, 1, 2, 0, 1};
    assert_refused(
        *state, 5, dent,
        "body 'stone' is not convex: corner 3, (1, 0.5), lies 1 inside of the line between corners 2 and "
        "4; a compound of convex parts can have this shape");
    assert_refused(
        *state, 5, dent_back,
        "body 'stone' is not convex: corner 4, (1, 0.5), lies 1 inside of the line between corners 3 and "
        "5; a compound of convex parts can have this shape");
    assert_refused(*state, 6, spike, "body 'stone': its outline turns back at corner 4, (1, 3)");
    double star[10];
    for (int i = 0; i < 5; i++) {
        star[2 * i] = cos(2 * i * 6.283185307179586 / 5);
        star[2 * i + 1] = sin(2 * i * 6.283185307179586 / 5);
    }
    assert_refused(*state, 5, star, "body 'stone': its outline crosses itself: it goes round 2 times");
}

static void test_what_has_no_area_is_refused(void **state)
{
    const double two[] = {0, 0, 1, 1}, line[] = {0, 0, 1, 1, 2, 2}, bow[] = {0, 0, 1, 1, 1, 0, 0, 1};
    const double same[] = {1, 1, 1, 1, 1, 1}, wrong[] = {0, 0, 1, INFINITY, 1, 0};
    assert_refused(*state, 2, two, "body 'stone': a polygon needs 3 points or more, not 2");
    assert_refused(
        *state, 3, line,
        "body 'stone': its 3 points enclose an area of 0 at a size of 2: they lie on a line, or the "
        "outline crosses itself");
    assert_refused(
        *state, 4, bow,
        "body 'stone': its 4 points enclose an area of 0 at a size of 1: they lie on a line, or the "
        "outline crosses itself");
    assert_refused(
        *state, 3, same,
        "body 'stone': its 3 points enclose an area of 0 at a size of 0: they lie on a line, or the "
        "outline crosses itself");
    assert_refused(*state, 3, wrong, "body 'stone': point 2 has y = inf");
    Corners flat = corners_of(3, line);
    StickCloud cloud = cloud_of(&flat);
    StickConvex shape;
    assert_int_equal(stick_outline_hull(*state, &cloud, &shape), STICK_BAD_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(test_corners_in_either_order),
        test_with_context(test_what_is_no_corner_is_left_out),
        test_with_context(test_regular_polygon_keeps_its_corners),
        test_with_context(test_hull_of_random_points),
        test_with_context(test_what_is_not_convex_is_refused),
        test_with_context(test_what_has_no_area_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
