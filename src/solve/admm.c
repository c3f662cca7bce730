// SPDX-License-Identifier: Apache-2.0
// Alternating directions of multipliers: the linear part and the cone each have their own copy of the impulse,
//
//     (What + rho) x = rho (z - w) - q - p n,   z = P(a x + (1 - a) z + w),   w = a x + (1 - a) z + w - z,
//
// with over-relaxation a. -rho w is y + p n, so that the de Saxce term is p = mu rho |w_T|, or rho phi_1(-w_T) for
// another section. The complete state is v = z + w: z = P(v) and w = v - z, and one iteration is a fixed-point map of
// v, which Anderson's combination accelerates. rho balances the two residuals, at increasing intervals: each change
// costs a factorisation.
#include "base/memory.h"
#include "linalg/block_lu.h"
#include "solve/cone.h"
#include "solve/method.h"
#include "solve/mixing.h"
#include "solve/problem.h"
#include "solve/scaled.h"

#include <stdio.h>
#include <string.h>

enum { FIRST_CHECKS = 10, CHECK_EVERY = 5, FIRST_BALANCE = 10 };
static const double OVER = 1.5;      // relaxation a
static const double FIRST_RHO = 0.1; // of a diagonal of 1
static const double APART = 3;       // ratio of the residuals beyond which rho changes
static const double MOST_CHANGE = 10;
static const double LEAST_PIVOT = 1e-14;

typedef struct Work {
    StickContext *ctx;
    const StickSolverOptions *options;
    StickScaled scaled;
    StickMixing mixing;
    StickBlockLu *lu;
    double rho;
    double *v, *v_new;       // n: state
    double *z, *z_old, *w;   // n
    double *x;               // n
    double *room;            // of these
    double *value, *shifted; // blocks of What and of What + rho
    double *blocks;          // of these
    size_t capacity, blocks_capacity;
} Work;

static void destroy(void *data)
{
    Work *work = data;
    stick_scaled_destroy(&work->scaled);
    stick_mixing_destroy(&work->mixing);
    stick_block_lu_destroy(work->lu);
    stick_free(work->ctx, work->room);
    stick_free(work->ctx, work->blocks);
}

static StickStatus create(StickContext *ctx, const StickSolverOptions *options, void *data)
{
    Work *work = data;
    work->ctx = ctx;
    work->options = options;
    stick_scaled_create(ctx, options, &work->scaled);
    stick_mixing_create(ctx, &work->mixing);
    return stick_block_lu_create(ctx, &work->lu);
}

static StickStatus reserve(void *data, const StickFrictionProblem *problem)
{
    Work *work = data;
    const StickBlocks *W = problem->W;
    int n = problem->dim * problem->ncontacts;
    STICK_TRY(stick_scaled_reserve(&work->scaled, problem));
    STICK_TRY(stick_mixing_reserve(&work->mixing, n));
    STICK_TRY(stick_block_lu_analyse(work->lu, W->n, W->start, W->col, W->d));
    STICK_RESERVE(work->ctx, work->room, work->capacity, 6 * (size_t)n);
    STICK_RESERVE(work->ctx, work->blocks, work->blocks_capacity,
                  2 * (size_t)W->start[W->n] * (size_t)(W->d * W->d));
    return STICK_OK;
}

// ---- the linear part

static size_t count_values(const StickBlocks *W)
{
    return (size_t)W->start[W->n] * (size_t)(W->d * W->d);
}

// What + rho, with more rho where it is too singular for its factors.
static void factor(Work *work)
{
    const StickBlocks *W = work->scaled.problem->W;
    int d = W->d;
    for (;; work->rho *= MOST_CHANGE) {
        memcpy(work->shifted, work->value, count_values(W) * sizeof *work->value);
        for (int c = 0; c < W->n; c++) {
            double *block = work->shifted + (size_t)stick_blocks_diagonal(W, c) * (size_t)(d * d);
            for (int k = 0; k < d; k++)
                block[k * (d + 1)] += work->rho;
        }
        if (stick_block_lu_factor(work->lu, work->shifted, NULL, 0).pivot > LEAST_PIVOT || work->rho > 1e8)
            return;
    }
}

static void load(Work *work, const StickFrictionProblem *problem, const double *r)
{
    size_t n = (size_t)problem->dim * (size_t)problem->ncontacts;
    double **parts[] = {&work->v, &work->v_new, &work->z, &work->z_old, &work->w, &work->x};
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        *parts[k] = work->room + k * n;
    work->value = work->blocks;
    work->shifted = work->value + count_values(problem->W);
    stick_scaled_load(&work->scaled, problem, r, work->z);
    stick_scaled_blocks(&work->scaled, work->value);
    work->rho = work->options->relaxation > 0 ? work->options->relaxation : FIRST_RHO;
}

// ---- iterations

// v = z + w with w = -(y + mu |y_T| n) / rho of the guess in z
static void start(Work *work)
{
    StickScaled *scaled = &work->scaled;
    int dim = scaled->dim;
    stick_scaled_apply(scaled, work->z, work->x);
    for (int c = 0; c < scaled->ncontacts; c++) {
        double y[3];
        for (int k = 0, i = dim * c; k < dim; k++, i++)
            y[k] = work->x[i] + scaled->q[i];
        y[0] += stick_scaled_lift(scaled, c, y);
        for (int k = 0, i = dim * c; k < dim; k++, i++)
            work->v[i] = work->z[i] - y[k] / work->rho;
    }
}

// z = P(v), w = v - z
static void project(Work *work)
{
    const StickScaled *scaled = &work->scaled;
    for (int c = 0; c < scaled->ncontacts; c++) {
        int at = scaled->dim * c;
        stick_scaled_project(scaled, c, work->v + at, work->z + at);
        for (int i = at; i < at + scaled->dim; i++)
            work->w[i] = work->v[i] - work->z[i];
    }
}

// p of y_T = -rho w_T
static double lift(const Work *work, int c, const double *w)
{
    const StickScaled *scaled = &work->scaled;
    const StickSection *section = stick_section_of(scaled->problem, c);
    if (!section)
        return scaled->mu[c] * work->rho * stick_cone_tangent(scaled->dim, w);
    double back[3] = {0};
    for (int k = 1; k < scaled->dim; k++)
        back[k] = -w[k];
    return work->rho * stick_section_lift(section, back);
}

// x from the linear part, and v_new
static void relax(Work *work)
{
    const StickScaled *scaled = &work->scaled;
    int dim = scaled->dim;
    for (int i = 0; i < scaled->n; i++)
        work->x[i] = work->rho * (work->z[i] - work->w[i]) - scaled->q[i];
    for (int c = 0; c < scaled->ncontacts; c++)
        work->x[dim * c] -= lift(work, c, work->w + dim * c);
    stick_block_lu_solve(work->lu, work->x, work->x);
    for (int i = 0; i < scaled->n; i++)
        work->v_new[i] = OVER * work->x[i] + (1 - OVER) * work->z[i] + work->w[i];
}

static double distance(int n, const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sqrt(sum);
}

// Changes rho if |x - z| and rho |z - z_old| differ much; w is scaled by the inverse. True if rho changed.
static bool balance(Work *work)
{
    int n = work->scaled.n;
    double primal = distance(n, work->x, work->z), dual = work->rho * distance(n, work->z, work->z_old);
    double factor_of_rho = fmin(fmax(sqrt(primal / dual), 1 / MOST_CHANGE), MOST_CHANGE);
    if (!(primal > 0) || !(dual > 0) || (factor_of_rho < APART && factor_of_rho > 1 / APART))
        return false;
    double old = work->rho;
    work->rho *= factor_of_rho;
    factor(work);
    for (int i = 0; i < n; i++)
        work->v[i] = work->z[i] + work->w[i] * old / work->rho;
    return true;
}

static bool is_check(int iterations, int most)
{
    return iterations <= FIRST_CHECKS || iterations % CHECK_EVERY == 0 || iterations == most;
}

static void iterate(Work *work)
{
    relax(work);
    stick_mixing_step(&work->mixing, work->v_new, 0, work->v);
    memcpy(work->z_old, work->z, (size_t)work->scaled.n * sizeof *work->z);
    project(work);
}

static StickStatus solve(void *data, const StickFrictionProblem *problem, double *r, double *u,
                         StickSolveInfo *info)
{
    Work *work = data;
    StickScaled *scaled = &work->scaled;
    int most = work->options->iterations, factors = 1, next_balance = FIRST_BALANCE;
    load(work, problem, r);
    StickResidual residual = stick_scaled_weigh(scaled, work->z, r, u);
    if (stick_scaled_end(scaled, residual) == STICK_SOLVE_LIMIT)
        factor(work);
    start(work);
    project(work);
    stick_mixing_start(&work->mixing, scaled->n, 1, -INFINITY);
    while (stick_scaled_end(scaled, residual) == STICK_SOLVE_LIMIT && info->iterations < most &&
           !stick_is_stopped(scaled->ctx)) {
        iterate(work);
        if (is_check(++info->iterations, most))
            residual = stick_scaled_weigh(scaled, work->z, r, u);
        if (info->iterations == next_balance) {
            next_balance *= 2;
            if (balance(work)) {
                factors++;
                project(work);
                stick_mixing_start(&work->mixing, scaled->n, 1, -INFINITY);
            }
        }
    }
    info->end = stick_scaled_end(scaled, residual);
    snprintf(info->detail, sizeof info->detail, "best error %.1e, %d factorisations, parameter %.1e",
             scaled->best, factors, work->rho);
    return STICK_OK;
}

const StickMethod stick_method_admm = {
    .name = "admm",
    .text = "alternating directions of multipliers with automatic parameter and acceleration; exact cone",
    .needs_blocks = true,
    .sections = true,
    .work_size = sizeof(Work),
    .create = create,
    .destroy = destroy,
    .reserve = reserve,
    .solve = solve,
};
