// SPDX-License-Identifier: Apache-2.0
#include "solve/exact_method.h"

static const ExactMethod method = {"accelerated-gradient", ACTION_SAME_BITS, 0.9, 60, 34};
EXACT_METHOD_TESTS

int main(void)
{
    const struct CMUnitTest tests[] = {
        EXACT_METHOD_LIST,
    };
    return cmocka_run_group_tests_name("solve.accelerated_gradient", tests, NULL, NULL);
}
