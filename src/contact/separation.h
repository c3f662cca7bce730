// SPDX-License-Identifier: Apache-2.0
// How far two convex cores are apart, and along which direction.
//
//     s(n) = min over a of n.x - max over b of n.x
//
// is at most the distance for every unit n, and reaches it for one: a normal of a face of a or b, a direction at right
// angles to an edge of each, or (only when apart) the line between a vertex and a vertex or an edge. When they overlap the
// largest s(n) < 0 is the least motion that parts them, and only faces and pairs of edges can give it.
#ifndef CONTACT_SEPARATION_H
#define CONTACT_SEPARATION_H

#include "contact/core.h"

typedef enum StickFeatureKind {
    STICK_FEATURE_BOTH,     // a vertex of a and a vertex of b
    STICK_FEATURE_A,        // a vertex of a
    STICK_FEATURE_B,        // a vertex of b
    STICK_FEATURE_CROSSING, // an edge of a and an edge of b
} StickFeatureKind;

typedef struct StickAxis {
    double normal[3]; // n, from b to a
    double s;
    double at_a[3], at_b[3]; // a point of each core: at_a - at_b = s n where the cores really face each other
    uint32_t feature;        // what the points are
} StickAxis;

typedef struct StickTolerance {
    double tie;    // values of s nearer than this are equal
    double inside; // as far outside of a face still counts as on it
} StickTolerance;

static inline uint32_t stick_feature(StickFeatureKind kind, int a, int b)
{
    return (uint32_t)kind << 30 | ((uint32_t)a & 0x7fff) << 15 | ((uint32_t)b & 0x7fff);
}

// Faces and pairs of edges, for cores of which one at least is a polyhedron. Of equal ones: faces of a, then faces of b,
// then edges, each by number. false: apart by more than the limit.
bool stick_separation_find(const StickCore *a, const StickCore *b, double limit,
                           const StickTolerance *tolerance, StickAxis *axis);

// For cores that are apart along the axis found above, but do not face each other there: the nearest vertices and edges.
// false: farther apart than the limit.
bool stick_separation_corners(const StickCore *a, const StickCore *b, double limit, StickAxis *axis);

// An edge with the n for which it is farthest: an arc of the unit sphere from one normal of its faces to the other. Of a:
// side -1, n is against the outer normals; of b: side 1.
typedef struct StickNormalArc {
    double x[3], along[3], unit[3];
    double from[3], to[3];
    bool open; // edge of a segment: all n at right angles to it, and no normals
    int edge;
} StickNormalArc;

void stick_arc_make(const StickCore *core, int index, double side, StickNormalArc *arc);

// The largest w.n of an arc: at an end, or inside of it the length of the part of w at right angles to the edge.
double stick_arc_bound(const StickNormalArc *arc, const double w[3]);

// The nearest points of the segments x + s d, y + t e with s, t in [0, 1]; of parallel ones a middle one.
void stick_segments_nearest(const double x[3], const double d[3], const double y[3], const double e[3],
                            double *s, double *t);

#endif
