// SPDX-License-Identifier: Apache-2.0
#include "solve/mlcp_cases.h"

static const StickMlcpMethod complete[] = {STICK_MLCP_CONNECT, STICK_MLCP_LEMKE, STICK_MLCP_ENUMERATE};
enum { COMPLETE = sizeof complete / sizeof *complete };

static void assert_answer(const MatesBox *box, const double *p, const double *theta, const double *d)
{
    assert_box_solved(box, 1e-13);
    for (int i = 0; i < box->mates.m; i++) {
        assert_near(box->p[i], p[i], 1e-12);
        assert_near(box->d[i], d[i], 1e-12);
        assert_true(box->connected[i] == (p[i] > 0));
    }
    for (int k = 0; k < box->mates.l; k++)
        assert_near(box->theta[k], theta[k], 1e-12);
}

static void assert_all_solve(StickContext *ctx, const MatesCase *given, const double *p, const double *theta,
                             const double *d)
{
    for (int k = 0; k < COMPLETE; k++) {
        MatesBox box;
        put_case(given, &box);
        if (solve_by(ctx, complete[k], &box) != STICK_SOLVE_CONVERGED)
            fail_msg("%s by %s: %s", given->name, stick_mlcp_method_name((int)complete[k]),
                     box.info.solve.detail);
        assert_answer(&box, p, theta, d);
    }
}

static void small_cases_have_their_solutions(void **state)
{
    assert_all_solve(*state, &deadlock3, (double[]){64. / 69, 42. / 69, 71. / 69}, (double[]){-400. / 69},
                     (double[]){0, 0, 0});
    assert_all_solve(*state, &deadlock2, (double[]){0, 20}, (double[]){-27}, (double[]){13, 0});
    assert_all_solve(*state, &redundant2, (double[]){3, 0}, (double[]){-6}, (double[]){0, 7});
    assert_all_solve(*state, &stable_beam3, (double[]){0, 0.5, 0.5}, (double[]){0.45, -0.5},
                     (double[]){0.95, 0, 0});
}

static void technique_1_comes_to_deadlocks(void **state)
{
    MatesBox box;
    for (int order = STICK_MLCP_LARGEST; order <= STICK_MLCP_LAST; order++) {
        put_case(&deadlock3, &box);
        box.p[0] = -7;
        StickMlcpOptions options = mates_options(STICK_MLCP_CONRY_SEIREG, (StickMlcpOrder)order);
        assert_int_equal(solve_box(*state, options, NULL, &box), STICK_SOLVE_DEADLOCK);
        assert_near(box.info.imbalance, 10. / 3, 1e-12);
        assert_non_null(strstr(box.info.solve.detail, "3.33333"));
        assert_true(box.p[0] == -7);
    }
    put_case(&deadlock2, &box);
    assert_int_equal(solve_by(*state, STICK_MLCP_CONRY_SEIREG, &box), STICK_SOLVE_DEADLOCK);
    assert_near(box.info.imbalance, 1, 1e-12);
    put_case(&redundant2, &box);
    assert_int_equal(solve_by(*state, STICK_MLCP_CONRY_SEIREG, &box), STICK_SOLVE_CONVERGED);
    assert_answer(&box, (double[]){3, 0}, (double[]){-6}, (double[]){0, 7});
}

static void technique_2_finds_its_cycle(void **state)
{
    MatesBox box;
    const bool first[] = {true, false}, second[] = {false, true};
    StickMlcpOptions options = mates_options(STICK_MLCP_CONNECT, STICK_MLCP_LARGEST);
    put_case(&deadlock2, &box);
    assert_int_equal(solve_box(*state, options, first, &box), STICK_SOLVE_CONVERGED);
    assert_true(box.info.repeated > 0 && box.info.by_lemke);
    assert_non_null(strstr(box.info.solve.detail, "came again after 2 pivots; finished by Lemke's method"));
    put_case(&deadlock2, &box);
    assert_int_equal(solve_box(*state, options, second, &box), STICK_SOLVE_CONVERGED);
    assert_true(box.info.repeated == 0 && !box.info.by_lemke && box.info.solve.iterations == 0);
    assert_near(box.p[1], 20, 1e-12);
}

static void unstable_systems_show_their_motion(void **state)
{
    const MatesCase *cases[] = {&unstable_beam2, &unstable_beam3, &unstable_one};
    static const double motion[3][2] = {{1, -1}, {1, -1}, {1, -2}};
    static const char *const names[] = {"lift", "turn"};
    for (int c = 0; c < 3; c++)
        for (int method = STICK_MLCP_CONNECT; method <= STICK_MLCP_ENUMERATE; method++) {
            MatesBox box;
            put_case(cases[c], &box);
            box.mates.motion = names;
            box.theta[0] = 5;
            assert_int_equal(solve_by(*state, (StickMlcpMethod)method, &box), STICK_SOLVE_UNSTABLE);
            assert_free_motion(&box);
            assert_near(box.motion[0] * motion[c][1] - box.motion[1] * motion[c][0], 0, 1e-12);
            assert_non_null(strstr(box.info.solve.detail, "statically unstable"));
            assert_non_null(strstr(box.info.solve.detail, "turn"));
            assert_true(box.theta[0] == 5);
        }
}

// Pounds and inches, newtons and metres: the same pairs press, and numbers carry their units.
static void units_do_not_matter(void **state)
{
    const double force = 4.448e4, length = 2.54e-6, turn = 1e5;
    for (int k = 0; k < COMPLETE; k++) {
        MatesBox box, other;
        put_case(&stable_beam3, &box);
        put_case(&stable_beam3, &other);
        // theta1 is a length, theta2 an angle that is measured in parts of 1 / turn; lambda is dual to them
        for (int i = 0; i < 9; i++)
            other.A[i] *= length / force;
        for (int i = 0; i < 3; i++) {
            other.eps[i] *= length;
            other.C[3 + i] *= length / turn;
            other.B[2 * i + 1] *= 1 / turn;
        }
        other.lambda[0] *= force;
        other.lambda[1] *= force / turn;
        assert_int_equal(solve_by(*state, complete[k], &box), STICK_SOLVE_CONVERGED);
        assert_int_equal(solve_by(*state, complete[k], &other), STICK_SOLVE_CONVERGED);
        for (int i = 0; i < 3; i++) {
            assert_near(other.p[i] / force, box.p[i], 1e-12);
            assert_near(other.d[i] / length, box.d[i], 1e-12);
        }
        assert_near(other.theta[0] / length, box.theta[0], 1e-12);
        assert_near(other.theta[1] / turn, box.theta[1], 1e-12);
    }
}

// A pair that is far away does not blur the others: the load is balanced to round-off.
static void far_pairs_do_not_matter(void **state)
{
    for (int k = 0; k < COMPLETE; k++) {
        MatesBox box;
        put_case(&stable_beam3, &box);
        box.eps[0] = 1e9;
        box.lambda[0] *= 1e-3;
        box.lambda[1] *= 1e-3;
        assert_int_equal(solve_by(*state, complete[k], &box), STICK_SOLVE_CONVERGED);
        assert_near(box.p[1], 0.5e-3, 1e-17);
        assert_near(box.p[2], 0.5e-3, 1e-17);
        assert_true(box.p[0] == 0);
    }
}

// A plank of two free motions on three rigid props of different heights: the third stays free.
static void rigid_bodies_are_solved(void **state)
{
    static const MatesCase plank = {
        "plank", 3, 2, {0}, {1, 1, 1, -1, 1, 0.5}, {1, -1, 1, 1, 1, 0.5}, {0, 0, 0.25}, {2, 0.5}};
    assert_all_solve(*state, &plank, (double[]){0.75, 1.25, 0}, (double[]){0, 0}, (double[]){0, 0, 0.25});
}

// A motion that no pair feels keeps still if nothing drives it.
static void neutral_motions_keep_still(void **state)
{
    static const MatesCase ball = {"ball", 2, 2, {1, 0, 0, 1}, {1, 1, 0, 0}, {1, 0, 1, 0}, {0, 1}, {3, 0}};
    MatesBox box;
    assert_all_solve(*state, &ball, (double[]){2, 1}, (double[]){-2, 0}, (double[]){0, 0});
    put_case(&ball, &box);
    assert_int_equal(solve_by(*state, STICK_MLCP_CONNECT, &box), STICK_SOLVE_CONVERGED);
    assert_int_equal(box.info.neutral, 1);
    box.lambda[1] = 1e-3;
    assert_int_equal(solve_by(*state, STICK_MLCP_CONNECT, &box), STICK_SOLVE_UNSTABLE);
    assert_near(box.motion[1], -1, 1e-12);
}

// A force acts on a motion that it does not feel: no motion closes the gap. The solver reports this and does not
// loop.
static void motions_that_pairs_do_not_follow_are_told(void **state)
{
    static const MatesCase odd = {"odd", 1, 1, {1}, {1}, {0}, {0.5}, {1}};
    for (int k = 0; k < COMPLETE; k++) {
        MatesBox box;
        put_case(&odd, &box);
        assert_int_equal(solve_by(*state, complete[k], &box), STICK_SOLVE_LIMIT);
        assert_non_null(strstr(box.info.solve.detail, "1 of 1 free motions have no contact pair"));
    }
}

static void few_pairs_and_motions(void **state)
{
    for (int method = STICK_MLCP_CONNECT; method <= STICK_MLCP_ENUMERATE; method++) {
        MatesBox box;
        open_box(&box, 0, 0);
        assert_int_equal(solve_by(*state, (StickMlcpMethod)method, &box), STICK_SOLVE_CONVERGED);
        open_box(&box, 0, 1);
        assert_int_equal(solve_by(*state, (StickMlcpMethod)method, &box), STICK_SOLVE_CONVERGED);
        box.lambda[0] = 2;
        assert_int_equal(solve_by(*state, (StickMlcpMethod)method, &box), STICK_SOLVE_UNSTABLE);
        assert_near(box.motion[0], -1, 0);
        open_box(&box, 1, 1); // a spring of 0.5 under a load of 3
        box.A[0] = 2;
        box.B[0] = box.C[0] = 1;
        box.eps[0] = 0.25;
        box.lambda[0] = 3;
        assert_int_equal(solve_by(*state, (StickMlcpMethod)method, &box), STICK_SOLVE_CONVERGED);
        assert_answer(&box, (double[]){3}, (double[]){-6.25}, (double[]){0});
        open_box(&box, 2, 0); // no motion: an LCP, q = (-1, 2)
        box.A[0] = box.A[3] = 2;
        box.A[1] = box.A[2] = 1;
        box.eps[0] = -1;
        box.eps[1] = 2;
        assert_int_equal(solve_by(*state, (StickMlcpMethod)method, &box), STICK_SOLVE_CONVERGED);
        assert_answer(&box, (double[]){0.5, 0}, NULL, (double[]){0, 2.5});
    }
}

static void assert_refused(StickContext *ctx, const MatesBox *box, const char *text)
{
    StickMlcpOptions options = stick_mlcp_options_default();
    StickMlcpSolver *solver;
    StickMlcpInfo info = {.repeated = -3};
    assert_ok(ctx, stick_mlcp_create(ctx, &options, &solver));
    assert_int_equal(stick_mlcp_solve(solver, &box->mates, NULL, &box->solution, &info), STICK_BAD_INPUT);
    assert_non_null(strstr(stick_last_error(ctx), text));
    assert_true(info.repeated == -3);
    stick_mlcp_destroy(solver);
}

static void wrong_input_is_refused_by_name(void **state)
{
    MatesBox box;
    put_case(&deadlock3, &box);
    box.A[3] = NAN;
    assert_refused(*state, &box, "A(1,2) of the pairs is nan");
    put_case(&deadlock3, &box);
    box.B[2] = INFINITY;
    assert_refused(*state, &box, "B(1,3) of the pairs is inf");
    put_case(&deadlock3, &box);
    box.eps[1] = NAN;
    assert_refused(*state, &box, "eps2 of the pairs is nan");
    put_case(&deadlock3, &box);
    box.mates.m = -1;
    assert_refused(*state, &box, "-1 candidate pairs");
    put_case(&deadlock3, &box);
    box.mates.l = -2;
    assert_refused(*state, &box, "-2 free motions");
    put_case(&deadlock3, &box);
    box.mates.C = NULL;
    assert_refused(*state, &box, "C of the pairs is missing");
    StickMlcpOptions options = {0};
    StickMlcpSolver *solver;
    assert_int_equal(stick_mlcp_create(*state, &options, &solver), STICK_BAD_INPUT);
    assert_non_null(strstr(stick_last_error(*state), "tolerance"));
}

static StickStatus solve_twice(StickContext *ctx, void *data)
{
    StickMlcpOptions options = mates_options(*(StickMlcpMethod *)data, STICK_MLCP_LARGEST);
    StickMlcpSolver *solver = NULL;
    MatesBox small, large;
    StickMlcpInfo info;
    put_case(&deadlock2, &small);
    put_case(&stable_beam3, &large);
    StickStatus status = stick_mlcp_create(ctx, &options, &solver);
    if (status == STICK_OK)
        status = stick_mlcp_solve(solver, &small.mates, NULL, &small.solution, &info);
    if (status == STICK_OK)
        status = stick_mlcp_solve(solver, &large.mates, NULL, &large.solution, &info);
    stick_mlcp_destroy(solver);
    return status;
}

static void memory_may_fail(void **state)
{
    (void)state;
    for (int method = STICK_MLCP_CONNECT; method <= STICK_MLCP_ENUMERATE; method++)
        assert_survives_failing_memory(solve_twice, &(StickMlcpMethod){(StickMlcpMethod)method});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(small_cases_have_their_solutions),
        test_with_context(technique_1_comes_to_deadlocks),
        test_with_context(technique_2_finds_its_cycle),
        test_with_context(unstable_systems_show_their_motion),
        test_with_context(units_do_not_matter),
        test_with_context(far_pairs_do_not_matter),
        test_with_context(rigid_bodies_are_solved),
        test_with_context(neutral_motions_keep_still),
        test_with_context(motions_that_pairs_do_not_follow_are_told),
        test_with_context(few_pairs_and_motions),
        test_with_context(wrong_input_is_refused_by_name),
        test_with_context(memory_may_fail),
    };
    return cmocka_run_group_tests_name("solve.mlcp", tests, NULL, NULL);
}
