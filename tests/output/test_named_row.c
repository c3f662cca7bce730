// SPDX-License-Identifier: Apache-2.0
// Columns that are described once: names with the units of the model, and numbers from where they are said to stand.
#include "check.h"

#include "output/named_row.h"

typedef struct Spring {
    double force;
    int turns;
    double length[2];
} Spring;

static const StickNamedColumn of_spring[] = {
    {".force", STICK_FORCE, offsetof(Spring, force)},
    {".longest", STICK_LENGTH, offsetof(Spring, length[1])},
    {".ratio", STICK_NO_UNIT, offsetof(Spring, length[0])},
};

static const StickUnits units = {"mm", "t", "s", "N"};

static StickStatus make(StickContext *ctx, StickNamedRow *row)
{
    *row = (StickNamedRow){.units = &units};
    STICK_TRY(stick_named_row_add(ctx, row, "left", of_spring, 3));
    return stick_named_row_add(ctx, row, "one, two", of_spring, 2);
}

static void numbers_stand_under_their_names(void **state)
{
    const Spring left = {7, 3, {0.5, 20}}, right = {9, 4, {0.25, 30}};
    StickNamedRow row;
    assert_ok(*state, make(*state, &row));
    double *next = stick_named_row_take(of_spring, 3, &left, row.value);
    assert_ptr_equal(stick_named_row_take(of_spring, 2, &right, next), row.value + row.count);
    assert_int_equal(row.count, 5);
    assert_string_equal(row.name[0], "left.force [N]");
    assert_string_equal(row.name[1], "left.longest [mm]");
    assert_string_equal(row.name[2], "left.ratio");
    assert_near(row.value[stick_named_row_find(&row, "left.longest")], 20, 0);
    assert_near(row.value[stick_named_row_find(&row, "left.ratio")], 0.5, 0);
    // a comma in the name of a body would start another column of the file
    assert_string_equal(row.name[3], "one; two.force [N]");
    assert_near(row.value[stick_named_row_find(&row, "one; two.force")], 9, 0);
    stick_named_row_destroy(*state, &row);
}

static void names_are_found_whole(void **state)
{
    StickNamedRow row;
    assert_ok(*state, make(*state, &row));
    assert_int_equal(stick_named_row_find(&row, "left"), -1);
    assert_int_equal(stick_named_row_find(&row, "left.forces"), -1);
    assert_int_equal(stick_named_row_find(&row, "left.force [N]"), -1);
    assert_int_equal(stick_named_row_find(&row, ""), -1);
    stick_named_row_destroy(*state, &row);
}

static StickStatus make_and_drop(StickContext *ctx, void *data)
{
    StickNamedRow row;
    (void)data;
    StickStatus status = make(ctx, &row);
    stick_named_row_destroy(ctx, &row);
    return status;
}

static void memory_may_fail_anywhere(void **state)
{
    (void)state;
    assert_survives_failing_memory(make_and_drop, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(numbers_stand_under_their_names),
        test_with_context(names_are_found_whole),
        cmocka_unit_test(memory_may_fail_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
