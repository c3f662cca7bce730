// SPDX-License-Identifier: Apache-2.0
// Friction problems with sections by every method that supports them; the other methods refuse them with a message.
#include "check.h"

#include "solve/operators.h"
#include "solve/sections.h"

#include <stickslip/certificate.h>

static Manufactured made;

static StickCertificate certify(StickContext *ctx, const double *r, int facets, double tolerance)
{
    StickCertificate certificate;
    assert_ok(ctx, stick_certify(ctx, &made.problem, r, facets, tolerance, &certificate));
    return certificate;
}

// The methods of the exact cone find it; Lemke's does where no section is curved.
static void assert_known_solution(StickContext *ctx, const char *name, int curved)
{
    double r[MOST_ROWS], u[MOST_ROWS];
    int n = made.problem.dim * made.problem.ncontacts;
    bool faceted = strcmp(name, "lemke") == 0 && curved && made.problem.dim == 3;
    StickSolveInfo info = solve_friction(ctx, name, &made.problem, 1e-11, 0, r, u);
    if (info.end != STICK_SOLVE_CONVERGED)
        fail_msg("%s in dimension %d: %s", name, made.problem.dim, info.detail);
    assert_int_equal(info.facets, faceted ? 16 : 0);
    assert_below(info.residual, 1e-11);
    assert_true(certify(ctx, r, info.facets, 1e-10).certified);
    for (int i = 0; i < n && !faceted; i++) {
        assert_near(u[i], made.u[i], 1e-8);
        assert_near(r[i], made.r[i], 1e-8);
    }
}

static void known_solutions_are_found(void **state)
{
    StickRandom random = stick_random_seed(1);
    for (int k = 0; k < 36; k++) {
        int curved = k % 3 != 0;
        manufacture_sections(&made, &random, 2 + k % 2, 1 + k % 16, 0.6, curved);
        assert_true(certify(*state, made.r, 0, 1e-12).certified);
        for (int s = 0; stick_solver_name(s); s++)
            if (!stick_solver_needs_bodies(s) && stick_solver_takes_sections(s))
                assert_known_solution(*state, stick_solver_name(s), curved);
    }
}

static void round_ellipses_are_disks(void **state)
{
    StickRandom random = stick_random_seed(2);
    double r[MOST_ROWS], u[MOST_ROWS], round_r[MOST_ROWS], round_u[MOST_ROWS];
    static const char *const names[] = {"auto",     "gauss-seidel", "anderson", "ssor",
                                        "coloured", "admm",         "tresca"};
    for (int k = 0; k < 14; k++) {
        manufacture(&made, &random, 3, 10, 0.6, 0.5);
        solve_friction(*state, names[k % 7], &made.problem, 1e-14, 0, round_r, round_u);
        for (int c = 0; c < 10; c++) {
            section_room[c] =
                (StickSection){.kind = STICK_SECTION_ELLIPSE, .mu = {made.mu[c], made.mu[c]}, .angle = c};
            section_list[c] = &section_room[c];
        }
        made.problem.section = section_list;
        StickSolveInfo info = solve_friction(*state, names[k % 7], &made.problem, 1e-14, 0, r, u);
        assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
        for (int i = 0; i < 30; i++) {
            assert_near(r[i], round_r[i], 1e-12);
            assert_near(u[i], round_u[i], 1e-12);
        }
    }
}

// No section at all among pointers that are all NULL: the same bits as without them, by all methods.
static void no_section_is_the_disk(void **state)
{
    StickRandom random = stick_random_seed(3);
    double r[MOST_ROWS], u[MOST_ROWS], same_r[MOST_ROWS], same_u[MOST_ROWS];
    manufacture(&made, &random, 3, 10, 0.6, 0.5);
    memset(section_list, 0, sizeof section_list);
    for (int s = 0; stick_solver_name(s); s++) {
        if (stick_solver_needs_bodies(s))
            continue;
        made.problem.section = NULL;
        solve_friction(*state, stick_solver_name(s), &made.problem, 1e-8, 0, r, u);
        made.problem.section = section_list;
        solve_friction(*state, stick_solver_name(s), &made.problem, 1e-8, 0, same_r, same_u);
        assert_memory_equal(r, same_r, 30 * sizeof *r);
        assert_memory_equal(u, same_u, 30 * sizeof *u);
    }
}

// Regular polygons in the circle: their error decreases with the square of the number of sides.
static void polygons_of_many_sides_become_the_disk(void **state)
{
    StickRandom random = stick_random_seed(4);
    static double vertex[2 * 1024];
    double r[MOST_ROWS], u[MOST_ROWS], last = INFINITY;
    manufacture(&made, &random, 3, 8, 0.6, 0.5);
    for (int c = 0; c < 8; c++)
        made.mu[c] = 0.4;
    double round_r[MOST_ROWS], round_u[MOST_ROWS];
    solve_friction(*state, "gauss-seidel", &made.problem, 1e-13, 0, round_r, round_u);
    for (int n = 16; n <= 1024; n *= 4) {
        double largest = 0;
        StickSection section = {.kind = STICK_SECTION_POLYGON, .nvertices = n, .vertex = vertex};
        for (int k = 0; k < n; k++) {
            vertex[2 * k] = 0.4 * cos(2 * acos(-1) * k / n);
            vertex[2 * k + 1] = 0.4 * sin(2 * acos(-1) * k / n);
        }
        for (int c = 0; c < 8; c++)
            section_list[c] = &section;
        made.problem.section = section_list;
        StickSolveInfo info = solve_friction(*state, "gauss-seidel", &made.problem, 1e-12, 0, r, u);
        assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
        for (int i = 0; i < 24; i++)
            largest = fmax(largest, fabs(r[i] - round_r[i]));
        assert_below(largest, 5.0 / n);
        assert_below(largest, last / 2);
        last = largest;
    }
    assert_below(last, 3e-3);
}

// Lemke's facets of an ellipse come near to it.
static void facets_of_an_ellipse_come_near_to_it(void **state)
{
    StickRandom random = stick_random_seed(5);
    double r[MOST_ROWS], u[MOST_ROWS];
    manufacture_sections(&made, &random, 3, 12, 0.6, 1);
    for (int facets = 8; facets <= 64; facets *= 2) {
        double largest = 0;
        StickSolveInfo info = solve_friction(*state, "lemke", &made.problem, 1e-10, facets, r, u);
        assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
        StickCertificate certificate = certify(*state, r, facets, 1e-9);
        assert_true(certificate.certified);
        assert_true(certificate.exact_error > 1e-6 && certificate.exact_error < 1.0 / facets);
        for (int i = 0; i < 36; i++)
            largest = fmax(largest, fabs(r[i] - made.r[i]));
        assert_below(largest, 2.0 / facets);
    }
}

static void steep(StickRandom *random)
{
    manufacture_sections(&made, random, 2 + (int)stick_random_uniform(random, 0, 1.999), 8, 3, 1);
}

// W of a third of the rank that it could have.
static void low_rank(StickRandom *random)
{
    manufacture_sections(&made, random, 2 + (int)stick_random_uniform(random, 0, 1.999), 8, 0.9, 1);
    manufacture_low_rank(&made, random);
}

// Converged means certified; auto solves nearly all.
static void hard_problems_are_solved_or_told(void **state)
{
    StickRandom random = stick_random_seed(6);
    double r[MOST_ROWS], u[MOST_ROWS];
    int solved = 0;
    for (int k = 0; k < 40; k++) {
        (k % 2 ? steep : low_rank)(&random);
        for (int s = 0; stick_solver_name(s); s++) {
            if (stick_solver_needs_bodies(s))
                continue;
            const char *name = stick_solver_name(s);
            if (!stick_solver_takes_sections(s) || (s > 0 && k > 8))
                continue;
            StickSolveInfo info = solve_friction(*state, name, &made.problem, 1e-8, 0, r, u);
            if (info.end == STICK_SOLVE_CONVERGED)
                assert_true(certify(*state, r, info.facets, 1e-8).certified);
            solved += strcmp(name, "auto") == 0 && info.end == STICK_SOLVE_CONVERGED;
        }
    }
    if (solved < 38)
        fail_msg("auto solves %d of 40", solved);
}

static void others_refuse_by_name(void **state)
{
    StickContext *ctx = *state;
    StickRandom random = stick_random_seed(7);
    double r[MOST_ROWS] = {0}, u[MOST_ROWS];
    int able = 0, refused = 0;
    manufacture_sections(&made, &random, 3, 4, 0.6, 1);
    section_list[0] = section_list[2] = NULL;
    for (int s = 0; stick_solver_name(s); s++) {
        if (stick_solver_needs_bodies(s))
            continue;
        StickSolver *solver;
        StickSolveInfo info;
        StickSolverOptions options = stick_solver_options_default();
        able += stick_solver_takes_sections(s);
        if (stick_solver_takes_sections(s))
            continue;
        assert_ok(ctx, stick_solver_create(ctx, stick_solver_name(s), &options, &solver));
        assert_int_equal(stick_solver_reserve(solver, &made.problem), STICK_BAD_INPUT);
        assert_int_equal(stick_solver_solve(solver, &made.problem, r, u, &info), STICK_BAD_INPUT);
        assert_non_null(strstr(stick_last_error(ctx), stick_solver_name(s)));
        assert_non_null(strstr(stick_last_error(ctx), "contact 1"));
        assert_non_null(strstr(stick_last_error(ctx), "polygonal"));
        assert_non_null(strstr(stick_last_error(ctx), "gauss-seidel"));
        stick_solver_destroy(solver);
        refused++;
    }
    assert_int_equal(able, 12);
    assert_int_equal(refused, 4);
    assert_false(stick_solver_takes_sections(-1) || stick_solver_takes_sections(1000));
}

static void bad_sections_are_refused(void **state)
{
    StickContext *ctx = *state;
    StickRandom random = stick_random_seed(8);
    double r[MOST_ROWS] = {0}, u[MOST_ROWS];
    StickSolver *solver;
    StickSolveInfo info;
    StickSolverOptions options = stick_solver_options_default();
    manufacture_sections(&made, &random, 3, 4, 0.6, 1);
    section_room[2].mu[1] = -1;
    assert_ok(ctx, stick_solver_create(ctx, "auto", &options, &solver));
    assert_int_equal(stick_solver_solve(solver, &made.problem, r, u, &info), STICK_BAD_INPUT);
    assert_non_null(strstr(stick_last_error(ctx), "mu[1] of the section of contact 2 is -1"));
    stick_solver_destroy(solver);
}

static void action_of_W_is_enough(void **state)
{
    StickRandom random = stick_random_seed(9);
    double r[MOST_ROWS], u[MOST_ROWS];
    static const char *const names[] = {"auto", "accelerated-gradient", "tresca", "lemke"};
    for (int k = 0; k < 8; k++) {
        manufacture_sections(&made, &random, 2 + k / 4, 6, 0.6, 0);
        StickOperator by_action = stick_operator_from_blocks(&made.W);
        StickFrictionProblem problem = made.problem;
        problem.W = NULL;
        problem.apply_W = &by_action;
        StickSolveInfo info = solve_friction(*state, names[k % 4], &problem, 1e-10, 0, r, u);
        assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
        for (int i = 0; i < 6 * problem.dim; i++)
            assert_near(u[i], made.u[i], 1e-7);
    }
}

// Same bits on any number of threads.
static void threads_change_no_bits(void **state)
{
    StickContext *ctx = *state;
    StickRandom random = stick_random_seed(10);
    double r[2][MOST_ROWS] = {{0}}, u[MOST_ROWS];
    manufacture_sections(&made, &random, 3, 24, 0.6, 1);
    for (int k = 0; k < 2; k++) {
        StickSolver *solver;
        StickSolveInfo info;
        StickSolverOptions options = stick_solver_options_default();
        options.threads = 1 + 2 * k;
        assert_ok(ctx, stick_solver_create(ctx, "coloured", &options, &solver));
        assert_ok(ctx, stick_solver_solve(solver, &made.problem, r[k], u, &info));
        stick_solver_destroy(solver);
    }
    assert_memory_equal(r[0], r[1], sizeof r[0]);
}

// One solver for problems with and without sections in turn; nothing is allocated once there is room.
static void room_is_made_before(void **state)
{
    StickContext *ctx = *state;
    double r[MOST_ROWS], u[MOST_ROWS];
    for (int s = 0; stick_solver_name(s); s++) {
        if (stick_solver_needs_bodies(s))
            continue;
        StickRandom random = stick_random_seed(11);
        StickSolver *solver;
        StickSolveInfo info;
        StickSolverOptions options = stick_solver_options_default();
        if (!stick_solver_takes_sections(s))
            continue;
        assert_ok(ctx, stick_solver_create(ctx, stick_solver_name(s), &options, &solver));
        for (int k = 0; k < 6; k++) {
            if (k % 2)
                manufacture_sections(&made, &random, 3, 6 + k, 0.6, 1);
            else
                manufacture(&made, &random, 3, 6 + k, 0.6, 0.5);
            memset(r, 0, sizeof r);
            assert_ok(ctx, stick_solver_reserve(solver, &made.problem));
            size_t calls = stick_memory_calls(ctx);
            assert_ok(ctx, stick_solver_solve(solver, &made.problem, r, u, &info));
            assert_int_equal(stick_memory_calls(ctx), calls);
            assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
            assert_true(certify(ctx, r, info.facets, 1e-8).certified);
        }
        stick_solver_destroy(solver);
    }
}

static StickStatus solve_with(StickContext *ctx, void *name)
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

static void every_allocation_may_fail(void **state)
{
    (void)state;
    StickRandom random = stick_random_seed(12);
    manufacture_sections(&made, &random, 3, 3, 0.6, 1);
    for (int s = 0; stick_solver_name(s); s++)
        if (!stick_solver_needs_bodies(s) && stick_solver_takes_sections(s))
            assert_survives_failing_memory(solve_with, (void *)stick_solver_name(s));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(known_solutions_are_found),
        test_with_context(round_ellipses_are_disks),
        test_with_context(no_section_is_the_disk),
        test_with_context(polygons_of_many_sides_become_the_disk),
        test_with_context(facets_of_an_ellipse_come_near_to_it),
        test_with_context(hard_problems_are_solved_or_told),
        test_with_context(others_refuse_by_name),
        test_with_context(bad_sections_are_refused),
        test_with_context(action_of_W_is_enough),
        test_with_context(threads_change_no_bits),
        test_with_context(room_is_made_before),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("solve.section_methods", tests, NULL, NULL);
}
