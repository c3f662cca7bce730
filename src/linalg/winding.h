// SPDX-License-Identifier: Apache-2.0
// Number of zeros of det P inside a circle.
#ifndef LINALG_WINDING_H
#define LINALG_WINDING_H

#include "linalg/pencil.h"

// `known` zeros (count of them, wherever they lie) are divided out before; they are not counted. Takes up to `most`
// samples of det P, a power of two; a zero that is too near to the circle for them is STICK_NOT_SOLVED.
StickStatus stick_winding_count(StickContext *ctx, StickPencil *pencil, double _Complex center, double radius,
                                const double _Complex *known, int nknown, int most, int *count, int *samples);

#endif
