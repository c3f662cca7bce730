// SPDX-License-Identifier: Apache-2.0
// Checks of a friction problem for all solvers, and its diagonal blocks.
#ifndef SOLVE_PROBLEM_H
#define SOLVE_PROBLEM_H

#include <stickslip/friction.h>

// Refuses invalid data: sizes, indices, numbers that are not finite, mu < 0, a negative diagonal of W.
StickStatus stick_friction_check(StickContext *ctx, const StickFrictionProblem *problem);

// W_cc, dim x dim by rows
void stick_friction_diagonal(const StickFrictionProblem *problem, int contact, double *block);

// The place of block (row, row).
int stick_blocks_diagonal(const StickBlocks *W, int row);

// y = W r in rows from ... to - 1 alone
void stick_blocks_apply(const StickBlocks *W, int from, int to, const double *r, double *y);

// trace(W_cc) / dim, the square of the scale that makes r and u of a contact comparable; where it is zero, 1.
double stick_friction_weight(const StickFrictionProblem *problem, int contact);

#endif
