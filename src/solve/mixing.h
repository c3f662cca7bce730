// SPDX-License-Identifier: Apache-2.0
// Anderson's acceleration of a fixed point p = F(p) of which only inexact values are known: the outer loops on
// the sliding threshold and on the de Saxce term.
#ifndef SOLVE_MIXING_H
#define SOLVE_MIXING_H

#include <stickslip/context.h>

enum { STICK_MIXING_WINDOW = 6 };

typedef struct StickMixing {
    StickContext *ctx;
    int n;
    int count;      // differences kept
    int taken;      // steps since the last restart
    double damping; // of the plain step: less for a while after a step that went wrong
    double first_damping;
    double floor;  // of the entries of p
    double least;  // smallest |f| so far, f = F(p) - p
    double *f, *p; // of the last step
    double *df;    // WINDOW x n
    double *dp;    // WINDOW x n
    double *room;
    size_t capacity;
} StickMixing;

void stick_mixing_create(StickContext *ctx, StickMixing *mixing);
void stick_mixing_destroy(StickMixing *mixing);
StickStatus stick_mixing_reserve(StickMixing *mixing, int n);

// Drops the history; damping is the factor on a plain step, in (0, 2).
void stick_mixing_start(StickMixing *mixing, int n, double damping, double floor);

// p becomes the next guess, F its image, known up to the noise; no entry falls below the floor. Returns |F - p|.
double stick_mixing_step(StickMixing *mixing, const double *F, double noise, double *p);

#endif
