// SPDX-License-Identifier: Apache-2.0
#include "gears/pair.h"

#include "base/check.h"
#include "base/pi.h"
#include "gears/interference.h"

#include <math.h>

static const double TIGHT = 1e-9; // of the module: backlash that counts as zero

static bool is_internal(const StickGearPair *pair)
{
    return pair->tooth[0].internal || pair->tooth[1].internal;
}

// ---- rolling

static StickStatus find_working_angle(StickContext *ctx, StickGearPair *pair)
{
    const StickGearPairSpec *spec = pair->spec;
    bool internal = is_internal(pair);
    double base[2] = {pair->tooth[0].base, pair->tooth[1].base};
    double least = internal ? fabs(base[1] - base[0]) : base[0] + base[1];
    if (!(spec->centre_distance > least))
        return stick_fail_at(
            ctx, STICK_BAD_INPUT, spec->mark,
            "gears '%s': with a 'centre-distance' of %g no line touches both base circles, which "
            "needs more than %.6g: take %.10g for teeth that fit without backlash, or leave it out",
            spec->name, spec->centre_distance, least, stick_gears_tight_distance(spec));
    pair->working_angle = acos(least / spec->centre_distance);
    for (int g = 0; g < 2; g++) {
        pair->working[g] = base[g] / cos(pair->working_angle);
        pair->rolled[g] = base[g] * tan(pair->working_angle);
    }
    pair->centre = internal ? pair->working[0] - pair->working[1] : pair->working[0] + pair->working[1];
    return STICK_OK;
}

// Half of the angle that a tooth fills of the circle that rolls.
static double half_working(const StickGearPair *pair, int g)
{
    return stick_tooth_involute_angle(&pair->tooth[g], pair->working[g]);
}

// The input's left flank passes through the pitch point when its tooth has turned back by half its thickness; of the
// output, seen from its centre, the pitch point lies at pi, and its left flank is met, or, where one is a ring, at 0
// and its right one.
static void set_rolling(StickGearPair *pair)
{
    bool internal = is_internal(pair);
    pair->sense[0] = pair->tooth[0].internal ? -1 : 1;
    pair->sense[1] = pair->tooth[1].internal ? 1 : -1;
    pair->direction[0] = pair->sense[0] * sin(pair->working_angle);
    pair->direction[1] = cos(pair->working_angle);
    pair->base_pitch = 2 * STICK_PI * pair->tooth[0].base / pair->tooth[0].teeth;
    pair->turns[0] = 1 / pair->tooth[0].base;
    pair->turns[1] = (internal ? 1 : -1) / pair->tooth[1].base;
    pair->left[0] = true;
    pair->left[1] = !internal;
    pair->angle[0] = -half_working(pair, 0);
    pair->angle[1] = internal ? half_working(pair, 1) : STICK_PI - half_working(pair, 1);
}

void stick_gear_place(const StickGearPair *pair, double s, double angle[2])
{
    for (int g = 0; g < 2; g++)
        angle[g] = pair->angle[g] + s * pair->turns[g];
}

void stick_gear_centre(const StickGearPair *pair, int g, double x[2])
{
    x[0] = g == 1 ? pair->centre : 0;
    x[1] = 0;
}

int stick_gear_mate(const StickGearPair *pair, int k)
{
    int teeth = pair->tooth[1].teeth, mate = (is_internal(pair) ? k : -k) % teeth;
    return mate < 0 ? mate + teeth : mate;
}

// The part of the velocity along the line of action is common; across it the gears turn apart by their difference.
double stick_gear_sliding(const StickGearPair *pair, double s)
{
    return s * (1 - pair->turns[1] / pair->turns[0]);
}

// ---- path of contact

double stick_gear_rolled(const StickGearPair *pair, int g, double s)
{
    return pair->rolled[g] + pair->sense[g] * s;
}

static double position_of(const StickGearPair *pair, int g, double rolled)
{
    return (rolled - pair->rolled[g]) * pair->sense[g];
}

void stick_gear_active(const StickGearPair *pair, int g, double rolled[2])
{
    double a = stick_gear_rolled(pair, g, pair->from), b = stick_gear_rolled(pair, g, pair->to);
    rolled[0] = fmin(a, b);
    rolled[1] = fmax(a, b);
}

// Teeth meet first at the tip of the output and last at that of the input, unless a flank ends before.
static StickStatus find_path(StickContext *ctx, StickGearPair *pair)
{
    const StickGearPairSpec *spec = pair->spec;
    const StickTooth *in = &pair->tooth[0], *out = &pair->tooth[1];
    pair->from = fmax(position_of(pair, 1, out->s_tip), position_of(pair, 0, in->s_form));
    pair->to = fmin(position_of(pair, 0, in->s_tip), position_of(pair, 1, out->s_form));
    pair->contact_ratio = (pair->to - pair->from) / pair->base_pitch;
    if (!(pair->to > pair->from))
        return stick_fail_at(ctx, STICK_BAD_INPUT, spec->mark,
                             "gears '%s': their flanks do not reach each other at the 'centre-distance' %g: "
                             "take %.10g for teeth that fit without backlash, or leave it out",
                             spec->name, spec->centre_distance, stick_gears_tight_distance(spec));
    return STICK_OK;
}

static StickStatus find_backlash(StickContext *ctx, StickGearPair *pair)
{
    const StickGearPairSpec *spec = pair->spec;
    double play = 2 * STICK_PI / spec->gear[0].teeth - 2 * half_working(pair, 0);
    pair->backlash = play * pair->working[0] - 2 * half_working(pair, 1) * pair->working[1];
    if (pair->backlash < -TIGHT * spec->module)
        return stick_fail_at(ctx, STICK_BAD_INPUT, spec->mark,
                             "gears '%s': their teeth are thicker than the gaps by %.3g at the "
                             "'centre-distance' %g: take %.10g "
                             "for teeth that fit without backlash, %s than that for some, or leave it out",
                             spec->name, -pair->backlash, spec->centre_distance,
                             stick_gears_tight_distance(spec), is_internal(pair) ? "less" : "more");
    return STICK_OK;
}

StickStatus stick_gear_pair_make(StickContext *ctx, const StickGearPairSpec *spec, StickGearPair *pair)
{
    StickGearPair made = {.spec = spec};
    for (int g = 0; g < 2; g++)
        STICK_TRY(stick_tooth_make(ctx, spec, g, &made.tooth[g]));
    STICK_TRY(find_working_angle(ctx, &made));
    set_rolling(&made);
    STICK_TRY(find_path(ctx, &made));
    STICK_TRY(find_backlash(ctx, &made));
    for (int g = 0; g < 2; g++)
        stick_gear_interference(&made, g);
    *pair = made;
    return STICK_OK;
}

// ---- reliefs

static void add_relief(StickFlank *flank, double none, double full, double amount, double power)
{
    if (amount != 0)
        flank->relief[flank->nreliefs++] = (StickRelief){none, full, amount, power};
}

StickFlank stick_gear_flank(const StickGearPair *pair, int g, int k, bool left)
{
    const StickGearSpec *gear = &pair->spec->gear[g];
    const StickTooth *tooth = &pair->tooth[g];
    StickFlank flank = stick_tooth_flank(tooth, k, left);
    double active[2], m = tooth->module, out = tooth->internal ? -1 : 1;
    stick_gear_active(pair, g, active);
    double tip = active[!tooth->internal], root = active[tooth->internal], middle = 0.5 * (tip + root);
    add_relief(&flank, tip - out * gear->tip.length * m, tip, gear->tip.amount, gear->tip.power);
    add_relief(&flank, root + out * gear->root.length * m, root, gear->root.amount, gear->root.power);
    add_relief(&flank, middle, tip, gear->crowning, 2);
    add_relief(&flank, middle, root, gear->crowning, 2);
    return flank;
}
