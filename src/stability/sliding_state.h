// SPDX-License-Identifier: Apache-2.0
// From a state of a quasistatic path to the input of the stability analysis: its contacts in place, the status of
// each, and the law of friction at its speed.
#ifndef STABILITY_SLIDING_STATE_H
#define STABILITY_SLIDING_STATE_H

#include "stability/conditions.h"
#include "stability/global_matrices.h"
#include "stability/sliding.h"
#include "stepping/path_record.h"

typedef struct StickSlidingState {
    StickContactSet contacts;
    StickContactMotion *motion; // ncontacts
    StickSliding sliding;       // of these
    double askew;               // largest angle between friction and the opposite of sliding ...
    int most_askew;             // ... of this contact
} StickSlidingState;

typedef struct StickSlidingSource {
    StickSimulation *run; // of the step whose path it is: supports, pairs
    const StickPathRecord *record;
    const StickGlobalMatrices *whole;
    bool no_slope; // friction does not change with speed and pressure
} StickSlidingSource;

// State of status k of the record. A contact that is closed there but not found is an error, and so is friction that
// drives the sliding. If friction is only oblique, as on a cone of facets, the direction of sliding is taken from it.
StickStatus stick_sliding_state_create(StickContext *ctx, const StickSlidingSource *source, int k,
                                       StickSlidingState *state);
void stick_sliding_state_destroy(StickContext *ctx, StickSlidingState *state);

// Matrices selected by a stability step for status k of a record.
StickStatus stick_sliding_state_whole(StickContext *ctx, const StickSystem *system,
                                      const StickPathRecord *record, const StickStabilitySpec *wants, int k,
                                      StickGlobalMatrices *whole);

// Options of a stability step for status k: which modes, and the reference length of gaps there.
StickStabilityOptions stick_sliding_state_options(const StickSlidingSource *source,
                                                  const StickStabilitySpec *wants, int k);

#endif
