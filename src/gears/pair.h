// SPDX-License-Identifier: Apache-2.0
// Two spur gears in mesh: working pressure angle, path of contact, rotation, interference.
//
// The input's centre is the origin; the pitch point is (input's working radius, 0), and the output's centre lies on the
// x axis: beyond the pitch point, or where one of the gears is a ring on the same side as the input's. The input turns
// anticlockwise and drives by left flanks. They touch along the line of action, at pitch point + s direction: s grows
// as the gears turn, by base pitch from one pair of teeth to the next.
#ifndef GEARS_PAIR_H
#define GEARS_PAIR_H

#include "gears/tooth.h"

// The part of the mating gear with which a tip corner interferes.
typedef enum StickInterference {
    STICK_INTERFERENCE_NONE,
    STICK_INTERFERENCE_INVOLUTE, // the mate where it has no involute: contact would go beyond its base circle
    STICK_INTERFERENCE_FILLET,   // the mate's fillet
    STICK_INTERFERENCE_ROOT,     // its root circle
    STICK_INTERFERENCE_TIP,      // pinion and ring: tips that do not pass each other
} StickInterference;

typedef struct StickGearPair {
    const StickGearPairSpec *spec;
    StickTooth tooth[2];
    double working_angle; // pressure angle
    double working[2];    // radii of the circles that roll on each other
    double centre;        // x of the output's centre, < 0 of a ring around an input
    double direction[2];  // of the line of action, length 1: the force on the output
    double base_pitch;
    double from, to;      // s of the path of contact: of true flanks, from tip to tip or to a fillet's start
    double contact_ratio; // (to - from) / base_pitch
    double rolled[2];     // rolled lengths of both flanks at the pitch point, ...
    double sense[2];      // ... which grow (+1) or fall (-1) with s
    double turns[2];      // angles by s
    double angle[2];      // of the gears at s = 0, where teeth 0 of both touch at the pitch point
    bool left[2];         // drive flanks
    double backlash;      // along the circles that roll on each other
    StickInterference interference[2]; // of the tip of the input (output) with its mate, ...
    double interferes[2];              // ... and how deep
} StickGearPair;

// Computes a pair of gears. Fails for impossible teeth, and for centre distances at which flanks have no contact or
// teeth overlap. Interference and undercut cause warnings only.
StickStatus stick_gear_pair_make(StickContext *ctx, const StickGearPairSpec *spec, StickGearPair *pair);

// Angles of both gears at position s of the line of action: teeth 0 touch there, teeth k of the input (stick_gear_mate)
// at s + k base_pitch.
void stick_gear_place(const StickGearPair *pair, double s, double angle[2]);

// Which tooth of the output touches tooth k of the input, 0 ... teeth - 1.
int stick_gear_mate(const StickGearPair *pair, int k);

// Rolled length on the flanks of gear g at position s, and the ends of its active flank, ascending.
double stick_gear_rolled(const StickGearPair *pair, int g, double s);
void stick_gear_active(const StickGearPair *pair, int g, double rolled[2]);

// The flank of tooth k of gear g with the reliefs of its spec. Where no relief is, amounts are 0.
StickFlank stick_gear_flank(const StickGearPair *pair, int g, int k, bool left);

// Velocity of the output's flank against the input's, along the direction of the line of action turned by -90 degrees,
// at s, when the input turns by 1 per unit of time: 0 at the pitch point.
double stick_gear_sliding(const StickGearPair *pair, double s);

// Where the centre of gear g is.
void stick_gear_centre(const StickGearPair *pair, int g, double x[2]);

#endif
