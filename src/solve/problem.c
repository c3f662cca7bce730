// SPDX-License-Identifier: Apache-2.0
#include "solve/problem.h"

#include "base/memory.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

void stick_blocks_destroy(StickContext *ctx, StickBlocks *blocks)
{
    stick_free(ctx, blocks->start);
    stick_free(ctx, blocks->col);
    stick_free(ctx, blocks->value);
    *blocks = (StickBlocks){0};
}

int stick_blocks_diagonal(const StickBlocks *W, int row)
{
    int low = W->start[row], high = W->start[row + 1];
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (W->col[middle] < row)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void stick_friction_diagonal(const StickFrictionProblem *problem, int contact, double *block)
{
    size_t size = (size_t)problem->dim * (size_t)problem->dim;
    if (problem->W)
        memcpy(block, problem->W->value + (size_t)stick_blocks_diagonal(problem->W, contact) * size,
               size * sizeof *block);
    else
        problem->apply_W->diagonal(problem->apply_W->data, contact, block);
}

double stick_friction_weight(const StickFrictionProblem *problem, int contact)
{
    double block[9], trace = 0;
    stick_friction_diagonal(problem, contact, block);
    for (int k = 0; k < problem->dim; k++)
        trace += block[k * (problem->dim + 1)];
    return trace > 0 ? trace / problem->dim : 1;
}

static void apply_blocks(const StickBlocks *W, const double *r, double *y)
{
    int d = W->d;
    for (int i = 0; i < W->n; i++) {
        double sum[3] = {0};
        for (int k = W->start[i]; k < W->start[i + 1]; k++) {
            const double *block = W->value + (size_t)k * (size_t)(d * d),
                         *x = r + (size_t)d * (size_t)W->col[k];
            for (int a = 0; a < d; a++)
                for (int b = 0; b < d; b++)
                    sum[a] += block[a * d + b] * x[b];
        }
        memcpy(y + (size_t)d * (size_t)i, sum, (size_t)d * sizeof *sum);
    }
}

void stick_friction_apply(const StickFrictionProblem *problem, const double *r, double *y)
{
    if (problem->ncontacts == 0)
        return;
    if (problem->W)
        apply_blocks(problem->W, r, y);
    else
        problem->apply_W->apply(problem->apply_W->data, r, y);
}

// ---- checks

static StickStatus check_row(StickContext *ctx, const StickBlocks *W, int row)
{
    size_t size = (size_t)W->d * (size_t)W->d;
    bool diagonal = false;
    for (int k = W->start[row]; k < W->start[row + 1]; k++) {
        STICK_CHECK(ctx, W->col[k] >= 0 && W->col[k] < W->n, STICK_BAD_INPUT,
                    "block row %d of W names column %d of %d", row, W->col[k], W->n);
        STICK_CHECK(ctx, k == W->start[row] || W->col[k - 1] < W->col[k], STICK_BAD_INPUT,
                    "the columns of block row %d of W are not ascending at %d", row, W->col[k]);
        diagonal |= W->col[k] == row;
        for (size_t e = 0; e < size; e++)
            STICK_CHECK(ctx, isfinite(W->value[(size_t)k * size + e]), STICK_BAD_INPUT,
                        "block (%d, %d) of W holds %g", row, W->col[k], W->value[(size_t)k * size + e]);
    }
    STICK_CHECK(ctx, diagonal, STICK_BAD_INPUT, "block row %d of W has no diagonal block", row);
    return STICK_OK;
}

static StickStatus check_blocks(StickContext *ctx, const StickFrictionProblem *problem)
{
    const StickBlocks *W = problem->W;
    STICK_CHECK(ctx, W->d == problem->dim, STICK_BAD_INPUT,
                "blocks of W have order %d in a problem of dimension %d", W->d, problem->dim);
    STICK_CHECK(ctx, W->n == problem->ncontacts, STICK_BAD_INPUT, "W has %d block rows for %d contacts", W->n,
                problem->ncontacts);
    STICK_CHECK(ctx, W->start[0] == 0, STICK_BAD_INPUT, "the first block row of W starts at %d", W->start[0]);
    for (int row = 0; row < W->n; row++)
        STICK_CHECK(ctx, W->start[row] <= W->start[row + 1], STICK_BAD_INPUT,
                    "block row %d of W ends before it starts", row);
    for (int row = 0; row < W->n; row++)
        STICK_TRY(check_row(ctx, W, row));
    return STICK_OK;
}

static StickStatus check_diagonal(StickContext *ctx, const StickFrictionProblem *problem, int contact)
{
    double block[9];
    stick_friction_diagonal(problem, contact, block);
    for (int k = 0; k < problem->dim; k++) {
        double entry = block[k * (problem->dim + 1)];
        STICK_CHECK(ctx, isfinite(entry) && entry >= 0, STICK_BAD_INPUT,
                    "diagonal entry %d of contact %d of W is %g, but must not be negative", k, contact,
                    entry);
    }
    return STICK_OK;
}

StickStatus stick_friction_check(StickContext *ctx, const StickFrictionProblem *problem)
{
    int dim = problem->dim, count = problem->ncontacts;
    STICK_CHECK(ctx, dim >= 1 && dim <= 3, STICK_BAD_INPUT, "a friction problem of dimension %d", dim);
    STICK_CHECK(ctx, count >= 0, STICK_BAD_INPUT, "a friction problem of %d contacts", count);
    if (count == 0)
        return STICK_OK;
    STICK_CHECK(ctx, problem->W || problem->apply_W, STICK_BAD_INPUT, "a friction problem without W");
    STICK_CHECK(ctx, problem->u_free && (problem->mu || dim == 1), STICK_BAD_INPUT,
                "a friction problem without u_free or mu");
    if (problem->W)
        STICK_TRY(check_blocks(ctx, problem));
    for (int c = 0; c < count; c++) {
        STICK_TRY(check_diagonal(ctx, problem, c));
        for (int k = 0; k < dim; k++)
            STICK_CHECK(ctx, isfinite(problem->u_free[(size_t)dim * (size_t)c + (size_t)k]), STICK_BAD_INPUT,
                        "u_free of contact %d is %g", c,
                        problem->u_free[(size_t)dim * (size_t)c + (size_t)k]);
        STICK_CHECK(ctx, dim == 1 || (isfinite(problem->mu[c]) && problem->mu[c] >= 0), STICK_BAD_INPUT,
                    "mu of contact %d is %g, but must not be negative", c, problem->mu[c]);
    }
    return STICK_OK;
}
