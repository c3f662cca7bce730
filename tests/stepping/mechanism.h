// SPDX-License-Identifier: Apache-2.0
// What tests of rigid bodies and their joints look at: degrees of freedom, places of points of bodies, balances.
#ifndef STEPPING_MECHANISM_H
#define STEPPING_MECHANISM_H

#include "base/vec.h"
#include "stepping/scene.h"

#include <string.h>

#define STONE "materials: {stone: {density: 1}}\n"

static inline void scene_run(const Scene *scene)
{
    while (!stick_simulation_is_done(scene->run))
        scene_step(scene);
}

static inline double *q_of(const Scene *scene, int body)
{
    return scene->run->state.now.q + scene->system->body[body].first;
}

static inline double *v_of(const Scene *scene, int body)
{
    return scene->run->state.now.v + scene->system->body[body].first;
}

static inline void check_books_within(const Scene *scene, double error)
{
    const StickLedger *ledger = &scene->run->ledger;
    assert_below(ledger->worst_closure, error);
    assert_below(ledger->worst_momentum, error);
    assert_below(ledger->worst_angular, error);
    assert_below(ledger->worst_jump, error);
}

static inline void check_books(const Scene *scene)
{
    check_books_within(scene, 1e-11);
}

// Where a point of a body is that was at a place at the start.
static inline void place_of(const Scene *scene, int body, const double start[3], double place[3])
{
    const double rest[6] = {0};
    const StickRigid *rigid = scene->system->body[body].rigid;
    StickPose first = stick_rigid_pose(rigid, rest), now = stick_rigid_pose(rigid, q_of(scene, body));
    double arm[3], x[3];
    stick_vec_sub(start, first.centre, arm);
    for (int k = 0; k < 3; k++)
        x[k] = stick_vec_dot(first.axis[k], arm);
    stick_pose_place(&now, x, place);
}

// Distance of the places of two bodies (-1: space) that were common at the start.
static inline double off(const Scene *scene, int a, int b, double x, double y, double z)
{
    const double start[3] = {x, y, z};
    double first[3], second[3] = {x, y, z}, apart[3];
    place_of(scene, a, start, first);
    if (b >= 0)
        place_of(scene, b, start, second);
    stick_vec_sub(first, second, apart);
    return stick_vec_norm(apart);
}

#endif
