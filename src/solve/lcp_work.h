// SPDX-License-Identifier: Apache-2.0
// Workspace and common operations of the methods for LCPs: scaling, measuring, refining a basis.
//
// Scaled variables are x = g D^-1 z and y = g D w with one diagonal D for rows and columns, so that D M D is
// as symmetric, as positive and as much a P-matrix as M. All factors are powers of two.
#ifndef SOLVE_LCP_WORK_H
#define SOLVE_LCP_WORK_H

#include <stickslip/lcp.h>

#include <lapacke.h>
#include <stdbool.h>

typedef struct StickLcpWork {
    int room;       // largest order there is room for
    double *memory; // where all reals live
    double *T;      // n x n: a tableau, a Jacobian or the factors of a basis
    double *D;      // n
    double *x, *y;  // n each, the rest too: scaled variables
    double *trial, *trial_y;
    double *step, *gradient, *phi;
    double *refined, *image, *answer; // used by finish
    int *basis;                       // n: indices of basic z
    bool *z_is_basic;                 // n
    lapack_int *swaps;

    // of the present problem
    const StickLcp *lcp;
    const StickLcpOptions *options;
    int n;
    double g;
} StickLcpWork;

StickStatus stick_lcp_work_reserve(StickContext *ctx, StickLcpWork *work, int n);
void stick_lcp_work_free(StickContext *ctx, StickLcpWork *work);

// Takes a problem that fits and chooses its scales.
void stick_lcp_work_begin(StickLcpWork *work, const StickLcp *lcp, const StickLcpOptions *options);

static inline double stick_lcp_work_M(const StickLcpWork *work, int i, int j)
{
    return work->D[i] * work->lcp->M[(size_t)j * (size_t)work->n + (size_t)i] * work->D[j];
}

static inline double stick_lcp_work_q(const StickLcpWork *work, int i)
{
    return work->g * work->D[i] * work->lcp->q[i];
}

// y = D M D x + g D q
void stick_lcp_work_image(const StickLcpWork *work, const double *x, double *y);

// The solution of the basis: D M D x = -g D q on `count` rows and columns, x = 0 elsewhere; T is lost.
// false if that matrix is singular to working precision.
bool stick_lcp_work_refine(StickLcpWork *work, const int *basis, int count, double *x);

// The better of x and the solution of its basis {x > y} goes to z if it is within the tolerance, or else if
// `keep_best` and it is better than z. Puts the residual and, where it is too large, the detail. T is lost.
StickSolveEnd stick_lcp_work_finish(StickLcpWork *work, const double *x, bool keep_best, double *z,
                                    StickSolveInfo *info);

// Order and entries of a problem, for every way in.
StickStatus stick_lcp_check(StickContext *ctx, const StickLcp *lcp);

// |min(z, M z + q)| / |q|, without memory of its own
double stick_lcp_residual(const StickLcp *lcp, const double *z);

// ---- the methods

StickSolveEnd stick_lcp_pivoting_least_index(StickLcpWork *work, double *z, StickSolveInfo *info);
StickSolveEnd stick_lcp_pivoting_keller(StickLcpWork *work, double *z, StickSolveInfo *info);
StickSolveEnd stick_lcp_projected_solve(StickLcpWork *work, double *z, StickSolveInfo *info);
StickSolveEnd stick_lcp_newton_min(StickLcpWork *work, double *z, StickSolveInfo *info);
StickSolveEnd stick_lcp_newton_fischer(StickLcpWork *work, double *z, StickSolveInfo *info);

// The power of two at or below x; 1 for zero: scaling by it is exact.
double stick_power_of_two(double x);

#endif
