// SPDX-License-Identifier: Apache-2.0
#include "check.h"

#include "solve/interior_cases.h"

static const char *const name = "continuation";

static void test_solves_manufactured_problems(void **state)
{
    check_manufactured(*state, name);
}

static void test_solves_a_hyperstatic_block(void **state)
{
    check_hyperstatic(*state, name);
}

static void test_statuses_are_clean(void **state)
{
    check_statuses(*state, name);
}

static void test_allocates_nothing_in_a_solve(void **state)
{
    check_no_allocation(*state, name);
}

// Its path turns back several times, in every order of the contacts.
static void test_solves_the_rock_pile_in_any_order(void **state)
{
    check_relabelled(*state, name, "RockPile_tob1.dat", 2);
}

static void test_solves_files_in_any_order(void **state)
{
    check_relabelled(*state, name, "Capsules-i122-1617.dat", 2);
    check_relabelled(*state, name, "OneObject-i100000-316.hdf5.dat", 2);
}

static void test_survives_failing_memory(void **state)
{
    (void)state;
    check_failing_memory(name);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(test_solves_manufactured_problems),
        test_with_context(test_solves_a_hyperstatic_block),
        test_with_context(test_statuses_are_clean),
        test_with_context(test_allocates_nothing_in_a_solve),
        test_with_context(test_solves_the_rock_pile_in_any_order),
        test_with_context(test_solves_files_in_any_order),
        cmocka_unit_test(test_survives_failing_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
