// SPDX-License-Identifier: Apache-2.0
// Small motions of a mesh as if it were rigid, which cost no energy: translations and rotations; of rings the one along
// their axis.
#ifndef BODIES_RIGID_MOTIONS_H
#define BODIES_RIGID_MOTIONS_H

#include "bodies/supports.h"

enum { STICK_RIGID_MOTIONS = 6 }; // at most

int stick_rigid_motions_count(const StickBody *body);

// Displacement of a degree of freedom of the body in each of them; rotations are those about the first node, by one
// over the size of the body.
void stick_rigid_motions_at(const StickBody *body, double size, int local,
                            double motion[STICK_RIGID_MOTIONS]);

// Largest distance of nodes from the first one along an axis; 1 for a point.
double stick_rigid_motions_size(const StickBody *body);

// G = sum over the degrees of freedom that supports hold of (motion motion').
void stick_rigid_motions_held(const StickBody *body, const StickSupports *supports,
                              double G[STICK_RIGID_MOTIONS][STICK_RIGID_MOTIONS]);

#endif
