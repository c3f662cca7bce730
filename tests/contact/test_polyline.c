// SPDX-License-Identifier: Apache-2.0
#include "check.h"

#include "base/vec.h"
#include "contact/polyline.h"

// A step down, travelled from left to right with the solid below: a convex corner at (1, 1), a nook at (1, 0).
static double stairs[] = {0, 1, 1, 1, 1, 0, 2, 0};
static const StickObstacleSpec steps = {.kind = STICK_OBSTACLE_POLYLINE, .npoints = 4, .points = stairs};

static void assert_distance(const StickObstacleSpec *spec, double x, double y, double gap, double nx,
                            double ny)
{
    double normal[3];
    assert_near(stick_polyline_distance(spec, (double[]){x, y, 0}, normal), gap, 1e-15);
    assert_near(normal[0], nx, 1e-15);
    assert_near(normal[1], ny, 1e-15);
    assert_near(normal[2], 0, 0);
}

static void assert_touch(const StickObstacleTouch *touch, double gap, double nx, double ny)
{
    assert_near(touch->gap, gap, 1e-15);
    assert_near(touch->normal[0], nx, 1e-15);
    assert_near(touch->normal[1], ny, 1e-15);
}

static int touches(const StickObstacleSpec *spec, double x, double y, double reach,
                   StickObstacleTouch touch[STICK_LAYERS])
{
    return stick_polyline_touch(spec, (double[]){x, y, 0}, reach, touch);
}

static void the_solid_is_on_the_right(void **state)
{
    (void)state;
    assert_distance(&steps, 0.5, 1.25, 0.25, 0, 1);
    assert_distance(&steps, 0.5, 0.875, -0.125, 0, 1);
    assert_distance(&steps, 1.25, 0.5, 0.25, 1, 0);
    // Around the convex corner the distance is that from its tip.
    assert_distance(&steps, 1.3, 1.4, 0.5, 0.6, 0.8);
    assert_distance(&steps, 1, 1, 0, sqrt(0.5), sqrt(0.5));
    // Inside of the solid, below the inner corner.
    assert_distance(&steps, 0.7, -0.4, -0.5, 0.6, 0.8);
}

// The distance changes by no more than the way, across all corners and seams outside of the solid.
static void the_distance_is_continuous(void **state)
{
    (void)state;
    double last = NAN, normal[3];
    for (int i = 0; i <= 4000; i++) {
        double angle = 3.2 - 4.8 * i / 4000;
        double place[3] = {1 + 0.4 * cos(angle), 1 + 0.4 * sin(angle), 0};
        double gap = stick_polyline_distance(&steps, place, normal);
        if (i > 0)
            assert_near(gap, last, 0.4 * 4.8 / 4000);
        last = gap;
    }
}

static void a_closed_chain_is_a_body(void **state)
{
    (void)state;
    // Travelled clockwise: the solid is inside.
    double points[] = {0, 0, 0, 1, 1, 1, 1, 0, 0, 0};
    StickObstacleSpec spec = {.kind = STICK_OBSTACLE_POLYLINE, .npoints = 5, .points = points};
    assert_distance(&spec, -0.3, -0.4, 0.5, -0.6, -0.8);
    assert_distance(&spec, 0.5, -0.5, 0.5, 0, -1);
    assert_distance(&spec, 0.25, 0.5, -0.25, -1, 0);
    assert_distance(&spec, 50, 0.5, 49, 1, 0);
}

// A chain ends where its points end, but for a twentieth of its end segment.
static void an_open_chain_ends(void **state)
{
    (void)state;
    StickObstacleTouch touch[STICK_LAYERS];
    assert_distance(&steps, 0, 1.5, 0.5, 0, 1);
    assert_distance(&steps, -0.04, 0.99, -0.01, 0, 1);
    assert_distance(&steps, 2.04, 0.01, 0.01, 0, 1);
    assert_int_equal(touches(&steps, 2.04, -0.01, 0, touch), 1);
    assert_touch(&touch[0], -0.01, 0, 1);
    const double beyond[][2] = {{-0.06, 1.01}, {-0.06, 0.5}, {2.06, 0.1},
                                {2.06, -0.01}, {50, 0.5},    {-50, 1.5}};
    for (size_t k = 0; k < sizeof beyond / sizeof *beyond; k++) {
        double normal[3];
        assert_true(
            isinf(stick_polyline_distance(&steps, (double[]){beyond[k][0], beyond[k][1], 0}, normal)));
        assert_true(stick_vec_norm(normal) == 0);
        assert_int_equal(touches(&steps, beyond[k][0], beyond[k][1], INFINITY, touch), 0);
    }
}

// In a nook both segments are touched, in front of it and behind.
static void both_sides_of_a_nook_are_touched(void **state)
{
    (void)state;
    const double places[][2] = {{1.25, 0.125}, {1.125, 0.25}, {1, 0},          {0.875, 0.125},
                                {1.25, -0.25}, {0.75, -0.25}, {0.9375, -0.125}};
    for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
        StickObstacleTouch touch[STICK_LAYERS];
        assert_int_equal(touches(&steps, places[k][0], places[k][1], 0.5, touch), 2);
        assert_touch(&touch[0], places[k][0] - 1, 1, 0);
        assert_touch(&touch[1], places[k][1], 0, 1);
        assert_int_equal(touch[0].layer, 0);
        assert_int_equal(touch[1].layer, 1);
    }
}

// A contact keeps its layer while it slides: down the riser, into the nook, and out along the lower step.
static void layers_stay_while_sliding(void **state)
{
    (void)state;
    StickObstacleTouch touch[STICK_LAYERS];
    for (int i = -10; i <= 200; i++) {
        // Over the convex corner and down the riser: always layer 0.
        assert_true(touches(&steps, 1.01, 1.1 - 0.005 * i, 0.2, touch) > 0);
        assert_int_equal(touch[0].layer, 0);
        // Along the lower step: layer 1, alone or as the second of the nook.
        int count = touches(&steps, 1 + 0.005 * i, 0.01, 0.1025, touch);
        assert_int_equal(count, 1 + (i <= 20));
        assert_int_equal(touch[count - 1].layer, 1);
    }
}

static void only_what_is_within_reach(void **state)
{
    (void)state;
    StickObstacleTouch touch[STICK_LAYERS];
    assert_int_equal(touches(&steps, 1.3, 0.2, 0.25, touch), 1);
    assert_touch(&touch[0], 0.2, 0, 1);
    assert_int_equal(touches(&steps, 1.3, 0.2, 0.15, touch), 0);
    // Above the riser nothing of it is touched but its tip.
    assert_int_equal(touches(&steps, 1.1, 1.2, 5, touch), 1);
}

// Convex corners, and curves of flat angles, are touched once everywhere.
static void no_second_contact_without_a_nook(void **state)
{
    (void)state;
    StickObstacleTouch touch[STICK_LAYERS];
    double square[] = {0, 0, 0, 1, 1, 1, 1, 0, 0, 0}, bowl[2 * 41];
    StickObstacleSpec body = {.kind = STICK_OBSTACLE_POLYLINE, .npoints = 5, .points = square};
    for (int i = 0; i <= 20; i++)
        for (int j = 0; j <= 20; j++)
            assert_int_equal(touches(&body, -0.5 + 0.1 * i, -0.5 + 0.1 * j, 9, touch), 1);
    // A bowl of 40 segments over half a circle, the solid outside.
    for (int i = 0; i <= 40; i++) {
        double angle = -3.14159265358979 + 3.14159265358979 * i / 40;
        bowl[2 * i] = cos(angle), bowl[2 * i + 1] = sin(angle);
    }
    StickObstacleSpec curve = {.kind = STICK_OBSTACLE_POLYLINE, .npoints = 41, .points = bowl};
    for (int i = 1; i < 300; i++) {
        double angle = -3.14159265358979 * i / 300;
        assert_int_equal(touches(&curve, 0.97 * cos(angle), 0.97 * sin(angle), 0.1, touch), 1);
    }
}

// A closed chain with one nook, whose two segments would have the same layer by their numbers.
static void layers_differ_around_a_closed_chain(void **state)
{
    (void)state;
    // An arrow head, clockwise: the nook is at its first and last point.
    double points[] = {0, 0, -1, -1, 0, 2, 1, -1, 0, 0};
    StickObstacleSpec spec = {.kind = STICK_OBSTACLE_POLYLINE, .npoints = 5, .points = points};
    StickObstacleTouch touch[STICK_LAYERS];
    for (int i = -10; i <= 10; i++) {
        assert_int_equal(touches(&spec, 0.002 * i, -0.05, 0.5, touch), 2);
        assert_touch(&touch[0], (0.05 + 0.002 * i) * sqrt(0.5), sqrt(0.5), -sqrt(0.5));
        assert_touch(&touch[1], (0.05 - 0.002 * i) * sqrt(0.5), -sqrt(0.5), -sqrt(0.5));
        assert_int_equal(touch[0].layer, 0);
        assert_int_equal(touch[1].layer, 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_solid_is_on_the_right),
        cmocka_unit_test(the_distance_is_continuous),
        cmocka_unit_test(a_closed_chain_is_a_body),
        cmocka_unit_test(an_open_chain_ends),
        cmocka_unit_test(both_sides_of_a_nook_are_touched),
        cmocka_unit_test(layers_stay_while_sliding),
        cmocka_unit_test(only_what_is_within_reach),
        cmocka_unit_test(no_second_contact_without_a_nook),
        cmocka_unit_test(layers_differ_around_a_closed_chain),
    };
    return cmocka_run_group_tests_name("contact.polyline", tests, NULL, NULL);
}
