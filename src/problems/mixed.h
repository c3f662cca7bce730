// SPDX-License-Identifier: Apache-2.0
// Bilateral rows of a local problem eliminated: l = -R^-1 (V' r + s), so that
// u = (W - V R^-1 V') r + q - V R^-1 s.
#ifndef PROBLEMS_MIXED_H
#define PROBLEMS_MIXED_H

#include "problems/problem_file.h"

// Puts W and u_free of a problem whose dim and ncontacts are set; a singular R is STICK_NOT_SOLVED.
StickStatus stick_mixed_eliminate(StickContext *ctx, const StickMixedData *mixed, StickFrictionData *local);

// l that belongs to r
StickStatus stick_mixed_multipliers(StickContext *ctx, const StickMixedData *mixed, const double *r,
                                    double *l);

// How far r, u and l are from the rows of the file, with the round-off of their sums: the larger of
// |u - W r - V l - q| over the largest of |u|, |q|, |u_free|, and |V' r + R l + s| over the larger of |V' r|, |s|.
// Not relative to |R l|: l is large and meaningless if R is nearly singular.
StickStatus stick_mixed_defect(StickContext *ctx, const StickMixedData *mixed, const double *u_free,
                               const StickSolutionData *solution, double *defect);

#endif
