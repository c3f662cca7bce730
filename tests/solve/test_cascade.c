// SPDX-License-Identifier: Apache-2.0
// Packings of disks without support: sweeps stall in them, accelerated or not.
#include "check.h"

#include "packing.h"

#include <stickslip/certificate.h>

static StickSolveInfo solve(StickContext *ctx, const char *name, const StickFrictionProblem *problem,
                            int iterations, double *r)
{
    StickSolverOptions options = stick_solver_options_default();
    StickSolveInfo info;
    StickSolver *solver;
    double *u = calloc((size_t)(problem->dim * problem->ncontacts), sizeof *u);
    options.tolerance = 1e-8;
    options.iterations = iterations > 0 ? iterations : options.iterations;
    assert_ok(ctx, stick_solver_create(ctx, name, &options, &solver));
    assert_ok(ctx, stick_solver_solve(solver, problem, r, u, &info));
    stick_solver_destroy(solver);
    free(u);
    return info;
}

static void packings_that_stall_sweeps_are_solved(void **state)
{
    StickContext *ctx = *state;
    static const int sizes[] = {300, 400};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        Packing packing;
        StickCertificate certificate;
        assert_ok(ctx, packing_create(ctx, PACKING_DISKS, sizes[k], &packing));
        size_t rows = 2 * (size_t)packing.problem.ncontacts;
        double *r = calloc(rows, sizeof *r);
        StickSolveInfo info = solve(ctx, "gauss-seidel", &packing.problem, 10000, r);
        assert_int_equal(info.end, STICK_SOLVE_LIMIT);
        memset(r, 0, rows * sizeof *r);
        info = solve(ctx, "anderson", &packing.problem, 10000, r);
        assert_int_equal(info.end, STICK_SOLVE_LIMIT);
        memset(r, 0, rows * sizeof *r);
        info = solve(ctx, "auto", &packing.problem, 0, r);
        print_message("%d contacts: %d iterations %s\n", packing.problem.ncontacts, info.iterations,
                      info.detail);
        assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
        assert_ok(ctx, stick_certify(ctx, &packing.problem, r, 0, 1e-8, &certificate));
        assert_true(certificate.certified);
        free(r);
        packing_destroy(&packing);
    }
}

// The iteration limit is shared by all stages, and an unsolved problem is reported.
static void stages_share_the_iterations(void **state)
{
    StickContext *ctx = *state;
    Packing packing;
    assert_ok(ctx, packing_create(ctx, PACKING_DISKS, 600, &packing));
    double *r = calloc(2 * (size_t)packing.problem.ncontacts, sizeof *r);
    StickSolveInfo info = solve(ctx, "auto", &packing.problem, 300, r);
    assert_int_equal(info.end, STICK_SOLVE_LIMIT);
    assert_in_range(info.iterations, 1, 300);
    assert_true(info.residual > 1e-8 && info.residual < 1);
    free(r);
    packing_destroy(&packing);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(packings_that_stall_sweeps_are_solved),
        test_with_context(stages_share_the_iterations),
    };
    return cmocka_run_group_tests_name("solve.cascade", tests, NULL, NULL);
}
