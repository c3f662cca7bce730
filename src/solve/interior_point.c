// SPDX-License-Identifier: Apache-2.0
// Predictor and corrector of Mehrotra [Meh92] with Newton's step of interior.h: de Saxce's term |y_T| is included, so
// that one run solves the whole problem. If the path of centres turns back, such a run does not converge; the method
// then follows the path (central_path.h).
#include "solve/interior_point.h"

#include "base/memory.h"
#include "solve/central_path.h"
#include "solve/method.h"

#include <stdio.h>
#include <string.h>

enum { MOST_ITERATIONS = 100, MOST_SHORT = 5 };
static const double SHORT_STEP = 0.15, TO_BOUNDARY = 0.99;

struct StickInteriorPoint {
    StickContext *ctx;
    StickConeInterior *interior;
    double *F, *c, *dx, *dy; // n
    double *room;
    size_t capacity;
    int most_short; // steps one after the other
};

StickStatus stick_interior_point_create(StickConeInterior *interior, StickInteriorPoint **created)
{
    StickInteriorPoint *point;
    STICK_ALLOC(interior->ctx, point, 1);
    point->ctx = interior->ctx;
    point->interior = interior;
    point->most_short = MOST_SHORT;
    *created = point;
    return STICK_OK;
}

void stick_interior_point_patience(StickInteriorPoint *point, int short_steps)
{
    point->most_short = short_steps;
}

void stick_interior_point_destroy(StickInteriorPoint *point)
{
    if (!point)
        return;
    stick_free(point->ctx, point->room);
    stick_free(point->ctx, point);
}

StickStatus stick_interior_point_reserve(StickInteriorPoint *point, const StickFrictionProblem *problem)
{
    size_t n = (size_t)problem->dim * (size_t)problem->ncontacts;
    STICK_TRY(stick_cone_interior_reserve(point->interior, problem));
    STICK_RESERVE(point->ctx, point->room, point->capacity, 4 * n);
    point->F = point->room;
    point->c = point->F + n;
    point->dx = point->c + n;
    point->dy = point->dx + n;
    return STICK_OK;
}

// Mean of x.y after a step.
static double gap(const StickInteriorPoint *point, double step)
{
    const StickConeInterior *interior = point->interior;
    double sum = 0;
    for (int i = 0; i < interior->n; i++)
        sum += (interior->x[i] + step * point->dx[i]) * (interior->y[i] + step * point->dy[i]);
    return sum / interior->ncontacts;
}

// c = target e - lambda o lambda - weight (V dx) o (V^-1 dy)
static void aim(StickInteriorPoint *point, double target, double weight)
{
    const StickConeInterior *interior = point->interior;
    int d = interior->dim;
    for (int k = 0; k < interior->ncontacts; k++) {
        size_t at = (size_t)d * (size_t)k;
        double *c = point->c + at, a[3], b[3], second[3] = {0};
        if (weight > 0) {
            stick_lorentz_scale(d, &interior->scaling[k], point->dx + at, a);
            stick_lorentz_unscale(d, &interior->scaling[k], point->dy + at, b);
            stick_lorentz_product(d, a, b, second);
        }
        stick_lorentz_product(d, interior->lambda + at, interior->lambda + at, c);
        for (int i = 0; i < d; i++)
            c[i] = (i == 0 ? target : 0) - c[i] - weight * second[i];
    }
}

static double solve_for(StickInteriorPoint *point)
{
    StickConeInterior *interior = point->interior;
    memcpy(interior->rhs, point->F, (size_t)interior->n * sizeof *point->F);
    stick_cone_interior_solve(interior, point->c, interior->rhs, point->dx, point->dy);
    return stick_cone_interior_step(interior, point->dx, point->dy);
}

// One iteration; returns the step length, 0 if it failed.
static double advance(StickInteriorPoint *point)
{
    StickConeInterior *interior = point->interior;
    stick_cone_interior_defect(interior, 0, point->F);
    if (!stick_cone_interior_factor(interior))
        return 0;
    aim(point, 0, 0);
    double step = fmin(1, solve_for(point)), now = gap(point, 0);
    double ratio = fmin(1, fmax(0, gap(point, step) / now));
    aim(point, ratio * ratio * ratio * now, step * step);
    step = fmin(1, TO_BOUNDARY * solve_for(point));
    if (!(step > 0))
        return 0;
    for (int i = 0; i < interior->n; i++) {
        interior->x[i] += step * point->dx[i];
        interior->y[i] += step * point->dy[i];
    }
    return step;
}

// The guess counts as the best answer so far.
static StickResidual weigh_guess(StickConeInterior *interior, const double *r, double *u)
{
    stick_residual_velocity(interior->problem, r, u);
    StickResidual residual = stick_residual(interior->problem, r, u);
    interior->best = fmax(residual.shared, residual.scale_free);
    return residual;
}

StickInteriorRun stick_interior_point_run(StickInteriorPoint *point, const StickFrictionProblem *problem,
                                          const StickSolverOptions *options, double nearness, int most,
                                          double *r, double *u)
{
    StickConeInterior *interior = point->interior;
    int short_steps = 0;
    stick_cone_interior_load(interior, problem);
    StickInteriorRun run = {.residual = weigh_guess(interior, r, u)};
    if (nearness > 0)
        stick_cone_interior_near(interior, r, u, nearness * interior->scale);
    else
        stick_cone_interior_centre(interior, interior->scale);
    while (!stick_residual_within_whole(run.residual, options) && interior->iterations < most &&
           !run.stalled && !stick_is_stopped(interior->ctx)) {
        double step = advance(point);
        run.residual = stick_cone_interior_weigh(interior, r, u);
        short_steps = step < SHORT_STEP ? short_steps + 1 : 0;
        run.stalled = step == 0 || short_steps == point->most_short;
    }
    run.iterations = interior->iterations;
    run.flops = interior->flops;
    return run;
}

// ---- the method

typedef struct Work {
    StickContext *ctx;
    const StickSolverOptions *options;
    StickConeInterior *interior;
    StickInteriorPoint *point;
    StickCentralPath *path;
} Work;

static void destroy(void *data)
{
    Work *work = data;
    stick_interior_point_destroy(work->point);
    stick_central_path_destroy(work->path);
    stick_cone_interior_destroy(work->interior);
}

static StickStatus create(StickContext *ctx, const StickSolverOptions *options, void *data)
{
    Work *work = data;
    *work = (Work){.ctx = ctx, .options = options};
    STICK_TRY(stick_cone_interior_create(ctx, &work->interior));
    STICK_TRY(stick_interior_point_create(work->interior, &work->point));
    return stick_central_path_create(work->interior, &work->path);
}

static StickStatus reserve(void *data, const StickFrictionProblem *problem)
{
    Work *work = data;
    STICK_TRY(stick_interior_point_reserve(work->point, problem));
    return stick_central_path_reserve(work->path, problem);
}

static StickStatus solve(void *data, const StickFrictionProblem *problem, double *r, double *u,
                         StickSolveInfo *info)
{
    Work *work = data;
    int most = work->options->iterations;
    StickInteriorRun run = stick_interior_point_run(work->point, problem, work->options, 0,
                                                    most < MOST_ITERATIONS ? most : MOST_ITERATIONS, r, u);
    info->iterations = run.iterations;
    if (!stick_residual_within_whole(run.residual, work->options) && run.iterations < most) {
        StickPathRun path =
            stick_central_path_run(work->path, problem, work->options, most - run.iterations, r, u);
        run.residual = path.residual;
        info->iterations += path.iterations;
        snprintf(info->detail, sizeof info->detail,
                 "stalled after %d iterations, then followed the path of centres through %d turns",
                 run.iterations, path.turns);
    }
    info->end =
        stick_residual_within_whole(run.residual, work->options) ? STICK_SOLVE_CONVERGED : STICK_SOLVE_LIMIT;
    return STICK_OK;
}

const StickMethod stick_method_interior_point = {
    .name = "interior-point",
    .text = "interior point with the friction term inside Newton's steps, then along the path of centres "
            "where it "
            "stalls; exact cone, robust, a factorisation per step",
    .needs_blocks = true,
    .work_size = sizeof(Work),
    .create = create,
    .destroy = destroy,
    .reserve = reserve,
    .solve = solve,
};
