// SPDX-License-Identifier: Apache-2.0
#include "solve/lcp_basis.h"

#include "base/memory.h"

#include <cblas.h>
#include <math.h>
#include <string.h>

enum { MOST = STICK_LCP_MOST_BORDER };

static const double singular = 1e-11; // of a pivot, relative to its column or to the largest
static const double dependent = 1e-9; // of a pivot that is not taken into a start

void stick_lcp_basis_free(StickContext *ctx, StickLcpBasis *basis)
{
    double *reals[] = {basis->LU, basis->U, basis->Y, basis->Q,  basis->R,
                       basis->y,  basis->s, basis->t, basis->row};
    for (size_t k = 0; k < sizeof reals / sizeof *reals; k++)
        stick_free(ctx, reals[k]);
    stick_free(ctx, basis->swaps);
    stick_free(ctx, basis->col_of);
    stick_free(ctx, basis->row_place);
    stick_free(ctx, basis->col_place);
    *basis = (StickLcpBasis){0};
}

static StickStatus take(StickContext *ctx, StickLcpBasis *basis, size_t n, size_t order)
{
    STICK_ALLOC(ctx, basis->LU, order * order);
    STICK_ALLOC(ctx, basis->swaps, order);
    STICK_ALLOC(ctx, basis->U, order * MOST);
    STICK_ALLOC(ctx, basis->Y, order * MOST);
    STICK_ALLOC(ctx, basis->Q, MOST * MOST);
    STICK_ALLOC(ctx, basis->R, MOST * MOST);
    STICK_ALLOC(ctx, basis->y, order);
    STICK_ALLOC(ctx, basis->s, MOST);
    STICK_ALLOC(ctx, basis->t, MOST);
    STICK_ALLOC(ctx, basis->row, order + MOST);
    STICK_ALLOC(ctx, basis->col_of, order + MOST);
    STICK_ALLOC(ctx, basis->row_place, n);
    STICK_ALLOC(ctx, basis->col_place, n + 1);
    return STICK_OK;
}

StickStatus stick_lcp_basis_reserve(StickContext *ctx, StickLcpBasis *basis, int n, int order)
{
    if (n <= basis->room && order <= basis->room_order)
        return STICK_OK;
    stick_lcp_basis_free(ctx, basis);
    STICK_TRY(take(ctx, basis, (size_t)n, (size_t)order));
    basis->room = n;
    basis->room_order = order;
    return STICK_OK;
}

// ---- factors

static double *column_of(const StickLcpBasis *basis, double *matrix, int k)
{
    return matrix + (size_t)k * (size_t)basis->order;
}

// Rows of the nonbasic w's, columns of the basic z's; false if they are too many.
static bool lay_out(StickLcpBasis *basis, const unsigned char *kind)
{
    int n = basis->M->n, rows = 0, cols = 0;
    basis->col_place[n] = -1;
    for (int i = 0; i < n; i++)
        rows += kind[i] != STICK_LCP_W;
    if (rows > basis->room_order)
        return false;
    rows = 0;
    for (int i = 0; i < n; i++) {
        basis->row_place[i] = kind[i] != STICK_LCP_W ? rows++ : -1;
        basis->col_place[i] = kind[i] == STICK_LCP_Z ? cols : -1;
        if (kind[i] != STICK_LCP_W)
            basis->col_of[cols++] = kind[i] == STICK_LCP_Z ? i : n;
        if (kind[i] == STICK_LCP_Z0)
            basis->col_place[n] = cols - 1;
    }
    basis->order = rows;
    basis->border = 0;
    return true;
}

bool stick_lcp_basis_factor(StickLcpBasis *basis, const unsigned char *kind)
{
    if (!lay_out(basis, kind))
        return false;
    int order = basis->order, n = basis->M->n;
    for (int k = 0; k < order; k++) {
        int j = basis->col_of[k];
        stick_lcp_basis_column(basis, j == n ? 2 * n : n + j, column_of(basis, basis->LU, k));
    }
    // the cost of a factorisation over the exchanges that share it, against a border that slows each of them
    basis->most_border = 12 + order / 6 < MOST ? 12 + order / 6 : MOST;
    return order == 0 ||
           LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, order, order, basis->LU, order, basis->swaps) == 0;
}

bool stick_lcp_basis_is_regular(const StickLcpBasis *basis)
{
    double least = INFINITY, largest = 0;
    for (int k = 0; k < basis->order; k++) {
        double pivot = fabs(column_of(basis, basis->LU, k)[k]);
        least = fmin(least, pivot);
        largest = fmax(largest, pivot);
    }
    return basis->order == 0 || least > singular * largest;
}

// Elimination down the diagonal, one index after the other.
bool stick_lcp_basis_repair(StickLcpBasis *basis, unsigned char *kind)
{
    if (!lay_out(basis, kind))
        return false;
    int order = basis->order, n = basis->M->n;
    for (int k = 0; k < order; k++)
        stick_lcp_basis_column(basis, n + basis->col_of[k], column_of(basis, basis->LU, k));
    for (int k = 0; k < order; k++) {
        double *column = column_of(basis, basis->LU, k), size = 1;
        for (int i = k; i < order; i++)
            size = fmax(size, fabs(column[i]));
        if (fabs(column[k]) <= dependent * size) {
            kind[basis->col_of[k]] = STICK_LCP_W;
            continue;
        }
        for (int j = k + 1; j < order; j++) {
            double *other = column_of(basis, basis->LU, j), a = -other[k] / column[k];
            if (a != 0)
                cblas_daxpy(order - k - 1, a, column + k + 1, 1, other + k + 1, 1);
        }
    }
    return true;
}

static void swap(double *x, int i, int j)
{
    double kept = x[i];
    x[i] = x[j];
    x[j] = kept;
}

// x = G0^-1 x
static void solve_factors(const StickLcpBasis *basis, double *x)
{
    int order = basis->order, zeros = 0;
    if (order == 0)
        return;
    for (int i = 0; i < order; i++)
        swap(x, i, basis->swaps[i] - 1);
    // unit vectors are many: L keeps the zeros that come first
    while (zeros < order - 1 && x[zeros] == 0)
        zeros++;
    cblas_dtrsv(CblasColMajor, CblasLower, CblasNoTrans, CblasUnit, order - zeros,
                column_of(basis, basis->LU, zeros) + zeros, order, x + zeros, 1);
    cblas_dtrsv(CblasColMajor, CblasUpper, CblasNoTrans, CblasNonUnit, order, basis->LU, order, x, 1);
}

// x = G0^-T x
static void solve_factors_transposed(const StickLcpBasis *basis, double *x)
{
    int order = basis->order;
    if (order == 0)
        return;
    cblas_dtrsv(CblasColMajor, CblasUpper, CblasTrans, CblasNonUnit, order, basis->LU, order, x, 1);
    cblas_dtrsv(CblasColMajor, CblasLower, CblasTrans, CblasUnit, order, basis->LU, order, x, 1);
    for (int i = order - 1; i >= 0; i--)
        swap(x, i, basis->swaps[i] - 1);
}

// ---- the Schur complement S = Q R

// x = S^-1 x
static void solve_border(const StickLcpBasis *basis, double *x)
{
    int p = basis->border;
    double *t = basis->t;
    for (int j = 0; j < p; j++) {
        t[j] = 0;
        for (int i = 0; i < p; i++)
            t[j] += basis->Q[j * MOST + i] * x[i];
    }
    for (int i = p - 1; i >= 0; i--) {
        const double *R = basis->R + i * MOST;
        double sum = t[i];
        for (int j = i + 1; j < p; j++)
            sum -= R[j] * x[j];
        x[i] = sum / R[i];
    }
}

// x = S^-T x = Q R^-T x
static void solve_border_transposed(const StickLcpBasis *basis, double *x)
{
    int p = basis->border;
    double *t = basis->t;
    for (int i = 0; i < p; i++) {
        const double *R = basis->R + i * MOST;
        t[i] = x[i] / R[i];
        for (int j = i + 1; j < p; j++)
            x[j] -= R[j] * t[i];
    }
    memset(x, 0, (size_t)p * sizeof *x);
    for (int j = 0; j < p; j++)
        for (int i = 0; i < p; i++)
            x[i] += basis->Q[j * MOST + i] * t[j];
}

// Turns the last row into the triangle, from its entry i on; the columns of Q (its rows here) go with it.
static void rotate(StickLcpBasis *basis, int i, double *last)
{
    int p = basis->border;
    double *R = basis->R + i * MOST, *q = basis->Q + i * MOST, *q_last = basis->Q + p * MOST;
    double length = sqrt(R[i] * R[i] + last[i] * last[i]);
    if (last[i] == 0)
        return;
    double cosine = R[i] / length, sine = last[i] / length;
    for (int j = i; j <= p; j++) {
        double above = R[j];
        R[j] = cosine * above + sine * last[j];
        last[j] = cosine * last[j] - sine * above;
    }
    for (int j = 0; j <= p; j++) {
        double above = q[j];
        q[j] = cosine * above + sine * q_last[j];
        q_last[j] = cosine * q_last[j] - sine * above;
    }
}

// S bordered by the column s and the row in `last`, its corner at the end; false if S became singular.
static bool border_schur(StickLcpBasis *basis, const double *s, double *last)
{
    int p = basis->border;
    double size = fabs(last[p]);
    memset(basis->Q + p * MOST, 0, MOST * sizeof *basis->Q);
    for (int j = 0; j < p; j++) {
        double sum = 0;
        for (int i = 0; i < p; i++)
            sum += basis->Q[j * MOST + i] * s[i];
        basis->R[j * MOST + p] = sum;
        basis->Q[j * MOST + p] = 0;
        size = fmax(size, fabs(sum));
    }
    basis->Q[p * MOST + p] = 1;
    for (int i = 0; i < p; i++)
        rotate(basis, i, last);
    basis->R[p * MOST + p] = last[p];
    return fabs(last[p]) > singular * size;
}

// ---- rows, columns, solutions

void stick_lcp_basis_column(const StickLcpBasis *basis, int variable, double *c)
{
    int n = basis->M->n;
    memset(c, 0, (size_t)stick_lcp_basis_order(basis) * sizeof *c);
    if (variable < n)
        c[basis->row_place[variable]] = -1;
    else if (variable < 2 * n)
        stick_lcp_matrix_pick_column(basis->M, variable - n, basis->row_place, c);
    else
        for (int i = 0; i < n; i++)
            if (basis->row_place[i] >= 0)
                c[basis->row_place[i]] = basis->d[i];
}

void stick_lcp_basis_row(const StickLcpBasis *basis, int i, double *row)
{
    int n = basis->M->n;
    for (int k = 0; k < stick_lcp_basis_order(basis); k++) {
        int j = basis->col_of[k];
        bool is_basic = j >= 0 && basis->col_place[j] == k;
        row[k] = !is_basic ? 0 : j == n ? basis->d[i] : stick_lcp_matrix_entry(basis->M, i, j);
    }
}

// The border's part of K x = c; the first part of x contains y = G0^-1 c0.
static void finish_solve(StickLcpBasis *basis, double *x)
{
    int order = basis->order, p = basis->border;
    solve_border(basis, x + order);
    if (p > 0 && order > 0)
        cblas_dgemv(CblasColMajor, CblasNoTrans, order, p, -1, basis->Y, order, x + order, 1, 1, x, 1);
}

// y = G0^-1 c0, and c1 - U' y below it
static void start_solve(StickLcpBasis *basis, double *x)
{
    int order = basis->order, p = basis->border;
    solve_factors(basis, x);
    if (p > 0 && order > 0)
        cblas_dgemv(CblasColMajor, CblasTrans, order, p, -1, basis->U, order, x, 1, 1, x + order, 1);
}

void stick_lcp_basis_solve(StickLcpBasis *basis, double *x)
{
    start_solve(basis, x);
    finish_solve(basis, x);
}

void stick_lcp_basis_enter(StickLcpBasis *basis, double *x)
{
    start_solve(basis, x);
    memcpy(basis->y, x, (size_t)basis->order * sizeof *x);
    memcpy(basis->s, x + basis->order, (size_t)basis->border * sizeof *x);
    finish_solve(basis, x);
}

void stick_lcp_basis_solve_transposed(StickLcpBasis *basis, double *x)
{
    int order = basis->order, p = basis->border;
    if (p > 0 && order > 0)
        cblas_dgemv(CblasColMajor, CblasTrans, order, p, -1, basis->Y, order, x, 1, 1, x + order, 1);
    solve_border_transposed(basis, x + order);
    if (p > 0 && order > 0)
        cblas_dgemv(CblasColMajor, CblasNoTrans, order, p, -1, basis->U, order, x + order, 1, 1, x, 1);
    solve_factors_transposed(basis, x);
}

// ---- exchange

// Entry of the leaving row in the entering column.
static double corner(const StickLcpBasis *basis, int entering, int leaving)
{
    int n = basis->M->n;
    if (leaving >= n || entering < n)
        return 0;
    return entering == 2 * n ? basis->d[leaving] : stick_lcp_matrix_entry(basis->M, leaving, entering - n);
}

bool stick_lcp_basis_exchange(StickLcpBasis *basis, int entering, int leaving)
{
    int n = basis->M->n, order = basis->order, p = basis->border;
    double *row = basis->row;
    if (p >= basis->most_border)
        return false;
    if (leaving < n) {
        stick_lcp_basis_row(basis, leaving, row);
    } else {
        memset(row, 0, (size_t)(order + p) * sizeof *row);
        row[basis->col_place[leaving - n]] = 1;
    }
    // S grows by the column s, the row u1 - Y' u0 and the corner
    double *last = row + order, at_corner = corner(basis, entering, leaving);
    if (order > 0 && p > 0)
        cblas_dgemv(CblasColMajor, CblasTrans, order, p, -1, basis->Y, order, row, 1, 1, last, 1);
    at_corner -= cblas_ddot(order, row, 1, basis->y, 1);
    memcpy(column_of(basis, basis->U, p), row, (size_t)order * sizeof *row);
    memcpy(column_of(basis, basis->Y, p), basis->y, (size_t)order * sizeof *row);
    last[p] = at_corner;
    bool is_good = border_schur(basis, basis->s, last);

    basis->col_of[order + p] = entering < n ? -1 : entering - n;
    if (entering < n)
        basis->row_place[entering] = -1;
    else
        basis->col_place[entering - n] = order + p;
    if (leaving < n)
        basis->row_place[leaving] = order + p;
    else
        basis->col_place[leaving - n] = -1;
    basis->border++;
    return is_good;
}
