// SPDX-License-Identifier: Apache-2.0
// Fixed point on the sliding threshold: with g = mu x_N held the law is Tresca's, and the problem is the
// minimum of a quadratic over x_N >= 0, |x_T| <= g [RBV02 (8)-(9), in the forces instead of the displacements].
#include "base/memory.h"
#include "solve/fixed_point.h"
#include "solve/gradient.h"
#include "solve/method.h"

typedef struct Work {
    StickContext *ctx;
    StickFixedPoint nested;
    StickGradient gradient;
} Work;

static int solve_tresca(void *data, StickScaled *scaled, const double *p, double tolerance, int most,
                        double *x, double *Wx)
{
    Work *work = data;
    return stick_gradient_solve(&work->gradient, scaled, (StickGradientSet){p}, scaled->q, tolerance, most, x,
                                Wx);
}

static StickStatus create(StickContext *ctx, const StickSolverOptions *options, void *data)
{
    Work *work = data;
    work->ctx = ctx;
    stick_fixed_point_create(ctx, options, &work->nested);
    stick_gradient_create(ctx, &work->gradient);
    work->nested.law = STICK_NESTED_THRESHOLD;
    work->nested.inner = solve_tresca;
    work->nested.data = work;
    return STICK_OK;
}

static void destroy(void *data)
{
    Work *work = data;
    stick_fixed_point_destroy(&work->nested);
    stick_gradient_destroy(&work->gradient);
}

static StickStatus reserve(void *data, const StickFrictionProblem *problem)
{
    Work *work = data;
    int n = problem->dim * problem->ncontacts;
    STICK_TRY(stick_fixed_point_reserve(&work->nested, problem));
    STICK_TRY(stick_gradient_reserve(&work->gradient, n));
    return STICK_OK;
}

static StickStatus solve(void *data, const StickFrictionProblem *problem, double *r, double *u,
                         StickSolveInfo *info)
{
    Work *work = data;
    stick_gradient_start(&work->gradient, problem->dim * problem->ncontacts);
    stick_fixed_point_load(&work->nested, problem, r);
    stick_fixed_point_run(&work->nested, r, u, info);
    return STICK_OK;
}

const StickMethod stick_method_tresca = {
    .name = "tresca",
    .text =
        "fixed point on the sliding threshold over Tresca problems, each by projected gradients; exact cone",
    .sections = true,
    .work_size = sizeof(Work),
    .create = create,
    .destroy = destroy,
    .reserve = reserve,
    .solve = solve,
};
