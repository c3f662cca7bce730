// SPDX-License-Identifier: Apache-2.0
// Newton's method in the velocities of rigid bodies, as a part of auto.
#ifndef SOLVE_BODY_NEWTON_H
#define SOLVE_BODY_NEWTON_H

// Operations of one factorisation; after reserve.
double stick_body_newton_flops(const void *work);

#endif
