// SPDX-License-Identifier: Apache-2.0
#include "brief.h"
#include "solve/data_file.h"
#include "solve/exact_method.h"
#include "solve/masonry.h"
#include "solve/relabel.h"

static const ExactMethod method = {"auto", ACTION_OTHER_WAY, 0.9, 60, 40};
EXACT_METHOD_TESTS

// Solves, and asks the verifier; true if it is certified to 1e-8.
static bool solve_and_certify(StickContext *ctx, const StickFrictionProblem *problem, const char *what)
{
    size_t rows = (size_t)(problem->dim * problem->ncontacts);
    double *r = calloc(rows, sizeof *r), *u = calloc(rows, sizeof *u);
    StickCertificate certificate;
    StickSolveInfo info = solve_friction(ctx, "auto", problem, 1e-8, 0, r, u);
    assert_ok(ctx, stick_certify(ctx, problem, r, 0, 1e-8, &certificate));
    print_message("%s: %d contacts, %d iterations %s, errors %.1e %.1e, contact %d %.1e, round-off %.1e\n",
                  what, problem->ncontacts, info.iterations, info.detail, certificate.error,
                  certificate.error_scale_free, certificate.worst_contact, certificate.contact_error,
                  certificate.round_off);
    // never a wrong answer as a good one; where only round-off is left, the verifier may be content earlier
    assert_true(certificate.certified || info.end != STICK_SOLVE_CONVERGED);
    free(r);
    free(u);
    return certificate.certified;
}

// Any order of the contacts.
static void assert_solved_in_any_order(StickContext *ctx, const StickFrictionProblem *problem, int orders,
                                       const char *what)
{
    assert_true(solve_and_certify(ctx, problem, what));
    for (int k = 1; k <= orders; k++) {
        Relabelled other;
        StickRandom random = stick_random_seed((uint64_t)k);
        relabel(problem, &random, &other);
        assert_true(solve_and_certify(ctx, &other.problem, what));
        relabelled_free(&other);
    }
}

// Bricks that weigh a million times more than others, and friction that wedges.
static void walls_of_unequal_bricks(void **state)
{
    static const struct {
        int rows, bricks;
        double ratio, mu;
    } walls[] = {{4, 3, 1, 0.6}, {10, 2, 1e6, 0.6}, {6, 6, 1e6, 0.3}, {4, 3, 1, 5}, {8, 4, 1e3, 5}};
    StickRandom random = stick_random_seed(11);
    for (size_t k = 0; k < sizeof walls / sizeof *walls; k += (size_t)test_size(1, 3)) {
        Masonry wall;
        char what[64];
        snprintf(what, sizeof what, "mass ratio %g, friction %g", walls[k].ratio, walls[k].mu);
        masonry_build(&wall, &random, walls[k].rows, walls[k].bricks, walls[k].ratio, walls[k].mu);
        assert_solved_in_any_order(*state, &wall.problem, test_size(1, 0), what);
        masonry_free(&wall);
    }
}

// Wedges between bricks whose masses differ by a million: solved in the scale of every contact, or reported.
static void wedged_walls_are_solved_or_told(void **state)
{
    StickRandom random = stick_random_seed(12);
    Masonry wall;
    if (test_is_brief())
        skip(); // walls_of_unequal_bricks goes the same ways
    masonry_build(&wall, &random, 10, 3, 1e6, 5);
    solve_and_certify(*state, &wall.problem, "mass ratio 1e6, friction 5");
    masonry_free(&wall);
}

// Every friction problem of the folder of real ones, in any order of its contacts.
static void real_problems(void **state)
{
    static const char *const files[] = {
        "BoxesStack1-i100000-32.hdf5.dat",
        "Capsules-i100-889.dat",
        "Capsules-i122-1617.dat",
        "Capsules-i125-1213.hdf5",
        "Confeti-ex13-Fc3D-SBM.dat",
        "FC2D_SliderCrankLagrangian00000.dat",
        "FC3D_Example1_SBM.dat",
        "FrictionContact3D_1c.dat",
        "FrictionContactProblem00071.dat",
        "FrictionContactProblem00237.dat",
        "FrictionContactProblem00374.dat",
        "KaplasTower-i1061-4.hdf5.dat",
        "LMGC_100_PR_PerioBox-i00361-60-03000.hdf5",
        "NESpheres_10_1.dat",
        "OneObject-i100000-316.hdf5.dat",
        "OneObject-i1028-138.hdf5.dat",
        "RockPile_tob1.dat",
        "Rover1040.dat",
        "Rover3865.dat",
        "fc2d_granularflowonwall_00667_00000.dat",
        "fc2d_granularflowonwall_02020_00213.dat",
    };
    StickContext *ctx = *state;
    const char *orders = getenv("STICKSLIP_TEST_ORDERS");
    for (size_t k = 0; k < sizeof files / sizeof *files; k += (size_t)test_size(1, 4)) {
        StickProblemFile *file = data_file(ctx, files[k]);
        StickFrictionProblem problem = stick_problem_friction(file);
        assert_solved_in_any_order(ctx, &problem, orders ? atoi(orders) : test_size(1, 0), files[k]);
        stick_problem_destroy(file);
    }
}

// ---- large problems

// Columns of equal bodies that stand on the floor; the initial guess is zero. Contact k of a column carries the
// bodies above it. Plain sweeps need a multiple of the square of the height. The feet touch lightly, so that all
// columns form one island.
enum { HIGH = 40, COLUMNS = 500, STANDING = HIGH * COLUMNS };

static void columns_build(StickBlocks *W)
{
    *W = (StickBlocks){.n = STANDING, .d = 2};
    W->start = calloc(STANDING + 1, sizeof *W->start);
    W->col = calloc(5 * STANDING, sizeof *W->col);
    W->value = calloc(20 * STANDING, sizeof *W->value);
    for (int c = 0, count = 0; c < STANDING; c++) {
        int k = c % HIGH,
            others[] = {k ? -1 : c - HIGH, k ? c - 1 : -1, c, k < HIGH - 1 ? c + 1 : -1, k ? -1 : c + HIGH};
        for (int e = 0; e < 5; e++) {
            if (others[e] < 0 || others[e] >= STANDING)
                continue;
            double value = abs(others[e] - c) == HIGH ? 1e-3 : others[e] != c ? -1 : k == 0 ? 1 : 2;
            W->col[count] = others[e];
            W->value[4 * count] = W->value[4 * count + 3] = value;
            count++;
        }
        W->start[c + 1] = count;
    }
}

static void large_problems_are_accelerated_where_sweeps_are_slow(void **state)
{
    StickContext *ctx = *state;
    StickBlocks W;
    if (test_is_brief())
        skip(); // solve/test_cascade.c has large problems too
    columns_build(&W);
    double *u_free = calloc(2 * STANDING, sizeof *u_free), *mu = calloc(STANDING, sizeof *mu);
    double *r = calloc(2 * STANDING, sizeof *r), *u = calloc(2 * STANDING, sizeof *u);
    for (int c = 0; c < STANDING; c++) {
        mu[c] = 0.3;
        r[2 * c] = HIGH - c % HIGH;
    }
    StickFrictionProblem problem = {.dim = 2, .ncontacts = STANDING, .W = &W, .u_free = u_free, .mu = mu};
    stick_friction_apply(&problem, r, u_free);
    for (int i = 0; i < 2 * STANDING; i++)
        u_free[i] = -u_free[i];
    StickSolveInfo info = solve_friction(ctx, "auto", &problem, 1e-8, 0, r, u);
    assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
    assert_true(info.iterations < 300);
    for (int c = 0; c < STANDING; c++)
        assert_near(r[2 * c], HIGH - c % HIGH, 1e-2);
    // and from the answer, nothing is left to do
    info = solve_friction_on(ctx, "auto", &problem, 1e-8, 0, r, u);
    assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
    assert_int_equal(info.iterations, 0);
    free(W.start);
    free(W.col);
    free(W.value);
    free(u_free);
    free(mu);
    free(r);
    free(u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        EXACT_METHOD_LIST,
        test_with_context(walls_of_unequal_bricks),
        test_with_context(wedged_walls_are_solved_or_told),
        test_with_context(real_problems),
        test_with_context(large_problems_are_accelerated_where_sweeps_are_slow),
    };
    return cmocka_run_group_tests_name("solve.auto", tests, NULL, NULL);
}
