// SPDX-License-Identifier: Apache-2.0
// When moving points, facets, edges and round cores first meet: closed forms, at speeds up to 1e4 of their sizes.
#include "check.h"
#include "contact/feature_ccd.h"

#include "base/vec.h"

#include <math.h>

static StickMovingPoint point(double x, double y, double z, double dx, double dy, double dz)
{
    return (StickMovingPoint){{x, y, z}, {dx, dy, dz}};
}

// From x = -3 along x through a segment at x = 0 whose outside is on the left; from the other side it does not count.
static void points_cross_segments_from_outside(void **state)
{
    (void)state;
    StickMovingFacet segment = {.ncorners = 2, .corner = {point(0, 1, 0, 0, 0, 0), point(0, -1, 0, 0, 0, 0)}};
    for (double way = 3.5; way < 1e5; way *= 7) {
        StickFeatureHit hit[STICK_CROSSINGS];
        StickMovingPoint in = point(-3, -0.2, 0, way, 0, 0), out = point(3, 0, 0, -way, 0, 0),
                         past = point(-3, 1.001, 0, way, 0, 0), before = point(-3, 0, 0, 2.999, 0, 0);
        assert_int_equal(stick_point_meets_facet(&in, &segment, hit), 1);
        assert_near(hit[0].time, 3 / way, 1e-14);
        assert_near(hit[0].normal[0], -1, 1e-14);
        assert_near(hit[0].weight[0], 0.4, 1e-12);
        assert_near(hit[0].closing, way, 1e-12 * way);
        assert_int_equal(stick_point_meets_facet(&out, &segment, hit), 0);
        assert_int_equal(stick_point_meets_facet(&past, &segment, hit), 0);
        assert_int_equal(stick_point_meets_facet(&before, &segment, hit), 0);
    }
}

// A segment that turns from lying on y = 0 to standing on x = 0 while a point waits: their heights are quadratic in time.
static void turning_segments_meet_points(void **state)
{
    (void)state;
    StickMovingFacet segment = {.ncorners = 2, .corner = {point(2, 0, 0, -2, 2, 0), point(0, 0, 0, 0, 0, 0)}};
    StickMovingPoint waits = point(0.5, 0.5, 0, 0, 0, 0);
    StickFeatureHit hit[STICK_CROSSINGS];
    // from (0, 0) to (2 - 2t, 2t): through (1, 1)/2 at t = 1/2
    assert_int_equal(stick_point_meets_facet(&waits, &segment, hit), 1);
    assert_near(hit[0].time, 0.5, 1e-14);
    assert_near(hit[0].weight[0], 0.5, 1e-12);
}

static void points_cross_triangles(void **state)
{
    (void)state;
    // outside above, and the triangle rises by 1
    StickMovingFacet facet = {
        .ncorners = 3, .corner = {point(0, 0, 0, 0, 0, 1), point(1, 0, 0, 0, 0, 1), point(0, 1, 0, 0, 0, 1)}};
    for (double way = 3; way < 1e5; way *= 11) {
        StickFeatureHit hit[STICK_CROSSINGS];
        StickMovingPoint in = point(0.2, 0.3, 2, 0, 0, 1 - way), past = point(0.6, 0.6, 2, 0, 0, 1 - way);
        assert_int_equal(stick_point_meets_facet(&in, &facet, hit), 1);
        assert_near(hit[0].time, 2 / way, 1e-13);
        assert_near(hit[0].weight[1], 0.2, 1e-9);
        assert_near(hit[0].weight[2], 0.3, 1e-9);
        assert_near(hit[0].normal[2], 1, 1e-12);
        assert_int_equal(stick_point_meets_facet(&past, &facet, hit), 0);
    }
}

static void points_enter_and_leave_what_is_round(void **state)
{
    (void)state;
    StickMovingPoint centre = point(0, 0, 0, 0, 0, 0);
    const double axis[3] = {0, 0, 1};
    for (double way = 5; way < 1e5; way *= 13) {
        StickMovingPoint in = point(-4, 0.6, 0.3, way, 0, 0), past = point(-4, 1.0001, 0, way, 0, 0),
                         out = point(0, 0.6, 7, way, 0, 0);
        StickFeatureHit hit;
        assert_true(stick_point_meets_round(&in, &centre, axis, 1, false, &hit));
        assert_near(hit.time, 3.2 / way, 1e-10);
        assert_near(hit.normal[0], -0.8, 1e-9 * way);
        assert_true(!stick_point_meets_round(&past, &centre, NULL, 1, false, &hit));
        assert_true(stick_point_meets_round(&out, &centre, axis, 1, true, &hit));
        assert_near(hit.time, 0.8 / way, 1e-10);
        assert_near(hit.normal[0], -0.8, 1e-9 * way);
    }
}

// Two edges at right angles, as the roofs of two wedges that fly at each other along z.
static StickMovingEdge roof(double z, double dz, double shift, bool along_x, double up)
{
    double l = 1;
    StickMovingEdge edge = {.nfacets = 2};
    double end[2][3] = {{along_x ? -l + shift : shift, along_x ? 0 : -l, z},
                        {along_x ? l + shift : shift, along_x ? 0 : l, z}};
    for (int k = 0; k < 2; k++)
        edge.end[k] = point(end[k][0], end[k][1], end[k][2], 0, 0, dz);
    for (int k = 0; k < 2; k++) {
        double side = k ? 1 : -1;
        StickMovingPoint foot = point(along_x ? shift : shift + side, along_x ? side : 0, z - up, 0, 0, dz);
        bool turned = (k == 0) == along_x;
        turned = up > 0 ? !turned : turned;
        edge.facet[k] =
            (StickMovingFacet){.ncorners = 3, .corner = {edge.end[turned], foot, edge.end[!turned]}};
    }
    return edge;
}

static void crossing_edges_meet(void **state)
{
    (void)state;
    for (double way = 3; way < 1e5; way *= 9) {
        StickMovingEdge a = roof(2, -way, 0.25, false, -1), b = roof(0, 0, 0, true, 1),
                        beside = roof(2, -way, 1.01, false, -1), away = roof(2, way, 0, false, -1);
        StickFeatureHit hit;
        assert_true(stick_edges_meet(&a, &b, &hit));
        assert_near(hit.time, 2 / way, 1e-12);
        assert_near(hit.normal[2], 1, 1e-12);
        assert_near(hit.weight[0], 0.5, 1e-9);
        assert_near(hit.other[1], 0.625, 1e-9);
        assert_near(hit.closing, way, 1e-9 * way);
        assert_true(!stick_edges_meet(&beside, &b, &hit));
        assert_true(!stick_edges_meet(&away, &b, &hit));
    }
}

// A ball and a capsule, smaller than the facet, meet it between its corners; beside it they pass.
static void facets_meet_round_cores(void **state)
{
    (void)state;
    StickMovingFacet facet = {
        .ncorners = 3,
        .corner = {point(0, 0, 0, 0, 0, 0), point(10, 0, 0, 0, 0, 0), point(0, 10, 0, 0, 0, 0)}};
    for (double way = 3; way < 1e4; way *= 9) {
        StickMovingCore ball = {1, {point(2, 3, 2, 0, 0, -way)}, 0.1},
                        past = {1, {point(-0.11, 3, 2, 0, 0, -way)}, 0.1},
                        capsule = {2, {point(2, 3, 2, 0, 0, -way), point(2, 3, 3, 0, 0, -way)}, 0.1};
        StickFeatureHit hit;
        assert_true(stick_facet_meets_core(&facet, &ball, &hit));
        assert_near(hit.time, 1.9 / way, 1e-6);
        assert_near(hit.normal[2], -1, 1e-9);
        assert_near(hit.weight[1], 0.2, 1e-9);
        assert_near(hit.closing, way, 1e-9 * way);
        assert_true(stick_facet_meets_core(&facet, &capsule, &hit));
        assert_near(hit.time, 1.9 / way, 1e-6);
        assert_true(!stick_facet_meets_core(&facet, &past, &hit));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_cross_segments_from_outside),
        cmocka_unit_test(turning_segments_meet_points),
        cmocka_unit_test(points_cross_triangles),
        cmocka_unit_test(points_enter_and_leave_what_is_round),
        cmocka_unit_test(crossing_edges_meet),
        cmocka_unit_test(facets_meet_round_cores),
    };
    return cmocka_run_group_tests_name("contact.feature_ccd", tests, NULL, NULL);
}
