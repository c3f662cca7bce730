// SPDX-License-Identifier: Apache-2.0
// What a whole path from event to event costs: the block of polyurethane that is pressed and dragged [RBV02 1.4] on a
// fine mesh. The unit is two factorisations of K, one condensation on the contacts and the pivots along the path, all
// measured in the same run; the goal is at most 1 for the path: every change of status, where it is and with which
// contact forces. Not in it, and told beside it: what makes a state of the run of each event, that is the displacements
// of the whole body, their certificate, balance of forces and books of energy.
//
//     bench.path_cost [cells along the block]
#include "linalg/threads.h"
#include "stage.h"

static const char model_text[] =
    "stickslip: 1\n"
    "materials: {polyurethane: {young: 5, poisson: 0.48, density: 1.2e-9}}\n"
    "bodies: {block: {mesh: {rectangle: {size: [80, 40], cells: [%d, %d], pattern: crossed}},\n"
    "                 material: polyurethane, plane: stress}}\n"
    "obstacles: {plate: {plane: {point: [0, 0], normal: [0, 1]}, displacement: [\"-6.5*max(t - 1, 0)\", "
    "0]}}\n"
    "supports: [{on: block.top, displacement: [0, \"-0.5*min(t, 1)\"]}]\n"
    "contacts: [{between: [block.bottom, plate], friction: 1.1}]\n"
    "steps: [{quasistatic: {end: 2, increments: 2, follow: events}}]\n";

enum { REPEATS = 5, SOLVES = 10 };

typedef struct Cost {
    double whole;                     // the path: from the model's matrices to the last state
    double factor, condensation, one; // of K, analysis included; of all contacts; one solve
    StickPhases phases;
    int states, factorisations;
    long columns;
} Cost;

static StickStatus time_condensation(StickContext *ctx, const StickSimulation *run, double *seconds)
{
    StickDelassus *delassus;
    const StickBlocks *W;
    double clock = stick_clock_cpu();
    STICK_TRY(stick_delassus_create(ctx, run->system, run->matrix, run->pairs, &delassus));
    StickStatus status = stick_delassus_blocks(delassus, &run->contacts, &W);
    *seconds = stick_clock_cpu() - clock;
    stick_delassus_destroy(delassus);
    return status;
}

static StickStatus time_solve(StickSimulation *run, double *seconds)
{
    double clock = stick_clock_cpu();
    for (int k = 0; k < SOLVES; k++)
        STICK_TRY(stick_step_matrix_solve_body(run->matrix, 0, run->state.now.Kq, 1, run->work));
    *seconds = (stick_clock_cpu() - clock) / SOLVES;
    return STICK_OK;
}

static void count(const StickSimulation *run, int states, void *user)
{
    (void)run;
    *(int *)user = states;
}

static StickStatus measure(StickContext *ctx, Stage *stage, Cost *cost)
{
    *cost = (Cost){0};
    STICK_TRY(stage_run_through(ctx, stage, count, &cost->states, &cost->whole));
    StickSimulation *run = stage->run;
    cost->phases = run->phases;
    cost->factorisations = stick_step_matrix_generation(run->matrix);
    cost->columns = stick_delassus_solves(run->delassus);
    STICK_TRY(stage_time_factor(ctx, run, &cost->factor));
    STICK_TRY(time_condensation(ctx, run, &cost->condensation));
    return time_solve(run, &cost->one);
}

static double unit_of(const Cost *cost)
{
    return 2 * cost->factor + cost->condensation + cost->phases.solve;
}

// Of all states: displacements, certificates and books.
static double states_of(const Cost *cost)
{
    const StickPhases *phases = &cost->phases;
    return phases->free + phases->verify + phases->apply + phases->ledger;
}

static double ratio(const Cost *cost)
{
    return (cost->whole - states_of(cost)) / unit_of(cost);
}

static int by_ratio(const void *a, const void *b)
{
    double x = ratio(a), y = ratio(b);
    return (x > y) - (x < y);
}

static void print(const StickSystem *system, const Cost *cost)
{
    const StickPhases *phases = &cost->phases;
    double unit = unit_of(cost), states = states_of(cost);
    printf("degrees of freedom %d, states %d, factorisations of K %d, columns condensed %ld\n", system->ndofs,
           cost->states, cost->factorisations, cost->columns);
    printf("one factorisation %.1f ms, condensation %.1f ms, pivots %.1f ms, one solve %.2f ms\n",
           1e3 * cost->factor, 1e3 * cost->condensation, 1e3 * phases->solve, 1e3 * cost->one);
    const double part[] = {phases->free, phases->verify, phases->apply, phases->ledger};
    static const char *const name[] = {"displacements", "certificate", "contact forces", "books"};
    printf("path %.1f ms = %.2f of two factorisations, condensation and pivots (goal: at most 1)\n",
           1e3 * (cost->whole - states), ratio(cost));
    printf("its states %.1f ms = %.2f, each %.2f solves\n", 1e3 * states, states / unit,
           states / cost->states / cost->one);
    for (int k = 0; k < 4; k++)
        printf("  %-15s %8.1f ms = %.2f\n", name[k], 1e3 * part[k], part[k] / unit);
    printf("both %.1f ms = %.2f\n", 1e3 * cost->whole, cost->whole / unit);
}

static StickStatus run_bench(StickContext *ctx, int cells)
{
    static char text[2048];
    Stage stage = {0};
    Cost cost[REPEATS];
    snprintf(text, sizeof text, model_text, cells, cells / 2);
    StickStatus status = stage_open(ctx, "block", text, &stage);
    for (int k = 0; k < REPEATS && status == STICK_OK; k++)
        status = measure(ctx, &stage, &cost[k]);
    qsort(cost, status == STICK_OK ? REPEATS : 0, sizeof *cost, by_ratio);
    double middle = status == STICK_OK ? ratio(&cost[REPEATS / 2]) : 0;
    if (status == STICK_OK)
        print(stage.system, &cost[REPEATS / 2]);
    stage_close(&stage);
    if (status == STICK_OK && !(middle <= 1))
        return stick_fail(ctx, STICK_CHECK_FAILED, "the path costs more than its goal");
    return status;
}

int main(int argc, char **argv)
{
    int cells = argc > 1 ? atoi(argv[1]) : 80;
    StickContext *ctx = stick_context_create(NULL);
    stick_blas_single_thread();
    StickStatus status = run_bench(ctx, cells);
    return stage_end(ctx, status);
}
