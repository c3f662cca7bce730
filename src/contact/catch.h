// SPDX-License-Identifier: Apache-2.0
// Fast shapes: contacts are looked for at one moment of each step, where a shape that goes far in a step may be on the other
// side of a thin one already. Such pairs are caught before, where they would touch on their way.
#ifndef CONTACT_CATCH_H
#define CONTACT_CATCH_H

#include "contact/manifold.h"

typedef struct StickCatch {
    int dim;
    StickPlacedShape a, b;
    double way_a[3], way_b[3]; // until contacts are looked for again, without turning
    double deep;               // what is in each other by more than this would come out on the other side
} StickCatch;

// Of two shapes that are apart: true if they meet on their ways and would be too deep at the end of them. The points are
// those of where they meet, as the faster one sees them, and their gaps those of now.
bool stick_catch(const StickCatch *pair, StickManifold *manifold);

#endif
