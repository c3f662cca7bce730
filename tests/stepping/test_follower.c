// SPDX-License-Identifier: Apache-2.0
// Pressures that follow the surface of bodies under finite deformation: a thick tube, and a block that is turned.
#include "stepping/scene.h"

// A slice of a long tube of neo-Hookean rubber, radii 1 and 2, in which volumes hardly change. Its points go to
// r^2 = R^2 + c, and p = shear [ln(B/A) - ln(b/a) + c/2 (1/a^2 - 1/b^2)].
static double tube_pressure(double c)
{
    double a = sqrt(1 + c), b = sqrt(4 + c);
    return log(2) - log(b / a) + c / 2 * (1 / (a * a) - 1 / (b * b));
}

// Radius to which pressure p on the inside of the tube brings that.
static double inner_radius(StickContext *ctx, double p, const char *follows, int cells, double *iterations)
{
    Scene scene;
    scene_open(
        &scene, ctx,
        "materials: {rubber: {law: neo-hookean, shear: 1, bulk: 1e6, density: 1}}\n"
        "bodies: {tube: {mesh: {rectangle: {size: [1, 0.1], cells: [%d, 1], origin: [1, 0]}}, element: "
        "mean-dilatation, plane: axisymmetric, material: rubber}}\n"
        "supports: [{on: tube.bottom, displacement: [free, 0]}, {on: tube.top, displacement: [free, 0]}]\n"
        "loads: [{on: tube.left, pressure: \"%.17g*t\"%s}]\n"
        "steps: [{quasistatic: {end: 1, increments: 10}}]\n",
        cells, p, follows);
    while (!stick_simulation_is_done(scene.run))
        scene_step(&scene);
    double radius = 1 + scene.run->state.now.q[scene_dof(&scene, 0, "left", 0)];
    *iterations = scene.run->record.newton_most;
    scene_close(&scene);
    return radius;
}

static void tube_under_pressure_from_inside(void **state)
{
    double c = 1.25, p = tube_pressure(c), iterations; // to 1.5 times its inner radius
    double coarse = inner_radius(*state, p, ", follows: true", 4, &iterations) - 1.5;
    double fine = inner_radius(*state, p, ", follows: true", 8, &iterations) - 1.5;
    assert_near(fine, 0, 5e-4);
    assert_near(coarse / fine, 4, 0.2); // of second order
    assert_true(iterations <= 10);
    // a pressure that stays on the area of the start pushes less
    assert_true(inner_radius(*state, p, "", 8, &iterations) < 1.4);
}

// A square under the same pressure from all sides gets smaller in its own axes, whatever way it was turned before.
static void pressure_from_all_sides_turns_nothing(void **state)
{
    Scene scene;
    scene_open(
        &scene, *state,
        "materials: {rubber: {law: mooney-rivlin, a1: 0.3, a2: 0.2, bulk: 5, density: 1}}\n"
        "bodies: {block: {mesh: {rectangle: {size: [1, 1], cells: [3, 3]}}, plane: strain, material: "
        "rubber}}\n"
        "supports: [{on: block.left, displacement: [0, free]}, {on: block.bottom-left, displacement: [free, "
        "0]}]\n"
        "loads: [{on: block.right, pressure: \"t\", follows: true}, {on: block.top, pressure: \"t\", "
        "follows: "
        "true}, {on: block.bottom, pressure: \"t\", follows: true}]\n"
        "steps: [{quasistatic: {end: 1, increments: 2}}]\n");
    while (!stick_simulation_is_done(scene.run))
        scene_step(&scene);
    const StickMotion *now = &scene.run->state.now;
    double width = 1 + now->q[scene_dof(&scene, 0, "bottom-right", 0)];
    double height = 1 + now->q[scene_dof(&scene, 0, "top-left", 1)];
    assert_near(width, height, 1e-10);
    // Cauchy stress of F = diag(s, s, 1) is -1 in the plane
    double s = width, J = s * s, sum = s * s + s * s + 1, inverse = 2 / (s * s) + 1;
    double dev = 2 * 0.3 * pow(J, -2.0 / 3) * (s * s - sum / 3) -
                 2 * 0.2 * pow(J, 2.0 / 3) * (1 / (s * s) - inverse / 3);
    assert_near((dev + 2.5 * (J * J - 1)) / J, -1, 1e-9);
    assert_true(scene.run->ledger.worst_equilibrium < 1e-9);
    scene_close(&scene);
}

// Of all quadrilaterals where they are now.
static double area_of(const Scene *scene)
{
    const StickMesh *mesh = &scene->system->body[0].mesh;
    const double *q = scene->run->state.now.q;
    double sum = 0;
    for (int e = 0; e < mesh->nelements; e++) {
        for (int k = 0; k < 4; k++) {
            int i = mesh->node[mesh->start[e] + k], j = mesh->node[mesh->start[e] + (k + 1) % 4];
            double x[2][2];
            for (int c = 0; c < 2; c++) {
                x[0][c] = mesh->x[2 * i + c] + q[2 * i + c];
                x[1][c] = mesh->x[2 * j + c] + q[2 * j + c];
            }
            sum += 0.5 * (x[0][0] * x[1][1] - x[1][0] * x[0][1]);
        }
    }
    return sum;
}

static double energy_of(const Scene *scene, double *push)
{
    const StickMotion *now = &scene->run->state.now;
    double kinetic = 0;
    *push = 0;
    for (int i = 0; i < scene->run->state.n; i++) {
        kinetic += 0.5 * now->v[i] * now->Mv[i];
        *push = fmax(*push, fabs(now->Mv[i]));
    }
    return kinetic + now->stored;
}

// A block that spins and is suddenly under pressure 1 from all sides: what it loses of area is what it wins of energy.
static double imbalance_of_spinning_block(StickContext *ctx, double h)
{
    Scene scene;
    scene_open(
        &scene, ctx,
        "materials: {rubber: {law: neo-hookean, shear: 1, bulk: 5, density: 1}}\n"
        "bodies: {block: {mesh: {rectangle: {size: [1, 1], cells: [2, 2]}}, plane: strain, material: rubber, "
        "angular-velocity: 2}}\n"
        "loads: [{on: block.boundary, pressure: 1, follows: true}]\n"
        "steps: [{dynamics: {scheme: theta, theta: 0.5, step: %.17g, end: 1}}]\n",
        h);
    double push, before = energy_of(&scene, &push) + area_of(&scene), least = 1, worst = 0, sum[2] = {0};
    while (!stick_simulation_is_done(scene.run)) {
        scene_step(&scene);
        worst = fmax(worst, fabs(energy_of(&scene, &push) + area_of(&scene) - before));
        least = fmin(least, area_of(&scene));
    }
    assert_true(least < 0.8);
    for (int i = 0; i < scene.run->state.n; i++)
        sum[i % 2] += scene.run->state.now.Mv[i];
    assert_near(sum[0], 0, 1e-10 * push);
    assert_near(sum[1], 0, 1e-10 * push);
    scene_close(&scene);
    return worst;
}

static void spinning_block_wins_what_its_area_loses(void **state)
{
    double coarse = imbalance_of_spinning_block(*state, 0.02),
           fine = imbalance_of_spinning_block(*state, 0.01);
    assert_below(fine, 1e-3);
    assert_near(coarse / fine, 4, 0.4); // of second order
}

static void followers_are_refused_where_nothing_turns(void **state)
{
    static const struct {
        const char *load, *says;
    } bad[] = {
        {"{on: b.top, pressure: 1, follows: true}",
         "'follows' is for bodies with finite strains, but 'b' is linear elastic: remove it, or give its "
         "material a finite-strain law"},
        {"{on: b.top, traction: [1, 0], follows: true}",
         "'follows' is for pressure, and for forces on rigid bodies"},
    };
    for (int k = 0; k < 2; k++) {
        char text[1000];
        Scene scene;
        snprintf(text, sizeof text,
                 "stickslip: 1\nmaterials: {m: {young: 1, density: 1}}\nbodies: {b: {mesh: {rectangle: "
                 "{size: [1, 1], "
                 "cells: [1, 1]}}, material: m}}\nloads: [%s]\nsteps: [{quasistatic: {end: 1}}]\n",
                 bad[k].load);
        stick_diagnostics_clear(*state);
        assert_int_equal(scene_try(&scene, *state, text), STICK_BAD_INPUT);
        assert_non_null(strstr(stick_last_error(*state), bad[k].says));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(tube_under_pressure_from_inside),
        test_with_context(pressure_from_all_sides_turns_nothing),
        test_with_context(spinning_block_wins_what_its_area_loses),
        test_with_context(followers_are_refused_where_nothing_turns),
    };
    return cmocka_run_group_tests_name("follower", tests, NULL, NULL);
}
