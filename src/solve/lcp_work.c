// SPDX-License-Identifier: Apache-2.0
#include "solve/lcp_work.h"

#include "base/memory.h"

#include <cblas.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double singular = 1e-13; // of a pivot of the factors, relative to the largest
static const double lost = 1e-6;      // round-off of M z, relative to |q|, beyond which w means nothing

enum { VECTORS = 11 };

void stick_lcp_work_free(StickContext *ctx, StickLcpWork *work)
{
    stick_free(ctx, work->memory);
    stick_free(ctx, work->basis);
    stick_free(ctx, work->z_is_basic);
    stick_free(ctx, work->swaps);
    *work = (StickLcpWork){0};
}

static void hand_out(StickLcpWork *work, size_t n)
{
    double **vectors[VECTORS] = {&work->D,       &work->x,     &work->y,        &work->trial,
                                 &work->trial_y, &work->step,  &work->gradient, &work->phi,
                                 &work->refined, &work->image, &work->answer};
    work->T = work->memory;
    for (size_t k = 0; k < VECTORS; k++)
        *vectors[k] = work->memory + n * n + k * n;
}

StickStatus stick_lcp_work_reserve(StickContext *ctx, StickLcpWork *work, int n)
{
    STICK_CHECK(ctx, n >= 0, STICK_BAD_INPUT, "an LCP of order %d", n);
    if (n <= work->room)
        return STICK_OK;
    size_t order = (size_t)n;
    stick_lcp_work_free(ctx, work);
    STICK_ALLOC(ctx, work->memory, order * (order + VECTORS));
    STICK_ALLOC(ctx, work->basis, order);
    STICK_ALLOC(ctx, work->z_is_basic, order);
    STICK_ALLOC(ctx, work->swaps, order);
    hand_out(work, order);
    work->room = n;
    return STICK_OK;
}

// ---- scaling

double stick_power_of_two(double x)
{
    int exponent;
    if (!(x > 0))
        return 1;
    frexp(x, &exponent);
    return ldexp(1, exponent - 1);
}

// Largest magnitudes of row and column i of D M D together.
static void magnitudes(const StickLcpWork *work, double *largest)
{
    memset(largest, 0, (size_t)work->n * sizeof *largest);
    for (int j = 0; j < work->n; j++)
        for (int i = 0; i < work->n; i++) {
            double entry = fabs(stick_lcp_work_M(work, i, j));
            largest[i] = fmax(largest[i], entry);
            largest[j] = fmax(largest[j], entry);
        }
}

void stick_lcp_work_begin(StickLcpWork *work, const StickLcp *lcp, const StickLcpOptions *options)
{
    work->lcp = lcp;
    work->options = options;
    work->n = lcp->n;
    work->g = 1;
    for (int i = 0; i < work->n; i++)
        work->D[i] = 1;
    for (int pass = 0; pass < 5; pass++) {
        magnitudes(work, work->phi);
        for (int i = 0; i < work->n; i++)
            work->D[i] /= work->phi[i] > 0 ? sqrt(work->phi[i]) : 1;
    }
    double largest = 0;
    for (int i = 0; i < work->n; i++) {
        work->D[i] = stick_power_of_two(work->D[i]);
        largest = fmax(largest, fabs(work->D[i] * lcp->q[i]));
    }
    work->g = 1 / stick_power_of_two(largest);
}

void stick_lcp_work_image(const StickLcpWork *work, const double *x, double *y)
{
    int n = work->n;
    memset(y, 0, (size_t)n * sizeof *y);
    for (int j = 0; j < n; j++)
        if (x[j] != 0)
            cblas_daxpy(n, work->D[j] * x[j], work->lcp->M + (size_t)j * (size_t)n, 1, y, 1);
    for (int i = 0; i < n; i++)
        y[i] = work->D[i] * y[i] + stick_lcp_work_q(work, i);
}

// ---- bases

static bool factor_basis(StickLcpWork *work, const int *basis, int count)
{
    double least = INFINITY, largest = 0;
    for (int j = 0; j < count; j++)
        for (int i = 0; i < count; i++)
            work->T[(size_t)j * (size_t)count + (size_t)i] = stick_lcp_work_M(work, basis[i], basis[j]);
    if (count > 0 && LAPACKE_dgetrf(LAPACK_COL_MAJOR, count, count, work->T, count, work->swaps) != 0)
        return false;
    for (int k = 0; k < count; k++) {
        double pivot = fabs(work->T[(size_t)k * (size_t)(count + 1)]);
        least = fmin(least, pivot);
        largest = fmax(largest, pivot);
    }
    return least > singular * largest;
}

bool stick_lcp_work_refine(StickLcpWork *work, const int *basis, int count, double *x)
{
    double *change = work->step;
    if (!factor_basis(work, basis, count))
        return false;
    memset(x, 0, (size_t)work->n * sizeof *x);
    // solved twice: the second time for what round-off left over
    for (int pass = 0; pass < 2 && count > 0; pass++) {
        stick_lcp_work_image(work, x, work->image);
        for (int k = 0; k < count; k++)
            change[k] = -work->image[basis[k]];
        LAPACKE_dgetrs(LAPACK_COL_MAJOR, 'N', count, 1, work->T, count, work->swaps, change, count);
        for (int k = 0; k < count; k++)
            x[basis[k]] += change[k];
    }
    return true;
}

// ---- measures

// |min(x, y)|
static double natural_residual(const StickLcpWork *work, const double *x)
{
    double sum = 0;
    stick_lcp_work_image(work, x, work->image);
    for (int i = 0; i < work->n; i++) {
        double least = fmin(x[i], work->image[i]);
        sum += least * least;
    }
    return isfinite(sum) ? sqrt(sum) : INFINITY;
}

double stick_lcp_residual(const StickLcp *lcp, const double *z)
{
    double sum = 0, size = cblas_dnrm2(lcp->n, lcp->q, 1);
    for (int i = 0; i < lcp->n; i++) {
        double w = lcp->q[i] + cblas_ddot(lcp->n, lcp->M + i, lcp->n, z, 1), least = fmin(z[i], w);
        sum += least * least;
    }
    return sum > 0 ? sqrt(sum) / size : sum;
}

// So large a z that q is swallowed by the round-off of M z would pass for a solution of M z >= 0.
static bool swallows_q(const StickLcp *lcp, const double *z)
{
    double sum = 0;
    for (int i = 0; i < lcp->n; i++) {
        double size = 0;
        for (int j = 0; j < lcp->n; j++)
            size += fabs(lcp->M[(size_t)j * (size_t)lcp->n + (size_t)i] * z[j]);
        sum += size * size;
    }
    return !(DBL_EPSILON * sqrt(sum) <= lost * cblas_dnrm2(lcp->n, lcp->q, 1));
}

static void clamp(int n, double *x)
{
    for (int i = 0; i < n; i++)
        x[i] = fmax(x[i], 0);
}

// The indices with x > y, into work->basis.
static int read_basis(StickLcpWork *work, const double *x)
{
    int count = 0;
    stick_lcp_work_image(work, x, work->image);
    for (int i = 0; i < work->n; i++)
        if (x[i] > work->image[i])
            work->basis[count++] = i;
    return count;
}

StickSolveEnd stick_lcp_work_finish(StickLcpWork *work, const double *x, bool keep_best, double *z,
                                    StickSolveInfo *info)
{
    int n = work->n, count = read_basis(work, x);
    double *answer = work->answer;
    memcpy(answer, x, (size_t)n * sizeof *answer);
    clamp(n, answer);
    if (stick_lcp_work_refine(work, work->basis, count, work->refined)) {
        clamp(n, work->refined);
        if (natural_residual(work, work->refined) <= natural_residual(work, answer))
            answer = work->refined;
    }
    for (int i = 0; i < n; i++)
        answer[i] *= work->D[i] / work->g;
    double residual = swallows_q(work->lcp, answer) ? INFINITY : stick_lcp_residual(work->lcp, answer);
    bool within = residual <= work->options->tolerance;
    if (within || (keep_best && residual < stick_lcp_residual(work->lcp, z)))
        memcpy(z, answer, (size_t)n * sizeof *z);
    info->residual = residual;
    if (within)
        return STICK_SOLVE_CONVERGED;
    if (!isfinite(residual)) {
        snprintf(info->detail, sizeof info->detail, "z runs away: q is lost in the round-off of M z");
        return STICK_SOLVE_NOT_FINITE;
    }
    snprintf(info->detail, sizeof info->detail, "the last point misses by %.1e", residual);
    return STICK_SOLVE_LIMIT;
}

StickStatus stick_lcp_check(StickContext *ctx, const StickLcp *lcp)
{
    STICK_CHECK(ctx, lcp->n >= 0, STICK_BAD_INPUT, "an LCP of order %d", lcp->n);
    size_t n = (size_t)lcp->n;
    for (size_t i = 0; i < n; i++)
        STICK_CHECK(ctx, isfinite(lcp->q[i]), STICK_BAD_INPUT, "q%zu of an LCP is %g", i + 1, lcp->q[i]);
    for (size_t k = 0; k < n * n; k++)
        STICK_CHECK(ctx, isfinite(lcp->M[k]), STICK_BAD_INPUT, "M(%zu,%zu) of an LCP is %g", k % n + 1,
                    k / n + 1, lcp->M[k]);
    return STICK_OK;
}
