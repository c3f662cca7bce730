// SPDX-License-Identifier: Apache-2.0
#include "solve/cascade.h"

#include "base/memory.h"
#include "solve/active_set_polish.h"
#include "solve/alternation.h"
#include "solve/anderson.h"
#include "solve/body_newton.h"
#include "solve/body_system.h"
#include "solve/compliant.h"
#include "solve/force_selection.h"
#include "solve/method.h"
#include "solve/newton.h"
#include "solve/section.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// Fallbacks after sweeps and Newton have failed, or where W is given by its action only: in this order, each from the
// initial guess.
static const struct {
    const StickMethod *method;
    int iterations; // at most
    bool factors;   // in every iteration
} fallbacks[] = {
    {&stick_method_interior_point, 600, true},
    {&stick_method_body_newton, 1000, false},
    {&stick_method_newton_jean_moreau, 4000, true},
    {&stick_method_augmented_lagrangian, 2000, true},
    {&stick_method_admm, 4000, false},
    {&stick_method_accelerated_gradient, 8000, false},
    {&stick_method_conjugate_gradient, 8000, false},
    {&stick_method_lemke, 100000, false},
};

// Newton steps at first, for a large problem, and in the last attempt.
enum { NEWTON_STEPS = 2000, LARGE_NEWTON_STEPS = 300, LAST_NEWTON_STEPS = 4000 };

// A problem with at least LARGE contacts is large. From ROUNDS contacts on, Newton alternates with sweeps; up to
// MOST_LEMKE contacts, Lemke's method is tried.
enum { LARGE = 20000, ROUNDS = 2000, MOST_LEMKE = 1000 };

// Largest number of doubles in Newton's factors: 1.2 GB.
static const double MOST_NUMBERS = 1.5e8;

// Operations for the factors of all stages together, about a minute: an unsolved problem must not block a run.
static const double MOST_WORK = 1e12;

// For a large problem Newton starts only if this number of steps is affordable.
enum { LEAST_NEWTON_STEPS = 24 };

// Sweeps on threads of a large problem before they are accelerated.
enum { LARGE_SWEEPS = 300 };

// In space the factors fill in. From DEAR contacts on they are too expensive beyond the tolerance. The same holds for
// slow sweeps: they stop if more sweeps are needed than were made so far.
enum { DEAR = 1000, MORE_SWEEPS = 64 };

// Sweeps on threads aim at this share of the tolerance: at rest the next steps then find a guess that is good enough.
static const double LARGE_AIM = 0.5;

// From this number of contacts on rigid bodies are solved by Newton in their velocities, if a factorisation takes at
// most this number of operations for each block of W: 15 factorisations then cost as much as two hundred sweeps. Most
// such steps at a time.
enum { BODY_CONTACTS = 300, BODY_STEPS = 500 };

static const double body_flops = 1000;

// The same of the selection of forces, which takes few of them.
static const double selection_flops = 1e4;

// Tolerance of these problems, even if the user's tolerance is larger: one or two more Newton steps remove the
// initial compliance of contacts. With it a structure at rest would sink from step to step.
static const double body_aim = 1e-8;

// Forces of the previous step are kept up to this error, even if the tolerance is larger: a structure at rest then
// moves by less than 1e-10 of the displacement that its loads would cause in a step.
static const double kept_error = 1e-10;

// The same in small problems, in units of the largest round-off of a contact.
static const double kept_round_off = 0.5;

// Newton's method goes on from a guess with an error up to this one.
static const double near_guess = 1e-2;

// Errors that a run accepts by default, in units of the tolerance of an island, which is half of that of the run.
static const double body_near = 200;

// Steps of Newton towards the aim where the tolerance is reached.
enum { POLISHING_STEPS = 12 };

enum { NFALLBACKS = sizeof fallbacks / sizeof *fallbacks };

struct StickCascade {
    StickContext *ctx;
    const StickSolverOptions *options;
    StickAnderson *anderson;
    StickNewton *newton;
    StickCompliant *compliant;
    StickForceSelection *selection;
    double work;                    // operations of factors so far
    StickSolverOptions aim_options; // of sweeps and Newton
    void *large;                    // of sweeps on threads, for large problems
    void *bodies;                   // of Newton in the velocities of bodies
    StickSolverOptions large_options, bodies_options, fallback_options;
    void *fallback[NFALLBACKS];
    double *guess, *best; // best: answer so far of those that failed
    double *before;       // what r was at first
    double *kept;         // of rounds
    double *trial;        // of the polish
    double best_error;
    StickResidualPieces pieces; // of large problems
    size_t guess_room, before_room, best_room, kept_room, trial_room;
};

// Lemke's cone is exact in the plane only, and its factors are dense. Methods that need no entries of W are slow:
// they are used if W is given by its action.
static bool is_for(const StickMethod *method, const StickFrictionProblem *problem)
{
    if (!method->sections && stick_section_any(problem))
        return false;
    if (method == &stick_method_lemke)
        return problem->dim < 3 && problem->ncontacts <= MOST_LEMKE;
    if (method->needs_bodies && !problem->bodies)
        return false;
    return method->needs_blocks == (problem->W != NULL);
}

void stick_cascade_destroy(StickCascade *stages)
{
    if (!stages)
        return;
    for (int k = 0; k < NFALLBACKS; k++)
        stick_method_destroy(fallbacks[k].method, stages->ctx, stages->fallback[k]);
    stick_method_destroy(&stick_method_coloured_mixed, stages->ctx, stages->large);
    stick_method_destroy(&stick_method_body_newton, stages->ctx, stages->bodies);
    stick_residual_release(&stages->pieces);
    stick_anderson_destroy(stages->anderson);
    stick_compliant_destroy(stages->compliant);
    stick_force_selection_destroy(stages->selection);
    stick_newton_destroy(stages->newton);
    stick_free(stages->ctx, stages->guess);
    stick_free(stages->ctx, stages->before);
    stick_free(stages->ctx, stages->best);
    stick_free(stages->ctx, stages->kept);
    stick_free(stages->ctx, stages->trial);
    stick_free(stages->ctx, stages);
}

static int at_most(int number, int limit)
{
    return number < limit ? number : limit;
}

// Tolerance and aim may have changed since the last solve.
static void take_options(StickCascade *stages)
{
    const StickSolverOptions *options = stages->options;
    stages->fallback_options = stages->large_options = stages->bodies_options = stages->aim_options =
        *options;
    stages->fallback_options.threads = 1; // it may be one of several islands at the same time
    stages->large_options.iterations = at_most(options->iterations, LARGE_SWEEPS);
    stages->bodies_options.tolerance = fmin(options->tolerance, body_aim);
    stages->bodies_options.aim = options->aim > 0 ? fmax(options->aim, kept_error) : 0;
    if (options->aim > 0)
        stages->aim_options.tolerance = fmin(options->aim, options->tolerance);
}

static StickStatus fill(StickCascade *stages)
{
    StickContext *ctx = stages->ctx;
    take_options(stages);
    STICK_TRY(stick_anderson_create(ctx, &stages->anderson));
    STICK_TRY(stick_newton_create(ctx, &stages->aim_options, STICK_NEWTON_ALART_CURNIER, &stages->newton));
    stick_newton_limit(stages->newton, MOST_NUMBERS);
    STICK_TRY(stick_compliant_create(ctx, stages->newton, &stages->compliant));
    for (int k = 0; k < NFALLBACKS; k++)
        STICK_TRY(
            stick_method_create(fallbacks[k].method, ctx, &stages->fallback_options, &stages->fallback[k]));
    return STICK_OK;
}

StickStatus stick_cascade_create(StickContext *ctx, const StickSolverOptions *options, StickCascade **stages)
{
    StickCascade *created;
    STICK_ALLOC(ctx, created, 1);
    created->ctx = ctx;
    created->options = options;
    StickStatus status = fill(created);
    if (status != STICK_OK) {
        stick_cascade_destroy(created);
        return status;
    }
    *stages = created;
    return STICK_OK;
}

static bool is_large(const StickFrictionProblem *problem)
{
    return problem->W && problem->ncontacts >= LARGE;
}

static bool may_use_bodies(const StickFrictionProblem *problem)
{
    return problem->W && problem->bodies && problem->ncontacts >= BODY_CONTACTS;
}

bool stick_cascade_use_threads(const StickFrictionProblem *problem)
{
    return is_large(problem) || (may_use_bodies(problem) && problem->ncontacts >= STICK_BODY_THREADS);
}

// Only if a guess is not good enough: computing colours costs as much as some sweeps.
static StickStatus reserve_large(StickCascade *stages, const StickFrictionProblem *problem)
{
    if (!stages->large)
        STICK_TRY(stick_method_create(&stick_method_coloured_mixed, stages->ctx, &stages->large_options,
                                      &stages->large));
    return stick_method_coloured_mixed.reserve(stages->large, problem);
}

StickStatus stick_cascade_reserve(StickCascade *stages, const StickFrictionProblem *problem)
{
    size_t n = (size_t)problem->dim * (size_t)problem->ncontacts;
    if (is_large(problem))
        return stick_residual_reserve(stages->ctx, problem, &stages->pieces);
    STICK_RESERVE(stages->ctx, stages->guess, stages->guess_room, n);
    STICK_RESERVE(stages->ctx, stages->best, stages->best_room, n);
    if (problem->W && problem->ncontacts > 1)
        STICK_TRY(stick_compliant_reserve(stages->compliant, problem));
    return problem->W ? stick_anderson_reserve(stages->anderson, problem) : STICK_OK;
}

static StickStatus reserve_polish(StickCascade *stages, const StickFrictionProblem *problem)
{
    STICK_RESERVE(stages->ctx, stages->trial, stages->trial_room,
                  2 * (size_t)problem->dim * (size_t)problem->ncontacts);
    return stick_newton_reserve(stages->newton, problem);
}

static bool has_selection(const StickFrictionProblem *problem)
{
    return problem->W && problem->bodies && problem->ncontacts > 1;
}

static StickStatus reserve_bodies(StickCascade *stages, const StickFrictionProblem *problem)
{
    if (!stages->bodies)
        STICK_TRY(stick_method_create(&stick_method_body_newton, stages->ctx, &stages->bodies_options,
                                      &stages->bodies));
    STICK_RESERVE(stages->ctx, stages->guess, stages->guess_room, problem->dim * problem->ncontacts);
    return stick_method_body_newton.reserve(stages->bodies, problem);
}

static StickStatus reserve_rounds(StickCascade *stages, const StickFrictionProblem *problem)
{
    STICK_RESERVE(stages->ctx, stages->kept, stages->kept_room, problem->dim * problem->ncontacts);
    return stick_newton_reserve(stages->newton, problem);
}

static StickStatus reserve_selection(StickCascade *stages, const StickFrictionProblem *problem)
{
    if (!stages->selection)
        STICK_TRY(stick_force_selection_create(stages->ctx, &stages->selection));
    STICK_RESERVE(stages->ctx, stages->before, stages->before_room, problem->dim * problem->ncontacts);
    return stick_force_selection_reserve(stages->selection, problem, stages->options->threads > 1);
}

StickStatus stick_cascade_reserve_rest(StickCascade *stages, const StickFrictionProblem *problem)
{
    if (has_selection(problem))
        STICK_TRY(reserve_selection(stages, problem));
    if (may_use_bodies(problem))
        STICK_TRY(reserve_bodies(stages, problem));
    if (problem->W) {
        STICK_TRY(reserve_rounds(stages, problem));
        STICK_TRY(reserve_polish(stages, problem));
    }
    if (is_large(problem)) {
        STICK_TRY(reserve_large(stages, problem));
        return stick_anderson_reserve(stages->anderson, problem);
    }
    for (int k = 0; k < NFALLBACKS; k++)
        if (is_for(fallbacks[k].method, problem))
            STICK_TRY(fallbacks[k].method->reserve(stages->fallback[k], problem));
    return STICK_OK;
}

// ---- sweeps

// Iterations that may still be made.
static int left(const StickCascade *stages, const StickSolveInfo *info)
{
    int most = stages->options->iterations;
    return info->iterations < most ? most - info->iterations : 0;
}

// Newton steps with this number of operations that are still affordable, at most `steps`.
static int affordable(const StickCascade *stages, double flops, int steps)
{
    double most = fmax(0, MOST_WORK - stages->work) / fmax(flops, 1);
    return most < steps ? (int)most : steps;
}

// Usual number of Newton steps, cost of a step besides its factorisation, in sweeps, and speed of its operations
// compared with sweeps. Newton is used only if it saves more sweeps than the margin.
static const double usual_steps = 12, step_overhead = 6, dense_speed = 2, margin = 20;
// The same for rounds; the sweeps of a round are part of its cost. Large factorisations run at a higher rate, and
// sweeps over a problem of this size slow down.
static const double usual_rounds_steps = 8, round_overhead = 25, large_speed = 4;

enum { FIRST_SWEEPS = 16 };

// Sweeps continue at least until they have cost this share of Newton, or of their own cost limit: from a nearly
// correct guess the error may rise at first.
static const double fair_share = 1.0 / 16;

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

// What Newton usually costs in sweeps.
static double price(const StickCascade *stages, const StickFrictionProblem *problem, double sweep_flops)
{
    double factors = stick_newton_flops(stages->newton) / sweep_flops;
    return problem->ncontacts >= ROUNDS ? usual_rounds_steps * (factors / large_speed + round_overhead)
                                        : usual_steps * (factors / dense_speed + step_overhead);
}

// Sweeps that are still needed at a rate of decay per sweep.
static double needed(double error, double tolerance, double rate)
{
    return rate > 0 ? log(error / tolerance) / rate : INFINITY;
}

// u = W r + u_free, and the residual; a large problem has the threads for itself.
static StickResidual measure(const StickCascade *stages, const StickFrictionProblem *problem, const double *r,
                             double *u)
{
    if (is_large(problem))
        return stick_residual_measure(&stages->pieces, problem, r, u);
    stick_residual_velocity(problem, r, u);
    return stick_residual(problem, r, u);
}

// Of r as it is: a guess that is good enough costs one product, and no loading.
static bool is_good(const StickCascade *stages, const StickFrictionProblem *problem, const double *r,
                    double *u, StickSolveInfo *info)
{
    StickResidual residual = measure(stages, problem, r, u);
    if (!stick_residual_within(residual, stages->options))
        return false;
    info->residual = residual.shared;
    info->end = STICK_SOLVE_CONVERGED;
    return true;
}

// The same in a run, with the error at which forces are kept if it is smaller than the tolerance.
static bool is_at_rest(const StickCascade *stages, const StickFrictionProblem *problem, const double *r,
                       double *u, StickResidual *residual)
{
    StickSolverOptions wanted = *stages->options;
    if (wanted.aim > 0)
        wanted.tolerance = fmin(kept_error, wanted.tolerance);
    *residual = measure(stages, problem, r, u);
    return stick_residual_within(*residual, &wanted);
}

bool stick_cascade_keep(StickCascade *stages, const StickFrictionProblem *problem, const double *r, double *u,
                        StickSolveInfo *info)
{
    StickResidual residual;
    for (int c = 0; c < problem->ncontacts; c++)
        if (!problem->settled || !problem->settled[c])
            return false;
    if (!is_at_rest(stages, problem, r, u, &residual))
        return false;
    // small problems are polished to round-off
    double error = fmax(stick_residual_error(residual, stages->options->measure), residual.rounded);
    if (!may_use_bodies(problem) && problem->W &&
        !(error <=
          fmin(stages->options->tolerance, kept_round_off * stick_residual_round_off(problem, r, u))))
        return false;
    info->residual = residual.shared;
    info->end = STICK_SOLVE_CONVERGED;
    info->settled = true;
    return true;
}

static bool is_dear(const StickFrictionProblem *problem)
{
    return problem->dim == 3 && problem->ncontacts >= DEAR;
}

// For an expensive solved problem: whether it is too far from the aim to continue.
static bool is_enough(const StickCascade *stages, const StickFrictionProblem *problem, int sweeps,
                      double need)
{
    StickAndersonState state = stick_anderson_state(stages->anderson);
    return is_dear(problem) && state.best_error <= stages->options->tolerance &&
           need > (sweeps > MORE_SWEEPS ? sweeps : MORE_SWEEPS);
}

// Chunks of sweeps that grow by half, until converged or until Newton is cheaper at the better of the last two rates.
static StickStatus sweep_while_it_gains(StickCascade *stages, const StickFrictionProblem *problem, int most,
                                        double *r, double *u, bool *done)
{
    StickAnderson *anderson = stages->anderson;
    double flops = stick_sweep_flops(stick_anderson_sweep(anderson)), least = least_price(problem, flops);
    double tolerance = stages->aim_options.tolerance, before = stick_anderson_state(anderson).best_error,
           last = 0;
    bool analysed = false;
    for (int chunk = at_most(FIRST_SWEEPS, most); stick_anderson_state(anderson).sweeps < most;) {
        *done = stick_anderson_run(anderson, chunk, r, u);
        StickAndersonState now = stick_anderson_state(anderson);
        if (*done || !now.finite || stick_is_stopped(stages->ctx))
            return STICK_OK;
        double rate = log(before / now.best_error) / chunk;
        double need = needed(now.best_error, tolerance, fmax(rate, last)) - margin;
        if (is_enough(stages, problem, now.sweeps, need))
            return STICK_OK;
        if (need > usual_rounds_steps / large_speed * least && !analysed) {
            STICK_TRY(stick_newton_reserve(stages->newton, problem));
            analysed = true;
        }
        double newton = analysed ? price(stages, problem, flops) : INFINITY;
        if (need > newton && now.sweeps > fair_share * fmin(newton, most))
            return STICK_OK;
        before = now.best_error;
        last = rate;
        chunk = at_most(now.sweeps > 2 * FIRST_SWEEPS ? now.sweeps / 2 : FIRST_SWEEPS, most - now.sweeps);
    }
    return STICK_OK;
}

// The first sweep uses W in the caller's layout: many problems are solved by it and need not be loaded.
static bool first_sweep(const StickCascade *stages, const StickFrictionProblem *problem, double *r, double *u,
                        StickSolveInfo *info)
{
    StickResidual residual;
    if (!stick_sweep_from_nothing(problem, r, u, &residual))
        return false;
    info->iterations = 1;
    info->residual = residual.shared;
    if (stick_residual_within(residual, &stages->aim_options))
        info->end = STICK_SOLVE_CONVERGED;
    return true;
}

static StickStatus sweep(StickCascade *stages, const StickFrictionProblem *problem, double *r, double *u,
                         StickSolveInfo *info)
{
    bool done = false, begun = first_sweep(stages, problem, r, u, info);
    if (info->end == STICK_SOLVE_CONVERGED)
        return STICK_OK;
    stick_anderson_load(stages->anderson, problem, &stages->aim_options, r, begun ? u : NULL);
    STICK_TRY(sweep_while_it_gains(stages, problem, left(stages, info), r, u, &done));
    info->iterations += stick_anderson_state(stages->anderson).sweeps;
    info->residual = stick_anderson_sweep(stages->anderson)->residual.shared;
    info->end = done ? STICK_SOLVE_CONVERGED : STICK_SOLVE_LIMIT;
    if (done)
        return STICK_OK;
    stick_anderson_best(stages->anderson, r);
    if (!is_dear(problem))
        return STICK_OK;
    stages->aim_options.tolerance = stages->options->tolerance;
    is_good(stages, problem, r, u, info);
    return STICK_OK;
}

// ---- the others

static void finish(StickSolveInfo *info, const char *by, StickResidual residual)
{
    info->residual = residual.shared;
    info->end = STICK_SOLVE_CONVERGED;
    snprintf(info->detail, sizeof info->detail, "by %s", by);
}

// If Newton ends within this multiple of the tolerance, it continues for the same number of steps: proximal points
// converge slowly.
static const double nearly = 100;

static bool is_near(const StickCascade *stages, StickResidual residual)
{
    StickSolverOptions options = *stages->options;
    options.tolerance *= nearly;
    return stick_residual_within(residual, &options);
}

// Polishes r to round-off if requested or needed; r solves the problem, at least nearly.
static StickStatus polish(StickCascade *stages, const StickFrictionProblem *problem, StickResidual *residual,
                          double *r, double *u, StickSolveInfo *info)
{
    if (!problem->W || stick_polish_is_needless(problem, stages->options, *residual, r, u))
        return STICK_OK;
    STICK_TRY(reserve_polish(stages, problem));
    if (affordable(stages, stick_newton_flops(stages->newton), LEAST_NEWTON_STEPS) < LEAST_NEWTON_STEPS)
        return STICK_OK;
    StickPolishEnd end = stick_polish(stages->newton, problem, stages->options, *residual, left(stages, info),
                                      stages->trial, r, u);
    info->iterations += end.steps;
    stages->work += end.flops;
    *residual = end.residual;
    return STICK_OK;
}

// Polishes a nearly solved problem whose error may be too large in the scale of single contacts.
static StickStatus polish_near(StickCascade *stages, const StickFrictionProblem *problem,
                               StickResidual *residual, double *r, double *u, StickSolveInfo *info)
{
    StickResidual whole = *residual;
    whole.contact = fmin(whole.contact, stages->options->tolerance);
    if (!is_near(stages, whole) || stick_residual_within(*residual, stages->options))
        return STICK_OK;
    return polish(stages, problem, residual, r, u, info);
}

// In blocks of steps: once the tolerance is met, one more block continues towards the aim.
static StickStatus try_newton(StickCascade *stages, const StickFrictionProblem *problem, int steps, double *r,
                              double *u, StickSolveInfo *info)
{
    StickNewtonRun run = {0};
    bool good = false, polished = false, longer = false, begun = false;
    if (stick_is_stopped(stages->ctx))
        return STICK_OK;
    STICK_TRY(stick_newton_reserve(stages->newton, problem));
    double flops = stick_newton_flops(stages->newton);
    if (!isfinite(flops))
        return STICK_OK;
    stick_newton_start(stages->newton, problem, r);
    for (int most = at_most(steps, left(stages, info)); most > 0 && !run.converged && !run.stalled &&
                                                        !polished && affordable(stages, flops, 1) > 0 &&
                                                        !stick_is_stopped(stages->ctx);) {
        polished = good;
        begun = true;
        run = stick_newton_continue(stages->newton, problem, at_most(POLISHING_STEPS, most), r, u);
        stages->work += run.flops;
        good = stick_residual_within(run.residual, stages->options);
        info->iterations += run.steps;
        most -= run.steps;
        if (most <= 0 && !longer && is_near(stages, run.residual)) {
            most = at_most(steps, left(stages, info));
            longer = true;
        }
    }
    if (begun && !good) {
        STICK_TRY(polish_near(stages, problem, &run.residual, r, u, info));
        good = stick_residual_within(run.residual, stages->options);
    }
    if (good)
        finish(info, "Newton", run.residual);
    return STICK_OK;
}

// From where the sweeps stopped, in turns with them.
static StickStatus try_rounds(StickCascade *stages, const StickFrictionProblem *problem, double *r, double *u,
                              StickSolveInfo *info)
{
    if (stick_is_stopped(stages->ctx))
        return STICK_OK;
    STICK_TRY(reserve_rounds(stages, problem));
    if (!isfinite(stick_newton_flops(stages->newton)))
        return STICK_OK;
    double flops = stick_newton_flops(stages->newton);
    StickAlternation rounds = {stages->anderson, stages->newton, stages->kept,
                               affordable(stages, flops, INT_MAX)};
    StickAlternationEnd end = stick_alternation_run(&rounds, problem, left(stages, info), r, u);
    info->iterations += end.iterations;
    stages->work += flops * end.factors;
    if (!end.converged)
        stick_residual_velocity(problem, r, u);
    // the aim may have been missed, and the tolerance not
    StickResidual residual = stick_residual(problem, r, u);
    STICK_TRY(polish_near(stages, problem, &residual, r, u, info));
    if (stick_residual_within(residual, stages->options))
        finish(info, "Newton and sweeps", residual);
    return STICK_OK;
}

static StickStatus try_fallback(StickCascade *stages, int k, const StickFrictionProblem *problem, double *r,
                                double *u, StickSolveInfo *info)
{
    StickSolveInfo own = {0};
    double flops = fallbacks[k].factors && problem->W ? stick_newton_flops(stages->newton) : 0;
    stages->fallback_options.iterations =
        affordable(stages, flops, at_most(fallbacks[k].iterations, left(stages, info)));
    if (stages->fallback_options.iterations == 0)
        return STICK_OK;
    STICK_TRY(fallbacks[k].method->reserve(stages->fallback[k], problem));
    STICK_TRY(fallbacks[k].method->solve(stages->fallback[k], problem, r, u, &own));
    info->iterations += own.iterations;
    stages->work += flops * own.iterations;
    stick_residual_velocity(problem, r, u);
    StickResidual residual = stick_residual(problem, r, u);
    STICK_TRY(polish_near(stages, problem, &residual, r, u, info));
    if (stick_residual_within(residual, stages->options))
        finish(info, fallbacks[k].method->name, residual);
    return STICK_OK;
}

// After a failed stage: keeps its result if it is the best one, and returns to the guess.
static void begin_again(StickCascade *stages, const StickFrictionProblem *problem, double *r, double *u)
{
    size_t size = (size_t)problem->dim * (size_t)problem->ncontacts * sizeof *r;
    stick_residual_velocity(problem, r, u);
    StickResidual residual = stick_residual(problem, r, u);
    // a diverging r would make its relative error look small
    double error =
        fmax(stick_residual_error(residual, stages->options->measure), residual.velocity * residual.velocity);
    if (error < stages->best_error) {
        stages->best_error = error;
        memcpy(stages->best, r, size);
    }
    memcpy(r, stages->guess, size);
}

static StickStatus try_others(StickCascade *stages, const StickFrictionProblem *problem, double *r, double *u,
                              StickSolveInfo *info)
{
    for (int k = 0; k < NFALLBACKS; k++) {
        if (!is_for(fallbacks[k].method, problem) || left(stages, info) == 0 || stick_is_stopped(stages->ctx))
            continue;
        begin_again(stages, problem, r, u);
        STICK_TRY(try_fallback(stages, k, problem, r, u, info));
        if (info->end == STICK_SOLVE_CONVERGED)
            return STICK_OK;
    }
    begin_again(stages, problem, r, u);
    return problem->W ? try_newton(stages, problem, LAST_NEWTON_STEPS, r, u, info) : STICK_OK;
}

// From where the sweeps on threads stopped. Room is taken when it is first needed: many runs never do.
static StickStatus accelerate(StickCascade *stages, const StickFrictionProblem *problem, double *r, double *u,
                              StickSolveInfo *info)
{
    bool done = false;
    STICK_TRY(stick_anderson_reserve(stages->anderson, problem));
    stick_anderson_load(stages->anderson, problem, &stages->aim_options, r, NULL);
    STICK_TRY(sweep_while_it_gains(stages, problem, left(stages, info), r, u, &done));
    StickAndersonState state = stick_anderson_state(stages->anderson);
    info->iterations += state.sweeps;
    if (done) {
        finish(info, stick_method_anderson.name, stick_residual(problem, r, u));
        return STICK_OK;
    }
    stick_anderson_best(stages->anderson, r);
    stick_residual_velocity(problem, r, u);
    info->end = state.finite ? STICK_SOLVE_LIMIT : STICK_SOLVE_NOT_FINITE;
    return STICK_OK;
}

// Where no factors help, on to the end of the iterations. r is the best point so far.
static StickStatus sweep_to_the_end(StickCascade *stages, const StickFrictionProblem *problem, double *r,
                                    double *u, StickSolveInfo *info)
{
    StickSolveInfo own = {0};
    stages->large_options.iterations = left(stages, info);
    stages->large_options.tolerance = stages->options->tolerance;
    STICK_TRY(stick_method_coloured_mixed.solve(stages->large, problem, r, u, &own));
    info->iterations += own.iterations;
    info->end = own.end;
    StickResidual residual = measure(stages, problem, r, u);
    if (own.end == STICK_SOLVE_CONVERGED)
        finish(info, "sweeps", residual);
    else
        snprintf(info->detail, sizeof info->detail, "%s",
                 own.end == STICK_SOLVE_NOT_FINITE
                     ? "forces left the range of numbers in sweeps: check masses, velocities and units"
                     : "sweeps were too slow, and factors for Newton would be too large");
    return STICK_OK;
}

static StickStatus solve_large(StickCascade *stages, const StickFrictionProblem *problem, double *r,
                               double *u, StickSolveInfo *info)
{
    stages->aim_options.tolerance = stages->options->tolerance;
    stages->large_options.tolerance = LARGE_AIM * stages->options->tolerance;
    STICK_TRY(reserve_large(stages, problem));
    STICK_TRY(stick_method_coloured_mixed.solve(stages->large, problem, r, u, info));
    if (info->end == STICK_SOLVE_CONVERGED)
        return STICK_OK;
    // the aim may have been missed, and the tolerance not
    if (is_good(stages, problem, r, u, info) || left(stages, info) == 0 || stick_is_stopped(stages->ctx))
        return STICK_OK;
    STICK_TRY(stick_newton_reserve(stages->newton, problem));
    if (affordable(stages, stick_newton_flops(stages->newton), LEAST_NEWTON_STEPS) < LEAST_NEWTON_STEPS)
        return sweep_to_the_end(stages, problem, r, u, info);
    STICK_TRY(accelerate(stages, problem, r, u, info));
    if (info->end == STICK_SOLVE_CONVERGED || left(stages, info) == 0)
        return STICK_OK;
    STICK_TRY(try_rounds(stages, problem, r, u, info));
    if (info->end != STICK_SOLVE_CONVERGED)
        STICK_TRY(try_newton(stages, problem, LARGE_NEWTON_STEPS, r, u, info));
    if (info->end != STICK_SOLVE_CONVERGED)
        snprintf(info->detail, sizeof info->detail, "neither sweeps nor Newton helped");
    return STICK_OK;
}

// The limit of small compliance, where forces do not follow from the motion.
static StickStatus try_compliant(StickCascade *stages, const StickFrictionProblem *problem, double *r,
                                 double *u, StickSolveInfo *info)
{
    STICK_TRY(stick_newton_reserve(stages->newton, problem));
    if (affordable(stages, stick_newton_flops(stages->newton), LEAST_NEWTON_STEPS) < LEAST_NEWTON_STEPS)
        return STICK_OK;
    StickCompliantEnd end = stick_compliant_solve(stages->compliant, problem, stages->options, r, u);
    info->iterations += end.steps;
    stages->work += end.flops;
    if (end.found)
        STICK_TRY(polish_near(stages, problem, &end.residual, r, u, info));
    if (end.found && stick_residual_within(end.residual, stages->options))
        finish(info, "the limit of small compliance", end.residual);
    else
        memcpy(r, stages->guess, (size_t)problem->dim * (size_t)problem->ncontacts * sizeof *r);
    return STICK_OK;
}

static bool is_zero(const double *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (x[i] != 0)
            return false;
    return true;
}

// Newton in the velocities of bodies, if its factors are small. If it fails, r is reset to the guess. Exception:
// `near` is set for a large island whose error is already close to the tolerance. The other methods would take
// minutes without improvement, so r keeps this result.
static StickStatus try_bodies(StickCascade *stages, const StickFrictionProblem *problem, double guess_error,
                              double *r, double *u, StickSolveInfo *info, bool *near)
{
    StickSolveInfo own = {.end = STICK_SOLVE_LIMIT};
    STICK_TRY(reserve_bodies(stages, problem));
    bool selects = has_selection(problem) && !stick_section_any(problem);
    stick_body_newton_leave_open(stages->bodies, selects && guess_error <= near_guess);
    double flops = stick_body_newton_flops(stages->bodies);
    if (!(flops <= body_flops * problem->W->start[problem->ncontacts]))
        return STICK_OK;
    stages->bodies_options.iterations = affordable(stages, flops, at_most(BODY_STEPS, left(stages, info)));
    size_t size = (size_t)problem->dim * (size_t)problem->ncontacts * sizeof *r;
    memcpy(stages->guess, r, size);
    STICK_TRY(stick_method_body_newton.solve(stages->bodies, problem, r, u, &own));
    info->iterations += own.iterations;
    stages->work += flops * own.iterations;
    StickResidual residual = {0};
    if (own.end != STICK_SOLVE_CONVERGED)
        residual = stick_residual(problem, r, u);
    if (own.end != STICK_SOLVE_CONVERGED && !stick_residual_within(residual, stages->options)) {
        double error = stick_residual_error(residual, stages->options->measure);
        *near = problem->ncontacts >= ROUNDS && error <= body_near * stages->options->tolerance;
        if (!*near)
            memcpy(r, stages->guess, size);
        else
            snprintf(info->detail, sizeof info->detail, "%s comes to an error of %.1e",
                     stick_method_body_newton.name, error);
        return STICK_OK;
    }
    info->residual = own.residual;
    info->end = STICK_SOLVE_CONVERGED;
    snprintf(info->detail, sizeof info->detail, "by %s", stick_method_body_newton.name);
    return STICK_OK;
}

bool stick_cascade_selects(StickCascade *stages, const StickFrictionProblem *problem)
{
    return problem->ncontacts < ROUNDS && stick_compliant_selects(stages->compliant, problem);
}

// Whether forces follow from the motion. Large problems are not examined.
static bool is_unique(StickCascade *stages, const StickFrictionProblem *problem)
{
    return problem->ncontacts < ROUNDS && !stick_compliant_selects(stages->compliant, problem);
}

// polished: the answer has no other aim than the tolerance. by_compliance: it is the limit of small compliance.
static StickStatus find_solution(StickCascade *stages, const StickFrictionProblem *problem, double *r,
                                 double *u, StickSolveInfo *info, bool *polished, bool *by_compliance)
{
    *polished = true;
    size_t size = (size_t)problem->dim * (size_t)problem->ncontacts * sizeof *r;
    info->end = STICK_SOLVE_LIMIT;
    if (is_large(problem) && is_good(stages, problem, r, u, info))
        return STICK_OK;
    bool near = false;
    StickResidual residual;
    if (may_use_bodies(problem) && is_at_rest(stages, problem, r, u, &residual)) {
        info->residual = residual.shared;
        info->end = STICK_SOLVE_CONVERGED;
        return STICK_OK;
    }
    if (may_use_bodies(problem))
        STICK_TRY(try_bodies(stages, problem, stick_residual_error(residual, stages->options->measure), r, u,
                             info, &near));
    if (near || info->end == STICK_SOLVE_CONVERGED || stick_is_stopped(stages->ctx))
        return STICK_OK;
    if (is_large(problem))
        return solve_large(stages, problem, r, u, info);
    *polished = !(stages->options->aim > 0) || is_dear(problem);
    memcpy(stages->guess, r, size);
    stages->best_error = INFINITY;
    if (stick_cascade_selects(stages, problem))
        STICK_TRY(try_compliant(stages, problem, r, u, info));
    *by_compliance = info->end == STICK_SOLVE_CONVERGED;
    if (problem->W && info->end != STICK_SOLVE_CONVERGED)
        STICK_TRY(sweep(stages, problem, r, u, info));
    if (problem->W && info->end != STICK_SOLVE_CONVERGED && problem->ncontacts >= ROUNDS)
        STICK_TRY(try_rounds(stages, problem, r, u, info));
    if (problem->W && info->end != STICK_SOLVE_CONVERGED)
        STICK_TRY(try_newton(stages, problem, NEWTON_STEPS, r, u, info));
    if (info->end != STICK_SOLVE_CONVERGED)
        STICK_TRY(try_others(stages, problem, r, u, info));
    // a guess may lead all of them astray: once more without
    if (info->end != STICK_SOLVE_CONVERGED && problem->W && !is_zero(stages->guess, size / sizeof *r)) {
        begin_again(stages, problem, r, u);
        memset(stages->guess, 0, size);
        memset(r, 0, size);
        stages->work = 0;
        StickSolveInfo cold = {.end = STICK_SOLVE_LIMIT};
        STICK_TRY(sweep(stages, problem, r, u, &cold));
        if (cold.end != STICK_SOLVE_CONVERGED)
            STICK_TRY(try_newton(stages, problem, NEWTON_STEPS, r, u, &cold));
        if (cold.end != STICK_SOLVE_CONVERGED)
            STICK_TRY(try_others(stages, problem, r, u, &cold));
        cold.iterations += info->iterations;
        *info = cold;
    }
    if (info->end != STICK_SOLVE_CONVERGED) {
        begin_again(stages, problem, r, u);
        memcpy(r, stages->best_error < INFINITY ? stages->best : stages->guess, size);
        // an error within the tolerance that is no solution: a quotient of values that overflow
        if (stages->best_error <= stages->options->tolerance)
            snprintf(info->detail, sizeof info->detail,
                     "nothing helped: the values of the problem are too large for double precision");
        else
            snprintf(info->detail, sizeof info->detail, "nothing helped: best error %.1e",
                     stages->best_error);
    }
    return STICK_OK;
}

// If the motion does not determine the forces, replaces r by the forces of equal compliance.
static StickStatus select_forces(StickCascade *stages, const StickFrictionProblem *problem, double *r,
                                 double *u, StickSolveInfo *info)
{
    STICK_TRY(reserve_selection(stages, problem));
    double flops = stick_force_selection_flops(stages->selection);
    if (!(flops <= selection_flops * problem->W->start[problem->ncontacts]))
        return STICK_OK;
    StickSolverOptions options = *stages->options;
    if (may_use_bodies(problem))
        options = stages->bodies_options;
    StickSelectionEnd end = stick_force_selection_solve(
        stages->selection, problem, &options,
        is_zero(stages->before, (size_t)(problem->dim * problem->ncontacts)) ? r : stages->before, r, u);
    info->iterations += end.steps;
    stages->work += flops * end.steps;
    info->settled = end.found;
    if (end.found)
        info->residual = end.residual.shared;
    return STICK_OK;
}

StickStatus stick_cascade_solve(StickCascade *stages, const StickFrictionProblem *problem, double *r,
                                double *u, StickSolveInfo *info)
{
    size_t n = (size_t)problem->dim * (size_t)problem->ncontacts;
    bool polished, by_compliance = false;
    take_options(stages);
    stages->work = 0;
    if (has_selection(problem)) {
        STICK_RESERVE(stages->ctx, stages->before, stages->before_room, n);
        memcpy(stages->before, r, n * sizeof *r);
    }
    STICK_TRY(find_solution(stages, problem, r, u, info, &polished, &by_compliance));
    if (info->end != STICK_SOLVE_CONVERGED || stick_is_stopped(stages->ctx))
        return STICK_OK;
    info->settled = by_compliance || (problem->W && is_unique(stages, problem));
    if (has_selection(problem) && !info->settled)
        STICK_TRY(select_forces(stages, problem, r, u, info));
    if (!polished) {
        StickResidual residual = stick_residual(problem, r, u);
        STICK_TRY(polish(stages, problem, &residual, r, u, info));
        info->residual = residual.shared;
    }
    return STICK_OK;
}
