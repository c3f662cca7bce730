// SPDX-License-Identifier: Apache-2.0
#include "check.h"

#include "solve/iterate.h"
#include "solve/manufactured.h"

static Manufactured made;

typedef struct Scene {
    StickSolverOptions options;
    StickIterate iterate;
    StickPoint point;
    StickSolveInfo info;
    double r[MOST_ROWS], u[MOST_ROWS];
} Scene;

static void open_scene(StickContext *ctx, Scene *scene, int iterations)
{
    memset(scene, 0, sizeof *scene);
    scene->options = stick_solver_options_default();
    scene->options.iterations = iterations;
    assert_ok(ctx, stick_iterate_create(ctx, &scene->options, &scene->iterate));
    assert_ok(ctx, stick_iterate_reserve(&scene->iterate, &made.problem));
    assert_ok(ctx, stick_point_reserve(ctx, &scene->point, &made.problem));
    stick_iterate_start(&scene->iterate, &made.problem, scene->r, scene->u, &scene->info);
}

static void close_scene(StickContext *ctx, Scene *scene)
{
    stick_point_destroy(ctx, &scene->point);
    stick_iterate_destroy(&scene->iterate);
}

static void goes_on_until_it_converged(void **state)
{
    StickRandom random = stick_random_seed(1);
    Scene scene;
    manufacture(&made, &random, 3, 12, 0.7, 0.5);
    open_scene(*state, &scene, 1000);
    while (stick_iterate_goes_on(&scene.iterate))
        stick_iterate_sweep(&scene.iterate, STICK_FORWARD, 1);
    stick_iterate_end(&scene.iterate);
    assert_int_equal(scene.info.end, STICK_SOLVE_CONVERGED);
    for (int i = 0; i < 36; i++) {
        assert_near(scene.r[i], made.r[i], 1e-6);
        assert_near(scene.u[i], made.u[i], 1e-6);
    }
    close_scene(*state, &scene);
}

// Led away from the solution it ends with the best point that it saw.
static void the_best_point_is_kept(void **state)
{
    StickRandom random = stick_random_seed(2);
    Scene scene;
    double best[MOST_ROWS];
    manufacture(&made, &random, 2, 12, 0.7, 2);
    open_scene(*state, &scene, 6);
    for (int k = 0; k < 4; k++)
        stick_iterate_sweep(&scene.iterate, STICK_FORWARD, 1);
    stick_sweep_get(scene.iterate.sweep, best);
    double error = scene.iterate.error;
    assert_true(error == scene.iterate.best_error);
    for (int i = 0; i < 24; i++)
        scene.iterate.sweep->r[i] += 10;
    stick_sweep_refresh(scene.iterate.sweep);
    for (int k = 0; k < 2; k++)
        stick_iterate_sweep(&scene.iterate, STICK_BACKWARD, 0.1);
    assert_true(scene.iterate.error > error);
    assert_false(stick_iterate_goes_on(&scene.iterate));
    stick_iterate_end(&scene.iterate);
    assert_int_equal(scene.info.end, STICK_SOLVE_LIMIT);
    assert_int_equal(scene.info.iterations, 6);
    assert_memory_equal(scene.r, best, 24 * sizeof(double));
    close_scene(*state, &scene);
}

// Changes that are less than full only come near an open contact's r = 0 and near the cone: the end is there.
static void the_last_sweep_is_a_full_one(void **state)
{
    StickRandom random = stick_random_seed(4);
    Scene scene;
    int open = 0, slip = 0;
    manufacture(&made, &random, 2, 12, 0.7, 0.5);
    open_scene(*state, &scene, 1000);
    while (stick_iterate_goes_on(&scene.iterate))
        stick_iterate_sweep(&scene.iterate, STICK_BACKWARD, 0.6);
    stick_iterate_end(&scene.iterate);
    assert_int_equal(scene.info.end, STICK_SOLVE_CONVERGED);
    for (int c = 0; c < 12; c++) {
        const double *r = &scene.r[2 * c], limit = made.mu[c] * r[0];
        bool is_open = made.r[2 * c] == 0, slips = !is_open && fabs(made.u[2 * c + 1]) > 1e-6;
        open += is_open;
        slip += slips;
        if (is_open)
            assert_true(r[0] == 0 && r[1] == 0);
        if (slips)
            assert_near(fabs(r[1]), limit, 1e-14 * limit);
    }
    assert_true(open > 0 && slip > 0);
    close_scene(*state, &scene);
}

static void a_point_is_returned_to_exactly(void **state)
{
    StickRandom random = stick_random_seed(3);
    Scene scene;
    double after[2][MOST_ROWS];
    manufacture(&made, &random, 3, 12, 0.7, 2);
    open_scene(*state, &scene, 100);
    stick_iterate_sweep(&scene.iterate, STICK_FORWARD, 1);
    stick_point_save(&scene.iterate, &scene.point);
    for (int k = 0; k < 2; k++) {
        stick_iterate_sweep(&scene.iterate, STICK_BACKWARD, 1);
        stick_sweep_get(scene.iterate.sweep, after[k]);
        stick_point_return(&scene.point, &scene.iterate);
        assert_true(scene.iterate.error == scene.point.error);
    }
    for (int i = 0; i < 36; i++)
        assert_near(after[0][i], after[1][i], 1e-12);
    close_scene(*state, &scene);
}

static StickStatus run_scene(StickContext *ctx, void *data)
{
    Scene *scene = data;
    memset(scene, 0, sizeof *scene);
    scene->options = stick_solver_options_default();
    StickStatus status = stick_iterate_create(ctx, &scene->options, &scene->iterate);
    if (status == STICK_OK)
        status = stick_iterate_reserve(&scene->iterate, &made.problem);
    if (status == STICK_OK)
        status = stick_point_reserve(ctx, &scene->point, &made.problem);
    close_scene(ctx, scene);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    Scene scene;
    StickRandom random = stick_random_seed(4);
    manufacture(&made, &random, 3, 12, 0.7, 2);
    assert_survives_failing_memory(run_scene, &scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(goes_on_until_it_converged),   test_with_context(the_best_point_is_kept),
        test_with_context(the_last_sweep_is_a_full_one), test_with_context(a_point_is_returned_to_exactly),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("solve.iterate", tests, NULL, NULL);
}
