// SPDX-License-Identifier: Apache-2.0
#include "base/memory.h"
#include "linalg/eigen_parts.h"
#include "linalg/eigen_residual.h"

#include <complex.h>
#include <lapacke.h>

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
        STICK_TRY(stick_eigen_check_lapack(ctx, info, "a symmetric eigenproblem", n));
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
    STICK_TRY(stick_eigen_check_matrix(ctx, n, A, "A"));
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
