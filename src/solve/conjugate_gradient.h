// SPDX-License-Identifier: Apache-2.0
// Friction at one fixed regularisation: the inner problem of the method `conjugate-gradient`.
#ifndef SOLVE_CONJUGATE_GRADIENT_H
#define SOLVE_CONJUGATE_GRADIENT_H

#include <stickslip/friction.h>

// Friction r_T = -mu r_N u_T / max(|u_T|, e) with e = options->regularization times the largest free velocity.
// r comes in as a guess; r and u go out. info->end is about this problem, info->residual the error of the exact
// law, which shrinks with e.
StickStatus stick_regularized_solve(StickContext *ctx, const StickFrictionProblem *problem,
                                    const StickSolverOptions *options, double *r, double *u,
                                    StickSolveInfo *info);

#endif
