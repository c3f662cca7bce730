// SPDX-License-Identifier: Apache-2.0
// Modes followed from one value of a parameter to the next by their shapes, not by their numbers.
//
//     Lambda |  a ---.           a and b are branches: real modes that meet and go on as a complex pair, and may
//            |        >=== a, b  separate again. Shapes are compared by MAC(x, y) = |x' M y|^2 / (x' M x)(y' M y): a
//            |  b ---'           real mode with a pair by its part in the plane of the pair; modes with one Lambda,
//            |                   whose shapes are any vectors of a space, by their part in that space
//            +-------------> value
#ifndef STABILITY_MODE_TRACKING_H
#define STABILITY_MODE_TRACKING_H

#include "stability/spectrum.h"

// The modes at one value, over all degrees of freedom.
typedef struct StickModeSet {
    int ndofs;
    int count;
    StickMode *mode;        // count
    double _Complex *shape; // ndofs x count, by columns
    int *partner;           // count: the other one of a complex pair of Lambda; -1: none
    int *cluster; // count: first one of those with the same Lambda, up to rounding; itself if it is alone
    bool *asked;  // count: requested; the others are followed as far as possible
    bool damped;
    double alpha, beta; // of proportional damping
    double sure;        // frequency up to which no requested mode is missing
} StickModeSet;

// All modes of a spectrum. The first `most` of them count as requested, 0: all.
StickStatus stick_mode_set_create(StickContext *ctx, const StickReduced *reduced,
                                  const StickSpectrum *spectrum, int most, StickModeSet *set);
void stick_mode_set_destroy(StickContext *ctx, StickModeSet *set);

// Whether a mode grows, by its kind.
bool stick_mode_grows(const StickMode *mode);

// 1: of the two modes one grows after but none before; -1: one before but none after; 0: neither.
int stick_mode_growth_change(const StickModeSet *before, const int was[2], const StickModeSet *after,
                             const int is[2]);

typedef struct StickModeMatch {
    int *to;           // of each mode before the one after; -1: none
    int *from;         // the other way round
    double *likeness;  // of each mode after with its mode before: MAC; NaN without one or without shapes
    bool clear;        // all requested modes are matched by similar shapes, without contradictions
    bool by_frequency; // the numbers of degrees of freedom differ: shapes could not be compared
} StickModeMatch;

// M: mass matrix of the shapes, NULL for the unit matrix.
StickStatus stick_mode_match_create(StickContext *ctx, const StickSparse *M, const StickModeSet *before,
                                    const StickModeSet *after, StickModeMatch *match);
void stick_mode_match_destroy(StickContext *ctx, StickModeMatch *match);

#endif
