// SPDX-License-Identifier: Apache-2.0
// Nonlinear Gauss-Seidel: sweeps and nothing else [JM91].
#include "base/memory.h"
#include "solve/method.h"
#include "solve/sweep.h"

#include <stdio.h>
#include <string.h>

typedef struct Work {
    StickContext *ctx;
    const StickSolverOptions *options;
    StickSweep *sweep;
    double *best; // r in the sweep's layout
    size_t room;
} Work;

static void destroy(void *data)
{
    Work *work = data;
    stick_sweep_destroy(work->sweep);
    stick_free(work->ctx, work->best);
}

static StickStatus create(StickContext *ctx, const StickSolverOptions *options, void *data)
{
    Work *work = data;
    work->ctx = ctx;
    work->options = options;
    return stick_sweep_create(ctx, &work->sweep);
}

static StickStatus reserve(void *data, const StickFrictionProblem *problem)
{
    Work *work = data;
    STICK_RESERVE(work->ctx, work->best, work->room, stick_sweep_length(problem));
    return stick_sweep_reserve(work->sweep, problem);
}

// Sweeps up to the next error that is worth measuring.
static double sweep_on(Work *work, StickWatch *watch, int most, int *sweeps)
{
    const StickSolverOptions *options = work->options;
    double relaxation = options->relaxation > 0 ? options->relaxation : 1, change;
    do {
        change = stick_sweep_run(work->sweep, STICK_FORWARD, relaxation);
        ++*sweeps;
    } while (!stick_watch_is_due(watch, change, options->tolerance) && *sweeps < most);
    double error = stick_sweep_error(work->sweep, options->measure);
    stick_watch_saw(watch, change, error);
    return error;
}

static StickStatus solve(void *data, const StickFrictionProblem *problem, double *r, double *u,
                         StickSolveInfo *info)
{
    Work *work = data;
    StickSweep *sweep = work->sweep;
    const StickSolverOptions *options = work->options;
    StickWatch watch = {0};
    double best = INFINITY;
    stick_sweep_load(sweep, problem);
    stick_sweep_start(sweep, r, NULL);
    double error = stick_sweep_error(sweep, options->measure);
    for (;;) {
        if (error < best) {
            best = error;
            memcpy(work->best, sweep->r, sweep->length * sizeof *sweep->r);
        }
        if (error <= options->tolerance && stick_sweep_accepts(sweep, options, r, u)) {
            info->end = STICK_SOLVE_CONVERGED;
            info->residual = sweep->residual.shared;
            return STICK_OK;
        }
        if (!isfinite(error) || info->iterations == options->iterations || stick_is_stopped(work->ctx))
            break;
        error = sweep_on(work, &watch, options->iterations, &info->iterations);
    }
    info->end = isfinite(error) ? STICK_SOLVE_LIMIT : STICK_SOLVE_NOT_FINITE;
    if (isfinite(best)) {
        stick_sweep_pack(sweep, work->best, r);
        snprintf(info->detail, sizeof info->detail, "best error %.1e", best);
    }
    return STICK_OK;
}

const StickMethod stick_method_gauss_seidel = {
    .name = "gauss-seidel",
    .text = "nonlinear Gauss-Seidel, contact by contact with the exact local solution; exact cone, any size",
    .needs_blocks = true,
    .measures = true,
    .sections = true,
    .work_size = sizeof(Work),
    .create = create,
    .destroy = destroy,
    .reserve = reserve,
    .solve = solve,
};
