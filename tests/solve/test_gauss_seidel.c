// SPDX-License-Identifier: Apache-2.0
#include "check.h"

#include "solve/block.h"
#include "solve/sweep_cases.h"

#include <stickslip/certificate.h>

static Manufactured made;

static void known_solutions_are_found(void **state)
{
    StickRandom random = stick_random_seed(1);
    double r[MOST_ROWS], u[MOST_ROWS];
    for (int k = 0; k < 60; k++) {
        int dim = 1 + k % 3, nc = 1 + k % MOST_CONTACTS;
        manufacture(&made, &random, dim, nc, 0.9, 0.5);
        StickSolveInfo info = solve_friction(*state, "gauss-seidel", &made.problem, 1e-12, 0, r, u);
        assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
        assert_int_equal(info.facets, 0);
        assert_below(info.residual, 1e-12);
        for (int i = 0; i < dim * nc; i++) {
            assert_near(r[i], made.r[i], 1e-9);
            assert_near(u[i], made.u[i], 1e-9);
        }
    }
}

// One contact is solved by one sweep whatever its friction, its coupling of normal and tangent, and its
// symmetry.
static void one_contact_takes_one_sweep(void **state)
{
    StickContext *ctx = *state;
    StickRandom random = stick_random_seed(2);
    double r[3], u[3];
    StickCertificate certificate;
    for (int k = 0; k < 2000; k++) {
        int dim = 2 + k % 2;
        manufacture(&made, &random, dim, 1, 1.5, 2);
        for (int i = 0; i < dim; i++)
            for (int j = 0; j < i; j++)
                *manufactured_entry(&made, i, j) += stick_random_uniform(&random, -0.1, 0.1);
        manufacture_u_free(&made);
        StickSolveInfo info = solve_friction(ctx, "gauss-seidel", &made.problem, 1e-13, 0, r, u);
        assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
        assert_true(info.iterations <= 1);
        assert_ok(ctx, stick_certify(ctx, &made.problem, r, 0, 1e-13, &certificate));
        assert_true(certificate.certified);
    }
}

static void two_methods_agree_in_the_plane(void **state)
{
    StickRandom random = stick_random_seed(3);
    double r[MOST_ROWS], u[MOST_ROWS], other_r[MOST_ROWS], other_u[MOST_ROWS];
    for (int k = 0; k < 200; k++) {
        int nc = 1 + k % 15;
        manufacture(&made, &random, 2, nc, 0.7, 1);
        // loads of no known solution
        for (int i = 0; i < 2 * nc; i++)
            made.u_free[i] = stick_random_uniform(&random, -1, i % 2 ? 1 : 0.3);
        assert_int_equal(solve_friction(*state, "lemke", &made.problem, 1e-11, 0, r, u).end,
                         STICK_SOLVE_CONVERGED);
        assert_int_equal(
            solve_friction(*state, "gauss-seidel", &made.problem, 1e-11, 0, other_r, other_u).end,
            STICK_SOLVE_CONVERGED);
        for (int i = 0; i < 2 * nc; i++) {
            assert_near(r[i], other_r[i], 1e-8);
            assert_near(u[i], other_u[i], 1e-8);
        }
    }
}

static void a_good_guess_is_kept(void **state)
{
    check_guess_is_kept(*state, "gauss-seidel");
}

static void limit_gives_the_best_so_far(void **state)
{
    StickSolveInfo info;
    StickCertificate best = check_limit(*state, "gauss-seidel", 2, &info);
    assert_near(best.error, info.residual, 1e-14);
}

// A contact that W does not see: nothing to solve for when it opens, no answer when it is pressed in.
static void zero_blocks_do_no_harm(void **state)
{
    StickRandom random = stick_random_seed(6);
    double r[MOST_ROWS], u[MOST_ROWS];
    for (int dim = 1; dim <= 3; dim++) {
        manufacture(&made, &random, dim, 1, 0.5, 0.5);
        for (int k = 0; k < 9; k++)
            made.value[k] = 0;
        made.u_free[0] = 1;
        assert_int_equal(solve_friction(*state, "gauss-seidel", &made.problem, 1e-8, 0, r, u).end,
                         STICK_SOLVE_CONVERGED);
        made.u_free[0] = -1;
        assert_int_not_equal(solve_friction(*state, "gauss-seidel", &made.problem, 1e-8, 0, r, u).end,
                             STICK_SOLVE_CONVERGED);
    }
}

// The block that slides on its plate [RBV02 section 4.3]: sweeps with the sliding diverge, half the changes or
// the other direction of sliding do not.
static void relaxation_helps_where_sweeps_diverge(void **state)
{
    static Block block;
    StickContext *ctx = *state;
    StickSolveInfo info;
    assert_int_equal(block_build(20, 1.1, &block), 0);
    for (int k = 0; k < 3; k++) {
        StickSolverOptions options = stick_solver_options_default();
        StickSolver *solver;
        double r[2 * MOST_BLOCK_CONTACTS] = {0}, u[2 * MOST_BLOCK_CONTACTS];
        options.relaxation = k == 1 ? 0.5 : 0;
        block_load(&block, 0.5, k == 2 ? -3 : 3);
        assert_ok(ctx, stick_solver_create(ctx, "gauss-seidel", &options, &solver));
        assert_ok(ctx, stick_solver_solve(solver, &block.problem, r, u, &info));
        assert_int_equal(info.end, k ? STICK_SOLVE_CONVERGED : STICK_SOLVE_LIMIT);
        stick_solver_destroy(solver);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(known_solutions_are_found),
        test_with_context(one_contact_takes_one_sweep),
        test_with_context(two_methods_agree_in_the_plane),
        test_with_context(a_good_guess_is_kept),
        test_with_context(limit_gives_the_best_so_far),
        test_with_context(zero_blocks_do_no_harm),
        test_with_context(relaxation_helps_where_sweeps_diverge),
    };
    return cmocka_run_group_tests_name("solve.gauss_seidel", tests, NULL, NULL);
}
