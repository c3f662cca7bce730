// SPDX-License-Identifier: Apache-2.0
#include "linalg/dense_kernels.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>

// Sizes from which BLAS wins over the loops here.
enum { BLAS_PRODUCT = 20000, BLAS_TRIANGLE = 32 };

// Four numbers at once; the compiler splits them where the processor has only pairs.
typedef double Four __attribute__((vector_size(32), aligned(8), may_alias));

#define BODY static inline __attribute__((always_inline))
#if defined(__x86_64__)
#define WIDE __attribute__((target("avx2")))
#define HAS_WIDE() __builtin_cpu_supports("avx2")
#else
#define WIDE
#define HAS_WIDE() 0
#endif

// ---- C = A B'

// An 8 x width tile of C.
BODY void tile_body(int k, int width, const double *A, int lda, const double *B, int ldb, double *C, int ldc)
{
    Four sum[4][2] = {0};
    for (int l = 0; l < k; l++) {
        const Four *a = (const Four *)(A + (size_t)l * (size_t)lda);
        const double *b = B + (size_t)l * (size_t)ldb;
        Four a0 = a[0], a1 = a[1];
        for (int j = 0; j < width; j++) {
            sum[j][0] += a0 * b[j];
            sum[j][1] += a1 * b[j];
        }
    }
    for (int j = 0; j < width; j++) {
        Four *c = (Four *)(C + (size_t)j * (size_t)ldc);
        c[0] = sum[j][0];
        c[1] = sum[j][1];
    }
}

BODY void product_body(StickDense A, StickDense B, double *C, int ldc)
{
    for (int j = 0; j < B.rows; j += 4)
        for (int i = 0; i < A.rows; i += 8) {
            const double *a = A.value + i, *b = B.value + j;
            double *c = C + i + (size_t)j * (size_t)ldc;
            int width = B.rows - j;
            if (width >= 4)
                tile_body(A.cols, 4, a, A.lead, b, B.lead, c, ldc);
            else if (width == 3)
                tile_body(A.cols, 3, a, A.lead, b, B.lead, c, ldc);
            else if (width == 2)
                tile_body(A.cols, 2, a, A.lead, b, B.lead, c, ldc);
            else
                tile_body(A.cols, 1, a, A.lead, b, B.lead, c, ldc);
        }
}

WIDE static void product_wide(StickDense A, StickDense B, double *C, int lead)
{
    product_body(A, B, C, lead);
}

static void product_narrow(StickDense A, StickDense B, double *C, int lead)
{
    product_body(A, B, C, lead);
}

void stick_kernel_product(StickDense A, StickDense B, double *C, int lead)
{
    double size = (double)A.rows * (double)B.rows * (double)A.cols;
    if (size >= BLAS_PRODUCT)
        cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, A.rows, B.rows, A.cols, 1, A.value, A.lead,
                    B.value, B.lead, 0, C, lead);
    else if (HAS_WIDE())
        product_wide(A, B, C, lead);
    else
        product_narrow(A, B, C, lead);
}

// ---- P A = L U

static void exchange_rows(int n, double *A, int i, int j)
{
    for (int k = 0; k < n && i != j; k++) {
        double kept = A[i + k * n];
        A[i + k * n] = A[j + k * n];
        A[j + k * n] = kept;
    }
}

static int largest_at(int n, const double *x, int from)
{
    int best = from;
    for (int i = from + 1; i < n; i++)
        if (fabs(x[i]) > fabs(x[best]))
            best = i;
    return best;
}

BODY bool lu_body(int n, double *A, int *pivot)
{
    for (int k = 0; k < n; k++) {
        double *column = A + k * n;
        int best = pivot[k] = largest_at(n, column, k);
        if (!(fabs(column[best]) > 0))
            return false;
        exchange_rows(n, A, k, best);
        double scale = 1 / column[k];
        for (int i = k + 1; i < n; i++)
            column[i] *= scale;
        for (int j = k + 1; j < n; j++) {
            double *other = A + j * n, factor = other[k];
            int i = k + 1;
            for (; i + 4 <= n; i += 4)
                *(Four *)(other + i) -= *(const Four *)(column + i) * factor;
            for (; i < n; i++)
                other[i] -= column[i] * factor;
        }
    }
    return true;
}

WIDE static bool lu_wide(int n, double *A, int *pivot)
{
    return lu_body(n, A, pivot);
}

static bool lu_narrow(int n, double *A, int *pivot)
{
    return lu_body(n, A, pivot);
}

bool stick_kernel_lu(int n, double *A, int *pivot)
{
    if (n < BLAS_TRIANGLE)
        return HAS_WIDE() ? lu_wide(n, A, pivot) : lu_narrow(n, A, pivot);
    if (LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, n, n, A, n, pivot) != 0)
        return false;
    for (int k = 0; k < n; k++) {
        pivot[k]--;
        if (!(fabs(A[k + k * n]) > 0))
            return false;
    }
    return true;
}

// ---- triangular solves from the right

// B = B T^-1 with an upper triangle T whose entry (l, k) is T[l * down + k * right].
BODY void divide_body(int n, const double *T, int down, int right, bool unit, int m, double *B, int lead)
{
    for (int k = 0; k < n; k++) {
        double scale = unit ? 1 : 1 / T[k * down + k * right];
        for (int i = 0; i < m; i += 8) {
            Four *x = (Four *)(B + i + (size_t)k * (size_t)lead), x0 = x[0], x1 = x[1];
            for (int l = 0; l < k; l++) {
                const Four *y = (const Four *)(B + i + (size_t)l * (size_t)lead);
                double t = T[l * down + k * right];
                x0 -= y[0] * t;
                x1 -= y[1] * t;
            }
            x[0] = x0 * scale;
            x[1] = x1 * scale;
        }
    }
}

WIDE static void divide_wide(int n, const double *T, bool upper, int m, double *B, int lead)
{
    divide_body(n, T, upper ? 1 : n, upper ? n : 1, !upper, m, B, lead);
}

static void divide_narrow(int n, const double *T, bool upper, int m, double *B, int lead)
{
    divide_body(n, T, upper ? 1 : n, upper ? n : 1, !upper, m, B, lead);
}

static void divide(int n, const double *T, bool upper, int m, double *B, int lead)
{
    if (m == 0)
        return;
    if (n >= BLAS_TRIANGLE)
        cblas_dtrsm(CblasColMajor, CblasRight, upper ? CblasUpper : CblasLower,
                    upper ? CblasNoTrans : CblasTrans, upper ? CblasNonUnit : CblasUnit, m, n, 1, T, n, B,
                    lead);
    else if (HAS_WIDE())
        divide_wide(n, T, upper, m, B, lead);
    else
        divide_narrow(n, T, upper, m, B, lead);
}

void stick_kernel_divide_upper(int n, const double *LU, int m, double *B, int lead)
{
    divide(n, LU, true, m, B, lead);
}

static void exchange_columns(int m, double *B, int lead, int i, int j)
{
    double *x = B + (size_t)i * (size_t)lead, *y = B + (size_t)j * (size_t)lead;
    for (int k = 0; k < m; k++) {
        double kept = x[k];
        x[k] = y[k];
        y[k] = kept;
    }
}

void stick_kernel_divide_lower(int n, const double *LU, const int *pivot, int m, double *B, int lead)
{
    for (int k = 0; k < n; k++)
        if (pivot[k] != k)
            exchange_columns(m, B, lead, k, pivot[k]);
    divide(n, LU, false, m, B, lead);
}

// ---- vectors

void stick_kernel_forward(int n, const double *LU, const int *pivot, double *x)
{
    for (int k = 0; k < n; k++) {
        double kept = x[k];
        x[k] = x[pivot[k]];
        x[pivot[k]] = kept;
    }
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i < n; i++)
            x[i] -= LU[i + k * n] * x[k];
}

void stick_kernel_backward(int n, const double *LU, double *x)
{
    for (int k = n - 1; k >= 0; k--) {
        x[k] /= LU[k + k * n];
        for (int i = 0; i < k; i++)
            x[i] -= LU[i + k * n] * x[k];
    }
}

void stick_kernel_times(StickDense A, const double *x, double *y)
{
    for (int i = 0; i < A.rows; i += 4) {
        Four sum = {0};
        for (int k = 0; k < A.cols; k++)
            sum += *(const Four *)(A.value + i + (size_t)k * (size_t)A.lead) * x[k];
        *(Four *)(y + i) = sum;
    }
}

void stick_kernel_subtract_transposed(StickDense A, const double *x, double *y)
{
    for (int k = 0; k < A.cols; k++) {
        const double *a = A.value + (size_t)k * (size_t)A.lead;
        Four sums = {0};
        int i = 0;
        for (; i + 4 <= A.rows; i += 4)
            sums += *(const Four *)(a + i) * *(const Four *)(x + i);
        double sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
        for (; i < A.rows; i++)
            sum += a[i] * x[i];
        y[k] -= sum;
    }
}

// ---- trapezoids

enum { STRIP = 4 }; // columns at a time

// w1 = L1^-1 w1 and w1 = L1^-T w1 of the first columns of a strip alone.
BODY void eliminate_corner(const double *L, size_t lead, double *w)
{
    for (int k = 0; k < STRIP; k++) {
        w[k] /= L[(size_t)k * lead + (size_t)k];
        for (int i = k + 1; i < STRIP; i++)
            w[i] -= L[(size_t)k * lead + (size_t)i] * w[k];
    }
}

BODY void substitute_corner(const double *L, size_t lead, double *w)
{
    for (int k = STRIP - 1; k >= 0; k--) {
        for (int i = k + 1; i < STRIP; i++)
            w[k] -= L[(size_t)k * lead + (size_t)i] * w[i];
        w[k] /= L[(size_t)k * lead + (size_t)k];
    }
}

// Rows below the corner of a strip: y -= L x.
BODY void eliminate_strip(const double *L, size_t lead, int rows, const double x[STRIP], double *y)
{
    const double *a = L, *b = L + lead, *c = L + 2 * lead, *d = L + 3 * lead;
    int i = 0;
    for (; i + 4 <= rows; i += 4)
        *(Four *)(y + i) -= (*(const Four *)(a + i) * x[0] + *(const Four *)(b + i) * x[1]) +
                            (*(const Four *)(c + i) * x[2] + *(const Four *)(d + i) * x[3]);
    for (; i < rows; i++)
        y[i] -= (a[i] * x[0] + b[i] * x[1]) + (c[i] * x[2] + d[i] * x[3]);
}

BODY double sum_of(const Four *x)
{
    return ((*x)[0] + (*x)[1]) + ((*x)[2] + (*x)[3]);
}

// x -= L' y
BODY void substitute_strip(const double *L, size_t lead, int rows, const double *y, double x[STRIP])
{
    const double *a = L, *b = L + lead, *c = L + 2 * lead, *d = L + 3 * lead;
    Four s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0};
    int i = 0;
    for (; i + 4 <= rows; i += 4) {
        Four w = *(const Four *)(y + i);
        s0 += *(const Four *)(a + i) * w;
        s1 += *(const Four *)(b + i) * w;
        s2 += *(const Four *)(c + i) * w;
        s3 += *(const Four *)(d + i) * w;
    }
    double t[STRIP] = {sum_of(&s0), sum_of(&s1), sum_of(&s2), sum_of(&s3)};
    for (; i < rows; i++) {
        t[0] += a[i] * y[i];
        t[1] += b[i] * y[i];
        t[2] += c[i] * y[i];
        t[3] += d[i] * y[i];
    }
    for (int k = 0; k < STRIP; k++)
        x[k] -= t[k];
}

BODY void eliminate_body(StickDense L, double *w)
{
    size_t lead = (size_t)L.lead;
    int k = 0;
    for (; k + STRIP <= L.cols; k += STRIP) {
        const double *strip = L.value + (size_t)k * (lead + 1);
        eliminate_corner(strip, lead, w + k);
        eliminate_strip(strip + STRIP, lead, L.rows - k - STRIP, w + k, w + k + STRIP);
    }
    for (; k < L.cols; k++) {
        const double *column = L.value + (size_t)k * lead;
        w[k] /= column[k];
        for (int i = k + 1; i < L.rows; i++)
            w[i] -= column[i] * w[k];
    }
}

BODY void substitute_body(StickDense L, double *w)
{
    size_t lead = (size_t)L.lead;
    int k = L.cols;
    for (; k % STRIP > 0; k--) {
        const double *column = L.value + (size_t)(k - 1) * lead;
        for (int i = k; i < L.rows; i++)
            w[k - 1] -= column[i] * w[i];
        w[k - 1] /= column[k - 1];
    }
    for (k -= STRIP; k >= 0; k -= STRIP) {
        const double *strip = L.value + (size_t)k * (lead + 1);
        substitute_strip(strip + STRIP, lead, L.rows - k - STRIP, w + k + STRIP, w + k);
        substitute_corner(strip, lead, w + k);
    }
}

WIDE static void eliminate_wide(StickDense L, double *w)
{
    eliminate_body(L, w);
}

static void eliminate_narrow(StickDense L, double *w)
{
    eliminate_body(L, w);
}

void stick_kernel_eliminate(StickDense L, double *w)
{
    if (HAS_WIDE())
        eliminate_wide(L, w);
    else
        eliminate_narrow(L, w);
}

WIDE static void substitute_wide(StickDense L, double *w)
{
    substitute_body(L, w);
}

static void substitute_narrow(StickDense L, double *w)
{
    substitute_body(L, w);
}

void stick_kernel_substitute(StickDense L, double *w)
{
    if (HAS_WIDE())
        substitute_wide(L, w);
    else
        substitute_narrow(L, w);
}
