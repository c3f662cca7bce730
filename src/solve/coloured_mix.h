// SPDX-License-Identifier: Apache-2.0
// Anderson's acceleration of coloured sweeps, on their threads: as in anderson.h, with r alone, since these sweeps keep
// no u. Vectors are worked on in pieces that do not depend on the number of threads, sums added in their order.
#ifndef SOLVE_COLOURED_MIX_H
#define SOLVE_COLOURED_MIX_H

#include "solve/coloured.h"

typedef struct StickColouredMix StickColouredMix;

// Of sweeps that outlive it.
StickStatus stick_coloured_mix_create(StickContext *ctx, StickColoured *coloured, StickColouredMix **mix);
void stick_coloured_mix_destroy(StickColouredMix *mix);

// Room for a problem of this size.
StickStatus stick_coloured_mix_reserve(StickColouredMix *mix, const StickFrictionProblem *problem);

// To be called once the problem and r are there, before each sweep, and after it: then r goes to the next point.
void stick_coloured_mix_start(StickColouredMix *mix);
void stick_coloured_mix_before(StickColouredMix *mix);
void stick_coloured_mix_after(StickColouredMix *mix);

#endif
