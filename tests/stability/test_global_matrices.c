// SPDX-License-Identifier: Apache-2.0
#include "stability/block.h"

#include "bodies/finite.h"
#include "bodies/loads.h"

static void kinds_of_mass(void **state)
{
    static Block model, lumped, unit;
    const char *text =
        "stickslip: 1\n"
        "materials: {rubber: {young: 5, poisson: 0.3, density: 2}}\n"
        "bodies: {block: {mesh: {rectangle: {size: [3, 2], cells: [3, 2]}}, material: rubber,\n"
        "                 mass: lumped, thickness: 0.5}}\n"
        "obstacles: {plate: {plane: {point: [0, 0], normal: [0, 1]}}}\n"
        "contacts: [{between: [block.bottom, plate], friction: 0.9}]\n"
        "steps: [{dynamics: {scheme: theta, theta: 0.5, step: 1, end: 1}}]\n";
    double sum[2] = {0};
    block_open(&model, *state, STICK_MASS_MODEL, text);
    block_open(&lumped, *state, STICK_MASS_LUMPED, text);
    block_open(&unit, *state, STICK_MASS_UNIT, text);
    assert_int_equal(model.whole.M.start[model.whole.M.cols], model.whole.M.cols);
    assert_int_equal(lumped.whole.M.start[lumped.whole.M.cols], lumped.whole.M.cols);
    assert_null(unit.sliding.M);
    for (int i = 0; i < model.whole.M.cols; i++) {
        assert_near(lumped.whole.M.value[i], model.whole.M.value[i], 1e-15);
        sum[0] += model.whole.M.value[i];
    }
    block_close(&model);
    block_open(&model, *state, STICK_MASS_CONSISTENT, text);
    assert_true(model.whole.M.start[model.whole.M.cols] > model.whole.M.cols);
    for (int k = 0; k < model.whole.M.start[model.whole.M.cols]; k++)
        sum[1] += model.whole.M.value[k];
    assert_near(sum[0], 2 * 6, 1e-13);
    assert_near(sum[1], 2 * 6, 1e-13);
    block_close(&model);
    block_close(&lumped);
    block_close(&unit);
}

// Row sums of quadratic elements would be negative at corners; their lumped mass is positive, and all of it.
static void quadratic_elements_have_positive_masses(void **state)
{
    static Block lumped;
    double sum = 0;
    block_open(&lumped, *state, STICK_MASS_LUMPED,
               "stickslip: 1\n"
               "materials: {rubber: {young: 5, poisson: 0.3, density: 2}}\n"
               "bodies: {block: {mesh: {rectangle: {size: [3, 2], cells: [3, 2]}}, material: rubber,\n"
               "                 element: quadratic, thickness: 0.5}}\n"
               "obstacles: {plate: {plane: {point: [0, 0], normal: [0, 1]}}}\n"
               "contacts: [{between: [block.bottom, plate], friction: 0.9, method: nodes}]\n"
               "steps: [{dynamics: {scheme: theta, theta: 0.5, step: 1, end: 1}}]\n");
    const StickSparse *M = &lumped.whole.M;
    assert_int_equal(M->start[M->cols], M->cols);
    for (int i = 0; i < M->cols; i++) {
        assert_true(M->value[i] > 0);
        sum += M->value[i];
    }
    assert_near(sum, 2 * 6, 1e-13);
    block_close(&lumped);
}

enum { MOST_DOFS = 64 };

// F_int - F at q, which is given as it is.
static void forces_at(const StickSystem *system, StickLoads *loads, const double *q, double *out)
{
    double history[2000], next[2000], load[MOST_DOFS];
    assert_true(system->nhistory <= 2000 && system->ndofs <= MOST_DOFS);
    stick_system_rest(system, history);
    StickFiniteForces task = {.q = q, .past = history, .next = next, .force = out};
    assert_ok(system->ctx, stick_system_forces(system, &task));
    assert_ok(system->ctx, stick_loads_force_at(system->ctx, loads, 1, q, load));
    for (int i = 0; i < system->ndofs; i++)
        out[i] -= load[i];
}

// A following pressure changes with the surface. The test compares x' K y where neither x nor y moves the edges of
// the surface: there K is symmetric.
static void pressures_that_follow_are_part_of_the_tangent(void **state)
{
    static Block block;
    StickLoads loads;
    block_open(
        &block, *state, STICK_MASS_MODEL,
        "stickslip: 1\n"
        "materials: {rubber: {law: neo-hookean, shear: 1, bulk: 20, density: 2}}\n"
        "bodies: {block: {mesh: {rectangle: {size: [3, 2], cells: [3, 4]}}, element: mean-dilatation,\n"
        "                 plane: strain, material: rubber}}\n"
        "obstacles: {plate: {plane: {point: [3, 0], normal: [-1, 0]}}}\n"
        "loads: [{on: block.left, pressure: 0.7, follows: true}]\n"
        "contacts: [{between: [block.right, plate], friction: 0.9}]\n"
        "steps: [{dynamics: {scheme: theta, theta: 0.5, step: 1, end: 1}}]\n");
    const StickSystem *system = block.system;
    const StickMesh *mesh = &system->body[0].mesh;
    double q[MOST_DOFS], x[MOST_DOFS], history[2000], plus[MOST_DOFS], minus[MOST_DOFS], Kx[MOST_DOFS] = {0};
    const double step = 1e-6;
    stick_system_rest(system, history);
    assert_ok(*state, stick_loads_create(*state, system, &loads));
    for (int i = 0; i < system->ndofs; i++) {
        double y = mesh->x[i - i % 2 + 1];
        q[i] = 0.1 * sin(1.7 * i);
        x[i] = y * (2 - y) * cos(2.3 * i);
    }
    StickGlobalMatricesState at = {.t = 1, .q = q, .history = history};
    assert_ok(*state, stick_global_matrices_tangent(*state, system, &at, &block.whole));
    stick_sparse_multiply(&block.whole.K, 1, x, Kx);
    double ends[2][MOST_DOFS];
    for (int i = 0; i < system->ndofs; i++) {
        ends[0][i] = q[i] + step * x[i];
        ends[1][i] = q[i] - step * x[i];
    }
    forces_at(system, &loads, ends[0], plus);
    forces_at(system, &loads, ends[1], minus);
    for (int i = 0; i < system->ndofs; i++) {
        double y = mesh->x[i - i % 2 + 1];
        if (y > 0 && y < 2)
            assert_near(Kx[i], (plus[i] - minus[i]) / (2 * step), 1e-6);
    }
    stick_loads_destroy(*state, &loads);
    block_close(&block);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(kinds_of_mass),
        test_with_context(quadratic_elements_have_positive_masses),
        test_with_context(pressures_that_follow_are_part_of_the_tangent),
    };
    return cmocka_run_group_tests_name("whole", tests, NULL, NULL);
}
