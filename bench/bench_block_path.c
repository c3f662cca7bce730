// SPDX-License-Identifier: Apache-2.0
// The methods of [RBV02 1.3] on one path: the block of polyurethane that is pressed and dragged [RBV02 1.4], by
// increments, each certified. Iterations, time of the contact solves over that of Lemke's method in the same run, and
// how far forces are from those of the exact path, which is followed from event to event.
//
//     bench.block_path [increments]
#include "base/memory.h"
#include "linalg/threads.h"
#include "stepping/simulation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char model_text[] =
    "stickslip: 1\n"
    "materials: {polyurethane: {young: 5, poisson: 0.48, density: 1.2e-9}}\n"
    "bodies: {block: {mesh: {rectangle: {size: [80, 40], cells: [20, 10], pattern: crossed}},\n"
    "                 material: polyurethane, plane: stress}}\n"
    "obstacles: {plate: {plane: {point: [0, 0], normal: [0, 1]}, displacement: [\"-max(t - 1, 0)\", 0]}}\n"
    "supports: [{on: block.top, displacement: [0, \"-0.5*min(t, 1)\"]}]\n"
    "contacts: [{between: [block.bottom, plate], friction: 1.1}]\n"
    "steps:\n"
    "  - {quasistatic: {end: 1, increments: 1}}\n"
    "  - {quasistatic: {end: 7.5, increments: %d, follow: %s}, solver: {name: %s, tolerance: 1e-8}}\n";

typedef struct Method {
    const char *name, *unit;
} Method;

// Lemke first: the others are measured by it.
static const Method methods[] = {
    {"lemke", "pivots"},
    {"ssor", "sweeps"},
    {"aitken", "sweeps"},
    {"augmented-lagrangian", "Newton steps"},
    {"conjugate-gradient", "CG steps"},
    {"gauss-seidel", "sweeps"},
    {"anderson", "sweeps"},
    {"newton", "Newton steps"},
    {"tresca", "gradient steps"},
    {"auto", "sweeps and steps"},
};
enum { METHODS = sizeof methods / sizeof *methods, CONTACTS = 21, ROWS = 2 * CONTACTS, REPEATS = 5 };

typedef struct Track {
    double *r; // increments x ROWS: at the end of each
    int done, most;
    double iterations, seconds, error;
    StickStatus status;
} Track;

// ---- a run

typedef struct Scene {
    StickModel *model;
    StickSystem *system;
    StickSimulation *press, *drag;
} Scene;

static void close_scene(Scene *scene)
{
    stick_simulation_destroy(scene->drag);
    stick_simulation_destroy(scene->press);
    stick_system_destroy(scene->system);
    stick_model_destroy(scene->model);
}

static StickStatus open_scene(StickContext *ctx, int increments, const char *follow, const char *solver,
                              Scene *scene)
{
    static char text[2048];
    int length = snprintf(text, sizeof text, model_text, increments, follow, solver);
    StickModelSource source = {.name = "block", .folder = ".", .bytes = text, .count = (size_t)length};
    STICK_TRY(stick_model_read_text(ctx, &source, &scene->model));
    STICK_TRY(stick_system_create(ctx, scene->model, &scene->system));
    STICK_TRY(stick_simulation_create(ctx, scene->system, &scene->model->step[0], &scene->press));
    STICK_TRY(stick_simulation_create(ctx, scene->system, &scene->model->step[1], &scene->drag));
    STICK_TRY(stick_simulation_start(scene->press, NULL));
    STICK_TRY(stick_simulation_step(scene->press));
    return stick_simulation_start(scene->drag, scene->press);
}

// Forces at the end of every increment; events between them are passed by.
static StickStatus follow_drag(StickSimulation *run, Track *track)
{
    track->done = 0;
    while (!stick_simulation_is_done(run)) {
        STICK_TRY(stick_simulation_step(run));
        if (run->advance.part > 0 || run->advance.taken > 0)
            continue;
        memcpy(track->r + (size_t)track->done++ * ROWS, run->r, ROWS * sizeof *run->r);
    }
    return STICK_OK;
}

static StickStatus run_once(StickContext *ctx, const char *follow, const char *solver, Track *track)
{
    Scene scene = {0};
    StickStatus status = open_scene(ctx, track->most, follow, solver, &scene);
    if (status == STICK_OK) {
        track->status = follow_drag(scene.drag, track);
        track->iterations = scene.drag->record.iterations;
        track->error = fmax(scene.drag->record.worst_error, scene.drag->record.worst_scale_free);
        double seconds = scene.drag->phases.solve;
        track->seconds = track->seconds > 0 ? fmin(track->seconds, seconds) : seconds;
    }
    close_scene(&scene);
    return status;
}

// ---- the table

static double farthest(const Track *a, const Track *b)
{
    double most = 0;
    int done = a->done < b->done ? a->done : b->done;
    for (int i = 0; i < done * ROWS; i++)
        most = fmax(most, fabs(a->r[i] - b->r[i]));
    return most;
}

static void print_row(const Method *method, const Track *track, const Track *lemke, const Track *exact)
{
    bool whole = track->done == track->most && track->status == STICK_OK;
    printf("%-22s %4d of %4d %9.0f %-17s %8.1f %9.1e %-3s %9.1e", method->name, track->done, track->most,
           track->iterations, method->unit, track->iterations / (track->done > 0 ? track->done : 1),
           track->error, whole ? "yes" : "NO", farthest(track, exact));
    if (whole)
        printf(" %9.2f\n", track->seconds / lemke->seconds);
    else
        printf("         -\n");
}

static StickStatus compare(StickContext *ctx, Track *exact, Track *track)
{
    STICK_TRY(run_once(ctx, "events", "auto", exact));
    // in turns, so that all of them see the same noise
    for (int repeat = 0; repeat < REPEATS; repeat++)
        for (int k = 0; k < METHODS; k++)
            STICK_TRY(run_once(ctx, "increments", methods[k].name, &track[k]));
    printf("%-22s %12s %9s %-17s %8s %9s %-3s %9s %9s\n", "method", "increments", "iterations", "", "each",
           "error", "all", "from path", "time");
    for (int k = 0; k < METHODS; k++)
        print_row(&methods[k], &track[k], &track[0], exact);
    return STICK_OK;
}

int main(int argc, char **argv)
{
    int increments = argc > 1 ? atoi(argv[1]) : 130;
    StickContext *ctx = stick_context_create(NULL);
    Track track[METHODS + 1] = {0};
    StickStatus status = STICK_OK;
    stick_blas_single_thread();
    if (increments < 1 || increments > 100000) {
        fprintf(stderr, "bench.block_path [increments]\n");
        return EXIT_FAILURE;
    }
    for (int k = 0; k <= METHODS; k++) {
        track[k].most = increments;
        track[k].r = stick_alloc(ctx, (size_t)increments * ROWS, sizeof(double));
        status = track[k].r ? status : STICK_NO_MEMORY;
    }
    if (status == STICK_OK)
        status = compare(ctx, &track[METHODS], track);
    if (status != STICK_OK)
        fprintf(stderr, "%s: %s\n", stick_status_name(status), stick_last_error(ctx));
    for (int k = 0; k <= METHODS; k++)
        stick_free(ctx, track[k].r);
    stick_context_destroy(ctx);
    return status == STICK_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
