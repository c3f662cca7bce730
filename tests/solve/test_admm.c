// SPDX-License-Identifier: Apache-2.0
#include "solve/exact_method.h"

static const ExactMethod method = {"admm", ACTION_REFUSED, 0.9, 60, 40};
EXACT_METHOD_TESTS

int main(void)
{
    const struct CMUnitTest tests[] = {
        EXACT_METHOD_LIST,
    };
    return cmocka_run_group_tests_name("solve.admm", tests, NULL, NULL);
}
