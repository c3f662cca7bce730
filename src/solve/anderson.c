// SPDX-License-Identifier: Apache-2.0
#include "solve/anderson.h"

#include "base/memory.h"
#include "solve/gram.h"
#include "solve/lanes.h"
#include "solve/method.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { WINDOW = STICK_ANDERSON_WINDOW, MOST_SWEEPS = 20, NVECTORS = 6 };

// |f| may grow by this factor before an extrapolation is taken back.
static const double GROWTH = 10;

struct StickAnderson {
    StickContext *ctx;
    const StickSolverOptions *options;
    StickSweep *sweep;
    StickAndersonPlan plan;
    StickAndersonState state;
    StickWatch watch;
    void (*combine)(StickAnderson *anderson);
    // of the sweep's length each, in one block of memory
    double *memory;
    size_t room;
    double *x;            // r at the start of a step, then f
    double *f, *g, *gu;   // f, G(r) and its u of the last step
    double *best;         // r
    double *weight;       // sqrt(w) of each entry
    double *dF, *dG, *dU; // WINDOW changes of f, g and gu
    int count, newest;    // how many of them are known, and which is the last
    bool has_last;        // f, g and gu are known
    double last_size;     // |f| / k of the last step
    StickGram gram;       // of dF and f
};

// ---- one step of vectors

// f = weight (G(r) - x), in place of x; gives |f|^2.
STICK_BODY double find_f(size_t length, const double *weight, const double *r, double *x)
{
    StickFour sum = {0};
    for (size_t i = 0; i < length; i += 4) {
        StickFour f =
            *(const StickFour *)(weight + i) * (*(const StickFour *)(r + i) - *(StickFour *)(x + i));
        *(StickFour *)(x + i) = f;
        sum += f * f;
    }
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

// change = now - last, last = now
STICK_BODY void take_change(size_t length, const double *now, double *last, double *change)
{
    for (size_t i = 0; i < length; i += 4) {
        StickFour present = *(const StickFour *)(now + i);
        *(StickFour *)(change + i) = present - *(StickFour *)(last + i);
        *(StickFour *)(last + i) = present;
    }
}

STICK_BODY double dot(size_t length, const double *a, const double *b)
{
    StickFour sum = {0}, other = {0};
    size_t i = 0;
    for (; i + 8 <= length; i += 8) {
        sum += *(const StickFour *)(a + i) * *(const StickFour *)(b + i);
        other += *(const StickFour *)(a + i + 4) * *(const StickFour *)(b + i + 4);
    }
    if (i < length)
        sum += *(const StickFour *)(a + i) * *(const StickFour *)(b + i);
    sum += other;
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

// x -= sum of g_j change_j
STICK_BODY void subtract(size_t length, int count, const double *g, const double *change, double *x)
{
    for (size_t i = 0; i < length; i += 4) {
        StickFour sum = *(StickFour *)(x + i);
        for (int j = 0; j < count; j++)
            sum -= *(const StickFour *)(change + (size_t)j * length + i) * g[j];
        *(StickFour *)(x + i) = sum;
    }
}

static void copy(const StickAnderson *anderson, const double *from, double *to)
{
    memcpy(to, from, anderson->sweep->length * sizeof *to);
}

static void forget(StickAnderson *anderson)
{
    anderson->count = 0;
    anderson->newest = anderson->plan.window - 1;
    anderson->has_last = false;
}

// The changes of f, G(r) and its u in place of the oldest ones, and their products with the others.
// dF_j.f follows f by what f changed.
STICK_BODY void remember(StickAnderson *anderson)
{
    size_t length = anderson->sweep->length;
    int newest = anderson->newest = (anderson->newest + 1) % anderson->plan.window;
    double *dF = anderson->dF + (size_t)newest * length;
    anderson->count += anderson->count < anderson->plan.window;
    take_change(length, anderson->x, anderson->f, dF);
    take_change(length, anderson->sweep->r, anderson->g, anderson->dG + (size_t)newest * length);
    take_change(length, anderson->sweep->u, anderson->gu, anderson->dU + (size_t)newest * length);
    for (int j = 0; j < anderson->count; j++) {
        double product = dot(length, anderson->dF + (size_t)j * length, dF);
        anderson->gram.product[j][newest] = anderson->gram.product[newest][j] = product;
        anderson->gram.moment[j] += product;
    }
    anderson->gram.moment[newest] = dot(length, dF, anderson->f);
}

// r = G(r) - dG g, and u
STICK_BODY void extrapolate(StickAnderson *anderson)
{
    size_t length = anderson->sweep->length;
    double g[WINDOW];
    if (!stick_gram_minimise(&anderson->gram, anderson->count, g)) {
        forget(anderson);
        return;
    }
    subtract(length, anderson->count, g, anderson->dG, anderson->sweep->r);
    subtract(length, anderson->count, g, anderson->dU, anderson->sweep->u);
}

static void go_back(StickAnderson *anderson)
{
    copy(anderson, anderson->g, anderson->sweep->r);
    copy(anderson, anderson->gu, anderson->sweep->u);
    forget(anderson);
}

// Back to the last point without extrapolation. After every third time a step has more sweeps; but not where it
// has one, since sweeps that diverge do so the more the more there are of them.
static void reject(StickAnderson *anderson)
{
    go_back(anderson);
    int doubled = 2 * anderson->plan.sweeps;
    if (++anderson->state.rejected % 3 == 0 && anderson->plan.sweeps > 1)
        anderson->plan.sweeps = doubled < MOST_SWEEPS ? doubled : MOST_SWEEPS;
}

// From x, and G(x) with its u in the sweep, to the next point.
STICK_BODY void combine(StickAnderson *anderson)
{
    StickSweep *sweep = anderson->sweep;
    double size =
        sqrt(find_f(sweep->length, anderson->weight, sweep->r, anderson->x)) / anderson->plan.sweeps;
    if (anderson->count > 0 && size > GROWTH * anderson->last_size) {
        reject(anderson);
        return;
    }
    anderson->last_size = size;
    if (anderson->has_last) {
        remember(anderson);
        extrapolate(anderson);
    } else {
        copy(anderson, anderson->x, anderson->f);
        copy(anderson, sweep->r, anderson->g);
        copy(anderson, sweep->u, anderson->gu);
    }
    anderson->has_last = true;
}

static void combine_plain(StickAnderson *anderson)
{
    combine(anderson);
}

STICK_AVX2 static void combine_avx2(StickAnderson *anderson)
{
    combine(anderson);
}

// ---- life

StickAndersonPlan stick_anderson_plan_default(void)
{
    return (StickAndersonPlan){.window = 4, .sweeps = 1, .direction = STICK_FORWARD, .relaxation = 1};
}

StickStatus stick_anderson_create(StickContext *ctx, StickAnderson **anderson)
{
    StickAnderson *created;
    STICK_ALLOC(ctx, created, 1);
    created->ctx = ctx;
    created->combine = STICK_HAS_AVX2() ? combine_avx2 : combine_plain;
    StickStatus status = stick_sweep_create(ctx, &created->sweep);
    if (status != STICK_OK) {
        stick_free(ctx, created);
        return status;
    }
    *anderson = created;
    return STICK_OK;
}

void stick_anderson_destroy(StickAnderson *anderson)
{
    if (!anderson)
        return;
    stick_sweep_destroy(anderson->sweep);
    stick_free(anderson->ctx, anderson->memory);
    stick_free(anderson->ctx, anderson);
}

StickStatus stick_anderson_reserve(StickAnderson *anderson, const StickFrictionProblem *problem)
{
    STICK_TRY(stick_sweep_reserve(anderson->sweep, problem));
    STICK_RESERVE(anderson->ctx, anderson->memory, anderson->room,
                  (NVECTORS + 3 * WINDOW) * stick_sweep_length(problem));
    return STICK_OK;
}

static void lay_out(StickAnderson *anderson)
{
    size_t length = anderson->sweep->length;
    double **const vectors[NVECTORS] = {&anderson->x,  &anderson->f,    &anderson->g,
                                        &anderson->gu, &anderson->best, &anderson->weight};
    for (size_t k = 0; k < NVECTORS; k++)
        *vectors[k] = anderson->memory + k * length;
    anderson->dF = anderson->memory + NVECTORS * length;
    anderson->dG = anderson->dF + WINDOW * length;
    anderson->dU = anderson->dG + WINDOW * length;
}

static void weigh_entries(StickAnderson *anderson)
{
    const StickSweep *sweep = anderson->sweep;
    size_t stride = (size_t)sweep->stride, i = 0;
    for (int c = 0; c < sweep->ncontacts; c++)
        for (size_t k = 0; k < stride; k++)
            anderson->weight[i++] = sweep->scale[c];
    for (; i < sweep->length; i++)
        anderson->weight[i] = 0;
}

// ---- points

// Measures the present point and keeps the best.
static void measure(StickAnderson *anderson, double change)
{
    StickAndersonState *state = &anderson->state;
    state->error = stick_sweep_error(anderson->sweep, anderson->options->measure);
    state->finite = isfinite(state->error);
    stick_watch_saw(&anderson->watch, change, state->error);
    if (state->error < state->best_error) {
        state->best_error = state->error;
        copy(anderson, anderson->sweep->r, anderson->best);
    }
}

void stick_anderson_load(StickAnderson *anderson, const StickFrictionProblem *problem,
                         const StickSolverOptions *options, const double *r, const double *u)
{
    anderson->options = options;
    anderson->plan = stick_anderson_plan_default();
    anderson->state = (StickAndersonState){.best_error = INFINITY};
    anderson->watch = (StickWatch){0};
    stick_sweep_load(anderson->sweep, problem);
    lay_out(anderson);
    weigh_entries(anderson);
    stick_sweep_start(anderson->sweep, r, u);
    forget(anderson);
    measure(anderson, 0);
}

void stick_anderson_restart(StickAnderson *anderson, const double *r)
{
    stick_sweep_set(anderson->sweep, r);
    forget(anderson);
    measure(anderson, 0);
}

void stick_anderson_change(StickAnderson *anderson, const StickAndersonPlan *plan)
{
    assert(plan->window >= 1 && plan->window <= WINDOW && plan->sweeps >= 1);
    if (anderson->has_last)
        go_back(anderson);
    anderson->plan = *plan;
    anderson->state.rejected = 0;
    forget(anderson);
}

StickAndersonState stick_anderson_state(const StickAnderson *anderson)
{
    return anderson->state;
}

void stick_anderson_best(const StickAnderson *anderson, double *r)
{
    stick_sweep_pack(anderson->sweep, anderson->best, r);
}

StickSweep *stick_anderson_sweep(StickAnderson *anderson)
{
    return anderson->sweep;
}

// ---- the loop

// k sweeps from x, or fewer at the limit; false if a solution was accepted before the end.
static bool sweep_on(StickAnderson *anderson, int end, double *r, double *u, int *done)
{
    StickAndersonState *state = &anderson->state;
    double tolerance = anderson->options->tolerance;
    for (*done = 0; *done < anderson->plan.sweeps && state->sweeps < end; ++*done) {
        double change = stick_sweep_run(anderson->sweep, anderson->plan.direction, anderson->plan.relaxation);
        state->sweeps++;
        if (state->sweeps == end || stick_watch_is_due(&anderson->watch, change, tolerance))
            measure(anderson, change);
        else
            continue;
        if (state->error <= tolerance && stick_sweep_accepts(anderson->sweep, anderson->options, r, u))
            return false;
    }
    return true;
}

bool stick_anderson_run(StickAnderson *anderson, int sweeps, double *r, double *u)
{
    StickAndersonState *state = &anderson->state;
    int end = state->sweeps + sweeps, done;
    if (state->error <= anderson->options->tolerance &&
        stick_sweep_accepts(anderson->sweep, anderson->options, r, u))
        return true;
    while (state->sweeps < end && state->finite && !stick_is_stopped(anderson->ctx)) {
        copy(anderson, anderson->sweep->r, anderson->x);
        if (!sweep_on(anderson, end, r, u, &done))
            return true;
        if (done == anderson->plan.sweeps)
            anderson->combine(anderson);
        else
            forget(anderson);
    }
    return false;
}

// ---- the method

typedef struct Work {
    StickContext *ctx;
    const StickSolverOptions *options;
    StickAnderson *anderson;
} Work;

static StickStatus create(StickContext *ctx, const StickSolverOptions *options, void *data)
{
    Work *work = data;
    work->ctx = ctx;
    work->options = options;
    return stick_anderson_create(ctx, &work->anderson);
}

static void destroy(void *data)
{
    Work *work = data;
    stick_anderson_destroy(work->anderson);
}

static StickStatus reserve(void *data, const StickFrictionProblem *problem)
{
    Work *work = data;
    return stick_anderson_reserve(work->anderson, problem);
}

// Plans tried in turn when the error does not decrease: the other direction, more sweeps per step.
static const StickAndersonPlan plans[] = {
    {4, 1, STICK_BACKWARD, 1}, {6, 5, STICK_BACKWARD, 1}, {6, 5, STICK_FORWARD, 1},
    {6, 2, STICK_BACKWARD, 1}, {6, 2, STICK_FORWARD, 1},  {4, 1, STICK_FORWARD, 1},
};
enum { NPLANS = sizeof plans / sizeof *plans, FIRST_TRIAL = 50 };

static void change_plan(StickAnderson *anderson, int number, double relaxation)
{
    StickAndersonPlan plan = number < 0 ? stick_anderson_plan_default() : plans[number % NPLANS];
    plan.relaxation = relaxation > 0 ? relaxation : 1;
    stick_anderson_change(anderson, &plan);
}

// A plan may go on as long as it halves the best error in a quarter of the sweeps done so far.
static bool run_plans(StickAnderson *anderson, const StickSolverOptions *options, double *r, double *u)
{
    change_plan(anderson, -1, options->relaxation);
    for (int next = 0;;) {
        StickAndersonState before = stick_anderson_state(anderson);
        int left = options->iterations - before.sweeps, trial = before.sweeps / 4;
        trial = trial < FIRST_TRIAL ? FIRST_TRIAL : trial;
        if (stick_anderson_run(anderson, trial < left ? trial : left, r, u))
            return true;
        StickAndersonState after = stick_anderson_state(anderson);
        if (!after.finite || after.sweeps == options->iterations || stick_is_stopped(anderson->ctx))
            return false;
        if (after.best_error > before.best_error / 2)
            change_plan(anderson, next++, options->relaxation);
    }
}

static StickStatus solve(void *data, const StickFrictionProblem *problem, double *r, double *u,
                         StickSolveInfo *info)
{
    Work *work = data;
    stick_anderson_load(work->anderson, problem, work->options, r, NULL);
    bool converged = run_plans(work->anderson, work->options, r, u);
    StickAndersonState state = stick_anderson_state(work->anderson);
    info->iterations = state.sweeps;
    info->end = converged ? STICK_SOLVE_CONVERGED : state.finite ? STICK_SOLVE_LIMIT : STICK_SOLVE_NOT_FINITE;
    info->residual = work->anderson->sweep->residual.shared;
    if (!converged && isfinite(state.best_error)) {
        stick_anderson_best(work->anderson, r);
        snprintf(info->detail, sizeof info->detail, "best error %.1e", state.best_error);
    }
    return STICK_OK;
}

const StickMethod stick_method_anderson = {
    .name = "anderson",
    .text = "Gauss-Seidel sweeps with Anderson acceleration, in both directions; exact cone, any size",
    .needs_blocks = true,
    .measures = true,
    .sections = true,
    .work_size = sizeof(Work),
    .create = create,
    .destroy = destroy,
    .reserve = reserve,
    .solve = solve,
};
