// SPDX-License-Identifier: Apache-2.0
// Paths by increments where the contact problem has several solutions, and where none continues the state before.
#include "stepping/scene.h"

// A leaning column that grips a plate, is dragged against its lean and then lifted: it keeps its grip long after a
// solution without contact exists, and loses it at once where its own one ends.
static void open_column(Scene *scene, StickContext *ctx, double mu, double lift, const char *step)
{
    scene_open(scene, ctx,
               "materials: {m: {young: 3, poisson: 0.3, density: 4}}\n"
               "bodies: {column: {mesh: {rectangle: {size: [0.2, 1], cells: [1, 4]}}, plane: stress, "
               "material: m, rotation: 0.5}}\n"
               "obstacles: {plate: {plane: {point: [0, 0], normal: [0, 1]}, "
               "displacement: [\"-max(t - 1, 0)*0.1\", 0]}}\n"
               "supports: [{on: column.top, "
               "displacement: [0, \"-0.01*min(t, 1) + %g*max(t - 1.5, 0)\"]}]\n"
               "contacts: [{between: [column.bottom, plate], friction: %g}]\n"
               "steps: [{quasistatic: {end: 2, %s}]\n",
               lift, mu, step);
}

static const char *const ways[] = {
    "increments: 100}",
    "increments: 100}, solver: auto",
    "increments: 100}, solver: lemke",
    "increments: 100}, solver: gauss-seidel",
    "increments: 100}, solver: newton",
    "increments: 100}, solver: augmented-lagrangian",
};
enum { WAYS = sizeof ways / sizeof *ways };

static int warnings_of(StickContext *ctx, const char *text)
{
    int count = 0;
    for (size_t k = 0; k < stick_diagnostic_count(ctx); k++)
        count += strstr(stick_diagnostic(ctx, k)->text, text) != NULL;
    return count;
}

static void run_to_the_end(const Scene *scene)
{
    stick_diagnostics_clear(scene->ctx);
    while (!stick_simulation_is_done(scene->run))
        scene_step(scene);
}

// Each solver takes the solution that continues the state, which is that of the exact path.
static void a_grip_is_kept_while_it_can_be(void **state)
{
    Scene scene;
    open_column(&scene, *state, 1.5, 0.04, "increments: 2, follow: events}");
    run_to_the_end(&scene);
    double exact = scene_force(&scene);
    scene_close(&scene);
    assert_near(exact, 0.0095207, 1e-7);
    for (int k = 0; k < WAYS; k++) {
        open_column(&scene, *state, 1.5, 0.04, ways[k]);
        run_to_the_end(&scene);
        assert_near(scene_force(&scene), exact, 1e-8);
        assert_true(scene.run->record.jumps == 0);
        assert_int_equal(scene.run->state.step, 100);
        scene_close(&scene);
    }
}

// Where it ends the jump is found to 2^-12 of an increment, taken, counted and told.
static void a_grip_is_lost_where_it_ends(void **state)
{
    Scene scene;
    StickStatus status = STICK_OK;
    open_column(&scene, *state, 0.8, 0.1, "increments: 2, follow: events}");
    while (status == STICK_OK && !stick_simulation_is_done(scene.run))
        status = stick_simulation_step(scene.run);
    assert_int_equal(status, STICK_NOT_SOLVED);
    assert_non_null(strstr(stick_last_error(*state), "ends by a jump"));
    double exact = scene.run->state.now.t;
    scene_close(&scene);
    assert_near(exact, 1.84549, 1e-5);
    for (int k = 0; k < WAYS; k++) {
        open_column(&scene, *state, 0.8, 0.1, ways[k]);
        run_to_the_end(&scene);
        assert_true(scene.run->record.jumps == 1);
        assert_near(scene.run->record.jump_time, exact, 2 * 0.02 / 4096);
        assert_true(scene_force(&scene) == 0);
        assert_int_equal(warnings_of(*state, "contact forces jump by 100 %"), 1);
        assert_int_equal(warnings_of(*state, "at node 1 of body 'column'"), 1);
        scene_close(&scene);
    }
}

static void open_bar(Scene *scene, StickContext *ctx, const char *motion, int increments)
{
    scene_open(scene, ctx,
               "materials: {soft: {young: 1e6, poisson: 0, density: 1000}}\n"
               "bodies: {bar: {mesh: {bar: {length: 1, elements: 3}}, material: soft}}\n"
               "obstacles: {wall: {plane: {point: [0], normal: [1]}}}\n"
               "supports: [{on: bar.end, displacement: [\"-0.001*(%s)\"]}]\n"
               "contacts: [{between: [bar.start, wall]}]\n"
               "steps: [{quasistatic: {end: 1, increments: %d}}]\n",
               motion, increments);
}

// Forces that grow or fall by much, but little by little, are no jumps, and cost no states.
static void what_is_spread_is_no_jump(void **state)
{
    static const struct {
        const char *motion;
        int increments;
        double force;
    } ways_to_go[] = {
        {"t", 5, 1000},
        {"t^6", 3, 1000},
        {"1e-6*t + max(t - 0.6, 0)", 2, 400},
        {"t < 0.5 and t or 1 - t", 2, 0},
        {"t < 0.5 and t or 1.25 - 1.5*t", 2, 0},
    };
    for (size_t k = 0; k < sizeof ways_to_go / sizeof *ways_to_go; k++) {
        Scene scene;
        open_bar(&scene, *state, ways_to_go[k].motion, ways_to_go[k].increments);
        run_to_the_end(&scene);
        assert_true(scene.run->record.jumps == 0);
        assert_int_equal(scene.run->state.step, ways_to_go[k].increments);
        assert_near(scene_force(&scene), ways_to_go[k].force, 1e-2);
        assert_int_equal(stick_diagnostic_count(*state), 0);
        scene_close(&scene);
    }
}

// A motion that jumps makes the forces jump: once, where it does, however little of the increment is left.
static void a_motion_that_jumps(void **state)
{
    Scene scene;
    open_bar(&scene, *state, "t < 0.7 and t or t + 1", 4);
    run_to_the_end(&scene);
    assert_true(scene.run->record.jumps == 1);
    assert_near(scene.run->record.jump_time, 0.7, 0.25 / 4096);
    assert_near(scene_force(&scene), 2000, 1e-6);
    assert_int_equal(warnings_of(*state, "contact forces jump by"), 1);
    scene_close(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(a_grip_is_kept_while_it_can_be),
        test_with_context(a_grip_is_lost_where_it_ends),
        test_with_context(what_is_spread_is_no_jump),
        test_with_context(a_motion_that_jumps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
