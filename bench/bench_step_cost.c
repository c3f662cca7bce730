// SPDX-License-Identifier: Apache-2.0
// What a time step costs beside its contact solve: a 2D impact with 2e5 degrees of freedom and 400 candidates, half of
// them in contact. The unit is one solve with the same factor, measured in the same run; the goal is at most 3.
#include "base/clock.h"
#include "base/memory.h"
#include "linalg/threads.h"
#include "stage.h"

typedef struct Scene {
    const char *name;
    const char *model;
} Scene;

static const Scene scenes[] = {
    // Half of the lower nodes touch: the right half of the floor lies a little lower.
    {"a block on a rigid floor",
     "stickslip: 1\n"
     "materials: {steel: {young: 2e11, poisson: 0.3, density: 7800}}\n"
     "bodies:\n"
     "  block: {mesh: {rectangle: {size: [0.4, 0.25], cells: [399, 250]}}, plane: strain, material: steel,\n"
     "          velocity: [1, -1]}\n"
     "obstacles: {floor: {polyline: {points: [[-1, 0], [0.2, 0], [0.2005, -0.001], [1.4, -0.001]]}}}\n"
     "contacts: [{between: [block.bottom, floor], friction: 0.2, reach: 2e-3}]\n"
     "steps: [{dynamics: {scheme: theta-euler, theta: 0.55, step: 1e-6, end: 1}, solver: gauss-seidel}]\n"},
    // Meshes that do not match, integrated surfaces; the upper block presses with its left half and lifts its right one.
    {"a block on a block, integrated surfaces",
     "stickslip: 1\n"
     "materials: {steel: {young: 2e11, poisson: 0.3, density: 7800}}\n"
     "bodies:\n"
     "  upper: {mesh: {rectangle: {size: [0.4, 0.125], cells: [399, 125], origin: [0, 0.125]}}, plane: "
     "strain,\n"
     "          material: steel, velocity: [1, \"x < 0.2 and -1 or 1\"]}\n"
     "  lower: {mesh: {rectangle: {size: [0.4, 0.125], cells: [371, 125]}}, plane: strain, material: steel}\n"
     "contacts: [{between: [upper.bottom, lower.top], friction: 0.2, reach: 1e-4, method: integrated}]\n"
     "steps: [{dynamics: {scheme: theta-euler, theta: 0.55, step: 1e-7, end: 1}, solver: gauss-seidel}]\n"},
};

enum { WARM = 3, STEPS = 15 };

// Everything but the contact solve and the verifier.
static double own_phases(const StickPhases *phases)
{
    return phases->matrix + phases->free + phases->detect + phases->condense + phases->apply + phases->ledger;
}

// One solve with the factor of each body.
static double time_of_solve(StickSimulation *run)
{
    double clock = stick_clock_cpu();
    for (int b = 0; b < run->system->nbodies; b++)
        stick_step_matrix_solve_body(run->matrix, b, run->state.now.Mv + run->system->body[b].first, 1,
                                     run->work);
    return stick_clock_cpu() - clock;
}

static StickStatus measure(StickContext *ctx, StickSimulation *run)
{
    double step[STEPS], solve[STEPS], first = 0;
    STICK_TRY(stick_simulation_start(run, NULL));
    for (int k = 0; k < WARM; k++) {
        double clock = stick_clock_cpu();
        STICK_TRY(stick_simulation_step(run));
        first = k == 0 ? stick_clock_cpu() - clock : first;
    }
    StickPhases last = run->phases;
    for (int k = 0; k < STEPS; k++) {
        double before = own_phases(&run->phases);
        STICK_TRY(stick_simulation_step(run));
        step[k] = own_phases(&run->phases) - before;
        solve[k] = time_of_solve(run);
    }
    double unit = stage_median(solve, STEPS), ratio = stage_median(step, STEPS) / unit;
    double bytes = (double)stick_memory_peak(ctx) + stick_step_matrix_bytes(run->matrix);
    int active = 0;
    for (int c = 0; c < run->contacts.ncontacts; c++)
        active += stick_simulation_status(run, c) != STICK_APART;
    printf("degrees of freedom %d, candidates %d, in contact %d\n", run->system->ndofs,
           run->contacts.ncontacts, active);
    printf("one solve                             %9.2f ms\n", 1e3 * unit);
    printf("a step without contact solve, verifier %8.2f ms = %.2f solves (goal: at most 3)\n",
           1e3 * ratio * unit, ratio);
    const StickPhases *now = &run->phases;
    const double phases[][2] = {{now->free, last.free},         {now->detect, last.detect},
                                {now->condense, last.condense}, {now->apply, last.apply},
                                {now->ledger, last.ledger},     {now->solve, last.solve},
                                {now->verify, last.verify}};
    static const char *const names[] = {"free",   "detect",  "condense", "apply",
                                        "ledger", "(solve)", "(verify)"};
    for (int k = 0; k < 7; k++)
        printf("  %-10s %6.2f solves\n", names[k], (phases[k][0] - phases[k][1]) / STEPS / unit);
    printf("first step, with factor and compliance %8.2f ms = %.0f solves\n", 1e3 * first, first / unit);
    printf("memory %.0f bytes per degree of freedom\n", bytes / run->system->ndofs);
    return ratio <= 3 ? STICK_OK : STICK_CHECK_FAILED;
}

static StickStatus run_scene(StickContext *ctx, const Scene *scene)
{
    Stage stage = {0};
    printf("%s\n", scene->name);
    StickStatus status = stage_open_run(ctx, "step-cost", scene->model, 1, &stage);
    if (status == STICK_OK)
        status = measure(ctx, stage.run);
    stage_close(&stage);
    return status;
}

int main(void)
{
    StickContext *ctx = stick_context_create(NULL);
    StickStatus status = STICK_OK;
    stick_blas_single_thread();
    for (size_t k = 0; k < sizeof scenes / sizeof *scenes && status == STICK_OK; k++)
        status = run_scene(ctx, &scenes[k]);
    return stage_end(ctx, status);
}
