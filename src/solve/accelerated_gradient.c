// SPDX-License-Identifier: Apache-2.0
// Accelerated projected gradient on Coulomb's cone [MHNT15]. The cone alone makes sliding contacts lift off; the de
// Saxce term in an outer fixed point removes this, so that the solution obeys Coulomb's law exactly.
#include "base/memory.h"
#include "solve/fixed_point.h"
#include "solve/gradient.h"
#include "solve/method.h"

#include <string.h>

typedef struct Work {
    StickContext *ctx;
    StickFixedPoint nested;
    StickGradient gradient;
    double *b; // n
    size_t capacity;
} Work;

// b = q + p n
static int solve_cone(void *data, StickScaled *scaled, const double *p, double tolerance, int most, double *x,
                      double *Wx)
{
    Work *work = data;
    memcpy(work->b, scaled->q, (size_t)scaled->n * sizeof *work->b);
    for (int c = 0; c < scaled->ncontacts; c++)
        work->b[scaled->dim * c] += p[c];
    return stick_gradient_solve(&work->gradient, scaled, (StickGradientSet){NULL}, work->b, tolerance, most,
                                x, Wx);
}

static StickStatus create(StickContext *ctx, const StickSolverOptions *options, void *data)
{
    Work *work = data;
    work->ctx = ctx;
    stick_fixed_point_create(ctx, options, &work->nested);
    stick_gradient_create(ctx, &work->gradient);
    work->nested.law = STICK_NESTED_DE_SAXCE;
    work->nested.inner = solve_cone;
    work->nested.data = work;
    return STICK_OK;
}

static void destroy(void *data)
{
    Work *work = data;
    stick_fixed_point_destroy(&work->nested);
    stick_gradient_destroy(&work->gradient);
    stick_free(work->ctx, work->b);
}

static StickStatus reserve(void *data, const StickFrictionProblem *problem)
{
    Work *work = data;
    int n = problem->dim * problem->ncontacts;
    STICK_TRY(stick_fixed_point_reserve(&work->nested, problem));
    STICK_TRY(stick_gradient_reserve(&work->gradient, n));
    STICK_RESERVE(work->ctx, work->b, work->capacity, n);
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

const StickMethod stick_method_accelerated_gradient = {
    .name = "accelerated-gradient",
    .text = "accelerated projected gradient with restart, on the action of W alone; exact cone, any size",
    .sections = true,
    .work_size = sizeof(Work),
    .create = create,
    .destroy = destroy,
    .reserve = reserve,
    .solve = solve,
};
