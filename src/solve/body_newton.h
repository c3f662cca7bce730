// SPDX-License-Identifier: Apache-2.0
// Newton's method in the velocities of rigid bodies, as a part of auto.
#ifndef SOLVE_BODY_NEWTON_H
#define SOLVE_BODY_NEWTON_H

#include <stdbool.h>

// Operations of one factorisation; after reserve.
double stick_body_newton_flops(const void *work);

// Whether forces that the motion does not determine may be left undetermined, because others select them: problems of
// all sizes then begin with proximal points around the guess.
void stick_body_newton_leave_open(void *work, bool leaves_open);

#endif
