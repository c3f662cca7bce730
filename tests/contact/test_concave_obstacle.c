// SPDX-License-Identifier: Apache-2.0
// Shapes in bowls, tubes and on polylines: gaps by brute force over their surfaces, normals, features that stay.
#include "check.h"

#include "base/random.h"
#include "base/vec.h"
#include "bodies/rigid.h"
#include "contact/concave_obstacle.h"

#include <string.h>

enum { DENSE = 720 };

// A solid of one shape, turned and placed.
typedef struct Placed {
    StickSolid solid;
    StickPlacedShape shape;
} Placed;

static void place(StickContext *ctx, int dim, const StickShapeSpec *spec, const double q[6], Placed *placed)
{
    StickSolidSpec whole = {.name = "it", .dim = dim, .nshapes = 1, .shape = spec};
    assert_ok(ctx, stick_solid_create(ctx, &whole, &placed->solid));
    StickRigid rigid = {.solid = &placed->solid, .dim = dim, .turn = {1, 0, 0, 0}};
    StickPose pose = stick_rigid_pose(&rigid, q);
    placed->shape.shape = &placed->solid.shape[0];
    memcpy(placed->shape.centre, pose.centre, sizeof pose.centre);
    memcpy(placed->shape.axis, pose.axis, sizeof pose.axis);
}

static double least(const StickConcaveTouch *touch, int count)
{
    double gap = INFINITY;
    for (int k = 0; k < count; k++)
        gap = fmin(gap, touch[k].point.gap);
    return gap;
}

static void check_order(const StickConcaveTouch *touch, int count)
{
    for (int k = 0; k < count; k++) {
        assert_near(stick_vec_norm(touch[k].normal), 1, 1e-14);
        assert_true(k == 0 || touch[k].point.feature > touch[k - 1].point.feature);
    }
}

static StickObstacle inside_of(StickObstacleSpec *spec, StickObstacleKind kind, int dim)
{
    *spec = (StickObstacleSpec){.kind = kind, .radius = 2, .inside = true, .normal = {0, 0.6, 0.8}};
    return (StickObstacle){.spec = spec, .dim = dim, .shift = {0.3, -0.2, dim == 3 ? 0.1 : 0}};
}

// ---- from inside

// A place of the shape's surface in its own frame.
static void surface(const StickConvex *shape, StickRandom *random, double x[3])
{
    double angle = stick_random_uniform(random, 0, 2 * M_PI), z = stick_random_uniform(random, -1, 1);
    double ring = sqrt(1 - z * z), ball[3] = {ring * cos(angle), ring * sin(angle), z};
    memset(x, 0, 3 * sizeof *x);
    if (shape->kind == STICK_SHAPE_POLYTOPE) { // a convex combination, corners often
        double sum = 0, weight;
        for (int k = 0; k < shape->nvertices; k++, sum += weight) {
            weight = pow(stick_random_uniform(random, 0, 1), 30);
            stick_vec_axpy(x, weight, &shape->vertex[3 * k], x);
        }
        for (int k = 0; k < 3; k++)
            x[k] /= sum;
    } else if (shape->kind == STICK_SHAPE_CYLINDER) { // both of its axes along z here
        double end = z > 0 ? shape->half_length : -shape->half_length;
        stick_vec_axpy((double[]){shape->radius * cos(angle), shape->radius * sin(angle), 0}, end,
                       shape->axis, x);
    } else {
        double end = shape->kind == STICK_SHAPE_BALL ? 0 : z > 0 ? shape->half_length : -shape->half_length;
        stick_vec_axpy(x, end, shape->axis, x);
        stick_vec_axpy(x, shape->radius, ball, x);
    }
}

static double brute_gap(const StickPlacedShape *placed, const StickObstacle *obstacle, StickRandom *random)
{
    StickPose pose;
    double gap = INFINITY, normal[3], x[3];
    memcpy(pose.centre, placed->centre, sizeof pose.centre);
    memcpy(pose.axis, placed->axis, sizeof pose.axis);
    for (int k = 0; k < 20000; k++) {
        surface(placed->shape, random, x);
        stick_pose_place(&pose, x, x);
        gap = fmin(gap, stick_obstacle_distance(obstacle, x, normal));
    }
    return gap;
}

static void gaps_from_inside_are_the_least_of_the_surface(void **state)
{
    static const StickShapeSpec specs[] = {
        {.kind = STICK_SPEC_BOX, .size = {0.6, 0.9, 0.4}},
        {.kind = STICK_SPEC_BALL, .radius = 0.5},
        {.kind = STICK_SPEC_CAPSULE, .radius = 0.3, .length = 0.8},
        {.kind = STICK_SPEC_CYLINDER, .radius = 0.3, .length = 0.8},
    };
    StickRandom random = stick_random_seed(7);
    for (size_t s = 0; s < sizeof specs / sizeof *specs; s++)
        for (int k = 0; k < 6; k++) {
            StickObstacleSpec spec;
            StickObstacle obstacle =
                inside_of(&spec, k % 2 ? STICK_OBSTACLE_CYLINDER : STICK_OBSTACLE_CIRCLE, 3);
            Placed placed;
            StickConcaveTouch touch[STICK_HOLLOW_POINTS];
            double q[6];
            for (int i = 0; i < 6; i++)
                q[i] = stick_random_uniform(&random, -0.8, 0.8);
            place(*state, 3, &specs[s], q, &placed);
            int count = stick_concave_obstacle_touch(&placed.shape, &obstacle, INFINITY, touch);
            double exact = least(touch, count), brute = brute_gap(&placed.shape, &obstacle, &random);
            check_order(touch, count);
            // samples miss the point that is farthest out by a little
            assert_true(exact <= brute + 1e-12 && exact > brute - 0.02);
            stick_solid_destroy(*state, &placed.solid);
        }
}

// A box that stands in a circle on two corners, and a ball at its bottom.
static void shapes_stand_in_a_circle(void **state)
{
    StickObstacleSpec spec;
    StickObstacle obstacle = inside_of(&spec, STICK_OBSTACLE_CIRCLE, 2);
    StickConcaveTouch touch[STICK_HOLLOW_POINTS];
    Placed placed;
    double depth = sqrt(4 - 0.36);
    double q[6] = {0.3, -0.2 - depth + 0.5, 0};
    place(*state, 2, &(StickShapeSpec){.kind = STICK_SPEC_BOX, .size = {1.2, 1}}, q, &placed);
    assert_int_equal(stick_concave_obstacle_touch(&placed.shape, &obstacle, 1e-9, touch), 2);
    for (int k = 0; k < 2; k++) {
        double side = touch[k].point.place[0] < 0.3 ? 1 : -1;
        assert_near(touch[k].point.gap, 0, 1e-15);
        assert_near(touch[k].normal[0], side * 0.3, 1e-15);
        assert_near(touch[k].normal[1], depth / 2, 1e-15);
        assert_near(touch[k].point.place[1], -0.2 - depth, 1e-15);
    }
    stick_solid_destroy(*state, &placed.solid);
    double bottom[6] = {0.3, -0.2 - 2 + 0.5 + 0.01, 0};
    place(*state, 2, &(StickShapeSpec){.kind = STICK_SPEC_BALL, .radius = 0.5}, bottom, &placed);
    assert_int_equal(stick_concave_obstacle_touch(&placed.shape, &obstacle, 1e-9, touch), 0);
    assert_int_equal(stick_concave_obstacle_touch(&placed.shape, &obstacle, 0.1, touch), 1);
    assert_near(touch[0].point.gap, 0.01, 1e-15);
    assert_near(touch[0].point.place[1], -2.195, 1e-14); // halfway
    stick_solid_destroy(*state, &placed.solid);
}

// ---- polylines

// A table with a nook at its right and an end at its left.
static double table_points[] = {-1, 0, 1, 0, 1, -1, 3, -1, 3, 1};

static StickObstacle table_of(StickObstacleSpec *spec)
{
    *spec = (StickObstacleSpec){.kind = STICK_OBSTACLE_POLYLINE, .npoints = 5, .points = table_points};
    return (StickObstacle){.spec = spec, .dim = 2};
}

static void polylines_are_touched_by_corners_of_both(void **state)
{
    static const StickShapeSpec box = {.kind = STICK_SPEC_BOX, .size = {1, 0.4}};
    static const StickShapeSpec disk = {.kind = STICK_SPEC_BALL, .radius = 0.25};
    static const StickShapeSpec roll = {.kind = STICK_SPEC_CAPSULE, .radius = 0.1, .length = 1};
    const double s = sqrt(0.5);
    const struct {
        const StickShapeSpec *shape;
        double x, y, angle;
        int count;
        double normal[2]; // of the first
    } stand[] = {
        {&box, 0, 0.2, 0, 2, {0, 1}},    // flat on the table
        {&box, 1.2, 0.2, 0, 2, {0, 1}},  // over its edge: one corner and that of the table
        {&box, -1.2, 0.2, 0, 2, {0, 1}}, // over its end
        {&box, 1 + 0.2 * sin(0.1), 0.2 * cos(0.1), -0.1, 1, {sin(0.1), cos(0.1)}}, // tilted about the edge
        {&box, 2.5, -0.8, 0, 4, {0, 1}}, // in the nook: two on the floor, two at the wall
        {&box, 4, 1.5, 0, 0, {0, 0}},    // beyond the end of the wall there is nothing
        {&disk, 0, 0.25, 0, 1, {0, 1}},  // on the table
        {&disk, 1 + 0.25 * 0.6, 0.25 * 0.8, 0, 1, {0.6, 0.8}},   // around the edge
        {&disk, -1 - 0.25 * 0.6, 0.25 * 0.8, 0, 1, {-0.6, 0.8}}, // around the end
        {&disk, 2.75, -0.75, 0, 2, {-1, 0}},                     // in the nook
        {&roll, 1.2, 0.1, 0, 2, {0, 1}},                         // over the edge
        {&roll, 1 + 0.1 * s, 0.1 * s, -M_PI / 4, 1, {s, s}},     // leans on the edge
    };
    StickObstacleSpec spec;
    StickObstacle table = table_of(&spec);
    for (size_t k = 0; k < sizeof stand / sizeof *stand; k++) {
        StickConcaveTouch touch[STICK_HOLLOW_POINTS];
        Placed placed;
        double q[6] = {stand[k].x, stand[k].y, stand[k].angle};
        place(*state, 2, stand[k].shape, q, &placed);
        int count = stick_concave_obstacle_touch(&placed.shape, &table, 1e-9, touch);
        check_order(touch, count);
        assert_int_equal(count, stand[k].count);
        for (int i = 0; i < count; i++)
            assert_near(touch[i].point.gap, 0, 1e-14);
        for (int i = 0; i < 2 && count > 0; i++)
            assert_near(touch[0].normal[i], stand[k].normal[i], 1e-14);
        stick_solid_destroy(*state, &placed.solid);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(gaps_from_inside_are_the_least_of_the_surface),
        test_with_context(shapes_stand_in_a_circle),
        test_with_context(polylines_are_touched_by_corners_of_both),
    };
    return cmocka_run_group_tests_name("contact.concave_obstacle", tests, NULL, NULL);
}
