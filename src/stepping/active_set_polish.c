// SPDX-License-Identifier: Apache-2.0
#include "stepping/active_set_polish.h"

#include "base/memory.h"

#include <lapacke.h>
#include <math.h>

// K x = y over the pairs that press and the free motions, with forces by the size of A.
typedef struct Active {
    int k;         // pairs that press
    int *pair;     // their numbers
    double *K, *y; // order k + l
    int *pivot;
    double size; // of A
} Active;

static StickStatus take(StickContext *ctx, const StickMixedLcp *mates, const double *p, Active *active)
{
    size_t n = (size_t)(mates->m + mates->l);
    STICK_ALLOC(ctx, active->pair, mates->m);
    for (int i = 0; i < mates->m; i++)
        if (p[i] > 0)
            active->pair[active->k++] = i;
    n = (size_t)(active->k + mates->l);
    STICK_ALLOC(ctx, active->K, n * n);
    STICK_ALLOC(ctx, active->y, n);
    STICK_ALLOC(ctx, active->pivot, n);
    return STICK_OK;
}

// [A C; B 0] [p; theta] = [-eps; lambda] of the pairs that press
static void fill(const StickMixedLcp *mates, Active *active)
{
    int k = active->k, l = mates->l, n = k + l;
    size_t m = (size_t)mates->m;
    for (int j = 0; j < k; j++)
        active->size = fmax(active->size, fabs(mates->A[(size_t)active->pair[j] * (m + 1)]));
    double size = active->size > 0 ? active->size : 1;
    active->size = size;
    for (int j = 0; j < k; j++) {
        size_t column = (size_t)active->pair[j];
        for (int i = 0; i < k; i++)
            active->K[(size_t)j * (size_t)n + (size_t)i] =
                mates->A[column * m + (size_t)active->pair[i]] / size;
        for (int i = 0; i < l; i++) {
            active->K[(size_t)j * (size_t)n + (size_t)(k + i)] = mates->B[column * (size_t)l + (size_t)i];
            active->K[(size_t)(k + i) * (size_t)n + (size_t)j] = mates->C[(size_t)i * m + column];
        }
        active->y[j] = -mates->eps[active->pair[j]];
    }
    for (int i = 0; i < l; i++)
        active->y[k + i] = size * mates->lambda[i];
}

// Separations of all pairs; those that press have none.
static void separate(const StickMixedLcp *mates, const StickMlcpSolution *solution)
{
    size_t m = (size_t)mates->m;
    for (size_t i = 0; i < m; i++) {
        double d = mates->eps[i];
        for (size_t k = 0; k < m; k++)
            d += solution->p[k] != 0 ? mates->A[k * m + i] * solution->p[k] : 0;
        for (int j = 0; j < mates->l; j++)
            d += mates->C[(size_t)j * m + i] * solution->theta[j];
        solution->d[i] = solution->p[i] > 0 ? 0 : d;
    }
}

static void apply(const StickMixedLcp *mates, const Active *active, const StickMlcpSolution *solution)
{
    for (int j = 0; j < active->k; j++)
        if (!(isfinite(active->y[j]) && active->y[j] > 0))
            return;
    for (int j = 0; j < active->k; j++)
        solution->p[active->pair[j]] = active->y[j] / active->size;
    for (int i = 0; i < mates->l; i++)
        solution->theta[i] = active->y[active->k + i];
    separate(mates, solution);
}

StickStatus stick_active_set_polish_mates(StickContext *ctx, const StickMixedLcp *mates,
                                          const StickMlcpSolution *solution)
{
    Active active = {0};
    StickStatus status = take(ctx, mates, solution->p, &active);
    if (status == STICK_OK && active.k >= mates->l && active.k > 0) {
        int n = active.k + mates->l;
        fill(mates, &active);
        if (LAPACKE_dgesv(LAPACK_COL_MAJOR, n, 1, active.K, n, active.pivot, active.y, n) == 0)
            apply(mates, &active, solution);
    }
    stick_free(ctx, active.pair);
    stick_free(ctx, active.K);
    stick_free(ctx, active.y);
    stick_free(ctx, active.pivot);
    return status;
}
