// SPDX-License-Identifier: Apache-2.0
// The solution of a problem of pairs from its set of pairs that press alone: the same bits whatever way led there.
#ifndef DRIVE_REFINE_H
#define DRIVE_REFINE_H

#include <stickslip/mates.h>

// p, d and theta of the pairs with p > 0, solved for anew. They stay as they are where these pairs leave a force or
// motion undetermined, or one of them would pull.
StickStatus stick_refine_mates(StickContext *ctx, const StickMates *mates,
                               const StickMatesSolution *solution);

#endif
