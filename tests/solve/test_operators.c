// SPDX-License-Identifier: Apache-2.0
#include "check.h"

#include "solve/manufactured.h"
#include "solve/operators.h"
#include "solve/problem.h"

static Manufactured made;

static void action_and_blocks_have_the_same_bits(void **state)
{
    (void)state;
    StickRandom random = stick_random_seed(1);
    double x[MOST_ROWS], by_blocks[MOST_ROWS], by_action[MOST_ROWS], block[9], same[9];
    for (int dim = 1; dim <= 3; dim++) {
        manufacture(&made, &random, dim, 17, 0.5, 0.5);
        StickOperator action = stick_operator_from_blocks(&made.W);
        for (int i = 0; i < 17 * dim; i++)
            x[i] = stick_random_uniform(&random, -1, 1);
        stick_friction_apply(&made.problem, x, by_blocks);
        action.apply(action.data, x, by_action);
        assert_memory_equal(by_blocks, by_action, (size_t)(17 * dim) * sizeof *x);
        for (int c = 0; c < 17; c++) {
            stick_friction_diagonal(&made.problem, c, block);
            action.diagonal(action.data, c, same);
            assert_memory_equal(block, same, (size_t)(dim * dim) * sizeof *block);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(action_and_blocks_have_the_same_bits),
    };
    return cmocka_run_group_tests_name("solve.operators", tests, NULL, NULL);
}
