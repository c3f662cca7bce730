// SPDX-License-Identifier: Apache-2.0
// A rigid body: its solid, its mass, and where it is by its degrees of freedom.
//
//     plane    q = (displacement x, y of the mass centre, angle)           v = (velocity x, y, angular velocity)
//     space    q = (displacement x, y, z of the mass centre, rotation)     v = (velocity, angular velocity)
//
// The rotation in space is a vector along the axis, of the length of the angle, since the start: R = exp(q_R) R_start.
// It is updated as a rotation, never by addition. Angular velocities are those of spatial axes.
#ifndef BODIES_RIGID_H
#define BODIES_RIGID_H

#include "bodies/solid.h"

#include <stdbool.h>

enum { STICK_RIGID_DOFS = 6 }; // at most

typedef struct StickRigid {
    const StickSolid *solid;
    int dim;
    double mass;
    double J0[9];     // about the mass centre, in the axes of the body, by rows; in the plane [8]
    double centre[3]; // mass centre at the start
    double turn[4];   // from the axes of the body to those of space, at the start ...
    double angle;     // ... in the plane by an angle
} StickRigid;

typedef struct StickPose {
    double centre[3];
    double axis[3][3]; // of the body: place = centre + sum_k x_k axis[k]
} StickPose;

static inline int stick_rigid_ndofs(int dim)
{
    return dim == 2 ? 3 : 6;
}

// Where the body is at its degrees of freedom q.
StickPose stick_rigid_pose(const StickRigid *rigid, const double *q);

// A place of the body, given in its own axes from its mass centre.
void stick_pose_place(const StickPose *pose, const double x[3], double place[3]);

// Velocity of the particle at a place: v + omega x (place - centre).
void stick_rigid_velocity(const StickRigid *rigid, const double *v, const double centre[3],
                          const double place[3], double velocity[3]);

// Inertia about the mass centre in spatial axes, by rows: J = R J0 R'; in the plane [8].
void stick_rigid_inertia(const StickRigid *rigid, const double *q, double J[9]);

// Mv = M(q) v: momentum and spatial angular momentum.
void stick_rigid_momentum(const StickRigid *rigid, const double *q, const double *v, double *Mv);

// Space: the angular velocity for a spatial angular momentum L. Components that are held keep their velocity; the
// others follow from J_ff w_f = L_f - J_fh w_h.
void stick_rigid_spin(const StickRigid *rigid, const double *q, const double L[3], const bool held[3],
                      double w[3]);

// M(q) over all its degrees of freedom, by rows.
void stick_rigid_mass(const StickRigid *rigid, const double *q, double M[36]);

// q moved by s (displacement and rotation vector): q1 = q + s, in space R1 = exp(s_R) R. q1 may be q.
void stick_rigid_move(int dim, const double *q, const double *s, double *q1);

// Solves S x = b for a symmetric positive definite 3 x 3 matrix.
void stick_rigid_solve3(const double S[9], const double b[3], double x[3]);

#endif
