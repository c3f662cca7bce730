// SPDX-License-Identifier: Apache-2.0
// Surfaces that would pass through others within a time step of the theta family and Newmark, or within an increment
// (contact/surface_sweep.h). Moreau's step has them among its sweeps (stepping/sweep.h).
//
// A time step looks at gaps as they are linearised at its start, which holds for motions that are small beside gaps and
// bodies. Where a pair moves farther:
//
//     leave out contacts that are far; solve; repeat: sweep from where the step starts to where it leads, add the
//     contacts that are hit, with the gap and frame of there, and take the step again
#ifndef STEPPING_SURFACE_ROUNDS_H
#define STEPPING_SURFACE_ROUNDS_H

#include "stepping/simulation.h"

// Before the detection of a time step of the modified theta-method, with v_free: whether surfaces are carried on so far that
// contacts are those of where they are carried to, run->q_M.
StickStatus stick_surface_rounds_carry(StickSimulation *run, bool *is_carried);

// After the detection of a time step, with v_free: far contacts of fast pairs leave the set, hits of the rounds before enter.
StickStatus stick_surface_rounds_enter(StickSimulation *run, int round);

// After the bodies have moved: again if there are new hits, so that the step is to be taken once more.
StickStatus stick_surface_rounds_look(StickSimulation *run, int round, bool *again);

// After an increment: refuses one in which something was passed through, so that it is cut.
StickStatus stick_surface_rounds_refuse_passed(StickSimulation *run);

#endif
