// SPDX-License-Identifier: Apache-2.0
#include "linalg/lanczos.h"

#include "base/memory.h"
#include "base/random.h"
#include "linalg/eigen.h"

#include <cblas.h>
#include <complex.h>
#include <math.h>
#include <string.h>

enum { BLOCK = STICK_LANCZOS_BLOCK };
static const double CONVERGED = 1e-11; // residual of OP x = theta x, over theta
static const double EXHAUSTED = 1e-10; // of a vector: a smaller remainder is round-off
static const uint64_t SEED = 20210;

// OP = (K + shift M)^-1 M in the space spanned by V: OP V = V T + (next block) R at its end.
typedef struct Lanczos {
    StickContext *ctx;
    const StickLanczosProblem *problem;
    const StickVibrationWish *wish;
    int n, size, most; // vectors of V that OP was applied to, and how many there may be
    double *V;         // n x (size + BLOCK)
    double *MV;        // n x BLOCK: of the block that comes next
    double *W;         // n x BLOCK
    double *T;         // upper triangle by columns, packed
    double *coef;      // (size + nknown) x BLOCK
    double *column;    // size x BLOCK: columns of T that come next
    size_t V_room, T_room, coef_room, column_room;
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
        remove_from(L, L->wish->known, L->wish->nknown, L->MV, NULL);
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

// Replaces a column that already lies in the space by a random one, which belongs to no column of OP V.
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

// Takes the block after `size` vectors of V, with M times it in MV.
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
    STICK_RESERVE(L->ctx, L->coef, L->coef_room, (size_t)(L->wish->nknown + 1) * BLOCK);
    for (int j = 0; j < BLOCK; j++)
        randomise(L, L->W + (size_t)j * (size_t)L->n);
    for (int j = 0; j < BLOCK; j++)
        before[j] = length_of(L, j);
    orthogonalise(L, 0, NULL);
    return take_block(L, 0, before);
}

static double *T_column(const Lanczos *L, int j)
{
    return L->T + (size_t)j * (size_t)(j + 1) / 2;
}

// One block more: W = OP V_last, whose parts in V are the next columns of T and whose rest is the next block.
static StickStatus expand(Lanczos *L)
{
    double before[BLOCK];
    int size = L->size + BLOCK;
    STICK_RESERVE(L->ctx, L->T, L->T_room, (size_t)size * (size_t)(size + 1) / 2);
    STICK_RESERVE(L->ctx, L->coef, L->coef_room, (size_t)(size + L->wish->nknown) * BLOCK);
    STICK_RESERVE(L->ctx, L->column, L->column_room, (size_t)size * BLOCK);
    STICK_TRY(stick_factor_solve(L->problem->factor, L->MV, BLOCK, L->W));
    for (int j = 0; j < BLOCK; j++)
        before[j] = length_of(L, j);
    memset(L->column, 0, (size_t)size * BLOCK * sizeof *L->column);
    orthogonalise(L, size, L->column);
    for (int j = 0; j < BLOCK; j++)
        memcpy(T_column(L, L->size + j), L->column + (size_t)j * (size_t)size,
               (size_t)(L->size + j + 1) * sizeof *L->T);
    L->size = size;
    return take_block(L, size, before);
}

// Largest eigenvalues of T, by the smallest of -T.
static StickStatus ritz(const Lanczos *L, int count, StickEigen *eigen)
{
    size_t size = (size_t)L->size;
    double *A;
    STICK_ALLOC(L->ctx, A, size * size);
    for (size_t j = 0; j < size; j++)
        for (size_t i = 0; i <= j; i++)
            A[j * size + i] = -T_column(L, (int)j)[i];
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

static double value_of(const Lanczos *L, const StickEigen *eigen, int k)
{
    return -1 / creal(eigen->value[k]) - L->problem->shift;
}

static bool is_converged(const Lanczos *L, const StickEigen *eigen, int k)
{
    const double complex *s = eigen->vector + (size_t)k * (size_t)L->size;
    return residual(L, s, length_of_ritz(L, s)) <= CONVERGED * fabs(creal(eigen->value[k]));
}

// Number of wanted eigenvalues, including the first one above the bound; 0 if they have not all converged yet.
static int found(const Lanczos *L, const StickEigen *eigen)
{
    for (int k = 0; k < eigen->count; k++) {
        if (!is_converged(L, eigen, k))
            return 0;
        if (k + 1 == L->wish->count || value_of(L, eigen, k) > L->wish->below)
            return k + 1;
    }
    return 0;
}

static StickStatus take_pairs(const Lanczos *L, const StickEigen *eigen, int count, StickVibration *vibration)
{
    STICK_TRY(stick_vibration_create(L->ctx, L->n, count, vibration));
    for (int k = 0; k < count; k++) {
        const double complex *s = eigen->vector + (size_t)k * (size_t)L->size;
        double length = length_of_ritz(L, s), *x = vibration->vector + (size_t)k * (size_t)L->n;
        vibration->value[k] = value_of(L, eigen, k);
        for (int i = 0; i < L->size; i++)
            cblas_daxpy(L->n, creal(s[i]) / length, L->V + (size_t)i * (size_t)L->n, 1, x, 1);
    }
    return STICK_OK;
}

// A part of the space may already contain accurate values: two thirds of them are checked.
static StickStatus look(const Lanczos *L, bool *done, StickVibration *vibration)
{
    StickEigen eigen;
    int count = 2 * L->size / 3;
    STICK_TRY(ritz(L, count < L->wish->count ? count : L->wish->count, &eigen));
    int good = found(L, &eigen);
    StickStatus status = good > 0 ? take_pairs(L, &eigen, good, vibration) : STICK_OK;
    *done = good > 0;
    stick_eigen_destroy(L->ctx, &eigen);
    return status;
}

static StickStatus iterate(Lanczos *L, StickVibration *vibration)
{
    bool done = false;
    int next = 2 * BLOCK; // size at which it is looked again
    STICK_TRY(start(L));
    while (!done) {
        STICK_CHECK(L->ctx, L->size + 2 * BLOCK <= L->most, STICK_NOT_SOLVED,
                    "vibrations of a matrix of order %d have not been found in a space of %d vectors", L->n,
                    L->size);
        STICK_TRY(expand(L));
        if (L->size < next)
            continue;
        STICK_TRY(look(L, &done, vibration));
        next = L->size + BLOCK + L->size / 16;
    }
    return STICK_OK;
}

static StickStatus make_room(Lanczos *L)
{
    STICK_ALLOC(L->ctx, L->MV, (size_t)L->n * BLOCK);
    STICK_ALLOC(L->ctx, L->W, (size_t)L->n * BLOCK);
    return STICK_OK;
}

StickStatus stick_lanczos_find(StickContext *ctx, const StickLanczosProblem *problem,
                               const StickVibrationWish *wish, StickVibration *vibration)
{
    int n = problem->M->rows;
    Lanczos L = {.ctx = ctx,
                 .problem = problem,
                 .wish = wish,
                 .n = n,
                 .most = n - wish->nknown,
                 .random = stick_random_seed(SEED)};
    StickStatus status = make_room(&L);
    if (status == STICK_OK)
        status = iterate(&L, vibration);
    double *array[] = {L.V, L.MV, L.W, L.T, L.coef, L.column};
    for (size_t k = 0; k < sizeof array / sizeof *array; k++)
        stick_free(ctx, array[k]);
    return status;
}
