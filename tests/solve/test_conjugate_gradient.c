// SPDX-License-Identifier: Apache-2.0
#include "solve/exact_method.h"

#include "solve/conjugate_gradient.h"

static const ExactMethod method = {"conjugate-gradient", ACTION_SAME_BITS, 0.9, 60, 36};
EXACT_METHOD_TESTS

static StickSolveInfo solve_regularized(StickContext *ctx, double regularization, double *r, double *u)
{
    StickSolveInfo info;
    StickSolverOptions options = stick_solver_options_default();
    options.regularization = regularization;
    options.tolerance = 1e-13;
    memset(r, 0, MOST_ROWS * sizeof *r);
    assert_ok(ctx, stick_regularized_solve(ctx, &made.problem, &options, r, u, &info));
    return info;
}

// One stuck contact creeps: u_T = -e r_T / (mu r_N), here with W = I, u_free = (-1, -0.1): r_N = 1 and
// r_T (1 + e / mu) = 0.1.
static void a_stuck_contact_creeps(void **state)
{
    StickRandom random = stick_random_seed(11);
    double r[MOST_ROWS], u[MOST_ROWS], e = 1e-2;
    manufacture(&made, &random, 2, 1, 0.5, 0);
    made.mu[0] = 0.5;
    made.u_free[0] = -1, made.u_free[1] = -0.1;
    StickSolveInfo info = solve_regularized(*state, e, r, u);
    assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
    assert_near(r[0], 1, 1e-12);
    assert_near(r[1], 0.1 / (1 + e / 0.5), 1e-12);
    assert_near(u[1], -e * r[1] / 0.5, 1e-12);
    assert_true(info.residual > 1e-4);
}

// The error of regularised friction goes with its parameter: order 1.
static void regularised_friction_converges_with_order_one(void **state)
{
    StickRandom random = stick_random_seed(12);
    double r[MOST_ROWS], u[MOST_ROWS];
    int measured = 0;
    for (int k = 0; k < 6; k++) {
        int dim = 2 + k % 2, n = dim * 15;
        double error[3];
        manufacture(&made, &random, dim, 15, 0.8, 0.5);
        for (int level = 0; level < 3; level++) {
            StickSolveInfo info = solve_regularized(*state, pow(10, -3 - level), r, u);
            assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
            error[level] = 0;
            for (int i = 0; i < n; i++)
                error[level] = fmax(error[level], fabs(u[i] - made.u[i]));
        }
        // without a stuck contact there is nothing to regularise
        for (int level = 1; level < 3 && error[0] > 1e-10; level++, measured++)
            assert_near(log10(error[level - 1] / error[level]), 1, 0.02);
    }
    assert_true(measured >= 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        EXACT_METHOD_LIST,
        test_with_context(a_stuck_contact_creeps),
        test_with_context(regularised_friction_converges_with_order_one),
    };
    return cmocka_run_group_tests_name("solve.conjugate_gradient", tests, NULL, NULL);
}
