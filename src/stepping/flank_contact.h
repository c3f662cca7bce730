// SPDX-License-Identifier: Apache-2.0
// The pairs of a position as matrices: how forces of pairs and motions of frames part them.
#ifndef STEPPING_FLANK_CONTACT_H
#define STEPPING_FLANK_CONTACT_H

#include "stepping/trajectory.h"

// Side 0 is pushed against the force of a pair, side 1 along it.
static inline double stick_flank_contact_sign(int side)
{
    return side == 0 ? -1 : 1;
}

// A direction that each side of a pair has for itself.
typedef enum StickFlankContactAxis {
    STICK_MATING_NORMAL,
    STICK_MATING_TANGENT, // the normal turned by +90 degrees
    STICK_MATING_FORCE    // of a pair that slides, per unit of p
} StickFlankContactAxis;

void stick_flank_contact_direction(const StickFacetPair *pair, int side, StickFlankContactAxis axis,
                                   double direction[2]);

// A, by how much p of each pair parts each pair.
StickStatus stick_flank_contact_fill(StickTrajectory *trajectory);

// W of forces along normals and tangents: m x m blocks of 2 x 2, by block rows.
StickStatus stick_flank_contact_fill_both(StickTrajectory *trajectory, double *W);

// B, C and lambda.
void stick_flank_contact_motions(StickTrajectory *trajectory);

// How far a unit of a motion of a body's frame moves the mate of a pair from the strip along an axis, which is what a unit
// force of the pair along it does to the motion.
double stick_flank_contact_couple(const StickTrajectory *trajectory, const StickFacetPair *pair, int body,
                                  StickFrameMotion motion, StickFlankContactAxis axis);

// The mean of displacements of a side's nodes along a direction in space; u: of all bodies, in the axes of the system.
double stick_flank_contact_mean(const StickTrajectory *trajectory, const StickFacetPair *pair, int side,
                                const double *u, const double direction[2]);

// How far they part a pair along an axis.
double stick_flank_contact_parting(const StickTrajectory *trajectory, const StickFacetPair *pair,
                                   const double *u, StickFlankContactAxis axis);

#endif
