// SPDX-License-Identifier: Apache-2.0
#include "problems/global_operator.h"

#include "base/memory.h"

#include <string.h>
#include <suitesparse/umfpack.h>

struct StickGlobalOperator {
    StickContext *ctx;
    const StickGlobalData *global;
    StickOperator by_action;
    void *factors;    // of M, by UMFPACK
    double *diagonal; // ncontacts x dim x dim
    double *u_free;   // dim * ncontacts
    double *f, *v;    // n: work
    double *reals;    // 5 n, what a solve with refinement needs
    int *integers;    // n
};

void stick_global_operator_destroy(StickGlobalOperator *made)
{
    if (!made)
        return;
    if (made->factors)
        umfpack_di_free_numeric(&made->factors);
    stick_free(made->ctx, made->diagonal);
    stick_free(made->ctx, made->u_free);
    stick_free(made->ctx, made->f);
    stick_free(made->ctx, made->v);
    stick_free(made->ctx, made->reals);
    stick_free(made->ctx, made->integers);
    stick_free(made->ctx, made);
}

static StickStatus factor(StickGlobalOperator *made)
{
    const StickSparse *M = &made->global->M;
    void *symbolic = NULL;
    int result = umfpack_di_symbolic(M->rows, M->cols, M->start, M->row, M->value, &symbolic, NULL, NULL);
    if (result == UMFPACK_OK)
        result = umfpack_di_numeric(M->start, M->row, M->value, symbolic, &made->factors, NULL, NULL);
    if (symbolic)
        umfpack_di_free_symbolic(&symbolic);
    STICK_CHECK(made->ctx, result != UMFPACK_ERROR_out_of_memory, STICK_NO_MEMORY,
                "no memory for the factors of M");
    STICK_CHECK(made->ctx, result != UMFPACK_WARNING_singular_matrix, STICK_NOT_SOLVED,
                "M, of order %d, is singular", M->rows);
    STICK_CHECK(made->ctx, result == UMFPACK_OK, STICK_INTERNAL,
                "factors of M, of order %d, failed (UMFPACK %d)", M->rows, result);
    return STICK_OK;
}

// v = M^-1 f, without allocation; with regular factors it can't fail.
static void solve(const StickGlobalOperator *made, const double *f, double *v)
{
    const StickSparse *M = &made->global->M;
    if (M->rows > 0)
        umfpack_di_wsolve(UMFPACK_A, M->start, M->row, M->value, v, f, made->factors, NULL, NULL,
                          made->integers, made->reals);
}

// Wr = H' M^-1 H r
static void apply(const void *data, const double *r, double *Wr)
{
    const StickGlobalOperator *made = data;
    const StickSparse *H = &made->global->H;
    memset(made->f, 0, (size_t)H->rows * sizeof *made->f);
    memset(Wr, 0, (size_t)H->cols * sizeof *Wr);
    stick_sparse_multiply(H, 1, r, made->f);
    solve(made, made->f, made->v);
    stick_sparse_multiply_transposed(H, 1, made->v, Wr);
}

static void diagonal(const void *data, int contact, double *block)
{
    const StickGlobalOperator *made = data;
    size_t size = (size_t)(made->global->dim * made->global->dim);
    memcpy(block, made->diagonal + (size_t)contact * size, size * sizeof *block);
}

// Column j of W_cc is H_c' M^-1 h_j.
static void set_column(StickGlobalOperator *made, int contact, int j)
{
    const StickSparse *H = &made->global->H;
    int dim = made->global->dim, first = dim * contact;
    double *block = made->diagonal + (size_t)contact * (size_t)(dim * dim);
    memset(made->f, 0, (size_t)H->rows * sizeof *made->f);
    for (int k = H->start[first + j]; k < H->start[first + j + 1]; k++)
        made->f[H->row[k]] = H->value[k];
    solve(made, made->f, made->v);
    for (int i = 0; i < dim; i++)
        for (int k = H->start[first + i]; k < H->start[first + i + 1]; k++)
            block[i * dim + j] += H->value[k] * made->v[H->row[k]];
}

static StickStatus fill(StickGlobalOperator *made)
{
    const StickGlobalData *global = made->global;
    size_t dim = (size_t)global->dim, m = dim * (size_t)global->ncontacts, n = (size_t)global->M.rows;
    STICK_ALLOC(made->ctx, made->diagonal, m * dim);
    STICK_ALLOC(made->ctx, made->u_free, m);
    STICK_ALLOC(made->ctx, made->f, n);
    STICK_ALLOC(made->ctx, made->v, n);
    STICK_ALLOC(made->ctx, made->reals, 5 * n);
    STICK_ALLOC(made->ctx, made->integers, n);
    STICK_TRY(factor(made));
    for (int c = 0; c < global->ncontacts; c++)
        for (int j = 0; j < global->dim; j++)
            set_column(made, c, j);
    memcpy(made->u_free, global->w, m * sizeof *made->u_free);
    solve(made, global->f, made->v);
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
