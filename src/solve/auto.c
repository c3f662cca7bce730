// SPDX-License-Identifier: Apache-2.0
// The default method: accelerated sweeps while they gain, Newton to finish, and whatever else there is where both fail.
// Sweeps are left when what they still need, judged by their rate, costs more than Newton usually does. Residuals and
// operation counts decide, never the clock. Very large problems are swept without factorisations: on threads while that
// is enough, as it is near a good guess, else accelerated.
// With sections other than the disk only the methods that take them have their turn.
#include "base/memory.h"
#include "solve/anderson.h"
#include "solve/method.h"
#include "solve/newton.h"
#include "solve/section.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// What is tried where sweeps and Newton have failed, or where W is given by its action only: in this order, each from
// the guess.
static const struct {
    const StickMethod *method;
    int iterations; // at most
} fallbacks[] = {
    {&stick_method_interior_point, 600},
    {&stick_method_augmented_lagrangian, 2000},
    {&stick_method_admm, 4000},
    {&stick_method_accelerated_gradient, 8000},
    {&stick_method_conjugate_gradient, 8000},
    {&stick_method_lemke, 100000},
};

// Steps of Newton at first and as the last word.
enum { NEWTON_STEPS = 2000, LAST_NEWTON_STEPS = 4000 };

// From so many contacts on a problem is large, up to so many Lemke's method is tried.
enum { LARGE = 20000, MOST_LEMKE = 1000 };

// Sweeps on threads of a large problem before they are accelerated.
enum { LARGE_SWEEPS = 300 };

// Steps of Newton towards the aim where the tolerance is reached.
enum { POLISHING_STEPS = 12 };

enum { NFALLBACKS = sizeof fallbacks / sizeof *fallbacks };

typedef struct Work {
    StickContext *ctx;
    const StickSolverOptions *options;
    StickAnderson *anderson;
    StickNewton *newton;
    StickSolverOptions aim_options; // of sweeps and Newton
    void *large;                    // of sweeps on threads, for large problems
    StickSolverOptions large_options, fallback_options;
    void *fallback[NFALLBACKS];
    double *guess, *best; // best: answer so far of those that failed
    double best_error;
    size_t guess_room, best_room;
} Work;

// Lemke's cone is exact in the plane only, and its factors are dense. Those that need no entries of W are slow: for W by its action.
static bool is_for(const StickMethod *method, const StickFrictionProblem *problem)
{
    if (!method->sections && stick_section_any(problem))
        return false;
    if (method == &stick_method_lemke)
        return problem->dim < 3 && problem->ncontacts <= MOST_LEMKE;
    return method->needs_blocks == (problem->W != NULL);
}

static void destroy(void *data)
{
    Work *work = data;
    for (int k = 0; k < NFALLBACKS; k++)
        stick_method_destroy(fallbacks[k].method, work->ctx, work->fallback[k]);
    stick_method_destroy(&stick_method_coloured, work->ctx, work->large);
    stick_anderson_destroy(work->anderson);
    stick_newton_destroy(work->newton);
    stick_free(work->ctx, work->guess);
    stick_free(work->ctx, work->best);
}

static int at_most(int number, int limit)
{
    return number < limit ? number : limit;
}

static StickStatus create(StickContext *ctx, const StickSolverOptions *options, void *data)
{
    Work *work = data;
    work->ctx = ctx;
    work->options = options;
    work->fallback_options = work->large_options = work->aim_options = *options;
    work->large_options.iterations = at_most(options->iterations, LARGE_SWEEPS);
    if (options->aim > 0)
        work->aim_options.tolerance = fmin(options->aim, options->tolerance);
    STICK_TRY(stick_anderson_create(ctx, &work->anderson));
    STICK_TRY(stick_newton_create(ctx, &work->aim_options, STICK_NEWTON_ALART_CURNIER, &work->newton));
    for (int k = 0; k < NFALLBACKS; k++)
        STICK_TRY(stick_method_create(fallbacks[k].method, ctx, &work->fallback_options, &work->fallback[k]));
    return STICK_OK;
}

static bool is_large(const StickFrictionProblem *problem)
{
    return problem->W && problem->ncontacts >= LARGE;
}

static StickStatus reserve(void *data, const StickFrictionProblem *problem)
{
    Work *work = data;
    if (is_large(problem) && !work->large)
        STICK_TRY(stick_method_create(&stick_method_coloured, work->ctx, &work->large_options, &work->large));
    if (is_large(problem))
        return stick_method_coloured.reserve(work->large, problem);
    size_t n = (size_t)problem->dim * (size_t)problem->ncontacts;
    STICK_RESERVE(work->ctx, work->guess, work->guess_room, n);
    STICK_RESERVE(work->ctx, work->best, work->best_room, n);
    return problem->W ? stick_anderson_reserve(work->anderson, problem) : STICK_OK;
}

static StickStatus reserve_rest(void *data, const StickFrictionProblem *problem)
{
    Work *work = data;
    if (is_large(problem))
        return stick_anderson_reserve(work->anderson, problem);
    if (problem->W)
        STICK_TRY(stick_newton_reserve(work->newton, problem));
    for (int k = 0; k < NFALLBACKS; k++)
        if (is_for(fallbacks[k].method, problem))
            STICK_TRY(fallbacks[k].method->reserve(work->fallback[k], problem));
    return STICK_OK;
}

// ---- sweeps

// Iterations that may still be made.
static int left(const Work *work, const StickSolveInfo *info)
{
    int most = work->options->iterations;
    return info->iterations < most ? most - info->iterations : 0;
}

// Steps that Newton usually takes, what else than its factorisation a step costs in sweeps, and how much faster its
// operations are than those of sweeps; more sweeps than the margin must be at stake.
static const double usual_steps = 12, step_overhead = 6, dense_speed = 2, margin = 20;

enum { FIRST_SWEEPS = 16 };

// A Newton step in sweeps, at least: that of a factorisation without fill, known without an analysis of the pattern.
static double least_price(const StickFrictionProblem *problem, double sweep_flops)
{
    const StickBlocks *W = problem->W;
    double d = W->d, sum = 0;
    for (int i = 0; i < W->n; i++) {
        double count = W->start[i + 1] - W->start[i];
        sum += count * count;
    }
    return 2 * d * d * d * sum / 3 / sweep_flops;
}

static double price(const Work *work, double sweep_flops)
{
    return stick_newton_flops(work->newton) / dense_speed / sweep_flops + step_overhead;
}

// Sweeps that are still needed at a rate of decay per sweep.
static double needed(double error, double tolerance, double rate)
{
    return rate > 0 ? log(error / tolerance) / rate : INFINITY;
}

// Chunks of sweeps that grow by half, until converged or until Newton is cheaper at the better of the last two rates.
static StickStatus sweep_while_it_gains(Work *work, const StickFrictionProblem *problem, int most, double *r,
                                        double *u, bool *done)
{
    StickAnderson *anderson = work->anderson;
    double flops = stick_sweep_flops(stick_anderson_sweep(anderson)), least = least_price(problem, flops);
    double tolerance = work->aim_options.tolerance, before = stick_anderson_state(anderson).best_error,
           last = 0;
    bool analysed = false;
    for (int chunk = at_most(FIRST_SWEEPS, most); stick_anderson_state(anderson).sweeps < most;) {
        *done = stick_anderson_run(anderson, chunk, r, u);
        StickAndersonState now = stick_anderson_state(anderson);
        if (*done || !now.finite)
            return STICK_OK;
        double rate = log(before / now.best_error) / chunk;
        double need = needed(now.best_error, tolerance, fmax(rate, last)) - margin;
        if (need > usual_steps * least && !analysed) {
            STICK_TRY(stick_newton_reserve(work->newton, problem));
            analysed = true;
        }
        if (analysed && need > usual_steps * price(work, flops))
            return STICK_OK;
        before = now.best_error;
        last = rate;
        chunk = at_most(now.sweeps > 2 * FIRST_SWEEPS ? now.sweeps / 2 : FIRST_SWEEPS, most - now.sweeps);
    }
    return STICK_OK;
}

// The first sweep takes W as it stands: many a problem is solved by then, and need not be loaded.
static bool first_sweep(const Work *work, const StickFrictionProblem *problem, double *r, double *u,
                        StickSolveInfo *info)
{
    for (int i = 0; i < problem->dim * problem->ncontacts; i++)
        if (r[i] != 0)
            return false;
    stick_sweep_first(problem, r);
    stick_residual_velocity(problem, r, u);
    StickResidual residual = stick_residual(problem, r, u);
    info->iterations = 1;
    info->residual = residual.shared;
    if (stick_residual_within(residual, &work->aim_options))
        info->end = STICK_SOLVE_CONVERGED;
    return true;
}

static StickStatus sweep(Work *work, const StickFrictionProblem *problem, double *r, double *u,
                         StickSolveInfo *info)
{
    bool done = false, begun = first_sweep(work, problem, r, u, info);
    if (info->end == STICK_SOLVE_CONVERGED)
        return STICK_OK;
    stick_anderson_load(work->anderson, problem, &work->aim_options, r, begun ? u : NULL);
    STICK_TRY(sweep_while_it_gains(work, problem, left(work, info), r, u, &done));
    info->iterations += stick_anderson_state(work->anderson).sweeps;
    info->residual = stick_anderson_sweep(work->anderson)->residual.shared;
    info->end = done ? STICK_SOLVE_CONVERGED : STICK_SOLVE_LIMIT;
    if (!done)
        stick_anderson_best(work->anderson, r);
    return STICK_OK;
}

// ---- the others

static void finish(StickSolveInfo *info, const char *by, StickResidual residual)
{
    info->residual = residual.shared;
    info->end = STICK_SOLVE_CONVERGED;
    snprintf(info->detail, sizeof info->detail, "by %s", by);
}

// Newton that is as near as this to the tolerance, in multiples of it, goes on as long again: proximal points come slowly.
static const double nearly = 100;

static bool is_near(const Work *work, StickResidual residual)
{
    StickSolverOptions options = *work->options;
    options.tolerance *= nearly;
    return stick_residual_within(residual, &options);
}

// In chunks: once the tolerance is met, one more chunk goes on towards the aim.
static StickStatus try_newton(Work *work, const StickFrictionProblem *problem, int steps, double *r,
                              double *u, StickSolveInfo *info)
{
    StickNewtonRun run = {0};
    bool good = false, polished = false, longer = false;
    STICK_TRY(stick_newton_reserve(work->newton, problem));
    stick_newton_start(work->newton, problem, r);
    for (int most = at_most(steps, left(work, info));
         most > 0 && !run.converged && !run.stalled && !polished;) {
        polished = good;
        run = stick_newton_continue(work->newton, problem, at_most(POLISHING_STEPS, most), r, u);
        good = stick_residual_within(run.residual, work->options);
        info->iterations += run.steps;
        most -= run.steps;
        if (most <= 0 && !longer && is_near(work, run.residual)) {
            most = at_most(steps, left(work, info));
            longer = true;
        }
    }
    if (good)
        finish(info, "Newton", run.residual);
    return STICK_OK;
}

static StickStatus try_fallback(Work *work, int k, const StickFrictionProblem *problem, double *r, double *u,
                                StickSolveInfo *info)
{
    StickSolveInfo own = {0};
    work->fallback_options.iterations = at_most(fallbacks[k].iterations, left(work, info));
    STICK_TRY(fallbacks[k].method->reserve(work->fallback[k], problem));
    STICK_TRY(fallbacks[k].method->solve(work->fallback[k], problem, r, u, &own));
    info->iterations += own.iterations;
    stick_residual_velocity(problem, r, u);
    StickResidual residual = stick_residual(problem, r, u);
    if (stick_residual_within(residual, work->options))
        finish(info, fallbacks[k].method->name, residual);
    return STICK_OK;
}

// After a stage that failed: keeps its answer if it is the best one, and goes back to the guess.
static void begin_again(Work *work, const StickFrictionProblem *problem, double *r, double *u)
{
    size_t size = (size_t)problem->dim * (size_t)problem->ncontacts * sizeof *r;
    stick_residual_velocity(problem, r, u);
    StickResidual residual = stick_residual(problem, r, u);
    // a diverging r is small in the first two
    double error = fmax(fmax(residual.shared, residual.scale_free), residual.velocity * residual.velocity);
    if (error < work->best_error) {
        work->best_error = error;
        memcpy(work->best, r, size);
    }
    memcpy(r, work->guess, size);
}

static StickStatus try_others(Work *work, const StickFrictionProblem *problem, double *r, double *u,
                              StickSolveInfo *info)
{
    for (int k = 0; k < NFALLBACKS; k++) {
        if (!is_for(fallbacks[k].method, problem) || left(work, info) == 0)
            continue;
        begin_again(work, problem, r, u);
        STICK_TRY(try_fallback(work, k, problem, r, u, info));
        if (info->end == STICK_SOLVE_CONVERGED)
            return STICK_OK;
    }
    begin_again(work, problem, r, u);
    return problem->W ? try_newton(work, problem, LAST_NEWTON_STEPS, r, u, info) : STICK_OK;
}

// From where the sweeps on threads stopped. Its room is taken when it is first needed: many runs never do.
static StickStatus accelerate(Work *work, const StickFrictionProblem *problem, double *r, double *u,
                              StickSolveInfo *info)
{
    StickAnderson *anderson = work->anderson;
    STICK_TRY(stick_anderson_reserve(anderson, problem));
    stick_anderson_load(anderson, problem, work->options, r, NULL);
    bool done = stick_anderson_run(anderson, left(work, info), r, u);
    StickAndersonState state = stick_anderson_state(anderson);
    info->iterations += state.sweeps;
    info->residual = state.best_error;
    if (done) {
        finish(info, stick_method_anderson.name, stick_residual(problem, r, u));
        return STICK_OK;
    }
    stick_anderson_best(anderson, r);
    stick_residual_velocity(problem, r, u);
    info->end = state.finite ? STICK_SOLVE_LIMIT : STICK_SOLVE_NOT_FINITE;
    snprintf(info->detail, sizeof info->detail,
             "neither plain nor accelerated sweeps helped: best error %.1e", state.best_error);
    return STICK_OK;
}

static StickStatus solve_large(Work *work, const StickFrictionProblem *problem, double *r, double *u,
                               StickSolveInfo *info)
{
    STICK_TRY(stick_method_coloured.solve(work->large, problem, r, u, info));
    if (info->end != STICK_SOLVE_CONVERGED && left(work, info) > 0)
        return accelerate(work, problem, r, u, info);
    if (info->end == STICK_SOLVE_CONVERGED)
        info->residual = stick_residual(problem, r, u).shared;
    return STICK_OK;
}

static StickStatus solve(void *data, const StickFrictionProblem *problem, double *r, double *u,
                         StickSolveInfo *info)
{
    Work *work = data;
    size_t size = (size_t)problem->dim * (size_t)problem->ncontacts * sizeof *r;
    if (is_large(problem))
        return solve_large(work, problem, r, u, info);
    memcpy(work->guess, r, size);
    work->best_error = INFINITY;
    info->end = STICK_SOLVE_LIMIT;
    if (problem->W)
        STICK_TRY(sweep(work, problem, r, u, info));
    if (problem->W && info->end != STICK_SOLVE_CONVERGED)
        STICK_TRY(try_newton(work, problem, NEWTON_STEPS, r, u, info));
    if (info->end != STICK_SOLVE_CONVERGED)
        STICK_TRY(try_others(work, problem, r, u, info));
    if (info->end != STICK_SOLVE_CONVERGED) {
        begin_again(work, problem, r, u);
        memcpy(r, work->best_error < INFINITY ? work->best : work->guess, size);
        snprintf(info->detail, sizeof info->detail, "nothing helped: best error %.1e", work->best_error);
    }
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
