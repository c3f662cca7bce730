// SPDX-License-Identifier: Apache-2.0
// Where room was made for a problem its solve allocates nothing, whichever way a method goes.
#include "check.h"

#include "solve/manufactured.h"
#include "solve/masonry.h"
#include "solve/operators.h"

static Manufactured made;

// Solves with the room of `shape` and fails if any was made meanwhile.
static StickSolveInfo solve_in_room(StickContext *ctx, const char *name, const StickFrictionProblem *shape,
                                    const StickFrictionProblem *problem, StickSolverOptions options)
{
    StickSolver *solver;
    StickSolveInfo info;
    size_t rows = (size_t)(problem->dim * problem->ncontacts);
    double *r = calloc(rows, sizeof *r), *u = calloc(rows, sizeof *u);
    assert_ok(ctx, stick_solver_create(ctx, name, &options, &solver));
    assert_ok(ctx, stick_solver_reserve(solver, shape));
    size_t calls = stick_memory_calls(ctx);
    for (int k = 0; k < 2; k++) {
        assert_ok(ctx, stick_solver_solve(solver, problem, r, u, &info));
        if (stick_memory_calls(ctx) != calls)
            fail_msg("%s allocates %zu times in solve %d of dimension %d", name,
                     stick_memory_calls(ctx) - calls, k, problem->dim);
        memset(r, 0, rows * sizeof *r);
    }
    stick_solver_destroy(solver);
    free(r);
    free(u);
    return info;
}

static StickSolverOptions options_with(int threads)
{
    StickSolverOptions options = stick_solver_options_default();
    options.threads = threads;
    options.facets = 8;
    return options;
}

static void no_method_allocates(void **state)
{
    StickRandom random = stick_random_seed(1);
    for (int k = 0; k < 12; k++) {
        int dim = 1 + k % 3, nc = k < 6 ? 12 : MOST_CONTACTS;
        manufacture(&made, &random, dim, nc, k % 2 ? 0.6 : 3, k % 2 ? 0.5 : 5);
        for (int s = 0; stick_solver_name(s); s++)
            if (!stick_solver_needs_bodies(s))
                solve_in_room(*state, stick_solver_name(s), &made.problem, &made.problem,
                              options_with(1 + k / 6));
    }
}

// W that nothing can move: every method goes on to its limits.
static void no_method_allocates_where_it_fails(void **state)
{
    StickRandom random = stick_random_seed(2);
    for (int dim = 1; dim <= 3; dim++) {
        manufacture(&made, &random, dim, 2, 0.5, 0.5);
        memset(made.value, 0, sizeof made.value);
        for (int c = 0; c < 2; c++)
            made.u_free[dim * c] = -1;
        for (int s = 0; stick_solver_name(s); s++) {
            if (stick_solver_needs_bodies(s))
                continue;
            StickSolveInfo info =
                solve_in_room(*state, stick_solver_name(s), &made.problem, &made.problem, options_with(1));
            assert_int_not_equal(info.end, STICK_SOLVE_CONVERGED);
            // auto has been through Newton and all that follow
            assert_true(strcmp(stick_solver_name(s), "auto") != 0 || info.iterations > 4000);
        }
    }
}

// A problem of fewer contacts than there is room for.
static void a_smaller_problem_needs_no_new_room(void **state)
{
    static Manufactured larger;
    StickRandom random = stick_random_seed(3);
    for (int dim = 1; dim <= 3; dim++) {
        manufacture(&larger, &random, dim, 16, 0.6, 0.5);
        manufacture(&made, &random, dim, 9, 0.6, 0.5);
        for (int s = 0; stick_solver_name(s); s++)
            if (!stick_solver_needs_bodies(s))
                solve_in_room(*state, stick_solver_name(s), &larger.problem, &made.problem, options_with(1));
    }
}

// Heavy bricks on light ones: sweeps are too slow, and Newton finishes.
static void auto_does_not_allocate_on_its_way_to_newton(void **state)
{
    Masonry wall;
    StickRandom random = stick_random_seed(11);
    masonry_build(&wall, &random, 10, 2, 1e6, 0.6);
    StickSolveInfo info = solve_in_room(*state, "auto", &wall.problem, &wall.problem, options_with(1));
    assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
    assert_string_equal(info.detail, "by Newton");
    masonry_free(&wall);
}

// Without entries of W there are neither sweeps nor Newton.
static void auto_does_not_allocate_where_it_falls_back(void **state)
{
    StickRandom random = stick_random_seed(5);
    for (int dim = 1; dim <= 3; dim++) {
        manufacture(&made, &random, dim, 12, 0.6, 0.5);
        StickOperator by_action = stick_operator_from_blocks(&made.W);
        StickFrictionProblem problem = made.problem;
        problem.W = NULL;
        problem.apply_W = &by_action;
        StickSolveInfo info = solve_in_room(*state, "auto", &problem, &problem, options_with(1));
        assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
        assert_string_equal(info.detail, "by accelerated-gradient");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(no_method_allocates),
        test_with_context(no_method_allocates_where_it_fails),
        test_with_context(a_smaller_problem_needs_no_new_room),
        test_with_context(auto_does_not_allocate_on_its_way_to_newton),
        test_with_context(auto_does_not_allocate_where_it_falls_back),
    };
    return cmocka_run_group_tests_name("solve.reserve", tests, NULL, NULL);
}
