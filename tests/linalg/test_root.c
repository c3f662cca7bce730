// SPDX-License-Identifier: Apache-2.0
#include "check.h"

#include "linalg/root.h"

#include <math.h>

typedef struct Given {
    int which, calls;
} Given;

static StickStatus value(void *user, double x, double *f)
{
    Given *given = user;
    given->calls++;
    switch (given->which) {
    case 0:
        *f = cos(x) - x;
        return STICK_OK;
    case 1: // a square root on one side
        *f = x > 0.3 ? sqrt(x - 0.3) : -1e-3;
        return STICK_OK;
    case 2:
        *f = x < 0.7 ? -1 : 1;
        return STICK_OK;
    default:
        return STICK_NOT_SOLVED;
    }
}

static StickRoot find(int which, double a, double b, double fa, double fb)
{
    Given given = {.which = which};
    StickRoot root;
    assert_int_equal(stick_root_find(&(StickRootFunction){value, &given}, (double[2]){a, b},
                                     (double[2]){fa, fb}, 1e-11, &root),
                     STICK_OK);
    assert_int_equal(root.calls, given.calls);
    assert_true(root.width <= 1.1e-11);
    return root;
}

static void zeros_are_found(void **state)
{
    (void)state;
    StickRoot smooth = find(0, 0, 1, 1, cos(1.0) - 1);
    assert_near(smooth.x, 0.7390851332151607, 1e-11);
    assert_true(smooth.calls <= 9);
    // from the other side
    assert_near(find(0, 1, 0, cos(1.0) - 1, 1).x, 0.7390851332151607, 1e-11);
    assert_near(find(1, 0, 1, -1e-3, sqrt(0.7)).x, 0.3, 1e-11);
    StickRoot jump = find(2, 0, 1, -1, 1);
    assert_near(jump.x, 0.7, 1e-11);
    assert_true(jump.calls < 60);
}

static void a_zero_at_an_end_needs_no_call(void **state)
{
    (void)state;
    StickRoot root = find(3, 0, 1, -1, 0);
    assert_true(root.x == 1 && root.calls == 0);
}

static void what_the_function_says_is_handed_on(void **state)
{
    (void)state;
    Given given = {.which = 3};
    StickRoot root = {.x = 5};
    assert_int_equal(stick_root_find(&(StickRootFunction){value, &given}, (double[2]){0, 1},
                                     (double[2]){-1, 1}, 1e-11, &root),
                     STICK_NOT_SOLVED);
    assert_true(root.x == 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(zeros_are_found),
        cmocka_unit_test(a_zero_at_an_end_needs_no_call),
        cmocka_unit_test(what_the_function_says_is_handed_on),
    };
    return cmocka_run_group_tests_name("root", tests, NULL, NULL);
}
