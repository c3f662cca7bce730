// SPDX-License-Identifier: Apache-2.0
// A zero of a function between two points where its signs differ, for functions that are expensive to evaluate:
// Brent's method (inverse quadratic interpolation and secants, otherwise bisection).
#ifndef LINALG_ROOT_H
#define LINALG_ROOT_H

#include <stickslip/context.h>

typedef struct StickRootFunction {
    StickStatus (*value)(void *user, double x, double *f);
    void *user;
} StickRootFunction;

typedef struct StickRoot {
    double x;
    double width; // of the remaining bracket
    int calls;
} StickRoot;

// a, b with f(a), f(b) of different signs (a zero counts as either). Ends when the bracket is at most `tolerance` wide,
// which rounding must allow.
StickStatus stick_root_find(const StickRootFunction *function, const double a[2], const double f[2],
                            double tolerance, StickRoot *root);

#endif
