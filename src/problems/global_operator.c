// SPDX-License-Identifier: Apache-2.0
#include "problems/global_operator.h"

#include "base/memory.h"
#include "problems/factors.h"

#include <string.h>

struct StickGlobalOperator {
    StickContext *ctx;
    const StickGlobalData *global;
    StickOperator by_action;
    StickFactors factors; // of M
    double *diagonal;     // ncontacts x dim x dim
    double *u_free;       // dim * ncontacts
    double *f, *v;        // n: work
};

void stick_global_operator_destroy(StickGlobalOperator *made)
{
    if (!made)
        return;
    stick_factors_destroy(&made->factors);
    stick_free(made->ctx, made->diagonal);
    stick_free(made->ctx, made->u_free);
    stick_free(made->ctx, made->f);
    stick_free(made->ctx, made->v);
    stick_free(made->ctx, made);
}

// Wr = H' M^-1 H r; a solve with regular factors can't fail.
static void apply(const void *data, const double *r, double *Wr)
{
    const StickGlobalOperator *made = data;
    const StickSparse *H = &made->global->H;
    memset(made->f, 0, (size_t)H->rows * sizeof *made->f);
    memset(Wr, 0, (size_t)H->cols * sizeof *Wr);
    stick_sparse_multiply(H, 1, r, made->f);
    (void)stick_factors_solve(&made->factors, made->f, 1, made->v);
    stick_sparse_multiply_transposed(H, 1, made->v, Wr);
}

static void diagonal(const void *data, int contact, double *block)
{
    const StickGlobalOperator *made = data;
    size_t size = (size_t)(made->global->dim * made->global->dim);
    memcpy(block, made->diagonal + (size_t)contact * size, size * sizeof *block);
}

// Column j of W_cc is H_c' M^-1 h_j.
static StickStatus set_column(StickGlobalOperator *made, int contact, int j)
{
    const StickSparse *H = &made->global->H;
    int dim = made->global->dim, first = dim * contact;
    double *block = made->diagonal + (size_t)contact * (size_t)(dim * dim);
    memset(made->f, 0, (size_t)H->rows * sizeof *made->f);
    for (int k = H->start[first + j]; k < H->start[first + j + 1]; k++)
        made->f[H->row[k]] = H->value[k];
    STICK_TRY(stick_factors_solve(&made->factors, made->f, 1, made->v));
    for (int i = 0; i < dim; i++)
        for (int k = H->start[first + i]; k < H->start[first + i + 1]; k++)
            block[i * dim + j] += H->value[k] * made->v[H->row[k]];
    return STICK_OK;
}

static StickStatus fill(StickGlobalOperator *made)
{
    const StickGlobalData *global = made->global;
    size_t dim = (size_t)global->dim, m = dim * (size_t)global->ncontacts, n = (size_t)global->M.rows;
    STICK_ALLOC(made->ctx, made->diagonal, m * dim);
    STICK_ALLOC(made->ctx, made->u_free, m);
    STICK_ALLOC(made->ctx, made->f, n);
    STICK_ALLOC(made->ctx, made->v, n);
    STICK_TRY(stick_factors_create(made->ctx, &global->M, "M", &made->factors));
    for (int c = 0; c < global->ncontacts; c++)
        for (int j = 0; j < global->dim; j++)
            STICK_TRY(set_column(made, c, j));
    memcpy(made->u_free, global->w, m * sizeof *made->u_free);
    STICK_TRY(stick_factors_solve(&made->factors, global->f, 1, made->v));
    stick_sparse_multiply_transposed(&global->H, 1, made->v, made->u_free);
    return STICK_OK;
}

StickStatus stick_global_operator_create(StickContext *ctx, const StickGlobalData *global,
                                         StickGlobalOperator **made)
{
    StickGlobalOperator *created;
    STICK_CHECK(ctx, global->G.cols == 0, STICK_BAD_INPUT,
                "a problem with %d bilateral rows must be condensed: W has no action without them",
                global->G.cols);
    STICK_ALLOC(ctx, created, 1);
    *created = (StickGlobalOperator){.ctx = ctx, .global = global, .by_action = {apply, diagonal, created}};
    StickStatus status = fill(created);
    if (status != STICK_OK)
        stick_global_operator_destroy(created);
    else
        *made = created;
    return status;
}

StickFrictionProblem stick_global_operator_problem(const StickGlobalOperator *made)
{
    return (StickFrictionProblem){
        .dim = made->global->dim,
        .ncontacts = made->global->ncontacts,
        .apply_W = &made->by_action,
        .u_free = made->u_free,
        .mu = made->global->mu,
    };
}
