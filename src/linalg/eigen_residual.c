// SPDX-License-Identifier: Apache-2.0
#include "linalg/eigen_residual.h"

#include "base/memory.h"

#include <cblas.h>
#include <complex.h>
#include <math.h>
#include <string.h>

// Room for a block of vectors, their real parts first, then the imaginary ones.
enum { BLOCK = 32, WIDTH = 2 * BLOCK };

typedef struct Block {
    double *X, *Y, *rest, *size; // n x WIDTH
    double *absolute;            // n x n: |A|
} Block;

static void drop_block(StickContext *ctx, Block *block)
{
    stick_free(ctx, block->X);
    stick_free(ctx, block->absolute);
}

static StickStatus make_block(StickContext *ctx, int n, Block *block)
{
    size_t part = (size_t)n * WIDTH;
    STICK_ALLOC(ctx, block->X, 4 * part);
    STICK_ALLOC(ctx, block->absolute, (size_t)n * (size_t)n);
    block->Y = block->X + part;
    block->rest = block->Y + part;
    block->size = block->rest + part;
    return STICK_OK;
}

static void multiply(int n, const double *A, const double *X, double *Y)
{
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, WIDTH, n, 1, A, n, X, n, 0, Y, n);
}

static void load_block(const StickEigen *eigen, int first, int count, bool absolute, double *X)
{
    size_t n = (size_t)eigen->n;
    memset(X, 0, n * WIDTH * sizeof *X);
    for (int j = 0; j < count; j++)
        for (size_t i = 0; i < n; i++) {
            double complex x = eigen->vector[(size_t)(first + j) * n + i];
            X[(size_t)j * n + i] = absolute ? cabs(x) : creal(x);
            X[(size_t)(BLOCK + j) * n + i] = absolute ? 0 : cimag(x);
        }
}

// rest += value^power A x, size += |value|^power |A||x|
static void add_term(const StickEigen *eigen, int first, int count, const double *A, int power, double sign,
                     Block *block)
{
    size_t n = (size_t)eigen->n;
    for (size_t k = 0; k < n * n; k++)
        block->absolute[k] = fabs(A[k]);
    for (int absolute = 0; absolute < 2; absolute++) {
        load_block(eigen, first, count, absolute, block->X);
        multiply((int)n, absolute ? block->absolute : A, block->X, block->Y);
        for (int j = 0; j < count; j++) {
            const double *re = block->Y + (size_t)j * n, *im = re + BLOCK * n;
            double complex factor = sign;
            for (int p = 0; p < power; p++)
                factor *= eigen->value[first + j];
            for (size_t i = 0; i < n; i++) {
                double complex y = factor * (re[i] + I * im[i]);
                block->rest[(size_t)j * n + i] += absolute ? 0 : creal(y);
                block->rest[(size_t)(BLOCK + j) * n + i] += absolute ? 0 : cimag(y);
                block->size[(size_t)j * n + i] += absolute ? cabs(factor) * re[i] : 0;
            }
        }
    }
}

StickStatus stick_eigen_measure(StickContext *ctx, StickEigen *eigen, const double *const A[3],
                                const double sign[3])
{
    Block block = {0};
    int n = eigen->n;
    StickStatus status = make_block(ctx, n, &block);
    for (int first = 0; first < eigen->count && status == STICK_OK; first += BLOCK) {
        int count = eigen->count - first < BLOCK ? eigen->count - first : BLOCK;
        memset(block.rest, 0, 2 * (size_t)n * WIDTH * sizeof *block.rest);
        for (int p = 0; p < 3; p++)
            if (A[p])
                add_term(eigen, first, count, A[p], p, sign[p], &block);
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
