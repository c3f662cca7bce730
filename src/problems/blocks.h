// SPDX-License-Identifier: Apache-2.0
// A sparse matrix cut into the square blocks of its contacts.
#ifndef PROBLEMS_BLOCKS_H
#define PROBLEMS_BLOCKS_H

#include <stickslip/friction.h>
#include <stickslip/sparse.h>

// A is square and its order a multiple of d. Blocks without an entry are omitted, except on the diagonal.
StickStatus stick_blocks_from_sparse(StickContext *ctx, const StickSparse *A, int d, StickBlocks *W);

#endif
