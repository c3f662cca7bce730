// SPDX-License-Identifier: Apache-2.0
#include "check.h"

#include "solve/coloured.h"
#include "solve/lattice.h"
#include "solve/sweep_cases.h"

#include <stickslip/certificate.h>

static Manufactured made;
static Lattice lattice;

typedef struct Answer {
    double *r, *u;
    StickSolveInfo info;
} Answer;

static Answer solve_lattice(StickContext *ctx, const char *name, int threads, double tolerance)
{
    size_t rows = (size_t)(lattice.problem.dim * lattice.problem.ncontacts);
    Answer answer = {calloc(rows, sizeof(double)), calloc(rows, sizeof(double)), {0}};
    StickSolverOptions options = stick_solver_options_default();
    StickSolver *solver;
    options.threads = threads;
    options.tolerance = tolerance;
    assert_ok(ctx, stick_solver_create(ctx, name, &options, &solver));
    assert_ok(ctx, stick_solver_solve(solver, &lattice.problem, answer.r, answer.u, &answer.info));
    stick_solver_destroy(solver);
    return answer;
}

static void answer_destroy(Answer *answer)
{
    free(answer->r);
    free(answer->u);
}

static void known_solutions_are_found(void **state)
{
    StickRandom random = stick_random_seed(1);
    for (int dim = 1; dim <= 3; dim++) {
        lattice_create(&lattice, &random, dim, 4000, 0.08);
        Answer answer = solve_lattice(*state, "coloured", 2, 1e-11);
        assert_int_equal(answer.info.end, STICK_SOLVE_CONVERGED);
        for (int i = 0; i < dim * 4000; i++) {
            assert_near(answer.r[i], lattice.r[i], 1e-8);
            assert_near(answer.u[i], lattice.u[i], 1e-8);
        }
        answer_destroy(&answer);
        lattice_destroy(&lattice);
    }
}

static void same_bits_for_any_number_of_threads(void **state)
{
    static const int threads[] = {2, 3, 7};
    StickRandom random = stick_random_seed(2);
    for (int dim = 1; dim <= 3; dim++) {
        lattice_create(&lattice, &random, dim, 6000, 0.12);
        size_t size = (size_t)dim * 6000 * sizeof(double);
        Answer alone = solve_lattice(*state, "coloured", 1, 1e-9);
        for (int k = 0; k < 3; k++) {
            Answer together = solve_lattice(*state, "coloured", threads[k], 1e-9);
            assert_int_equal(together.info.iterations, alone.info.iterations);
            assert_memory_equal(together.r, alone.r, size);
            assert_memory_equal(together.u, alone.u, size);
            answer_destroy(&together);
        }
        answer_destroy(&alone);
        lattice_destroy(&lattice);
    }
}

// Colours are kept while the pattern of W stays as it is; answers must not tell.
static void colours_of_another_problem_do_no_harm(void **state)
{
    enum { KINDS = 3, COUNT = 3000 };
    static double r[2 * COUNT], u[2 * COUNT];
    static const int turn[] = {0, 0, 1, 0, 2, 2, 1};
    Lattice all[KINDS];
    StickRandom random = stick_random_seed(21);
    StickSolverOptions options = stick_solver_options_default();
    StickSolver *solver;
    assert_ok(*state, stick_solver_create(*state, "coloured", &options, &solver));
    for (int k = 0; k < KINDS; k++)
        lattice_create(&all[k], &random, 2, k == 2 ? COUNT / 2 : COUNT, 0.1);
    for (size_t k = 0; k < sizeof turn / sizeof *turn; k++) {
        StickSolveInfo info;
        lattice = all[turn[k]];
        size_t size = (size_t)(2 * lattice.problem.ncontacts) * sizeof *r;
        Answer fresh = solve_lattice(*state, "coloured", 1, options.tolerance);
        memset(r, 0, sizeof r);
        assert_ok(*state, stick_solver_solve(solver, &lattice.problem, r, u, &info));
        assert_memory_equal(r, fresh.r, size);
        assert_memory_equal(u, fresh.u, size);
        answer_destroy(&fresh);
    }
    stick_solver_destroy(solver);
    for (int k = 0; k < KINDS; k++)
        lattice_destroy(&all[k]);
}

static void agrees_with_plain_sweeps(void **state)
{
    StickRandom random = stick_random_seed(3);
    double r[MOST_ROWS], u[MOST_ROWS], other_r[MOST_ROWS], other_u[MOST_ROWS];
    for (int k = 0; k < 60; k++) {
        int dim = 1 + k % 3, nc = 1 + k % MOST_CONTACTS;
        manufacture(&made, &random, dim, nc, 0.9, 0.5);
        StickSolveInfo info = solve_friction(*state, "gauss-seidel", &made.problem, 1e-11, 0, r, u);
        assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
        info = solve_friction(*state, "coloured", &made.problem, 1e-11, 0, other_r, other_u);
        assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
        for (int i = 0; i < dim * nc; i++)
            assert_near(u[i], other_u[i], 1e-8);
    }
}

// Also where W_cc is not definite and the local problem takes another one.
static void its_residual_is_the_shared_one(void **state)
{
    StickContext *ctx = *state;
    StickRandom random = stick_random_seed(4);
    StickColoured *coloured;
    assert_ok(ctx, stick_coloured_create(ctx, 3, &coloured));
    for (int dim = 1; dim <= 3; dim++) {
        lattice_create(&lattice, &random, dim, 1500, 0.1);
        // block 0 is the diagonal one of contact 0
        memset(lattice.value, 0, (size_t)(dim * dim) * sizeof(double));
        size_t rows = (size_t)dim * 1500;
        double *u = calloc(rows, sizeof *u), *other_u = calloc(rows, sizeof *u), *r = calloc(rows, sizeof *r);
        for (size_t i = 0; i < rows; i++)
            r[i] = lattice.r[i] + stick_random_uniform(&random, -0.1, 0.1);
        assert_ok(ctx, stick_coloured_reserve(coloured, &lattice.problem));
        stick_coloured_load(coloured, &lattice.problem);
        stick_coloured_set(coloured, r);
        StickResidual residual = stick_coloured_residual(coloured);
        stick_coloured_velocity(coloured, u);
        stick_residual_velocity(&lattice.problem, r, other_u);
        for (size_t i = 0; i < rows; i++)
            assert_near(u[i], other_u[i], 1e-14);
        StickResidual other = stick_residual(&lattice.problem, r, other_u);
        assert_near(residual.shared, other.shared, 1e-12);
        assert_near(residual.scale_free, other.scale_free, 1e-12);
        assert_near(residual.velocity, other.velocity, 1e-12);
        stick_coloured_get(coloured, u);
        assert_memory_equal(u, r, rows * sizeof *r);
        free(u), free(other_u), free(r);
        lattice_destroy(&lattice);
    }
    stick_coloured_destroy(coloured);
}

// The change of a sweep estimates the error within a small factor, at no cost.
static void the_change_tells_the_error(void **state)
{
    StickContext *ctx = *state;
    StickRandom random = stick_random_seed(5);
    StickColoured *coloured;
    assert_ok(ctx, stick_coloured_create(ctx, 1, &coloured));
    lattice_create(&lattice, &random, 3, 2000, 0.12);
    assert_ok(ctx, stick_coloured_reserve(coloured, &lattice.problem));
    stick_coloured_load(coloured, &lattice.problem);
    assert_true(stick_coloured_colours(coloured) >= 2);
    for (int k = 0; k < 12; k++) {
        StickChange change = stick_coloured_sweep(coloured);
        StickResidual residual = stick_coloured_residual(coloured);
        assert_true(residual.scale_free < 3 * change.scale_free &&
                    residual.scale_free > change.scale_free / 30);
        assert_true(residual.shared < 3 * change.shared && residual.shared > change.shared / 30);
    }
    lattice_destroy(&lattice);
    stick_coloured_destroy(coloured);
}

static void a_good_guess_is_kept(void **state)
{
    check_guess_is_kept(*state, "coloured");
}

static void limit_gives_the_best_so_far(void **state)
{
    StickSolveInfo info;
    check_limit(*state, "coloured", 3, &info);
}

static void zero_blocks_do_no_harm(void **state)
{
    StickRandom random = stick_random_seed(8);
    double r[MOST_ROWS], u[MOST_ROWS];
    for (int dim = 1; dim <= 3; dim++) {
        manufacture(&made, &random, dim, 1, 0.5, 0.5);
        for (int k = 0; k < 9; k++)
            made.value[k] = 0;
        made.u_free[0] = 1;
        assert_int_equal(solve_friction(*state, "coloured", &made.problem, 1e-8, 0, r, u).end,
                         STICK_SOLVE_CONVERGED);
        made.u_free[0] = -1;
        assert_int_not_equal(solve_friction(*state, "coloured", &made.problem, 1e-8, 0, r, u).end,
                             STICK_SOLVE_CONVERGED);
    }
}

static void reserved_solves_allocate_nothing(void **state)
{
    StickContext *ctx = *state;
    StickRandom random = stick_random_seed(9);
    StickSolverOptions options = stick_solver_options_default();
    StickSolver *solver;
    StickSolveInfo info;
    lattice_create(&lattice, &random, 3, 1000, 0.1);
    options.threads = 2;
    double *r = calloc(3000, sizeof *r), *u = calloc(3000, sizeof *u);
    assert_ok(ctx, stick_solver_create(ctx, "coloured", &options, &solver));
    assert_ok(ctx, stick_solver_reserve(solver, &lattice.problem));
    size_t calls = stick_memory_calls(ctx);
    assert_ok(ctx, stick_solver_solve(solver, &lattice.problem, r, u, &info));
    assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
    assert_int_equal(stick_memory_calls(ctx), calls);
    stick_solver_destroy(solver);
    free(r), free(u);
    lattice_destroy(&lattice);
}

static StickStatus create_and_solve(StickContext *ctx, void *data)
{
    (void)data;
    StickSolver *solver;
    StickSolveInfo info;
    StickSolverOptions options = stick_solver_options_default();
    double r[MOST_ROWS] = {0}, u[MOST_ROWS];
    options.threads = 2;
    STICK_TRY(stick_solver_create(ctx, "coloured", &options, &solver));
    StickStatus status = stick_solver_solve(solver, &made.problem, r, u, &info);
    stick_solver_destroy(solver);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    StickRandom random = stick_random_seed(10);
    manufacture(&made, &random, 2, 3, 0.6, 0.5);
    assert_survives_failing_memory(create_and_solve, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(known_solutions_are_found),
        test_with_context(same_bits_for_any_number_of_threads),
        test_with_context(colours_of_another_problem_do_no_harm),
        test_with_context(agrees_with_plain_sweeps),
        test_with_context(its_residual_is_the_shared_one),
        test_with_context(the_change_tells_the_error),
        test_with_context(a_good_guess_is_kept),
        test_with_context(limit_gives_the_best_so_far),
        test_with_context(zero_blocks_do_no_harm),
        test_with_context(reserved_solves_allocate_nothing),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("solve.coloured", tests, NULL, NULL);
}
