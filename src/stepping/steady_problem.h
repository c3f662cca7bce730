// SPDX-License-Identifier: Apache-2.0
// The linear complementarity problem of an iterate of steady sliding: how contacts are driven, their friction, r_N.
#ifndef STEPPING_STEADY_PROBLEM_H
#define STEPPING_STEADY_PROBLEM_H

#include "stepping/steady.h"

struct StickSteady {
    StickContext *ctx;
    StickLemke *lemke;
    bool solved;       // the present state was found here ...
    bool lost;         // ... and nothing touches in it
    double value;      // of the parameter that friction has now; NAN: not set yet
    bool keeps_facets; // contacts at an edge of their counterface stay on the side where they are
    double reach;      // within which candidates were looked for last
    double *goal;      // ndofs: where prescribed degrees of freedom have to be
    double *velocity;  // ndofs: rigid motion of each body, as its supports move
    double *carried;   // ndofs: the part of it that supports prescribe as a velocity: it does not change q
    bool rises;        // supports move contacts along their normals, which was reported
    double *slip;      // ncontacts x 2: direction of sliding along the tangents ...
    double *drive;     // ncontacts: ... and its speed
    double *r_T;       // slots: friction against it, of the iterate before
    double *M, *w, *z; // of the complementarity problem
    size_t slip_capacity, drive_capacity, M_capacity, w_capacity, z_capacity;
};

// Velocities of bodies at the iterate: each has the rigid motion that its supports prescribe, by velocities or
// by the rates of displacements; velocities that are not those of a rigid body are refused (steady_motion.c).
StickStatus stick_steady_velocities(StickSimulation *run);

// Room for the contacts that there are.
StickStatus stick_steady_reserve(StickSimulation *run);

// Direction and friction of all contacts as they are found at the iterate, at a part of the way from the friction before.
StickStatus stick_steady_friction(StickSimulation *run, double part);

// r of all contacts, with W and u_free there; certified as a solution of the complementarity problem.
StickStatus stick_steady_solve(StickSimulation *run);

// Friction is taken from the iterate before.
bool stick_steady_is_fixed_point(const StickSimulation *run);

// By how much it is not mu r_N, of the largest force; the next iterate has it so.
double stick_steady_renew(StickSimulation *run);

#endif
