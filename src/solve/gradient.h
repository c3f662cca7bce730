// SPDX-License-Identifier: Apache-2.0
// Accelerated projected gradient for min 1/2 x'What x + b'x over a product of simple sets, one per contact:
// Nesterov's momentum with restart when it points uphill, and a Lipschitz constant found on the way [MHNT15].
// One product with What per iteration: that of the momentum point is a combination of the last two.
#ifndef SOLVE_GRADIENT_H
#define SOLVE_GRADIENT_H

#include "solve/scaled.h"

// The admissible set of a contact: the cone |x_T| <= mu x_N, or with thresholds x_N >= 0, |x_T| <= threshold. With a
// section D_1: its cone, or x_T in threshold D_1.
typedef struct StickGradientSet {
    const double *threshold; // ncontacts, or NULL: the cone
} StickGradientSet;

typedef struct StickGradient {
    StickContext *ctx;
    double L;         // the last Lipschitz constant, kept for the next problem with the same What
    double *x_old;    // n
    double *Wx_old;   // n
    double *v, *Wv;   // n: the momentum point
    double *trial;    // n
    double *Wx_trial; // n
    double *room;
    size_t capacity;
} StickGradient;

void stick_gradient_create(StickContext *ctx, StickGradient *gradient);
void stick_gradient_destroy(StickGradient *gradient);
StickStatus stick_gradient_reserve(StickGradient *gradient, int n);
void stick_gradient_start(StickGradient *gradient, int n);

// p = the point of the contact's set nearest to y (dim)
void stick_gradient_project(const StickScaled *scaled, StickGradientSet set, int contact, const double *y,
                            double *p);

// |x - P(x - Wx - b)|
double stick_gradient_residual(const StickScaled *scaled, StickGradientSet set, const double *b,
                               const double *x, const double *Wx);

// From x on, until the residual is below the tolerance or for most iterations. x is a point of the set then, Wx
// its product. Returns the number of iterations.
int stick_gradient_solve(StickGradient *gradient, StickScaled *scaled, StickGradientSet set, const double *b,
                         double tolerance, int most, double *x, double *Wx);

#endif
