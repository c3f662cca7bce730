// SPDX-License-Identifier: Apache-2.0
#include "solve/lcp_path.h"

#include "base/memory.h"

#include <cblas.h>
#include <math.h>
#include <string.h>

static const double tie = 1e-12;      // of b, relative to the largest: negative values left by a tie
static const double accurate = 1e-12; // residual of a direction, relative to it, that needs no correction
enum { NONE = -1 };
static const double inexact = 1e-9; // residual beyond which the basis is refactored

void stick_lcp_path_free(StickContext *ctx, StickLcpPath *path)
{
    double *reals[] = {path->q,        path->d,       path->b,     path->T,    path->column, path->x,
                       path->residual, path->inverse, path->ratio, path->best, path->w,      path->z};
    for (size_t k = 0; k < sizeof reals / sizeof *reals; k++)
        stick_free(ctx, reals[k]);
    stick_free(ctx, path->tied);
    stick_free(ctx, path->kind);
    stick_free(ctx, path->home);
    stick_lcp_basis_free(ctx, &path->basis);
    stick_lcp_matrix_free(ctx, &path->M);
    *path = (StickLcpPath){0};
}

static StickStatus take(StickContext *ctx, StickLcpPath *path, size_t n, size_t of_K)
{
    double **vectors[] = {&path->q,     &path->d,    &path->b, &path->T, &path->column,
                          &path->ratio, &path->best, &path->w, &path->z};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        STICK_ALLOC(ctx, *vectors[k], n);
    STICK_ALLOC(ctx, path->x, of_K);
    STICK_ALLOC(ctx, path->residual, of_K);
    STICK_ALLOC(ctx, path->inverse, of_K * STICK_LCP_MOST_ROWS);
    STICK_ALLOC(ctx, path->tied, n);
    STICK_ALLOC(ctx, path->kind, n);
    STICK_ALLOC(ctx, path->home, n);
    return STICK_OK;
}

StickStatus stick_lcp_path_reserve(StickContext *ctx, StickLcpPath *path, int n, int order)
{
    if (n <= path->room && order <= path->room_order)
        return STICK_OK;
    stick_lcp_path_free(ctx, path);
    STICK_TRY(take(ctx, path, (size_t)n, (size_t)(order + STICK_LCP_MOST_BORDER)));
    STICK_TRY(stick_lcp_basis_reserve(ctx, &path->basis, n, order));
    path->room = n;
    path->room_order = order;
    return STICK_OK;
}

double stick_largest_magnitude(int n, const double *x)
{
    double largest = 0;
    for (int i = 0; i < n; i++) {
        double size = fabs(x[i]);
        largest = size > largest ? size : largest;
    }
    return largest;
}

// ---- vectors of K and places

// w += M z + d z0 with the basic z's of x, and one of t for the variable that enters; z0 enters alone
static void add_image(const StickLcpPath *path, const double *x, int entering, double *w)
{
    const int *col_place = path->basis.col_place;
    int n = path->n;
    double z0 = path->z0_place >= 0 ? x[col_place[n]] : entering == 2 * n;
    for (int j = 0; j < n; j++)
        path->z[j] = path->kind[j] == STICK_LCP_Z ? x[col_place[j]] : 0;
    if (entering >= n && entering < 2 * n)
        path->z[entering - n] = 1;
    stick_lcp_matrix_multiply(&path->M, path->z, w);
    if (z0 != 0)
        cblas_daxpy(n, z0, path->d, 1, w, 1);
}

// The rows of K of nonbasic w's, and the largest magnitude of w there, where it should be zero.
static double residual_of(StickLcpPath *path, const double *w, double *residual)
{
    double largest = 0;
    memset(residual, 0, (size_t)stick_lcp_basis_order(&path->basis) * sizeof *residual);
    for (int i = 0; i < path->n; i++) {
        int at = path->basis.row_place[i];
        if (at < 0)
            continue;
        residual[at] = -w[i];
        double size = fabs(w[i]);
        largest = size > largest ? size : largest;
    }
    return largest;
}

// Writes the basic z and z0 from x to their places, where w holds the residual.
static void put_places(const StickLcpPath *path, const double *x, double *w)
{
    for (int i = 0; i < path->n; i++)
        if (path->kind[i] != STICK_LCP_W)
            w[i] = x[path->basis.col_place[path->kind[i] == STICK_LCP_Z ? i : path->n]];
}

// Corrects x and w by the residual in the rows of the nonbasic w's; returns the remaining residual.
static double correct(StickLcpPath *path, double *w)
{
    int order = stick_lcp_basis_order(&path->basis);
    stick_lcp_basis_solve(&path->basis, path->residual);
    cblas_daxpy(order, 1, path->residual, 1, path->x, 1);
    add_image(path, path->residual, NONE, w);
    return residual_of(path, w, path->residual);
}

// ---- basis

// Sets small negative values left by a tie to zero.
static void clear_round_off(StickLcpPath *path)
{
    double *b = path->b, small = 10 * tie * stick_largest_magnitude(path->n, b);
    for (int i = 0; i < path->n; i++)
        if (b[i] < 0 && b[i] >= -small)
            b[i] = 0;
}

bool stick_lcp_path_settle(StickLcpPath *path)
{
    path->basis.M = &path->M;
    path->basis.d = path->d;
    if (!stick_lcp_basis_factor(&path->basis, path->kind))
        return false;
    memcpy(path->b, path->q, (size_t)path->n * sizeof *path->b);
    memset(path->x, 0, (size_t)path->basis.order * sizeof *path->x);
    residual_of(path, path->b, path->residual);
    // solved twice: the second time for what round-off left over
    correct(path, path->b);
    correct(path, path->b);
    put_places(path, path->x, path->b);
    clear_round_off(path);
    return true;
}

// T = d w / d variable, with x = d z / d variable; returns the error of x relative to T
static double move_along(StickLcpPath *path, int variable, double *T)
{
    int n = path->n;
    cblas_dscal(stick_lcp_basis_order(&path->basis), -1, path->x, 1);
    memset(T, 0, (size_t)n * sizeof *T);
    if (variable < n)
        T[variable] = -1;
    add_image(path, path->x, variable, T);
    double error = residual_of(path, T, path->residual), size = fmax(1, stick_largest_magnitude(n, T));
    if (error > accurate * size)
        error = correct(path, T);
    put_places(path, path->x, T);
    return error / size;
}

void stick_lcp_path_column(StickLcpPath *path, int variable)
{
    stick_lcp_basis_column(&path->basis, variable, path->x);
    stick_lcp_basis_solve(&path->basis, path->x);
    move_along(path, variable, path->column);
}

bool stick_lcp_path_direction(StickLcpPath *path, int entering)
{
    double error = INFINITY;
    for (int fresh = path->basis.border == 0; fresh < 2; fresh++) {
        stick_lcp_basis_column(&path->basis, entering, path->x);
        stick_lcp_basis_enter(&path->basis, path->x);
        error = move_along(path, entering, path->T);
        if (error <= inexact || path->basis.border == 0)
            break;
        if (!stick_lcp_path_settle(path))
            return false;
    }
    return isfinite(error);
}

// ---- pivot

// The entering variable takes the place of its pair, where z0 was, and z0 the place of the leaving one.
static void exchange_places(StickLcpPath *path, int entering, int place, double step)
{
    int n = path->n, home = path->z0_place;
    double z0 = home >= 0 ? path->b[home] : step;
    if (home >= 0) {
        path->kind[home] = entering < n ? STICK_LCP_W : STICK_LCP_Z;
        path->b[home] = step;
    }
    path->z0_place = -1;
    if (place != home) {
        path->kind[place] = STICK_LCP_Z0;
        path->b[place] = z0;
        path->z0_place = place;
    }
}

bool stick_lcp_path_pivot(StickLcpPath *path, int entering, int place)
{
    int leaving = stick_lcp_path_variable(path, place);
    double step = path->b[place] / -path->T[place];
    cblas_daxpy(path->n, step, path->T, 1, path->b, 1);
    exchange_places(path, entering, place, step);
    if (!stick_lcp_basis_exchange(&path->basis, entering, leaving))
        return stick_lcp_path_settle(path);
    clear_round_off(path);
    return true;
}
