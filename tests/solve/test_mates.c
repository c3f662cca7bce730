// SPDX-License-Identifier: Apache-2.0
#include "solve/mates_cases.h"

static const StickMatesMethod complete[] = {STICK_MATES_CONNECT, STICK_MATES_LEMKE, STICK_MATES_ENUMERATE};
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
            fail_msg("%s by %s: %s", given->name, stick_mates_method_name((int)complete[k]),
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
    for (int order = STICK_MATES_LARGEST; order <= STICK_MATES_LAST; order++) {
        put_case(&deadlock3, &box);
        box.p[0] = -7;
        StickMatesOptions options = mates_options(STICK_MATES_CONRY_SEIREG, (StickMatesOrder)order);
        assert_int_equal(solve_box(*state, options, NULL, &box), STICK_SOLVE_DEADLOCK);
        assert_near(box.info.imbalance, 10. / 3, 1e-12);
        assert_non_null(strstr(box.info.solve.detail, "3.33333"));
        assert_true(box.p[0] == -7);
    }
    put_case(&deadlock2, &box);
    assert_int_equal(solve_by(*state, STICK_MATES_CONRY_SEIREG, &box), STICK_SOLVE_DEADLOCK);
    assert_near(box.info.imbalance, 1, 1e-12);
    put_case(&redundant2, &box);
    assert_int_equal(solve_by(*state, STICK_MATES_CONRY_SEIREG, &box), STICK_SOLVE_CONVERGED);
    assert_answer(&box, (double[]){3, 0}, (double[]){-6}, (double[]){0, 7});
}

static void technique_2_finds_its_cycle(void **state)
{
    MatesBox box;
    const bool first[] = {true, false}, second[] = {false, true};
    StickMatesOptions options = mates_options(STICK_MATES_CONNECT, STICK_MATES_LARGEST);
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
        for (int method = STICK_MATES_CONNECT; method <= STICK_MATES_ENUMERATE; method++) {
            MatesBox box;
            put_case(cases[c], &box);
            box.mates.motion = names;
            box.theta[0] = 5;
            assert_int_equal(solve_by(*state, (StickMatesMethod)method, &box), STICK_SOLVE_UNSTABLE);
            assert_free_motion(&box);
            assert_near(box.motion[0] * motion[c][1] - box.motion[1] * motion[c][0], 0, 1e-12);
            assert_non_null(strstr(box.info.solve.detail, "statically unstable"));
            assert_non_null(strstr(box.info.solve.detail, "turn"));
            assert_true(box.theta[0] == 5);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(small_cases_have_their_solutions),
        test_with_context(technique_1_comes_to_deadlocks),
        test_with_context(technique_2_finds_its_cycle),
        test_with_context(unstable_systems_show_their_motion),
    };
    return cmocka_run_group_tests_name("solve.mates", tests, NULL, NULL);
}
