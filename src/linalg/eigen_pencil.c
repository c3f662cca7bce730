// SPDX-License-Identifier: Apache-2.0
#include "base/memory.h"
#include "linalg/eigen_parts.h"
#include "linalg/eigen_residual.h"

#include <cblas.h>
#include <complex.h>
#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

enum { SWEEPS = 8 };                 // of equilibration
static const double WELL = 1e-6;     // condition of M up to which it is divided by
static const double ALIKE = 8;       // eps: a matrix and its transpose that differ by no more are one
static const double FARTHEST = 1e-4; // from infinity, at which a computed eigenvalue may still mean it

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
    double k = stick_eigen_largest_entry(p->n, K);
    p->k = k > 0 ? k : 1;
    p->m = stick_eigen_largest_entry(p->n, M);
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
        STICK_TRY(stick_eigen_check_lapack(ctx, info, "an eigenproblem", n));
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

// Real eigenvalues, however close to each other. If M is not definite, it does nothing: another method follows.
static StickStatus run_definite(StickContext *ctx, Pencil *p, bool *done)
{
    int n = p->n, size = -1, whole, integers = -1, info = 0;
    double room;
    for (int pass = 0; pass < 2; pass++) {
        info = LAPACKE_dsygvd_work(LAPACK_COL_MAJOR, 1, 'V', 'U', n, p->K, n, p->M, n, p->re,
                                   pass ? p->work : &room, size, pass ? p->integers : &whole, integers);
        if (pass == 0) {
            STICK_TRY(stick_eigen_check_lapack(ctx, info, "a symmetric eigenproblem", n));
            size = (int)room;
            integers = whole;
            STICK_ALLOC(ctx, p->work, size);
            STICK_ALLOC(ctx, p->integers, integers);
        }
    }
    *done = info <= n;
    if (info <= n)
        STICK_TRY(stick_eigen_check_lapack(ctx, info, "a symmetric eigenproblem", n));
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

// Scales rows and columns so that the largest entry of |K| + |M| in each is about one: multipliers and stiffnesses
// have different units. Powers of two, so that scaling rounds nothing.
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
        STICK_TRY(stick_eigen_check_lapack(ctx, info, "a generalized eigenproblem", n));
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

// Whether an eigenvalue of QZ is infinity within its own error: rounding splits a double one at infinity into large
// ones. The criterion is its condition, s = sqrt(|y' K x|^2 + |y' M x|^2) / (|x||y|).
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

StickStatus stick_eigen_pencil(StickContext *ctx, int n, const double *K, const double *M, StickEigen *eigen)
{
    Pencil p = {.n = n};
    StickEigen made = {0};
    STICK_CHECK(ctx, n >= 1, STICK_USAGE, "an eigenproblem of order %d", n);
    STICK_TRY(stick_eigen_check_matrix(ctx, n, K, "K"));
    STICK_TRY(stick_eigen_check_matrix(ctx, n, M, "M"));
    StickStatus status = solve_pencil(ctx, K, M, &p, &made);
    drop_pencil(ctx, &p);
    if (status == STICK_OK)
        status = stick_eigen_measure(ctx, &made, (const double *const[3]){K, M, NULL},
                                     (const double[3]){1, -1, 0});
    return stick_eigen_finish(ctx, status, &made, eigen);
}
