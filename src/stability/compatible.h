// SPDX-License-Identifier: Apache-2.0
// Motions v that are compatible with sliding [RBV02 (121)]: S v >= 0, a row of S for each contact that slips.
#ifndef STABILITY_COMPATIBLE_H
#define STABILITY_COMPATIBLE_H

#include <stickslip/sparse.h>

// Number of rows with S v < 0 beyond rounding, for the sign of v with fewer of them; that sign is written to `sign`.
StickStatus stick_compatible_violations(StickContext *ctx, const StickSparse *S, const double *v,
                                        double *sign, int *violations);

// Smallest v' A v with |v| = 1 and S v >= 0, by active sets on the sphere from both signs of the smallest eigenvector.
// v satisfies the constraints, so that the value is never below the true minimum. It is the minimum if `proved`: the
// smallest eigenvector itself satisfies them. Otherwise it is a local minimum with respect to the active constraints.
typedef struct StickConeMinimum {
    double value;
    bool proved;
    int active; // constraints with S v = 0
    int solves; // eigenproblems
} StickConeMinimum;

// smallest and eigenvector: as stick_definite_smallest gives them. v (n) may be written before an error.
StickStatus stick_compatible_minimum(StickContext *ctx, const StickSparse *A, const StickSparse *S,
                                     double smallest, const double *eigenvector, double *v,
                                     StickConeMinimum *minimum);

#endif
