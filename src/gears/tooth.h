// SPDX-License-Identifier: Apache-2.0
// The tooth of a spur gear: circles, involute flanks, fillets and the rack that cuts them.
//
// A tooth is described in the frame of its gear, rotated so that its middle lies on the x axis, by its left side (y >
// 0); the right side is its mirror image. The left side consists of
//
//   external, outwards:  root circle - fillet (trochoid of the rack's round tip) - involute - tip circle
//   ring, outwards:      tip circle - involute - fillet (arc of a circle) - root circle
//
// and the outline of the next gap is the root arc from root_angle to pi / teeth, then the mirror image. The parameter
// of involutes is the length of roll s = sqrt(r^2 - base^2), the straight line that unrolls from the base circle.
#ifndef GEARS_TOOTH_H
#define GEARS_TOOTH_H

#include "mesh/flank.h"
#include "model/model.h"

typedef struct StickTooth {
    int teeth;
    bool internal;
    double module;
    double pressure_angle;
    double pitch, base, tip, root; // radii: of the rack's rolling circle, base, tip and root circle
    double rim;                    // radius of the bore, of a ring of its outside
    double form;                   // radius where flank and fillet meet
    double s_tip, s_form;          // rolled lengths there: s_form < s_tip, of a ring s_tip < s_form
    double base_angle;             // of the involute's start on the base circle, from the middle of the tooth
    double tip_angle;              // of the corner at the tip circle, > 0
    double form_angle;             // where flank and fillet meet
    double root_angle;             // where fillet and root circle meet, <= pi / teeth
    bool undercut;      // the rack's tip cuts into the involute: it begins above the end of the rack's flank
    double least_shift; // external: of the profile, from which on nothing is undercut
    double radius;      // of the rack's tip, of a ring of the fillet
    // How the fillet is made.
    double depth;  // of the middle of the rack's round tip below the rolling line
    double offset; // of that middle from the rack's tooth's own
    double from;   // angle of the fillet's normal where it meets the flank (external: below the rolling line)
    double hub[2]; // ring: middle of the fillet
} StickTooth;

// Computes the tooth of gear g (0 or 1) of a pair. Fails, with the name and a possible remedy, for tips that are
// pointed or reach below the base circle (ring), racks too narrow for their tip radius, rims that cut into teeth, and
// flanks removed by undercut.
StickStatus stick_tooth_make(StickContext *ctx, const StickGearPairSpec *pair, int g, StickTooth *tooth);

// inv a = tan a - a for the rolled length s of a circle: by how much the involute has turned.
double stick_tooth_involute(const StickTooth *tooth, double s);
double stick_tooth_rolled(const StickTooth *tooth, double radius); // 0 at and below the base circle

// Points of the left side. A flank goes on beyond its ends as the involute does, to s = 0.
void stick_tooth_flank_at(const StickTooth *tooth, double s, double x[2]);
void stick_tooth_fillet_at(const StickTooth *tooth, double u,
                           double x[2]); // u = 0: at the flank, 1: at the root circle
double stick_tooth_fillet_length(const StickTooth *tooth);

// Half of the angle that the tooth fills of the circle of that radius: flank or fillet, 0 beyond the tip, pi / teeth
// beyond the root. Where an undercut tooth is meant, the fillet below form.
double stick_tooth_half_angle(const StickTooth *tooth, double radius);

// Of the involute alone, however far it goes.
double stick_tooth_involute_angle(const StickTooth *tooth, double radius);

// The flank of tooth k as a curve of the gear's mesh, without reliefs.
StickFlank stick_tooth_flank(const StickTooth *tooth, int k, bool left);

#endif
