// SPDX-License-Identifier: Apache-2.0
// Loads: resultants and their change in time.
#include "stepping/scene.h"

static void open_plate(Scene *scene, StickContext *ctx, const char *loads)
{
    scene_open(scene, ctx,
               "materials: {soft: {law: elastic, young: 1e6, poisson: 0.3, density: 1000}}\n"
               "bodies:\n"
               "  other: {mesh: {rectangle: {size: [1, 1], cells: [1, 1]}}, material: soft}\n"
               "  plate: {mesh: {rectangle: {size: [2, 1], cells: [4, 3], origin: [3, 0]}}, material: soft, "
               "thickness: 0.5}\n"
               "%s"
               "steps: [{dynamics: {step: 1, end: 1}}]\n",
               loads);
}

// Resultant of the forces on the plate at time t.
static void resultant(const Scene *scene, double t, double sum[2])
{
    double F[64];
    assert_ok(scene->ctx, stick_loads_force(scene->ctx, &scene->run->loads, t, F));
    sum[0] = sum[1] = 0;
    for (int i = scene->system->body[1].first; i < scene->system->ndofs; i++)
        sum[i % 2] += F[i];
    for (int i = 0; i < scene->system->body[1].first; i++)
        assert_true(F[i] == 0 || scene->model->gravity[1]);
}

static void check(StickContext *ctx, const char *loads, double t, double x, double y)
{
    Scene scene;
    double sum[2];
    open_plate(&scene, ctx, loads);
    resultant(&scene, t, sum);
    assert_near(sum[0], x, 1e-11 * (fabs(x) + fabs(y)));
    assert_near(sum[1], y, 1e-11 * (fabs(x) + fabs(y)));
    scene_close(&scene);
}

static void pressure_pushes_inwards(void **state)
{
    check(*state, "loads: [{on: plate.top, pressure: 300}]\n", 0, 0, -300 * 2 * 0.5);
    check(*state, "loads: [{on: plate.left, pressure: 300}]\n", 0, 300 * 0.5, 0);
    check(*state, "loads: [{on: plate.left, pressure: \"300*t\"}]\n", 2, 600 * 0.5, 0);
    // linear along the side: the mean counts
    check(*state, "loads: [{on: plate.top, pressure: \"10*x\"}]\n", 0, 0, -10 * 4 * 2 * 0.5);
}

static void traction_and_forces_have_components(void **state)
{
    check(*state, "loads: [{on: plate.right, traction: [7, \"-2*t\"]}]\n", 3, 7 * 0.5, -6 * 0.5);
    check(*state, "loads: [{on: plate.right, force: [7, \"y\"]}]\n", 3, 7 * 4, 0 + 1.0 / 3 + 2.0 / 3 + 1);
}

static void gravity_pulls_with_the_mass(void **state)
{
    check(*state, "gravity: [\"t\", -9.81]\n", 2, 2 * 1000, -9.81 * 1000);
}

static void loads_add_up(void **state)
{
    check(*state,
          "gravity: [0, -10]\n"
          "loads: [{on: plate.top, pressure: 300}, {on: plate.left, pressure: \"100*t\"}]\n",
          1, 100 * 0.5, -10 * 1000 - 300);
}

static void pressure_needs_sides(void **state)
{
    Scene scene;
    StickStatus status =
        scene_try(&scene, *state,
                  "stickslip: 1\n"
                  "materials: {soft: {law: elastic, young: 1e6, poisson: 0.3, density: 1000}}\n"
                  "bodies: {plate: {mesh: {rectangle: {size: [1, 1], cells: [1, 1]}}, material: soft}}\n"
                  "loads: [{on: plate.all, pressure: 1}]\n"
                  "steps: [{dynamics: {step: 1, end: 1}}]\n");
    assert_int_equal(status, STICK_BAD_MESH);
    assert_non_null(strstr(stick_last_error(*state), "group 'all' has no sides"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(pressure_pushes_inwards),
        test_with_context(traction_and_forces_have_components),
        test_with_context(gravity_pulls_with_the_mass),
        test_with_context(loads_add_up),
        test_with_context(pressure_needs_sides),
    };
    return cmocka_run_group_tests_name("loads", tests, NULL, NULL);
}
