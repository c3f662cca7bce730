// SPDX-License-Identifier: Apache-2.0
#include "stability/definite.h"

#include "base/diagnostic_filter.h"
#include "base/memory.h"
#include "linalg/arnoldi.h"
#include "linalg/factor.h"
#include "linalg/sparse_product.h"

#include <cblas.h>
#include <complex.h>
#include <math.h>
#include <string.h>

enum {
    DENSE = 200,   // orders up to which all is dense
    NEARBY = 4,    // requested eigenvalues, of which the smallest counts
    ATTEMPTS = 6,  // to find the smallest one
    HALVINGS = 5,  // of the bound, from one attempt to the next
    RESTARTS = 20, // of an attempt
};
static const double NEAR = 1e-6;   // of the size: first shift below zero
static const double PROVED = 1e-8; // of the size: below an eigenvalue
static const double BLUR = 1e-12;  // of the row sums: what rounding may change

static void add_row_sums(const StickSparse *A, double *sum)
{
    for (int j = 0; j < A->cols; j++)
        for (int k = A->start[j]; k < A->start[j + 1]; k++)
            sum[A->row[k]] += fabs(A->value[k]);
}

StickStatus stick_definite_size(StickContext *ctx, const StickSparse *A, double *size)
{
    double *sum;
    STICK_ALLOC(ctx, sum, A->rows);
    add_row_sums(A, sum);
    double largest = 0;
    for (int i = 0; i < A->rows; i++)
        largest = fmax(largest, sum[i]);
    stick_free(ctx, sum);
    *size = largest;
    return STICK_OK;
}

static StickStatus shifted(StickContext *ctx, const StickSparse *A, double shift, StickSparse *B)
{
    StickSparse unit;
    STICK_TRY(stick_sparse_identity(ctx, A->rows, &unit));
    StickStatus status = stick_sparse_sum(ctx, 1, A, -shift, &unit, B);
    stick_sparse_destroy(ctx, &unit);
    return status;
}

static StickStatus factor(StickContext *ctx, const StickSparse *A)
{
    StickFactor *F;
    STICK_TRY(stick_factor_create(ctx, A, &F));
    StickStatus status = stick_factor_refactor(F, A);
    stick_factor_destroy(F);
    return status;
}

static StickStatus has_factor(StickContext *ctx, const StickSparse *A, bool *has)
{
    StickContext *quiet = stick_diagnostic_filter_create(ctx);
    if (!quiet)
        return STICK_NO_MEMORY;
    StickStatus status = factor(quiet, A);
    stick_context_destroy(quiet);
    STICK_CHECK(ctx, status == STICK_OK || status == STICK_NOT_SOLVED, status,
                "a matrix of order %d could not be factored", A->rows);
    *has = status == STICK_OK;
    return STICK_OK;
}

StickStatus stick_definite_above(StickContext *ctx, const StickSparse *A, double shift, bool *above)
{
    StickSparse B;
    STICK_TRY(shifted(ctx, A, shift, &B));
    StickStatus status = has_factor(ctx, &B, above);
    stick_sparse_destroy(ctx, &B);
    return status;
}

// Whether A + part D is positive definite, D a diagonal matrix
static StickStatus is_above_part(StickContext *ctx, const StickSparse *A, double part, const StickSparse *D,
                                 bool *above)
{
    StickSparse B;
    STICK_TRY(stick_sparse_sum(ctx, 1, A, part, D, &B));
    StickStatus status = has_factor(ctx, &B, above);
    stick_sparse_destroy(ctx, &B);
    return status;
}

StickStatus stick_definite_sign(StickContext *ctx, const StickSparse *A, StickSign *sign)
{
    StickSparse D;
    bool positive = false, negative = true;
    STICK_TRY(stick_sparse_identity(ctx, A->rows, &D));
    memset(D.value, 0, (size_t)A->rows * sizeof *D.value);
    add_row_sums(A, D.value);
    // A row of zeros is a motion that nothing resists.
    bool empty = false;
    for (int i = 0; i < A->rows; i++)
        if (D.value[i] == 0) {
            empty = true;
            D.value[i] = 1;
        }
    StickStatus status = empty ? STICK_OK : is_above_part(ctx, A, -BLUR, &D, &positive);
    if (status == STICK_OK && !positive) {
        bool above;
        status = is_above_part(ctx, A, BLUR, &D, &above);
        negative = status == STICK_OK && !above;
    }
    stick_sparse_destroy(ctx, &D);
    if (status == STICK_OK)
        *sign = positive ? STICK_POSITIVE_DEFINITE : negative ? STICK_INDEFINITE : STICK_SEMIDEFINITE;
    return status;
}

// ---- the smallest eigenvalue

static void take_smallest(const StickEigen *eigen, double *value, double *vector)
{
    int n = eigen->n;
    *value = creal(eigen->value[0]);
    for (int i = 0; i < n; i++)
        vector[i] = creal(eigen->vector[i]);
    cblas_dscal(n, 1 / cblas_dnrm2(n, vector, 1), vector, 1);
}

static StickStatus smallest_dense(StickContext *ctx, const StickSparse *A, double *value, double *vector)
{
    double *dense;
    StickEigen eigen;
    STICK_ALLOC(ctx, dense, (size_t)A->rows * (size_t)A->rows);
    stick_eigen_fill(A, dense);
    StickStatus status = stick_eigen_symmetric(ctx, A->rows, dense, 1, &eigen);
    stick_free(ctx, dense);
    STICK_TRY(status);
    take_smallest(&eigen, value, vector);
    stick_eigen_destroy(ctx, &eigen);
    return STICK_OK;
}

// A shift below all eigenvalues, not far from them: -1, -4, -16 ... millionths of the size.
static StickStatus shift_below(StickContext *ctx, const StickSparse *A, double size, double *shift)
{
    bool below = false;
    for (*shift = -NEAR * size; !below; *shift *= below ? 1 : 4) {
        STICK_TRY(stick_definite_above(ctx, A, *shift, &below));
        STICK_CHECK(ctx, below || *shift >= -4 * size, STICK_NOT_SOLVED,
                    "the eigenvalues of a matrix of order %d have no bound", A->rows);
    }
    return STICK_OK;
}

// Least diagonal entry: no smaller than the smallest eigenvalue.
static double least_diagonal(const StickSparse *A)
{
    double least = INFINITY;
    for (int j = 0; j < A->cols; j++) {
        int place = stick_sparse_find(A, j, j);
        least = fmin(least, place < 0 ? 0 : A->value[place]);
    }
    return least;
}

static StickStatus narrow(StickContext *ctx, const StickSparse *A, double *low, double *high)
{
    for (int k = 0; k < HALVINGS; k++) {
        double middle = *low + (*high - *low) / 2;
        bool above;
        STICK_TRY(stick_definite_above(ctx, A, middle, &above));
        *(above ? low : high) = middle;
    }
    return STICK_OK;
}

static StickStatus smallest_near(StickContext *ctx, const StickSparse *A, const StickSparse *unit,
                                 double shift, double *value, double *vector)
{
    StickArnoldi *arnoldi;
    StickArnoldiOptions options = stick_arnoldi_default();
    StickArnoldiReport report;
    StickEigen eigen;
    options.krylov.count = NEARBY;
    options.krylov.restarts = RESTARTS;
    STICK_TRY(stick_arnoldi_create(ctx, A, NULL, unit, &arnoldi));
    StickStatus status = stick_arnoldi_nearest(arnoldi, shift, &options, &eigen, &report);
    stick_arnoldi_destroy(arnoldi);
    STICK_TRY(status);
    take_smallest(&eigen, value, vector);
    stick_eigen_destroy(ctx, &eigen);
    return STICK_OK;
}

// Searches from a shift that may be too far below a dense row of eigenvalues; sets `found`.
static StickStatus try_near(StickContext *ctx, const StickSparse *A, const StickSparse *unit, double shift,
                            bool *found, double *value, double *vector)
{
    StickContext *quiet = stick_diagnostic_filter_create(ctx);
    if (!quiet)
        return STICK_NO_MEMORY;
    StickStatus status = smallest_near(quiet, A, unit, shift, value, vector);
    stick_context_destroy(quiet);
    STICK_CHECK(ctx, status == STICK_OK || status == STICK_NOT_SOLVED, status,
                "the eigenvalues of a matrix of order %d near %g could not be found", A->rows, shift);
    *found = status == STICK_OK;
    return STICK_OK;
}

// The shift approaches from below until the eigenvalues nearest to it are well separated.
static StickStatus smallest_sparse(StickContext *ctx, const StickSparse *A, const StickSparse *unit,
                                   double *value, double *vector)
{
    double size, low, high = least_diagonal(A);
    bool found = false;
    STICK_TRY(stick_definite_size(ctx, A, &size));
    STICK_TRY(shift_below(ctx, A, size, &low));
    for (int attempt = 0; attempt < ATTEMPTS && !found; attempt++) {
        double shift = attempt == 0 ? low : low - (high - low) / 8;
        STICK_TRY(try_near(ctx, A, unit, shift, &found, value, vector));
        if (found)
            STICK_TRY(stick_definite_above(ctx, A, *value - PROVED * size, &found));
        if (!found)
            STICK_TRY(narrow(ctx, A, &low, &high));
    }
    STICK_CHECK(ctx, found, STICK_NOT_SOLVED,
                "the smallest eigenvalue of a matrix of order %d, between %g and %g, was not found", A->rows,
                low, high);
    return STICK_OK;
}

StickStatus stick_definite_smallest(StickContext *ctx, const StickSparse *A, double *value, double *vector)
{
    StickSparse unit;
    if (A->rows <= DENSE)
        return smallest_dense(ctx, A, value, vector);
    STICK_TRY(stick_sparse_identity(ctx, A->rows, &unit));
    StickStatus status = smallest_sparse(ctx, A, &unit, value, vector);
    stick_sparse_destroy(ctx, &unit);
    return status;
}
