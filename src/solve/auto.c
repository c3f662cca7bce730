// SPDX-License-Identifier: Apache-2.0
// The default method: a problem is split into its islands, and each is solved by the stages of cascade.h, large
// islands one after the other, small ones in parallel on threads. An island depends on no other, so that the bits are
// the same for any number of threads.
//
// The errors of islands add up: with |defect_i| <= t max(|u_free_i|, |r_i|, |u_i|) for each, that of the whole
// problem is within sqrt(3) t. So islands get half of the tolerance, and the final test measures the whole problem.
#include "base/memory.h"
#include "base/pool.h"
#include "solve/active_set_polish.h"
#include "solve/cascade.h"
#include "solve/islands.h"
#include "solve/method.h"
#include "solve/residual.h"
#include "solve/sweep.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>

// Islands up to this size are checked before they are solved: with a good guess many are already solved.
enum { SMALL = 32 };

// Data of one thread, for any islands that it processes.
typedef struct Lane {
    StickCascade *stages;
    StickStatus status;
    int iterations;    // most of any island
    bool settled;      // all islands
    int failed;        // the first island that was not solved, or the number of all
    int failed_size;   // its contacts
    StickSolveInfo of; // how it ended
} Lane;

typedef struct Work {
    StickContext *ctx;
    const StickSolverOptions *options;
    StickSolverOptions stage_options; // of islands
    StickPool *pool;
    Lane *lane; // as many as threads; at first one
    int nlanes;
    StickIslands islands;
    double *r, *u; // in the order of the islands
    int *turn;     // islands in the order of processing: the expensive ones first
    int nlarge;    // the first of them are large
    atomic_int next;
    size_t r_room, u_room, turn_room;
} Work;

static void destroy(void *data)
{
    Work *work = data;
    for (int k = 0; k < work->nlanes; k++)
        stick_cascade_destroy(work->lane[k].stages);
    stick_pool_destroy(work->pool);
    stick_islands_destroy(&work->islands);
    stick_free(work->ctx, work->lane);
    stick_free(work->ctx, work->r);
    stick_free(work->ctx, work->u);
    stick_free(work->ctx, work->turn);
}

static StickStatus add_lane(Work *work)
{
    STICK_TRY(stick_cascade_create(work->ctx, &work->stage_options, &work->lane[work->nlanes].stages));
    work->nlanes++;
    return STICK_OK;
}

static StickStatus create(StickContext *ctx, const StickSolverOptions *options, void *data)
{
    Work *work = data;
    work->ctx = ctx;
    work->options = options;
    work->stage_options = *options;
    STICK_ALLOC(ctx, work->lane, options->threads);
    return add_lane(work);
}

// ---- room

// Large islands first, then those that are more than a thread's fair share of small ones, then the others.
static void take_turns(Work *work)
{
    const StickIslands *islands = &work->islands;
    int count = 0, piece = islands->ncontacts / 64;
    work->nlarge = 0;
    for (int round = 0; round < 3; round++)
        for (int k = 0; k < islands->count; k++) {
            StickIsland island;
            stick_islands_take(islands, k, &island);
            int kind = stick_cascade_use_threads(&island.problem) ? 0 : island.ncontacts > piece ? 1 : 2;
            if (kind != round)
                continue;
            work->turn[count++] = k;
            work->nlarge += kind == 0;
        }
}

static StickStatus reserve_threads(Work *work)
{
    while (work->nlanes < work->options->threads)
        STICK_TRY(add_lane(work));
    return work->pool ? STICK_OK : stick_pool_create(work->ctx, work->options->threads, &work->pool);
}

static StickStatus reserve(void *data, const StickFrictionProblem *problem)
{
    Work *work = data;
    size_t n = (size_t)problem->dim * (size_t)problem->ncontacts;
    STICK_TRY(stick_islands_find(work->ctx, problem, &work->islands));
    if (work->islands.count == 1)
        return stick_cascade_reserve(work->lane[0].stages, problem);
    STICK_RESERVE(work->ctx, work->r, work->r_room, n);
    STICK_RESERVE(work->ctx, work->u, work->u_room, n);
    STICK_RESERVE(work->ctx, work->turn, work->turn_room, work->islands.count);
    take_turns(work);
    return reserve_threads(work);
}

static StickStatus reserve_rest(void *data, const StickFrictionProblem *problem)
{
    Work *work = data;
    if (work->islands.count == 1)
        return stick_cascade_reserve_rest(work->lane[0].stages, problem);
    for (int k = 0; k < work->islands.count; k++)
        for (int lane = 0; lane < (k < work->nlarge ? 1 : work->nlanes); lane++) {
            StickIsland island;
            stick_islands_take(&work->islands, work->turn[k], &island);
            STICK_TRY(stick_cascade_reserve(work->lane[lane].stages, &island.problem));
            STICK_TRY(stick_cascade_reserve_rest(work->lane[lane].stages, &island.problem));
        }
    return STICK_OK;
}

// ---- islands

static bool is_at_aim(const StickSolverOptions *options, StickResidual residual)
{
    StickSolverOptions wanted = *options;
    if (options->aim > 0)
        wanted.tolerance = fmin(options->aim, options->tolerance);
    return stick_residual_within(residual, &wanted);
}

// One contact by itself needs no guess, and no more than its local solution.
static bool is_done(const Work *work, Lane *lane, const StickIsland *island, double *r, double *u)
{
    if (island->ncontacts > SMALL ||
        (island->ncontacts > 1 && stick_cascade_selects(lane->stages, &island->problem)))
        return false;
    if (island->ncontacts == 1)
        stick_sweep_first(&island->problem, r);
    stick_residual_velocity(&island->problem, r, u);
    StickResidual residual = stick_residual(&island->problem, r, u);
    return is_at_aim(&work->stage_options, residual) &&
           (island->ncontacts == 1 || work->options->aim == 0 ||
            stick_polish_is_needless(&island->problem, work->options, residual, r, u));
}

static StickStatus solve_island(Work *work, Lane *lane, int number)
{
    StickIsland island;
    StickSolveInfo info = {.end = STICK_SOLVE_LIMIT};
    stick_islands_take(&work->islands, number, &island);
    size_t first = (size_t)work->islands.dim * (size_t)island.first;
    double *r = work->r + first, *u = work->u + first;
    STICK_TRY(stick_cascade_reserve(lane->stages, &island.problem));
    if (stick_cascade_keep(lane->stages, &island.problem, r, u, &info) || is_done(work, lane, &island, r, u))
        return STICK_OK;
    STICK_TRY(stick_cascade_solve(lane->stages, &island.problem, r, u, &info));
    lane->settled = lane->settled && info.settled;
    lane->iterations = info.iterations > lane->iterations ? info.iterations : lane->iterations;
    if (info.end == STICK_SOLVE_CONVERGED)
        return STICK_OK;
    stick_residual_velocity(&island.problem, r, u);
    if (number < lane->failed) {
        lane->failed = number;
        lane->failed_size = island.ncontacts;
        lane->of = info;
    }
    return STICK_OK;
}

// Takes islands as long as there are any.
static void run_lane(void *data, int part)
{
    Work *work = data;
    Lane *lane = &work->lane[part];
    for (int k; lane->status == STICK_OK && (k = atomic_fetch_add(&work->next, 1)) < work->islands.count;)
        lane->status = solve_island(work, lane, work->turn[k]);
}

static StickStatus solve_islands(Work *work)
{
    for (int k = 0; k < work->nlanes; k++) {
        Lane *lane = &work->lane[k];
        *lane = (Lane){.stages = lane->stages, .settled = true, .failed = work->islands.count};
    }
    for (int k = 0; k < work->nlarge; k++)
        STICK_TRY(solve_island(work, &work->lane[0], work->turn[k]));
    atomic_store(&work->next, work->nlarge);
    stick_pool_run(work->pool, run_lane, work, work->nlanes);
    for (int k = 0; k < work->nlanes; k++)
        STICK_TRY(work->lane[k].status);
    return STICK_OK;
}

// ---- the whole

// Without a guess: one sweep with W in the caller's layout. Where contacts are hardly coupled this is sufficient.
static bool first_sweep(const Work *work, const StickFrictionProblem *problem, double *r, double *u,
                        StickSolveInfo *info)
{
    StickResidual residual;
    if (!stick_sweep_from_nothing(problem, r, u, &residual))
        return false;
    *info = (StickSolveInfo){
        .end = STICK_SOLVE_CONVERGED, .settled = true, .iterations = 1, .residual = residual.shared};
    return is_at_aim(work->options, residual);
}

static void report(const Work *work, const StickFrictionProblem *problem, const double *r, const double *u,
                   StickSolveInfo *info)
{
    StickResidual residual = stick_residual(problem, r, u);
    const Lane *worst = &work->lane[0];
    info->settled = true;
    for (int k = 0; k < work->nlanes; k++) {
        const Lane *lane = &work->lane[k];
        info->iterations = lane->iterations > info->iterations ? lane->iterations : info->iterations;
        worst = lane->failed < worst->failed ? lane : worst;
        info->settled = info->settled && lane->settled;
    }
    info->residual = residual.shared;
    info->end = STICK_SOLVE_CONVERGED;
    // an island that is next to nothing in the whole may be left as it is
    if (stick_residual_within(residual, work->options))
        return;
    info->end = worst->failed < work->islands.count ? worst->of.end : STICK_SOLVE_LIMIT;
    snprintf(info->detail, sizeof info->detail, "an island of %d of %d contacts: %.70s", worst->failed_size,
             problem->ncontacts, worst->of.detail);
}

static StickStatus solve(void *data, const StickFrictionProblem *problem, double *r, double *u,
                         StickSolveInfo *info)
{
    Work *work = data;
    work->stage_options = *work->options;
    if (work->islands.count == 1)
        return stick_cascade_keep(work->lane[0].stages, problem, r, u, info)
                   ? STICK_OK
                   : stick_cascade_solve(work->lane[0].stages, problem, r, u, info);
    if (work->islands.count == problem->ncontacts && first_sweep(work, problem, r, u, info))
        return STICK_OK;
    work->stage_options.tolerance /= 2;
    stick_islands_load(&work->islands, problem);
    stick_islands_sort(&work->islands, r, work->r);
    STICK_TRY(solve_islands(work));
    stick_islands_put_back(&work->islands, work->r, r);
    stick_islands_put_back(&work->islands, work->u, u);
    report(work, problem, r, u, info);
    return STICK_OK;
}

const StickMethod stick_method_auto = {
    .name = "auto",
    .text = "the default: accelerated Gauss-Seidel while it gains, Newton to finish, others where both fail",
    .measures = true,
    .sections = true,
    .work_size = sizeof(Work),
    .create = create,
    .destroy = destroy,
    .reserve = reserve,
    .reserve_rest = reserve_rest,
    .solve = solve,
};
