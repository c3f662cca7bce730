// SPDX-License-Identifier: Apache-2.0
#include "stability/eigenvalue_error.h"

#include "base/diagnostic_filter.h"
#include "base/memory.h"
#include "linalg/pencil.h"

#include <cblas.h>
#include <complex.h>
#include <float.h>
#include <math.h>
#include <string.h>

enum { TERMS = 3, SOLVES = 2, TRIES = 4 };
static const double FEW = 8; // eps: rounding of the sums that entries are
static const double ASIDE =
    1e-14; // of the size of eigenvalues: offset from a shift that cannot be factored ...
static const double FARTHER = 1000; // ... and factor for the next attempt

struct StickEigenvalueError {
    StickContext *ctx;
    StickContext *quiet; // of tries that may fail
    int n, nterms;
    const StickSparse *term[TERMS]; // of s^0, s^1, s^2
    double sign[TERMS];
    double size;       // of eigenvalues
    StickPencil *left; // of the transposed matrices
    double complex *y, *b;
};

// ---- left vectors

static double largest_entry(const StickSparse *A)
{
    double largest = 0;
    for (int k = 0; k < A->start[A->cols]; k++)
        largest = fmax(largest, fabs(A->value[k]));
    return largest;
}

static StickStatus make_left(StickEigenvalueError *noise)
{
    StickSparse transposed[TERMS] = {{0}};
    StickStatus status = STICK_OK;
    for (int t = 0; t < noise->nterms && status == STICK_OK; t++)
        status = stick_sparse_transpose(noise->ctx, noise->term[t], &transposed[t]);
    if (status == STICK_OK)
        status = stick_pencil_create(noise->quiet, &transposed[0], noise->nterms == 3 ? &transposed[1] : NULL,
                                     &transposed[noise->nterms - 1], &noise->left);
    for (int t = 0; t < noise->nterms; t++)
        stick_sparse_destroy(noise->ctx, &transposed[t]);
    return status;
}

StickStatus stick_eigenvalue_error_create(StickContext *ctx, const StickSparse *K, const StickSparse *C,
                                          const StickSparse *M, StickEigenvalueError **created)
{
    StickEigenvalueError *noise;
    STICK_ALLOC(ctx, noise, 1);
    *noise = (StickEigenvalueError){
        .ctx = ctx, .n = K->rows, .nterms = C ? 3 : 2, .term = {K, C ? C : M, M}, .sign = {1, C ? 1 : -1, 1}};
    double k = largest_entry(K), m = largest_entry(M), ratio = k > 0 && m > 0 ? k / m : 1;
    noise->size = C ? sqrt(ratio) : ratio;
    noise->quiet = stick_diagnostic_filter_create(ctx);
    StickStatus status = noise->quiet ? make_left(noise) : STICK_NO_MEMORY;
    noise->y = stick_alloc(ctx, (size_t)noise->n, sizeof *noise->y);
    noise->b = stick_alloc(ctx, (size_t)noise->n, sizeof *noise->b);
    if (status == STICK_OK && (!noise->y || !noise->b))
        status = STICK_NO_MEMORY;
    if (status == STICK_OK)
        *created = noise;
    else
        stick_eigenvalue_error_destroy(noise);
    return status;
}

void stick_eigenvalue_error_destroy(StickEigenvalueError *noise)
{
    if (!noise)
        return;
    stick_pencil_destroy(noise->left);
    stick_context_destroy(noise->quiet);
    stick_free(noise->ctx, noise->y);
    stick_free(noise->ctx, noise->b);
    stick_free(noise->ctx, noise);
}

// The factorisation fails at an eigenvalue that is exact to the last digit: a nearby shift has the same vector.
static StickStatus factor_beside(StickEigenvalueError *noise, double complex s)
{
    StickStatus status = stick_pencil_factor(noise->left, s);
    double aside = ASIDE * noise->size;
    for (int k = 1; k < TRIES && status == STICK_NOT_SOLVED; k++, aside *= FARTHER)
        status = stick_pencil_factor(noise->left, s + aside);
    return status;
}

// Inverse iteration from M' x: of a symmetric problem with several vectors for one eigenvalue that is x again.
static StickStatus find_left(StickEigenvalueError *noise, double complex s, const double complex *x)
{
    int n = noise->n;
    STICK_TRY(factor_beside(noise, conj(s)));
    memcpy(noise->y, x, (size_t)n * sizeof *x);
    const StickSparse *M = noise->term[noise->nterms - 1];
    for (int step = 0; step < SOLVES; step++) {
        for (int j = 0; j < n; j++) {
            noise->b[j] = 0;
            for (int k = M->start[j]; k < M->start[j + 1]; k++)
                noise->b[j] += M->value[k] * noise->y[M->row[k]];
        }
        STICK_TRY(stick_pencil_solve(noise->left, noise->b, noise->y));
        double size = cblas_dznrm2(n, noise->y, 1);
        STICK_CHECK(noise->ctx, isfinite(size) && size > 0, STICK_NOT_SOLVED,
                    "eigenvalue %g %+g i has no left vector", creal(s), cimag(s));
        for (int i = 0; i < n; i++)
            noise->y[i] /= size;
    }
    return STICK_OK;
}

// ---- forms

typedef struct Form {
    double complex value; // y' A x
    double size;          // |y|' |A| |x|
} Form;

static Form form_of(const StickSparse *A, const double complex *y, const double complex *x)
{
    Form form = {0, 0};
    for (int j = 0; j < A->cols; j++) {
        double complex sum = 0;
        double size = 0;
        for (int k = A->start[j]; k < A->start[j + 1]; k++) {
            sum += A->value[k] * conj(y[A->row[k]]);
            size += fabs(A->value[k]) * cabs(y[A->row[k]]);
        }
        form.value += sum * x[j];
        form.size += size * cabs(x[j]);
    }
    return form;
}

static bool is_rounding(const Form *form)
{
    return cabs(form->value) <= FEW * DBL_EPSILON * form->size;
}

// Without stiffness y' P x has the roots 0 and -c/m: the second one is a motion that damping or friction drives.
static bool is_neutral(const StickEigenvalueError *noise, double complex s, const Form *form)
{
    if (!is_rounding(&form[0]))
        return false;
    if (noise->nterms == 2 || is_rounding(&form[1]))
        return true;
    return 2 * cabs(form[2].value * s) <= cabs(form[2].value * s + form[1].value);
}

static StickEigenvalueErrorReport judge(const StickEigenvalueError *noise, double complex s,
                                        const double complex *x)
{
    double complex rest = 0, slope = 0, power = 1, before = 0;
    double size = 0;
    Form form[TERMS];
    for (int t = 0; t < noise->nterms; t++) {
        form[t] = form_of(noise->term[t], noise->y, x);
        rest += noise->sign[t] * power * form[t].value;
        slope += noise->sign[t] * t * before * form[t].value;
        size += cabs(power) * form[t].size;
        before = power;
        power *= s;
    }
    double miss = cabs(rest) + FEW * DBL_EPSILON * size;
    return (StickEigenvalueErrorReport){
        .value = miss < cabs(slope) * cabs(s) ? miss / cabs(slope) : cabs(s),
        .neutral = is_neutral(noise, s, form),
    };
}

StickStatus stick_eigenvalue_error_measure(StickEigenvalueError *noise, double complex s,
                                           const double complex *x, StickEigenvalueErrorReport *report)
{
    StickStatus status = find_left(noise, s, x);
    if (status != STICK_OK && status != STICK_NOT_SOLVED)
        return status;
    if (status == STICK_NOT_SOLVED)
        memcpy(noise->y, x, (size_t)noise->n * sizeof *x);
    *report = judge(noise, s, x);
    return STICK_OK;
}
