// SPDX-License-Identifier: Apache-2.0
// Total forces that are held: all nodes of a group move as one along an axis, by as much as the force asks for.
//
// The degrees of freedom of the group are supports of K. With y the displacements of the body for a unit motion of the
// group (K y = 0 but at supports), c = H' y and k = y' K y (several: Y, C, k a small matrix), the motion s is
//
//     k s = g + C' r,   g = Q + Y' (F - K (q + dq_free)),     so that     u = (W + C k^-1 C') r + u_free + C k^-1 g
//
// Where nothing but contact resists the motion k is singular. Then a spring eps is added that starts from the last s,
// (k + eps) s = g + C' r + eps s_last, and the problem solved again until s stays: the spring carries nothing then.
#ifndef STEPPING_FORCE_CONTROL_H
#define STEPPING_FORCE_CONTROL_H

#include "stepping/simulation.h"

// Adds the degrees of freedom that are held to the supports. No load of the model is held: NULL.
StickStatus stick_force_control_create(StickContext *ctx, const StickSystem *system, StickSupports *supports,
                                       StickForceControl **hold);
void stick_force_control_destroy(StickForceControl *hold);

// After dq_free is found with the groups at rest: what the forces lack at the end of the increment.
StickStatus stick_force_control_begin(StickForceControl *hold, StickSimulation *run);

// r and s of the contact problem, certified; dq_free and u_free of the run then are those with s.
StickStatus stick_force_control_solve(StickForceControl *hold, StickSimulation *run);

// How far the groups would have moved in the last solve if nothing touched: what motions are judged by.
double stick_force_control_free_motion(const StickForceControl *hold);

#endif
