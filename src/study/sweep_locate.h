// SPDX-License-Identifier: Apache-2.0
// Where between two values something happens to a branch or to two of them.
#ifndef STUDY_SWEEP_LOCATE_H
#define STUDY_SWEEP_LOCATE_H

#include "study/sweep_point.h"

typedef enum StickSweepQuantity {
    STICK_SWEEP_DISCRIMINANT, // (Lambda_a - Lambda_b)^2, which passes through zero smoothly where Lambda has a square root
    STICK_SWEEP_GROWTH_RATE,
    STICK_SWEEP_LAMBDA,
} StickSweepQuantity;

typedef struct StickSweepCrossing {
    const StickSweepPoint *before, *after;
    int mode_before[2], mode_after[2]; // of the branch, or of both
    StickSweepQuantity quantity;
} StickSweepCrossing;

typedef struct StickSweepPlace {
    double value, uncertainty, frequency;
} StickSweepPlace;

// To 1e-10 of the value. Where the quantity does not change its sign between the two, or a branch is lost, the place is the
// value behind and the uncertainty the whole distance.
StickStatus stick_sweep_locate(const StickSweepSource *source, const StickSweepCrossing *crossing,
                               StickSweepPlace *place);

// Where the growth of a mode, which is at `grows`, ends towards `other`, where it is not: by bisection, followed by shape
// from where it grows. The value is on the side of growth; the place stays as it is where it is not found.
StickStatus stick_sweep_locate_growth(const StickSweepSource *source, const StickSweepPoint *grows, int mode,
                                      const StickSweepPoint *other, StickSweepPlace *place);

// The place without looking between the values.
StickSweepPlace stick_sweep_unlocated(const StickSweepCrossing *crossing);

#endif
