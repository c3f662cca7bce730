// SPDX-License-Identifier: Apache-2.0
// The solution of a problem of pairs from its set of pairs that press alone: the same bits whatever way led there.
#ifndef STEPPING_ACTIVE_SET_POLISH_H
#define STEPPING_ACTIVE_SET_POLISH_H

#include <stickslip/mlcp.h>

// p, d and theta of the pairs with p > 0, solved for anew. They stay as they are where these pairs leave a force or
// motion undetermined, or one of them would pull.
StickStatus stick_active_set_polish_mates(StickContext *ctx, const StickMixedLcp *mates,
                                          const StickMlcpSolution *solution);

#endif
