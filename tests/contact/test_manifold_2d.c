// SPDX-License-Identifier: Apache-2.0
#include "check.h"

#include "base/random.h"
#include "contact/manifold_2d.h"

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
    stick_manifold_2d(&first, &second, reach, &manifold);
    return manifold;
}

static StickManifold touch_ground(Thing *a, double reach)
{
    StickPlacedShape shape = placed(a);
    StickManifold manifold;
    stick_manifold_2d_line(&shape, (double[2]){0, 0}, (double[2]){0, 1}, reach, &manifold);
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

// The core of a thing in the plane: what is nearer to it than the radius is the thing.
typedef struct Points {
    int n;
    double x[MOST_VERTICES * MOST_VERTICES][2];
} Points;

static Points core_of(const Thing *thing)
{
    Points core = {.n = 1};
    double local[MOST_VERTICES][2] = {{0}};
    if (thing->shape.kind == STICK_SHAPE_CAPSULE) {
        core.n = 2;
        local[0][0] = -thing->shape.half_length;
        local[1][0] = thing->shape.half_length;
    } else if (thing->shape.kind == STICK_SHAPE_POLYTOPE) {
        core.n = thing->shape.nvertices;
        for (int k = 0; k < core.n; k++)
            memcpy(local[k], &thing->vertex[3 * k], sizeof local[k]);
    }
    double c = cos(thing->angle), s = sin(thing->angle);
    for (int k = 0; k < core.n; k++) {
        core.x[k][0] = thing->x + c * local[k][0] - s * local[k][1];
        core.x[k][1] = thing->y + s * local[k][0] + c * local[k][1];
    }
    return core;
}

static double left_of(const double a[2], const double b[2], const double c[2])
{
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

static double to_segment(const double p[2], const double a[2], const double b[2])
{
    double e[2] = {b[0] - a[0], b[1] - a[1]}, square = e[0] * e[0] + e[1] * e[1];
    double s = square > 0 ? ((p[0] - a[0]) * e[0] + (p[1] - a[1]) * e[1]) / square : 0;
    s = fmin(fmax(s, 0), 1);
    return hypot(p[0] - a[0] - s * e[0], p[1] - a[1] - s * e[1]);
}

static double least_vertex_edge(const Points *a, const Points *b)
{
    double least = INFINITY;
    for (int i = 0; i < a->n; i++)
        for (int k = 0; k < b->n; k++)
            least = fmin(least, to_segment(a->x[i], b->x[k], b->x[(k + 1) % b->n]));
    return least;
}

// How deep the origin is within all differences of points of a and b: the least distance to a line through two of
// them that has all others on one side; negative if it is outside.
static double depth_of(const Points *a, const Points *b)
{
    static Points all;
    all.n = 0;
    for (int i = 0; i < a->n; i++)
        for (int j = 0; j < b->n; j++, all.n++)
            for (int c = 0; c < 2; c++)
                all.x[all.n][c] = a->x[i][c] - b->x[j][c];
    double depth = INFINITY;
    for (int i = 0; i < all.n; i++)
        for (int j = 0; j < all.n; j++) {
            double length = hypot(all.x[j][0] - all.x[i][0], all.x[j][1] - all.x[i][1]), least = 0;
            for (int k = 0; k < all.n && least > -1e-12 && length > 1e-6; k++)
                least = fmin(least, left_of(all.x[i], all.x[j], all.x[k]) / length);
            if (length > 1e-6 && least > -1e-12)
                depth = fmin(depth, left_of(all.x[i], all.x[j], (double[2]){0, 0}) / length);
        }
    return depth == INFINITY ? -1 : depth;
}

// The gap by trying everything.
static double slow_gap(const Thing *a, const Thing *b)
{
    Points first = core_of(a), second = core_of(b);
    double depth = depth_of(&first, &second);
    double apart = fmin(least_vertex_edge(&first, &second), least_vertex_edge(&second, &first));
    return (depth > 0 ? -depth : apart) - a->shape.radius - b->shape.radius;
}

static Thing random_polygon(StickRandom *random, int n)
{
    double vertex[MOST_VERTICES][2], turn = stick_random_uniform(random, 0, 6),
                                     flat = stick_random_uniform(random, 0.2, 1);
    for (int k = 0; k < n; k++) {
        double angle = turn + 6.283185307179586 * (k + stick_random_uniform(random, 0, 0.8)) / n;
        vertex[k][0] = cos(angle);
        vertex[k][1] = flat * sin(angle);
    }
    return polygon(n, (const double(*)[2])vertex, 0, 0, 0);
}

static Thing random_thing(StickRandom *random)
{
    Thing thing;
    switch (stick_random_bits(random) % 5) {
    case 0:
        thing = disk(stick_random_uniform(random, 0.1, 1), 0, 0);
        break;
    case 1:
        thing =
            capsule(stick_random_uniform(random, 0.1, 1), stick_random_uniform(random, 0.1, 0.5), 0, 0, 0);
        break;
    default:
        thing = random_polygon(random, 3 + (int)(stick_random_bits(random) % 6));
    }
    thing.x = stick_random_uniform(random, -1.2, 1.2);
    thing.y = stick_random_uniform(random, -1.2, 1.2);
    thing.angle = stick_random_uniform(random, -4, 4);
    return thing;
}

static double least_gap(const StickManifold *m)
{
    double least = INFINITY;
    for (int k = 0; k < m->count; k++)
        least = fmin(least, m->point[k].gap);
    return least;
}

// The gap is the distance or the depth, and the way along the normal by it just closes it.
static void gaps_are_those_of_all_tries(void **state)
{
    (void)state;
    StickRandom random = stick_random_seed(3);
    int apart = 0, overlapping = 0;
    for (int trial = 0; trial < 6000; trial++) {
        Thing a = random_thing(&random), b = random_thing(&random);
        double gap = slow_gap(&a, &b), reach = 0.8;
        StickManifold m = touch(&a, &b, reach);
        if (gap > reach) {
            assert_int_equal(m.count, 0);
            continue;
        }
        *(gap > 0 ? &apart : &overlapping) += 1;
        assert_true(m.count == 1 || m.count == 2);
        assert_near(least_gap(&m), gap, 1e-13);
        assert_near(hypot(m.normal[0], m.normal[1]), 1, 1e-15);
        a.x -= gap * m.normal[0];
        a.y -= gap * m.normal[1];
        assert_near(slow_gap(&a, &b), 0, 1e-12);
    }
    assert_true(apart > 1000 && overlapping > 1000);
}

// A point is halfway between both: there is nothing of either between it and the surfaces.
static void points_are_halfway(void **state)
{
    (void)state;
    StickRandom random = stick_random_seed(5);
    for (int trial = 0; trial < 3000; trial++) {
        Thing a = random_thing(&random), b = random_thing(&random);
        StickManifold m = touch(&a, &b, 0.5);
        for (int k = 0; k < m.count; k++) {
            double gap = m.point[k].gap;
            if (gap > least_gap(&m))
                continue;
            Thing at_a = disk(0, m.point[k].place[0] + 0.5 * gap * m.normal[0],
                              m.point[k].place[1] + 0.5 * gap * m.normal[1]);
            Thing at_b = disk(0, m.point[k].place[0] - 0.5 * gap * m.normal[0],
                              m.point[k].place[1] - 0.5 * gap * m.normal[1]);
            assert_near(slow_gap(&at_a, &a), 0, 1e-12);
            assert_near(slow_gap(&at_b, &b), 0, 1e-12);
        }
    }
}

// The other way round the normal is the other one; turned and moved as a whole everything turns and moves with it.
static void order_and_turns_do_not_matter(void **state)
{
    (void)state;
    StickRandom random = stick_random_seed(7);
    for (int trial = 0; trial < 3000; trial++) {
        Thing a = random_thing(&random), b = random_thing(&random);
        StickManifold m = touch(&a, &b, 0.5), swapped = touch(&b, &a, 0.5);
        double angle = stick_random_uniform(&random, -3, 3), c = cos(angle), s = sin(angle);
        Thing *both[2] = {&a, &b};
        for (int k = 0; k < 2; k++) {
            double x = both[k]->x, y = both[k]->y;
            both[k]->x = c * x - s * y + 7;
            both[k]->y = s * x + c * y - 5;
            both[k]->angle += angle;
        }
        StickManifold turned = touch(&a, &b, 0.5);
        assert_int_equal(swapped.count, m.count);
        assert_int_equal(turned.count, m.count);
        if (m.count == 0)
            continue;
        assert_normal(&swapped, -m.normal[0], -m.normal[1], 1e-12);
        assert_normal(&turned, c * m.normal[0] - s * m.normal[1], s * m.normal[0] + c * m.normal[1], 1e-12);
        for (int k = 0; k < m.count; k++) {
            const StickManifoldPoint *p = &m.point[k];
            assert_point(&turned, k, c * p->place[0] - s * p->place[1] + 7,
                         s * p->place[0] + c * p->place[1] - 5, p->gap, 1e-11);
            assert_int_equal(turned.point[k].feature, p->feature);
            // The features of a swapped pair differ in whose vertex it is, unless those of both meet.
            int other = m.count == 2 && fabs(swapped.point[k].place[0] - p->place[0]) +
                                                fabs(swapped.point[k].place[1] - p->place[1]) >
                                            1e-9
                            ? !k
                            : k;
            assert_point(&swapped, other, p->place[0], p->place[1], p->gap, 1e-11);
        }
    }
}

// No step of the gap is longer than the step of the body.
static void gaps_have_no_jumps(void **state)
{
    (void)state;
    StickRandom random = stick_random_seed(9);
    for (int trial = 0; trial < 200; trial++) {
        Thing a = random_thing(&random), b = random_thing(&random);
        // Every third pair slides with parallel edges.
        if (trial % 3 == 0) {
            a = box(1, 0.5, 0, 0, 0), b = box(1.5, 0.75, 0, 0, 0);
            b.angle = a.angle = stick_random_uniform(&random, 0, 1);
        }
        double way[2] = {stick_random_uniform(&random, -1, 1), stick_random_uniform(&random, -1, 1)};
        double from[2] = {b.x - 2 * way[0], b.y - 2 * way[1]}, last = NAN,
               step = 4e-3 * hypot(way[0], way[1]);
        for (int k = 0; k < 1000; k++) {
            a.x = from[0] + 4e-3 * k * way[0];
            a.y = from[1] + 4e-3 * k * way[1];
            StickManifold m = touch(&a, &b, 10);
            assert_true(m.count > 0);
            if (k > 0)
                assert_below(fabs(least_gap(&m) - last), step * (1 + 1e-9) + 1e-12);
            last = least_gap(&m);
        }
    }
}

static void capsules(void **state)
{
    (void)state;
    // Side by side: the ends of the shorter one.
    Thing a = capsule(0.5, 0.25, 0.25, 1, 0), b = capsule(1, 0.5, 0, 0, 0);
    StickManifold m = touch(&a, &b, 1);
    assert_int_equal(m.count, 2);
    assert_normal(&m, 0, 1, 0);
    assert_point(&m, 0, -0.25, 0.625, 0.25, 1e-15);
    assert_point(&m, 1, 0.75, 0.625, 0.25, 1e-15);
    // In one line, end to end, also with a disk; and within each other.
    a.x = 3, a.y = 0;
    m = touch(&a, &b, 1);
    assert_int_equal(m.count, 1);
    assert_normal(&m, 1, 0, 1e-15);
    assert_point(&m, 0, 1.875, 0, 0.75, 1e-15);
    Thing ball = disk(0.5, -2, 0);
    m = touch(&ball, &b, 1);
    assert_int_equal(m.count, 1);
    assert_normal(&m, -1, 0, 1e-15);
    assert_point(&m, 0, -1.5, 0, 0, 1e-15);
    a.x = 0.25;
    m = touch(&a, &b, 1);
    assert_near(least_gap(&m), -0.75, 1e-15);
    assert_near(fabs(m.normal[1]), 1, 1e-15);
    // Crossed: out over the nearest end.
    a.angle = 1.5707963267948966;
    a.x = 0, a.y = 0.2;
    m = touch(&a, &b, 1);
    assert_int_equal(m.count, 1);
    assert_normal(&m, 0, 1, 1e-15);
    assert_near(m.point[0].gap, -0.3 - 0.75, 1e-15);
    // Without a length it is a disk.
    Thing round = capsule(0, 0.5, 0, 1.5, 0.3);
    m = touch(&round, &b, 1);
    assert_int_equal(m.count, 1);
    assert_near(m.point[0].gap, 0.5, 1e-15);
}

// A vertex keeps its name while it slides along and tilts over, whichever face is the reference.
static void features_persist(void **state)
{
    (void)state;
    StickRandom random = stick_random_seed(13);
    Thing under = box(2, 1, 0, 0, 0), over = box(1, 1, 0.2, 1, 0);
    for (int trial = 0; trial < 2000; trial++) {
        over.x = stick_random_uniform(&random, -0.499, 0.499);
        over.y = 1 + stick_random_uniform(&random, -1e-3, 1e-3);
        over.angle = stick_random_uniform(&random, -1e-4, 1e-4);
        under.angle = stick_random_uniform(&random, -1e-4, 1e-4);
        StickManifold m = touch(&over, &under, 0.1);
        assert_int_equal(m.count, 2);
        assert_int_equal(m.point[0].feature, 0);
        assert_int_equal(m.point[1].feature, 2);
        m = touch(&under, &over, 0.1);
        assert_int_equal(m.count, 2);
        assert_int_equal(m.point[0].feature, 1);
        assert_int_equal(m.point[1].feature, 3);
    }
    // Flush boxes that shake by what a solver leaves.
    under = box(1, 1, 0, 0, 0);
    for (int trial = 0; trial < 2000; trial++) {
        over.x = stick_random_uniform(&random, -1e-8, 1e-8);
        over.y = 1 + stick_random_uniform(&random, -1e-8, 1e-8);
        over.angle = stick_random_uniform(&random, -1e-8, 1e-8);
        StickManifold m = touch(&over, &under, 1e-3);
        assert_int_equal(m.count, 2);
        assert_int_equal(m.point[0].feature, 0);
        assert_int_equal(m.point[1].feature, 2);
    }
}

// So does a disk that rolls along edges and around corners.
static void a_disk_has_one_name(void **state)
{
    (void)state;
    Thing ball = disk(0.5, 0, 0), b = box(2, 1, 0, 0, 0);
    for (int k = 0; k < 100; k++) {
        ball.x = 1.4 * cos(0.0628 * k), ball.y = 1.1 * sin(0.0628 * k);
        StickManifold m = touch(&ball, &b, 1), swapped = touch(&b, &ball, 1);
        assert_int_equal(m.count, 1);
        assert_int_equal(m.point[0].feature, 0);
        assert_int_equal(swapped.count, 1);
        assert_int_equal(swapped.point[0].feature, 1);
    }
}

// Edges that are next to nothing, repeated vertices, and edges in one line are no trouble.
static void tiny_edges(void **state)
{
    (void)state;
    const double e[3] = {1e-3, 1e-9, 0};
    for (int k = 0; k < 3; k++) {
        Thing cut = polygon(8,
                            (const double[8][2]){{-1 + e[k], -1},
                                                 {1 - e[k], -1},
                                                 {1, -1 + e[k]},
                                                 {1, 1 - e[k]},
                                                 {1 - e[k], 1},
                                                 {-1 + e[k], 1},
                                                 {-1, 1 - e[k]},
                                                 {-1, -1 + e[k]}},
                            0, 2.25, 0);
        Thing b = box(2, 2, 0.5, 0, 0);
        StickManifold m = touch(&cut, &b, 0.5);
        assert_int_equal(m.count, 2);
        assert_normal(&m, 0, 1, 1e-15);
        assert_near(m.point[0].gap, 0.25, 1e-15);
        assert_near(m.point[1].gap, 0.25, 1e-15);
        // Corner to corner.
        cut.x = 0.5 + 2 + 0.3, cut.y = 2 + 0.4;
        m = touch(&cut, &b, 1);
        assert_int_equal(m.count, 1);
        assert_near(m.point[0].gap, slow_gap(&cut, &b), 1e-12);
        cut.x = 0.5 + 2 - 1e-4, cut.y = 2 - 2e-4;
        m = touch(&cut, &b, 1);
        assert_near(least_gap(&m), e[k] > 1e-4 ? 0.5 * sqrt(2) * (e[k] - 3e-4) : -1e-4, 1e-12);
    }
    // An edge that rounding has turned around is no face.
    Thing odd =
        polygon(5, (const double[5][2]){{-1, -1}, {1, -1}, {1, 1}, {1 - 1e-15, 1 - 1e-15}, {-1, 1}}, 0, 0, 0);
    Thing small = box(0.5, 0.5, -1, 0.5, 0);
    StickManifold m = touch(&odd, &small, 0);
    assert_normal(&m, 1, 0, 1e-15);
    assert_near(least_gap(&m), -0.25, 1e-14);
}

// Corners that just meet, as in a wall of blocks: one point, without a gap.
static void corners_that_meet(void **state)
{
    (void)state;
    Thing a = box(0.45, 0.4, 0.225, 0.6, 0), b = box(0.45, 0.4, 0.675, 0.2, 0);
    StickManifold m = touch(&a, &b, 1e-3);
    assert_int_equal(m.count, 1);
    assert_near(m.point[0].gap, 0, 1e-15);
    assert_near(hypot(m.normal[0], m.normal[1]), 1, 1e-15);
    for (int k = 0; k < 8; k++) {
        a.x = 0.225 + 1e-15 * (k % 3 - 1);
        a.y = 0.6 + 1e-15 * ((k / 3) % 3 - 1);
        m = touch(&a, &b, 1e-3);
        assert_int_equal(m.count, 1);
        assert_near(m.point[0].gap, 0, 1e-14);
        assert_int_equal(m.point[0].feature, 2);
    }
}

// Stone k of a ring of n, with its corners from the middle of it, as bodies have them.
static Thing voussoir(int n, int k, double thickness)
{
    double a = acos(-1) * k / n, b = acos(-1) * (k + 1) / n, inner = 1 - thickness / 2,
           outer = 1 + thickness / 2;
    double x[4][2] = {{inner * cos(a), inner * sin(a)},
                      {outer * cos(a), outer * sin(a)},
                      {outer * cos(b), outer * sin(b)},
                      {inner * cos(b), inner * sin(b)}};
    double middle[2] = {0, 0};
    for (int i = 0; i < 8; i++)
        middle[i % 2] += x[i / 2][i % 2] / 4;
    for (int i = 0; i < 8; i++)
        x[i / 2][i % 2] -= middle[i % 2];
    return polygon(4, x, middle[0], middle[1], 0);
}

// Whole faces touch, and all four corners meet: rounding tells nothing about other faces.
static void stones_of_arches_touch_by_their_joints(void **state)
{
    (void)state;
    for (int n = 10; n <= 100; n += 10) {
        for (int k = 0; k + 1 < n; k++) {
            Thing a = voussoir(n, k, 0.1), b = voussoir(n, k + 1, 0.1);
            StickManifold m = touch(&a, &b, 1e-6);
            assert_int_equal(m.count, 2);
            for (int i = 0; i < 2; i++)
                assert_near(m.point[i].gap, 0, 1e-14);
        }
    }
}

// A number that is one of a few up to a disturbance of any order of magnitude.
static double nearly(StickRandom *random, double unit)
{
    double noise = pow(10, stick_random_uniform(random, -18, -2)) * stick_random_uniform(random, -1, 1);
    int steps = (int)(stick_random_bits(random) % 9) - 4;
    return unit * (steps + (stick_random_bits(random) % 4 == 0 ? 0 : noise));
}

// Edges that are parallel or in one line, corners that meet: nearly or exactly.
static void gaps_of_aligned_things(void **state)
{
    (void)state;
    StickRandom random = stick_random_seed(17);
    for (int trial = 0; trial < 20000; trial++) {
        Thing thing[2];
        for (int k = 0; k < 2; k++) {
            double angle = nearly(&random, 0.7853981633974483), x = nearly(&random, 0.25),
                   y = nearly(&random, 0.25);
            switch (stick_random_bits(&random) % 5) {
            case 0:
                thing[k] = capsule(0.5, 0.25, x, y, angle);
                break;
            case 1:
                thing[k] = disk(0.25, x, y);
                break;
            case 2:
                thing[k] = polygon(5,
                                   (const double[5][2]){
                                       {-0.5, -0.5}, {0, -0.5 - 1e-7}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}},
                                   x, y, angle);
                break;
            default:
                thing[k] = box(1, 0.5, x, y, angle);
            }
        }
        double gap = slow_gap(&thing[0], &thing[1]);
        StickManifold m = touch(&thing[0], &thing[1], 10);
        assert_near(least_gap(&m), gap, 5e-12);
        assert_near(hypot(m.normal[0], m.normal[1]), 1, 1e-15);
        assert_true(m.count == 1 || m.point[0].feature < m.point[1].feature);
        StickManifold swapped = touch(&thing[1], &thing[0], 10);
        assert_near(least_gap(&swapped), gap, 5e-12);
        // Out by the way of the normal, if there is just one.
        thing[0].x -= gap * m.normal[0];
        thing[0].y -= gap * m.normal[1];
        assert_near(slow_gap(&thing[0], &thing[1]), 0, 5e-12);
    }
}

// A place that is not a number touches nothing.
static void no_number_no_contact(void **state)
{
    (void)state;
    Thing a = box(1, 1, NAN, 0, 0), b = box(1, 1, 0, 0, 0), c = box(1, 1, 0, 0, NAN);
    assert_int_equal(touch(&a, &b, 1).count, 0);
    assert_int_equal(touch(&b, &a, 1).count, 0);
    assert_int_equal(touch(&c, &b, 1).count, 0);
    assert_int_equal(touch_ground(&a, 1).count, 0);
    assert_int_equal(touch_ground(&c, 1).count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(disks),
        cmocka_unit_test(disk_and_box),
        cmocka_unit_test(stacked_boxes_have_two_exact_points),
        cmocka_unit_test(shapes_on_a_line),
        cmocka_unit_test(gaps_are_those_of_all_tries),
        cmocka_unit_test(points_are_halfway),
        cmocka_unit_test(order_and_turns_do_not_matter),
        cmocka_unit_test(gaps_have_no_jumps),
        cmocka_unit_test(capsules),
        cmocka_unit_test(features_persist),
        cmocka_unit_test(a_disk_has_one_name),
        cmocka_unit_test(tiny_edges),
        cmocka_unit_test(corners_that_meet),
        cmocka_unit_test(stones_of_arches_touch_by_their_joints),
        cmocka_unit_test(gaps_of_aligned_things),
        cmocka_unit_test(no_number_no_contact),
    };
    return cmocka_run_group_tests_name("contact.manifold_2d", tests, NULL, NULL);
}
