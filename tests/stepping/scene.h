// SPDX-License-Identifier: Apache-2.0
// A model in a text, its system and its run: what the tests of the driver step through, without any files.
#ifndef STEPPING_SCENE_H
#define STEPPING_SCENE_H

#include "check.h"
#include "contact/adjust.h"
#include "stepping/simulation.h"

#include <stdarg.h>

typedef struct Scene {
    StickContext *ctx;
    StickModel *model;
    StickSystem *system;
    StickSimulation *run; // of the first step of the model
} Scene;

static inline void scene_close(Scene *scene)
{
    stick_simulation_destroy(scene->run);
    stick_system_destroy(scene->system);
    stick_model_destroy(scene->model);
    *scene = (Scene){0};
}

static inline StickStatus scene_build(Scene *scene, StickContext *ctx, const char *text)
{
    StickModelSource source = {.name = "model.yaml", .folder = ".", .bytes = text, .count = strlen(text)};
    scene->ctx = ctx;
    STICK_TRY(stick_model_read_text(ctx, &source, &scene->model));
    STICK_TRY(stick_adjusted_system_create(ctx, scene->model, &scene->system));
    STICK_TRY(stick_simulation_create(ctx, scene->system, &scene->model->step[0], &scene->run));
    return stick_simulation_start(scene->run, NULL);
}

// On an error the scene is empty.
static inline StickStatus scene_try(Scene *scene, StickContext *ctx, const char *text)
{
    *scene = (Scene){0};
    StickStatus status = scene_build(scene, ctx, text);
    if (status != STICK_OK)
        scene_close(scene);
    return status;
}

// The model is given as to printf, without its first line.
__attribute__((format(printf, 3, 4))) static inline void scene_open(Scene *scene, StickContext *ctx,
                                                                    const char *format, ...)
{
    static char text[16384];
    va_list arguments;
    int start = snprintf(text, sizeof text, "stickslip: 1\n");
    va_start(arguments, format);
    int length = vsnprintf(text + start, sizeof text - (size_t)start, format, arguments);
    va_end(arguments);
    assert_true(length > 0 && length < (int)sizeof text - start);
    StickStatus status = scene_try(scene, ctx, text);
    if (status != STICK_OK)
        print_error("%s\n%s\n", stick_last_error(ctx), text);
    assert_int_equal(status, STICK_OK);
}

static inline void scene_step(const Scene *scene)
{
    assert_ok(scene->ctx, stick_simulation_step(scene->run));
}

static inline void scene_steps(const Scene *scene, int count)
{
    for (int k = 0; k < count; k++)
        scene_step(scene);
}

static inline const StickGroup *scene_group(const Scene *scene, int body, const char *name)
{
    const StickGroup *group = stick_mesh_group(&scene->system->body[body].mesh, name);
    assert_non_null(group);
    return group;
}

// Degree of freedom of the first node of a group.
static inline int scene_dof(const Scene *scene, int body, const char *name, int component)
{
    const StickBody *own = &scene->system->body[body];
    return own->first + scene_group(scene, body, name)->node[0] * scene->system->dim + component;
}

// Mean of a nodal vector over a body, weighted by its mass: of v the velocity of the mass centre.
static inline double scene_mean(const Scene *scene, int body, int component, const double *x)
{
    const StickBody *own = &scene->system->body[body];
    int dim = scene->system->dim;
    double sum = 0, mass = 0;
    for (int j = component; j < own->ndofs; j += dim) {
        for (int e = own->M.start[j]; e < own->M.start[j + 1]; e++) {
            sum += own->M.value[e] * x[own->first + own->M.row[e]];
            mass += own->M.value[e];
        }
    }
    return sum / mass;
}

// Sum of the normal contact forces of the last step.
static inline double scene_force(const Scene *scene)
{
    const StickSimulation *run = scene->run;
    double sum = 0;
    for (int c = 0; c < run->contacts.ncontacts; c++)
        sum += run->r[c * scene->system->dim];
    return sum * stick_simulation_force(run);
}

static inline double scene_energy(const Scene *scene)
{
    return scene->run->ledger.kinetic + scene->run->ledger.elastic;
}

// A scene of a model's text and three steps of it, for tests in which memory fails.
static inline StickStatus scene_three_steps(StickContext *ctx, void *text)
{
    Scene scene;
    STICK_TRY(scene_try(&scene, ctx, text));
    StickStatus status = STICK_OK;
    for (int i = 0; i < 3 && status == STICK_OK; i++)
        status = stick_simulation_step(scene.run);
    scene_close(&scene);
    return status;
}

#endif
