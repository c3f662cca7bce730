// SPDX-License-Identifier: Apache-2.0
// Gauss-Seidel accelerated by Aitken's extrapolation, no parameters [RBV02 1.3]. Late sweeps reduce the error by a
// factor l that is nearly the same for all contacts: with the changes s_k = r_k - r_(k-1) of two sweeps,
//
//     l = s_k.s_(k-1) / s_(k-1).s_(k-1),  r = r_k + l / (1 - l) s_k,
//
// with products weighted by W_cc, so that contacts of any stiffness count alike. If r leaves the cone, the next
// sweep brings it back. u is affine in r and is extrapolated in the same way.
#include "base/memory.h"
#include "solve/iterate.h"
#include "solve/method.h"

#include <stdio.h>

enum { FIRST_WAIT = 2, TRIAL_SWEEPS = 5, LONGEST_WAIT = 1 << 20, MOST_SWINGS = 12, LAST_PLAN = 4 };

// l / (1 - l) must be known so well before it is used.
static const double STEADY = 0.1;
// Where sweeps of full changes go wrong in both directions.
static const double CAREFUL = 0.5;
// Alternating sweeps have a factor near -1 or below; slow sweeps, which only extrapolation accelerates, one near 1.
static const double SWING = -0.9, CREEP = 0.9, GROWTH = 1.001;
// A trial is abandoned if its error exceeds the previous error by this factor.
static const double HOPELESS = 1e3;

typedef struct Work {
    StickIterate iterate;
    StickPoint before; // before the last sweep
    StickPoint safe;   // before the extrapolation that is on trial
    double *step;      // the last change of r
    size_t step_room;
    double size;   // step.step; 0: no step yet
    double factor; // the last l
    int wait;      // sweeps from one extrapolation to the next: longer after each failure
    int swings;    // consecutive alternating sweeps
    int wrongs;    // how often sweeps went wrong
} Work;

static void destroy(void *data)
{
    Work *work = data;
    StickContext *ctx = work->iterate.ctx;
    stick_iterate_destroy(&work->iterate);
    stick_point_destroy(ctx, &work->before);
    stick_point_destroy(ctx, &work->safe);
    stick_free(ctx, work->step);
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
    STICK_TRY(stick_point_reserve(work->iterate.ctx, &work->before, problem));
    STICK_TRY(stick_point_reserve(work->iterate.ctx, &work->safe, problem));
    STICK_RESERVE(work->iterate.ctx, work->step, work->step_room, stick_sweep_length(problem));
    return STICK_OK;
}

// ---- factor and extrapolation

// Takes the change of the last sweep, and gives l of the last two; NAN without two.
static double next_factor(Work *work)
{
    const StickSweep *sweep = work->iterate.sweep;
    double dot = 0, size = 0, factor;
    for (int c = 0; c < sweep->ncontacts; c++) {
        double w = sweep->scale[c] * sweep->scale[c];
        size_t first = (size_t)c * (size_t)sweep->stride;
        for (size_t k = first; k < first + (size_t)sweep->stride; k++) {
            double change = sweep->r[k] - work->before.r[k];
            dot += w * change * work->step[k];
            size += w * change * change;
            work->step[k] = change;
        }
    }
    factor = work->size > 0 ? dot / work->size : NAN;
    work->size = size;
    return factor;
}

// Forward and backward sweeps, then both with relaxation. The last choice is plain Gauss-Seidel.
static void sweep_once(Work *work)
{
    StickDirection direction = work->wrongs % 2 == 0 ? STICK_FORWARD : STICK_BACKWARD;
    bool careful = work->wrongs / 2 == 1;
    stick_iterate_sweep(&work->iterate, direction, careful ? CAREFUL : 1);
}

// One sweep and its factor; true if the factor is one to extrapolate with: between 0 and 1, and steady.
static bool sweep_and_see(Work *work)
{
    double last = work->factor;
    stick_point_save(&work->iterate, &work->before);
    sweep_once(work);
    work->factor = next_factor(work);
    return work->factor > 0 && work->factor < 1 && fabs(work->factor - last) <= STEADY * (1 - work->factor);
}

static void forget_steps(Work *work)
{
    work->size = 0;
    work->factor = NAN;
}

static void extrapolate(Work *work)
{
    StickSweep *sweep = work->iterate.sweep;
    double gain = work->factor / (1 - work->factor);
    for (size_t k = 0; k < sweep->length; k++) {
        sweep->r[k] += gain * (sweep->r[k] - work->before.r[k]);
        sweep->u[k] += gain * (sweep->u[k] - work->before.u[k]);
    }
}

// Some sweeps decide: if the error is not below that before, all is as if nothing had been tried.
static void try_extrapolation(Work *work)
{
    StickIterate *iterate = &work->iterate;
    stick_point_save(iterate, &work->safe);
    extrapolate(work);
    forget_steps(work);
    for (int k = 0; k < TRIAL_SWEEPS && stick_iterate_goes_on(iterate); k++) {
        sweep_and_see(work);
        if (!(iterate->error <= HOPELESS * work->safe.error))
            break;
    }
    if (iterate->converged || iterate->error < work->safe.error) {
        work->wait = FIRST_WAIT;
        // a large gain magnifies the round-off of u
        stick_sweep_refresh(iterate->sweep);
        return;
    }
    stick_point_return(&work->safe, iterate);
    forget_steps(work);
    work->wait = work->wait < LONGEST_WAIT ? 2 * work->wait : LONGEST_WAIT;
}

static bool went_wrong(Work *work)
{
    double l = work->factor;
    bool stuck = stick_iterate_went_wrong(&work->iterate);
    work->swings = l < SWING ? work->swings + 1 : 0;
    if (work->iterate.converged || work->wrongs == LAST_PLAN)
        return false;
    return work->swings >= MOST_SWINGS || (stuck && (l < CREEP || l > GROWTH));
}

// The sweeps themselves diverge or cycle, e.g. where a body is dragged in their direction: other sweeps from the best
// point.
static void step_back(Work *work)
{
    StickIterate *iterate = &work->iterate;
    work->wrongs++;
    work->swings = 0;
    work->wait = FIRST_WAIT;
    forget_steps(work);
    stick_iterate_return_to_best(iterate);
    snprintf(iterate->info->detail, sizeof iterate->info->detail, "%s sweeps%s",
             work->wrongs % 2 == 0 ? "forward" : "backward", work->wrongs / 2 == 1 ? ", relaxed" : "");
}

static StickStatus solve(void *data, const StickFrictionProblem *problem, double *r, double *u,
                         StickSolveInfo *info)
{
    Work *work = data;
    StickIterate *iterate = &work->iterate;
    forget_steps(work);
    work->wait = FIRST_WAIT;
    work->swings = work->wrongs = 0;
    stick_iterate_start(iterate, problem, r, u, info);
    for (int waited = 0; stick_iterate_goes_on(iterate); waited++) {
        bool steady = sweep_and_see(work);
        if (went_wrong(work)) {
            step_back(work);
            waited = 0;
        } else if (steady && waited >= work->wait && stick_iterate_goes_on(iterate)) {
            try_extrapolation(work);
            waited = 0;
        }
    }
    stick_iterate_end(iterate);
    return STICK_OK;
}

const StickMethod stick_method_aitken = {
    .name = "aitken",
    .text = "Gauss-Seidel accelerated by Aitken's extrapolation, without parameters; exact cone",
    .needs_blocks = true,
    .sections = true,
    .work_size = sizeof(Work),
    .create = create,
    .destroy = destroy,
    .reserve = reserve,
    .solve = solve,
};
