// SPDX-License-Identifier: Apache-2.0
// The involute function inv a = tan a - a and its inverse.
#ifndef BASE_INVOLUTE_H
#define BASE_INVOLUTE_H

#include <math.h>

static inline double stick_involute(double angle)
{
    return tan(angle) - angle;
}

// The angle in [0, pi/2) whose involute is that, to the last bits; of a negative one 0.
double stick_involute_angle(double involute);

#endif
