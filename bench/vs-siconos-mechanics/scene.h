// SPDX-License-Identifier: Apache-2.0
// Spheres that fall into a box, or a wall of bricks on a floor, and what both codes tell of each step.
#ifndef BENCH_MECHANICS_SCENE_H
#define BENCH_MECHANICS_SCENE_H

#include <stickslip/context.h>

typedef enum Kind {
    SPHERES, // across x across x layers, a little disturbed; floor at z = 0, walls at x, y = 0 and side
    WALL, // layers of bricks, across in each, every second layer a quarter of a brick aside; the same floor
} Kind;

// Masses are about 1: then impulses and velocities weigh alike in the error that both codes are asked for.
typedef struct Scene {
    Kind kind;
    int across, layers;
    double radius;   // spheres
    double brick[3]; // wall: its sides
    double density, friction, gravity, side, step, tolerance;
} Scene;

// Of one step.
typedef struct Progress {
    int contacts, sweeps;
    double error, error_scale_free; // by our verifier
} Progress;

typedef struct Ours Ours;

StickStatus ours_create(StickContext *ctx, const Scene *scene, Ours **ours);
void ours_destroy(Ours *ours);
StickStatus ours_step(Ours *ours);
Progress ours_progress(const Ours *ours);

// All bodies are alike: mass, and inertia about their own axes. Angular velocities are in these axes, too.
void ours_mass(const Ours *ours, double *mass, double inertia[3]);
void ours_body(const Ours *ours, int body, double centre[3], double velocity[6]);

// The same bodies by the peer, from the places that ours start from.
typedef struct Theirs Theirs;

StickStatus theirs_create(StickContext *ctx, const Scene *scene, const Ours *ours, int solver,
                          Theirs **theirs);
void theirs_destroy(Theirs *theirs);
StickStatus theirs_step(Theirs *theirs);
StickStatus theirs_progress(Theirs *theirs, Progress *progress);
void theirs_body(const Theirs *theirs, int body, double centre[3], double velocity[6]);

static inline int scene_bodies(const Scene *scene)
{
    return scene->across * scene->layers * (scene->kind == SPHERES ? scene->across : 1);
}

#endif
