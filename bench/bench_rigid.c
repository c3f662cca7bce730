// SPDX-License-Identifier: Apache-2.0
// What a step of many rigid bodies costs as their number grows: trays of polygons, disks, spheres and boxes, ten layers
// deep, that have settled. Phases of a step are told per contact; goals are that a step grows no faster than n^1.1, that
// detection takes less than 30 % of it, and that two threads give 1.5 times the speed with the same bits. What the machine
// gives at most is told beside it: two runs of their own, on one thread each, at the same time.
//
//     bench.rigid [scene] [bodies] [solver]      one scene, one size; without them all, by the default solver
#include "base/clock.h"
#include "base/memory.h"
#include "linalg/threads.h"
#include "stage.h"

#include <math.h>
#include <pthread.h>
#include <stdint.h>

// Steps until bodies have come to rest, and steps that are measured.
enum { SETTLE = 12, STEPS = 6, LAYERS = 10, NSIZES = 3, MODEL = 4000 };

static const int sizes[NSIZES] = {1000, 10000, 100000};
static const double goal_exponent = 1.1, goal_detection = 0.3, goal_threads = 1.5;

// What two runs at the same time make at least on a machine that has two processors to give.
static const double quiet = 1.8;

typedef struct Scene {
    const char *name;
    int dim;
    const char *shape;
    double half; // of the width of a body, and of its height
    double tall;
    double rise; // from layer to layer
    bool bond;   // every other layer is shifted by half a body and has one less in a row
    double mu;
    bool hard; // its landings take long: only the smallest size, unless asked for
} Scene;

// Hexagons that stand on a corner, disks and bricks lie in the hollows of the layer below, or in bond; spheres stand in
// columns that lean on each other, and lie in hollows as well: there with more friction, since with 0.4 a landing of 1000
// takes long. Gaps of about 1e-4 close in the first steps.
static const Scene scenes[] = {
    {"polygons", 2,
     "{polygon: [[0, -1], [0.86602540378, -0.5], [0.86602540378, 0.5], [0, 1], [-0.86602540378, 0.5], "
     "[-0.86602540378, -0.5]]}",
     0.86602540378, 1, 1.5, true, 0.4, false},
    {"disks", 2, "{disk: 1}", 1, 1, 1.73205080757, true, 0.4, false},
    {"spheres", 3, "{sphere: 1}", 1, 1, 2, false, 0.4, false},
    {"hollows", 3, "{sphere: 1}", 1, 1, 1.41421356237, true, 0.7, true},
    {"boxes", 3, "{box: [2, 2, 1]}", 1, 0.5, 1, true, 0.4, true},
};
enum { NSCENES = sizeof scenes / sizeof *scenes };

static const double gap = 1e-4;

// A body is a little off its place, another way than its neighbours: by 2e-5 at most.
static size_t write_plane(const Scene *scene, int side, bool odd, char *text)
{
    bool shifted = odd && scene->bond;
    double wide = 2 * scene->half + gap, rise = scene->rise + gap;
    return (size_t)sprintf(text,
                           "  %s:\n"
                           "    rigid: %s\n"
                           "    material: stone\n"
                           "    repeat: {i: [0, %d], j: [0, %d]}\n"
                           "    position: [\"%.12g + %.12g*i + 2e-5*sin(7*i + 3*j)\", \"%.12g + %.12g*j + "
                           "2e-5*sin(5*i + 2*j)\"]\n",
                           odd ? "odd" : "even", scene->shape, side - 1 - shifted, LAYERS / 2 - 1,
                           (shifted ? 1 : 0.5) * wide, wide, scene->tall + gap + odd * rise, 2 * rise);
}

static size_t write_space(const Scene *scene, int side, bool odd, char *text)
{
    bool shifted = odd && scene->bond;
    double wide = 2 * scene->half + gap, first = (shifted ? 1 : 0.5) * wide, rise = scene->rise + gap;
    return (size_t)sprintf(text,
                           "  %s:\n"
                           "    rigid: %s\n"
                           "    material: stone\n"
                           "    repeat: {i: [0, %d], j: [0, %d], k: [0, %d]}\n"
                           "    position: [\"%.12g + %.12g*i + 2e-5*sin(7*i + 3*j + 4*k)\",\n"
                           "               \"%.12g + %.12g*j + 2e-5*sin(3*i + 5*j + 2*k)\",\n"
                           "               \"%.12g + %.12g*k + 2e-5*sin(5*i + 2*j + 9*k)\"]\n",
                           odd ? "odd" : "even", scene->shape, side - 1 - shifted, side - 1 - shifted,
                           LAYERS / 2 - 1, first, wide, first, wide, scene->tall + gap + odd * rise,
                           2 * rise);
}

// Units of length and time are such that bodies have a size of about 2 and fall by 1 in sqrt(2).
static void write_model(const Scene *scene, int count, const char *solver, char *text)
{
    int dim = scene->dim, layer = count / LAYERS, side = dim == 2 ? layer : (int)lround(sqrt(layer));
    double width = side * (2 * scene->half + gap);
    const char *zero = dim == 2 ? "" : ", 0";
    text += sprintf(text, "stickslip: 1\nmaterials: {stone: {density: 1}}\nbodies:\n");
    for (int odd = 0; odd < 2; odd++)
        text += dim == 2 ? write_plane(scene, side, odd, text) : write_space(scene, side, odd, text);
    text += sprintf(text, "obstacles:\n");
    for (int k = 0; k < dim - 1; k++)
        text += sprintf(text,
                        "  wall%d: {plane: {point: [0, 0%s], normal: [%s0%s]}}\n"
                        "  back%d: {plane: {point: [%.12g, %.12g%s], normal: [%s0%s]}}\n",
                        k, zero, k == 0 ? "1, " : "0, 1, ", k == 0 ? zero : "", k, width, width, zero,
                        k == 0 ? "-1, " : "0, -1, ", k == 0 ? zero : "");
    sprintf(text,
            "  floor: {plane: {point: [0, 0%s], normal: [0, %s]}}\n"
            "gravity: [0, %s]\n"
            "contacts: [{between: [all, all], friction: %g}]\n"
            "steps: [{dynamics: {scheme: moreau, step: 1e-2, end: 10}, solver: %s}]\n",
            zero, dim == 2 ? "1" : "0, 1", dim == 2 ? "-1" : "0, -1", scene->mu, solver);
}

typedef struct Cost {
    double seconds; // of the fastest step, by the wall ...
    double mean;    // ... and of all
    double own;     // by the processor, on this thread
    StickPhases phases;
    double read; // seconds until the first step
    int bodies, contacts;
    double iterations, bytes; // of a step; per contact
    uint64_t hash;            // of the state at the end
} Cost;

static uint64_t hash_of(uint64_t hash, const double *x, int count)
{
    for (int i = 0; i < count; i++) {
        uint64_t bits;
        memcpy(&bits, &x[i], sizeof bits);
        hash = (hash ^ bits) * 0x100000001b3u;
    }
    return hash;
}

static StickStatus measure_run(StickContext *ctx, StickSimulation *run, Cost *cost)
{
    STICK_TRY(stick_simulation_start(run, NULL));
    for (int k = 0; k < SETTLE; k++)
        STICK_TRY(stick_simulation_step(run));
    run->phases = (StickPhases){0};
    double iterations = run->record.iterations;
    cost->seconds = INFINITY;
    cost->mean = 0;
    for (int k = 0; k < STEPS; k++) {
        double wall = stick_clock_wall();
        STICK_TRY(stick_simulation_step(run));
        wall = stick_clock_wall() - wall;
        cost->seconds = fmin(cost->seconds, wall);
        cost->mean += wall / STEPS;
    }
    cost->phases = run->phases;
    const StickPhases *p = &run->phases;
    cost->own =
        (p->matrix + p->free + p->detect + p->condense + p->solve + p->verify + p->apply + p->ledger) / STEPS;
    cost->bodies = run->system->nbodies;
    cost->contacts = run->contacts.ncontacts;
    cost->iterations = (run->record.iterations - iterations) / STEPS;
    cost->bytes = (double)stick_memory_peak(ctx) / cost->contacts;
    cost->hash = hash_of(hash_of(hash_of(1, run->state.now.q, run->state.n), run->state.now.v, run->state.n),
                         run->r, run->system->dim * cost->contacts);
    return STICK_OK;
}

static StickStatus measure_in(StickContext *ctx, const char *text, int threads, Cost *cost)
{
    Stage stage = {0};
    double clock = stick_clock_cpu();
    StickStatus status = stage_open_run(ctx, "rigid", text, threads, &stage);
    cost->read = stick_clock_cpu() - clock;
    if (status == STICK_OK)
        status = measure_run(ctx, stage.run, cost);
    if (status != STICK_OK)
        fprintf(stderr, "%s: %s\n", stick_status_name(status), stick_last_error(ctx));
    stage_close(&stage);
    return status;
}

static StickStatus measure(const Scene *scene, int count, const char *solver, int threads, Cost *cost)
{
    char text[MODEL];
    StickContext *ctx = stick_context_create(NULL);
    if (!ctx)
        return STICK_NO_MEMORY;
    write_model(scene, count, solver, text);
    StickStatus status = measure_in(ctx, text, threads, cost);
    stick_context_destroy(ctx);
    return status;
}

// A run on a thread of its own.
typedef struct Apart {
    const Scene *scene;
    int count;
    const char *solver;
    Cost cost;
    StickStatus status;
} Apart;

static void *measure_apart(void *data)
{
    Apart *apart = data;
    apart->status = measure(apart->scene, apart->count, apart->solver, 1, &apart->cost);
    return NULL;
}

// How many times as many steps two runs at the same time make as one alone.
static StickStatus measure_pair(const Scene *scene, const char *solver, const Cost *alone, double *gain)
{
    Apart one = {.scene = scene, .count = sizes[NSIZES - 1], .solver = solver}, other = one;
    pthread_t thread;
    if (pthread_create(&thread, NULL, measure_apart, &other) != 0)
        return STICK_NO_MEMORY;
    measure_apart(&one);
    pthread_join(thread, NULL);
    STICK_TRY(one.status);
    STICK_TRY(other.status);
    *gain = alone->mean / one.cost.mean + alone->mean / other.cost.mean;
    return STICK_OK;
}

static void print_head(void)
{
    printf("                                         ns per contact and step\n"
           "   bodies contacts  ms/step  sweeps  matrix   free detect condense  solve verify  apply ledger  "
           "detect  bytes/contact  read s\n");
}

static void print_row(const Cost *cost)
{
    const StickPhases *p = &cost->phases;
    double each = 1e9 / STEPS / cost->contacts;
    printf("%9d %8d %8.1f %7.0f %7.0f %6.0f %6.0f %8.0f %6.0f %6.0f %6.0f %6.0f  %4.1f %%  %13.0f  %6.2f\n",
           cost->bodies, cost->contacts, 1e3 * cost->own, cost->iterations, each * p->matrix, each * p->free,
           each * p->detect, each * p->condense, each * p->solve, each * p->verify, each * p->apply,
           each * p->ledger, 100 * p->detect / STEPS / cost->own, cost->bytes, cost->read);
    fflush(stdout);
}

static double beside_solve(const Cost *cost)
{
    return cost->own - cost->phases.solve / STEPS;
}

// Of time = c n^exponent between the first and the last size.
static double exponent(const Cost *cost, double first, double last)
{
    return log(last / first) / log((double)cost[NSIZES - 1].bodies / cost[0].bodies);
}

static StickStatus measure_scene(const Scene *scene, const char *solver)
{
    Cost cost[NSIZES], two;
    double ceiling;
    printf("%s\n", scene->name);
    print_head();
    for (int k = 0; k < NSIZES; k++) {
        STICK_TRY(measure(scene, sizes[k], solver, 1, &cost[k]));
        print_row(&cost[k]);
    }
    STICK_TRY(measure(scene, sizes[NSIZES - 1], solver, 2, &two));
    STICK_TRY(measure_pair(scene, solver, &cost[NSIZES - 1], &ceiling));
    const Cost *first = &cost[0], *last = &cost[NSIZES - 1];
    double grows = exponent(cost, first->own, last->own),
           rest = exponent(cost, beside_solve(first), beside_solve(last)),
           gain = cost[NSIZES - 1].seconds / two.seconds, mean = cost[NSIZES - 1].mean / two.mean;
    double detection = cost[1].phases.detect / STEPS / cost[1].own;
    bool same = two.hash == cost[NSIZES - 1].hash;
    printf("exponent %.2f (goal: at most %g), beside the solve %.2f; detection %.0f %% of a step of %d "
           "(goal: at most %.0f %%)\n",
           grows, goal_exponent, rest, 100 * detection, cost[1].bodies, 100 * goal_detection);
    printf("two threads: %.2f times as fast in the fastest step, %.2f in the mean (goal: %g; two runs at the "
           "same time make %.2f times the steps of one), %s bits\n\n",
           gain, mean, goal_threads, ceiling, same ? "the same" : "OTHER");
    fflush(stdout);
    bool shared = gain >= goal_threads || ceiling < quiet;
    return same && shared && grows <= goal_exponent && detection <= goal_detection ? STICK_OK
                                                                                   : STICK_CHECK_FAILED;
}

static StickStatus measure_one(const Scene *scene, int count, const char *solver)
{
    Cost cost;
    print_head();
    for (int threads = 1; threads <= 2; threads++) {
        STICK_TRY(measure(scene, count, solver, threads, &cost));
        print_row(&cost);
        printf("%d threads: %.1f ms by the wall, state %016llx\n", threads, 1e3 * cost.seconds,
               (unsigned long long)cost.hash);
    }
    return STICK_OK;
}

int main(int argc, char **argv)
{
    StickStatus worst = STICK_OK;
    const char *solver = argc > 3 ? argv[3] : "auto";
    stick_blas_single_thread();
    for (int k = 0; k < NSCENES; k++) {
        if (argc > 1 && strcmp(argv[1], scenes[k].name) != 0)
            continue;
        int count = argc > 2 ? atoi(argv[2]) : scenes[k].hard ? sizes[0] : 0;
        if (count > 0)
            printf("%s\n", scenes[k].name);
        StickStatus status =
            count > 0 ? measure_one(&scenes[k], count, solver) : measure_scene(&scenes[k], solver);
        worst = status != STICK_OK ? status : worst;
    }
    return worst;
}
