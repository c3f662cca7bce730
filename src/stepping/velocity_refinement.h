// SPDX-License-Identifier: Apache-2.0
// Iterative refinement of the velocities at the end of Moreau's step.
//
// A light body between heavy ones gets impulses that are large compared with its momentum, and cancel. Rounding of r alone
// changes its velocity by eps W r. At a closed contact that is a rotation of the light body, whose next step takes a part
// of the load as a tangential force: at a mass ratio of 1e6 this is its whole acceleration. So velocities that are zero but
// for round-off become zero as well as the velocities themselves can be rounded,
//
//     W_ZZ dr = -u_Z,      v += A^-1 H_Z dr
//
// where Z are the normal components of contacts that press, with gap / h added so that gaps and penetrations of the size of
// round-off vanish, and the tangential ones of those that stick. dr is of the size of the rounding of r, to which it is added.
#ifndef STEPPING_VELOCITY_REFINEMENT_H
#define STEPPING_VELOCITY_REFINEMENT_H

#include <stickslip/context.h>

#include <stdbool.h>
#include <stddef.h>

typedef struct StickSimulation StickSimulation; // stepping/simulation.h

typedef struct StickVelocityRefinement {
    bool *is_zero;                        // dim ncontacts: belongs to Z
    double *dr, *p, *Wp, *u, *limit, *We; // dim ncontacts
    size_t zero_room, dr_room, p_room, Wp_room, u_room, limit_room, We_room;
} StickVelocityRefinement;

void stick_velocity_refinement_destroy(StickContext *ctx, StickVelocityRefinement *refinement);

// What loads change velocities by in Moreau's step: their impulse by the mass of the rigid bodies that they act on. A large load on a
// light body among heavy ones does not make it large, joints that hold a body do not make it small. 0: there are no loads.
double stick_velocity_scale(const StickSimulation *run);

// After next.v = v_free + A^-1 H r.
StickStatus stick_velocity_refine(StickSimulation *run);

#endif
