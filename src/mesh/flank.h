// SPDX-License-Identifier: Apache-2.0
// The true shape of a side of a plane mesh: a curve by a parameter, which facets between its nodes only follow.
//
// Where bodies touch on curved sides, gaps and normals of facets are a kind of noise. A side with a curve has the
// curve's: its nodes carry displacements alone, by hat functions of the parameter.
#ifndef MESH_FLANK_H
#define MESH_FLANK_H

#include "model/expression.h"

#include <stickslip/context.h>

#include <stdbool.h>

typedef enum StickFlankKind {
    STICK_FLANK_INVOLUTE, // of a circle about the origin, by the length of the straight line that unrolls from it
    STICK_FLANK_CHAIN,   // straight lines through points, by the length along them
    STICK_FLANK_FORMULA, // x(s), y(s)
} StickFlankKind;

// Material taken off an involute, along its normal, between two of its parameters: amount at `full`, none at `none`;
// in between linear (power 1) or parabolic (2), beyond `full` going on likewise.
typedef struct StickRelief {
    double none, full;
    double amount;
    double power;
} StickRelief;

enum { STICK_MOST_RELIEFS = 4 };

typedef struct StickFlank {
    StickFlankKind kind;
    double from, to; // of the parameter s
    // Involute: unrolled line of length s from the circle; the side that the material is on is on its left or right as
    // s grows.
    double base;  // radius of the circle
    double start; // angle at which the involute leaves the circle
    int hand;     // +1: its angle grows with s, -1: it falls
    int nreliefs;
    StickRelief relief[STICK_MOST_RELIEFS];
    // Chain
    int npoints;
    double *point; // npoints x 2
    double *s;     // npoints, ascending
    // Formula, of s
    StickExpression *formula[2];
    // All kinds: +1: the outward normal is the tangent turned by -90 degrees (body on the left), -1: by +90;
    // 0: of an involute as hand (a tooth of an external gear), of the others +1
    int outward;
} StickFlank;

typedef struct StickFlankPoint {
    double x[2];
    double tangent[2]; // dx/ds, not normalised
    double normal[2];  // outward, length 1
    double curvature;  // of the body's side: > 0 where it is convex
} StickFlankPoint;

// The point at s, in the frame of the mesh. Beyond from and to the curve goes on as its formula does (a chain: straight).
StickStatus stick_flank_at(const StickFlank *flank, double s, StickFlankPoint *point);

// Where a line from a point meets the curve between from and to.
typedef struct StickFlankMeet {
    bool met;
    double s;
    double distance; // from the point, along the direction (of length 1); < 0: in the opposite direction
} StickFlankMeet;

// Of several places the one that is nearest to the point.
StickStatus stick_flank_meet(const StickFlank *flank, const double point[2], const double direction[2],
                             StickFlankMeet *meet);

// Parameter of the point of the curve, between from and to, that is nearest to a place, and its distance.
StickStatus stick_flank_nearest(const StickFlank *flank, const double place[2], double *s, double *distance);

// A group of sides of a mesh that follows a curve, with its nodes in the order of their parameters.
typedef struct StickMeshFlank {
    char *group; // of the mesh
    StickFlank flank;
    int nnodes;
    int *node;
    double *s; // ascending
} StickMeshFlank;

#endif
