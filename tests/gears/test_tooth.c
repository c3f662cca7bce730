// SPDX-License-Identifier: Apache-2.0
#include "gears/pairs.h"

#include "check.h"

static StickTooth make(const StickGearPairSpec *pair, int g)
{
    StickTooth tooth;
    StickContext *ctx = stick_context_create(NULL);
    assert_ok(ctx, stick_tooth_make(ctx, pair, g, &tooth));
    stick_context_destroy(ctx);
    return tooth;
}

// The error of a gear that cannot be made; it names the gear and stands where the pair does.
static void assert_refused(const StickGearPairSpec *pair, int g, const char *says)
{
    StickTooth tooth;
    StickContext *ctx = stick_context_create(NULL);
    assert_int_equal(stick_tooth_make(ctx, pair, g, &tooth), STICK_BAD_INPUT);
    if (!strstr(stick_last_error(ctx), says) || !strstr(stick_last_error(ctx), g ? "pair.2" : "pair.1"))
        fail_msg("'%s' does not say '%s'", stick_last_error(ctx), says);
    assert_int_equal(stick_diagnostic(ctx, stick_diagnostic_count(ctx) - 1)->line, 7);
    stick_context_destroy(ctx);
}

// ---- closed forms

static void circles_are_those_of_the_reference(void **state)
{
    (void)state;
    StickGearPairSpec pair = stub_pair();
    StickTooth tooth = make(&pair, 0);
    assert_near(tooth.pitch, 1, 1e-15);
    assert_near(tooth.base, 0.939692621, 5e-10);
    assert_near(tooth.tip, 1.075, 1e-15);
    assert_near(tooth.root, 0.86, 1e-15);
    assert_near(2 * STICK_PI * tooth.base / 20, 0.295213143, 5e-10);
    assert_false(tooth.undercut);
    assert_near(tooth.s_tip, sqrt(1.075 * 1.075 - tooth.base * tooth.base), 1e-14);
}

// Thickness of the tooth at any radius: R (s / r + 2 (inv alpha - inv alpha_R)), with cos alpha_R = r_b / R.
static void thickness_follows_the_involute(void **state)
{
    (void)state;
    for (int k = -1; k <= 1; k++) {
        StickGearPairSpec pair = standard_pair(30, 30, 2);
        pair.gear[0].shift = 0.3 * k;
        StickTooth tooth = make(&pair, 0);
        double alpha = pair.pressure_angle, at_pitch = 2 * (STICK_PI / 2 + 0.6 * k * tan(alpha));
        for (int j = 0; j <= 10; j++) {
            double radius = tooth.form + 0.1 * j * (tooth.tip - tooth.form);
            double angle = acos(tooth.base / radius);
            double thick = radius * (at_pitch / 30 + 2 * (stick_involute(alpha) - stick_involute(angle)));
            assert_near(2 * radius * stick_tooth_half_angle(&tooth, radius * (1 - 1e-15)), thick, 1e-12);
            double x[2];
            stick_tooth_flank_at(&tooth, stick_tooth_rolled(&tooth, radius), x);
            assert_near(hypot(x[0], x[1]), radius, 1e-13);
            assert_near(2 * radius * atan2(x[1], x[0]), thick, 1e-12);
        }
        assert_near(tooth.root, 30 - 2.5 + 0.6 * k, 1e-13);
    }
}

// The gap of a ring is the tooth of an external gear of the same rack.
static void gap_of_a_ring_is_an_external_tooth(void **state)
{
    (void)state;
    StickGearPairSpec pair = ring_pair(20, 60, 1);
    pair.gear[1].tip_radius = 0.2;
    pair.gear[0] = pair.gear[1];
    pair.gear[0].internal = false;
    pair.gear[0].rim = 1;
    for (int k = -1; k <= 1; k++) {
        pair.gear[0].shift = pair.gear[1].shift = 0.4 * k;
        StickTooth outer = make(&pair, 0), ring = make(&pair, 1);
        assert_near(ring.tip, 30 - 1 + 0.4 * k, 1e-13);
        assert_near(ring.root, 30 + 1.25 + 0.4 * k, 1e-13);
        for (double radius = 29.6; radius < 30.6; radius += 0.1)
            assert_near(stick_tooth_involute_angle(&ring, radius),
                        STICK_PI / 60 - stick_tooth_involute_angle(&outer, radius), 1e-14);
    }
}

// ---- fillets

// Distance from the tooth of a rack with a round tip, < 0 inside: x from its middle, y above its reference line.
static double from_rack(const StickGearPairSpec *pair, const StickGearSpec *gear, double x, double y)
{
    double m = pair->module, a = pair->pressure_angle, rho = gear->tip_radius * m;
    double deep = gear->dedendum * m - rho, wide = STICK_PI * m / 4 - deep * tan(a) - rho / cos(a);
    double dx = fabs(x) - wide, dy = y + deep;
    double flank = dx * cos(a) - dy * sin(a), along = dx * sin(a) + dy * cos(a);
    if (dx > 0 && along < 0)
        return hypot(dx, dy) - rho;
    return (along >= 0 && flank > -dy ? flank : -dy) - rho;
}

typedef struct Point {
    double radius, gap; // angle from the middle of the gap
} Point;

static double rolled_away(const StickGearPairSpec *pair, const StickGearSpec *gear, Point point, double w)
{
    double r = 0.5 * pair->module * gear->teeth, turn = point.gap + w / r;
    return from_rack(pair, gear, point.radius * sin(turn) - w,
                     point.radius * cos(turn) - r - gear->shift * pair->module);
}

// How near the rack comes while it rolls: 0 on what it cuts, > 0 in the tooth.
static double nearest(const StickGearPairSpec *pair, const StickGearSpec *gear, Point point)
{
    double best = INFINITY, at = 0, width = 6 * pair->module;
    enum { COARSE = 4000 };
    for (int k = 0; k <= COARSE; k++) {
        double w = width * (2.0 * k / COARSE - 1), d = rolled_away(pair, gear, point, w);
        if (d < best)
            best = d, at = w;
    }
    double low = at - 2 * width / COARSE, high = at + 2 * width / COARSE;
    for (int k = 0; k < 80; k++) {
        double a = low + (high - low) / 3, b = high - (high - low) / 3;
        *(rolled_away(pair, gear, point, a) < rolled_away(pair, gear, point, b) ? &high : &low) =
            rolled_away(pair, gear, point, a) < rolled_away(pair, gear, point, b) ? b : a;
    }
    return fmin(best, rolled_away(pair, gear, point, 0.5 * (low + high)));
}

// The whole outline is what a rolling rack leaves, to the last digits; a little inside of the tooth it never comes.
static void assert_cut_by_rack(const StickGearPairSpec *pair)
{
    const StickGearSpec *gear = &pair->gear[0];
    StickTooth tooth = make(pair, 0);
    for (int k = 0; k <= 40; k++) {
        double x[2], u = k / 20.0;
        if (u < 1)
            stick_tooth_fillet_at(&tooth, u, x);
        else
            stick_tooth_flank_at(&tooth, tooth.s_form + (u - 1) * (tooth.s_tip - tooth.s_form), x);
        Point point = {hypot(x[0], x[1]), STICK_PI / tooth.teeth - atan2(x[1], x[0])};
        assert_near(nearest(pair, gear, point), 0, 1e-9 * pair->module);
        point.gap += 1e-3 * pair->module / point.radius;
        point.radius -= 1e-4 * pair->module;
        assert_true(nearest(pair, gear, point) > 1e-5 * pair->module);
    }
}

static void outline_is_the_envelope_of_the_rack(void **state)
{
    (void)state;
    StickGearPairSpec pair = stub_pair();
    assert_cut_by_rack(&pair);
    pair = standard_pair(24, 24, 3);
    pair.gear[0].shift = 0.5;
    assert_cut_by_rack(&pair);
    pair.gear[0].tip_radius = 0; // sharp rack
    assert_cut_by_rack(&pair);
    pair.gear[0].dedendum = 0.4; // the middle of the rack's round tip runs above the rolling line
    pair.gear[0].tip_radius = 0.2;
    assert_cut_by_rack(&pair);
    pair = standard_pair(10, 10, 1); // undercut
    assert_cut_by_rack(&pair);
    pair = standard_pair(12, 12, 1);
    pair.gear[0].tip_radius = 0;
    assert_cut_by_rack(&pair);
}

// Directions of the left side where fillet and flank meet, by small differences.
static double kink(const StickTooth *tooth)
{
    double at[2], fillet[2], flank[2], inward = tooth->internal ? -1 : 1;
    stick_tooth_flank_at(tooth, tooth->s_form, at);
    stick_tooth_fillet_at(tooth, 0, fillet);
    assert_near(hypot(at[0] - fillet[0], at[1] - fillet[1]), 0, 1e-12 * tooth->pitch);
    stick_tooth_fillet_at(tooth, 1e-5, fillet);
    stick_tooth_flank_at(tooth, tooth->s_form + inward * 1e-5 * tooth->module, flank);
    double a = atan2(at[1] - fillet[1], at[0] - fillet[0]), b = atan2(flank[1] - at[1], flank[0] - at[0]);
    return remainder(a - b, 2 * STICK_PI);
}

static void fillet_goes_over_into_flank_and_root(void **state)
{
    (void)state;
    StickGearPairSpec pairs[] = {stub_pair(), standard_pair(40, 40, 2), ring_pair(20, 60, 2)};
    for (int k = 0; k < 3; k++) {
        StickTooth tooth = make(&pairs[k], k == 2);
        double end[2], before[2];
        assert_near(kink(&tooth), 0, 1e-4);
        stick_tooth_fillet_at(&tooth, 1, end);
        assert_near(hypot(end[0], end[1]), tooth.root, 1e-12);
        assert_near(atan2(end[1], end[0]), tooth.root_angle, 1e-12);
        stick_tooth_fillet_at(&tooth, 1 - 1e-5, before); // tangent to the root circle
        assert_near(hypot(before[0], before[1]), tooth.root, 1e-9);
        assert_true(tooth.root_angle < STICK_PI / tooth.teeth);
        assert_near(stick_tooth_half_angle(&tooth, tooth.form), tooth.form_angle, 1e-9);
    }
}

static void half_angle_finds_points_of_the_fillet(void **state)
{
    (void)state;
    StickGearPairSpec pairs[] = {stub_pair(), standard_pair(10, 10, 2), ring_pair(20, 60, 2)};
    for (int k = 0; k < 3; k++) {
        StickTooth tooth = make(&pairs[k], k == 2);
        for (int j = 1; j < 10; j++) {
            double x[2];
            stick_tooth_fillet_at(&tooth, 0.1 * j, x);
            assert_near(stick_tooth_half_angle(&tooth, hypot(x[0], x[1])), atan2(x[1], x[0]), 1e-9);
        }
        double out = tooth.internal ? -1 : 1;
        assert_near(stick_tooth_half_angle(&tooth, tooth.root - out * 1e-6), STICK_PI / tooth.teeth, 0);
        assert_near(stick_tooth_half_angle(&tooth, tooth.tip + out * 1e-6), 0, 0);
    }
}

static void length_of_a_ring_s_fillet_is_that_of_its_arc(void **state)
{
    (void)state;
    StickGearPairSpec pair = ring_pair(20, 60, 2);
    StickTooth tooth = make(&pair, 1);
    assert_near(stick_tooth_fillet_length(&tooth), 2 * 0.38 * (tooth.root_angle - tooth.from), 1e-4);
}

// ---- undercut

// Nothing is undercut from z = 2 (h - rho (1 - sin a) - x) / sin^2 a on.
static void undercut_begins_where_it_must(void **state)
{
    (void)state;
    StickGearPairSpec pair = standard_pair(10, 10, 1);
    StickTooth cut = make(&pair, 0);
    double sine = sin(pair.pressure_angle);
    assert_true(cut.undercut);
    assert_true(cut.form > cut.base * 1.001);
    assert_true(fabs(kink(&cut)) > 0.1); // an edge
    assert_near(cut.least_shift, 1.25 - 0.38 * (1 - sine) - 5 * sine * sine, 1e-14);
    pair.gear[0].shift = cut.least_shift - 1e-3;
    assert_true(make(&pair, 0).undercut);
    pair.gear[0].shift = cut.least_shift + 1e-9;
    StickTooth whole = make(&pair, 0);
    assert_false(whole.undercut);
    assert_near(whole.form, whole.base, 1e-9);
}

// ---- curves

static void flanks_of_a_mesh_are_turned_and_mirrored(void **state)
{
    (void)state;
    StickGearPairSpec pair = ring_pair(18, 50, 1);
    for (int g = 0; g < 2; g++) {
        StickTooth tooth = make(&pair, g);
        StickFlank left = stick_tooth_flank(&tooth, 3, true), right = stick_tooth_flank(&tooth, 3, false);
        double middle = 2 * STICK_PI * 3 / tooth.teeth, s = 0.5 * (left.from + left.to), x[2];
        assert_true(left.from < left.to);
        assert_int_equal(left.kind, STICK_FLANK_INVOLUTE);
        stick_tooth_flank_at(&tooth, s, x);
        double turn = stick_tooth_involute(&tooth, s), angle = atan2(x[1], x[0]);
        assert_near(left.start + left.hand * turn, middle + angle, 1e-14);
        assert_near(right.start + right.hand * turn, middle - angle, 1e-14);
        assert_int_equal(left.outward, -1);
        assert_int_equal(right.outward, 1);
    }
}

// ---- what cannot be made

static void bad_gears_are_refused(void **state)
{
    (void)state;
    StickGearPairSpec pair = standard_pair(12, 30, 1);
    pair.gear[0].shift = 1;
    pair.gear[0].addendum = 1.2;
    assert_refused(&pair, 0, "end in a point");
    pair = standard_pair(20, 30, 1);
    pair.gear[1].tip_radius = 0.6;
    assert_refused(&pair, 1, "no room for the radius 0.6: take at most 0.47");
    pair.gear[1].dedendum = 2.5;
    assert_refused(&pair, 1, "take at most 2.15");
    pair = standard_pair(20, 30, 1);
    pair.gear[0].rim = 9;
    assert_refused(&pair, 0, "'bore' of radius 9");
    pair = standard_pair(4, 30, 1);
    pair.gear[0].addendum = 0.001;
    assert_refused(&pair, 0, "nothing is left of its flanks");
    pair = standard_pair(3, 30, 1);
    pair.gear[0].dedendum = 1.4;
    pair.gear[0].tip_radius = 0;
    assert_refused(&pair, 0, "cut off by undercut");
    pair.gear[0].dedendum = 1.6;
    assert_refused(&pair, 0, "root circle has the radius -0.1");
}

static void bad_rings_are_refused(void **state)
{
    (void)state;
    StickGearPairSpec pair = ring_pair(16, 30, 1);
    assert_refused(&pair, 1, "take at most 0.904611 for its 'addendum'");
    pair = ring_pair(20, 60, 1);
    pair.gear[1].rim = 31;
    assert_refused(&pair, 1, "'rim' of radius 31");
    pair = ring_pair(20, 60, 1);
    pair.gear[1].tip_radius = 1;
    assert_refused(&pair, 1, "no room for fillets of radius 1");
    pair = ring_pair(20, 60, 1);
    pair.gear[1].dedendum = 4;
    pair.gear[1].rim = 50;
    assert_refused(&pair, 1, "its gaps end in a point");
}

// The largest addendum that a message names is right.
static void addendum_of_the_message_does(void **state)
{
    (void)state;
    StickGearPairSpec pair = standard_pair(12, 30, 1);
    StickContext *ctx = stick_context_create(NULL);
    StickTooth tooth;
    pair.gear[0].shift = 1;
    pair.gear[0].addendum = 1.5;
    assert_int_equal(stick_tooth_make(ctx, &pair, 0, &tooth), STICK_BAD_INPUT);
    double most = strtod(strstr(stick_last_error(ctx), "less than ") + 10, NULL);
    pair.gear[0].addendum = most - 1e-5;
    assert_near(make(&pair, 0).tip_angle, 0, 1e-5);
    pair.gear[0].addendum = most + 1e-5;
    assert_refused(&pair, 0, "end in a point");
    stick_context_destroy(ctx);
}

// Without a radius there is one as large as usual, or as large as there is room.
static void radius_fits_where_none_is_given(void **state)
{
    (void)state;
    StickGearPairSpec pair = ring_pair(20, 60, 2);
    pair.gear[0].tip_radius = pair.gear[1].tip_radius = -1;
    assert_near(make(&pair, 0).radius, 0.76, 1e-15);
    assert_near(make(&pair, 1).radius, 0.76, 1e-15);
    pair.gear[0].dedendum = 1.5;
    pair.gear[1].dedendum = 1.6;
    StickTooth deep = make(&pair, 0), ring = make(&pair, 1);
    assert_near(deep.offset, 0, 1e-12);
    assert_near(ring.root_angle, STICK_PI / 60, 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(circles_are_those_of_the_reference),
        cmocka_unit_test(thickness_follows_the_involute),
        cmocka_unit_test(gap_of_a_ring_is_an_external_tooth),
        cmocka_unit_test(outline_is_the_envelope_of_the_rack),
        cmocka_unit_test(fillet_goes_over_into_flank_and_root),
        cmocka_unit_test(half_angle_finds_points_of_the_fillet),
        cmocka_unit_test(length_of_a_ring_s_fillet_is_that_of_its_arc),
        cmocka_unit_test(undercut_begins_where_it_must),
        cmocka_unit_test(flanks_of_a_mesh_are_turned_and_mirrored),
        cmocka_unit_test(bad_gears_are_refused),
        cmocka_unit_test(bad_rings_are_refused),
        cmocka_unit_test(addendum_of_the_message_does),
        cmocka_unit_test(radius_fits_where_none_is_given),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
