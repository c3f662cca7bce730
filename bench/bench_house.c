// SPDX-License-Identifier: Apache-2.0
// Large islands of rigid bodies: a house front of blocks in bond with an opening and two side walls, on ground that shakes.
// Measured in one run:
//
// - whole steps certified to 1e-8 by the default solver, over the same steps with coloured sweeps to 1e-4 in the shared measure
//   in place of the default solver, each from its own answer of the step before; goal: 3 at most;
// - growth of the cost from a low to a high house, as an exponent of the number of contacts; goal: 1.3 at most;
// - two threads over one, with the same bits; goal: 1.5.
//
//     bench.house [steps [model.yaml]]
//
// With a model file the high house is that of the file, at a tolerance of 1e-8.
#include "base/clock.h"
#include "linalg/threads.h"
#include "stage.h"

#include <math.h>

enum { MODEL = 100000, ROOM = 30000, STEPS = 40, LOW = 4, HIGH = 24 };

static const double block[3] = {0.6, 0.3, 0.25}, front = 7.2, side = 3.0;
static const double goal_ratio = 3, goal_exponent = 1.3, goal_threads = 1.5;

// One block along x (front) or y (sides), from `from` to `to`.
static char *write_block(char *text, int *count, bool across, double at, double from, double to, double z)
{
    double middle = 0.5 * (from + to), length = to - from, half = 0.5 * block[1];
    double x = across ? at + half : middle, y = across ? middle : half;
    return text + sprintf(text,
                          "  b%d: {rigid: {box: [%.10g, %.10g, %.10g]}, material: stone, position: [%.10g, "
                          "%.10g, %.10g]}\n",
                          (*count)++, across ? block[1] : length, across ? length : block[1], block[2], x, y,
                          z);
}

// A row of blocks with a half one at its ends in every other course.
static char *write_row(char *text, int *count, bool across, double at, double from, double to, bool shifted,
                       double z)
{
    for (double x = from; x < to - 1e-9;) {
        double next = fmin(to, x + (shifted && x == from ? 0.5 : 1) * block[0]);
        text = write_block(text, count, across, at, x, next, z);
        x = next;
    }
    return text;
}

// The front stands between the corners in one course and goes over them in the next; doors and windows in the middle leave
// an opening under a lintel in each storey of eight courses.
static void write_model(int courses, char *text)
{
    int count = 0;
    text += sprintf(text, "stickslip: 1\nmaterials: {stone: {density: 2000}}\nbodies:\n");
    for (int k = 0; k < courses; k++) {
        double z = (k + 0.5) * block[2], corner = k % 2 ? block[1] : 0;
        bool open = k % 8 >= 2 && k % 8 < 6 && k / 8 * 8 + 6 < courses, lintel = k % 8 == 6;
        double left = 0.5 * front - 0.9, right = 0.5 * front + 0.9;
        if (open || lintel) {
            double wide = lintel ? 0.3 : 0;
            text = write_row(text, &count, false, 0, corner, left - wide, k % 2 == 0, z);
            text = write_row(text, &count, false, 0, right + wide, front - corner, k % 2 == 0, z);
            if (lintel)
                text = write_block(text, &count, false, 0, left - wide, right + wide, z);
        } else {
            text = write_row(text, &count, false, 0, corner, front - corner, k % 2 == 0, z);
        }
        for (int s = 0; s < 2; s++)
            text = write_row(text, &count, true, s * (front - block[1]), k % 2 ? 0 : block[1], side,
                             k % 2 == 1, z);
    }
    sprintf(text, "obstacles:\n"
                  "  ground:\n"
                  "    plane: {point: [0, 0, 0], normal: [0, 0, 1]}\n"
                  "    displacement: [\"1e-3*(1-cos(12*t))\", \"8e-4*(1-cos(15*t))\", 0]\n"
                  "gravity: [0, 0, -9.81]\n"
                  "contacts: [{between: all, friction: 0.6}]\n"
                  "steps: [{dynamics: {step: 0.004, end: 6}, solver: {tolerance: 1e-8}}]\n");
}

typedef struct Cost {
    double cpu, wall; // of all steps
    double solves;    // CPU time of the solves of the run, repeated,
    double sweeps;    // of coloured sweeps for the same problems ...
    double swept;     // ... and their iterations; both 0 without a reference
    int contacts, bodies;
    double iterations, error, sum; // sum: of positions at the end
} Cost;

// The contact problem of the last step by a solver, from r.
static StickStatus solve(StickContext *ctx, const StickSimulation *run, const char *name,
                         const StickSolverOptions *options, double *r, double *u, double *seconds,
                         int *iterations)
{
    StickFrictionProblem problem = stick_simulation_problem(run);
    StickSolver *solver = NULL;
    StickSolveInfo info;
    STICK_TRY(stick_solver_create(ctx, name, options, &solver));
    StickStatus status = stick_solver_reserve(solver, &problem);
    double cpu = stick_clock_cpu();
    if (status == STICK_OK)
        status = stick_solver_solve(solver, &problem, r, u, &info);
    *seconds += stick_clock_cpu() - cpu;
    *iterations = info.iterations;
    stick_solver_destroy(solver);
    return status;
}

// Once more as in the step, then by coloured sweeps.
static StickStatus compare(StickContext *ctx, const StickSimulation *run, double *r, double *u, Cost *cost)
{
    static double own[ROOM];
    StickSolverOptions options = stick_solver_options_default();
    int iterations;
    memcpy(own, run->guess, (size_t)(run->system->dim * run->contacts.ncontacts) * sizeof *own);
    options.aim = 1e-4 * options.tolerance;
    STICK_TRY(solve(ctx, run, "auto", &options, own, u, &cost->solves, &iterations));
    options = stick_solver_options_default();
    options.tolerance = 1e-4;
    options.measure = STICK_MEASURE_SHARED;
    STICK_TRY(solve(ctx, run, "coloured", &options, r, u, &cost->sweeps, &iterations));
    cost->swept += iterations;
    return STICK_OK;
}

// The first step of a model file, at the tolerance that is measured.
static StickStatus open_file(StickContext *ctx, const char *path, int threads, Stage *stage)
{
    STICK_TRY(stick_model_read(ctx, path, NULL, 0, &stage->model));
    stage->model->step[0].tolerance = 1e-8;
    stage->model->step[0].threads = threads;
    STICK_TRY(stick_system_create(ctx, stage->model, &stage->system));
    return stick_simulation_create(ctx, stage->system, &stage->model->step[0], &stage->run);
}

static StickStatus measure(const char *path, int courses, int threads, int steps, bool has_reference,
                           Cost *cost)
{
    static char text[MODEL];
    Stage stage = {0};
    StickContext *ctx = stick_context_create(NULL);
    if (!ctx)
        return STICK_NO_MEMORY;
    *cost = (Cost){0};
    write_model(courses, text);
    StickStatus status =
        path ? open_file(ctx, path, threads, &stage) : stage_open_run(ctx, "house", text, threads, &stage);
    if (status == STICK_OK)
        status = stick_simulation_start(stage.run, NULL);
    static double r[ROOM], u[ROOM];
    for (int k = 0; status == STICK_OK && k < steps; k++) {
        double cpu = stick_clock_cpu(), wall = stick_clock_wall();
        status = stick_simulation_step(stage.run);
        cost->cpu += stick_clock_cpu() - cpu;
        cost->wall += stick_clock_wall() - wall;
        if (status == STICK_OK && has_reference)
            status = compare(ctx, stage.run, r, u, cost);
    }
    if (status == STICK_OK) {
        const StickSimulation *run = stage.run;
        cost->contacts = run->contacts.ncontacts;
        cost->bodies = run->system->nbodies;
        cost->iterations = run->record.iterations / steps;
        cost->error = run->record.worst_scale_free;
        for (int i = 0; i < run->state.n; i++)
            cost->sum += run->state.now.q[i];
    } else {
        fprintf(stderr, "%s: %s\n", stick_status_name(status), stick_last_error(ctx));
    }
    stage_close(&stage);
    stick_context_destroy(ctx);
    return status;
}

static void print_cost(const char *name, const Cost *cost, int steps)
{
    printf("%-28s %4d bodies %5d contacts: %6.1f ms per step, %5.1f iterations, error %.1e\n", name,
           cost->bodies, cost->contacts, 1e3 * cost->cpu / steps, cost->iterations, cost->error);
}

int main(int argc, char **argv)
{
    int steps = argc > 1 ? atoi(argv[1]) : STEPS;
    const char *path = argc > 2 ? argv[2] : NULL;
    Cost fine, low, two;
    stick_blas_single_thread();
    if (measure(path, HIGH, 1, steps, true, &fine) != STICK_OK ||
        measure(NULL, LOW, 1, steps, false, &low) != STICK_OK ||
        measure(path, HIGH, 2, steps, false, &two) != STICK_OK)
        return 1;
    double coloured = fine.cpu - fine.solves + fine.sweeps;
    printf("%-28s %.1f ms per step, of which sweeps %.1f; %.1f iterations\n", "coloured, 1e-4",
           1e3 * coloured / steps, 1e3 * fine.sweeps / steps, fine.swept / steps);
    printf("%-28s %.1f ms per step\n", "auto, 1e-8, solves alone", 1e3 * fine.solves / steps);
    print_cost("auto, 1e-8", &fine, steps);
    print_cost("auto, 1e-8, low", &low, steps);
    double ratio = fine.cpu / coloured, threads = fine.wall / two.wall;
    double exponent = log(fine.cpu / low.cpu) / log((double)fine.contacts / low.contacts);
    printf("1e-8 over coloured 1e-4: %.2f (goal: %.1f at most)\n", ratio, goal_ratio);
    printf("exponent from %d to %d contacts: %.2f (goal: %.1f at most)\n", low.contacts, fine.contacts,
           exponent, goal_exponent);
    printf("two threads: %.2f times faster (goal: %.1f), %s bits\n", threads, goal_threads,
           fine.sum == two.sum ? "the same" : "OTHER");
    return fine.sum == two.sum && ratio <= goal_ratio && exponent <= goal_exponent ? 0 : 1;
}
