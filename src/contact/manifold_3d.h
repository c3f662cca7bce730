// SPDX-License-Identifier: Apache-2.0
// Where two convex shapes in space may touch: balls, capsules, polyhedra and cylinders in all pairs, and against planes.
//
// Gaps are exact up to rounding (about 1e-15 of the sizes). Faces that face each other give the corners of what they have in
// common, thinned to STICK_MANIFOLD with the deepest kept; parallel edges give two points; all else one. Ends of cylinders
// stand on eight points fixed to the body and, when inclined, on the exact lowest one; sides lie on both ends of a line.
#ifndef CONTACT_MANIFOLD_3D_H
#define CONTACT_MANIFOLD_3D_H

#include "contact/manifold.h"

// Points with a gap of up to `reach` along the direction in which the shapes are most apart.
void stick_manifold_3d(const StickPlacedShape *a, const StickPlacedShape *b, double reach,
                       StickManifold *manifold);

// The same against the half-space below a plane, with its unit normal outwards: it is b.
void stick_manifold_3d_plane(const StickPlacedShape *a, const double point[3], const double normal[3],
                             double reach, StickManifold *manifold);

#endif
