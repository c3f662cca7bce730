// SPDX-License-Identifier: Apache-2.0
// A row of the mesh cycle: loads go to the right pair of teeth, and what follows from them is what it should be.
#include "gears/pairs.h"

#include "check.h"
#include "output/gear_table.h"

typedef struct Scene {
    StickModel model;
    StickMaterial material;
    StickBodySpec body[2];
    StickStepSpec step;
    StickGearPairSpec pair;
    StickGearTable table;
} Scene;

static void make_scene(Scene *scene, double from, double to)
{
    *scene = (Scene){.material = {.young = 30e6, .poisson = 0.3}, .pair = stub_pair()};
    scene->pair.body[1] = 1;
    scene->step = (StickStepSpec){.kind = STICK_STEP_TRAJECTORY, .trajectory = {.from = from, .to = to}};
    scene->model = (StickModel){.material = &scene->material,
                                .body = scene->body,
                                .nsteps = 1,
                                .step = &scene->step,
                                .units = {"in", "mass", "s", "lbf"}};
}

static StickStatus make_table(StickContext *ctx, void *data)
{
    Scene *scene = data;
    STICK_TRY(stick_gear_table_create(ctx, &scene->model, &scene->pair, &scene->table));
    stick_gear_table_destroy(ctx, &scene->table);
    return STICK_OK;
}

static double value_of(const StickGearTable *table, const char *name)
{
    int k = stick_named_row_find(&table->row, name);
    if (k < 0)
        fail_msg("there is no column '%s'", name);
    return table->row.value[k];
}

static void a_row_is_the_sum_of_its_strips(void **state)
{
    (void)state;
    StickContext *ctx = stick_context_create(NULL);
    Scene scene;
    make_scene(&scene, 0, 1);
    assert_ok(ctx, stick_gear_table_create(ctx, &scene.model, &scene.pair, &scene.table));
    StickGearTable *table = &scene.table;
    assert_int_equal(table->first, -1);
    assert_int_equal(table->npairs, 3);
    // tooth 19 of 20 is the one before tooth 0
    const StickGearTouch touch[] = {{0, 100, 2e4, 5}, {0, 300, 6e4, 7}, {19, 600, 9e4, 10}, {1, 0, 0, 3}};
    StickGearPosition position = {.t = 0.75,
                                  .step = 2,
                                  .number = 38,
                                  .s = 0.07,
                                  .theta = 5e-4,
                                  .torque = {1100, 1000},
                                  .root_stress = {3e4, 2e4},
                                  .ntouches = 4,
                                  .touch = touch};
    stick_gear_table_fill(table, &position);
    assert_near(value_of(table, "load"), 1000, 1e-12);
    assert_near(value_of(table, "load.-1"), 600, 1e-12);
    assert_near(value_of(table, "load.0"), 400, 1e-12);
    assert_near(value_of(table, "load.1"), 0, 0);
    assert_near(value_of(table, "share.-1"), 0.6, 1e-15);
    assert_near(value_of(table, "pairs"), 2, 0);
    assert_near(value_of(table, "strips"), 3, 0);
    assert_near(value_of(table, "pressure"), 9e4, 0);
    // of 600 by curvature 10 and 400 by (100 x 5 + 300 x 7)/400 = 6.5
    assert_near(value_of(table, "hertz"), sqrt(600 * 10 * 30e6 / (2 * 0.91 * STICK_PI)), 1e-6);
    assert_near(value_of(table, "efficiency"), 1000.0 / 1100, 1e-15);
    assert_near(value_of(table, "roll_angle"), 0.07 / (cos(20 * STICK_PI / 180)), 1e-12);
    // the output turns clockwise: what turns it back is > 0
    assert_near(value_of(table, "transmission_error"), 5e-4, 1e-12);
    assert_near(value_of(table, "stiffness"), 1000 / (5e-4 * 0.93969262078590838), 1e-6);
    assert_near(value_of(table, "step"), 2, 0);
    assert_near(value_of(table, "position"), 38, 0);
    stick_gear_table_destroy(ctx, table);
    stick_context_destroy(ctx);
}

static void teeth_have_columns_as_long_as_they_touch(void **state)
{
    (void)state;
    StickContext *ctx = stick_context_create(NULL);
    Scene scene;
    make_scene(&scene, 0, 3);
    assert_ok(ctx, stick_gear_table_create(ctx, &scene.model, &scene.pair, &scene.table));
    // rolling on by two more cycles brings teeth -2 and -3
    assert_int_equal(scene.table.first, -3);
    assert_int_equal(scene.table.npairs, 5);
    // a position without any touch has zeros, not holes
    StickGearPosition position = {.torque = {1, 1}};
    stick_gear_table_fill(&scene.table, &position);
    assert_near(value_of(&scene.table, "share.-3"), 0, 0);
    assert_near(value_of(&scene.table, "hertz"), 0, 0);
    stick_gear_table_destroy(ctx, &scene.table);
    stick_context_destroy(ctx);
}

// 20 teeth and 22 cycles: tooth 0 touches at the start, and again a revolution later.
static void teeth_go_on_beyond_a_revolution(void **state)
{
    StickContext *ctx = *state;
    const StickGearTouch touch = {0, 100, 1e4, 5};
    Scene scene;
    make_scene(&scene, 0, 22);
    assert_ok(ctx, stick_gear_table_create(ctx, &scene.model, &scene.pair, &scene.table));
    StickGearTable *table = &scene.table;
    StickGearPosition position = {.torque = {1, 1}, .ntouches = 1, .touch = &touch};
    stick_gear_table_fill(table, &position);
    assert_near(value_of(table, "load.0"), 100, 0);
    assert_near(value_of(table, "load.-20"), 0, 0);
    position.s = 20 * table->pair.base_pitch;
    stick_gear_table_fill(table, &position);
    assert_near(value_of(table, "load.0"), 0, 0);
    assert_near(value_of(table, "load.-20"), 100, 0);
    stick_gear_table_destroy(ctx, table);
}

// A pinion of 20 teeth in a ring of 60, which turns like the pinion and three times slower.
static void unequal_gears_count_by_their_teeth_and_sense(void **state)
{
    StickContext *ctx = *state;
    Scene scene;
    make_scene(&scene, 0, 1);
    scene.pair = ring_pair(20, 60, 2);
    scene.pair.body[1] = 1;
    scene.pair.gear[1].addendum = 0.8;
    assert_ok(ctx, stick_gear_table_create(ctx, &scene.model, &scene.pair, &scene.table));
    // the ring stays behind: clockwise of where it should be
    StickGearPosition position = {.theta = -1e-4, .torque = {400, 1000}};
    stick_gear_table_fill(&scene.table, &position);
    assert_near(value_of(&scene.table, "efficiency"), 1000.0 / 3 / 400, 1e-15);
    assert_near(value_of(&scene.table, "transmission_error"), 60 * 1e-4, 1e-12);
    assert_near(value_of(&scene.table, "transmission_angle"), 1e-4, 1e-15);
    stick_gear_table_destroy(ctx, &scene.table);
}

static void memory_may_fail_anywhere(void **state)
{
    (void)state;
    Scene scene;
    make_scene(&scene, 0, 1);
    assert_survives_failing_memory(make_table, &scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_row_is_the_sum_of_its_strips),
        cmocka_unit_test(teeth_have_columns_as_long_as_they_touch),
        test_with_context(teeth_go_on_beyond_a_revolution),
        test_with_context(unequal_gears_count_by_their_teeth_and_sense),
        cmocka_unit_test(memory_may_fail_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
