// SPDX-License-Identifier: Apache-2.0
#include "linalg/inertia.h"

#include "base/memory.h"
#include "base/random.h"
#include "linalg/cholmod_view.h"

#include <cblas.h>
#include <math.h>

static const double ROUND = 1e-12;    // asymmetry below this counts as round-off
static const double SURE = 1e-9;      // backward error of a solve by factors whose signs are believed
static const double SINGULAR = 1e-15; // ratio of pivots below which their signs mean nothing

typedef struct Factors {
    StickCholmodPattern pattern;
    cholmod_common common;
    cholmod_factor *L;
    cholmod_dense *x;
} Factors;

static StickStatus check_matrix(StickContext *ctx, const StickSparse *A)
{
    double asymmetry;
    STICK_CHECK(ctx, A->rows == A->cols, STICK_USAGE, "inertia of a matrix of %d x %d", A->rows, A->cols);
    for (int k = 0; k < A->start[A->cols]; k++)
        STICK_CHECK(ctx, isfinite(A->value[k]), STICK_BAD_INPUT, "an entry of row %d of a matrix is %g",
                    A->row[k] + 1, A->value[k]);
    STICK_TRY(stick_sparse_asymmetry(ctx, A, &asymmetry));
    STICK_CHECK(ctx, asymmetry <= ROUND, STICK_BAD_INPUT,
                "inertia of a matrix of order %d that is not symmetric (by %.1e)", A->rows, asymmetry);
    return STICK_OK;
}

static StickStatus check_cholmod(StickContext *ctx, const Factors *F, int n)
{
    STICK_CHECK(ctx, F->common.status != CHOLMOD_OUT_OF_MEMORY && F->common.status != CHOLMOD_TOO_LARGE,
                STICK_NO_MEMORY, "no memory for the factors of a matrix of order %d", n);
    STICK_CHECK(ctx, F->L && F->common.status == CHOLMOD_OK && F->L->minor == F->L->n, STICK_NOT_SOLVED,
                "a matrix of order %d has a pivot of zero: it is singular, or its inertia is out of reach",
                n);
    return STICK_OK;
}

static StickStatus factor(StickContext *ctx, const StickSparse *A, int ordering, Factors *F)
{
    STICK_TRY(stick_cholmod_pattern_create(ctx, A, &F->pattern));
    cholmod_sparse view = stick_cholmod_upper(A, &F->pattern);
    F->common.supernodal = CHOLMOD_SIMPLICIAL;
    F->common.final_ll = 0;
    F->common.nmethods = 1;
    F->common.method[0].ordering = ordering;
    F->L = cholmod_l_analyze(&view, &F->common);
    if (F->L)
        cholmod_l_factorize(&view, F->L, &F->common);
    return check_cholmod(ctx, F, A->rows);
}

// ||A x - b|| over the size of its terms, for x by the factors.
static StickStatus measure(StickContext *ctx, const StickSparse *A, Factors *F, double *rest, double *error)
{
    int n = A->rows;
    StickRandom random = stick_random_seed(11);
    cholmod_dense b = {.nrow = (size_t)n,
                       .ncol = 1,
                       .nzmax = (size_t)n,
                       .d = (size_t)n,
                       .x = rest,
                       .xtype = CHOLMOD_REAL,
                       .dtype = CHOLMOD_DOUBLE};
    double *size = rest + n;
    for (int i = 0; i < n; i++)
        rest[i] = stick_random_uniform(&random, -1, 1);
    F->x = cholmod_l_solve(CHOLMOD_A, F->L, &b, &F->common);
    STICK_CHECK(ctx, F->x, STICK_NO_MEMORY, "no memory for a solve of order %d", n);
    const double *x = F->x->x;
    stick_sparse_multiply(A, -1, x, rest);
    for (int j = 0; j < n; j++)
        for (int k = A->start[j]; k < A->start[j + 1]; k++)
            size[A->row[k]] += fabs(A->value[k] * x[j]);
    *error = cblas_dnrm2(n, rest, 1) / cblas_dnrm2(n, size, 1);
    return STICK_OK;
}

static StickStatus check_sure(StickContext *ctx, const StickSparse *A, Factors *F)
{
    double *room, error;
    STICK_ALLOC(ctx, room, 2 * (size_t)A->rows);
    StickStatus status = measure(ctx, A, F, room, &error);
    stick_free(ctx, room);
    STICK_TRY(status);
    STICK_CHECK(ctx, error <= SURE, STICK_NOT_SOLVED,
                "the inertia of a matrix of order %d is not sure: its factors solve with an error of %.1e",
                A->rows, error);
    return STICK_OK;
}

static StickStatus count_signs(StickContext *ctx, const Factors *F, StickInertia *inertia)
{
    const SuiteSparse_long *start = F->L->p;
    const double *value = F->L->x;
    double least = INFINITY, most = 0;
    int negative = 0;
    for (size_t j = 0; j < F->L->n; j++) {
        double pivot = value[start[j]];
        negative += pivot < 0;
        least = fmin(least, fabs(pivot));
        most = fmax(most, fabs(pivot));
    }
    STICK_CHECK(ctx, least > SINGULAR * most, STICK_NOT_SOLVED,
                "a matrix of order %zu is singular: its pivots are between %.1e and %.1e", F->L->n, least,
                most);
    *inertia = (StickInertia){negative, (int)F->L->n - negative};
    return STICK_OK;
}

static StickStatus count_by(StickContext *ctx, const StickSparse *A, int ordering, StickInertia *inertia)
{
    Factors F = {0};
    cholmod_l_start(&F.common);
    F.common.print = 0;
    StickStatus status = factor(ctx, A, ordering, &F);
    if (status == STICK_OK)
        status = count_signs(ctx, &F, inertia);
    if (status == STICK_OK)
        status = check_sure(ctx, A, &F);
    cholmod_l_free_dense(&F.x, &F.common);
    cholmod_l_free_factor(&F.L, &F.common);
    cholmod_l_finish(&F.common);
    stick_cholmod_pattern_destroy(ctx, &F.pattern);
    return status;
}

StickStatus stick_inertia(StickContext *ctx, const StickSparse *A, StickInertia *inertia)
{
    // A pivot that vanishes in one order does not in another, if the matrix is regular.
    static const int orderings[] = {CHOLMOD_AMD, CHOLMOD_NATURAL, CHOLMOD_METIS};
    enum { NORDERINGS = sizeof orderings / sizeof *orderings };
    StickInertia counted = {0};
    STICK_TRY(check_matrix(ctx, A));
    StickContext *aside = stick_context_create(NULL);
    if (!aside)
        return stick_fail(ctx, STICK_NO_MEMORY, "no memory for an inertia");
    StickStatus status = A->rows > 0 ? STICK_NOT_SOLVED : STICK_OK;
    for (int k = 0; k < NORDERINGS && status == STICK_NOT_SOLVED; k++)
        status = count_by(aside, A, orderings[k], &counted);
    if (status == STICK_OK)
        *inertia = counted;
    else
        stick_fail(ctx, status, "%s", stick_last_error(aside));
    stick_context_destroy(aside);
    return status;
}
