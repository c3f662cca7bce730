// SPDX-License-Identifier: Apache-2.0
#include "stepping/responses.h"

#include "stepping/scene.h"

enum { STATES = 40 };

// Two bodies, each held at one side; forces of state k grow with k.
static void open_bodies(Scene *scene, StickContext *ctx)
{
    scene_open(scene, ctx,
               "materials: {soft: {young: 1e3, poisson: 0.3, density: 1}}\n"
               "bodies:\n"
               "  left: {mesh: {rectangle: {size: [1, 1], cells: [3, 3]}}, material: soft, plane: stress}\n"
               "  right: {mesh: {rectangle: {size: [1, 1], cells: [2, 2], origin: [2, 0]}}, material: soft,\n"
               "          plane: stress}\n"
               "obstacles: {floor: {plane: {point: [0, 0], normal: [0, 1]}}}\n"
               "supports: [{on: left.top, displacement: [0, 0]}, {on: right.top, displacement: [0, 0]}]\n"
               "contacts: [{between: [left.bottom, floor]}]\n"
               "steps: [{quasistatic: {end: 1, increments: 1}}]\n");
    assert_ok(ctx, stick_step_matrix_set(scene->run->matrix, 0, 0, 1));
}

static StickStatus forces(void *user, int state, double *p)
{
    const StickSystem *system = user;
    for (int i = 0; i < system->ndofs; i++)
        p[i] = (i * 7 + state * 3) % 11 - 5;
    return STICK_OK;
}

static StickResponses begin(const Scene *scene, StickContext *ctx, int count)
{
    StickResponses responses = {.ctx = ctx,
                                .system = scene->system,
                                .matrix = scene->run->matrix,
                                .forces = forces,
                                .user = scene->system};
    stick_responses_begin(&responses, count);
    return responses;
}

static void assert_solution(const Scene *scene, int state, const double *z)
{
    double p[128], x[128] = {0};
    assert_in_range(scene->system->ndofs, 1, 128);
    assert_int_equal(forces(scene->system, state, p), STICK_OK);
    assert_ok(scene->ctx, stick_step_matrix_solve(scene->run->matrix, p, x));
    for (int i = 0; i < scene->system->ndofs; i++)
        assert_near(z[i], x[i], 1e-12);
}

// Each is what one solve gives, with the one before it.
static void responses_are_solutions(void **state)
{
    Scene scene;
    const double *before, *z;
    open_bodies(&scene, *state);
    StickResponses responses = begin(&scene, *state, STATES);
    for (int k = 1; k < STATES; k++) {
        assert_ok(*state, stick_responses_get(&responses, k, &before, &z));
        assert_solution(&scene, k - 1, before);
        assert_solution(&scene, k, z);
    }
    stick_responses_destroy(&responses);
    scene_close(&scene);
}

// A run that is resumed begins anywhere: the bits are those of the whole row.
static void any_order_gives_the_same_bits(void **state)
{
    static double whole[STATES][128];
    Scene scene;
    const double *before, *z;
    open_bodies(&scene, *state);
    size_t size = (size_t)scene.system->ndofs * sizeof *z;
    StickResponses responses = begin(&scene, *state, STATES);
    for (int k = 1; k < STATES; k++) {
        assert_ok(*state, stick_responses_get(&responses, k, &before, &z));
        memcpy(whole[k], z, size);
    }
    for (int i = 0; i < STATES - 2; i++) {
        int k = 2 + i * 17 % (STATES - 2);
        assert_ok(*state, stick_responses_get(&responses, k, &before, &z));
        assert_memory_equal(z, whole[k], size);
        assert_memory_equal(before, whole[k - 1], size);
    }
    stick_responses_destroy(&responses);
    scene_close(&scene);
}

static StickStatus get_some(StickContext *ctx, void *data)
{
    const double *before, *z;
    StickResponses responses = begin(data, ctx, STATES);
    StickStatus status = stick_responses_get(&responses, STATES - 1, &before, &z);
    stick_responses_destroy(&responses);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    Scene scene;
    open_bodies(&scene, *state);
    assert_survives_failing_memory(get_some, &scene);
    scene_close(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(responses_are_solutions),
        test_with_context(any_order_gives_the_same_bits),
        test_with_context(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("stepping.responses", tests, NULL, NULL);
}
