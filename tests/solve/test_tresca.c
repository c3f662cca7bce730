// SPDX-License-Identifier: Apache-2.0
#include "solve/exact_method.h"

static const ExactMethod method = {"tresca", ACTION_SAME_BITS, 0.9, 60, 36};
EXACT_METHOD_TESTS

int main(void)
{
    const struct CMUnitTest tests[] = {
        EXACT_METHOD_LIST,
    };
    return cmocka_run_group_tests_name("solve.tresca", tests, NULL, NULL);
}
