// SPDX-License-Identifier: Apache-2.0
// Projected successive over-relaxation [CPS92 §5.2]: z_i <- max(0, z_i - omega w_i / M_ii), row after row.
// Converges for symmetric positive definite M with 0 < omega < 2. Scales don't matter to it: raw variables.
#include "solve/lcp_work.h"

#include <cblas.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// w = M z + q
static void compute_w(const StickLcp *lcp, const double *z, double *w)
{
    memcpy(w, lcp->q, (size_t)lcp->n * sizeof *w);
    for (int j = 0; j < lcp->n; j++)
        if (z[j] != 0)
            cblas_daxpy(lcp->n, z[j], lcp->M + (size_t)j * (size_t)lcp->n, 1, w, 1);
}

// w follows every change of z by a column of M.
static void sweep(const StickLcp *lcp, double relaxation, double *z, double *w)
{
    for (int i = 0; i < lcp->n; i++) {
        const double *M_i = lcp->M + (size_t)i * (size_t)lcp->n;
        double moved = fmax(0, z[i] - relaxation * w[i] / M_i[i]), change = moved - z[i];
        if (change != 0)
            cblas_daxpy(lcp->n, change, M_i, 1, w, 1);
        z[i] = moved;
    }
}

// |min(z, w)| / |q|
static double residual_of(const StickLcp *lcp, const double *z, const double *w)
{
    double sum = 0;
    for (int i = 0; i < lcp->n; i++)
        sum += fmin(z[i], w[i]) * fmin(z[i], w[i]);
    return sqrt(sum) / cblas_dnrm2(lcp->n, lcp->q, 1);
}

// The w that was carried along has gathered round-off: a small residual counts only with a fresh one.
static double measure(const StickLcp *lcp, double tolerance, const double *z, double *w)
{
    double residual = residual_of(lcp, z, w);
    if (residual > tolerance || !isfinite(residual))
        return residual;
    compute_w(lcp, z, w);
    return residual_of(lcp, z, w);
}

StickSolveEnd stick_lcp_projected_solve(StickLcpWork *work, double *z, StickSolveInfo *info)
{
    const StickLcp *lcp = work->lcp;
    const StickLcpOptions *options = work->options;
    size_t bytes = (size_t)lcp->n * sizeof *z;
    double *moved = work->trial, *w = work->y;
    for (int i = 0; i < lcp->n; i++)
        moved[i] = fmax(z[i], 0);
    compute_w(lcp, moved, w);
    double first = residual_of(lcp, moved, w);
    info->residual = measure(lcp, options->tolerance, moved, w);
    while (info->residual > options->tolerance && info->iterations < options->iterations) {
        sweep(lcp, options->relaxation, moved, w);
        info->iterations++;
        info->residual = measure(lcp, options->tolerance, moved, w);
    }
    if (!isfinite(info->residual))
        return STICK_SOLVE_NOT_FINITE;
    if (info->residual <= first)
        memcpy(z, moved, bytes);
    if (info->residual <= options->tolerance)
        return STICK_SOLVE_CONVERGED;
    snprintf(info->detail, sizeof info->detail, "limit of %d sweeps", options->iterations);
    return STICK_SOLVE_LIMIT;
}
