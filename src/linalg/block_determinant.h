// SPDX-License-Identifier: Apache-2.0
// The sign of the determinant of a matrix stored by d x d blocks whose pattern is nearly symmetric: ordering and
// allocation once for a pattern, then signs for changing values without any allocation. It is used to follow a path
// of solutions through its turning points.
#ifndef LINALG_BLOCK_DETERMINANT_H
#define LINALG_BLOCK_DETERMINANT_H

#include <stickslip/context.h>

typedef struct StickBlockDeterminant StickBlockDeterminant;

StickStatus stick_block_determinant_create(StickContext *ctx, StickBlockDeterminant **determinant);
void stick_block_determinant_destroy(StickBlockDeterminant *determinant);

// start (n + 1), col (start[n], ascending in a row, with all diagonal blocks); d = 1, 2 or 3. At no cost for the
// pattern that it already has.
StickStatus stick_block_determinant_analyse(StickBlockDeterminant *determinant, int n, const int *start,
                                            const int *col, int d);

// Sign of det(A + shift I): 1, -1, or 0 if a pivot block is singular or not finite. value: the blocks in the order of
// the pattern, each by rows. Blocks are eliminated along the diagonal, without pivoting among them.
int stick_block_determinant_sign(StickBlockDeterminant *determinant, const double *value, double shift);

#endif
