// SPDX-License-Identifier: Apache-2.0
// Condensation on the contacts: W = H' A^-1 H, from the compliance of the degrees of freedom that they touch.
//
// The compliance S = E' A^-1 E of those degrees of freedom is solved for once per factor, block by block of
// columns as contacts first touch them; when frames turn or contacts come and go, W follows from H and S
// without new solves [VPJR98 section 5.1].
#ifndef CONDENSE_DELASSUS_H
#define CONDENSE_DELASSUS_H

#include "condense/joint_elimination.h"
#include "contact/contact.h"

#include <stickslip/friction.h>

typedef struct StickDelassus StickDelassus;

StickStatus stick_delassus_create(StickContext *ctx, const StickSystem *system, StickStepMatrix *matrix,
                                  const StickPairs *pairs, StickDelassus **delassus);
// Joints between bodies are included from now on; NULL: none. Uses the rows that are set when W is computed.
void stick_delassus_link(StickDelassus *delassus, StickJointElimination *links);

void stick_delassus_destroy(StickDelassus *delassus);

// W of these contacts; the blocks stay with the condensation and are valid until the next call.
StickStatus stick_delassus_blocks(StickDelassus *delassus, const StickContactSet *set, const StickBlocks **W);

// The factored form of this W if only rigid bodies without joints are involved and the set has not changed since;
// else NULL.
const StickBodies *stick_delassus_bodies(const StickDelassus *delassus, const StickBlocks *W);

// Columns of S solved for so far: the cost of condensation.
long stick_delassus_solves(const StickDelassus *delassus);

#endif
