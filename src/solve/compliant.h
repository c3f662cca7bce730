// SPDX-License-Identifier: Apache-2.0
// Selects one solution where the contact law admits several: the limit of small equal compliance. Let w be the mean
// of trace(W_cc)/dim over the island, and r(eps) a solution of the contact law between r and
//
//     u = W r + u_free + eps w r
//
// as if every contact point were a spring of compliance eps w, at rest without force. The selected solution is the
// limit of r(eps) for eps -> 0. Where W is regular and the problem has one solution, it is that solution. Where
// several r belong to one motion, the limit distributes forces as equal springs do; without friction, and with
// friction for given sliding directions, this is the r of least Euclidean norm.
// Where several motions are possible, it selects one.
#ifndef SOLVE_COMPLIANT_H
#define SOLVE_COMPLIANT_H

#include "solve/newton.h"

typedef struct StickCompliant StickCompliant;

// Shares the factors of newton, which must outlive it.
StickStatus stick_compliant_create(StickContext *ctx, StickNewton *newton, StickCompliant **compliant);
void stick_compliant_destroy(StickCompliant *compliant);
StickStatus stick_compliant_reserve(StickCompliant *compliant, const StickFrictionProblem *problem);

// Problems up to this order are examined for regularity.
enum { STICK_COMPLIANT_ORDER = 192 };

// Whether forces follow from the motion: W is regular, judged by Cholesky's pivots. Large problems are not examined:
// false. dense: room for the square of the order.
bool stick_compliant_is_regular(const StickFrictionProblem *problem, double *dense);

// Whether the motion does not determine the forces, so that one of several solutions has to be selected. Call after
// reserve.
bool stick_compliant_selects(StickCompliant *compliant, const StickFrictionProblem *problem);

// Whether friction can wedge a contact by itself, so that r_N may grow without resistance: mu |W_NT| >= W_NN.
bool stick_compliant_can_wedge(const StickFrictionProblem *problem);

// How a solve ended.
typedef struct StickCompliantEnd {
    bool converged;         // r is the limit, and within the tolerance of the options
    bool found;             // r is the limit, perhaps not to the tolerance
    int steps;              // of Newton
    double flops;           // of their factors
    StickResidual residual; // of r
} StickCompliantEnd;

// Computes the limit. r is a guess on input, which only saves time, and the solution on output, with u = W r +
// u_free; if it was not found, r is unchanged. Continues from the tolerance to the aim where possible.
StickCompliantEnd stick_compliant_solve(StickCompliant *compliant, const StickFrictionProblem *problem,
                                        const StickSolverOptions *options, double *r, double *u);

#endif
