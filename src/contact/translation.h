// SPDX-License-Identifier: Apache-2.0
// Prescribed motion of an obstacle: a translation given by its displacement, by its velocity or by records.
//
// Displacements that are integrals of a velocity are sums over fixed panels of the time axis, from 0 to the
// panel of t, and a rest: the same bits whatever was asked before, so that a resumed run stands where the
// first one did.
#ifndef CONTACT_TRANSLATION_H
#define CONTACT_TRANSLATION_H

#include "model/model.h"

// So many whole panels, and the integral of the velocity over them.
typedef struct StickTravelSum {
    long panels;
    double sum;
} StickTravelSum;

enum { STICK_TRAVEL_LEVELS = 31 };

// One component.
typedef struct StickTravel {
    StickExpression *displacement; // NULL: not given
    StickExpression *velocity;     // NULL: not given
    double panel;                  // width of a panel
    StickTravelSum now;
    // of every power of two the last two multiples that were passed, so that n panels back cost no more than some n
    StickTravelSum passed[STICK_TRAVEL_LEVELS][2];
} StickTravel;

typedef struct StickTranslation {
    StickContext *ctx;
    const StickObstacleSpec *spec;
    StickTravel travel[3];
} StickTranslation;

// panel > 0: a step of time in which velocities are smooth.
void stick_translation_init(StickContext *ctx, StickTranslation *translation, const StickObstacleSpec *spec,
                            int dim, double panel);

// Displacement at t, and the mean velocity from t to t + h, h of either sign (the velocity at t if h = 0). Motion that is
// not finite is STICK_BAD_INPUT.
StickStatus stick_translation_at(StickTranslation *translation, double t, double h, double displacement[3],
                                 double velocity[3]);

#endif
