// SPDX-License-Identifier: Apache-2.0
#include "gears/tooth.h"

#include "base/check.h"
#include "base/involute.h"
#include "base/pi.h"

#include <math.h>

static const double RACK_RADIUS = 0.38; // of the module, where none is given and there is room
enum { HALVINGS = 200, FILLET_PIECES = 64 };

// ---- involute

double stick_tooth_involute(const StickTooth *tooth, double s)
{
    double t = s / tooth->base;
    return t - atan(t);
}

double stick_tooth_rolled(const StickTooth *tooth, double radius)
{
    return radius > tooth->base ? sqrt((radius - tooth->base) * (radius + tooth->base)) : 0;
}

double stick_tooth_involute_angle(const StickTooth *tooth, double radius)
{
    double turn = stick_tooth_involute(tooth, stick_tooth_rolled(tooth, radius));
    return tooth->internal ? tooth->base_angle + turn : tooth->base_angle - turn;
}

static void polar(double radius, double angle, double x[2])
{
    x[0] = radius * cos(angle);
    x[1] = radius * sin(angle);
}

void stick_tooth_flank_at(const StickTooth *tooth, double s, double x[2])
{
    double turn = stick_tooth_involute(tooth, s);
    polar(hypot(tooth->base, s), tooth->base_angle + (tooth->internal ? turn : -turn), x);
}

// The involute starts on the base circle at base_angle; the gap is to the left of the left flank.
StickFlank stick_tooth_flank(const StickTooth *tooth, int k, bool left)
{
    int side = left ? 1 : -1;
    return (StickFlank){
        .kind = STICK_FLANK_INVOLUTE,
        .from = fmin(tooth->s_form, tooth->s_tip),
        .to = fmax(tooth->s_form, tooth->s_tip),
        .base = tooth->base,
        .start = 2 * STICK_PI * k / tooth->teeth + side * tooth->base_angle,
        .hand = tooth->internal ? side : -side,
        .outward = -side,
    };
}

// ---- the fillet of an external gear

// A point of the fillet relative to the pitch point of rack and gear. The normal of the rack's round tip at the angle
// gamma below the rolling line passes through the pitch point. So the centre of the round tip is at the distance depth
// cot gamma from it along the line, the rack's tooth at this distance minus offset, and the gear rolls by the same
// distance.
static void trochoid(const StickTooth *tooth, double gamma, double *radius, double *angle)
{
    double aside = tooth->depth / tan(gamma);
    double across = aside + tooth->radius * cos(gamma);
    double up = tooth->pitch - tooth->depth - tooth->radius * sin(gamma);
    double gap = atan2(across, up) - (aside - tooth->offset) / tooth->pitch;
    *radius = hypot(across, up);
    *angle = STICK_PI / tooth->teeth - gap;
}

// By how much the fillet stands outside of the involute at its radius, as an angle: < 0 where it cuts into it.
static double stands_out(const StickTooth *tooth, double gamma)
{
    double radius, angle;
    trochoid(tooth, gamma, &radius, &angle);
    return angle - stick_tooth_involute_angle(tooth, radius);
}

static double radius_of(const StickTooth *tooth, double gamma)
{
    double radius, angle;
    trochoid(tooth, gamma, &radius, &angle);
    return radius;
}

// Where the trochoid crosses the involute: between the rack's end and the base circle it goes from outside to inside.
static double find_undercut(const StickTooth *tooth)
{
    double low = tooth->pressure_angle, high = STICK_PI / 2;
    for (int k = 0; k < HALVINGS; k++) { // down to the base circle
        double mid = 0.5 * (low + high);
        *(radius_of(tooth, mid) > tooth->base ? &low : &high) = mid;
    }
    high = low;
    low = tooth->pressure_angle;
    for (int k = 0; k < HALVINGS; k++) {
        double mid = 0.5 * (low + high);
        *(stands_out(tooth, mid) > 0 ? &low : &high) = mid;
    }
    return low;
}

// The rack's straight flank ends where its round tip begins: on the line of action that is where the involute begins,
// unless it is beyond the base circle's point of contact, whose other side the tip then cuts.
static void cut_by_rack(StickTooth *tooth)
{
    double sine = sin(tooth->pressure_angle);
    double end = tooth->depth + tooth->radius * sine; // of the straight flank, below the rolling line
    tooth->s_form = tooth->pitch * sine - end / sine;
    tooth->undercut = tooth->s_form < 0;
    tooth->from = tooth->undercut ? find_undercut(tooth) : tooth->pressure_angle;
    if (tooth->undercut)
        tooth->s_form = stick_tooth_rolled(tooth, radius_of(tooth, tooth->from));
    tooth->form = hypot(tooth->base, tooth->s_form);
    tooth->least_shift = (end - tooth->pitch * sine * sine) / tooth->module;
    tooth->root_angle = STICK_PI / tooth->teeth - tooth->offset / tooth->pitch;
}

static StickStatus make_rack(StickContext *ctx, const StickGearPairSpec *pair, int g, StickTooth *tooth)
{
    const StickGearSpec *gear = &pair->gear[g];
    double m = pair->module, slope = tan(pair->pressure_angle);
    double room = STICK_PI / 4 - gear->dedendum * slope; // half of the rack's tooth at its tip line
    double most = room * cos(pair->pressure_angle) / (1 - sin(pair->pressure_angle));
    if (room < 0)
        return stick_fail_at(ctx, STICK_BAD_INPUT, pair->mark,
                             "gear '%s.%d': the rack's tooth ends in a point above the dedendum %g: take at "
                             "most %.6g",
                             pair->name, g + 1, gear->dedendum, STICK_PI / 4 / slope);
    if (gear->tip_radius > most * (1 + 1e-12))
        return stick_fail_at(ctx, STICK_BAD_INPUT, pair->mark,
                             "gear '%s.%d': the rack's tip has no room for the radius %g: take at most %.6g "
                             "for 'rack-radius', or a smaller 'dedendum'",
                             pair->name, g + 1, gear->tip_radius, most);
    double radius = gear->tip_radius < 0 ? fmin(RACK_RADIUS, most) : gear->tip_radius;
    tooth->radius = radius * m;
    tooth->depth = (gear->dedendum - radius - gear->shift) * m;
    tooth->offset = fmax((room - radius * (1 / cos(pair->pressure_angle) - slope)) * m, 0);
    cut_by_rack(tooth);
    // a shift of the profile moves the depth with it
    tooth->least_shift += gear->shift;
    return STICK_OK;
}

// ---- the fillet of a ring

// An arc tangent to the involute and the root circle. Its centre lies on the parallel curve of the flank at the
// distance of its radius, which is the same involute with a shorter length of roll.
static double place_hub(StickTooth *tooth, double radius)
{
    double s = stick_tooth_rolled(tooth, tooth->root - radius), line;
    tooth->radius = radius;
    tooth->s_form = s + radius;
    line = tooth->base_angle + tooth->s_form / tooth->base;
    double angle = line - atan(s / tooth->base);
    tooth->from = line - STICK_PI / 2;
    tooth->root_angle = angle;
    polar(tooth->root - radius, angle, tooth->hub);
    return angle;
}

static double largest_arc(StickTooth *tooth)
{
    double low = 0, high = tooth->root - tooth->base;
    for (int k = 0; k < HALVINGS; k++) {
        double mid = 0.5 * (low + high);
        *(place_hub(tooth, mid) <= STICK_PI / tooth->teeth ? &low : &high) = mid;
    }
    return low;
}

static StickStatus make_arc(StickContext *ctx, const StickGearPairSpec *pair, int g, StickTooth *tooth)
{
    double given = pair->gear[g].tip_radius * pair->module;
    double most = largest_arc(tooth);
    if (place_hub(tooth, 0) > STICK_PI / tooth->teeth)
        return stick_fail_at(ctx, STICK_BAD_INPUT, pair->mark,
                             "ring '%s.%d': its gaps end in a point below the root circle: take a smaller "
                             "'dedendum'",
                             pair->name, g + 1);
    if (given > most * (1 + 1e-12))
        return stick_fail_at(ctx, STICK_BAD_INPUT, pair->mark,
                             "ring '%s.%d': its gaps have no room for fillets of radius %g: take at most "
                             "%.6g for 'rack-radius'",
                             pair->name, g + 1, pair->gear[g].tip_radius, most / pair->module);
    place_hub(tooth, given < 0 ? fmin(RACK_RADIUS * pair->module, most) : given);
    tooth->form = hypot(tooth->base, tooth->s_form);
    return STICK_OK;
}

// ---- fillets

// Where the fillet is at u, from the flank to the root circle.
static void fillet_polar(const StickTooth *tooth, double u, double *radius, double *angle)
{
    if (!tooth->internal) {
        trochoid(tooth, tooth->from + u * (STICK_PI / 2 - tooth->from), radius, angle);
        return;
    }
    double turn = tooth->from + u * (tooth->root_angle - tooth->from), x[2];
    polar(tooth->radius, turn, x);
    *radius = hypot(tooth->hub[0] + x[0], tooth->hub[1] + x[1]);
    *angle = atan2(tooth->hub[1] + x[1], tooth->hub[0] + x[0]);
}

void stick_tooth_fillet_at(const StickTooth *tooth, double u, double x[2])
{
    double radius, angle;
    fillet_polar(tooth, u, &radius, &angle);
    polar(radius, angle, x);
}

double stick_tooth_fillet_length(const StickTooth *tooth)
{
    double length = 0, before[2], x[2];
    stick_tooth_fillet_at(tooth, 0, before);
    for (int k = 1; k <= FILLET_PIECES; k++) {
        stick_tooth_fillet_at(tooth, (double)k / FILLET_PIECES, x);
        length += hypot(x[0] - before[0], x[1] - before[1]);
        before[0] = x[0];
        before[1] = x[1];
    }
    return length;
}

// The radius of a fillet goes one way from the flank to the root circle.
static double fillet_angle(const StickTooth *tooth, double radius)
{
    double low = 0, high = 1, at, angle;
    for (int k = 0; k < HALVINGS && low < high; k++) {
        double mid = 0.5 * (low + high);
        if (mid == low || mid == high)
            break;
        fillet_polar(tooth, mid, &at, &angle);
        *((at < radius) == tooth->internal ? &low : &high) = mid;
    }
    fillet_polar(tooth, 0.5 * (low + high), &at, &angle);
    return angle;
}

double stick_tooth_half_angle(const StickTooth *tooth, double radius)
{
    double out = tooth->internal ? -1 : 1;
    if (out * (radius - tooth->tip) > 0)
        return 0;
    if (out * (radius - tooth->form) >= 0)
        return stick_tooth_involute_angle(tooth, radius);
    if (out * (radius - tooth->root) > 0)
        return fillet_angle(tooth, radius);
    return STICK_PI / tooth->teeth;
}

// ---- the tooth as a whole

static void make_circles(const StickGearPairSpec *pair, const StickGearSpec *gear, StickTooth *tooth)
{
    double m = pair->module, out = gear->internal ? -1 : 1;
    double half = (STICK_PI / 2 + out * 2 * gear->shift * tan(pair->pressure_angle)) / gear->teeth;
    *tooth = (StickTooth){
        .teeth = gear->teeth,
        .internal = gear->internal,
        .module = m,
        .pressure_angle = pair->pressure_angle,
        .pitch = m * gear->teeth / 2,
        .base = m * gear->teeth / 2 * cos(pair->pressure_angle),
        .tip = m * (0.5 * gear->teeth + out * gear->addendum + gear->shift),
        .root = m * (0.5 * gear->teeth - out * gear->dedendum + gear->shift),
        .rim = gear->rim,
        .base_angle = half + out * stick_involute(pair->pressure_angle),
    };
    tooth->s_tip = stick_tooth_rolled(tooth, tooth->tip);
    tooth->tip_angle = stick_tooth_involute_angle(tooth, tooth->tip);
}

static StickStatus check_rim(StickContext *ctx, const StickGearPairSpec *pair, int g, const StickTooth *tooth)
{
    if (tooth->internal && !(tooth->rim > tooth->root))
        return stick_fail_at(
            ctx, STICK_BAD_INPUT, pair->mark,
            "ring '%s.%d': its 'rim' of radius %g lies inside of the root circle of radius %.6g: "
            "take a larger one",
            pair->name, g + 1, tooth->rim, tooth->root);
    if (!tooth->internal && !(tooth->rim < tooth->root))
        return stick_fail_at(ctx, STICK_BAD_INPUT, pair->mark,
                             "gear '%s.%d': its 'bore' of radius %g reaches beyond the root circle of radius "
                             "%.6g: take a smaller one",
                             pair->name, g + 1, tooth->rim, tooth->root);
    return STICK_OK;
}

// Where the sides of a tooth meet, as an addendum.
static double pointed_addendum(const StickGearSpec *gear, const StickTooth *tooth)
{
    double out = tooth->internal ? -1 : 1;
    double point = tooth->base / cos(stick_involute_angle(out * tooth->base_angle));
    return out * ((point - tooth->pitch) / tooth->module - gear->shift);
}

static StickStatus check_tip(StickContext *ctx, const StickGearPairSpec *pair, int g, const StickTooth *tooth)
{
    const StickGearSpec *gear = &pair->gear[g];
    if (tooth->internal && !(tooth->tip >= tooth->base))
        return stick_fail_at(
            ctx, STICK_BAD_INPUT, pair->mark,
            "ring '%s.%d': its tip circle of radius %.6g lies inside of its base circle of radius "
            "%.6g, where there is no involute: take at most %.6g for its 'addendum', or more teeth",
            pair->name, g + 1, tooth->tip, tooth->base,
            (tooth->pitch - tooth->base) / tooth->module + gear->shift);
    if (!(tooth->tip_angle > 0))
        return stick_fail_at(
            ctx, STICK_BAD_INPUT, pair->mark,
            "gear '%s.%d': its teeth end in a point before the tip circle of radius %.6g: take less "
            "than %.6g for its 'addendum', or another 'shift'",
            pair->name, g + 1, tooth->tip, pointed_addendum(gear, tooth));
    return STICK_OK;
}

// The narrowest place of an undercut tooth.
static double neck(const StickTooth *tooth)
{
    double least = tooth->root_angle, radius, angle;
    for (int k = 0; k < FILLET_PIECES; k++) {
        fillet_polar(tooth, (double)k / FILLET_PIECES, &radius, &angle);
        least = fmin(least, angle);
    }
    return least;
}

static StickStatus check_flank(StickContext *ctx, const StickGearPairSpec *pair, int g,
                               const StickTooth *tooth)
{
    bool there = tooth->internal ? tooth->form > tooth->tip : tooth->form < tooth->tip;
    if (!there)
        return stick_fail_at(
            ctx, STICK_BAD_INPUT, pair->mark,
            "gear '%s.%d': nothing is left of its flanks: they begin at radius %.6g, and the tip "
            "circle has %.6g; take a larger 'addendum'%s",
            pair->name, g + 1, tooth->form, tooth->tip,
            tooth->undercut ? ", or a larger 'shift' against undercut" : " or a smaller 'rack-radius'");
    if (!tooth->internal && !(neck(tooth) > 0))
        return stick_fail_at(
            ctx, STICK_BAD_INPUT, pair->mark,
            "gear '%s.%d': its teeth are cut off by undercut: take more teeth, or a 'shift' of up to %.3g",
            pair->name, g + 1, tooth->least_shift);
    return STICK_OK;
}

StickStatus stick_tooth_make(StickContext *ctx, const StickGearPairSpec *pair, int g, StickTooth *tooth)
{
    StickTooth made;
    make_circles(pair, &pair->gear[g], &made);
    if (!(made.root > 0))
        return stick_fail_at(
            ctx, STICK_BAD_INPUT, pair->mark,
            "gear '%s.%d': its root circle has the radius %.6g: take more teeth or a smaller "
            "'dedendum'",
            pair->name, g + 1, made.root);
    STICK_TRY(check_tip(ctx, pair, g, &made));
    STICK_TRY(check_rim(ctx, pair, g, &made));
    STICK_TRY(made.internal ? make_arc(ctx, pair, g, &made) : make_rack(ctx, pair, g, &made));
    STICK_TRY(check_flank(ctx, pair, g, &made));
    made.form_angle = stick_tooth_involute_angle(&made, made.form);
    *tooth = made;
    return STICK_OK;
}
