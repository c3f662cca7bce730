// SPDX-License-Identifier: Apache-2.0
#include "drive/shore.h"

#include "base/memory.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

void stick_shore_destroy(StickContext *ctx, StickShore *shore)
{
    stick_free(ctx, shore->row);
    stick_free(ctx, shore->inner);
    stick_free(ctx, shore->side);
    stick_free(ctx, shore->pivot);
    stick_free(ctx, shore->W.start);
    stick_free(ctx, shore->W.col);
    stick_free(ctx, shore->W.value);
    *shore = (StickShore){0};
}

// An entry of a matrix of all blocks.
static double *entry(const StickBlocks *W, int i, int j)
{
    size_t d = (size_t)W->d, block = (size_t)(i / W->d) * (size_t)W->n + (size_t)(j / W->d);
    return W->value + (block * d + (size_t)(i % W->d)) * d + (size_t)(j % W->d);
}

static StickStatus fill_out(StickContext *ctx, const StickBlocks *W, StickShore *shore)
{
    StickBlocks *all = &shore->W;
    size_t n = (size_t)W->n, square = (size_t)(W->d * W->d);
    all->d = W->d;
    all->n = W->n;
    STICK_RESERVE(ctx, all->start, shore->start_capacity, n + 1);
    STICK_RESERVE(ctx, all->col, shore->col_capacity, n * n);
    STICK_RESERVE(ctx, all->value, shore->value_capacity, n * n * square);
    memset(all->value, 0, n * n * square * sizeof *all->value);
    for (int c = 0; c <= W->n; c++)
        all->start[c] = c * W->n;
    for (int c = 0; c < W->n; c++) {
        for (int k = 0; k < W->n; k++)
            all->col[c * W->n + k] = k;
        for (int k = W->start[c]; k < W->start[c + 1]; k++)
            memcpy(all->value + ((size_t)c * n + (size_t)W->col[k]) * square, W->value + (size_t)k * square,
                   square * sizeof *all->value);
    }
    return STICK_OK;
}

static StickStatus choose_rows(StickRun *run, StickShore *shore)
{
    int dim = run->system->dim;
    STICK_RESERVE(run->ctx, shore->row, shore->row_capacity, run->contacts.ncontacts);
    shore->count = 0;
    for (int c = 0; c < run->contacts.ncontacts; c++)
        if (run->r[c * dim] > 0)
            shore->row[shore->count++] = c * dim;
    return STICK_OK;
}

// side = (1/rho + W_PP)^-1 (W_P', u_free_P)
static StickStatus solve_inner(StickRun *run, StickShore *shore)
{
    int m = shore->count, n = shore->W.n * shore->W.d;
    STICK_RESERVE(run->ctx, shore->inner, shore->inner_capacity, (size_t)m * (size_t)m);
    STICK_RESERVE(run->ctx, shore->side, shore->side_capacity, (size_t)m * (size_t)(n + 1));
    STICK_RESERVE(run->ctx, shore->pivot, shore->pivot_capacity, (size_t)m);
    for (int a = 0; a < m; a++) {
        for (int b = 0; b < m; b++)
            shore->inner[b * m + a] =
                *entry(&shore->W, shore->row[a], shore->row[b]) + (a == b ? 1 / shore->rho : 0);
        for (int j = 0; j < n; j++)
            shore->side[(size_t)j * (size_t)m + (size_t)a] = *entry(&shore->W, shore->row[a], j);
        shore->side[(size_t)n * (size_t)m + (size_t)a] = run->u_free[shore->row[a]];
    }
    int failed =
        LAPACKE_dgesv_work(LAPACK_COL_MAJOR, m, n + 1, shore->inner, m, shore->pivot, shore->side, m);
    return failed == 0 ? STICK_OK
                       : stick_run_refuse(run, "t = %g: the forces of contact have no linear answer",
                                          run->state.next.t);
}

// W' and u_free'; W' is symmetric to the bit.
static void subtract(StickRun *run, StickShore *shore)
{
    int m = shore->count, n = shore->W.n * shore->W.d;
    // rows of P are read by all others: they are changed last, from what is kept of them
    for (int i = 0; i < n; i++) {
        double lost = 0;
        for (int a = 0; a < m; a++)
            lost += *entry(&shore->W, i, shore->row[a]) * shore->side[(size_t)n * (size_t)m + (size_t)a];
        run->u_free[i] -= lost;
    }
    for (int i = n - 1; i >= 0; i--) {
        double *left = shore->inner; // W_iP
        for (int a = 0; a < m; a++)
            left[a] = *entry(&shore->W, i, shore->row[a]);
        for (int j = 0; j <= i; j++) {
            double lost = 0;
            for (int a = 0; a < m; a++)
                lost += left[a] * shore->side[(size_t)j * (size_t)m + (size_t)a];
            *entry(&shore->W, i, j) -= lost;
        }
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            *entry(&shore->W, j, i) = *entry(&shore->W, i, j);
}

StickStatus stick_shore_put(StickRun *run, StickShore *shore, double rho)
{
    shore->rho = rho;
    shore->settled = true;
    STICK_TRY(choose_rows(run, shore));
    STICK_TRY(fill_out(run->ctx, run->W, shore));
    if (shore->count > 0) {
        STICK_TRY(solve_inner(run, shore));
        subtract(run, shore);
    }
    for (int i = 0; i < shore->W.n * shore->W.d; i++)
        if (!(*entry(&shore->W, i, i) >= 0))
            return stick_run_refuse(run, "t = %g: the bodies are not stable, nor does contact hold them",
                                    run->state.next.t);
    run->W = &shore->W;
    return STICK_OK;
}

// Of the motions of the problem: less than this is a contact that stayed closed.
static const double closed = 1e-12;

void stick_shore_release(StickRun *run, StickShore *shore)
{
    int n = shore->W.n * shore->W.d;
    double motion = fmax(stick_run_largest(run->u, n), stick_run_largest(run->u_free, n));
    for (int a = 0; a < shore->count; a++) {
        double *r = &run->r[shore->row[a]], u = run->u[shore->row[a]];
        if (*r > 0 || u <= closed * motion)
            continue;
        *r = -shore->rho * u;
        shore->settled = false;
    }
}
