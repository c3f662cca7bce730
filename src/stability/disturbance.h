// SPDX-License-Identifier: Apache-2.0
// One mode of small motions about a sliding state, and how much of it a disturbance d(t) of the state has:
//
//     d(t) = Re(a(t) A) + other modes,   a(t) = exp(lambda t) a(0)
//     a = c w' ((lambda M* + C*) x + M* x'),   d = Z x,   w' (lambda^2 M* + lambda C* + K*) = 0
//
// The left vector w leaves no part of any other mode in a, nor of the other root that belongs to the same shape; c is
// such that a = 1 for d = Re A, d' = Re(lambda A).
#ifndef STABILITY_DISTURBANCE_H
#define STABILITY_DISTURBANCE_H

#include "stability/spectrum.h"

#include <stdint.h>

typedef struct StickDisturbance {
    int n;                               // degrees of freedom of the system
    StickMode mode;                      // the predicted mode
    double _Complex *shape;              // n: A, its largest component is 1
    double _Complex *left_d, *left_rate; // n: a = left_d . d + left_rate . d'
    double left_residual;                // of w as an eigenvector
} StickDisturbance;

// number: of the mode; 0: the one that grows most, or, with a warning, the one that decays least if none grows.
StickStatus stick_disturbance_create(StickContext *ctx, const StickReduced *reduced,
                                     const StickSpectrumOptions *options, int number,
                                     StickDisturbance *disturbance);
void stick_disturbance_destroy(StickContext *ctx, StickDisturbance *disturbance);

// a of a disturbance d with the rate of change `rate` (n each).
double _Complex stick_disturbance_measure(const StickDisturbance *disturbance, const double *d,
                                          const double *rate);

// Random displacements d (ndofs) that keep the status of every contact; the largest of them is 1.
StickStatus stick_disturbance_random(StickContext *ctx, const StickReduced *reduced, uint64_t seed,
                                     double *d);

#endif
