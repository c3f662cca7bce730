// SPDX-License-Identifier: Apache-2.0
#include "check.h"

#include "solve/manufactured.h"

#include <stickslip/certificate.h>

static Manufactured made;

static void every_solver_has_a_name_and_a_text(void **state)
{
    (void)state;
    assert_string_equal(stick_solver_name(0), "auto");
    assert_string_equal(stick_solver_name(1), "lemke");
    int count = 0;
    for (; stick_solver_name(count); count++)
        assert_true(strlen(stick_solver_text(count)) > 10);
    assert_null(stick_solver_text(count));
    assert_null(stick_solver_name(-1));
}

static void wrong_names_and_options_are_refused(void **state)
{
    StickContext *ctx = *state;
    StickSolver *solver = NULL;
    StickSolverOptions options = stick_solver_options_default();
    assert_int_equal(stick_solver_create(ctx, "lemkee", &options, &solver), STICK_BAD_INPUT);
    assert_non_null(strstr(stick_last_error(ctx), "did you mean 'lemke'?"));
    assert_int_equal(stick_solver_create(ctx, "lemke", &(StickSolverOptions){0}, &solver), STICK_BAD_INPUT);
    assert_non_null(strstr(stick_last_error(ctx), "tolerance"));
    options.facets = 6;
    assert_int_equal(stick_solver_create(ctx, "lemke", &options, &solver), STICK_BAD_INPUT);
    assert_non_null(strstr(stick_last_error(ctx), "multiple of 4"));
    assert_null(solver);
}

// Spoils one thing of a good problem, expects a word of the error, and repairs it.
#define assert_refused(field, wrong, word)                                                                 \
    do {                                                                                                   \
        __typeof__(field) good = (field);                                                                  \
        (field) = (wrong);                                                                                 \
        for (int s = 0; s < 2; s++) {                                                                      \
            assert_int_equal(stick_solver_solve(solvers[s], &made.problem, r, u, &info), STICK_BAD_INPUT); \
            assert_non_null(strstr(stick_last_error(ctx), word));                                          \
        }                                                                                                  \
        (field) = good;                                                                                    \
    } while (0)

static void wrong_problems_are_refused_by_name(void **state)
{
    StickContext *ctx = *state;
    StickSolver *solvers[2];
    StickSolverOptions options = stick_solver_options_default();
    StickSolveInfo info = {.iterations = -7};
    double r[6] = {5, 5, 5, 5, 5, 5}, u[6] = {5, 5, 5, 5, 5, 5};
    StickRandom random = stick_random_seed(1);
    manufacture(&made, &random, 3, 2, 0.5, 0.5);
    for (int s = 0; s < 2; s++)
        assert_ok(ctx, stick_solver_create(ctx, stick_solver_name(s), &options, &solvers[s]));
    assert_refused(made.problem.dim, 4, "dimension 4");
    assert_refused(made.problem.dim, 2, "order 3");
    assert_refused(made.problem.ncontacts, -1, "-1 contacts");
    assert_refused(made.problem.ncontacts, 3, "2 block rows for 3");
    assert_refused(made.problem.W, NULL, "without W");
    assert_refused(made.problem.mu, NULL, "mu");
    assert_refused(made.mu[1], -0.1, "mu of contact 1 is -0.1");
    assert_refused(made.mu[1], NAN, "mu of contact 1");
    assert_refused(made.u_free[4], INFINITY, "u_free of contact 1");
    assert_refused(made.value[9], NAN, "block (0, 1)");
    assert_refused(made.value[4], -1, "diagonal entry 1 of contact 0");
    assert_refused(made.col[1], 2, "column 2 of 2");
    assert_refused(made.col[1], 0, "not ascending");
    assert_refused(made.start[1], 1000, "ends before");
    assert_refused(r[3], NAN, "guess");
    assert_true(r[0] == 5 && u[5] == 5 && info.iterations == -7);
    for (int s = 0; s < 2; s++)
        stick_solver_destroy(solvers[s]);
}

// Every method: an interrupted solve ends soon, reports it, and the solver then solves the next problem as usual.
static void every_solver_can_be_stopped(void **state)
{
    StickContext *ctx = *state;
    StickSolverOptions options = stick_solver_options_default();
    StickRandom random = stick_random_seed(8);
    volatile sig_atomic_t stop;
    manufacture(&made, &random, 2, 20, 0.3, 0.5);
    for (int s = 0; stick_solver_name(s); s++) {
        if (stick_solver_needs_bodies(s))
            continue;
        StickSolver *solver;
        StickSolveInfo info[2];
        double r[2][40] = {0}, u[40];
        assert_ok(ctx, stick_solver_create(ctx, stick_solver_name(s), &options, &solver));
        stick_context_stop_by(ctx, &stop);
        stop = 0;
        assert_ok(ctx, stick_solver_solve(solver, &made.problem, r[0], u, &info[0]));
        stop = 1;
        assert_int_equal(stick_solver_solve(solver, &made.problem, r[1], u, &info[1]), STICK_INTERRUPTED);
        assert_non_null(strstr(stick_last_error(ctx), "interrupted in a contact problem with 20 contacts"));
        stop = 0;
        memset(r[1], 0, sizeof r[1]);
        assert_ok(ctx, stick_solver_solve(solver, &made.problem, r[1], u, &info[1]));
        assert_memory_equal(r[0], r[1], sizeof r[0]);
        assert_int_equal(info[0].iterations, info[1].iterations);
        stick_context_stop_by(ctx, NULL);
        stick_solver_destroy(solver);
    }
}

static void nothing(const void *data, const double *r, double *Wr)
{
    (void)data, (void)r, (void)Wr;
}

static void unit_block(const void *data, int contact, double *block)
{
    (void)data, (void)contact;
    block[0] = 1;
}

static void gauss_seidel_needs_the_blocks(void **state)
{
    StickContext *ctx = *state;
    StickSolver *solver;
    StickSolverOptions options = stick_solver_options_default();
    StickSolveInfo info;
    StickOperator by_action = {nothing, unit_block, NULL};
    double r[1] = {0}, u[1], u_free[1] = {1};
    StickFrictionProblem problem = {.dim = 1, .ncontacts = 1, .apply_W = &by_action, .u_free = u_free};
    assert_ok(ctx, stick_solver_create(ctx, "gauss-seidel", &options, &solver));
    assert_int_equal(stick_solver_solve(solver, &problem, r, u, &info), STICK_BAD_INPUT);
    assert_non_null(strstr(stick_last_error(ctx), "needs W by blocks"));
    stick_solver_destroy(solver);
}

static void no_contact_is_no_problem(void **state)
{
    StickFrictionProblem problem = {.dim = 3};
    for (int s = 0; stick_solver_name(s); s++) {
        if (stick_solver_needs_bodies(s))
            continue;
        StickSolveInfo info = solve_friction(*state, stick_solver_name(s), &problem, 1e-8, 0, NULL, NULL);
        assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
        assert_int_equal(info.iterations, 0);
    }
}

static void without_friction_the_tangents_are_free(void **state)
{
    StickRandom random = stick_random_seed(2);
    double r[MOST_ROWS], u[MOST_ROWS];
    for (int k = 0; k < 20; k++) {
        int dim = 2 + k % 2;
        manufacture(&made, &random, dim, 9, 0.5, 0.5);
        for (int c = 0; c < 9; c++) {
            made.mu[c] = 0;
            manufacture_contact(&random, dim, 0, made.r + dim * c, made.u + dim * c);
        }
        manufacture_u_free(&made);
        for (int s = 0; stick_solver_name(s); s++) {
            if (stick_solver_needs_bodies(s))
                continue;
            StickSolveInfo info = solve_friction(*state, stick_solver_name(s), &made.problem, 1e-12, 0, r, u);
            assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
            assert_int_equal(info.facets, 0);
            for (int i = 0; i < 9 * dim; i++) {
                assert_near(r[i], made.r[i], 1e-9);
                assert_true(i % dim == 0 || r[i] == 0);
            }
        }
    }
}

// W in other units: r goes by the inverse, u stays.
static void units_of_W_only_scale_the_answer(void **state)
{
    static const double factors[] = {1e-12, 1e12, 1e-100, 1e100};
    StickRandom random = stick_random_seed(3);
    double r[MOST_ROWS], u[MOST_ROWS], scaled_r[MOST_ROWS], scaled_u[MOST_ROWS];
    for (int k = 0; k < 12; k++) {
        int dim = 1 + k % 3, n = 10 * dim;
        double factor = factors[k / 3];
        for (int s = 0; stick_solver_name(s); s++) {
            if (stick_solver_needs_bodies(s))
                continue;
            manufacture(&made, &random, dim, 10, 0.6, 0.5);
            solve_friction(*state, stick_solver_name(s), &made.problem, 1e-8, 8, r, u);
            for (int e = 0; e < n * n; e++)
                made.value[e] *= factor;
            StickSolveInfo info =
                solve_friction(*state, stick_solver_name(s), &made.problem, 1e-8, 8, scaled_r, scaled_u);
            assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
            for (int i = 0; i < n; i++) {
                assert_near(scaled_r[i] * factor, r[i], 1e-7);
                assert_near(scaled_u[i], u[i], 1e-7);
            }
        }
    }
}

// Contacts in units of their own, as a light and a heavy body give: the answer is certified all the same.
static void contacts_of_any_stiffness_are_certified(void **state)
{
    StickContext *ctx = *state;
    StickRandom random = stick_random_seed(4);
    double r[MOST_ROWS], u[MOST_ROWS], scale[MOST_CONTACTS];
    StickCertificate certificate;
    for (int k = 0; k < 12; k++) {
        int dim = 1 + k % 3, n = 10 * dim;
        manufacture(&made, &random, dim, 10, 0.6, 0.5);
        for (int c = 0; c < 10; c++)
            scale[c] = pow(10, stick_random_uniform(&random, -5, 5));
        for (int i = 0; i < n; i++) {
            made.u_free[i] *= scale[i / dim];
            for (int j = 0; j < n; j++)
                *manufactured_entry(&made, i, j) *= scale[i / dim] * scale[j / dim];
        }
        for (int s = 0; stick_solver_name(s); s++) {
            if (stick_solver_needs_bodies(s))
                continue;
            StickSolveInfo info = solve_friction(ctx, stick_solver_name(s), &made.problem, 1e-10, 8, r, u);
            assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
            assert_ok(ctx, stick_certify(ctx, &made.problem, r, info.facets, 2e-10, &certificate));
            assert_true(certificate.certified);
            for (int i = 0; i < n && info.facets == 0; i++)
                assert_near(r[i] * scale[i / dim], made.r[i], 1e-7);
        }
    }
}

static void reserved_solves_allocate_nothing(void **state)
{
    StickContext *ctx = *state;
    StickSolverOptions options = stick_solver_options_default();
    StickRandom random = stick_random_seed(5);
    StickSolveInfo info;
    options.facets = 8;
    for (int k = 0; k < 6; k++) {
        StickSolver *solver;
        double r[MOST_ROWS] = {0}, u[MOST_ROWS];
        int dim = 1 + k / 2;
        manufacture(&made, &random, dim, 12, 0.6, 0.5);
        assert_ok(ctx, stick_solver_create(ctx, stick_solver_name(k % 2), &options, &solver));
        assert_ok(ctx, stick_solver_reserve(solver, &made.problem));
        size_t calls = stick_memory_calls(ctx);
        assert_ok(ctx, stick_solver_solve(solver, &made.problem, r, u, &info));
        assert_int_equal(stick_memory_calls(ctx), calls);
        stick_solver_destroy(solver);
    }
}

// The same problem twice, with the same solver and with a new one: the same bits.
static void same_problem_same_bits(void **state)
{
    StickContext *ctx = *state;
    StickSolverOptions options = stick_solver_options_default();
    StickRandom random = stick_random_seed(6);
    StickSolveInfo info;
    options.facets = 8;
    manufacture(&made, &random, 3, 12, 0.6, 0.5);
    for (int s = 0; stick_solver_name(s); s++) {
        if (stick_solver_needs_bodies(s))
            continue;
        StickSolver *solver;
        double r[2][MOST_ROWS] = {0}, u[MOST_ROWS], fresh[MOST_ROWS];
        assert_ok(ctx, stick_solver_create(ctx, stick_solver_name(s), &options, &solver));
        for (int k = 0; k < 2; k++)
            assert_ok(ctx, stick_solver_solve(solver, &made.problem, r[k], u, &info));
        solve_friction(ctx, stick_solver_name(s), &made.problem, options.tolerance, 8, fresh, u);
        assert_memory_equal(r[0], r[1], 36 * sizeof(double));
        assert_memory_equal(r[0], fresh, 36 * sizeof(double));
        stick_solver_destroy(solver);
    }
}

static StickStatus create_reserve_and_solve(StickContext *ctx, void *data)
{
    StickSolver *solver;
    StickSolveInfo info;
    StickSolverOptions options = stick_solver_options_default();
    double r[MOST_ROWS] = {0}, u[MOST_ROWS];
    STICK_TRY(stick_solver_create(ctx, data, &options, &solver));
    StickStatus status = stick_solver_reserve(solver, &made.problem);
    if (status == STICK_OK)
        status = stick_solver_solve(solver, &made.problem, r, u, &info);
    stick_solver_destroy(solver);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    StickRandom random = stick_random_seed(7);
    manufacture(&made, &random, 2, 3, 0.6, 0.5);
    assert_survives_failing_memory(create_reserve_and_solve, "lemke");
    assert_survives_failing_memory(create_reserve_and_solve, "gauss-seidel");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_solver_has_a_name_and_a_text),
        test_with_context(wrong_names_and_options_are_refused),
        test_with_context(wrong_problems_are_refused_by_name),
        test_with_context(every_solver_can_be_stopped),
        test_with_context(gauss_seidel_needs_the_blocks),
        test_with_context(no_contact_is_no_problem),
        test_with_context(without_friction_the_tangents_are_free),
        test_with_context(units_of_W_only_scale_the_answer),
        test_with_context(contacts_of_any_stiffness_are_certified),
        test_with_context(reserved_solves_allocate_nothing),
        test_with_context(same_problem_same_bits),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("solve.solver", tests, NULL, NULL);
}
