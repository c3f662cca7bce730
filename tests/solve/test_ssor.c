// SPDX-License-Identifier: Apache-2.0
#include "check.h"

#include "solve/accelerated_cases.h"
#include "solve/sweep.h"

static void agrees_with_plain_sweeps(void **state)
{
    assert_agrees_with_plain_sweeps(*state, "ssor");
}

// With any given relaxation.
static void solves_what_plain_sweeps_solve(void **state)
{
    static const double relaxations[] = {0, 0.3, 1, 1.5, 1.99};
    for (int k = 0; k < 5; k++)
        assert_solves_what_plain_sweeps_solve(*state, "ssor", relaxations[k]);
}

static void faster_on_a_chain(void **state)
{
    assert_faster_on_a_chain(*state, "ssor", 1.5);
}

// Six sweeps, forward and backward in turn, with the given relaxation.
static void a_given_relaxation_is_used(void **state)
{
    StickContext *ctx = *state;
    StickSweep *sweep;
    double r[MOST_ROWS], u[MOST_ROWS], other[MOST_ROWS];
    static const double relaxations[] = {0.7, 1, 1.2};
    make_chain(MOST_CONTACTS, 0.45);
    assert_ok(ctx, stick_sweep_create(ctx, &sweep));
    assert_ok(ctx, stick_sweep_reserve(sweep, &made.problem));
    for (int s = 0; s < 3; s++) {
        assert_int_equal(solve_with(ctx, "ssor", relaxations[s], 6, &made.problem, r, u).iterations, 6);
        stick_sweep_load(sweep, &made.problem);
        for (int k = 0; k < 6; k++)
            stick_sweep_run(sweep, k % 2 == 0 ? STICK_FORWARD : STICK_BACKWARD, relaxations[s]);
        stick_sweep_get(sweep, other);
        assert_memory_equal(r, other, MOST_CONTACTS * sizeof *r);
    }
    stick_sweep_destroy(sweep);
}

// A relaxation that prevents convergence is reduced, and the detail reports it.
static void a_bad_relaxation_is_brought_back(void **state)
{
    double r[MOST_ROWS], u[MOST_ROWS];
    StickRandom random = stick_random_seed(7);
    int brought_back = 0;
    for (int k = 0; k < 40; k++) {
        manufacture(&made, &random, 2, 12, 2, 100);
        for (int i = 0; i < 24; i++)
            made.u_free[i] = stick_random_uniform(&random, -1, i % 2 ? 1 : 0.3);
        if (solve_with(*state, "gauss-seidel", 0, 3000, &made.problem, r, u).end != STICK_SOLVE_CONVERGED)
            continue;
        StickSolveInfo info = solve_with(*state, "ssor", 1.99, 100000, &made.problem, r, u);
        assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
        brought_back += strstr(info.detail, "relaxation brought to") != NULL;
    }
    assert_true(brought_back > 0);
}

static void handles_guesses_and_limits(void **state)
{
    assert_handles_guesses_and_limits(*state, "ssor");
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    assert_memory_may_fail("ssor");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(agrees_with_plain_sweeps),
        test_with_context(solves_what_plain_sweeps_solve),
        test_with_context(faster_on_a_chain),
        test_with_context(a_given_relaxation_is_used),
        test_with_context(a_bad_relaxation_is_brought_back),
        test_with_context(handles_guesses_and_limits),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("solve.ssor", tests, NULL, NULL);
}
