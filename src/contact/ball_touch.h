// SPDX-License-Identifier: Apache-2.0
// Balls in space, and corners of polyhedra on a plane.
#ifndef CONTACT_BALL_TOUCH_H
#define CONTACT_BALL_TOUCH_H

#include "contact/manifold.h"

void stick_ball_touch(const StickPlacedShape *a, const StickPlacedShape *b, double reach,
                      StickManifold *manifold);

// A ball, or the corners of a polyhedron, and the half-space behind a plane; of many corners the first ones.
void stick_ball_touch_plane(const StickPlacedShape *a, const double point[3], const double normal[3],
                            double reach, StickManifold *manifold);

#endif
