// SPDX-License-Identifier: Apache-2.0
#include "check.h"

#include "base/random.h"
#include "base/vec.h"
#include "contact/obstacle.h"

static StickObstacle make(StickContext *ctx, const StickObstacleSpec *spec, int dim)
{
    StickObstacle obstacle;
    assert_ok(ctx, stick_obstacle_init(ctx, spec, dim, 0.1, &obstacle));
    assert_ok(ctx, stick_obstacle_move(&obstacle, 0, 0.1));
    return obstacle;
}

static void assert_distance(const StickObstacle *obstacle, const double place[3], double gap, double nx,
                            double ny, double nz)
{
    double normal[3];
    assert_near(stick_obstacle_distance(obstacle, place, normal), gap, 1e-15);
    assert_near(normal[0], nx, 1e-15);
    assert_near(normal[1], ny, 1e-15);
    assert_near(normal[2], nz, 1e-15);
}

// The normal is the gradient of the distance, of length 1, at random places.
static void assert_gradient(const StickObstacle *obstacle, uint64_t seed)
{
    StickRandom random = stick_random_seed(seed);
    const double epsilon = 1e-6;
    for (int trial = 0; trial < 300; trial++) {
        double place[3] = {0}, normal[3], other[3];
        for (int k = 0; k < obstacle->dim; k++)
            place[k] = stick_random_uniform(&random, -2, 2);
        stick_obstacle_distance(obstacle, place, normal);
        assert_near(stick_vec_norm(normal), 1, 1e-14);
        for (int k = 0; k < obstacle->dim; k++) {
            double plus[3], minus[3], step[3] = {0};
            step[k] = epsilon;
            stick_vec_axpy(place, 1, step, plus);
            stick_vec_axpy(place, -1, step, minus);
            double rate = (stick_obstacle_distance(obstacle, plus, other) -
                           stick_obstacle_distance(obstacle, minus, other)) /
                          (2 * epsilon);
            assert_near(rate, normal[k], 1e-8);
        }
    }
}

static void planes(void **state)
{
    StickObstacleSpec wall = {.point = {2}, .normal = {-1}};
    StickObstacle obstacle = make(*state, &wall, 1);
    assert_distance(&obstacle, (double[]){1.5, 0, 0}, 0.5, -1, 0, 0);
    assert_distance(&obstacle, (double[]){2.25, 0, 0}, -0.25, -1, 0, 0);
    StickObstacleSpec slope = {.point = {1, 1}, .normal = {-0.6, 0.8}};
    obstacle = make(*state, &slope, 2);
    assert_distance(&obstacle, (double[]){1, 2, 0}, 0.8, -0.6, 0.8, 0);
    StickObstacleSpec floor = {.normal = {0, 0, 1}};
    obstacle = make(*state, &floor, 3);
    assert_distance(&obstacle, (double[]){3, -2, -0.5}, -0.5, 0, 0, 1);
}

static void round_obstacles(void **state)
{
    StickObstacleSpec ball = {.kind = STICK_OBSTACLE_CIRCLE, .point = {1, 0, 0}, .radius = 2};
    StickObstacle obstacle = make(*state, &ball, 2);
    assert_distance(&obstacle, (double[]){4, 4, 0}, 3, 0.6, 0.8, 0);
    assert_distance(&obstacle, (double[]){1, 0, 0}, -2, 0, 1, 0);
    assert_gradient(&obstacle, 1);
    obstacle = make(*state, &ball, 3);
    assert_distance(&obstacle, (double[]){1, 3, 4}, 3, 0, 0.6, 0.8);
    assert_gradient(&obstacle, 2);
    ball.inside = true;
    obstacle = make(*state, &ball, 2);
    assert_distance(&obstacle, (double[]){1, 1.5, 0}, 0.5, 0, -1, 0);
    assert_distance(&obstacle, (double[]){1, 2.5, 0}, -0.5, 0, -1, 0);
    StickObstacleSpec pipe = {
        .kind = STICK_OBSTACLE_CYLINDER, .point = {0, 0, 7}, .normal = {0, 0, 1}, .radius = 1};
    obstacle = make(*state, &pipe, 3);
    assert_distance(&obstacle, (double[]){3, 4, -20}, 4, 0.6, 0.8, 0);
    assert_gradient(&obstacle, 3);
    pipe.inside = true;
    obstacle = make(*state, &pipe, 3);
    assert_distance(&obstacle, (double[]){0.5, 0, 3}, 0.5, -1, 0, 0);
    assert_gradient(&obstacle, 4);
}

static void an_obstacle_moves(void **state)
{
    StickContext *ctx = *state;
    StickExpressions *sandbox;
    StickObstacleSpec spec = {.normal = {0, 1}};
    StickObstacle obstacle;
    assert_ok(ctx, stick_expressions_create(ctx, &sandbox));
    assert_ok(ctx, stick_expression_compile(sandbox, "0.5*t", STICK_SEES_TIME, (StickMark){0},
                                            &spec.displacement[1]));
    assert_ok(ctx, stick_obstacle_init(ctx, &spec, 2, 0.1, &obstacle));
    assert_ok(ctx, stick_obstacle_move(&obstacle, 2, 0.25));
    assert_distance(&obstacle, (double[]){0, 3, 0}, 2, 0, 1, 0);
    StickObstacleTouch touch[STICK_LAYERS];
    assert_int_equal(stick_obstacle_touch(&obstacle, (double[]){0, 3, 0}, 1.99, touch), 0);
    assert_int_equal(stick_obstacle_touch(&obstacle, (double[]){0, 3, 0}, INFINITY, touch), 1);
    assert_near(touch[0].gap, 2, 1e-15);
    assert_int_equal(touch[0].layer, 0);
    assert_near(obstacle.velocity[1], 0.5, 1e-15);
    stick_expressions_destroy(sandbox);
}

static void kinds_that_the_space_does_not_have_are_refused(void **state)
{
    StickContext *ctx = *state;
    StickObstacle obstacle;
    StickObstacleSpec pipe = {.name = "pipe", .kind = STICK_OBSTACLE_CYLINDER, .radius = 1};
    assert_int_equal(stick_obstacle_init(ctx, &pipe, 2, 1, &obstacle), STICK_BAD_INPUT);
    assert_non_null(strstr(stick_last_error(ctx), "obstacle 'pipe': there is no cylinder in 2 dimensions"));
    StickObstacleSpec road = {.name = "road", .kind = STICK_OBSTACLE_POLYLINE, .npoints = 1};
    assert_int_equal(stick_obstacle_init(ctx, &road, 3, 1, &obstacle), STICK_BAD_INPUT);
    assert_int_equal(stick_obstacle_init(ctx, &road, 2, 1, &obstacle), STICK_BAD_INPUT);
    assert_non_null(strstr(stick_last_error(ctx), "at least 2 points, not 1"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(planes),
        test_with_context(round_obstacles),
        test_with_context(an_obstacle_moves),
        test_with_context(kinds_that_the_space_does_not_have_are_refused),
    };
    return cmocka_run_group_tests_name("contact.obstacle", tests, NULL, NULL);
}
