// SPDX-License-Identifier: Apache-2.0
#include "check.h"

#include "solve/accelerated_cases.h"
#include "solve/block.h"

static void agrees_with_plain_sweeps(void **state)
{
    assert_agrees_with_plain_sweeps(*state, "aitken");
}

static void solves_what_plain_sweeps_solve(void **state)
{
    assert_solves_what_plain_sweeps_solve(*state, "aitken", 0);
}

static void faster_on_a_chain(void **state)
{
    assert_faster_on_a_chain(*state, "aitken", 3);
}

// Two contacts contract by one factor alone: the limit is one extrapolation away.
static void two_contacts_need_one_extrapolation(void **state)
{
    double r[MOST_ROWS], u[MOST_ROWS];
    make_chain(2, 0.999);
    StickSolveInfo info = solve_with(*state, "aitken", 0, 10000, &made.problem, r, u);
    assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
    assert_below(info.iterations, 8);
    assert_near(r[0], made.r[0], 1e-6);
    assert_near(r[1], made.r[1], 1e-6);
}

// The block that slides on its plate [RBV02 section 4.3]: dragged to the right, sweeps from left to right alternate.
static void recovers_where_sweeps_cycle(void **state)
{
    static Block block;
    double r[2 * MOST_BLOCK_CONTACTS] = {0}, u[2 * MOST_BLOCK_CONTACTS], other[2 * MOST_BLOCK_CONTACTS];
    assert_int_equal(block_build(20, 1.1, &block), 0);
    for (int k = 0; k < 4; k++) {
        block_load(&block, 0.5, k % 2 ? -3 - 2 * k : 3 + 2 * k);
        StickSolveInfo info = solve_with(*state, "lemke", 0, 10000, &block.problem, other, u);
        assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
        info = solve_with(*state, "aitken", 0, 400, &block.problem, r, u);
        assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
        for (int i = 0; i < 42; i++)
            assert_near(r[i], other[i], 1e-5);
        info = solve_with(*state, "gauss-seidel", 0, 10000, &block.problem, r, u);
        assert_int_equal(info.end, k % 2 ? STICK_SOLVE_CONVERGED : STICK_SOLVE_LIMIT);
    }
}

static void handles_guesses_and_limits(void **state)
{
    assert_handles_guesses_and_limits(*state, "aitken");
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    assert_memory_may_fail("aitken");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(agrees_with_plain_sweeps),
        test_with_context(solves_what_plain_sweeps_solve),
        test_with_context(faster_on_a_chain),
        test_with_context(two_contacts_need_one_extrapolation),
        test_with_context(recovers_where_sweeps_cycle),
        test_with_context(handles_guesses_and_limits),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("solve.aitken", tests, NULL, NULL);
}
