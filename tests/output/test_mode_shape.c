// SPDX-License-Identifier: Apache-2.0
#include "output/scratch.h"

#include "output/mode_shape.h"
#include "output/pvd.h"
#include "output/vtu_read.h"

typedef struct Given {
    Scratch *scratch;
    StickModel *model;
    StickSystem *system;
    double q[8];
    double complex a[8];
} Given;

static void open_square(Given *given, Scratch *scratch)
{
    static const char text[] =
        "stickslip: 1\n"
        "materials: {soft: {young: 1, density: 1}}\n"
        "bodies: {square: {mesh: {rectangle: {size: [1, 1], cells: [1, 1]}}, material: soft}}\n"
        "steps: [{dynamics: {step: 1, end: 1}}]\n";
    StickModelSource source = {.name = "m.yaml", .folder = ".", .bytes = text, .count = strlen(text)};
    *given = (Given){.scratch = scratch};
    assert_ok(scratch->ctx, stick_model_read_text(scratch->ctx, &source, &given->model));
    assert_ok(scratch->ctx, stick_system_create(scratch->ctx, given->model, &given->system));
    // node 0 goes round an ellipse with half axes 4 and 2, node 1 to and fro
    given->a[0] = 4;
    given->a[1] = 2 * I;
    given->a[2] = 1 + I;
    for (int i = 0; i < 8; i++)
        given->q[i] = i;
}

static void close_square(Given *given)
{
    stick_system_destroy(given->system);
    stick_model_destroy(given->model);
}

static void assert_phase(Given *given, int k)
{
    char name[64];
    double *mode, *q, phase = 2 * 3.14159265358979323846 * k / STICK_SHAPE_PHASES;
    StickVtuFile *file;
    StickContext *ctx = given->scratch->ctx;
    snprintf(name, sizeof name, "shape/phase-%02d.vtu", k);
    assert_ok(ctx, stick_vtu_open(ctx, scratch_path(given->scratch, name), &file));
    assert_near(stick_vtu_time(file), k / 16.0 / 50, 1e-15);
    assert_ok(ctx, stick_vtu_values(file, STICK_VTU_POINT_DATA, "mode", &mode));
    assert_ok(ctx, stick_vtu_values(file, STICK_VTU_POINT_DATA, "displacement", &q));
    assert_near(mode[0], cos(phase), 1e-6);
    assert_near(mode[1], -sin(phase) / 2, 1e-6);
    assert_near(mode[3], (cos(phase) - sin(phase)) / 4, 1e-6);
    assert_true(q[0] == 0 && q[1] == 1 && q[3] == 2 && q[2] == 0);
    stick_free(ctx, mode);
    stick_free(ctx, q);
    stick_vtu_close(file);
}

static void an_oscillation_in_sixteen_files(void **state)
{
    Scratch *scratch = *state;
    Given given;
    StickPvd pvd;
    open_square(&given, scratch);
    StickModeShape shape = {given.system, given.q, given.a, 50, 0};
    assert_ok(scratch->ctx, stick_mode_shape_write(scratch->ctx, scratch->folder, "shape", &shape));
    for (int k = 0; k < STICK_SHAPE_PHASES; k++)
        assert_phase(&given, k);
    stick_pvd_init(&pvd, scratch->ctx);
    assert_ok(scratch->ctx, stick_pvd_read(&pvd, scratch_path(scratch, "shape.pvd")));
    assert_int_equal(pvd.count, STICK_SHAPE_PHASES);
    assert_string_equal(pvd.entry[3].file, "shape/phase-03.vtu");
    stick_pvd_destroy(&pvd);
    close_square(&given);
}

// One that does not oscillate is one file: its real part.
static void a_shape_that_stands_still(void **state)
{
    Scratch *scratch = *state;
    Given given;
    StickVtuFile *file;
    double *mode;
    open_square(&given, scratch);
    StickModeShape shape = {given.system, given.q, given.a, 0, 0};
    assert_ok(scratch->ctx, stick_mode_shape_write_still(scratch->ctx, scratch->folder, "still.vtu", &shape));
    assert_ok(scratch->ctx, stick_vtu_open(scratch->ctx, scratch_path(scratch, "still.vtu"), &file));
    assert_ok(scratch->ctx, stick_vtu_values(file, STICK_VTU_POINT_DATA, "mode", &mode));
    assert_near(mode[0], 1, 1e-6);
    assert_near(mode[1], 0, 1e-6);
    assert_near(mode[3], 0.25, 1e-6);
    stick_free(scratch->ctx, mode);
    stick_vtu_close(file);
    close_square(&given);
}

static StickStatus write_again(StickContext *ctx, void *data)
{
    Given *given = data;
    StickModeShape shape = {given->system, given->q, given->a, 0, 0};
    return stick_mode_shape_write(ctx, given->scratch->folder, "again", &shape);
}

static void every_allocation_fails_once(void **state)
{
    Given given;
    open_square(&given, *state);
    assert_survives_failing_memory(write_again, &given);
    close_square(&given);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(an_oscillation_in_sixteen_files, make_scratch, drop_scratch),
        cmocka_unit_test_setup_teardown(a_shape_that_stands_still, make_scratch, drop_scratch),
        cmocka_unit_test_setup_teardown(every_allocation_fails_once, make_scratch, drop_scratch),
    };
    return cmocka_run_group_tests_name("mode_shape", tests, NULL, NULL);
}
