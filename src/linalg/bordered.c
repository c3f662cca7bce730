// SPDX-License-Identifier: Apache-2.0
#include "linalg/bordered.h"

#include "base/memory.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

enum { PANEL = 64 };
static const double singular = 1e-14; // 1 / condition

void stick_bordered_free(StickContext *ctx, StickBordered *inverse)
{
    stick_free(ctx, inverse->N);
    stick_free(ctx, inverse->work);
    stick_free(ctx, inverse->swaps);
    stick_free(ctx, inverse->panel);
    *inverse = (StickBordered){0};
}

static double *column(const StickBordered *inverse, int j)
{
    return inverse->N + (size_t)j * (size_t)inverse->room;
}

static StickStatus allocate(StickContext *ctx, StickBordered *inverse)
{
    size_t room = (size_t)inverse->room;
    STICK_ALLOC(ctx, inverse->N, room * room);
    STICK_ALLOC(ctx, inverse->work, 2 * room);
    STICK_ALLOC(ctx, inverse->swaps, room);
    STICK_ALLOC(ctx, inverse->panel, PANEL * room);
    return STICK_OK;
}

StickStatus stick_bordered_reserve(StickContext *ctx, StickBordered *inverse, int n)
{
    if (n <= inverse->room)
        return STICK_OK;
    StickBordered grown = {.n = inverse->n, .room = n > 2 * inverse->room ? n : 2 * inverse->room};
    StickStatus status = allocate(ctx, &grown);
    if (status != STICK_OK) {
        stick_bordered_free(ctx, &grown);
        return status;
    }
    for (int j = 0; j < grown.n; j++)
        memcpy(column(&grown, j), column(inverse, j), (size_t)grown.n * sizeof *grown.N);
    stick_bordered_free(ctx, inverse);
    *inverse = grown;
    return STICK_OK;
}

static double largest_row_sum(const StickBordered *inverse, int n)
{
    double largest = 0;
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < n; j++)
            sum += fabs(column(inverse, j)[i]);
        if (!(sum <= largest))
            largest = sum;
    }
    return largest;
}

bool stick_bordered_set(StickBordered *inverse, int n, const double *K)
{
    inverse->n = 0;
    if (n == 0)
        return true;
    for (int j = 0; j < n; j++)
        memcpy(column(inverse, j), K + (size_t)j * (size_t)n, (size_t)n * sizeof *K);
    double norm = largest_row_sum(inverse, n);
    if (LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, n, n, inverse->N, inverse->room, inverse->swaps) != 0 ||
        LAPACKE_dgetri_work(LAPACK_COL_MAJOR, n, inverse->N, inverse->room, inverse->swaps, inverse->panel,
                            PANEL * n) != 0 ||
        !(norm * largest_row_sum(inverse, n) < 1 / singular))
        return false;
    inverse->n = n;
    return true;
}

void stick_bordered_solve(const StickBordered *inverse, const double *b, double *x)
{
    if (inverse->n > 0)
        cblas_dgemv(CblasColMajor, CblasNoTrans, inverse->n, inverse->n, 1, inverse->N, inverse->room, b, 1,
                    0, x, 1);
}

void stick_bordered_solve_left(const StickBordered *inverse, const double *b, double *x)
{
    if (inverse->n > 0)
        cblas_dgemv(CblasColMajor, CblasTrans, inverse->n, inverse->n, 1, inverse->N, inverse->room, b, 1, 0,
                    x, 1);
}

double stick_bordered_schur(StickBordered *inverse, const double *u, const double *v, double a, double *size)
{
    double *Nu = inverse->work, *vN = Nu + inverse->room, sigma = a;
    stick_bordered_solve(inverse, u, Nu);
    stick_bordered_solve_left(inverse, v, vN);
    *size = fabs(a);
    for (int k = 0; k < inverse->n; k++) {
        sigma -= v[k] * Nu[k];
        *size += fabs(v[k] * Nu[k]);
    }
    return sigma;
}

void stick_bordered_grow(StickBordered *inverse, double sigma)
{
    int n = inverse->n;
    const double *Nu = inverse->work, *vN = Nu + inverse->room;
    if (n > 0)
        cblas_dger(CblasColMajor, n, n, 1 / sigma, Nu, 1, vN, 1, inverse->N, inverse->room);
    for (int k = 0; k < n; k++) {
        column(inverse, n)[k] = -Nu[k] / sigma;
        column(inverse, k)[n] = -vN[k] / sigma;
    }
    column(inverse, n)[n] = 1 / sigma;
    inverse->n = n + 1;
}

void stick_bordered_drop(StickBordered *inverse, int r, int c)
{
    int n = inverse->n, last = n - 1, lead = inverse->room;
    double *Nr = inverse->work, *cN = Nr + lead, pivot = column(inverse, r)[c];
    cblas_dcopy(n, column(inverse, r), 1, Nr, 1);
    cblas_dcopy(n, inverse->N + c, lead, cN, 1);
    cblas_dger(CblasColMajor, n, n, -1 / pivot, Nr, 1, cN, 1, inverse->N, lead);
    if (r != last)
        cblas_dcopy(n, column(inverse, last), 1, column(inverse, r), 1);
    if (c != last)
        cblas_dcopy(n, inverse->N + last, lead, inverse->N + c, lead);
    inverse->n = last;
}

void stick_bordered_change_column(StickBordered *inverse, int c, const double *u)
{
    int n = inverse->n, lead = inverse->room;
    double *Nu = inverse->work, *row = Nu + lead;
    stick_bordered_solve(inverse, u, Nu);
    cblas_dcopy(n, inverse->N + c, lead, row, 1);
    cblas_dscal(n, 1 / Nu[c], row, 1);
    Nu[c] -= 1;
    cblas_dger(CblasColMajor, n, n, -1, Nu, 1, row, 1, inverse->N, lead);
}

void stick_bordered_change_row(StickBordered *inverse, int r, const double *v)
{
    int n = inverse->n, lead = inverse->room;
    double *vN = inverse->work, *kept = vN + lead;
    stick_bordered_solve_left(inverse, v, vN);
    cblas_dcopy(n, column(inverse, r), 1, kept, 1);
    cblas_dscal(n, 1 / vN[r], kept, 1);
    vN[r] -= 1;
    cblas_dger(CblasColMajor, n, n, -1, kept, 1, vN, 1, inverse->N, lead);
}
