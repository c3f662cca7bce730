// SPDX-License-Identifier: Apache-2.0
// Semismooth Newton on Phi(x) = 0, in scaled variables with y = M x + q [LFK96, LFK00].
//
//     Fischer-Burmeister: phi_i = sqrt(x_i^2 + y_i^2) - x_i - y_i,     min: phi_i = min(x_i, y_i).
//
// Both search along the merit Psi = |Phi_FB|^2 / 2, which is smooth: if a Newton step is not a descent direction, the
// gradient is used.
#include "solve/lcp_work.h"

#include <cblas.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double armijo = 1e-4;     // share of the foreseen decrease that a step must bring
static const double downhill = 1e-10;  // slope of a Newton step, relative to |d|^2, that is taken for one
static const double least_step = 1e-9; // of the line search; below it nothing moves any more
static const double settled = 1e-13;   // |Phi_FB| at which scaled variables are exact but for round-off

// Coefficients of a row of the generalised Jacobian: a e_i + b M_i.
typedef struct Row {
    double phi, a, b;
} Row;

static Row fischer_row(double x, double y)
{
    double norm = hypot(x, y);
    if (norm == 0)
        return (Row){0, sqrt(0.5) - 1, sqrt(0.5) - 1};
    // the product form where the difference would cancel
    double phi = x > 0 && y > 0 ? -2 * x * y / (norm + x + y) : norm - x - y;
    return (Row){phi, x / norm - 1, y / norm - 1};
}

static Row min_row(double x, double y)
{
    return x <= y ? (Row){x, 1, 0} : (Row){y, 0, 1};
}

typedef Row RowOf(double x, double y);

// Psi of x with y = M x + q
static double merit(const StickLcpWork *work, const double *x, double *y)
{
    double sum = 0;
    stick_lcp_work_image(work, x, y);
    for (int i = 0; i < work->n; i++) {
        double phi = fischer_row(x[i], y[i]).phi;
        sum += phi * phi;
    }
    return sum / 2;
}

// grad Psi = (a + b M)' Phi_FB
static void compute_gradient(StickLcpWork *work)
{
    int n = work->n;
    double *b_phi = work->phi;
    for (int i = 0; i < n; i++) {
        Row row = fischer_row(work->x[i], work->y[i]);
        b_phi[i] = row.b * row.phi * work->D[i];
        work->gradient[i] = row.a * row.phi;
    }
    for (int j = 0; j < n; j++)
        work->gradient[j] += work->D[j] * cblas_ddot(n, work->lcp->M + (size_t)j * (size_t)n, 1, b_phi, 1);
}

// (a + b M) d = -Phi; false if the matrix is singular.
static bool newton_step(StickLcpWork *work, RowOf *row_of)
{
    int n = work->n;
    double *d = work->step;
    for (int i = 0; i < n; i++) {
        Row row = row_of(work->x[i], work->y[i]);
        for (int j = 0; j < n; j++)
            work->T[(size_t)j * (size_t)n + (size_t)i] =
                (i == j ? row.a : 0) + row.b * stick_lcp_work_M(work, i, j);
        d[i] = -row.phi;
    }
    if (LAPACKE_dgetrf(LAPACK_COL_MAJOR, n, n, work->T, n, work->swaps) != 0)
        return false;
    LAPACKE_dgetrs(LAPACK_COL_MAJOR, 'N', n, 1, work->T, n, work->swaps, d, n);
    return isfinite(cblas_dasum(n, d, 1));
}

// trial = x + t d
static double try_step(StickLcpWork *work, double t)
{
    memcpy(work->trial, work->x, (size_t)work->n * sizeof *work->trial);
    cblas_daxpy(work->n, t, work->step, 1, work->trial, 1);
    return merit(work, work->trial, work->trial_y);
}

static void accept(StickLcpWork *work)
{
    double *x = work->x, *y = work->y;
    work->x = work->trial, work->y = work->trial_y;
    work->trial = x, work->trial_y = y;
}

// Halves the step until the merit falls enough [Armijo]; false if it never does.
static bool search_line(StickLcpWork *work, double slope, double *Psi)
{
    for (double t = 1; t > least_step; t /= 2) {
        double tried = try_step(work, t);
        if (tried <= *Psi + armijo * t * slope && tried < *Psi) {
            accept(work);
            *Psi = tried;
            return true;
        }
    }
    return false;
}

// A full step that halves |Phi| is accepted, whatever its slope.
static bool leap(StickLcpWork *work, double *Psi)
{
    double tried = try_step(work, 1);
    if (!(tried <= *Psi / 4))
        return false;
    accept(work);
    *Psi = tried;
    return true;
}

// One step of the iteration; false if neither Newton nor the gradient brings the merit down.
static bool advance(StickLcpWork *work, RowOf *row_of, double *Psi)
{
    int n = work->n;
    bool solved = newton_step(work, row_of);
    if (solved && leap(work, Psi))
        return true;
    compute_gradient(work);
    if (solved) {
        double slope = cblas_ddot(n, work->gradient, 1, work->step, 1);
        if (slope <= -downhill * cblas_ddot(n, work->step, 1, work->step, 1) && search_line(work, slope, Psi))
            return true;
    }
    for (int i = 0; i < n; i++)
        work->step[i] = -work->gradient[i];
    return search_line(work, -cblas_ddot(n, work->gradient, 1, work->gradient, 1), Psi);
}

static StickSolveEnd iterate(StickLcpWork *work, RowOf *row_of, double *z, StickSolveInfo *info)
{
    bool moves = true;
    for (int i = 0; i < work->n; i++)
        work->x[i] = work->g * z[i] / work->D[i];
    double Psi = merit(work, work->x, work->y), aim = fmax(settled, 1e-3 * work->options->tolerance);
    while (isfinite(Psi) && moves && sqrt(2 * Psi) > aim && info->iterations < work->options->iterations) {
        moves = advance(work, row_of, &Psi);
        info->iterations += moves;
    }
    if (!isfinite(Psi))
        return STICK_SOLVE_NOT_FINITE;
    StickSolveEnd end = stick_lcp_work_finish(work, work->x, true, z, info);
    if (end == STICK_SOLVE_LIMIT && !moves)
        snprintf(info->detail, sizeof info->detail, "the merit has a minimum that is no solution: %.1e", Psi);
    return end;
}

StickSolveEnd stick_lcp_newton_min(StickLcpWork *work, double *z, StickSolveInfo *info)
{
    return iterate(work, min_row, z, info);
}

StickSolveEnd stick_lcp_newton_fischer(StickLcpWork *work, double *z, StickSolveInfo *info)
{
    return iterate(work, fischer_row, z, info);
}
