// SPDX-License-Identifier: Apache-2.0
// Balls against each other and against obstacles of every kind: distances by closed forms.
#include "contact/narrowphase.h"

#include "check.h"

#include <math.h>

static const StickConvex ball = {.kind = STICK_SHAPE_BALL, .radius = 0.5, .bound = 0.5};

static StickPlacedShape ball_at(double x, double y, double z)
{
    StickPose pose = {.centre = {x, y, z}, .axis = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    return stick_shape_place(&ball, &pose);
}

static void balls_are_apart_by_their_radii(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        StickPlacedShape a = ball_at(0, 0, 0), b = ball_at(3, 4, 0), c = ball_at(0.6, 0, 0);
        assert_near(stick_shape_distance(dim, &a, &b, 10), 4, 1e-14);
        assert_near(stick_shape_distance(dim, &a, &c, 10), -0.4, 1e-14);
        assert_true(isinf(stick_shape_distance(dim, &a, &b, 1)));
    }
}

static double distance_of(int dim, const StickObstacleSpec *spec, const StickPlacedShape *shape)
{
    StickObstacle obstacle = {.spec = spec, .dim = dim, .shift = {1, 0, 0}};
    return stick_shape_distance_obstacle(dim, shape, &obstacle, 20);
}

static void obstacles_are_where_they_were_moved_to(void **state)
{
    (void)state;
    StickObstacleSpec plane = {.kind = STICK_OBSTACLE_PLANE, .normal = {1, 0, 0}};
    StickObstacleSpec circle = {.kind = STICK_OBSTACLE_CIRCLE, .radius = 2};
    StickObstacleSpec bowl = {.kind = STICK_OBSTACLE_CIRCLE, .radius = 4, .inside = true};
    StickPlacedShape at = ball_at(4, 0, 0);
    for (int dim = 2; dim <= 3; dim++) {
        assert_near(distance_of(dim, &plane, &at), 2.5, 1e-14);
        assert_near(distance_of(dim, &circle, &at), 0.5, 1e-14);
        assert_near(distance_of(dim, &bowl, &at), 0.5, 1e-14);
    }
}

// However far along its axis the ball is.
static void a_cylinder_has_no_ends(void **state)
{
    (void)state;
    StickObstacleSpec cylinder = {.kind = STICK_OBSTACLE_CYLINDER, .normal = {0, 0, 1}, .radius = 2};
    StickPlacedShape near = ball_at(4, 0, 0), far = ball_at(4, 0, 1e3);
    assert_near(distance_of(3, &cylinder, &near), 0.5, 1e-12);
    assert_near(distance_of(3, &cylinder, &far), 0.5, 1e-12);
}

static void only_what_is_round_from_outside_may_be_passed(void **state)
{
    (void)state;
    assert_true(stick_shape_is_round(&(StickObstacleSpec){.kind = STICK_OBSTACLE_CIRCLE}));
    assert_true(stick_shape_is_round(&(StickObstacleSpec){.kind = STICK_OBSTACLE_CYLINDER}));
    assert_false(stick_shape_is_round(&(StickObstacleSpec){.kind = STICK_OBSTACLE_CIRCLE, .inside = true}));
    assert_false(stick_shape_is_round(&(StickObstacleSpec){.kind = STICK_OBSTACLE_PLANE}));
    assert_false(stick_shape_is_round(&(StickObstacleSpec){.kind = STICK_OBSTACLE_POLYLINE}));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(balls_are_apart_by_their_radii),
        cmocka_unit_test(obstacles_are_where_they_were_moved_to),
        cmocka_unit_test(a_cylinder_has_no_ends),
        cmocka_unit_test(only_what_is_round_from_outside_may_be_passed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
