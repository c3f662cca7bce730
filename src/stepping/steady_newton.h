// SPDX-License-Identifier: Apache-2.0
// One state of steady sliding from a near one, by Newton's iteration or with the fixed point of friction around it.
#ifndef STEPPING_STEADY_NEWTON_H
#define STEPPING_STEADY_NEWTON_H

#include "stepping/steady.h"

// From the present state to time t with a part of the change of friction: the next motion, certified, is not kept yet.
StickStatus stick_steady_newton(StickSimulation *run, double t, double part);

#endif
