// SPDX-License-Identifier: Apache-2.0
// Lanczos' method by blocks, with the product x' M y and every vector kept orthogonal to all before it: eigenvalues of
// K x = value M x nearest above -shift, from the factors of K + shift M. Multiple eigenvalues are found as often as
// they are, up to the size of a block.
#ifndef LINALG_LANCZOS_H
#define LINALG_LANCZOS_H

#include "linalg/factor.h"

enum { STICK_LANCZOS_BLOCK = 8 };

typedef struct StickLanczosProblem {
    const StickSparse *M;
    StickFactor *factor; // of K + shift M
    double shift;
    int nknown; // vectors that all others stay orthogonal to
    const double *known;
} StickLanczosProblem;

// The `count` smallest values, ascending, and their vectors (n x count, by columns, X' M X = I). The order must leave
// room for a space of twice as many vectors and some blocks: STICK_NOT_SOLVED if it is exhausted before.
StickStatus stick_lanczos_lowest(StickContext *ctx, const StickLanczosProblem *problem, int count,
                                 double *value, double *vector);

#endif
