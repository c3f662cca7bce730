// SPDX-License-Identifier: Apache-2.0
// Files of rigid bodies and contacts beside those of the fields.
#include "output/study_files.h"

#include "output/rigid_frames.h"

#include <math.h>

static double *values_of(Scratch *scratch, StickVtuFile *file, const char *name)
{
    double *values;
    assert_ok(scratch->ctx, stick_vtu_values(file, STICK_VTU_POINT_DATA, name, &values));
    return values;
}

// 100 kg on 100 kg on the ground, g = 10; the tilted gravity wants to slip, but for friction.
static const char stack[] = "stickslip: 1\n"
                            "materials: {stone: {density: 100}}\n"
                            "bodies:\n"
                            "  lower: {rigid: {box: [1, 1]}, material: stone, position: [0, 0.5]}\n"
                            "  upper: {rigid: {box: [1, 1]}, material: stone, position: [0, 1.5]}\n"
                            "obstacles:\n"
                            "  aside: {plane: {point: [-9, 0], normal: [1, 0]}}\n"
                            "  ground: {plane: {point: [0, 0], normal: [0, 1]}}\n"
                            "gravity: [1, -10]\n"
                            "contacts: [{between: all, friction: 0.5}]\n"
                            "steps: [{name: rest, dynamics: {scheme: moreau, step: 1e-3, end: 0.01}}]\n"
                            "output: {fields: {every: 5}}\n";

static void contacts_carry_the_weight(void **state)
{
    Scratch *scratch = *state;
    run_model(scratch, stack);
    StickVtuFile *file = last_of(scratch, "contacts", 3);
    int count = stick_vtu_points(file);
    assert_int_equal(count, 4);
    double *force = values_of(scratch, file, "force"), *normal = values_of(scratch, file, "normal"),
           *N = values_of(scratch, file, "normal_force"), *T = values_of(scratch, file, "tangential_force"),
           *status = values_of(scratch, file, "status"), *first = values_of(scratch, file, "first"),
           *second = values_of(scratch, file, "second"), *gap = values_of(scratch, file, "gap"),
           on[2][2] = {{0}};
    for (int c = 0; c < count; c++) {
        const double *f = force + 3 * c, *n = normal + 3 * c;
        int a = (int)first[c], b = (int)second[c];
        assert_in_range(a, 0, 1);
        assert_true(b == 1 - a || b == -2); // the ground is the second obstacle
        assert_near(f[0] * n[0] + f[1] * n[1], N[c], 1e-9);
        assert_near(fabs(f[0] * n[1] - f[1] * n[0]), T[c], 1e-9);
        assert_int_equal(status[c], 1);
        assert_near(gap[c], 0, 1e-9);
        for (int k = 0; k < 2; k++) {
            on[a][k] += f[k];
            if (b >= 0)
                on[b][k] -= f[k];
        }
    }
    for (int b = 0; b < 2; b++) {
        assert_near(on[b][0], -100, 1e-6);
        assert_near(on[b][1], 1000, 1e-6);
    }
    double *all[] = {force, normal, N, T, status, first, second, gap};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        stick_free(scratch->ctx, all[k]);
    stick_vtu_close(file);
}

static void a_free_ball_goes_straight_and_turns(void **state)
{
    static const char model[] =
        "stickslip: 1\n"
        "materials: {stone: {density: 100}}\n"
        "bodies:\n"
        "  ball: {rigid: {sphere: 0.5}, material: stone, position: [1, 2, 3], velocity: [4, 0, -2],\n"
        "         angular-velocity: [0, 10, 0]}\n"
        "steps: [{name: fly, dynamics: {scheme: moreau, step: 1e-3, end: 0.1}}]\n"
        "output: {fields: {every: 50}}\n";
    Scratch *scratch = *state;
    run_model(scratch, model);
    StickVtuFile *file = last_of(scratch, "bodies", 3);
    StickVtuGrid grid;
    assert_int_equal(stick_vtu_points(file), 1);
    assert_ok(scratch->ctx, stick_vtu_grid(file, &grid));
    assert_near(grid.x[0], 1.4, 1e-12);
    assert_near(grid.x[2], 2.8, 1e-12);
    stick_vtu_grid_destroy(scratch->ctx, &grid);
    static const struct {
        const char *name;
        double value[3];
    } expected[] = {{"displacement", {0.4, 0, -0.2}},
                    {"rotation", {0, 1, 0}},
                    {"velocity", {4, 0, -2}},
                    {"angular_velocity", {0, 10, 0}},
                    {"contact_force", {0, 0, 0}}};
    for (size_t k = 0; k < sizeof expected / sizeof *expected; k++) {
        double *found = values_of(scratch, file, expected[k].name);
        for (int i = 0; i < 3; i++)
            assert_near(found[i], expected[k].value[i], 1e-11);
        stick_free(scratch->ctx, found);
    }
    stick_vtu_close(file);
    file = last_of(scratch, "contacts", 3);
    assert_int_equal(stick_vtu_points(file), 0);
    stick_vtu_close(file);
}

static void deformable_bodies_have_none_of_them(void **state)
{
    static const char model[] =
        "stickslip: 1\n"
        "materials: {steel: {young: 1e6, poisson: 0.3, density: 1000}}\n"
        "bodies: {block: {mesh: {rectangle: {size: [1, 1], cells: [1, 1]}}, material: steel, plane: "
        "strain}}\n"
        "steps: [{name: rest, dynamics: {scheme: theta, theta: 0.5, step: 1e-3, end: 1e-3}}]\n"
        "output: {fields: {every: 1}}\n";
    Scratch *scratch = *state;
    run_model(scratch, model);
    assert_true(stick_file_exists(scratch_path(scratch, "out/fields.pvd")));
    assert_false(stick_file_exists(scratch_path(scratch, "out/bodies.pvd")));
    assert_false(stick_file_exists(scratch_path(scratch, "out/contacts.pvd")));
}

typedef struct Given {
    StickSimulation *run;
    char path[512];
} Given;

static StickStatus write_both(StickContext *ctx, void *data)
{
    const Given *given = data;
    STICK_TRY(stick_rigid_frame_bodies(ctx, given->run, given->path));
    return stick_rigid_frame_contacts(ctx, given->run, given->path);
}

static void every_allocation_may_fail(void **state)
{
    Scratch *scratch = *state;
    StickContext *ctx = scratch->ctx;
    StickModelSource source = {.name = "model", .folder = ".", .bytes = stack, .count = strlen(stack)};
    StickModel *model;
    StickSystem *system;
    Given given;
    snprintf(given.path, sizeof given.path, "%s", scratch_path(scratch, "points.vtu"));
    assert_ok(ctx, stick_model_read_text(ctx, &source, &model));
    assert_ok(ctx, stick_system_create(ctx, model, &system));
    assert_ok(ctx, stick_simulation_create(ctx, system, &model->step[0], &given.run));
    assert_ok(ctx, stick_simulation_start(given.run, NULL));
    assert_ok(ctx, stick_simulation_step(given.run));
    assert_int_equal(given.run->contacts.ncontacts, 4);
    assert_survives_failing_memory(write_both, &given);
    stick_simulation_destroy(given.run);
    stick_system_destroy(system);
    stick_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_scratch(contacts_carry_the_weight),
        test_with_scratch(a_free_ball_goes_straight_and_turns),
        test_with_scratch(deformable_bodies_have_none_of_them),
        test_with_scratch(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
