// SPDX-License-Identifier: Apache-2.0
#include "gears/interference.h"

#include "base/pi.h"

#include <math.h>

enum { PLACES = 1000 };
static const double GRAZES = 1e-6; // of the module: rounding error of a tip that slides along a flank

// Half of the angle, about the centre of gear g, over which its tip circle is among the teeth of its mate: seen from
// the line of centres towards the pitch point.
static double reach(const StickGearPair *pair, int g)
{
    double a = fabs(pair->centre), own = pair->tooth[g].tip, other = pair->tooth[1 - g].tip;
    // the mate's centre is on the pitch point's side unless the mate is a ring
    double towards = pair->tooth[1 - g].internal ? -1 : 1;
    double cosine = towards * (own * own + a * a - other * other) / (2 * a * own);
    return acos(fmax(fmin(cosine, 1), -1));
}

// Between the tip circle of gear g and the root circle of its mate, where they are nearest.
static double clearance(const StickGearPair *pair, int g)
{
    double a = fabs(pair->centre), own = pair->tooth[g].tip, root = pair->tooth[1 - g].root;
    if (pair->tooth[1 - g].internal)
        return root - a - own;
    return pair->tooth[g].internal ? own - a - root : a - own - root;
}

// How deep a point at that radius and angle, about the centre of a gear that stands at angle 0, is in its teeth.
static double depth(const StickTooth *tooth, double radius, double angle)
{
    double aside = fabs(remainder(angle, 2 * STICK_PI / tooth->teeth));
    return (stick_tooth_half_angle(tooth, radius) - aside) * radius;
}

// Names the part of the mating gear at this radius. The length of roll of the mate at the end of contact may not exist.
static StickInterference name(const StickGearPair *pair, int g, double radius)
{
    const StickTooth *mate = &pair->tooth[1 - g];
    double out = mate->internal ? -1 : 1;
    double end = (pair->tooth[g].s_tip - pair->rolled[g]) * pair->sense[g];
    bool ring = mate->internal || pair->tooth[g].internal;
    if (ring && out * (mate->tip - radius) < out * (radius - mate->form))
        return STICK_INTERFERENCE_TIP;
    return stick_gear_rolled(pair, 1 - g, end) < 0 ? STICK_INTERFERENCE_INVOLUTE : STICK_INTERFERENCE_FILLET;
}

// The deepest place of the corner on its way through the teeth of the mate.
static void follow_corner(StickGearPair *pair, int g)
{
    const StickTooth *tooth = &pair->tooth[g], *mate = &pair->tooth[1 - g];
    double own[2], other[2], corner = pair->left[g] ? tooth->tip_angle : -tooth->tip_angle;
    // direction of the pitch point from the own centre
    double ahead = g == 1 && !tooth->internal && !mate->internal ? STICK_PI : 0, half = reach(pair, g);
    stick_gear_centre(pair, g, own);
    stick_gear_centre(pair, 1 - g, other);
    double deepest = GRAZES * tooth->module;
    for (int k = 0; k <= PLACES; k++) {
        double at = ahead + half * (2.0 * k / PLACES - 1), angle[2];
        // s at which the corner is there
        stick_gear_place(pair, (at - corner - pair->angle[g]) / pair->turns[g], angle);
        double x = own[0] + tooth->tip * cos(at) - other[0], y = tooth->tip * sin(at);
        double radius = hypot(x, y), deep = depth(mate, radius, atan2(y, x) - angle[1 - g]);
        if (!(deep > deepest))
            continue;
        deepest = pair->interferes[g] = deep;
        pair->interference[g] = name(pair, g, radius);
    }
}

void stick_gear_interference(StickGearPair *pair, int g)
{
    double room = clearance(pair, g);
    pair->interference[g] = STICK_INTERFERENCE_NONE;
    pair->interferes[g] = 0;
    if (room < -GRAZES * pair->tooth[g].module) {
        pair->interference[g] = STICK_INTERFERENCE_ROOT;
        pair->interferes[g] = -room;
        return;
    }
    follow_corner(pair, g);
}
