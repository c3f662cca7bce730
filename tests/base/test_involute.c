// SPDX-License-Identifier: Apache-2.0
#include "base/involute.h"

#include "check.h"

static void involute_of_20_degrees(void **state)
{
    (void)state;
    assert_near(stick_involute(0.3490658503988659), 0.0149043839, 5e-11);
}

static void inverse_is_one_to_the_last_bits(void **state)
{
    (void)state;
    for (double a = 1e-3; a < 1.57; a += 0.001)
        assert_near(stick_involute_angle(stick_involute(a)), a, 1e-14 + 4e-16 / (a * a));
    assert_near(stick_involute_angle(1e-18 / 3), 1e-6, 1e-11);
    assert_near(stick_involute_angle(0), 0, 0);
    assert_near(stick_involute_angle(-1), 0, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(involute_of_20_degrees),
        cmocka_unit_test(inverse_is_one_to_the_last_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
