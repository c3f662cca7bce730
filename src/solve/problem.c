// SPDX-License-Identifier: Apache-2.0
#include "solve/problem.h"

#include "base/memory.h"
#include "base/pool.h"
#include "solve/section.h"

#include <math.h>
#include <stdatomic.h>
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
    double own[9], trace = 0;
    const double *block = own;
    if (problem->W)
        block = problem->W->value +
                (size_t)stick_blocks_diagonal(problem->W, contact) * (size_t)(problem->dim * problem->dim);
    else
        stick_friction_diagonal(problem, contact, own);
    for (int k = 0; k < problem->dim; k++)
        trace += block[k * (problem->dim + 1)];
    return trace > 0 ? trace / problem->dim : 1;
}

// One dependent sum per block and component, the rest of a block at the side.
static void apply_blocks1(const StickBlocks *W, int from, int to, const double *r, double *y)
{
    for (int i = from; i < to; i++) {
        double sum = 0;
        for (int k = W->start[i]; k < W->start[i + 1]; k++)
            sum += W->value[k] * r[W->col[k]];
        y[i] = sum;
    }
}

static void apply_blocks2(const StickBlocks *W, int from, int to, const double *r, double *y)
{
    const double *block = W->value + 4 * (size_t)W->start[from];
    for (int i = from; i < to; i++) {
        double N = 0, T = 0;
        for (int k = W->start[i]; k < W->start[i + 1]; k++, block += 4) {
            const double *x = r + 2 * (size_t)W->col[k];
            N += block[0] * x[0] + block[1] * x[1];
            T += block[2] * x[0] + block[3] * x[1];
        }
        y[2 * (size_t)i] = N;
        y[2 * (size_t)i + 1] = T;
    }
}

static void apply_blocks3(const StickBlocks *W, int from, int to, const double *r, double *y)
{
    const double *block = W->value + 9 * (size_t)W->start[from];
    for (int i = from; i < to; i++) {
        double N = 0, T1 = 0, T2 = 0;
        for (int k = W->start[i]; k < W->start[i + 1]; k++, block += 9) {
            const double *x = r + 3 * (size_t)W->col[k];
            N += block[0] * x[0] + block[1] * x[1] + block[2] * x[2];
            T1 += block[3] * x[0] + block[4] * x[1] + block[5] * x[2];
            T2 += block[6] * x[0] + block[7] * x[1] + block[8] * x[2];
        }
        y[3 * (size_t)i] = N;
        y[3 * (size_t)i + 1] = T1;
        y[3 * (size_t)i + 2] = T2;
    }
}

void stick_blocks_apply(const StickBlocks *W, int from, int to, const double *r, double *y)
{
    static void (*const apply_blocks[])(const StickBlocks *, int, int, const double *,
                                        double *) = {NULL, apply_blocks1, apply_blocks2, apply_blocks3};
    apply_blocks[W->d](W, from, to, r, y);
}

void stick_friction_apply(const StickFrictionProblem *problem, const double *r, double *y)
{
    if (problem->ncontacts == 0)
        return;
    if (problem->W)
        stick_blocks_apply(problem->W, 0, problem->ncontacts, r, y);
    else
        problem->apply_W->apply(problem->apply_W->data, r, y);
}

// ---- checks

// Zero times a number is zero, unless it is not finite.
static bool all_finite(size_t n, const double *x)
{
    double sum[4] = {0};
    size_t i = 0;
    for (; i + 4 <= n; i += 4)
        for (size_t k = 0; k < 4; k++)
            sum[k] += 0 * x[i + k];
    for (; i < n; i++)
        sum[0] += 0 * x[i];
    return sum[0] + sum[1] + sum[2] + sum[3] == 0;
}

static StickStatus check_values(StickContext *ctx, const StickBlocks *W)
{
    size_t size = (size_t)W->d * (size_t)W->d;
    if (all_finite((size_t)W->start[W->n] * size, W->value))
        return STICK_OK;
    for (int row = 0; row < W->n; row++)
        for (size_t e = (size_t)W->start[row] * size; e < (size_t)W->start[row + 1] * size; e++)
            STICK_CHECK(ctx, isfinite(W->value[e]), STICK_BAD_INPUT, "block (%d, %d) of W holds %g", row,
                        W->col[e / size], W->value[e]);
    return STICK_OK;
}

static StickStatus check_row(StickContext *ctx, const StickBlocks *W, int row)
{
    bool diagonal = false;
    int last = -1;
    for (int k = W->start[row]; k < W->start[row + 1]; k++) {
        STICK_CHECK(ctx, W->col[k] >= 0 && W->col[k] < W->n, STICK_BAD_INPUT,
                    "block row %d of W names column %d of %d", row, W->col[k], W->n);
        STICK_CHECK(ctx, last < W->col[k], STICK_BAD_INPUT,
                    "the columns of block row %d of W are not ascending at %d", row, W->col[k]);
        last = W->col[k];
        diagonal |= last == row;
    }
    STICK_CHECK(ctx, diagonal, STICK_BAD_INPUT, "block row %d of W has no diagonal block", row);
    return STICK_OK;
}

// Whether these contacts contain invalid data, so that the checks of single contacts must report it.
static bool are_well(const StickFrictionProblem *problem, int from, int to)
{
    const StickBlocks *W = problem->W;
    size_t d = (size_t)problem->dim, first = d * d * (size_t)W->start[from];
    if (!all_finite(d * d * (size_t)W->start[to] - first, W->value + first) ||
        !all_finite(d * (size_t)(to - from), problem->u_free + d * (size_t)from))
        return false;
    for (int c = from; c < to; c++) {
        int diagonal = -1, last = -1;
        for (int k = W->start[c]; k < W->start[c + 1]; k++) {
            if (W->col[k] <= last || W->col[k] >= W->n)
                return false;
            last = W->col[k];
            diagonal = last == c ? k : diagonal;
        }
        if (diagonal < 0 || (d > 1 && !(problem->mu[c] >= 0 && isfinite(problem->mu[c]))) ||
            stick_section_of(problem, c))
            return false;
        for (size_t k = 0; k < d; k++)
            if (!(W->value[d * d * (size_t)diagonal + k * (d + 1)] >= 0))
                return false;
    }
    return true;
}

typedef struct Look {
    const StickFrictionProblem *problem;
    atomic_bool found;
} Look;

static void look_at_range(void *data, int from, int to)
{
    Look *look = data;
    if (!are_well(look->problem, from, to))
        atomic_store(&look->found, true);
}

// On the threads of the context; where something is found, it is looked for again to be named.
static bool is_well(StickContext *ctx, const StickFrictionProblem *problem)
{
    Look look = {.problem = problem};
    stick_threads_range(ctx, problem->ncontacts, look_at_range, &look);
    return !atomic_load(&look.found);
}

static StickStatus check_sizes(StickContext *ctx, const StickFrictionProblem *problem)
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
    return STICK_OK;
}

static StickStatus check_blocks(StickContext *ctx, const StickBlocks *W)
{
    for (int row = 0; row < W->n; row++)
        STICK_TRY(check_row(ctx, W, row));
    return check_values(ctx, W);
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

static StickStatus check_bodies(StickContext *ctx, const StickFrictionProblem *problem)
{
    const StickBodies *bodies = problem->bodies;
    STICK_CHECK(ctx, bodies->ndofs == 3 || bodies->ndofs == 6, STICK_BAD_INPUT,
                "bodies with %d velocities each", bodies->ndofs);
    STICK_CHECK(ctx, bodies->nbodies >= 0 && bodies->S && bodies->H && bodies->sides, STICK_BAD_INPUT,
                "bodies of a friction problem without S, H or sides");
    for (int c = 0; c < problem->ncontacts; c++) {
        const int *body = bodies->sides[c].body;
        for (int s = 0; s < 2; s++)
            STICK_CHECK(ctx, body[s] < bodies->nbodies && (body[s] < 0 || body[s] != body[1 - s]),
                        STICK_BAD_INPUT, "contact %d acts on bodies %d and %d of %d", c, body[0], body[1],
                        bodies->nbodies);
    }
    for (int i = 0; i < bodies->njoints; i++) {
        const StickJointRow *row = &bodies->joint[i];
        STICK_CHECK(ctx, row->body[0] < bodies->nbodies && row->body[1] < bodies->nbodies, STICK_BAD_INPUT,
                    "joint row %d acts on bodies %d and %d of %d", i, row->body[0], row->body[1],
                    bodies->nbodies);
        STICK_CHECK(ctx, row->compliance >= 0 && all_finite(12, row->G[0]), STICK_BAD_INPUT,
                    "joint row %d has the compliance %g or entries that are not finite", i, row->compliance);
    }
    size_t size = (size_t)bodies->ndofs * (size_t)bodies->ndofs;
    STICK_CHECK(ctx, all_finite(size * (size_t)bodies->nbodies, bodies->S), STICK_BAD_INPUT,
                "an inverse mass of the bodies is not finite");
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
    if (problem->bodies)
        STICK_TRY(check_bodies(ctx, problem));
    if (problem->W) {
        STICK_TRY(check_sizes(ctx, problem));
        if (is_well(ctx, problem))
            return STICK_OK;
        STICK_TRY(check_blocks(ctx, problem->W));
    }
    for (int c = 0; c < count; c++) {
        STICK_TRY(check_diagonal(ctx, problem, c));
        for (int k = 0; k < dim; k++)
            STICK_CHECK(ctx, isfinite(problem->u_free[(size_t)dim * (size_t)c + (size_t)k]), STICK_BAD_INPUT,
                        "u_free of contact %d is %g", c,
                        problem->u_free[(size_t)dim * (size_t)c + (size_t)k]);
        STICK_CHECK(ctx, dim == 1 || (isfinite(problem->mu[c]) && problem->mu[c] >= 0), STICK_BAD_INPUT,
                    "mu of contact %d is %g, but must not be negative", c, problem->mu[c]);
        const StickSection *section = stick_section_of(problem, c);
        if (section)
            STICK_TRY(stick_section_check(ctx, section, dim, c));
    }
    return STICK_OK;
}
