// SPDX-License-Identifier: Apache-2.0
// Broad phase: which of many boxes overlap. Deterministic: pairs come sorted, whatever the order in which they are
// found.
#ifndef CONTACT_BROAD_H
#define CONTACT_BROAD_H

#include "contact/bvh.h"

typedef struct StickBroadPair {
    int a, b; // a < b
} StickBroadPair;

typedef struct StickBroad StickBroad;

// In the plane (dim = 2) the third coordinate of boxes is not looked at.
StickStatus stick_broad_create(StickContext *ctx, int dim, StickBroad **broad);
void stick_broad_destroy(StickBroad *broad);

// All pairs of boxes that overlap or touch, ascending by a, then b; valid until the next call. Boxes of calls in a row
// move little: what was learnt from the last call is used, but never changes the answer. A few boxes may be much larger
// than the others (floors, walls), or infinite. A box that is not a number or has low > high is an error.
StickStatus stick_broad_find(StickBroad *broad, const StickBox *box, int count, const StickBroadPair **pair,
                             int *npairs);

#endif
