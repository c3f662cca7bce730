// SPDX-License-Identifier: Apache-2.0
// What a mesh cycle of gears costs [VBH88]: 50 positions against one factorisation of each gear and the compliance of one
// position, and flanks with 4 times as many nodes. Goals: at most 3 times, and at most 6 times. Not counted: reading the
// model, meshes and stiffness of elements.
//
//     bench.gears [nodes along a flank]
#include "linalg/threads.h"
#include "stage.h"
#include "stepping/trajectory.h"

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

static long columns_of(const StickSimulation *run)
{
    long sum = 0;
    for (int b = 0; b < run->system->nbodies; b++)
        sum += stick_surface_compliance_solves(run->trajectory->compliance[b]);
    return sum;
}

static void look(const StickSimulation *run, int positions, void *user)
{
    Cost *cost = user;
    cost->positions = positions;
    cost->columns[1] = columns_of(run);
    if (positions > 1)
        return;
    cost->condense = run->phases.condense;
    cost->columns[0] = cost->columns[1];
}

static StickStatus measure(StickContext *ctx, Stage *stage, Cost *cost)
{
    *cost = (Cost){.ndofs = stage->system->ndofs};
    STICK_TRY(stage_run_through(ctx, stage, look, cost, &cost->whole));
    cost->phases = stage->run->phases;
    return stage_time_factor(ctx, stage->run, &cost->factor);
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
    Stage stage = {0};
    Cost cost[REPEATS];
    snprintf(text, sizeof text, model_text, nodes);
    StickStatus status = stage_open(ctx, "gears", text, &stage);
    for (int k = 0; k < REPEATS && status == STICK_OK; k++)
        status = measure(ctx, &stage, &cost[k]);
    stage_close(&stage);
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
    return stage_end(ctx, compare(ctx, nodes));
}
