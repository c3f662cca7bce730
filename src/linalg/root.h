// SPDX-License-Identifier: Apache-2.0
// A zero of a function between two places where its signs differ, for functions that are dear to evaluate: Brent's method
// (inverse quadratic interpolation and secants, bisection where they do not help).
#ifndef LINALG_ROOT_H
#define LINALG_ROOT_H

#include <stickslip/context.h>

typedef struct StickRootFunction {
    StickStatus (*value)(void *user, double x, double *f);
    void *user;
} StickRootFunction;

typedef struct StickRoot {
    double x;
    double width; // of what is left of the bracket
    int calls;
} StickRoot;

// a, b with f(a), f(b) of different signs (a zero counts as either). Ends when the bracket is at most `tolerance` wide,
// which rounding must allow.
StickStatus stick_root_find(const StickRootFunction *function, const double a[2], const double f[2],
                            double tolerance, StickRoot *root);

#endif
