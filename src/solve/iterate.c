// SPDX-License-Identifier: Apache-2.0
#include "solve/iterate.h"

#include "base/memory.h"

#include <string.h>

enum { PATIENCE = 200 };

// An error larger than the best one by this factor counts as divergence.
static const double DIVERGED = 100;
// Continue if the best error is below this share of the previous best one.
static const double PROGRESS = 0.8;

StickStatus stick_iterate_create(StickContext *ctx, const StickSolverOptions *options, StickIterate *iterate)
{
    *iterate = (StickIterate){.ctx = ctx, .options = options};
    return stick_sweep_create(ctx, &iterate->sweep);
}

void stick_iterate_destroy(StickIterate *iterate)
{
    stick_sweep_destroy(iterate->sweep);
    stick_free(iterate->ctx, iterate->best);
}

StickStatus stick_iterate_reserve(StickIterate *iterate, const StickFrictionProblem *problem)
{
    STICK_RESERVE(iterate->ctx, iterate->best, iterate->best_room, stick_sweep_length(problem));
    return stick_sweep_reserve(iterate->sweep, problem);
}

// Measures the present r and u: error, best so far, and whether they are a solution.
static void measure(StickIterate *iterate)
{
    StickSweep *sweep = iterate->sweep;
    iterate->error = stick_sweep_error(sweep, iterate->options->measure);
    if (iterate->error < iterate->best_error) {
        iterate->best_error = iterate->error;
        memcpy(iterate->best, sweep->r, sweep->length * sizeof *sweep->r);
    }
    iterate->converged = iterate->error <= iterate->options->tolerance &&
                         stick_sweep_accepts(sweep, iterate->options, iterate->r, iterate->u);
}

void stick_iterate_start(StickIterate *iterate, const StickFrictionProblem *problem, double *r, double *u,
                         StickSolveInfo *info)
{
    iterate->r = r;
    iterate->u = u;
    iterate->info = info;
    iterate->best_error = INFINITY;
    iterate->relaxation = 1;
    iterate->seen = INFINITY;
    iterate->improved = 0;
    stick_sweep_load(iterate->sweep, problem);
    stick_sweep_set(iterate->sweep, r);
    memcpy(iterate->best, iterate->sweep->r, iterate->sweep->length * sizeof *iterate->best);
    measure(iterate);
}

bool stick_iterate_goes_on(const StickIterate *iterate)
{
    return !iterate->converged && isfinite(iterate->error) &&
           iterate->info->iterations < iterate->options->iterations && !stick_is_stopped(iterate->ctx);
}

void stick_iterate_sweep(StickIterate *iterate, StickDirection direction, double relaxation)
{
    stick_sweep_run(iterate->sweep, direction, relaxation);
    iterate->relaxation = relaxation;
    iterate->info->iterations++;
    measure(iterate);
}

bool stick_iterate_went_wrong(StickIterate *iterate)
{
    int sweeps = iterate->info->iterations;
    if (iterate->best_error < PROGRESS * iterate->seen) {
        iterate->seen = iterate->best_error;
        iterate->improved = sweeps;
    }
    return !iterate->converged && (!(iterate->error <= DIVERGED * iterate->seen) ||
                                   sweeps - iterate->improved > PATIENCE + sweeps / 2);
}

void stick_iterate_return_to_best(StickIterate *iterate)
{
    iterate->seen = iterate->best_error;
    iterate->improved = iterate->info->iterations;
    memcpy(iterate->sweep->r, iterate->best, iterate->sweep->length * sizeof *iterate->best);
    stick_sweep_refresh(iterate->sweep);
    iterate->error = iterate->best_error;
}

static void finish_full(StickIterate *iterate)
{
    StickSweep *sweep = iterate->sweep;
    memcpy(iterate->best, sweep->r, sweep->length * sizeof *sweep->r);
    stick_sweep_run(sweep, STICK_FORWARD, 1);
    iterate->info->iterations++;
    if (stick_sweep_accepts(sweep, iterate->options, iterate->r, iterate->u))
        return;
    memcpy(sweep->r, iterate->best, sweep->length * sizeof *sweep->r);
    stick_sweep_accepts(sweep, iterate->options, iterate->r, iterate->u);
}

void stick_iterate_end(StickIterate *iterate)
{
    bool may = iterate->info->iterations < iterate->options->iterations;
    if (iterate->converged && iterate->relaxation < 1 && may)
        finish_full(iterate);
    iterate->info->end = iterate->converged         ? STICK_SOLVE_CONVERGED
                         : isfinite(iterate->error) ? STICK_SOLVE_LIMIT
                                                    : STICK_SOLVE_NOT_FINITE;
    if (iterate->converged)
        return;
    memcpy(iterate->sweep->r, iterate->best, iterate->sweep->length * sizeof *iterate->best);
    stick_sweep_get(iterate->sweep, iterate->r);
}

// ---- points

StickStatus stick_point_reserve(StickContext *ctx, StickPoint *point, const StickFrictionProblem *problem)
{
    size_t length = stick_sweep_length(problem);
    STICK_RESERVE(ctx, point->r, point->r_room, length);
    STICK_RESERVE(ctx, point->u, point->u_room, length);
    return STICK_OK;
}

void stick_point_destroy(StickContext *ctx, StickPoint *point)
{
    stick_free(ctx, point->r);
    stick_free(ctx, point->u);
}

void stick_point_save(const StickIterate *iterate, StickPoint *point)
{
    size_t size = iterate->sweep->length * sizeof *point->r;
    memcpy(point->r, iterate->sweep->r, size);
    memcpy(point->u, iterate->sweep->u, size);
    point->error = iterate->error;
}

void stick_point_return(const StickPoint *point, StickIterate *iterate)
{
    size_t size = iterate->sweep->length * sizeof *point->r;
    memcpy(iterate->sweep->r, point->r, size);
    memcpy(iterate->sweep->u, point->u, size);
    iterate->error = point->error;
}
