// SPDX-License-Identifier: Apache-2.0
// Fields of bodies under finite deformation, beside a linear one.
#include "output/study_files.h"

// Two blocks of one cell, pulled by a fifth of their height with free sides.
static const char blocks[] =
    "stickslip: 1\n"
    "materials:\n"
    "  soft: {law: %s, density: 1}\n"
    "  plain: {young: 10, poisson: 0.25, density: 1}\n"
    "bodies:\n"
    "  one: {mesh: {rectangle: {size: [1, 1], cells: [1, 1]}}, material: soft, element: mean-dilatation}\n"
    "  two: {mesh: {rectangle: {size: [1, 1], cells: [1, 1], origin: [3, 0]}}, material: plain}\n"
    "supports:\n"
    "  - {on: one.left, displacement: [0, free]}\n"
    "  - {on: one.bottom, displacement: [free, 0]}\n"
    "  - {on: one.top, displacement: [free, \"0.2*t\"]}\n"
    "  - {on: two.left, displacement: [0, free]}\n"
    "  - {on: two.bottom, displacement: [free, 0]}\n"
    "  - {on: two.top, displacement: [free, \"0.2*t\"]}\n"
    "steps: [{name: pull, quasistatic: {end: 1, increments: 4}}]\n"
    "output: {fields: {every: 4}}\n";

static StickVtuFile *last_frame(Scratch *scratch, const char *law)
{
    char model[2000];
    snprintf(model, sizeof model, blocks, law);
    run_model(scratch, model);
    StickVtuFile *file = last_of(scratch, "fields", 2);
    assert_int_equal(stick_vtu_points(file), 8);
    assert_int_equal(stick_vtu_cells(file), 2);
    return file;
}

static double *values_of(Scratch *scratch, StickVtuFile *file, StickVtuSection section, const char *name)
{
    double *values;
    assert_ok(scratch->ctx, stick_vtu_values(file, section, name, &values));
    return values;
}

// Sides are free in the plane: sigma_xx = 0, and what the elements say of pressure and volume fits the stresses.
static void rubber_has_stresses_pressure_and_volume(void **state)
{
    Scratch *scratch = *state;
    StickVtuFile *file = last_frame(scratch, "neo-hookean, shear: 1, bulk: 10");
    double *stress = values_of(scratch, file, STICK_VTU_POINT_DATA, "stress");
    double *q = values_of(scratch, file, STICK_VTU_POINT_DATA, "displacement");
    double *pressure = values_of(scratch, file, STICK_VTU_CELL_DATA, "pressure");
    double *volume = values_of(scratch, file, STICK_VTU_CELL_DATA, "volume");
    assert_int_equal(stick_vtu_components(file, STICK_VTU_POINT_DATA, "plastic_strain"), 0);
    double b = 1.2, a = 1 + fmin(fmin(q[0], q[3]), fmin(q[6], q[9])), J = a * b;
    double mean = (a * a + b * b + 1) / 3, s = pow(J, -2.0 / 3) / J, p = 5 * (J - 1 / J);
    assert_true(a < 0.95);
    assert_near(volume[0], J, 1e-12);
    assert_near(pressure[0], -p, 1e-6);
    for (int node = 0; node < 4; node++) {
        assert_near(stress[6 * node], 0, 1e-6);
        assert_near(stress[6 * node + 1], s * (b * b - mean) + p, 1e-6);
        assert_near(stress[6 * node + 2], s * (1 - mean) + p, 1e-6);
    }
    // plane strain of a linear body: E / (1 - nu^2) e, and no pressure of its own
    for (int node = 4; node < 8; node++)
        assert_near(stress[6 * node + 1], 10 / (1 - 0.0625) * 0.2, 1e-6);
    assert_true(isnan(pressure[1]) && isnan(volume[1]));
    stick_free(scratch->ctx, stress);
    stick_free(scratch->ctx, q);
    stick_free(scratch->ctx, pressure);
    stick_free(scratch->ctx, volume);
    stick_vtu_close(file);
}

// Without hardening the equivalent stress is the yield stress: sqrt(3/2) |dev tau| = 0.3.
static void metal_has_plastic_strains(void **state)
{
    Scratch *scratch = *state;
    StickVtuFile *file = last_frame(scratch, "j2, young: 100, poisson: 0.3, yield: 0.3");
    double *plastic = values_of(scratch, file, STICK_VTU_POINT_DATA, "plastic_strain");
    double *mises = values_of(scratch, file, STICK_VTU_POINT_DATA, "von_mises");
    double *volume = values_of(scratch, file, STICK_VTU_CELL_DATA, "volume");
    // in plane strain 2 / sqrt 3 times the logarithmic strain, but for the elastic part, about 0.3 / 100
    for (int node = 0; node < 4; node++) {
        assert_near(plastic[node], 2 / sqrt(3) * log(1.2), 0.005);
        assert_near(mises[node] * volume[0], 0.3, 1e-6);
    }
    assert_true(isnan(plastic[4]));
    stick_free(scratch->ctx, plastic);
    stick_free(scratch->ctx, mises);
    stick_free(scratch->ctx, volume);
    stick_vtu_close(file);
}

#define test_with_scratch(function) cmocka_unit_test_setup_teardown(function, make_scratch, drop_scratch)

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_scratch(rubber_has_stresses_pressure_and_volume),
        test_with_scratch(metal_has_plastic_strains),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
