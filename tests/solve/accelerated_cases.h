// SPDX-License-Identifier: Apache-2.0
// What every method that leads Gauss-Seidel sweeps must do: name is the method's.
#ifndef TESTS_SOLVE_ACCELERATED_CASES_H
#define TESTS_SOLVE_ACCELERATED_CASES_H

#include "solve/lattice.h"

#include <stickslip/certificate.h>

static Manufactured made;

static inline StickSolveInfo solve_with(StickContext *ctx, const char *name, double relaxation,
                                        int iterations, const StickFrictionProblem *problem, double *r,
                                        double *u)
{
    StickSolver *solver;
    StickSolveInfo info;
    StickSolverOptions options = stick_solver_options_default();
    options.relaxation = relaxation;
    options.iterations = iterations;
    for (int i = 0; i < problem->dim * problem->ncontacts; i++)
        r[i] = 0;
    assert_ok(ctx, stick_solver_create(ctx, name, &options, &solver));
    assert_ok(ctx, stick_solver_solve(solver, problem, r, u, &info));
    stick_solver_destroy(solver);
    return info;
}

static inline void assert_agrees_with_plain_sweeps(StickContext *ctx, const char *name)
{
    StickRandom random = stick_random_seed(1);
    double r[MOST_ROWS], u[MOST_ROWS], other_r[MOST_ROWS], other_u[MOST_ROWS];
    for (int k = 0; k < 60; k++) {
        int dim = 1 + k % 3, nc = 1 + k % MOST_CONTACTS;
        manufacture(&made, &random, dim, nc, 0.9, k < 30 ? 0.5 : 3);
        StickSolveInfo info = solve_friction(ctx, "gauss-seidel", &made.problem, 1e-11, 0, r, u);
        assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
        info = solve_friction(ctx, name, &made.problem, 1e-11, 0, other_r, other_u);
        assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
        assert_below(info.residual, 1e-11);
        for (int i = 0; i < dim * nc; i++)
            assert_near(u[i], other_u[i], 1e-8);
    }
}

// Loads of no known solution, strong coupling, any friction: what plain sweeps solve, this solves.
static inline void assert_solves_what_plain_sweeps_solve(StickContext *ctx, const char *name,
                                                         double relaxation)
{
    StickRandom random = stick_random_seed(2);
    double r[MOST_ROWS], u[MOST_ROWS];
    int solved = 0;
    for (int k = 0; k < 60; k++) {
        int dim = 1 + k % 3, nc = 2 + k % 15;
        manufacture(&made, &random, dim, nc, 1.5, 20);
        for (int i = 0; i < dim * nc; i++)
            made.u_free[i] = stick_random_uniform(&random, -1, i % dim ? 1 : 0.3);
        if (solve_with(ctx, "gauss-seidel", 0, 3000, &made.problem, r, u).end != STICK_SOLVE_CONVERGED)
            continue;
        solved++;
        assert_int_equal(solve_with(ctx, name, relaxation, 20000, &made.problem, r, u).end,
                         STICK_SOLVE_CONVERGED);
    }
    assert_true(solved > 30);
}

// A chain of n contacts, all pressed, each coupled by -coupling to the next ones: W of a string of masses.
static inline void make_chain(int n, double coupling)
{
    StickRandom random = stick_random_seed(3);
    manufacture(&made, &random, 1, n, 0, 0);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            *manufactured_entry(&made, i, j) = i == j ? 1 : abs(i - j) == 1 ? -coupling : 0;
        made.r[i] = 1 + i % 3;
        made.u[i] = 0;
    }
    manufacture_u_free(&made);
}

// As many sweeps as plain ones divided by gain at most.
static inline void assert_faster_on_a_chain(StickContext *ctx, const char *name, double gain)
{
    double r[MOST_ROWS], u[MOST_ROWS];
    make_chain(MOST_CONTACTS, 0.498);
    StickSolveInfo plain = solve_with(ctx, "gauss-seidel", 0, 10000, &made.problem, r, u);
    StickSolveInfo other = solve_with(ctx, name, 0, 10000, &made.problem, r, u);
    assert_int_equal(plain.end, STICK_SOLVE_CONVERGED);
    assert_int_equal(other.end, STICK_SOLVE_CONVERGED);
    assert_below(other.iterations, plain.iterations / gain);
    for (int i = 0; i < MOST_CONTACTS; i++)
        assert_near(r[i], made.r[i], 1e-5);
}

static inline void assert_handles_guesses_and_limits(StickContext *ctx, const char *name)
{
    StickSolver *solver;
    StickSolveInfo info;
    StickSolverOptions options = stick_solver_options_default();
    StickRandom random = stick_random_seed(4);
    double r[MOST_ROWS] = {0}, u[MOST_ROWS];
    StickCertificate zero, best;
    options.iterations = 3;
    manufacture(&made, &random, 3, 20, 0.7, 2);
    assert_ok(ctx, stick_certify(ctx, &made.problem, r, 0, 1e-8, &zero));
    assert_ok(ctx, stick_solver_create(ctx, name, &options, &solver));
    assert_ok(ctx, stick_solver_solve(solver, &made.problem, r, u, &info));
    assert_int_equal(info.end, STICK_SOLVE_LIMIT);
    assert_int_equal(info.iterations, 3);
    assert_ok(ctx, stick_certify(ctx, &made.problem, r, 0, 1e-8, &best));
    assert_true(best.error < zero.error);
    memcpy(r, made.r, sizeof r);
    assert_ok(ctx, stick_solver_solve(solver, &made.problem, r, u, &info));
    assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
    assert_int_equal(info.iterations, 0);
    stick_solver_destroy(solver);
}

static inline StickStatus reserve_and_solve(StickContext *ctx, void *data)
{
    StickSolver *solver;
    StickSolveInfo info;
    StickSolverOptions options = stick_solver_options_default();
    double r[MOST_ROWS] = {0}, u[MOST_ROWS];
    STICK_TRY(stick_solver_create(ctx, data, &options, &solver));
    StickStatus status = stick_solver_reserve(solver, &made.problem);
    size_t calls = stick_memory_calls(ctx);
    if (status == STICK_OK)
        status = stick_solver_solve(solver, &made.problem, r, u, &info);
    assert_int_equal(stick_memory_calls(ctx), calls);
    stick_solver_destroy(solver);
    return status;
}

static inline void assert_memory_may_fail(const char *name)
{
    StickRandom random = stick_random_seed(5);
    manufacture(&made, &random, 3, 12, 0.6, 2);
    assert_survives_failing_memory(reserve_and_solve, (void *)(uintptr_t)name);
}

#endif
