// SPDX-License-Identifier: Apache-2.0
#include "linalg/lu.h"

#include "base/memory.h"

#include <assert.h>
#include <complex.h>
#include <math.h>
#include <suitesparse/umfpack.h>

static const double SINGULAR = 1e-15; // ratio of pivots below which nothing is left of a solution

enum { LARGE = 20000 };

struct StickLu {
    StickContext *ctx;
    const StickSparse *A; // pattern
    const char *name;
    bool is_complex;
    SuiteSparse_long *start,
        *row; // of A, with 64 bits: factors of large matrices in space have more than 2^31 numbers
    void *symbolic, *numeric;
    const double *value;        // of the factored matrix; complex numbers as pairs
    double *reals;              // 5 n, complex 10 n, and
    SuiteSparse_long *integers; // n: work space of a solve with refinement
    double control[UMFPACK_CONTROL];
    double most_bytes; // that the factors may need, by the analysis of their pattern; 0: unknown
    StickLuReport report;
};

static StickStatus create(StickContext *ctx, const StickSparse *A, const char *name, bool is_complex,
                          StickLu **created)
{
    STICK_CHECK(ctx, A->rows == A->cols, STICK_USAGE, "%s, %d x %d, is not square", name, A->rows, A->cols);
    StickLu *lu;
    STICK_ALLOC(ctx, lu, 1);
    *lu = (StickLu){.ctx = ctx, .A = A, .name = name, .is_complex = is_complex};
    lu->reals = stick_alloc(ctx, (is_complex ? 10 : 5) * (size_t)A->rows, sizeof *lu->reals);
    lu->integers = stick_alloc(ctx, (size_t)A->rows, sizeof *lu->integers);
    lu->start = stick_alloc(ctx, (size_t)A->cols + 1, sizeof *lu->start);
    lu->row = stick_alloc(ctx, (size_t)A->start[A->cols], sizeof *lu->row);
    if (!lu->reals || !lu->integers || !lu->start || !lu->row) {
        stick_lu_destroy(lu);
        return STICK_NO_MEMORY;
    }
    for (int j = 0; j <= A->cols; j++)
        lu->start[j] = A->start[j];
    for (int k = 0; k < A->start[A->cols]; k++)
        lu->row[k] = A->row[k];
    if (is_complex)
        umfpack_zl_defaults(lu->control);
    else
        umfpack_dl_defaults(lu->control);
    // factors of large meshes in space are far smaller by nested dissection
    if (A->rows >= LARGE)
        lu->control[UMFPACK_ORDERING] = UMFPACK_ORDERING_METIS;
    *created = lu;
    return STICK_OK;
}

StickStatus stick_lu_create(StickContext *ctx, const StickSparse *A, const char *name, StickLu **lu)
{
    return create(ctx, A, name, false, lu);
}

StickStatus stick_lu_create_complex(StickContext *ctx, const StickSparse *A, const char *name, StickLu **lu)
{
    return create(ctx, A, name, true, lu);
}

static void drop_numeric(StickLu *lu)
{
    if (lu->numeric && lu->is_complex)
        umfpack_zl_free_numeric(&lu->numeric);
    else if (lu->numeric)
        umfpack_dl_free_numeric(&lu->numeric);
    lu->numeric = NULL;
}

void stick_lu_destroy(StickLu *lu)
{
    if (!lu)
        return;
    drop_numeric(lu);
    if (lu->symbolic && lu->is_complex)
        umfpack_zl_free_symbolic(&lu->symbolic);
    else if (lu->symbolic)
        umfpack_dl_free_symbolic(&lu->symbolic);
    stick_free(lu->ctx, lu->reals);
    stick_free(lu->ctx, lu->integers);
    stick_free(lu->ctx, lu->start);
    stick_free(lu->ctx, lu->row);
    stick_free(lu->ctx, lu);
}

static StickStatus check_result(const StickLu *lu, int result)
{
    int n = lu->A->rows;
    if (result == UMFPACK_ERROR_out_of_memory && lu->most_bytes > 0)
        return stick_fail(lu->ctx, STICK_NO_MEMORY,
                          "no memory for the factors of %s, of order %d: they need up to %.2g GB", lu->name,
                          n, lu->most_bytes / 1e9);
    STICK_CHECK(lu->ctx, result != UMFPACK_ERROR_out_of_memory, STICK_NO_MEMORY,
                "no memory for the factors of %s, of order %d", lu->name, n);
    STICK_CHECK(lu->ctx, result != UMFPACK_WARNING_singular_matrix, STICK_NOT_SOLVED,
                "%s, of order %d, is singular", lu->name, n);
    STICK_CHECK(lu->ctx, result == UMFPACK_OK, STICK_INTERNAL,
                "factors of %s, of order %d, failed (UMFPACK %d)", lu->name, n, result);
    return STICK_OK;
}

static StickStatus check_finite(const StickLu *lu, const double *value, int parts)
{
    const StickSparse *A = lu->A;
    for (int j = 0; j < A->cols; j++)
        for (int k = parts * A->start[j]; k < parts * A->start[j + 1]; k++)
            STICK_CHECK(lu->ctx, isfinite(value[k]), STICK_BAD_INPUT, "entry (%d, %d) of %s is %g",
                        A->row[k / parts] + 1, j + 1, lu->name, value[k]);
    return STICK_OK;
}

static int run_umfpack(StickLu *lu, double *info)
{
    const StickSparse *A = lu->A;
    int result = UMFPACK_OK;
    // The first values show which diagonal entries are there.
    if (!lu->symbolic && lu->is_complex)
        result = umfpack_zl_symbolic(A->rows, A->cols, lu->start, lu->row, lu->value, NULL, &lu->symbolic,
                                     lu->control, info);
    else if (!lu->symbolic)
        result = umfpack_dl_symbolic(A->rows, A->cols, lu->start, lu->row, lu->value, &lu->symbolic,
                                     lu->control, info);
    if (result != UMFPACK_OK)
        return result;
    if (info[UMFPACK_PEAK_MEMORY_ESTIMATE] > 0)
        lu->most_bytes = info[UMFPACK_PEAK_MEMORY_ESTIMATE] * info[UMFPACK_SIZE_OF_UNIT];
    return lu->is_complex ? umfpack_zl_numeric(lu->start, lu->row, lu->value, NULL, lu->symbolic,
                                               &lu->numeric, lu->control, info)
                          : umfpack_dl_numeric(lu->start, lu->row, lu->value, lu->symbolic, &lu->numeric,
                                               lu->control, info);
}

static StickStatus factor(StickLu *lu, const double *value)
{
    drop_numeric(lu);
    lu->report = (StickLuReport){.rcond = 1};
    if (lu->A->rows == 0)
        return STICK_OK;
    STICK_TRY(check_finite(lu, value, lu->is_complex ? 2 : 1));
    double info[UMFPACK_INFO] = {0};
    lu->value = value;
    int result = run_umfpack(lu, info);
    if (result == UMFPACK_OK && !(info[UMFPACK_RCOND] >= SINGULAR))
        result = UMFPACK_WARNING_singular_matrix;
    if (result != UMFPACK_OK)
        drop_numeric(lu);
    STICK_TRY(check_result(lu, result));
    lu->report = (StickLuReport){
        .rcond = info[UMFPACK_RCOND],
        .entries = info[UMFPACK_LNZ] + info[UMFPACK_UNZ],
        .bytes = info[UMFPACK_NUMERIC_SIZE] * info[UMFPACK_SIZE_OF_UNIT],
        .flops = info[UMFPACK_FLOPS],
    };
    return STICK_OK;
}

StickStatus stick_lu_factor(StickLu *lu, const double *value)
{
    assert(!lu->is_complex);
    return factor(lu, value);
}

StickStatus stick_lu_factor_complex(StickLu *lu, const double complex *value)
{
    assert(lu->is_complex);
    return factor(lu, (const double *)value);
}

void stick_lu_refine(StickLu *lu, int steps)
{
    lu->control[UMFPACK_IRSTEP] = steps;
}

static StickStatus check_factored(const StickLu *lu)
{
    STICK_CHECK(lu->ctx, lu->numeric, STICK_USAGE, "%s has no factors to solve with", lu->name);
    return STICK_OK;
}

StickStatus stick_lu_solve(StickLu *lu, const double *b, double *x)
{
    const StickSparse *A = lu->A;
    assert(!lu->is_complex);
    if (A->rows == 0)
        return STICK_OK;
    STICK_TRY(check_factored(lu));
    return check_result(lu, umfpack_dl_wsolve(UMFPACK_A, lu->start, lu->row, lu->value, x, b, lu->numeric,
                                              lu->control, NULL, lu->integers, lu->reals));
}

StickStatus stick_lu_solve_complex(StickLu *lu, const double complex *b, double complex *x)
{
    const StickSparse *A = lu->A;
    assert(lu->is_complex);
    if (A->rows == 0)
        return STICK_OK;
    STICK_TRY(check_factored(lu));
    int result =
        umfpack_zl_wsolve(UMFPACK_A, lu->start, lu->row, lu->value, NULL, (double *)x, NULL,
                          (const double *)b, NULL, lu->numeric, lu->control, NULL, lu->integers, lu->reals);
    return check_result(lu, result);
}

StickLuReport stick_lu_report(const StickLu *lu)
{
    return lu->report;
}

StickStatus stick_lu_determinant(StickLu *lu, StickDeterminant *determinant)
{
    double mantissa[2] = {1, 0}, exponent = 0;
    if (lu->A->rows > 0) {
        STICK_TRY(check_factored(lu));
        STICK_TRY(check_result(
            lu, lu->is_complex ? umfpack_zl_get_determinant(mantissa, NULL, &exponent, lu->numeric, NULL)
                               : umfpack_dl_get_determinant(mantissa, &exponent, lu->numeric, NULL)));
    }
    *determinant = (StickDeterminant){mantissa[0] + mantissa[1] * I, exponent};
    return STICK_OK;
}
