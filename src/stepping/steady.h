// SPDX-License-Identifier: Apache-2.0
// States of steady sliding, each found directly [RBV02 3.4]: every contact is apart, or slides the way it is driven, with
// the direction s along its tangents,
//
//     F_int(q) = F + H_N r_N + H_T r_T,   r_T = -mu r_N s,   0 <= gap(q)  perp  r_N >= 0        [RBV02 (82) to (84)]
//
// Linearised at an iterate q, with K its tangent, A = K, it is a linear complementarity problem in r_N alone,
//
//     w = H_N' A^-1 (H_N - mu H_T s) r_N + gap + H_N' dq_free,   dq_free = A^-1 (F - F_int)
//
// whose matrix is not symmetric. Linear bodies on flat obstacles need one of these, others Newton's iteration. Friction
// goes from its last value to the one asked for at once, or where that fails in parts; so do loads and supports.
#ifndef STEPPING_STEADY_H
#define STEPPING_STEADY_H

#include "stepping/simulation.h"

typedef struct StickSteady StickSteady;

StickStatus stick_steady_create(StickSimulation *run, StickSteady **steady);
void stick_steady_destroy(StickSteady *steady);

// The next state of the step.
StickStatus stick_steady_step(StickSimulation *run);

// The state at a time with a value of the parameter that the step varies, from the present one, which may be any of the
// step. How far the step has come does not change.
StickStatus stick_steady_seek(StickSimulation *run, double value, double t);

// Time of a value, where it lies among those of the step.
double stick_steady_time(const StickSimulation *run, double value);

// Whether the present state of the run is one of steady sliding, which the run has found.
bool stick_steady_is(const StickSimulation *run);

// ndofs: velocities of the present rigid motions that change no displacement: the works of supports and friction on them
// belong to the ledger.
const double *stick_steady_carried(const StickSimulation *run);

#endif
