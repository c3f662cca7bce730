// SPDX-License-Identifier: Apache-2.0
// The one error measure that all solvers stop by: the natural map |r - P(r - u - mu |u_T| n)|, with the cone and
// phi_1(u_T) of its section where a contact has one.
#ifndef SOLVE_RESIDUAL_H
#define SOLVE_RESIDUAL_H

#include "solve/sums.h"

#include <stickslip/friction.h>

#include <stdbool.h>

typedef struct StickResidual {
    double shared;     // over max(|u_free|, |r|, |u|)
    double scale_free; // the same in the variables sqrt(w) r and u / sqrt(w), w = trace(W_cc) / dim
    // Scale-free, with the round-off of r, over max(|u_free|, |u|) alone: a diverging r can't hide.
    double velocity;
    // Largest -u_N over the largest of |u_free|, |u|: with a large mu the natural map hides it.
    double penetration;
} StickResidual;

// u = W r + u_free
void stick_residual_velocity(const StickFrictionProblem *problem, const double *r, double *u);

// u must be W r + u_free.
StickResidual stick_residual(const StickFrictionProblem *problem, const double *r, const double *u);

// Both at once in one pass over W, by blocks, on the threads of the context, for large problems. Its sums are those of
// pieces that do not depend on the number of threads, and differ from the ones above by rounding. Never from inside a
// part of the threads.
typedef struct StickResidualPiece StickResidualPiece;
typedef struct StickResidualPieces {
    StickContext *ctx;
    StickResidualPiece *piece;
    size_t room;
} StickResidualPieces;
StickStatus stick_residual_reserve(StickContext *ctx, const StickFrictionProblem *problem,
                                   StickResidualPieces *pieces);
void stick_residual_release(StickResidualPieces *pieces);
StickResidual stick_residual_measure(const StickResidualPieces *pieces, const StickFrictionProblem *problem,
                                     const double *r, double *u);

// The same from sums over all contacts, but for the penetration, which is left 0.
StickResidual stick_residual_of(const StickMeasures *sums);

// The measures that the options ask for are within the tolerance, the velocity's within its square root, the penetration
// within its fourth root; NaN is not. With the shared measure alone the velocity's only guards against an r without
// bounds.
bool stick_residual_within(StickResidual residual, const StickSolverOptions *options);

#endif
