// SPDX-License-Identifier: Apache-2.0
// Broad phase: which of many boxes overlap. Deterministic: pairs come sorted, whatever the order in which they are
// found.
#ifndef CONTACT_BROADPHASE_H
#define CONTACT_BROADPHASE_H

#include "contact/bvh.h"

typedef struct StickBroadphasePair {
    int a, b; // a < b
} StickBroadphasePair;

typedef struct StickBroadphase StickBroadphase;

// In the plane (dim = 2) the third coordinate of boxes is not looked at.
StickStatus stick_broadphase_create(StickContext *ctx, int dim, StickBroadphase **broad);
void stick_broadphase_destroy(StickBroadphase *broad);

// All pairs of boxes that overlap or touch, ascending by a, then b; valid until the next call. Boxes of calls in a row
// move little: what was learnt from the last call is used, but never changes the answer. A few boxes may be much larger
// than the others (floors, walls), or infinite. A box that is not a number or has low > high is an error.
StickStatus stick_broadphase_find(StickBroadphase *broad, const StickBox *box, int count,
                                  const StickBroadphasePair **pair, int *npairs);

#endif
