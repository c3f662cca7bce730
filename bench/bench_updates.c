// SPDX-License-Identifier: Apache-2.0
// Contact updates per second of one thread: sweeps over packings at rest by our two kernels, and by a plain one beside
// them. All in one run and in turns, best of several; what is asserted are ratios.
//
//     bench.updates [contacts]
#include "base/clock.h"
#include "base/memory.h"
#include "packing.h"
#include "pile.h"
#include "plain_gauss_seidel.h"
#include "solve/coloured.h"
#include "solve/residual.h"
#include "solve/sweep.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { WARM = 30, REPEATS = 15, NKINDS = 4 };

static const char *const names[NKINDS] = {"disks in the plane", "bricks in the plane", "spheres", "boxes"};

// What the faster of ours must at least be, in updates of the plain one.
static const double least[NKINDS] = {1.5, 1.5, 4, 2};

typedef struct Cost {
    int ncontacts;
    double blocks;                 // of W per contact
    double plain, scatter, gather; // seconds of a sweep
    double plain_error, scatter_error, gather_error;
} Cost;

static double error_of(const StickFrictionProblem *problem, const double *r, double *u)
{
    stick_residual_velocity(problem, r, u);
    return stick_residual(problem, r, u).scale_free;
}

typedef struct Contest {
    StickContext *ctx;
    const StickFrictionProblem *problem;
    StickSweep *sweep;
    StickColoured *coloured;
    double *r, *u;
} Contest;

static StickStatus prepare(Contest *contest)
{
    size_t rows = (size_t)contest->problem->dim * (size_t)contest->problem->ncontacts;
    STICK_ALLOC(contest->ctx, contest->r, rows);
    STICK_ALLOC(contest->ctx, contest->u, rows);
    STICK_TRY(stick_sweep_create(contest->ctx, &contest->sweep));
    STICK_TRY(stick_sweep_reserve(contest->sweep, contest->problem));
    STICK_TRY(stick_coloured_create(contest->ctx, 1, &contest->coloured));
    STICK_TRY(stick_coloured_reserve(contest->coloured, contest->problem));
    stick_sweep_load(contest->sweep, contest->problem);
    stick_coloured_load(contest->coloured, contest->problem);
    return STICK_OK;
}

static Cost race(Contest *contest)
{
    const StickFrictionProblem *problem = contest->problem;
    Cost cost = {.ncontacts = problem->ncontacts, .plain = INFINITY, .scatter = INFINITY, .gather = INFINITY};
    cost.blocks = (double)problem->W->start[problem->ncontacts] / problem->ncontacts;
    for (int k = 0; k < WARM + REPEATS; k++) {
        double start = stick_clock_cpu();
        plain_gauss_seidel_sweep(problem, contest->r);
        double plain = stick_clock_cpu();
        stick_sweep_run(contest->sweep, STICK_FORWARD, 1);
        double scatter = stick_clock_cpu();
        stick_coloured_sweep(contest->coloured);
        double gather = stick_clock_cpu();
        if (k < WARM)
            continue;
        cost.plain = fmin(cost.plain, plain - start);
        cost.scatter = fmin(cost.scatter, scatter - plain);
        cost.gather = fmin(cost.gather, gather - scatter);
    }
    cost.plain_error = error_of(problem, contest->r, contest->u);
    stick_sweep_get(contest->sweep, contest->r);
    cost.scatter_error = error_of(problem, contest->r, contest->u);
    stick_coloured_get(contest->coloured, contest->r);
    cost.gather_error = error_of(problem, contest->r, contest->u);
    return cost;
}

static StickStatus measure(StickContext *ctx, const StickFrictionProblem *problem, Cost *cost)
{
    Contest contest = {.ctx = ctx, .problem = problem};
    StickStatus status = prepare(&contest);
    if (status == STICK_OK)
        *cost = race(&contest);
    stick_sweep_destroy(contest.sweep);
    stick_coloured_destroy(contest.coloured);
    stick_free(ctx, contest.r);
    stick_free(ctx, contest.u);
    return status;
}

static StickStatus measure_kind(StickContext *ctx, int kind, int ncontacts, Cost *cost)
{
    static const PackingKind kinds[NKINDS] = {PACKING_DISKS, PACKING_BRICKS, 0, PACKING_BOXES};
    Packing packing = {0};
    Pile pile = {0};
    bool spheres = kind == 2;
    STICK_TRY(spheres ? pile_create(ctx, ncontacts, &pile)
                      : packing_create(ctx, kinds[kind], ncontacts, &packing));
    StickStatus status = measure(ctx, spheres ? &pile.problem : &packing.problem, cost);
    pile_destroy(&pile);
    packing_destroy(&packing);
    return status;
}

static StickStatus run(StickContext *ctx, int ncontacts)
{
    bool good = true;
    printf(
        "                       contacts  blocks   updates per second: plain  scatter   gather   best/plain "
        "  errors\n");
    for (int kind = 0; kind < NKINDS; kind++) {
        Cost cost;
        STICK_TRY(measure_kind(ctx, kind, ncontacts, &cost));
        double n = cost.ncontacts, ratio = cost.plain / fmin(cost.scatter, cost.gather);
        printf("%-22s %8d %7.1f %26.2e %8.2e %8.2e %12.2f   %.0e %.0e %.0e\n", names[kind], cost.ncontacts,
               cost.blocks, n / cost.plain, n / cost.scatter, n / cost.gather, ratio, cost.plain_error,
               cost.scatter_error, cost.gather_error);
        good = good && ratio >= least[kind];
    }
    return good ? STICK_OK : STICK_CHECK_FAILED;
}

int main(int argc, char **argv)
{
    StickContext *ctx = stick_context_create(NULL);
    int ncontacts = argc > 1 ? atoi(argv[1]) : 30000;
    StickStatus status = ncontacts >= 10 ? run(ctx, ncontacts) : STICK_USAGE;
    if (status == STICK_USAGE)
        fprintf(stderr, "usage: bench.updates [contacts]\n");
    if (status != STICK_OK && stick_last_error(ctx)[0])
        fprintf(stderr, "%s: %s\n", stick_status_name(status), stick_last_error(ctx));
    stick_context_destroy(ctx);
    return status;
}
