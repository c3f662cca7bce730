// SPDX-License-Identifier: Apache-2.0
#include "check.h"

#include "base/random.h"
#include "contact/plane_touch.h"

enum { MOST_VERTICES = 40 };

// A shape of its own with its place, to be taken apart by hand.
typedef struct Thing {
    StickConvex shape;
    double vertex[3 * MOST_VERTICES];
    double x, y, angle;
} Thing;

static StickPlacedShape placed(Thing *thing)
{
    double c = cos(thing->angle), s = sin(thing->angle);
    if (thing->shape.kind == STICK_SHAPE_POLYTOPE)
        thing->shape.vertex = thing->vertex;
    return (StickPlacedShape){&thing->shape, {thing->x, thing->y, 0}, {{c, s, 0}, {-s, c, 0}, {0, 0, 1}}};
}

static Thing disk(double radius, double x, double y)
{
    return (Thing){.shape = {STICK_SHAPE_BALL, .radius = radius, .bound = radius}, .x = x, .y = y};
}

static Thing capsule(double half_length, double radius, double x, double y, double angle)
{
    return (Thing){.shape = {STICK_SHAPE_CAPSULE, .radius = radius, .bound = radius + half_length,
                             .axis = {1, 0, 0}, .half_length = half_length},
                   .x = x,
                   .y = y,
                   .angle = angle};
}

static Thing polygon(int n, const double (*vertex)[2], double x, double y, double angle)
{
    Thing thing = {.shape = {STICK_SHAPE_POLYTOPE, .nvertices = n}, .x = x, .y = y, .angle = angle};
    for (int k = 0; k < n; k++) {
        thing.vertex[3 * k] = vertex[k][0];
        thing.vertex[3 * k + 1] = vertex[k][1];
        thing.shape.bound = fmax(thing.shape.bound, hypot(vertex[k][0], vertex[k][1]));
    }
    return thing;
}

static Thing box(double width, double height, double x, double y, double angle)
{
    double a = 0.5 * width, b = 0.5 * height;
    return polygon(4, (const double[4][2]){{-a, -b}, {a, -b}, {a, b}, {-a, b}}, x, y, angle);
}

static StickManifold touch(Thing *a, Thing *b, double reach)
{
    StickPlacedShape first = placed(a), second = placed(b);
    StickManifold manifold;
    stick_plane_touch(&first, &second, reach, &manifold);
    return manifold;
}

static StickManifold touch_ground(Thing *a, double reach)
{
    StickPlacedShape shape = placed(a);
    StickManifold manifold;
    stick_plane_touch_line(&shape, (double[2]){0, 0}, (double[2]){0, 1}, reach, &manifold);
    return manifold;
}

static void assert_normal(const StickManifold *manifold, double x, double y, double tolerance)
{
    assert_near(manifold->normal[0], x, tolerance);
    assert_near(manifold->normal[1], y, tolerance);
    assert_true(manifold->normal[2] == 0);
}

static void assert_point(const StickManifold *manifold, int k, double x, double y, double gap,
                         double tolerance)
{
    assert_true(k < manifold->count);
    assert_near(manifold->point[k].place[0], x, tolerance);
    assert_near(manifold->point[k].place[1], y, tolerance);
    assert_near(manifold->point[k].gap, gap, tolerance);
    assert_true(manifold->point[k].place[2] == 0);
}

static void disks(void **state)
{
    (void)state;
    Thing a = disk(2, 3, 4), b = disk(1, 0, 0);
    StickManifold m = touch(&a, &b, 2);
    assert_int_equal(m.count, 1);
    assert_normal(&m, 0.6, 0.8, 1e-15);
    assert_point(&m, 0, 1.2, 1.6, 2, 1e-14);
    m = touch(&a, &b, 1.999);
    assert_int_equal(m.count, 0);
    a.x = 0.3, a.y = 0.4;
    m = touch(&a, &b, 0);
    assert_normal(&m, 0.6, 0.8, 1e-15);
    assert_point(&m, 0, -0.15, -0.2, -2.5, 1e-14);
    // The same centre: a normal all the same.
    a.x = a.y = 0;
    a.angle = 0.7;
    m = touch(&a, &b, 0);
    assert_int_equal(m.count, 1);
    assert_normal(&m, 0, 1, 1e-15);
    assert_near(m.point[0].gap, -3, 0);
}

static void disk_and_box(void **state)
{
    (void)state;
    Thing a = disk(1, 0.5, 2.25), b = box(4, 2, 0, 0, 0);
    StickManifold m = touch(&a, &b, 1);
    assert_int_equal(m.count, 1);
    assert_normal(&m, 0, 1, 0);
    assert_point(&m, 0, 0.5, 1.125, 0.25, 1e-15);
    // At a corner.
    a.x = 2.6, a.y = 1.8;
    m = touch(&a, &b, 1);
    assert_int_equal(m.count, 1);
    assert_normal(&m, 0.6, 0.8, 1e-15);
    assert_point(&m, 0, 2, 1, 0, 1e-15);
    // Its centre within the box: out by the nearest side.
    a.x = 1.75, a.y = 0.5;
    m = touch(&a, &b, 0);
    assert_normal(&m, 1, 0, 0);
    assert_point(&m, 0, 1.375, 0.5, -1.25, 1e-15);
}

static void stacked_boxes_have_two_exact_points(void **state)
{
    (void)state;
    Thing under = box(0.9, 0.4, 0.1, 0.2, 0), over = box(0.9, 0.4, 0.1, 0.6, 0);
    StickManifold m = touch(&over, &under, 1e-3);
    assert_int_equal(m.count, 2);
    assert_normal(&m, 0, 1, 0);
    assert_point(&m, 0, -0.35, 0.4, 0, 1e-16);
    assert_point(&m, 1, 0.55, 0.4, 0, 1e-16);
    // Both are vertices of a where vertices of both meet.
    assert_int_equal(m.point[0].feature, 0);
    assert_int_equal(m.point[1].feature, 2);
    // Pushed aside: one vertex of each.
    over.x += 0.25;
    m = touch(&over, &under, 1e-3);
    assert_int_equal(m.count, 2);
    assert_point(&m, 0, -0.1, 0.4, 0, 1e-16);
    assert_point(&m, 1, 0.55, 0.4, 0, 1e-16);
    assert_int_equal(m.point[0].feature, 0);
    assert_int_equal(m.point[1].feature, 2 * 2 + 1);
    // Over the edge, and past it.
    over.x = under.x + 0.9 - 1e-6;
    assert_int_equal(touch(&over, &under, 1e-3).count, 2);
    over.x = under.x + 0.9 + 3e-4, over.y += 4e-4;
    m = touch(&over, &under, 1e-3);
    assert_int_equal(m.count, 1);
    assert_normal(&m, 0.6, 0.8, 1e-11);
    assert_near(m.point[0].gap, 5e-4, 1e-15);
    assert_int_equal(m.point[0].feature, 0);
}

static void shapes_on_a_line(void **state)
{
    (void)state;
    Thing a = disk(0.5, 2, 0.75);
    StickManifold m = touch_ground(&a, 1);
    assert_int_equal(m.count, 1);
    assert_normal(&m, 0, 1, 0);
    assert_point(&m, 0, 2, 0.125, 0.25, 1e-15);
    assert_int_equal(touch_ground(&a, 0.2).count, 0);
    a = capsule(1, 0.25, 2, 0.25, 0);
    m = touch_ground(&a, 1);
    assert_int_equal(m.count, 2);
    assert_point(&m, 0, 1, 0, 0, 1e-15);
    assert_point(&m, 1, 3, 0, 0, 1e-15);
    a = box(2, 1, 0, 0.5, 0);
    m = touch_ground(&a, 0.1);
    assert_int_equal(m.count, 2);
    assert_point(&m, 0, -1, 0, 0, 0);
    assert_point(&m, 1, 1, 0, 0, 0);
    // Tilted about its left corner: both are seen as long as the reach is enough.
    a.angle = 0.01;
    a.x = -1 + hypot(1, 0.5) * cos(atan2(0.5, 1) + 0.01), a.y = hypot(1, 0.5) * sin(atan2(0.5, 1) + 0.01);
    m = touch_ground(&a, 0.1);
    assert_int_equal(m.count, 2);
    assert_point(&m, 0, -1, 0, 0, 1e-15);
    assert_point(&m, 1, -1 + 2 * cos(0.01) + 0, sin(0.01), 2 * sin(0.01), 1e-15);
    m = touch_ground(&a, 0.01);
    assert_int_equal(m.count, 1);
    assert_int_equal(m.point[0].feature, 0);
    // More than two vertices on the line: the outer ones. A triangle on its tip has just this one.
    Thing split =
        polygon(6, (const double[6][2]){{-2, 0}, {-1, 0}, {0, 0}, {2, 0}, {1, 3}, {-1, 3}}, 5, 0, 0);
    m = touch_ground(&split, 0.1);
    assert_int_equal(m.count, 2);
    assert_point(&m, 0, 3, 0, 0, 0);
    assert_point(&m, 1, 7, 0, 0, 0);
    Thing tip = polygon(3, (const double[3][2]){{0, 0}, {1, 1}, {-1, 1}}, 0, -0.25, 0);
    m = touch_ground(&tip, 0.1);
    assert_int_equal(m.count, 1);
    assert_point(&m, 0, 0, -0.125, -0.25, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(disks),
        cmocka_unit_test(disk_and_box),
        cmocka_unit_test(stacked_boxes_have_two_exact_points),
        cmocka_unit_test(shapes_on_a_line),
    };
    return cmocka_run_group_tests_name("contact.plane_touch", tests, NULL, NULL);
}
