// SPDX-License-Identifier: Apache-2.0
#include "problem.h"

static const StickMaterial rubber = {.name = (char *)"rubber", .young = 6, .poisson = 0.25, .density = 1};

static StickContinuum continuum_of(const Grid *grid, StickPlane plane)
{
    return (StickContinuum){.mesh = &grid->mesh, .material = &rubber, .plane = plane, .thickness = 0.5};
}

static void von_mises_of_known_states(void **state)
{
    (void)state;
    assert_near(stick_von_mises((double[6]){-5, 0, 0, 0, 0, 0}), 5, 1e-15);
    assert_near(stick_von_mises((double[6]){4, 4, 4, 0, 0, 0}), 0, 1e-15);
    assert_near(stick_von_mises((double[6]){0, 0, 0, 2, 0, 0}), 2 * sqrt(3.0), 1e-15);
    assert_near(stick_von_mises((double[6]){0, 0, 0, 0, 0, -2}), 2 * sqrt(3.0), 1e-15);
    assert_near(stick_von_mises((double[6]){3, 3, 0, 0, 4, 0}), sqrt(9.0 + 48), 1e-14);
}

// Pure bending of a beam, u = x y, v = -(x^2 + nu y^2) / 2: sxx = E y is linear, and quadratic elements have
// it exactly at every node.
static void quadratic_elements_have_linear_stresses(void **state)
{
    StickContext *ctx = *state;
    static const StickShape shapes[] = {STICK_TRI6, STICK_QUAD8};
    for (int s = 0; s < 2; s++) {
        Grid grid = grid_make(shapes[s], 3, 2, 1);
        StickContinuum continuum = continuum_of(&grid, STICK_PLANE_STRESS);
        int n = grid.mesh.nnodes;
        double *q = grid_take(2 * (size_t)n, sizeof *q), *stress = grid_take(6 * (size_t)n, sizeof *stress);
        for (int i = 0; i < n; i++) {
            double x = grid.mesh.x[2 * i], y = grid.mesh.x[2 * i + 1];
            q[2 * i] = x * y;
            q[2 * i + 1] = -(x * x + 0.25 * y * y) / 2;
        }
        assert_ok(ctx, stick_fem_stress(ctx, &continuum, q, NULL, stress));
        for (int i = 0; i < n; i++) {
            assert_near(stress[6 * i], 6 * grid.mesh.x[2 * i + 1], 1e-13);
            for (int k = 1; k < 6; k++)
                assert_near(stress[6 * i + k], 0, 1e-13);
        }
        free(q);
        free(stress);
        grid_destroy(&grid);
    }
}

// Stretched by 1e-3 along x: out of plane there is nu (sxx + syy) in plane strain, nothing in plane stress,
// and in a ring with u_r = a r both rr and hoop.
static void out_of_plane_stress_follows_the_hypothesis(void **state)
{
    StickContext *ctx = *state;
    Grid grid = grid_make(STICK_QUAD4, 2, 2, 1);
    double q[18] = {0}, stress[54];
    for (int i = 0; i < 9; i++)
        q[2 * i] = 1e-3 * grid.mesh.x[2 * i];
    StickContinuum continuum = continuum_of(&grid, STICK_PLANE_STRAIN);
    assert_ok(ctx, stick_fem_stress(ctx, &continuum, q, NULL, stress));
    for (int i = 0; i < 9; i++)
        assert_near(stress[6 * i + 2], 0.25 * (stress[6 * i] + stress[6 * i + 1]), 1e-16);
    assert_near(stress[0], 1e-3 * 6 * 0.75 / (1.25 * 0.5), 1e-16);
    continuum.plane = STICK_PLANE_STRESS;
    assert_ok(ctx, stick_fem_stress(ctx, &continuum, q, NULL, stress));
    assert_near(stress[0], 1e-3 * 6 / (1 - 0.0625), 1e-16);
    assert_near(stress[2], 0, 0);
    continuum.plane = STICK_AXISYMMETRIC;
    assert_ok(ctx, stick_fem_stress(ctx, &continuum, q, NULL, stress));
    for (int i = 0; i < 9; i++) {
        assert_near(stress[6 * i], 1e-3 * 6 / (1.25 * 0.5), 1e-16);
        assert_near(stress[6 * i + 2], stress[6 * i], 1e-16);
        assert_near(stress[6 * i + 1], 1e-3 * 6 * 0.5 / (1.25 * 0.5), 1e-16);
    }
    grid_destroy(&grid);
}

// Two bars with strains 1e-3 and 3e-3: the node between them has the mean.
static void a_node_has_the_mean_of_its_elements(void **state)
{
    StickContext *ctx = *state;
    Grid grid = grid_make(STICK_BAR2, 2, 1, 1);
    StickContinuum continuum = continuum_of(&grid, STICK_PLANE_STRAIN);
    double q[3] = {0, 0.5e-3, 2e-3}, stress[18];
    assert_ok(ctx, stick_fem_stress(ctx, &continuum, q, NULL, stress));
    assert_near(stress[0], 6e-3, 1e-16);
    assert_near(stress[6], 12e-3, 1e-16);
    assert_near(stress[12], 18e-3, 1e-16);
    assert_near(stress[13], 0, 0);
    grid_destroy(&grid);
}

static void mean_dilatation_has_one_pressure_per_element(void **state)
{
    StickContext *ctx = *state;
    Grid grid = grid_make(STICK_HEX8, 1, 1, 1);
    StickContinuum continuum = continuum_of(&grid, STICK_PLANE_STRAIN);
    double q[24], stress[48];
    for (int i = 0; i < 24; i++)
        q[i] = 1e-3 * sin(1.0 + 2 * i);
    continuum.mean_dilatation = true;
    assert_ok(ctx, stick_fem_stress(ctx, &continuum, q, NULL, stress));
    double pressure = stress[0] + stress[1] + stress[2];
    assert_true(fabs(pressure) > 1e-5);
    for (int i = 1; i < 8; i++)
        assert_near(stress[6 * i] + stress[6 * i + 1] + stress[6 * i + 2], pressure, 1e-15);
    grid_destroy(&grid);
}

static void bad_mesh_leaves_the_stress_alone(void **state)
{
    StickContext *ctx = *state;
    Grid grid = grid_make(STICK_BAR2, 2, 1, 1);
    StickContinuum continuum = continuum_of(&grid, STICK_PLANE_STRAIN);
    double q[3] = {0}, stress[18] = {[17] = 7};
    grid.mesh.x[grid.mesh.node[3]] = 0.25;
    assert_int_equal(stick_fem_stress(ctx, &continuum, q, NULL, stress), STICK_BAD_MESH);
    assert_non_null(strstr(stick_last_error(ctx), "element 2 (bar2)"));
    assert_true(stress[17] == 7);
    grid_destroy(&grid);
}

static StickStatus stress_of(StickContext *ctx, void *data)
{
    StickContinuum continuum = continuum_of(data, STICK_PLANE_STRAIN);
    double q[3] = {0, 1, 2}, stress[18];
    return stick_fem_stress(ctx, &continuum, q, q, stress);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    Grid grid = grid_make(STICK_BAR2, 2, 1, 1);
    assert_survives_failing_memory(stress_of, &grid);
    grid_destroy(&grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(von_mises_of_known_states),
        test_with_context(quadratic_elements_have_linear_stresses),
        test_with_context(out_of_plane_stress_follows_the_hypothesis),
        test_with_context(a_node_has_the_mean_of_its_elements),
        test_with_context(mean_dilatation_has_one_pressure_per_element),
        test_with_context(bad_mesh_leaves_the_stress_alone),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("fem.stress", tests, NULL, NULL);
}
