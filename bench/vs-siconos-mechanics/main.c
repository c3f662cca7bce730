// SPDX-License-Identifier: Apache-2.0
// Spheres fall into a box, and a wall of bricks settles on a floor, by Siconos' mechanics with Bullet and by us: the
// same places at the start, the same step and tolerance, in one process and in turns of some steps. Times are processor
// time of the steps alone, without output; errors of both are recomputed by our verifier, in time that does not count.
//
//   bench.mechanics-siconos [--scene wall] [--across N] [--layers N] [--steps N] [--tol T] [--solver NAME]
//                           [--goal RATIO]
//
// Without a size some races of several sizes. NAME is one of the solvers of peer.cpp.
#include "base/check.h"
#include "linalg/threads.h"
#include "peer.h"
#include "scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { TURN = 10 }; // steps

typedef struct Settings {
    Kind kind;
    int across, layers, steps, solver;
    double tolerance, goal;
} Settings;

// Over all steps of one code.
typedef struct Tally {
    double seconds, late; // all; those of the second half, when all have met
    double contacts, sweeps;
    double error, error_scale_free;
    int last_contacts, missed; // steps above the tolerance
} Tally;

typedef struct Rest {
    double height, kinetic, lowest;
} Rest;

typedef struct Race {
    StickContext *ctx;
    Scene scene;
    int steps;
    Ours *ours;
    Theirs *theirs;
    Tally tally[2]; // theirs, ours
} Race;

// ---- steps in turns

// Of all threads, should there be several.
static double processor_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void add(Tally *tally, const Progress *progress, double seconds, bool late, double tolerance)
{
    tally->seconds += seconds;
    tally->late += late ? seconds : 0;
    tally->contacts += progress->contacts;
    tally->sweeps += progress->sweeps;
    tally->error = fmax(tally->error, progress->error);
    tally->error_scale_free = fmax(tally->error_scale_free, progress->error_scale_free);
    tally->missed += !(progress->error <= 1.01 * tolerance);
    tally->last_contacts = progress->contacts;
}

static StickStatus step(Race *race, bool ours, bool late)
{
    Progress progress;
    double start = processor_seconds();
    STICK_TRY(ours ? ours_step(race->ours) : theirs_step(race->theirs));
    double seconds = processor_seconds() - start;
    if (ours)
        progress = ours_progress(race->ours);
    else
        STICK_TRY(theirs_progress(race->theirs, &progress));
    add(&race->tally[ours], &progress, seconds, late, race->scene.tolerance);
    return STICK_OK;
}

static StickStatus take_turns(Race *race)
{
    for (int done = 0; done < race->steps; done += TURN)
        for (int ours = 0; ours < 2; ours++)
            for (int k = done; k < done + TURN && k < race->steps; k++)
                STICK_TRY(step(race, ours, 2 * k >= race->steps));
    return STICK_OK;
}

// ---- what came out

static Rest rest_of(const Race *race, bool ours)
{
    const Scene *scene = &race->scene;
    int n = scene_bodies(scene);
    double mass, inertia[3], below = scene->kind == SPHERES ? scene->radius : 0.5 * scene->brick[2];
    Rest rest = {.lowest = INFINITY};
    ours_mass(race->ours, &mass, inertia);
    for (int i = 0; i < n; i++) {
        double x[3], v[6];
        if (ours)
            ours_body(race->ours, i, x, v);
        else
            theirs_body(race->theirs, i, x, v);
        rest.height += x[2] / n;
        rest.lowest = fmin(rest.lowest, x[2] - below);
        for (int k = 0; k < 3; k++)
            rest.kinetic += 0.5 * (mass * v[k] * v[k] + inertia[k] * v[3 + k] * v[3 + k]);
    }
    return rest;
}

static double report(const Race *race)
{
    static const char *const names[] = {"Siconos", "stickslip"};
    const Scene *scene = &race->scene;
    printf("%d %s, %d steps of %g, mu %g, tolerance %g\n", scene_bodies(scene),
           scene->kind == SPHERES ? "spheres" : "bricks", race->steps, scene->step, scene->friction,
           scene->tolerance);
    printf("  %-10s %9s %9s | %8s %8s %7s | %9s %9s %6s | %9s %9s %9s\n", "", "ms/step", "2nd half",
           "contacts", "at end", "sweeps", "error", "scalefree", "missed", "height", "kinetic", "lowest");
    for (int ours = 0; ours < 2; ours++) {
        const Tally *tally = &race->tally[ours];
        Rest rest = rest_of(race, ours);
        printf("  %-10s %9.3f %9.3f | %8.0f %8d %7.1f | %9.1e %9.1e %6d | %9.5f %9.2e %9.1e\n", names[ours],
               1e3 * tally->seconds / race->steps, 1e3 * tally->late / (race->steps / 2),
               tally->contacts / race->steps, tally->last_contacts, tally->sweeps / race->steps, tally->error,
               tally->error_scale_free, tally->missed, rest.height, rest.kinetic, rest.lowest);
    }
    double ratio = race->tally[0].seconds / race->tally[1].seconds;
    printf("  ratio      %9.2f %9.2f\n", ratio, race->tally[0].late / race->tally[1].late);
    fflush(stdout);
    return ratio;
}

static StickStatus run(StickContext *ctx, const Settings *settings, double *least)
{
    Race race = {.ctx = ctx, .steps = settings->steps};
    // masses 1.05 and 1
    bool spheres = settings->kind == SPHERES;
    race.scene = (Scene){.kind = settings->kind,
                         .across = settings->across,
                         .layers = settings->layers,
                         .radius = spheres ? 0.5 : 0,
                         .brick = {1, 0.5, 0.5},
                         .density = spheres ? 2 : 4,
                         .friction = spheres ? 0.3 : 0.5,
                         .gravity = 9.81,
                         .step = 5e-3,
                         .tolerance = settings->tolerance};
    race.scene.side = 2.2 * race.scene.radius * settings->across;
    StickStatus status = ours_create(ctx, &race.scene, &race.ours);
    if (status == STICK_OK)
        status = theirs_create(ctx, &race.scene, race.ours, settings->solver, &race.theirs);
    if (status == STICK_OK)
        status = take_turns(&race);
    if (status == STICK_OK)
        *least = fmin(*least, report(&race));
    theirs_destroy(race.theirs);
    ours_destroy(race.ours);
    return status;
}

// ---- the program

static int refuse(const char *why, const char *what)
{
    fprintf(stderr, "bench.mechanics-siconos: %s '%s'\n", why, what);
    return 2;
}

static int find_solver(const char *name)
{
    for (int k = 0; peer_solver(k); k++)
        if (strcmp(name, peer_solver(k)) == 0)
            return k;
    return -1;
}

static int parse(int argc, char **argv, Settings *settings)
{
    for (int k = 1; k < argc; k += 2) {
        const char *word = argv[k], *value = argv[k + 1];
        if (!value)
            return refuse("no value behind", word);
        if (strcmp(word, "--scene") == 0 && strcmp(value, "wall") == 0)
            settings->kind = WALL;
        else if (strcmp(word, "--across") == 0)
            settings->across = atoi(value);
        else if (strcmp(word, "--layers") == 0)
            settings->layers = atoi(value);
        else if (strcmp(word, "--steps") == 0)
            settings->steps = atoi(value);
        else if (strcmp(word, "--tol") == 0)
            settings->tolerance = atof(value);
        else if (strcmp(word, "--goal") == 0)
            settings->goal = atof(value);
        else if (strcmp(word, "--solver") == 0)
            settings->solver = find_solver(value);
        else
            return refuse("unknown option", word);
    }
    return settings->solver >= 0 ? 0 : refuse("unknown", "--solver");
}

// Libraries read this when they are loaded: once more, with it set.
static void use_one_blas_thread(char **argv)
{
    if (getenv("OPENBLAS_NUM_THREADS"))
        return;
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
    execv("/proc/self/exe", argv);
}

// The peer reaches 1e-4 in nearly all steps, 1e-6 not.
static const Settings races[] = {
    {.across = 5, .layers = 5, .steps = 200, .tolerance = 1e-6},
    {.across = 8, .layers = 8, .steps = 200, .tolerance = 1e-4},
    {.across = 10, .layers = 10, .steps = 200, .tolerance = 1e-4},
    {.across = 14, .layers = 10, .steps = 120, .tolerance = 1e-4},
    {.kind = WALL, .across = 10, .layers = 10, .steps = 100, .tolerance = 1e-4},
};

// One of these, or the one that was asked for; the rest as asked for.
static Settings choose_race(const Settings *given, int index)
{
    Settings race = races[index];
    if (given->across > 0) {
        race = (Settings){.kind = given->kind, .across = given->across, .layers = given->across};
        race.steps = 200;
        race.tolerance = 1e-4;
    }
    race.layers = given->layers > 0 ? given->layers : race.layers;
    race.steps = given->steps > 0 ? given->steps : race.steps;
    race.tolerance = given->tolerance > 0 ? given->tolerance : race.tolerance;
    race.solver = given->solver;
    return race;
}

int main(int argc, char **argv)
{
    Settings settings = {.solver = find_solver("NSGS-NSN_GP"), .goal = 5};
    double least = INFINITY;
    use_one_blas_thread(argv);
    if (parse(argc, argv, &settings) != 0)
        return 2;
    StickContext *ctx = stick_context_create(NULL);
    StickStatus status = STICK_OK;
    stick_blas_single_thread();
    int nraces = settings.across > 0 ? 1 : (int)(sizeof races / sizeof *races);
    for (int k = 0; k < nraces && status == STICK_OK; k++) {
        Settings race = choose_race(&settings, k);
        status = run(ctx, &race, &least);
    }
    if (status != STICK_OK)
        fprintf(stderr, "%s: %s\n", stick_status_name(status), stick_last_error(ctx));
    else
        printf("at least %.1f times as fast (goal: %g)\n", least, settings.goal);
    stick_context_destroy(ctx);
    return status != STICK_OK ? 1 : least < settings.goal;
}
