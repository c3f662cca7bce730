// SPDX-License-Identifier: Apache-2.0
// What a convex shape shows to another one along a normal (a point, a segment or a convex polygon), and the points that
// two such patches have in common.
#ifndef CONTACT_PATCH_H
#define CONTACT_PATCH_H

#include "contact/separation.h"

// Faces with more corners are thinned evenly.
enum { STICK_MOST_PATCH = 128 };

typedef struct StickContactPatch {
    int count; // corners: 1 a point, 2 a segment, more: anticlockwise seen from outside
    double x[STICK_MOST_PATCH][3];
    int label[STICK_MOST_PATCH]; // vertex of the shape
    double plane[4];             // of a polygon: outer normal, offset
    double cosine; // between the outer normal and the direction in which it is seen; 0 if no polygon
    double radius;
    const StickCore *core; // tells its edges; NULL: an edge is named by the label of its first corner
} StickContactPatch;

// A face is seen flat, and cuts the patch of the other shape, from this cosine on.
#define STICK_FLAT 0.999
// Edges are at right angles, and parallel, up to this sine.
#define STICK_LEVEL 1e-3

// The patch of a core along a direction (-n for a, n for b): a face, if there is one that is not too steep; where the
// other shape shows a flat face (`whole`) otherwise an edge or a vertex, else only a level edge or a vertex.
void stick_patch_face(const StickCore *core, const double direction[3], StickContactPatch *patch);
void stick_patch_edge(const StickCore *core, const double direction[3], bool whole, StickContactPatch *patch);

// The points of the manifold along axis->normal up to the reach, relative to `from`. Without a flat patch: two points for
// parallel segments, else the one of the axis.
void stick_patch_overlay(const StickContactPatch *a, const StickContactPatch *b, const StickAxis *axis,
                         double reach, const StickTolerance *tolerance, StickManifold *manifold);

// The one point of the axis, if within reach.
void stick_patch_single(const StickAxis *axis, double radius_a, double radius_b, double reach,
                        StickManifold *manifold);

// Two unit vectors that make a right-handed frame with n.
void stick_patch_frame(const double n[3], double t1[3], double t2[3]);

#endif
