// SPDX-License-Identifier: Apache-2.0
#include "base/memory.h"
#include "linalg/eigen_parts.h"
#include "linalg/eigen_residual.h"

#include <complex.h>
#include <math.h>
#include <string.h>

typedef struct Linear {
    double *A, *B;  // 2n x 2n
    double unit;    // of eigenvalues
    StickEigen all; // pairs (x, value x / unit) in this unit
} Linear;

// A = [-K 0; 0 1], B = [C M; 1 0] in units of the eigenvalue and of the equations that make all norms alike
static void fill_linear(int n, const double *M, const double *C, const double *K, Linear *l)
{
    double m = stick_eigen_largest_entry(n, M), c = stick_eigen_largest_entry(n, C),
           k = stick_eigen_largest_entry(n, K);
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
        // both halves contain x; the larger one is more accurate
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
    STICK_TRY(stick_eigen_check_matrix(ctx, n, M, "M"));
    STICK_TRY(stick_eigen_check_matrix(ctx, n, C, "C"));
    STICK_TRY(stick_eigen_check_matrix(ctx, n, K, "K"));
    StickStatus status = solve_quadratic(ctx, n, M, C, K, &l, &made);
    stick_free(ctx, l.A);
    stick_free(ctx, l.B);
    stick_eigen_destroy(ctx, &l.all);
    return stick_eigen_finish(ctx, status, &made, eigen);
}
