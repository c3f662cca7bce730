// SPDX-License-Identifier: Apache-2.0
// Properties that users rely on for every method for the exact cone: a test of a method names it and runs these.
#ifndef TESTS_SOLVE_EXACT_METHOD_H
#define TESTS_SOLVE_EXACT_METHOD_H

#include "check.h"

#include "solve/manufactured.h"
#include "solve/operators.h"

#include <stickslip/certificate.h>

typedef enum ActionOfW { ACTION_REFUSED, ACTION_SAME_BITS, ACTION_OTHER_WAY } ActionOfW;

typedef struct ExactMethod {
    const char *name;
    ActionOfW by_action; // without the blocks of W: refused, the same, or solved in another way
    double most_mu;      // friction up to which all known solutions are found
    int steep;           // of 60 problems with friction up to 5, at least this number is solved
    int rank_deficient;  // of 40
} ExactMethod;

static Manufactured made;

static inline void assert_certified(StickContext *ctx, const double *r, double tolerance)
{
    StickCertificate certificate;
    assert_ok(ctx, stick_certify(ctx, &made.problem, r, 0, tolerance, &certificate));
    assert_true(certificate.certified);
}

// All dimensions, one contact and many, friction from none to the most.
static inline void assert_known_solutions(StickContext *ctx, const ExactMethod *method)
{
    StickRandom random = stick_random_seed(1);
    double r[MOST_ROWS], u[MOST_ROWS];
    for (int k = 0; k < 60; k++) {
        int dim = 1 + k % 3, nc = 1 + k % MOST_CONTACTS;
        manufacture(&made, &random, dim, nc, method->most_mu, 0.5);
        for (int c = 0; c < nc && dim > 1; c += 3) {
            made.mu[c] = 0;
            manufacture_contact(&random, dim, 0, made.r + dim * c, made.u + dim * c);
        }
        manufacture_u_free(&made);
        StickSolveInfo info = solve_friction(ctx, method->name, &made.problem, 1e-11, 0, r, u);
        assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
        assert_int_equal(info.facets, 0);
        assert_below(info.residual, 1e-11);
        for (int i = 0; i < dim * nc; i++) {
            assert_near(u[i], made.u[i], 1e-8);
            assert_near(r[i], made.r[i], 1e-8);
        }
    }
}

// Gyroscopic terms: W is not symmetric.
static inline void assert_unsymmetric(StickContext *ctx, const ExactMethod *method)
{
    StickRandom random = stick_random_seed(2);
    double r[MOST_ROWS], u[MOST_ROWS];
    for (int k = 0; k < 20; k++) {
        int dim = 2 + k % 2, nc = 2 + k % 12;
        manufacture(&made, &random, dim, nc, 0.7, 0.5);
        for (int i = 0; i < dim * nc; i++)
            for (int j = 0; j < i; j++)
                *manufactured_entry(&made, i, j) += stick_random_uniform(&random, -0.01, 0.01);
        manufacture_u_free(&made);
        StickSolveInfo info = solve_friction(ctx, method->name, &made.problem, 1e-10, 0, r, u);
        assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
        for (int i = 0; i < dim * nc; i++)
            assert_near(u[i], made.u[i], 1e-8);
    }
}

// Converged means certified; returns how many of the problems did.
static inline int count_certified(StickContext *ctx, const ExactMethod *method, StickRandom *random,
                                  int count, void (*change)(StickRandom *random))
{
    double r[MOST_ROWS], u[MOST_ROWS];
    int solved = 0;
    for (int k = 0; k < count; k++) {
        int dim = 2 + k % 2, nc = 2 + k % 9;
        manufacture(&made, random, dim, nc, 0.9, 0.5);
        change(random);
        StickSolveInfo info = solve_friction(ctx, method->name, &made.problem, 1e-8, 0, r, u);
        if (info.end == STICK_SOLVE_CONVERGED)
            assert_certified(ctx, r, 1e-8);
        solved += info.end == STICK_SOLVE_CONVERGED;
    }
    return solved;
}

static inline void make_steep(StickRandom *random)
{
    int dim = made.problem.dim, nc = made.problem.ncontacts;
    for (int c = 0; c < nc; c++) {
        made.mu[c] = stick_random_uniform(random, 1, 5);
        manufacture_contact(random, dim, made.mu[c], made.r + dim * c, made.u + dim * c);
    }
    manufacture_u_free(&made);
}

static inline void make_rank_deficient(StickRandom *random)
{
    manufacture_low_rank(&made, random);
}

static inline void assert_hard_ones(StickContext *ctx, const ExactMethod *method)
{
    StickRandom random = stick_random_seed(3);
    int steep = count_certified(ctx, method, &random, 60, make_steep);
    int rank_deficient = count_certified(ctx, method, &random, 40, make_rank_deficient);
    if (steep < method->steep || rank_deficient < method->rank_deficient)
        fail_msg("%s solves %d of 60 steep problems and %d of 40 of low rank", method->name, steep,
                 rank_deficient);
}

static inline StickSolveInfo solve_from(StickContext *ctx, const char *name, int iterations, double *r,
                                        double *u)
{
    StickSolver *solver;
    StickSolveInfo info;
    StickSolverOptions options = stick_solver_options_default();
    options.iterations = iterations;
    assert_ok(ctx, stick_solver_create(ctx, name, &options, &solver));
    assert_ok(ctx, stick_solver_reserve(solver, &made.problem));
    size_t calls = stick_memory_calls(ctx);
    assert_ok(ctx, stick_solver_solve(solver, &made.problem, r, u, &info));
    assert_int_equal(stick_memory_calls(ctx), calls);
    stick_solver_destroy(solver);
    return info;
}

// A solution as guess is kept; a limit gives something no worse than the guess; nothing is allocated.
static inline void assert_guesses_and_limits(StickContext *ctx, const ExactMethod *method)
{
    StickRandom random = stick_random_seed(4);
    double r[MOST_ROWS], u[MOST_ROWS];
    for (int k = 0; k < 12; k++) {
        int dim = 1 + k % 3, n = 10 * dim;
        manufacture(&made, &random, dim, 10, 0.6, 0.5);
        memcpy(r, made.r, sizeof r);
        StickSolveInfo info = solve_from(ctx, method->name, 100, r, u);
        assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
        assert_int_equal(info.iterations, 0);
        assert_memory_equal(r, made.r, (size_t)n * sizeof *r);
        memset(r, 0, sizeof r);
        info = solve_from(ctx, method->name, 1, r, u);
        assert_true(info.iterations <= 1);
        if (info.end == STICK_SOLVE_CONVERGED)
            assert_certified(ctx, r, 1e-8);
        else
            assert_int_equal(info.end, STICK_SOLVE_LIMIT);
        assert_below(info.residual, 1);
    }
}

// Where nothing can move and the contact is pressed in there is no solution.
static inline void assert_never_a_wrong_answer(StickContext *ctx, const ExactMethod *method)
{
    StickRandom random = stick_random_seed(5);
    double r[MOST_ROWS], u[MOST_ROWS];
    for (int dim = 1; dim <= 3; dim++) {
        manufacture(&made, &random, dim, 1, 0.5, 0.5);
        for (int k = 0; k < dim * dim; k++)
            made.value[k] = 0;
        made.u_free[0] = 1;
        assert_int_equal(solve_friction(ctx, method->name, &made.problem, 1e-8, 0, r, u).end,
                         STICK_SOLVE_CONVERGED);
        made.u_free[0] = -1;
        assert_int_not_equal(solve_friction(ctx, method->name, &made.problem, 1e-8, 0, r, u).end,
                             STICK_SOLVE_CONVERGED);
    }
}

static inline void assert_refused(StickContext *ctx, const ExactMethod *method,
                                  const StickFrictionProblem *problem)
{
    StickSolver *solver;
    StickSolveInfo info;
    StickSolverOptions options = stick_solver_options_default();
    double r[MOST_ROWS] = {0}, u[MOST_ROWS];
    assert_ok(ctx, stick_solver_create(ctx, method->name, &options, &solver));
    assert_int_equal(stick_solver_reserve(solver, problem), STICK_BAD_INPUT);
    assert_int_equal(stick_solver_solve(solver, problem, r, u, &info), STICK_BAD_INPUT);
    assert_non_null(strstr(stick_last_error(ctx), "needs W by blocks"));
    stick_solver_destroy(solver);
}

// W by its action gives the same bits, or is refused by methods that need the blocks.
static inline void assert_action_of_W(StickContext *ctx, const ExactMethod *method)
{
    StickRandom random = stick_random_seed(6);
    double r[MOST_ROWS], u[MOST_ROWS], same_r[MOST_ROWS], same_u[MOST_ROWS];
    for (int dim = 1; dim <= 3; dim++) {
        manufacture(&made, &random, dim, 8, 0.6, 0.5);
        StickOperator by_action = stick_operator_from_blocks(&made.W);
        StickFrictionProblem problem = made.problem;
        problem.W = NULL;
        problem.apply_W = &by_action;
        if (method->by_action == ACTION_REFUSED) {
            assert_refused(ctx, method, &problem);
            continue;
        }
        solve_friction(ctx, method->name, &made.problem, 1e-8, 0, r, u);
        StickSolveInfo info = solve_friction(ctx, method->name, &problem, 1e-8, 0, same_r, same_u);
        assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
        for (int i = 0; i < 8 * dim; i++)
            assert_near(same_u[i], u[i], 1e-6);
        if (method->by_action == ACTION_SAME_BITS)
            assert_memory_equal(r, same_r, (size_t)(8 * dim) * sizeof *r);
    }
}

static inline StickStatus solve_with(StickContext *ctx, void *name)
{
    StickSolver *solver;
    StickSolveInfo info;
    StickSolverOptions options = stick_solver_options_default();
    double r[MOST_ROWS] = {0}, u[MOST_ROWS];
    STICK_TRY(stick_solver_create(ctx, name, &options, &solver));
    StickStatus status = stick_solver_solve(solver, &made.problem, r, u, &info);
    stick_solver_destroy(solver);
    return status;
}

static inline void assert_memory_may_fail(const ExactMethod *method)
{
    StickRandom random = stick_random_seed(7);
    manufacture(&made, &random, 3, 3, 0.6, 0.5);
    assert_survives_failing_memory(solve_with, (void *)method->name);
}

// The tests of a method that has `static const ExactMethod method`.
#define EXACT_METHOD_TESTS                                     \
    static void known_solutions_are_found(void **state)        \
    {                                                          \
        assert_known_solutions(*state, &method);               \
    }                                                          \
    static void W_need_not_be_symmetric(void **state)          \
    {                                                          \
        assert_unsymmetric(*state, &method);                   \
    }                                                          \
    static void hard_problems_are_solved_or_told(void **state) \
    {                                                          \
        assert_hard_ones(*state, &method);                     \
    }                                                          \
    static void guesses_and_limits_are_kept(void **state)      \
    {                                                          \
        assert_guesses_and_limits(*state, &method);            \
    }                                                          \
    static void no_solution_is_no_answer(void **state)         \
    {                                                          \
        assert_never_a_wrong_answer(*state, &method);          \
    }                                                          \
    static void action_of_W_is_enough_or_refused(void **state) \
    {                                                          \
        assert_action_of_W(*state, &method);                   \
    }                                                          \
    static void every_allocation_may_fail(void **state)        \
    {                                                          \
        (void)state;                                           \
        assert_memory_may_fail(&method);                       \
    }

#define EXACT_METHOD_LIST                                                                                    \
    test_with_context(known_solutions_are_found), test_with_context(W_need_not_be_symmetric),                \
        test_with_context(hard_problems_are_solved_or_told), test_with_context(guesses_and_limits_are_kept), \
        test_with_context(no_solution_is_no_answer), test_with_context(action_of_W_is_enough_or_refused),    \
        cmocka_unit_test(every_allocation_may_fail)

#endif
