// SPDX-License-Identifier: Apache-2.0
#include "check.h"

#include "solve/data_file.h"
#include "solve/manufactured.h"

#include <stickslip/certificate.h>

static Manufactured made;

static void plane_problems_give_the_known_solution(void **state)
{
    StickContext *ctx = *state;
    StickRandom random = stick_random_seed(1);
    double r[MOST_ROWS], u[MOST_ROWS];
    for (int k = 0; k < 60; k++) {
        int dim = 1 + k % 2, nc = 1 + k % MOST_CONTACTS;
        manufacture(&made, &random, dim, nc, 0.9, 0.5);
        StickSolveInfo info = solve_friction(ctx, "lemke", &made.problem, 1e-12, 0, r, u);
        assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
        assert_int_equal(info.facets, 0);
        assert_below(info.residual, 1e-14);
        for (int i = 0; i < dim * nc; i++) {
            assert_near(r[i], made.r[i], 1e-12);
            assert_near(u[i], made.u[i], 1e-12);
        }
    }
}

static void faceted_answers_are_certified_as_such(void **state)
{
    StickContext *ctx = *state;
    StickRandom random = stick_random_seed(2);
    double r[MOST_ROWS], u[MOST_ROWS];
    StickCertificate certificate;
    static const int facets[] = {4, 8, 12, 16, 32};
    for (int k = 0; k < 25; k++) {
        manufacture(&made, &random, 3, 1 + k % 10, 0.9, 0.5);
        StickSolveInfo info = solve_friction(ctx, "lemke", &made.problem, 1e-8, facets[k % 5], r, u);
        assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
        assert_int_equal(info.facets, facets[k % 5]);
        assert_non_null(strstr(info.detail, "error of the exact cone"));
        assert_ok(ctx, stick_certify(ctx, &made.problem, r, info.facets, 1e-12, &certificate));
        assert_true(certificate.certified);
        assert_below(certificate.exact_error, 0.5);
    }
}

// Tangential energy r_T'W r_T/2 + r_T.u_free: what friction minimises over the section of the cone when the
// normal part stands apart.
static double energy(const double *r)
{
    double sum = 0;
    int n = 3 * made.problem.ncontacts;
    for (int i = 0; i < n; i++) {
        double velocity = made.u_free[i];
        for (int j = 0; j < n; j++)
            velocity += (j % 3 != 0) * 0.5 * *manufactured_entry(&made, i, j) * r[j];
        sum += (i % 3 != 0) * r[i] * velocity;
    }
    return sum;
}

// The polygon is within O(1/m^2) of the circle, so the energy converges with order 2; a sliding contact sits
// on a vertex up to pi/m away from the direction of sliding, so r itself converges with order 1.
static void facets_converge_to_the_round_cone(void **state)
{
    StickRandom random = stick_random_seed(3);
    double r[MOST_ROWS], u[MOST_ROWS], energy_error[3] = {0}, r_error[3] = {0};
    for (int k = 0; k < 20; k++) {
        manufacture(&made, &random, 3, 8, 0.8, 0.5);
        manufacture_W(&made, &random, 0.5, 1);
        manufacture_u_free(&made);
        for (int level = 0; level < 3; level++) {
            StickSolveInfo info = solve_friction(*state, "lemke", &made.problem, 1e-8, 8 << level, r, u);
            assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
            double difference = energy(r) - energy(made.r);
            assert_true(difference > -1e-13);
            energy_error[level] += difference;
            for (int i = 0; i < 24; i++)
                r_error[level] += fabs(r[i] - made.r[i]);
        }
    }
    for (int level = 0; level < 2; level++) {
        double energy_order = log2(energy_error[level] / energy_error[level + 1]);
        double r_order = log2(r_error[level] / r_error[level + 1]);
        print_message("%2d to %2d facets: order %.2f in energy, %.2f in r\n", 8 << level, 16 << level,
                      energy_order, r_order);
        assert_near(energy_order, 2, 0.25);
        assert_near(r_order, 1, 0.25);
    }
}

// A problem without solution: a contact is pressed in and no r can move it.
static void ray_is_reported_and_the_guess_stays(void **state)
{
    StickContext *ctx = *state;
    StickSolver *solver;
    StickSolveInfo info;
    StickSolverOptions options = stick_solver_options_default();
    StickRandom random = stick_random_seed(4);
    manufacture(&made, &random, 2, 2, 0.5, 0.5);
    for (int k = 0; k < 16; k++)
        made.value[k] = 0;
    double r[4] = {1, 0.1, 2, 0.2}, u[4];
    made.u_free[0] = -1;
    assert_ok(ctx, stick_solver_create(ctx, "lemke", &options, &solver));
    assert_ok(ctx, stick_solver_solve(solver, &made.problem, r, u, &info));
    assert_int_equal(info.end, STICK_SOLVE_RAY);
    assert_non_null(strstr(info.detail, "facet form: ray"));
    assert_non_null(strstr(info.detail, "vertex form: ray"));
    assert_true(r[0] == 1 && r[1] == 0.1 && r[2] == 2 && r[3] == 0.2 && u[0] == -1);
    stick_solver_destroy(solver);
}

// W = A A' of rank 3 with four contacts and strong friction: the facet form sometimes ends on a ray, the vertex form
// goes on. Every result reported as solved is certified; the others are reported as a ray.
static void vertex_form_helps_out_where_W_is_singular(void **state)
{
    StickContext *ctx = *state;
    StickRandom random = stick_random_seed(6);
    double r[MOST_ROWS], u[MOST_ROWS], A[12][3];
    StickCertificate certificate;
    int solved = 0, helped = 0;
    for (int k = 0; k < 100; k++) {
        int dim = 2 + k % 2, n = 4 * dim;
        manufacture(&made, &random, dim, 4, 8, 1);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < 3; j++)
                A[i][j] = stick_random_uniform(&random, -1, 1);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                *manufactured_entry(&made, i, j) = A[i][0] * A[j][0] + A[i][1] * A[j][1] + A[i][2] * A[j][2];
        manufacture_u_free(&made);
        StickSolveInfo info = solve_friction(ctx, "lemke", &made.problem, 1e-8, 8, r, u);
        if (info.end == STICK_SOLVE_CONVERGED) {
            assert_ok(ctx, stick_certify(ctx, &made.problem, r, info.facets, 1e-8, &certificate));
            assert_true(certificate.certified);
            helped += strstr(info.detail, "vertex form: solved") != NULL;
            solved++;
        } else {
            assert_int_equal(info.end, STICK_SOLVE_RAY);
            assert_non_null(strstr(info.detail, "vertex form: ray"));
        }
    }
    print_message("%d of 100 solved, %d of them by the vertex form\n", solved, helped);
    assert_true(helped > 0 && solved > 80);
}

static void open_contacts_need_no_pivot(void **state)
{
    StickRandom random = stick_random_seed(7);
    double r[MOST_ROWS], u[MOST_ROWS];
    for (int dim = 1; dim <= 3; dim++) {
        manufacture(&made, &random, dim, 5, 0.5, 0.5);
        for (int c = 0; c < 5; c++)
            made.u_free[dim * c] = 0.1 * c;
        StickSolveInfo info = solve_friction(*state, "lemke", &made.problem, 1e-8, 8, r, u);
        assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
        assert_int_equal(info.iterations, 0);
        for (int i = 0; i < 5 * dim; i++)
            assert_true(r[i] == 0 && u[i] == made.u_free[i]);
    }
}

static void apply_blocks(const void *data, const double *r, double *Wr)
{
    StickFrictionProblem by_blocks = *(const StickFrictionProblem *)data;
    stick_friction_apply(&by_blocks, r, Wr);
}

static void diagonal_of_blocks(const void *data, int contact, double *block)
{
    const StickBlocks *W = ((const StickFrictionProblem *)data)->W;
    for (int k = W->start[contact]; k < W->start[contact + 1]; k++)
        if (W->col[k] == contact)
            memcpy(block, W->value + k * W->d * W->d, (size_t)(W->d * W->d) * sizeof *block);
}

static void an_operator_is_as_good_as_blocks(void **state)
{
    StickContext *ctx = *state;
    StickRandom random = stick_random_seed(5);
    double r[MOST_ROWS], u[MOST_ROWS], same[MOST_ROWS];
    StickCertificate certificate;
    for (int dim = 1; dim <= 3; dim++) {
        manufacture(&made, &random, dim, 7, 0.7, 0.5);
        StickFrictionProblem by_action = made.problem;
        StickOperator apply = {apply_blocks, diagonal_of_blocks, &made.problem};
        by_action.W = NULL;
        by_action.apply_W = &apply;
        solve_friction(ctx, "lemke", &made.problem, 1e-8, 8, same, u);
        StickSolveInfo info = solve_friction(ctx, "lemke", &by_action, 1e-8, 8, r, u);
        assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
        assert_memory_equal(r, same, (size_t)(7 * dim) * sizeof *r);
        assert_ok(ctx, stick_certify(ctx, &by_action, r, info.facets, 1e-12, &certificate));
        assert_true(certificate.certified);
    }
}

// ---- warm starts

static StickSolveInfo solve_warm(StickContext *ctx, const StickFrictionProblem *problem, double *r, double *u)
{
    StickSolver *solver;
    StickSolveInfo info;
    StickSolverOptions options = stick_solver_options_default();
    options.facets = 8;
    assert_ok(ctx, stick_solver_create(ctx, "lemke", &options, &solver));
    assert_ok(ctx, stick_solver_solve(solver, problem, r, u, &info));
    stick_solver_destroy(solver);
    return info;
}

// The answer is the basis to start from: open, stuck and sliding contacts all fall in place again.
static void an_answer_starts_without_pivots(void **state)
{
    StickRandom random = stick_random_seed(8);
    double r[MOST_ROWS], u[MOST_ROWS], again[MOST_ROWS];
    for (int k = 0; k < 60; k++) {
        int dim = 1 + k % 3, nc = 1 + k % MOST_CONTACTS;
        manufacture(&made, &random, dim, nc, 0.9, 0.5);
        for (int c = 0; c < nc && dim > 1; c += 5)
            made.mu[c] = 0;
        StickSolveInfo info = solve_friction(*state, "lemke", &made.problem, 1e-8, 8, r, u);
        assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
        memcpy(again, r, sizeof again);
        info = solve_warm(*state, &made.problem, again, u);
        assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
        assert_int_equal(info.iterations, 0);
        for (int i = 0; i < dim * nc; i++)
            assert_near(again[i], r[i], 1e-12);
    }
}

// As in time stepping: u_free moves a little from step to step, and the answers are those of cold starts.
static void steps_that_follow_need_few_pivots(void **state)
{
    StickRandom random = stick_random_seed(9);
    double r[MOST_ROWS], u[MOST_ROWS], cold[MOST_ROWS];
    for (int dim = 2; dim <= 3; dim++) {
        int warm_pivots = 0, cold_pivots = 0, nc = MOST_CONTACTS;
        manufacture(&made, &random, dim, nc, 0.6, 0.5);
        memset(r, 0, sizeof r);
        solve_warm(*state, &made.problem, r, u);
        for (int step = 0; step < 30; step++) {
            for (int i = 0; i < dim * nc; i++)
                made.u_free[i] += stick_random_uniform(&random, -0.1, 0.1);
            StickSolveInfo info = solve_warm(*state, &made.problem, r, u);
            assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
            warm_pivots += info.iterations;
            info = solve_friction(*state, "lemke", &made.problem, 1e-8, 8, cold, u);
            cold_pivots += info.iterations;
            for (int i = 0; i < dim * nc; i++)
                assert_near(r[i], cold[i], 1e-11);
        }
        print_message("dimension %d: %d pivots instead of %d\n", dim, warm_pivots, cold_pivots);
        assert_true(5 * warm_pivots < cold_pivots);
    }
}

static void a_senseless_guess_does_no_harm(void **state)
{
    StickRandom random = stick_random_seed(10);
    double r[MOST_ROWS], u[MOST_ROWS];
    for (int k = 0; k < 40; k++) {
        int nc = 1 + k % MOST_CONTACTS;
        manufacture(&made, &random, 2, nc, 0.9, 0.5);
        for (int i = 0; i < 2 * nc; i++)
            r[i] = stick_random_uniform(&random, -1e6, 1e6);
        StickSolveInfo info = solve_warm(*state, &made.problem, r, u);
        assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
        for (int i = 0; i < 2 * nc; i++)
            assert_near(r[i], made.r[i], 1e-11);
    }
}

// 376 contacts of many bodies, an LCP of order 1128.
static void a_large_plane_problem_is_solved_and_certified(void **state)
{
    StickContext *ctx = *state;
    StickCertificate certificate;
    StickProblemFile *file = data_file(ctx, "FrictionContactProblem00237.dat");
    StickFrictionProblem problem = stick_problem_friction(file);
    size_t length = (size_t)problem.dim * (size_t)problem.ncontacts;
    double *r = calloc(length, sizeof *r), *u = calloc(length, sizeof *u);
    assert_true(r && u);
    StickSolveInfo info = solve_warm(ctx, &problem, r, u);
    print_message("%d contacts, %d pivots\n", problem.ncontacts, info.iterations);
    assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
    assert_ok(ctx, stick_certify(ctx, &problem, r, 0, 1e-12, &certificate));
    assert_true(certificate.certified);
    info = solve_warm(ctx, &problem, r, u);
    assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
    assert_int_equal(info.iterations, 0);
    free(r);
    free(u);
    stick_problem_destroy(file);
}

static void reserved_solve_allocates_nothing(void **state)
{
    StickContext *ctx = *state;
    StickSolverOptions options = stick_solver_options_default();
    StickRandom random = stick_random_seed(11);
    for (int dim = 1; dim <= 3; dim++) {
        StickSolver *solver;
        StickSolveInfo info;
        double r[MOST_ROWS] = {0}, u[MOST_ROWS];
        manufacture(&made, &random, dim, 12, 0.8, 0.5);
        assert_ok(ctx, stick_solver_create(ctx, "lemke", &options, &solver));
        assert_ok(ctx, stick_solver_reserve(solver, &made.problem));
        size_t calls = stick_memory_calls(ctx);
        for (int k = 0; k < 2; k++)
            assert_ok(ctx, stick_solver_solve(solver, &made.problem, r, u, &info));
        assert_int_equal(stick_memory_calls(ctx), calls);
        stick_solver_destroy(solver);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(plane_problems_give_the_known_solution),
        test_with_context(faceted_answers_are_certified_as_such),
        test_with_context(facets_converge_to_the_round_cone),
        test_with_context(ray_is_reported_and_the_guess_stays),
        test_with_context(vertex_form_helps_out_where_W_is_singular),
        test_with_context(open_contacts_need_no_pivot),
        test_with_context(an_operator_is_as_good_as_blocks),
        test_with_context(an_answer_starts_without_pivots),
        test_with_context(steps_that_follow_need_few_pivots),
        test_with_context(a_senseless_guess_does_no_harm),
        test_with_context(a_large_plane_problem_is_solved_and_certified),
        test_with_context(reserved_solve_allocates_nothing),
    };
    return cmocka_run_group_tests_name("solve.lemke", tests, NULL, NULL);
}
