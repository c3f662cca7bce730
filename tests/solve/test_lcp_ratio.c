// SPDX-License-Identifier: Apache-2.0
#include "check.h"

#include "base/random.h"
#include "solve/tableau.h"

#include <stickslip/lcp.h>

enum { MOST = 40 };

static void make_tied(StickRandom *random, int n, double *M, double *q)
{
    for (int e = 0; e < n * n; e++) {
        double chance = stick_random_uniform(random, 0, 1);
        M[e] = (e % (n + 1) == 0 ? 4 : 0) + (chance < 0.2 ? -1 : chance < 0.4 ? 1 : 0);
    }
    // one lowest q: where it is tied, the order of the columns is another one after the first try
    for (int i = 0; i < n; i++)
        q[i] = -1 - floor(stick_random_uniform(random, 0, 2));
    q[(int)stick_random_uniform(random, 0, n)] = -3;
}

// Small integers tie all the time. The path is the one of the tableau, which has all rows of the inverse at hand.
static void ties_are_broken_as_on_the_tableau(void **state)
{
    static double M[MOST * MOST];
    double q[MOST], z[MOST], books[MOST];
    StickContext *ctx = *state;
    StickLemke *lemke;
    StickRandom random = stick_random_seed(1);
    int compared = 0, pivots = 0;
    assert_ok(ctx, stick_lemke_create(ctx, &lemke));
    for (int k = 0; k < 300; k++) {
        StickSolveInfo info;
        int n = 2 + k % (MOST - 1);
        make_tied(&random, n, M, q);
        int expected = tableau_lemke(n, M, q, 1000, books);
        assert_ok(ctx, stick_lemke_solve(lemke, &(StickLcp){n, M, q}, 1000, z, &info));
        assert_int_equal(info.end == STICK_SOLVE_CONVERGED, expected > 0);
        if (expected == 0)
            continue;
        compared++;
        pivots += expected;
        assert_int_equal(info.iterations, expected);
        for (int i = 0; i < n; i++)
            assert_near(z[i], books[i], 1e-10);
    }
    print_message("%d problems, %d pivots\n", compared, pivots);
    assert_true(compared > 200);
    stick_lemke_destroy(lemke);
}

// From other bases the rows of the inverse begin with z's as well; a solution is found all the same.
static void ties_from_other_starts_end_at_a_solution(void **state)
{
    static double M[MOST * MOST];
    double q[MOST], z[MOST];
    StickContext *ctx = *state;
    StickLemke *lemke;
    StickRandom random = stick_random_seed(2);
    assert_ok(ctx, stick_lemke_create(ctx, &lemke));
    for (int k = 0; k < 300; k++) {
        StickSolveInfo info;
        int n = 2 + k % (MOST - 1);
        make_tied(&random, n, M, q);
        for (int i = 0; i < n; i++)
            z[i] = stick_random_uniform(&random, 0, 1) < 0.4;
        assert_ok(ctx, stick_lemke_solve_near(lemke, &(StickLcp){n, M, q}, 1000, z, &info));
        assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
        assert_below(info.residual, 1e-13);
    }
    stick_lemke_destroy(lemke);
}

// Uncoupled copies of one problem: ties between them are broken late, where the columns of the other copies are zero.
static void copies_of_one_problem_get_one_solution_each(void **state)
{
    enum { COPY = 8, COPIES = 4, N = COPY * COPIES };
    static double M[N * N];
    double one[COPY * COPY], q[N], z[N];
    StickContext *ctx = *state;
    StickLemke *lemke;
    StickRandom random = stick_random_seed(3);
    assert_ok(ctx, stick_lemke_create(ctx, &lemke));
    for (int k = 0; k < 100; k++) {
        StickSolveInfo info;
        make_tied(&random, COPY, one, q);
        memset(M, 0, sizeof M);
        for (int e = 0; e < COPY * COPY * COPIES; e++) {
            int first = e / (COPY * COPY) * COPY, i = e % COPY, j = e / COPY % COPY;
            M[(first + j) * N + first + i] = one[j * COPY + i];
        }
        for (int i = 0; i < N; i++) {
            q[i] = q[i % COPY];
            z[i] = (k >> i % 3 & 1) == 1;
        }
        assert_ok(ctx, stick_lemke_solve_near(lemke, &(StickLcp){N, M, q}, 1000, z, &info));
        assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
        assert_below(info.residual, 1e-13);
    }
    stick_lemke_destroy(lemke);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(ties_are_broken_as_on_the_tableau),
        test_with_context(ties_from_other_starts_end_at_a_solution),
        test_with_context(copies_of_one_problem_get_one_solution_each),
    };
    return cmocka_run_group_tests_name("solve.lcp_ratio", tests, NULL, NULL);
}
