// SPDX-License-Identifier: Apache-2.0
// Continuous collision detection of the features of surfaces: when a point first meets a facet, two edges meet, or a facet
// meets a ball or capsule, if every corner moves along a straight line:
//
//     x(t) = x + t d,    0 <= t <= 1
//
// A point crosses the plane of a facet where its height, a polynomial of degree dim in t, becomes negative. No thickness
// enters, so nothing is too thin or too fast.
#ifndef CONTACT_FEATURE_CCD_H
#define CONTACT_FEATURE_CCD_H

#include <stdbool.h>

typedef struct StickMovingPoint {
    double x[3], d[3];
} StickMovingPoint;

// An end of a bar (1 corner, with its normal), a segment with its outside on the right (2) or a triangle whose corners are
// anticlockwise from outside (3).
typedef struct StickMovingFacet {
    int ncorners;
    StickMovingPoint corner[3];
    double normal[3]; // of an end
} StickMovingFacet;

typedef struct StickFeatureHit {
    double time;
    double normal
        [3]; // from the facet to the point, from the second edge to the first, from the round core to the facet
    double weight[3]; // of the corners of the facet; edges: place along the first
    double other[2];  // edges: place along the second; round: of the ends of the core
    double closing;   // speed of approach at the hit: what would be penetrated per unit of t
} StickFeatureHit;

void stick_moving_place(const StickMovingPoint *point, double t, double place[3]);

// The first crossings of a point from the outside of a facet to its inside, in ascending order; returns their number.
enum { STICK_CROSSINGS = 2 };
int stick_point_meets_facet(const StickMovingPoint *point, const StickMovingFacet *facet,
                            StickFeatureHit hit[STICK_CROSSINGS]);

// A point that enters a ball (inside: leaves it), or an infinite cylinder about an axis of length 1 (NULL: a ball). centre:
// of the ball, or of a point of the axis.
bool stick_point_meets_round(const StickMovingPoint *point, const StickMovingPoint *centre,
                             const double *axis, double radius, bool inside, StickFeatureHit *hit);

// In space: the first time at which two edges meet, by the outward normals that their surfaces have there: mean of the
// facets at the edge, which the caller gives for any time.
typedef struct StickMovingEdge {
    StickMovingPoint end[2];
    int nfacets;
    StickMovingFacet facet[2]; // at the edge
} StickMovingEdge;
bool stick_edges_meet(const StickMovingEdge *a, const StickMovingEdge *b, StickFeatureHit *hit);

// A facet of up to three corners and what is nearer than the radius to a point (ncore = 1) or a segment (2), which are apart
// at the start. The facet stops where its distance from the core is the radius.
typedef struct StickMovingCore {
    int ncore;
    StickMovingPoint end[2];
    double radius;
} StickMovingCore;
bool stick_facet_meets_core(const StickMovingFacet *facet, const StickMovingCore *core, StickFeatureHit *hit);

#endif
