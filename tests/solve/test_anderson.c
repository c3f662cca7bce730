// SPDX-License-Identifier: Apache-2.0
#include "check.h"

#include "base/memory.h"
#include "solve/anderson.h"
#include "solve/block.h"
#include "solve/data_file.h"
#include "solve/manufactured.h"

#include <stickslip/certificate.h>

static Manufactured made;
static Block block;

static void known_solutions_are_found(void **state)
{
    StickRandom random = stick_random_seed(1);
    double r[MOST_ROWS], u[MOST_ROWS];
    for (int k = 0; k < 90; k++) {
        int dim = 1 + k % 3, nc = 1 + k % MOST_CONTACTS;
        manufacture(&made, &random, dim, nc, k % 2 ? 0.9 : 5, 0.5);
        StickSolveInfo info = solve_friction(*state, "anderson", &made.problem, 1e-12, 0, r, u);
        assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
        assert_below(info.residual, 1e-12);
        for (int i = 0; i < dim * nc; i++) {
            assert_near(r[i], made.r[i], 1e-9);
            assert_near(u[i], made.u[i], 1e-9);
        }
    }
}

// A column of bodies, each between two contacts: u is the difference of neighbours, W = tridiag(-1, 2, -1).
static void make_column(StickRandom *random, int dim)
{
    manufacture(&made, random, dim, MOST_CONTACTS, 0.7, 0);
    for (int i = 0; i < dim * MOST_CONTACTS; i++)
        for (int j = 0; j < dim * MOST_CONTACTS; j++)
            *manufactured_entry(&made, i, j) = i == j ? 2 : abs(i - j) == dim ? -1 : 0;
    manufacture_u_free(&made);
}

static void it_needs_fewer_sweeps(void **state)
{
    StickRandom random = stick_random_seed(2);
    double r[MOST_ROWS], u[MOST_ROWS];
    int plain = 0, accelerated = 0;
    for (int k = 0; k < 12; k++) {
        make_column(&random, 1 + k % 3);
        plain += solve_friction(*state, "gauss-seidel", &made.problem, 1e-10, 0, r, u).iterations;
        StickSolveInfo info = solve_friction(*state, "anderson", &made.problem, 1e-10, 0, r, u);
        assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
        accelerated += info.iterations;
    }
    assert_true(accelerated < plain / 2);
}

// Every contact twice: r is not unique, u is. Some contacts have no friction.
static void contacts_may_repeat_each_other(void **state)
{
    StickContext *ctx = *state;
    StickRandom random = stick_random_seed(3);
    StickCertificate certificate;
    double r[MOST_ROWS], u[MOST_ROWS];
    for (int k = 0; k < 30; k++) {
        int dim = 1 + k % 3, nc = 20, half = dim * nc / 2;
        manufacture(&made, &random, dim, nc, 0.7, 1);
        for (int c = 0; c < nc / 2; c++)
            made.mu[c] = c % 3 ? made.mu[c] : 0;
        memcpy(made.mu + nc / 2, made.mu, (size_t)(nc / 2) * sizeof *made.mu);
        memcpy(made.u_free + half, made.u_free, (size_t)half * sizeof *made.u_free);
        for (int i = 0; i < 2 * half; i++)
            for (int j = 0; j < 2 * half; j++)
                *manufactured_entry(&made, i, j) = *manufactured_entry(&made, i % half, j % half);
        StickSolveInfo info = solve_friction(ctx, "anderson", &made.problem, 1e-10, 0, r, u);
        assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
        assert_ok(ctx, stick_certify(ctx, &made.problem, r, 0, 1e-10, &certificate));
        assert_true(certificate.certified);
        for (int i = 0; i < half; i++)
            assert_near(u[i], u[i + half], 1e-8);
    }
}

static void without_a_load_nothing_happens(void **state)
{
    StickRandom random = stick_random_seed(4);
    double r[MOST_ROWS], u[MOST_ROWS];
    for (int dim = 1; dim <= 3; dim++) {
        manufacture(&made, &random, dim, 5, 0.5, 0.5);
        memset(made.u_free, 0, sizeof made.u_free);
        StickSolveInfo info = solve_friction(*state, "anderson", &made.problem, 1e-10, 0, r, u);
        assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
        assert_int_equal(info.iterations, 0);
        for (int i = 0; i < 5 * dim; i++)
            assert_true(r[i] == 0 && u[i] == 0);
    }
}

// ---- the block that slides on its plate [RBV02 section 4.3]

static void total(const double *r, double force[2])
{
    force[0] = force[1] = 0;
    for (int i = 0; i < 2 * block.problem.ncontacts; i++)
        force[i % 2] += r[i];
}

// Dragged to the right plain sweeps from left to right diverge, dragged to the left they do not; the forces are
// those of steady sliding, of which 17 of 21 nodes take part.
static void sliding_block_where_sweeps_diverge(void **state)
{
    double r[2 * MOST_BLOCK_CONTACTS], u[2 * MOST_BLOCK_CONTACTS], force[2];
    assert_int_equal(block_build(20, 1.1, &block), 0);
    block_load(&block, 0.5, 7);
    assert_int_equal(solve_friction(*state, "gauss-seidel", &block.problem, 1e-8, 0, r, u).end,
                     STICK_SOLVE_LIMIT);
    for (int k = 0; k < 2; k++) {
        block_load(&block, 0.5, k ? -7 : 7);
        StickSolveInfo info = solve_friction(*state, "anderson", &block.problem, 1e-10, 0, r, u);
        assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
        assert_true(info.iterations < 100);
        total(r, force);
        assert_near(force[0], 8.30168, 1e-5);
        assert_near(force[1], k ? 9.13184 : -9.13184, 1e-5);
        int closed = 0;
        for (int c = 0; c < 21; c++)
            closed += r[2 * c] > 0;
        assert_int_equal(closed, 17);
    }
    block_load(&block, 0.5, 0);
    solve_friction(*state, "anderson", &block.problem, 1e-10, 0, r, u);
    total(r, force);
    assert_near(force[0], 5.70835, 1e-5);
}

static void blocks_of_all_states_and_meshes(void **state)
{
    double r[2 * MOST_BLOCK_CONTACTS], u[2 * MOST_BLOCK_CONTACTS];
    for (int cells = 20; cells <= 40; cells += 20) {
        assert_int_equal(block_build(cells, 1.1, &block), 0);
        for (int k = -20; k <= 20; k++) {
            block_load(&block, 0.5, 0.41 * k);
            StickSolveInfo info = solve_friction(*state, "anderson", &block.problem, 1e-8, 0, r, u);
            assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
            assert_true(info.iterations < 200);
        }
    }
}

static void it_agrees_with_pivoting(void **state)
{
    double r[2 * MOST_BLOCK_CONTACTS], u[2 * MOST_BLOCK_CONTACTS], other_r[2 * MOST_BLOCK_CONTACTS],
        other_u[2 * MOST_BLOCK_CONTACTS];
    assert_int_equal(block_build(20, 1.1, &block), 0);
    for (int k = -4; k <= 4; k++) {
        block_load(&block, 0.5, 1.3 * k);
        solve_friction(*state, "anderson", &block.problem, 1e-12, 0, r, u);
        solve_friction(*state, "lemke", &block.problem, 1e-12, 0, other_r, other_u);
        for (int i = 0; i < 42; i++) {
            assert_near(r[i], other_r[i], 1e-9);
            assert_near(u[i], other_u[i], 1e-9);
        }
    }
}

// ---- as a part of other methods

static StickAnderson *load(StickContext *ctx, const StickSolverOptions *options, const double *r)
{
    StickAnderson *anderson;
    assert_ok(ctx, stick_anderson_create(ctx, &anderson));
    assert_ok(ctx, stick_anderson_reserve(anderson, &made.problem));
    stick_anderson_load(anderson, &made.problem, options, r, NULL);
    return anderson;
}

// In pieces, with another direction, another window and another start in between: the same solution.
static void a_driver_may_interfere(void **state)
{
    static const StickAndersonPlan plans[] = {
        {1, 1, STICK_BACKWARD, 1}, {6, 3, STICK_FORWARD, 0.8}, {3, 5, STICK_BACKWARD, 1.1}};
    StickSolverOptions options = stick_solver_options_default();
    StickRandom random = stick_random_seed(5);
    double r[MOST_ROWS] = {0}, u[MOST_ROWS], half[MOST_ROWS];
    manufacture(&made, &random, 3, MOST_CONTACTS, 0.7, 4);
    StickAnderson *anderson = load(*state, &options, r);
    for (int k = 0; k < 3; k++) {
        stick_anderson_change(anderson, &plans[k]);
        assert_false(stick_anderson_run(anderson, 4, r, u));
        assert_int_equal(stick_anderson_state(anderson).sweeps, 4 * (k + 1));
    }
    for (int i = 0; i < MOST_ROWS; i++)
        half[i] = made.r[i] / 2;
    stick_anderson_restart(anderson, half);
    assert_true(stick_anderson_run(anderson, 10000, r, u));
    for (int i = 0; i < MOST_ROWS; i++)
        assert_near(r[i], made.r[i], 1e-6);
    stick_anderson_destroy(anderson);
}

static void the_best_point_is_kept(void **state)
{
    StickContext *ctx = *state;
    StickSolverOptions options = stick_solver_options_default();
    StickRandom random = stick_random_seed(6);
    StickCertificate certificate;
    double r[MOST_ROWS] = {0}, u[MOST_ROWS], far[MOST_ROWS];
    manufacture(&made, &random, 3, MOST_CONTACTS, 0.7, 4);
    StickAnderson *anderson = load(ctx, &options, r);
    assert_false(stick_anderson_run(anderson, 10, r, u));
    StickAndersonState best = stick_anderson_state(anderson);
    for (int i = 0; i < MOST_ROWS; i++)
        far[i] = 1e3;
    stick_anderson_restart(anderson, far);
    assert_true(stick_anderson_state(anderson).error > best.best_error);
    assert_true(stick_anderson_state(anderson).best_error == best.best_error);
    stick_anderson_best(anderson, r);
    assert_ok(ctx, stick_certify(ctx, &made.problem, r, 0, 1e-8, &certificate));
    double worst = fmax(fmax(certificate.error, certificate.error_scale_free), certificate.contact_error);
    assert_near(worst, best.best_error, 1e-12);
    stick_anderson_destroy(anderson);
}

static void limit_is_kept(void **state)
{
    StickContext *ctx = *state;
    StickRandom random = stick_random_seed(7);
    StickSolveInfo info;
    manufacture(&made, &random, 3, MOST_CONTACTS, 0.7, 20);
    for (int limit = 1; limit < 120; limit += 59) {
        StickSolverOptions options = stick_solver_options_default();
        StickSolver *solver;
        double r[MOST_ROWS] = {0}, u[MOST_ROWS];
        options.iterations = limit;
        options.tolerance = 1e-16;
        assert_ok(ctx, stick_solver_create(ctx, "anderson", &options, &solver));
        assert_ok(ctx, stick_solver_solve(solver, &made.problem, r, u, &info));
        assert_int_equal(info.end, STICK_SOLVE_LIMIT);
        assert_int_equal(info.iterations, limit);
        stick_solver_destroy(solver);
    }
}

// Room for the largest serves all: no allocation in any of the solves, whatever they need.
static void solves_allocate_nothing(void **state)
{
    StickContext *ctx = *state;
    StickSolverOptions options = stick_solver_options_default();
    StickRandom random = stick_random_seed(9);
    StickSolver *solver;
    StickSolveInfo info;
    double r[MOST_ROWS] = {0}, u[MOST_ROWS];
    assert_ok(ctx, stick_solver_create(ctx, "anderson", &options, &solver));
    manufacture(&made, &random, 3, MOST_CONTACTS, 0.7, 4);
    assert_ok(ctx, stick_solver_reserve(solver, &made.problem));
    size_t calls = stick_memory_calls(ctx);
    for (int k = 0; k < 9; k++) {
        assert_ok(ctx, stick_solver_solve(solver, &made.problem, r, u, &info));
        assert_int_equal(stick_memory_calls(ctx), calls);
        manufacture(&made, &random, 1 + k % 3, MOST_CONTACTS - k, 0.7, 4);
        memset(r, 0, sizeof r);
    }
    stick_solver_destroy(solver);
}

// ---- problems of other codes

// Solved to 1e-8 by this method alone, in the measure that other codes share.
static void solve_file(StickContext *ctx, const char *name)
{
    StickProblemFile *file = data_file(ctx, name);
    StickSolver *solver;
    StickSolveInfo info;
    StickCertificate certificate;
    StickSolverOptions options = stick_solver_options_default();
    options.measure = STICK_MEASURE_SHARED;
    StickFrictionProblem problem = stick_problem_friction(file);
    size_t n = (size_t)problem.dim * (size_t)problem.ncontacts;
    double *r = test_calloc(n, sizeof *r), *u = test_calloc(n, sizeof *u);
    assert_ok(ctx, stick_solver_create(ctx, "anderson", &options, &solver));
    assert_ok(ctx, stick_solver_solve(solver, &problem, r, u, &info));
    assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
    assert_ok(ctx, stick_certify(ctx, &problem, r, 0, 1e-8, &certificate));
    assert_below(certificate.error, 1.0001e-8);
    stick_solver_destroy(solver);
    stick_problem_destroy(file);
    test_free(r);
    test_free(u);
}

static void problems_of_other_codes(void **state)
{
    static const char *const names[] = {
        "KaplasTower-i1061-4.hdf5.dat",
        "Confeti-ex13-Fc3D-SBM.dat",
        "OneObject-i1028-138.hdf5.dat",
        "OneObject-i100000-316.hdf5.dat",
        "FrictionContactProblem00237.dat",
        "NESpheres_10_1.dat",
        "Rover3865.dat",
        "fc2d_granularflowonwall_00667_00000.dat",
    };
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        solve_file(*state, names[k]);
}

static StickStatus create_and_reserve(StickContext *ctx, void *data)
{
    (void)data;
    StickAnderson *anderson;
    STICK_TRY(stick_anderson_create(ctx, &anderson));
    StickStatus status = stick_anderson_reserve(anderson, &made.problem);
    stick_anderson_destroy(anderson);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    StickRandom random = stick_random_seed(8);
    manufacture(&made, &random, 3, 5, 0.7, 1);
    assert_survives_failing_memory(create_and_reserve, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(known_solutions_are_found),
        test_with_context(it_needs_fewer_sweeps),
        test_with_context(contacts_may_repeat_each_other),
        test_with_context(without_a_load_nothing_happens),
        test_with_context(sliding_block_where_sweeps_diverge),
        test_with_context(blocks_of_all_states_and_meshes),
        test_with_context(it_agrees_with_pivoting),
        test_with_context(a_driver_may_interfere),
        test_with_context(the_best_point_is_kept),
        test_with_context(limit_is_kept),
        test_with_context(solves_allocate_nothing),
        test_with_context(problems_of_other_codes),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("solve.anderson", tests, NULL, NULL);
}
