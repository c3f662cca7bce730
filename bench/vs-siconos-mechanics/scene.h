// SPDX-License-Identifier: Apache-2.0
// Spheres that fall into a box, and what both codes tell of each step.
#ifndef BENCH_MECHANICS_SCENE_H
#define BENCH_MECHANICS_SCENE_H

#include <stickslip/context.h>

// across x across x layers spheres, a little disturbed, floor at z = 0, walls at x, y = 0 and side. Masses are about 1:
// then impulses and velocities weigh alike in the error that both codes are asked for.
typedef struct Scene {
    int across, layers;
    double radius, density, friction, gravity, side, step, tolerance;
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
double ours_mass(const Ours *ours);
void ours_sphere(const Ours *ours, int sphere, double centre[3], double velocity[6]);

// The same spheres by the peer, from the places that ours start from.
typedef struct Theirs Theirs;

StickStatus theirs_create(StickContext *ctx, const Scene *scene, const Ours *ours, int solver,
                          Theirs **theirs);
void theirs_destroy(Theirs *theirs);
StickStatus theirs_step(Theirs *theirs);
StickStatus theirs_progress(Theirs *theirs, Progress *progress);
void theirs_sphere(const Theirs *theirs, int sphere, double centre[3], double velocity[6]);

static inline int scene_spheres(const Scene *scene)
{
    return scene->across * scene->across * scene->layers;
}

#endif
