// SPDX-License-Identifier: Apache-2.0
// Lanczos' method by blocks, with the product x' M y and every vector kept orthogonal to all before it: eigenvalues of
// K x = value M x nearest above -shift, from the factors of K + shift M. Multiple eigenvalues are found as often as
// they are, up to the size of a block.
#ifndef LINALG_LANCZOS_H
#define LINALG_LANCZOS_H

#include "linalg/factor.h"
#include "linalg/vibration.h"

enum { STICK_LANCZOS_BLOCK = 8 };

// K + shift M is factored.
typedef struct StickLanczosProblem {
    const StickSparse *M;
    StickFactor *factor;
    double shift;
} StickLanczosProblem;

// Finds the wanted eigenvalues, and one more if there is a bound. STICK_NOT_SOLVED if a space of almost all vectors
// is not enough.
StickStatus stick_lanczos_find(StickContext *ctx, const StickLanczosProblem *problem,
                               const StickVibrationWish *wish, StickVibration *vibration);

#endif
