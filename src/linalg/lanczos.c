// SPDX-License-Identifier: Apache-2.0
#include "linalg/lanczos.h"

#include "base/memory.h"
#include "base/random.h"
#include "linalg/eigen.h"

#include <cblas.h>
#include <complex.h>
#include <math.h>
#include <string.h>

enum { BLOCK = STICK_LANCZOS_BLOCK, SPARE = 2 * BLOCK };
static const double CONVERGED = 1e-11; // residual of OP x = theta x, over theta
static const double EXHAUSTED = 1e-10; // of a vector: what is left of it is rounding
static const uint64_t SEED = 20210;

// OP = (K + shift M)^-1 M in the space spanned by V: OP V = V T + (next block) R at its end.
typedef struct Lanczos {
    StickContext *ctx;
    const StickLanczosProblem *problem;
    int n, size, most; // of V: vectors that OP was applied to, and how many there may be
    double *V;         // n x (most + BLOCK)
    size_t V_room;
    double *MV;   // n x BLOCK: of the block that comes next
    double *W;    // n x BLOCK
    double *T;    // most x most
    double *coef; // (most + nknown) x BLOCK, and most x BLOCK behind
    double R[BLOCK * BLOCK];
    StickRandom random;
} Lanczos;

static void multiply_M(const Lanczos *L, const double *x, double *y)
{
    memset(y, 0, (size_t)L->n * BLOCK * sizeof *y);
    for (int j = 0; j < BLOCK; j++)
        stick_sparse_multiply_transposed(L->problem->M, 1, x + (size_t)j * (size_t)L->n,
                                         y + (size_t)j * (size_t)L->n);
}

// W -= B (B' M W) for `count` columns of B, M W is given; coefficients are added to C (lead count) unless it is NULL.
static void remove_from(Lanczos *L, const double *B, int count, const double *MW, double *C)
{
    if (count == 0)
        return;
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, count, BLOCK, L->n, 1, B, L->n, MW, L->n, 0, L->coef,
                count);
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, L->n, BLOCK, count, -1, B, L->n, L->coef, count, 1,
                L->W, L->n);
    for (int k = 0; C && k < count * BLOCK; k++)
        C[k] += L->coef[k];
}

// W made orthogonal to the known vectors and to the first `size` of V, twice.
static void orthogonalise(Lanczos *L, int size, double *C)
{
    for (int pass = 0; pass < 2; pass++) {
        multiply_M(L, L->W, L->MV);
        remove_from(L, L->problem->known, L->problem->nknown, L->MV, NULL);
        multiply_M(L, L->W, L->MV);
        remove_from(L, L->V, size, L->MV, C);
    }
}

static void randomise(Lanczos *L, double *w)
{
    for (int i = 0; i < L->n; i++)
        w[i] = stick_random_uniform(&L->random, -1, 1);
}

// Columns of W made orthonormal one after the other: W = Q R, Q next to the space. false: a column was exhausted.
static bool normalise(Lanczos *L, int column, double before)
{
    size_t n = (size_t)L->n;
    double *w = L->W + (size_t)column * n, *Mw = L->MV + (size_t)column * n;
    for (int pass = 0; pass < 2; pass++)
        for (int j = 0; j < column; j++) {
            double part = cblas_ddot(L->n, L->MV + (size_t)j * n, 1, w, 1);
            cblas_daxpy(L->n, -part, L->W + (size_t)j * n, 1, w, 1);
            L->R[column * BLOCK + j] += part;
        }
    memset(Mw, 0, n * sizeof *Mw);
    stick_sparse_multiply_transposed(L->problem->M, 1, w, Mw);
    double length = sqrt(fmax(0, cblas_ddot(L->n, w, 1, Mw, 1)));
    if (!(length > EXHAUSTED * before))
        return false;
    L->R[column * BLOCK + column] = length;
    cblas_dscal(L->n, 1 / length, w, 1);
    cblas_dscal(L->n, 1 / length, Mw, 1);
    return true;
}

static double length_of(const Lanczos *L, int column)
{
    const double *w = L->W + (size_t)column * (size_t)L->n;
    return sqrt(fmax(0, stick_sparse_form(L->problem->M, w, w)));
}

// A column that the space has already gives way to a random one, which belongs to no column of OP V.
static bool replace(Lanczos *L, int size, int column)
{
    double *w = L->W + (size_t)column * (size_t)L->n, parts[BLOCK];
    memcpy(parts, L->R + column * BLOCK, sizeof parts);
    randomise(L, w);
    orthogonalise(L, size, NULL);
    for (int j = 0; j < column; j++) { // M W was overwritten
        double *MW = L->MV + (size_t)j * (size_t)L->n;
        memset(MW, 0, (size_t)L->n * sizeof *MW);
        stick_sparse_multiply_transposed(L->problem->M, 1, L->W + (size_t)j * (size_t)L->n, MW);
    }
    double before = length_of(L, column);
    bool found = normalise(L, column, before);
    memcpy(L->R + column * BLOCK, parts, sizeof parts);
    return found;
}

// The block behind `size` vectors of V, with M times it in MV.
static StickStatus take_block(Lanczos *L, int size, const double before[BLOCK])
{
    size_t n = (size_t)L->n;
    memset(L->R, 0, sizeof L->R);
    for (int j = 0; j < BLOCK; j++)
        STICK_CHECK(L->ctx, normalise(L, j, before[j]) || replace(L, size, j), STICK_NOT_SOLVED,
                    "a matrix of order %d has no more than %d vibrations", L->n, size + j);
    STICK_RESERVE(L->ctx, L->V, L->V_room, n * (size_t)(size + BLOCK));
    memcpy(L->V + n * (size_t)size, L->W, n * BLOCK * sizeof *L->V);
    return STICK_OK;
}

static StickStatus start(Lanczos *L)
{
    double before[BLOCK];
    for (int j = 0; j < BLOCK; j++)
        randomise(L, L->W + (size_t)j * (size_t)L->n);
    for (int j = 0; j < BLOCK; j++)
        before[j] = length_of(L, j);
    orthogonalise(L, 0, NULL);
    return take_block(L, 0, before);
}

// One block more: W = OP V_last, whose parts in V are the next columns of T and whose rest is the next block.
static StickStatus expand(Lanczos *L)
{
    double before[BLOCK];
    int size = L->size + BLOCK;
    double *C = L->T + (size_t)L->size * (size_t)L->most;
    STICK_TRY(stick_factor_solve(L->problem->factor, L->MV, BLOCK, L->W));
    for (int j = 0; j < BLOCK; j++)
        before[j] = length_of(L, j);
    // columns of C stand in T with its lead: they are gathered behind each other first
    double *flat = L->coef + (size_t)(L->most + L->problem->nknown) * BLOCK;
    memset(flat, 0, (size_t)size * BLOCK * sizeof *flat);
    orthogonalise(L, size, flat);
    for (int j = 0; j < BLOCK; j++)
        memcpy(C + (size_t)j * (size_t)L->most, flat + (size_t)j * (size_t)size, (size_t)size * sizeof *C);
    L->size = size;
    return take_block(L, size, before);
}

// Largest eigenvalues of T, symmetric but for rounding, by the smallest of -T.
static StickStatus ritz(const Lanczos *L, int count, StickEigen *eigen)
{
    size_t size = (size_t)L->size;
    double *A;
    STICK_ALLOC(L->ctx, A, size * size);
    for (size_t j = 0; j < size; j++)
        for (size_t i = 0; i <= j; i++)
            A[j * size + i] = -L->T[j * (size_t)L->most + i];
    StickStatus status = stick_eigen_symmetric(L->ctx, L->size, A, count, eigen);
    stick_free(L->ctx, A);
    return status;
}

// ||R s|| over the last block of s, for OP x - theta x with x = V s.
static double residual(const Lanczos *L, const double complex *s, double length)
{
    double sum = 0;
    for (int i = 0; i < BLOCK; i++) {
        double part = 0;
        for (int j = i; j < BLOCK; j++)
            part += L->R[j * BLOCK + i] * creal(s[L->size - BLOCK + j]);
        sum += part * part;
    }
    return sqrt(sum) / length;
}

static double length_of_ritz(const Lanczos *L, const double complex *s)
{
    double sum = 0;
    for (int i = 0; i < L->size; i++)
        sum += creal(s[i]) * creal(s[i]);
    return sqrt(sum);
}

static bool is_converged(const Lanczos *L, const StickEigen *eigen, int count)
{
    for (int k = 0; k < count; k++) {
        const double complex *s = eigen->vector + (size_t)k * (size_t)L->size;
        if (residual(L, s, length_of_ritz(L, s)) > CONVERGED * fabs(creal(eigen->value[k])))
            return false;
    }
    return true;
}

static void take_pairs(const Lanczos *L, const StickEigen *eigen, int count, double *value, double *vector)
{
    for (int k = 0; k < count; k++) {
        const double complex *s = eigen->vector + (size_t)k * (size_t)L->size;
        double length = length_of_ritz(L, s), *x = vector + (size_t)k * (size_t)L->n;
        value[k] = -1 / creal(eigen->value[k]) - L->problem->shift;
        memset(x, 0, (size_t)L->n * sizeof *x);
        for (int i = 0; i < L->size; i++)
            cblas_daxpy(L->n, creal(s[i]) / length, L->V + (size_t)i * (size_t)L->n, 1, x, 1);
    }
}

static StickStatus iterate(Lanczos *L, int count, double *value, double *vector)
{
    bool done = false;
    STICK_TRY(start(L));
    while (!done) {
        STICK_CHECK(L->ctx, L->size + 2 * BLOCK <= L->most, STICK_NOT_SOLVED,
                    "%d vibrations of a matrix of order %d have not been found in a space of %d vectors",
                    count, L->n, L->size);
        STICK_TRY(expand(L));
        if (L->size < count + SPARE)
            continue;
        StickEigen eigen;
        STICK_TRY(ritz(L, count, &eigen));
        done = is_converged(L, &eigen, count);
        if (done)
            take_pairs(L, &eigen, count, value, vector);
        stick_eigen_destroy(L->ctx, &eigen);
    }
    return STICK_OK;
}

static StickStatus make_room(Lanczos *L)
{
    size_t n = (size_t)L->n, most = (size_t)L->most;
    STICK_ALLOC(L->ctx, L->MV, n * BLOCK);
    STICK_ALLOC(L->ctx, L->W, n * BLOCK);
    STICK_ALLOC(L->ctx, L->T, most * most);
    STICK_ALLOC(L->ctx, L->coef, (2 * most + (size_t)L->problem->nknown) * BLOCK);
    return STICK_OK;
}

StickStatus stick_lanczos_lowest(StickContext *ctx, const StickLanczosProblem *problem, int count,
                                 double *value, double *vector)
{
    int n = problem->M->rows, free = n - problem->nknown, most = 4 * count + 40 * BLOCK;
    Lanczos L = {.ctx = ctx,
                 .problem = problem,
                 .n = n,
                 .most = most < free ? most : free,
                 .random = stick_random_seed(SEED)};
    StickStatus status = make_room(&L);
    if (status == STICK_OK)
        status = iterate(&L, count, value, vector);
    stick_free(ctx, L.V);
    stick_free(ctx, L.MV);
    stick_free(ctx, L.W);
    stick_free(ctx, L.T);
    stick_free(ctx, L.coef);
    return status;
}
