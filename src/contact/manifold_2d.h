// SPDX-License-Identifier: Apache-2.0
// Where two convex shapes of the plane may touch: disks, stadiums and polygons in all pairs, and each of them on a line.
#ifndef CONTACT_MANIFOLD_2D_H
#define CONTACT_MANIFOLD_2D_H

#include "contact/manifold.h"

// All points that are no farther apart than the reach (from 0): one, or two where edges face each other, at vertices of
// either shape [JM91 section 9], in ascending order of their features. The feature of a point is its vertex: twice the
// number of a vertex of a, or twice that of one of b and one; where vertices of both meet it is the one of a, but
// that of a disk always. Shapes that overlap are parted along the shortest way out; disks with the same centre along y.
void stick_manifold_2d(const StickPlacedShape *a, const StickPlacedShape *b, double reach,
                       StickManifold *manifold);

// The same for a shape and the half-plane behind the line through point, whose unit normal points to the free side.
void stick_manifold_2d_line(const StickPlacedShape *a, const double point[2], const double normal[2],
                            double reach, StickManifold *manifold);

#endif
