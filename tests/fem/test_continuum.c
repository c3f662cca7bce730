// SPDX-License-Identifier: Apache-2.0
#include "fem/continuum.h"
#include "grid.h"

static const StickMaterial steel = {.name = (char *)"steel",
                                    .mark = {"model.yaml", 7, 3},
                                    .young = 210,
                                    .poisson = 0.3,
                                    .density = 7.8,
                                    .viscosity_shear = 3,
                                    .viscosity_bulk = 5};

static StickContinuum continuum_of(const StickMesh *mesh, const StickMaterial *material, StickPlane plane)
{
    return (StickContinuum){.mesh = mesh, .material = material, .plane = plane, .thickness = 0.5};
}

static void assert_matrix(const double D[6][6], const double expected[6][6])
{
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++)
            assert_near(D[i][j], expected[i][j], 1e-12);
}

static void elastic_matrix_of_space(void **state)
{
    (void)state;
    StickMesh mesh = {.dim = 3};
    StickContinuum c = continuum_of(&mesh, &steel, STICK_PLANE_STRAIN);
    StickModuli moduli = stick_moduli_elastic(&c);
    double E = 210, nu = 0.3, D[6][6], s = E / ((1 + nu) * (1 - 2 * nu)), expected[6][6] = {{0}};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            expected[i][j] = s * (i == j ? 1 - nu : nu);
        expected[3 + i][3 + i] = E / (2 * (1 + nu));
    }
    stick_moduli_matrix(&c, &moduli, D);
    assert_matrix(D, expected);
    assert_near(moduli.bulk, E / (3 * (1 - 2 * nu)), 1e-12);
}

// Out of plane there is no strain, but there is a stress; shears yz and zx take no part.
static void elastic_matrix_of_plane_strain_and_rings(void **state)
{
    (void)state;
    StickMesh mesh = {.dim = 2};
    double E = 210, nu = 0.3, D[6][6], s = E / ((1 + nu) * (1 - 2 * nu)), expected[6][6] = {{0}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            expected[i][j] = s * (i == j ? 1 - nu : nu);
    expected[3][3] = E / (2 * (1 + nu));
    for (int k = 0; k < 2; k++) {
        StickContinuum c = continuum_of(&mesh, &steel, k ? STICK_AXISYMMETRIC : STICK_PLANE_STRAIN);
        StickModuli moduli = stick_moduli_elastic(&c);
        stick_moduli_matrix(&c, &moduli, D);
        assert_matrix(D, expected);
    }
}

static void elastic_matrix_of_plane_stress_and_bars(void **state)
{
    (void)state;
    StickMesh mesh = {.dim = 2}, bar = {.dim = 1};
    double E = 210, nu = 0.3, D[6][6], s = E / (1 - nu * nu);
    double plane[6][6] = {{s, s * nu}, {s * nu, s}, {0}, {0, 0, 0, E / (2 * (1 + nu))}}, line[6][6] = {{E}};
    StickContinuum c = continuum_of(&mesh, &steel, STICK_PLANE_STRESS);
    StickModuli moduli = stick_moduli_elastic(&c);
    stick_moduli_matrix(&c, &moduli, D);
    assert_matrix(D, plane);
    c = continuum_of(&bar, &steel, STICK_PLANE_STRAIN);
    moduli = stick_moduli_elastic(&c);
    stick_moduli_matrix(&c, &moduli, D);
    assert_matrix(D, line);
}

// With eta_shear = E / (2 (1 + nu)) and eta_bulk = E / (3 (1 - 2 nu)) the viscous matrix is the elastic one.
static void viscous_matrices_take_shear_and_bulk(void **state)
{
    (void)state;
    StickMaterial same = steel, none = steel, shear_only = steel;
    same.viscosity_shear = 210 / 2.6;
    same.viscosity_bulk = 210 / 1.2;
    none.viscosity_shear = none.viscosity_bulk = 0;
    shear_only.viscosity_bulk = 0;
    for (int dim = 1; dim <= 3; dim++) {
        for (StickPlane plane = STICK_PLANE_STRAIN; plane <= STICK_AXISYMMETRIC; plane++) {
            StickMesh mesh = {.dim = dim};
            StickContinuum c = continuum_of(&mesh, &same, plane);
            double D[6][6], D_v[6][6], zero[6][6] = {{0}};
            StickModuli elastic = stick_moduli_elastic(&c), viscous = stick_moduli_viscous(&c);
            stick_moduli_matrix(&c, &elastic, D);
            stick_moduli_matrix(&c, &viscous, D_v);
            assert_matrix(D_v, (const double(*)[6])D);
            c.material = &none;
            viscous = stick_moduli_viscous(&c);
            stick_moduli_matrix(&c, &viscous, D_v);
            assert_matrix(D_v, (const double(*)[6])zero);
        }
    }
    // No bulk viscosity: no mean stress from any strain rate.
    StickMesh space = {.dim = 3};
    StickContinuum c = continuum_of(&space, &shear_only, STICK_PLANE_STRAIN);
    StickModuli viscous = stick_moduli_viscous(&c);
    double D_v[6][6];
    stick_moduli_matrix(&c, &viscous, D_v);
    for (int j = 0; j < 3; j++)
        assert_near(D_v[0][j] + D_v[1][j] + D_v[2][j], 0, 1e-14);
}

// The matrix of space, its lateral strains following the elastic contraction: L' D_v L.
static void viscous_matrices_follow_the_lateral_contraction(void **state)
{
    (void)state;
    double nu = 0.3, k = nu / (1 - nu), D_v[6][6], reduced[6][6];
    const double line[6] = {1, -nu, -nu}, plane[2][6] = {{1, 0, -k}, {0, 1, -k}};
    StickMesh space = {.dim = 3}, surface = {.dim = 2}, bar = {.dim = 1};
    StickContinuum c = continuum_of(&space, &steel, STICK_PLANE_STRAIN);
    StickModuli moduli = stick_moduli_viscous(&c);
    stick_moduli_matrix(&c, &moduli, D_v);
    double axial = 0, in_plane[2][2] = {{0}};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            axial += line[i] * D_v[i][j] * line[j];
            for (int a = 0; a < 2; a++)
                for (int b = 0; b < 2; b++)
                    in_plane[a][b] += plane[a][i] * D_v[i][j] * plane[b][j];
        }
    }
    c = continuum_of(&bar, &steel, STICK_PLANE_STRAIN);
    moduli = stick_moduli_viscous(&c);
    assert_near(moduli.lame, axial, 1e-13);
    assert_near(moduli.lame, 4 * 3 * 1.3 * 1.3 / 3 + 5 * 0.4 * 0.4, 1e-13);
    c = continuum_of(&surface, &steel, STICK_PLANE_STRESS);
    moduli = stick_moduli_viscous(&c);
    stick_moduli_matrix(&c, &moduli, reduced);
    for (int a = 0; a < 2; a++)
        for (int b = 0; b < 2; b++)
            assert_near(reduced[a][b], in_plane[a][b], 1e-13);
    assert_near(reduced[3][3], 3, 0);
}

// Without bulk viscosity a bar without contraction keeps 4/3 of the shear viscosity.
static void bar_without_contraction(void **state)
{
    (void)state;
    StickMaterial dashpot = {.young = 1e6, .poisson = 0, .density = 1000, .viscosity_shear = 500};
    StickMesh bar = {.dim = 1};
    StickContinuum c = continuum_of(&bar, &dashpot, STICK_PLANE_STRAIN);
    assert_near(stick_moduli_viscous(&c).lame, 2000.0 / 3, 1e-12);
}

static void bad_numbers_are_refused_by_name(void **state)
{
    StickContext *ctx = *state;
    StickMesh mesh = {.dim = 2};
    struct {
        const char *word;
        StickMaterial material;
    } bad[] = {{"young", steel},         {"poisson", steel},           {"poisson", steel},
               {"density", steel},       {"viscosity_shear", steel},   {"viscosity_bulk", steel},
               {"rayleigh_mass", steel}, {"rayleigh_stiffness", steel}};
    bad[0].material.young = 0;
    bad[1].material.poisson = 0.5;
    bad[2].material.poisson = NAN;
    bad[3].material.density = -1;
    bad[4].material.viscosity_shear = -1;
    bad[5].material.viscosity_bulk = INFINITY;
    bad[6].material.rayleigh_mass = -1;
    bad[7].material.rayleigh_stiffness = NAN;
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        StickContinuum c = continuum_of(&mesh, &bad[k].material, STICK_PLANE_STRAIN);
        assert_int_equal(stick_continuum_check(ctx, &c), STICK_BAD_INPUT);
        assert_non_null(strstr(stick_last_error(ctx), bad[k].word));
        assert_non_null(strstr(stick_last_error(ctx), "steel"));
        assert_int_equal(stick_diagnostic(ctx, stick_diagnostic_count(ctx) - 1)->line, 7);
    }
    StickContinuum c = continuum_of(&mesh, &bad[1].material, STICK_PLANE_STRESS);
    assert_ok(ctx, stick_continuum_check(ctx, &c));
    c.thickness = 0;
    assert_int_equal(stick_continuum_check(ctx, &c), STICK_BAD_INPUT);
    assert_non_null(strstr(stick_last_error(ctx), "thickness"));
    c = continuum_of(&mesh, &steel, STICK_PLANE_STRESS);
    c.mean_dilatation = true;
    assert_int_equal(stick_continuum_check(ctx, &c), STICK_BAD_INPUT);
    assert_non_null(strstr(stick_last_error(ctx), "plane stress"));
}

static void assert_bad_element(StickContext *ctx, const StickContinuum *continuum, const char *word)
{
    assert_int_equal(stick_continuum_check_elements(ctx, continuum), STICK_BAD_MESH);
    if (!strstr(stick_last_error(ctx), word) || !strstr(stick_last_error(ctx), "element 2"))
        fail_msg("'%s' does not name '%s' and element 2", stick_last_error(ctx), word);
}

static void unsuitable_elements_are_refused_by_number(void **state)
{
    StickContext *ctx = *state;
    Grid grid = grid_make(STICK_QUAD4, 2, 2, 1);
    StickContinuum c = continuum_of(&grid.mesh, &steel, STICK_PLANE_STRAIN);
    assert_ok(ctx, stick_continuum_check_elements(ctx, &c));
    grid.mesh.shape[1] = STICK_TET4;
    assert_bad_element(ctx, &c, "tet4");
    grid.mesh.shape[1] = STICK_TRI3;
    assert_bad_element(ctx, &c, "nodes");
    c.mean_dilatation = true;
    assert_bad_element(ctx, &c, "mean dilatation");
    grid.mesh.shape[1] = (StickShape)77;
    assert_bad_element(ctx, &c, "77");
    grid.mesh.shape[1] = STICK_QUAD4;
    int node = grid.mesh.node[grid.mesh.start[1] + 1];
    grid.mesh.node[grid.mesh.start[1] + 1] = 9;
    assert_bad_element(ctx, &c, "node 9 of 9");
    grid.mesh.node[grid.mesh.start[1] + 1] = node;
    c.plane = STICK_AXISYMMETRIC;
    assert_ok(ctx, stick_continuum_check_elements(ctx, &c));
    grid.mesh.x[2 * node] = -0.25;
    assert_bad_element(ctx, &c, "-0.25");
    grid_destroy(&grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elastic_matrix_of_space),
        cmocka_unit_test(elastic_matrix_of_plane_strain_and_rings),
        cmocka_unit_test(elastic_matrix_of_plane_stress_and_bars),
        cmocka_unit_test(viscous_matrices_take_shear_and_bulk),
        cmocka_unit_test(viscous_matrices_follow_the_lateral_contraction),
        cmocka_unit_test(bar_without_contraction),
        test_with_context(bad_numbers_are_refused_by_name),
        test_with_context(unsuitable_elements_are_refused_by_number),
    };
    return cmocka_run_group_tests_name("fem.continuum", tests, NULL, NULL);
}
