// SPDX-License-Identifier: Apache-2.0
// What a mesh cycle of gears costs [VBH88]: 50 positions against one factorisation of each gear and the compliance of one
// position, and flanks with 4 times as many nodes. Goals: at most 3 times, and at most 6 times. Not counted: reading the
// model, meshes and stiffness of elements.
//
//     bench.gears [nodes along a flank]
#include "base/clock.h"
#include "drive/run.h"
#include "drive/trajectory.h"
#include "linalg/threads.h"

#include <stdio.h>
#include <stdlib.h>

static const char model_text[] =
    "stickslip: 1\n"
    "materials: {steel: {young: 30e6, poisson: 0.3, density: 7.3e-4}}\n"
    "gears:\n"
    "  pair: {teeth: [20, 20], diametral-pitch: 10, pressure-angle: deg(20), addendum: 0.75, dedendum: 1.4,\n"
    "         rack-radius: 0.375, centre-distance: 2, face-width: 1, material: steel, bore: 0.5,\n"
    "         mesh: {flank-nodes: %d, fine-teeth: 3}}\n"
    "supports: [{on: pair.1.bore, displacement: [0, 0]}, {on: pair.2.bore, displacement: [0, 0]}]\n"
    "contacts: [{between: pair, friction: 0.3, max-distance: 0.01}]\n"
    "steps: [{trajectory: {cycle: tooth, positions: 50, torque: {pair.2: 1000}}}]\n";

enum { REPEATS = 3 };

typedef struct Cost {
    double whole;            // from the first factorisation to the last position
    double factor, condense; // of both gears; compliance of the first position
    StickPhases phases;
    int positions, ndofs;
    long columns[2]; // of the first position, of all
} Cost;

static long columns_of(const StickRun *run)
{
    long sum = 0;
    for (int b = 0; b < run->system->nbodies; b++)
        sum += stick_surface_compliance_solves(run->trajectory->compliance[b]);
    return sum;
}

static StickStatus time_factor(StickContext *ctx, const StickRun *run, double *seconds)
{
    StickStepMatrix *matrix;
    double clock = stick_clock_cpu();
    STICK_TRY(stick_step_matrix_create(ctx, run->system, &run->supports, &matrix));
    StickStatus status = stick_step_matrix_set(matrix, 0, 0, 1);
    *seconds = stick_clock_cpu() - clock;
    stick_step_matrix_destroy(matrix);
    return status;
}

static StickStatus roll(StickRun *run, Cost *cost)
{
    for (cost->positions = 0; !stick_run_is_done(run); cost->positions++) {
        STICK_TRY(stick_run_step(run));
        if (cost->positions == 0) {
            cost->condense = run->phases.condense;
            cost->columns[0] = columns_of(run);
        }
    }
    cost->columns[1] = columns_of(run);
    return STICK_OK;
}

static StickStatus measure(StickContext *ctx, const StickSystem *system, const StickStepSpec *spec,
                           Cost *cost)
{
    StickRun *run;
    double clock = stick_clock_cpu();
    *cost = (Cost){.ndofs = system->ndofs};
    STICK_TRY(stick_run_create(ctx, system, spec, &run));
    StickStatus status = stick_run_start(run, NULL);
    if (status == STICK_OK)
        status = roll(run, cost);
    cost->whole = stick_clock_cpu() - clock;
    cost->phases = run->phases;
    if (status == STICK_OK)
        status = time_factor(ctx, run, &cost->factor);
    stick_run_destroy(run);
    return status;
}

static double ratio(const Cost *cost)
{
    return cost->whole / (cost->factor + cost->condense);
}

static int by_whole(const void *a, const void *b)
{
    double x = ((const Cost *)a)->whole, y = ((const Cost *)b)->whole;
    return (x > y) - (x < y);
}

static void print(int nodes, const Cost *cost)
{
    const StickPhases *phases = &cost->phases;
    printf("%d nodes along a flank: %d degrees of freedom, %d positions, columns %ld, of the first one %ld\n",
           nodes, cost->ndofs, cost->positions, cost->columns[1], cost->columns[0]);
    printf("  both factorisations %.0f ms, compliance of the first position %.0f ms; all %.0f ms = %.2f "
           "times (goal: "
           "at most 3)\n",
           1e3 * cost->factor, 1e3 * cost->condense, 1e3 * cost->whole, ratio(cost));
    printf(
        "  pairs %.0f ms, compliance %.0f ms, pivots %.0f ms, certificate %.0f ms, displacements %.0f ms\n",
        1e3 * phases->detect, 1e3 * phases->condense, 1e3 * phases->solve, 1e3 * phases->verify,
        1e3 * phases->apply);
}

// The middle one of several runs.
static StickStatus run_bench(StickContext *ctx, int nodes, Cost *middle)
{
    static char text[2048];
    int length = snprintf(text, sizeof text, model_text, nodes);
    StickModelSource source = {.name = "gears", .folder = ".", .bytes = text, .count = (size_t)length};
    StickModel *model = NULL;
    StickSystem *system = NULL;
    Cost cost[REPEATS];
    StickStatus status = stick_model_read_text(ctx, &source, &model);
    if (status == STICK_OK)
        status = stick_system_create(ctx, model, &system);
    for (int k = 0; k < REPEATS && status == STICK_OK; k++)
        status = measure(ctx, system, &model->step[0], &cost[k]);
    stick_system_destroy(system);
    stick_model_destroy(model);
    STICK_TRY(status);
    qsort(cost, REPEATS, sizeof *cost, by_whole);
    *middle = cost[REPEATS / 2];
    print(nodes, middle);
    return STICK_OK;
}

static StickStatus compare(StickContext *ctx, int nodes)
{
    Cost few, many;
    STICK_TRY(run_bench(ctx, nodes, &few));
    STICK_TRY(run_bench(ctx, 4 * (nodes - 1) + 1, &many));
    double growth = many.whole / few.whole;
    printf("4 times as many nodes along flanks: %.2f times the cost (goal: at most 6)\n", growth);
    if (!(ratio(&few) <= 3 && ratio(&many) <= 3 && growth <= 6))
        return stick_fail(ctx, STICK_CHECK_FAILED, "a mesh cycle costs more than its goal");
    return STICK_OK;
}

int main(int argc, char **argv)
{
    int nodes = argc > 1 ? atoi(argv[1]) : 65;
    StickContext *ctx = stick_context_create(NULL);
    stick_blas_single_thread();
    StickStatus status = compare(ctx, nodes);
    if (status != STICK_OK)
        fprintf(stderr, "%s: %s\n", stick_status_name(status), stick_last_error(ctx));
    stick_context_destroy(ctx);
    return status == STICK_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
