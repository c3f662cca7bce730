// SPDX-License-Identifier: Apache-2.0
// What both methods inside the cone must solve: manufactured problems of every kind, and files in any order.
#ifndef TESTS_SOLVE_INTERIOR_CASES_H
#define TESTS_SOLVE_INTERIOR_CASES_H

#include "solve/data_file.h"
#include "solve/manufactured.h"
#include "solve/relabel.h"
#include "solve/residual.h"

static inline void assert_solved(StickContext *ctx, const char *name, const StickFrictionProblem *problem)
{
    double r[MOST_ROWS], u[MOST_ROWS];
    StickSolveInfo info = solve_friction(ctx, name, problem, 1e-8, 0, r, u);
    assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
    StickResidual residual = stick_residual(problem, r, u);
    assert_below(residual.shared, 1e-8);
    assert_below(residual.scale_free, 1e-8);
}

// All dimensions, some contacts without friction, unsymmetric, singular and badly scaled W.
static inline void check_manufactured(StickContext *ctx, const char *name)
{
    static Manufactured made;
    StickRandom random = stick_random_seed(11);
    const double scales[] = {1, 1e-12, 1e12};
    for (int trial = 0; trial < 60; trial++) {
        int dim = 1 + trial % 3, count = 1 + trial % 12;
        manufacture(&made, &random, dim, count, trial % 2 ? 5 : 0.8, 3);
        for (int c = 0; c < count; c += 4)
            made.mu[c] = trial % 4 == 0 ? 0 : made.mu[c];
        int n = dim * count;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < i && trial % 5 == 0; j++)
                *manufactured_entry(&made, i, j) += 1e-3 * stick_random_uniform(&random, -1, 1);
        for (int k = 0; k < n * n; k++)
            made.value[k] *= scales[trial % 3];
        assert_solved(ctx, name, &made.problem);
    }
}

// A block on four feet: W = H' H of rank 6 with 12 rows, pressed down and pushed.
static inline void check_hyperstatic(StickContext *ctx, const char *name)
{
    static Manufactured made;
    const double feet[4][2] = {{1, 1}, {1, -1}, {-1, 1}, {-1, -1}}, height = -0.5;
    double H[6][12] = {{0}}, v[6] = {0.3, 0.1, -1, 0.2, -0.1, 0.05};
    memset(&made, 0, sizeof made);
    made.problem =
        (StickFrictionProblem){.dim = 3, .ncontacts = 4, .W = &made.W, .u_free = made.u_free, .mu = made.mu};
    made.W = (StickBlocks){3, 4, made.start, made.col, made.value};
    for (int c = 0; c < 4; c++) {
        double arm[3] = {feet[c][0], feet[c][1], height};
        const int axis[3] = {2, 0, 1};
        for (int k = 0; k < 3; k++) {
            int a = axis[k], b = (a + 1) % 3, e = (a + 2) % 3;
            H[a][3 * c + k] = 1;
            H[3 + b][3 * c + k] = arm[e];
            H[3 + e][3 * c + k] = -arm[b];
        }
        made.start[c + 1] = 4 * (c + 1);
        made.mu[c] = 0.4;
        for (int j = 0; j < 4; j++)
            made.col[4 * c + j] = j;
    }
    for (int i = 0; i < 12; i++)
        for (int k = 0; k < 6; k++) {
            made.u_free[i] += H[k][i] * v[k];
            for (int j = 0; j < 12; j++)
                *manufactured_entry(&made, i, j) += H[k][i] * H[k][j];
        }
    assert_solved(ctx, name, &made.problem);
}

// Contacts that are open have no force at all, and those that slide are on the cone.
static inline void check_statuses(StickContext *ctx, const char *name)
{
    static Manufactured made;
    double r[MOST_ROWS], u[MOST_ROWS];
    StickRandom random = stick_random_seed(12);
    int open = 0;
    for (int trial = 0; trial < 20; trial++) {
        manufacture(&made, &random, 3, 12, 0.7, 1);
        solve_friction(ctx, name, &made.problem, 1e-8, 0, r, u);
        for (int c = 0; c < 12; c++) {
            double t = hypot(r[3 * c + 1], r[3 * c + 2]), slide = hypot(u[3 * c + 1], u[3 * c + 2]);
            open += r[3 * c] == 0;
            if (u[3 * c] > 1e-6)
                assert_true(r[3 * c] == 0 && t == 0);
            else if (slide > 1e-6)
                assert_near(t, made.mu[c] * r[3 * c], 1e-14 * r[3 * c]);
        }
    }
    assert_true(open > 10);
}

static inline void check_no_allocation(StickContext *ctx, const char *name)
{
    static Manufactured made;
    double r[MOST_ROWS] = {0}, u[MOST_ROWS];
    StickRandom random = stick_random_seed(13);
    StickSolverOptions options = stick_solver_options_default();
    StickSolver *solver;
    StickSolveInfo info;
    manufacture(&made, &random, 3, 10, 0.7, 1);
    assert_ok(ctx, stick_solver_create(ctx, name, &options, &solver));
    assert_ok(ctx, stick_solver_reserve(solver, &made.problem));
    size_t calls = stick_memory_calls(ctx);
    assert_ok(ctx, stick_solver_solve(solver, &made.problem, r, u, &info));
    assert_int_equal(stick_memory_calls(ctx), calls);
    assert_true(info.iterations > 0);
    assert_ok(ctx, stick_solver_solve(solver, &made.problem, r, u, &info));
    assert_int_equal(info.iterations, 0);
    stick_solver_destroy(solver);
}

static inline void check_relabelled(StickContext *ctx, const char *name, const char *file, int orders)
{
    StickProblemFile *read = data_file(ctx, file);
    StickFrictionProblem problem = stick_problem_friction(read);
    StickRandom random = stick_random_seed(7);
    size_t n = (size_t)(problem.dim * problem.ncontacts);
    double *r = calloc(2 * n, sizeof *r), *u = r + n;
    for (int k = 0; k < orders; k++) {
        Relabelled other;
        relabel(&problem, &random, &other);
        StickSolveInfo info = solve_friction(ctx, name, &other.problem, 1e-8, 0, r, u);
        assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
        relabelled_free(&other);
    }
    free(r);
    stick_problem_destroy(read);
}

static inline StickStatus solve_and_forget(StickContext *ctx, void *name)
{
    static Manufactured made;
    StickRandom random = stick_random_seed(14);
    double r[MOST_ROWS] = {0}, u[MOST_ROWS];
    StickSolver *solver;
    StickSolveInfo info;
    StickSolverOptions options = stick_solver_options_default();
    manufacture(&made, &random, 3, 6, 0.7, 1);
    STICK_TRY(stick_solver_create(ctx, name, &options, &solver));
    StickStatus status = stick_solver_solve(solver, &made.problem, r, u, &info);
    stick_solver_destroy(solver);
    return status;
}

static inline void check_failing_memory(const char *name)
{
    assert_survives_failing_memory(solve_and_forget, (void *)name);
}

#endif
