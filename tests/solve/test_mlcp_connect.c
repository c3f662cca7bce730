// SPDX-License-Identifier: Apache-2.0
// Random systems: connect-disconnect, Lemke's method and the simplex method against the enumeration of all
// sets.
#include "solve/mlcp_cases.h"

#include <stickslip/certificate.h>

enum { ROOM = 64 };

typedef struct Tally {
    int solved, several, none, unstable, by_lemke, repeated, deadlocks;
} Tally;

static void count_solutions(StickContext *ctx, const MatesBox *box, StickMlcpSolutions *all,
                            StickMlcpInfo *info)
{
    static double p[MOST_PAIRS * ROOM], theta[MOST_MOTIONS * ROOM];
    *all = (StickMlcpSolutions){ROOM, p, theta, 0};
    assert_ok(ctx, stick_mlcp_enumerate(ctx, &box->mates, all, info));
}

// With A semidefinite and B = C' the deformations A p of all solutions are the same, even where forces of
// redundant pairs, or motions without load, are not.
static void assert_listed(const MatesBox *box, const StickMlcpSolutions *all, double tolerance)
{
    double nearest = INFINITY, size = 1;
    int m = box->mates.m;
    for (int s = 0; s < all->count; s++) {
        double apart = 0;
        for (int i = 0; i < m; i++) {
            double difference = 0;
            for (int j = 0; j < m; j++)
                difference += box->A[j * m + i] * (all->p[s * m + j] - box->p[j]);
            apart = fmax(apart, fabs(difference));
            size = fmax(size, fabs(all->p[s * m + i]));
        }
        nearest = fmin(nearest, apart);
    }
    assert_below(nearest, tolerance * size);
}

// Whatever ends with CONVERGED solves; UNSTABLE shows a motion; others find nothing where there is nothing.
static void try_method(StickContext *ctx, StickMlcpMethod method, bool unique, const StickMlcpSolutions *all,
                       MatesBox *box, Tally *tally)
{
    StickSolveEnd end = solve_by(ctx, method, box);
    if (end == STICK_SOLVE_CONVERGED) {
        assert_box_solved(box, 1e-9);
        if (all && unique)
            assert_listed(box, all, 1e-9);
    } else if (end == STICK_SOLVE_UNSTABLE) {
        assert_free_motion(box);
        assert_true(!all || all->count == 0);
    } else if (unique && method != STICK_MLCP_CONRY_SEIREG) {
        fail_msg("%s: %s: %s", stick_mlcp_method_name((int)method), stick_solve_end_name(end),
                 box->info.solve.detail);
    }
    tally->solved += end == STICK_SOLVE_CONVERGED;
    tally->unstable += end == STICK_SOLVE_UNSTABLE;
    tally->none += end == STICK_SOLVE_RAY || end == STICK_SOLVE_LIMIT;
    tally->deadlocks += end == STICK_SOLVE_DEADLOCK;
    tally->by_lemke += box->info.by_lemke;
    tally->repeated += box->info.repeated > 0;
}

static void report(const char *what, const Tally *tally)
{
    print_message("%s: %d solved, %d unstable, %d unsolved, %d deadlocks, %d by Lemke, %d repeated\n", what,
                  tally->solved, tally->unstable, tally->none, tally->deadlocks, tally->by_lemke,
                  tally->repeated);
}

// A symmetric and semidefinite, B = C': there is a solution wherever the loads can be balanced.
static void frictionless_systems_agree_with_enumeration(void **state)
{
    StickRandom random = stick_random_seed(8);
    Tally connect = {0}, lemke = {0}, simplex = {0};
    for (int n = 0; n < 1000; n++) {
        int m = 1 + n % 9 + 3 * (n % 50 == 0), l = 1 + n % 3;
        MatesBox box;
        StickMlcpSolutions all;
        StickMlcpInfo info;
        make_random(&random, m, l, 0, n % 2 == 0, &box);
        if (n % 10 == 0)
            box.lambda[0] = -box.lambda[0];
        count_solutions(*state, &box, &all, &info);
        assert_true(all.count > 0 || info.solve.end == STICK_SOLVE_UNSTABLE);
        try_method(*state, STICK_MLCP_CONNECT, true, &all, &box, &connect);
        try_method(*state, STICK_MLCP_LEMKE, true, &all, &box, &lemke);
        try_method(*state, STICK_MLCP_CONRY_SEIREG, true, &all, &box, &simplex);
    }
    report("connect-disconnect", &connect);
    report("lemke", &lemke);
    report("conry-seireg", &simplex);
    assert_int_equal(connect.solved, lemke.solved);
    assert_int_equal(connect.unstable, lemke.unstable);
    assert_true(connect.solved > 800 && connect.unstable > 10);
}

// The largest difference of forces, relative to the largest force.
static double difference(int m, const double *p, const double *other)
{
    double apart = 0, size = 1;
    for (int i = 0; i < m; i++) {
        apart = fmax(apart, fabs(p[i] - other[i]));
        size = fmax(size, fabs(other[i]));
    }
    return apart / size;
}

// With friction there may be none or several solutions, and nothing has to find them; what converges is one
// of them, and what does not says why.
static void systems_with_friction_agree_with_enumeration(void **state)
{
    static const StickMlcpMethod methods[] = {STICK_MLCP_CONNECT, STICK_MLCP_LEMKE, STICK_MLCP_CONRY_SEIREG};
    StickRandom random = stick_random_seed(88);
    Tally tally[3] = {{0}};
    int unique = 0, several = 0, missed[3] = {0};
    for (int n = 0; n < 600; n++) {
        int m = 1 + n % 8, l = 1 + n % 3;
        MatesBox box;
        StickMlcpSolutions all;
        StickMlcpInfo info;
        make_random(&random, m, l, n % 2 ? 0.1 : 0.4, false, &box);
        count_solutions(*state, &box, &all, &info);
        unique += all.count == 1;
        several += all.count > 1;
        for (int k = 0; k < 3; k++) {
            try_method(*state, methods[k], false, &all, &box, &tally[k]);
            if (box.info.solve.end == STICK_SOLVE_CONVERGED && all.count == 1)
                assert_below(difference(m, box.p, all.p), 1e-10);
            assert_true(box.info.solve.end == STICK_SOLVE_CONVERGED || box.info.solve.detail[0] != 0);
            missed[k] += box.info.solve.end != STICK_SOLVE_CONVERGED && all.count > 0;
        }
    }
    for (int k = 0; k < 3; k++) {
        report(stick_mlcp_method_name((int)methods[k]), &tally[k]);
        print_message("  of %d systems with one solution and %d with several, %d missed\n", unique, several,
                      missed[k]);
    }
    assert_true(unique > 400 && missed[0] <= 20 && missed[1] <= 20);
}

// A round punch on a half plane in strips: A of a logarithm and, with friction, of a step, separations of a
// parabola; one motion that tilts with friction, one load.
static void make_punch(int m, double friction, double *A, double *B, double *C, double *eps,
                       StickMixedLcp *mates)
{
    for (int i = 0; i < m; i++) {
        double x = 2. * (i + 0.5) / m - 1;
        eps[i] = 1e-3 * x * x / 2;
        B[i] = 1 + friction * x;
        C[i] = 1;
        for (int j = 0; j < m; j++)
            A[(size_t)j * (size_t)m + (size_t)i] =
                1e-7 * (8 - log(abs(i - j) + 0.2) + friction * ((i > j) - (i < j)));
    }
    *mates = (StickMixedLcp){.m = m, .l = 1, .A = A, .B = B, .C = C, .eps = eps};
}

// Many candidates, few of them in touch: the answer of Lemke, and from the set of the load before few pivots.
static void solve_punch(StickContext *ctx, double friction)
{
    enum { M = 400 };
    static double A[M * M], B[M], C[M], eps[M], p[M], d[M], other[M];
    static bool start[M];
    double theta[1], lambda[1] = {100};
    StickMixedLcp mates;
    StickMlcpSolution solution = {p, d, theta, NULL, start};
    StickMlcpOptions options = stick_mlcp_options_default();
    StickMlcpSolver *connect, *lemke;
    StickMlcpInfo cold, warm, info;
    make_punch(M, friction, A, B, C, eps, &mates);
    mates.lambda = lambda;
    assert_ok(ctx, stick_mlcp_create(ctx, &options, &connect));
    options.method = STICK_MLCP_LEMKE;
    assert_ok(ctx, stick_mlcp_create(ctx, &options, &lemke));
    assert_ok(ctx, stick_mlcp_solve(connect, &mates, NULL, &solution, &cold));
    assert_int_equal(cold.solve.end, STICK_SOLVE_CONVERGED);
    assert_true(!cold.by_lemke && cold.connected > 20 && cold.connected < 200);
    memcpy(other, p, sizeof other);
    assert_ok(ctx, stick_mlcp_solve(lemke, &mates, NULL, &solution, &info));
    assert_int_equal(info.solve.end, STICK_SOLVE_CONVERGED);
    assert_below(difference(M, p, other), 1e-10);
    lambda[0] = 103;
    assert_ok(ctx, stick_mlcp_solve(connect, &mates, start, &solution, &warm));
    assert_int_equal(warm.solve.end, STICK_SOLVE_CONVERGED);
    print_message("%d of %d pairs: %d pivots cold, %d warm, %d by Lemke\n", cold.connected, M,
                  cold.solve.iterations, warm.solve.iterations, info.solve.iterations);
    assert_true(10 * warm.solve.iterations < cold.solve.iterations);
    stick_mlcp_destroy(connect);
    stick_mlcp_destroy(lemke);
}

static void large_systems_start_from_the_position_before(void **state)
{
    solve_punch(*state, 0);
    solve_punch(*state, 0.3);
}

// A start may hold pairs that depend on each other, or all of them.
static void any_start_leads_to_the_solution(void **state)
{
    StickRandom random = stick_random_seed(17);
    StickMlcpOptions options = mates_options(STICK_MLCP_CONNECT, STICK_MLCP_LARGEST);
    for (int n = 0; n < 200; n++) {
        MatesBox box, cold;
        bool start[MOST_PAIRS];
        make_random(&random, 2 + n % 15, 1 + n % 3, 0, n % 2 == 0, &box);
        cold = box;
        cold.mates =
            (StickMixedLcp){box.mates.m, box.mates.l, cold.A, cold.B, cold.C, cold.eps, cold.lambda, NULL};
        cold.solution = (StickMlcpSolution){cold.p, cold.d, cold.theta, cold.motion, cold.connected};
        for (int i = 0; i < box.mates.m; i++)
            start[i] = n % 3 == 0 || stick_random_uniform(&random, 0, 1) < 0.5;
        options.order = (StickMlcpOrder)(n % 3);
        StickSolveEnd end = solve_box(*state, options, start, &box);
        assert_int_equal(end, solve_by(*state, STICK_MLCP_LEMKE, &cold));
        assert_int_equal(end,
                         solve_box(*state, mates_options(STICK_MLCP_LEMKE, options.order), start, &cold));
        if (end == STICK_SOLVE_CONVERGED) {
            StickMlcpSolutions one = {1, cold.p, cold.theta, 1};
            assert_box_solved(&box, 1e-9);
            assert_listed(&box, &one, 1e-9);
        }
    }
}

// Rounding leaves forces of 1e-17 and less: they have nothing to balance, and lack nothing.
static void systems_without_loads_are_solved(void **state)
{
    StickRandom random = stick_random_seed(18);
    for (int n = 0; n < 400; n++) {
        MatesBox box;
        StickMlcpCertificate certificate;
        StickMlcpMethod method = n % 4 < 2 ? STICK_MLCP_LEMKE : STICK_MLCP_CONNECT;
        make_random(&random, 2 + n % 15, 1 + n % 3, 0, n % 2 == 0, &box);
        memset(box.lambda, 0, sizeof box.lambda);
        assert_int_equal(solve_by(*state, method, &box), STICK_SOLVE_CONVERGED);
        assert_box_solved(&box, 1e-9);
        assert_ok(*state, stick_certify_mates(*state, &box.mates, box.p, box.theta, 1e-9, &certificate));
        assert_true(certificate.certified);
    }
}

// Room is made by the first solve of a size; later ones take none.
static void later_solves_take_no_memory(void **state)
{
    StickMlcpOptions options = stick_mlcp_options_default();
    StickMlcpSolver *solver;
    StickMlcpInfo info;
    MatesBox box;
    put_case(&stable_beam3, &box);
    assert_ok(*state, stick_mlcp_create(*state, &options, &solver));
    assert_ok(*state, stick_mlcp_solve(solver, &box.mates, NULL, &box.solution, &info));
    size_t calls = stick_memory_calls(*state);
    assert_ok(*state, stick_mlcp_solve(solver, &box.mates, NULL, &box.solution, &info));
    assert_int_equal(stick_memory_calls(*state), calls);
    stick_mlcp_destroy(solver);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(frictionless_systems_agree_with_enumeration),
        test_with_context(systems_with_friction_agree_with_enumeration),
        test_with_context(large_systems_start_from_the_position_before),
        test_with_context(any_start_leads_to_the_solution),
        test_with_context(systems_without_loads_are_solved),
        test_with_context(later_solves_take_no_memory),
    };
    return cmocka_run_group_tests_name("solve.mlcp_connect", tests, NULL, NULL);
}
