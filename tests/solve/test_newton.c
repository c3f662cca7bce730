// SPDX-License-Identifier: Apache-2.0
#include "check.h"

#include "solve/data_file.h"
#include "solve/newton.h"

#include "manufactured.h"

static const char *const names[] = {"newton", "newton-jean-moreau"};

static void assert_solution(const Manufactured *made, const double *u, double tolerance)
{
    for (int i = 0; i < made->problem.dim * made->problem.ncontacts; i++)
        assert_near(u[i], made->u[i], tolerance);
}

static void solves_manufactured_problems(void **state)
{
    static Manufactured made;
    StickContext *ctx = *state;
    StickRandom random = stick_random_seed(11);
    double r[MOST_ROWS], u[MOST_ROWS];
    for (int round = 0; round < 120; round++) {
        int dim = 1 + round % 3, ncontacts = 1 + (int)(stick_random_bits(&random) % MOST_CONTACTS);
        manufacture(&made, &random, dim, ncontacts, round % 4 == 0 ? 5 : 0.8, 0.3);
        StickSolveInfo info = solve_friction(ctx, "newton", &made.problem, 1e-12, 0, r, u);
        assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
        assert_below(info.iterations, 40);
        assert_solution(&made, u, 1e-9);
    }
}

// Contacts without friction together with frictional ones, all without friction, and open ones.
static void solves_without_friction(void **state)
{
    static Manufactured made;
    StickContext *ctx = *state;
    StickRandom random = stick_random_seed(12);
    double r[MOST_ROWS], u[MOST_ROWS];
    for (int round = 0; round < 40; round++) {
        int dim = 2 + round % 2;
        manufacture(&made, &random, dim, 12, 0.8, 0.3);
        for (int c = 0; c < 12; c++)
            if (round % 3 == 0 || c % 3 == 0) {
                made.mu[c] = 0;
                manufacture_contact(&random, dim, 0, made.r + dim * c, made.u + dim * c);
            }
        manufacture_u_free(&made);
        for (int k = 0; k < 2; k++) {
            StickSolveInfo info = solve_friction(ctx, names[k], &made.problem, 1e-12, 0, r, u);
            assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
            assert_solution(&made, u, 1e-9);
            for (int c = 0; c < 12; c++)
                assert_true(made.mu[c] > 0 || fabs(r[dim * c + 1]) < 1e-9);
        }
    }
}

static void nothing_pushes(void **state)
{
    static Manufactured made;
    StickContext *ctx = *state;
    StickRandom random = stick_random_seed(13);
    double r[MOST_ROWS], u[MOST_ROWS];
    manufacture(&made, &random, 3, 7, 0.8, 0.3);
    for (int i = 0; i < 21; i++)
        made.u_free[i] = 0;
    assert_int_equal(solve_friction(ctx, "newton", &made.problem, 1e-12, 0, r, u).end, STICK_SOLVE_CONVERGED);
    for (int i = 0; i < 21; i++)
        assert_true(r[i] == 0);
    for (int i = 0; i < 21; i++)
        made.u_free[i] = i % 3 == 0;
    assert_int_equal(solve_friction(ctx, "newton", &made.problem, 1e-12, 0, r, u).end, STICK_SOLVE_CONVERGED);
    for (int i = 0; i < 21; i++)
        assert_true(r[i] == 0);
}

// Near the solution of a regular problem every step gains more than the one before, until round-off.
static void converges_fast_near_the_solution(void **state)
{
    static Manufactured made;
    StickContext *ctx = *state;
    StickRandom random = stick_random_seed(14);
    StickSolverOptions options = stick_solver_options_default();
    options.tolerance = 1e-13;
    for (int map = 0; map < 2; map++)
        for (int round = 0; round < 20; round++) {
            double r[MOST_ROWS], u[MOST_ROWS], error[10] = {0};
            StickNewton *newton;
            manufacture(&made, &random, 3, 15, 0.6, 0.3);
            for (int i = 0; i < 45; i++)
                r[i] = made.r[i] * (1 + 1e-3 * stick_random_uniform(&random, -1, 1));
            assert_ok(ctx, stick_newton_create(ctx, &options, (StickNewtonMap)map, &newton));
            assert_ok(ctx, stick_newton_reserve(newton, &made.problem));
            stick_newton_start(newton, &made.problem, r);
            int steps = 0;
            for (StickNewtonRun run = {0}; steps < 10 && !run.converged; steps++) {
                run = stick_newton_continue(newton, &made.problem, 1, r, u);
                error[steps] = run.residual.scale_free;
            }
            // alpha is 0.1, then less by tens: so are the factors between errors
            assert_below(steps, 7);
            for (int k = 1; k < steps; k++)
                assert_below(error[k], fmax(3 * pow(10, -k - 1) * error[k - 1], 1e-13));
            assert_solution(&made, u, 1e-11);
            stick_newton_destroy(newton);
        }
}

// Every contact twice, as rows of H repeated: r is not unique, W singular, u the same.
static void solves_where_contacts_repeat(void **state)
{
    static Manufactured half, made;
    StickContext *ctx = *state;
    StickRandom random = stick_random_seed(15);
    double r[MOST_ROWS], u[MOST_ROWS];
    for (int round = 0; round < 30; round++) {
        int dim = 1 + round % 3, n = 12;
        manufacture(&half, &random, dim, n, 0.8, 0.3);
        memset(&made, 0, sizeof made);
        made.problem = (StickFrictionProblem){
            .dim = dim, .ncontacts = 2 * n, .W = &made.W, .u_free = made.u_free, .mu = made.mu};
        manufacture_W(&made, &random, 0, 0);
        for (int i = 0; i < 2 * n * dim; i++) {
            made.u_free[i] = half.u_free[i % (n * dim)];
            made.u[i] = half.u[i % (n * dim)];
            made.mu[i / dim] = half.mu[i / dim % n];
            for (int j = 0; j < 2 * n * dim; j++)
                *manufactured_entry(&made, i, j) = *manufactured_entry(&half, i % (n * dim), j % (n * dim));
        }
        StickSolveInfo info = solve_friction(ctx, "newton", &made.problem, 1e-10, 0, r, u);
        assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
        assert_solution(&made, u, 1e-7);
    }
}

static void units_do_not_matter(void **state)
{
    static Manufactured made;
    StickContext *ctx = *state;
    StickRandom random = stick_random_seed(16);
    double r[MOST_ROWS], u[MOST_ROWS];
    manufacture(&made, &random, 3, 20, 0.8, 0.3);
    int steps = solve_friction(ctx, "newton", &made.problem, 1e-8, 0, r, u).iterations;
    for (int k = 0; k < 2; k++) {
        double factor = k == 0 ? 1e-12 : 1e24;
        for (int i = 0; i < 9 * 20 * 20; i++)
            made.value[i] *= factor;
        StickSolveInfo info = solve_friction(ctx, "newton", &made.problem, 1e-8, 0, r, u);
        assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
        assert_below(abs(info.iterations - steps), 2);
        assert_solution(&made, u, 1e-6);
    }
}

// W not symmetric: gyroscopic terms.
static void solves_with_unsymmetric_W(void **state)
{
    static Manufactured made;
    StickContext *ctx = *state;
    StickRandom random = stick_random_seed(17);
    double r[MOST_ROWS], u[MOST_ROWS];
    for (int round = 0; round < 20; round++) {
        manufacture(&made, &random, 3, 20, 0.8, 0.3);
        for (int i = 0; i < 60; i++)
            for (int j = 0; j < i; j++) {
                double skew = stick_random_uniform(&random, -0.02, 0.02);
                *manufactured_entry(&made, i, j) += skew;
                *manufactured_entry(&made, j, i) -= skew;
            }
        manufacture_u_free(&made);
        StickSolveInfo info = solve_friction(ctx, "newton", &made.problem, 1e-12, 0, r, u);
        assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
        assert_solution(&made, u, 1e-9);
    }
}

// A normal force that only pushes the wall away: no solution, and no word of convergence.
static void a_problem_without_solution_is_not_called_solved(void **state)
{
    StickContext *ctx = *state;
    int start[] = {0, 1}, col[] = {0};
    double value[] = {0}, u_free[] = {-1}, mu[] = {0}, r[1], u[1];
    StickBlocks W = {1, 1, start, col, value};
    StickFrictionProblem problem = {.dim = 1, .ncontacts = 1, .W = &W, .u_free = u_free, .mu = mu};
    StickSolveInfo info = solve_friction(ctx, "newton", &problem, 1e-8, 0, r, u);
    assert_int_not_equal(info.end, STICK_SOLVE_CONVERGED);
    assert_true(isfinite(r[0]));
}

static void a_solve_takes_no_memory(void **state)
{
    static Manufactured made;
    StickContext *ctx = *state;
    StickRandom random = stick_random_seed(18);
    StickSolverOptions options = stick_solver_options_default();
    StickSolver *solver;
    StickSolveInfo info;
    double r[MOST_ROWS] = {0}, u[MOST_ROWS];
    manufacture(&made, &random, 3, 24, 0.8, 0.3);
    assert_ok(ctx, stick_solver_create(ctx, "newton", &options, &solver));
    assert_ok(ctx, stick_solver_reserve(solver, &made.problem));
    size_t calls = stick_memory_calls(ctx);
    assert_ok(ctx, stick_solver_solve(solver, &made.problem, r, u, &info));
    assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
    assert_int_equal(stick_memory_calls(ctx), calls);
    stick_solver_destroy(solver);
}

// The real problems, each from zero: boxes and blocks stacked, capsules, rocks, granular flow.
static void solves_real_problems(void **state)
{
    static const char *const files[] = {
        "BoxesStack1-i100000-32.hdf5.dat",
        "Capsules-i100-889.dat",
        "Capsules-i122-1617.dat",
        "Confeti-ex13-Fc3D-SBM.dat",
        "FrictionContactProblem00237.dat",
        "KaplasTower-i1061-4.hdf5.dat",
        "OneObject-i1028-138.hdf5.dat",
        "RockPile_tob1.dat",
        "fc2d_granularflowonwall_02020_00213.dat",
    };
    StickContext *ctx = *state;
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        StickProblemFile *file = data_file(ctx, files[k]);
        StickFrictionProblem problem = stick_problem_friction(file);
        size_t rows = (size_t)(problem.dim * problem.ncontacts);
        double *r = calloc(rows, sizeof *r), *u = calloc(rows, sizeof *u);
        StickSolveInfo info = solve_friction(ctx, "newton", &problem, 1e-8, 0, r, u);
        if (info.end != STICK_SOLVE_CONVERGED)
            print_error("%s: %s\n", files[k], info.detail);
        assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
        free(r);
        free(u);
        stick_problem_destroy(file);
    }
}

static StickStatus run_newton(StickContext *ctx, void *data)
{
    const Manufactured *made = data;
    StickSolverOptions options = stick_solver_options_default();
    StickSolver *solver;
    StickSolveInfo info;
    double r[MOST_ROWS] = {0}, u[MOST_ROWS];
    STICK_TRY(stick_solver_create(ctx, "newton", &options, &solver));
    StickStatus status = stick_solver_solve(solver, &made->problem, r, u, &info);
    stick_solver_destroy(solver);
    return status;
}

static void every_allocation_fails_once(void **state)
{
    (void)state;
    static Manufactured made;
    StickRandom random = stick_random_seed(19);
    manufacture(&made, &random, 3, 20, 0.8, 0.3);
    assert_survives_failing_memory(run_newton, &made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(solves_manufactured_problems),
        test_with_context(solves_without_friction),
        test_with_context(nothing_pushes),
        test_with_context(converges_fast_near_the_solution),
        test_with_context(solves_where_contacts_repeat),
        test_with_context(units_do_not_matter),
        test_with_context(solves_with_unsymmetric_W),
        test_with_context(a_problem_without_solution_is_not_called_solved),
        test_with_context(a_solve_takes_no_memory),
        test_with_context(solves_real_problems),
        cmocka_unit_test(every_allocation_fails_once),
    };
    return cmocka_run_group_tests_name("solve.newton", tests, NULL, NULL);
}
