// SPDX-License-Identifier: Apache-2.0
// A row of a mechanism: what holds a block on a plate that slides below it, and what their contact does.
#include "output/mechanism_table.h"
#include "stepping/slider.h"

static double value_of(const StickMechanismTable *table, const char *name)
{
    int k = stick_named_row_find(&table->row, name);
    if (k < 0)
        fail_msg("there is no column '%s'", name);
    return table->row.value[k];
}

static void columns_are_named_by_bodies_and_contacts(void **state)
{
    static const char *const names[] = {"t [s]",
                                        "block.x [mm]",
                                        "block.y [mm]",
                                        "block.rotation [rad]",
                                        "block.force.x [N]",
                                        "block.force.y [N]",
                                        "block.moment [N mm]",
                                        "plate.x [mm]",
                                        "plate.y [mm]",
                                        "plate.rotation [rad]",
                                        "plate.force.x [N]",
                                        "plate.force.y [N]",
                                        "plate.moment [N mm]",
                                        "contact.1.load [N]",
                                        "contact.1.friction [N]",
                                        "contact.1.pressure [N/mm^2]",
                                        "contact.1.strips"};
    enum { COUNT = sizeof names / sizeof *names };
    Scene scene;
    StickMechanismTable table;
    slider_open(&scene, *state, &(Slider){0});
    assert_ok(*state, stick_mechanism_table_create(*state, scene.model, &table));
    assert_int_equal(table.row.count, COUNT);
    for (int k = 0; k < COUNT; k++)
        assert_string_equal(table.row.name[k], names[k]);
    stick_mechanism_table_destroy(*state, &table);
    scene_close(&scene);
}

// Load, friction and their moments about the middle of the block's lower side are in balance.
static void a_row_is_in_balance(void **state)
{
    Scene scene;
    StickMechanismTable table;
    slider_open(&scene, *state, &(Slider){.at = "[0, 0.01]"});
    assert_ok(*state, stick_mechanism_table_create(*state, scene.model, &table));
    for (int k = 0; k < 3; k++) {
        scene_step(&scene);
        stick_mechanism_table_fill(&table, scene.run);
        assert_near(value_of(&table, "t"), 0.5 * k, 1e-12);
        assert_near(value_of(&table, "contact.1.load"), slider_force, 1e-9);
        assert_near(fabs(value_of(&table, "contact.1.friction")), slider_mu * slider_force, 1e-9);
        // what is free is pushed by its load; friction takes the block along with the plate, and is held
        assert_near(value_of(&table, "block.force.y"), -slider_force, 1e-9);
        assert_near(value_of(&table, "block.force.x"), -slider_mu * slider_force, 1e-9);
        assert_near(value_of(&table, "plate.force.x"), slider_mu * slider_force, 1e-9);
        assert_near(value_of(&table, "plate.force.y"), slider_force, 1e-9);
        // what is not free stays, what is free closes the gap and more
        assert_near(value_of(&table, "block.x"), 0, 0);
        assert_near(value_of(&table, "block.rotation"), 0, 0);
        assert_true(value_of(&table, "block.y") < -0.01);
    }
    stick_mechanism_table_destroy(*state, &table);
    scene_close(&scene);
}

// Of the strip that presses most; a block presses more at its edges than on the mean.
static void pressure_is_by_the_thickness_of_the_first_body(void **state)
{
    Scene scene;
    StickMechanismTable table;
    double most = 0;
    int strips = 0;
    slider_open(&scene, *state, &(Slider){0});
    assert_ok(*state, stick_mechanism_table_create(*state, scene.model, &table));
    scene_step(&scene);
    stick_mechanism_table_fill(&table, scene.run);
    const StickTrajectory *trajectory = scene.run->trajectory;
    for (int i = 0; i < trajectory->set.npairs; i++)
        if (trajectory->p[i] > 0) {
            most = fmax(most, trajectory->p[i] / trajectory->set.pair[i].length / slider_thickness);
            strips++;
        }
    assert_near(value_of(&table, "contact.1.pressure"), most, 1e-12 * most);
    assert_true(most > slider_force / (slider_width * slider_thickness));
    assert_near(value_of(&table, "contact.1.strips"), strips, 0);
    assert_true(strips > 1);
    stick_mechanism_table_destroy(*state, &table);
    scene_close(&scene);
}

static StickStatus make_and_drop(StickContext *ctx, void *data)
{
    Scene *scene = data;
    StickMechanismTable table;
    STICK_TRY(stick_mechanism_table_create(ctx, scene->model, &table));
    stick_mechanism_table_destroy(ctx, &table);
    return STICK_OK;
}

static void memory_may_fail_anywhere(void **state)
{
    Scene scene;
    slider_open(&scene, *state, &(Slider){0});
    assert_survives_failing_memory(make_and_drop, &scene);
    scene_close(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(columns_are_named_by_bodies_and_contacts),
        test_with_context(a_row_is_in_balance),
        test_with_context(pressure_is_by_the_thickness_of_the_first_body),
        test_with_context(memory_may_fail_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
