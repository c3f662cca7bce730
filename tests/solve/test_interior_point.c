// SPDX-License-Identifier: Apache-2.0
#include "check.h"

#include "solve/interior_cases.h"
#include "solve/interior_point.h"

static const char *const name = "interior-point";

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

// The part for other methods: few iterations from nothing do not do, fewer from near the solution do.
static void test_starts_near_a_guess(void **state)
{
    static Manufactured made;
    double r[MOST_ROWS] = {0}, u[MOST_ROWS];
    StickRandom random = stick_random_seed(21);
    StickSolverOptions options = stick_solver_options_default();
    StickConeInterior *interior;
    StickInteriorPoint *point;
    manufacture(&made, &random, 3, 12, 0.7, 1);
    assert_ok(*state, stick_cone_interior_create(*state, &interior));
    assert_ok(*state, stick_interior_point_create(interior, &point));
    assert_ok(*state, stick_interior_point_reserve(point, &made.problem));
    StickInteriorRun cold = stick_interior_point_run(point, &made.problem, &options, 0, 100, r, u);
    assert_true(stick_residual_within(cold.residual, &options));
    assert_true(cold.flops > 0);
    for (int i = 0; i < 36; i++)
        r[i] *= 1 + 1e-5 * stick_random_uniform(&random, -1, 1);
    StickInteriorRun warm = stick_interior_point_run(point, &made.problem, &options, 1e-3, 100, r, u);
    assert_true(stick_residual_within(warm.residual, &options));
    assert_true(warm.iterations < cold.iterations);
    stick_interior_point_destroy(point);
    stick_cone_interior_destroy(interior);
}

static void test_solves_files_in_any_order(void **state)
{
    check_relabelled(*state, name, "Capsules-i122-1617.dat", 3);
    check_relabelled(*state, name, "BoxesStack1-i100000-32.hdf5.dat", 3);
    check_relabelled(*state, name, "OneObject-i100000-316.hdf5.dat", 3);
    check_relabelled(*state, name, "OneObject-i1028-138.hdf5.dat", 3);
    check_relabelled(*state, name, "fc2d_granularflowonwall_02020_00213.dat", 2);
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
        test_with_context(test_starts_near_a_guess),
        test_with_context(test_solves_files_in_any_order),
        cmocka_unit_test(test_survives_failing_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
