// SPDX-License-Identifier: Apache-2.0
// Rotation of a rigid body in space without torque (Euler's equations), exact to round-off.
//
//     m' = m x w,   w = J0^-1 m,   R' = R hat(w)        m = R' L, w: in the axes of the body; L: constant in space
//
// The solution is summed as its Taylor series in substeps. Since |dw_i/dt| <= |w_j w_k| for every inertia of a body
// (triangle inequality of principal moments), the series converges for t max|w_i| < 1, whatever the shape: needles,
// plates and nearly symmetric bodies alike. The spatial momentum L is an input that substeps do not change; the
// energy L.J(R)^-1 L / 2 differs from that of the start by round-off only.
#ifndef BODIES_FREE_ROTATION_H
#define BODIES_FREE_ROTATION_H

#include "bodies/rigid.h"

// Rotations larger than this in one call (rad) lose accuracy, except about a principal axis.
#define STICK_FREE_ROTATION_MOST 1000.

// Advances the rotation vector phi (q[3] to q[5] of a body, see rigid.h) by the time t with the spatial angular
// momentum L. The result is phi1, which may be phi.
void stick_free_rotation(const StickRigid *rigid, const double phi[3], const double L[3], double t,
                         double phi1[3]);

// Whether the inertia is the same about all axes: then every rotation is about a constant axis.
bool stick_free_rotation_is_isotropic(const StickRigid *rigid);

#endif
