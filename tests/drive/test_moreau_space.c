// SPDX-License-Identifier: Apache-2.0
// Rigid bodies in space by Moreau's step: free tops, rolling spheres, boxes at rest, balances to the last digits.
#include "base/vec.h"
#include "drive/scene.h"

#include <string.h>

#define HEAD "stickslip: 1\nmaterials: {stone: {density: 2500}}\n"

static void scene_run(const Scene *scene)
{
    while (!stick_run_is_done(scene->run))
        scene_step(scene);
}

static double *q_of(const Scene *scene, int body)
{
    return scene->run->state.now.q + scene->system->body[body].first;
}

static double *v_of(const Scene *scene, int body)
{
    return scene->run->state.now.v + scene->system->body[body].first;
}

static void check_books(const Scene *scene)
{
    const StickLedger *ledger = &scene->run->ledger;
    assert_below(ledger->worst_closure, 1e-12);
    assert_below(ledger->worst_momentum, 1e-12);
    assert_below(ledger->worst_angular, 1e-12);
    assert_below(ledger->worst_jump, 1e-12);
}

// ---- free tops

static void open_top(Scene *scene, StickContext *ctx, const char *box, const char *spin, double h, double end)
{
    scene_open(scene, ctx,
               "materials: {stone: {density: 2500}}\n"
               "bodies: {top: {rigid: {box: %s}, material: stone, angular-velocity: %s}}\n"
               "steps: [{dynamics: {scheme: moreau, step: %.17g, end: %.17g}}]\n",
               box, spin, h, end);
}

// About the middle axis a spin turns over again and again (Dzhanibekov): momentum is kept exactly, energy to order h^2.
static void tops_keep_angular_momentum_and_nearly_energy(void **state)
{
    double drift[2];
    for (int k = 0; k < 2; k++) {
        Scene scene;
        double angular[3], h = k == 0 ? 2e-3 : 1e-3, least = INFINITY, worst = 0;
        open_top(&scene, *state, "[0.3, 0.5, 0.1]", "[5, 0.01, 0]", h, 10);
        double energy = scene.run->ledger.kinetic;
        memcpy(angular, scene.run->ledger.angular, sizeof angular);
        while (!stick_run_is_done(scene.run)) {
            scene_step(&scene);
            StickPose pose = stick_rigid_pose(scene.system->body[0].rigid, q_of(&scene, 0));
            least = fmin(least, pose.axis[0][0]);
            worst = fmax(worst, fabs(scene.run->ledger.kinetic / energy - 1));
        }
        for (int i = 0; i < 3; i++)
            assert_near(scene.run->ledger.angular[i], angular[i], 1e-12 * scene.run->ledger.angular_scale);
        assert_below(least, -0.9); // it turned over
        check_books(&scene);
        drift[k] = worst;
        scene_close(&scene);
    }
    assert_below(drift[1], 1e-4);
    assert_below(drift[1], 0.35 * drift[0]);
}

// A symmetric top: its axis goes round the angular momentum with the angular velocity L / J1.
static void symmetric_tops_precess(void **state)
{
    Scene scene;
    open_top(&scene, *state, "[0.4, 0.4, 0.2]", "[1, 0, 4]", 1e-3, 1);
    const StickRigid *rigid = scene.system->body[0].rigid;
    double L[3] = {rigid->J0[0] * 1, 0, rigid->J0[8] * 4}, rate = stick_vec_norm(L) / rigid->J0[0];
    scene_run(&scene);
    // axis(t): that of the start, turned about L by rate t
    StickPose pose = stick_rigid_pose(rigid, q_of(&scene, 0));
    double n[3], z[3] = {0, 0, 1}, side[3];
    memcpy(n, L, sizeof n);
    stick_vec_normalise(n);
    stick_vec_cross(n, z, side);
    for (int i = 0; i < 3; i++) {
        double part = n[i] * n[2], axis = part + (z[i] - part) * cos(rate) + side[i] * sin(rate);
        assert_near(pose.axis[2][i], axis, 1e-5);
    }
    scene_close(&scene);
}

// ---- spheres

static void open_sphere(Scene *scene, StickContext *ctx, double mu)
{
    double a = acos(-1) / 9;
    scene_open(scene, ctx,
               "materials: {stone: {density: 2500}}\n"
               "bodies: {ball: {rigid: {sphere: 0.1}, material: stone, position: [%.17g, 0, %.17g]}}\n"
               "obstacles: {slope: {plane: {point: [0, 0, 0], normal: [%.17g, 0, %.17g]}}}\n"
               "gravity: [0, 0, -9.81]\n"
               "contacts: [{between: all, friction: %g}]\n"
               "steps: [{dynamics: {scheme: moreau, step: 1e-3, end: 1}}]\n",
               0.1 * sin(a), 0.1 * cos(a), sin(a), cos(a), mu);
}

static double downhill(const double *v)
{
    double a = acos(-1) / 9;
    return v[0] * cos(a) - v[2] * sin(a);
}

static void spheres_roll_or_slip_by_friction(void **state)
{
    Scene scene;
    open_sphere(&scene, *state, 0.11);
    scene_run(&scene);
    assert_near(downhill(v_of(&scene, 0)), 2.396584, 1e-6);
    assert_near(v_of(&scene, 0)[4] * 0.1, 2.396584, 1e-6);
    check_books(&scene);
    scene_close(&scene);
    open_sphere(&scene, *state, 0.05);
    scene_run(&scene);
    assert_near(downhill(v_of(&scene, 0)), 2.894298, 1e-6);
    check_books(&scene);
    scene_close(&scene);
}

// ---- boxes

static void boxes_at_rest_stay_at_rest(void **state)
{
    Scene scene;
    scene_open(
        &scene, *state,
        "materials: {stone: {density: 2500}}\n"
        "bodies: {box: {rigid: {box: [0.5, 0.4, 0.3]}, material: stone, repeat: {j: [0, 4]}, position: "
        "[0, 0, \"0.15 + 0.3*j\"]}}\n"
        "obstacles: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}}\n"
        "gravity: [0, 0, -9.81]\n"
        "contacts: [{between: all, friction: 0.3}]\n"
        "steps: [{dynamics: {scheme: moreau, step: 1e-3, end: 1}}]\n");
    scene_run(&scene);
    for (int i = 0; i < scene.run->state.n; i++)
        assert_near(scene.run->state.now.q[i], 0, 1e-10);
    scene_close(&scene);
}

// Boxes, spheres, capsules and cylinders that hit each other, without anything from outside.
static void isolated_bodies_keep_momentum_and_angular_momentum(void **state)
{
    Scene scene;
    scene_open(
        &scene, *state,
        "materials: {stone: {density: 2500}}\n"
        "bodies:\n"
        "  box: {rigid: {box: [0.5, 0.3, 0.4]}, material: stone, position: [-1, 0.1, 0], velocity: [2, 0, "
        "0], "
        "angular-velocity: [1, 5, 2]}\n"
        "  ball: {rigid: {sphere: 0.3}, material: stone}\n"
        "  rod: {rigid: {capsule: {radius: 0.1, length: 0.6}}, material: stone, position: [0.8, 0.1, 0], "
        "velocity: [-2, 0.1, 0], angular-velocity: [3, 0, -4]}\n"
        "  can: {rigid: {cylinder: {radius: 0.2, length: 0.5}}, material: stone, position: [0, -0.9, 0], "
        "velocity: [0, 2, 0.1], angular-velocity: [3, 4, 0]}\n"
        "contacts: [{between: all, friction: 0.5, dissipation: 0.4}]\n"
        "steps: [{dynamics: {scheme: moreau, step: 1e-3, end: 1}}]\n");
    double momentum[3], angular[3];
    memcpy(momentum, scene.run->ledger.momentum, sizeof momentum);
    memcpy(angular, scene.run->ledger.angular, sizeof angular);
    scene_run(&scene);
    const StickLedger *ledger = &scene.run->ledger;
    assert_true(ledger->structural > 0 && ledger->frictional > 0);
    for (int k = 0; k < 3; k++) {
        assert_near(ledger->momentum[k], momentum[k], 1e-12 * ledger->momentum_scale);
        assert_near(ledger->angular[k], angular[k], 1e-12 * ledger->angular_scale);
    }
    check_books(&scene);
    scene_close(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(tops_keep_angular_momentum_and_nearly_energy),
        test_with_context(symmetric_tops_precess),
        test_with_context(spheres_roll_or_slip_by_friction),
        test_with_context(boxes_at_rest_stay_at_rest),
        test_with_context(isolated_bodies_keep_momentum_and_angular_momentum),
    };
    return cmocka_run_group_tests_name("moreau_space", tests, NULL, NULL);
}
