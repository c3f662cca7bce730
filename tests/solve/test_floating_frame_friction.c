// SPDX-License-Identifier: Apache-2.0
// Contacts that hold the free motions of frames: blocks by hand, manufactured solutions, pairs without friction.
#include "check.h"
#include "solve/floating_frame_friction.h"
#include "solve/manufactured.h"

#include <stickslip/certificate.h>
#include <stickslip/mlcp.h>

#include <math.h>

static StickStatus solve_by(StickContext *ctx, const char *name, const StickFloatingFrame *problem,
                            const StickFloatingFrameSolution *solution, StickSolveInfo *info)
{
    StickFloatingFrameSolver *solver;
    StickSolverOptions options = stick_solver_options_default();
    STICK_TRY(stick_floating_frame_friction_create(ctx, name, &options, &solver));
    StickStatus status = stick_floating_frame_friction_solve(solver, problem, solution, info);
    stick_floating_frame_friction_destroy(solver);
    return status;
}

// ---- a block that may move along y and x, on one contact

static int one_start[] = {0, 1}, one_col[] = {0};
static double one_value[] = {1, 0.25, 0.25, 2};
static const StickBlocks one_W = {2, 1, one_start, one_col, one_value};
static const double one_C[] = {1, 0, 0, 1}, half = 0.5;

static StickFloatingFrame block(const double *w, const double *lambda)
{
    return (StickFloatingFrame){
        .contact = {.dim = 2, .ncontacts = 1, .W = &one_W, .u_free = w, .mu = &half},
        .l = 2,
        .C = one_C,
        .lambda = lambda,
    };
}

// Friction alone holds it along x: r is the load, and theta what makes u zero.
static void friction_holds_a_block(void **state)
{
    double w[] = {0.5, -3}, lambda[] = {10, 3}, r[2] = {0}, theta[2] = {0}, u[2], motion[2];
    StickFloatingFrame problem = block(w, lambda);
    StickSolveInfo info;
    assert_ok(*state,
              solve_by(*state, "auto", &problem, &(StickFloatingFrameSolution){r, theta, u, motion}, &info));
    assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
    assert_near(r[0], 10, 1e-12);
    assert_near(r[1], 3, 1e-12);
    assert_near(theta[0], -10 - 0.75 - 0.5, 1e-12);
    assert_near(theta[1], -2.5 - 6 + 3, 1e-12);
    assert_near(u[0], 0, 1e-12);
    assert_near(u[1], 0, 1e-12);
}

// It is found however far it has to go.
static void play_is_taken_up(void **state)
{
    for (double play = 1; play < 1e7; play *= 10) {
        double w[] = {play, 0}, lambda[] = {10, 3}, r[2] = {0}, theta[2] = {0}, u[2], motion[2];
        StickFloatingFrame problem = block(w, lambda);
        StickSolveInfo info;
        assert_ok(*state, solve_by(*state, "auto", &problem,
                                   &(StickFloatingFrameSolution){r, theta, u, motion}, &info));
        assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
        assert_near(theta[0], -10.75 - play, 1e-12 * (10 + play));
    }
}

// Beyond the friction limit, or pulled away, the frame moves, and the solver returns the direction.
static void what_nothing_holds_is_told(void **state)
{
    double w[] = {0.5, -3}, r[2] = {0}, theta[2] = {0}, u[2], motion[2] = {0};
    const double lambda[2][2] = {{10, 5.5}, {-1, 0}};
    for (int k = 0; k < 2; k++) {
        StickFloatingFrame problem = block(w, lambda[k]);
        StickSolveInfo info;
        r[0] = r[1] = theta[0] = theta[1] = 0;
        assert_ok(*state, solve_by(*state, "auto", &problem,
                                   &(StickFloatingFrameSolution){r, theta, u, motion}, &info));
        assert_int_equal(info.end, STICK_SOLVE_UNSTABLE);
        assert_near(fabs(motion[1 - k]), 1, 0);
        assert_below(fabs(motion[k]), 1e-3);
    }
}

static void nothing_to_touch(void **state)
{
    double lambda[] = {0, 0}, theta[2] = {0}, motion[2];
    StickFloatingFrame problem = {.contact = {.dim = 2}, .l = 2, .lambda = lambda};
    StickSolveInfo info;
    StickFloatingFrameSolution solution = {NULL, theta, NULL, motion};
    assert_ok(*state, solve_by(*state, "auto", &problem, &solution, &info));
    assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
    lambda[1] = 3;
    assert_ok(*state, solve_by(*state, "auto", &problem, &solution, &info));
    assert_int_equal(info.end, STICK_SOLVE_UNSTABLE);
    assert_near(motion[1], 1, 0);
}

// ---- at random

enum { MOTIONS = 2 };

typedef struct Chance {
    Manufactured made;
    double C[MOTIONS * MOST_ROWS], lambda[MOTIONS], theta[MOTIONS], w[MOST_ROWS];
    StickFloatingFrame problem;
} Chance;

// w = u - W r - C theta and lambda = C'r of a known solution
static void make_chance(StickRandom *random, double mu, Chance *chance)
{
    manufacture(&chance->made, random, 2, 12, mu, 1);
    int n = 2 * chance->made.problem.ncontacts;
    for (int j = 0; j < MOTIONS; j++) {
        chance->theta[j] = stick_random_uniform(random, -1, 1);
        chance->lambda[j] = 0;
        for (int i = 0; i < n; i++) {
            chance->C[j * n + i] = stick_random_uniform(random, -1, 1);
            chance->lambda[j] += chance->C[j * n + i] * chance->made.r[i];
        }
    }
    for (int i = 0; i < n; i++) {
        chance->w[i] = chance->made.u_free[i];
        for (int j = 0; j < MOTIONS; j++)
            chance->w[i] -= chance->C[j * n + i] * chance->theta[j];
    }
    chance->problem = (StickFloatingFrame){
        .contact = chance->made.problem, .l = MOTIONS, .C = chance->C, .lambda = chance->lambda};
    chance->problem.contact.u_free = chance->w;
}

// Manufactured problems are solved by several methods, to certified answers in balance.
static void methods_hold_frames(void **state)
{
    static const char *const names[] = {"auto", "gauss-seidel", "newton"};
    static Chance chance;
    StickRandom random = stick_random_seed(11);
    for (int k = 0; k < 60; k++) {
        double r[MOST_ROWS] = {0}, u[MOST_ROWS], theta[MOTIONS] = {0}, motion[MOTIONS], u_free[MOST_ROWS];
        make_chance(&random, 0.6, &chance);
        StickSolveInfo info;
        StickFloatingFrameSolution solution = {r, theta, u, motion};
        assert_ok(*state, solve_by(*state, names[k % 3], &chance.problem, &solution, &info));
        if (info.end != STICK_SOLVE_CONVERGED)
            fail_msg("case %d by %s: %s, %s", k, names[k % 3], stick_solve_end_name(info.end), info.detail);
        StickFrictionProblem contact = chance.problem.contact;
        int n = 2 * contact.ncontacts;
        for (int i = 0; i < n; i++)
            u_free[i] = chance.w[i] + chance.C[i] * theta[0] + chance.C[n + i] * theta[1];
        contact.u_free = u_free;
        StickCertificate found;
        assert_ok(*state, stick_certify(*state, &contact, r, 0, 1e-8, &found));
        assert_true(found.certified);
        assert_below(stick_floating_frame_friction_imbalance(&chance.problem, r), 1e-8);
        for (int i = 0; i < n; i++)
            assert_near(r[i], chance.made.r[i], 1e-6);
        for (int j = 0; j < MOTIONS; j++)
            assert_near(theta[j], chance.theta[j], 1e-6);
    }
}

// Without friction they are pairs of bodies, and have the same answers.
static void without_friction_pairs_answer_alike(void **state)
{
    static Chance chance;
    StickRandom random = stick_random_seed(12);
    for (int k = 0; k < 40; k++) {
        enum { MOST = MOST_CONTACTS };
        double A[MOST * MOST], B[MOTIONS * MOST], C[MOTIONS * MOST], eps[MOST], p[MOST], d[MOST];
        double r[MOST_ROWS] = {0}, u[MOST_ROWS], theta[MOTIONS] = {0}, motion[MOTIONS], expected[MOTIONS];
        make_chance(&random, 0.6, &chance);
        int m = chance.made.problem.ncontacts;
        memset(chance.made.mu, 0, sizeof chance.made.mu);
        memset(chance.lambda, 0, sizeof chance.lambda);
        for (int i = 0; i < m; i++) {
            eps[i] = chance.w[2 * i];
            for (int j = 0; j < m; j++)
                A[j * m + i] = *manufactured_entry(&chance.made, 2 * i, 2 * j);
            for (int j = 0; j < MOTIONS; j++) {
                C[j * m + i] = B[i * MOTIONS + j] = chance.C[j * 2 * m + 2 * i];
                chance.lambda[j] += C[j * m + i] * chance.made.r[2 * i];
            }
        }
        StickMixedLcp mates = {
            .m = m, .l = MOTIONS, .A = A, .B = B, .C = C, .eps = eps, .lambda = chance.lambda};
        StickMlcpOptions options = stick_mlcp_options_default();
        StickMlcpSolver *solver;
        StickMlcpInfo by_pairs;
        assert_ok(*state, stick_mlcp_create(*state, &options, &solver));
        assert_ok(*state,
                  stick_mlcp_solve(solver, &mates, NULL,
                                   &(StickMlcpSolution){.p = p, .d = d, .theta = expected}, &by_pairs));
        stick_mlcp_destroy(solver);
        assert_int_equal(by_pairs.solve.end, STICK_SOLVE_CONVERGED);
        StickSolveInfo info;
        assert_ok(*state, solve_by(*state, "auto", &chance.problem,
                                   &(StickFloatingFrameSolution){r, theta, u, motion}, &info));
        assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
        for (int i = 0; i < m; i++) {
            assert_near(r[2 * i], p[i], 1e-9);
            assert_near(r[2 * i + 1], 0, 1e-12);
        }
        for (int j = 0; j < MOTIONS; j++)
            assert_near(theta[j], expected[j], 1e-9);
    }
}

static void bad_numbers_are_refused(void **state)
{
    double w[] = {0, 0}, lambda[] = {NAN, 0}, r[2] = {0}, theta[2] = {0}, u[2], motion[2];
    StickFloatingFrame problem = block(w, lambda);
    StickSolveInfo info;
    StickFloatingFrameSolution solution = {r, theta, u, motion};
    assert_int_equal(solve_by(*state, "auto", &problem, &solution, &info), STICK_BAD_INPUT);
    assert_non_null(strstr(stick_last_error(*state), "lambda of motion 0 is nan"));
    assert_int_equal(solve_by(*state, "nobody", &problem, &solution, &info), STICK_BAD_INPUT);
}

static StickStatus solve_once(StickContext *ctx, void *data)
{
    double w[] = {0.5, -3}, lambda[] = {10, 3}, r[2] = {0}, theta[2] = {0}, u[2], motion[2];
    StickFloatingFrame problem = block(w, lambda);
    (void)data;
    return solve_by(ctx, "auto", &problem, &(StickFloatingFrameSolution){r, theta, u, motion},
                    &(StickSolveInfo){0});
}

static void memory_may_fail_anywhere(void **state)
{
    (void)state;
    assert_survives_failing_memory(solve_once, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(friction_holds_a_block),     test_with_context(play_is_taken_up),
        test_with_context(what_nothing_holds_is_told), test_with_context(nothing_to_touch),
        test_with_context(methods_hold_frames),        test_with_context(without_friction_pairs_answer_alike),
        test_with_context(bad_numbers_are_refused),    cmocka_unit_test(memory_may_fail_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
