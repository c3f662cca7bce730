// SPDX-License-Identifier: Apache-2.0
// All solutions of small friction problems: as many as the complementarity problem has, each one a solution, among them
// that of a solver; and where a single contact begins to have three.
#include "check.h"

#include "base/random.h"
#include "solve/friction_lcp.h"
#include "solve/local.h"
#include "solve/residual.h"
#include "solve/solutions.h"

enum { MOST = STICK_SOLUTIONS_CONTACTS };

typedef struct Small {
    int start[MOST + 1], col[MOST * MOST];
    double value[4 * MOST * MOST], u_free[2 * MOST], mu[MOST];
    StickBlocks W;
    StickFrictionProblem problem;
} Small;

// W = B B' + eps I, by blocks that are all there.
static void make(StickRandom *random, int nc, double friction, Small *small)
{
    int n = 2 * nc;
    double B[2 * MOST][2 * MOST];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            B[i][j] = stick_random_uniform(random, -1, 1);
    for (int c = 0; c < nc; c++) {
        small->start[c + 1] = (c + 1) * nc;
        small->mu[c] = friction;
        for (int d = 0; d < nc; d++) {
            small->col[c * nc + d] = d;
            for (int k = 0; k < 4; k++) {
                int i = 2 * c + k / 2, j = 2 * d + k % 2;
                double sum = i == j ? 0.05 : 0;
                for (int l = 0; l < n; l++)
                    sum += B[i][l] * B[j][l];
                small->value[4 * (c * nc + d) + k] = sum;
            }
        }
    }
    for (int i = 0; i < n; i++)
        small->u_free[i] = stick_random_uniform(random, -1, 1);
    small->start[0] = 0;
    small->W = (StickBlocks){2, nc, small->start, small->col, small->value};
    small->problem = (StickFrictionProblem){
        .dim = 2, .ncontacts = nc, .W = &small->W, .u_free = small->u_free, .mu = small->mu};
}

// By bases of the LCP, independently of contact statuses.
static int count_by_bases(StickContext *ctx, StickFrictionLcp *lcp, const StickFrictionProblem *problem)
{
    StickSparseLcp sparse;
    StickSolveInfo info;
    double M[81] = {0}, z[9 * 64];
    StickLcpSolutions found = {.capacity = 64, .z = z};
    assert_ok(ctx, stick_friction_lcp_build(lcp, problem, STICK_LCP_FACETS, &sparse));
    int n = sparse.M->cols;
    for (int j = 0; j < n; j++)
        for (int e = sparse.M->start[j]; e < sparse.M->start[j + 1]; e++)
            M[j * n + sparse.M->row[e]] = sparse.M->value[e];
    assert_ok(ctx, stick_lcp_enumerate(ctx, &(StickLcp){n, M, sparse.q}, &found, &info));
    assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
    return found.count;
}

static void check_each(const StickFrictionProblem *problem, const StickSolutions *solutions)
{
    for (int k = 0; k < solutions->count; k++) {
        double u[2 * MOST];
        stick_residual_velocity(problem, solutions->r[k], u);
        for (int i = 0; i < 2 * problem->ncontacts; i++)
            assert_near(u[i], solutions->u[k][i], 1e-9);
        assert_below(stick_residual(problem, solutions->r[k], u).scale_free, 1e-9);
    }
}

static double distance_to_nearest(const StickSolutions *solutions, int nc, const double *u)
{
    double nearest = INFINITY;
    for (int k = 0; k < solutions->count; k++) {
        double apart = 0;
        for (int i = 0; i < 2 * nc; i++)
            apart = fmax(apart, fabs(u[i] - solutions->u[k][i]));
        nearest = fmin(nearest, apart);
    }
    return nearest;
}

static void all_are_found_and_each_is_one(void **state)
{
    StickRandom random = stick_random_seed(7);
    StickFrictionLcp *lcp;
    StickSolver *solver;
    StickSolverOptions options = stick_solver_options_default();
    Small small;
    int several = 0, most = 0;
    assert_ok(*state, stick_friction_lcp_create(*state, 4, &lcp));
    assert_ok(*state, stick_solver_create(*state, "auto", &options, &solver));
    make(&random, MOST, 1, &small);
    assert_ok(*state, stick_friction_lcp_reserve(lcp, &small.problem));
    for (int k = 0; k < 1000; k++) {
        StickSolutions solutions;
        StickSolveInfo info;
        double r[2 * MOST] = {0}, u[2 * MOST];
        make(&random, 1 + k % MOST, k % 2 ? 0.3 : 3, &small);
        stick_solutions_find(&small.problem, &solutions);
        check_each(&small.problem, &solutions);
        assert_int_equal(solutions.count, count_by_bases(*state, lcp, &small.problem));
        assert_int_equal(solutions.count % 2, 1); // but where two of them meet
        assert_ok(*state, stick_solver_solve(solver, &small.problem, r, u, &info));
        assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
        assert_below(distance_to_nearest(&solutions, small.problem.ncontacts, u), 1e-6);
        if (!stick_solutions_may_differ(&small.problem))
            assert_int_equal(solutions.count, 1);
        several += solutions.count > 1;
        most = solutions.count > most ? solutions.count : most;
    }
    print_message("several solutions: %d of 1000, at most %d\n", several, most);
    assert_true(several > 20);
    stick_friction_lcp_destroy(lcp);
    stick_solver_destroy(solver);
}

// W_NN = 1, W_NT = 0.5, sliding so that friction presses down: three from mu = 2 on where it would lift, one where not.
static void single_contacts_wedge_from_a_friction_on(void **state)
{
    (void)state;
    double A[4] = {1, 0.5, 0.5, 1}, mu;
    int start[2] = {0, 1}, col[1] = {0};
    StickBlocks W = {2, 1, start, col, A};
    for (int k = 0; k < 4; k++) {
        double lift = k % 2 ? 1e-3 : -1e-3, u_free[2] = {lift, 1};
        StickFrictionProblem problem = {.dim = 2, .ncontacts = 1, .W = &W, .u_free = u_free, .mu = &mu};
        StickSolutions solutions;
        mu = k < 2 ? 2 - 1e-6 : 2 + 1e-6;
        stick_solutions_find(&problem, &solutions);
        assert_int_equal(stick_solutions_may_differ(&problem), k >= 2);
        // just beyond, the sliding one needs an impulse without limit, which turns it round: mu must be larger for it
        assert_int_equal(solutions.count, 1);
        mu = k < 2 ? 1.9 : 3;
        stick_solutions_find(&problem, &solutions);
        assert_int_equal(solutions.count, k == 3 ? 3 : 1);
    }
}

// An interval is the same on both sides, or not: sliding forward is resisted by mu[0].
static void sides_may_differ(void **state)
{
    (void)state;
    double A[4] = {1, 0.5, 0.5, 1}, u_free[2] = {1e-3, 1}, mu = 0;
    int start[2] = {0, 1}, col[1] = {0};
    StickBlocks W = {2, 1, start, col, A};
    for (int k = 0; k < 2; k++) {
        StickSection section = {.kind = STICK_SECTION_INTERVAL, .mu = {k ? 3 : 0.5, k ? 0.5 : 3}};
        const StickSection *sections[1] = {&section};
        StickFrictionProblem problem = {
            .dim = 2, .ncontacts = 1, .W = &W, .u_free = u_free, .mu = &mu, .section = sections};
        StickSolutions solutions;
        assert_true(stick_solutions_may_differ(&problem));
        stick_solutions_find(&problem, &solutions);
        assert_int_equal(solutions.count, k ? 3 : 1);
    }
}

// In space: each is a solution, their number is odd, that of the local solver is among them, and what only the plane of
// sliding knows of is the same as in the plane.
static void contacts_in_space_have_theirs(void **state)
{
    (void)state;
    StickRandom random = stick_random_seed(9);
    int start[2] = {0, 1}, col[1] = {0}, several = 0;
    for (int k = 0; k < 3000; k++) {
        double B[9], A[9], b[3], mu = k % 2 ? 0.5 : 4, r[3] = {0}, u[3], nearest = INFINITY;
        StickBlocks W = {3, 1, start, col, A};
        StickFrictionProblem problem = {.dim = 3, .ncontacts = 1, .W = &W, .u_free = b, .mu = &mu};
        StickSolutions solutions;
        for (int i = 0; i < 9; i++)
            B[i] = stick_random_uniform(&random, -1, 1);
        for (int i = 0; i < 9; i++) {
            A[i] = i % 4 ? 0 : 0.05;
            for (int j = 0; j < 3; j++)
                A[i] += B[3 * (i / 3) + j] * B[3 * (i % 3) + j];
        }
        for (int i = 0; i < 3; i++)
            b[i] = stick_random_uniform(&random, i ? -1 : -0.1, i ? 1 : 0.1);
        stick_solutions_find(&problem, &solutions);
        assert_int_equal(solutions.count % 2, 1);
        if (!stick_solutions_may_differ(&problem))
            assert_int_equal(solutions.count, 1);
        stick_local_solve(3, A, b, mu, r);
        for (int i = 0; i < solutions.count; i++) {
            stick_residual_velocity(&problem, solutions.r[i], u);
            assert_below(stick_residual(&problem, solutions.r[i], u).scale_free, 1e-9);
            double apart = 0;
            for (int j = 0; j < 3; j++)
                apart = fmax(apart, fabs(solutions.r[i][j] - r[j]));
            nearest = fmin(nearest, apart);
        }
        assert_below(nearest, 1e-8 * (1 + fabs(r[0])));
        several += solutions.count > 1;
    }
    print_message("in space: several of %d\n", several);
    assert_true(several > 100);
}

static void spaces_contain_planes(void **state)
{
    (void)state;
    double A[9] = {1, 0.5, 0, 0.5, 1, 0, 0, 0, 1}, u_free[3] = {1e-3, 1, 0};
    int start[2] = {0, 1}, col[1] = {0};
    StickBlocks W = {3, 1, start, col, A};
    for (double mu = 1.5; mu < 4; mu += 0.125) {
        StickFrictionProblem problem = {.dim = 3, .ncontacts = 1, .W = &W, .u_free = u_free, .mu = &mu};
        StickSolutions solutions;
        stick_solutions_find(&problem, &solutions);
        assert_int_equal(solutions.count, mu > 2 ? 3 : 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(all_are_found_and_each_is_one),
        test_with_context(single_contacts_wedge_from_a_friction_on),
        test_with_context(sides_may_differ),
        test_with_context(contacts_in_space_have_theirs),
        test_with_context(spaces_contain_planes),
    };
    return cmocka_run_group_tests_name("solve.solutions", tests, NULL, NULL);
}
