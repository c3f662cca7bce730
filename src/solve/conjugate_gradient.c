// SPDX-License-Identifier: Apache-2.0
// Conjugate gradients with projection and regularisation [RBV02 1.3 a]: Tresca problems of smoothed friction
// inside a fixed point on the sliding threshold. Smoothing is an error of the law, so options.regularization is
// only where it starts: it shrinks with the tolerance of the Tresca problems until the exact measure holds.
#include "solve/conjugate_gradient.h"

#include "base/memory.h"
#include "solve/cone.h"
#include "solve/fixed_point.h"
#include "solve/method.h"
#include "solve/problem.h"
#include "solve/projected_cg.h"

#include <math.h>
#include <stdio.h>

static const double SOFT = 0.5; // most that the law may be softened by, of the tolerance of a Tresca problem

typedef struct Work {
    StickContext *ctx;
    const StickSolverOptions *options;
    StickFixedPoint nested;
    StickProjectedCg cg;
    double *speed;         // ncontacts
    double regularization; // now
    bool fixed;            // it stays as it is
    size_t capacity;
} Work;

static double largest_free_velocity(const StickFrictionProblem *problem)
{
    double largest = 0;
    for (int i = 0; i < problem->dim * problem->ncontacts; i++)
        largest = fmax(largest, fabs(problem->u_free[i]));
    return largest;
}

static void set_speed(Work *work, double regularization)
{
    const StickScaled *scaled = &work->nested.scaled;
    double e = regularization * largest_free_velocity(scaled->problem);
    work->regularization = regularization;
    for (int c = 0; c < scaled->ncontacts; c++)
        work->speed[c] = e / scaled->s[c];
}

// The creep e |x_T| / g of all contacts: the error of x in the law with e = 0.
static double creep(const Work *work, const double *g, const double *x)
{
    const StickScaled *scaled = &work->nested.scaled;
    double sum = 0;
    for (int c = 0; c < scaled->ncontacts; c++) {
        double tangent = stick_cone_tangent(scaled->dim, x + scaled->dim * c);
        double speed = g[c] > 0 ? work->speed[c] * fmin(tangent / g[c], 1) : 0;
        sum += speed * speed;
    }
    return sqrt(sum);
}

static int solve_tresca(void *data, StickScaled *scaled, const double *p, double tolerance, int most,
                        double *x, double *Wx)
{
    Work *work = data;
    double soft = creep(work, p, x);
    if (!work->fixed && soft > SOFT * tolerance)
        set_speed(work, work->regularization * SOFT * tolerance / soft);
    return stick_projected_cg_solve(&work->cg, scaled, p, work->speed, tolerance, most, x, Wx);
}

static StickStatus create(StickContext *ctx, const StickSolverOptions *options, void *data)
{
    Work *work = data;
    work->ctx = ctx;
    work->options = options;
    stick_fixed_point_create(ctx, options, &work->nested);
    stick_projected_cg_create(ctx, &work->cg);
    work->nested.law = STICK_NESTED_THRESHOLD;
    work->nested.inner = solve_tresca;
    work->nested.data = work;
    return STICK_OK;
}

static void destroy(void *data)
{
    Work *work = data;
    stick_fixed_point_destroy(&work->nested);
    stick_projected_cg_destroy(&work->cg);
    stick_free(work->ctx, work->speed);
}

static StickStatus reserve(void *data, const StickFrictionProblem *problem)
{
    Work *work = data;
    STICK_TRY(stick_fixed_point_reserve(&work->nested, problem));
    STICK_TRY(stick_projected_cg_reserve(&work->cg, problem->dim, problem->ncontacts));
    STICK_RESERVE(work->ctx, work->speed, work->capacity, problem->ncontacts);
    return STICK_OK;
}

static void load(Work *work, const StickFrictionProblem *problem, const double *r)
{
    stick_fixed_point_load(&work->nested, problem, r);
    stick_projected_cg_start(&work->cg, &work->nested.scaled);
    set_speed(work, work->options->regularization);
}

static StickStatus solve(void *data, const StickFrictionProblem *problem, double *r, double *u,
                         StickSolveInfo *info)
{
    Work *work = data;
    load(work, problem, r);
    stick_fixed_point_run(&work->nested, r, u, info);
    if (info->end == STICK_SOLVE_CONVERGED)
        snprintf(info->detail, sizeof info->detail, "regularised below %.0e of the free velocity",
                 work->regularization);
    return STICK_OK;
}

// ---- one regularisation

static StickStatus solve_regularized(Work *work, const StickFrictionProblem *problem, double *r, double *u,
                                     StickSolveInfo *info)
{
    STICK_TRY(reserve(work, problem));
    StickScaled *scaled = &work->nested.scaled;
    load(work, problem, r);
    work->fixed = true;
    stick_fixed_point_settle(&work->nested,
                             work->options->tolerance * stick_scaled_norm(scaled->n, scaled->q), info);
    stick_scaled_answer(scaled, work->nested.x, r);
    stick_residual_velocity(problem, r, u);
    info->residual = stick_residual(problem, r, u).shared;
    return STICK_OK;
}

StickStatus stick_regularized_solve(StickContext *ctx, const StickFrictionProblem *problem,
                                    const StickSolverOptions *options, double *r, double *u,
                                    StickSolveInfo *info)
{
    void *work;
    STICK_TRY(stick_friction_check(ctx, problem));
    STICK_TRY(stick_method_create(&stick_method_conjugate_gradient, ctx, options, &work));
    *info = (StickSolveInfo){0};
    StickStatus status = solve_regularized(work, problem, r, u, info);
    stick_method_destroy(&stick_method_conjugate_gradient, ctx, work);
    return status;
}

const StickMethod stick_method_conjugate_gradient = {
    .name = "conjugate-gradient",
    .text = "projected conjugate gradients with friction regularised less and less, on the action of W alone",
    .work_size = sizeof(Work),
    .create = create,
    .destroy = destroy,
    .reserve = reserve,
    .solve = solve,
};
