// SPDX-License-Identifier: Apache-2.0
// Pairs of spur gears: geometry of their teeth, and their position.
#ifndef MODEL_GEAR_SPEC_H
#define MODEL_GEAR_SPEC_H

#include "model/mesh_spec.h"

// Material taken off a flank, along its normal: lengths are rolled ones, in modules, from the tip or the root of the
// active flank inwards.
typedef struct StickReliefSpec {
    double amount; // at the end of the flank
    double length; // over which it grows from nothing
    double power;  // 1: linear, 2: parabolic
} StickReliefSpec;

// How one gear is made: tooth by a rack, factors of the module.
typedef struct StickGearSpec {
    int teeth;
    bool internal; // a ring with teeth inside
    double addendum, dedendum;
    double shift;      // of the profile, outwards > 0 (ring: towards larger radii)
    double tip_radius; // of the rack (ring: of the fillet); < 0: 0.38, or the largest possible value
    double rim;        // radius of the bore, of a ring of its outside; a length
    int material;      // index
    StickReliefSpec tip, root;
    double
        crowning; // amount taken off at both ends of the active flank, parabolic about its middle; a length
    int flank_cells; // of the mesh, along a flank from root to tip
    int mesh_teeth;  // of the mesh; 0: the whole gear
    int fine_teeth;  // number of finely meshed teeth around tooth 0, the others are coarse; 0: all are fine
    double fillet;   // length of the edges in the fillet; 0: as fine as flank cells allow
} StickGearSpec;

typedef enum StickFlanks { STICK_FLANKS_EXACT, STICK_FLANKS_STRAIGHT } StickFlanks;

// A pair of spur gears, in bodies `name.1` (input, centre at the origin) and `name.2` (output, centre at x = centre
// distance; a ring around the input: at minus that).
typedef struct StickGearPairSpec {
    char *name;
    StickMark mark;
    double module; // pitch diameter by teeth
    double pressure_angle;
    double centre_distance;
    double face_width;
    StickPlane plane;
    StickFlanks flanks;
    StickGearSpec gear[2];
    int body[2]; // indices of its bodies
} StickGearPairSpec;

// Centre distance at which a pair has no backlash; 0 if no such distance exists.
double stick_gears_tight_distance(const StickGearPairSpec *pair);

#endif
