// SPDX-License-Identifier: Apache-2.0
#include "problems/mixed.h"

#include "base/memory.h"
#include "problems/blocks.h"
#include "problems/factors.h"

#include <float.h>
#include <math.h>
#include <string.h>

// W - V R^-1 V'
static StickStatus eliminate_matrix(const StickFactors *factors, const StickMixedData *mixed, int dim,
                                    StickBlocks *blocks)
{
    StickContext *ctx = factors->ctx;
    const StickSparse *W = &mixed->W;
    StickTriplets T = {.rows = W->rows, .cols = W->cols};
    StickSparse Vt = {0}, all = {0};
    StickStatus status = stick_sparse_transpose(ctx, &mixed->V, &Vt);
    for (int j = 0; j < W->cols && status == STICK_OK; j++)
        for (int k = W->start[j]; k < W->start[j + 1] && status == STICK_OK; k++)
            status = stick_triplets_add(ctx, &T, W->row[k], j, W->value[k]);
    if (status == STICK_OK)
        status = stick_factors_condense(factors, &Vt, -1, &T);
    if (status == STICK_OK)
        status = stick_sparse_from_triplets(ctx, &T, &all);
    if (status == STICK_OK)
        status = stick_blocks_from_sparse(ctx, &all, dim, blocks);
    stick_sparse_destroy(ctx, &all);
    stick_sparse_destroy(ctx, &Vt);
    stick_triplets_destroy(ctx, &T);
    return status;
}

// q - V R^-1 s
static StickStatus eliminate_vector(const StickFactors *factors, const StickMixedData *mixed, double **u_free)
{
    double *x;
    STICK_ALLOC(factors->ctx, *u_free, mixed->W.rows);
    memcpy(*u_free, mixed->q, (size_t)mixed->W.rows * sizeof **u_free);
    STICK_ALLOC(factors->ctx, x, mixed->R.rows);
    StickStatus status = stick_factors_solve(factors, mixed->s, 1, x);
    if (status == STICK_OK)
        stick_sparse_multiply(&mixed->V, -1, x, *u_free);
    stick_free(factors->ctx, x);
    return status;
}

static const char matrix_name[] = "the matrix R of the bilateral rows";

StickStatus stick_mixed_eliminate(StickContext *ctx, const StickMixedData *mixed, StickFrictionData *local)
{
    StickFactors factors;
    StickBlocks W = {0};
    double *u_free = NULL;
    StickStatus status = stick_factors_create(ctx, &mixed->R, matrix_name, &factors);
    if (status == STICK_OK)
        status = eliminate_matrix(&factors, mixed, local->dim, &W);
    if (status == STICK_OK)
        status = eliminate_vector(&factors, mixed, &u_free);
    stick_factors_destroy(&factors);
    if (status != STICK_OK) {
        stick_blocks_destroy(ctx, &W);
        stick_free(ctx, u_free);
        return status;
    }
    local->W = W;
    local->u_free = u_free;
    return STICK_OK;
}

StickStatus stick_mixed_multipliers(StickContext *ctx, const StickMixedData *mixed, const double *r,
                                    double *l)
{
    StickFactors factors;
    double *x;
    STICK_ALLOC(ctx, x, mixed->R.rows);
    StickStatus status = stick_factors_create(ctx, &mixed->R, matrix_name, &factors);
    if (status == STICK_OK) {
        for (int k = 0; k < mixed->R.rows; k++)
            x[k] = -mixed->s[k];
        stick_sparse_multiply_transposed(&mixed->V, -1, r, x);
        status = stick_factors_solve(&factors, x, 1, l);
    }
    stick_factors_destroy(&factors);
    stick_free(ctx, x);
    return status;
}

static double largest(const double *x, int n)
{
    double size = 0;
    for (int i = 0; i < n; i++)
        size = isfinite(x[i]) ? fmax(size, fabs(x[i])) : INFINITY;
    return size;
}

static double over(double defect, double size)
{
    double ratio = defect == 0 ? 0 : defect / size;
    return isfinite(ratio) ? ratio : INFINITY;
}

// A sum of products, and the sum of their absolute values, which bounds the round-off.
typedef struct Sum {
    double *value, *size;
} Sum;

static void add_number(Sum sum, int i, double x)
{
    sum.value[i] += x;
    sum.size[i] += fabs(x);
}

static void add_product(const StickSparse *A, double scale, const double *x, Sum sum)
{
    for (int j = 0; j < A->cols; j++)
        for (int k = A->start[j]; k < A->start[j + 1]; k++)
            add_number(sum, A->row[k], scale * A->value[k] * x[j]);
}

static void add_transposed_product(const StickSparse *A, const double *x, Sum sum)
{
    for (int j = 0; j < A->cols; j++)
        for (int k = A->start[j]; k < A->start[j + 1]; k++)
            add_number(sum, j, A->value[k] * x[A->row[k]]);
}

static double defect_of_sum(Sum sum, int n, double size)
{
    for (int i = 0; i < n; i++)
        sum.value[i] = fabs(sum.value[i]) + DBL_EPSILON * sum.size[i];
    return over(largest(sum.value, n), size);
}

// u - W r - V l - q
static double defect_of_contacts(const StickMixedData *mixed, const double *u_free,
                                 const StickSolutionData *solution, Sum sum)
{
    int n = mixed->W.rows;
    for (int i = 0; i < n; i++) {
        add_number(sum, i, solution->u[i]);
        add_number(sum, i, -mixed->q[i]);
    }
    add_product(&mixed->W, -1, solution->r, sum);
    add_product(&mixed->V, -1, solution->l, sum);
    double size = fmax(largest(solution->u, n), fmax(largest(mixed->q, n), largest(u_free, n)));
    return defect_of_sum(sum, n, size);
}

// V' r + R l + s
static double defect_of_rows(const StickMixedData *mixed, const StickSolutionData *solution, Sum sum)
{
    int p = mixed->R.rows;
    add_transposed_product(&mixed->V, solution->r, sum);
    double size = fmax(largest(sum.value, p), largest(mixed->s, p));
    for (int k = 0; k < p; k++)
        add_number(sum, k, mixed->s[k]);
    add_product(&mixed->R, 1, solution->l, sum);
    return defect_of_sum(sum, p, size);
}

StickStatus stick_mixed_defect(StickContext *ctx, const StickMixedData *mixed, const double *u_free,
                               const StickSolutionData *solution, double *defect)
{
    size_t n = (size_t)mixed->W.rows, p = (size_t)mixed->R.rows;
    double *room;
    STICK_ALLOC(ctx, room, 2 * (n + p));
    memset(room, 0, 2 * (n + p) * sizeof *room);
    *defect = fmax(defect_of_contacts(mixed, u_free, solution, (Sum){room, room + n}),
                   defect_of_rows(mixed, solution, (Sum){room + 2 * n, room + 2 * n + p}));
    stick_free(ctx, room);
    return STICK_OK;
}
