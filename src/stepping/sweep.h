// SPDX-License-Identifier: Apache-2.0
// Continuous collision detection in Moreau's step (contact/rigid_sweep.h, contact/surface_sweep.h). Contacts are detected at
// q_M; from there to the next q_M a body moves with the velocity u_F that the step produces, so the sweep uses u_F:
//
//     repeat: solve the contact problem; sweep q_M + t u_F, 0 <= t <= h; add the contacts that are hit first
//
// The set of contacts only grows, and the velocities that remain lead through nothing. In the first step of a run no
// detection precedes q_M: there the sweep starts from q_I with u_I for h/2, and what it hits changes u_I by impulses.
#ifndef STEPPING_SWEEP_H
#define STEPPING_SWEEP_H

#include "stepping/simulation.h"

// From q_M on, over the span.
StickMotionSweep stick_sweep_path(const StickSimulation *run, const double *v, int round);

// After a solve, with v_F: again if contacts were added, so that the problem has to be solved once more.
StickStatus stick_sweep_round(StickSimulation *run, const double *v, int round, bool *again);

#endif
