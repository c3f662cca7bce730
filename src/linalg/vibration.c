// SPDX-License-Identifier: Apache-2.0
#include "linalg/vibration.h"

#include "base/diagnostic_filter.h"
#include "base/memory.h"
#include "linalg/eigen.h"
#include "linalg/inertia.h"
#include "linalg/lanczos.h"
#include "linalg/sparse_product.h"

#include <cblas.h>
#include <complex.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

enum { DENSE = 300, NUDGES = 4 };
static const double NUDGE = 1e-9; // of a bound: where K - s M cannot be judged
static const double BELOW = 1e-6; // of a value: how far below it a proof stands
static const double NEAR =
    0.1; // of a bound: the shift, which lies between these parts of a typical K_ii / M_ii
static const double LEAST = 1e-9, MOST = 1e-3, COMMON = 1e-6;
static const double CHEAP = 2e9; // products of an elimination that may be spent on a proof

void stick_vibration_destroy(StickContext *ctx, StickVibration *vibration)
{
    stick_free(ctx, vibration->value);
    stick_free(ctx, vibration->vector);
    *vibration = (StickVibration){0};
}

StickStatus stick_vibration_create(StickContext *ctx, int n, int count, StickVibration *vibration)
{
    *vibration = (StickVibration){.n = n, .count = count};
    vibration->value = stick_alloc(ctx, (size_t)count, sizeof(double));
    vibration->vector = stick_alloc(ctx, (size_t)n * (size_t)count, sizeof(double));
    if (vibration->value && vibration->vector)
        return STICK_OK;
    stick_vibration_destroy(ctx, vibration);
    return STICK_NO_MEMORY;
}

// What lies beyond the bound is dropped.
static void cut(double below, StickVibration *vibration)
{
    while (vibration->count > 0 && vibration->value[vibration->count - 1] > below)
        vibration->count--;
}

// ---- small matrices: all at once

typedef struct Dense {
    int n;
    double *K, *U, *Y; // n x n, n x n, n x nknown
} Dense;

// K = U^-T K U^-1 with M = U'U. Known null vectors are shifted above all other eigenvalues: K += 2 ||K|| Y Y', Y = U
// known.
static StickStatus make_standard(StickContext *ctx, const StickVibrationWish *wish, Dense *dense)
{
    int n = dense->n;
    double norm = 0;
    STICK_CHECK(ctx, LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'U', n, dense->U, n) == 0, STICK_NOT_SOLVED,
                "a mass matrix of order %d is not positive definite", n);
    int info = LAPACKE_dsygst_work(LAPACK_COL_MAJOR, 1, 'U', n, dense->K, n, dense->U, n);
    STICK_CHECK(ctx, info == 0, STICK_INTERNAL, "dsygst: argument %d is wrong", -info);
    for (int j = 0; j < n; j++)
        for (int i = 0; i <= j; i++)
            norm = hypot(norm, dense->K[(size_t)j * (size_t)n + (size_t)i] * (i < j ? sqrt(2) : 1));
    if (wish->nknown == 0)
        return STICK_OK;
    memcpy(dense->Y, wish->known, (size_t)n * (size_t)wish->nknown * sizeof *dense->Y);
    cblas_dtrmm(CblasColMajor, CblasLeft, CblasUpper, CblasNoTrans, CblasNonUnit, n, wish->nknown, 1,
                dense->U, n, dense->Y, n);
    cblas_dsyrk(CblasColMajor, CblasUpper, CblasNoTrans, n, wish->nknown, 2 * norm, dense->Y, n, 1, dense->K,
                n);
    return STICK_OK;
}

// x = U^-1 y of length 1, orthogonalised against the known null vectors.
static void take_vector(const Dense *dense, const StickVibrationWish *wish, const double complex *y,
                        double *x)
{
    int n = dense->n;
    for (int i = 0; i < n; i++)
        x[i] = creal(y[i]);
    for (int k = 0; k < wish->nknown; k++) {
        const double *known = dense->Y + (size_t)k * (size_t)n;
        cblas_daxpy(n, -cblas_ddot(n, known, 1, x, 1), known, 1, x, 1);
    }
    cblas_dscal(n, 1 / cblas_dnrm2(n, x, 1), x, 1);
    cblas_dtrsv(CblasColMajor, CblasUpper, CblasNoTrans, CblasNonUnit, n, dense->U, n, x, 1);
}

static StickStatus solve_dense(StickContext *ctx, const StickVibrationWish *wish, int count, Dense *dense,
                               StickVibration *vibration)
{
    StickEigen eigen;
    int n = dense->n;
    STICK_TRY(make_standard(ctx, wish, dense));
    STICK_TRY(stick_eigen_symmetric(ctx, n, dense->K, count, &eigen));
    StickStatus status = stick_vibration_create(ctx, n, count, vibration);
    for (int k = 0; status == STICK_OK && k < count; k++) {
        vibration->value[k] = creal(eigen.value[k]);
        take_vector(dense, wish, eigen.vector + (size_t)k * (size_t)n,
                    vibration->vector + (size_t)k * (size_t)n);
    }
    stick_eigen_destroy(ctx, &eigen);
    return status;
}

static StickStatus find_dense(StickContext *ctx, const StickSparse *K, const StickSparse *M,
                              const StickVibrationWish *wish, StickVibration *vibration)
{
    int n = K->rows, most = n - wish->nknown;
    size_t square = (size_t)n * (size_t)n;
    Dense dense = {.n = n};
    dense.K = stick_alloc(ctx, square, sizeof(double));
    dense.U = stick_alloc(ctx, square, sizeof(double));
    dense.Y = stick_alloc(ctx, (size_t)n * (size_t)wish->nknown, sizeof(double));
    StickStatus status = dense.K && dense.U && dense.Y ? STICK_OK : STICK_NO_MEMORY;
    if (status == STICK_OK) {
        stick_eigen_fill(K, dense.K);
        stick_eigen_fill(M, dense.U);
        status = solve_dense(ctx, wish, wish->count < most ? wish->count : most, &dense, vibration);
    }
    stick_free(ctx, dense.K);
    stick_free(ctx, dense.U);
    stick_free(ctx, dense.Y);
    return status;
}

// ---- how many there are

static StickStatus try_count(StickContext *ctx, const StickSparse *K, const StickSparse *M, double s,
                             int *count)
{
    StickSparse P;
    StickInertia inertia;
    STICK_TRY(stick_sparse_sum(ctx, 1, K, -s, M, &P));
    StickStatus status = stick_inertia(ctx, &P, &inertia);
    stick_sparse_destroy(ctx, &P);
    if (status == STICK_OK)
        *count = inertia.negative;
    return status;
}

// Values below s, known ones with them; s that is a value but for rounding is moved by a little.
static StickStatus count_below(StickContext *ctx, const StickSparse *K, const StickSparse *M, double s,
                               int *count)
{
    StickContext *quiet = stick_diagnostic_filter_create(ctx);
    if (!quiet)
        return STICK_NO_MEMORY;
    StickStatus status = STICK_NOT_SOLVED;
    for (int k = 0; k < NUDGES && status == STICK_NOT_SOLVED; k++)
        status = try_count(quiet, K, M, s * (1 + NUDGE * (pow(10, k) - 1)), count);
    stick_context_destroy(quiet);
    STICK_CHECK(
        ctx, status == STICK_OK, status,
        "how many vibrations of a matrix of order %d have squares of angular frequencies below %g could "
        "not be counted",
        K->rows, s);
    return STICK_OK;
}

// ---- large matrices

static double mean_ratio(const StickSparse *K, const StickSparse *M)
{
    double stiffness = 0, mass = 0;
    for (int j = 0; j < K->cols; j++) {
        int k = stick_sparse_find(K, j, j), m = stick_sparse_find(M, j, j);
        stiffness += k >= 0 ? K->value[k] : 0;
        mass += m >= 0 ? M->value[m] : 0;
    }
    return stiffness / mass;
}

static StickStatus run_lanczos(StickContext *ctx, const StickSparse *A, StickLanczosProblem problem,
                               const StickVibrationWish *wish, StickVibration *vibration, double *cost)
{
    STICK_TRY(stick_factor_create(ctx, A, &problem.factor));
    StickStatus status = stick_factor_refactor(problem.factor, A);
    if (status == STICK_OK)
        status = stick_lanczos_find(ctx, &problem, wish, vibration);
    if (status == STICK_OK)
        *cost = pow(stick_factor_entries(problem.factor), 2) / A->rows;
    stick_factor_destroy(problem.factor);
    return status;
}

// cost: of an elimination
static StickStatus find_lowest(StickContext *ctx, const StickSparse *K, const StickSparse *M,
                               const StickVibrationWish *wish, StickVibration *vibration, double *cost)
{
    double ratio = mean_ratio(K, M), shift = COMMON * ratio;
    StickSparse A;
    if (isfinite(wish->below))
        shift = fmin(fmax(NEAR * wish->below, LEAST * ratio), MOST * ratio);
    StickLanczosProblem problem = {.M = M, .shift = shift};
    STICK_TRY(stick_sparse_sum(ctx, 1, K, shift, M, &A));
    StickStatus status = run_lanczos(ctx, &A, problem, wish, vibration, cost);
    stick_sparse_destroy(ctx, &A);
    return status;
}

// Proves that below the last one there are no others than those found.
static StickStatus prove(StickContext *ctx, const StickSparse *K, const StickSparse *M,
                         const StickVibrationWish *wish, const StickVibration *vibration)
{
    double s = vibration->value[vibration->count - 1] * (1 - BELOW);
    int there, found = wish->nknown;
    if (!(s > LEAST * COMMON * mean_ratio(K, M))) // nothing lies below zero
        return STICK_OK;
    for (int k = 0; k < vibration->count; k++)
        found += vibration->value[k] < s;
    STICK_TRY(count_below(ctx, K, M, s, &there));
    STICK_CHECK(ctx, there == found, STICK_NOT_SOLVED,
                "of %d vibrations of a matrix of order %d only %d have been found", there, K->rows, found);
    return STICK_OK;
}

// Counts the eigenvalues below a bound if that is cheap.
static StickStatus count_small(StickContext *ctx, const StickSparse *K, const StickSparse *M,
                               const StickVibrationWish *wish, int *count)
{
    *count = wish->count;
    if (!isfinite(wish->below))
        return STICK_OK;
    int below;
    STICK_TRY(count_below(ctx, K, M, wish->below, &below));
    below -= wish->nknown;
    *count = below < wish->count ? below : wish->count;
    return STICK_OK;
}

static StickStatus find_large(StickContext *ctx, const StickSparse *K, const StickSparse *M,
                              const StickVibrationWish *wish, StickVibration *vibration)
{
    int n = K->rows, most = n / 4 < STICK_VIBRATION_MOST ? n / 4 : STICK_VIBRATION_MOST;
    StickVibrationWish some = *wish;
    double cost = 0;
    STICK_CHECK(ctx, isfinite(wish->below) || wish->count <= most, STICK_BAD_INPUT,
                "%d vibrations of %d degrees of freedom are too many: %d at most", wish->count, n, most);
    some.count = wish->count <= most ? wish->count : most + 1;
    STICK_TRY(find_lowest(ctx, K, M, &some, vibration, &cost));
    StickStatus status = STICK_OK;
    if (vibration->count > most)
        status = stick_fail(ctx, STICK_BAD_INPUT,
                            "more than %d vibrations of %d degrees of freedom lie below the bound: too many",
                            most, n);
    else if (cost <= CHEAP)
        status = prove(ctx, K, M, wish, vibration);
    if (status != STICK_OK)
        stick_vibration_destroy(ctx, vibration);
    return status;
}

static StickStatus find_sparse(StickContext *ctx, const StickSparse *K, const StickSparse *M,
                               const StickVibrationWish *wish, StickVibration *vibration)
{
    int count = wish->count;
    if (K->rows <= STICK_VIBRATION_ALL)
        STICK_TRY(count_small(ctx, K, M, wish, &count));
    if (K->rows <= STICK_VIBRATION_ALL && 4 * count > K->rows)
        return find_dense(ctx, K, M, wish, vibration);
    return find_large(ctx, K, M, wish, vibration);
}

StickStatus stick_vibration_find(StickContext *ctx, const StickSparse *K, const StickSparse *M,
                                 const StickVibrationWish *wish, StickVibration *vibration, double *lowest)
{
    StickVibration found;
    if (K->rows <= wish->nknown || wish->count <= 0) {
        STICK_TRY(stick_vibration_create(ctx, K->rows, 0, vibration));
        return STICK_OK;
    }
    if (K->rows <= DENSE)
        STICK_TRY(find_dense(ctx, K, M, wish, &found));
    else
        STICK_TRY(find_sparse(ctx, K, M, wish, &found));
    if (lowest && found.count > 0)
        *lowest = found.value[0];
    cut(wish->below, &found);
    *vibration = found;
    return STICK_OK;
}
