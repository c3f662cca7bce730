// SPDX-License-Identifier: Apache-2.0
// Whether all that is prescribed (loads, supports, obstacles) varies linearly from one time to another. Expressions are
// sampled, at even and at uneven places: what is shorter than a few per cent of the way may be missed.
#ifndef STEPPING_LINEARITY_H
#define STEPPING_LINEARITY_H

#include "stepping/simulation.h"

typedef struct StickLinearity {
    const double *q;        // where bodies are, to find contacts
    double *F0, *F1;        // ndofs: loads at both ends, filled
    StickContactSet *whole; // filled: contacts and their drive on the whole way
} StickLinearity;

StickStatus stick_linearity_check(StickLinearity *linearity, StickSimulation *run, double t0, double t1,
                                  bool *linear);

// A kink bends one half of a piece only: what bends both is a curve, however short its pieces.
StickStatus stick_linearity_is_curve(StickLinearity *linearity, StickSimulation *run, double t0, double t1,
                                     bool *curve);

#endif
