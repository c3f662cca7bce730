// SPDX-License-Identifier: Apache-2.0
// What sweeps over the contacts do with a guess and a limit, one after the other or on threads.
#ifndef TESTS_SOLVE_SWEEP_CASES_H
#define TESTS_SOLVE_SWEEP_CASES_H

#include "solve/manufactured.h"

#include <stickslip/certificate.h>

static inline void check_guess_is_kept(StickContext *ctx, const char *name)
{
    static Manufactured made;
    StickSolver *solver;
    StickSolveInfo info;
    StickSolverOptions options = stick_solver_options_default();
    StickRandom random = stick_random_seed(4);
    double r[MOST_ROWS], u[MOST_ROWS];
    manufacture(&made, &random, 3, 10, 0.7, 0.5);
    memcpy(r, made.r, sizeof r);
    assert_ok(ctx, stick_solver_create(ctx, name, &options, &solver));
    assert_ok(ctx, stick_solver_solve(solver, &made.problem, r, u, &info));
    assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
    assert_int_equal(info.iterations, 0);
    assert_memory_equal(r, made.r, sizeof r);
    stick_solver_destroy(solver);
}

// A limit gives the best so far; returns its certificate.
static inline StickCertificate check_limit(StickContext *ctx, const char *name, int iterations,
                                           StickSolveInfo *info)
{
    static Manufactured made;
    StickSolver *solver;
    StickSolverOptions options = stick_solver_options_default();
    options.iterations = iterations;
    StickRandom random = stick_random_seed(5);
    double r[MOST_ROWS] = {0}, u[MOST_ROWS];
    StickCertificate zero, best;
    manufacture(&made, &random, 3, 20, 0.7, 2);
    assert_ok(ctx, stick_certify(ctx, &made.problem, r, 0, 1e-8, &zero));
    assert_ok(ctx, stick_solver_create(ctx, name, &options, &solver));
    assert_ok(ctx, stick_solver_solve(solver, &made.problem, r, u, info));
    assert_int_equal(info->end, STICK_SOLVE_LIMIT);
    assert_int_equal(info->iterations, iterations);
    assert_ok(ctx, stick_certify(ctx, &made.problem, r, 0, 1e-8, &best));
    assert_false(best.certified);
    assert_true(best.error < zero.error);
    stick_solver_destroy(solver);
    return best;
}

#endif
