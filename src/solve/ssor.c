// SPDX-License-Identifier: Apache-2.0
// Successive over-relaxation with projection: each contact's change is multiplied by the relaxation, and points
// outside the cone are projected back [RBV02 1.3]. With a given relaxation the sweeps are symmetric, forward and
// backward in turn. Otherwise the relaxation and the direction of the sweeps are found by trial during the iteration:
// if one direction converges at all, it often takes half as many sweeps as both in turn, and a larger relaxation.
#include "base/memory.h"
#include "solve/iterate.h"
#include "solve/method.h"

#include <stdio.h>

enum { SWEEPS_BEFORE_TRIALS = 24, FIRST_TRIAL = 8, RUN_PER_TRIAL = 16 };

typedef enum Way { FORWARD, SYMMETRIC, BACKWARD, NWAYS } Way;

// Of the search: where it may look, and its steps.
static const double LEAST = 0.3, MOST = 1.9, FIRST_STEP = 0.3, LAST_STEP = 0.02;
// Relaxation if full sweeps fail in all directions.
static const double CAREFUL = 0.6;

// Of a trial.
typedef struct Winner {
    Way way;
    double relaxation;
    double sweeps; // that it would still take
} Winner;

typedef struct Work {
    StickIterate iterate;
    StickPoint start, reached; // of a trial: where all began, and where the winner ended
    double relaxation, step;
    Way way;
    int trials; // so far
    int wrongs; // how often it went wrong
    int trial;  // sweeps per candidate
    bool given; // the relaxation, so no trials
    bool plain; // nothing else went well
} Work;

static void destroy(void *data)
{
    Work *work = data;
    StickContext *ctx = work->iterate.ctx;
    stick_iterate_destroy(&work->iterate);
    stick_point_destroy(ctx, &work->start);
    stick_point_destroy(ctx, &work->reached);
}

static StickStatus create(StickContext *ctx, const StickSolverOptions *options, void *data)
{
    Work *work = data;
    return stick_iterate_create(ctx, options, &work->iterate);
}

static StickStatus reserve(void *data, const StickFrictionProblem *problem)
{
    Work *work = data;
    STICK_TRY(stick_iterate_reserve(&work->iterate, problem));
    STICK_TRY(stick_point_reserve(work->iterate.ctx, &work->start, problem));
    return stick_point_reserve(work->iterate.ctx, &work->reached, problem);
}

// ---- sweeps

static void run_sweeps(StickIterate *iterate, Way way, double relaxation, int count)
{
    for (int k = 0; k < count && stick_iterate_goes_on(iterate); k++) {
        bool forward = way == FORWARD || (way == SYMMETRIC && k % 2 == 0);
        stick_iterate_sweep(iterate, forward ? STICK_FORWARD : STICK_BACKWARD, relaxation);
    }
}

// Number of sweeps to the tolerance if the error decreases as between the two that are half a trial apart; if it does
// not decrease, more than any other.
static double predicted(const Work *work, double middle, double last)
{
    double rate = log(middle / last) / (work->trial / 2), left = log(last / work->iterate.options->tolerance);
    return rate > 0 ? left / rate : isfinite(last) ? 1e12 * (1 + last) : INFINITY;
}

// One candidate from the start of the trial. Overflow is no reason to give up here.
static void try_candidate(Work *work, Way way, double relaxation, Winner *winner)
{
    StickIterate *iterate = &work->iterate;
    if (relaxation < LEAST || relaxation > MOST || iterate->converged)
        return;
    stick_point_return(&work->start, iterate);
    run_sweeps(iterate, way, relaxation, work->trial / 2);
    double middle = iterate->error;
    run_sweeps(iterate, way, relaxation, work->trial / 2);
    double sweeps = iterate->converged ? 0 : predicted(work, middle, iterate->error);
    if (!(sweeps < winner->sweeps))
        return;
    *winner = (Winner){way, relaxation, sweeps};
    stick_point_save(iterate, &work->reached);
}

// Candidates from the same point, each for some sweeps, then on from where the most promising one came to.
// The steps become smaller when the middle one wins, and trials longer and rarer.
static void run_trial(Work *work)
{
    Way way = work->way, other = (way + 1 + work->trials++ % 2) % NWAYS;
    double middle = work->relaxation;
    Winner winner = {way, middle, INFINITY};
    stick_point_save(&work->iterate, &work->start);
    stick_point_save(&work->iterate, &work->reached);
    try_candidate(work, way, middle, &winner);
    try_candidate(work, way, middle + work->step, &winner);
    try_candidate(work, way, middle - work->step, &winner);
    try_candidate(work, other, middle, &winner);
    if (!work->iterate.converged)
        stick_point_return(&work->reached, &work->iterate);
    work->relaxation = winner.relaxation;
    work->way = winner.way;
    if (winner.relaxation == middle)
        work->step = work->step / 2 > LAST_STEP ? work->step / 2 : LAST_STEP;
    work->trial += work->trial / 8 * 4;
}

// ---- safeguards

// A given relaxation is moved towards one; otherwise another sweep order, the second time with a relaxation below
// one. The last choice is plain Gauss-Seidel.
static void change_plan(Work *work)
{
    double away = work->relaxation - 1;
    work->wrongs++;
    work->plain = work->given ? away == 0 : work->wrongs > 2 * NWAYS;
    if (work->given)
        work->relaxation = fabs(away) > 0.1 ? 1 + away / 2 : 1;
    else
        work->relaxation = work->plain || work->wrongs <= NWAYS ? 1 : CAREFUL;
    if (work->plain)
        work->way = FORWARD;
    else if (!work->given)
        work->way = (work->way + 1) % NWAYS;
    work->step = FIRST_STEP;
}

static void step_back(Work *work)
{
    static const char *const ways[] = {"forward", "symmetric", "backward"};
    StickIterate *iterate = &work->iterate;
    change_plan(work);
    stick_iterate_return_to_best(iterate);
    snprintf(iterate->info->detail, sizeof iterate->info->detail, "relaxation brought to %.3g, %s sweeps",
             work->relaxation, ways[work->way]);
}

static void start(Work *work)
{
    double relaxation = work->iterate.options->relaxation;
    work->given = relaxation > 0;
    work->relaxation = work->given ? relaxation : 1;
    work->way = work->given ? SYMMETRIC : FORWARD;
    work->step = FIRST_STEP;
    work->trials = 0;
    work->wrongs = 0;
    work->trial = FIRST_TRIAL;
    work->plain = false;
}

static StickStatus solve(void *data, const StickFrictionProblem *problem, double *r, double *u,
                         StickSolveInfo *info)
{
    Work *work = data;
    StickIterate *iterate = &work->iterate;
    int next = SWEEPS_BEFORE_TRIALS;
    start(work);
    stick_iterate_start(iterate, problem, r, u, info);
    while (stick_iterate_goes_on(iterate)) {
        run_sweeps(iterate, work->way, work->relaxation, 2);
        if (work->plain)
            continue;
        if (stick_iterate_went_wrong(iterate)) {
            step_back(work);
        } else if (!work->given && info->iterations >= next) {
            run_trial(work);
            next = info->iterations + RUN_PER_TRIAL * work->trial;
        }
    }
    stick_iterate_end(iterate);
    return STICK_OK;
}

const StickMethod stick_method_ssor = {
    .name = "ssor",
    .text =
        "over-relaxed sweeps with projection: symmetric with a given relaxation, else both found by trial",
    .needs_blocks = true,
    .sections = true,
    .work_size = sizeof(Work),
    .create = create,
    .destroy = destroy,
    .reserve = reserve,
    .solve = solve,
};
