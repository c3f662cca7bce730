// SPDX-License-Identifier: Apache-2.0
#include "linalg/pencil.h"

#include "base/memory.h"
#include "base/random.h"

#include <assert.h>
#include <cblas.h>
#include <complex.h>
#include <math.h>
#include <string.h>

enum { NONE, REAL, COMPLEX };
enum { TERMS = 3, SWEEPS = 8 };
static const double EXACT = 1e-13; // backward error of a solve that needs no refinement

struct StickPencil {
    StickContext *ctx;
    int nterms;
    StickSparse
        term[TERMS]; // of s^0, s^1, s^2, as they are worked with: rows times `row`, columns times `col`
    double sign[TERMS];
    double *row, *col; // n: powers of two
    int *place[TERMS]; // of their entries in the pattern of P
    int n;
    StickSparse P; // pattern and values at a real shift
    double complex *value;
    StickLu *real, *general, *outside; // at a real shift, at a complex one, for determinants
    double complex *outside_value;
    int kind; // of the factors that are there
    double complex shift;
    double unit; // of eigenvalues: vectors of the operator are (x, s x / unit) / col where there is a C
    double complex *x, *y;
    double *size;
    int factorisations;
};

// ---- pattern

static StickStatus check_term(StickContext *ctx, const StickSparse *A, int n, const char *name)
{
    STICK_CHECK(ctx, A->rows == n && A->cols == n, STICK_USAGE, "%s is %d x %d, not %d x %d", name, A->rows,
                A->cols, n, n);
    for (int j = 0; j < n; j++)
        for (int k = A->start[j]; k < A->start[j + 1]; k++)
            STICK_CHECK(ctx, isfinite(A->value[k]), STICK_BAD_INPUT, "entry (%d, %d) of %s is %g",
                        A->row[k] + 1, j + 1, name, A->value[k]);
    return STICK_OK;
}

static StickStatus join_patterns(StickPencil *p)
{
    StickTriplets all = {.rows = p->n, .cols = p->n};
    StickStatus status = STICK_OK;
    for (int t = 0; t < p->nterms; t++) {
        const StickSparse *A = &p->term[t];
        for (int j = 0; j < A->cols && status == STICK_OK; j++)
            for (int k = A->start[j]; k < A->start[j + 1] && status == STICK_OK; k++)
                status = stick_triplets_add(p->ctx, &all, A->row[k], j, 0);
    }
    if (status == STICK_OK)
        status = stick_sparse_from_triplets(p->ctx, &all, &p->P);
    stick_triplets_destroy(p->ctx, &all);
    return status;
}

static StickStatus find_places(StickPencil *p)
{
    for (int t = 0; t < p->nterms; t++) {
        const StickSparse *A = &p->term[t];
        STICK_ALLOC(p->ctx, p->place[t], A->start[A->cols]);
        for (int j = 0; j < A->cols; j++)
            for (int k = A->start[j]; k < A->start[j + 1]; k++)
                p->place[t][k] = stick_sparse_find(&p->P, A->row[k], j);
    }
    return STICK_OK;
}

// ---- scaling

static double largest_entry(const StickSparse *A)
{
    double largest = 0;
    for (int k = 0; k < A->start[A->cols]; k++)
        largest = fmax(largest, fabs(A->value[k]));
    return largest;
}

// The size of eigenvalues at which the first term and the last one are alike.
static double typical_value(const StickPencil *p)
{
    double k = largest_entry(&p->term[0]), m = largest_entry(&p->term[p->nterms - 1]);
    double ratio = k > 0 && m > 0 ? k / m : 1;
    return p->nterms == 3 ? sqrt(ratio) : ratio;
}

// Halves the distance of the largest entries of rows and columns from one, on a logarithmic scale.
static void equilibrate_once(StickPencil *p, double *most_row, double *most_col)
{
    memset(most_row, 0, (size_t)p->n * sizeof *most_row);
    memset(most_col, 0, (size_t)p->n * sizeof *most_col);
    double power = 1;
    for (int t = 0; t < p->nterms; t++, power *= p->unit) {
        const StickSparse *A = &p->term[t];
        for (int j = 0; j < p->n; j++)
            for (int k = A->start[j]; k < A->start[j + 1]; k++) {
                int i = A->row[k];
                double size = power * p->row[i] * p->col[j] * fabs(A->value[k]);
                most_row[i] = fmax(most_row[i], size);
                most_col[j] = fmax(most_col[j], size);
            }
    }
    for (int i = 0; i < p->n; i++) {
        p->row[i] *= most_row[i] > 0 ? exp2(-round(log2(most_row[i]) / 2)) : 1;
        p->col[i] *= most_col[i] > 0 ? exp2(-round(log2(most_col[i]) / 2)) : 1;
    }
}

// Multipliers and displacements may have very different units: Krylov vectors and LU need entries of similar size.
// Scaling by powers of two, so that nothing is rounded.
static StickStatus equilibrate(StickPencil *p)
{
    STICK_ALLOC(p->ctx, p->row, p->n);
    STICK_ALLOC(p->ctx, p->col, p->n);
    for (int i = 0; i < p->n; i++)
        p->row[i] = p->col[i] = 1;
    for (int sweep = 0; sweep < SWEEPS; sweep++)
        equilibrate_once(p, (double *)p->x, (double *)p->y);
    for (int t = 0; t < p->nterms; t++)
        for (int j = 0; j < p->n; j++)
            for (int k = p->term[t].start[j]; k < p->term[t].start[j + 1]; k++)
                p->term[t].value[k] *= p->row[p->term[t].row[k]] * p->col[j];
    return STICK_OK;
}

static StickStatus fill(StickPencil *p, const StickSparse *const term[TERMS])
{
    size_t length = (size_t)stick_pencil_length(p);
    for (int t = 0; t < p->nterms; t++)
        STICK_TRY(stick_sparse_copy(p->ctx, term[t], &p->term[t]));
    STICK_TRY(join_patterns(p));
    STICK_TRY(find_places(p));
    STICK_ALLOC(p->ctx, p->value, p->P.start[p->n]);
    STICK_ALLOC(p->ctx, p->x, length);
    STICK_ALLOC(p->ctx, p->y, length);
    STICK_ALLOC(p->ctx, p->size, length);
    p->unit = typical_value(p);
    return equilibrate(p);
}

StickStatus stick_pencil_create(StickContext *ctx, const StickSparse *K, const StickSparse *C,
                                const StickSparse *M, StickPencil **created)
{
    StickPencil *p;
    STICK_CHECK(ctx, K->rows >= 1, STICK_USAGE, "an eigenproblem of order %d", K->rows);
    STICK_TRY(check_term(ctx, K, K->rows, "K"));
    STICK_TRY(check_term(ctx, M, K->rows, "M"));
    if (C)
        STICK_TRY(check_term(ctx, C, K->rows, "C"));
    STICK_ALLOC(ctx, p, 1);
    *p = (StickPencil){.ctx = ctx, .n = K->rows, .nterms = C ? 3 : 2, .sign = {1, C ? 1 : -1, 1}};
    StickStatus status = fill(p, (const StickSparse *const[TERMS]){K, C ? C : M, M});
    if (status == STICK_OK)
        *created = p;
    else
        stick_pencil_destroy(p);
    return status;
}

void stick_pencil_destroy(StickPencil *p)
{
    if (!p)
        return;
    stick_lu_destroy(p->real);
    stick_lu_destroy(p->general);
    stick_lu_destroy(p->outside);
    stick_sparse_destroy(p->ctx, &p->P);
    for (int t = 0; t < p->nterms; t++) {
        stick_sparse_destroy(p->ctx, &p->term[t]);
        stick_free(p->ctx, p->place[t]);
    }
    stick_free(p->ctx, p->row);
    stick_free(p->ctx, p->col);
    stick_free(p->ctx, p->value);
    stick_free(p->ctx, p->outside_value);
    stick_free(p->ctx, p->x);
    stick_free(p->ctx, p->y);
    stick_free(p->ctx, p->size);
    stick_free(p->ctx, p);
}

int stick_pencil_order(const StickPencil *p)
{
    return p->n;
}

int stick_pencil_length(const StickPencil *p)
{
    return p->nterms == 3 ? 2 * p->n : p->n;
}

int stick_pencil_factorisations(const StickPencil *p)
{
    return p->factorisations;
}

StickLuReport stick_pencil_report(const StickPencil *p)
{
    return p->kind == REAL      ? stick_lu_report(p->real)
           : p->kind == COMPLEX ? stick_lu_report(p->general)
                                : (StickLuReport){0};
}

// ---- products

// y += a A x
static void multiply(const StickSparse *A, double complex a, const double complex *x, double complex *y)
{
    double *out = (double *)y;
    for (int j = 0; j < A->cols; j++) {
        double complex ax = a * x[j];
        double re = creal(ax), im = cimag(ax);
        for (int k = A->start[j]; k < A->start[j + 1]; k++) {
            out[2 * A->row[k]] += A->value[k] * re;
            out[2 * A->row[k] + 1] += A->value[k] * im;
        }
    }
}

// size += a |A||x|
static void add_size(const StickSparse *A, double a, const double complex *x, double *size)
{
    for (int j = 0; j < A->cols; j++) {
        double ax = a * cabs(x[j]);
        for (int k = A->start[j]; k < A->start[j + 1]; k++)
            size[A->row[k]] += fabs(A->value[k]) * ax;
    }
}

double stick_pencil_residual(StickPencil *p, double complex s, const double complex *x)
{
    double complex power = 1;
    memset(p->y, 0, (size_t)p->n * sizeof *p->y);
    memset(p->size, 0, (size_t)p->n * sizeof *p->size);
    for (int i = 0; i < p->n; i++)
        p->x[i] = x[i] / p->col[i];
    for (int t = 0; t < p->nterms; t++, power *= s) {
        multiply(&p->term[t], p->sign[t] * power, p->x, p->y);
        add_size(&p->term[t], cabs(power), p->x, p->size);
    }
    double size = cblas_dnrm2(p->n, p->size, 1);
    return size > 0 ? cblas_dznrm2(p->n, p->y, 1) / size : 0;
}

// ---- factors

static void evaluate(const StickPencil *p, double complex s, double complex *value)
{
    double complex power = 1;
    memset(value, 0, (size_t)p->P.start[p->n] * sizeof *value);
    for (int t = 0; t < p->nterms; t++, power *= s)
        for (int k = 0; k < p->term[t].start[p->n]; k++)
            value[p->place[t][k]] += p->sign[t] * power * p->term[t].value[k];
}

static StickStatus solve(StickPencil *p, const double complex *b, double complex *x)
{
    if (p->kind == COMPLEX)
        return stick_lu_solve_complex(p->general, b, x);
    return stick_lu_solve(p->real, (const double *)b, (double *)x);
}

// Most factors are accurate enough; one test solve shows this. Otherwise solves are refined.
static StickStatus choose_refinement(StickPencil *p, StickLu *lu)
{
    StickRandom random = stick_random_seed(7);
    double *b = (double *)p->x, *x = (double *)p->y;
    int n = p->n, parts = p->kind == COMPLEX ? 2 : 1;
    for (int i = 0; i < parts * n; i++)
        b[i] = stick_random_uniform(&random, -1, 1);
    stick_lu_refine(lu, 0);
    STICK_TRY(solve(p, p->x, p->y));
    memset(p->size, 0, (size_t)n * sizeof *p->size);
    for (int j = 0; j < n; j++)
        for (int k = p->P.start[j]; k < p->P.start[j + 1]; k++) {
            int i = p->P.row[k];
            double complex xj = parts == 2 ? p->y[j] : x[j];
            double complex product = p->value[k] * xj;
            p->size[i] += cabs(product);
            b[parts * i] -= creal(product);
            if (parts == 2)
                b[2 * i + 1] -= cimag(product);
        }
    double error = cblas_dnrm2(parts * n, b, 1) / cblas_dnrm2(n, p->size, 1);
    stick_lu_refine(lu, error <= EXACT ? 0 : 2);
    return STICK_OK;
}

static StickStatus factor_real(StickPencil *p)
{
    for (int k = 0; k < p->P.start[p->n]; k++)
        p->P.value[k] = creal(p->value[k]);
    if (!p->real)
        STICK_TRY(stick_lu_create(p->ctx, &p->P, "the matrix of an eigenproblem at its shift", &p->real));
    p->factorisations++;
    STICK_TRY(stick_lu_factor(p->real, p->P.value));
    p->kind = REAL;
    return choose_refinement(p, p->real);
}

static StickStatus factor_complex(StickPencil *p)
{
    if (!p->general)
        STICK_TRY(stick_lu_create_complex(p->ctx, &p->P, "the matrix of an eigenproblem at its shift",
                                          &p->general));
    p->factorisations++;
    STICK_TRY(stick_lu_factor_complex(p->general, p->value));
    p->kind = COMPLEX;
    return choose_refinement(p, p->general);
}

StickStatus stick_pencil_factor(StickPencil *p, double complex shift)
{
    STICK_CHECK(p->ctx, isfinite(creal(shift)) && isfinite(cimag(shift)), STICK_USAGE,
                "shift %g %+g i is not finite", creal(shift), cimag(shift));
    if (p->kind != NONE && p->shift == shift)
        return STICK_OK;
    p->kind = NONE;
    evaluate(p, shift, p->value);
    StickStatus status = cimag(shift) == 0 ? factor_real(p) : factor_complex(p);
    if (status == STICK_OK)
        p->shift = shift;
    else
        p->kind = NONE;
    if (status != STICK_NOT_SOLVED)
        return status;
    return stick_fail(p->ctx, STICK_NOT_SOLVED,
                      "shift %g %+g i is an eigenvalue, or every number is one: another shift may do",
                      creal(shift), cimag(shift));
}

StickStatus stick_pencil_determinant(StickPencil *p, double complex z, double *logarithm, double *phase)
{
    StickDeterminant determinant;
    if (!p->outside_value)
        STICK_ALLOC(p->ctx, p->outside_value, p->P.start[p->n]);
    if (!p->outside)
        STICK_TRY(
            stick_lu_create_complex(p->ctx, &p->P, "the matrix of an eigenproblem on a circle", &p->outside));
    evaluate(p, z, p->outside_value);
    p->factorisations++;
    STICK_TRY(stick_lu_factor_complex(p->outside, p->outside_value));
    STICK_TRY(stick_lu_determinant(p->outside, &determinant));
    *logarithm = log(cabs(determinant.mantissa)) + determinant.exponent * log(10);
    *phase = carg(determinant.mantissa);
    return STICK_OK;
}

// ---- operator

// With a C, for z = (x, s x / unit) and shift a:
//     x' = -P(a)^-1 ((C + a M) x + unit M y),   y' = (a x' + x) / unit
static StickStatus apply_real(void *data, const double *z, double *out)
{
    StickPencil *p = data;
    size_t n = (size_t)p->n;
    double *b = (double *)p->x, a = creal(p->shift);
    memset(b, 0, n * sizeof *b);
    if (p->nterms == 2) {
        stick_sparse_multiply(&p->term[1], 1, z, b);
        return stick_lu_solve(p->real, b, out);
    }
    stick_sparse_multiply(&p->term[1], -1, z, b);
    stick_sparse_multiply(&p->term[2], -a, z, b);
    stick_sparse_multiply(&p->term[2], -p->unit, z + n, b);
    STICK_TRY(stick_lu_solve(p->real, b, out));
    for (size_t i = 0; i < n; i++)
        out[n + i] = (a * out[i] + z[i]) / p->unit;
    return STICK_OK;
}

static StickStatus apply_complex(void *data, const double complex *z, double complex *out)
{
    StickPencil *p = data;
    size_t n = (size_t)p->n;
    memset(p->x, 0, n * sizeof *p->x);
    if (p->nterms == 2) {
        multiply(&p->term[1], 1, z, p->x);
        return stick_lu_solve_complex(p->general, p->x, out);
    }
    multiply(&p->term[1], -1, z, p->x);
    multiply(&p->term[2], -p->shift, z, p->x);
    multiply(&p->term[2], -p->unit, z + n, p->x);
    STICK_TRY(stick_lu_solve_complex(p->general, p->x, out));
    for (size_t i = 0; i < n; i++)
        out[n + i] = (p->shift * out[i] + z[i]) / p->unit;
    return STICK_OK;
}

// The parts of b one after the other where the factors are real.
StickStatus stick_pencil_solve(StickPencil *p, const double complex *b, double complex *x)
{
    int n = p->n, complete = p->kind == COMPLEX;
    double *part = (double *)p->x, *found = (double *)p->y;
    assert(p->kind != NONE);
    for (int i = 0; i < n && complete; i++)
        p->x[i] = p->row[i] * b[i];
    if (complete)
        STICK_TRY(stick_lu_solve_complex(p->general, p->x, x));
    for (int side = 0; side < 2 && !complete; side++) {
        for (int i = 0; i < n; i++)
            part[i] = p->row[i] * (side == 0 ? creal(b[i]) : cimag(b[i]));
        STICK_TRY(stick_lu_solve(p->real, part, found));
        for (int i = 0; i < n; i++)
            x[i] = side == 0 ? found[i] : x[i] + I * found[i];
    }
    for (int i = 0; i < n; i++)
        x[i] *= p->col[i];
    return STICK_OK;
}

StickKrylovOperator stick_pencil_operator(StickPencil *p)
{
    assert(p->kind != NONE);
    return (StickKrylovOperator){
        .n = stick_pencil_length(p),
        .data = p,
        .apply = p->kind == REAL ? apply_real : NULL,
        .apply_complex = p->kind == COMPLEX ? apply_complex : NULL,
    };
}

StickStatus stick_pencil_apply(StickPencil *p, const double complex *z, double complex *out)
{
    if (p->kind == COMPLEX)
        return apply_complex(p, z, out);
    // Real factors: both parts by themselves, in the room that `out` and y are.
    int N = stick_pencil_length(p);
    double *part = (double *)p->y, *re = (double *)out, *im = re + N, *done = p->size;
    for (int i = 0; i < N; i++)
        part[i] = cimag(z[i]);
    STICK_TRY(apply_real(p, part, done));
    for (int i = 0; i < N; i++)
        part[i] = creal(z[i]);
    STICK_TRY(apply_real(p, part, re));
    memcpy(im, done, (size_t)N * sizeof *im);
    memcpy(part, re, 2 * (size_t)N * sizeof *part);
    for (int i = 0; i < N; i++)
        out[i] = part[i] + I * part[N + i];
    return STICK_OK;
}

void stick_pencil_take(const StickPencil *p, double complex s, const double complex *z, double complex *x)
{
    // both halves contain x; the larger one is more accurate
    bool second = p->nterms == 3 && cabs(s) > p->unit;
    for (int i = 0; i < p->n; i++)
        x[i] = p->col[i] * z[second ? p->n + i : i];
}
