// SPDX-License-Identifier: Apache-2.0
#include "problems/condense_global.h"
#include "problems/global_operator.h"
#include "problems/texts.h"
#include "solve/manufactured.h"

// M = [2 1; 1 2] (+) 4 I, H = I: W = [2 -1; -1 2] / 3 (+) I / 4, u_free = M^-1 f + w.
static void closed_form(void **state)
{
    static const double W[] = {2. / 3, -1. / 3, -1. / 3, 2. / 3, 0.25, 0, 0, 0.25},
                        u_free[] = {2.5, -1, 1, 2};
    StickProblemFile *file;
    StickGlobalOperator *made;
    double block[4], r[] = {1, 2, 3, 4}, Wr[4];
    assert_ok(*state, read_text(*state, ONE_GLOBAL, STICK_PROBLEM_GLOBAL, &file));
    assert_ok(*state, stick_global_operator_create(*state, &file->global, &made));
    StickFrictionProblem problem = stick_global_operator_problem(made);
    assert_null(problem.W);
    for (int c = 0; c < 2; c++) {
        problem.apply_W->diagonal(problem.apply_W->data, c, block);
        for (int k = 0; k < 4; k++)
            assert_near(block[k], W[4 * c + k], 1e-15);
    }
    stick_friction_apply(&problem, r, Wr);
    for (int c = 0; c < 2; c++)
        for (int i = 0; i < 2; i++) {
            const double *row = W + 4 * c + 2 * i;
            assert_near(Wr[2 * c + i], row[0] * r[2 * c] + row[1] * r[2 * c + 1], 1e-14);
            assert_near(problem.u_free[2 * c + i], u_free[2 * c + i], 1e-14);
        }
    stick_global_operator_destroy(made);
    stick_problem_destroy(file);
}

// A solver that needs no blocks gives the same on the operator and on the condensed problem.
static void solvers_take_either_form(void **state)
{
    StickProblemFile *file;
    StickGlobalOperator *made;
    StickFrictionData local;
    double r[4], u[4], other_r[4], other_u[4];
    assert_ok(*state, read_text(*state, ONE_GLOBAL, STICK_PROBLEM_GLOBAL, &file));
    file->global.w[0] = -4, file->global.w[2] = -3;
    assert_ok(*state, stick_global_operator_create(*state, &file->global, &made));
    assert_ok(*state, stick_condense_global(*state, &file->global, &local));
    StickFrictionProblem condensed = {.dim = local.dim,
                                      .ncontacts = local.ncontacts,
                                      .W = &local.W,
                                      .u_free = local.u_free,
                                      .mu = local.mu};
    StickFrictionProblem by_action = stick_global_operator_problem(made);
    StickSolveInfo info = solve_friction(*state, "accelerated-gradient", &by_action, 1e-12, 0, r, u);
    assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
    info = solve_friction(*state, "accelerated-gradient", &condensed, 1e-12, 0, other_r, other_u);
    assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
    assert_true(r[0] > 0);
    for (int i = 0; i < 4; i++) {
        assert_near(r[i], other_r[i], 1e-11);
        assert_near(u[i], other_u[i], 1e-11);
    }
    stick_friction_data_destroy(*state, &local);
    stick_global_operator_destroy(made);
    stick_problem_destroy(file);
}

static void singular_matrix_is_told(void **state)
{
    StickProblemFile *file;
    StickGlobalOperator *made;
    assert_ok(*state, read_text(*state, "2 1 0 2 2 2 2 1 1 1 1 0 2 2 2 2 1 0 0 1 0 0 1 1 0.5",
                                STICK_PROBLEM_GLOBAL, &file));
    assert_int_equal(stick_global_operator_create(*state, &file->global, &made), STICK_NOT_SOLVED);
    assert_non_null(strstr(stick_last_error(*state), "singular"));
    stick_problem_destroy(file);
}

static StickStatus create_again(StickContext *ctx, void *data)
{
    StickProblemFile *file;
    StickGlobalOperator *made;
    STICK_TRY(read_text(ctx, data, STICK_PROBLEM_GLOBAL, &file));
    StickStatus status = stick_global_operator_create(ctx, &file->global, &made);
    if (status == STICK_OK)
        stick_global_operator_destroy(made);
    stick_problem_destroy(file);
    return status;
}

static void memory_may_fail(void **state)
{
    (void)state;
    assert_survives_failing_memory(create_again, ONE_GLOBAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(closed_form),
        test_with_context(solvers_take_either_form),
        test_with_context(singular_matrix_is_told),
        cmocka_unit_test(memory_may_fail),
    };
    return cmocka_run_group_tests_name("problems.global_operator", tests, NULL, NULL);
}
