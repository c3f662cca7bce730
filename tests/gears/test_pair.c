// SPDX-License-Identifier: Apache-2.0
#include "gears/pairs.h"

#include "base/random.h"
#include "check.h"

static StickGearPair make(const StickGearPairSpec *spec)
{
    StickGearPair pair;
    StickContext *ctx = stick_context_create(NULL);
    assert_ok(ctx, stick_gear_pair_make(ctx, spec, &pair));
    stick_context_destroy(ctx);
    return pair;
}

static void assert_refused(const StickGearPairSpec *spec, const char *says)
{
    StickGearPair pair;
    StickContext *ctx = stick_context_create(NULL);
    assert_int_equal(stick_gear_pair_make(ctx, spec, &pair), STICK_BAD_INPUT);
    if (!strstr(stick_last_error(ctx), says))
        fail_msg("'%s' does not say '%s'", stick_last_error(ctx), says);
    assert_int_equal(stick_diagnostic(ctx, stick_diagnostic_count(ctx) - 1)->line, 7);
    stick_context_destroy(ctx);
}

// A ring that drives the pinion inside of it.
static StickGearPairSpec ring_drives(int ring, int pinion)
{
    StickGearPairSpec spec = ring_pair(pinion, ring, 2);
    StickGearSpec first = spec.gear[0];
    spec.gear[0] = spec.gear[1];
    spec.gear[1] = first;
    return spec;
}

// Pairs that run well: stub teeth, unequal ones, shifted ones with and without backlash, rings as output and as input.
enum { GOOD = 6 };
static void good_pairs(StickGearPairSpec good[GOOD])
{
    good[0] = stub_pair();
    good[1] = standard_pair(19, 53, 3);
    good[2] = standard_pair(14, 40, 2);
    good[2].gear[0].shift = 0.35;
    good[2].gear[1].shift = -0.1;
    good[2].centre_distance = stick_gears_tight_distance(&good[2]);
    good[3] = standard_pair(25, 31, 1);
    good[3].centre_distance += 0.1;
    good[4] = ring_pair(24, 70, 1.5);
    good[4].gear[1].addendum = 0.8;
    good[5] = ring_drives(80, 30);
    good[5].gear[0].addendum = 0.75;
}

// ---- numbers of the reference

static void path_of_contact_is_that_of_the_reference(void **state)
{
    (void)state;
    StickGearPairSpec spec = stub_pair();
    StickGearPair pair = make(&spec);
    assert_near(pair.contact_ratio, 1.220092, 5e-7);
    assert_near(pair.to - pair.from, 0.360187233, 5e-10);
    assert_near(pair.to, 0.180094, 5e-7);
    assert_near(pair.from, -0.180094, 5e-7);
    assert_near(pair.base_pitch, 0.295213143, 5e-10);
    // one pair of teeth alone between the ends of its neighbours
    assert_near(pair.from + pair.base_pitch, 0.115120, 5e-7);
    double active[2];
    stick_gear_active(&pair, 0, active);
    assert_near(hypot(active[0], pair.tooth[0].base), 0.953542, 5e-7);
    assert_near(hypot(active[1], pair.tooth[0].base), 1.075, 1e-14);
    assert_near(pair.rolled[0], 0.342020, 5e-7);
    assert_near(pair.backlash, 0, 1e-15);
    assert_near(pair.working_angle, 20 * STICK_PI / 180, 1e-14);
    assert_int_equal(pair.interference[0], STICK_INTERFERENCE_NONE);
    assert_int_equal(pair.interference[1], STICK_INTERFERENCE_NONE);
    // share of the cycle of 18 degrees with two pairs in contact, and positions (j - 25) / 50 that have them
    assert_near((pair.contact_ratio - 1) * 18, 3.961658, 5e-7);
    int both = 0;
    for (int j = 0; j < 50; j++)
        both += fabs((j - 25) * pair.base_pitch / 50) > pair.from + pair.base_pitch;
    assert_int_equal(both, 11);
}

static void full_teeth_have_the_contact_ratio_of_the_reference(void **state)
{
    (void)state;
    StickGearPairSpec spec = standard_pair(20, 20, 0.1);
    assert_near(make(&spec).contact_ratio, 1.556838, 5e-7);
}

// (sqrt(ra1^2 - rb1^2) +- sqrt(ra2^2 - rb2^2) -+ a sin alpha_w) / p_b
static void contact_ratio_has_its_closed_form(void **state)
{
    (void)state;
    StickGearPairSpec good[GOOD];
    good_pairs(good);
    for (int k = 0; k < GOOD; k++) {
        StickGearPair pair = make(&good[k]);
        const StickTooth *t = pair.tooth;
        double sum = 0, pitch = STICK_PI * good[k].module * cos(good[k].pressure_angle);
        for (int g = 0; g < 2; g++)
            sum += (t[g].internal ? -1 : 1) * sqrt(t[g].tip * t[g].tip - t[g].base * t[g].base);
        bool ring = t[0].internal || t[1].internal;
        sum += (ring ? 1 : -1) * good[k].centre_distance * sin(pair.working_angle);
        assert_near(pair.contact_ratio, sum / pitch, 1e-12);
        assert_near(pair.base_pitch, pitch, 1e-12);
    }
}

// ---- distances

// An example of handbooks: addenda are shortened so that tips keep their clearance.
static void shifted_pair_has_the_numbers_of_handbooks(void **state)
{
    (void)state;
    StickGearPairSpec spec = standard_pair(12, 24, 3);
    spec.gear[0].shift = 0.6;
    spec.gear[1].shift = 0.36;
    spec.gear[0].addendum = 4.42 / 3 - 0.6;
    spec.gear[1].addendum = 3.7 / 3 - 0.36;
    assert_near(stick_gears_tight_distance(&spec), 56.4999, 5e-5);
    spec.centre_distance = 56.5;
    StickGearPair pair = make(&spec);
    assert_near(pair.working_angle, 26.0888 * STICK_PI / 180, 1e-6);
    assert_near(2 * pair.tooth[0].base, 33.8289, 5e-5);
    assert_near(2 * pair.working[0], 37.667, 5e-4);
    assert_near(2 * pair.working[1], 75.333, 5e-4);
    assert_near(pair.contact_ratio, 1.202, 5e-4);
    assert_near(2 * pair.tooth[0].root, 32.1, 1e-12);
}

// inv alpha_w = inv alpha + 2 tan alpha (x1 + x2) / (z1 + z2)
static void shifted_teeth_fit_at_their_distance(void **state)
{
    (void)state;
    for (int ring = 0; ring < 2; ring++) {
        StickGearPairSpec spec = ring ? ring_pair(24, 70, 2) : standard_pair(14, 40, 2);
        spec.gear[0].shift = 0.3;
        spec.gear[1].shift = ring ? 0.5 : 0.2;
        spec.gear[1].addendum = 0.8;
        spec.gear[1].tip_radius = 0.2;
        spec.centre_distance = stick_gears_tight_distance(&spec);
        StickGearPair pair = make(&spec);
        double alpha = spec.pressure_angle, x = ring ? 0.2 : 0.5, z = ring ? 46 : 54;
        assert_near(stick_involute(pair.working_angle), stick_involute(alpha) + 2 * tan(alpha) * x / z,
                    1e-14);
        assert_near(pair.backlash, 0, 1e-12);
        assert_near(fabs(pair.centre), spec.centre_distance, 1e-12);
        // thickness of both teeth on the rolling circles makes the pitch
        double thick[2];
        for (int g = 0; g < 2; g++)
            thick[g] = 2 * pair.working[g] * stick_tooth_involute_angle(&pair.tooth[g], pair.working[g]);
        assert_near(thick[0] + thick[1], 2 * STICK_PI * pair.working[0] / pair.tooth[0].teeth, 1e-12);
    }
}

// A pair moved apart by da from its tight distance: j = 2 a (inv alpha_w - inv alpha) on the rolling circles.
static void backlash_grows_with_the_distance(void **state)
{
    (void)state;
    StickGearPairSpec spec = standard_pair(25, 31, 1);
    spec.centre_distance = 28.1;
    StickGearPair pair = make(&spec);
    double change = stick_involute(pair.working_angle) - stick_involute(spec.pressure_angle);
    assert_near(pair.backlash, 2 * 28.1 * change, 1e-12);
    assert_true(pair.backlash > 0.06);
}

static void bad_distances_are_refused(void **state)
{
    (void)state;
    StickGearPairSpec spec = standard_pair(25, 31, 1);
    spec.centre_distance = 27.99;
    assert_refused(&spec, "thicker than the gaps by 0.007");
    assert_refused(&spec, "take 28 for teeth that fit without backlash, more than that");
    spec.centre_distance = 26;
    assert_refused(&spec, "no line touches both base circles");
    spec.centre_distance = 30.5;
    assert_refused(&spec, "do not reach each other");
    spec = ring_pair(24, 70, 1);
    spec.gear[1].addendum = 0.8;
    spec.centre_distance = 23.05;
    assert_refused(&spec, "take 23 for teeth that fit without backlash, less than that");
}

// ---- kinematics

// The point of a flank at rolled length s, of a gear at that angle and place, and its outward normal.
static void point_of(const StickFlank *flank, double angle, const double centre[2], double s, double x[2],
                     double normal[2])
{
    StickFlankPoint point;
    StickContext *ctx = stick_context_create(NULL);
    assert_ok(ctx, stick_flank_at(flank, s, &point));
    stick_context_destroy(ctx);
    double c = cos(angle), d = sin(angle);
    x[0] = centre[0] + c * point.x[0] - d * point.x[1];
    x[1] = centre[1] + d * point.x[0] + c * point.x[1];
    normal[0] = c * point.normal[0] - d * point.normal[1];
    normal[1] = d * point.normal[0] + c * point.normal[1];
}

// At 50 positions of a cycle: teeth k touch on the line of action at s + k base pitch, where the line's direction is
// the normal of both.
static void flanks_touch_on_the_line_of_action(void **state)
{
    (void)state;
    StickGearPairSpec good[GOOD];
    good_pairs(good);
    for (int p = 0; p < GOOD; p++) {
        StickGearPair pair = make(&good[p]);
        double scale = pair.tooth[0].pitch + pair.tooth[1].pitch;
        int touching = 0;
        for (int j = 0; j < 50; j++) {
            double s = (j - 25) * pair.base_pitch / 50, angle[2];
            stick_gear_place(&pair, s, angle);
            for (int k = -1; k <= 1; k++) {
                double at = s + k * pair.base_pitch;
                if (at < pair.from || at > pair.to)
                    continue;
                touching++;
                for (int g = 0; g < 2; g++) {
                    double centre[2], x[2], normal[2];
                    int tooth = g == 0 ? k : stick_gear_mate(&pair, k);
                    StickFlank flank = stick_gear_flank(&pair, g, tooth, pair.left[g]);
                    stick_gear_centre(&pair, g, centre);
                    point_of(&flank, angle[g], centre, stick_gear_rolled(&pair, g, at), x, normal);
                    assert_near(x[0], pair.working[0] + at * pair.direction[0], 1e-13 * scale);
                    assert_near(x[1], at * pair.direction[1], 1e-13 * scale);
                    double sign = g == 0 ? 1 : -1; // the input pushes along the direction
                    assert_near(normal[0], sign * pair.direction[0], 1e-13);
                    assert_near(normal[1], sign * pair.direction[1], 1e-13);
                }
            }
        }
        assert_near(touching / 50.0, pair.contact_ratio, 0.021); // the mean number of pairs in contact
    }
}

// How far a point about a gear's centre is inside of its teeth, along the circle; < 0 outside.
static double inside(const StickTooth *tooth, double angle, const double x[2])
{
    double radius = hypot(x[0], x[1]), at = remainder(atan2(x[1], x[0]) - angle, 2 * STICK_PI / tooth->teeth);
    return (stick_tooth_half_angle(tooth, radius) - fabs(at)) * radius;
}

// The deepest that a point of the flank of tooth k of gear g is in the mate, with all gears at these angles.
static double deepest_of_flank(const StickGearPair *pair, int g, int k, int side, const double angle[2])
{
    const StickTooth *tooth = &pair->tooth[g];
    double own[2], other[2], deepest = -INFINITY;
    stick_gear_centre(pair, g, own);
    stick_gear_centre(pair, 1 - g, other);
    for (int n = 0; n <= 20; n++) {
        double x[2];
        stick_tooth_flank_at(tooth, tooth->s_form + n / 20.0 * (tooth->s_tip - tooth->s_form), x);
        double radius = hypot(x[0], x[1]);
        double a = angle[g] + side * atan2(x[1], x[0]) + 2 * STICK_PI * k / tooth->teeth;
        for (int d = 0; d < 2; d++)
            x[d] = own[d] + radius * (d ? sin(a) : cos(a)) - other[d];
        deepest = fmax(deepest, inside(&pair->tooth[1 - g], angle[1 - g], x));
    }
    return deepest;
}

static double deepest_overlap(const StickGearPair *pair, int positions)
{
    double deepest = -INFINITY, angle[2];
    for (int j = 0; j < positions; j++) {
        stick_gear_place(pair, ((double)j / positions - 0.5) * pair->base_pitch, angle);
        for (int n = 0; n < 20; n++) // gears, sides, teeth
            deepest = fmax(deepest, deepest_of_flank(pair, n % 2, n / 4 - 2, n / 2 % 2 ? 1 : -1, angle));
    }
    return deepest;
}

// No point of one gear's flanks and tips is inside of the other.
static void teeth_overlap_nowhere(void **state)
{
    (void)state;
    StickGearPairSpec good[GOOD];
    good_pairs(good);
    for (int p = 0; p < GOOD; p++) {
        StickGearPair pair = make(&good[p]);
        double deepest = deepest_overlap(&pair, 50);
        assert_below(deepest, 1e-12 * pair.tooth[1].pitch);
        assert_true(deepest > -1e-2 * good[p].module); // and they do come near
    }
}

static StickGearPairSpec random_pair(StickRandom *random)
{
    int z1 = (int)stick_random_uniform(random, 5, 60), z2 = (int)stick_random_uniform(random, 5, 120);
    StickGearPairSpec spec =
        z2 > z1 && stick_random_uniform(random, 0, 1) < 0.5 ? ring_pair(z1, z2, 1) : standard_pair(z1, z2, 1);
    spec.pressure_angle = stick_random_uniform(random, 0.2, 0.5);
    for (int g = 0; g < 2; g++) {
        spec.gear[g].addendum = stick_random_uniform(random, 0.3, 1.2);
        spec.gear[g].dedendum = stick_random_uniform(random, 1.1, 1.5);
        spec.gear[g].shift = stick_random_uniform(random, -0.5, 0.8);
        spec.gear[g].tip_radius = stick_random_uniform(random, -0.3, 0.3);
    }
    double apart = stick_random_uniform(random, 0, 0.1);
    spec.centre_distance = stick_gears_tight_distance(&spec) + (spec.gear[1].internal ? -apart : apart);
    return spec;
}

// A pair of any numbers is refused, or warned of, or its teeth overlap nowhere.
static void overlaps_are_never_silent(void **state)
{
    (void)state;
    StickRandom random = stick_random_seed(8);
    StickContext *ctx = stick_context_create(NULL);
    int sound = 0, told = 0;
    for (int n = 0; n < 300; n++) {
        StickGearPairSpec spec = random_pair(&random);
        StickGearPair pair;
        if (stick_gear_pair_make(ctx, &spec, &pair) != STICK_OK)
            continue;
        bool runs = !pair.interference[0] && !pair.interference[1];
        told += !runs;
        sound += runs;
        if (runs)
            assert_below(deepest_overlap(&pair, 12), 1e-5);
    }
    assert_true(sound > 50 && told > 10);
    stick_context_destroy(ctx);
}

static void gears_turn_with_the_ratio_of_their_teeth(void **state)
{
    (void)state;
    StickGearPairSpec outer = standard_pair(19, 53, 3), ring = ring_pair(24, 70, 1);
    ring.gear[1].addendum = 0.8;
    StickGearPair a = make(&outer), b = make(&ring);
    assert_near(a.turns[1] / a.turns[0], -19.0 / 53, 1e-15); // against each other
    assert_near(b.turns[1] / b.turns[0], 24.0 / 70, 1e-15);  // in the same sense
    assert_near(b.centre, -23, 1e-13);
    assert_near(a.turns[0] * a.base_pitch, 2 * STICK_PI / 19, 1e-15);
    assert_near(stick_gear_sliding(&a, 0.5), 0.5 * (1 + 19.0 / 53), 1e-15);
    assert_near(stick_gear_sliding(&b, -0.5), -0.5 * (1 - 24.0 / 70), 1e-15);
    assert_int_equal(stick_gear_mate(&a, 2), 51);
    assert_int_equal(stick_gear_mate(&b, -1), 69);
}

// Sliding from the velocities of the material points themselves.
static void sliding_is_the_difference_of_velocities(void **state)
{
    (void)state;
    StickGearPairSpec good[GOOD];
    good_pairs(good);
    for (int p = 0; p < GOOD; p++) {
        StickGearPair pair = make(&good[p]);
        double s = 0.3 * pair.to, across[2] = {pair.direction[1], -pair.direction[0]}, speed[2];
        for (int g = 0; g < 2; g++) {
            double centre[2], turn = pair.turns[g] / pair.turns[0];
            stick_gear_centre(&pair, g, centre);
            double x = pair.working[0] + s * pair.direction[0] - centre[0], y = s * pair.direction[1];
            speed[g] = turn * (-y * across[0] + x * across[1]);
            assert_near(turn * (-y * pair.direction[0] + x * pair.direction[1]), pair.tooth[0].base, 1e-12);
        }
        assert_near(stick_gear_sliding(&pair, s), speed[1] - speed[0], 1e-12);
    }
}

// ---- interference

// A tip that goes below the start of the involute runs into the fillet.
static void tips_run_into_fillets(void **state)
{
    (void)state;
    StickGearPairSpec spec = standard_pair(20, 60, 1);
    StickGearPair pair = make(&spec);
    assert_int_equal(pair.interference[1], STICK_INTERFERENCE_NONE);
    spec.gear[1].addendum = 1.22;
    pair = make(&spec);
    double from = pair.rolled[1] - pair.tooth[1].s_tip;
    assert_true(stick_gear_rolled(&pair, 0, from) < pair.tooth[0].s_form);
    assert_int_equal(pair.interference[1], STICK_INTERFERENCE_FILLET);
    assert_int_equal(pair.interference[0], STICK_INTERFERENCE_NONE);
    assert_true(pair.interferes[1] > 1e-4 && pair.interferes[1] < 0.1);
    // the path ends where the involute does
    assert_near(stick_gear_rolled(&pair, 0, pair.from), pair.tooth[0].s_form, 1e-13);
    spec.gear[1].addendum = 1.4;
    pair = make(&spec);
    assert_int_equal(pair.interference[1], STICK_INTERFERENCE_ROOT);
    assert_near(pair.interferes[1], 0.15, 1e-6);
}

// An undercut pinion has room for the tips that would have met its involute, and a shorter path of contact.
static void undercut_makes_room_for_tips(void **state)
{
    (void)state;
    StickGearPairSpec spec = standard_pair(10, 40, 1);
    StickGearPair pair = make(&spec);
    assert_true(pair.tooth[0].undercut);
    assert_int_equal(pair.interference[1], STICK_INTERFERENCE_NONE);
    double tips = pair.tooth[0].s_tip + pair.tooth[1].s_tip - pair.rolled[0] - pair.rolled[1];
    assert_true(pair.to - pair.from < tips - 0.1);
    assert_near(stick_gear_rolled(&pair, 0, pair.from), pair.tooth[0].s_form, 1e-13);
}

// Tips of a ring would meet the pinion beyond its base circle, where it has no involute.
static void rings_run_into_pinions(void **state)
{
    (void)state;
    StickGearPairSpec spec = ring_pair(17, 70, 1);
    StickGearPair pair = make(&spec);
    assert_int_equal(pair.interference[1], STICK_INTERFERENCE_INVOLUTE);
    assert_true(stick_gear_rolled(&pair, 0, pair.tooth[1].s_tip - pair.rolled[1]) < 0);
    spec.gear[1].addendum = 0.6;
    pair = make(&spec);
    assert_int_equal(pair.interference[1], STICK_INTERFERENCE_NONE);
    assert_int_equal(pair.interference[0], STICK_INTERFERENCE_NONE);
}

// Tips of a pinion with nearly as many teeth do not pass those of the ring.
static void tips_of_pinion_and_ring_do_not_pass(void **state)
{
    (void)state;
    StickGearPairSpec spec = ring_pair(60, 64, 1);
    spec.gear[1].addendum = 0.8;
    StickGearPair pair = make(&spec);
    assert_int_equal(pair.interference[0], STICK_INTERFERENCE_TIP);
    spec = ring_pair(60, 74, 1);
    spec.gear[1].addendum = 0.8;
    assert_int_equal(make(&spec).interference[0], STICK_INTERFERENCE_NONE);
}

// ---- reliefs

static double off(const StickFlank *flank, double s)
{
    double sum = 0;
    for (int k = 0; k < flank->nreliefs; k++) {
        const StickRelief *relief = &flank->relief[k];
        double u = (s - relief->none) / (relief->full - relief->none);
        sum += u > 0 ? relief->amount * pow(u, relief->power) : 0;
    }
    return sum;
}

static void reliefs_begin_and_end_where_asked(void **state)
{
    (void)state;
    StickGearPairSpec good[GOOD];
    good_pairs(good);
    for (int p = 0; p < GOOD; p++) {
        StickGearPairSpec spec = good[p];
        double m = spec.module, active[2];
        for (int g = 0; g < 2; g++) {
            spec.gear[g].tip = (StickReliefSpec){0.02 * m, 0.5, 1};
            spec.gear[g].root = (StickReliefSpec){0.01 * m, 0.3, 2};
        }
        StickGearPair pair = make(&spec);
        for (int g = 0; g < 2; g++) {
            StickFlank flank = stick_gear_flank(&pair, g, 0, true);
            double out = pair.tooth[g].internal ? -1 : 1;
            stick_gear_active(&pair, g, active);
            double tip = active[out > 0], root = active[out < 0];
            assert_near(tip, pair.tooth[g].s_tip, 1e-12);
            assert_near(off(&flank, tip), 0.02 * m, 1e-12 * m);
            assert_near(off(&flank, tip - out * 0.25 * m), 0.01 * m, 1e-12 * m);
            assert_near(off(&flank, tip - out * 0.5 * m), 0, 1e-12 * m);
            assert_near(off(&flank, root), 0.01 * m, 1e-12 * m);
            assert_near(off(&flank, root + out * 0.15 * m), 0.0025 * m, 1e-12 * m);
            assert_int_equal(flank.nreliefs, 2);
        }
        spec.gear[0].tip.amount = spec.gear[0].root.amount = 0;
        spec.gear[0].crowning = 0.004 * m;
        pair = make(&spec);
        StickFlank flank = stick_gear_flank(&pair, 0, 0, false);
        stick_gear_active(&pair, 0, active);
        assert_near(off(&flank, active[0]), 0.004 * m, 1e-12 * m);
        assert_near(off(&flank, active[1]), 0.004 * m, 1e-12 * m);
        assert_near(off(&flank, 0.5 * (active[0] + active[1])), 0, 0);
        assert_near(off(&flank, 0.25 * active[0] + 0.75 * active[1]), 0.001 * m, 1e-12 * m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(path_of_contact_is_that_of_the_reference),
        cmocka_unit_test(full_teeth_have_the_contact_ratio_of_the_reference),
        cmocka_unit_test(contact_ratio_has_its_closed_form),
        cmocka_unit_test(shifted_pair_has_the_numbers_of_handbooks),
        cmocka_unit_test(shifted_teeth_fit_at_their_distance),
        cmocka_unit_test(backlash_grows_with_the_distance),
        cmocka_unit_test(bad_distances_are_refused),
        cmocka_unit_test(flanks_touch_on_the_line_of_action),
        cmocka_unit_test(teeth_overlap_nowhere),
        cmocka_unit_test(overlaps_are_never_silent),
        cmocka_unit_test(gears_turn_with_the_ratio_of_their_teeth),
        cmocka_unit_test(sliding_is_the_difference_of_velocities),
        cmocka_unit_test(tips_run_into_fillets),
        cmocka_unit_test(undercut_makes_room_for_tips),
        cmocka_unit_test(rings_run_into_pinions),
        cmocka_unit_test(tips_of_pinion_and_ring_do_not_pass),
        cmocka_unit_test(reliefs_begin_and_end_where_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
