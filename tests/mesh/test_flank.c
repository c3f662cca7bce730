// SPDX-License-Identifier: Apache-2.0
// True shapes of sides: points, normals and curvatures of involutes with reliefs, of chains and of formulas; lines that
// meet them.
#include "check.h"
#include "mesh/flank.h"

#include <math.h>

static const StickMark here = {.file = "test"};

static StickFlank involute(int hand)
{
    return (StickFlank){
        .kind = STICK_FLANK_INVOLUTE, .from = 0.1, .to = 0.6, .base = 0.9, .start = 0.3, .hand = hand};
}

static StickFlankPoint at(StickContext *ctx, const StickFlank *flank, double s)
{
    StickFlankPoint point;
    assert_ok(ctx, stick_flank_at(flank, s, &point));
    return point;
}

// r^2 = b^2 + s^2, the angle is start + hand (s/b - atan(s/b)), the normal is a tangent of the circle, the radius of
// curvature s.
static void involutes_are_unrolled_lines(void **state)
{
    for (int hand = -1; hand <= 1; hand += 2) {
        StickFlank flank = involute(hand);
        for (double s = 0.1; s < 0.65; s += 0.05) {
            StickFlankPoint point = at(*state, &flank, s);
            double b = flank.base;
            assert_near(hypot(point.x[0], point.x[1]), hypot(b, s), 1e-15);
            assert_near(atan2(point.x[1], point.x[0]), 0.3 + hand * (s / b - atan(s / b)), 1e-14);
            assert_near(fabs(point.x[0] * point.normal[1] - point.x[1] * point.normal[0]), b, 1e-14);
            assert_near(hypot(point.tangent[0], point.tangent[1]), s / b, 1e-14);
            assert_near(point.curvature, 1 / s, 1e-12 / s);
            // out of a tooth whose flank is on its anticlockwise side where the angle falls with s
            double around = point.normal[1] * point.x[0] - point.normal[0] * point.x[1];
            assert_true((around > 0) == (hand < 0));
        }
    }
}

// Derivatives are those of the points; the relief is the distance from the pure involute along its normal.
static void reliefs_take_material_off(void **state)
{
    for (int hand = -1; hand <= 1; hand += 2) {
        StickFlank pure = involute(hand), flank = pure;
        flank.nreliefs = 3;
        flank.relief[0] = (StickRelief){.none = 0.4, .full = 0.6, .amount = 2e-3, .power = 1};
        flank.relief[1] = (StickRelief){.none = 0.3, .full = 0.1, .amount = 1e-3, .power = 2};
        flank.relief[2] = (StickRelief){.none = 0.35, .full = 0.6, .amount = 5e-4, .power = 2};
        for (double s = 0.12; s < 0.65; s += 0.05) {
            StickFlankPoint is = at(*state, &flank, s), was = at(*state, &pure, s);
            double off = s > 0.4 ? 2e-3 * (s - 0.4) / 0.2 : 0;
            off += s < 0.3 ? 1e-3 * pow((0.3 - s) / 0.2, 2) : 0;
            off += s > 0.35 ? 5e-4 * pow((s - 0.35) / 0.25, 2) : 0;
            for (int k = 0; k < 2; k++) {
                assert_near(is.x[k], was.x[k] - off * was.normal[k], 1e-15);
                double slope = (at(*state, &flank, s + 1e-5).x[k] - at(*state, &flank, s - 1e-5).x[k]) / 2e-5;
                assert_near(is.tangent[k], slope, 1e-9);
            }
            StickFlankPoint next = at(*state, &flank, s + 1e-6), last = at(*state, &flank, s - 1e-6);
            double turn = last.normal[0] * next.normal[1] - last.normal[1] * next.normal[0];
            double length = hypot(is.tangent[0], is.tangent[1]);
            assert_near(-hand * -1 * is.curvature, turn / (2e-6 * length), 1e-5 * is.curvature);
        }
    }
}

static void chains_are_straight(void **state)
{
    double point[] = {0, 0, 1, 0, 1, 2}, length[] = {0, 1, 3};
    StickFlank flank = {
        .kind = STICK_FLANK_CHAIN, .from = 0, .to = 3, .npoints = 3, .point = point, .s = length};
    StickFlankPoint middle = at(*state, &flank, 2);
    assert_near(middle.x[0], 1, 0);
    assert_near(middle.x[1], 1, 0);
    assert_near(middle.normal[0], 1, 0);
    assert_near(middle.curvature, 0, 0);
    assert_near(at(*state, &flank, -1).x[0], -1, 0);
    assert_near(at(*state, &flank, 4).x[1], 3, 0);
    flank.outward = -1;
    assert_near(at(*state, &flank, 0.5).normal[1], 1, 0);
}

static StickFlank formula(StickContext *ctx, StickExpressions *sandbox, const char *x, const char *y)
{
    StickFlank flank = {.kind = STICK_FLANK_FORMULA, .from = -1, .to = 1};
    assert_ok(ctx, stick_expression_compile(sandbox, x, STICK_SEES_CURVE, here, &flank.formula[0]));
    assert_ok(ctx, stick_expression_compile(sandbox, y, STICK_SEES_CURVE, here, &flank.formula[1]));
    return flank;
}

static void formulas_have_derivatives(void **state)
{
    StickExpressions *sandbox;
    assert_ok(*state, stick_expressions_create(*state, &sandbox));
    StickFlank flank = formula(*state, sandbox, "3*cos(s)", "2*sin(s)");
    for (double s = -1; s < 1.01; s += 0.25) {
        StickFlankPoint point = at(*state, &flank, s);
        double length = hypot(3 * sin(s), 2 * cos(s));
        assert_near(point.tangent[0], -3 * sin(s), 1e-11);
        assert_near(point.tangent[1], 2 * cos(s), 1e-11);
        assert_near(point.normal[0], 2 * cos(s) / length, 1e-11);
        assert_near(point.curvature, 6 / pow(length, 3), 1e-8);
    }
    StickFlankPoint point;
    StickFlank bad = formula(*state, sandbox, "s", "sqrt(s - 0.5)");
    assert_int_equal(stick_flank_at(&bad, 0, &point), STICK_BAD_INPUT);
    stick_expressions_destroy(sandbox);
}

static void lines_meet_curves(void **state)
{
    for (int hand = -1; hand <= 1; hand += 2) {
        StickFlank flank = involute(hand);
        StickFlankPoint target = at(*state, &flank, 0.437);
        // along a line that is not the normal
        double angle = 0.4, c = cos(angle), s = sin(angle);
        double direction[2] = {c * target.normal[0] - s * target.normal[1],
                               s * target.normal[0] + c * target.normal[1]};
        double from[2] = {target.x[0] + 0.01 * direction[0], target.x[1] + 0.01 * direction[1]};
        StickFlankMeet meet;
        assert_ok(*state, stick_flank_meet(&flank, from, direction, &meet));
        assert_true(meet.met);
        assert_near(meet.s, 0.437, 1e-13);
        assert_near(meet.distance, -0.01, 1e-14);
        double far[2] = {5, 5};
        assert_ok(*state, stick_flank_meet(&flank, far, (double[2]){0, 1}, &meet));
        assert_false(meet.met);
    }
}

static void nodes_have_parameters(void **state)
{
    StickFlank flank = involute(1);
    StickFlankPoint point = at(*state, &flank, 0.25);
    double place[2] = {point.x[0] + 0.02 * point.normal[0], point.x[1] + 0.02 * point.normal[1]}, s, distance;
    assert_ok(*state, stick_flank_nearest(&flank, place, &s, &distance));
    assert_near(s, 0.25, 1e-12);
    assert_near(distance, 0.02, 1e-14);
    // ends count, too
    point = at(*state, &flank, 0.7);
    assert_ok(*state, stick_flank_nearest(&flank, point.x, &s, &distance));
    assert_near(s, 0.6, 0);
    assert_near(distance,
                hypot(point.x[0] - at(*state, &flank, 0.6).x[0], point.x[1] - at(*state, &flank, 0.6).x[1]),
                1e-15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(involutes_are_unrolled_lines),
        test_with_context(reliefs_take_material_off),
        test_with_context(chains_are_straight),
        test_with_context(formulas_have_derivatives),
        test_with_context(lines_meet_curves),
        test_with_context(nodes_have_parameters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
