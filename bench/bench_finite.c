// SPDX-License-Identifier: Apache-2.0
// What it costs to assemble forces and tangent of a body under finite deformation with 1e5 degrees of freedom, beside
// one CHOLMOD refactorisation of the tangent in the same run; the goal is at most a half.
#include "base/clock.h"
#include "base/memory.h"
#include "base/pool.h"
#include "bodies/finite.h"
#include "fem/finite.h"
#include "linalg/factor.h"
#include "linalg/threads.h"
#include "stage.h"

#include <math.h>

typedef struct Scene {
    const char *name;
    const char *law;
    const char *mesh;
    const char *plane;
} Scene;

static const char rubber[] = "law: mooney-rivlin, a1: 0.293, a2: 0.177, bulk: 1200, density: 1e-9";
static const char relaxing[] =
    "law: mooney-rivlin, a1: 0.293, a2: 0.177, bulk: 1200, density: 1e-9, prony: [{share: 0.3, time: 1}]";
static const char metal[] =
    "law: j2, young: 117e3, poisson: 0.35, density: 8930e-12, yield: 400, hardening: {modulus: 100}";
static const char square[] = "rectangle: {size: [1, 1], cells: [223, 223]}";
static const char cube[] = "box: {size: [1, 1, 1], cells: [21, 21, 21]}";

static const Scene scenes[] = {
    {"plane strain, Mooney-Rivlin", rubber, square, "plane: strain, "},
    {"plane strain, with relaxation", relaxing, square, "plane: strain, "},
    {"plane strain, plastic", metal, square, "plane: strain, "},
    {"ring, Mooney-Rivlin: nine points per element", rubber, square, "plane: axisymmetric, "},
    {"space, Mooney-Rivlin", rubber, cube, ""},
};

enum { ROUNDS = 5 };

static const double goal = 0.5;

// Squeezed by a part in a hundred, with waves.
static void deform(const StickBody *body, double *q)
{
    int dim = body->mesh.dim;
    for (int i = 0; i < body->ndofs; i++) {
        const double *x = body->mesh.x + i / dim * dim;
        q[i] = 0.01 * (i % dim == 0 ? x[0] : -x[i % dim]) + 1e-4 * sin(20 * x[0] + i % dim) * x[0];
    }
}

// Of one thread its own time: others may work on the machine.
static double now(int threads)
{
    return threads == 1 ? stick_clock_cpu() : stick_clock_wall();
}

static StickStatus assemble(StickContext *ctx, const StickBody *body, StickFiniteTask *task, int threads,
                            double *time)
{
    double spent[ROUNDS];
    STICK_TRY(stick_threads_set(ctx, threads));
    for (int k = 0; k < ROUNDS; k++) {
        double clock = now(threads);
        STICK_TRY(stick_finite_evaluate(body->finite, task));
        spent[k] = now(threads) - clock;
    }
    *time = stage_median(spent, ROUNDS);
    return STICK_OK;
}

typedef struct Room {
    double *q, *force, *past, *next, *tangent;
    StickFactor *factor;
} Room;

static StickStatus take_room(StickContext *ctx, const StickSystem *system, Room *room)
{
    const StickBody *body = &system->body[0];
    STICK_ALLOC(ctx, room->q, body->ndofs);
    STICK_ALLOC(ctx, room->force, body->ndofs);
    STICK_ALLOC(ctx, room->past, system->nhistory + 1);
    STICK_ALLOC(ctx, room->next, system->nhistory + 1);
    STICK_ALLOC(ctx, room->tangent, body->K.start[body->ndofs]);
    deform(body, room->q);
    stick_system_rest(system, room->past);
    return stick_factor_create(ctx, &body->K, &room->factor);
}

static void give_back(StickContext *ctx, Room *room)
{
    stick_free(ctx, room->q);
    stick_free(ctx, room->force);
    stick_free(ctx, room->past);
    stick_free(ctx, room->next);
    stick_free(ctx, room->tangent);
    stick_factor_destroy(room->factor);
}

// Of M + K_T / 1000 or so: definite as the matrix of a step is, with the same pattern.
static StickStatus refactor(const StickBody *body, const Room *room, double *time)
{
    StickSparse A = body->K;
    double *tangent = room->tangent, largest = 0, spent[ROUNDS];
    for (int j = 0; j < body->ndofs; j++)
        largest = fmax(largest, tangent[stick_sparse_find(&A, j, j)]);
    for (int j = 0; j < body->ndofs; j++)
        tangent[stick_sparse_find(&A, j, j)] += largest;
    A.value = tangent;
    for (int k = 0; k < ROUNDS; k++) {
        double clock = now(1);
        STICK_TRY(stick_factor_refactor(room->factor, &A));
        spent[k] = now(1) - clock;
    }
    *time = stage_median(spent, ROUNDS);
    return STICK_OK;
}

static StickStatus measure(StickContext *ctx, const StickSystem *system, Room *room, double *ratio)
{
    const StickBody *body = &system->body[0];
    double one, two, factor;
    StickFiniteTask task = {.q = room->q,
                            .h = 0.1,
                            .past = room->past,
                            .next = room->next,
                            .force = room->force,
                            .tangent = room->tangent,
                            .no_loss = true}; // as iterations do not ask for it
    STICK_TRY(assemble(ctx, body, &task, 1, &one));
    STICK_TRY(assemble(ctx, body, &task, 2, &two));
    STICK_CHECK(ctx, task.bad_element < 0, STICK_INTERNAL, "element %d is bad", task.bad_element);
    STICK_TRY(refactor(body, room, &factor));
    printf("  %d degrees of freedom: assembly %.1f ms on one thread, %.1f ms on two; CHOLMOD %.1f ms: %.2f "
           "and %.2f of it (goal: at most %.1f)\n",
           body->ndofs, 1e3 * one, 1e3 * two, 1e3 * factor, one / factor, two / factor, goal);
    *ratio = one / factor;
    return STICK_OK;
}

static StickStatus run_scene(StickContext *ctx, const Scene *scene, double *ratio)
{
    char text[1024];
    Stage stage = {0};
    Room room = {0};
    snprintf(
        text, sizeof text,
        "stickslip: 1\nmaterials: {stuff: {%s}}\nbodies:\n  block: {mesh: {%s}, %selement: mean-dilatation, "
        "material: stuff}\nsteps: [{dynamics: {step: 1, end: 1}}]\n",
        scene->law, scene->mesh, scene->plane);
    printf("%s\n", scene->name);
    StickStatus status = stage_open(ctx, "finite", text, &stage);
    if (status == STICK_OK)
        status = take_room(ctx, stage.system, &room);
    if (status == STICK_OK)
        status = measure(ctx, stage.system, &room, ratio);
    give_back(ctx, &room);
    stage_close(&stage);
    return status;
}

int main(int argc, char **argv)
{
    StickContext *ctx = stick_context_create(NULL);
    StickStatus status = STICK_OK;
    double worst = 0;
    size_t count = sizeof scenes / sizeof *scenes, only = argc > 1 ? (size_t)atoi(argv[1]) : count;
    stick_blas_single_thread();
    for (size_t k = 0; k < count && status == STICK_OK; k++) {
        double ratio = 0;
        if (only == count || only == k)
            status = run_scene(ctx, &scenes[k], &ratio);
        worst = fmax(worst, ratio);
    }
    if (status == STICK_OK && worst > goal)
        status = stick_fail(ctx, STICK_CHECK_FAILED, "assembly costs more than its goal");
    return stage_end(ctx, status);
}
