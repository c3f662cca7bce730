// SPDX-License-Identifier: Apache-2.0
#include "check.h"

#include "contact/manifold_3d.h"
#include "contact/shapes.h"

static const double up[3] = {0, 0, 1};

static double least_gap(const StickManifold *manifold)
{
    double least = INFINITY;
    for (int k = 0; k < manifold->count; k++)
        least = fmin(least, manifold->point[k].gap);
    return least;
}

// What holds for every manifold: a unit normal along which the shapes are just as far apart as the least gap says, all gaps
// within reach, points halfway between both surfaces, names that differ.
static void check_manifold(const StickPlacedShape *a, const StickPlacedShape *b, double reach,
                           const StickManifold *m)
{
    assert_near(stick_vec_norm(m->normal), 1, 1e-14);
    assert_near(least_gap(m), apart_along(a, b, m->normal), 2e-10);
    assert_true(m->count <= STICK_MANIFOLD);
    for (int k = 0; k < m->count; k++) {
        double x[3], y[3], gap = m->point[k].gap;
        assert_true(gap <= reach);
        stick_vec_axpy(m->point[k].place, gap / 2, m->normal, x);
        stick_vec_axpy(m->point[k].place, -gap / 2, m->normal, y);
        // along an inclined capsule the points within the segment are a little inside
        assert_near(outside(a, x), 0,
                    a->shape->kind == STICK_SHAPE_CAPSULE && gap > least_gap(m) ? 0.3 : 2e-9);
        assert_near(outside(b, y), 0,
                    b->shape->kind == STICK_SHAPE_CAPSULE && gap > least_gap(m) ? 0.3 : 2e-9);
        for (int l = 0; l < k; l++)
            assert_true(m->point[l].feature != m->point[k].feature);
    }
}

// The other way round the normal is opposite, and the least gap the same.
static void check_swapped(const StickPlacedShape *a, const StickPlacedShape *b, double reach,
                          const StickManifold *m)
{
    StickManifold other;
    stick_manifold_3d(b, a, reach, &other);
    assert_near(least_gap(&other), least_gap(m), 2e-10);
    if (fabs(least_gap(m)) > 1e-3)
        assert_true(other.count == 0 || m->count > 0);
}

// The largest s(n) by many directions and a search from the best ones: an independent answer for any pair.
static double most_apart(const StickPlacedShape *a, const StickPlacedShape *b)
{
    enum { TRIES = 800, KEPT = 6 };
    double best[KEPT][3], value[KEPT];
    for (int k = 0; k < KEPT; k++)
        value[k] = -INFINITY;
    for (int i = 0; i < TRIES; i++) {
        double z = 1 - (2 * i + 1.0) / TRIES, r = sqrt(1 - z * z), phi = 2.399963229728653 * i;
        double n[3] = {r * cos(phi), r * sin(phi), z}, s = apart_along(a, b, n);
        int k = KEPT;
        for (; k > 0 && s > value[k - 1]; k--)
            if (k < KEPT) {
                value[k] = value[k - 1];
                memcpy(best[k], best[k - 1], sizeof n);
            }
        if (k < KEPT) {
            value[k] = s;
            memcpy(best[k], n, sizeof n);
        }
    }
    double most = -INFINITY;
    StickRandom random = stick_random_seed(5);
    for (int k = 0; k < KEPT; k++) {
        double step = 0.1;
        for (int i = 0; i < 3000 && step > 1e-14; i++) {
            double n[3];
            for (int d = 0; d < 3; d++)
                n[d] = best[k][d] + step * stick_random_uniform(&random, -1, 1);
            stick_vec_normalise(n);
            double s = apart_along(a, b, n);
            if (s > value[k]) {
                value[k] = s;
                memcpy(best[k], n, sizeof n);
                step *= 2;
            } else {
                step *= 0.93;
            }
        }
        most = fmax(most, value[k]);
    }
    return most;
}

// Apart, the points of the least gap prove themselves (they are in the shapes, and no direction can part these more than the
// distance); overlapping shapes are compared with the search.
static void check_pair(const StickPlacedShape *a, const StickPlacedShape *b)
{
    StickManifold m;
    stick_manifold_3d(a, b, 10, &m);
    assert_true(m.count > 0);
    check_manifold(a, b, 10, &m);
    check_swapped(a, b, 10, &m);
    double most = most_apart(a, b);
    if (most > least_gap(&m) + 1e-9)
        print_message("kinds %d %d: search %.15g, manifold %.15g\n", a->shape->kind, b->shape->kind, most,
                      least_gap(&m));
    assert_below(most, least_gap(&m) + 1e-9);
    stick_manifold_3d(a, b, least_gap(&m) - 1e-6, &m);
    assert_int_equal(m.count, 0);
}

// ---- balls, capsules

static void balls(void **state)
{
    (void)state;
    StickConvex one = ball(0.5), two = ball(0.25);
    StickPlacedShape a = placed(&one, 1, 2, 3), b = placed(&two, 1, 2.6, 3.8);
    StickManifold m;
    stick_manifold_3d(&a, &b, 0.3, &m);
    assert_int_equal(m.count, 1);
    assert_near(m.point[0].gap, 0.25, 1e-15);
    assert_near(m.normal[1], -0.6, 1e-15);
    assert_near(m.normal[2], -0.8, 1e-15);
    assert_near(m.point[0].place[1], 2 + 0.6 * 0.625, 1e-15);
    check_manifold(&a, &b, 0.3, &m);
    stick_manifold_3d(&a, &b, 0.2, &m);
    assert_int_equal(m.count, 0);
    // one in the other, with one centre
    b = placed(&two, 1, 2, 3);
    stick_manifold_3d(&a, &b, 0, &m);
    assert_int_equal(m.count, 1);
    assert_near(m.point[0].gap, -0.75, 1e-15);
    assert_near(stick_vec_norm(m.normal), 1, 1e-15);
}

static void capsules(void **state)
{
    (void)state;
    StickConvex one = capsule(0.2, 1), two = capsule(0.1, 0.5), small = ball(0.3);
    StickPlacedShape a = placed(&one, 0, 0, 0), b = placed(&two, 0.4, 0, 0.75),
                     c = placed(&small, 0, 0.7, 0.5);
    StickManifold m;
    // side by side: both ends of what they share
    stick_manifold_3d(&a, &b, 0.2, &m);
    assert_int_equal(m.count, 2);
    for (int k = 0; k < 2; k++) {
        assert_near(m.point[k].gap, 0.1, 1e-15);
        assert_near(m.point[k].place[0], 0.25, 1e-15);
    }
    assert_near(m.point[0].place[2] + m.point[1].place[2], 1.25, 1e-15);
    assert_near(fabs(m.point[0].place[2] - m.point[1].place[2]), 0.75, 1e-15);
    assert_near(m.normal[0], -1, 1e-15);
    // across: one
    turn(&b, 1, 0, 0, 1);
    stick_manifold_3d(&a, &b, 0.2, &m);
    assert_int_equal(m.count, 1);
    assert_near(m.point[0].gap, 0.1, 1e-15);
    // a ball at its side, and one whose centre is on its axis
    stick_manifold_3d(&a, &c, 0.3, &m);
    assert_near(m.point[0].gap, 0.2, 1e-15);
    assert_near(m.normal[1], -1, 1e-15);
    c = placed(&small, 0, 0, 0.5);
    stick_manifold_3d(&a, &c, 0.3, &m);
    assert_int_equal(m.count, 1);
    assert_near(m.point[0].gap, -0.5, 1e-15);
    assert_near(m.normal[2], 0, 1e-15);
    // crossing axes
    b = placed(&two, 0, 0, 0);
    turn(&b, 1, 0, 0, 1);
    stick_manifold_3d(&a, &b, 0, &m);
    assert_near(fabs(m.normal[0]), 1, 1e-15);
    assert_near(m.point[0].gap, -0.3, 1e-15);
}

// ---- boxes

// A box on another one shares a rectangle: its corners, with exact gaps, wherever the pair is.
static void boxes_face_to_face(void **state)
{
    (void)state;
    Solid large, small;
    StickRandom random = stick_random_seed(1);
    make_box(2, 2, 1, &large);
    make_box(1, 1, 1, &small);
    for (int trial = 0; trial < 100; trial++) {
        double gap = trial % 3 == 0 ? 0 : trial % 3 == 1 ? 1e-3 : -1e-3;
        double x = trial < 20 ? 0 : stick_random_uniform(&random, -1.4, 1.4);
        StickPlacedShape a = placed(&small.convex, x, 0.3, 1 + gap), b = placed(&large.convex, 0, 0, 0);
        double u[3], shift[3];
        for (int k = 0; k < 3; k++) {
            u[k] = stick_random_uniform(&random, 0.1, 1);
            shift[k] = stick_random_uniform(&random, -5, 5);
        }
        move_both(&a, &b, u, trial == 0 ? 0 : trial, shift);
        StickManifold m;
        stick_manifold_3d(&a, &b, 0.01, &m);
        assert_int_equal(m.count, 4);
        double area = 0, d[3], e[3], cross[3];
        for (int k = 0; k < 4; k++)
            assert_near(m.point[k].gap, gap, 2e-15);
        for (int k = 1; k < 3; k++) {
            stick_vec_sub(m.point[k].place, m.point[0].place, d);
            stick_vec_sub(m.point[k + 1].place, m.point[0].place, e);
            stick_vec_cross(d, e, cross);
            area += stick_vec_norm(cross) / 2;
        }
        double left = fmax(x - 0.5, -1), right = fmin(x + 0.5, 1);
        assert_near(area, right - left, 1e-13);
        for (int k = 0; k < 3; k++)
            assert_near(m.normal[k], b.axis[2][k], 1e-14);
        check_manifold(&a, &b, 0.01, &m);
        check_swapped(&a, &b, 0.01, &m);
    }
}

static void equal_boxes_and_turned_ones(void **state)
{
    (void)state;
    Solid box;
    make_box(1, 1, 1, &box);
    StickPlacedShape a = placed(&box.convex, 0, 0, 1), b = placed(&box.convex, 0, 0, 0);
    StickManifold m, later;
    // one on the other, corner on corner
    stick_manifold_3d(&a, &b, 1e-3, &m);
    assert_int_equal(m.count, 4);
    // the names stay under motions as small as rounding makes them
    a.centre[0] += 1e-13;
    turn(&a, 1, 2, 3, 1e-13);
    stick_manifold_3d(&a, &b, 1e-3, &later);
    assert_int_equal(later.count, 4);
    for (int k = 0; k < 4; k++)
        assert_int_equal(later.point[k].feature, m.point[k].feature);
    // turned by 45 degrees: an octagon; a slight inclination keeps all eight
    a = placed(&box.convex, 0, 0, 1);
    turn(&a, 0, 0, 1, M_PI / 4);
    stick_manifold_3d(&a, &b, 1e-3, &m);
    assert_int_equal(m.count, 8);
    for (int k = 0; k < 8; k++)
        assert_near(m.point[k].gap, 0, 1e-15);
    for (int trial = 0; trial < 40; trial++) {
        StickPlacedShape c = a;
        turn(&c, cos(trial), sin(trial), 0, 1e-6 * trial);
        c.centre[2] += 1e-6 * (trial % 7 - 5);
        stick_manifold_3d(&c, &b, 1e-2, &later);
        assert_int_equal(later.count, 8);
        check_manifold(&c, &b, 1e-2, &later);
        for (int k = 0; k < 8; k++) {
            bool known = false;
            for (int l = 0; l < 8; l++)
                known = known || later.point[k].feature == m.point[l].feature;
            assert_true(known);
        }
    }
}

// What rounding does to bodies at rest changes neither the points nor their names.
static void rest_is_steady(void **state)
{
    (void)state;
    StickRandom random = stick_random_seed(6);
    Solid box, floor;
    make_box(1, 1, 1, &box);
    make_box(200, 200, 2, &floor);
    StickConvex drum = cylinder(0.5, 0.5);
    const StickConvex *upper[] = {&box.convex, &box.convex, &drum, &drum},
                      *lower[] = {&box.convex, &floor.convex, &floor.convex, &drum};
    const double height[] = {1, 1.5, 1.5, 1};
    const int count[] = {4, 4, 8, 8};
    for (int pair = 0; pair < 4; pair++) {
        StickPlacedShape a = placed(upper[pair], 0, 0, height[pair]), b = placed(lower[pair], 0, 0, 0);
        StickManifold first, m;
        move_both(&a, &b, (double[]){3, 1, 2}, 0.7, (double[]){10, 20, 30});
        stick_manifold_3d(&a, &b, 1e-3, &first);
        assert_int_equal(first.count, count[pair]);
        for (int trial = 0; trial < 200; trial++) {
            StickPlacedShape c = a;
            for (int k = 0; k < 3; k++)
                c.centre[k] += stick_random_uniform(&random, -1e-14, 1e-14);
            turn(&c, cos(trial), sin(trial), 0.5, 1e-14);
            stick_manifold_3d(&c, &b, 1e-3, &m);
            assert_int_equal(m.count, first.count);
            for (int k = 0; k < m.count; k++) {
                assert_near(m.point[k].gap, 0, 2e-13);
                assert_int_equal(m.point[k].feature, first.point[k].feature);
            }
        }
    }
}

static void edges_and_corners(void **state)
{
    (void)state;
    Solid box;
    make_box(1, 1, 1, &box);
    StickManifold m;
    double half = sqrt(0.5);
    // two edges across each other
    StickPlacedShape a = placed(&box.convex, 0, 0, 2 * half + 0.01), b = placed(&box.convex, 0, 0, 0);
    turn(&a, 1, 0, 0, M_PI / 4);
    turn(&b, 0, 1, 0, M_PI / 4);
    stick_manifold_3d(&a, &b, 0.1, &m);
    assert_int_equal(m.count, 1);
    assert_near(m.point[0].gap, 0.01, 1e-15);
    assert_near(m.normal[2], 1, 1e-15);
    assert_near(m.point[0].place[2], half + 0.005, 1e-15);
    a.centre[2] -= 0.02;
    stick_manifold_3d(&a, &b, 0.1, &m);
    assert_int_equal(m.count, 1);
    assert_near(m.point[0].gap, -0.01, 1e-15);
    // a box on its edge on a face: two points
    b = placed(&box.convex, 0, 0, 0);
    a.centre[2] = 0.5 + half;
    stick_manifold_3d(&a, &b, 0.01, &m);
    assert_int_equal(m.count, 2);
    assert_near(m.point[0].gap, 0, 1e-15);
    assert_near(m.point[1].gap, 0, 1e-15);
    // on its corner: one
    a = placed(&box.convex, 0.1, 0.2, 0.5 + sqrt(0.75));
    turn(&a, 0, 0, 1, M_PI / 4);
    turn(&a, 0, 1, 0, atan(sqrt(2)));
    stick_manifold_3d(&a, &b, 0.01, &m);
    assert_int_equal(m.count, 1);
    assert_near(m.point[0].gap, 0, 1e-15);
    assert_near(m.point[0].place[0], 0.1, 1e-15);
    // corner to corner, apart: along the diagonal
    a = placed(&box.convex, 1.1, 1.2, 1.2);
    stick_manifold_3d(&a, &b, 1, &m);
    assert_int_equal(m.count, 1);
    assert_near(m.point[0].gap, 0.3, 1e-15);
    assert_near(m.normal[0], 1.0 / 3, 1e-15);
    assert_near(m.normal[2], 2.0 / 3, 1e-15);
    // edges side by side, apart: two points
    a = placed(&box.convex, 1.3, 0.25, 1.4);
    stick_manifold_3d(&a, &b, 1, &m);
    assert_int_equal(m.count, 2);
    for (int k = 0; k < 2; k++)
        assert_near(m.point[k].gap, 0.5, 1e-15);
    assert_near(fabs(m.point[0].place[1] - m.point[1].place[1]), 0.75, 1e-15);
    // one box in the other, with one centre
    a = b;
    stick_manifold_3d(&a, &b, 0, &m);
    assert_int_equal(m.count, 4);
    assert_near(m.point[0].gap, -1, 1e-15);
}

static void balls_and_capsules_on_boxes(void **state)
{
    (void)state;
    Solid box;
    make_box(2, 2, 2, &box);
    StickConvex round = ball(0.5), rod = capsule(0.25, 1);
    StickPlacedShape b = placed(&box.convex, 0, 0, 0), a = placed(&round, 0.3, -0.4, 1.6);
    StickManifold m;
    stick_manifold_3d(&a, &b, 0.2, &m);
    assert_int_equal(m.count, 1);
    assert_near(m.point[0].gap, 0.1, 1e-15);
    assert_near(m.point[0].place[2], 1.05, 1e-15);
    // at an edge, at a corner, deep inside
    a = placed(&round, 1.3, 0, 1.4);
    stick_manifold_3d(&a, &b, 0.2, &m);
    assert_near(m.point[0].gap, 0, 1e-15);
    assert_near(m.normal[0], 0.6, 1e-15);
    a = placed(&round, 1.2, 1.2, 1.1);
    stick_manifold_3d(&a, &b, 0.2, &m);
    assert_near(m.point[0].gap, -0.2, 1e-15);
    assert_near(m.normal[2], 1.0 / 3, 1e-15);
    a = placed(&round, 0.1, 0.9, 0);
    stick_manifold_3d(&a, &b, 0, &m);
    assert_near(m.point[0].gap, -0.6, 1e-15);
    assert_near(m.normal[1], 1, 1e-15);
    // a capsule lies on the face with both ends, beyond its side with the part above the face
    a = placed(&rod, 0, 0, 1.25);
    turn(&a, 0, 1, 0, M_PI / 2);
    stick_manifold_3d(&a, &b, 0.1, &m);
    assert_int_equal(m.count, 2);
    a.centre[0] = 0.8;
    stick_manifold_3d(&a, &b, 0.1, &m);
    assert_int_equal(m.count, 2);
    for (int k = 0; k < 2; k++) {
        assert_near(m.point[k].gap, 0, 1e-15);
        assert_near(m.point[k].place[2], 1, 1e-15);
    }
    assert_near(fabs(m.point[0].place[0] - m.point[1].place[0]), 1.2, 1e-15);
    // beside an edge, parallel to it: still two; on its end: one
    a.centre[0] = 0;
    a.centre[1] = 1.3;
    a.centre[2] = 1.4;
    stick_manifold_3d(&a, &b, 0.5, &m);
    assert_int_equal(m.count, 2);
    assert_near(m.point[0].gap, 0.25, 1e-15);
    a = placed(&rod, 0, 0, 2.25);
    stick_manifold_3d(&a, &b, 0.1, &m);
    assert_int_equal(m.count, 1);
    assert_near(m.point[0].gap, 0, 1e-15);
}

// ---- cylinders

static void cylinders_stand_and_lie(void **state)
{
    (void)state;
    Solid box;
    make_box(4, 4, 2, &box);
    StickConvex drum = cylinder(0.5, 1), thin = cylinder(0.25, 2);
    StickPlacedShape b = placed(&box.convex, 0, 0, 0), a = placed(&drum, 0.1, 0.2, 2);
    StickManifold m;
    stick_manifold_3d(&a, &b, 0.01, &m);
    assert_int_equal(m.count, 8);
    for (int k = 0; k < 8; k++)
        assert_near(m.point[k].gap, 0, 1e-15);
    check_manifold(&a, &b, 0.01, &m);
    // inclined: the exact lowest point is among them
    turn(&a, cos(0.3), sin(0.3), 0, 1e-3);
    stick_manifold_3d(&a, &b, 0.01, &m);
    assert_int_equal(m.count, 9);
    assert_near(least_gap(&m), 1 - cos(1e-3) - 0.5 * sin(1e-3), 1e-15);
    check_manifold(&a, &b, 0.01, &m);
    // across the border of the face: cut there
    a = placed(&drum, 2.1, 0, 2);
    stick_manifold_3d(&a, &b, 0.01, &m);
    assert_in_range(m.count, 4, 9);
    for (int k = 0; k < m.count; k++)
        assert_true(m.point[k].place[0] < 2 + 1e-9);
    check_manifold(&a, &b, 0.01, &m);
    // lying, and rolling: two points under the axis
    for (int trial = 0; trial < 10; trial++) {
        a = placed(&drum, 0.1 * trial, 0.2, 1.5);
        turn(&a, 1, 0, 0, M_PI / 2);
        turn(&a, 0, 1, 0, 0.2 * trial);
        stick_manifold_3d(&a, &b, 0.01, &m);
        assert_int_equal(m.count, 2);
        for (int k = 0; k < 2; k++) {
            assert_near(m.point[k].gap, 0, 1e-15);
            assert_near(m.point[k].place[0], 0.1 * trial, 1e-14);
            assert_near(fabs(m.point[k].place[1] - 0.2), 1, 1e-14);
        }
    }
    // one lying on another: along it two points, across it one
    b = placed(&thin, 0, 0, 0);
    turn(&b, 1, 0, 0, M_PI / 2);
    a = placed(&drum, 0, 0, 0.75);
    turn(&a, 1, 0, 0, M_PI / 2);
    stick_manifold_3d(&a, &b, 0.01, &m);
    assert_int_equal(m.count, 2);
    assert_near(m.point[0].gap, 0, 1e-15);
    turn(&a, 0, 0, 1, 1);
    stick_manifold_3d(&a, &b, 0.01, &m);
    assert_int_equal(m.count, 1);
    assert_near(m.point[0].gap, 0, 1e-15);
    // a column of two drums
    a = placed(&drum, 0.05, 0, 2);
    b = placed(&drum, 0, 0, 0);
    turn(&b, 0, 0, 1, 0.2);
    stick_manifold_3d(&a, &b, 0.01, &m);
    assert_in_range(m.count, 8, 16);
    for (int k = 0; k < m.count; k++)
        assert_near(m.point[k].gap, 0, 1e-15);
    // a ball beside the rim
    StickConvex round = ball(0.5);
    a = placed(&round, 0.8, 0, 1.4);
    stick_manifold_3d(&a, &b, 0.01, &m);
    assert_near(m.point[0].gap, 0, 1e-15);
    assert_near(m.normal[0], 0.6, 1e-15);
}

// An end on a corner or an edge of a box near the rim: found exactly, though eight points stand for the rim.
static void cylinders_on_corners(void **state)
{
    (void)state;
    Solid box;
    make_box(1, 1, 1, &box);
    StickConvex drum = cylinder(0.5, 1);
    StickPlacedShape b = placed(&box.convex, 0, 0, 0);
    turn(&b, 0, 0, 1, M_PI / 4);
    turn(&b, 0, 1, 0, atan(sqrt(2)));
    for (int trial = 0; trial < 20; trial++) {
        double angle = 0.3 * trial;
        StickPlacedShape a = placed(&drum, 0.49 * cos(angle), 0.49 * sin(angle), 1 + sqrt(0.75));
        StickManifold m;
        stick_manifold_3d(&a, &b, 0.01, &m);
        assert_in_range(m.count, 1, 16);
        assert_near(least_gap(&m), 0, 1e-14);
        check_manifold(&a, &b, 0.01, &m);
    }
}

// ---- planes

static void planes(void **state)
{
    (void)state;
    Solid box, prism;
    make_box(1, 1, 1, &box);
    make_prism(11, 1, 1, &prism);
    StickConvex round = ball(0.5), rod = capsule(0.25, 1), drum = cylinder(0.5, 1);
    const double point[3] = {3, 4, -1};
    StickManifold m;
    StickPlacedShape a = placed(&round, 0, 0, -0.25);
    stick_manifold_3d_plane(&a, point, up, 0.5, &m);
    assert_int_equal(m.count, 1);
    assert_near(m.point[0].gap, 0.25, 1e-15);
    assert_near(m.point[0].place[2], -0.875, 1e-15);
    a = placed(&rod, 0, 0, -0.75);
    turn(&a, 0, 1, 0, M_PI / 2);
    stick_manifold_3d_plane(&a, point, up, 0.5, &m);
    assert_int_equal(m.count, 2);
    assert_near(m.point[1].gap, 0, 1e-15);
    a = placed(&box.convex, 0, 0, -0.5);
    stick_manifold_3d_plane(&a, point, up, 0.1, &m);
    assert_int_equal(m.count, 4);
    assert_near(m.point[3].gap, 0, 1e-15);
    a = placed(&drum, 0, 0, 0);
    stick_manifold_3d_plane(&a, point, up, 0.1, &m);
    assert_int_equal(m.count, 8);
    turn(&a, 1, 2, 0, 1e-2);
    stick_manifold_3d_plane(&a, point, up, 0.1, &m);
    assert_int_equal(m.count, 9);
    assert_near(least_gap(&m), 1 - cos(1e-2) - 0.5 * sin(1e-2), 1e-15);
    a = placed(&drum, 0, 0, -0.5);
    turn(&a, 1, 0, 0, M_PI / 2);
    stick_manifold_3d_plane(&a, point, up, 0.1, &m);
    assert_int_equal(m.count, 2);
    assert_near(m.point[0].gap, 0, 1e-15);
    // more vertices than a manifold has points: the lowest and those all around
    a = placed(&prism.convex, 0, 0, -0.5);
    turn(&a, 0, 1, 0, 1e-3);
    stick_manifold_3d_plane(&a, point, up, 2, &m);
    assert_in_range(m.count, 8, STICK_MANIFOLD);
    double down[3] = {0, 0, -1};
    assert_near(least_gap(&m), 1 - reach_of(&a, down), 1e-15);
}

// ---- all pairs

static void place_anyhow(StickRandom *random, const StickConvex *shape, double far, StickPlacedShape *at)
{
    *at = placed(shape, 0, 0, 0);
    for (int k = 0; k < 3; k++)
        at->centre[k] = stick_random_uniform(random, -far, far);
    turn_anyhow(random, at);
}

// As parts of a body have it: not at its mass centre, not along its axes.
static void shift_and_incline(StickConvex *shape)
{
    memcpy(shape->centre, (double[]){0.1, -0.2, 0.15}, sizeof shape->centre);
    memcpy(shape->axis, (double[]){0.48, 0.6, 0.64}, sizeof shape->axis);
}

static void random_pairs(void **state)
{
    (void)state;
    StickRandom random = stick_random_seed(3);
    Solid box, hull[2];
    StickConvex round = ball(0.6), rod = capsule(0.3, 0.7), drum = cylinder(0.6, 0.5),
                plate = cylinder(1, 0.2);
    for (int trial = 0; trial < 500; trial++) {
        make_box(1, 1.2, 0.7, &box);
        make_hull(&random, 12, 1, &hull[0]);
        make_hull(&random, 8, 0.3, &hull[1]);
        const StickConvex *shape[] = {&round,          &rod,           &drum, &plate, &box.convex,
                                      &hull[0].convex, &hull[1].convex};
        StickPlacedShape a, b;
        place_anyhow(&random, shape[trial % 7], 1.2, &a);
        place_anyhow(&random, shape[trial / 7 % 7], 1.2, &b);
        check_pair(&a, &b);
    }
}

// Shapes that just touch or overlap a little, as they do in a step.
static void random_pairs_that_touch(void **state)
{
    (void)state;
    StickRandom random = stick_random_seed(4);
    Solid box, hull[2];
    StickConvex round = ball(0.6), rod = capsule(0.3, 0.7), drum = cylinder(0.6, 0.5),
                plate = cylinder(1, 0.2);
    shift_and_incline(&round);
    shift_and_incline(&rod);
    shift_and_incline(&drum);
    for (int trial = 0; trial < 500; trial++) {
        make_box(1, 1.2, 0.7, &box);
        make_hull(&random, 12, 1, &hull[0]);
        make_hull(&random, 8, 0.3, &hull[1]);
        const StickConvex *shape[] = {&round,          &rod,           &drum, &plate, &box.convex,
                                      &hull[0].convex, &hull[1].convex};
        StickPlacedShape a, b;
        StickManifold m;
        place_anyhow(&random, shape[trial % 7], 2, &a);
        place_anyhow(&random, shape[trial / 7 % 7], 0.1, &b);
        stick_manifold_3d(&a, &b, 10, &m);
        // together along the normal, but for a little
        double shift = least_gap(&m) - (trial % 2 ? 1e-3 : -1e-3);
        for (int k = 0; k < 3; k++)
            a.centre[k] -= shift * m.normal[k];
        check_pair(&a, &b);
    }
}

// Where shapes move smoothly the least gap does so, too.
static void gaps_are_continuous(void **state)
{
    (void)state;
    StickRandom random = stick_random_seed(8);
    Solid box, hull;
    StickConvex drum = cylinder(0.6, 0.5), rod = capsule(0.3, 0.7);
    make_box(1, 1.2, 0.7, &box);
    make_hull(&random, 12, 1, &hull);
    const StickConvex *shape[] = {&box.convex, &hull.convex, &drum, &rod};
    for (int pair = 0; pair < 16; pair++) {
        StickPlacedShape a, b;
        place_anyhow(&random, shape[pair % 4], 1, &a);
        place_anyhow(&random, shape[pair / 4], 0.1, &b);
        double last = NAN;
        for (int step = 0; step < 2000; step++) {
            StickManifold m;
            stick_manifold_3d(&a, &b, 10, &m);
            assert_true(m.count > 0);
            if (step > 0)
                assert_near(least_gap(&m), last, 3e-3);
            last = least_gap(&m);
            a.centre[step / 500 % 3] += 1e-3;
            turn(&a, 1, 2, 3, 1e-3);
        }
    }
}

// A face with more corners than a manifold has points.
static void many_corners_are_thinned(void **state)
{
    (void)state;
    Solid prism;
    make_prism(12, 1, 1, &prism);
    StickPlacedShape a = placed(&prism.convex, 0, 0, 1), b = placed(&prism.convex, 0, 0, 0);
    StickManifold m;
    turn(&a, 0, 0, 1, M_PI / 12);
    stick_manifold_3d(&a, &b, 0.1, &m);
    assert_int_equal(m.count, STICK_MANIFOLD);
    check_manifold(&a, &b, 0.1, &m);
    double widest = 0;
    for (int k = 0; k < m.count; k++)
        widest = fmax(widest, hypot(m.point[k].place[0], m.point[k].place[1]));
    assert_true(widest > 0.95);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(balls),
        cmocka_unit_test(capsules),
        cmocka_unit_test(boxes_face_to_face),
        cmocka_unit_test(equal_boxes_and_turned_ones),
        cmocka_unit_test(rest_is_steady),
        cmocka_unit_test(edges_and_corners),
        cmocka_unit_test(balls_and_capsules_on_boxes),
        cmocka_unit_test(cylinders_stand_and_lie),
        cmocka_unit_test(cylinders_on_corners),
        cmocka_unit_test(planes),
        cmocka_unit_test(random_pairs),
        cmocka_unit_test(random_pairs_that_touch),
        cmocka_unit_test(gaps_are_continuous),
        cmocka_unit_test(many_corners_are_thinned),
    };
    return cmocka_run_group_tests_name("contact.manifold_3d", tests, NULL, NULL);
}
