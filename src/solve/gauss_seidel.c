// SPDX-License-Identifier: Apache-2.0
// Nonlinear Gauss-Seidel: contact by contact, each local problem u = A r + b solved exactly while the others
// wait [JM91]. With u_N = 0 the normal part is eliminated,
//
//     r_N = -(b_N + a_NT.r_T) / a_NN,  u_T = S r_T + g,
//     S = A_TT - a_TN a_NT / a_NN,     g = b_T - a_TN b_N / a_NN,
//
// and what is left is: open, stick (u_T = 0), or slip (u_T = -l r_T, l > 0, |r_T| = mu r_N).
#include "base/memory.h"
#include "solve/cone.h"
#include "solve/method.h"
#include "solve/problem.h"
#include "solve/residual.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

enum { FIRST_CHECKS = 4, CHECK_EVERY = 8, ROOT_STEPS = 200 };

typedef struct Work {
    StickContext *ctx;
    const StickSolverOptions *options;
    double *r; // iterate
    size_t room;
} Work;

static StickStatus create(StickContext *ctx, const StickSolverOptions *options, void **data)
{
    Work *work;
    STICK_ALLOC(ctx, work, 1);
    work->ctx = ctx;
    work->options = options;
    *data = work;
    return STICK_OK;
}

static void destroy(void *data)
{
    Work *work = data;
    stick_free(work->ctx, work->r);
    stick_free(work->ctx, work);
}

static StickStatus reserve(void *data, const StickFrictionProblem *problem)
{
    Work *work = data;
    STICK_RESERVE(work->ctx, work->r, work->room, (size_t)problem->dim * (size_t)problem->ncontacts);
    return STICK_OK;
}

// ---- local problems: A by rows, r comes in as the last iterate

// Where no closed form applies (A not positive definite): one step of the fixed point of the contact law.
static void project_step(int dim, const double *A, const double *b, double mu, double *r)
{
    double u[3], p[3], trace = 0;
    for (int i = 0; i < dim; i++) {
        trace += A[i * (dim + 1)];
        u[i] = b[i];
        for (int j = 0; j < dim; j++)
            u[i] += A[i * dim + j] * r[j];
    }
    stick_cone_step(dim, mu, trace > 0 ? dim / trace : 1, r, u, p);
    memcpy(r, p, (size_t)dim * sizeof *p);
}

// Open contacts and those without friction; false if neither.
static bool solve_normal(int dim, const double *A, const double *b, double mu, double *r)
{
    bool open = b[0] >= 0;
    if (!open && mu > 0)
        return false;
    for (int k = 1; k < dim; k++)
        r[k] = 0;
    if (open)
        r[0] = 0;
    else
        r[0] = A[0] > 0 ? -b[0] / A[0] : r[0];
    return true;
}

static void solve_local_1d(const double *A, const double *b, double mu, double *r)
{
    (void)mu;
    solve_normal(1, A, b, 0, r);
}

// Slip with r_T = s mu r_N; false if the velocity does not oppose it.
static bool slip_2d(const double *A, const double *b, double mu, double s, double *r)
{
    double pivot = A[0] + s * mu * A[1], normal = -b[0] / pivot;
    if (!(pivot > 0) || s * (b[1] + (A[2] + s * mu * A[3]) * normal) > 0)
        return false;
    r[0] = normal;
    r[1] = s * mu * normal;
    return true;
}

static void solve_local_2d(const double *A, const double *b, double mu, double *r)
{
    if (solve_normal(2, A, b, mu, r))
        return;
    double S = A[3] - A[2] * A[1] / A[0], g = b[1] - A[2] * b[0] / A[0];
    if (!(A[0] > 0)) {
        project_step(2, A, b, mu, r);
        return;
    }
    double tangent = -g / S, normal = -(b[0] + A[1] * tangent) / A[0];
    if (S > 0 && fabs(tangent) <= mu * normal) {
        r[0] = normal;
        r[1] = tangent;
        return;
    }
    double s = g > 0 ? -1 : 1;
    if (!slip_2d(A, b, mu, s, r) && !slip_2d(A, b, mu, -s, r))
        project_step(2, A, b, mu, r);
}

// Slip in 3D: (S + l I) r_T = -g, so r_T = P(l) / D(l) with P = -(adj S) g - l g, D = det S + l tr S + l^2,
// and l > 0 is the root of F(l) = (mu / a_NN)(-b_N D - a_NT.P) - |P|.
typedef struct Slip {
    double factor; // mu / a_NN
    double b_N;
    double a_NT[2];
    double g[2];
    double P0[2];      // -(adj S) g
    double det, trace; // of S
} Slip;

static double slip_value(const Slip *slip, double l, double P[2], double *D, double *slope)
{
    for (int k = 0; k < 2; k++)
        P[k] = slip->P0[k] - l * slip->g[k];
    *D = slip->det + l * (slip->trace + l);
    double size = hypot(P[0], P[1]);
    double along = size > 0 ? (P[0] * slip->g[0] + P[1] * slip->g[1]) / size : 0;
    double a_dot_P = slip->a_NT[0] * P[0] + slip->a_NT[1] * P[1];
    double a_dot_g = slip->a_NT[0] * slip->g[0] + slip->a_NT[1] * slip->g[1];
    *slope = slip->factor * (-slip->b_N * (slip->trace + 2 * l) + a_dot_g) + along;
    return slip->factor * (-slip->b_N * *D - a_dot_P) - size;
}

// The root by Newton's steps inside a bracket: F(0) < 0, and F grows like l^2. False if there is no bracket.
static bool slip_root(const Slip *slip, double P[2], double *D)
{
    double low = 0, high = slip->trace, slope, F;
    if (!(high > 0) || slip_value(slip, 0, P, D, &slope) >= 0)
        return false;
    for (int k = 0; (F = slip_value(slip, high, P, D, &slope)) < 0; k++) {
        if (k == ROOT_STEPS)
            return false;
        low = high;
        high *= 4;
    }
    double l = high;
    for (int k = 0; k < ROOT_STEPS && F != 0; k++) {
        double next = l - F / slope;
        if (!(next > low && next < high))
            next = low > 0 ? sqrt(low * high) : high / 16;
        bool still = fabs(next - l) <= 2 * DBL_EPSILON * l;
        l = next;
        F = slip_value(slip, l, P, D, &slope);
        if (still)
            break;
        *(F < 0 ? &low : &high) = l;
    }
    return isfinite(F);
}

static void solve_local_3d(const double *A, const double *b, double mu, double *r)
{
    if (solve_normal(3, A, b, mu, r))
        return;
    double S[4], P[2], D;
    Slip slip = {mu / A[0], b[0], {A[1], A[2]}, {0}, {0}, 0, 0};
    for (int i = 0; i < 2; i++) {
        slip.g[i] = b[1 + i] - A[3 * (1 + i)] * b[0] / A[0];
        for (int j = 0; j < 2; j++)
            S[2 * i + j] = A[3 * (1 + i) + 1 + j] - A[3 * (1 + i)] * A[1 + j] / A[0];
    }
    slip.trace = S[0] + S[3];
    slip.det = S[0] * S[3] - S[1] * S[2];
    slip.P0[0] = -(S[3] * slip.g[0] - S[1] * slip.g[1]);
    slip.P0[1] = -(S[0] * slip.g[1] - S[2] * slip.g[0]);
    double T1 = slip.P0[0] / slip.det, T2 = slip.P0[1] / slip.det, N = -(b[0] + A[1] * T1 + A[2] * T2) / A[0];
    if (slip.det > 0 && hypot(T1, T2) <= mu * N) {
        r[0] = N, r[1] = T1, r[2] = T2;
    } else if (A[0] > 0 && slip_root(&slip, P, &D)) {
        r[1] = P[0] / D, r[2] = P[1] / D;
        r[0] = hypot(r[1], r[2]) / mu;
    } else {
        project_step(3, A, b, mu, r);
    }
}

// ---- sweeps

typedef void (*LocalSolver)(const double *A, const double *b, double mu, double *r);

// b = u_free + sum over the other contacts of W_cj r_j; A = W_cc
static const double *gather(const StickBlocks *W, int c, const double *r, double *b)
{
    int d = W->d;
    const double *A = NULL;
    for (int k = W->start[c]; k < W->start[c + 1]; k++) {
        const double *block = W->value + (size_t)k * (size_t)(d * d), *x = r + (size_t)d * (size_t)W->col[k];
        if (W->col[k] == c) {
            A = block;
            continue;
        }
        for (int i = 0; i < d; i++)
            for (int j = 0; j < d; j++)
                b[i] += block[i * d + j] * x[j];
    }
    return A;
}

static void sweep(const StickFrictionProblem *problem, LocalSolver solve_local, double *r)
{
    int dim = problem->dim;
    for (int c = 0; c < problem->ncontacts; c++) {
        double b[3];
        memcpy(b, problem->u_free + (size_t)dim * (size_t)c, (size_t)dim * sizeof *b);
        const double *A = gather(problem->W, c, r, b);
        solve_local(A, b, dim == 1 ? 0 : problem->mu[c], r + (size_t)dim * (size_t)c);
    }
}

// Keeps the iterate if it is the best so far.
static StickResidual weigh(const StickFrictionProblem *problem, const double *iterate, double *u,
                           double *best_error, double *r)
{
    stick_residual_velocity(problem, iterate, u);
    StickResidual residual = stick_residual(problem, iterate, u);
    double error = fmax(residual.shared, residual.scale_free);
    if (error < *best_error) {
        *best_error = error;
        memcpy(r, iterate, (size_t)problem->dim * (size_t)problem->ncontacts * sizeof *r);
    }
    return residual;
}

static bool is_check(int sweeps, int most)
{
    return sweeps <= FIRST_CHECKS || sweeps % CHECK_EVERY == 0 || sweeps == most;
}

static StickStatus solve(void *data, const StickFrictionProblem *problem, double *r, double *u,
                         StickSolveInfo *info)
{
    static const LocalSolver local[] = {NULL, solve_local_1d, solve_local_2d, solve_local_3d};
    Work *work = data;
    double best_error = INFINITY;
    memcpy(work->r, r, (size_t)problem->dim * (size_t)problem->ncontacts * sizeof *r);
    StickResidual residual = weigh(problem, work->r, u, &best_error, r);
    while (!stick_residual_within(residual, work->options) && isfinite(residual.shared) &&
           info->iterations < work->options->iterations) {
        sweep(problem, local[problem->dim], work->r);
        if (is_check(++info->iterations, work->options->iterations))
            residual = weigh(problem, work->r, u, &best_error, r);
    }
    info->end = stick_residual_within(residual, work->options) ? STICK_SOLVE_CONVERGED
                : isfinite(residual.shared)                    ? STICK_SOLVE_LIMIT
                                                               : STICK_SOLVE_NOT_FINITE;
    return STICK_OK;
}

const StickMethod stick_method_gauss_seidel = {
    .name = "gauss-seidel",
    .text = "nonlinear Gauss-Seidel, contact by contact with the exact local solution; exact cone, any size",
    .needs_blocks = true,
    .create = create,
    .destroy = destroy,
    .reserve = reserve,
    .solve = solve,
};
