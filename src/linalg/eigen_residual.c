// SPDX-License-Identifier: Apache-2.0
#include "linalg/eigen_residual.h"

#include "base/memory.h"

#include <cblas.h>
#include <complex.h>
#include <math.h>
#include <string.h>

// Room for a block of vectors, their real parts first, then the imaginary ones.
enum { BLOCK = 32, WIDTH = 2 * BLOCK };
enum {
    SPARSE = 8
}; // matrices with at most this part of entries that are not zero are multiplied by these alone

// A matrix with its absolute values; the entries that are not zero by columns, where they are few.
typedef struct Factor {
    const double *A;
    double *absolute; // n x n; NULL: few
    int *start, *row; // n + 1, start[n]; NULL: many
    double *value;    // start[n]
} Factor;

typedef struct Block {
    double *X, *Y, *rest, *size; // n x WIDTH
    Factor factor[3];
} Block;

static void drop_block(StickContext *ctx, Block *block)
{
    stick_free(ctx, block->X);
    for (int p = 0; p < 3; p++) {
        stick_free(ctx, block->factor[p].absolute);
        stick_free(ctx, block->factor[p].start);
        stick_free(ctx, block->factor[p].row);
        stick_free(ctx, block->factor[p].value);
    }
}

static StickStatus gather_entries(StickContext *ctx, size_t n, size_t count, Factor *factor)
{
    STICK_ALLOC(ctx, factor->start, n + 1);
    STICK_ALLOC(ctx, factor->row, count);
    STICK_ALLOC(ctx, factor->value, count);
    int next = 0;
    for (size_t j = 0; j < n; j++) {
        for (size_t i = 0; i < n; i++)
            if (factor->A[j * n + i] != 0) {
                factor->row[next] = (int)i;
                factor->value[next++] = factor->A[j * n + i];
            }
        factor->start[j + 1] = next;
    }
    return STICK_OK;
}

static StickStatus make_factor(StickContext *ctx, int order, Factor *factor)
{
    size_t n = (size_t)order, count = 0;
    for (size_t k = 0; k < n * n; k++)
        count += factor->A[k] != 0;
    if (count <= n * n / SPARSE)
        return gather_entries(ctx, n, count, factor);
    STICK_ALLOC(ctx, factor->absolute, n * n);
    for (size_t k = 0; k < n * n; k++)
        factor->absolute[k] = fabs(factor->A[k]);
    return STICK_OK;
}

static StickStatus make_block(StickContext *ctx, int n, const double *const A[3], Block *block)
{
    size_t part = (size_t)n * WIDTH;
    for (int p = 0; p < 3; p++) {
        block->factor[p].A = A[p];
        if (A[p])
            STICK_TRY(make_factor(ctx, n, &block->factor[p]));
    }
    STICK_ALLOC(ctx, block->X, 4 * part);
    block->Y = block->X + part;
    block->rest = block->Y + part;
    block->size = block->rest + part;
    return STICK_OK;
}

static void multiply_few(size_t n, const Factor *factor, bool absolute, int width, const double *X, double *Y)
{
    memset(Y, 0, n * (size_t)width * sizeof *Y);
    for (size_t c = 0; c < (size_t)width; c++)
        for (size_t j = 0; j < n; j++) {
            double x = X[c * n + j];
            for (int k = factor->start[j]; x != 0 && k < factor->start[j + 1]; k++)
                Y[c * n + (size_t)factor->row[k]] +=
                    (absolute ? fabs(factor->value[k]) : factor->value[k]) * x;
        }
}

// Y = A X or |A| X. Absolute values have no imaginary parts.
static void multiply(int n, const Factor *factor, bool absolute, const double *X, double *Y)
{
    int width = absolute ? BLOCK : WIDTH;
    if (factor->start)
        multiply_few((size_t)n, factor, absolute, width, X, Y);
    else
        cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, width, n, 1,
                    absolute ? factor->absolute : factor->A, n, X, n, 0, Y, n);
}

static void load_block(const StickEigen *eigen, int first, int count, bool absolute, double *X)
{
    size_t n = (size_t)eigen->n;
    memset(X, 0, n * WIDTH * sizeof *X);
    for (int j = 0; j < count; j++)
        for (size_t i = 0; i < n; i++) {
            double complex x = eigen->vector[(size_t)(first + j) * n + i];
            X[(size_t)j * n + i] = !absolute ? creal(x) : cimag(x) == 0 ? fabs(creal(x)) : cabs(x);
            X[(size_t)(BLOCK + j) * n + i] = absolute ? 0 : cimag(x);
        }
}

// rest += value^power A x, size += |value|^power |A||x|
static void add_term(const StickEigen *eigen, int first, int count, int power, double sign, Block *block)
{
    size_t n = (size_t)eigen->n;
    for (int absolute = 0; absolute < 2; absolute++) {
        load_block(eigen, first, count, absolute, block->X);
        multiply((int)n, &block->factor[power], absolute, block->X, block->Y);
        for (int j = 0; j < count; j++) {
            const double *re = block->Y + (size_t)j * n, *im = re + BLOCK * n;
            double complex factor = sign;
            for (int p = 0; p < power; p++)
                factor *= eigen->value[first + j];
            double size = cabs(factor);
            for (size_t i = 0; absolute && i < n; i++)
                block->size[(size_t)j * n + i] += size * re[i];
            for (size_t i = 0; !absolute && i < n; i++) {
                double complex y = factor * (re[i] + I * im[i]);
                block->rest[(size_t)j * n + i] += creal(y);
                block->rest[(size_t)(BLOCK + j) * n + i] += cimag(y);
            }
        }
    }
}

StickStatus stick_eigen_measure(StickContext *ctx, StickEigen *eigen, const double *const A[3],
                                const double sign[3])
{
    Block block = {0};
    int n = eigen->n;
    StickStatus status = make_block(ctx, n, A, &block);
    for (int first = 0; first < eigen->count && status == STICK_OK; first += BLOCK) {
        int count = eigen->count - first < BLOCK ? eigen->count - first : BLOCK;
        memset(block.rest, 0, 2 * (size_t)n * WIDTH * sizeof *block.rest);
        for (int p = 0; p < 3; p++)
            if (A[p])
                add_term(eigen, first, count, p, sign[p], &block);
        for (int j = 0; j < count; j++) {
            const double *rest = block.rest + (size_t)j * (size_t)n;
            double miss = hypot(cblas_dnrm2(n, rest, 1), cblas_dnrm2(n, rest + (size_t)n * BLOCK, 1));
            double size = cblas_dnrm2(n, block.size + (size_t)j * (size_t)n, 1);
            eigen->residual[first + j] = size > 0 ? miss / size : 0;
        }
    }
    drop_block(ctx, &block);
    return status;
}
