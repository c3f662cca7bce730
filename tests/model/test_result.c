// SPDX-License-Identifier: Apache-2.0
// The table of results: every name leads to its own entry, and what has no direction has no components.
#include "check.h"

#include "model/result.h"

static void names_lead_to_their_results(void **state)
{
    (void)state;
    for (int k = 0; k < STICK_NRESULTS; k++) {
        const StickResult *result = stick_result(stick_result_name(k));
        assert_non_null(result);
        assert_int_equal(result->kind, k);
        assert_true(result->by_component || !result->by_frame);
    }
    assert_null(stick_result_name(STICK_NRESULTS));
    assert_null(stick_result_name(-1));
    assert_null(stick_result("presure"));
    assert_int_equal(stick_result("contact_pressure")->kind, STICK_RESULT_CONTACT_PRESSURE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(names_lead_to_their_results)};
    return cmocka_run_group_tests_name("model.result", tests, NULL, NULL);
}
