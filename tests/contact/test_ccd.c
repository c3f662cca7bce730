// SPDX-License-Identifier: Apache-2.0
// Times of first contact of moving shapes, by closed forms; what only grazes does not hit.
#include "contact/ccd.h"
#include "contact/narrowphase.h"

#include "check.h"

#include <math.h>

static const StickConvex ball = {.kind = STICK_SHAPE_BALL, .radius = 0.5, .bound = 0.5};
static double corners[] = {-1, -0.1, 0, 1, -0.1, 0, 1, 0.1, 0, -1, 0.1, 0};
static const StickConvex plate = {
    .kind = STICK_SHAPE_POLYTOPE, .bound = 1.005, .nvertices = 4, .vertex = corners};

static StickMovingShape moving(const StickConvex *shape, double x, double y, double vx, double vy, double w)
{
    StickPose pose = {.centre = {x, y, 0}, .axis = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    return (StickMovingShape){.at = stick_shape_place(shape, &pose), .v = {vx, vy, 0}, .w = {0, 0, w}};
}

static bool hit(int dim, StickMovingShape a, StickMovingShape b, double span, StickCcdHit *found)
{
    StickCcdPair pair = {.dim = dim, .a = a, .b = &b, .span = span, .thin = 0.2, .depth = 1e-9};
    return stick_ccd(&pair, found);
}

// |x_a - x_b + t (v_a - v_b)| = 1, at every angle, up to 1e4 diameters in the span.
static void balls_touch_at_the_root_of_a_quadratic(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++)
        for (double v = 10; v < 1e5; v *= 10)
            for (int k = -12; k <= 12; k++) {
                StickCcdHit found;
                double offset = 0.1 * k, start = 0.9 * v;
                bool meets = hit(dim, moving(&ball, -start, offset, 0.7 * v, 3, 50),
                                 moving(&ball, 0, 0, -0.3 * v, 3, -20), 1, &found);
                assert_int_equal(meets, fabs(offset) < 0.99);
                if (!meets)
                    continue;
                double left = (start - sqrt(1 - offset * offset)) / v;
                assert_near(found.time + found.touch[0].point.gap / v / sqrt(1 - offset * offset), left,
                            1e-4);
                assert_near(found.touch[0].normal[1], offset, 1e-2);
                assert_near(found.centre_a[1], offset + 3 * found.time, 1e-12 * v);
            }
}

// A ball and a thin plate: flat on its face, past its end, and parallel to it without a gap.
static void balls_hit_plates_and_graze_them(void **state)
{
    (void)state;
    StickCcdHit found;
    StickMovingShape rest = moving(&plate, 0, 0, 0, 0, 0);
    assert_true(hit(2, moving(&ball, 0.5, 100, 0, -1000, 0), rest, 1, &found));
    assert_near(found.time, (100 - 0.6) / 1000, 1e-6);
    assert_near(found.touch[0].normal[1], 1, 1e-12);
    assert_false(hit(2, moving(&ball, 1.51, 100, 0, -1000, 0), rest, 1, &found));
    assert_false(hit(2, moving(&ball, 0.5, 100, 0, -99, 0), rest, 1, &found));
    assert_false(hit(2, moving(&ball, -100, 0.6, 1000, 0, 0), rest, 1, &found));
    assert_false(hit(2, moving(&ball, -100, 0.6 - 1e-9, 1000, 0, 0), rest, 1, &found));
    assert_true(hit(2, moving(&ball, -100, 0.4, 1000, 0, 0), rest, 1, &found));
}

// A plate that turns about its middle meets a ball whose centre is at a distance d: sin(angle) = 0.6 / d on its face.
static void plates_hit_by_turning(void **state)
{
    (void)state;
    for (double w = 0.5; w < 4; w *= 1.3) {
        StickCcdHit found;
        StickMovingShape turning = moving(&plate, 0, 0, 0, 0, w);
        assert_true(hit(2, moving(&ball, 0, 0.8, 0, 0, 0), turning, 3, &found));
        assert_near(w * found.time, M_PI / 2 - asin(0.6 / 0.8), 1e-3);
        assert_false(hit(2, moving(&ball, 0, 1.51, 0, 0, 0), turning, 3, &found));
    }
}

// Planes, circles from both sides, and polylines, which are hit from their free side only.
static void obstacles_are_hit_from_their_free_side(void **state)
{
    (void)state;
    double chain[] = {-5, 0, 5, 0, 5, -0.01, -5, -0.01, -5, 0};
    const StickObstacleSpec spec[] = {
        {.kind = STICK_OBSTACLE_PLANE, .normal = {0, 1, 0}},
        {.kind = STICK_OBSTACLE_CIRCLE, .radius = 2, .point = {0, -2, 0}},
        {.kind = STICK_OBSTACLE_CIRCLE, .radius = 400, .point = {0, 400, 0}, .inside = true},
        {.kind = STICK_OBSTACLE_POLYLINE, .npoints = 5, .points = chain},
        {.kind = STICK_OBSTACLE_POLYLINE, .npoints = 2, .points = chain},
    };
    for (size_t k = 0; k < sizeof spec / sizeof *spec; k++)
        for (int up = 0; up < 2; up++) {
            // the obstacle comes towards the ball with a tenth of the speed
            StickObstacle obstacle = {.spec = &spec[k], .dim = 2, .velocity = {0, 100, 0}};
            StickCcdPair pair = {.dim = 2,
                                 .a = moving(&ball, 0.01, 100.5, 0, up ? 900 : -900, 0),
                                 .obstacle = &obstacle,
                                 .span = 0.3,
                                 .thin = 0.5,
                                 .depth = 1e-9};
            StickCcdHit found;
            assert_int_equal(stick_ccd(&pair, &found), !up);
            if (!up) {
                assert_near(found.time, 0.1, 1e-5);
                assert_near(found.touch[0].normal[1], 1, 1e-4);
            }
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(balls_touch_at_the_root_of_a_quadratic),
        cmocka_unit_test(balls_hit_plates_and_graze_them),
        cmocka_unit_test(plates_hit_by_turning),
        cmocka_unit_test(obstacles_are_hit_from_their_free_side),
    };
    return cmocka_run_group_tests_name("contact.ccd", tests, NULL, NULL);
}
