// SPDX-License-Identifier: Apache-2.0
#include "linalg/eigen.h"

#include "base/memory.h"
#include "linalg/eigen_residual.h"

#include <cblas.h>
#include <complex.h>
#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SWEEPS = 8 };                 // of equilibration
static const double WELL = 1e-6;     // condition of M up to which it is divided by
static const double ALIKE = 8;       // eps: a matrix and its transpose that differ by no more are one
static const double EQUAL = 1e-8;    // components that count as equally large
static const double FARTHEST = 1e-4; // from infinity, at which a computed eigenvalue may still mean it

// ---- pairs

StickStatus stick_eigen_create(StickContext *ctx, int n, int count, StickEigen *eigen)
{
    StickEigen made = {.n = n, .count = count};
    made.value = stick_alloc(ctx, (size_t)count, sizeof *made.value);
    made.vector = stick_alloc(ctx, (size_t)n * (size_t)count, sizeof *made.vector);
    made.residual = stick_alloc(ctx, (size_t)count, sizeof *made.residual);
    if (!made.value || !made.vector || !made.residual) {
        stick_eigen_destroy(ctx, &made);
        return STICK_NO_MEMORY;
    }
    *eigen = made;
    return STICK_OK;
}

void stick_eigen_destroy(StickContext *ctx, StickEigen *eigen)
{
    stick_free(ctx, eigen->value);
    stick_free(ctx, eigen->vector);
    stick_free(ctx, eigen->residual);
    *eigen = (StickEigen){0};
}

void stick_eigen_normalise(int n, double complex *vector)
{
    double largest = 0;
    for (int i = 0; i < n; i++)
        largest = fmax(largest, cabs(vector[i]));
    if (!(largest > 0))
        return;
    // The first of the components that are equally large but for rounding.
    int lead = 0;
    while (cabs(vector[lead]) < (1 - EQUAL) * largest)
        lead++;
    double complex turn = conj(vector[lead]) / cabs(vector[lead]) / largest;
    bool real = true;
    for (int i = 0; i < n; i++)
        real = real && cimag(vector[i]) == 0;
    for (int i = 0; i < n; i++)
        vector[i] = real ? creal(vector[i]) * creal(turn) : vector[i] * turn;
    vector[lead] = cabs(vector[lead]);
}

typedef struct Place {
    double complex value;
    int from;
} Place;

static int compare(double a, double b)
{
    return (a > b) - (a < b);
}

static int compare_places(const void *left, const void *right)
{
    const Place *a = left, *b = right;
    int order = compare(creal(a->value), creal(b->value));
    if (order == 0)
        order = compare(fabs(cimag(a->value)), fabs(cimag(b->value)));
    if (order == 0)
        order = compare(cimag(a->value), cimag(b->value));
    return order ? order : compare(a->from, b->from);
}

static void rearrange(const StickEigen *eigen, const Place *place, StickEigen *sorted)
{
    size_t n = (size_t)eigen->n;
    for (int k = 0; k < eigen->count; k++) {
        size_t from = (size_t)place[k].from, to = (size_t)k;
        sorted->value[k] = eigen->value[from];
        sorted->residual[k] = eigen->residual[from];
        memcpy(sorted->vector + to * n, eigen->vector + from * n, n * sizeof *sorted->vector);
    }
}

StickStatus stick_eigen_sort(StickContext *ctx, StickEigen *eigen)
{
    Place *place;
    StickEigen sorted;
    STICK_ALLOC(ctx, place, eigen->count);
    StickStatus status = stick_eigen_create(ctx, eigen->n, eigen->count, &sorted);
    if (status == STICK_OK) {
        for (int k = 0; k < eigen->count; k++)
            place[k] = (Place){eigen->value[k], k};
        qsort(place, (size_t)eigen->count, sizeof *place, compare_places);
        rearrange(eigen, place, &sorted);
        sorted.infinite = eigen->infinite;
        sorted.rcond = eigen->rcond;
        stick_eigen_destroy(ctx, eigen);
        *eigen = sorted;
    }
    stick_free(ctx, place);
    return status;
}

void stick_eigen_fill(const StickSparse *A, double *dense)
{
    memset(dense, 0, (size_t)A->rows * (size_t)A->cols * sizeof *dense);
    for (int j = 0; j < A->cols; j++)
        for (int k = A->start[j]; k < A->start[j + 1]; k++)
            dense[(size_t)j * (size_t)A->rows + (size_t)A->row[k]] = A->value[k];
}

// ---- what a user gives

static StickStatus check_matrix(StickContext *ctx, int n, const double *A, const char *name)
{
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            double entry = A[(size_t)j * (size_t)n + (size_t)i];
            STICK_CHECK(ctx, isfinite(entry), STICK_BAD_INPUT, "entry (%d, %d) of %s is %g", i + 1, j + 1,
                        name, entry);
        }
    return STICK_OK;
}

static double largest_entry(int n, const double *A)
{
    double largest = 0;
    for (size_t k = 0; k < (size_t)n * (size_t)n; k++)
        largest = fmax(largest, fabs(A[k]));
    return largest;
}

static StickStatus check_lapack(StickContext *ctx, int info, const char *what, int n)
{
    STICK_CHECK(ctx, info >= 0, STICK_INTERNAL, "%s of order %d: argument %d is wrong", what, n, -info);
    STICK_CHECK(ctx, info == 0, STICK_NOT_SOLVED, "%s of order %d did not converge (LAPACK %d)", what, n,
                info);
    return STICK_OK;
}

// ---- symmetric

// The upper triangle on both sides.
static void mirror(int n, const double *A, double *B)
{
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            B[(size_t)j * (size_t)n + (size_t)i] =
                i <= j ? A[(size_t)j * (size_t)n + (size_t)i] : A[(size_t)i * (size_t)n + (size_t)j];
}

typedef struct Symmetric {
    double *A, *value, *vector, *work;
    int *support, *integers;
} Symmetric;

static StickStatus run_symmetric(StickContext *ctx, int n, int count, Symmetric *s)
{
    int found, whole, size = -1, integers = -1;
    double room;
    for (int pass = 0; pass < 2; pass++) {
        int info = LAPACKE_dsyevr_work(LAPACK_COL_MAJOR, 'V', 'I', 'U', n, s->A, n, 0, 0, 1, count, 0, &found,
                                       s->value, s->vector, n, s->support, pass ? s->work : &room, size,
                                       pass ? s->integers : &whole, integers);
        STICK_TRY(check_lapack(ctx, info, "a symmetric eigenproblem", n));
        if (pass == 0) {
            size = (int)room;
            integers = whole;
            STICK_ALLOC(ctx, s->work, size);
            STICK_ALLOC(ctx, s->integers, integers);
        }
    }
    return STICK_OK;
}

static StickStatus make_symmetric(StickContext *ctx, int n, const double *A, int count, Symmetric *s)
{
    STICK_ALLOC(ctx, s->A, (size_t)n * (size_t)n);
    STICK_ALLOC(ctx, s->value, n);
    STICK_ALLOC(ctx, s->vector, (size_t)n * (size_t)count);
    STICK_ALLOC(ctx, s->support, 2 * (size_t)n);
    mirror(n, A, s->A);
    return STICK_OK;
}

static void drop_symmetric(StickContext *ctx, Symmetric *s)
{
    stick_free(ctx, s->A);
    stick_free(ctx, s->value);
    stick_free(ctx, s->vector);
    stick_free(ctx, s->support);
    stick_free(ctx, s->work);
    stick_free(ctx, s->integers);
}

static StickStatus finish_symmetric(StickContext *ctx, const double *A, Symmetric *s, StickEigen *eigen)
{
    int n = eigen->n;
    for (int k = 0; k < eigen->count; k++) {
        double complex *x = eigen->vector + (size_t)k * (size_t)n;
        eigen->value[k] = s->value[k];
        for (int i = 0; i < n; i++)
            x[i] = s->vector[(size_t)k * (size_t)n + (size_t)i];
        stick_eigen_normalise(n, x);
    }
    mirror(n, A, s->A);
    // A x - value x, with the unit matrix made where the factors of A were not needed any more.
    double *unit;
    STICK_ALLOC(ctx, unit, (size_t)n * (size_t)n);
    for (int i = 0; i < n; i++)
        unit[(size_t)i * (size_t)(n + 1)] = 1;
    StickStatus status = stick_eigen_measure(ctx, eigen, (const double *const[3]){s->A, unit, NULL},
                                             (const double[3]){1, -1, 0});
    stick_free(ctx, unit);
    return status;
}

StickStatus stick_eigen_symmetric(StickContext *ctx, int n, const double *A, int count, StickEigen *eigen)
{
    Symmetric s = {0};
    StickEigen made = {0};
    STICK_CHECK(ctx, n >= 1 && count >= 1 && count <= n, STICK_USAGE,
                "%d eigenvalues of a matrix of order %d", count, n);
    STICK_TRY(check_matrix(ctx, n, A, "A"));
    StickStatus status = make_symmetric(ctx, n, A, count, &s);
    if (status == STICK_OK)
        status = run_symmetric(ctx, n, count, &s);
    if (status == STICK_OK)
        status = stick_eigen_create(ctx, n, count, &made);
    if (status == STICK_OK)
        status = finish_symmetric(ctx, A, &s, &made);
    drop_symmetric(ctx, &s);
    made.rcond = 1;
    if (status == STICK_OK)
        *eigen = made;
    else
        stick_eigen_destroy(ctx, &made);
    return status;
}

// ---- pencils

typedef struct Pencil {
    int n;
    double k, m;     // largest entries, which K and M are divided by
    double *K, *M;   // n x n: what LAPACK works in
    double *X, *Y;   // n x n: right vectors, left ones (QZ)
    double *row;     // n: what rows of K and M are multiplied by (QZ), and
    double *col;     // n: columns
    double *re, *im; // n: of a numerator (QZ) or an eigenvalue
    double *beta;    // n
    double *work;
    int *pivot, *integers;
    double rcond;
} Pencil;

static void drop_pencil(StickContext *ctx, Pencil *p)
{
    stick_free(ctx, p->K);
    stick_free(ctx, p->M);
    stick_free(ctx, p->X);
    stick_free(ctx, p->Y);
    stick_free(ctx, p->row);
    stick_free(ctx, p->re);
    stick_free(ctx, p->work);
    stick_free(ctx, p->pivot);
    stick_free(ctx, p->integers);
}

static void load_pencil(const double *K, const double *M, Pencil *p)
{
    size_t size = (size_t)p->n * (size_t)p->n;
    for (size_t k = 0; k < size; k++) {
        p->K[k] = K[k] / p->k;
        p->M[k] = M[k] / p->m;
    }
}

static StickStatus make_pencil(StickContext *ctx, const double *K, const double *M, Pencil *p)
{
    size_t n = (size_t)p->n;
    double k = largest_entry(p->n, K);
    p->k = k > 0 ? k : 1;
    p->m = largest_entry(p->n, M);
    STICK_CHECK(ctx, p->m > 0, STICK_NOT_SOLVED, "M, of order %d, is zero: K x = value M x has no eigenvalue",
                p->n);
    STICK_ALLOC(ctx, p->K, n * n);
    STICK_ALLOC(ctx, p->M, n * n);
    STICK_ALLOC(ctx, p->X, n * n);
    STICK_ALLOC(ctx, p->re, 3 * n);
    STICK_ALLOC(ctx, p->pivot, n);
    p->im = p->re + n;
    p->beta = p->im + n;
    load_pencil(K, M, p);
    return STICK_OK;
}

// LU of M and its condition.
static StickStatus factor_mass(StickContext *ctx, Pencil *p)
{
    int n = p->n;
    size_t size = 4 * (size_t)n;
    double *work = stick_alloc(ctx, size, sizeof *work);
    int *integers = stick_alloc(ctx, (size_t)n, sizeof *integers);
    if (work && integers) {
        double norm = LAPACKE_dlange_work(LAPACK_COL_MAJOR, '1', n, n, p->M, n, work);
        if (LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, n, n, p->M, n, p->pivot) == 0)
            LAPACKE_dgecon_work(LAPACK_COL_MAJOR, '1', n, p->M, n, norm, &p->rcond, work, integers);
    }
    bool given = work && integers;
    stick_free(ctx, work);
    stick_free(ctx, integers);
    return given ? STICK_OK : STICK_NO_MEMORY;
}

// K := M^-1 K, and its eigenvalues
static StickStatus run_divided(StickContext *ctx, Pencil *p)
{
    int n = p->n, size = -1;
    double room;
    LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', n, n, p->M, n, p->pivot, p->K, n);
    for (int pass = 0; pass < 2; pass++) {
        int info = LAPACKE_dgeev_work(LAPACK_COL_MAJOR, 'N', 'V', n, p->K, n, p->re, p->im, NULL, 1, p->X, n,
                                      pass ? p->work : &room, size);
        STICK_TRY(check_lapack(ctx, info, "an eigenproblem", n));
        if (pass == 0) {
            size = (int)room;
            STICK_ALLOC(ctx, p->work, size);
        }
    }
    for (int j = 0; j < n; j++)
        p->beta[j] = 1;
    return STICK_OK;
}

static bool is_symmetric(int n, const double *A)
{
    double apart = 0, size = 0;
    for (size_t j = 0; j < (size_t)n; j++)
        for (size_t i = 0; i < (size_t)n; i++) {
            double entry = A[j * (size_t)n + i], other = A[i * (size_t)n + j];
            apart += (entry - other) * (entry - other);
            size += entry * entry;
        }
    return sqrt(apart) <= ALIKE * DBL_EPSILON * sqrt(size);
}

// Real eigenvalues, however near to each other. M that is not definite is left to the others: nothing is done.
static StickStatus run_definite(StickContext *ctx, Pencil *p, bool *done)
{
    int n = p->n, size = -1, whole, integers = -1, info = 0;
    double room;
    for (int pass = 0; pass < 2; pass++) {
        info = LAPACKE_dsygvd_work(LAPACK_COL_MAJOR, 1, 'V', 'U', n, p->K, n, p->M, n, p->re,
                                   pass ? p->work : &room, size, pass ? p->integers : &whole, integers);
        if (pass == 0) {
            STICK_TRY(check_lapack(ctx, info, "a symmetric eigenproblem", n));
            size = (int)room;
            integers = whole;
            STICK_ALLOC(ctx, p->work, size);
            STICK_ALLOC(ctx, p->integers, integers);
        }
    }
    *done = info <= n;
    if (info <= n)
        STICK_TRY(check_lapack(ctx, info, "a symmetric eigenproblem", n));
    double *vectors = p->K;
    p->K = p->X;
    p->X = vectors;
    for (int j = 0; j < n; j++) {
        p->im[j] = 0;
        p->beta[j] = 1;
    }
    return STICK_OK;
}

static StickStatus try_definite(StickContext *ctx, const double *K, const double *M, Pencil *p, bool *done)
{
    *done = false;
    if (!is_symmetric(p->n, K) || !is_symmetric(p->n, M))
        return STICK_OK;
    load_pencil(K, M, p);
    STICK_TRY(run_definite(ctx, p, done));
    if (*done)
        return STICK_OK;
    stick_free(ctx, p->work);
    p->work = NULL;
    load_pencil(K, M, p);
    return factor_mass(ctx, p);
}

// Rows and columns that make all entries of |K| + |M| at most one and the largest of each about one: multipliers stand
// beside stiffnesses in any units. Powers of two, so that nothing is rounded.
static StickStatus equilibrate(StickContext *ctx, Pencil *p)
{
    size_t n = (size_t)p->n;
    STICK_ALLOC(ctx, p->row, 2 * n);
    p->col = p->row + n;
    double *most_row = p->re, *most_col = p->im; // not in use yet
    for (size_t i = 0; i < 2 * n; i++)
        p->row[i] = 1;
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        memset(p->re, 0, 2 * n * sizeof *p->re);
        for (size_t j = 0; j < n; j++)
            for (size_t i = 0; i < n; i++) {
                double size = p->row[i] * p->col[j] * (fabs(p->K[j * n + i]) + fabs(p->M[j * n + i]));
                most_row[i] = fmax(most_row[i], size);
                most_col[j] = fmax(most_col[j], size);
            }
        for (size_t i = 0; i < 2 * n; i++)
            p->row[i] *= p->re[i] > 0 ? exp2(-round(log2(p->re[i]) / 2)) : 1;
    }
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++) {
            p->K[j * n + i] *= p->row[i] * p->col[j];
            p->M[j * n + i] *= p->row[i] * p->col[j];
        }
    return STICK_OK;
}

static StickStatus run_qz(StickContext *ctx, const double *K, const double *M, Pencil *p)
{
    int n = p->n, size = -1;
    double room;
    load_pencil(K, M, p);
    p->rcond = 0;
    STICK_TRY(equilibrate(ctx, p));
    STICK_ALLOC(ctx, p->Y, (size_t)n * (size_t)n);
    for (int pass = 0; pass < 2; pass++) {
        int info = LAPACKE_dggev3_work(LAPACK_COL_MAJOR, 'V', 'V', n, p->K, n, p->M, n, p->re, p->im, p->beta,
                                       p->Y, n, p->X, n, pass ? p->work : &room, size);
        STICK_TRY(check_lapack(ctx, info, "a generalized eigenproblem", n));
        if (pass == 0) {
            size = (int)room;
            STICK_ALLOC(ctx, p->work, size);
        }
    }
    return STICK_OK;
}

// Column j of vectors as LAPACK stores them: a pair as real and imaginary part.
static void get_vector(const Pencil *p, const double *X, int j, double complex *x)
{
    size_t n = (size_t)p->n;
    bool second = j > 0 && p->im[j] < 0;
    const double *re = X + (size_t)(second ? j - 1 : j) * n;
    for (size_t i = 0; i < n; i++)
        x[i] = p->im[j] == 0 ? re[i] : second ? conj(re[i] + I * re[n + i]) : re[i] + I * re[n + i];
}

// |y' A x| with A as it was given to QZ
static double form(const Pencil *p, const double *A, double scale, const double complex *y,
                   const double complex *x)
{
    size_t n = (size_t)p->n;
    double complex sum = 0;
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++)
            sum += conj(y[i]) * (p->row[i] * p->col[j] * (A[j * n + i] / scale)) * x[j];
    return cabs(sum);
}

// Whether an eigenvalue of QZ is infinity within its own error: a double one there is split by rounding into large
// ones, and what tells is its condition, s = sqrt(|y' K x|^2 + |y' M x|^2) / (|x||y|).
static bool is_infinite(const Pencil *p, const double *K, const double *M, int j, double complex *x,
                        double complex *y)
{
    double beta = fabs(p->beta[j]), alpha = hypot(p->re[j], p->im[j]);
    double distance = beta / hypot(alpha, beta);
    if (distance > FARTHEST)
        return false;
    get_vector(p, p->X, j, x);
    get_vector(p, p->Y, j, y);
    double s = hypot(form(p, K, p->k, y, x), form(p, M, p->m, y, x)) /
               (cblas_dznrm2(p->n, x, 1) * cblas_dznrm2(p->n, y, 1));
    return distance * s <= 10 * p->n * DBL_EPSILON;
}

// Marks infinite eigenvalues by beta = 0 and counts them.
static StickStatus find_infinite(StickContext *ctx, const double *K, const double *M, Pencil *p,
                                 int *infinite)
{
    double nothing = 10 * p->n * DBL_EPSILON;
    double complex *x;
    STICK_ALLOC(ctx, x, 2 * (size_t)p->n);
    StickStatus status = STICK_OK;
    *infinite = 0;
    for (int j = 0; j < p->n && status == STICK_OK; j++) {
        bool second = p->im[j] < 0 && j > 0;
        if (fabs(p->beta[j]) <= nothing && hypot(p->re[j], p->im[j]) <= nothing)
            status =
                stick_fail(ctx, STICK_NOT_SOLVED,
                           "an eigenproblem of order %d is singular: every number is an eigenvalue", p->n);
        else if (second ? p->beta[j - 1] == 0 : is_infinite(p, K, M, j, x, x + p->n))
            p->beta[j] = 0;
        *infinite += p->beta[j] == 0;
    }
    stick_free(ctx, x);
    return status;
}

static void take_pairs(const Pencil *p, StickEigen *eigen)
{
    size_t n = (size_t)p->n;
    for (int j = 0, k = 0; j < p->n; j++) {
        if (p->beta[j] == 0)
            continue;
        // The second of a pair is the first one's conjugate to the last bit.
        bool second = p->im[j] < 0 && k > 0;
        double scale = p->k / p->m / p->beta[j];
        double complex value = scale * (p->re[j] + I * p->im[j]);
        eigen->value[k] = second ? conj(eigen->value[k - 1]) : value;
        double complex *x = eigen->vector + (size_t)k * n;
        get_vector(p, p->X, j, x);
        for (size_t i = 0; p->col && i < n; i++)
            x[i] *= p->col[i];
        stick_eigen_normalise(p->n, x);
        k++;
    }
}

static StickStatus solve_pencil(StickContext *ctx, const double *K, const double *M, Pencil *p,
                                StickEigen *eigen)
{
    int infinite = 0;
    STICK_TRY(make_pencil(ctx, K, M, p));
    STICK_TRY(factor_mass(ctx, p));
    bool done = false;
    if (p->rcond >= WELL)
        STICK_TRY(try_definite(ctx, K, M, p, &done));
    if (p->rcond >= WELL && !done) {
        STICK_TRY(run_divided(ctx, p));
    } else if (!done) {
        STICK_TRY(run_qz(ctx, K, M, p));
        STICK_TRY(find_infinite(ctx, K, M, p, &infinite));
    }
    STICK_TRY(stick_eigen_create(ctx, p->n, p->n - infinite, eigen));
    eigen->infinite = infinite;
    eigen->rcond = p->rcond;
    take_pairs(p, eigen);
    return STICK_OK;
}

static StickStatus finish(StickContext *ctx, StickStatus status, StickEigen *made, StickEigen *eigen)
{
    if (status == STICK_OK)
        status = stick_eigen_sort(ctx, made);
    if (status == STICK_OK)
        *eigen = *made;
    else
        stick_eigen_destroy(ctx, made);
    return status;
}

StickStatus stick_eigen_pencil(StickContext *ctx, int n, const double *K, const double *M, StickEigen *eigen)
{
    Pencil p = {.n = n};
    StickEigen made = {0};
    STICK_CHECK(ctx, n >= 1, STICK_USAGE, "an eigenproblem of order %d", n);
    STICK_TRY(check_matrix(ctx, n, K, "K"));
    STICK_TRY(check_matrix(ctx, n, M, "M"));
    StickStatus status = solve_pencil(ctx, K, M, &p, &made);
    drop_pencil(ctx, &p);
    if (status == STICK_OK)
        status = stick_eigen_measure(ctx, &made, (const double *const[3]){K, M, NULL},
                                     (const double[3]){1, -1, 0});
    return finish(ctx, status, &made, eigen);
}

// ---- quadratic

typedef struct Linear {
    double *A, *B;  // 2n x 2n
    double unit;    // of eigenvalues
    StickEigen all; // pairs (x, value x / unit) in this unit
} Linear;

// A = [-K 0; 0 1], B = [C M; 1 0] in units of the eigenvalue and of the equations that make all norms alike
static void fill_linear(int n, const double *M, const double *C, const double *K, Linear *l)
{
    double m = largest_entry(n, M), c = largest_entry(n, C), k = largest_entry(n, K);
    l->unit = m > 0 && k > 0 ? sqrt(k / m) : 1;
    double size = k + c * l->unit + m * l->unit * l->unit, scale = size > 0 ? 1 / size : 1;
    size_t N = 2 * (size_t)n;
    for (size_t j = 0; j < (size_t)n; j++) {
        for (size_t i = 0; i < (size_t)n; i++) {
            size_t from = j * (size_t)n + i;
            l->A[j * N + i] = -scale * K[from];
            l->B[j * N + i] = scale * l->unit * C[from];
            l->B[(j + (size_t)n) * N + i] = scale * l->unit * l->unit * M[from];
        }
        l->A[(j + (size_t)n) * N + j + (size_t)n] = 1;
        l->B[j * N + j + (size_t)n] = 1;
    }
}

static StickStatus take_quadratic(StickContext *ctx, int n, const Linear *l, StickEigen *eigen)
{
    STICK_TRY(stick_eigen_create(ctx, n, l->all.count, eigen));
    eigen->infinite = l->all.infinite;
    eigen->rcond = l->all.rcond;
    for (int k = 0; k < l->all.count; k++) {
        // x stands in both halves; the larger one has it better.
        bool second = cabs(l->all.value[k]) > 1;
        const double complex *z = l->all.vector + 2 * (size_t)n * (size_t)k + (second ? n : 0);
        double complex *x = eigen->vector + (size_t)n * (size_t)k;
        memcpy(x, z, (size_t)n * sizeof *x);
        stick_eigen_normalise(n, x);
        eigen->value[k] = l->unit * l->all.value[k];
    }
    return STICK_OK;
}

static StickStatus solve_quadratic(StickContext *ctx, int n, const double *M, const double *C,
                                   const double *K, Linear *l, StickEigen *eigen)
{
    size_t size = 4 * (size_t)n * (size_t)n;
    STICK_ALLOC(ctx, l->A, size);
    STICK_ALLOC(ctx, l->B, size);
    fill_linear(n, M, C, K, l);
    STICK_TRY(stick_eigen_pencil(ctx, 2 * n, l->A, l->B, &l->all));
    STICK_TRY(take_quadratic(ctx, n, l, eigen));
    return stick_eigen_measure(ctx, eigen, (const double *const[3]){K, C, M}, (const double[3]){1, 1, 1});
}

StickStatus stick_eigen_quadratic(StickContext *ctx, int n, const double *M, const double *C, const double *K,
                                  StickEigen *eigen)
{
    Linear l = {0};
    StickEigen made = {0};
    STICK_CHECK(ctx, n >= 1, STICK_USAGE, "an eigenproblem of order %d", n);
    STICK_TRY(check_matrix(ctx, n, M, "M"));
    STICK_TRY(check_matrix(ctx, n, C, "C"));
    STICK_TRY(check_matrix(ctx, n, K, "K"));
    StickStatus status = solve_quadratic(ctx, n, M, C, K, &l, &made);
    stick_free(ctx, l.A);
    stick_free(ctx, l.B);
    stick_eigen_destroy(ctx, &l.all);
    return finish(ctx, status, &made, eigen);
}
