// SPDX-License-Identifier: Apache-2.0
#include "problems/blocks.h"

#include "base/memory.h"

#include <assert.h>
#include <limits.h>

// The next block column of block row i, or INT_MAX: the least one of the d rows, whose places are in at, or
// the diagonal if it was not reached yet.
static int next_column(const StickSparse *rows, int i, int d, const int *at, int before)
{
    int next = before < i ? i : INT_MAX;
    for (int k = 0; k < d; k++) {
        int row = i * d + k;
        if (at[k] < rows->start[row + 1] && rows->row[at[k]] / d < next)
            next = rows->row[at[k]] / d;
    }
    return next;
}

// Walks over the blocks of row i and returns their number; fills them if W has room for them.
static int walk_row(const StickSparse *rows, int i, StickBlocks *W)
{
    enum { MOST = 8 };
    int d = W->d, at[MOST], count = 0;
    assert(d <= MOST);
    for (int k = 0; k < d; k++)
        at[k] = rows->start[i * d + k];
    for (int col = -1; (col = next_column(rows, i, d, at, col)) < INT_MAX; count++) {
        size_t place = W->col ? (size_t)(W->start[i] + count) : 0;
        if (W->col)
            W->col[place] = col;
        for (int k = 0; k < d; k++)
            for (; at[k] < rows->start[i * d + k + 1] && rows->row[at[k]] / d == col; at[k]++)
                if (W->col)
                    W->value[place * (size_t)(d * d) + (size_t)(k * d + rows->row[at[k]] % d)] =
                        rows->value[at[k]];
    }
    return count;
}

static StickStatus fill(StickContext *ctx, const StickSparse *rows, StickBlocks *W)
{
    STICK_ALLOC(ctx, W->start, (size_t)W->n + 1);
    for (int i = 0; i < W->n; i++)
        W->start[i + 1] = W->start[i] + walk_row(rows, i, W);
    size_t count = (size_t)W->start[W->n];
    STICK_ALLOC(ctx, W->value, count * (size_t)(W->d * W->d));
    STICK_ALLOC(ctx, W->col, count);
    for (int i = 0; i < W->n; i++)
        walk_row(rows, i, W);
    return STICK_OK;
}

StickStatus stick_blocks_from_sparse(StickContext *ctx, const StickSparse *A, int d, StickBlocks *W)
{
    assert(A->rows == A->cols && A->rows % d == 0);
    StickBlocks made = {.d = d, .n = A->rows / d};
    StickSparse rows;
    STICK_TRY(stick_sparse_transpose(ctx, A, &rows));
    StickStatus status = fill(ctx, &rows, &made);
    stick_sparse_destroy(ctx, &rows);
    if (status != STICK_OK)
        stick_blocks_destroy(ctx, &made);
    else
        *W = made;
    return status;
}
