// SPDX-License-Identifier: Apache-2.0
#include "base/memory.h"
#include "base/text.h"
#include "scene.h"
#include "stepping/simulation.h"

#include <stdio.h>
#include <string.h>

struct Ours {
    StickContext *ctx;
    StickModel *model;
    StickSystem *system;
    StickSimulation *run;
};

// Distances in the lattice are 2.2 radii; no two spheres overlap, none hangs in a column of its own.
static const char spheres_text[] =
    "stickslip: 1\n"
    "parameters: {n: %d, layers: %d, r: %.17g, side: %.17g}\n"
    "materials: {stone: {density: %.17g}}\n"
    "bodies:\n"
    "  ball:\n"
    "    rigid: {sphere: r}\n"
    "    material: stone\n"
    "    repeat: {i: [1, n], j: [1, n], k: [1, layers]}\n"
    "    position: [\"r*(2.2*i - 1.1 + 0.08*sin(3*k + 5*j))\", \"r*(2.2*j - 1.1 + 0.08*sin(4*k + 2*i))\",\n"
    "               \"r*(2.2*k - 1.18)\"]\n"
    "obstacles:\n"
    "  floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}, material: stone}\n"
    "  west: {plane: {point: [0, 0, 0], normal: [1, 0, 0]}, material: stone}\n"
    "  east: {plane: {point: [side, 0, 0], normal: [-1, 0, 0]}, material: stone}\n"
    "  south: {plane: {point: [0, 0, 0], normal: [0, 1, 0]}, material: stone}\n"
    "  north: {plane: {point: [0, side, 0], normal: [0, -1, 0]}, material: stone}\n"
    "%s";

// Beside each other bricks are apart; one above the other they fall by a thousandth.
static const char wall_text[] = "stickslip: 1\n"
                                "parameters: {n: %d, layers: %d, a: %.17g, b: %.17g, c: %.17g}\n"
                                "materials: {stone: {density: %.17g}}\n"
                                "bodies:\n"
                                "  brick:\n"
                                "    rigid: {box: [a, b, c]}\n"
                                "    material: stone\n"
                                "    repeat: {i: [1, n], k: [1, layers]}\n"
                                "    position: [\"a*(1.05*i + 0.25*(k %% 2))\", 0, \"c*(1.001*k - 0.5)\"]\n"
                                "obstacles:\n"
                                "  floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}, material: stone}\n"
                                "%s";

static const char common_text[] =
    "gravity: [0, 0, %.17g]\n"
    "contacts: [{between: [stone, stone], friction: %.17g}]\n"
    "steps: [{dynamics: {scheme: moreau, step: %.17g, end: 1000}, solver: {tolerance: %.17g}}]\n";

static StickStatus read_model(StickContext *ctx, const Scene *scene, StickModel **model)
{
    char common[512], text[4096];
    snprintf(common, sizeof common, common_text, -scene->gravity, scene->friction, scene->step,
             scene->tolerance);
    if (scene->kind == SPHERES)
        snprintf(text, sizeof text, spheres_text, scene->across, scene->layers, scene->radius, scene->side,
                 scene->density, common);
    else
        snprintf(text, sizeof text, wall_text, scene->across, scene->layers, scene->brick[0], scene->brick[1],
                 scene->brick[2], scene->density, common);
    StickModelSource source = {.name = "scene", .folder = ".", .bytes = text, .count = strlen(text)};
    return stick_model_read_text(ctx, &source, model);
}

StickStatus ours_create(StickContext *ctx, const Scene *scene, Ours **ours)
{
    Ours *made;
    STICK_ALLOC(ctx, made, 1);
    made->ctx = ctx;
    StickStatus status = read_model(ctx, scene, &made->model);
    if (status == STICK_OK)
        status = stick_system_create(ctx, made->model, &made->system);
    if (status == STICK_OK)
        status = stick_simulation_create(ctx, made->system, &made->model->step[0], &made->run);
    if (status == STICK_OK)
        status = stick_simulation_start(made->run, NULL);
    if (status == STICK_OK)
        *ours = made;
    else
        ours_destroy(made);
    return status;
}

void ours_destroy(Ours *ours)
{
    if (!ours)
        return;
    stick_simulation_destroy(ours->run);
    stick_system_destroy(ours->system);
    stick_model_destroy(ours->model);
    stick_free(ours->ctx, ours);
}

StickStatus ours_step(Ours *ours)
{
    return stick_simulation_step(ours->run);
}

Progress ours_progress(const Ours *ours)
{
    const StickSimulation *run = ours->run;
    if (run->contacts.ncontacts == 0)
        return (Progress){0};
    return (Progress){run->contacts.ncontacts, run->info.iterations, run->certificate.error,
                      run->certificate.error_scale_free};
}

void ours_mass(const Ours *ours, double *mass, double inertia[3])
{
    const StickRigid *rigid = ours->system->body[0].rigid;
    *mass = rigid->mass;
    for (int k = 0; k < 3; k++)
        inertia[k] = rigid->J0[4 * k];
}

void ours_body(const Ours *ours, int index, double centre[3], double velocity[6])
{
    const StickBody *body = &ours->system->body[index];
    const StickMotion *now = &ours->run->state.now;
    const double *v = now->v + body->first;
    StickPose pose = stick_rigid_pose(body->rigid, now->q + body->first);
    memcpy(centre, pose.centre, 3 * sizeof *centre);
    memcpy(velocity, v, 3 * sizeof *velocity);
    for (int k = 0; k < 3; k++)
        velocity[3 + k] = pose.axis[k][0] * v[3] + pose.axis[k][1] * v[4] + pose.axis[k][2] * v[5];
}
